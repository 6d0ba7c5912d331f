"""Enclosures: against mpmath at higher precision, exact where they say so, never deciding a tie."""

import math
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.enclosure import Undecided, Undefined, certainly_le, certainly_lt, exact, matrices
from bounds.enclosure.integrals import normal_maximum
from bounds.static_gain.certified import certified_gains

RATIONALS = st.fractions(min_value=-50, max_value=50, max_denominator=999)
POSITIVE = st.fractions(min_value=Fraction(1, 999), max_value=50, max_denominator=999)


def contains(value: object, truth: mpmath.mpf) -> bool:
    low, high = enclosure.endpoints(value)
    return (
        mpmath.mpf(low.numerator) / low.denominator
        <= truth * (1 + mpmath.sign(truth) * mpmath.mpf(10) ** -70) + mpmath.mpf(10) ** -70
        and truth - mpmath.mpf(10) ** -70
        <= mpmath.mpf(high.numerator) / high.denominator + abs(truth) * mpmath.mpf(10) ** -70
    )


@pytest.mark.parametrize(
    ("word", "reference"),
    [
        (enclosure.exp, mpmath.exp),
        (enclosure.log, mpmath.log),
        (enclosure.sqrt, mpmath.sqrt),
        (enclosure.sin, mpmath.sin),
        (enclosure.erf, mpmath.erf),
        (enclosure.normal_cdf, mpmath.ncdf),
        (enclosure.gamma, mpmath.gamma),
    ],
)
@settings(max_examples=25, deadline=None)
@given(x=POSITIVE)
def test_functions_contain_the_truth_and_are_narrow(word, reference, x) -> None:
    with mpmath.workdps(80), enclosure.precision(200):
        truth = reference(mpmath.mpf(x.numerator) / x.denominator)
        value = word(exact(x))
        assert contains(value, truth)
        low, high = enclosure.endpoints(value)
        assert high - low <= Fraction(1, 10**40) * max(1, abs(low))


@settings(max_examples=40, deadline=None)
@given(a=RATIONALS, b=RATIONALS)
def test_exact_numbers_compare_as_fractions(a: Fraction, b: Fraction) -> None:
    assert certainly_le(a, b) is (a <= b)
    assert certainly_lt(a, b) is (a < b)
    assert enclosure.compare("==", exact(a), exact(b)) is (a == b)


def test_a_tie_of_balls_is_undecided() -> None:
    assert certainly_le(enclosure.log(2), enclosure.log(2)) is None
    assert certainly_lt(enclosure.log(2), enclosure.log(2)) is None
    assert enclosure.compare("==", enclosure.log(2), enclosure.log(2)) is None
    wide = enclosure.interval(Fraction(1), Fraction(2))  # may be 1: neither above it nor at most 1
    assert certainly_le(wide, 1) is None and certainly_lt(1, wide) is None
    assert certainly_le(enclosure.interval(Fraction(3, 2), Fraction(2)), 1) is False


@settings(max_examples=30, deadline=None)
@given(x=POSITIVE, p=st.integers(-4, 4), q=st.integers(1, 4))
def test_powers(x: Fraction, p: int, q: int) -> None:
    power = enclosure.power(exact(x**q), exact(Fraction(p, q)))
    assert enclosure.is_exact(power)
    assert enclosure.to_fraction(power) == x**p


def test_powers_of_zero_and_of_intervals() -> None:
    assert enclosure.power(0, exact(Fraction(1, 2))) == 0
    assert enclosure.power(0, 0) == 1
    low, high = enclosure.endpoints(
        enclosure.power(enclosure.interval(Fraction(0), Fraction(1)), exact(Fraction(1, 2)))
    )
    assert low <= 0 <= 1 <= high < Fraction(11, 10)


