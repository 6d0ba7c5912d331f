"""No two bounds contradict each other: random problems at every noise, in floats and enclosed."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.gain.report import BoundReport, bound_report, certified_report
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.static_gain.certified import certified_curve
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes

TIME_KERNELS = [None, None, Matern(0.5, 3.0), SquaredExponential(4.0), Matern(1.5, 3.0)]
SPACE_KERNELS = [SquaredExponential(0.4), Matern(2.5, 0.3), Matern(0.5, 0.4)]
GRIDS = [Grid(1, 1.0, 1), Grid(1, 1.0, 4), Grid(2, 1.0, 3), Grid(1, 1.0, 9)]

durations = st.one_of(
    st.lists(st.floats(1e-3, 10.0), min_size=1, max_size=8),
    st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=1, max_size=8),
    st.lists(st.floats(-6, 6).map(lambda e: float(10.0**e)), min_size=1, max_size=8),
)
noise = st.one_of(
    st.sampled_from([1e-12, 1e-6, 0.01, 1.0, 1e10]), st.floats(-14, 12).map(lambda e: 10.0**e)
)


def require_order(report: BoundReport) -> None:
    gains, problem = report.gains, report.problem
    for bound in gains.values():
        assert not bound.valid or report.lower <= bound.value, (bound.name, report.lower)
        for looser in bound.bound.improves_on(problem):
            other = gains[looser]
            assert not other.valid or bound.value <= other.value, (bound.name, looser)


@given(
    durations,
    st.sampled_from([0.0, 1e-9, 1e-4, 0.01, 0.3, 0.9]),
    noise,
    st.sampled_from(TIME_KERNELS),
    st.sampled_from(SPACE_KERNELS),
    st.sampled_from(GRIDS),
)
@example([1.0] * 6, 1e-4, 1e-12, None, SPACE_KERNELS[0], GRIDS[0])  # the dual fell below
@example([1.0] * 4, 0.0, 1e10, None, SPACE_KERNELS[1], GRIDS[3])  # log(1 + K/σ²) lost K/σ²
@example([1.0] * 5, 0.3, 15.0, Matern(1.5, 3.0), SPACE_KERNELS[2], GRIDS[3])
@example([0.0, 1e6, 1e-6], 0.9, 1e-30, None, SPACE_KERNELS[0], GRIDS[1])
@settings(deadline=None, max_examples=30)
def test_sides_do_not_cross(times, epsilon, noise_variance, time_kernel, kernel, grid) -> None:
    problem = Problem(
        EvaluationTimes.from_durations(times),
        epsilon,
        time_kernel or Forgetting(epsilon),
        kernel,
        noise_variance,
        grid,
    )
    curve = space_gain_upper(kernel, grid, noise_variance, problem.n)
    design = joint_gain_lower(problem)
    require_order(bound_report(problem, curve.values, design.value, costly=True))
    exact = certified_curve(kernel, grid, curve)
    rough = bound_report(problem, exact.values, design.value, costly=True)
    report = certified_report(rough, exact, design)
    require_order(report)
    assert report.lower_certified
    assert np.isfinite(report.best)
