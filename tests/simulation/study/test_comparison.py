from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest

from bounds.confidence.point_times import point_times_beta
from bounds.confidence.schedules import finite_domain_beta
from bounds.domain import Grid
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from simulation.policies.readings import Readings
from simulation.study.comparison import (
    RunSetting,
    compare_with_bounds,
    run_summary,
    why_not_covered,
)
from simulation.study.study import StudySpec, run_study
from simulation.world.evaluation_time import biased

GRID = Grid(2, 1.0, 6)
PROBLEM = Problem(
    EvaluationTimes.from_durations([3.0]), space_kernel=SquaredExponential(0.3), domain=GRID
)
SPEC = StudySpec(
    PROBLEM,
    "uniform",
    ("ctv-fixed", "tv", "random"),
    seeds=5,
    initial=10,
    rounds=20,
    exploration="theory",
)
GAMMA = space_gain_upper(PROBLEM.space_kernel, GRID, 0.01, 30).values


def test_every_gain_is_below_every_bound_and_regret_below_its_own():
    for setting in ("uniform", "biased"):
        beside = compare_with_bounds(run_study(replace(SPEC, setting=setting)), GAMMA)
        assert beside.setting == {"uniform": "fixed times", "biased": "t(x)"}[setting]
        assert len(beside.runs) == 15
        for policy in SPEC.policies:
            assert beside.gain_within_bound(policy)
            assert len(beside.of(policy)) == 5
        assert beside.covered == {"ctv-fixed": True, "tv": False, "random": False}
        assert beside.regret_within_bound("ctv-fixed")
        assert set(beside.share_above("ctv-fixed").values()) == {0.0}
        assert not any(run.regret_above for run in beside.of("ctv-fixed"))
        assert beside.observation["tv"] == "the bounds on regret are for CTV-fixed"


def test_the_bounds_are_the_formulas_of_the_setting():
    fixed = run_study(SPEC)
    moving = run_study(replace(SPEC, setting="biased"))
    for study, factor, per_deviation in ((fixed, 1.0, 2.0), (moving, 2.352, 3.067)):
        beside = compare_with_bounds(study, GAMMA)
        numbers = np.arange(1, 31)
        if factor == 1.0:
            betas = finite_domain_beta(numbers, 36, 0.1)
        else:
            longest, slope = biased(GRID).durations.max(), PROBLEM.time_kernel.slope
            betas = point_times_beta(numbers, 36, 0.1, slope=slope, longest=longest)
        beta = float(betas[-1])
        assert beside.beta == beta
        run, found = study.trajectories["ctv-fixed"][2], beside.of("ctv-fixed")[2]
        assert found.gain == run.cumulative_gain[-1]
        assert found.regret == pytest.approx(run.regrets[10:].sum())
        assert found.gain_bounds["trivial"] == pytest.approx(15 * log(101))
        expected = sqrt(factor * 8 / log(101) * beta * 20 * found.gain_bounds["refined"])
        assert found.regret_bounds["refined"] == pytest.approx(expected, rel=1e-4)
        own = per_deviation * sqrt(beta) * run.deviations[10:].sum()
        assert found.regret_bounds["deviations"] == pytest.approx(own)
        summary, setting = run_summary(PROBLEM, run, study.spec.durations, covered=True)
        each = per_deviation * np.sqrt(betas) * run.deviations
        assert summary.deviations == pytest.approx(each[10:].sum())
        assert (summary.regret, summary.rounds) == (pytest.approx(found.regret), 20)
        assert summary.full_gain == pytest.approx(found.gain) and 0.0 < summary.gain < found.gain
        assert setting == RunSetting(beside.setting, beta, pytest.approx(factor, rel=1e-3))


def test_a_run_above_a_bound_is_counted_and_listed():
    study = run_study(SPEC)
    worse = replace(study.trajectories["random"][1])
    object.__setattr__(worse, "best_values", worse.best_values + 1e6)
    runs = list(study.trajectories["random"])
    runs[1] = worse
    spoiled = replace(study, trajectories=study.trajectories | {"random": tuple(runs)})
    beside = compare_with_bounds(spoiled, GAMMA)
    assert not beside.regret_within_bound("random")
    assert [run.seed for run in beside.of("random") if run.regret_above] == [1]
    assert beside.share_above("random")["trivial"] == pytest.approx(1 / 5)
    assert beside.gain_within_bound("random")


def test_a_gain_above_its_bound_is_seen():
    study = run_study(replace(SPEC, policies=("random",), seeds=1))
    beside = compare_with_bounds(study, np.zeros(31))
    assert beside.runs[0].gain_above and not beside.gain_within_bound("random")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        ({"setting": "biased"}, ""),
        ({"acquisition": "ei"}, "for UCB"),
        ({"exploration": "beta"}, "not that of a theorem"),
        ({"model_kernel": Matern(2.5, 0.2)}, "model is not the truth"),
        ({"model_kernel": SquaredExponential(0.3)}, ""),
        ({"readings": Readings(time_noise_variance=0.1)}, "noisy"),
    ],
)
def test_what_the_theorems_cover(changes, reason):
    found = why_not_covered(replace(SPEC, **changes), "ctv-fixed")
    assert (reason in found) if reason else found == ""


def test_other_time_kernels_are_covered_at_fixed_times():
    other = replace(SPEC, problem=replace(PROBLEM, time_kernel=SquaredExponential(50.0)))
    assert why_not_covered(other, "ctv-fixed") == ""
    beside = compare_with_bounds(run_study(replace(other, policies=("ctv-fixed",), seeds=1)), GAMMA)
    assert beside.gain_within_bound("ctv-fixed") and beside.regret_within_bound("ctv-fixed")


def test_a_protocol_costs_its_random_rounds_with_t_of_x_and_what_follows_at_fixed_times() -> None:
    """E f(x) = 0 where x is random: m* a round, below what the random policy was seen to lose."""
    fixed, moving = (
        StudySpec(PROBLEM, setting, ("random",), seeds=40, initial=5, rounds=3)
        for setting in ("uniform", "biased")
    )
    floors = {}
    for spec in (fixed, moving):
        study = run_study(spec)
        found = compare_with_bounds(study).protocol
        lost = np.array([run.regrets.sum() for run in study.trajectories["random"]])
        assert 0 < found.value <= lost.mean() + 4 * lost.std() / np.sqrt(40)
        floors[spec.setting] = found.value
    assert floors["biased"] <= floors["uniform"]
    without = replace(fixed, initial=0)
    assert compare_with_bounds(run_study(without)).protocol is None
