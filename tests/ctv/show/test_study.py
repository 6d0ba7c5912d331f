"""What the tables of `ctv simulate` say, beyond the numbers they are given."""

from dataclasses import replace

import pytest

from bounds.domain import Grid
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv.commands.study_run import Simulated
from ctv.show.study import show_simulated
from simulation.study.beside_bounds import beside_bounds
from simulation.study.statistics import summarize
from simulation.study.study import StudySpec, run_study


@pytest.fixture(scope="module")
def simulated() -> Simulated:
    problem = Problem(EvaluationTimes.from_durations([3.0]), domain=Grid(2, 1.0, 4))
    policies = ("random", "ctv-fixed")
    spec = StudySpec(problem, "uniform", policies, 12, initial=3, rounds=4, exploration="theory")
    study = run_study(spec)
    return Simulated(study, summarize(study), beside_bounds(study))


def printed(found: Simulated, capsys: pytest.CaptureFixture[str]) -> str:
    show_simulated(found)
    return " ".join(capsys.readouterr().out.split())


def test_best_policy_comes_first_and_others_are_set_against_a_fixed_one(simulated, capsys) -> None:
    """Against the best of the same runs the others would look worse than they are."""
    shown = printed(simulated, capsys)
    assert "minus ctv-fixed, 95 % interval" in shown
    assert shown.index("│ ctv-fixed │") < shown.index("│ random │")
    (pair,) = simulated.summary.paired
    more = abs(pair.difference.mean)
    assert f"{more:.3f}"[:5] in shown


def test_the_reference_is_not_chosen_by_the_runs(simulated, capsys) -> None:
    """Of policies without CTV-fixed the first given, here the worse one."""
    spec = replace(simulated.study.spec, policies=("random", "tv"))
    study = run_study(spec)
    shown = printed(Simulated(study, summarize(study), beside_bounds(study)), capsys)
    assert shown.index("│ tv │") < shown.index("│ random │")
    assert "minus random, 95 % interval" in shown and "difference from random" in shown


def test_few_seeds_are_told_what_intervals_do(simulated, capsys) -> None:
    assert "no shorter than Student's t. For normal values" in printed(simulated, capsys)
    policies = {name: replace(p, seeds=30) for name, p in simulated.summary.policies.items()}
    many = replace(simulated, summary=replace(simulated.summary, policies=policies))
    assert "normal values" not in printed(many, capsys)


def test_expected_improvement_has_no_exploration(simulated, capsys) -> None:
    assert "exploration theory" in printed(simulated, capsys)
    spec = replace(simulated.study.spec, acquisition="ei")
    shown = printed(replace(simulated, study=replace(simulated.study, spec=spec)), capsys)
    assert "acquisition ei" in shown and "exploration theory ┏" not in shown


def test_runs_above_a_bound_are_counted_and_listed(simulated, capsys) -> None:
    assert "0 of 12" in printed(simulated, capsys)
    runs = tuple(replace(run, regret=1e9) for run in simulated.beside.runs)
    shown = printed(replace(simulated, beside=replace(simulated.beside, runs=runs)), capsys)
    assert "12 of 12" in shown
    assert "random seed 0: regret above trivial cap" in shown
    assert "… and 14 more runs" in shown
    assert "cover ctv-fixed: 100 % of its runs are above one" in shown


def test_damaged_files_are_named(simulated, capsys) -> None:
    study = replace(simulated.study, repaired=("random-1.npz",))
    assert "computed again: random-1.npz" in printed(replace(simulated, study=study), capsys)
