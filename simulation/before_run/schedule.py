"""Theorem X by simulation: the number of a schedule with its confidence, and good schedules.

Σ_{i∉E} E max N(0, K − P_i) is the mean of Y = Σ_{i∉E} (max μ_i − min μ_i)/2 over draws of the
posterior means μ_i from the scheduled data. As a function of the normals behind it Y is Lipschitz
with a constant Λ, as m* is the mean of one with a constant ℓ. Of independent draws, S for Y and S'
for m*, the mean of n·m* − Y is Lipschitz with √(Λ²/S + n²ℓ²/S') and lies below its expectation by
more than √(2 log(1/δ)) times this with a probability of at most δ. For Λ: half the range of μ_i is
Lipschitz with ℓ_i² = min(largest variance of μ_i, (1 − min k_space)/2), Λ ≤ Σℓ_i, and for a Markov
time kernel the gradients of i < j have a product of at most k_time(τ_j − τ_i)·ℓ_i².

Of independent arms the means are independent too, and of two points E max is √(Var(μ−μ')/(2π)):
there everything is integrated instead, and nothing is simulated.

A schedule is chosen on other draws: `simulation.before_run.schedule_search`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, log, sqrt

import numpy as np
from scipy import special
from scipy.linalg import blas

from bounds.arrays import BoolArray, FloatArray
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import (
    Columns,
    Schedule,
    Stages,
    explained_roots,
    stages,
)
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.found_elsewhere import ScheduledExploration
from simulation.before_run.draws import (
    IN_CACHE,
    generator,
    in_chunks,
    legendre,
    require_delta,
    require_draws,
)
from simulation.before_run.maximum import (
    SimulatedMaximum,
    half_range_variance,
    simulated_maximum,
)

_LEAST_SCALE = 1e-60


@dataclass(frozen=True)
class ScheduleBound:
    """E R_n ≤ value for the scheduled policy, with probability ≥ 1 − δ over the draws.

    Attributes
    ----------
    value : |E|m* + Σ_{i∉E}(m* − E max) with its correction
    estimate : the same without the correction
    schedule : the rounds and points
    draws, delta : S and δ; 0 draws where all is integrated
    """

    value: float
    estimate: float
    schedule: Schedule
    draws: int
    delta: float

    def row(self) -> RegretBound:
        """As a row of upper bounds."""
        bound, rounds = ScheduledExploration(), f"{len(self.schedule.rounds)} scheduled rounds"
        if self.draws == 0:
            return bound.at(self.value, f"{rounds}, E max by quadrature")
        return bound.at(
            self.value,
            f"{rounds}, {self.draws} draws, ±{self.value - self.estimate:.2g}",
            level=1.0 - self.delta,
            simulated=True,
        )


def schedule_bound(
    problem: Problem,
    schedule: Schedule,
    *,
    draws: int = 20_000,
    delta: float = 1e-3,
    seed: int = 0,
    maximum: SimulatedMaximum | None = None,
) -> ScheduleBound:
    """The number of Theorem X for one schedule.

    Parameters
    ----------
    problem : Problem of n rounds at fixed times
    schedule : fixed without these draws
    draws, delta, seed : S, δ and the seed of the draws
    maximum : m*, simulated by draws independent of these; by default by as many

    Cost: O(|E|·N) a draw for Markov time kernels, otherwise O(n|E|N). Raises InvalidInput.
    """
    require_draws(draws)
    require_delta(delta)
    columns, size = domain_columns(problem), problem.domain.size
    schedule.require(problem.n, size)
    if maximum is None and is_integrable(columns, size):
        apart = 2.0 * (1.0 - float(columns(0)[-1]))
        whole = _largest_mean(np.array([apart]) if size <= 2 else np.ones(size))
        value = problem.n * whole - _integrated(problem, schedule, columns)
        return ScheduleBound(value, value, schedule, 0, delta)
    if maximum is None:
        maximum = simulated_maximum(problem, draws=draws, delta=delta / 2, seed=seed)
    rng = generator(seed)
    rng = np.random.default_rng(rng.bit_generator.seed_seq.spawn(1)[0])  # type: ignore[attr-defined]
    most = half_range_variance(problem)
    if problem.time_kernel.is_markov:
        updates = stages(
            problem.times, problem.time_kernel, problem.noise_variance, schedule, columns
        )
        steepness = _markov_steepness(problem, schedule, updates, most)
        reached = _markov_mean(updates, draws, rng)
    else:
        reached, steepness = _dense_mean(problem, schedule, columns, draws, rng, most)
    n = problem.n
    # n·m* less Y is one Lipschitz function of both sets of draws: its constants add in squares.
    slack = hypot(steepness / sqrt(draws), n * maximum.steepness) * sqrt(2.0 * log(1.0 / delta))
    estimate = n * maximum.mean - reached
    return ScheduleBound(estimate + slack, estimate, schedule, draws, delta)


def domain_columns(problem: Problem) -> Columns:
    """K column by column."""
    return problem.domain.restricted(problem.space_kernel).column


def is_integrable(columns: Columns, size: int) -> bool:
    """Whether E max is integrated: at most two points, or independent ones."""
    return size <= 2 or all(np.count_nonzero(columns(x)) == 1 for x in range(size))


def _integrated(problem: Problem, schedule: Schedule, columns: Columns) -> float:
    """Σ_{i∉E} E max N(0, K − P_i), in floating point."""
    if problem.time_kernel.is_markov:
        updates = stages(
            problem.times, problem.time_kernel, problem.noise_variance, schedule, columns
        )
        return float(updates.weights @ largest_means(updates))
    total, scheduled = 0.0, set(schedule.rounds)
    for i in range(problem.n):
        if i not in scheduled:
            roots = _told_apart(roots_at(problem, schedule, columns, i))
            total += _largest_mean(np.sum(roots**2, axis=0))
    return total


def largest_means(updates: Stages) -> FloatArray:
    """(m,) E max of the posterior mean right after each observation, where `is_integrable`."""
    rows = _told_apart(updates.rows)
    means, variances = np.zeros(len(rows)), np.zeros(rows.shape[1])
    for k, row in enumerate(rows):
        variances = updates.decays[k] ** 2 * variances + row**2
        means[k] = _largest_mean(variances)
    return means


def _told_apart(rows: FloatArray) -> FloatArray:
    """Of independent points the rows as they are; of two points, or one, their difference."""
    return rows if rows.shape[1] > 2 else rows[:, :1] - rows[:, -1:]


def _largest_mean(variances: FloatArray) -> float:
    """E max of two normal variables, by the variance (1,) of their difference, or of more that are
    independent, by their own: ∫_0^∞ (1 − ΠΦ) − ∫_{−∞}^0 ΠΦ.
    """
    if len(variances) == 1:
        return float(np.sqrt(variances[0] / (2.0 * np.pi)))
    kinds, counts = np.unique(np.sqrt(variances[variances > 0.0]), return_counts=True)
    if not len(kinds):
        return 0.0
    top = 9.0 * float(kinds[-1])
    nodes, weights = legendre(400)
    x = 0.5 * top * (nodes + 1.0)

    def below(at: FloatArray) -> FloatArray:
        return np.asarray(np.prod(special.ndtr(at[:, None] / kinds) ** counts, axis=1))

    high = 0.5 * top * float(weights @ (1.0 - below(x)))
    # A variable that is 0 for certain leaves nothing below 0.
    all_known = counts.sum() == len(variances)
    return high - (0.5 * top * float(weights @ below(-x)) if all_known else 0.0)


def _markov_mean(updates: Stages, draws: int, rng: np.random.Generator) -> float:
    if not len(updates.rows):
        return 0.0
    total = 0.0
    for count in in_chunks(draws, len(updates.rows)):
        normals = rng.standard_normal((count, len(updates.rows)))
        ranges = half_ranges(updates.rows, updates.decays, normals, updates.weights > 0.0)
        total += float(ranges @ updates.weights) * count
    return total / draws


def half_ranges(
    rows: FloatArray, decays: FloatArray, normals: FloatArray, asked: BoolArray | None = None
) -> FloatArray:
    """(m,) the mean over draws of half the range of the mean right after each observation.

    Those that are `asked` for, by default all; 0 for the others.

    Some draws at a time, so that their fields stay in the cache of the processor. Fields are kept
    in units of the decays so far: one update of rank 1 (BLAS, one thread) for each observation.
    """
    m, size = rows.shape
    draws = len(normals)
    sums = np.zeros(m)
    step = max(1, IN_CACHE // max(size, 1))
    kept = np.empty((step, size))
    with one_blas_thread():
        for begin in range(0, draws, step):
            weights = normals[begin : begin + step]
            fields = kept[: len(weights)]
            fields[:] = 0.0
            scale = 1.0
            for k in range(m):
                scale *= float(decays[k])
                if scale < _LEAST_SCALE:
                    fields *= scale
                    scale = 1.0
                # In place: the transposed array is in Fortran's order.
                blas.dger(1.0 / scale, rows[k], weights[:, k], a=fields.T, overwrite_a=1)
                if asked is not None and not asked[k]:
                    continue
                ranges = fields.max(axis=1) - fields.min(axis=1)
                sums[k] += scale * float(ranges.sum())
    return np.asarray(0.5 * sums / draws)


def _markov_steepness(problem: Problem, schedule: Schedule, updates: Stages, most: float) -> float:
    if not len(updates.rows):
        return 0.0
    squares = np.minimum(updates.explained * (1.0 + 1e-9), most)
    chosen = np.array(schedule.rounds, dtype=np.int64)
    lags = problem.times.some(chosen).distances(slice(None), slice(None))
    reach = np.asarray(problem.time_kernel.at_distance(lags))
    first = np.minimum.outer(np.arange(len(chosen)), np.arange(len(chosen)))
    joint = reach * squares[first]
    # Never above the sum of the constants.
    joint = np.minimum(joint, np.sqrt(np.outer(squares, squares)))
    return sqrt(float(updates.weights @ joint @ updates.weights)) * (1.0 + 1e-9)


def _dense_mean(
    problem: Problem,
    schedule: Schedule,
    columns: Columns,
    draws: int,
    rng: np.random.Generator,
    most: float,
) -> tuple[float, float]:
    scheduled, total, steepness = set(schedule.rounds), 0.0, 0.0
    count = len(schedule.rounds)
    batches = [rng.standard_normal((c, count)) for c in in_chunks(draws, len(columns(0)))]
    for i in range(problem.n):
        if i in scheduled:
            continue
        roots = roots_at(problem, schedule, columns, i)
        if not len(roots):
            continue
        variances = float(np.max(np.sum(roots * roots, axis=0)))
        steepness += sqrt(min(variances * (1.0 + 1e-9), most))
        total += sum(float(np.sum(field_ranges(roots, batch))) for batch in batches)
    return total / draws, steepness


def roots_at(problem: Problem, schedule: Schedule, columns: Columns, i: int) -> FloatArray:
    """`explained_roots` of a problem's schedule at round i."""
    return explained_roots(
        problem.times, problem.time_kernel, problem.noise_variance, schedule, columns, i
    )


def field_ranges(roots: FloatArray, normals: FloatArray) -> FloatArray:
    """(S,) half the ranges of normals @ roots."""
    if not len(roots):
        return np.zeros(len(normals))
    fields = normals[:, : len(roots)] @ roots
    return np.asarray(0.5 * (fields.max(axis=1) - fields.min(axis=1)))
