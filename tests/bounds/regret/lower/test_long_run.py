"""The bound by prices for every number of rounds: known rates, exact optima, a simulated player."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.lower.arms import PriceFloor
from bounds.regret.lower.least_regret import least_regret
from bounds.regret.lower.long_run import long_run
from bounds.regret.lower.prices import best_prices, mean_of_largest
from bounds.times import EvaluationTimes


def rate_of(arms: int, phi: float):
    largest = mean_of_largest((0.0,) * arms)
    return long_run(Fraction(1), Forgetting(1 - phi**2), arms, largest)


@pytest.mark.parametrize(
    ("arms", "phi", "least", "most"),
    # From below certificates by another program, from above a bound of 60 rounds: with fewer
    # rounds there is less that waiting may win.
    [(2, 0.5, 0.3188, 0.3202), (5, 0.5, 0.8922, 0.8928), (5, 0.9, 0.3497, 0.3565)],
)
def test_rates_of_the_table(arms: int, phi: float, least: float, most: float) -> None:
    assert least < rate_of(arms, phi).rate < most


@pytest.mark.parametrize("phi", [0.5, 0.9])
def test_below_the_least_regret(phi: float) -> None:
    found = rate_of(2, phi)
    for n in (2, 8, 30):
        times = EvaluationTimes.from_durations(np.ones(n))
        assert found.at(n) < least_regret(times, Forgetting(1 - phi**2)).upper


def test_no_player_earns_more() -> None:
    """One who looks in the next round above a threshold, and after five rounds below it."""
    arms, phi, n, runs = 5, 0.9, 200, 20_000
    found = rate_of(arms, phi)
    most = found.gain * n + found.start / arms
    rng = np.random.default_rng(0)
    for threshold in (0.6, 0.8, 1.0):
        value, earned = np.zeros(runs), np.zeros(runs)
        due = np.zeros(runs)
        for i in range(n):
            if i:
                value = phi * value + sqrt(1 - phi**2) * rng.standard_normal(runs)
            else:
                value = rng.standard_normal(runs)
            looks = due <= i
            earned += np.where(looks, value - found.price, 0.0)
            due = np.where(looks, i + np.where(value > threshold, 1, 5), due)
        error = earned.std() / sqrt(runs)
        assert earned.mean() - 4 * error < most
    assert most < 0.1 * n


def test_slow_drift_of_many_arms_has_a_rate() -> None:
    """Where blocks of rounds have little: at 0.99 a block's first round tells too much."""
    times = EvaluationTimes.from_durations(np.ones(1_000))
    problem = Problem(times, 1 - 0.99**2, noise_variance=1e-6, domain=Arms(20))
    row = PriceFloor().evaluate(Ingredients(problem))
    blocks = best_prices(times, problem.time_kernel, [0.0] * 20, 1e-6)
    assert row is not None and row.certified and "every n" in row.source
    assert row.value > 1.15 * blocks.value > 0


def test_different_waits_have_blocks_alone() -> None:
    waits = np.ones(400)
    waits[7] = 2.0
    problem = Problem(EvaluationTimes.from_durations(waits), 0.75, domain=Arms(3))
    assert "every n" not in PriceFloor().evaluate(Ingredients(problem)).source


def test_refused() -> None:
    for kernel in (Forgetting(0.0), SquaredExponential(1.0)):
        with pytest.raises(InvalidInput, match="time-kernel"):
            long_run(Fraction(1), kernel, 3, 0.8)
