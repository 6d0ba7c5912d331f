"""The ladder: every step by a second road, in order, and an error where it would fall."""

from __future__ import annotations

from dataclasses import replace
from math import inf, log, nan, prod, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.errors import NumericalFailure
from bounds.gain import ladder as rungs_of
from bounds.gain.ladder import (
    TITLES,
    Ladder,
    RunSummary,
    Step,
    ladder,
    mean_ladder,
    with_floor,
)
from bounds.gain.report import bound_report
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from tests.strategies import durations, noise_variances

GRID = Grid(1, 1.0, 5)


def problem_of(times, epsilon=0.05, noise_variance=0.1, time_kernel=None) -> Problem:
    return Problem(
        EvaluationTimes.from_durations(times),
        space_kernel=SquaredExponential(0.4),
        time_kernel=time_kernel or Forgetting(epsilon),
        epsilon=epsilon,
        domain=GRID,
        noise_variance=noise_variance,
    )


def report_of(problem: Problem):
    curve = space_gain_upper(problem.space_kernel, GRID, problem.noise_variance, problem.n)
    lower = joint_gain_lower(problem).value
    return bound_report(problem, curve.values, lower, costly=True), curve.values


@settings(max_examples=25, deadline=None)
@given(
    times=durations(max_size=10),
    epsilon=st.sampled_from([0.0, 1e-4, 0.01, 0.3, 0.7, 0.9]),
    noise_variance=noise_variances,
)
@example([1.0] * 9, 0.9, 0.01)
def test_rungs_rise(times, epsilon: float, noise_variance: float) -> None:
    check_rungs(problem_of(times, epsilon, noise_variance))


@settings(max_examples=25, deadline=None)
@given(
    times=durations(max_size=10),
    time_kernel=st.sampled_from([SquaredExponential(30.0), Matern(1.5, 20.0), Matern(2.5, 3.0)]),
    noise_variance=noise_variances,
)
@example([0.01] * 10, SquaredExponential(30.0), 1e-4)
@example([0.5, 0.01, 0.01, 0.5], Matern(1.5, 20.0), 1.0)
def test_rungs_rise_with_smooth_time_kernels(times, time_kernel, noise_variance: float) -> None:
    """At small gaps (II) can hold with an ε below θ; the rung with θ was above Theorem 1 there."""
    check_rungs(problem_of(times, 0.01, noise_variance, time_kernel))


def check_rungs(problem: Problem) -> None:
    report, gamma = report_of(problem)
    found = ladder(report, gamma)
    names = [step.name for step in found.steps]
    assert names == [name for name in TITLES if name in names]
    assert names[0] == "gain_upper"
    assert names[-1] == "trivial"
    assert {(s.kind, s.when) for s in found.steps} == {("probability 1-delta", "before the run")}
    left_out = {name for name in found.left_out if name in TITLES}
    assert set(TITLES) - set(names) == {"regret", "deviations", "realised_gain", *left_out}
    constant = 8 / log(1 + 1 / problem.noise_variance)
    check_chain(found)
    for before, step in zip(found.steps, found.steps[1:], strict=False):
        assert step.value >= before.value * (1 - 1e-9)
        assert step.factor == pytest.approx(step.value / before.value)
        assert step.value == pytest.approx(sqrt(constant * report.beta * problem.n * step.gain))
    design = found.gain_lower
    if design is not None:
        assert (design.gain, design.factor) == (report.lower, None)
        assert design.value == pytest.approx(sqrt(constant * report.beta * problem.n * design.gain))
        assert design.value <= found.steps[0].value * (1 + 1e-9)


def check_chain(found: Ladder) -> None:
    """Each factor is over the step before, and their product is the total."""
    assert found.steps[0].factor is None
    factors = [step.factor for step in found.steps[1:]]
    assert found.loosest.factor == max(factors)
    assert found.total == pytest.approx(prod(factors), rel=1e-12)
    assert found.total == pytest.approx(found.steps[-1].value / found.steps[0].value, rel=1e-12)


