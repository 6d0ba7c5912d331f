"""The least regret of independent arms with exact looks, by dynamic programming: of two arms.

Let F_i(x, y) be the most that rounds i+1, …, n can still earn when round i has shown the value x of
one arm and round j < i was the last to show the other, y. With k = k_time of the two instants,

    F_i^j(x, y) = max{k x + E F_{i+1}^j(kx + sZ, y),  k' y + E F_{i+1}^i(k'y + s'Z, x)},

the first for staying (k from i to i+1), the second for the other arm (k' from j to i+1); while the
other arm is unseen k' = 0. n·E M less what the first round can start is the least mean regret of a
policy that sees the values themselves, so it is also below that of every policy with noise.

F is convex in (x, y), as a largest of expectations of linear functions is, and does not decrease.
*From above:* chords between knots of x, the constant left of them, the slope Σ_{i'>i} k right of
them; y stays on its knots. *From below:* a plane at each pair of knots. The normal that leads to
the next x is cut into cells, in each of which the plane of one knot counts: an affine function of
(x, y) that is nowhere above F. See docs/theory.md#least-regret.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray, IntArray
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.numerics.compiled import compiled
from bounds.regret.lower import several_arms
from bounds.regret.lower.arm_value import Moves, knots, require_markov
from bounds.regret.lower.looks import Looks
from bounds.regret.lower.normal_excess import ROUNDED_UP, excess_above, excess_table
from bounds.regret.lower.prices import largest_mean, mean_of_largest
from bounds.regret.lower.several_arms import Cells, cells_after, rounding_of_planes
from bounds.times import EvaluationTimes, ExactTimes

LONGEST = 250
"""Rounds of the longest sequence that is solved."""

LONGEST_OF = {2: LONGEST, 3: 14, 4: 8}
"""The same by the number of arms: a state holds a value of each arm seen."""

LONGEST_OF_MORE = 5
"""The same for more arms: four looks show at most four of them."""

_KNOTS, _KNOTS_OF_THREE, _KNOTS_OF_FOUR, _FEWEST_KNOTS = 41, 31, 25, 17  # of states of such values

_SLACK = 2.0**-44
_CENTRE = 0.3  # of the knots


@dataclass(frozen=True)
class LeastRegret:
    """lower ≤ the least E R_n of any policy with exact looks ≤ upper.

    Attributes
    ----------
    lower : rounded down; with noise the least regret is above it too
    upper : rounded up: a policy that sees the values has no more
    knots : of each value
    """

    lower: float
    upper: float
    knots: int

    @property
    def width(self) -> float:
        """upper − lower."""
        return self.upper - self.lower


def least_regret(
    times: EvaluationTimes, kernel: Kernel, arms: int = 2, *, kept: int | None = None
) -> LeastRegret:
    """The least mean regret of K independent arms of mean 0 with exact looks, from both sides.

    Parameters
    ----------
    times : n fixed rounds; at most 250, of three arms 14, of four 8, of more 5
    kernel : a Markov time kernel with an enclosure
    arms : K ≥ 2
    kept : knots of each value, by default 41, or fewer for more than two arms; the width falls as
        their square grows

    Raises InvalidInput. Cost: some n²·kept³ products, seconds at n = 60; of three arms n³·kept⁴.

    >>> from bounds.kernels import Forgetting
    >>> regret = least_regret(EvaluationTimes.from_durations([1.0, 1.0]), Forgetting(0.19))
    >>> regret.lower < 0.76933 < regret.upper < regret.lower + 0.01
    True
    """
    require_solvable(times, kernel, arms)
    kept = _usual_knots(times.n, arms) if kept is None else kept
    moves, points = Moves.of(times.exact, kernel, Looks.exact()), knots(kept, _CENTRE)
    lower = _lower_side(moves, arms, kept)
    if arms == 2:
        earned = _earned_below(times.exact, kernel, moves, kept)
    else:
        earned = several_arms.earned_below(times.exact, kernel, moves, arms, points)
    upper = fsum([times.n * largest_mean((0.0,) * arms)[1], -earned])
    return LeastRegret(lower, upper + 2.0**-48 * times.n * (1.0 + abs(earned)), kept)


def lower_side(times: EvaluationTimes, kernel: Kernel, arms: int = 2, *, kept: int = 41) -> float:
    """The lower side of `least_regret` alone, rounded down."""
    require_solvable(times, kernel, arms)
    return _lower_side(Moves.of(times.exact, kernel, Looks.exact()), arms, kept)


def _usual_knots(n: int, arms: int) -> int:
    """So many that both sides take seconds: M knots of v values are M^v numbers a state."""
    values = min(arms, n - 1)
    if values <= 2:
        return _KNOTS
    if values == 3:
        return _KNOTS_OF_THREE
    return _KNOTS_OF_FOUR if n <= LONGEST_OF_MORE else _FEWEST_KNOTS


def require_solvable(times: EvaluationTimes, kernel: Kernel, arms: int) -> None:
    """Raise InvalidInput for fewer than two arms, too many rounds, a kernel that is not Markov."""
    require_markov(kernel)
    if arms < 2:
        raise InvalidInput("arms", arms, "give at least two")
    longest = LONGEST_OF.get(arms, LONGEST_OF_MORE)
    if times.n > longest:
        why = ": a state holds a value of each arm seen" if arms > 2 else ""
        remedy = f"give at most {longest} rounds for {arms} arms to be solved{why}"
        raise InvalidInput("n", times.n, remedy)


def _lower_side(moves: Moves, arms: int, kept: int) -> float:
    n, points = moves.n, knots(kept, _CENTRE)
    if arms > 2:
        earned = several_arms.earned_above(moves, arms, points)
    else:
        decays, spreads = moves.decays, np.ascontiguousarray(moves.spreads[0])
        cells = excess_table()
        earned = _earned_above(moves.which, decays, spreads, moves.slopes, points, cells)
    total = fsum([n * mean_of_largest((0.0,) * arms), -earned])
    return total - 2.0**-48 * n * (1.0 + abs(earned))


@compiled()
def _above(
    out: FloatArray,
    values: FloatArray,
    slope: float,
    table: FloatArray,
    knots: FloatArray,
) -> None:  # pragma: no cover
    """out[m, q] ≥ E F(k u_m + sZ, y_q) for F given at knots [l, q], by chords."""
    M = len(knots)
    bends = np.empty((M, M))
    for q in range(M):
        before = 0.0
        for l in range(M):
            step = slope
            if l < M - 1:
                step = (values[l + 1, q] - values[l, q]) / (knots[l + 1] - knots[l])
            bends[l, q] = max(step - before, 0.0) * ROUNDED_UP
            before = max(step, before)
    for m in range(M):
        for q in range(M):
            out[m, q] = 0.0
        for l in range(M):
            share = table[l, m]
            for q in range(M):
                out[m, q] += share * bends[l, q]
        for q in range(M):
            out[m, q] = values[0, q] + out[m, q] * ROUNDED_UP


@compiled()
def _excesses(
    decay: float, spread: float, knots: FloatArray, cells: FloatArray
) -> FloatArray:  # pragma: no cover
    """[l, m]: E(k u_m + sZ − u_l)₊ from above."""
    M = len(knots)
    excesses = np.empty((M, M))
    for m in range(M):
        for l in range(M):
            mean = decay * knots[m]
            slack = _SLACK * (1.0 + abs(mean) + abs(knots[l]))
            excesses[l, m] = excess_above(mean - knots[l], spread, cells) * ROUNDED_UP + slack
    return excesses


@compiled()
def _earned_above(
    which: IntArray,
    decays: FloatArray,
    spreads: FloatArray,
    slopes: FloatArray,
    knots: FloatArray,
    cells: FloatArray,
) -> float:  # pragma: no cover
    """Above what n rounds can earn."""
    n, M = len(which), len(knots)
    # later[j][x, y]: the other arm was last seen in round j; alone[x]: it is unseen.
    later, alone = np.zeros((n, M, M)), np.zeros(M)
    stay, other = np.empty((M, M)), np.empty((M, M))
    single = np.empty((M, M))
    first = _excesses(0.0, 1.0, knots, cells)
    for i in range(n - 2, -1, -1):
        now = np.empty((n, M, M))
        d = which[i, i + 1]
        k = decays[d]
        table = _excesses(k, spreads[d], knots, cells)
        # Where the other arm is looked at next, the values of round i are those of `later[i]`.
        for j in range(i):
            e = which[j, i + 1]
            back = decays[e]
            _above(stay, later[j], slopes[i + 1], table, knots)
            _above(
                other,
                later[i],
                slopes[i + 1],
                _excesses(back, spreads[e], knots, cells),
                knots,
            )
            for m in range(M):
                for q in range(M):
                    a = k * knots[m] + stay[m, q]
                    b = back * knots[q] + other[q, m]
                    best = max(a, b)
                    now[j, m, q] = best + _SLACK * (1.0 + abs(best) + abs(knots[m]) + abs(knots[q]))
        for q in range(M):
            for m in range(M):
                single[m, q] = alone[m]
        _above(stay, single, slopes[i + 1], table, knots)
        _above(other, later[i], slopes[i + 1], first, knots)
        for m in range(M):
            best = max(k * knots[m] + stay[m, 0], other[0, m])
            alone[m] = best + _SLACK * (1.0 + abs(best) + abs(knots[m]))
        later = now
        for j in range(i):
            for q in range(M):
                for m in range(1, M):
                    later[j, m, q] = max(later[j, m, q], later[j, m - 1, q])
        for m in range(1, M):
            alone[m] = max(alone[m], alone[m - 1])
    for q in range(M):
        for m in range(M):
            single[m, q] = alone[m]
    _above(stay, single, slopes[0], first, knots)
    return float(stay[0, 0] + _SLACK * (1.0 + abs(stay[0, 0])))


def _earned_below(times: ExactTimes, kernel: Kernel, moves: Moves, kept: int) -> float:
    """Below what the best policy with exact looks earns: planes at pairs of knots."""
    n, points = moves.n, knots(kept, _CENTRE)
    with enclosure.precision(matrices.WORKING_BITS):
        cells: dict[int, Cells] = {}
        for j in range(n):
            for i in range(j + 1, n):
                d = int(moves.which[j, i])
                if d not in cells:
                    wait = (times.ticks[i] - times.ticks[j]) * times.unit
                    cells[d] = cells_after(kernel, wait, points)
        first = Cells.of(enclosure.ball(0), enclosure.ball(1), points)
    M = kept
    x = points[:, None]
    later = np.zeros((n, 3, M, M))
    alone = np.zeros((3, M, M))
    for i in range(n - 2, -1, -1):
        d = int(moves.which[i, i + 1])
        now = np.empty_like(later)
        for j in range(i):
            e = int(moves.which[j, i + 1])
            stay = _staying(cells[d], moves.decays[d], x, later[j])
            other = _staying(cells[e], moves.decays[e], x, later[i])
            other = np.stack([other[0].T, other[2].T, other[1].T])
            now[j] = _larger(stay, other)
        stay = _staying(cells[d], moves.decays[d], x, alone)
        other = _staying(first, 0.0, x, later[i])
        other = np.stack([other[0].T, other[2].T, other[1].T])
        # An unseen arm has no value: its plane is that of any knot, level in y.
        other[2] = 0.0
        alone = _larger(stay, np.repeat(other[:, :, :1], M, axis=2))
        later = now
    return float(first.means(alone)[0, 0]) - rounding_of_planes(alone, M) if n > 1 else 0.0


def _staying(cells: Cells, decay: float, x: FloatArray, planes: FloatArray) -> FloatArray:
    """Planes (3, m, q) below k x + E F(kx + sZ, y), from planes below F."""
    value = decay * x + cells.means(planes) - rounding_of_planes(planes, len(x))
    in_x = decay * (1.0 + cells.shares @ planes[1])
    in_y = cells.shares @ planes[2]
    return np.stack([value, in_x, in_y])


def _larger(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.where((a[0] >= b[0])[None], a, b)
