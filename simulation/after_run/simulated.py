"""The simulation certificate: what N simulated runs of the whole interaction promise before a run.

Simulated, and as good as the prior: objective, noise and policy are those of a `StudySpec`.

*Order statistic*, any times: the regret of the run to come and those of N simulated ones are
independent and identically distributed, so P(R_n ≤ R^((k))) ≥ k/(N+1) on average over simulations.
For one threshold that is used again and again the level is itself random, Beta(k, N+1−k).

*Expectation*, for fixed times and k_space, k_time ≥ 0: for B fixed before the simulation
E R_n ≤ E min(R_n, B) + E(R_n − B)₊. The first term by the empirical Bernstein inequality of Maurer
and Pontil (2009, theorem 4), mean + √(2V log(2/α)/N) + 7B log(2/α)/(3(N−1)), with probability 1 − α
over the simulations; the second by the Borell–TIS tail of `regret.ingredients.ranges`
(docs/theory.md#simulation-certificate).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log, sqrt
from time import perf_counter

import joblib
import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.rounding import at_least
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.progress import Share
from bounds.regret.ingredients.ranges import excess_above, range_variance
from bounds.regret.maximum.slepian import expected_maximum
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.found_elsewhere import SimulatedMean, SimulatedQuantile
from bounds.times import EvaluationTimes
from simulation.after_run.rank import least_paths, rank_of
from simulation.model.covariance import Factor, space_factor
from simulation.study.manifest import LARGEST_SEEDS
from simulation.study.study import StudySpec
from simulation.world.evaluation_time import FixedDurations

_CONFIDENCE = 0.05
_FIRST_SEED = 1_000_000_000
"""Simulated runs have seeds from here on, away from those of studies."""


@dataclass(frozen=True, eq=False)
class SimulationCertificate:
    """Regrets of N simulated runs, and what follows for another run of the same kind.

    Attributes
    ----------
    value : R_n ≤ value with probability ≥ level on average over the simulations
    level : k/(N+1)
    reused_level : with probability 0.95 over the simulations, the level of this very threshold
    expectation : E R_n ≤ it with probability ≥ 1 − alpha over the simulations; None where times
        depend on x
    alpha : probability that the bound on the expectation fails
    regrets : (N,) simulated regrets
    seconds : time it took
    """

    value: float
    level: float
    reused_level: float
    expectation: float | None
    alpha: float
    regrets: FloatArray
    seconds: float


def simulation_certificate(
    spec: StudySpec,
    policy: str,
    *,
    runs: int = 999,
    delta: float | None = None,
    alpha: float = _CONFIDENCE,
    seed: int = 0,
    rounds: slice = slice(None),
    workers: int = 1,
    progress: Share | None = None,
) -> SimulationCertificate:
    """Simulate the whole interaction `runs` times and read off both certificates.

    Parameters
    ----------
    spec : the study, of which seeds and the list of policies do not matter
    policy : the policy
    runs : N ≥ 1/δ − 1
    delta : by default the problem's
    alpha : of the expectation, in (0, 1)
    seed : of the simulations
    rounds : those whose regrets are summed
    workers : processes; the result does not depend on it
    progress : called with the share that is done

    Raises InvalidInput for too few runs and values outside their domains.
    """
    begun = perf_counter()
    total = spec.problem.delta if delta is None else delta
    rank = rank_of(runs, total)
    if not 0.0 < alpha < 1.0:
        raise InvalidInput("alpha", alpha, "give a probability in (0, 1)")
    if seed < 0:
        raise InvalidInput("seed", seed, "give a whole number of at least 0")
    cut = _cut(spec, rounds, runs, alpha)
    regrets = simulated_regrets(
        spec, policy, runs, seed=seed, rounds=rounds, workers=workers, progress=progress
    )
    expectation = None
    if cut is not None:
        level, tail = cut
        expectation = bernstein_bound(np.minimum(regrets, level), level, alpha) + tail
    return SimulationCertificate(
        value=float(np.sort(regrets)[rank - 1]),
        level=rank / (runs + 1),
        reused_level=float(special.betaincinv(rank, runs + 1 - rank, 0.05)),
        expectation=expectation,
        alpha=alpha,
        regrets=regrets,
        seconds=perf_counter() - begun,
    )


def simulated_rows(
    problem: Problem,
    *,
    runs: int = 199,
    seed: int = 0,
    progress: Share | None = None,
) -> tuple[RegretBound, ...]:
    """What `runs` simulations of CTV-fixed (exploration theory) promise for these fixed times.

    Two rows, `simulation` and `simulation_mean`; parameters as for
    `simulation_certificate`. Raises InvalidInput for fewer than 1/δ − 1 runs.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0, 1.0])
    >>> rows = simulated_rows(Problem(times, domain=Grid(1, 1.0, 4)), runs=9)
    >>> [row.name for row in rows], rows[0].level
    (['simulation', 'simulation_mean'], 0.9)
    """
    spec = StudySpec(
        problem,
        setting="csv",
        policies=("ctv-fixed",),
        seeds=1,
        initial=0,
        rounds=problem.n,
        exploration="theory",
    )
    certificate = simulation_certificate(spec, "ctv-fixed", runs=runs, seed=seed, progress=progress)
    surely = (
        f"level {at_least(certificate.reused_level, 3)} with probability 0.95 over the simulations"
    )
    rows = [
        SimulatedQuantile().at(
            certificate.value,
            f"order statistic of {runs} simulated runs; {surely}",
            level=certificate.level,
            simulated=True,
        )
    ]
    if certificate.expectation is not None:
        rows.append(
            SimulatedMean().at(
                certificate.expectation,
                f"empirical Bernstein and Borell–TIS, {runs} simulated runs, with probability "
                f"{1.0 - certificate.alpha:g} over them",
                simulated=True,
            )
        )
    return tuple(rows)


def simulated_regrets(
    spec: StudySpec,
    policy: str,
    runs: int,
    *,
    seed: int = 0,
    rounds: slice = slice(None),
    workers: int = 1,
    progress: Share | None = None,
) -> FloatArray:
    """(N,) regrets of independent simulated runs, the same whatever the number of workers."""
    if workers < 1:
        raise InvalidInput("workers", workers, "give a whole number of at least 1")
    first = _FIRST_SEED * (1 + seed)
    with one_blas_thread():
        factor = space_factor(spec.problem)
    chunks = [range(first + i, first + min(i + 20, runs)) for i in range(0, runs, 20)]
    results: Iterable[list[float]]
    if workers == 1:
        results = (_regrets(spec, policy, chunk, factor, rounds) for chunk in chunks)
    else:
        task = joblib.delayed(_regrets)
        results = joblib.Parallel(n_jobs=workers, return_as="generator")(
            task(spec, policy, chunk, factor, rounds) for chunk in chunks
        )
    regrets: list[float] = []
    for part in results:
        regrets += part
        if progress is not None:
            progress(len(regrets) / runs)
    return np.array(regrets)


def bernstein_bound(values: ArrayLike, top: float, alpha: float) -> float:
    """mean + √(2V log(2/α)/N) + 7·top·log(2/α)/(3(N−1)), an upper bound on E Y for Y in [0, top].

    It holds with probability ≥ 1 − α, V being the sample variance with N − 1 (Maurer and Pontil
    2009, theorem 4, one-sided).

    Raises InvalidInput for fewer than two values or values outside [0, top].
    """
    sample = np.asarray(values, dtype=float)
    if len(sample) < 2:
        raise InvalidInput("runs", len(sample), "give at least 2")
    if np.any((sample < 0.0) | (sample > top)):
        raise InvalidInput("values", "outside [0, top]", "cut them first")
    weight = log(2.0 / alpha)
    spread = sqrt(2.0 * float(np.var(sample, ddof=1)) * weight / len(sample))
    return float(np.mean(sample)) + spread + 7.0 * top * weight / (3.0 * (len(sample) - 1))


def _cut(spec: StudySpec, rounds: slice, runs: int, alpha: float) -> tuple[float, float] | None:
    """B and the bound on E(R_n − B)₊, for fixed times; B makes what they cost together small."""
    durations = spec.durations
    if not isinstance(durations, FixedDurations) or runs < 2:
        return None
    problem = spec.problem
    instants = np.cumsum(durations.durations[: spec.total_rounds])[rounds]
    if not len(instants):
        return None
    fixed = replace(problem, times=EvaluationTimes.from_times(instants))
    bracket = expected_maximum(problem.domain, problem.space_kernel)
    spread = sqrt(range_variance(fixed.times, fixed.time_kernel))
    price = 7.0 * log(2.0 / alpha) / (3.0 * (runs - 1))
    # The tail falls by Φ(−u/√v) for each unit of B, which costs `price`.
    above = spread * max(float(-special.ndtri(min(price / sqrt(2.0 * np.pi), 0.5))), 0.0)
    level = 2.0 * bracket.upper * fixed.n + above
    return level, excess_above(fixed, bracket, level)


def _regrets(
    spec: StudySpec, policy: str, seeds: range, factor: Factor, rounds: slice
) -> list[float]:
    with one_blas_thread():
        return [float(spec.played(policy, seed, factor).regrets[rounds].sum()) for seed in seeds]


def check_simulations(simulations: int | None, delta: float) -> None:
    """Raise InvalidInput, before anything is computed, for fewer runs than 1/δ − 1 or too many."""
    if simulations is None:
        return
    least = least_paths(delta)
    if simulations < least:
        raise InvalidInput("simulations", simulations, f"give at least {least} (1/delta - 1)")
    if simulations > LARGEST_SEEDS:
        raise InvalidInput("simulations", simulations, f"give at most {LARGEST_SEEDS}")
