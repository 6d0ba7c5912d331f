"""Kernels: closed forms against mpmath, no cancellation, the slope θ, bad input."""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF
from sklearn.gaussian_process.kernels import Matern as PeerMatern

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import (
    Forgetting,
    Matern,
    SquaredExponential,
    parse_kernel,
    parse_time_kernel,
)

KERNELS = [
    SquaredExponential(0.2),
    *(Matern(nu, 0.7) for nu in (0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 3.5, 4.2, 20.5, 60.0)),
    Forgetting(0.0),
    Forgetting(0.01),
    Forgetting(0.999),
]


@cache
def exact_complement(kernel, r: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        r = mpmath.mpf(r)
        if isinstance(kernel, SquaredExponential):
            return 1 - mpmath.exp(-((r / mpmath.mpf(kernel.lengthscale)) ** 2) / 2)
        if isinstance(kernel, Forgetting):
            return 1 - (1 - mpmath.mpf(kernel.epsilon)) ** (r / 2)
        nu = mpmath.mpf(kernel.nu)
        z = mpmath.sqrt(2 * nu) * r / mpmath.mpf(kernel.lengthscale)
        return 1 - 2 ** (1 - nu) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu, z)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("r", [1e-9, 1e-4, 0.003, 0.05, 0.31, 1.0, 4.0, 30.0])
def test_complement_keeps_its_digits(kernel, r):
    exact = exact_complement(kernel, r)
    assert float(kernel.complement(r)) == pytest.approx(float(exact), rel=5e-12, abs=1e-300)
    assert float(kernel.at_distance(r)) == pytest.approx(float(1 - exact), rel=1e-9, abs=1e-15)
    with mpmath.workdps(60):
        deficit = float(1 - (1 - exact) ** 2)
    assert float(kernel.deficit(r)) == pytest.approx(deficit, rel=1e-11, abs=1e-300)


def test_grams_agree_with_another_library():
    points = np.random.default_rng(0).random((30, 2))
    peers = [(SquaredExponential(0.3), RBF(0.3))]
    peers += [(Matern(nu, 0.3), PeerMatern(0.3, nu=nu)) for nu in (0.5, 1.5, 2.5, 1.2)]
    for ours, theirs in peers:
        assert np.allclose(ours.gram(points), theirs(points), atol=1e-13)
        assert np.allclose(ours.gram(points, points[:7]), theirs(points, points[:7]), atol=1e-13)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_slope_is_the_smallest_majorant(kernel):
    r = np.geomspace(1e-8, 1e4, 4001)
    ratio = kernel.complement(r) / r
    if np.isinf(kernel.slope):
        assert kernel.smoothness < 0.5
        assert ratio[0] > 100 * ratio[2000]
        return
    assert np.all(ratio <= kernel.slope * (1 + 1e-9))
    assert np.max(ratio) >= kernel.slope * (1 - 1e-4)


def test_forgetting_is_exponential_at_its_own_lengthscale():
    r = np.linspace(0, 50, 11)
    same = parse_time_kernel("exponential", 0.01)
    assert np.allclose(same.at_distance(r), Forgetting(0.01).at_distance(r), rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "lengthscale", "field"),
    [
        ("cubic", 0.2, "kernel"),
        ("matern:", 0.2, "kernel"),
        ("matern:x", 0.2, "kernel"),
        ("matern:-1", 0.2, "nu"),
        ("matern:0", 0.2, "nu"),
        ("matern:inf", 0.2, "nu"),
        ("se", 0.0, "lengthscale"),
        ("se", float("nan"), "lengthscale"),
        ("matern52", -1.0, "lengthscale"),
    ],
)
def test_bad_kernels_are_named(text, lengthscale, field):
    with pytest.raises(InvalidInput) as caught:
        parse_kernel(text, lengthscale)
    assert caught.value.field == field


@pytest.mark.parametrize("nu", [0.3, 0.5, 0.8, 1.5, 1.7, 2.5, 10.3, 50.0])
def test_matern_is_gone_at_any_large_distance(nu: float) -> None:
    r = np.array([1e4, 1e5, 1e9, 1e50, 1e300])
    kernel = Matern(nu, 0.2)
    assert np.all(kernel.at_distance(r) == 0.0)
    assert np.all(kernel.complement(r) == 1.0)