@settings(max_examples=15, deadline=None)
@given(
    times=durations(min_size=2, max_size=8),
    epsilon=st.sampled_from([0.0, 1e-4, 0.3]),
    noise_variance=noise_variances,
    shares=st.lists(st.floats(0.1, 1.0), min_size=1, max_size=3),
)
def test_factors_multiply_to_the_total_of_runs_and_of_their_mean(
    times, epsilon: float, noise_variance: float, shares: list[float]
) -> None:
    report, gamma = report_of(problem_of(times, epsilon, noise_variance))
    found = [ladder(report, gamma, run_of(report, share)) for share in shares]
    for one in (*found, mean_ladder(found)):
        assert one.steps[0].name == "regret"
        check_chain(one)


def run_of(report, share=0.8) -> RunSummary:
    gain = share * report.lower
    n, noise = report.problem.n, report.problem.noise_variance
    deviations = 0.9 * sqrt(8 / log(1 + 1 / noise) * report.beta * n * gain)
    return RunSummary(0.3 * deviations, deviations, gain, gain, n, True)


def test_a_run_starts_at_its_regret() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    run = run_of(report)
    found = ladder(report, gamma, run)
    assert [s.name for s in found.steps[:4]] == [
        "regret",
        "deviations",
        "realised_gain",
        "gain_upper",
    ]
    assert (found.steps[0].factor, found.steps[0].gain) == (None, None)
    kinds = [step.kind for step in found.steps]
    assert kinds == ["observed"] + ["probability 1-delta"] * (len(kinds) - 1)
    after = [step.when == "after the run" for step in found.steps]
    assert after == [True] * 3 + [False] * (len(after) - 3)
    assert [step.covers == "this run" for step in found.steps] == after
    assert found.run and not found.exceeded
    assert ladder(report, gamma, replace(run, regret=2 * run.deviations)).exceeded
    uncovered = replace(run, regret=2 * run.deviations, covered=False)
    assert not ladder(report, gamma, uncovered).exceeded


def test_the_design_of_the_run_may_be_the_lower_side() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    poor = replace(report, lower=0.5 * report.lower)
    run = run_of(report)
    own = ladder(poor, gamma, run).gain_lower
    assert own.gain == run.full_gain > poor.lower
    bare = ladder(replace(report, lower=nan), gamma)
    assert bare.steps[0].name == "gain_upper" and bare.gain_lower is None
    assert "gain_lower" in bare.left_out


def test_a_falling_rung_is_an_error_that_names_the_step() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    wrong = replace(report, lower=2.0 * report.gains["trivial"].value)
    with pytest.raises(NumericalFailure, match=r"from gain_lower .* to gain_upper"):
        ladder(wrong, gamma)
    run = replace(run_of(report), deviations=1e6)
    with pytest.raises(NumericalFailure, match=r"from deviations .* to realised_gain"):
        ladder(report, gamma, run)


def test_rungs_that_do_not_hold_are_left_out() -> None:
    smooth = problem_of([1.0] * 8, epsilon=0.01, time_kernel=SquaredExponential(2.0))
    found = ladder(*report_of(smooth))
    assert {"theorem1", "phi"} <= set(found.left_out)
    assert "theorem1" not in {step.name for step in found.steps}
    failed = report_of(smooth)[0].gains["theorem1"].reason
    assert found.left_out == {"theorem1": failed, "phi": failed} and failed
    rough = problem_of([1.0] * 8, time_kernel=Matern(0.3, 2.0))
    assert rough.time_kernel.slope == inf
    found = ladder(*report_of(rough))
    assert "additive" in {s.name for s in found.steps}
    near = problem_of([0.1] * 6, 0.01, time_kernel=SquaredExponential(30.0))
    assert near.time_kernel.slope > 0.01
    said = "its slope is above the epsilon with which Theorem 1 holds here"
    assert ladder(*report_of(near)).left_out == {"additive": said}
    bare = replace(report_of(near)[0], lower=0.0)
    assert ladder(bare, report_of(near)[1]).left_out == {
        "gain_lower": "no lower side was computed",
        "additive": said,
    }


