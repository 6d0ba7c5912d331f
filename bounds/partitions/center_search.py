"""Optimal partitions and centres for Theorem A.

Minimises Σ_i [price[M_i] + ½ Σ_{k in block i} log(1 + s(1 − k_time(τ_k, c_i)²))] over all
partitions and over the centres, by dynamic programming over the last block (start j, end e).

Exactness. The term of a round, h(|τ_k − c|), does not fall with its distance from the centre.
- When a round joins on the right, every centre left of the best one loses its chance: it was no
  better before and the new round is farther from it. Mirrored on the left. So the best centre
  c*(j,e) lies between c*(j,e−1) and c*(j+1,e), and all pairs of one diagonal share one sweep.
- The block term is superadditive over adjacent blocks (a centre good for the union is a centre
  for either part), so a start j with F(j) + w(j,e) ≥ F(e) is dead beyond e, for any
  non-decreasing prices. No concavity of the prices is used anywhere.
- For a completely monotone time kernel the best real centre is one of the block's own times. For
  other kernels the centres are intervals, and a round counts at its distance from the interval:
  the optimum is then a lower bound, tight as the intervals shrink.

Cost. O(n·L) with L the number of starts alive: one kernel value and about three memory reads for
each pair. Memory O(n + L²).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.kernels import Kernel
from bounds.numerics.compiled import compiled
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.drift import round_drift
from bounds.partitions.uniformity_search import CutChain, backtrack, free_cut, out_of_reach
from bounds.times import sums_outward

ENDS_PER_STEP = 128
_OUTWARD = 2.0**-50
LARGEST_DENSE = 400
"""Rounds up to which numpy searches by whole tables; beyond, compiled loops."""

LARGEST_TABLE = 120_000_000
"""Entries of the table of left sums (8 bytes each) beyond which the search gives up."""


@dataclass(frozen=True, eq=False)
class Centers:
    """Candidate centres, in order, as intervals; those of group k lie after cell k−1, up to cell k.

    Attributes
    ----------
    after : (Z,) float ≥ 0, from the last round before an interval's group to its beginning
    before : (Z,) float ≥ 0, from the end of an interval to the last round of its cell
    groups : (K+1,) int, group k has the indices groups[k] … groups[k+1]−1, at least one
    own : whether the intervals are the cells themselves
    """

    after: FloatArray
    before: FloatArray
    groups: IntArray
    own: bool = False

    @classmethod
    def of_cells(cls, cells: Cells) -> Centers:
        """The cells themselves: exact for single rounds and a completely monotone kernel."""
        count = len(cells.waits)
        return cls(cells.waits, np.zeros(count), np.arange(count + 1), True)

    @classmethod
    def covering(cls, cells: Cells, count: int, reach: float) -> Centers:
        """About `count` intervals that cover the whole time from the first to the last round.

        Where a wait is longer than twice `reach`, its middle is one interval: all its rounds are
        too far for the place of a centre in it to matter.
        """
        waits = cells.waits + cells.extents
        near = np.minimum(waits / 2, reach)
        width = max(2 * near.sum() / count, np.finfo(float).tiny)
        pieces = np.maximum(1, np.ceil(near / width)).astype(np.int64)
        # Each wait: `pieces` intervals at its beginning, one in the middle, `pieces` at its end.
        groups = np.concatenate(([0], np.cumsum(2 * pieces + 1)))
        owner = np.repeat(np.arange(len(waits)), 2 * pieces + 1)
        rank = np.arange(groups[-1]) - groups[:-1][owner]
        step, inner, whole = (near / pieces)[owner], pieces[owner], waits[owner]

        def from_end(index: IntArray, total: IntArray) -> FloatArray:
            """Distance of the edge `index` of `total` from the end that has the low numbers."""
            return np.asarray(
                np.where(index <= inner, index * step, whole - (total - index) * step)
            )

        edges = 2 * inner + 1
        # Rounded towards the ends, so that rounding leaves no slit between two intervals.
        after = from_end(rank, edges) * (1.0 - _OUTWARD)
        before = from_end(edges - rank - 1, edges) * (1.0 - _OUTWARD)
        return cls(np.maximum(after, 0.0), np.maximum(before, 0.0), groups)


@dataclass(frozen=True, eq=False)
class CenteredChain(CutChain):
    """A `CutChain` with the index of the candidate centre of each block."""

    centers: IntArray


def search_by_centers(
    cells: Cells,
    centers: Centers,
    time_kernel: Kernel,
    noise_variance: float,
    prices: FloatArray,
    options: SearchOptions = ALL,
) -> CenteredChain:
    """Minimise Theorem A's bound over the boundaries of `cells` and the candidates `centers`.

    `prices` is (n+1,) and non-decreasing.
    """
    free_cuts, work_limit, progress = options
    few = cells.n == len(cells.waits) <= LARGEST_DENSE
    if centers.own and few and not free_cuts and work_limit >= cells.n**2:
        progress(1.0)
        gaps = sums_outward(cells.waits, *[np.arange(cells.n)] * 2)
        return _by_table(round_drift(gaps, time_kernel, noise_variance), prices, cells)

    lines = _Line(cells.waits, cells.extents, centers.after, centers.before, centers.groups)

    def drift_terms(rows: slice, columns: slice) -> FloatArray:
        """½ log(1 + s(1 − k²)) of the cells `rows` at the centres of the cells `columns`."""
        gaps = _gaps(rows.start, rows.stop, columns.start, columns.stop, lines)
        return round_drift(gaps, time_kernel, noise_variance)

    count = len(cells.boundaries) - 1
    groups = centers.groups
    layout = _Layout(cells.boundaries, cells.counts, groups)
    state = _State.fresh(count, int(groups[-1]))
    table = np.zeros((0, 0))
    lowest, work = 0, 0
    for begin in range(0, count, ENDS_PER_STEP):
        stop = min(count, begin + ENDS_PER_STEP)
        grown = _with_room(
            table,
            groups[stop] - groups[lowest],
            stop - lowest,
            (groups[lowest], groups[begin]),
            (lowest, begin),
        )
        ahead = (begin - lowest) * (count - begin)
        if grown is None or out_of_reach(work, ahead, work_limit):
            return CenteredChain(-np.inf, (), work, False, state.center_of_end[:0])
        table = grown
        terms = drift_terms(slice(begin, stop), slice(lowest, stop))
        terms_of_new = terms
        if not centers.own:
            new = drift_terms(slice(lowest, stop), slice(begin, stop))
            terms_of_new = np.ascontiguousarray(new.T)
        fresh = _Terms(terms, terms_of_new, lowest)
        lowest = _advance(begin, stop, lowest, layout, fresh, prices, free_cuts, table, state)
        work += terms.size
        progress(stop / count)
    cuts = backtrack(state.origin, cells.boundaries)
    ends = np.searchsorted(cells.boundaries, np.array(cuts[1:]))
    return CenteredChain(float(state.value[count]), cuts, work, True, state.center_of_end[ends])


def _by_table(terms: FloatArray, prices: FloatArray, cells: Cells) -> CenteredChain:
    """The same programme for rounds that are their own centres, by whole tables. O(nL²).

    terms[z, k] is the drift of round k at the centre z; of a block j … p the rounds before z count
    with left[z, j], the others with right[z]. The rounds alive are those from `lowest` on.
    """
    n = len(terms)
    value, origin = np.zeros(n + 1), np.zeros(n + 1, dtype=np.int64)
    center_of_end = np.zeros(n + 1, dtype=np.int64)
    before = np.tril(terms, -1)
    left = np.full((n, n), np.inf)
    left[:, :-1] = before[:, -2::-1].cumsum(axis=1)[:, ::-1]
    left[:, -1] = 0.0
    left[np.triu_indices(n, 1)] = np.inf  # a centre before the block
    right, backward, lowest, work = np.zeros(n), prices[::-1], 0, 0
    for p in range(n):
        right[: p + 1] += terms[: p + 1, p]
        totals = left[lowest : p + 1, lowest : p + 1] + right[lowest : p + 1, None]
        best = totals.argmin(axis=0)
        drift = totals[best, np.arange(p + 1 - lowest)]
        costs = value[lowest : p + 1] + backward[n - p - 1 + lowest : n] + drift
        start = p - int(costs[::-1].argmin())  # of equal ones the latest
        value[p + 1], origin[p + 1] = costs[start - lowest], start
        center_of_end[p + 1] = lowest + best[start - lowest]
        work += totals.size
        # As in `_advance`: a start that is beaten by p + 1 itself is beaten ever after.
        alive = value[lowest:p] + drift[:-1] < value[p + 1] * (1.0 + 1e-13)
        lowest += int(alive.argmax()) if alive.any() else p - lowest
    cuts = backtrack(origin, cells.boundaries)
    return CenteredChain(float(value[n]), cuts, work, True, center_of_end[np.array(cuts[1:])])


class _Line(NamedTuple):
    """Cells and candidate centres along the time; see `Cells` and `Centers`."""

    waits: FloatArray
    extents: FloatArray
    after: FloatArray
    before: FloatArray
    groups: IntArray


class _Layout(NamedTuple):
    """Which rounds belong to each cell and which centres to each group."""

    boundaries: IntArray
    counts: FloatArray
    groups: IntArray


class _Terms(NamedTuple):
    """Drifts of one round, for the ends that are processed together.

    terms[p − begin, z − groups[base]] is that of cell p at centre z, and
    of_new[z − groups[begin], k − base] that of cell k at a centre z that is new here.
    """

    terms: FloatArray
    of_new: FloatArray
    base: int


class _State(NamedTuple):
    """What is known at each boundary, start and centre, filled in by `_advance`."""

    value: FloatArray  # F at each boundary
    start_value: FloatArray  # F, or less where a free cut inside the cell before is cheaper
    origin: IntArray  # boundary at which the last block of the optimum begins
    center_of_end: IntArray  # and its centre
    right: FloatArray  # right sums of each centre
    best_center: IntArray  # of the block from each start to the present end
    drift: FloatArray  # of that block

    @classmethod
    def fresh(cls, count: int, centers: int) -> _State:
        value, start_value = np.full(count + 1, np.inf), np.full(count + 1, np.inf)
        value[0] = start_value[0] = 0.0
        origin, center_of_end = np.zeros((2, count + 1), dtype=np.int64)
        return cls(
            value,
            start_value,
            origin,
            center_of_end,
            np.zeros(centers),
            np.zeros(count, dtype=np.int64),
            np.zeros(count),
        )


@compiled()
def _gaps(
    begin: int, stop: int, low: int, high: int, line: _Line
) -> FloatArray:  # pragma: no cover
    """Smallest distance between the cells begin … stop−1 and the centres of the cells low … high−1.

    Sums of what lies in between, outward from each cell.
    """
    waits, extents, after, before, groups = line
    origin = groups[low]
    gaps = np.zeros((stop - begin, groups[high] - origin))
    for k in range(begin, stop):
        row = gaps[k - begin]
        distance = 0.0
        for g in range(k, low - 1, -1):
            # `distance` is from cell k back to the last round of cell g.
            if g < high:
                for z in range(groups[g], groups[g + 1]):
                    away = before[z] - extents[k] if g == k else distance + before[z]
                    row[z - origin] = max(away, 0.0)
            distance += waits[g] if g == k else extents[g] + waits[g]
        distance = 0.0
        for g in range(k + 1, high):
            # `distance` is from cell k on to the last round of cell g − 1.
            if g >= low:
                for z in range(groups[g], groups[g + 1]):
                    row[z - origin] = distance + after[z]
            distance += waits[g] + extents[g]
    return gaps


def _with_room(
    table: FloatArray,
    centers: int,
    cells: int,
    live_centers: tuple[int, int],
    live_cells: tuple[int, int],
) -> FloatArray | None:
    """The ring table with room for that many live centres and cells (powers of two), or None.

    Entry (centre z, start j) stands at (z mod rows, j mod columns); a larger ring keeps those of
    the live ranges.
    """
    rows, columns = table.shape
    if centers <= rows and cells <= columns:
        return table
    new_rows = max(rows, 1 << int(centers - 1).bit_length())
    new_columns = max(columns, 1 << int(cells - 1).bit_length())
    if new_rows * new_columns > LARGEST_TABLE:
        return None
    grown = np.zeros((new_rows, new_columns))
    if table.size:
        z, j = np.arange(*live_centers), np.arange(*live_cells)
        grown[np.ix_(z % new_rows, j % new_columns)] = table[np.ix_(z % rows, j % columns)]
    return grown


@compiled()
def _advance(
    begin: int,
    stop: int,
    lowest: int,
    layout: _Layout,
    fresh: _Terms,
    prices: FloatArray,
    free_cuts: bool,
    table: FloatArray,
    state: _State,
) -> int:  # pragma: no cover
    """Process the ends begin+1 … stop; returns the oldest start alive.

    Left sums: table[z, j] = Σ of the cells j … (group of z) − 1. Right sums: right[z], the rest.
    """
    boundaries, counts, groups = layout
    terms, terms_of_new, base = fresh
    value, start_value, origin, center_of_end, right, best_center, drift = state
    row_mask, column_mask = table.shape[0] - 1, table.shape[1] - 1
    first_center = groups[base]
    for p in range(begin, stop):
        e = p + 1
        for z in range(groups[lowest], groups[p]):
            right[z] += counts[p] * terms[p - begin, z - first_center]
        for z in range(groups[p], groups[e]):
            right[z] = counts[p] * terms[p - begin, z - first_center]
            row = z & row_mask
            left = 0.0
            table[row, p & column_mask] = 0.0
            for k in range(p - 1, lowest - 1, -1):
                left += counts[k] * terms_of_new[z - groups[begin], k - base]
                table[row, k & column_mask] = left
        best, best_start = np.inf, p
        upper = groups[e] - 1
        best_center[p] = groups[p]
        for j in range(p, lowest - 1, -1):
            column = j & column_mask
            smallest, at = np.inf, best_center[j]
            for z in range(best_center[j], upper + 1):
                total = table[z & row_mask, column] + right[z]
                if total < smallest:
                    smallest, at = total, z
            best_center[j], upper, drift[j] = at, at, smallest
            cost = start_value[j] + prices[boundaries[e] - boundaries[j]] + smallest
            if cost < best:
                best, best_start = cost, j
        inside = np.inf
        if free_cuts and boundaries[e] - boundaries[p] > 1:
            inside = free_cut(p, value, start_value, prices)
            if inside + prices[1] < best:
                best, best_start = inside + prices[1], p
        value[e], origin[e], center_of_end[e] = best, best_start, best_center[best_start]
        start_value[e] = min(best, inside)
        # The margin keeps rounding from dropping a start that ties.
        while lowest < p and start_value[lowest] + drift[lowest] >= start_value[e] * (1.0 + 1e-13):
            lowest += 1
    return lowest
