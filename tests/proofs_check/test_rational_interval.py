"""The recheck's arithmetic: against mpmath, and against the other interval library."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from proofs_check.recheck import independent
from proofs_check.recheck import rational_interval as ri
from proofs_check.recheck.rational_interval import Interval, NotDecided

REALS = st.fractions(min_value=-30, max_value=30, max_denominator=9999)
POSITIVE = st.fractions(min_value=Fraction(1, 10**9), max_value=10**9)
SMALL = st.fractions(min_value=-8, max_value=8, max_denominator=999)


def assert_contains(value: Interval, reference, x: Fraction) -> None:
    with mpmath.workdps(120):
        truth = reference(mpmath.mpf(x.numerator) / x.denominator)
        ends = [mpmath.mpf(end.numerator) / end.denominator for end in (value.low, value.high)]
        slack = mpmath.mpf(10) ** -100 * (1 + abs(truth))
        assert ends[0] - slack <= truth <= ends[1] + slack
        assert ends[1] - ends[0] <= mpmath.mpf(10) ** -35 * max(1, abs(truth))


@settings(max_examples=60, deadline=None)
@given(x=REALS)
@example(x=Fraction(0))
@example(x=Fraction(1, 10**6))
def test_exp(x: Fraction) -> None:
    assert_contains(ri.exp(Interval.of(x)), mpmath.exp, x)


@settings(max_examples=60, deadline=None)
@given(x=POSITIVE)
@example(x=Fraction(4, 3))
@example(x=Fraction(10**9 + 1, 10**9))
@example(x=Fraction(2, 3))
def test_log(x: Fraction) -> None:
    assert_contains(ri.log(Interval.of(x)), mpmath.log, x)


@settings(max_examples=40, deadline=None)
@given(x=SMALL)
def test_normal_cdf_sine_and_erf(x: Fraction) -> None:
    assert_contains(ri.normal_cdf(Interval.of(x)), mpmath.ncdf, x)
    assert_contains(ri.sin(Interval.of(x)), mpmath.sin, x)
    assert_contains(ri.erf(Interval.of(x)), mpmath.erf, x)


@settings(max_examples=40, deadline=None)
@given(x=POSITIVE)
def test_roots(x: Fraction) -> None:
    assert_contains(ri.sqrt(Interval.of(x)), mpmath.sqrt, x)
    assert ri.sqrt(Interval.of(x * x)) == Interval.of(x)
    third = Interval.of(Fraction(1, 3))
    assert ri.power(Interval.of(x**3), third) == Interval.of(x)
    assert_contains(ri.power(Interval.of(x), third), mpmath.cbrt, x)


def test_pi() -> None:
    assert_contains(ri.pi(), lambda _: mpmath.pi, Fraction(0))


@settings(max_examples=60, deadline=None)
@given(a=SMALL, b=SMALL, c=SMALL, d=SMALL)
def test_arithmetic_encloses_every_choice(a: Fraction, b: Fraction, c: Fraction, d: Fraction):
    x, y = Interval(min(a, b), max(a, b)), Interval(min(c, d), max(c, d))
    for left in (a, b, (a + b) / 2):
        for right in (c, d, (c + d) / 2):
            for result, truth in (
                (x + y, left + right),
                (x - y, left - right),
                (x * y, left * right),
                (x**2, left**2),
                (x**3, left**3),
            ):
                assert result.low <= truth <= result.high


def test_long_numbers_are_rounded_outward() -> None:
    third = Interval.of(Fraction(1, 3)) ** 999
    assert third.low < Fraction(1, 3) ** 999 < third.high
    assert third.low.denominator.bit_length() < 2500


@pytest.mark.parametrize(
    "text", ["1/(x-x)", "log(x-1)", "sqrt(0-x)", "floor(y)", "(0-x)**(1/2)", "sin(100)", "foo(x)"]
)
def test_what_is_not_decided(text: str) -> None:
    wide = Interval(Fraction(0), Fraction(2))
    with pytest.raises((NotDecided, IndexError)):
        independent.evaluate(text, {"x": Interval.of(1), "y": wide})


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=6, max_size=6))
@example([0, 0, 0, 0, 0, 0])
@example([0, 1, 1, 0, 0, 1])
def test_eigenvalues_agree_with_the_enclosures(entries: list[int]) -> None:
    a, b, c, p, q, r = entries
    matrix = [[a, p, q], [p, b, r], [q, r, c]]
    own = independent.eigenvalues(independent.lifted(matrix))
    with enclosure.precision(128):
        other = [enclosure.endpoints(value) for value in enclosure.eigenvalues(matrix)]
    for mine, (low, high) in zip(own, other, strict=True):
        assert mine.low <= high and low <= mine.high
        assert mine.high - mine.low < Fraction(1, 10**15)
    assert independent.determinant(independent.lifted(matrix)).low == enclosure.determinant(matrix)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6))
def test_positive_semidefinite_agrees_with_elimination(entries: list[int]) -> None:
    from proofs_check.language.parameters import is_positive_semidefinite

    a, b, c, p, q, r = map(Fraction, entries)
    matrix = [[a, p, q], [p, b, r], [q, r, c]]
    assert independent.is_positive_semidefinite(matrix) is is_positive_semidefinite(matrix)
