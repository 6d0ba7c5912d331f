"""Every simulated row known before a run, for one problem at fixed times."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from bounds.problem import Problem
from bounds.progress import Share, Stage, unstaged, unwatched
from bounds.regret.ingredients.common_part import information
from bounds.regret.ingredients.full_information import variance_left
from bounds.regret.ingredients.start_up import ranked_rounds, round_floors, summed
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.regret_bound import RegretBound
from bounds.regret.rows import floors
from simulation.before_run.maximum import simulated_maximum
from simulation.before_run.schedule import ScheduleBound, schedule_bound
from simulation.before_run.schedule_search import quick_schedule, search_schedule

LARGEST_ONE_ARM = 30
"""Points up to which the floor of single arms is simulated here: beyond it takes minutes."""

LEAST_PATHS = 50
LONGEST_GAME = 581
"""Paths below which the floor of single arms is worth little, and the rounds that they allow in
about a minute."""

MOST_QUICK_ROUNDS = 500
MOST_QUICK_POINTS = 10_000
"""What a schedule is chosen for without being asked: some seconds, for Markov time kernels."""

QUICK_DRAWS = 20_000
LONG_DRAWS = 100_000
"""Draws behind the number of a schedule that is chosen quickly, or searched for."""

_QUICK_WORK = 6.5e9  # rounds × points × draws
_DELTA = 1e-3  # of the number of a schedule


def simulated_floors(
    problem: Problem,
    *,
    delay: int = 0,
    draws: int = 20_000,
    paths: int = 1_000,
    seed: int = 0,
    progress: Share = unwatched,
) -> tuple[RegretBound, ...]:
    """Theorem F and the start-up floor at a simulated m*, and Theorem G for small domains.

    Theorem G by its games for Markov time kernels, by its closed form for others. A floor with
    probability where the rounds are many and drift much (Σ(1−a_i²) some tens).

    Theorem G takes no account of the delay: late results only make its floor the safer.
    `paths` = 0 leaves it out. Raises InvalidInput.
    """
    from simulation.before_run.lower_bounds import probable_floor, promising

    maximum = simulated_maximum(problem, draws=draws, seed=seed)
    rows = floors(problem, delay=delay, maximum=maximum.least())
    size = problem.domain.size
    if not delay and promising(problem, maximum.upper):
        row = probable_floor(problem, seed=seed)
        rows = (*rows, row) if row.value > 0.0 else rows
    if paths and 2 <= size <= LARGEST_ONE_ARM:
        if problem.time_kernel.is_markov:
            row = _one_arm(problem, paths, seed, progress)
        else:
            from simulation.before_run.one_arm_blocks import one_arm_blocks_floor

            left = variance_left(problem.times, problem.time_kernel, problem.noise_variance)
            row = one_arm_blocks_floor(
                problem,
                others=round_floors(left, least_maximum(problem).value),
                paths=paths,
                seed=seed,
            )
        rows = (*rows, row)
    if paths and not delay:
        from simulation.before_run.path_prices import LARGEST, LONGEST, path_price_floor

        kernel = problem.time_kernel
        if (
            2 <= size <= LARGEST
            and problem.n <= LONGEST
            and kernel.is_markov
            and kernel.is_nonnegative
        ):
            row = path_price_floor(problem, paths=6 * paths, seed=seed)
            rows = (*rows, row)
    return rows


def _one_arm(problem: Problem, paths: int, seed: int, progress: Share) -> RegretBound:
    """Theorem G for as many rounds as take a minute, and the floors of the rounds behind them.

    The game bounds the regret of its rounds from below whatever follows, and the floor of a later
    round holds whatever was played, so that the sum is a floor.
    """
    from simulation.before_run.one_arm import one_arm_floor

    head = replace(problem, times=problem.times.block(0, min(problem.n, LONGEST_GAME)))
    row = one_arm_floor(head, paths=paths, seed=seed, progress=progress)
    if head.n == problem.n:
        return row
    least = least_maximum(problem).value
    rest = max(summed(ranked_rounds(problem, way, least)[head.n :]) for way in information(problem))
    source = f"rounds 1 to {head.n}: {row.source}; floors of the single rounds behind them"
    return replace(row, value=row.value + rest, source=source)


def scheduled_ceiling(
    problem: Problem,
    *,
    search_seconds: float = 0.0,
    seed: int = 0,
    advance: Stage = unstaged,
) -> ScheduleBound:
    """Theorem X: for a schedule quickly chosen, or searched for some seconds.

    After a search the smaller of the numbers of what it found and of the quick schedule, by 100,000
    draws, each at half of δ; else by `quick_draws`.
    """
    progress, draws = partial(advance, "search a schedule"), quick_draws(problem)
    if search_seconds > 0.0:
        searched = search_schedule(problem, seconds=search_seconds, progress=progress)
        draws = LONG_DRAWS
        rivals = list(dict.fromkeys([searched, quick_schedule(problem)]))
    else:
        rivals = [quick_schedule(problem, progress=progress)]
    advance("regret of the schedule", 0.0)
    share = _DELTA / len(rivals)  # all of the numbers hold with probability 1 − δ
    found = [
        schedule_bound(problem, rival, draws=draws, delta=share, seed=seed) for rival in rivals
    ]
    return replace(min(found, key=lambda bound: bound.value), delta=_DELTA)


def quick_draws(problem: Problem) -> int:
    """20,000 draws, fewer where that would take more than some seconds, at least 4,000."""
    affordable = int(_QUICK_WORK / (problem.n * problem.domain.size))
    return min(QUICK_DRAWS, max(affordable, QUICK_DRAWS // 5))


def quick_ceilings(
    problem: Problem, *, seed: int = 0, advance: Stage = unstaged
) -> tuple[ScheduleBound, ...]:
    """Theorem X by the quick family, where it takes a second or two; none elsewhere.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 9), domain=Arms(2))
    >>> [ceiling.row().policy for ceiling in quick_ceilings(problem)]
    ['scheduled']
    """
    small = problem.n <= MOST_QUICK_ROUNDS and problem.domain.size <= MOST_QUICK_POINTS
    if not (small and problem.time_kernel.is_markov):
        return ()
    return (scheduled_ceiling(problem, seed=seed, advance=advance),)


def simulated_ceilings(
    problem: Problem,
    scheduled: tuple[ScheduleBound, ...] | None = None,
    *,
    seed: int = 0,
    advance: Stage = unstaged,
) -> tuple[RegretBound, ...]:
    """Theorem X, and on small domains Theorem M with the entropy of simulated paths.

    scheduled : what was found for Theorem X; by default the quick family's

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 9), domain=Arms(2))
    >>> [(row.name, row.policy) for row in simulated_ceilings(problem)]
    [('schedule', 'scheduled'), ('theorem_m_entropy', 'ts')]
    """
    ceilings = scheduled
    if ceilings is None:
        ceilings = quick_ceilings(problem, seed=seed, advance=advance)
    rows = tuple(ceiling.row() for ceiling in ceilings)
    if not (2 <= problem.domain.size <= LARGEST_ONE_ARM and problem.time_kernel.is_markov):
        return rows
    from simulation.before_run.entropy import MOST_DURATIONS, entropy_row

    if len(np.unique(problem.times.durations[1:])) > MOST_DURATIONS:
        return rows
    advance("entropy of the path", 0.0)
    return (*rows, entropy_row(problem, seed=seed))


def affordable_paths(problem: Problem) -> int:
    """Paths for the floor of single arms that take about a minute; 0 where too few would do so.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> affordable_paths(Problem(EvaluationTimes.from_durations([1.0] * 2_000)))
    0
    """
    fewer = int(1_000 * min(1.0, (130.0 / problem.n) ** 2))
    return fewer if fewer >= LEAST_PATHS else 0
