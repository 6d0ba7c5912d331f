"""The ladder: every rung by a second road, in order, and an error where it would fall."""

from __future__ import annotations

from dataclasses import replace
from math import inf, log, nan, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.errors import NumericalFailure
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.promises.ladder import TITLES, RunSummary, ladder, mean_ladder
from bounds.promises.report import bound_report
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
    assert names[:2] == ["gain_lower", "gain_upper"]
    assert names[-1] == "trivial"
    assert {(s.kind, s.when) for s in found.steps} == {("probability 1-delta", "before the run")}
    assert set(TITLES) - set(names) == {
        "floor", "best_bound", "regret", "deviations", "realised_gain", *found.left_out,
    }  # fmt: skip
    for before, step in zip(found.steps, found.steps[1:], strict=False):
        assert step.value >= before.value * (1 - 1e-9)
        assert step.factor == pytest.approx(step.value / before.value)
        constant = 8 / log(1 + 1 / problem.noise_variance)
        assert step.value == pytest.approx(sqrt(constant * report.beta * problem.n * step.gain))
    assert found.loosest.factor == max(step.factor for step in found.steps[1:])


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
        "regret", "deviations", "realised_gain", "gain_lower",
    ]  # fmt: skip
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
    own = {s.name: s for s in ladder(poor, gamma, run).steps}["gain_lower"]
    assert own.gain == run.full_gain > poor.lower
    bare = ladder(replace(report, lower=nan), gamma)
    assert bare.steps[0].name == "gain_upper"
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
    rough = problem_of([1.0] * 8, time_kernel=Matern(0.3, 2.0))
    assert rough.time_kernel.slope == inf
    found = ladder(*report_of(rough))
    assert "additive" not in {s.name for s in found.steps} or found.steps[-2].gain <= 1e9


def test_the_mean_over_runs_is_rung_by_rung() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    two = [ladder(report, gamma, run_of(report, share)) for share in (0.5, 0.9)]
    mean = mean_ladder(two)
    for position, step in enumerate(mean.steps):
        values = [each.steps[position].value for each in two]
        assert step.value == pytest.approx(np.mean(values))
        if position:
            assert step.factor == pytest.approx(step.value / mean.steps[position - 1].value)


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


def test_theorem_c_only_scales() -> None:
    report, gamma = report_of(problem_of([1.0] * 12))
    plain, moved = ladder(report, gamma), ladder(report, gamma, constant_factor=2.352, times="t(x)")
    for a, b in zip(plain.steps, moved.steps, strict=True):
        assert b.value == pytest.approx(a.value * sqrt(2.352))
