"""The drift of a block: what its evaluation times add to the gain of a bandit that stands still.

One function for each form of the argument, loosest first. M is the number of rounds of the
block, C its uniformity, s = 1/σ². Each is 0 for a block of equal times, and superadditive over
adjacent blocks (Lemma M), which is what makes the searches of this room exact.

- `uniformity_drift`  ½ M g(s·rate·√(C/M)): as Theorem 1 prints it with g = φ and rate ε (needs
  1 − k_time ≤ ε|·|), additive with g = log(1 + ·) and the true slope θ of the kernel
- `refined_drift`     ½ Σ_k log(1 + s(1 − k_time(τ_k, c)²)), best centre c (Theorem A)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from bounds import formulas
from bounds.arithmetic import DOUBLES
from bounds.arrays import FloatArray, IntArray
from bounds.formulas import Growth, spread
from bounds.kernels import Kernel
from bounds.numerics.least import least_between
from bounds.partitions.partition import Partition
from bounds.partitions.uniformity import scaled_uniformities
from bounds.times import EvaluationTimes, sums_outward

AnyArray = TypeVar("AnyArray", FloatArray, IntArray)

_PROBES = 33
"""Centres tried before ranges between them are dropped or halved."""
_MOST_PAIRS = 300_000_000
"""Pairs of a round and a centre looked at for one block, some seconds: all of 17,000 rounds."""


class Center(NamedTuple):
    """The instant `offset` after a round (counted from 0) and before the next one, exactly."""

    round: int
    offset: float = 0.0


class CenteredDrift(NamedTuple):
    """The drift of each block and the centre at which it is attained."""

    drift: FloatArray
    centers: tuple[Center, ...]


def uniformity_drift(
    times: EvaluationTimes,
    partition: Partition,
    rate: float,
    growth: Growth,
    noise_variance: float,
) -> FloatArray:
    """½ M_i g(s·rate·√(C_i/M_i)) of each block, C_i with cap 1/rate². Shape (N,), O(n)."""
    lengths = np.array(partition.lengths, dtype=float)
    scaled = scaled_uniformities(times, partition, rate)
    return np.asarray(spread(DOUBLES, growth, lengths, scaled, noise_variance))


def refined_drift(
    times: EvaluationTimes, partition: Partition, time_kernel: Kernel, noise_variance: float
) -> CenteredDrift:
    """½ Σ_k log(1 + s(1 − k_time(τ_k, c_i)²)) at the best centre of each block (Theorem A).

    Centres are measured from time 0, like the times. Over all real centres: for a completely
    monotone kernel the best is one of the block's own times (the term is concave in the distance
    on either side), for any other it is found by branch and bound to a relative 1e-7.
    """
    drift, centers = np.empty(len(partition)), []
    for i, (start, end) in enumerate(partition.blocks()):
        drift[i], at = best_center(times.block(start, end), time_kernel, noise_variance)
        centers.append(Center(start + at.round, at.offset))
    return CenteredDrift(drift, tuple(centers))


def drift_at_center(
    times: EvaluationTimes, center: Center, time_kernel: Kernel, noise_variance: float
) -> float:
    """½ Σ_k log(1 + s(1 − k_time(τ_k, c)²)) for one block and one centre. O(n)."""
    at, waits = center.round, times.waits
    distance = np.empty(times.n)
    distance[at] = center.offset
    distance[:at] = center.offset + np.cumsum(waits[at:0:-1])[::-1]
    if at + 1 < times.n:
        distance[at + 1 :] = np.cumsum(
            np.concatenate(([waits[at + 1] - center.offset], waits[at + 2 :]))
        )
    return float(np.sum(round_drift(distance, time_kernel, noise_variance)))


def round_drift(distance: ArrayLike, time_kernel: Kernel, noise_variance: float) -> FloatArray:
    """½ log(1 + s(1 − k_time(r)²)), what one round at distance r from the centre adds."""
    return np.asarray(
        formulas.round_drift(DOUBLES, np.asarray(time_kernel.deficit(distance)), noise_variance)
    )


def best_center(
    times: EvaluationTimes, time_kernel: Kernel, noise_variance: float
) -> tuple[float, Center]:
    """(drift, centre) of one block at its best real centre.

    Branch and bound: a round is at least as far from a centre in [u, v] as from the interval, and
    the drift does not fall with distance, so Σ_k of the drift at that distance bounds every centre
    of the interval from below; of a completely monotone kernel that drift is moreover concave
    between two of the block's own times. Intervals that cannot win are dropped, the others halved.
    O(n) for each interval looked at: some log n beyond the first, some hundred for other kernels;
    beyond 17,000 rounds the best of those that some seconds allow.
    """
    if not times.waits.any():
        return 0.0, Center(0)
    best, at = _best_own_time(times, time_kernel, noise_variance)
    if time_kernel.completely_monotone:
        return best, Center(at)
    between = _best_real_center(times, time_kernel, noise_variance)
    value = drift_at_center(times, between, time_kernel, noise_variance)
    return (value, between) if value < best else (best, Center(at))


def _best_own_time(
    times: EvaluationTimes, time_kernel: Kernel, noise_variance: float
) -> tuple[float, int]:
    """Branch and bound over the block's own times, in ranges of rounds."""

    def drift_of(first: IntArray, last: IntArray) -> FloatArray:
        """Lower bound of the drift for centres between two rounds; the drift itself at one."""
        rows = []
        for a, b in _slices(first, last, times.n):
            distance = sums_outward(times.waits, a, b)
            rows.append(round_drift(distance, time_kernel, noise_variance).sum(axis=1))
        return np.concatenate(rows)

    def without_between(i: int, a: int, b: int) -> float:
        """The lesser of the drifts at the rounds a and b, of all rounds but those between."""
        within = times.waits[a + 1 : b + 1]
        distances = within[:-1].cumsum(), within[:0:-1].cumsum()
        lost = (round_drift(distance, time_kernel, noise_variance).sum() for distance in distances)
        return min(float(whole - part) for whole, part in zip(ends[:, i], lost, strict=True))

    probes = np.unique(np.linspace(0, times.n - 1, min(times.n, _PROBES)).astype(np.int64))
    values = drift_of(probes, probes)
    best, best_round = float(values.min()), int(probes[np.argmin(values)])
    a, b, ends = probes[:-1], probes[1:], np.stack((values[:-1], values[1:]))
    pairs = len(probes) * times.n
    while len(a := a[wide := b - a > 1]) and pairs < _MOST_PAIRS:
        b, ends = b[wide], ends[:, wide]
        if time_kernel.completely_monotone:
            # Rounds outside are on one side of every centre between a and b, so that their drift
            # is concave there and least at an end.
            ranges = zip(a.tolist(), b.tolist(), strict=True)
            under = np.array([without_between(i, *ab) for i, ab in enumerate(ranges)])
        else:
            under = drift_of(a, b)
        a, b, ends = a[under < best], b[under < best], ends[:, under < best]
        if not len(a):
            break
        pairs += len(a) * times.n
        middle = (a + b) // 2
        values = drift_of(middle, middle)
        if values.min() < best:
            best, best_round = float(values.min()), int(middle[np.argmin(values)])
        halves = np.stack((ends[0], values)), np.stack((values, ends[1]))
        a, b, ends = *map(np.concatenate, ((a, middle), (middle, b))), np.hstack(halves)
    return best, best_round