def test_pairs_are_searched_up_to_so_many_rounds(monkeypatch) -> None:
    report, gamma = report_of(problem_of([1.0] * 8))
    monkeypatch.setattr(rungs_of, "MOST_ROUNDS", 8)
    assert ladder(report, gamma).left_out == {}
    monkeypatch.setattr(rungs_of, "MOST_ROUNDS", 7)
    said = "searched pair by pair, up to 7 rounds"
    assert ladder(report, gamma).left_out == {"exact_kernel": said, "phi": said}
    smooth, gamma = report_of(problem_of([1.0] * 8, 0.01, time_kernel=SquaredExponential(2.0)))
    reason = smooth.gains["theorem1"].reason
    assert ladder(smooth, gamma).left_out == {
        "theorem1": reason,
        "exact_kernel": said,
        "phi": reason,
    }


def test_a_search_that_was_given_up_is_no_worse_than_a_looser_rung() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    refined = replace(report.gains["refined"], certified=True)
    cut = replace(refined.evidence, exact=False)
    worse = 3.0 * report.gains["trivial"].value
    for bound in (refined, replace(refined, value=worse, evidence=cut)):
        found = ladder(replace(report, gains={**report.gains, "refined": bound}), gamma)
        steps = {step.name: step for step in found.steps}
        partition = rungs_of._exact_kernel(report.problem, gamma).partition
        known = evaluate("refined", report.problem, gamma, partition).value
        assert steps["refined"].gain == (refined.value if bound is refined else known)
        assert steps["refined"].certified is (bound is refined)
        assert steps["refined"].gain <= steps["exact_kernel"].gain


def test_a_rung_is_certified_where_its_gain_is() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    best = report.best_name
    sure = {
        name: replace(bound, certified=name in (best, "trivial"))
        for name, bound in report.gains.items()
    }
    certified = replace(report, gains=sure, lower_certified=True)

    def names(run: RunSummary | None = None, known=certified) -> set[str]:
        found = ladder(known, gamma, run)
        return {step.name for step in (*found.steps, found.gain_lower) if step.certified}

    shown = {best, "trivial"} & set(TITLES)
    assert names() == {"gain_lower", "gain_upper"} | shown
    assert names(known=report) == set()
    assert names(known=replace(certified, lower_certified=False)) == {"gain_upper"} | shown
    run = run_of(report)
    own = replace(run, full_gain=1.0001 * report.lower)
    assert "gain_lower" in names(replace(run, full_gain=report.lower))
    assert "gain_lower" not in names(own)
    assert "gain_upper" not in names(
        known=replace(certified, gains={**sure, best: report.gains[best]})
    )


def step_of(name: str, value: float, gain: float | None = None, **more) -> Step:
    about = {
        "factor": None,
        "kind": "probability 1-delta",
        "covers": "p",
        "when": "before the run",
        "certified": False,
        **more,
    }
    return Step(name, value, gain, **about)


def bound_of(value: float, **more) -> RegretBound:
    return RegretBound("rank", value, "lower", "any", "none", "mean", None, "one n", "s", **more)


THREE = Ladder(
    (
        step_of("gain_upper", 3.0, 1.5),
        step_of("theorem1", 6.0, factor=2.0),
        step_of("trivial", 12.0, factor=2.0),
    ),
    "fixed",
    {"phi": "why"},
    False,
    False,
    gain_lower=step_of("gain_lower", 2.0, 1.0),
)


def test_the_lower_bound_is_no_step() -> None:
    floor = bound_of(1.0, certified=True)
    found = with_floor(THREE, floor)
    assert (found.steps, found.floor, found.left_out) == (THREE.steps, floor, THREE.left_out)
    assert (found.total, found.loosest.name) == (4.0, "theorem1")
    moving = with_floor(replace(THREE, times="t(x)"), bound_of(1.0))
    assert moving.floor is None
    assert moving.left_out == {"phi": "why", "floor": "it is for times fixed beforehand"}
    same = with_floor(replace(THREE, times="t(x)"), bound_of(1.0, times="t(x)"))
    assert same.floor is not None
    assert with_floor(THREE, None) is THREE


