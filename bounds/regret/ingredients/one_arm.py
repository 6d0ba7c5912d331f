"""Theorem G: a floor that knows that arms must be looked at one by one.

K positive definite on a finite domain, fixed times, k_time ≥ 0. For x ∈ D let c_x = 1/(K⁻¹)_xx,
f(x,τ) = b_x(τ) + √c_x·ξ_x(τ) with b_x the regression on the other points and ξ_x ~ GP(0, k_time)
independent of f off x, and B_x = (max_{y≠x} f(y) − b_x)/√c_x. In the game of x the player knows the
path B and every ξ of rounds in which it played; in a round it plays and pays u − ψ(u) at
u = √c_x (B − ξ)₊, or passes and pays ψ(√c_x (ξ − B)₊), ψ(u) = (1−w)·min(u, h). With V_x its least
expected cost, E R_n ≥ Σ_x E V_x(B_x) for every policy. See docs/theory.md#theorem-g.

For a Markov time kernel V is found by recursion over the last round played and the ξ seen there:
with u = ξ_i the cost W_i(u) is the least over the next round j played, or none, of the prices of
passing until then, of playing, and of E[W_j(ξ_j) | u]. Each W is kept as a function below it that
is linear between knots of u and constant beyond them. Prices and expectations are sums of
±E(d + sZ)₊ with d linear in u (and in B): a concave term lies above its chords; a convex one above
its tangent plane at the middle of a cell, which gives each knot the least of the values of the
planes around it. A least of functions lies above the interpolation of the least knots. So what
comes out is a lower bound on V for any knots, and its error is of second order in their distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, special

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.numerics.compiled import compiled
from bounds.times import EvaluationTimes

_LEVELS = 64  # of B, between which prices are interpolated from below
_EDGE = 38.0  # beyond it the normal tail is 0 in doubles


@dataclass(frozen=True)
class Share:
    """ψ(u) = (1−w)·min(u, h): the part of a loss that is charged to passing.

    weight : w in [0, 1]
    height : h > 0
    """

    weight: float
    height: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.weight <= 1.0:
            raise InvalidInput("weight", self.weight, "give a number in [0, 1]")
        if not self.height > 0.0:
            raise InvalidInput("height", self.height, "give a positive number")


@dataclass(frozen=True, eq=False)
class Arms:
    """f at one point given the others: what the game of each point needs.

    Attributes
    ----------
    variances : (N,) c_x
    inverse : (N, N) K⁻¹
    """

    variances: FloatArray
    inverse: FloatArray

    @classmethod
    def of(cls, gram: FloatArray) -> Arms:
        """Raises InvalidInput for fewer than two points, or a K that is singular in doubles."""
        if len(gram) < 2:
            raise InvalidInput("points", len(gram), "give at least two for this floor")
        try:
            factor = linalg.cholesky(gram, lower=True)
        except linalg.LinAlgError:
            raise InvalidInput("gram", "singular", "drop points, or use a rougher kernel") from None
        root = linalg.solve_triangular(factor, np.eye(len(gram)), lower=True)
        inverse = root.T @ root
        return cls(np.asarray(1.0 / np.diagonal(inverse)), np.asarray(inverse))

    def thresholds(self, fields: FloatArray, x: int) -> FloatArray:
        """B_x from draws of f (…, N): (max_{y≠x} f(y) − b_x)/√c_x."""
        rivals = np.delete(fields, x, axis=-1).max(axis=-1)
        own = self.variances[x] * (fields @ self.inverse[:, x])
        return np.asarray((rivals - fields[..., x] + own) / np.sqrt(self.variances[x]))


def knots_around(paths: FloatArray, count: int = 80) -> FloatArray:
    """(count,) knots of ξ, close where the paths of B run; their distances change slowly.

    They may depend on the paths: every choice of knots gives a lower bound.
    """
    centre, spread = float(np.mean(paths)), max(float(np.std(paths)), 0.02)
    ends = np.array([min(-6.0, float(paths.min()) - 1.0), max(6.0, float(paths.max()) + 1.0)])
    low, high = np.arcsinh((ends - centre) / spread)
    return np.asarray(centre + spread * np.sinh(np.linspace(low, high, count)))


class Games:
    """The games of one arm along S paths of B, in floating point, for any ψ.

    Parameters
    ----------
    paths : (S, n) B at the n rounds
    variance : c_x
    times, kernel : n rounds, a Markov time kernel
    knots : of ξ, increasing, at least three, by default `knots_around` the paths

    Raises InvalidInput for another kernel, or paths of another length.
    """

    def __init__(
        self,
        paths: FloatArray,
        variance: float,
        times: EvaluationTimes,
        kernel: Kernel,
        knots: FloatArray | None = None,
    ) -> None:
        if not kernel.is_markov:
            raise InvalidInput("time-kernel", kernel.name, "this floor needs a Markov time kernel")
        if paths.ndim != 2 or paths.shape[1] != times.n:
            raise InvalidInput("paths", f"shape {paths.shape}", f"give {times.n} rounds")
        self._knots, self._kernel = knots_around(paths) if knots is None else knots, kernel
        self._lags = times.distances(slice(None), slice(None))
        self._root = float(np.sqrt(variance))
        low, high = float(paths.min()), float(paths.max())
        self._levels = np.linspace(low, max(high, low + 1e-9), _LEVELS)
        step = self._levels[1] - self._levels[0]
        self._place = np.clip(((paths - low) / step).astype(np.int64), 0, _LEVELS - 2)
        self._part = (paths - self._levels[self._place]) / step
        self._known: dict[float, _AfterWait] = {}

    def values(self, share: Share) -> FloatArray:
        """(S,) lower bounds on V where ψ is this share.

        Cost: at most 2M² products for each path and each of n²/2 pairs of rounds, M knots: some
        15 ms a path at n = 130, M = 60.
        """
        knots = self._knots
        paths, n = self._place.shape
        # Of each W_j: at the first knot, its least, and the rise and fall of its slope at each.
        ends = np.zeros((n, paths, 2))
        bends = np.zeros((n, paths, 2, len(knots)))
        for i in range(n - 1, -1, -1):
            costs = self._least(share, i, self._lags[i, i + 1 :], ends, bends)
            # Nobody pays less than nothing: beyond the knots the bound is constant.
            costs[:, 0] = np.minimum(costs[:, 0], 0.0)
            costs[:, -1] = np.minimum(costs[:, -1], 0.0)
            ends[i, :, 0], ends[i, :, 1] = costs[:, 0], costs.min(axis=1)
            slopes = np.diff(costs, axis=1) / np.diff(knots)
            change = np.diff(slopes, axis=1, prepend=0.0, append=0.0)
            np.maximum(change, 0.0, out=bends[i, :, 0])
            np.minimum(change, 0.0, out=bends[i, :, 1])
        # Before the first play ξ has its prior law: nothing is known, as after an endless wait.
        return self._least(share, -1, np.full(n, np.inf), ends, bends)[:, 0]

    def _least(
        self, share: Share, i: int, waits: FloatArray, ends: FloatArray, bends: FloatArray
    ) -> FloatArray:
        """(S, M) below W_i at the knots, or (S, 1) below the value of the game at i = −1."""
        width = len(self._knots) if i >= 0 else 1
        distinct, which = np.unique(waits, return_inverse=True)
        if not len(waits):
            return np.zeros((len(self._place), width))
        known = [self._after(wait) for wait in distinct.tolist()]
        prices = np.array([after.prices(share)[:, :, :width] for after in known])
        means = np.array([after.means[:, :width] for after in known])
        return np.asarray(
            _least_costs(i + 1, which, prices, means, self._place, self._part, ends, bends)
        )

    def _after(self, wait: float) -> _AfterWait:
        """What a wait makes of prices and of later costs."""
        if wait not in self._known:
            a, s = 0.0, 1.0
            if np.isfinite(wait):
                a = float(self._kernel.at_distance(wait))
                s = float(np.sqrt(self._kernel.deficit(wait)))
            self._known[wait] = _AfterWait(self._levels, self._knots, a, s, self._root)
            if len(self._known) > 400:
                del self._known[next(iter(self._known))]
        return self._known[wait]


class _AfterWait:
    """What a wait makes of prices and of later costs, from below: ξ is ae + sZ after a look at e.

    Attributes
    ----------
    means : (2, M, M) for each knot u what stands for E(ξ − e_k)₊ where W turns up at e_k, and where
        it turns down
    """

    def __init__(
        self, levels: FloatArray, knots: FloatArray, a: float, s: float, root: float
    ) -> None:
        kept = a * knots
        self._near, self._spread, self._root = levels[:, None] - kept, s, root
        self._lost = _below_planes(self._near, s)  # E(B − ξ)₊
        above = kept[:, None] - knots
        self.means = np.array([_below_tangents(above, s), mean_excess(above, s)])
        self._beyond: dict[float, tuple[FloatArray, FloatArray]] = {}
        self._known: tuple[Share, FloatArray] | None = None

    def prices(self, share: Share) -> FloatArray:
        """(2, levels of B, M) prices of playing and of passing."""
        if self._known is None or self._known[0] != share:
            w, near, lost = share.weight, self._near, self._lost
            below, above = self._by_height(share.height / self._root)
            play = w * lost + (1.0 - w) * below
            # E(ξ − B)₊ = E(B − ξ)₊ − (B − au), and E(ξ − B − h)₊ enters with a minus: its chord.
            skip = (1.0 - w) * ((lost - near) - above)
            self._known = share, self._root * np.array([play, skip])
        return self._known[1]

    def _by_height(self, h: float) -> tuple[FloatArray, FloatArray]:
        """E(B − ξ − h)₊ from below and E(ξ − B − h)₊."""
        if h not in self._beyond:
            near, s = self._near, self._spread
            self._beyond[h] = _below_planes(near - h, s), mean_excess(-near - h, s)
        return self._beyond[h]


@compiled(fastmath=True)
def _least_costs(
    first: int,
    which: IntArray,
    prices: FloatArray,
    means: FloatArray,
    place: IntArray,
    part: FloatArray,
    ends: FloatArray,
    bends: FloatArray,
) -> FloatArray:  # pragma: no cover
    """The least over the round `first` + k of the next play, or none, for each path and knot."""
    paths = len(place)
    width, knots = prices.shape[3], bends.shape[3]
    least = np.empty((paths, width))
    skips = np.empty((len(which), width))
    passed = np.empty(width)
    for s in range(paths):
        best = least[s]
        best[:] = 0.0
        passed[:] = 0.0
        for k in range(len(which)):
            low, share = place[s, first + k], part[s, first + k]
            table = prices[which[k], 1]
            for m in range(width):
                skips[k, m] = table[low, m] + share * (table[low + 1, m] - table[low, m])
                best[m] += skips[k, m]
        for k in range(len(which)):
            j = first + k
            low, share = place[s, j], part[s, j]
            table, law = prices[which[k], 0], means[which[k]]
            rise, fall = bends[j, s, 0], bends[j, s, 1]
            worth = False
            for m in range(width):
                cost = passed[m] + table[low, m] + share * (table[low + 1, m] - table[low, m])
                # Later costs are at least their least: elsewhere playing at j cannot be best.
                if cost + ends[j, s, 1] < best[m]:
                    cost += ends[j, s, 0]
                    up, down = law[0, m], law[1, m]
                    for e in range(knots):
                        cost += rise[e] * up[e] + fall[e] * down[e]
                    best[m] = min(best[m], cost)
                passed[m] += skips[k, m]
                worth = worth or passed[m] < best[m]
            if not worth:
                break
    return least


def _below_planes(d: FloatArray, s: float) -> FloatArray:
    """At the corners of the cells of d, linear in row and column: below E(d+sZ)₊ between them.

    The least of the values there of the tangents at the middles of the up to four cells around.
    """
    middle = 0.25 * (d[1:, 1:] + d[:-1, :-1] + d[1:, :-1] + d[:-1, 1:])
    height, slope = mean_excess(middle, s), _tilt(middle, s)
    values = np.full_like(d, np.inf)
    n, m = middle.shape
    for rows in (slice(0, n), slice(1, n + 1)):
        for columns in (slice(0, m), slice(1, m + 1)):
            part = values[rows, columns]
            np.minimum(part, height + slope * (d[rows, columns] - middle), out=part)
    return values


def _below_tangents(d: FloatArray, s: float) -> FloatArray:
    """The same where only the row runs: cells between successive rows of d."""
    middle = 0.5 * (d[1:] + d[:-1])
    height, slope = mean_excess(middle, s), _tilt(middle, s)
    values = np.full_like(d, np.inf)
    for rows in (slice(0, -1), slice(1, None)):
        np.minimum(values[rows], height + slope * (d[rows] - middle), out=values[rows])
    return values


def mean_excess(distance: FloatArray, s: float | FloatArray) -> FloatArray:
    """E(distance + sZ)₊, s ≥ 0.

    >>> mean_excess(np.array([-1.0, 0.0, 2.0]), 0.0).round(12).tolist()
    [0.0, 0.0, 2.0]
    """
    spread = np.maximum(s, 1e-300)
    with np.errstate(over="ignore"):
        x = np.clip(distance / spread, -_EDGE, 1e300)
        tail = spread * np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)
    return np.asarray(np.maximum(distance, -_EDGE * spread) * special.ndtr(x) + tail)


def _tilt(distance: FloatArray, s: float) -> FloatArray:
    """Its derivative, or at a corner one of its slopes."""
    if s == 0.0:
        return np.asarray(distance > 0.0, dtype=float)
    return np.asarray(special.ndtr(distance / s))
