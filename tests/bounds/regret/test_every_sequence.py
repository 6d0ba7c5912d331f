"""Theorem Q+ and Theorem R: their numbers by hand, their order, and the regret below them."""

from math import log1p, pi, sqrt

import numpy as np
import pytest

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting
from bounds.problem import Problem
from bounds.regret.ingredients.finite_rank import filter_limit, finite_rank_regret, good_spacing
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


@pytest.mark.parametrize("delta", [1e-8, 0.01, 0.7])
@pytest.mark.parametrize("noise", [0.01, 1.0, 30.0])
def test_the_filter_settles_at_its_limit_and_above_it_until_then(delta, noise):
    q, limit = 1.0, filter_limit(delta, noise)
    assert limit == pytest.approx(sqrt(delta * (limit + noise - limit * noise)), rel=1e-9)
    assert limit <= delta + sqrt(noise * delta) + 1e-12
    for k in range(1, 400):
        assert -1e-12 <= q - limit <= noise / (noise + k - 1) + 1e-12
        q = (1 - delta) * q * noise / (q + noise) + delta


def test_finite_rank_by_hand_and_its_constant():
    by_hand = (
        50 / 4
        + 1
        + 2 / 0.5 * (50 * filter_limit(1 - 0.9**8, 0.3) + 8 * (1 + 0.3 * log1p(50 / 2.4)))
    )
    assert finite_rank_regret(50, 0.1, 0.3, 2, 0.5, 4) == pytest.approx(by_hand)
    for epsilon, expected in ((1e-4, 4.737), (1e-5, 4.737)):
        m, n = good_spacing(epsilon, 1.0, 2, 1.0), 10**12
        value = sqrt(pi / 2) * finite_rank_regret(n, epsilon, 1.0, 2, 1.0, m) / n
        assert value / epsilon ** (1 / 3) == pytest.approx(expected, abs=0.03)


def test_refused():
    times = EvaluationTimes.from_durations([1.0, 1.0])
    with pytest.raises(InvalidInput, match="points"):
        thompson_bracket(times, Forgetting(0.1), 0.1, 1)
    with pytest.raises(InvalidInput, match="spacing"):
        finite_rank_regret(9, 0.1, 0.1, 1, 1.0, 0)
    with pytest.raises(InvalidInput, match="epsilon"):
        finite_rank_regret(9, 1.0, 0.1, 1, 1.0, 1)
    with pytest.raises(InvalidInput, match="noise-variance"):
        finite_rank_regret(9, 0.1, 0.0, 1, 1.0, 1)
    with pytest.raises(InvalidInput, match="epsilon"):
        good_spacing(0.9, 100.0, 3, 0.1)
