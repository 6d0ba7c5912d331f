"""Certified bounds at given partitions and knots: exact sums, second roads, outward rounding."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.domain import Grid
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.enclosure import matrices
from bounds.gain.report import bound_report, certified_report
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.partitions.certified import scaled_uniformity
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.partition import Partition
from bounds.partitions.search import certified_value, evaluate
from bounds.problem import Problem
from bounds.static_gain.certified import certified_curve
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from tests.oracles import exact_times
from tests.strategies import durations, epsilons, noise_variances

GRID = Grid(1, 1.0, 6)


def problem_of(times, epsilon=0.05, noise_variance=0.1, time_kernel=None) -> Problem:
    return Problem(
        EvaluationTimes.from_durations(times),
        space_kernel=SquaredExponential(0.4),
        time_kernel=time_kernel or Forgetting(epsilon),
        epsilon=getattr(time_kernel, "epsilon", epsilon),
        domain=GRID,
        noise_variance=noise_variance,
    )


@settings(max_examples=60, deadline=None)
@given(times=durations(), epsilon=epsilons)
@example([1.0, 1.0, 1.0], 0.3)
@example([0.0, 0.0, 0.0], 0.9)
def test_uniformity_of_whole_ticks_is_the_exact_sum(times, epsilon: float) -> None:
    exact = EvaluationTimes.from_durations(times).exact
    with enclosure.precision(matrices.WORKING_BITS):
        value = scaled_uniformity(exact, enclosure.exact_double(epsilon))
    rate = Fraction(epsilon)
    if rate == 0:
        assert enclosure.to_fraction(value) == 0
        return
    cap = 1 / rate**2
    tau = exact_times(times)
    truth = rate**2 * sum(min(cap, (a - b) ** 2) for a in tau for b in tau)
    low, high = enclosure.endpoints(value)
    assert low == high
    # The border 1/ε is rounded down to a double; a pair between it and 1/ε counts 1 for (1−2^-52)².
    assert truth <= high <= truth * (1 + Fraction(1, 2**48))


@settings(max_examples=40, deadline=None)
@given(
    times=durations(min_size=2, max_size=7),
    epsilon=epsilons,
    noise_variance=noise_variances,
    data=st.data(),
)
# Far from the origin the double of a centre is not the instant of its round.
@example([1e-9, 1e6], 0.3, 1e-6, None)
def test_a_certified_value_is_the_formula_rounded_up(times, epsilon, noise_variance, data) -> None:
    problem = problem_of(times, epsilon, noise_variance)
    n = problem.n
    inner = data.draw(st.sets(st.integers(1, n - 1))) if data else {1}
    cuts = sorted(inner | {0, n})
    gamma = np.cumsum(np.linspace(0.0, 1.0, n + 1))
    for objective in OBJECTIVES:
        result = evaluate(objective, problem, gamma, Partition(tuple(cuts)))
        value = certified_value(problem, gamma, result)
        assert value is not None
        assert value == pytest.approx(result.value, rel=1e-9, abs=1e-9)
        assert value >= result.value * (1 - 1e-9)


@pytest.mark.parametrize(
    ("times", "time_kernel"),
    [
        ([1.0] * 9, Forgetting(0.01)),
        ([0.0, 0.0, 3.0, 1e4, 0.1, 0.1], Forgetting(0.3)),
        ([1.0] * 6, Forgetting(0.9)),
        ([0.5] * 7, Matern(2.5, 3.0)),
    ],
)
def test_every_number_of_a_report_is_rounded_outward(times, time_kernel) -> None:
    problem = problem_of(times, time_kernel=time_kernel)
    n = problem.n
    curve = certified_curve(
        problem.space_kernel, GRID, space_gain_upper(problem.space_kernel, GRID, 0.1, n)
    )
    design = joint_gain_lower(problem)
    rough = bound_report(problem, curve.values, design.value, costly=True)
    report = certified_report(rough, curve, design)
    assert report.lower_certified and report.lower <= design.value * (1 + 1e-12)
    assert report.beta == pytest.approx(2 * log(6 * np.pi**2 * n**2 / 6 / problem.delta))
    for name, bound in report.gains.items():
        assert bound.value == pytest.approx(rough.gains[name].value, rel=1e-6), name
        assert bound.value >= rough.gains[name].value * (1 - 1e-9), name
        expected = sqrt(8 / log(1 + 10.0) * report.beta * n * bound.value)
        assert report.regret[name] == pytest.approx(expected), name
    smooth = time_kernel.smoothness != 0.5
    known = {name for name, bound in report.gains.items() if bound.certified}
    assert {"trivial", "refined", "knots", "joint_dual"} <= known
    assert ("any_pattern" in known) is not smooth
    assert ("theorem1" in known) is (not smooth and time_kernel.epsilon <= 0.7)
    assert report.best <= report.gains["trivial"].value
    assert report.regret["best"] == report.regret[report.best_name]
