"""Rows beside the bounds of the theory's chain: schedules, simulations, settings of their own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.progress import Stage
    from bounds.regret.regret_bound import RegretBound
    from ctv.options.problem import TimesOptions
    from ctv.values.exact import ExactAnswer
    from simulation.before_run.schedule import ScheduleBound

CLOSE_KNOTS, LONGEST_CLOSE = 101, 80
"""Knots of the lower side of the least regret, and the rounds up to which they take seconds."""

RANDOM_SEQUENCES = 200
"""Sequences of a random family over which a floor is averaged."""


def solved_exactly(problem: Problem, seed: int, advance: Stage) -> ExactAnswer:
    """The least regret from both sides, and every policy that `simulation.runs.arms` tries."""
    from bounds.domain import Arms
    from bounds.regret.lower.least_regret import least_regret, lower_side
    from ctv.values.exact import RUNS, ExactAnswer
    from simulation.runs.arms import simulated

    assert isinstance(problem.domain, Arms)
    advance("the least regret", 0.0)
    arms = problem.domain.count
    least = least_regret(problem.times, problem.time_kernel, arms)
    if arms == 2 and problem.n <= LONGEST_CLOSE:
        closer = lower_side(problem.times, problem.time_kernel, kept=CLOSE_KNOTS)
        least = replace(least, lower=max(least.lower, closer))
    advance("simulated policies", 0.0)
    regrets = simulated(problem, runs=RUNS, seed=seed)
    return ExactAnswer(least, tuple(sorted(regrets, key=lambda regret: regret.mean)))


def scheduled_rows(
    problem: Problem, seconds: float, seed: int, advance: Stage
) -> tuple[tuple[RegretBound, ...], ScheduleBound | None]:
    """The simulated ceilings; Theorem X by its quick family, or by a search of some seconds."""
    from bounds.numerics.threads import one_blas_thread
    from simulation.before_run.rows import quick_ceilings, scheduled_ceiling, simulated_ceilings

    with one_blas_thread():  # its matrices are small, or long and narrow
        if not seconds:
            ceilings = quick_ceilings(problem, seed=seed, advance=advance)
        else:
            ceilings = (
                scheduled_ceiling(problem, search_seconds=seconds, seed=seed, advance=advance),
            )
        rows = simulated_ceilings(problem, ceilings, seed=seed, advance=advance)
    return rows, ceilings[0] if ceilings else None


def of_random_times(problem: Problem, times: TimesOptions) -> RegretBound:
    """Theorem F in the mean over the sequences of a random family, of which the times are one."""
    from simulation.before_run.lower_bounds import exogenous_floor

    seeds = range(times.seed + 1, times.seed + 1 + RANDOM_SEQUENCES)
    drawn = [replace(times, seed=seed).evaluation_times().durations for seed in seeds]
    return exogenous_floor(problem, drawn)


def of_known_mean(problem: Problem, given: str, delay: int, seed: int) -> tuple[RegretBound, ...]:
    """Theorem F for a mean m(x) that a comma list or a file has; for arms both sides by gaps."""
    from bounds.domain import Arms
    from bounds.regret.lower.arms import PriceFloor
    from ctv.inputs import read_numbers
    from simulation.before_run.known_mean import known_mean_ceilings
    from simulation.before_run.lower_bounds import known_mean_floor
    from simulation.before_run.rows import quick_draws

    mean = read_numbers(given, "known-mean")
    floor = known_mean_floor(problem, mean, delay=delay, draws=quick_draws(problem), seed=seed)
    if not isinstance(problem.domain, Arms):
        return (floor,)
    means = [float(each) for each in mean]
    priced = PriceFloor().with_means(problem, means)
    ceilings = () if delay else known_mean_ceilings(problem, means)
    return (floor, *(() if priced is None else (priced,)), *ceilings)


def simulated(
    problem: Problem, runs: int, delay: int, seed: int, advance: Stage
) -> tuple[RegretBound, ...]:
    """Floors by simulation, and, without delay, what simulated runs of CTV-fixed promise."""
    from simulation.after_run.simulated import simulated_rows
    from simulation.before_run.rows import LEAST_PATHS, affordable_paths, simulated_floors

    paths = 0 if delay else affordable_paths(problem) or LEAST_PATHS
    rows = simulated_floors(
        problem,
        delay=delay,
        paths=paths,
        seed=seed,
        progress=partial(advance, "simulated lower bounds"),
    )
    if delay:
        return rows
    told = partial(advance, "simulated runs")
    return (*rows, *simulated_rows(problem, runs=runs, seed=seed, progress=told))