def test_without_forgetting_an_infinite_wait_changes_nothing() -> None:
    """A predicted time may overflow; 0·∞ once made every posterior NaN."""
    r = np.array([0.0, 1.0, np.inf])
    still, forgets = Forgetting(0.0), Forgetting(0.5)
    assert still.at_distance(r).tolist() == [1.0, 1.0, 1.0]
    assert still.complement(r).tolist() == still.deficit(r).tolist() == [0.0, 0.0, 0.0]
    assert forgets.at_distance(np.inf) == 0.0
    assert forgets.complement(np.inf) == forgets.deficit(np.inf) == 1.0


@pytest.mark.parametrize("lengthscale", [1e200, 1e-200, 1.5e50, 9e-51])
def test_lengthscales_whose_squares_are_no_numbers_are_refused(lengthscale) -> None:
    for kernel in (SquaredExponential, lambda value: Matern(2.5, value)):
        with pytest.raises(InvalidInput, match=r"lengthscale = .*from 1e-50 to 1e\+50"):
            kernel(lengthscale)
    with pytest.raises(InvalidInput, match=r"side = .*from 1e-50 to 1e\+50"):
        Grid(1, lengthscale, 2)


@pytest.mark.parametrize("kernel", [k for k in KERNELS if not isinstance(k, Forgetting)], ids=repr)
def test_a_stretched_kernel_is_the_same_farther_apart(kernel) -> None:
    r = np.array([0.0, 1e-3, 0.4, 3.0])
    for factor in (0.25, 3.0):
        wide = kernel.stretched(factor)
        assert type(wide) is type(kernel) and wide.lengthscale == kernel.lengthscale * factor
        np.testing.assert_allclose(wide.at_distance(factor * r), kernel.at_distance(r), atol=1e-12)
    with pytest.raises(InvalidInput, match="lengthscale"):
        Forgetting(0.1).stretched(2.0)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("r", [0.02, 0.3, 2.0])
def test_the_derivative_is_the_limit_of_differences(kernel, r) -> None:
    step = 1e-6 * r
    with mpmath.workdps(60):
        rise = exact_complement(kernel, r - step) - exact_complement(kernel, r + step)
        expected = float(rise / (2 * mpmath.mpf(step)))
    found = float(kernel.derivative(np.array([r]))[0])
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)
    if not isinstance(kernel, Forgetting):
        over = float(kernel.derivative_over_distance(np.array([r]))[0])
        assert over * r == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("nu", [1.0, 2.0, 5.02, 10.95, 11.95])
def test_bessel_functions_that_overflow(nu: float) -> None:
    u = np.array([1e-300, 1e-120, 1e-40, 1e-27, 1e-5, 0.7])
    order = abs(nu - 1.0)
    with mpmath.workdps(40):
        truth = [float(mpmath.log(mpmath.besselk(order, mpmath.mpf(x)))) for x in u.tolist()]
    np.testing.assert_allclose(Matern(nu, 1.0)._log_bessel(u), truth, rtol=1e-12)


def test_reach_is_found_to_the_last_digit() -> None:
    kernel = Forgetting(0.19)  # 0.9^r
    for level in (0.999, 0.5, 1e-9):
        assert kernel.reach(level) == pytest.approx(np.log(level) / np.log(0.9), rel=1e-12)
    for endless in (Forgetting(0.0), Forgetting(1e-299)):
        assert np.isinf(endless.reach(1e-3))
    assert SquaredExponential(1.0).reach(1.0) <= 1e-18


@pytest.mark.parametrize("nu", [0.5, 0.8, 1.0, 2.5, 12.0, 20.5])
@pytest.mark.parametrize("lengthscale", [1e-40, 1e-3, 1e6, 1e40])
def test_any_lengthscale_is_a_unit_of_distance(nu: float, lengthscale: float) -> None:
    r = np.array([0.0, 1e-4, 0.3, 1.0, 7.0, 1e3])
    unit, scaled = Matern(nu, 1.0), Matern(nu, lengthscale)
    np.testing.assert_allclose(
        scaled.at_distance(r * lengthscale), unit.at_distance(r), rtol=1e-9, atol=1e-300
    )
    np.testing.assert_allclose(scaled.complement(r * lengthscale), unit.complement(r), rtol=1e-9)
    assert scaled.at_distance(np.inf) == 0.0 and scaled.complement(np.inf) == 1.0
    for kernel in (scaled, SquaredExponential(lengthscale), Forgetting(0.3)):
        assert kernel.at_distance([0, 1]).shape == kernel.complement([0, 1]).shape == (2,)
        assert kernel.at_distance(0) == 1.0
