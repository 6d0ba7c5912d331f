"""No floor lies above a ceiling, whatever the times, the drift, the noise and the domain."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms, Grid
from bounds.errors import NumericalFailure
from bounds.gain.bounds import bounds_of
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound
from bounds.times import EvaluationTimes
from simulation.before_run.maximum import simulated_maximum
from simulation.before_run.rows import quick_ceilings, simulated_floors

DURATIONS = st.lists(
    st.one_of(st.just(0.0), st.floats(1e-9, 1e6), st.just(1.0)), min_size=1, max_size=6
)
DOMAINS = st.sampled_from([Arms(1), Arms(2), Arms(5), Grid(1, 1.0, 4), Grid(2, 1.0, 2)])
NOISES = st.floats(-12.0, 12.0).map(lambda power: 10.0**power)
DRIFTS = st.one_of(st.just(0.0), st.just(1.0 - 1e-12), st.floats(0.0, 0.999))


def found_for(durations, epsilon, noise, domain, kernel=None):
    times = EvaluationTimes.from_durations(durations)
    time_kernel = Forgetting(epsilon) if kernel is None else kernel
    problem = Problem(times, epsilon, noise_variance=noise, domain=domain, time_kernel=time_kernel)
    return bounds_of(problem, certify=False)


@settings(max_examples=3, deadline=None)
@given(DURATIONS, DRIFTS, NOISES, DOMAINS)
@example([1.0], 0.0, 1e-12, Arms(2))
@example([0.0, 0.0, 0.0], 0.5, 1e12, Arms(2))
@example([1.0, 1.0], 1.0 - 1e-12, 1e-12, Arms(5))
@example([1e6, 0.0], 0.999, 1.0, Arms(1))
def test_no_floor_above_a_ceiling(durations, epsilon, noise, domain):
    found = found_for(durations, epsilon, noise, domain)
    problem = found.problem
    schedules = tuple(one.row() for one in quick_ceilings(problem))
    rows = (*simulated_floors(problem, draws=1_000, paths=30), *schedules)
    answer = found.with_rows(rows).answer  # refuses a floor above a ceiling
    means = [row.value for row in answer.uppers if row.kind == "mean"]
    assert 0.0 <= answer.floor.value <= min(means) * (1 + 1e-9)
    if domain.size == 1:
        assert answer.floor.value == 0.0


@pytest.mark.parametrize("kernel", [SquaredExponential(2.0), Matern(1.5, 1.0)], ids=repr)
@pytest.mark.parametrize("noise", [1e-12, 1.0, 1e12])
def test_smooth_time_kernels_keep_the_order(kernel, noise):
    found = found_for([1.0, 0.0, 0.5, 2.0], 0.3, noise, Arms(3), kernel)
    least = found.answer.floor.value
    assert 0.0 < least <= min(row.value for row in found.answer.uppers if row.kind == "mean")


def test_equal_times_are_repeated_looks():
    problem = found_for([2.0, 0.0, 0.0, 0.0], 0.4, 0.5, Arms(2)).problem
    rows = {row.name: row.value for row in simulated_floors(problem, draws=200_000, paths=0)}
    shares = [1.0, *(0.5 / (0.5 + k) for k in (1, 2, 3))]
    m = simulated_maximum(problem, draws=200_000).lower
    exact = m * sum(1.0 - np.sqrt(1.0 - p) for p in shares)
    # σ²/(1 − c) = 2σ² for two independent arms, whose common part is told.
    assert rows["full-information"] >= exact * (1 - 1e-9)


def test_a_floor_above_a_ceiling_is_a_failure_and_says_so():
    found = found_for([1.0, 1.0], 0.1, 0.1, Arms(2))
    wrong = RegretBound(
        "full-information", 1e9, "lower", "any", "", "mean", None, "one n", "made up"
    )
    with pytest.raises(NumericalFailure, match="above the ceiling"):
        _ = found.with_rows((wrong,)).answer
