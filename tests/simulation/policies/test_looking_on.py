"""Two-step look-ahead and predictive sampling: their choices by other roads, what is refused."""

import numpy as np
import pytest
from scipy import integrate, stats

from bounds.domain import Arms, Grid
from bounds.kernels import Forgetting
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.policies.looking_on import (
    later_precisions,
    later_precisions_by_matrix,
    two_steps,
)
from simulation.policies.tuned import make_policy
from tests.simulation.policies.test_randomised import setup_for


def test_two_steps_by_quadrature() -> None:
    """The best mean of the next round, over what the look at a point may show."""
    mean, variance, noise, kept = np.array([0.3, 0.1, -0.4]), np.array([0.2, 0.8, 0.5]), 0.1, 0.9
    found = two_steps(mean, variance, kept, noise)
    for x in range(3):
        moved = variance[x] / np.sqrt(variance[x] + noise)
        rest = np.delete(mean, x).max()

        def best(z: float, x=x, moved=moved, rest=rest) -> float:
            return float(max(mean[x] + moved * z, rest) * stats.norm.pdf(z))

        assert found[x] == pytest.approx(mean[x] + kept * integrate.quad(best, -9, 9)[0], abs=1e-6)


def test_certain_points_are_worth_their_means() -> None:
    found = two_steps(np.array([1.0, 0.5]), np.zeros(2), 0.5, 0.0)
    assert found == pytest.approx([1.5, 1.0])


def test_later_looks_by_the_matrix_of_them_all() -> None:
    """Looks at a value in rounds 1 to 3 tell of it in round 0 as one look of precision F."""
    waits, noise = np.array([1.0, 0.5, 2.0, 1.0]), 0.3
    kernel = Forgetting(0.2)
    found = later_precisions(kernel.at_distance(waits), kernel.deficit(waits), noise)
    instants = np.cumsum(waits)
    gram = kernel.at_distance(np.abs(instants[:, None] - instants))
    for i in range(3):
        later = gram[i + 1 :, i + 1 :] + noise * np.eye(3 - i)
        told = gram[i, i + 1 :] @ np.linalg.solve(later, gram[i + 1 :, i])
        # A value of variance 1 seen with precision F: F/(1 + F) of its variance is told.
        assert found[i] / (1.0 + found[i]) == pytest.approx(told)
    assert found[-1] == 0.0
    by_matrix = later_precisions_by_matrix(kernel, waits, noise)
    np.testing.assert_allclose(by_matrix, found, rtol=1e-9)


def test_the_last_round_is_greedy() -> None:
    problem = Problem(
        EvaluationTimes.from_durations(np.ones(3)), 0.1, domain=Arms(3), noise_variance=0.1
    )
    for name in ("look-ahead", "predictive"):
        policy = make_policy(name, setup_for(problem))
        policy.observe(1, 1.0, 2.0)
        policy.observe(0, 1.0, -1.0)
        assert policy.choose(2) == 1


def test_fitted_hyperparameters_keep_the_policy() -> None:
    """Not the index with the weight of others: what is tuned maximises the same thing."""
    problem = Problem(
        EvaluationTimes.from_durations(np.ones(12)), 0.1, domain=Grid(1, 1.0, 9), noise_variance=0.1
    )
    tuned = make_policy("look-ahead", setup_for(problem, tune="likelihood"))
    other = make_policy("ctv-fixed", setup_for(problem, tune="likelihood"))
    rng = np.random.default_rng(0)
    for point in (0, 3, 6, 8, 3):
        value = float(rng.standard_normal())
        for policy in (tuned, other):
            policy.observe(point, 1.0, value)
    assert tuned.choose(5) is not None and other.choose(5) is not None
    (fit,), values = tuned.fitted, tuned.acquisition(5)
    assert np.ptp(values - other.acquisition(5)) > 0.05 * fit.scale
