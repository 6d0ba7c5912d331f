"""After how many equal steps the number of a schedule (Theorem X) per round is at most a level."""

from __future__ import annotations

from bounds.gain.planning import Enough, equal_steps
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.regret.lower.until import rounds_until
from simulation.before_run.rows import MOST_QUICK_POINTS, MOST_QUICK_ROUNDS
from simulation.before_run.schedule import schedule_bound
from simulation.before_run.schedule_search import quick_schedule

_LEAST_HORIZON = 100
_DRAWS = 4_000


def scheduled_until(problem: Problem, level: float, *, seed: int = 0) -> tuple[Enough, ...]:
    """For the schedule that the quick family has for some hundred rounds, cut off after n.

    None for time kernels that are not Markov and large domains, as with `quick_ceilings`. The
    number at the rounds found holds with probability 0.999 over its draws; a cut schedule explores
    as if it went on, so that fewer rounds may do.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 9), 1e-4, domain=Arms(2))
    >>> [enough.rounds < 100 for enough in scheduled_until(problem, 0.1)]
    [True]
    """
    if not problem.time_kernel.is_markov or problem.domain.size > MOST_QUICK_POINTS:
        return ()
    horizon = min(max(problem.n, _LEAST_HORIZON), MOST_QUICK_ROUNDS)
    whole = quick_schedule(equal_steps(problem, horizon))

    def total(n: int) -> float:
        kept = [k for k, round_ in enumerate(whole.rounds) if round_ < n]
        cut = Schedule(tuple(whole.rounds[k] for k in kept), tuple(whole.points[k] for k in kept))
        return schedule_bound(equal_steps(problem, n), cut, draws=_DRAWS, seed=seed).value

    rounds = rounds_until(total, level, most=horizon)
    return (Enough("schedule", "scheduled", "mean", rounds, horizon),)
