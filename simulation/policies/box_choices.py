"""Policies with bounds before a run, on the box: Thompson sampling, random weights, schedules.

They know t(x), and their posterior is the one that UCB has there. What is exact, and what is not:

| policy | on the box |
|---|---|
| `ts` | a joint draw of f(x, τ_n + t(x)), exact in law, at 1,024 random points and those seen |
| `random-weight-ucb` | μ + zσ with the z for the size of the grid, by the local searches of UCB |
| `scheduled` | the schedule's grid points in its rounds; else the largest mean, by those searches |

Their bounds are for finite domains: on the box a comparison with one is an observation.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bounds.arrays import FloatArray
from bounds.problem import Problem
from bounds.regret.upper.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.before_run.schedule_search import quick_schedule
from simulation.model.box_posterior import BoxPosterior
from simulation.policies.box_acquisition import BoxAcquisition, WaitsAt
from simulation.policies.randomised import random_weight
from simulation.policies.suggestion import candidates, maximise

POLICIES_BY_POSTERIOR = ("ts", "random-weight-ucb", "scheduled")


class BoxChooser:
    """Chooses the next point from the posterior, round by round.

    Parameters
    ----------
    policy : of `POLICIES_BY_POSTERIOR`
    problem : its grid is that of the schedule, and of the random weight's size
    durations : (n,) of all rounds, which a schedule is planned for; where t depends on x its mean
        over the grid
    schedule : of `scheduled`; None for `quick_schedule` at these durations
    rng : the policy's own randomness
    starts : local searches a round
    """

    def __init__(
        self,
        policy: str,
        problem: Problem,
        durations: FloatArray,
        *,
        schedule: Schedule | None,
        rng: np.random.Generator,
        starts: int,
    ) -> None:
        self._policy, self._problem = policy, problem
        self._rng, self._starts = rng, starts
        self._planned: dict[int, FloatArray] = {}
        if policy == "scheduled":
            grid = problem.domain
            if schedule is None:
                times = EvaluationTimes.from_durations(durations)
                schedule = quick_schedule(replace(problem, times=times))
            schedule.require(len(durations), grid.size)
            self._planned = dict(
                zip(schedule.rounds, grid.points[np.array(schedule.points, dtype=int)], strict=True)
            )

    def choose(
        self, round_index: int, posterior: BoxPosterior, seen: FloatArray, waits: WaitsAt
    ) -> FloatArray:
        """(d,) the point of the round with this index from 0.

        `seen` are the points before it, `waits` the times that it may take, known.
        """
        planned = self._planned.get(round_index)
        if planned is not None:
            return planned
        side = self._problem.domain.box_side()
        own = int(self._rng.integers(2**62))
        if self._policy == "ts":
            points = candidates(seen, side, own)
            drawn = posterior.draw(points, waits(points).times[0], self._rng)
            return np.asarray(points[int(np.argmax(drawn))])
        weight = 0.0
        if self._policy == "random-weight-ucb":
            weight = random_weight(self._rng, self._problem.domain.size)
        function = BoxAcquisition(posterior, waits, weight)
        return np.asarray(maximise(function, seen, side, self._starts, own)[0][0])
