"""Kernels in balls against their floating point formulas, and against mpmath."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.domain import Grid
from bounds.enclosure import matrices
from bounds.enclosure.doubles import Doubles
from bounds.errors import NoEnclosure
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.kernels.independent import Independent

KERNELS = [
    SquaredExponential(0.2),
    Matern(0.5, 0.3),
    Matern(1.5, 0.2),
    Matern(2.5, 0.7),
    Matern(3.5, 1.0),
    Matern(1.7, 0.4),
    Forgetting(0.0),
    Forgetting(0.3),
]


def ends(value: object) -> tuple[float, float]:
    return matrices.downward(enclosure.ball(value)), matrices.upward(enclosure.ball(value))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: f"{k.name}-{k.smoothness:g}")
@settings(max_examples=25, deadline=None)
@given(distance=st.floats(0.0, 30.0))
@example(0.0)
@example(1e-12)
def test_a_ball_contains_the_kernel(kernel: Kernel, distance: float) -> None:
    with enclosure.precision(matrices.WORKING_BITS):
        value = kernel.enclosed_at_distance(Fraction(distance))
        left = kernel.enclosed_deficit(Fraction(distance))
    low, high = ends(value)
    assert high - low <= 1e-15
    assert float(kernel.at_distance(distance)) == pytest.approx(low, abs=4e-15)
    assert float(kernel.deficit(distance)) == pytest.approx(ends(left)[1], rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: f"{k.name}-{k.smoothness:g}")
def test_intervals_in_doubles_contain_the_balls(kernel: Kernel) -> None:
    squares = np.concatenate(([0.0, 1e-300, 1e-18], np.geomspace(1e-6, 400.0, 60)))
    found = kernel.doubles_at_squares(Doubles.exact(squares))
    if found is None:
        assert not isinstance(kernel, SquaredExponential | Matern) or kernel.nu in (1.7,)
        return
    with enclosure.precision(matrices.WORKING_BITS):
        for place, square in enumerate(squares):
            distance = enclosure.sqrt(Fraction(square))
            low, high = ends(kernel.enclosed_at_distance(distance))
            assert found.lower()[place] <= high and low <= found.upper()[place]
            assert abs(found.mid[place] - 0.5 * (low + high)) <= found.rad[place] + high - low
    assert np.all(found.rad <= np.where(squares < 1e-3, 5e-15, 1e-12))


@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5, 0.8, 4.25])
def test_matern_against_mpmath(nu: float) -> None:
    with mpmath.workdps(40):
        z = mpmath.sqrt(2 * mpmath.mpf(nu)) * mpmath.mpf(3) / mpmath.mpf(0.25) / 7
        truth = 2 ** (1 - mpmath.mpf(nu)) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu, z)
        with enclosure.precision(200):
            value = Matern(nu, 0.25).enclosed_at_distance(Fraction(3, 7))
            low, high = enclosure.endpoints(value)
        assert mpmath.mpf(low.numerator) / low.denominator <= truth * (1 + mpmath.mpf(10) ** -38)
        assert truth * (1 - mpmath.mpf(10) ** -38) <= mpmath.mpf(high.numerator) / high.denominator


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_lag_table_is_the_gram_matrix_of_the_grid(dimension: int) -> None:
    kernel, grid = Matern(2.5, 0.3), Grid(dimension, 1.5, 4)
    layout = grid.restricted(kernel)
    table, column = layout.enclosed_lags, layout.column(0)
    assert np.allclose(matrices.upward_array(table).ravel(), column, rtol=0, atol=1e-15)


def test_slopes_that_are_known_are_enclosed() -> None:
    with enclosure.precision(matrices.WORKING_BITS):
        low, high = ends(Forgetting(0.01).enclosed_slope())
        assert low <= Forgetting(0.01).slope <= high
        assert ends(Matern(0.5, 4.0).enclosed_slope()) == (0.25, 0.25)
    assert SquaredExponential(1.0).enclosed_slope() is None


@pytest.mark.parametrize("epsilon", [5e-324, 2e-147, 1e-17, 0.5, float(np.nextafter(1.0, 0.0))])
def test_a_slope_keeps_its_digits_at_any_rate(epsilon: float) -> None:
    """log(1−ε) taken of a ball around 1−ε would reach 0 for a rate below its width."""
    kernel = Forgetting(epsilon)
    with enclosure.precision(106):
        low, high = enclosure.endpoints(enclosure.ball(kernel.enclosed_slope()))
        assert 0 < low <= high
        assert float((high - low) / high) < 1e-25
        assert float(low) == pytest.approx(kernel.slope, rel=1e-13)


SMOOTH = [SquaredExponential(0.7), Matern(1.5, 0.4), Matern(2.5, 1.3)]


def derivatives(kernel: Kernel, r: float) -> tuple[float, float, float]:
    """k, k′ and −k″(0), by mpmath from the plain formula."""
    with mpmath.workdps(40):

        def k(u):
            z = u / mpmath.mpf(kernel.lengthscale)
            if isinstance(kernel, SquaredExponential):
                return mpmath.exp(-z * z / 2)
            z, nu = mpmath.sqrt(2 * kernel.nu) * z, mpmath.mpf(kernel.nu)
            if z == 0:
                return mpmath.mpf(1)
            return 2 ** (1 - nu) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu, z)

        at_zero = -mpmath.diff(k, 0, 2, direction=1)
        return float(k(mpmath.mpf(r))), float(mpmath.diff(k, mpmath.mpf(r))), float(at_zero)


@pytest.mark.parametrize("kernel", [*SMOOTH, Matern(3.5, 0.5), Matern(7.5, 2.0)], ids=repr)
def test_kernel_and_gradient_from_squared_distances(kernel: Kernel) -> None:
    with enclosure.precision(matrices.WORKING_BITS):
        distances = [0.1, 0.9, 4.0]
        exact = [enclosure.exact_double(r) for r in distances]
        squared = np.array([enclosure.ball(r * r) for r in exact], dtype=object)
        values, factors = kernel.enclosed_radial(squared)
        for r, value, factor in zip(distances, values, factors, strict=True):
            k, slope, _ = derivatives(kernel, r)
            for ball, truth in ((value, k), (factor, slope / r)):
                assert ends(ball) == pytest.approx((truth, truth), rel=1e-13, abs=1e-18)
        (value,), (factor,) = kernel.enclosed_radial(squared[:1] * 0)
        assert ends(value) == (1.0, 1.0)
        variance = kernel.enclosed_derivative_variance()
        assert ends(-factor) == pytest.approx(ends(variance), rel=1e-13)
    assert kernel.derivative_variance == pytest.approx(derivatives(kernel, 1.0)[2], rel=1e-9)
    assert ends(variance) == pytest.approx([kernel.derivative_variance] * 2, rel=1e-13)


@pytest.mark.parametrize("kernel", SMOOTH, ids=repr)
def test_what_a_tangent_leaves_is_below_the_remainder(kernel: Kernel) -> None:
    """E(f(r) − f(0) − r f′(0))² = 2 − 2k(r) + r²·(−k″(0)) + 2r·k′(r), nearly attained near 0."""
    ratios = []
    for r in (1e-2, 0.1, 0.5, 2.0):
        with mpmath.workdps(40):
            k, slope, curvature = derivatives(kernel, r)
        left = 2 - 2 * k + r * r * curvature + 2 * r * slope
        with enclosure.precision(matrices.WORKING_BITS):
            low, high = ends(kernel.enclosed_remainder(enclosure.ball(enclosure.exact_double(r))))
        assert high - low <= 1e-12 * high
        ratios.append(high / np.sqrt(left))
    assert min(ratios) >= 1 - 1e-3 and ratios[0] <= 1.1
    assert ratios == sorted(ratios)


@pytest.mark.parametrize("kernel", SMOOTH, ids=repr)
@pytest.mark.parametrize("dimension", [1, 3])
def test_the_rise_of_a_derivative_is_the_same_in_balls(kernel: Kernel, dimension: int) -> None:
    for side in (0.25, 1.5):
        with enclosure.precision(matrices.WORKING_BITS):
            found = ends(kernel.enclosed_derivative_rise(dimension, Fraction(side)))
        rough = float(kernel.derivative_rise(dimension, np.array([side]))[0])
        assert found == pytest.approx((rough, rough), rel=1e-12)


@pytest.mark.parametrize("kernel", SMOOTH, ids=repr)
def test_derivatives_rise_less_than_said(kernel: Kernel) -> None:
    """f′ on 41 points of a cell, less its value at the centre: the mean of its largest value."""
    side = 0.5
    x = np.linspace(-side / 2, side / 2, 41)
    step = 1e-4
    lag = np.abs(np.subtract.outer(x, x))

    def k(r):
        return kernel.at_distance(np.abs(r))

    signed = np.subtract.outer(x, x)
    gram = (2 * k(lag) - k(signed + step) - k(signed - step)) / step**2
    values, vectors = np.linalg.eigh(gram)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn = np.random.default_rng(0).standard_normal((4_000, 41)) @ root.T
    risen = (drawn - drawn[:, [20]]).max(axis=1).mean()
    bound = float(kernel.derivative_rise(1, np.array([side]))[0])
    assert risen <= bound <= 25 * risen


@pytest.mark.parametrize("kernel", [*SMOOTH, Matern(3.5, 0.3), Matern(2.25, 2.0)], ids=repr)
def test_the_curvature_is_the_same_in_balls(kernel: Kernel) -> None:
    """k⁗(0) of exact parameters; refused where paths have no second derivative."""
    if kernel.smoothness <= 2:
        with pytest.raises(NoEnclosure, match=r"kernel = matern32: .* ν > 2"):
            kernel.enclosed_curvature_variance()
        return
    found = kernel.enclosed_curvature_variance()
    assert ends(found) == pytest.approx([kernel.curvature_variance] * 2, rel=1e-14)


def test_kernels_without_a_gradient_enclose_none() -> None:
    for kernel in (Matern(0.5, 1.0), Matern(0.75, 1.0), Forgetting(0.1)):
        for asked in (
            lambda k: k.enclosed_radial(np.array([enclosure.ball(1)], dtype=object)),
            lambda k: k.enclosed_remainder(enclosure.ball(1)),
            lambda k: k.enclosed_derivative_variance(),
            lambda k: k.enclosed_derivative_rise(2, Fraction(1)),
        ):
            with pytest.raises(NoEnclosure):
                asked(kernel)


def test_independent_points_are_apart_only_where_that_is_certain() -> None:
    kernel = Independent()
    assert [kernel.enclosed_at_distance(r) for r in (0, Fraction(1, 9), 3)] == [1, 0, 0]
    assert kernel.enclosed_at_distance(enclosure.ball(1)) == 0
    unsure = kernel.enclosed_at_distance(enclosure.interval(Fraction(-1), Fraction(1)))
    low, high = ends(unsure)
    assert low <= 0.0 and high >= 1.0 and high - low < 1.001
