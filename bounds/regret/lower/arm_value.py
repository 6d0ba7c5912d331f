"""The most that a player of one arm can earn under prices, from above (docs/theory.md#theorem-p).

A look at the arm in round i earns its value less the price λ_i. After a look in round j that leaves
the mean u, with k_ji = k_time(τ_j, τ_i) ≥ 0 of a Markov kernel,

    W_j(u) = max(0, max_{i>j} [k_ji·u − λ_i + E W_i(k_ji·u + s_ji Z)]).

W_j is convex and non-decreasing and its slope is at most Σ_{i>j} k_ji, since a shift of u by δ
moves what every strategy earns by at most that times δ. So a function that is at least W at knots,
linear between them, constant left of the first and of that slope right of the last, is above W. It
is a constant plus Σ c_l (u − u_l)₊ with c_l ≥ 0, and E(ku + sZ − u_l)₊ is `excess_above`: the
recursion stays above W. Sums have non-negative terms alone: a factor pays for their rounding.

Many different waits are told apart by classes: where k⁻ ≤ k ≤ k⁺ and s ≤ s⁺, a non-decreasing
convex W has E W(ku + sZ) ≤ E W(k'u + s⁺Z), k' = k⁺ for u ≥ 0 and k⁻ for u < 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arrays import FloatArray, IntArray
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.numerics.compiled import compiled
from bounds.regret.lower.looks import Looks
from bounds.regret.lower.normal_excess import (
    ROUNDED_UP,
    excess_above,
    excess_table,
    excesses_of_rounded,
)
from bounds.times import ExactTimes

MOST_ENTRIES = 6_000_000
"""Numbers E(ku + sZ − u_l)₊ that are kept; where there are more, each is computed when used."""

MOST_WAITS = 1_000
"""Different waits up to which each is its own class."""

_SLACK = 2.0**-44

_SPLIT, _UP = 2.0**27 + 1.0, 1.0 + 2.0**-50


def require_markov(kernel: Kernel) -> None:
    """Raise InvalidInput unless k_time is a Markov kernel with k_time ≥ 0."""
    if not (kernel.is_markov and kernel.is_nonnegative):
        remedy = "give a Markov time kernel that is nowhere negative: forgetting or exponential"
        raise InvalidInput("time-kernel", kernel.name, remedy)


def knots(count: int, centre: float = 0.8) -> FloatArray:
    """(count,) knots of the mean, closer around the price, where looks are decided upon.

    Any increasing knots give a bound; they are multiples of 2⁻²⁰, the same on every processor.
    """
    low, high = min(-5.0, centre - 2.0), max(6.0, centre + 2.0)
    along = np.linspace(-1.0, 1.0, count)
    curved = 0.4 * along + 0.6 * along * along * along
    placed = centre + np.where(curved < 0.0, (centre - low) * curved, (high - centre) * curved)
    return quantised(placed)


@dataclass(frozen=True, eq=False)
class Moves:
    """What waits between rounds make of a belief: which rounds, how much is kept, what is left.

    Attributes
    ----------
    which : (n, n) the index of the wait from round j to a later round i
    decays : (D,) k of each wait, the double nearest to it
    classes : (D,) of the waits; they do not fall as the waits grow
    lows, highs : (D,) the least and the largest k of the class of each wait
    spreads : (R, D) by how much the mean moves from each level, at most, in the class, rounded up
    levels : (R, D) the level that a look leaves
    slopes : (n,) Σ_{i>j} k_ji, rounded up
    first : the level and the spread of a first look
    """

    which: IntArray
    decays: FloatArray
    classes: IntArray
    lows: FloatArray
    highs: FloatArray
    spreads: FloatArray
    levels: IntArray
    slopes: FloatArray
    first: tuple[int, float]

    @classmethod
    def of(cls, times: ExactTimes, kernel: Kernel, looks: Looks) -> Moves:
        """By balls around k of the exact waits.

        Raises InvalidInput for a kernel that is not Markov, NoEnclosure for one without balls.
        """
        require_markov(kernel)
        ticks = times.ticks
        n = len(ticks)
        with enclosure.precision(matrices.WORKING_BITS):
            steps = [
                enclosure.ball(kernel.enclosed_at_distance((later - tick) * times.unit))
                for tick, later in pairwise(ticks)
            ]
            once = [(float(step.mid()), float((step - float(step.mid())).mid())) for step in steps]
            lost = [float(matrices.upward(1 - step * step)) for step in steps]
        which = np.zeros((n, n), dtype=np.int64)
        kept: list[FloatArray] = []
        missing: list[FloatArray] = []
        high, low, gone = np.empty(0), np.empty(0), np.empty(0)
        for i in range(1, n):
            # Of a Markov kernel: what a wait keeps is the product of what its steps keep.
            high, low = _product(np.append(high, 1.0), np.append(low, 0.0), *once[i - 1])
            gone = np.append(gone, 0.0)
            gone = np.minimum((gone + (1.0 - gone) * lost[i - 1]) * _UP, 1.0)
            kept.append(high)
            missing.append(gone)
        decays, deficits = np.empty(0), np.empty(0)
        if n > 1:
            later, earlier = np.tril_indices(n, -1)
            since = [tick - ticks[0] for tick in ticks]
            instants = np.array(since, dtype=np.int64 if since[-1] < 2**62 else object)
            waits = instants[later] - instants[earlier]
            _, first, place = np.unique(waits, return_index=True, return_inverse=True)
            which[earlier, later] = place
            decays, deficits = np.concatenate(kept)[first], np.concatenate(missing)[first]
        spreads, levels = looks.moves(deficits)
        slopes = np.array([np.sum(decays[which[j, j + 1 :]]) for j in range(n)])
        (spread,), (level,) = (part[0] for part in looks.moves(np.ones(1)))
        return cls(
            which,
            decays,
            np.arange(len(decays)),
            decays,
            decays,
            spreads,
            levels,
            slopes * ROUNDED_UP + _SLACK,
            (int(level), float(spread)),
        )

    def classed(self, most: int = MOST_WAITS, classes: int = 600) -> Moves:
        """The same with classes for more than `most` waits and exact looks; values grow."""
        if len(self.decays) <= most or len(self.spreads) > 1:
            return self
        # Neither k = cos θ nor s = sin θ changes by more than θ does; small angles weigh more.
        angles = np.sqrt(np.arccos(np.clip(self.decays, 0.0, 1.0)) / (0.5 * np.pi))
        _, place = np.unique((angles * classes).astype(np.int64), return_inverse=True)
        count = int(np.max(place)) + 1
        lows, highs, spreads = np.full(count, np.inf), np.zeros(count), np.zeros(count)
        np.minimum.at(lows, place, self.decays)
        np.maximum.at(highs, place, self.decays)
        np.maximum.at(spreads, place, self.spreads[0])
        return replace(
            self,
            classes=place,
            lows=lows[place],
            highs=highs[place],
            spreads=spreads[None, place],
        )

    @property
    def n(self) -> int:
        """Rounds."""
        return len(self.which)


class ArmValue:
    """The value of one arm under prices, for fixed rounds, kernel, looks and knots.

    Parameters
    ----------
    moves : Moves
    knots : (M,) increasing
    told : whether the first of the rounds is no round of the game: the player is told the value
        there for nothing, and prices are those of the rounds behind it

    Cost of a value: n²M²R/2 products, fewer where waits that follow each other have one class.
    """

    def __init__(self, moves: Moves, knots: FloatArray, *, told: bool = False) -> None:
        self.moves, self.knots, self.told = moves, knots, told
        self._cells = excess_table()
        count, (_, chosen) = len(moves.spreads), np.unique(moves.classes, return_index=True)
        kept = count * len(chosen) * len(knots) ** 2 <= MOST_ENTRIES
        self._table = np.zeros((1, 1, 1, 1))
        if kept:
            lows, highs = moves.lows[chosen, None], moves.highs[chosen, None]
            means = np.where(knots >= 0.0, highs, lows) * knots
            each = [excesses_of_rounded(means, spread[chosen], knots) for spread in moves.spreads]
            self._table = np.ascontiguousarray(np.array(each).swapaxes(2, 3))
        first = np.array([moves.first[1]])
        self._start = excesses_of_rounded(np.zeros((1, 1)), first, knots)[0, 0]

    def value(self, prices: FloatArray) -> float:
        """An upper bound on V(λ), rounded up, for prices (n,)."""
        return self._solved(prices)[0]

    def looks(self, prices: FloatArray) -> tuple[float, FloatArray]:
        """The bound on V, and minus its derivative: nearly how often each round is looked at (n,).

        The derivative is a floating point one of the recursion; it guides a search and proves
        nothing.
        """
        value, first, choice = self._solved(prices)
        expected = np.zeros(self.moves.n)
        if first >= 0:
            expected[first] = 1.0
            _forward(
                expected,
                first,
                choice,
                self.moves.first[0],
                self._start,
                self.moves.which,
                self.moves.levels,
                self.moves.decays,
                self.moves.spreads,
                self.knots,
                self._cells,
            )
        return value, expected[int(self.told) :]

    def _solved(self, prices: FloatArray) -> tuple[float, int, IntArray]:
        moves, M = self.moves, len(self.knots)
        if self.told:
            prices = np.concatenate([[0.0], prices])
        shape = (moves.n, len(moves.spreads), M)
        least, bends = np.zeros(shape[:2]), np.zeros(shape)
        choice = np.full(shape, -1, dtype=np.int64)
        _backward(
            np.ascontiguousarray(prices, dtype=float),
            least,
            bends,
            choice,
            self._table,
            moves.which,
            moves.levels,
            moves.decays,
            moves.classes,
            moves.lows,
            moves.highs,
            moves.spreads,
            moves.slopes,
            self.knots,
            self._cells,
        )
        level = moves.first[0]
        value, first = 0.0, -1
        starts = 1 if self.told else moves.n
        later = np.sum(bends[:starts, level] * self._start, axis=1)
        worth = (least[:starts, level] + later) * ROUNDED_UP - prices[:starts]
        worth += _SLACK * (1.0 + np.abs(prices[:starts]))
        best = int(np.argmax(worth))
        if worth[best] > 0.0:
            value, first = float(worth[best]), best
        return value, first, choice


@compiled()
def _row(
    row: FloatArray, mean: float, spread: float, knots: FloatArray, cells: FloatArray
) -> None:  # pragma: no cover
    """E(mean + spread·Z − u_l)₊ from above at each knot, the mean rounded."""
    for l in range(len(knots)):
        row[l] = _excess(mean, spread, knots[l], cells)


@compiled()
def _excess(
    mean: float, spread: float, knot: float, cells: FloatArray
) -> float:  # pragma: no cover
    """E(mean + spread·Z − knot)₊ from above, the mean rounded."""
    slack = _SLACK * (1.0 + abs(mean) + abs(knot))
    return float(excess_above(mean - knot, spread, cells) * ROUNDED_UP + slack)


@compiled()
def _backward(
    prices: FloatArray,
    least: FloatArray,
    bends: FloatArray,
    choice: IntArray,
    table: FloatArray,
    which: IntArray,
    levels: IntArray,
    decays: FloatArray,
    classes: IntArray,
    lows: FloatArray,
    highs: FloatArray,
    spreads: FloatArray,
    slopes: FloatArray,
    knots: FloatArray,
    cells: FloatArray,
) -> None:  # pragma: no cover
    """Fill W from the last round to the first: its least value, its bends, the round looked at."""
    n, R, M = bends.shape
    kept = table.shape[2] == M
    best, slope = np.empty(M), np.empty(M)
    # Of each later round, what it is worth at the class of wait that was asked for last.
    worth, asked = np.empty((n, R, M)), np.full((n, R), -1)
    for j in range(n - 1, -1, -1):
        for r in range(R):
            best[:] = 0.0
            for i in range(j + 1, n):
                d = which[j, i]
                c, s, to = classes[d], spreads[r, d], levels[r, d]
                if asked[i, r] != c:
                    asked[i, r] = c
                    worth[i, r, :] = least[i, to]
                    for l in range(M):
                        bend = bends[i, to, l]
                        if bend > 0.0 and kept:
                            for m in range(M):
                                worth[i, r, m] += bend * table[r, c, l, m]
                        elif bend > 0.0:
                            for m in range(M):
                                k = highs[d] if knots[m] >= 0.0 else lows[d]
                                excess = _excess(k * knots[m], s, knots[l], cells)
                                worth[i, r, m] += bend * excess
                for m in range(M):
                    gain = decays[d] * knots[m]
                    net = worth[i, r, m] * ROUNDED_UP + (gain - prices[i])
                    net += _SLACK * (1.0 + abs(gain) + abs(prices[i]))
                    if net > best[m]:
                        best[m] = net
                        choice[j, r, m] = i
            for m in range(1, M):
                best[m] = max(best[m], best[m - 1])
            for m in range(M - 1):
                slope[m] = (best[m + 1] - best[m]) / (knots[m + 1] - knots[m])
            slope[M - 1] = slopes[j]
            least[j, r] = best[0]
            before = 0.0
            for m in range(M):
                # Larger bends lie above the chords, whatever rounding did to their convexity.
                bends[j, r, m] = max(slope[m] - before, 0.0) * ROUNDED_UP
                before = slope[m]


@compiled()
def _forward(
    expected: FloatArray,
    first: int,
    choice: IntArray,
    level: int,
    start: FloatArray,
    which: IntArray,
    levels: IntArray,
    decays: FloatArray,
    spreads: FloatArray,
    knots: FloatArray,
    cells: FloatArray,
) -> None:  # pragma: no cover
    """How often the best strategy looks at each round, with the mean moved to knots."""
    n, R, M = choice.shape
    mass = np.zeros((n, R, M))
    row = np.empty(M)
    _spread(mass[first, level], 1.0, start, knots)
    for j in range(first, n):
        for r in range(R):
            for m in range(M):
                share, i = mass[j, r, m], choice[j, r, m]
                if share < 1e-7 or i < 0:
                    continue
                d = which[j, i]
                expected[i] += share
                _row(row, decays[d] * knots[m], spreads[r, d], knots, cells)
                _spread(mass[i, levels[r, d]], share, row, knots)


@compiled()
def _spread(
    mass: FloatArray, share: float, row: FloatArray, knots: FloatArray
) -> None:  # pragma: no cover
    """Add `share` by the second differences of E(X − u)₊: each value goes to the knots around."""
    M = len(knots)
    before = 1.0
    for l in range(M - 1):
        tail = (row[l] - row[l + 1]) / (knots[l + 1] - knots[l])
        mass[l] += share * (before - tail)
        before = tail
    mass[M - 1] += share * before


def _product(
    high: FloatArray, low: FloatArray, by: float, rest: float
) -> tuple[FloatArray, FloatArray]:
    """(high + low)·(by + rest) as a double and what it leaves out, to some 100 bits (Dekker)."""
    a, b = high * _SPLIT, by * _SPLIT
    a, b = a - (a - high), b - (b - by)
    product = high * by
    left = ((a * b - product) + a * (by - b) + (high - a) * b) + (high - a) * (by - b)
    left += high * rest + low * by
    return product + left, left - ((product + left) - product)


def constant(price: float, n: int) -> FloatArray:
    """The same price in n rounds."""
    return np.full(n, price)


def quantised(prices: ArrayLike) -> FloatArray:
    """Prices as multiples of 2⁻²⁰: any prices prove a bound, and these are the same everywhere."""
    return np.asarray(np.round(np.asarray(prices, dtype=float) * 2.0**20) / 2.0**20)
