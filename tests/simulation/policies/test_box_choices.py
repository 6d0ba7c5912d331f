"""Policies with bounds before a run, on the box: where their rules say that they play."""

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.upper.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.before_run.schedule_search import quick_schedule
from simulation.model.box_posterior import BoxPosterior
from simulation.policies.box_acquisition import constant_time, known_waits
from simulation.policies.box_choices import POLICIES_BY_POSTERIOR, BoxChooser
from simulation.policies.randomised import random_weight

DURATIONS = np.ones(6)
PROBLEM = Problem(
    EvaluationTimes.from_durations(DURATIONS),
    time_kernel=Forgetting(0.1),
    space_kernel=SquaredExponential(0.4),
    noise_variance=0.01,
    domain=Grid(2, 2.0, 3),
)
AXIS = np.linspace(0.0, 2.0, 41)
EVERYWHERE = np.stack(np.meshgrid(AXIS, AXIS), -1).reshape(-1, 2)
ELAPSED = 0.5


def posterior_of(points, values, noise=0.01) -> BoxPosterior:
    kernels = (PROBLEM.space_kernel, PROBLEM.time_kernel)
    return BoxPosterior(points, np.ones(len(points)), values, *kernels, noise)


def chooser(policy: str, seed: int = 3, schedule: Schedule | None = None) -> BoxChooser:
    rng = np.random.default_rng(seed)
    return BoxChooser(policy, PROBLEM, DURATIONS, schedule=schedule, rng=rng, starts=4)


@pytest.mark.parametrize("policy", ["random-weight-ucb", "scheduled"])
def test_no_point_of_a_fine_grid_is_better_than_the_one_played(policy: str) -> None:
    rng = np.random.default_rng(1)
    seen, values = 2.0 * rng.random((5, 2)), rng.standard_normal(5)
    posterior = posterior_of(seen, values)
    weight = 0.0
    if policy == "random-weight-ucb":
        own = np.random.default_rng(3)
        own.integers(2**62)  # the seed of the searches is drawn first
        weight = random_weight(own, 9)
        assert weight > 0.5
    found = chooser(policy, schedule=Schedule((1,), (0,))).choose(
        4, posterior, seen, known_waits(constant_time(ELAPSED))
    )
    assert found.shape == (2,) and np.all((found >= 0.0) & (found <= 2.0))

    def score(points):
        mean, variance = posterior.at(points, np.full(len(points), ELAPSED))
        return mean.value + weight * np.sqrt(variance.value)

    assert score(found[None])[0] >= score(EVERYWHERE).max() - 1e-4


def test_thompson_sampling_plays_the_best_of_a_draw() -> None:
    """Where nearly all is known every draw has its maximum where the mean has."""
    axis = np.linspace(0.0, 2.0, 7)
    seen = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    values = -4.0 * np.sum((seen - [1.3, 0.6]) ** 2, axis=1)
    kernels = (PROBLEM.space_kernel, Forgetting(0.0))
    posterior = BoxPosterior(seen, np.zeros(len(seen)), values, *kernels, 1e-4)
    waits = known_waits(constant_time(ELAPSED))
    first, second = (chooser("ts", seed).choose(0, posterior, seen, waits) for seed in (0, 1))
    for found in (first, second):
        assert np.linalg.norm(found - [1.3, 0.6]) < 0.2
    assert not np.array_equal(first, second)
    assert np.array_equal(first, chooser("ts", 0).choose(0, posterior, seen, waits))


def test_a_schedule_is_played_in_its_rounds() -> None:
    posterior = posterior_of(np.array([[1.0, 1.0]]), np.array([1.0]))
    waits, seen = known_waits(constant_time(ELAPSED)), np.array([[1.0, 1.0]])
    planned = chooser("scheduled", schedule=Schedule((0, 3), (8, 1)))
    points = PROBLEM.domain.points
    assert np.array_equal(planned.choose(0, posterior, seen, waits), points[8])
    assert np.array_equal(planned.choose(3, posterior, seen, waits), points[1])
    # In the others the largest mean: at the one point seen, which was good.
    np.testing.assert_allclose(planned.choose(1, posterior, seen, waits), [1.0, 1.0], atol=1e-3)
    usual, own = quick_schedule(PROBLEM), chooser("scheduled")
    assert usual.rounds
    for round_, place in zip(usual.rounds, usual.points, strict=True):
        assert np.array_equal(own.choose(round_, posterior, seen, waits), points[place])
    with pytest.raises(InvalidInput):
        chooser("scheduled", schedule=Schedule((6,), (0,)))
    with pytest.raises(InvalidInput):
        chooser("scheduled", schedule=Schedule((0,), (9,)))
    assert set(POLICIES_BY_POSTERIOR) == {"ts", "random-weight-ucb", "scheduled"}
