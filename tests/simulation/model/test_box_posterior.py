"""Posteriors in the box: against plain regression, their derivatives against differences."""

import numpy as np
import pytest

from bounds.errors import NumericalFailure
from bounds.kernels import Forgetting, Matern, SquaredExponential
from simulation.model.box_posterior import BoxPosterior, log_time_at
from simulation.model.time_model import TimeHyperparameters, condition
from tests.oracles import dense_posterior
from tests.simulation.model.test_sampling import law_of

RNG = np.random.default_rng(4)
POINTS, VALUES = RNG.random((6, 2)), RNG.standard_normal(6)
DURATIONS = np.array([1.0, 0.5, 0.0, 2.0, 1.0, 0.3])
TARGETS, ELAPSED = RNG.random((4, 2)), np.array([0.4, 1.0, 0.4, 3.0])
NOISE = 0.05
KERNELS = [
    (SquaredExponential(0.5), Forgetting(0.1)),
    (Matern(2.5, 0.4), SquaredExponential(3.0)),
    (SquaredExponential(0.3), Matern(1.5, 2.0)),
]


def grams(space, time):
    tau = np.cumsum(DURATIONS)
    ages = tau[-1] - tau
    J = time.at_distance(np.abs(np.subtract.outer(tau, tau)))
    gram = space.gram(POINTS) * J
    cross = space.gram(POINTS, TARGETS) * time.at_distance(ages[:, None] + ELAPSED)
    apart = time.at_distance(np.abs(np.subtract.outer(ELAPSED, ELAPSED)))
    return gram, cross, space.gram(TARGETS) * apart


@pytest.mark.parametrize(("space", "time"), KERNELS, ids=repr)
def test_mean_variance_and_joint_draws_are_those_of_plain_regression(space, time) -> None:
    gram, cross, prior = grams(space, time)
    box = BoxPosterior(POINTS, DURATIONS, VALUES, space, time, NOISE)
    mean, variance = box.at(TARGETS, ELAPSED)
    expected = dense_posterior(gram, cross, np.diag(prior), VALUES, NOISE)
    np.testing.assert_allclose(mean.value, expected[0], atol=1e-10)
    np.testing.assert_allclose(variance.value, expected[1], atol=1e-10)
    center, covariance = law_of(lambda rng: box.draw(TARGETS, ELAPSED, rng))
    left = prior - cross.T @ np.linalg.solve(gram + NOISE * np.eye(6), cross)
    np.testing.assert_allclose(center, expected[0], atol=1e-10)
    np.testing.assert_allclose(covariance, left, atol=1e-10)


def differences(at, points, elapsed, step=1e-5):
    """Central differences in each coordinate and in time of what `at` gives."""
    by_point = [
        (at(points + step * e, elapsed) - at(points - step * e, elapsed)) / (2 * step)
        for e in np.eye(2)
    ]
    by_time = (at(points, elapsed + step) - at(points, elapsed - step)) / (2 * step)
    return np.stack(by_point, axis=1), by_time


@pytest.mark.parametrize(("space", "time"), KERNELS, ids=repr)
@pytest.mark.parametrize("which", [0, 1], ids=["mean", "variance"])
def test_derivatives_are_limits_of_differences(space, time, which) -> None:
    box = BoxPosterior(POINTS, DURATIONS, VALUES, space, time, NOISE)
    jet = box.at(TARGETS, ELAPSED)[which]
    by_point, by_time = differences(lambda x, t: box.at(x, t)[which].value, TARGETS, ELAPSED)
    np.testing.assert_allclose(jet.by_point, by_point, atol=1e-6)
    np.testing.assert_allclose(jet.by_time, by_time, atol=1e-6)


@pytest.mark.parametrize("which", [0, 1], ids=["mean", "variance"])
def test_the_law_of_log_t_and_its_gradient(which) -> None:
    hyper = TimeHyperparameters(mean=0.3, variance=1.7, lengthscale=0.4, noise_variance=0.02)
    model = condition(hyper, POINTS, np.exp(VALUES))
    jet = log_time_at(model, TARGETS)[which]
    np.testing.assert_allclose(jet.value, model.log_posterior(TARGETS)[which], atol=1e-12)
    by_point, _ = differences(lambda x, _: log_time_at(model, x)[which].value, TARGETS, ELAPSED)
    np.testing.assert_allclose(jet.by_point, by_point, atol=1e-6)
    assert np.all(jet.by_time == 0.0) and jet.by_time.shape == (4,)


def test_two_looks_without_noise_are_singular() -> None:
    with pytest.raises(NumericalFailure, match="noise-variance"):
        BoxPosterior(POINTS[[0, 0]], np.array([1.0, 0.0]), VALUES[:2], *KERNELS[0], 0.0)
