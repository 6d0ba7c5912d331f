"""Stages between options and tables: they pass on what the packages say."""

from dataclasses import asdict, replace
from types import SimpleNamespace

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.gain import bounds as stages
from bounds.gain.bounds import (
    Bounds,
    bounds_of,
    bounds_over_rounds,
    rows_before_run,
    upper_bounds,
)
from bounds.gain.planning import Enough, RoundsUntil, rounds_until_level
from bounds.gain.report import bound_report, gain_at_times
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.runs.run import true_variances
from simulation.study.under_bounds import runs_under_bounds

PROBLEM = Problem(
    EvaluationTimes.from_durations([1.0, 0.0, 3.0, 50.0, 1.0, 1.0, 0.0, 20.0]),
    domain=Grid(1, 1.0, 7),
)


@pytest.fixture(scope="module")
def found() -> Bounds:
    return bounds_of(PROBLEM, certify=False)


def test_the_json_is_the_report_by_name(found: Bounds) -> None:
    report, shown = found.report, found.to_dict()
    gains = {name: bound.value for name, bound in report.gains.items()}
    best = {"best": min(gains.values()), "best_name": min(gains, key=gains.__getitem__)}
    assert shown["gain"] == {"lower": found.design.value, **gains, **best}
    assert shown["regret"] == {name: report.regret_from(gain) for name, gain in gains.items()} | {
        "best": report.regret_from(best["best"])
    }
    for name, result in report.partitions.items():
        assert shown["partition"][name] == result.partition.cuts
        assert shown["terms"][name] == {
            "gain": result.gain,
            "drift": pytest.approx(result.value - result.gain),
            "blocks": len(result.partition.lengths),
            "exact": result.exact,
            "gap": result.gap,
        }
    assert shown["n"] == 8 and shown["total_time"] == 76.0 and shown["beta"] == report.beta
    assert shown["certified"] == dict.fromkeys(["lower", *gains], False)
    assert "until" not in shown and shown["theorem1_valid"] == ("reason" not in shown)
    assert shown["beside"] == [row.to_dict() for row in found.rows]
    assert shown["answer"] == found.answer.to_dict() and shown["vacuous"] == found.vacuous
    assert shown["rivals"] == [asdict(row) for row in found.rivals]
    assert shown["confidence"] == asdict(found.confidence)
    assert (shown["epsilon"], shown["slope"]) == (PROBLEM.epsilon, PROBLEM.time_kernel.slope)
    assert shown["speaks_from"] == found.speaks.epsilon > 0.0
    assert set(shown) == {
        "answer",
        "n",
        "total_time",
        "epsilon",
        "slope",
        "gain",
        "partition",
        "beta",
        "regret",
        "theorem1_valid",
        "vacuous",
        "speaks_from",
        "rivals",
        "beside",
        "confidence",
        "terms",
        "certified",
        "smooth",
        "waits",
    }
    until = RoundsUntil(0.5, 1.0, (), 3)
    bare = Bounds(found.curve, found.report, until=until).to_dict()
    assert bare["confidence"] is None and bare["rivals"] == bare["beside"] == []
    assert bare["until"] == asdict(until)


def test_theorem_1_says_nothing_where_it_is_the_cap_or_does_not_hold(found: Bounds) -> None:
    gains = found.report.gains
    cap = gains["trivial"].value

    def at(value: float, reason: str = "") -> Bounds:
        with_it = {**gains, "theorem1": replace(gains["theorem1"], value=value, reason=reason)}
        return replace(found, report=replace(found.report, gains=with_it))

    assert [at(share * cap).vacuous for share in (0.999998, 1.0, 2.0)] == [False, True, True]
    failed = at(0.5 * cap, "fails here")
    assert failed.vacuous and failed.to_dict()["reason"] == "fails here"
    assert not failed.to_dict()["theorem1_valid"]


def test_with_a_known_mean_what_rests_on_mean_zero_goes(found: Bounds) -> None:
    floor = next(row for row in found.rows if row.direction == "lower")
    names = ("sandwich_upper", "tail", "theory_smallest", "margin", "schedule", "envelope")
    rows = [replace(floor, name=name, direction="upper") for name in names]
    known = replace(found, rows=(floor, *rows)).with_known_mean([replace(floor, value=0.125)])
    assert [(row.name, row.value) for row in known.rows] == [
        ("envelope", rows[-1].value),
        (floor.name, 0.125),
    ]
    assert found.with_rows((floor,)).rows == (*found.rows, floor)


def test_the_gain_alone_is_the_same(found: Bounds) -> None:
    alone = gain_at_times(PROBLEM, certify=False)
    assert alone.report.best == found.report.best
    assert alone.design.value == found.design.value
    assert np.array_equal(alone.curve.values, found.curve.values)
    assert alone.report.answer == found.answer.gain
    assert alone.report.answer.upper == alone.report.gains[alone.report.best_name].value


def test_what_is_not_asked_for_is_left_out(found: Bounds) -> None:
    assert found.delay == 0 and found.until is None
    report = upper_bounds(PROBLEM, found.curve)
    assert np.isnan(report.lower) and "joint_dual" not in report.gains
    assert report.gains["refined"].value == found.report.gains["refined"].value


