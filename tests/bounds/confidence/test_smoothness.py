"""Tail constants (docs/theory.md#tails): the numbers, their metrics, and simulated tails."""

import numpy as np
import pytest

from bounds.confidence.smoothness import slope_constants, slope_variance, value_constants
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential


@pytest.mark.parametrize(
    ("kernel", "a", "b"),
    [
        (SquaredExponential(0.2), 4010, 7.416),
        (Matern(2.5, 0.2), 2.57e4, 9.574),
        (Matern(1.5, 0.2), 1.26e8, 12.845),
    ],
)
def test_constants_of_the_paper_experiment(kernel, a, b) -> None:
    found = slope_constants(kernel, 2, 1.0, inflation=1.1)
    assert found.a == pytest.approx(a, rel=5e-3)
    assert found.b == pytest.approx(b, rel=1e-4)
    # The free choice of κ is at least as good at the weight it was made for.
    assert slope_constants(kernel, 2, 1.0).scale(1e6) <= found.scale(1e6)


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


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="matern12"):
        slope_constants(Matern(0.5, 1.0), 2, 1.0)
    with pytest.raises(InvalidInput, match="kernel"):
        slope_constants(Matern(3.5, 1.0), 2, 1.0)
    with pytest.raises(InvalidInput, match="side"):
        slope_constants(SquaredExponential(1.0), 2, 0.0)
    with pytest.raises(InvalidInput, match="inflation"):
        value_constants(SquaredExponential(1.0), 2, 1.0, inflation=1.0)


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
