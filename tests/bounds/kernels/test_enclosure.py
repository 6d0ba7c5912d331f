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
from bounds.domain.lags import GridKernel
from bounds.enclosure import matrices
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential

KERNELS = [
    SquaredExponential(0.2), Matern(0.5, 0.3), Matern(1.5, 0.2), Matern(2.5, 0.7),
    Matern(3.5, 1.0), Matern(1.7, 0.4), Forgetting(0.0), Forgetting(0.3),
]  # fmt: skip


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
    with enclosure.precision(matrices.WORKING_BITS):
        table = GridKernel(kernel, grid).enclosed_lags()
    column = GridKernel(kernel, grid).column(0)
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