@pytest.mark.parametrize("delay", [-1, 8])
def test_results_are_late_by_less_than_all_rounds(delay: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        bounds_of(PROBLEM, delay=delay)
    assert str(caught.value) == f"delay = {delay}: give a whole number from 0 to n - 1"


def test_late_results_change_floors_and_answers_alone(found: Bounds) -> None:
    late = bounds_of(PROBLEM, certify=False, delay=7)
    assert late.delay == late.answer.delay == 7
    below = {row.name: row for row in found.rows if row.direction == "lower"}
    for row in late.rows:
        if row.direction == "lower" and row.name in below:
            assert row.hypotheses.endswith("; results 7 rounds late")
            assert not below[row.name].hypotheses.endswith("late")
            assert row.value >= below[row.name].value
    assert all(row.policy == "any" for row in late.answer.uppers)


def test_rows_before_a_run_need_a_factor_of_the_time_kernel(found: Bounds, monkeypatch) -> None:
    smooth = replace(PROBLEM, time_kernel=Matern(2.5, 30.0))
    monkeypatch.setattr(stages, "noise_levels", lambda problem: 1 / 0)
    for most, problem, reached in ((8, smooth, True), (7, smooth, False), (7, PROBLEM, True)):
        monkeypatch.setattr(stages, "LARGEST_DENSE", most)
        if reached:
            with pytest.raises(ZeroDivisionError):
                rows_before_run(problem, found.report)
        else:
            assert rows_before_run(problem, found.report) == ()


def test_rows_before_a_run_are_certified_where_the_gain_is(found: Bounds) -> None:
    """Enclosed rows are above their doubles, by no more than the enclosure of m* costs."""
    plain = rows_before_run(PROBLEM, found.report)
    assert [row for row in plain if row.certified and row.direction == "upper"] == []
    sure = rows_before_run(PROBLEM, found.report, certify=True)
    values = {(row.name, row.policy): row.value for row in plain}
    certified = [row for row in sure if row.certified]
    assert {row.policy for row in certified} >= {"any", "ctv-fixed", "ts"}
    for row in certified:
        value = values[row.name, row.policy]
        assert 0.99 * value <= row.value <= 1.13 * value


def test_rounds_until_are_asked_for_with_the_delay() -> None:
    small = replace(PROBLEM, domain=Grid(1, 1.0, 2))
    found = bounds_of(small, certify=False, until=0.4, delay=2)
    assert found.until == rounds_until_level(small, 0.4, delay=2)
    assert {one.covers for one in found.until.bounds} == {"any policy"}


def test_published_bounds_have_a_greedy_design_where_nothing_drifts(monkeypatch) -> None:
    still = replace(PROBLEM, epsilon=0.0, time_kernel=PROBLEM.time_kernel.at_rate(0.0))
    asked = {}
    monkeypatch.setattr(stages, "rivals", lambda *given, **named: asked.update(named) or ())
    report = bound_report(still, np.arange(9.0), 0.0)
    curve = SimpleNamespace(values=np.arange(9.0))
    stages._rivals(still, curve, report)
    assert (
        0.3 * report.gains["trivial"].value < asked["greedy_gain"] <= report.gains["trivial"].value
    )
    dear = {**report.gains, "theorem1": replace(report.gains["theorem1"], value=99.0)}
    monkeypatch.setattr(stages, "LONGEST_GREEDY", 7)
    stages._rivals(still, curve, replace(report, gains=dear))
    assert asked["greedy_gain"] is None and asked["theorem1"].value == 99.0
    monkeypatch.setattr(stages, "LONGEST_GREEDY", 8)
    stages._rivals(PROBLEM, curve, report)
    assert asked["greedy_gain"] is None


def test_rounds_until_a_level_are_added_where_they_were_asked_for(found: Bounds) -> None:
    more = (Enough("schedule", "scheduled", "mean", 7, 100),)
    assert found.with_until(more) is found
    first = Enough("envelope", "CTV-fixed", "probability", None, 60)
    asked = replace(found, until=RoundsUntil(0.5, 1.0, (first,), 3))
    assert asked.with_until(more).until.bounds == (first, *more)
    assert asked.with_until(more).until.floor == 3
    assert asked.with_until(more).report is found.report


def test_bounds_over_rounds_end_with_the_whole(found: Bounds) -> None:
    reports = bounds_over_rounds(found, count=4)
    rounds = [report.problem.n for report in reports]
    assert rounds == [1, 2, 5, 8]  # 8 times 1/16, 1/4, 9/16 and 1
    assert reports[-1] is found.report
    assert all(np.isnan(report.lower) for report in reports[:-1])
    # The first rounds alone, by their own curve.
    m = rounds[1]
    short = replace(PROBLEM, times=PROBLEM.times.block(0, m))
    alone = bound_report(short, found.curve.values, 0.0)
    assert reports[1].best == pytest.approx(alone.best)
    for name in ("trivial", "refined"):
        values = [report.gains[name].value for report in reports]
        assert values == sorted(values)


def test_runs_are_of_the_problem(found: Bounds) -> None:
    seen = runs_under_bounds(found, seeds=[3, 4])
    assert seen.regret.shape == seen.gain.shape == (2, 8)
    assert seen.counted
    assert np.all(np.diff(seen.regret, axis=1) >= 0)
    assert np.all(seen.gain[:, -1] <= found.report.best)
    again = runs_under_bounds(found, seeds=[4])
    assert np.array_equal(again.regret[0], seen.regret[1])
    assert not runs_under_bounds(found, [3], "beta").counted


def test_first_round_gains_the_most(found: Bounds) -> None:
    seen = runs_under_bounds(found, seeds=[0])
    assert seen.gain[0, 0] == pytest.approx(0.5 * np.log(101))
    variances = true_variances(PROBLEM, np.zeros(8, dtype=np.int64), PROBLEM.times.durations)
    assert variances[0] == pytest.approx(1.0)
