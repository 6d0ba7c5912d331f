"""`dithered`: its filter by hand, its order at unit steps, and where there is no step."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.domain import Arms, Grid
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from simulation.policies.tuned import make_policy
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant
from tests.simulation.policies.test_randomised import setup_for


def problem_of(rounds: int = 50, **more) -> Problem:
    given = {"epsilon": 0.01, "noise_variance": 0.5, "domain": Grid(1, 1.0, 41), **more}
    return Problem(EvaluationTimes.from_durations(np.ones(rounds)), **given)


def lost(problem: Problem, policy: str, runs: int) -> np.ndarray:
    times, n = constant(1.0, problem.n), problem.n
    played = (simulate(problem, times, policy, seed=s, initial=0, rounds=n) for s in range(runs))
    return np.array([run.regrets.sum() for run in played])


def policy_of(problem: Problem):
    return make_policy("dithered", setup_for(problem))


@pytest.mark.parametrize("dimension", [1, 2])
def test_steps_are_those_of_the_filter(dimension: int) -> None:
    """Beside the largest mean by √(q/2)·ℓ, q by its recursion written again, both ways in turn."""
    problem = problem_of(domain=Grid(dimension, 1.0, 21 if dimension == 1 else 9))
    policy, points = policy_of(problem), problem.domain.points
    left, signs = np.ones(dimension), np.ones(dimension)
    rng = np.random.default_rng(0)
    for i in range(10):
        center = int(np.argmax(policy.belief.prediction(i).mean))
        chosen = policy.choose(i)
        axis = int(np.argmax(left))
        target = points[center].copy()
        target[axis] += signs[axis] * np.sqrt(left[axis] / 2) * 0.2
        assert chosen == np.argmin(np.linalg.norm(points - target, axis=1))
        h = abs(points[chosen, axis] - points[center, axis]) / 0.2
        left = 0.99 * left + 0.01
        left[axis] = left[axis] * 0.5 / (0.5 + left[axis] * h * h)
        signs[axis] *= -1
        policy.observe(chosen, 1.0, float(rng.standard_normal()))


@pytest.mark.parametrize("more", [{"domain": Arms(5)}, {"space_kernel": Matern(0.5, 0.2)}])
def test_without_a_derivative_it_plays_the_largest_mean(more) -> None:
    problem = problem_of(**more)
    policy = policy_of(problem)
    for i in range(6):
        center = int(np.argmax(policy.belief.prediction(i).mean))
        assert policy.choose(i) == center
        policy.observe(center, 1.0, float(i % 2))


def test_its_regret_lies_between_the_floor_and_chance() -> None:
    problem = problem_of(150, epsilon=0.005, noise_variance=0.1, domain=Grid(1, 1.0, 25))
    own, drawn = lost(problem, "dithered", 40), lost(problem, "random", 40)
    apart = drawn - own
    assert apart.mean() > 4 * apart.std() / np.sqrt(40) > 0
    error = 4 * own.std() / np.sqrt(40)
    assert max(row.value for row in floors(problem)) <= own.mean() + error