def test_what_has_no_value_and_what_is_not_decided() -> None:
    unit = enclosure.interval(Fraction(-1), Fraction(1))
    for undefined in (
        lambda: enclosure.log(0),
        lambda: enclosure.sqrt(-1),
        lambda: enclosure.divide(1, 0),
        lambda: enclosure.power(exact(Fraction(-1)), exact(Fraction(1, 2))),
        lambda: enclosure.minimum([]),
    ):
        with pytest.raises(Undefined):
            undefined()
    for undecided in (
        lambda: enclosure.log(unit),
        lambda: enclosure.divide(1, unit),
        lambda: enclosure.floor(unit),
        lambda: enclosure.endpoints(enclosure.log(2) / enclosure.exp(unit).log()),
    ):
        with pytest.raises(Undecided):
            undecided()


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=6, max_size=6))
def test_eigenvalues_and_determinants(entries: list[int]) -> None:
    a, b, c, p, q, r = entries
    matrix = [[a, p, q], [p, b, r], [q, r, c]]
    found = [enclosure.endpoints(value) for value in enclosure.eigenvalues(matrix)]
    for (low, high), reference in zip(found, np.linalg.eigvalsh(matrix)[::-1], strict=True):
        assert float(low) - 1e-6 <= reference <= float(high) + 1e-6
    determinant = enclosure.determinant(matrix)
    assert determinant == round(np.linalg.det(np.array(matrix, dtype=float)))


