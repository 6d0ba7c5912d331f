"""Where and when a block of rounds looks: designs of points, the rule of a block, its ceiling (U).

Round t of a block looks at the next of the points z_1, …, z_r in turn where it has looked fewer
than max(r, 2c√t) times so far, and plays the largest posterior mean elsewhere. With c = Λσ√(2r)

    E R_n ≤ m*·Σ_B min{|B|, r + 1 + 4√2·Λσ√(r|B|) + 2A²|B| + 2Λ²·Σ_{k in B} V(first, k)},

A and Λ the largest quotients to d_K(x, y) of what interpolation at z loses of g(x) − g(y), and of
Σ|L_j(x) − L_j(y)|. See docs/theory.md#theorem-i3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.partitions.partition import Partition
from bounds.regret.ingredients.schedules.schedule import Schedule, spread_design
from bounds.smooth.block_search import best_blocks
from bounds.smooth.order import block_drift

LEAST_APART = 1e-14
"""Variance of a difference below which two points are taken for one, in doubles."""

_MOST_PER_AXIS = 8
_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 25)
_LEAST_LEFT = 1e-10


@dataclass(frozen=True, eq=False)
class Design:
    """Points to look at, and how well their values tell differences of all others.

    Attributes
    ----------
    points : indices
    error : A, of the interpolation with the least error
    steepness : Λ
    """

    points: IntArray
    error: float
    steepness: float

    def rate(self, noise_variance: float) -> float:
        """c = Λσ√(2r): 2c√t looks in t rounds of a block."""
        return self.steepness * sqrt(2.0 * noise_variance * len(self.points))

    def prices(self, n: int, noise_variance: float) -> FloatArray:
        """(n+1,) r + 1 + 4√2·Λσ√(rL) + 2A²L, what a block of L rounds costs beside drift."""
        r, lengths = len(self.points), np.arange(n + 1, dtype=float)
        learnt = 4.0 * self.steepness * np.sqrt(2.0 * noise_variance * r * lengths)
        return np.asarray(r + 1.0 + learnt + 2.0 * self.error**2 * lengths)


@dataclass(frozen=True, eq=False)
class BlockCeiling:
    """(U) at the partition where it is smallest: E R_n ≤ value·m* for its schedule.

    Attributes
    ----------
    value : in units of m*, at most n
    partition : where it is attained
    design : the points of every block
    schedule : the rounds that look, and their points; none in a block that costs its length
    """

    value: float
    partition: Partition
    design: Design
    schedule: Schedule


def pairs(gram: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """The pairs of different points as two arrays of indices, and d_K² of each."""
    first, second = np.triu_indices(len(gram), 1)
    spread = np.diagonal(gram)
    apart = spread[first] + spread[second] - 2.0 * gram[first, second]
    kept = apart > LEAST_APART
    return first[kept], second[kept], apart[kept]


def designs(gram: FloatArray, shape: tuple[int, ...] | None = None) -> Iterator[IntArray]:
    """Points to look at: those that leave the least variance, and of a grid the spread ones.

    Of different designs none comes twice. Not one depends on the number of rounds, so that what is
    smallest over all of them does not fall with a further round.

    >>> [design.tolist() for design in designs(np.eye(2))]
    [[0], [0, 1]]
    """
    order = _least_variance_order(gram)
    candidates = [order[:length] for length in _LENGTHS if length <= len(order)]
    if shape is not None:
        candidates += [spread_design(count, shape) for count in range(2, _MOST_PER_AXIS + 1)]
    seen: set[frozenset[int]] = set()
    for design in candidates:
        if (key := frozenset(design.tolist())) not in seen:
            seen.add(key)
            yield design


def _least_variance_order(gram: FloatArray) -> IntArray:
    """Each point the one that is known least given those before it; ends where nothing is left."""
    left, rows = np.array(np.diagonal(gram), dtype=float), np.empty((0, len(gram)))
    order: list[int] = []
    for _ in range(min(len(gram), max(_LENGTHS))):
        z = int(np.argmax(left > left.max() * (1.0 - 1e-9)))
        if left[z] < _LEAST_LEFT:
            break
        row = (gram[z] - rows[:, z] @ rows) / sqrt(left[z])
        rows, left = np.vstack([rows, row]), left - row * row
        left[z] = 0.0
        order.append(z)
    return np.array(order, dtype=np.int64)


def design_of(gram: FloatArray, points: IntArray) -> Design | None:
    """A and Λ of the interpolation K(x, z)K(z, z)⁻¹; None where K(z, z) is singular in doubles.

    >>> design = design_of(np.eye(2), np.array([0, 1]))
    >>> design.error, round(design.steepness, 6)
    (0.0, 1.414214)
    """
    try:
        factor = linalg.cho_factor(gram[np.ix_(points, points)])
    except linalg.LinAlgError:
        return None
    weights = linalg.cho_solve(factor, gram[points])  # (r, N): L_j(x)
    first, second, apart = pairs(gram)
    if not len(apart):
        return Design(points, 0.0, 0.0)
    moved = weights[:, first] - weights[:, second]
    known = np.einsum("jp,jp->p", moved, gram[np.ix_(points, first)] - gram[np.ix_(points, second)])
    lost = np.maximum(apart - known, 0.0) / apart
    # What rounding leaves of a difference that is known exactly counts as nothing.
    error = sqrt(float(lost.max())) if lost.max() > 1e-12 else 0.0
    return Design(points, error, float((np.abs(moved).sum(axis=0) / np.sqrt(apart)).max()))


def least_block_ceiling(
    gram: FloatArray, shares: FloatArray, noise_variance: float, shape: tuple[int, ...] | None
) -> BlockCeiling | None:
    """(U), the smallest over partitions and designs; None where no design can be used.

    Where no design has less than n, the one of the dearest block of all rounds that is cheapest.
    """
    n = len(shares)
    best: tuple[float, float, Design, Partition] | None = None
    for points in designs(gram, shape):
        design = design_of(gram, points)
        if design is None:
            continue
        prices, weight = design.prices(n, noise_variance), 2.0 * design.steepness**2
        cuts = best_blocks(prices, shares, weight=weight, capped=True)
        if cuts is None:
            continue
        partition = Partition(cuts)
        value = block_ceiling(design, shares, noise_variance, partition)
        whole = float(prices[n] + weight * block_drift(shares).sum())
        if best is None or (value, whole) < best[:2]:
            best = value, whole, design, partition
    if best is None:
        return None
    value, _, design, partition = best
    prices, weight = design.prices(n, noise_variance), 2.0 * design.steepness**2
    # A block that costs its length may as well be left to the posterior mean.
    looking = [
        (a, b)
        for a, b in partition.blocks()
        if prices[b - a] + weight * block_drift(shares[a:b]).sum() < b - a
    ]
    schedule = block_schedule(looking, design.points, design.rate(noise_variance))
    return BlockCeiling(value, partition, design, schedule)


def block_ceiling(
    design: Design, shares: FloatArray, noise_variance: float, partition: Partition
) -> float:
    """(U) at one partition, in units of m*."""
    prices, weight = design.prices(len(shares), noise_variance), 2.0 * design.steepness**2
    return float(
        sum(
            min(b - a, prices[b - a] + weight * block_drift(shares[a:b]).sum())
            for a, b in partition.blocks()
        )
    )


def block_schedule(blocks: Iterable[tuple[int, int]], points: IntArray, rate: float) -> Schedule:
    """The looks of these blocks: at round t if fewer than max(r, 2·rate·√t) were made in it.

    >>> block_schedule([(0, 9), (9, 12)], np.array([4, 7]), 0.5).rounds
    (0, 1, 4, 9, 10)
    """
    rounds: list[int] = []
    chosen: list[int] = []
    for start, end in blocks:
        looks = 0
        for t in range(1, end - start + 1):
            if looks < max(float(len(points)), 2.0 * rate * sqrt(t)):
                rounds.append(start + t - 1)
                chosen.append(int(points[looks % len(points)]))
                looks += 1
    return Schedule(tuple(rounds), tuple(chosen))


def growing_schedule(
    gram: FloatArray, blocks: Iterable[tuple[int, int]], noise_variance: float
) -> Schedule:
    """Looks at ever more points in a block, which no later round changes.

    Round t of a block may lose w = min(1, σ/√t). It knows of the first r points in the order of
    the least variance, the fewest whose interpolation errs by A² ≤ w, and looks at the next of them
    in turn where fewer than max(r, 2σ√(rt)) looks were made in the block, and at most one in two
    rounds so far.

    >>> growing_schedule(np.eye(2), [(0, 9), (9, 12)], 0.05).rounds
    (0, 2, 9, 10)
    """
    order = _least_variance_order(gram)
    errors: list[float] = []
    for count in range(1, len(order) + 1):
        design = design_of(gram, order[:count])
        errors.append(0.0 if design is None else design.error**2)
        if not errors[-1]:
            break
    falling = np.minimum.accumulate(errors)
    rounds: list[int] = []
    chosen: list[int] = []
    for start, end in blocks:
        looks = 0
        for t in range(1, end - start + 1):
            may_lose = min(1.0, sqrt(noise_variance / t))
            r = min(len(errors), 1 + int(np.count_nonzero(falling > may_lose)))
            wanted = max(float(r), 2.0 * sqrt(noise_variance * r * t))
            if looks < wanted and 2 * len(rounds) < start + t:
                rounds.append(start + t - 1)
                chosen.append(int(order[looks % r]))
                looks += 1
    return Schedule(tuple(rounds), tuple(chosen))


def long_enough(partition: Partition, points: IntArray, rate: float) -> list[tuple[int, int]]:
    """The blocks of which at most half of the rounds would look."""
    return [
        (a, b)
        for a, b in partition.blocks()
        if b - a >= 2.0 * max(float(len(points)), 2.0 * rate * sqrt(b - a))
    ]
