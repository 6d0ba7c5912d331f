"""Theorem P with prices that follow the path, by simulation: for few points and slow drift.

Prices are searched by stochastic supergradients on paths of their own (the floor is concave in
them). The number is a lower confidence bound on E[Σψ − ΣV] from other paths, V rounded upward: what
is left of it by controls whose means are known is bounded from below, and its mean by `mean_below`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import integrate, special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.regret.ingredients.one_arm import Arms
from bounds.regret.lower.arm_value import require_markov
from bounds.regret.lower.arms import PathPriceFloor
from bounds.regret.lower.path_prices import (
    NO_SECOND,
    PathGames,
    PathPrices,
    Rivals,
    path_knots,
)
from bounds.regret.maximum.maximum import gram_of
from bounds.regret.regret_bound import RegretBound
from simulation.before_run.draws import (
    field_paths,
    generator,
    mean_below,
    require_delta,
    require_draws,
)
from simulation.before_run.one_arm import kinds_of
from simulation.model.covariance import DenseFactor

LARGEST, LONGEST = 10, 60
"""Points and rounds up to which this floor is worth its time."""

_STEPS, _BATCH, _COARSE, _FINE = 60, 64, 41, 67  # the last two of knots of V
_PILOT = 500
_RATES = np.array([0.03, 0.02, 0.02])
_START = np.array([0.2, 0.2, -0.05])
_KEPT, _REMEMBERED, _FLOOR_OF_SCALE = 0.8, 0.95, 0.05
_TALL = 1.5  # h while prices are searched
_HIGH = 0.97  # share of paths that a height is above
_REACH, _PIECES = 2.0, 4  # of the controls, around the means
_CHUNK = 200


def path_price_floor(
    problem: Problem, *, paths: int = 6_000, delta: float = 0.01, seed: int = 0
) -> RegretBound:
    """The row `path-prices`: E R_n ≥ its value for every policy, with probability ≥ 1 − δ.

    Parameters
    ----------
    problem : two to ten points, at most 60 rounds, a Markov time kernel
    paths : S; more of them only raise the floor
    delta, seed : of the simulation

    Points that are not exchangeable have a game each and share the paths: cost n²M² products a path
    all the same, ten seconds at n = 60. Raises InvalidInput.
    """
    require_draws(paths)
    require_delta(delta)
    size = problem.domain.size
    if not 2 <= size <= LARGEST:
        raise InvalidInput("domain", problem.domain.phrase, f"give two to {LARGEST} points")
    if problem.n > LONGEST:
        raise InvalidInput("n", problem.n, f"give at most {LONGEST} rounds")
    require_markov(problem.time_kernel)
    points = _Points.of(gram_of(problem))
    paths, batch = (-(-each // len(points.games)) for each in (paths, _BATCH))
    factor, (training, main) = DenseFactor.of(points.gram), generator(seed).spawn(2)

    def drawn(count: int, rng: np.random.Generator) -> FloatArray:
        return field_paths(problem, factor, count, rng)

    pilot = drawn(_PILOT, training)
    means = np.array([ranked.mean() for ranked in _ranked(pilot)])
    with one_blas_thread():
        coarse = PathGames(problem.times, problem.time_kernel, path_knots(_COARSE))
        levels = _searched(points, coarse, means, lambda: drawn(batch, training))
        a, b, c = levels.T
        largest, second = _ranked(pilot)
        heights = np.quantile(np.maximum(a + b * largest + c * second, 0.0), _HIGH, axis=0)
        prices = PathPrices(levels, heights)
        controls = _Controls.of(points)
        shares = controls.shares(pilot, _worths(points, coarse, pilot, prices))
        fine, worths = PathGames(problem.times, problem.time_kernel, path_knots(_FINE)), []
        for first in range(0, paths, _CHUNK):
            fields = drawn(min(_CHUNK, paths - first), main)
            worths.append(_worths(points, fine, fields, prices) - controls.values(fields) @ shares)
    values = np.concatenate(worths)
    # No value is below minus this: V is at most Σh, and each control is between its ends.
    least = size * float(heights.sum()) + problem.n * controls.most(shares)
    value = mean_below(values + least, delta) - least
    error = float(values.std(ddof=1)) / np.sqrt(paths)
    return PathPriceFloor().at(
        max(value, 0.0),
        f"E[Σψ − ΣV], ψ = clip(α + βM + γS, 0, h) by round, {paths} paths, {_FINE} knots, mean "
        f"{values.mean():.4g} ± {error:.2g}",
        level=1.0 - delta,
        simulated=True,
    )


@dataclass(frozen=True, eq=False)
class _Points:
    """The points of a domain, and what the player of each is told.

    Attributes
    ----------
    gram : (N, N) K
    arms : each point given the others
    games : points whose games differ, and how many points each stands for
    """

    gram: FloatArray
    arms: Arms
    games: dict[int, int]

    @classmethod
    def of(cls, gram: FloatArray) -> _Points:
        return cls(gram, Arms.of(gram), kinds_of(gram))

    @property
    def independent(self) -> bool:
        """Whether K is the unit matrix."""
        return bool(np.array_equal(self.gram, np.eye(len(self.gram))))

    def rivals(self, fields: FloatArray) -> Iterator[tuple[int, Rivals]]:
        """For each game how many points have it, and what its player knows."""
        for x, count in self.games.items():
            order = np.sort(np.delete(fields, x, axis=2), axis=2)
            second = np.full(order.shape[:2], NO_SECOND) if order.shape[2] == 1 else order[:, :, -2]
            variance = float(self.arms.variances[x])
            expected = fields[:, :, x] - variance * (fields @ self.arms.inverse[:, x])
            yield count, Rivals(order[:, :, -1], second, expected, float(np.sqrt(variance)))

    def together(self, fields: FloatArray) -> tuple[FloatArray, Rivals]:
        """The games of all points along the paths, and how many points each path stands for."""
        counts, games = zip(*self.rivals(fields), strict=True)
        paths = len(fields)
        spreads = np.repeat([game.spread for game in games], paths)
        largest, second, expected = (
            np.concatenate([getattr(game, name) for game in games])
            for name in ("largest", "second", "expected")
        )
        whole = Rivals(largest, second, expected, spreads[:, None, None])
        return np.repeat(np.array(counts, dtype=float), paths), whole


def _ranked(fields: FloatArray) -> tuple[FloatArray, FloatArray]:
    """M and S (S, n)."""
    order = np.sort(fields, axis=2)
    return order[:, :, -1], order[:, :, -2]


def _worths(
    points: _Points, games: PathGames, fields: FloatArray, prices: PathPrices
) -> FloatArray:
    """(S,) Σψ − ΣV, from below."""
    worths = prices.shares(*_ranked(fields)).sum(axis=1) - 2.0**-40
    for count, rivals in points.rivals(fields):
        worths = worths - count * games.values(rivals, prices)
    return np.asarray(worths)


@dataclass(frozen=True, eq=False)
class _Controls:
    """Functions of f in a round of which the means are known: pieces of M and S, or of f.

    A piece of X is X cut at two neighbouring ends. Of independent points the pieces of M and S are
    taken, their means by quadrature; of others the mean over points of pieces of f.

    Attributes
    ----------
    ends : (r, p + 1) ends of the p pieces of each quantity
    means : (r, p)
    """

    ends: FloatArray
    means: FloatArray

    @classmethod
    def of(cls, points: _Points) -> _Controls:
        size, along = len(points.gram), np.linspace(-_REACH, _REACH, _PIECES + 1)
        counts = [(0, size), (1, size)] if points.independent else [(0, 1)]
        ends = np.array([_mean_of(rank, of, -8.0, 8.0) + along for rank, of in counts])
        means = [
            [_mean_of(rank, of, low, high) for low, high in pairwise(row)]
            for (rank, of), row in zip(counts, ends.tolist(), strict=True)
        ]
        return cls(ends, np.array(means))

    def values(self, fields: FloatArray) -> FloatArray:
        """(S, r·p) of each path, summed over its rounds, less the means."""
        low, high = self.ends[:, :-1], self.ends[:, 1:]
        if len(self.ends) > 1:
            sums = [
                (np.clip(ranked[..., None], low[r], high[r]) - self.means[r]).sum(axis=1)
                for r, ranked in enumerate(_ranked(fields))
            ]
            return np.concatenate(sums, axis=1)
        cut = np.clip(fields[..., None], low[0], high[0])
        return np.asarray((cut.mean(axis=2) - self.means[0]).sum(axis=1))

    def shares(self, fields: FloatArray, worth: FloatArray) -> FloatArray:
        """(r·p,) the coefficients that leave least of these values."""
        centred = self.values(fields)
        centred = centred - centred.mean(axis=0)
        return np.asarray(np.linalg.lstsq(centred, worth - worth.mean(), rcond=None)[0])

    def most(self, shares: FloatArray) -> float:
        """What the controls of a round can be at most, in sum: at an end of a piece of each."""
        total = 0.0
        for ends, means, share in zip(
            self.ends, self.means, np.split(shares, len(self.ends)), strict=True
        ):
            cut = np.clip(ends[:, None], ends[:-1], ends[1:]) - means
            total += float(np.max(cut @ share))
        return total


def _searched(
    points: _Points, games: PathGames, means: FloatArray, drawn: Callable[[], FloatArray]
) -> FloatArray:
    """α, β, γ (n, 3) by steps along the derivative, with momentum and scaled by its size."""
    fields = drawn()
    n = fields.shape[1]
    heights = np.full(n, _TALL)
    levels = np.tile(_START, (n, 1))  # ψ = first + β(M − EM) + γ(S − ES)
    speed, scale, total, counted = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)), 0
    for step in range(_STEPS):
        prices = PathPrices(_plain(levels, means), heights)
        largest, second = _ranked(fields)
        gradient = _derivative(prices, means, largest[..., None], second[..., None])
        counts, rivals = points.together(fields)
        _, looks = games.looks(rivals, prices)
        own = np.asarray(rivals.expected)[..., None] + rivals.spread * games.knots
        above = rivals.largest[..., None]
        first, other = np.maximum(above, own), np.clip(own, rivals.second[..., None], above)
        looks *= counts[:, None, None]
        gradient -= _derivative(prices, means, first, other, looks)
        gradient /= len(fields)
        speed = _KEPT * speed + (1.0 - _KEPT) * gradient
        scale = _REMEMBERED * scale + (1.0 - _REMEMBERED) * gradient**2
        size = _RATES * (1.0 - step / _STEPS)
        levels = levels + size * speed / (np.sqrt(scale) + _FLOOR_OF_SCALE)
        levels[:, 1], levels[:, 2] = np.maximum(levels[:, 1], 0.0), np.maximum(levels[:, 2], -0.9)
        if step >= 2 * _STEPS // 3:
            total, counted = total + levels, counted + 1
        fields = drawn()
    return _plain(total / counted, means)


def _derivative(
    prices: PathPrices,
    means: FloatArray,
    largest: FloatArray,
    second: FloatArray,
    weights: FloatArray | float = 1.0,
) -> FloatArray:
    """(n, 3) of the weighted sum of ψ over M and S (S, n, m), by α, β and γ of `_searched`."""
    a, b, c = (level[:, None] for level in prices.levels.T)
    raw = a + b * largest + c * second
    free = np.where((raw > 0.0) & (raw < prices.heights[:, None]), weights, 0.0)
    by_largest, by_second = free * (largest - means[0]), free * (second - means[1])
    return np.stack([each.sum(axis=(0, 2)) for each in (free, by_largest, by_second)], axis=1)


def _plain(centred: FloatArray, means: FloatArray) -> FloatArray:
    """α of ψ = α + βM + γS from its mean part."""
    plain = centred.copy()
    plain[:, 0] -= centred[:, 1:] @ means
    return plain


def _mean_of(rank: int, count: int, low: float, high: float) -> float:
    """E of the largest (rank 0) or second largest of independent normals, cut at both ends."""

    def above(x: float) -> float:
        below = float(special.ndtr(x))
        every = below**count
        return 1.0 - every - rank * count * below ** (count - 1) * (1.0 - below)

    return low + float(integrate.quad(above, low, high, limit=200)[0])
