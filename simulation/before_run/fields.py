"""Draws of f at all points and rounds of a fixed sequence, for small domains."""

from __future__ import annotations

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.problem import Problem
from simulation.model.covariance import Factor


def field_paths(
    problem: Problem, factor: Factor, count: int, rng: np.random.Generator
) -> FloatArray:
    """(count, n, N) draws of f(x, τ_i), for a Markov time kernel. O(count·n) draws of GP(0, K)."""
    kernel = problem.time_kernel
    if not kernel.is_markov:
        raise InvalidInput("time-kernel", kernel.name, "this floor needs a Markov time kernel")
    gaps = problem.times.durations
    kept, lost = kernel.at_distance(gaps), kernel.deficit(gaps)
    now = factor.apply(rng.standard_normal((count, factor.rank)))
    found = np.empty((count, problem.n, now.shape[1]))
    for i in range(problem.n):
        if i and gaps[i] > 0.0:
            fresh = factor.apply(rng.standard_normal((count, factor.rank)))
            now = kept[i] * now + np.sqrt(lost[i]) * fresh
        found[:, i] = now
    return found


def bernstein_below(values: FloatArray, top: float, delta: float) -> float:
    """A bound below the mean of a law on [0, top], with probability ≥ 1 − δ over the sample.

    mean − √(2V log(2/δ)/S) − 7·top·log(2/δ)/(3(S−1)) (Maurer and Pontil 2009, theorem 4).
    """
    if len(values) < 2 or np.any((values < 0.0) | (values > top)):
        raise InvalidInput("values", f"{len(values)} of them", "give at least two in [0, top]")
    weight = np.log(2.0 / delta)
    spread = np.sqrt(2.0 * np.var(values, ddof=1) * weight / len(values))
    below = np.mean(values) - spread - 7.0 * top * weight / (3.0 * (len(values) - 1))
    return max(float(below), 0.0)
