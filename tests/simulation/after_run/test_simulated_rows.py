"""The rows of the simulation certificate name what they cover, and are its numbers."""

from dataclasses import replace

import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.regret.regret_bound import PRIOR
from bounds.times import EvaluationTimes
from simulation.after_run.simulated import simulation_certificate
from simulation.after_run.simulated_rows import simulated_rows
from simulation.runs.run import simulate
from simulation.study.study import StudySpec
from simulation.world.evaluation_time import in_order

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 4.0, 2.0])
PROBLEM = Problem(TIMES, domain=Grid(2, 1.0, 4))


def test_rows_cover_runs_at_these_times() -> None:
    order, mean = simulated_rows(PROBLEM, runs=39)
    assert order.policy == mean.policy == "ctv-fixed"
    assert (order.name, mean.name) == ("simulation", "simulation_mean")
    for row in (order, mean):
        assert (row.direction, row.rounds, row.exploration) == ("upper", "one n", "theory")
        assert row.simulated and not row.certified and row.inflated is None
        assert row.hypotheses.startswith(f"{PRIOR}; simulated")
        assert " 39 simulated runs" in row.source and row.times == "fixed"
    assert mean.hypotheses.endswith("; k_space, k_time >= 0") and "0.95 over them" in mean.source
    spec = StudySpec(
        PROBLEM,
        setting="csv",
        policies=("ctv-fixed",),
        seeds=1,
        initial=0,
        rounds=4,
        exploration="theory",
    )
    own = simulation_certificate(spec, "ctv-fixed", runs=39, seed=2)
    again, other = simulated_rows(PROBLEM, runs=39, seed=2)
    assert (again.value, other.value) == (own.value, own.expectation)
    assert f"level {own.reused_level:.3f} with probability 0.95" in again.source
    (alone,) = simulated_rows(replace(PROBLEM, delta=0.5), runs=1)
    assert alone.name == "simulation" and alone.level == 0.5
    assert simulated_rows(PROBLEM, runs=39, seed=0)[0].value == order.value != again.value
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
