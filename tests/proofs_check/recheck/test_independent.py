"""The recheck's own reader of formulas: against mpmath and Fractions, and what it refuses."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from proofs_check.language import arithmetics
from proofs_check.recheck import independent
from proofs_check.recheck.independent import evaluate, lifted

X = Fraction(3, 7)
MATRICES = {"a": [["2", "1/2"], ["1/2", "3"]], "v": ["1", "2/3"]}
WORDS = {
    "exp(x)": mpmath.exp,
    "log(x)": mpmath.log,
    "sqrt(x)": mpmath.sqrt,
    "sin(x)": mpmath.sin,
    "erf(x)": mpmath.erf,
    "normal_cdf(x)": mpmath.ncdf,
    "gamma(x)": mpmath.gamma,
    "bessel_k(2, x)": lambda x: mpmath.besselk(2, x),
    "pi*x": lambda x: mpmath.pi * x,
    "x**(1/3)": mpmath.cbrt,
    "x**x": lambda x: x**x,
    "x**(-2)": lambda x: x**-2,
    "abs(-x) - +x": lambda x: mpmath.mpf(0),
    "floor(9*x) + ceil(9*x)": lambda x: mpmath.mpf(7),
    "min(x, 1/3) + max(x, 1/3)": lambda x: x + mpmath.mpf(1) / 3,
    "max([k*x for k in range(1, 4)])": lambda x: 3 * x,
    "sum(x**k for k in range(3)) + sum(7 for k in range(3, 1))": lambda x: 1 + x + x * x,
    "prod(x + j*k for j in range(2) for k in range(2))": lambda x: x**3 * (x + 1),
    "(x if x <= 3/7 else 9) + (9 if x < 3/7 else x)": lambda x: 2 * x,
    "1e-2*x + 0.25": lambda x: x / 100 + mpmath.mpf(1) / 4,
    "len(v) + v[1]": lambda x: mpmath.mpf(8) / 3,
    "det(a) + trace(a)": lambda x: mpmath.mpf(23) / 4 + 5,
    "eigenvalues(a)[0]": lambda x: (5 + mpmath.sqrt(2)) / 2,
    "det(scale(x, add(a, identity(2))))": lambda x: x**2 * (12 - mpmath.mpf(1) / 4),
    "matmul(outer(v, v), a)[1][0]": lambda x: mpmath.mpf(14) / 9,
    "hadamard(a, ones(2))[0][1] + transpose(block(a, 0, 1))[0][0]": lambda x: mpmath.mpf(5) / 2,
    "diagonal(v)[1][1] + diagonal(v)[0][1]": lambda x: mpmath.mpf(2) / 3,
    "information_gain(a, x)": lambda x: (
        mpmath.log((1 + 2 / x) * (1 + 3 / x) - 1 / (2 * x) ** 2) / 2
    ),
    "posterior_variance(a, x, 1)": lambda x: 3 - 1 / (4 * (2 + x)),
    "posterior_variance(a, x, 0)": lambda x: mpmath.mpf(2),
    "posterior_mean(a, x, v, 1)": lambda x: 1 / (2 * (2 + x)),
    "posterior_mean(a, x, v, 0) + x": lambda x: x,
    "elliptic_potential(a, x)": lambda x: mpmath.mpf(2),
    "elliptic_potential(a, 4)": lambda x: mpmath.mpf(1) / 2 + (3 - mpmath.mpf(1) / 24) / 4,
    "gp_ucb_beta(5, 2, x)": lambda x: 2 * mpmath.log(20 * mpmath.pi**2 / (6 * x)),
    "rkhs_value(a, v, 1)": lambda x: mpmath.mpf(5) / 2,
    "rkhs_norm(a, v)": lambda x: mpmath.mpf(2),
}
CONDITIONS = {
    "all(v[k] <= 1 for k in range(2))": True,
    "all(v[k] < 1 for k in range(2))": False,
    "all(v[k] < 1 for k in range(1, 2))": True,
    "all(a[j][k] == a[k][j] for j in range(2) for k in range(j))": True,
    "all(a[j][k] >= x for j in range(2) for k in range(2))": True,
    "all(a[j][k] >= 1 for j in range(2) for k in range(2))": False,
    "all(1/k >= 0 for k in range(0))": True,
    "all(k <= y for k in range(-3, 0))": True,
    "all(k <= y for k in range(4))": False,
    "all(k <= y for k in range(3))": None,
    "all(0 <= k for k in range(2, -2))": True,
    "confidence_event(v, [x, x], [1, 1], [1, 1/10])": True,
    "confidence_event(v, [x, x], [1, 1], [1, 1/20])": False,
    "confidence_event(v, [y, x], [1, 1], [1/9, 1])": None,
    "sub_gaussian([1/2, 1/2], [-1, 1], 1, x)": True,
    "sub_gaussian([1/2, 1/2], [-1, 1], 9/10, x)": False,
}


@pytest.mark.parametrize("text", WORDS)
def test_every_word_has_its_value(text: str) -> None:
    with enclosure.precision(256):
        value = evaluate(text, {"x": lifted("3/7")} | {n: lifted(a) for n, a in MATRICES.items()})
        low, high = enclosure.endpoints(value)
    with mpmath.workdps(60):
        truth = WORDS[text](mpmath.mpf(X.numerator) / X.denominator)
        ends = [mpmath.mpf(end.numerator) / end.denominator for end in (low, high)]
        slack = mpmath.mpf(10) ** -50 * (1 + abs(truth))
        assert ends[0] - slack <= truth <= ends[1] + slack
        assert ends[1] - ends[0] <= slack


def test_every_word_of_the_language_is_read() -> None:
    from proofs_check.language.formula import WORDS as LANGUAGE

    assert {*independent._WORDS, "range"} == {*LANGUAGE}
    texts = (*WORDS, *CONDITIONS)
    assert all(any(f"{word}(" in text for text in texts) for word in LANGUAGE)


@pytest.mark.parametrize("text", CONDITIONS)
def test_a_condition_is_of_every_index(text: str) -> None:
    """By checker and finders alike: an index that fails decides, an open one leaves it open."""
    values = {"x": lifted("3/7")} | {n: lifted(a) for n, a in MATRICES.items()}
    values["y"] = enclosure.interval(Fraction(0), Fraction(2))
    assert evaluate(text, values) is CONDITIONS[text]
    assert arithmetics.holds(text, arithmetics.rigorous(), values) is CONDITIONS[text]


@pytest.mark.parametrize(
    "text",
    [
        "x*(1/x) == 1",
        "x**2/x == x",
        "prod([x, 1/x]) == 1",
        "sum([x, 0-x]) == 0",
        "det(a) == 23/4",
        "matmul(a, a)[0][1] == 5/2",
        "sqrt(x*x) == x",
        "scale(1/x, outer(v, v))[0][0]*x == 1",
    ],
)
def test_exact_numbers_stay_exact(text: str) -> None:
    """A tie is decided: a ball around either side would leave it open."""
    assert evaluate(text, {"x": lifted("3/7")} | {n: lifted(a) for n, a in MATRICES.items()})


@pytest.mark.parametrize(
    ("sign", "below", "equal", "above", "overlap"),
    [
        ("<=", True, True, False, None),
        ("<", True, False, False, None),
        (">=", False, True, True, None),
        (">", False, False, True, None),
        ("==", False, True, False, None),
        ("!=", True, False, True, None),
    ],
)
def test_comparisons(sign: str, below: bool, equal: bool, above: bool, overlap: None) -> None:
    values = {"y": enclosure.interval(Fraction(0), Fraction(2))}
    for text, said in (
        (f"1 {sign} 2", below),
        (f"2 {sign} 2", equal),
        (f"3 {sign} 2", above),
        (f"1 {sign} y", overlap),
        (f"-1 {sign} y", below),
        (f"3 {sign} y", above),
    ):
        assert evaluate(text, values) is said
        assert independent.compared(*independent.sides(text, values)) is said
        assert arithmetics.holds(text, arithmetics.rigorous(), values) is said
        for words in (arithmetics.floats(), arithmetics.fractions()):
            assert "y" in text or arithmetics.holds(text, words, {}) is said


@pytest.mark.parametrize(
    "text",
    [
        "1/(x-x)",
        "log(x-1)",
        "log(y)",
        "sqrt(0-x)",
        "sqrt(y-1)",
        "floor(y)",
        "(0-x)**(1/2)",
        "foo(x)",
        "range(0, 9, 2)",
        "v[2]",
        "v[0-1]",
        "v[1/2]",
        "v[y]",
        "0x10",
        "1_0",
        "True",
        "'a'",
        "sum(k for k in range(9) if k > 3)",
        "min([k for k in range(0)])",
        "x.real",
        "(10**9)**(10**9)",
        "2**(2**61)",
        "x**(2**61)",
        "sum(1 for k in range(10**9))",
        "ones(10**6)",
        "lambda: 1",
        "1e9999",
        "len(x)",
    ],
)
def test_what_has_no_value_or_is_not_decided(text: str) -> None:
    values = {
        "x": lifted("1"),
        "y": enclosure.interval(Fraction(0), Fraction(2)),
        "v": lifted(["1", "2"]),
    }
    with pytest.raises((ArithmeticError, LookupError, TypeError)):
        evaluate(text, values)


def test_lists_tables_and_texts_at_their_longest(monkeypatch) -> None:
    monkeypatch.setattr(independent, "_LONGEST_RANGE", 6)
    values = {name: lifted(["1"] * count) for name, count in (("two", 2), ("three", 3), ("v", 7))}
    for text in (
        "outer(two, three)[1][2]",
        "sum(1 for k in range(6))/6",
        "ones(2)[1][1]",
        "sum(1 for k in range(3, 9))/6",
    ):
        assert evaluate(text, values) == 1
    for text, said in (
        ("outer(v, [1])", "a matrix of 7 rows"),
        ("ones(3)", "a matrix of 3 rows"),
        ("sum(1 for k in range(7))", "not too many integers"),
        ("sum(1 for k in range(3, 10))", "not too many integers"),
    ):
        with pytest.raises(enclosure.Undecided, match=said):
            evaluate(text, values)
    monkeypatch.setattr(independent, "_LONGEST_TEXT", 9)
    assert evaluate("1 + 2 + 33"[:9], {}) == 6
    with pytest.raises(enclosure.Undecided, match="a formula that is too long"):
        evaluate("1 + 2 + 34", {})


@pytest.mark.parametrize("value", [True, 0.5, "1/0", "1e3", "0x1", "²", "9" * 5000, None, {}])
def test_what_is_no_number_of_a_file(value: object) -> None:
    with pytest.raises(ArithmeticError):
        lifted(value)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6))
@example([0, 0, 0, 0, 0, 0])
@example([1, 1, 1, 1, 1, 1])
@example([1, 1, 1, -1, 1, 1])
def test_positive_semidefinite_agrees_with_the_finders(entries: list[int]) -> None:
    a, b, c, p, q, r = map(Fraction, entries)
    matrix = [[a, p, q], [p, b, r], [q, r, c]]
    found = enclosure.is_positive_semidefinite(matrix)
    assert independent.is_positive_semidefinite(matrix) is found
    assert independent.determinant(matrix) == enclosure.to_fraction(enclosure.determinant(matrix))


def test_long_exact_numbers_become_balls() -> None:
    value = evaluate("prod(10**1000 + x for k in range(10**3)) > 10**9", {"x": lifted("1")})
    assert value is True
