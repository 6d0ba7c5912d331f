"""Theorem P with prices that follow the path: Λ = M − clip(α + βM + γS, 0, h).

M and S are the largest and the second largest value in a round, α, β ≥ 0, γ > −1 and h ≥ 0 numbers
for each round. For K independent arms of mean 0 at fixed times, with ψ = M − Λ,

    E R_n ≥ E[Σψ_i − K·V],

V the most that a player of one arm earns who knows the paths of the others, B their largest value
and B′ their second: a look that shows ξ earns −(B−ξ)₊ + ψ, which does not fall in ξ. See
docs/theory.md#theorem-p. V is bounded from above, in floating point: a value is kept at knots of
what the last look showed. Between knots a convex piece lies below its chord, and a concave one
below the tangents at the middles beside each knot; the largest of functions lies below the
interpolation of the largest knots; the values do not fall, and are at most what is left of Σh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from bounds.arrays import FloatArray, IntArray
from bounds.compiled import compiled
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.bound import SimulatedBound
from bounds.regret.lower.arm_value import require_markov
from bounds.regret.lower.normal_excess import CELLS_PER_UNIT, LAST, excess_above, excess_table
from bounds.times import EvaluationTimes

NO_SECOND = -50.0
"""B′ where there is one other arm."""


class PathPriceFloor(SimulatedBound):
    """E[Σψ − K·V]; `simulation.before_run.path_prices` finds its number."""

    name = "path-prices"
    title = "Theorem P"
    source = "E[Σψ − K·V], prices that follow the path"
    direction = "lower"
    kind = "mean"
    hypotheses = "independent arms"


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
        """ψ (S, n) for M and S (S, n)."""
        a, b, c = self.levels.T
        return np.asarray(np.clip(a + b * largest + c * second, 0.0, self.heights))


class PathGames:
    """The games of one arm along paths of the others, for fixed rounds, kernel and knots.

    Parameters
    ----------
    times, kernel : n rounds, a Markov time kernel with k_time ≥ 0
    knots : (M,) increasing

    Cost: n²M²/2 products for each path.
    """

    def __init__(self, times: EvaluationTimes, kernel: Kernel, knots: FloatArray) -> None:
        require_markov(kernel)
        lags = times.distances(slice(None), slice(None))
        waits, which = np.unique(lags, return_inverse=True)
        # The last wait is endless: before the first look the value has its prior law.
        self._decays = np.append(np.asarray(kernel.at_distance(waits), dtype=float), 0.0)
        lost = np.append(np.asarray(kernel.deficit(waits), dtype=float), 1.0)
        self._spreads = np.sqrt(lost)
        self._which = which.reshape(lags.shape).astype(np.int64)
        self._knots, self._cells = knots, excess_table()
        self._above, self._below = _tables(knots, self._decays, self._spreads)

    def solve(
        self, largest: FloatArray, second: FloatArray, prices: PathPrices
    ) -> tuple[FloatArray, FloatArray]:
        """(S,) upper bounds on V for B and B′ (S, n), and (n, 3) minus the derivative of their sum.

        The derivative, by α, β and γ where ψ is not clipped, guides a search and proves nothing.
        """
        return _solve(
            np.ascontiguousarray(largest),
            np.ascontiguousarray(second),
            np.ascontiguousarray(prices.levels),
            np.ascontiguousarray(prices.heights),
            self._which,
            self._decays,
            self._spreads,
            self._knots,
            self._above,
            self._below,
            self._cells,
        )


def path_knots(count: int) -> FloatArray:
    """(count,) knots on [−5, 6.5], closer around 0.8."""
    along = np.linspace(-1.0, 1.0, count)
    curved = 0.3 * along + 0.7 * along**3
    return np.asarray(0.8 + np.where(curved < 0.0, 5.8 * curved, 5.7 * curved))


def _tables(
    knots: FloatArray, decays: FloatArray, spreads: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(D, bend, knot): E(ku + sZ − e)₊, and the least of its tangents at the middles beside u."""
    k, s = decays[:, None, None], np.maximum(spreads, 1e-300)[:, None, None]

    def at(u: FloatArray) -> tuple[FloatArray, FloatArray]:
        d = k * u - knots[:, None]
        z = np.clip(d / s, -38.0, 38.0)
        tail = s * np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
        return d * special.ndtr(z) + tail, k * special.ndtr(z)

    above, _ = at(knots)
    middles = 0.5 * (knots[1:] + knots[:-1])
    value, slope = at(middles)
    below = np.full_like(above, np.inf)
    half = 0.5 * np.diff(knots)
    below[:, :, :-1] = value - slope * half
    below[:, :, 1:] = np.minimum(below[:, :, 1:], value + slope * half)
    below[-1] = above[-1]  # from the prior there is one value alone
    return above, np.asarray(np.maximum(below, 0.0))


@compiled()
def _tilt(d: float, s: float, cells: FloatArray) -> float:  # pragma: no cover
    """P(d + sZ > 0)."""
    distance = d if d > 0.0 else -d
    tail = 0.0
    if distance < LAST * s:
        z = distance / s
        cell = int(z * CELLS_PER_UNIT)
        t = z - cell / CELLS_PER_UNIT
        tail = cells[cell, 1] - 2.0 * t * cells[cell, 2]
    return 1.0 - tail if d > 0.0 else tail


@compiled()
def _share(
    a: float, b: float, c: float, h: float, x: float, y: float, xi: float
) -> float:  # pragma: no cover
    """What a look at ξ earns."""
    psi = a + b * max(x, xi) + c * min(max(xi, y), x)
    return float(min(max(psi, 0.0), h) - max(x - xi, 0.0))


