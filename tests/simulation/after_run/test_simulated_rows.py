"""The rows of the simulation certificate name what they cover, and are its numbers."""

import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.after_run.simulated_rows import simulated_rows
from simulation.runs.run import simulate
from simulation.world.evaluation_time import in_order

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 4.0, 2.0])
PROBLEM = Problem(TIMES, domain=Grid(2, 1.0, 4))


def test_rows_cover_runs_at_these_times() -> None:
    order, mean = simulated_rows(PROBLEM, runs=39)
    assert order.policy == mean.policy == "ctv-fixed"
    assert (order.kind, mean.kind) == ("probability", "mean")
    assert order.level == pytest.approx(0.9) and mean.level is None
    regrets = [
        simulate(
            PROBLEM, in_order(TIMES, 4), seed=seed, initial=0, rounds=4, exploration="theory"
        ).cumulative_regret[-1]
        for seed in range(60)
    ]
    assert sum(r <= order.value for r in regrets) >= 60 - 20
    assert mean.value > sum(regrets) / 60


def test_too_few_runs() -> None:
    with pytest.raises(InvalidInput, match="at least 9"):
        simulated_rows(PROBLEM, runs=5)
