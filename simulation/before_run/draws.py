"""Draws of f from one seed, in chunks, and what a sample says of a mean from below."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.problem import Problem
from simulation.model.covariance import Factor, symmetric_root

MOST_NUMBERS, IN_CACHE = 4_000_000, 80_000
"""Numbers that are drawn at a time: at most, and so few that the processor's cache holds them."""

_UNBET = 10
_MOST_BET = 0.9


def generator(seed: int) -> np.random.Generator:
    """The generator of a seed. Raises InvalidInput for a negative one."""
    if seed < 0:
        raise InvalidInput("seed", seed, "give a whole number of at least 0")
    return np.random.default_rng(seed)


def require_draws(draws: int) -> None:
    """Raise InvalidInput for fewer than two."""
    if draws < 2:
        raise InvalidInput("draws", draws, "give at least 2")


def require_delta(delta: float) -> None:
    """Raise InvalidInput outside (0, 1)."""
    if not 0.0 < delta < 1.0:
        raise InvalidInput("delta", delta, "give a probability in (0, 1)")


def in_chunks(count: int, size: int, most: int = MOST_NUMBERS) -> Iterator[int]:
    """Numbers of draws that add up to `count`, each of them of `size` numbers: at most `most`."""
    step = max(1, most // max(size, 1))
    for first in range(0, count, step):
        yield min(step, count - first)


def field_paths(
    problem: Problem, factor: Factor, count: int, rng: np.random.Generator
) -> FloatArray:
    """(count, n, N) draws of f(x, τ_i), for small domains.

    O(count·n) draws of GP(0, K); n² more if not Markov.
    """
    kernel = problem.time_kernel
    if not kernel.is_markov:
        every = slice(None)
        gram = np.asarray(kernel.at_distance(problem.times.distances(every, every)))
        fresh = factor.apply(rng.standard_normal((count * problem.n, factor.rank)))
        return np.asarray(symmetric_root(gram) @ fresh.reshape(count, problem.n, -1))
    gaps = problem.times.durations
    kept, lost = kernel.at_distance(gaps), kernel.deficit(gaps)
    now = factor.apply(rng.standard_normal((count, factor.rank)))
    paths = np.empty((count, problem.n, now.shape[1]))
    for i in range(problem.n):
        if i and gaps[i] > 0.0:
            fresh = factor.apply(rng.standard_normal((count, factor.rank)))
            now = kept[i] * now + np.sqrt(lost[i]) * fresh
        paths[:, i] = now
    return paths


def mean_below(values: FloatArray, delta: float) -> float:
    """A bound below the mean of a law on [0, ∞), with probability ≥ 1 − δ over the sample.

    For m at least the mean, Π(1 + λ_i(x_i − m)) with 0 ≤ λ_i ≤ 1/m chosen before x_i is seen is a
    supermartingale of mean 1, so that it reaches 1/δ with a probability of at most δ; the bound is
    the least m at which it does not (Waudby-Smith and Ramdas 2024). No cap on the values, and for
    many of them near mean − √(2V log(1/δ)/S).

    >>> mean_below(np.full(200, 0.5), 0.01) <= 0.5
    True
    """
    count = len(values)
    if count < 2 or np.any(values < 0.0):
        raise InvalidInput("values", f"{count} of them", "give at least two that are not negative")
    before = np.arange(1, count)
    centres = np.cumsum(values[:-1]) / before
    spreads = np.maximum(np.cumsum(values[:-1] ** 2) / before - centres**2, 1e-12 * centres**2)
    # No bets on the first few values: there is no spread yet to go by.
    bets = np.sqrt(2.0 * np.log(1.0 / delta) / (count * np.maximum(spreads, 1e-300)))
    bets[: _UNBET - 1] = 0.0
    rest = values[1:]

    def capital(m: float) -> float:
        return float(np.sum(np.log1p(np.minimum(bets, _MOST_BET / m) * (rest - m))))

    low, high = 0.0, float(values.mean())
    for _ in range(60):
        middle = 0.5 * (low + high)
        if middle > 0.0 and capital(middle) >= np.log(1.0 / delta):
            low = middle
        else:
            high = middle
    return low


@cache
def legendre(count: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Legendre on [−1, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights
