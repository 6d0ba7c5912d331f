"""Texts without a meaning: refused before anything runs, or without a value in every arithmetic."""

from dataclasses import replace

import pytest

from proofs_check.language import arithmetics, formula
from proofs_check.language.claim import BadClaim, Verdict
from proofs_check.language.formula import BadFormula
from proofs_check.language.parameters import Integer, Real, Symmetric, Vector
from proofs_check.recheck import independent
from proofs_check.records.verify import verify
from proofs_check.search.cases import FLOAT_TROUBLE, TROUBLE
from tests.proofs_check.planted import claim

A = "[[1, 2], [3, 4]]"
ILL_KINDED = [
    # lists added, multiplied, compared
    "sum([1] + [2, 3]) == 6",
    "len([1] * 3) == 3",
    "len(2 * [1]) == 2",
    "[1, 2] == [1, 2]",
    "[1, 2] < [1, 3]",
    f"{A} == {A}",
    "len([1] - [1]) == 0",
    "-[1] == 1",
    "sum([[1], [2]]) == 3",
    "max([1, 2], [1, 3]) >= 0",
    "min([[1]]) == 1",
    "abs([1]) == 1",
    "2 ** [1] == 2",
    # truth values as numbers
    "(1 < 2) == 1",
    "(1 < 2) + 1 == 2",
    "sum(k < 1 for k in range(3)) == 1",
    "-(1 < 2) == -1",
    "max(1 < 2, 0) == 1",
    "[5, 7][1 < 2] == 7",
    "(1 if (1 < 2) == (3 < 4) else 0) == 1",
    "range(1 < 2) == 1",
    "identity(1 < 2) == 1",
    # numbers where matrices belong, and the other way round
    "det(1) == 1",
    "det([1]) == 1",
    "trace(3) == 3",
    "len(3) == 1",
    "identity(2) == 1",
    "sum(3) == 3",
    "scale([[1]], 2) == 2",
    "outer(1, 2) == 2",
    "1[0] == 1",
    "[[1], 2][1] == 2",
    "det([[1, 2], [3, [4]]]) == -2",
    "(1 if 1 < 2 else [1]) == 1",
    "range(3) == 3",
    "sum(range(3)) == 3",
    "(k for k in range(2)) == 1",
    "(1, 2)[0] == 1",
]
NOT_ASCII = [
    "\uff11 == 1",
    "\uff45xp(0) == 1",
    "sq\u0280t(4) == 2",
    "exp(0) \uff1d= 1",
    "sum(\u1d4f for \u1d4f in range(2)) == 1",
]
WITHOUT_VALUE = [
    f"block({A}, -1, 2)",
    f"block({A}, -2, -1)",
    f"block({A}, 0, 3)",
    f"block({A}, 2, 1)",
    f"block({A}, 0, -1)",
    "block([[1, 2, 3], [4, 5, 6]], 0, 2)",
    "matmul([[1, 2]], [[1, 2]])",
    f"matmul({A}, [[1], [2], [3]])",
    f"matmul([[1]], {A})",
    f"matmul([[1, 2, 3]], {A})",
    "trace([[1, 2]])",
    "trace([[1], [2]])",
    "det([[1, 2]])",
    "det([[1, 2], [3]])",
    "eigenvalues([[0, 1], [0, 0]])",
    f"eigenvalues({A})",
    "eigenvalues([[1, 2]])",
    "eigenvalues([[1, exp(1)], [exp(2), 1]])",
    "identity(-3)",
    "ones(-1)",
    "identity(1/2)",
    "hadamard([[1, 2]], [[1]])",
    "add([[1]], [[1, 2]])",
    "add([[1], [2]], [[1]])",
    "transpose([[1, 2], [3]])",
    "gamma(-1/2)",
    "gamma(0)",
    "gamma(-3)",
    "bessel_k(1, 0)",
    "bessel_k(1, -1)",
    "[1, 2][-1+0]",
    "[1, 2][2]",
    "[1, 2][1/2]",
    "log(0)",
    "sqrt(-1)",
    "0 ** (-1)",
    "(-8) ** (1/3)",
    "1 / 0",
    "min([k for k in range(0)])",
    "max([k for k in range(0)])",
    "sum(1 for k in range(1/2))",
    "0 ** (-1/2)",
]


@pytest.mark.parametrize("text", [*ILL_KINDED, *NOT_ASCII])
def test_what_is_of_no_kind_is_refused(text: str) -> None:
    with pytest.raises((BadClaim, BadFormula)):
        claim(text)


def test_bounds_and_definitions_have_kinds_too() -> None:
    t, k = Vector("t", 2), Symmetric("K", 2)
    for refused in (
        {"parameters": (t, Real("x", "t"))},
        {"parameters": (t, Real("x", 0, "1 < 2"))},
        {"parameters": (k, Vector("v", "K"))},
        {"parameters": (k, Integer("n", "K[0]"))},
        {"let": (("b", "1 < 2"),)},
        {"parameters": (t,), "hypotheses": ("t <= 1",)},
        {"parameters": (Real("x", "y"), Real("y"))},
        {"hypotheses": ("1",)},
    ):
        with pytest.raises((BadClaim, BadFormula)):
            claim("1 >= 0", **refused)
    assert claim("K[0][1] >= t[0]", parameters=(t, k), let=(("d", "block(K, 0, 1)"),))


@pytest.mark.parametrize("text", WITHOUT_VALUE)
def test_what_has_no_value_has_none_in_any_arithmetic(text: str) -> None:
    with pytest.raises(FLOAT_TROUBLE):
        formula.evaluate(text, arithmetics.floats(), {})
    with pytest.raises(TROUBLE):
        formula.evaluate(text, arithmetics.rigorous(), {})
    with pytest.raises((*TROUBLE, LookupError)):
        independent.evaluate(text, {})
    number = text
    if text.startswith(("block", "matmul", "identity", "ones", "hadamard", "add", "transpose")):
        number = f"len({text})"
    elif text.startswith("eigenvalues"):
        number = f"{text}[0]"
    signs = {"at-most": "<=", "above": ">", "other": "!="}
    claims = [replace(claim(f"{number} {sign} 7"), id=name) for name, sign in signs.items()]
    for found in verify(claims=claims).rows:
        assert found.verdict is Verdict.UNDECIDED, found.reason


@pytest.mark.parametrize(
    "text",
    [
        f"block({A}, 0, 1)[0][0] == 1",
        f"block({A}, 1, 2)[0][0] == 4",
        "len(block([[1]], 1, 1)) == 0",
        f"matmul({A}, [[1], [1]])[1][0] == 7",
        f"trace({A}) == 5",
        "len(identity(0)) == 0",
        "eigenvalues([[2, 1], [1, 2]])[0] == 3",
        "gamma(5) == 24",
        "len(eigenvalues(identity(3))) == 3",
        "transpose([[1, 2]])[1][0] == 2",
        f"det(scale(2, {A})) == -8",
        "outer([1, 2], [3])[1][0] == 6",
        "hadamard([[1, 2]], [[3, 4]])[0][1] == 8",
        "diagonal([1, 2])[0][1] == 0",
        "prod([2, 3]) == 6",
    ],
)
def test_what_has_a_value_is_decided(text: str) -> None:
    assert verify(claims=[claim(text)]).rows[0].verdict is Verdict.PROVED
    assert independent.evaluate(text, {}) in (True, None)
