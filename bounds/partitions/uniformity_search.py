"""Optimal partitions for block penalties that depend on the times through the uniformity C only.

Minimises Σ_i price[M_i] + ½ M_i g(s·rate·√(C_i/M_i)) over all partitions, with g = φ (Theorem 1)
or g = log(1+·) (the additive form), by dynamic programming over the last block.

Exactness. F(e) = min_j F(j) + price[e−j] + w(j,e). By Lemma M, w is superadditive over adjacent
blocks, so a start j with F(j) + w(j,e) ≥ F(e) is beaten by e for every end beyond e, whatever
non-decreasing prices there are; and w does not fall when a block grows, so a start is passed over
without a logarithm where F(j) + price + (penalty of a shorter block that ends at e) is no better.

Cost. O(n·L) additions, L the number of starts alive (about three times the optimal block length on
steady times; up to n where the drift is negligible), O(n) memory. No sums are subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.numerics.compiled import compiled
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.uniformity import LARGEST_TABLE, pair_distances

ENDS_PER_STEP = 4096
"""Ends between two calls of `progress`."""


@dataclass(frozen=True, eq=False)
class CutChain:
    """Outcome of one dynamic programme: its optimal value and the cuts that attain it.

    `complete` is False where the work limit ended it first: the value is then a lower bound and
    the cuts the best ones found, none where nothing was.
    """

    value: float
    cuts: tuple[int, ...]
    work: int
    complete: bool


def search_by_uniformity(
    cells: Cells,
    rate: float,
    noise_variance: float,
    prices: FloatArray,
    *,
    concave: bool,
    table: FloatArray | None = None,
    options: SearchOptions = ALL,
) -> CutChain:
    """Minimise Σ price[M_i] + ½ M_i g(s·rate·√(C_i/M_i)) over the boundaries of `cells`.

    Parameters
    ----------
    rate : float ≥ 0 (infinity allowed), ε or θ; the cap of C is 1/rate²
    prices : (n+1,) non-decreasing, price of a block by its length; infinite beyond a length cap
    concave : g = log(1+·) if True, φ if False
    table : `drift_table` of the same cells and rate, where several searches share it
    """
    if table is None:
        table = drift_table(cells, rate, noise_variance, concave=concave)
    if table is not None and not options.free_cuts and options.work_limit >= table.size:
        options.progress(1.0)
        return _by_table(table, prices, cells)
    count = len(cells.boundaries) - 1
    state = _State.fresh(count)
    penalty = _Penalty(rate, 1.0 / noise_variance, concave)
    cap_length = int(np.searchsorted(prices, np.inf)) - 1
    costs = _Costs(prices, cap_length, options.free_cuts)
    layout = _Layout(cells.boundaries, cells.counts, cells.waits, cells.waits + cells.extents)
    work, lowest, end = 0, 0, 0
    while end < count:
        step_end = min(count, end + ENDS_PER_STEP)
        lowest, done = _advance(end, step_end, lowest, layout, penalty, costs, state)
        work += done
        end = step_end
        if out_of_reach(work, (end - lowest) * (count - end), options.work_limit):
            return CutChain(-np.inf, (), work, False)
        options.progress(end / count)
    cuts = backtrack(state.origin, cells.boundaries)
    return CutChain(float(state.value[count]), cuts, work, True)


def drift_table(
    cells: Cells, rate: float, noise_variance: float, *, concave: bool
) -> FloatArray | None:
    """(K, K) ½ M g(s·rate·√(C/M)) of the block of rounds a … e at [e, a], a ≤ e.

    None for cells of more than one round, or more than 400 of them: there the compiled search.
    """
    K = len(cells.boundaries) - 1
    if K > LARGEST_TABLE or cells.n != K:
        return None
    distances = pair_distances(cells.waits)
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = np.where(distances > 0.0, rate * distances, 0.0)
        capped = np.where(scaled >= 1.0, 1.0, scaled * scaled)
    pairs = capped[:, ::-1].cumsum(axis=1)[:, ::-1].cumsum(axis=0)
    lengths = np.maximum(1.0, 1.0 + np.subtract.outer(np.arange(K), np.arange(K)))
    x = np.sqrt(2.0 * pairs / lengths) / noise_variance
    large = np.maximum(x, 1.0)
    growth = np.log1p(x) if concave else np.where(x > 1.0, np.log(large) + 1.0 / large, x)
    return np.asarray(0.5 * lengths * growth)


def _by_table(table: FloatArray, prices: FloatArray, cells: Cells) -> CutChain:
    """The same dynamic programme, one minimum over all starts for each end. O(n²)."""
    count = len(table)
    value, origin = np.zeros(count + 1), np.zeros(count + 1, dtype=np.int64)
    backward = prices[::-1]
    n = len(prices) - 1
    for e in range(1, count + 1):
        costs = value[:e] + backward[n - e : n]
        costs += table[e - 1, :e]
        origin[e] = best = e - 1 - int(costs[::-1].argmin())  # of equal ones the latest start
        value[e] = costs[best]
    return CutChain(float(value[count]), backtrack(origin, cells.boundaries), table.size, True)


class _Layout(NamedTuple):
    """The cells as arrays; see `Cells`. A stride is the wait before a cell and its extent."""

    boundaries: IntArray
    counts: FloatArray
    waits: FloatArray
    strides: FloatArray


class _Penalty(NamedTuple):
    """½ M g(s·rate·√(C/M)) of a block: rate, s, and g = log(1+·) or φ."""

    rate: float
    inverse_noise: float
    concave: bool


class _Costs(NamedTuple):
    """Prices by length, the longest block with a finite one, and whether cuts inside are free."""

    prices: FloatArray
    cap_length: int
    free_cuts: bool


class _State(NamedTuple):
    """What is known at each boundary, filled in by `_advance`."""

    value: FloatArray  # F at each boundary
    origin: IntArray  # boundary at which the last block of the optimum begins
    start_value: FloatArray  # F, or less where a free cut inside the cell before is cheaper
    pair_sum: FloatArray  # Σ over unordered pairs of min(1, (rate·Δ)²) since each start

    @classmethod
    def fresh(cls, count: int) -> _State:
        value, start_value = np.full(count + 1, np.inf), np.full(count + 1, np.inf)
        value[0] = start_value[0] = 0.0
        return cls(value, np.zeros(count + 1, dtype=np.int64), start_value, np.zeros(count))


def out_of_reach(work: int, ahead: int, work_limit: int) -> bool:
    """Whether a search is over its limit, or so far on its way over that waiting is idle.

    `ahead` is the work left if the number of starts alive stays as it is.
    """
    return work > work_limit or (work > work_limit // 20 and work + ahead > work_limit)


def backtrack(origin: IntArray, boundaries: IntArray) -> tuple[int, ...]:
    """The cuts d_0..d_N (in rounds) of the chain of block starts that ends at the last boundary."""
    chain = [len(origin) - 1]
    while chain[-1] > 0:
        chain.append(int(origin[chain[-1]]))
    return tuple(int(boundaries[k]) for k in reversed(chain))


@compiled()
def free_cut(
    p: int, value: FloatArray, start_value: FloatArray, prices: FloatArray
) -> float:  # pragma: no cover
    """Least cost of the rounds before a cut that falls inside cell p (lower bound).

    The block before it ended exactly at boundary p, or began in cell p−1 or at boundary p and
    then has no whole cell: only its price is sure.
    """
    inside: float = start_value[p] + prices[1]
    if p > 0:
        inside = min(inside, value[p])
    return inside


@compiled()
def _drift(penalty: _Penalty, pair_sum: float, length: int) -> float:  # pragma: no cover
    """½ M g(s √(rate²·C/M)), from half of rate²·C."""
    x = penalty.inverse_noise * np.sqrt(2.0 * pair_sum / length)
    g: float = x
    if penalty.concave:
        g = np.log1p(x)
    elif x > 1.0:
        g = np.log(x) + 1.0 / x
    return 0.5 * length * g


@compiled()
def _advance(
    begin: int,
    stop: int,
    lowest: int,
    layout: _Layout,
    penalty: _Penalty,
    costs: _Costs,
    state: _State,
) -> tuple[int, int]:  # pragma: no cover
    """Process the ends begin+1 … stop; returns the oldest start alive and the work done.

    Distances are sums of the waits in between: as exact as these, however far apart other rounds
    are.
    """
    boundaries, counts, waits, strides = layout
    prices, cap_length, free_cuts = costs
    value, origin, start_value, pair_sum = state
    rate = penalty.rate
    work = 0
    for p in range(begin, stop):
        e = p + 1
        while boundaries[e] - boundaries[lowest] > cap_length:
            lowest += 1
        pair_sum[p] = 0.0
        from_p, distance, step = 0.0, 0.0, waits[p]
        for a in range(p - 1, lowest - 1, -1):
            distance += step
            step = strides[a]
            if distance > 0.0:
                scaled = rate * distance
                from_p += counts[a] * (1.0 if scaled >= 1.0 else scaled * scaled)
            pair_sum[a] += counts[p] * from_p
        # The start that was best for the end before is near the best now: what it costs spares
        # most others their logarithm.
        last = min(max(origin[p], lowest), p)
        length = boundaries[e] - boundaries[last]
        enough = start_value[last] + prices[length] + _drift(penalty, pair_sum[last], length)
        best, best_start = np.inf, p
        smallest_drift = 0.0  # w of a block inside the next ones: they cannot be below it
        for a in range(p, lowest - 1, -1):
            length = boundaries[e] - boundaries[a]
            cost = start_value[a] + prices[length]
            if cost + smallest_drift < best and cost + smallest_drift <= enough:
                smallest_drift = _drift(penalty, pair_sum[a], length)
                if cost + smallest_drift < best:
                    best, best_start = cost + smallest_drift, a
        work += p - lowest + 1
        inside = np.inf
        if free_cuts and boundaries[e] - boundaries[p] > 1:
            inside = free_cut(p, value, start_value, prices)
            if inside + prices[1] < best:
                best, best_start = inside + prices[1], p
        value[e], origin[e] = best, best_start
        start_value[e] = min(best, inside)
        while lowest < p:
            length = boundaries[e] - boundaries[lowest]
            drift = _drift(penalty, pair_sum[lowest], length)
            # The margin keeps rounding from dropping a start that ties.
            if start_value[lowest] + drift < start_value[e] * (1.0 + 1e-13):
                break
            lowest += 1
    return lowest, work
