"""Theorem P with prices that follow the path: Λ = M − clip(α + βM + γS, 0, h).

M and S are the largest and the second largest value in a round, α, β ≥ 0, γ > −1 and h ≥ 0 numbers
for each round. For a finite domain at fixed times, with ψ = M − Λ,

    E R_n ≥ E[Σψ_i − Σ_x V_x],

V_x the most that a player of point x earns who knows the paths of all other points, B their largest
value and B′ their second. With f(x) = b + √c·ξ, b the regression on the other points and ξ
independent of them, a look that shows ξ earns −(B − f(x))₊ + ψ, which does not fall in ξ. See
docs/theory.md#theorem-p.

V is bounded from above along each path, rounded outward. What a look earns and all that follows is
kept as a function above it that is linear between knots of ξ: at a concave corner the nearer knot
is raised until the chord is above the corner. Of a mean over the next ξ a convex piece lies below
its chord, and a concave one below the tangents at the middles beside each knot; a largest of
functions lies below the interpolation of the largest knots; the values do not fall, and are at most
what is left of Σh. Rounds are taken backwards, all paths and all earlier rounds in one product.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray, IntArray
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.numerics.compiled import compiled
from bounds.regret.lower.arm_value import quantised, require_markov
from bounds.regret.lower.normal_excess import excess_between
from bounds.times import EvaluationTimes

NO_SECOND = -50.0
"""B′ where there is one other arm."""

_SLACK = 2.0**-40
_GROUP = 2


@dataclass(frozen=True, eq=False)
class PathPrices:
    """α, β, γ (n, 3) and h (n,) of each round.

    Raises InvalidInput where β < 0, γ ≤ −1 or h < 0: what a look earns has to rise with its value.
    """

    levels: FloatArray
    heights: FloatArray

    def __post_init__(self) -> None:
        fine = np.all(self.levels[:, 1] >= 0.0) and np.all(self.levels[:, 2] > -1.0)
        if not fine or np.any(self.heights < 0.0):
            raise InvalidInput("prices", "given", "give beta >= 0, gamma > -1, heights >= 0")

    def shares(self, largest: FloatArray, second: FloatArray) -> FloatArray:
        """ψ (…, n) for M and S (…, n)."""
        a, b, c = self.levels.T
        return np.asarray(np.clip(a + b * largest + c * second, 0.0, self.heights))

    def corners(self, largest: FloatArray, second: FloatArray) -> FloatArray:
        """(S, n, 6) values of the player's own point where the slope of his look may change."""
        a, b, c = self.levels.T
        values = [second, largest]
        with np.errstate(divide="ignore", invalid="ignore"):
            for level in (0.0, self.heights):
                within = (level - a - b * largest) / c
                beyond = (level - a - c * largest) / b
                values.append(np.where((second < within) & (within < largest), within, np.nan))
                values.append(np.where(beyond > largest, beyond, np.nan))
        return np.stack(values, axis=2)


@dataclass(frozen=True, eq=False)
class Rivals:
    """What the player of one point knows of the others, along S paths of n rounds.

    Attributes
    ----------
    largest, second : (S, n) B and B′
    expected : (S, n) b, or 0 for independent arms
    spread : √c, in (0, 1], or that of each path (S, 1, 1)
    """

    largest: FloatArray
    second: FloatArray
    expected: FloatArray | float = 0.0
    spread: FloatArray | float = 1.0

    def earned(self, own: FloatArray, prices: PathPrices) -> FloatArray:
        """What looks earn (S, n, m) that show the values `own` of f (S, n, m), or (m,) of all."""
        a, b, c = (level[:, None] for level in prices.levels.T)
        largest, second = self.largest[:, :, None], self.second[:, :, None]
        psi = a + b * np.maximum(largest, own) + c * np.clip(own, second, largest)
        psi = np.clip(psi, 0.0, prices.heights[:, None])
        return np.asarray(psi - np.maximum(largest - own, 0.0))

    def earned_above(self, knots: FloatArray, prices: PathPrices) -> FloatArray:
        """(S, n, M) at knots of ξ: linear between them and constant beyond, above what is earned.

        Beyond the last knot h is, and before the first nothing falls.
        """
        shift = np.asarray(self.expected)[..., None]
        own = shift + self.spread * knots
        earned = self.earned(own, prices)
        earned[:, :, -1] = prices.heights
        corners = prices.corners(self.largest, self.second)
        at = (corners - shift) / self.spread
        inside = (at > knots[0]) & (at < knots[-1])
        at = np.where(inside, at, knots[0])
        cell = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
        part = (at - knots[cell]) / (knots[cell + 1] - knots[cell])
        low = np.take_along_axis(earned, cell, axis=2)
        high = np.take_along_axis(earned, cell + 1, axis=2)
        lacks = self.earned(shift + self.spread * at, prices) - (low + part * (high - low))
        lacks = np.where(inside, np.maximum(lacks, 0.0), 0.0)
        nearer = cell + (part > 0.5)
        raised = np.zeros_like(earned)
        path, turn = (np.arange(size) for size in earned.shape[:2])
        place = (path[:, None, None], turn[None, :, None], nearer)
        np.maximum.at(raised, place, lacks / np.maximum(part, 1.0 - part))
        scale = 1.0 + np.abs(self.largest) + np.abs(prices.levels).sum(axis=1) + prices.heights
        return np.asarray(earned + raised * (1.0 + _SLACK) + 2.0**-44 * scale[:, :, None])


