"""Stages between options and tables: they pass on what the packages say."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.partitions.compare import block_drifts
from bounds.partitions.objectives import OBJECTIVES
from bounds.problem import Problem
from bounds.promises.bounds import Bounds, at_times, bounds_of, bounds_over_rounds
from bounds.promises.planning import Enough, RoundsUntil
from bounds.promises.report import bound_report
from bounds.static_gain.both_sides import gains_at
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


def test_drifts_of_blocks_sum_to_the_drift(found: Bounds) -> None:
    for objective in OBJECTIVES:
        result = found.report.partitions[objective]
        drifts = block_drifts(PROBLEM, result)
        assert drifts.shape == (len(result.partition),)
        assert drifts.sum() == pytest.approx(result.drift, rel=1e-9, abs=1e-12)


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
            "gain": result.gain, "drift": pytest.approx(result.value - result.gain),
            "blocks": len(result.partition.lengths), "exact": result.exact, "gap": result.gap,
        }  # fmt: skip
    assert shown["n"] == 8 and shown["total_time"] == 76.0 and shown["beta"] == report.beta
    assert shown["certified"] == dict.fromkeys(["lower", *gains], False)
    assert "until" not in shown and shown["theorem1_valid"] == ("reason" not in shown)
    assert [row["name"] for row in shown["beside"]] == [row.name for row in found.rows]


def test_the_answer_in_json_says_what_is_certified(found: Bounds) -> None:
    shown, gain = found.answer.to_dict(), found.answer.gain
    assert shown["gain"] == {
        "lower": gain.lower, "upper": gain.upper, "name": gain.name, "certified": gain.certified,
        "lower_certified": gain.lower_certified, "upper_certified": gain.upper_certified,
    }  # fmt: skip
    assert set(shown) == {"headline", "gain", "regret", "floor", "floors"}
    headline = shown["headline"]
    assert headline["bound"]["value"] == found.answer.best().value
    assert headline["certified_bound"] is None
    assert [row["name"] for row in headline["smaller"]] == [r.name for r in found.answer.others]


def test_rounds_until_a_level_are_added_where_they_were_asked_for(found: Bounds) -> None:
    more = (Enough("schedule", "scheduled", "mean", 7, 100),)
    assert found.with_until(more) is found
    first = Enough("envelope", "CTV-fixed", "probability", None, 60)
    asked = replace(found, until=RoundsUntil(0.5, 1.0, (first,), 3))
    assert asked.with_until(more).until.bounds == (first, *more)
    assert asked.with_until(more).until.floor == 3
    assert asked.with_until(more).report is found.report


def test_every_stage_says_its_name_and_its_share() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 12), domain=Grid(1, 1.0, 3))
    heard: list[tuple[str, float]] = []
    certified = bounds_of(problem, advance=lambda *said: heard.append(said))
    assert all(0.0 <= share <= 1.0 for _, share in heard)
    in_words = {stage for stage, _ in heard}
    assert in_words >= {
        "gain without drift", "gain of a design", "certify the gain without drift", "joint dual",
        "published bounds", "gain at more noise", "bounds on regret itself",
        "certify bounds on regret itself", "certify the lower side", "certify the joint dual",
    }  # fmt: skip
    titles = [bound.title for bound in certified.report.gains.values()]
    assert in_words >= {f"certify {title}" for title in titles}
    assert in_words & {f"partitions for {title}" for title in titles}


def test_bounds_over_rounds_end_with_the_whole(found: Bounds) -> None:
    reports = bounds_over_rounds(found, count=4)
    rounds = [report.problem.n for report in reports]
    assert rounds == sorted(set(rounds))
    assert (rounds[0], rounds[-1]) == (1, 8)
    assert reports[-1] is found.report
    # The first rounds alone, by their own curve.
    m = rounds[1]
    short = at_times(PROBLEM, PROBLEM.times.block(0, m))
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


def test_gains_share_a_curve(found: Bounds) -> None:
    with_curve = gains_at(PROBLEM, [1, 8], curve=found.curve)
    without = gains_at(PROBLEM, [1, 8])
    assert np.allclose(with_curve.upper, without.upper)
    for rounds in ([0, 3], [10**9]):
        with pytest.raises(InvalidInput):
            gains_at(PROBLEM, rounds)
