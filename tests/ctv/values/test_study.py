"""What the tables of `ctv simulate` say, beyond the numbers they are given."""

from dataclasses import replace

import pytest

from bounds.domain import Grid
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv.figures.canvas import rendered
from ctv.show.rounding import digits
from ctv.values.study import Simulated
from simulation.study.comparison import compare_with_bounds
from simulation.study.statistics import summarize
from simulation.study.study import Study, StudySpec, run_study
from tests.command_line import printed


@pytest.fixture(scope="module")
def simulated() -> Simulated:
    problem = Problem(EvaluationTimes.from_durations([3.0]), domain=Grid(2, 1.0, 4))
    policies = ("random", "ctv-fixed")
    spec = StudySpec(problem, "uniform", policies, 12, initial=3, rounds=4, exploration="theory")
    return of_study(run_study(spec))


def of_study(study: Study) -> Simulated:
    return Simulated(study, summarize(study), compare_with_bounds(study), {})


def words_of(found: Simulated) -> str:
    return " ".join(printed(found).split())


def test_best_policy_comes_first_and_others_are_set_against_a_fixed_one(simulated) -> None:
    """Against the best of the same runs the others would look worse than they are."""
    shown = words_of(simulated)
    assert "minus that of ctv-fixed" in shown
    assert [row.cells[0] for row in simulated.table().rows] == ["ctv-fixed", "random"]
    (pair,) = simulated.over_seeds.paired
    more = abs(pair.difference.mean)
    assert digits(more, 3) in shown


def test_the_reference_is_not_chosen_by_the_runs(simulated) -> None:
    """Of policies without CTV-fixed the first given, here the worse one."""
    found = of_study(run_study(replace(simulated.study.spec, policies=("random", "tv"))))
    shown = words_of(found)
    assert [row.cells[0] for row in found.table().rows] == ["tv", "random"]
    assert "minus that of random" in shown and "difference from random" in shown


def test_few_seeds_are_told_what_intervals_do(simulated) -> None:
    assert "no shorter than Student's t. For normal values" in words_of(simulated)
    policies = {name: replace(p, seeds=30) for name, p in simulated.over_seeds.policies.items()}
    many = replace(simulated, over_seeds=replace(simulated.over_seeds, policies=policies))
    assert "normal values" not in words_of(many)


def test_expected_improvement_has_no_exploration(simulated) -> None:
    assert "exploration theory" in words_of(simulated)
    spec = replace(simulated.study.spec, acquisition="ei")
    found = replace(simulated, study=replace(simulated.study, spec=spec))
    setting = found.screen().first[0]
    assert "expected improvement" in setting and "exploration" not in setting


def test_runs_above_a_bound_are_counted_and_listed(simulated) -> None:
    assert "0 of 12" in words_of(simulated)
    runs = tuple(replace(run, regret=1e9) for run in simulated.comparison.runs)
    shown = words_of(replace(simulated, comparison=replace(simulated.comparison, runs=runs)))
    assert "12 of 12" in shown
    assert "random seed 0: regret above trivial upper bound" in shown
    assert "… and 14 more runs" in shown
    assert "cover ctv-fixed: 100 % of its runs are above one" in shown


def test_damaged_files_are_named(simulated) -> None:
    study = replace(simulated.study, repaired=("random-1.npz",))
    assert "computed again: random-1.npz" in words_of(replace(simulated, study=study))


def test_a_study_is_drawn(simulated) -> None:
    assert rendered(simulated.plot(), ".svg")