class PathGames:
    """The games of one point along paths of the others, for fixed rounds, kernel and knots.

    Parameters
    ----------
    times, kernel : n rounds, a Markov time kernel with k_time ≥ 0 and an enclosure
    knots : (M,) increasing

    Cost: n²M² products for each path.
    """

    def __init__(self, times: EvaluationTimes, kernel: Kernel, knots: FloatArray) -> None:
        require_markov(kernel)
        ticks, n = times.exact.ticks, times.n
        place: dict[int, int] = {}
        which = np.zeros((n, n), dtype=np.int64)
        for j, i in combinations(range(n), 2):
            which[j, i] = place.setdefault(ticks[i] - ticks[j], len(place))
        # The last wait is endless: before the first look ξ has its prior law.
        decays, spreads = np.zeros(len(place) + 1), np.ones((len(place) + 1, 2))
        with enclosure.precision(matrices.WORKING_BITS):
            for apart, d in place.items():
                wait = apart * times.exact.unit
                decays[d] = float(enclosure.ball(kernel.enclosed_at_distance(wait)).mid())
                lost = enclosure.ball(kernel.enclosed_deficit(wait))
                ends = max(matrices.downward(lost), 0.0), min(matrices.upward(lost), 1.0)
                spreads[d] = np.sqrt(ends) * np.array([1.0 - 2.0**-50, 1.0 + 2.0**-50])
        self.knots, self._which = knots, which
        self._above, lifts = _tables(knots, decays, spreads)
        # What a fall of the slope adds at most, for groups of neighbouring falls.
        self._groups = np.arange(0, len(knots), _GROUP)
        rows = [self._above, np.maximum.reduceat(lifts, self._groups, axis=1)]
        # One row for each bend and each group, one column for each wait and knot.
        self._table = np.ascontiguousarray(np.concatenate(rows, axis=1).swapaxes(0, 1))

    def values(self, rivals: Rivals, prices: PathPrices) -> FloatArray:
        """(S,) upper bounds on V."""
        return self._solved(rivals, prices, None)

    def looks(self, rivals: Rivals, prices: PathPrices) -> tuple[FloatArray, FloatArray]:
        """The same, and minus its derivative by the price at each knot (S, n, M).

        This is how often each round looks and sees each ξ; it guides a search and proves nothing.
        """
        paths, n = rivals.largest.shape
        choice = np.full((paths, n + 1, len(self.knots)), -1, dtype=np.int64)
        values = self._solved(rivals, prices, choice)
        return values, _forward(choice, self._which, self._above, self.knots)

    def _solved(self, rivals: Rivals, prices: PathPrices, choice: IntArray | None) -> FloatArray:
        earned = rivals.earned_above(self.knots, prices)
        paths, n, M = earned.shape
        left = np.zeros(n + 1)
        left[:-1] = np.cumsum(prices.heights[::-1])[::-1] * (1.0 + _SLACK)
        reach = float(self.knots[-1] - self.knots[0]) + float(np.max(self._above))
        later, values = np.zeros((paths, n, M)), np.zeros(paths)
        for i in range(n - 1, -1, -1):
            follows = np.minimum(np.maximum.accumulate(later[:, i], axis=1), left[i + 1])
            follows[:, -1] = left[i + 1]
            whole = follows + earned[:, i]
            slopes = np.diff(whole, axis=1) / np.diff(self.knots)
            bends = np.diff(slopes, axis=1, prepend=0.0, append=0.0)
            falls = np.add.reduceat(np.maximum(-bends, 0.0), self._groups, axis=1)
            parts = np.concatenate([bends, falls], axis=1)
            # Above what rounding does to the slopes and to the product.
            slack = _SLACK * (1.0 + np.abs(whole).max(axis=1) + reach * np.abs(parts).sum(axis=1))
            start = whole[:, 0] + slack
            if i:
                table = self._table[:, self._which[:i, i]].reshape(-1, i * M)
                worth = (parts @ table).reshape(paths, i, M)
                worth += start[:, None, None]
                if choice is not None:
                    choice[:, 1 : i + 1][worth > later[:, :i]] = i
                np.maximum(later[:, :i], worth, out=later[:, :i])
            first = start + parts @ self._table[:, -1, 0]
            if choice is not None:
                choice[first > values, 0, 0] = i
            np.maximum(values, first, out=values)
        return values


