"""Optimal partitions for block penalties of any distance between pairs of rounds.

Minimises Σ_i price[M_i] + ½ M_i g(s√(Σ_jk D(|τ_j−τ_k|)²/M_i)) for a function D of the distance and
a growth g, by the plain dynamic programme over the last block. The rungs of the ladder between
Theorem A and Theorem 1 are of this form: D = 1 − k_time or min(1, rate·|·|), g = log(1+·) or φ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bounds.arithmetic import DOUBLES
from bounds.arrays import FloatArray
from bounds.formulas import Growth, spread
from bounds.partitions.partition import Partition
from bounds.partitions.uniformity_search import backtrack
from bounds.times import EvaluationTimes

OfDistance = Callable[[FloatArray], FloatArray]

MOST_ROUNDS = 6_000
"""The search looks at every pair of rounds: 1 s at this many."""


@dataclass(frozen=True)
class PairOptimum:
    """The least value over all partitions, and a partition that attains it."""

    value: float
    partition: Partition


def search_pairs(
    times: EvaluationTimes,
    prices: FloatArray,
    noise_variance: float,
    distance: OfDistance,
    growth: Growth,
) -> PairOptimum:
    """The optimum over all partitions of the rounds.

    Parameters
    ----------
    prices : (n+1,) price of a block by its length
    distance : D, applied to arrays of |τ_j − τ_k| ≥ 0
    growth : g, applied to arrays of s√(C/M)

    O(n²) time, O(n) memory.

    >>> from bounds.formulas import log_growth
    >>> times = EvaluationTimes.from_durations([1.0, 0.0, 9.0])
    >>> prices = np.array([0.0, 1.0, 1.5, 2.0])
    >>> search_pairs(times, prices, 1.0, lambda d: d, log_growth).partition.cuts
    (0, 2, 3)
    """
    n = times.n
    best, origin = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.int64)
    best[0] = 0.0
    pairs = np.zeros(n)  # Σ_jk D² over the block of rounds j+1 … e, for each start j
    lengths = np.arange(n, 0, -1)
    for end in range(1, n + 1):
        lags = times.distances(slice(end - 1, end), slice(0, end - 1))[0]
        squared = np.asarray(distance(lags)) ** 2
        pairs[: end - 1] += 2.0 * np.cumsum(squared[::-1])[::-1]
        M = lengths[n - end :]
        penalty = spread(DOUBLES, growth, M, pairs[:end], noise_variance)
        values = best[:end] + prices[M] + penalty
        origin[end] = int(np.argmin(values))
        best[end] = values[origin[end]]
    return PairOptimum(float(best[n]), Partition(backtrack(origin, np.arange(n + 1))))
