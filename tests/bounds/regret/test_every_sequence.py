"""Theorem Q+: its numbers by hand, their order, and the regret below them."""

from math import pi, sqrt

import numpy as np
import pytest

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting
from bounds.problem import Problem
from bounds.regret.upper.in_expectation.every_sequence import (
    density_of_gaps,
    thompson_bracket,
)
from bounds.times import EvaluationTimes
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant

UNIT = np.ones(600)
BURSTS = np.where(np.arange(600) % 30 == 0, 300.0, 0.1)
GROWING = np.concatenate([[1.0], 1.02 ** np.arange(0.0, 599.0)])
GAP = np.where(np.arange(600) == 300, 1e6, 1.0)


@pytest.mark.parametrize(
    ("waits", "epsilon", "noise", "bracket"),
    [
        (UNIT, 1e-2, 1.0, 61166.75),
        (BURSTS, 1e-2, 1.0, 129892.38),
        (UNIT, 1e-3, 0.01, 18849.30),
        (GROWING, 1e-3, 0.01, 294471.44),
        (GAP, 1e-3, 0.01, 22130.57),
        (UNIT, 1e-4, 1.0, 18412.73),
    ],
)
def test_the_bracket_is_that_of_another_hand(waits, epsilon, noise, bracket):
    found = thompson_bracket(EvaluationTimes.from_durations(waits), Forgetting(epsilon), noise, 2)
    assert found == pytest.approx(bracket, abs=0.006)


def test_the_density_of_gaps():
    gram = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, -1.0], [0.0, -1.0, 1.0]])
    expected = sum(1 / sqrt(pi * h) for h in (0.5, 1.0, 2.0))
    assert density_of_gaps(gram) == pytest.approx(expected)
    assert density_of_gaps(np.ones((2, 2))) == np.inf


@pytest.mark.parametrize("epsilon", [0.3, 1e-2])
@pytest.mark.parametrize("noise", [0.01, 1.0])
def test_thompson_sampling_is_below(epsilon, noise):
    times = EvaluationTimes.from_durations(np.ones(200))
    problem = Problem(times, epsilon, domain=Arms(2), noise_variance=noise)
    run = simulate(problem, constant(1.0, 200), "ts", initial=0, rounds=200)
    most = density_of_gaps(np.eye(2)) * thompson_bracket(times, Forgetting(epsilon), noise, 2)
    assert run.regrets.sum() < most


def test_the_exponent_is_a_half_without_a_logarithm():
    """Bracket over n√ε at unit steps: bounded as ε falls, where a logarithm would double it."""
    ratios = []
    for epsilon, rounds in ((1e-3, 20_000), (1e-4, 200_000)):
        times = EvaluationTimes.from_durations(np.ones(rounds))
        bracket = thompson_bracket(times, Forgetting(epsilon), 1.0, 2)
        ratios.append(bracket / (rounds * sqrt(epsilon)))
    assert ratios == [pytest.approx(1333, abs=1), pytest.approx(1641, abs=1)]


def test_refused():
    times = EvaluationTimes.from_durations([1.0, 1.0])
    with pytest.raises(InvalidInput, match="points"):
        thompson_bracket(times, Forgetting(0.1), 0.1, 1)