def path_knots(count: int) -> FloatArray:
    """(count,) knots on [−2.5, 4.5], closer around 0.8; multiples of 2⁻²⁰."""
    along = np.linspace(-1.0, 1.0, count)
    curved = 0.45 * along + 0.55 * along**3
    return quantised(0.8 + np.where(curved < 0.0, 3.3 * curved, 3.7 * curved))


def _tables(
    knots: FloatArray, decays: FloatArray, spreads: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(D, bend, knot): above E(ku + sZ − e)₊, and by how much its tangents lie below that.

    The tangents are those at the middles beside u: a chord of their least lies below the mean.
    """
    k = decays[:, None, None]

    def at(u: FloatArray) -> FloatArray:
        """d = ku − e; a rounding of it is below 2⁻⁴⁴."""
        return np.asarray(k * u - knots[:, None])

    above = excess_between(at(knots), spreads[:, 1, None, None])[1] + 2.0**-44
    middles, half = 0.5 * (knots[1:] + knots[:-1]), 0.5 * np.diff(knots)
    value = excess_between(at(middles), spreads[:, 0, None, None])[0] - 2.0**-44
    low, high = _tilts(at(middles), spreads)
    below = np.full_like(above, np.inf)
    below[:, :, :-1] = value - k * high * half
    below[:, :, 1:] = np.minimum(below[:, :, 1:], value + k * low * half)
    # Before the first look there is one mean alone, for which nothing is interpolated.
    below[-1] = excess_between(at(knots), spreads[:, 0, None, None])[0][-1] - 2.0**-44
    return above, np.asarray((above - np.maximum(below - 2.0**-44, 0.0)) * (1.0 + _SLACK))


def _tilts(distance: FloatArray, spreads: FloatArray) -> tuple[FloatArray, FloatArray]:
    """P(d + sZ > 0) from both sides, by differences of the convex E(d + sZ)₊."""
    loose, wide = spreads[:, 0, None, None], spreads[:, 1, None, None]
    step = np.maximum(wide * 2.0**-11, 2.0**-20)
    low, high = excess_between(distance, loose)[0], excess_between(distance + step, wide)[1]
    rise = (high - low) / step + 2.0**-24
    fall = (low - excess_between(distance - step, wide)[1]) / step - 2.0**-24
    return np.clip(fall, 0.0, 1.0), np.clip(rise, 0.0, 1.0)


@compiled()
def _forward(
    choice: IntArray, which: IntArray, above: FloatArray, knots: FloatArray
) -> FloatArray:  # pragma: no cover
    """(S, n, M) how often the best player looks in each round and sees the ξ of each knot."""
    S, n, M = choice.shape[0], choice.shape[1] - 1, len(knots)
    mass, prior = np.zeros((S, n, M)), len(above) - 1
    for s in range(S):
        for j in range(-1, n):
            for m in range(M if j >= 0 else 1):
                share, i = mass[s, j, m] if j >= 0 else 1.0, choice[s, j + 1, m]
                if share < 1e-7 or i < 0:
                    continue
                d = which[j, i] if j >= 0 else prior
                before = 1.0
                for e in range(M - 1):
                    tail = (above[d, e, m] - above[d, e + 1, m]) / (knots[e + 1] - knots[e])
                    mass[s, i, e] += share * (before - tail)
                    before = tail
                mass[s, i, M - 1] += share * before
    return mass
