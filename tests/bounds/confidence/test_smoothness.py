"""Tail constants (docs/theory.md#tails): the numbers, their metrics, and simulated tails."""

import numpy as np
import pytest

from bounds.confidence.smoothness import slope_constants, slope_variance, value_constants
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.kernels.chaining import chained


class Bare(Kernel):
    """Of which nothing is known."""

    name = "bare"

    def at_distance(self, distance):
        return np.exp(-np.asarray(distance, dtype=float))


@pytest.mark.parametrize("kernel", [SquaredExponential(0.3), Matern(2.5, 0.3), Matern(1.7, 0.3)])
def test_slope_variance_is_the_curvature_of_the_kernel(kernel) -> None:
    h = 1e-3
    second = 2.0 * float(kernel.complement(h)) / h**2
    assert slope_variance(kernel) == pytest.approx(second, rel=2e-2)


@pytest.mark.parametrize("constants", [slope_constants, value_constants])
def test_constants_bound_simulated_tails(constants) -> None:
    kernel, points = SquaredExponential(0.3), Grid(1, 1.0, 101).points
    rng = np.random.default_rng(3)
    gram = kernel.gram(points) + 1e-9 * np.eye(101)
    paths = np.linalg.cholesky(gram) @ rng.standard_normal((101, 4_000))
    values = paths if constants is value_constants else np.diff(paths, axis=0) / 0.01
    largest = np.abs(values).max(axis=0)
    found = constants(kernel, 1, 1.0)
    for level in np.quantile(largest, [0.5, 0.9, 0.99]):
        # 4,000 draws: six standard errors of the frequency.
        frequency = np.mean(largest > level)
        bound = found.a * np.exp(-((level / found.b) ** 2))
        assert frequency <= bound + 6 * np.sqrt(frequency / 4_000)


def test_value_constants_hold_for_one_point() -> None:
    found = value_constants(Matern(2.5, 0.2), 2, 1e-6)
    for level in (0.0, 1.0, 3.0):
        assert found.a * np.exp(-((level / found.b) ** 2)) >= np.exp(-(level**2) / 2)


@pytest.mark.parametrize("lengthscale", [1e-50, 1e50])
def test_extreme_lengthscales_have_constants_or_a_reason(lengthscale) -> None:
    for kernel in (SquaredExponential(lengthscale), Matern(2.5, lengthscale)):
        for side in (1e-50, 1.0, 1e50):
            try:
                found = slope_constants(kernel, 2, side)
            except InvalidInput as refused:
                assert "too small" in str(refused)
                assert side > 1e3 * lengthscale
            else:
                assert found.a >= 2
                assert np.isfinite(found.b)


FACTORS = (1.01, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2.0)


@pytest.mark.parametrize("weight", [0.3, 1e2, 1e6, 1e30, 1e300])
@pytest.mark.parametrize("lengthscale", [0.05, 0.4, 30.0])
def test_the_best_of_the_factors_and_of_the_cells(weight: float, lengthscale: float) -> None:
    """a = 2q^d e^{m²/(2v(κ−1))} and b = √(2κv), the scale at this weight the least of all."""
    kernel, d, side = Matern(2.5, lengthscale), 2, 1.5
    counts = np.arange(1.0, 200_000.0 if lengthscale < 0.1 else 3_000.0)[:65_536]
    slope = np.sqrt(kernel.derivative_variance)
    for constants, variance, means in (
        (slope_constants, slope**2, kernel.derivative_rise(d, side / counts)),
        (value_constants, 1.0, chained(slope, 1.0, d, side / counts)),
    ):
        scales = {}
        for factor in FACTORS:
            one = constants(kernel, d, side, inflation=factor, weight=weight)
            with np.errstate(over="ignore"):
                logs = np.log(2) + d * np.log(counts) + means**2 / (2 * variance * (factor - 1))
            best = int(np.argmin(logs))
            assert (one.cells_per_axis, one.inflation) == (best + 1, factor)
            assert np.log(one.a) == pytest.approx(logs[best], rel=1e-12, abs=3e-12)
            assert one.b == pytest.approx(np.sqrt(2 * factor * variance), rel=2e-12)
            by_hand = one.b * np.sqrt(max(np.log(one.a * weight), 0.0))
            assert one.scale(weight) == pytest.approx(by_hand, rel=1e-12, abs=1e-300)
            assert one.mean_bound == pytest.approx(one.b * (np.sqrt(np.log(one.a)) + 1.0))
            scales[factor] = by_hand
        chosen = constants(kernel, d, side, weight=weight)
        assert chosen.inflation in FACTORS
        assert chosen.scale(weight) <= min(scales.values()) * (1 + 1e-9)


def test_every_factor_is_the_best_somewhere() -> None:
    kernel = SquaredExponential(0.3)
    found = {
        constants(kernel, d, side, weight=weight).inflation
        for constants in (slope_constants, value_constants)
        for d in (1, 3)
        for side in (1e-3, 0.3, 30.0)
        for weight in (1e-8, 0.5, 10.0, 1e6, 1e60, 1e300)
    }
    assert found <= set(FACTORS) and len(found) >= 6


def test_refusals_of_constants_in_words() -> None:
    for call, said in (
        (
            lambda: value_constants(Matern(1.0, 1.0), 1, 1.0),
            "kernel = matern:1: its sample paths have no derivative (nu <= 1)",
        ),
        (
            lambda: slope_constants(Matern(3.5, 1.0), 1, 1.0),
            "kernel = matern:3.5: constants a and b are known for se, matern32 and matern52",
        ),
        (
            lambda: slope_variance(Bare()),
            "kernel = bare: the slopes of its sample paths are not known",
        ),
        (
            lambda: slope_constants(SquaredExponential(1.0), 1, float("inf")),
            "side = inf: give a positive finite number",
        ),
        (
            lambda: slope_constants(SquaredExponential(1.0), 1, 1.0, inflation=0.5),
            "inflation = 0.5: give a factor above 1",
        ),
        (
            lambda: slope_constants(SquaredExponential(1e-50), 2, 1e50),
            "lengthscale = too small: the constants a and b overflow",
        ),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert str(caught.value) == said
