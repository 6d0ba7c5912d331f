"""The policies of Theorem X: explore on schedule, otherwise play the largest posterior mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bounds.problem import Problem
from bounds.regret.ingredients.schedules.increments import block_schedule_for, greedy_schedule_for
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.regret.policies import TITLES
from bounds.times import EvaluationTimes
from simulation.before_run.schedule_search import quick_schedule
from simulation.policies.base import Criterion, ModelPolicy, Point, PolicySetup
from simulation.world.evaluation_time import EvaluationTime


class Scheduled(ModelPolicy):
    """Plays the points of a schedule in its rounds and the largest posterior mean in the others.

    The schedule is that of `Readings.schedule`, or else `own_schedule` of the problem with the
    times of the run; its rounds count the initial ones, which are random and exploration of their
    own.
    """

    name = "scheduled"
    title = TITLES[name]
    source = "Theorem X"
    summary = "explores on a schedule, otherwise plays the largest posterior mean"
    has_weight = False
    holds_the_problem = True
    colour = "#01665e"
    dashes = (3, 3)

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        chosen = setup.readings.schedule
        if chosen is None:
            times = mean_times(setup.evaluation_time, setup.rounds)
            chosen = self.own_schedule(replace(setup.problem, times=times))
        chosen.require(setup.rounds, setup.problem.domain.size)
        self._plan = dict(zip(chosen.rounds, chosen.points, strict=True))

    @staticmethod
    def own_schedule(problem: Problem) -> Schedule:
        """The schedule where the readings bring none."""
        return quick_schedule(problem)

    def choose(self, round_index: int) -> Point:
        planned = self._plan.get(round_index)
        if planned is None:
            return super().choose(round_index)
        return self._setup.decisions.point_of(planned, self._setup)

    def criterion(self, round_index: int) -> Criterion:
        return Criterion(round_index)


class BlockSchedule(Scheduled):
    """Looks while fewer than max(r, 2c√t) were made in t rounds of a block, in blocks of Ψ.

    The schedule is the one with the smallest ceiling by Lemma SF where that is searched: looks
    that thin out in the blocks of (U) or of Ψ₁, or in equal distances. For a larger problem they
    thin out in the blocks of Ψ₁.
    """

    name = "block-schedule"
    title = TITLES[name]
    source = "Theorem I3"
    summary = "looks ever more rarely within blocks, otherwise plays the largest posterior mean"
    colour = "#8c510a"
    dashes = (1, 2)

    @staticmethod
    def own_schedule(problem: Problem) -> Schedule:
        return block_schedule_for(problem)


class GreedyBlocks(Scheduled):
    """The same in greedy blocks, at ever more points: no round asks how many rounds there are.

    A block goes on while what the times since its first round renew is at most its price in Ψ₁.
    """

    name = "greedy-blocks"
    title = TITLES[name]
    source = "Theorem I3"
    summary = "the block schedule without a horizon: blocks end by the times so far alone"
    colour = "#dfc27d"
    dashes = (1, 1)

    @staticmethod
    def own_schedule(problem: Problem) -> Schedule:
        return greedy_schedule_for(problem)


def mean_times(evaluation_time: EvaluationTime, rounds: int) -> EvaluationTimes:
    """The times of these rounds, their mean over the points where they are t(x)."""
    return EvaluationTimes.from_durations(
        [float(np.mean(evaluation_time.of_round(i))) for i in range(rounds)]
    )