def test_branches_take_the_hull_where_undecided() -> None:
    low, high = enclosure.endpoints(enclosure.choose(None, lambda: 1, lambda: 3))
    assert low <= 1 and high >= 3
    assert enclosure.choose(True, lambda: 1, lambda: 1 // 0) == 1


@given(st.fractions(-2, 2), st.integers(1, 90), st.sampled_from([-1, 1]))
def test_rounding_never_crosses_the_number(value: Fraction, places: int, sign: int) -> None:
    """Also where the number is a hair beside a double: not one unit in the last place is lost."""
    near = Fraction(float(value))
    for number in (
        value,
        near,
        near + sign * Fraction(1, 2**places),
        near + Fraction(1, 3**places),
    ):
        with enclosure.precision(128):
            ball = enclosure.ball(exact(number))
            low, high = matrices.downward(ball), matrices.upward(ball)
        assert Fraction(low) <= number <= Fraction(high)
        wide = enclosure.ball(enclosure.interval(number, number + 1))
        assert matrices.upward(wide) >= number + 1 and matrices.downward(wide) <= number
        assert high - low <= 4 * np.spacing(max(abs(low), abs(high), 1e-300))
    assert matrices.upward(enclosure.ball(exact(near))) == near


@given(st.fractions(0, 4), st.fractions(0, 4))
def test_a_root_keeps_the_radius_of_what_is_under_it(one: Fraction, two: Fraction) -> None:
    low, high = sorted((one, two))
    found = enclosure.ball(enclosure.sqrt(enclosure.interval(low, high)))
    left, right = enclosure.endpoints(found)
    assert left**2 <= low or left <= 0
    assert right**2 >= high


def test_a_gain_is_below_that_of_every_matrix_in_its_balls() -> None:
    """What a Gram matrix is off by stands under a root, without whose radius the gain is high."""
    for size, low, high in ((1, 0.0, 1.0), (2, 0.0, 0.9)):
        unknown = enclosure.interval(Fraction(low), Fraction(high))
        balls = np.full((size, size), unknown, dtype=object)
        if size > 1:
            np.fill_diagonal(balls, enclosure.ball(1))
        worst = np.array([[low]]) if size == 1 else np.array([[1.0, high], [high, 1.0]])
        for noise in (0.1, 1.0):
            least = 0.5 * np.log(np.linalg.det(np.eye(size) + worst / noise))
            assert certified_gains(balls, noise)[-1] <= least


def test_words_that_other_rooms_use_have_their_values() -> None:
    with enclosure.precision(128):
        for value, truth in (
            (enclosure.one_minus_exp(Fraction(1, 2)), 1 - mpmath.exp(-0.5)),
            (enclosure.log1p(Fraction(1, 3)), mpmath.log1p(mpmath.mpf(1) / 3)),
            (enclosure.log1p(1), mpmath.log(2)),
        ):
            assert abs(mpmath.mpf(float(enclosure.ball(value).mid())) - truth) < 1e-15
    assert enclosure.log1p(0) == 0 and enclosure.is_exact(enclosure.log1p(0))
    assert [enclosure.power(0, exact(Fraction(k, 3))) for k in (1, 2)] == [0, 0]
    assert enclosure.power(0, enclosure.ball(exact(Fraction(1, 3)))) == 0
    unsure = enclosure.choose(None, lambda: 2, lambda: enclosure.ball(5))
    assert bool(unsure.contains(2)) and bool(unsure.contains(5)) and not unsure.contains(9)
    for sign, said in (("<", True), (">", False), ("<=", True), (">=", False), ("!=", True)):
        assert enclosure.compare(sign, 2, 3) is said
    assert enclosure.is_positive_semidefinite([[2, 1], [1, 2]])
    assert not enclosure.is_positive_semidefinite([[0, 1], [1, 0]])
    assert not enclosure.is_positive_semidefinite([[1, 2], [2, 1]])
    assert bool(matrices.inverse_sum(np.array([[2.0, 0.0], [0.0, 4.0]])) == 0.75)
    assert matrices.inverse_sum(np.zeros((2, 2))) is None
    assert float(matrices.exact_entries(np.array([[0.1]]))[0, 0].mid()) == 0.1


def test_matrices_of_balls_have_determinants_and_eigenvalues() -> None:
    """Of [[a, 1], [1, a]], a = log 2: a² − 1, and a ± 1, the larger one first."""
    a = enclosure.log(2)
    rows = [[a, 1], [1, a]]
    found = enclosure.determinant(rows)
    assert abs(float(found.mid()) - (math.log(2) ** 2 - 1)) < 1e-12 and found.overlaps(a * a - 1)
    high, low = enclosure.eigenvalues(rows)
    assert high.overlaps(a + 1) and low.overlaps(a - 1)
    assert max(float(high.rad()), float(low.rad())) < 1e-9


def test_a_power_beyond_all_products_is_one_by_logarithms() -> None:
    once, twice = (enclosure.power(enclosure.log(2), k) for k in (60_000, 120_000))
    assert twice.overlaps(once * once) and twice > 0
    assert float(enclosure.log(twice).mid()) == pytest.approx(120_000 * math.log(math.log(2)))


def test_what_exact_numbers_give_is_exact() -> None:
    half = Fraction(1, 2)
    assert enclosure.divide(1, 4) == enclosure.power(half, 2) == exact(Fraction(1, 4))
    assert (enclosure.floor(half), enclosure.ceil(half), enclosure.absolute(-2)) == (0, 1, 2)
    assert (enclosure.minimum(1, 2), enclosure.maximum(1, 2)) == (1, 2)
    assert (enclosure.total([1, 2]), enclosure.product([3, 2])) == (3, 6)
    assert enclosure.determinant([[2, 1], [1, 2]]) == 3
    assert enclosure.eigenvalues([[2, 0], [0, 3]]) == [3, 2]
    order_half = math.sqrt(math.pi / 4) * math.exp(-2)
    assert float(enclosure.bessel_k(half, 2).mid()) == pytest.approx(order_half)
    assert float(enclosure.pi().mid()) == pytest.approx(math.pi)


def test_the_mean_of_the_largest_normal_is_known_for_up_to_five() -> None:
    """1/√π, 3/(2√π), and with t = arcsin(1/3): 3(1 + 2t/π)/(2√π), 5(1 + 6t/π)/(4√π)."""
    root, angle = flint.arb.pi().sqrt(), (flint.arb(1) / 3).asin() / flint.arb.pi()
    known = {
        2: 1 / root,
        3: 3 / (2 * root),
        4: 3 * (1 + 2 * angle) / (2 * root),
        5: 5 * (1 + 6 * angle) / (4 * root),
    }
    assert normal_maximum(1) == 0
    for count, value in known.items():
        assert normal_maximum(count).overlaps(value)
        assert normal_maximum(count).rad() < 1e-9