@compiled()
def _pieces(
    a: float,
    b: float,
    c: float,
    h: float,
    x: float,
    y: float,
    ends: FloatArray,
    bends: FloatArray,
) -> int:  # pragma: no cover
    """Where the slope of what a look earns changes, and by how much; 1 left of all."""
    found = np.empty(6)
    found[0], found[1] = y, x
    count = 2
    for level in (0.0, h):
        if c != 0.0:
            q = (level - a - b * x) / c
            if y < q < x:
                found[count] = q
                count += 1
        if b > 0.0:
            q = (level - a - c * x) / b
            if q > x:
                found[count] = q
                count += 1
    found = np.sort(found[:count])
    before = 1.0
    for k in range(count):
        width = found[k + 1] - found[k] if k + 1 < count else 4.0
        slope = before
        if width > 1e-12:
            low, high = found[k] + 0.25 * width, found[k] + 0.75 * width
            rise = _share(a, b, c, h, x, y, high) - _share(a, b, c, h, x, y, low)
            slope = rise / (high - low)
        ends[k], bends[k] = found[k], slope - before
        before = slope
    return count


@compiled()
def _solve(
    largest: FloatArray,
    second: FloatArray,
    levels: FloatArray,
    heights: FloatArray,
    which: IntArray,
    decays: FloatArray,
    spreads: FloatArray,
    knots: FloatArray,
    above: FloatArray,
    below: FloatArray,
    cells: FloatArray,
) -> tuple[FloatArray, FloatArray]:  # pragma: no cover
    """V of each path from above, and how often and at which M and S it looks, summed over paths."""
    S, n = largest.shape
    M, prior = len(knots), len(decays) - 1
    values, looks = np.zeros(S), np.zeros((n, 3))
    middles = 0.5 * (knots[1:] + knots[:-1])
    ends, bends, counts = np.zeros((n, 6)), np.zeros((n, 6)), np.zeros(n, np.int64)
    base = np.zeros(n)
    least, rise, fall = np.zeros(n), np.zeros((n, M)), np.zeros((n, M))
    left = np.zeros(n + 1)
    choice, mass = np.zeros((n + 1, M), np.int64), np.zeros((n, M))
    best, worth = np.zeros(M), np.zeros(M)
    for i in range(n - 1, -1, -1):
        left[i] = left[i + 1] + heights[i]
    for s in range(S):
        for i in range(n):
            x, y = largest[s, i], second[s, i]
            a, b, c = levels[i]
            counts[i] = _pieces(a, b, c, heights[i], x, y, ends[i], bends[i])
            base[i] = min(max(a + b * x + c * y, 0.0), heights[i]) - x
        for j in range(n - 1, -2, -1):
            width = M if j >= 0 else 1
            for m in range(width):
                best[m] = 0.0
                choice[j + 1, m] = -1
            for i in range(j + 1, n):
                d = which[j, i] if j >= 0 else prior
                k, spread = decays[d], spreads[d]
                hope = False
                for m in range(width):
                    u = knots[m]
                    v = base[i] + k * u + least[i]
                    for q in range(counts[i]):
                        e, bend = ends[i, q], bends[i, q]
                        if bend == 0.0:
                            continue
                        g = excess_above(k * u - e, spread, cells)
                        if bend < 0.0 and j >= 0 and k > 0.0:
                            g = 1e300
                            for side in (m - 1, m):
                                if 0 <= side < M - 1:
                                    at = k * middles[side] - e
                                    t = excess_above(at, spread, cells)
                                    t += _tilt(at, spread, cells) * k * (u - middles[side])
                                    g = min(g, t)
                        v += bend * g
                    worth[m] = v
                    hope = hope or v + left[i + 1] > best[m]
                if not hope:
                    continue
                for q in range(M):
                    if rise[i, q] > 0.0:
                        for m in range(width):
                            worth[m] += rise[i, q] * above[d, q, m]
                    if fall[i, q] < 0.0:
                        for m in range(width):
                            worth[m] += fall[i, q] * below[d, q, m]
                for m in range(width):
                    if worth[m] > best[m]:
                        best[m] = worth[m]
                        choice[j + 1, m] = i
            if j < 0:
                values[s] = best[0]
                continue
            for m in range(1, M):
                best[m] = min(max(best[m], best[m - 1]), left[j + 1])
            best[0] = min(best[0], left[j + 1])
            best[M - 1] = left[j + 1]
            least[j] = best[0]
            before = 0.0
            for m in range(M):
                slope = 0.0
                if m < M - 1:
                    slope = (best[m + 1] - best[m]) / (knots[m + 1] - knots[m])
                rise[j, m], fall[j, m] = max(slope - before, 0.0), min(slope - before, 0.0)
                before = slope
        mass[:] = 0.0
        for j in range(-1, n):
            for m in range(M if j >= 0 else 1):
                share, i = mass[j, m] if j >= 0 else 1.0, choice[j + 1, m]
                if share < 1e-9 or i < 0:
                    continue
                d = which[j, i] if j >= 0 else prior
                mean = decays[d] * knots[m]
                over = excess_above(mean - largest[s, i], spreads[d], cells)
                under = excess_above(mean - second[s, i], spreads[d], cells)
                looks[i, 0] += share
                looks[i, 1] += share * (largest[s, i] + over)
                looks[i, 2] += share * (second[s, i] + under - over)
                before = 1.0
                for e in range(M - 1):
                    tail = above[d, e, m] - above[d, e + 1, m]
                    tail /= knots[e + 1] - knots[e]
                    mass[i, e] += share * (before - tail)
                    before = tail
                mass[i, M - 1] += share * before
    return values, looks
