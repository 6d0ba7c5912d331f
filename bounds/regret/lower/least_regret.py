"""The least regret of independent arms with exact looks, by dynamic programming.

With round i as the last, S the rounds in which each arm seen was last looked at, the latest first,
and x its values, let F_i^S(x) be the most that rounds i+1, …, n can still earn:

    F_i^S(x) = max over arms p seen of k x_p + E F_{i+1}(k x_p + sZ, the other x), and, while an arm
               is unseen, E F_{i+1}(Z, x),

k and s of the wait since arm p was seen. After the last round F = 0, so that n − 1 values are the
most that a state holds, whatever the number of arms. n·E M less what the first round can start is
the least mean regret of a policy that sees the values themselves, so it is also below that of every
policy with noise.

F is convex, as a largest of expectations of linear functions is, and does not decrease in any
value. *From above:* chords between knots of the value that is seen next, the constant left of them,
the slope Σ_{i'>i} k right of them; the other values stay on their knots. *From below:* a plane at
each tuple of knots. The normal that leads to the next value is cut into cells, in each of which the
plane of one knot counts: an affine function that is nowhere above F. See
docs/theory.md#least-regret.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, pairwise
from math import fsum

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.lower.arm_value import Moves, knots, require_markov
from bounds.regret.lower.looks import Looks
from bounds.regret.lower.normal_excess import ROUNDED_UP, excesses_of_rounded
from bounds.regret.lower.prices import largest_mean, mean_of_largest
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

Seen = tuple[int, ...]
"""The rounds in which the arms seen were last looked at, the latest first."""


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
    lower = _lower_side(moves, arms, points)
    earned = _earned_below(times.exact, kernel, moves, arms, points)
    upper = fsum([times.n * largest_mean((0.0,) * arms)[1], -earned])
    return LeastRegret(lower, upper + 2.0**-48 * times.n * (1.0 + abs(earned)), kept)


def lower_side(times: EvaluationTimes, kernel: Kernel, arms: int = 2, *, kept: int = 41) -> float:
    """The lower side of `least_regret` alone, rounded down."""
    require_solvable(times, kernel, arms)
    return _lower_side(Moves.of(times.exact, kernel, Looks.exact()), arms, knots(kept, _CENTRE))


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


def _lower_side(moves: Moves, arms: int, points: FloatArray) -> float:
    earned = _earned_above(moves, arms, points)
    total = fsum([moves.n * mean_of_largest((0.0,) * arms), -earned])
    return total - 2.0**-48 * moves.n * (1.0 + abs(earned))


def _earned_above(moves: Moves, arms: int, points: FloatArray) -> float:
    """Above what n rounds of exact looks at this many arms can earn."""
    first = excesses_of_rounded(np.zeros((1, 1)), np.ones(1), points)[0]
    # Of each state F at the first knot of the value seen last, and the bends of its slope there.
    later: dict[Seen, tuple[FloatArray, FloatArray]] = {}

    def mean(seen: Seen, table: FloatArray) -> FloatArray | float:
        """Above E F of the next round over the value it shows: (m, …) or, of a new arm, (1, …)."""
        if seen not in later:
            return 0.0
        least, bends = later[seen]
        risen = (table @ bends.reshape(len(points), -1)).reshape(-1, *least.shape)
        return np.asarray(least + risen * ROUNDED_UP)

    for i in range(moves.n - 2, -1, -1):
        waits, place = np.unique(moves.which[: i + 1, i + 1], return_inverse=True)
        kept = moves.decays[waits][:, None] * points
        tables = excesses_of_rounded(kept, moves.spreads[0, waits], points)
        now = {}
        for states in _states(i, arms):
            values = []
            for seen in states:
                size, best = len(seen), np.full((len(points),) * len(seen), -np.inf)
                for p, (last, others) in enumerate(_each(seen)):
                    d = place[last]
                    earned = mean((i + 1, *others), tables[d]) + _along(kept[d], size)
                    best = np.maximum(best, np.moveaxis(earned, 0, p) if p else earned)
                if size < arms:
                    new = mean((i + 1, *seen), first)
                    best = np.maximum(best, new if isinstance(new, float) else new[0])
                values.append(best)
            each = np.stack(values)
            each = each + 2.0 * _SLACK * (1.0 + np.abs(each) + np.max(np.abs(points)))
            for axis in range(1, each.ndim):
                each = np.maximum.accumulate(each, axis=axis)
            bends = _bends(each, points, moves.slopes[i])
            now.update({seen: (each[k, 0], bends[k]) for k, seen in enumerate(states)})
        later = now
    whole = mean((0,), first)
    total = whole if isinstance(whole, float) else float(whole[0])
    return total + _SLACK * (1.0 + abs(total))


def _bends(values: FloatArray, points: FloatArray, slope: float) -> FloatArray:
    """By how much slopes along the second axis rise at each knot; right of all they are `slope`."""
    apart = _along(np.diff(points), values.ndim - 1)
    right = np.full_like(values[:, :1], slope)
    steps = np.concatenate([np.diff(values, axis=1) / apart, right], axis=1)
    risen = np.maximum.accumulate(np.maximum(steps, 0.0), axis=1)
    return np.asarray(np.diff(risen, axis=1, prepend=0.0) * ROUNDED_UP)


def _earned_below(
    times: ExactTimes, kernel: Kernel, moves: Moves, arms: int, points: FloatArray
) -> float:
    """Below what the best policy earns: an affine function for each state and tuple of knots."""
    n, M = moves.n, len(points)
    with enclosure.precision(matrices.WORKING_BITS):
        cells: dict[int, _Cells] = {}
        for j, i in combinations(range(n), 2):
            d = int(moves.which[j, i])
            if d not in cells:
                wait = (times.ticks[i] - times.ticks[j]) * times.unit
                cells[d] = _after(kernel, wait, points)
        fresh = _Cells.of(enclosure.ball(0), enclosure.ball(1), points)
    first = _Cells(fresh.shares[:1], fresh.moments[:1])
    later: dict[Seen, FloatArray] = {}

    def mean(seen: Seen, law: _Cells, decay: float, size: int) -> FloatArray:
        """Planes (1 + size, m, …) below E F of the next round, by the values it starts from."""
        expected = np.zeros((size + 1, len(law.shares), *[M] * (size - 1)))
        planes = later.get(seen, np.zeros(2))
        expected[0] = -_rounding_of_planes(planes, M)
        if seen in later:
            expected[0] += np.tensordot(law.shares, planes[0], 1)
            expected[0] += np.tensordot(law.moments, planes[1], 1)
            expected[1] = decay * np.tensordot(law.shares, planes[1], 1)
            for axis in range(2, size + 1):
                expected[axis] = np.tensordot(law.shares, planes[axis], 1)
        return expected

    for i in range(n - 2, -1, -1):
        now = {}
        for seen in chain.from_iterable(_states(i, arms)):
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


def _states(i: int, arms: int) -> Iterator[list[Seen]]:
    """Of the round i: which rounds may have been the last for the arms seen by then, by number."""
    for size in range(1, min(arms, i + 1) + 1):
        yield [(i, *others) for others in combinations(range(i - 1, -1, -1), size - 1)]


def _each(seen: Seen) -> Iterator[tuple[int, Seen]]:
    """The last look of each arm, and those of the others."""
    for p, last in enumerate(seen):
        yield last, (*seen[:p], *seen[p + 1 :])


def _along(values: FloatArray, size: int) -> FloatArray:
    """Values of the first of so many axes."""
    return values.reshape(-1, *[1] * (size - 1))


def _larger(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.where((a[0] >= b[0])[None], a, b)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Of the next value X given a knot u: P(X in the cell of knot l) and E[X − u_l; cell], (M, M).

    Doubles within 2⁻⁵⁰ of the numbers, which balls enclose.
    """

    shares: FloatArray
    moments: FloatArray

    @classmethod
    def of(cls, decay: enclosure.Number, spread: enclosure.Number, points: FloatArray) -> _Cells:
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


def _after(kernel: Kernel, wait: Fraction, points: FloatArray) -> _Cells:
    """What a wait makes of each knot."""
    lost = enclosure.ball(kernel.enclosed_deficit(wait))
    decay = enclosure.ball(kernel.enclosed_at_distance(wait))
    if not enclosure.certainly_lt(0, lost):
        return _Cells.of(decay, 0, points)
    return _Cells.of(decay, enclosure.sqrt(lost), points)


def _rounding_of_planes(planes: FloatArray, M: int) -> float:
    """Above what rounding can add to a value: sums of M products, and slopes away from the knot."""
    largest = float(np.max(np.abs(planes[0]))) + 40.0 * float(np.max(np.abs(planes[1:])))
    return 2.0**-50 * (M + 16) * (1.0 + largest)