def _best_real_center(times: EvaluationTimes, time_kernel: Kernel, noise_variance: float) -> Center:
    """Branch and bound over real centres to a relative 1e-7, then a local search."""
    offsets = times.offsets()

    def drift_of(first: FloatArray, last: FloatArray) -> FloatArray:
        """Lower bound of the drift for centres in [first, last]; the drift itself at a point."""
        rows = []
        for a, b in _slices(first, last, times.n):
            distance = np.maximum(np.maximum(a[:, None] - offsets, offsets - b[:, None]), 0.0)
            rows.append(round_drift(distance, time_kernel, noise_variance).sum(axis=1))
        return np.concatenate(rows)

    probes = np.unique(np.concatenate((offsets, np.linspace(0.0, offsets[-1], 65))))
    values = drift_of(probes, probes)
    best, best_at = float(values.min()), float(probes[np.argmin(values)])
    low, high = probes[:-1], probes[1:]
    for _ in range(200):
        alive = drift_of(low, high) < best * (1.0 - 1e-7)
        low, high = low[alive], high[alive]
        if not len(low):
            break
        middle = 0.5 * (low + high)
        values = drift_of(middle, middle)
        if values.min() < best:
            best, best_at = float(values.min()), float(middle[np.argmin(values)])
        low, high = np.concatenate((low, middle)), np.concatenate((middle, high))
    # The interval is settled; a local search adds the digits below 1e-7.
    width = offsets[-1] / 64
    polished, least = least_between(
        lambda c: float(drift_of(np.array([c]), np.array([c]))[0]),
        max(0.0, best_at - width),
        min(offsets[-1], best_at + width),
        1e-10 * offsets[-1],
    )
    if least < best:
        best_at = polished
    before = min(int(np.searchsorted(offsets, best_at, side="right")), times.n) - 1
    if before + 1 == times.n:
        return Center(before)
    return Center(before, min(best_at - float(offsets[before]), float(times.waits[before + 1])))


def _slices(first: AnyArray, last: AnyArray, n: int) -> Iterator[tuple[AnyArray, AnyArray]]:
    """Pairs of interval ends in slices, so that a long block does not become a huge matrix."""
    step = max(1, 2_000_000 // n)
    for i in range(0, len(first), step):
        yield first[i : i + step], last[i : i + step]
