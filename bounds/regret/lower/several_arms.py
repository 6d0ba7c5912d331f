"""The least regret of three and more independent arms with exact looks, by dynamic programming.

As for two arms (`two_arms`), with the values of all arms seen so far as the state. With round i as
the last, S the rounds in which each arm seen was last looked at, the latest first, and x its
values,

    F_i^S(x) = max over arms p seen of k x_p + E F_{i+1}(k x_p + sZ, the other x), and, while an arm
               is unseen, E F_{i+1}(Z, x),

k and s of the wait since arm p was seen. After the last round F = 0, so that n − 1 values are the
most that a state holds, whatever the number of arms. F is convex and does not decrease in any
value: chords between knots lie above it, a plane at each tuple of knots below. See
docs/theory.md#least-regret.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import matrices
from bounds.kernels import Kernel
from bounds.regret.lower.arm_value import Moves
from bounds.regret.lower.normal_excess import ROUNDED_UP, excess_table, excesses_above
from bounds.times import ExactTimes

_SLACK = 2.0**-44

Seen = tuple[int, ...]
"""The rounds in which the arms seen were last looked at, the latest first."""


def earned_above(moves: Moves, arms: int, points: FloatArray) -> float:
    """Above what n rounds of exact looks at this many arms can earn."""
    n, cells = moves.n, excess_table()
    tables = [
        _excesses(decay, spread, points, cells)
        for decay, spread in zip(moves.decays, moves.spreads[0], strict=True)
    ]
    first = _excesses(0.0, 1.0, points, cells)[:, :1]
    later: dict[Seen, FloatArray] = {}

    def mean(seen: Seen, table: FloatArray, slope: float) -> FloatArray | float:
        """Above E F of the next round over the value it shows: (m, …) or, of a new arm, (1, …)."""
        if seen not in later:
            return 0.0
        values = later[seen]
        apart = np.diff(points).reshape(-1, *[1] * (values.ndim - 1))
        steps = np.concatenate([np.diff(values, axis=0) / apart, np.full_like(values[:1], slope)])
        risen = np.maximum.accumulate(np.maximum(steps, 0.0), axis=0)
        bends = np.diff(risen, axis=0, prepend=0.0) * ROUNDED_UP
        return np.asarray(values[0] + np.tensordot(table, bends, (0, 0)) * ROUNDED_UP)

    for i in range(n - 2, -1, -1):
        now = {}
        for seen in _states(i, arms):
            size, best = len(seen), np.full((len(points),) * len(seen), -np.inf)
            for p, (last, others) in enumerate(_each(seen)):
                d = moves.which[last, i + 1]
                follows = mean((i + 1, *others), tables[d], moves.slopes[i + 1])
                earned = np.moveaxis(follows + _along(moves.decays[d] * points, size), 0, p)
                best = np.maximum(best, earned)
            if size < arms:
                new = mean((i + 1, *seen), first, moves.slopes[i + 1])
                best = np.maximum(best, new if isinstance(new, float) else new[0])
            best = best + 2.0 * _SLACK * (1.0 + np.abs(best) + np.max(np.abs(points)))
            for axis in range(size):
                best = np.maximum.accumulate(best, axis=axis)
            now[seen] = best
        later = now
    whole = mean((0,), first, moves.slopes[0])
    total = whole if isinstance(whole, float) else float(whole[0])
    return total + _SLACK * (1.0 + abs(total))


def earned_below(
    times: ExactTimes, kernel: Kernel, moves: Moves, arms: int, points: FloatArray
) -> float:
    """Below what the best policy earns: an affine function for each state and tuple of knots."""
    n, M = moves.n, len(points)
    with enclosure.precision(matrices.WORKING_BITS):
        cells: dict[int, Cells] = {}
        for j, i in combinations(range(n), 2):
            d = int(moves.which[j, i])
            if d not in cells:
                wait = (times.ticks[i] - times.ticks[j]) * times.unit
                cells[d] = cells_after(kernel, wait, points)
        fresh = Cells.of(enclosure.ball(0), enclosure.ball(1), points)
    first = Cells(fresh.shares[:1], fresh.moments[:1])
    later: dict[Seen, FloatArray] = {}

    def mean(seen: Seen, law: Cells, decay: float, size: int) -> FloatArray:
        """Planes (1 + size, m, …) below E F of the next round, by the values it starts from."""
        expected = np.zeros((size + 1, len(law.shares), *[M] * (size - 1)))
        planes = later.get(seen, np.zeros(2))
        expected[0] = -rounding_of_planes(planes, M)
        if seen in later:
            expected[0] += np.tensordot(law.shares, planes[0], 1)
            expected[0] += np.tensordot(law.moments, planes[1], 1)
            expected[1] = decay * np.tensordot(law.shares, planes[1], 1)
            for axis in range(2, size + 1):
                expected[axis] = np.tensordot(law.shares, planes[axis], 1)
        return expected

    for i in range(n - 2, -1, -1):
        now = {}
        for seen in _states(i, arms):
            size = len(seen)
            best = np.full((size + 1, *[M] * size), -np.inf)
            for p, (last, others) in enumerate(_each(seen)):
                d = int(moves.which[last, i + 1])
                planes = mean((i + 1, *others), cells[d], moves.decays[d], size)
                planes[0] += _along(moves.decays[d] * points, size)
                planes[1] += moves.decays[d]
                order = [0, *range(2, p + 2), 1, *range(p + 2, size + 1)]
                best = _larger(best, np.moveaxis(planes, 1, p + 1)[order])
            if size < arms:
                planes = mean((i + 1, *seen), first, 0.0, size + 1)[:, 0]
                best = _larger(best, np.delete(planes, 1, axis=0))
            now[seen] = best
        later = now
    return float(mean((0,), first, 0.0, 1)[0, 0])


def _states(i: int, arms: int) -> Iterator[Seen]:
    """Of the round i: which rounds may have been the last for the arms seen by then."""
    for size in range(1, min(arms, i + 1) + 1):
        for others in combinations(range(i - 1, -1, -1), size - 1):
            yield (i, *others)


def _each(seen: Seen) -> Iterator[tuple[int, Seen]]:
    """The last look of each arm, and those of the others."""
    for p, last in enumerate(seen):
        yield last, (*seen[:p], *seen[p + 1 :])


def _along(values: FloatArray, size: int) -> FloatArray:
    """Values of the first of so many axes."""
    return values.reshape(-1, *[1] * (size - 1))


def _larger(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.where((a[0] >= b[0])[None], a, b)


def _excesses(decay: float, spread: float, points: FloatArray, cells: FloatArray) -> FloatArray:
    """[l, m]: E(k u_m + sZ − u_l)₊ from above."""
    means = decay * points
    excesses = excesses_above(means[None], np.array([spread]), points, cells)[0].T * ROUNDED_UP
    slack = _SLACK * (1.0 + np.abs(means) + np.abs(points[:, None]))
    return np.asarray(excesses + slack)


@dataclass(frozen=True, eq=False)
class Cells:
    """Of the next value X given a knot u: P(X in the cell of knot l) and E[X − u_l; cell], (M, M).

    Doubles within 2⁻⁵⁰ of the numbers, which balls enclose.
    """

    shares: FloatArray
    moments: FloatArray

    @classmethod
    def of(cls, decay: enclosure.Number, spread: enclosure.Number, points: FloatArray) -> Cells:
        M = len(points)
        at = [enclosure.exact_double(u) for u in points.tolist()]
        edges = [(a + b) / 2 for a, b in pairwise(at)]
        shares, moments = np.empty((M, M)), np.empty((M, M))
        exact = enclosure.is_exact(spread) and spread == 0
        scale = enclosure.divide(1, enclosure.sqrt(2 * enclosure.pi()))
        for m, u in enumerate(at):
            mean = decay * u
            if exact:  # the value stays: one cell, that of the nearest knot
                near = int(np.argmin(np.abs(points - float(enclosure.ball(mean).mid()))))
                shares[m], moments[m] = 0.0, 0.0
                shares[m, near] = 1.0
                moments[m, near] = float(enclosure.ball(mean - at[near]).mid())
                continue
            z = [(edge - mean) / spread for edge in edges]
            below = [enclosure.ball(0), *(enclosure.normal_cdf(x) for x in z), enclosure.ball(1)]
            density = [0, *(scale * enclosure.exp(-x * x / 2) for x in z), 0]
            for l in range(M):
                share = below[l + 1] - below[l]
                moment = (mean - at[l]) * share - spread * (density[l + 1] - density[l])
                shares[m, l] = float(enclosure.ball(share).mid())
                moments[m, l] = float(enclosure.ball(moment).mid())
        return cls(shares, moments)

    def means(self, planes: FloatArray) -> FloatArray:
        """(M, q) of E plane(X, y) for planes (3, l, q): value, slope in x, slope in y."""
        return np.asarray(self.shares @ planes[0] + self.moments @ planes[1])


def cells_after(kernel: Kernel, wait: Fraction, points: FloatArray) -> Cells:
    """What a wait makes of each knot."""
    lost = enclosure.ball(kernel.enclosed_deficit(wait))
    decay = enclosure.ball(kernel.enclosed_at_distance(wait))
    if not enclosure.certainly_lt(0, lost):
        return Cells.of(decay, 0, points)
    return Cells.of(decay, enclosure.sqrt(lost), points)


def rounding_of_planes(planes: FloatArray, M: int) -> float:
    """Above what rounding can add to a value: sums of M products, and slopes away from the knot."""
    largest = float(np.max(np.abs(planes[0]))) + 40.0 * float(np.max(np.abs(planes[1:])))
    return 2.0**-50 * (M + 16) * (1.0 + largest)
