"""Theorem P with prices that follow the path, by simulation: for few arms and slow drift.

Prices are searched by stochastic supergradients on paths of their own (the floor is concave in
them). The number is a lower confidence bound on E[Σψ − K·V] from other paths: what is left of it
by two controls, the sums of the largest and of the second value, cut at fixed ends so that their
means are integrals, is bounded from below, and its mean by `mean_below`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import integrate, special

from bounds.arrays import FloatArray
from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.regret.lower.arm_value import require_markov
from bounds.regret.lower.path_prices import (
    NO_SECOND,
    PathGames,
    PathPriceFloor,
    PathPrices,
    path_knots,
)
from bounds.regret.regret_bound import RegretBound
from simulation.before_run.draws import generator, require_delta, require_draws
from simulation.before_run.fields import field_paths, mean_below
from simulation.model.covariance import DenseFactor

LARGEST, LONGEST = 10, 60
"""Arms and rounds up to which this floor is worth its time."""

_STEPS, _BATCH, _COARSE = 60, 32, 31
_PILOT = 200
_RATES = np.array([0.03, 0.02, 0.02])
_START = np.array([0.3, 0.05, 0.1])
_KEPT, _REMEMBERED, _FLOOR_OF_SCALE = 0.8, 0.95, 0.05
_TALL = 1.5  # h while prices are searched
_HIGH = 0.995  # share of paths that a height is above
_REACH = 2.5  # of the controls, around their means
_CHUNK = 250


def path_price_floor(
    problem: Problem,
    *,
    paths: int = 2_000,
    knots: int = 61,
    delta: float = 0.01,
    seed: int = 0,
    progress: Share = unwatched,
) -> RegretBound:
    """The row `path-prices`: E R_n ≥ its value for every policy, with probability ≥ 1 − δ.

    Parameters
    ----------
    problem : two to ten independent arms, at most 60 rounds, a Markov time kernel
    paths, knots : S and the knots of V; more of them only raise the floor
    delta, seed : of the simulation

    Cost: n²M²/2 products a path; half a minute at n = 60. Raises InvalidInput.
    """
    require_draws(paths)
    require_delta(delta)
    if not isinstance(problem.domain, Arms) or not 2 <= problem.domain.count <= LARGEST:
        remedy = f"give two to {LARGEST} independent arms"
        raise InvalidInput("domain", problem.domain.phrase, remedy)
    if problem.n > LONGEST:
        raise InvalidInput("n", problem.n, f"give at most {LONGEST} rounds")
    require_markov(problem.time_kernel)
    arms, factor = problem.domain.count, DenseFactor.of(np.eye(problem.domain.count))
    training, main = generator(seed).spawn(2)
    coarse = PathGames(problem.times, problem.time_kernel, path_knots(_COARSE))
    means = np.array([_mean_of(rank, arms, -8.0, 8.0) for rank in (0, 1)])

    def drawn(count: int, rng: np.random.Generator) -> FloatArray:
        return field_paths(problem, factor, count, rng)

    levels = _searched(problem, coarse, means, lambda: drawn(_BATCH, training))
    progress(0.4)
    pilot = drawn(_PILOT, training)
    largest, second = _ranked(pilot)
    a, b, c = levels.T
    heights = np.quantile(np.maximum(a + b * largest + c * second, 0.0), _HIGH, axis=0)
    prices = PathPrices(levels, heights)
    low, high = means - _REACH, means + _REACH
    exact = np.array([_mean_of(r, arms, low[r], high[r]) for r in (0, 1)])
    worth, controls = _worths(coarse, pilot, prices, low, high, exact)
    centred = controls - controls.mean(axis=0)
    shares = np.linalg.lstsq(centred, worth - worth.mean(), rcond=None)[0]
    fine, found = PathGames(problem.times, problem.time_kernel, path_knots(knots)), []
    for first in range(0, paths, _CHUNK):
        fields = drawn(min(_CHUNK, paths - first), main)
        worth, controls = _worths(fine, fields, prices, low, high, exact)
        found.append(worth - controls @ shares)
        progress(0.4 + 0.6 * min(first + _CHUNK, paths) / paths)
    values = np.concatenate(found)
    # No value is below minus this: V is at most Σh, and each control is between its ends.
    ends = np.where(shares > 0.0, high - exact, exact - low)
    least = arms * float(heights.sum()) + problem.n * float(np.abs(shares) @ ends)
    value = mean_below(values + least, delta) - least
    error = float(values.std(ddof=1)) / np.sqrt(paths)
    return PathPriceFloor().at(
        max(value, 0.0),
        f"E[Σψ − K·V], ψ = clip(α + βM + γS, 0, h) by round, {paths} paths, {knots} knots, mean "
        f"{values.mean():.4g} ± {error:.2g}",
        level=1.0 - delta,
        simulated=True,
    )


def _ranked(fields: FloatArray) -> tuple[FloatArray, FloatArray]:
    """M and S (S, n)."""
    order = np.sort(fields, axis=2)
    return order[:, :, -1], order[:, :, -2]


def _others(fields: FloatArray) -> tuple[FloatArray, FloatArray]:
    """B and B′ of the first arm."""
    order = np.sort(fields[:, :, 1:], axis=2)
    if order.shape[2] == 1:
        return order[:, :, 0], np.full(order.shape[:2], NO_SECOND)
    return order[:, :, -1], order[:, :, -2]


def _worths(
    games: PathGames,
    fields: FloatArray,
    prices: PathPrices,
    low: FloatArray,
    high: FloatArray,
    exact: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """(S,) Σψ − K·V, and (S, 2) the sums of M and S, cut, less their means."""
    ranked = _ranked(fields)
    values, _ = games.solve(*_others(fields), prices)
    worth = prices.shares(*ranked).sum(axis=1) - fields.shape[2] * values
    cut = [(np.clip(ranked[r], low[r], high[r]) - exact[r]).sum(axis=1) for r in range(len(ranked))]
    return worth, np.stack(cut, axis=1)


def _searched(
    problem: Problem, games: PathGames, means: FloatArray, drawn: Callable[[], FloatArray]
) -> FloatArray:
    """α, β, γ (n, 3) by steps along 1 − K·(looks), with momentum and scaled by its size."""
    n, arms = problem.n, problem.domain.size
    heights = np.full(n, _TALL)
    found = np.tile(_START, (n, 1))  # ψ = first + β(M − EM) + γ(S − ES)
    speed, scale, total, counted = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)), 0
    for step in range(_STEPS):
        fields = drawn()
        _, looks = games.solve(*_others(fields), PathPrices(_plain(found, means), heights))
        looks = looks / len(fields)
        ranked = np.stack([r.mean(axis=0) for r in _ranked(fields)], axis=1) - means
        surplus = looks[:, 1:] - looks[:, :1] * means
        gradient = np.column_stack([1.0 - arms * looks[:, 0], ranked - arms * surplus])
        speed = _KEPT * speed + (1.0 - _KEPT) * gradient
        scale = _REMEMBERED * scale + (1.0 - _REMEMBERED) * gradient**2
        size = _RATES * (1.0 - step / _STEPS)
        found = found + size * speed / (np.sqrt(scale) + _FLOOR_OF_SCALE)
        found[:, 1], found[:, 2] = np.maximum(found[:, 1], 0.0), np.maximum(found[:, 2], -0.9)
        if step >= 2 * _STEPS // 3:
            total, counted = total + found, counted + 1
    return _plain(total / counted, means)


def _plain(centred: FloatArray, means: FloatArray) -> FloatArray:
    """α of ψ = α + βM + γS from its mean part."""
    plain = centred.copy()
    plain[:, 0] -= centred[:, 1:] @ means
    return plain


def _mean_of(rank: int, arms: int, low: float, high: float) -> float:
    """E of the largest (rank 0) or second largest of independent normals, cut at both ends."""

    def above(x: float) -> float:
        below = float(special.ndtr(x))
        every = below**arms
        return 1.0 - every - rank * arms * below ** (arms - 1) * (1.0 - below)

    return low + float(integrate.quad(above, low, high, limit=200)[0])
