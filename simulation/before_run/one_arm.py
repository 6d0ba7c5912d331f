"""Theorem G by simulation: paths of the other arms, the game of each arm solved along them.

Each path gives Σ_x V_x(B_x) ≥ 0, rounded down by cells; its mean is bounded below by the empirical
Bernstein inequality after capping. ψ and the cap are chosen on paths of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.regret_itself.expected_maximum.maximum import gram_of, require_gram
from bounds.regret_itself.floors.one_arm import Arms, cells_around, game_values
from bounds.regret_itself.floors.one_arm import Share as Charge
from bounds.regret_itself.regret_bound import ANY_POLICY, PRIOR, RegretBound
from simulation.before_run.draws import generator, require_delta, require_draws
from simulation.before_run.fields import bernstein_below, field_paths
from simulation.model.covariance import DenseFactor

_TRAINED = 24
_TRAINING_CELLS = 40
_WEIGHTS = (0.1, 0.3)
_HEIGHTS = (0.08, 0.16, 0.32, 0.64)
_CHUNK = 250
LARGEST_DOMAIN = 200
"""Points of the largest domain: the games of all of them are solved along each path."""


@dataclass(frozen=True, eq=False)
class OneArmFloor:
    """E R_n ≥ value for every policy, with probability ≥ 1 − δ over the paths.

    Attributes
    ----------
    value : the lower confidence bound; `mean` and `error` are those of the S values
    values : (S,) Σ_x V_x(B_x), capped at `cap`
    charge : ψ, chosen on other paths
    paths, cells, seed, delta : S, cells of ξ, seed and δ
    seconds : time it took
    """

    value: float
    mean: float
    error: float
    values: FloatArray
    cap: float
    charge: Charge
    paths: int
    cells: int
    seed: int
    delta: float
    seconds: float

    def row(self) -> RegretBound:
        """As a row of floors."""
        return RegretBound(
            "one-arm", self.value, "lower", ANY_POLICY, PRIOR, "mean", 1.0 - self.delta, "one n",
            f"Σ E V_x, {self.paths} paths, {self.cells} cells, mean {self.mean:.4g}, "
            f"ψ(u) = {1.0 - self.charge.weight:.3g}·min(u, {self.charge.height:.3g})",
            simulated=True,
        )  # fmt: skip


def one_arm_floor(
    problem: Problem,
    *,
    gram: FloatArray | None = None,
    paths: int = 1_000,
    cells: int = 80,
    delta: float = 0.01,
    seed: int = 0,
    progress: Share = unwatched,
) -> OneArmFloor:
    """The floor of Theorem G for a small domain, a Markov time kernel and fixed times.

    Parameters
    ----------
    problem : Problem of n rounds
    gram : (N, N) correlations of a finite domain, in place of the problem's grid
    paths, cells : S and the cells of ξ; more of them only raise the floor
    delta, seed : of the simulation

    Arms that are all alike are solved once. Cost: n²/2 products of (cells, cells) by (cells, S) for
    each kind of arm. Raises InvalidInput for a domain of one point, of more than 200, a singular K
    and other time kernels.
    """
    begun = perf_counter()
    require_draws(paths)
    require_delta(delta)
    matrix = gram_of(problem) if gram is None else require_gram(gram)
    if len(matrix) > LARGEST_DOMAIN:
        remedy = f"this floor takes at most {LARGEST_DOMAIN}"
        raise InvalidInput("points", len(matrix), remedy)
    arms, factor = Arms.of(matrix), DenseFactor.of(matrix)
    kinds = _kinds(matrix)
    training, main = generator(seed).spawn(2)
    with threadpool_limits(1, user_api="blas"):
        tried = field_paths(problem, factor, _TRAINED, training)
        charge, cap = _trained(problem, arms, kinds, tried)
        found = []
        for first in range(0, paths, _CHUNK):
            fields = field_paths(problem, factor, min(_CHUNK, paths - first), main)
            found.append(_sums(problem, arms, kinds, fields, charge, cells))
            progress(min(first + _CHUNK, paths) / paths)
    values = np.minimum(np.concatenate(found), cap)
    return OneArmFloor(
        value=bernstein_below(values, cap, delta),
        mean=float(values.mean()),
        error=float(values.std(ddof=1) / np.sqrt(paths)),
        values=values,
        cap=cap,
        charge=charge,
        paths=paths,
        cells=cells,
        seed=seed,
        delta=delta,
        seconds=perf_counter() - begun,
    )


def _kinds(matrix: FloatArray) -> dict[int, int]:
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
    charge: Charge,
    cells: int,
) -> FloatArray:
    total = np.zeros(len(fields))
    for x, count in kinds.items():
        paths = arms.thresholds(fields, x)
        total += count * game_values(
            paths, float(arms.variances[x]), problem.times, problem.time_kernel, charge,
            cells_around(paths, cells),
        )  # fmt: skip
    return total


def _trained(
    problem: Problem, arms: Arms, kinds: dict[int, int], fields: FloatArray
) -> tuple[Charge, float]:
    """The ψ with the largest mean over training paths, some of the points, and a cap."""
    some = dict(list(kinds.items())[:: max(1, len(kinds) // 3)])
    best, charge = -1.0, Charge(_WEIGHTS[0], _HEIGHTS[0])
    for weight in _WEIGHTS:
        for height in _HEIGHTS:
            trial = Charge(weight, height)
            found = float(_sums(problem, arms, some, fields, trial, _TRAINING_CELLS).mean())
            if found > best:
                best, charge = found, trial
    values = _sums(problem, arms, kinds, fields, charge, _TRAINING_CELLS)
    return charge, max(float(2.0 * values.max()), 1e-12)
