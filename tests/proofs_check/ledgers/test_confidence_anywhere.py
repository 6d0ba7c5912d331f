"""The confidence event of a kernel of infinite rank and a rule into an interval, by simulation.

The theorem (`adaptive-confidence-anywhere`) says that the value at the point that is played is
further than c posterior standard deviations from its posterior mean with at most the probability of
the normal tail; at that point it is this probability. Values are drawn one round after another from
their law given those before, by numpy alone. Its false neighbours, which leave out one hypothesis
each and keep every covariance, miss more often.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

RUNS, ROUNDS, NOISE = 20_000, 4, 0.5
Array = NDArray[np.float64]


def squared_exponential(x: Array, z: Array) -> Array:
    return np.exp(-((x - z) ** 2) / (2 * 0.3**2))


def exponential(x: Array, z: Array) -> Array:
    return np.exp(-np.abs(x - z) / 0.4)


def misses(kernel, width: float, noise_of_value: bool = False, scales: bool = False) -> Array:
    """The share of runs that miss at the point played, round by round.

    The rule plays, after the first round, a point of [0, 1] made of the last answer. Where
    `noise_of_value`, the noise is the value with its sign turned, of the right variance; where
    `scales`, the objective is a Gaussian process times a number of mean square 1.
    """
    rng = np.random.default_rng(7)
    x = np.full((RUNS, 1), 0.5)
    values, answers = np.empty((RUNS, 0)), np.empty((RUNS, 0))
    factor = rng.choice([0.1, math.sqrt(1.99)], RUNS) if scales else np.ones(RUNS)
    shares = []
    for i in range(ROUNDS):
        seen, point = x[:, :i], x[:, i]
        among = kernel(seen[:, :, None], seen[:, None, :])
        to = kernel(seen, point[:, None])
        law = np.linalg.solve(among + 1e-10 * np.eye(i), to[:, :, None])[:, :, 0]
        spread = np.sqrt(np.maximum(1 - (law * to).sum(1), 0))
        value = (law * values).sum(1) + spread * rng.standard_normal(RUNS)
        weights = np.linalg.solve(among + NOISE**2 * np.eye(i), to[:, :, None])[:, :, 0]
        mean, deviation = (weights * answers).sum(1), np.sqrt(1 - (weights * to).sum(1))
        shares.append(np.mean(np.abs(factor * value - mean) > width * deviation))
        noise = -factor * value if noise_of_value else rng.standard_normal(RUNS)
        values = np.column_stack((values, value))
        answers = np.column_stack((answers, factor * value + NOISE * noise))
        x = np.column_stack((x, np.abs(np.sin(3 * answers[:, -1]))))
    return np.array(shares)


@pytest.mark.parametrize("kernel", [squared_exponential, exponential])
@pytest.mark.parametrize("width", [0.5, 1.0, 2.0])
def test_the_value_at_the_point_played_has_the_normal_tail(kernel, width: float) -> None:
    tail = 2 * norm.cdf(-width)
    error = math.sqrt(tail * (1 - tail) / RUNS)
    assert np.all(np.abs(misses(kernel, width) - tail) < 4 * error)


def test_without_independence_of_objective_and_noise_it_is_false() -> None:
    assert misses(squared_exponential, 1.0, noise_of_value=True)[-1] > 2 * norm.cdf(-1.0) + 0.05


def test_with_the_covariance_alone_it_is_false() -> None:
    assert np.all(misses(squared_exponential, 2.0, scales=True)[:1] > 2 * norm.cdf(-2.0) + 0.02)
