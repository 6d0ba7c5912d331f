"""Parameters, words and numbers of the little language, each against what it says of itself."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256

import mpmath
import numpy as np
import pytest

from bounds import enclosure
from proofs_check.language import arithmetics, formula
from proofs_check.language.claim import (
    BadClaim,
    Claim,
    Counterexample,
    Verdict,
    show,
    shown_side,
)
from proofs_check.language.parameters import (
    Integer,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Times,
    Vector,
    bound_value,
    rational_unit_vector,
)
from proofs_check.records.ledger import is_linear
from proofs_check.search.moves import nearby
from proofs_check.search.shrinking import complexity, simpler_numbers
from tests.proofs_check.planted import claim as planted
from tests.proofs_check.recheck.test_independent import WORDS as TRUTHS

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
VALUES = {"n": 3, "a": HALF}
PARAMETERS: list[tuple[Parameter, str, str]] = [
    (Real("x"), "x in (-oo, oo)", "8f1ccd8dc7161aa5"),
    (Real("x", 0, 1, high_open=True), "x in [0, 1)", "b2b62317f85cb7d3"),
    (Real("x", 0, None, low_open=True), "x in (0, oo)", "6e315d48d0de5ca5"),
    (Real("x", None, 2, also=("1/7",)), "x in (-oo, 2]", "03f99ae07dfbfce9"),
    (Real("x", "a", "a + 1", low_open=True), "x in (a, a + 1]", "db54a973635e17fb"),
    (Real("x", 0, None, search=(1, 2)), "x in [0, oo)", "8f4f62d4b4cabdbd"),
    (Integer("k", 1), "k in {1, …}", "cf554c29fb50d637"),
    (Integer("k", 1, "n"), "k in {1, …, n}", "f349fecbb7ca9184"),
    (Integer("k", 0, None, 3), "k in {0, …}", "973b9e4dc4cb444e"),
    (Vector("v"), "v in (-oo, oo)^n", "6952bf269670f8d4"),
    (
        Vector("v", "n", 0, 1, increasing=True),
        "v in [0, 1]^n, never decreasing",
        "f2953c2349a027c7",
    ),
    (Vector("v", 2, 0, None, search=(0, 3)), "v in [0, oo)^2", "7436817ec6ccaebb"),
    (Times("t"), "0 <= t[0] <= … <= t[n-1]", "cc5c23ec1cacdcd4"),
    (Symmetric("A"), "A a symmetric n×n matrix", "86a4b0c8db944edf"),
    (PositiveSemidefinite("A"), "A a positive semidefinite n×n matrix", "a5f034945125cc5c"),
    (
        PositiveSemidefinite("A", unit=True),
        "A a positive semidefinite n×n matrix, unit diagonal",
        "5b35534cb9086bcf",
    ),
    (
        PositiveSemidefinite("A", "n", bound=True),
        "A a positive semidefinite n×n matrix, diagonal at most 1",
        "7935c2633ddd20ef",
    ),
]


def drawn(parameter: Parameter, count: int = 200) -> list[object]:
    rng = np.random.default_rng(0)
    return [parameter.draw(rng, VALUES) for _ in range(count)]


@pytest.mark.parametrize(("parameter", "words", "digest"), PARAMETERS)
def test_parameters(parameter: Parameter, words: str, digest: str) -> None:
    assert parameter.describe() == words
    values = drawn(parameter)
    assert all(parameter.admits(value, VALUES) for value in values)
    # The ledger promises the same cases for the same seed.
    rng = np.random.default_rng(1)
    near = [nearby(parameter, rng, value, VALUES) for value in values]
    assert sha256(repr((values, near)).encode()).hexdigest()[:16] == digest


ADMITTED: list[tuple[Parameter, list[object], list[object]]] = [
    (Real("x", 0, 1), [0, 1, HALF], [2, Fraction(-1, 9)]),
    (Real("x"), [Fraction(-7, 3)], []),
    (Real("x", 0, 1, high_open=True), [0, HALF], [-THIRD, 1, 2]),
    (Real("x", 0, 1, low_open=True), [1, HALF], [0, -1, Fraction(3, 2)]),
    (Real("x", 0, None, low_open=True), [Fraction(1, 9)], [0]),
    (Real("x", None, 1), [-100, 1], [Fraction(101, 100)]),
    (Real("x", None, 1, high_open=True), [-1], [1]),
    (Real("x", 0, None, search=(1, 2)), [0, 100], [-1]),
    (Integer("k", 1, "n"), [1, 2, 3], [0, 4, HALF]),
    (Integer("k", 1), [1, 10**9], [0]),
    (Vector("v", "n", 0, 1), [[0, 1, HALF], [1, 0, 0]], [[0, 1], [0, 1, 2], [0, 1, 1, 1]]),
    (Vector("v", 2), [[9, -1]], [[1]]),
    (Vector("v", 2, 0), [[0, 1]], [[1, -1]]),
    (Vector("v", "n", 0, 1, increasing=True), [[0, 0, 1], [1, 1, 1]], [[0, 1, HALF]]),
    (Times("t"), [[0, 0, 5], [0, THIRD, THIRD]], [[-1, 0, 1], [1, 0, 2]]),
    (
        Symmetric("A", 2),
        [[[1, 2], [2, -5]], [[1, 2], [2, -1]]],
        [[[1, 2], [3, 1]], [[1]], [[1, 2, 3], [2, 1, 3]]],
    ),
    (
        PositiveSemidefinite("A", 2),
        [[[4, 2], [2, 1]], [[0, 0], [0, 3]], [[2, 1], [1, 2]]],
        [
            *([[1, 2], [2, 1]], [[0, 1], [1, 3]], [[-1, 0], [0, 1]], [[1, 1], [0, 1]]),
            *([[1]], [[1, HALF], [THIRD, 1]]),
        ],
    ),
    (
        PositiveSemidefinite("A", 2, unit=True),
        [[[1, HALF], [HALF, 1]], [[1, -1], [-1, 1]]],
        [[[2, 0], [0, 1]], [[2, 1], [1, 1]]],
    ),
    (
        PositiveSemidefinite("A", 2, bound=True),
        [[[1, 0], [0, HALF]], [[HALF, 0], [0, 0]]],
        [[[2, 0], [0, 1]], [[1, 0], [0, 2]], [[2, 1], [1, 1]]],
    ),
]


@pytest.mark.parametrize(("parameter", "inside", "outside"), ADMITTED)
def test_what_is_admitted(parameter: Parameter, inside: list, outside: list) -> None:
    assert all(parameter.admits(value, VALUES) for value in inside)
    assert not any(parameter.admits(value, VALUES) for value in outside)


def test_an_open_end_is_never_drawn_and_a_closed_one_often() -> None:
    closed, opened = (Real("x", 0, 1, low_open=is_open) for is_open in (False, True))
    assert drawn(closed).count(0) > 10 and 0 not in drawn(opened)
    assert drawn(Real("x", None, 2, also=("1/7",))).count(Fraction(1, 7)) > 5
    ends = drawn(Integer("k", 2, 9))
    assert min(ends.count(2), ends.count(9)) > 40
    assert drawn(Integer("k", 5, 4)) == [5] * 200


def test_a_search_looks_where_it_is_told() -> None:
    looked = Real("x", 0, None, search=(1, 2))
    assert all(1 <= value <= 2 for value in drawn(looked))
    assert looked.searched(VALUES) == (1, 2)
    assert looked.ends(VALUES) == (0, None)


def test_semidefinite_is_decided_as_by_eigenvalues() -> None:
    rng = np.random.default_rng(2)
    seen = []
    for _ in range(300):
        matrix = rng.integers(-2, 4, (3, 3))
        matrix = np.tril(matrix) + np.tril(matrix, -1).T + 2 * np.eye(3, dtype=int)
        least = np.linalg.eigvalsh(matrix)[0]
        if abs(least) > 1e-9:
            seen.append(least > 0)
            assert enclosure.is_positive_semidefinite(matrix.tolist()) == (least > 0)
    assert 10 < sum(seen) < len(seen) - 10
    for _ in range(50):
        vector = rational_unit_vector(rng)
        assert sum(x * x for x in vector) == 1
        assert enclosure.is_positive_semidefinite([[x * y for x in vector] for y in vector])


def test_bounds_are_numbers_names_or_formulas() -> None:
    assert bound_value(None, VALUES) is None
    assert bound_value("a", VALUES) == HALF
    assert bound_value("1/3", VALUES) == THIRD
    assert bound_value("n**2 - a", VALUES) == Fraction(17, 2)
    with pytest.raises(OverflowError):
        bound_value("7**(10**9)", VALUES)
    assert bound_value("2**n", VALUES) == 8


@pytest.mark.parametrize(
    ("value", "weight"),
    [
        (0, 0),
        (1, 3),
        (-1, 4),
        (10, 30),
        (11, 102),
        (100, 51),
        (1000, 57),
        (1200, 114),
        (HALF, 9),
        (Fraction(-3, 4), 28),
        ([1, 2], 10),
        ((), 1),
    ],
)
def test_complexity(value, weight) -> None:
    assert complexity(value) == weight


def test_the_simplest_number_comes_first() -> None:
    assert list(simpler_numbers(Fraction(0))) == []
    assert list(simpler_numbers(Fraction(3)))[:3] == [0, 1, 2]
    found = list(simpler_numbers(Fraction(355, 113)))
    assert {Fraction(0), Fraction(3), Fraction(22, 7)} <= set(found)
    assert Fraction(1) in found and len(found) == len(set(found))
    assert Fraction(1000) in list(simpler_numbers(Fraction(123457, 100)))
    assert all(complexity(one) < complexity(Fraction(355, 113)) for one in found)


A, B, V, W = [[1, 2], [3, 4]], [[5, 6], [7, 8]], [2, 3], [5, 7, 11]
SHAPES = {
    "[[trace(A), len(W)], [floor(7/2) + ceil(7/2), abs(0-3) + min(1, 2) + max(3, 4)]]": [
        [5, 3],
        [7, 8],
    ],
    "hadamard(A, B)": np.multiply(A, B),
    "add(A, B)": np.add(A, B),
    "scale(3, A)": np.multiply(3, A),
    "matmul(A, B)": np.matmul(A, B),
    "identity(3)": np.eye(3),
    "ones(2)": np.ones((2, 2)),
    "diagonal(V)": np.diag(V),
    "outer(V, W)": np.outer(V, W),
    "transpose(A)": np.transpose(A),
    "block(A, 1, 2)": [[4]],
}


@pytest.mark.parametrize("text", SHAPES)
def test_words_for_shapes(text: str) -> None:
    values = {"A": A, "B": B, "V": V, "W": W}
    for vocabulary in (arithmetics.floats(), arithmetics.rigorous()):
        assert np.array_equal(formula.evaluate(text, vocabulary, values), SHAPES[text])


@pytest.mark.parametrize("text", TRUTHS)
def test_words_of_numbers(text: str) -> None:
    """In floats and in balls, against many digits."""
    values = {"x": Fraction(3, 7), "a": [[2, HALF], [HALF, 3]], "v": [1, Fraction(2, 3)]}
    with mpmath.workdps(40):
        truth = TRUTHS[text](mpmath.mpf(3) / 7)
        found = formula.evaluate(text, arithmetics.floats(), arithmetics.entrywise(float, values))
        assert found == pytest.approx(float(truth), rel=1e-12)
        with enclosure.precision(128):
            exact = arithmetics.entrywise(enclosure.exact, values)
            ends = enclosure.endpoints(formula.evaluate(text, arithmetics.rigorous(), exact))
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in ends)
        assert low - 1e-30 <= truth <= high + 1e-30 and high - low < 1e-30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("min(1/2, 1/3) + max(1/2, 1/3)", Fraction(5, 6)),
        ("abs(0 - 1/3)", THIRD),
        ("floor(7/2) + 10*ceil(7/2)", Fraction(43)),
        ("v[1]", THIRD),
        ("sum(v[k] for k in range(2))", Fraction(5, 6)),
        ("(1/2)**3", Fraction(1, 8)),
        ("2**(0-2)", Fraction(1, 4)),
        ("(1/2 if 1/3 <= 1/2 else 9) + (9 if 1/2 < 1/3 else 1/3)", Fraction(5, 6)),
    ],
)
def test_bounds_are_rational(text: str, expected: Fraction) -> None:
    found = formula.evaluate(text, arithmetics.fractions(), {"v": [HALF, THIRD]})
    assert found == expected and not isinstance(found, float)


def test_powers_and_indices_that_have_no_value() -> None:
    for words in (arithmetics.floats(), arithmetics.fractions()):
        with pytest.raises(IndexError, match="index 2 of 2 entries"):
            formula.evaluate("v[2]", words, {"v": [1, 2]})
    with pytest.raises(ValueError, match="a fractional power of a negative number"):
        formula.evaluate("(0 - 8)**(1/3)", arithmetics.floats(), {})
    with pytest.raises(ValueError, match="an index that is no integer"):
        formula.evaluate("2**(1/2)", arithmetics.fractions(), {})
    with pytest.raises(OverflowError, match="a power of too many digits"):
        formula.evaluate("2**(0 - 10**7)", arithmetics.fractions(), {})
    with pytest.raises(OverflowError, match="sums over too many indices"):
        formula.evaluate("sum(1 for k in range(4))", arithmetics.floats(), {}, 3)
    for word in ("identity", "ones"):
        assert len(formula.evaluate(f"{word}(400)", arithmetics.floats(), {})[0]) == 400
        with pytest.raises(OverflowError, match="a matrix of 401 rows"):
            formula.evaluate(f"{word}(401)", arithmetics.floats(), {})
    for index, sound in (
        (2, True),
        (2.0, True),
        (Fraction(2), True),
        (enclosure.exact(2), True),
        (2.5, False),
        (Fraction(1, 2), False),
        ("2", False),
    ):
        if sound:
            assert formula.whole(index) == 2
        else:
            with pytest.raises(ValueError, match="no integer"):
                formula.whole(index)


def test_formulas_at_the_edge_of_what_is_read() -> None:
    assert formula.parse(" " * 99_990 + "x <= 1").body is not None
    with pytest.raises(formula.BadFormula, match="at most 100000 characters"):
        formula.parse(" " * 99_995 + "x <= 1")
    assert formula.evaluate("9" * 1_000, arithmetics.rigorous(), {}) == 10**1_000 - 1
    with pytest.raises(formula.BadFormula, match="no number of this language"):
        formula.parse("9" * 1_001)
    for text, said in (
        ("1 < x < 2", "one comparison at a time"),
        ("1 if x else 2", "asks for a comparison"),
        ("t[1, 2]", "an index is one integer"),
        ("t[-1]", "does not wrap"),
        ("é", "ASCII"),
        ("sum(1 for k in t)", "over range"),
        ("det >= 1", "a word of the language"),
        ("log(1, 2)", "log takes 1 argument"),
        ("range(k=1)", "range takes 1 to 2"),
        ("f(1)", "f is not a word of the language"),
        ("x +", "cannot read the formula 'x"),
        ("x.real", "Attribute is not part of a formula: 'x.real'"),
    ):
        with pytest.raises(formula.BadFormula, match=said):
            formula.parse(text), text
    with pytest.raises(formula.BadFormula, match=r"a statement compares two sides: 'x \+ 1'"):
        formula.relation("x + 1")
    with pytest.raises(formula.BadFormula, match=r"k is an index and a number: 'sum\(y"):
        formula.expand("sum(y for k in range(3))", (("y", "k + 1"),))
    found = formula.relation("x + 1 != 2*y")
    assert found == ("x + 1", "!=", "2 * y") and found.operator == "!="
    assert formula.indices("sum(sum(1 for j in range(k)) for k in range(3))") == {"j", "k"}


@pytest.mark.parametrize("word", ["hadamard", "add"])
def test_shapes_have_to_fit(word: str) -> None:
    for other in ([[1, 2]], [[1], [2]]):
        with pytest.raises(ValueError, match="zip"):
            formula.evaluate(f"{word}(A, C)", arithmetics.floats(), {"A": A, "C": other})


@pytest.mark.parametrize(
    ("text", "linear"),
    [
        ("G <= H + 2*S", True),
        ("G/2 <= H", True),
        ("G**2 <= H", False),
        ("G <= a*H", False),
        ("1/G <= H", False),
        ("G <= exp(H)", False),
        ("2*3*G <= 1", True),
        ("G <= V[0]", False),
        ("1 <= 2/G", False),
    ],
)
def test_what_is_linear(text: str, linear: bool) -> None:
    assert is_linear(text) is linear


def test_definitions_are_put_in_only_for_their_name() -> None:
    assert formula.expand("x + y", (("x", "2*z"),)) == "2 * z + y"


@pytest.mark.parametrize(
    ("side", "other", "shown"),
    [
        (("1/3", "1/3"), None, "1/3"),
        (("0", "1/3"), ("1", "1"), "≈ 0.166667"),
        (("4/27", "4/27"), ("4/27", "40000001/270000000"), "4/27 ≈ 0.1481481481"),
        (("1/3", "333334/1000000"), ("1/3", "333335/1000000"), "≈ 0.33333367"),
        (("5", "5"), ("5", "40000001/8000000"), "5"),
        (("12345678901/10000000000",) * 2, None, "12345678901/10000000000"),
        (("12345678901234/99999999977",) * 2, None, "123.457"),
        (("12345678901234/99999999977",) * 2, ("123.4567891",) * 2, "123.4567890"),
        (("1/3", "1/3"), ("1/3", "1/3"), "1/3"),
        (("1/2", "1/2"), ("1/3", "1/3"), "1/2"),
        (("0.25", "0.25"), ("0.1", "0.2"), "1/4"),
        (("0.1", "0.2"), ("0.25", "0.25"), "≈ 0.15"),
        (("4/27", "40000001/270000000"), ("4/27", "4/27"), "≈ 0.14814815"),
    ],
)
def test_sides_are_shown_to_the_digits_that_tell_them_apart(side, other, shown) -> None:
    assert shown_side(side, other) == shown


def test_cases_are_shown_with_what_fails() -> None:
    case = {"x": HALF, "A": [[1, THIRD], (2, 0)], "n": 3}
    assert show(case) == "x = 1/2, A = [[1, 1/3], [2, 0]], n = 3"
    found = Counterexample(case, ("1/3", "1/3"), ("1/4", "1/4"), "<=")
    assert str(found) == f"{show(case)}: 1/3 <= 1/4 fails"
    close = Counterexample({"x": 1}, ("4/27", "4/27"), ("4/27", "40000001/270000000"), ">")
    assert str(close) == "x = 1: 4/27 ≈ 0.1481481481 > ≈ 0.14814815 fails"


def test_a_claim_says_where_it_is_and_what_it_knows() -> None:
    free = claim((), formula="1 <= 2", parameters=())
    assert free.domain == "no free parameters"
    named = claim(hypotheses=("a >= 1",), parameters=(Real("a", 0), Integer("n", 1)))
    assert named.domain == "a in [0, oo); n in {1, …}; a >= 1" and named.kind == "printed"
    with pytest.raises(BadClaim, match=r"c: \['u', 'z'\] not defined in 'z \+ u <= 1'"):
        claim(formula="z + u <= 1")
    with pytest.raises(formula.BadFormula, match="compares two sides"):
        claim(hypotheses=("a",))
    assert claim(expected=Verdict.PROVED, kind="theory", finding="vacuous").finding == "vacuous"
    with pytest.raises(BadClaim, match="what is vacuous is true, and not refuted"):
        claim(expected=Verdict.REFUTED, finding="vacuous")
    assert Verdict.REFUTED.meaning.startswith("a counterexample was re-verified")
    assert str(Verdict.PROVED) == "PROVED" and len({v.meaning for v in Verdict}) == len(Verdict)


def test_parameters_are_made_of_numbers_that_a_search_moves() -> None:
    assert Real("x").entries(HALF) == [HALF] and Real("x").of_entries([THIRD]) == THIRD
    assert Integer("k").searched(VALUES) == (None, None)
    rows = [[1, 2, 4], [2, 3, 5], [4, 5, 6]]
    assert Symmetric("A").entries(rows) == [1, 2, 3, 4, 5, 6]
    assert Symmetric("A").of_entries([1, 2, 3, 4, 5, 6]) == rows
    assert Symmetric("A").searched(VALUES) == (None, None)
    free, ordered = Vector("v", 3, 0, 4), Vector("v", 3, increasing=True, search=(1, 2))
    assert free.entries((3, 1)) == [3, 1] and free.of_entries([3, 1]) == [3, 1]
    assert ordered.of_entries([3, 1]) == [1, 3]
    assert free.searched(VALUES) == (0, 4) and ordered.searched(VALUES) == (1, 2)
    assert Integer("k", "a", "n + a").ends(VALUES) == (1, 3)
    with pytest.raises(AssertionError):
        Integer("k", None).ends(VALUES)


def test_values_keep_their_shape() -> None:
    nested = [[HALF, 1], (Fraction(2),)]
    assert arithmetics.entrywise(float, nested) == [[0.5, 1], [2.0]]
    values = arithmetics.entrywise(enclosure.exact, {"V": [HALF, THIRD], "n": 2})
    found = formula.evaluate("sum(V[k] for k in range(1, n))", arithmetics.rigorous(), values)
    assert enclosure.to_fraction(found) == THIRD
    assert formula.evaluate("sum(k for k in range(n))", arithmetics.floats(), {"n": 4}) == 6


def claim(let: tuple[tuple[str, str], ...] = (("b", "a"),), **other) -> Claim:
    given = {"id": "c", "expected": Verdict.PROVED, "parameters": (Real("a"),), "let": let}
    return planted(other.pop("formula", "b <= a + 1"), **{**given, **other})


@pytest.mark.parametrize("name", ["log", "pi", "range", "lambda", "2x", "x.y", "_x", "é", "", "a"])
def test_what_cannot_name_a_number(name: str) -> None:
    """Words, what is no name, and a name that is taken."""
    with pytest.raises(BadClaim):
        claim((("b", "a"), (name, "a")))
    with pytest.raises(BadClaim):
        claim(parameters=(Real("a"), Real(name)))


@pytest.mark.parametrize("kind", ["printed", "step", "theory", "repair", "trusted", "planted"])
def test_findings_are_of_what_is_printed(kind) -> None:
    refuted = Verdict.REFUTED
    if kind in ("repair", "trusted", "planted"):
        with pytest.raises(BadClaim):
            claim(kind=kind, finding="gap")
    else:
        assert claim(kind=kind, finding="gap").finding == "gap"
        assert claim(kind=kind, finding="false", expected=refuted).expected is refuted
    if kind == "planted":
        with pytest.raises(BadClaim, match="what is planted is false"):
            claim(kind=kind)
    if kind in ("theory", "planted"):
        assert claim(kind=kind, expected=refuted).finding == "none"
    else:
        with pytest.raises(BadClaim):
            claim(kind=kind, expected=refuted)


def test_a_sentence_about_runs_is_judged_by_runs_alone() -> None:
    def about_runs(expected: Verdict = Verdict.SUPPORTED, **other) -> Claim:
        given = {"formula": "", "parameters": (), "let": (), "sentence": "ctv-is-lower"}
        return claim(expected=expected, **{**given, **other})

    assert about_runs().domain == "the distribution of runs over seeds"
    for finding in ("none", "not reproduced"):
        assert about_runs(Verdict.UNDECIDED, finding=finding).finding == finding
    for wrong in (
        {"finding": "not reproduced"},
        {"formula": "1 <= 2"},
        {"parameters": (Real("a"),)},
        {"let": (("b", "1"),)},
        {"hypotheses": ("1 <= 2",)},
        {"witnesses": ({"a": 1},)},
        {"box": "all"},
        {"rests_on": ("d",)},
        {"expected": Verdict.PROVED},
        {"expected": Verdict.REFUTED},
        {"expected": Verdict.REFUTED, "finding": "false"},
        {"expected": Verdict.SUPPORTED, "finding": "false"},
    ):
        with pytest.raises(BadClaim):
            about_runs(**wrong)


@pytest.mark.parametrize("meaning", ["a + unknown", "later"])
def test_a_definition_knows_what_comes_before_it(meaning: str) -> None:
    assert claim((("first", "2*a"), ("b", "first/2"))).expanded("b <= 1") == "2 * a / 2 <= 1"
    with pytest.raises(BadClaim):
        claim((("b", meaning), ("later", "a")))
    with pytest.raises(BadClaim):
        claim((("b", "a"),), finding="vacuous", kind="repair")


def test_numbers_of_too_many_digits_become_balls_and_the_others_stay_exact() -> None:
    long = 10**200_000
    for text, exact in (
        ("x*x", True),
        ("prod([x, x])", False),
        ("prod([x, 2])", True),
        ("x**2", False),
        ("3**10**5", True),
        ("3**(2*10**6)", False),
        ("(1/3)**(2*10**6)", False),
    ):
        found = formula.evaluate(text, arithmetics.rigorous(), {"x": long})
        assert enclosure.is_exact(found) is exact, text
        if not exact:
            assert enclosure.certainly_le(1, found) is ("1/3" not in text)
    assert arithmetics.holds("3**(2*10**6) > 2**(3*10**6)", arithmetics.rigorous(), {}) is True


def test_bessel_functions_in_floats() -> None:
    found = formula.evaluate("bessel_k(1/2, 2)", arithmetics.floats(), {})
    assert found == pytest.approx((np.pi / 4) ** 0.5 * np.exp(-2))


def test_an_empty_sum_counts_no_index() -> None:
    text = "sum(sum(1 for j in range(0)) for k in range(3))"
    assert formula.evaluate(text, arithmetics.floats(), {}, 3) == 0
    with pytest.raises(OverflowError):
        formula.evaluate(text, arithmetics.floats(), {}, 2)
