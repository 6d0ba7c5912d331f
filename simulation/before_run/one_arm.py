"""Theorem G by simulation: paths of the other arms, the game of each arm solved along them.

Each path gives a lower bound on Σ_x V_x(B_x) ≥ 0, whose mean is bounded below by `mean_below`. ψ is
chosen on paths of its own. Paths are solved in groups of like ones, each with knots of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.regret.ingredients.one_arm import Arms, Games, knots_around
from bounds.regret.ingredients.one_arm import Share as Charge
from bounds.regret.lower.arms import OneArmFloor
from bounds.regret.maximum.maximum import gram_of
from bounds.regret.regret_bound import RegretBound
from simulation.before_run.draws import (
    field_paths,
    generator,
    mean_below,
    require_delta,
    require_draws,
)
from simulation.model.covariance import DenseFactor

_TRAINED = 24
_TRAINING_KNOTS = 36
_WEIGHTS = (0.0, 0.15, 0.3, 0.5)
_HEIGHTS = (0.08, 0.16, 0.32, 0.64)
_CHUNK = 256
_GROUP = 32
LARGEST_DOMAIN = 200
"""Points of the largest domain: the games of all of them are solved along each path."""


def one_arm_floor(
    problem: Problem,
    *,
    paths: int = 1_000,
    knots: int = 60,
    delta: float = 0.01,
    seed: int = 0,
    progress: Share = unwatched,
) -> RegretBound:
    """The floor of Theorem G for a small domain, a Markov time kernel and fixed times.

    E R_n ≥ its value for every policy, with probability ≥ 1 − δ over the paths.

    Parameters
    ----------
    problem : Problem of n rounds
    paths, knots : S and the knots of ξ; more of them only raise the floor
    delta, seed : of the simulation

    Arms that are all alike are solved once. Cost: n²/2 products of (knots, knots) by (knots, S) for
    each kind of arm. Raises InvalidInput for a domain of one point, of more than 200, a singular K
    and other time kernels.
    """
    require_delta(delta)
    values, charge = simulated_games(
        problem, paths=paths, knots=knots, seed=seed, progress=progress
    )
    return OneArmFloor().at(
        mean_below(values, delta),
        f"Σ E V_x, {paths} paths, {knots} knots, mean {values.mean():.4g}, "
        f"ψ(u) = {1.0 - charge.weight:.3g}·min(u, {charge.height:.3g})",
        level=1.0 - delta,
        simulated=True,
    )


def simulated_games(
    problem: Problem,
    *,
    paths: int,
    knots: int = 60,
    seed: int = 0,
    progress: Share = unwatched,
) -> tuple[FloatArray, Charge]:
    """(S,) Σ_x V_x(B_x) along the paths, and ψ, chosen on other paths.

    Parameters and errors as for `one_arm_floor`.
    """
    require_draws(paths)
    matrix = gram_of(problem)
    if len(matrix) > LARGEST_DOMAIN:
        remedy = f"this floor takes at most {LARGEST_DOMAIN}"
        raise InvalidInput("points", len(matrix), remedy)
    if not problem.time_kernel.is_markov:
        remedy = "this floor needs a Markov time kernel"
        raise InvalidInput("time-kernel", problem.time_kernel.name, remedy)
    arms, factor = Arms.of(matrix), DenseFactor.of(matrix)
    kinds = kinds_of(matrix)
    training, main = generator(seed).spawn(2)
    with one_blas_thread():
        tried = field_paths(problem, factor, _TRAINED, training)
        charge = _trained(problem, arms, kinds, tried)
        sums = []
        for first in range(0, paths, _CHUNK):
            fields = field_paths(problem, factor, min(_CHUNK, paths - first), main)
            sums.append(_sums(problem, arms, kinds, fields, [charge], knots)[0])
            progress(min(first + _CHUNK, paths) / paths)
    return np.concatenate(sums), charge


def kinds_of(matrix: FloatArray) -> dict[int, int]:
    """Points to solve and how many points each stands for: one where all arms are alike."""
    off = matrix[~np.eye(len(matrix), dtype=bool)]
    if np.all(off == off[0]):
        return {0: len(matrix)}
    return dict.fromkeys(range(len(matrix)), 1)


def _sums(
    problem: Problem,
    arms: Arms,
    kinds: dict[int, int],
    fields: FloatArray,
    charges: Sequence[Charge],
    knots: int,
) -> FloatArray:
    """(C, S) Σ_x V_x of each charge; a path below 0 by what knots leave counts as 0."""
    totals = np.zeros((len(charges), len(fields)))
    for x, count in kinds.items():
        paths = arms.thresholds(fields, x)
        order = np.argsort(paths.mean(axis=1))
        for group in np.array_split(order, max(1, len(order) // _GROUP)):
            games = Games(
                paths[group],
                float(arms.variances[x]),
                problem.times,
                problem.time_kernel,
                knots_around(paths[group], knots),
            )
            for total, charge in zip(totals, charges, strict=True):
                total[group] += count * games.values(charge)
    return np.maximum(totals, 0.0)


def _trained(problem: Problem, arms: Arms, kinds: dict[int, int], fields: FloatArray) -> Charge:
    """The ψ with the largest mean over training paths and some of the points."""
    some = dict(list(kinds.items())[:: max(1, len(kinds) // 3)])
    trials = [Charge(weight, height) for weight in _WEIGHTS for height in _HEIGHTS]
    sums = _sums(problem, arms, some, fields, trials, _TRAINING_KNOTS)
    return trials[int(np.argmax(sums.mean(axis=1)))]