def test_a_bound_by_another_method_is_no_step() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    alone = ladder(report, gamma)
    first = alone.steps[0].value
    for run in (None, run_of(report)):
        low, high = bound_of(0.5 * first), bound_of(first)
        assert ladder(report, gamma, run, best=low).other is low
        assert ladder(report, gamma, run, best=low).steps == ladder(report, gamma, run).steps
        assert ladder(report, gamma, run, best=high).other is None
    assert alone.other is None


def test_rungs_count_the_rounds_of_the_run_by_its_own_beta() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    run = replace(run_of(report), rounds=9, deviations=0.0, regret=0.0)
    plain, own = ladder(report, gamma, run), ladder(report, gamma, run, beta=2.0 * report.beta)
    constant = 8 / log(1 + 1 / report.problem.noise_variance)
    assert plain.total is None  # over nothing
    for a, b in zip(plain.steps[2:], own.steps[2:], strict=True):
        assert a.value == pytest.approx(sqrt(constant * report.beta * 9 * a.gain))
        assert b.value == pytest.approx(sqrt(2.0) * a.value)
    assert plain.steps[2].gain == run.gain and plain.times == "fixed"
    assert [step.factor for step in plain.steps[:3]] == [None] * 3  # over nothing
    still = ladder(report, gamma, replace(run, gain=0.0))  # equal rungs do not fall
    assert [step.value for step in still.steps[:3]] == [0.0] * 3
    assert plain.steps[3].covers == "CTV-fixed, exploration theory"
    assert not plain.exceeded


def test_the_mean_over_runs_is_rung_by_rung() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    two = [ladder(report, gamma, run_of(report, share)) for share in (0.5, 0.9)]
    mean = mean_ladder(two)
    for position, step in enumerate(mean.steps):
        values = [each.steps[position].value for each in two]
        assert step.value == pytest.approx(np.mean(values))
        if position:
            assert step.factor == pytest.approx(step.value / mean.steps[position - 1].value)
        gains = [each.steps[position].gain for each in two]
        assert step.gain == (None if None in gains else pytest.approx(np.mean(gains)))
    assert mean.left_out == two[0].left_out and not mean.exceeded
    sure = replace(THREE, steps=tuple(replace(step, certified=True) for step in THREE.steps))
    assert all(step.certified for step in mean_ladder([sure, sure]).steps)
    assert not any(step.certified for step in mean_ladder([sure, THREE]).steps)
    assert mean_ladder([THREE, replace(THREE, exceeded=True)]).exceeded
    flat = replace(THREE, steps=(replace(THREE.steps[0], value=0.0), *THREE.steps[1:]))
    assert [step.factor for step in mean_ladder([flat]).steps] == [None, None, 2.0]
    assert mean_ladder([sure, sure]).gain_lower == THREE.gain_lower
    assert mean_ladder([sure, replace(sure, gain_lower=None)]).gain_lower is None


def test_a_rung_that_one_run_lacks_is_not_in_the_mean() -> None:
    kernel = SquaredExponential(30.0)
    near, far = ([0.1] * 8, [9.0] * 8)
    two = [ladder(*report_of(problem_of(times, 0.01, time_kernel=kernel))) for times in (near, far)]
    assert "theorem1" in {s.name for s in two[0].steps} - {s.name for s in two[1].steps}
    for order in (two, two[::-1]):
        mean = mean_ladder(order)
        names = {step.name for step in mean.steps}
        assert names == {s.name for s in two[0].steps} & {s.name for s in two[1].steps}
        assert {"theorem1", "additive"} <= set(mean.left_out)
        assert set(mean.left_out).isdisjoint(names)
    reason = two[1].left_out["theorem1"]
    assert mean_ladder(two).left_out == {
        "additive": two[0].left_out["additive"],
        "theorem1": f"in some runs {reason}",
        "phi": f"in some runs {reason}",
    }


def test_theorem_c_only_scales() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    plain, moved = ladder(report, gamma), ladder(report, gamma, constant_factor=2.352, times="t(x)")
    assert (plain.times, moved.times) == ("fixed", "t(x)")
    for a, b in zip(plain.steps, moved.steps, strict=True):
        assert b.value == pytest.approx(a.value * sqrt(2.352))
