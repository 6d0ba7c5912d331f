"""The best blocks where drift counts from the first round of a block, and greedy ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.numerics.compiled import compiled

WORK_LIMIT = 1_000_000_000
"""Pairs of a block start and a round that a search may look at, some ten seconds."""

_ENDS_PER_STEP = 1024
_FEW_ROUNDS = 1_000  # up to which numpy is as fast as a compiled loop, and needs no loading
_ROUNDS_PER_CLEARING = 4


def best_blocks(
    prices: FloatArray,
    shares: FloatArray,
    *,
    weight: float = 1.0,
    capped: bool = False,
    work_limit: int = WORK_LIMIT,
) -> tuple[int, ...] | None:
    """The cuts that minimise Σ_B [prices[|B|] + weight·ΣV(first, k)]; None beyond the work limit.

    Parameters
    ----------
    prices : (n+1,) not decreasing
    shares : (n,) d_i in [0, 1], of the wait before each round
    weight : of the drift, not negative
    capped : a block costs at most its length
    work_limit : pairs of a start and an end to look at

    A start s with value(s) + weight·drift(s, e) ≥ value(e) is beaten by e beyond e; with the cap
    too, since value(s) + (e − s) ≥ value(e) always.

    >>> best_blocks(np.sqrt(np.arange(5.0)), np.array([0.0, 0.0, 1.0, 0.0]))
    (0, 2, 4)
    """
    n = len(shares)
    if n <= _FEW_ROUNDS and n * (n + 1) // 2 <= work_limit:
        return _back(_few(prices, shares, weight, capped))
    value, origin = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.int64)
    value[0] = 0.0
    alive = np.zeros(n + 1, dtype=np.int64)
    left, drift = np.zeros(n + 1), np.zeros(n + 1)
    count, work = 0, 0
    for begin in range(0, n, _ENDS_PER_STEP):
        stop = min(n, begin + _ENDS_PER_STEP)
        count, done = _advance(
            begin, stop, count, prices, shares, weight, capped, value, origin, alive, left, drift
        )
        work += done
        if work > work_limit or work + (n - stop) * count > 2 * work_limit:
            return None
    return _back(origin)


def _back(origin: IntArray) -> tuple[int, ...]:
    cuts = [len(origin) - 1]
    while cuts[-1] > 0:
        cuts.append(int(origin[cuts[-1]]))
    return tuple(reversed(cuts))


def _few(prices: FloatArray, shares: FloatArray, weight: float, capped: bool) -> IntArray:
    """(n+1,) the start of the best last block, by numpy over all starts of a round at a time."""
    n = len(shares)
    value, origin = np.zeros(n + 1), np.zeros(n + 1, dtype=np.int64)
    left, drift = np.ones(n), np.zeros(n)
    for p in range(n):
        left[:p] *= 1.0 - shares[p]
        drift[:p] += weight * (1.0 - left[:p])
        drift[p] = value[p]
        costs = prices[p + 1 : 0 : -1] + drift[: p + 1]
        if capped:
            costs = np.minimum(costs, value[: p + 1] + np.arange(p + 1, 0, -1.0))
        origin[p + 1] = best = int(costs.argmin())
        value[p + 1] = costs[best]
    return origin


@compiled()
def _advance(
    begin: int,
    stop: int,
    count: int,
    prices: FloatArray,
    shares: FloatArray,
    weight: float,
    capped: bool,
    value: FloatArray,
    origin: IntArray,
    alive: IntArray,
    left: FloatArray,
    drift: FloatArray,
) -> tuple[int, int]:  # pragma: no cover
    """Process the rounds begin … stop−1; returns the number of starts alive and the work done.

    Start alive[a] has 1 − V(start, present round) in left[a], and in drift[a] its value and
    weight·ΣV so far.
    """
    work = 0
    for p in range(begin, stop):
        kept = 1.0 - shares[p]
        alive[count], left[count], drift[count] = p, 1.0, value[p]
        count += 1
        work += count
        best, best_at = np.inf, 0
        for a in range(count - 1):
            left[a] *= kept
            drift[a] += weight * (1.0 - left[a])
            length = p + 1 - alive[a]
            cost = prices[length] + drift[a]
            if capped:
                cost = min(cost, value[alive[a]] + length)
            if cost < best:
                best, best_at = cost, a
        own = prices[1] if not capped else min(prices[1], 1.0)
        if value[p] + own < best:
            best, best_at = value[p] + own, count - 1
        value[p + 1], origin[p + 1] = best, alive[best_at]
        if p % _ROUNDS_PER_CLEARING and p + 1 < stop:
            continue
        # The margin keeps rounding from dropping a start that ties.
        bar = best * (1.0 + 1e-13)
        kept_starts = 0
        for a in range(count):
            if drift[a] < bar:
                alive[kept_starts], left[kept_starts] = alive[a], left[a]
                drift[kept_starts] = drift[a]
                kept_starts += 1
        count = kept_starts
    return count, work


def greedy_cuts(prices: FloatArray, shares: FloatArray) -> tuple[int, ...]:
    """Cuts of windows that go on while ΣV(first, k) ≤ prices[length], with the next round. O(n).

    >>> greedy_cuts(np.sqrt(np.arange(5.0)), np.array([0.0, 0.0, 1.0, 1.0]))
    (0, 4)
    """
    cuts, start, left, drift = [0], 0, 1.0, 0.0
    for k in range(1, len(shares)):
        left *= 1.0 - shares[k]
        drift += 1.0 - left
        if drift > prices[k + 1 - start]:
            cuts.append(k)
            start, left, drift = k, 1.0, 0.0
    cuts.append(len(shares))
    assert all(a < b for a, b in pairwise(cuts))
    return tuple(cuts)
