"""Theorem G: a floor that knows that arms must be looked at one by one.

K positive definite on a finite domain, fixed times, k_time ≥ 0. For x ∈ D let c_x = 1/(K⁻¹)_xx,
f(x,τ) = b_x(τ) + √c_x·ξ_x(τ) with b_x the regression on the other points and ξ_x ~ GP(0, k_time)
independent of f off x, and B_x = (max_{y≠x} f(y) − b_x)/√c_x. In the game of x the player knows the
path B and every ξ of rounds in which it played; in a round it plays and pays u − ψ(u) at
u = √c_x (B − ξ)₊, or passes and pays ψ(√c_x (ξ − B)₊), ψ(u) = (1−w)·min(u, h). With V_x its least
expected cost, E R_n ≥ Σ_x E V_x(B_x) for every policy. See docs/theory.md#theorem-g.

For a Markov time kernel V is found by recursion over the last round played and the ξ seen there.
ξ is known up to a cell; prices are taken at the end of the cell where they are least, and so is
every expectation of later costs (increments of W between cells weigh the largest or the least
probability of passing their edge): what comes out is a lower bound on V for any cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, special

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.times import EvaluationTimes

_LEVELS = 240  # to which the paths B are rounded, up for passing and down for playing
_NOTHING = 1e-20
_EDGE = 40.0  # beyond it the normal tail is 0 in doubles


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


def cells_around(paths: FloatArray, count: int = 80) -> FloatArray:
    """(count − 1,) edges of cells of ξ around where the paths of B run, the outer ones unbounded.

    They may depend on the paths: every choice of cells gives a lower bound.
    """
    centre, reach = float(np.mean(paths)), 1.8 * max(float(np.std(paths)), 0.4)
    low, high = centre - reach, centre + reach
    # An unbounded cell below means an arm that is never worth a look: it must be a rare one.
    # Of many arms most are below, of two none in particular.
    share = min(0.12 + 0.14 * max(centre, 0.0), 0.33)
    below = np.linspace(min(-4.5, low - 1.0), low, max(int(share * count), 2), endpoint=False)
    above = np.linspace(max(5.0, high + 1.0), high, max(count // 12, 1), endpoint=False)[::-1]
    inside = np.linspace(low, high, max(count - 1 - len(below) - len(above), 2))
    return np.asarray(np.concatenate([below, inside, above]))


def game_values(
    paths: FloatArray,
    variance: float,
    times: EvaluationTimes,
    kernel: Kernel,
    share: Share,
    edges: FloatArray | None = None,
) -> FloatArray:
    """(S,) lower bounds on V for S paths of B (S, n): the rigorous cells, in floating point.

    Parameters
    ----------
    paths : B at the n rounds
    variance : c_x
    times, kernel : n rounds, a Markov time kernel
    share : ψ
    edges : of the cells, increasing, by default `cells_around` the paths

    Cost: two products (M, M)·(M, S) for each of at most n²/2 pairs of rounds, M cells.
    """
    if not kernel.is_markov:
        raise InvalidInput("time-kernel", kernel.name, "this floor needs a Markov time kernel")
    if paths.ndim != 2 or paths.shape[1] != times.n:
        raise InvalidInput("paths", f"shape {paths.shape}", f"give {times.n} rounds")
    cuts = cells_around(paths) if edges is None else edges
    game = _Game(paths, variance, share, cuts, kernel)
    return game.solve(times)


class _Game:
    def __init__(
        self, paths: FloatArray, variance: float, share: Share, cuts: FloatArray, kernel: Kernel
    ) -> None:
        self._share, self._cuts, self._kernel = share, cuts, kernel
        self._root = float(np.sqrt(variance))
        low, high = float(paths.min()), float(paths.max())
        step = max((high - low) / (_LEVELS - 2), 1e-9)
        self._levels = low - step + step * np.arange(_LEVELS + 1)
        place = np.floor((paths - self._levels[0]) / step).astype(np.int64)
        self._down: IntArray = np.clip(place, 0, _LEVELS)
        self._down -= self._levels[self._down] > paths
        self._up: IntArray = np.minimum(self._down + 1, _LEVELS)
        self._lower = np.concatenate([[-np.inf], cuts])
        self._upper = np.concatenate([cuts, [np.inf]])
        self._known: dict[float, tuple[FloatArray, FloatArray, FloatArray, FloatArray]] = {}

    def solve(self, times: EvaluationTimes) -> FloatArray:
        n, paths = times.n, len(self._down)
        instants = times.offsets()
        cells = len(self._lower)
        rises = np.zeros((n, cells - 1, paths))
        falls = np.zeros((n, cells - 1, paths))
        firsts = np.zeros((n, paths))
        for i in range(n - 1, -1, -1):
            later = self._least(i, instants, (firsts, rises, falls))
            change = np.diff(later, axis=0)
            firsts[i] = later[0]
            np.maximum(change, 0.0, out=rises[i])
            np.maximum(-change, 0.0, out=falls[i])
        # Before the first play ξ has its prior law: nothing is known, as after an endless wait.
        return np.asarray(self._least(-1, instants, (firsts, rises, falls))[0])

    def _least(
        self, i: int, instants: FloatArray, later: tuple[FloatArray, FloatArray, FloatArray]
    ) -> FloatArray:
        """(cells, S) W_i, or (1, S) the value of the game at i = −1."""
        firsts, rises, falls = later
        cells, paths, n = (len(self._lower) if i >= 0 else 1), len(self._down), len(instants)
        passed = np.zeros((cells, paths))
        best = np.full((cells, paths), np.inf)
        for j in range(i + 1, n):
            wait = float(instants[j] - instants[i]) if i >= 0 else np.inf
            play, skip, above_low, above_high = self._prices(wait)
            # From the last round on nothing is left to pay.
            cost = passed + play[:cells, self._down[:, j]]
            if j < n - 1:
                rest = above_low[:cells] @ rises[j] - above_high[:cells] @ falls[j]
                cost += np.maximum(rest + firsts[j], 0.0)
            np.minimum(best, cost, out=best)
            passed += skip[:cells, self._up[:, j]]
            if np.all(passed >= best):
                return best
        return np.asarray(np.minimum(best, passed))

    def _prices(self, wait: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Play and pass prices (cells, levels), and P(ξ > edge) from either end (cells, edges)."""
        if wait not in self._known:
            a, s = 0.0, 1.0
            if np.isfinite(wait):
                a = float(self._kernel.at_distance(wait))
                s = float(np.sqrt(self._kernel.deficit(wait)))
            low, high = (_scaled(a, ends) for ends in (self._lower, self._upper))
            w, h = self._share.weight, self._share.height / self._root
            B = self._levels[None, :]
            play = w * _excess(B - high[:, None], s) + (1.0 - w) * _excess(B - h - high[:, None], s)
            skip = (1.0 - w) * (_excess(low[:, None] - B, s) - _excess(low[:, None] - B - h, s))
            self._known[wait] = (
                self._root * play,
                self._root * np.maximum(skip, 0.0),
                _above(low, self._cuts, s, strictly=True),
                _above(high, self._cuts, s, strictly=False),
            )
            if len(self._known) > 400:
                del self._known[next(iter(self._known))]
        return self._known[wait]


def _scaled(a: float, ends: FloatArray) -> FloatArray:
    return a * ends if a > 0.0 else np.zeros_like(ends)


def _excess(distance: FloatArray, s: float) -> FloatArray:
    """E(distance + sZ)₊."""
    if s == 0.0:
        return np.asarray(np.maximum(distance, 0.0))
    x = np.clip(distance / s, -_EDGE, None)
    with np.errstate(over="ignore"):
        return np.asarray(s * (x * special.ndtr(x) + np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)))


def _above(centre: FloatArray, cuts: FloatArray, s: float, *, strictly: bool) -> FloatArray:
    """P(centre + sZ > cut), cells by cuts; at s = 0 with or without the cut itself."""
    gap = centre[:, None] - cuts[None, :]
    if s == 0.0:
        return np.asarray(gap > 0.0 if strictly else gap >= 0.0, dtype=float)
    chances = special.ndtr(gap / s)
    # Products of numbers below the normal range of doubles take a hundred times as long.
    return np.asarray(np.where(chances < _NOTHING, 0.0 if strictly else _NOTHING, chances))
