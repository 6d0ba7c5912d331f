"""The language of claims: what it admits, and that all its arithmetics agree."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import enclosure
from proofs_check.language import arithmetics, formula
from proofs_check.language.formula import BadFormula
from proofs_check.recheck import independent

NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=20)
LEAVES = st.sampled_from(["x", "y", "2", "0.5", "1/3"])
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds("({}) + ({})".format, inner, inner),
        st.builds("({}) - ({})".format, inner, inner),
        st.builds("({}) * ({})".format, inner, inner),
        st.builds("({})**2".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("min({}, {})".format, inner, inner),
        st.builds("({} if x <= y else {})".format, inner, inner),
        st.builds("sum(({})*k for k in range(3))".format, inner),
        st.builds("exp(-abs({}))".format, inner),
        st.builds("det([[{}, 1], [x, {}]])".format, inner, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(text=FORMULAS, x=NUMBERS, y=NUMBERS)
def test_three_arithmetics_agree(text: str, x: Fraction, y: Fraction) -> None:
    exact = formula.evaluate(
        text, arithmetics.rigorous(), arithmetics.entrywise(enclosure.exact, {"x": x, "y": y})
    )
    low, high = enclosure.endpoints(exact)
    other = independent.evaluate(text, {"x": independent.lifted(x), "y": independent.lifted(y)})
    least, most = enclosure.endpoints(other)
    assert least <= high and low <= most
    if enclosure.is_exact(exact):
        assert least == most == low
    in_floats = formula.evaluate(text, arithmetics.floats(), {"x": float(x), "y": float(y)})
    assert abs(in_floats - float(low)) <= 1e-6 * max(1.0, abs(in_floats))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "lambda: 1",
        "'text'",
        "_x",
        "[k for k in y][0](1)",
        "True",
        "(x := 2)",
        "sum(k for k in range(0, 9, 2)) >= 0",
        "sum(k for k in range(9) if k > 3) >= 0",
        "sum(pi for pi in range(9)) >= 0",
        "sum(1 for range in range(9)) >= 0",
        "log >= 0",
        "0x10 >= x",
        "1_000 >= x",
        "1e100000 >= x",
        "x >= " + "(" * 50_000 + "1" + ")" * 50_000,
    ],
)
def test_what_is_not_a_formula(text: str) -> None:
    with pytest.raises(BadFormula):
        formula.parse(text)


def test_names_leave_out_indices_and_functions() -> None:
    assert formula.names("sum(t[k]*exp(x) for k in range(n)) <= pi") == {"t", "x", "n"}


def test_definitions_are_written_out_last_first() -> None:
    written = formula.expand("z", [("y", "x+1"), ("z", "y*y")])
    assert written == formula.expand("(x+1)*(x+1)", [])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("1 == 1.000000000000000000000000000000000000000000000000000000000001", False),
        ("1e-400 <= 0", False),
        ("1.00000000000000000001 > 1", True),
        ("0.1 + 0.2 == 0.3", True),
        ("2.5e-3 == 1/400", True),
        (".5 == 1/2", True),
    ],
)
def test_a_decimal_is_the_number_that_is_written(text: str, holds: bool) -> None:
    assert arithmetics.holds(text, arithmetics.rigorous(), {}) is holds
    assert independent.evaluate(text, {}) is holds
    assert arithmetics.holds(formula.expand(text, []), arithmetics.rigorous(), {}) is holds


@pytest.mark.parametrize("index", ["n", "n-3", "k-1"])
def test_an_index_does_not_wrap(index: str) -> None:
    values = {"n": 2, "k": 0, "t": [1, 2]}
    for words in (arithmetics.floats(), arithmetics.rigorous()):
        with pytest.raises(IndexError):
            formula.evaluate(f"t[{index}]", words, values)
    lifted = {name: independent.lifted(value) for name, value in values.items()}
    with pytest.raises(ArithmeticError):
        independent.evaluate(f"t[{index}]", lifted)


@pytest.mark.parametrize(
    "text",
    [
        "x**(2**61-1) <= 1+x",
        "(10**9)**(10**9) > x",
        "prod(10**1000 for k in range(10**4)) > x",
        "sum(1 for k in range(10**9)) > x",
        "det(identity(10**6)) > x",
        "2**(2**(2**9)) > x",
        "sum(sum(1 for j in range(10**4)) for k in range(10**4)) > x",
    ],
)
def test_a_huge_formula_ends(text: str) -> None:
    for words in (arithmetics.floats(), arithmetics.rigorous()):
        try:
            answer = arithmetics.holds(text, words, {"x": 3})
        except (ArithmeticError, ValueError, MemoryError):
            answer = None
        assert answer in (None, True, False)


def test_writing_a_definition_out_leaves_its_own_tree_alone() -> None:
    formula.expand("z <= 1", [("y", "x+1"), ("z", "y*2")])
    assert formula.expand("y*2", []) == "y * 2"


def test_no_number_stands_for_a_word() -> None:
    values = {"x": 1, "divide": 3, "power": 3, "compare": 3}
    assert formula.evaluate("x/2 + x**2", arithmetics.floats(), values) == 1.5
    with pytest.raises(BadFormula):
        formula.parse("divide >= 1")
