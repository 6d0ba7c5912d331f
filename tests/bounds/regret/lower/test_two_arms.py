"""The least regret of two arms: against closed forms, prices, policies and another recursion."""

from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.lower.prices import priced
from bounds.regret.lower.two_arms import least_regret, lower_side
from bounds.regret.maximum.normals import normal_maximum
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from tests.bounds.regret.lower.test_prices import drift, times_of, ucb_regret, unit


@pytest.mark.parametrize("correlation", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("arms", [2, 3, 8])
def test_two_rounds_have_a_closed_form(correlation, arms):
    """2m* − ρ/√(2π): the first arm is kept where its value was positive."""
    exact = 2.0 * normal_maximum(arms) - correlation / sqrt(2.0 * pi)
    found = least_regret(unit(2), drift(correlation), arms)
    assert found.lower <= exact + 1e-12
    assert exact - 1e-12 <= found.upper
    assert found.width < 2e-3


def test_both_sides_meet_and_the_other_recursion_lies_between():
    found = least_regret(unit(3), drift(0.9), kept=81)
    assert 0.9030 < found.lower < found.upper < 0.9040
    assert found.lower - 1e-5 <= by_the_trapezoid_rule(0.9) <= found.upper + 1e-5


def by_the_trapezoid_rule(correlation: float) -> float:
    """Three unit steps of two arms: what the second round shows is integrated on a dense grid."""
    u = np.linspace(-8.0, 8.0, 1601)
    w = stats.norm.pdf(u) / stats.norm.pdf(u).sum()
    again = correlation * u[:, None] + sqrt(1.0 - correlation**2) * u
    stay = correlation * u + np.maximum(correlation * again, 0.0) @ w
    leave = np.maximum(correlation * u, correlation**2 * u[:, None]) @ w
    return 3.0 * normal_maximum(2) - float(np.maximum(stay, leave) @ w)


@given(st.lists(st.floats(0.0, 3.0), min_size=2, max_size=6), st.floats(0.05, 0.99))
@settings(max_examples=12, deadline=None)
def test_prices_are_never_above_the_least_regret(durations, correlation):
    times, kernel = times_of(durations), drift(correlation)
    found = least_regret(times, kernel, kept=25)
    assert found.lower <= found.upper
    assert priced(times, kernel, [0.0, 0.0]).value <= found.upper + 1e-9
    more = lower_side(times, kernel, kept=49)
    assert found.lower - 2e-3 <= more <= found.upper


@pytest.mark.parametrize("correlation", [0.5, 0.9, 0.99])
def test_three_arms_and_rounds_are_nearly_what_prices_prove(correlation):
    found = least_regret(unit(3), drift(correlation), 3, kept=61)
    proved = priced(unit(3), drift(correlation), [0.0] * 3).value
    assert 0.98 * found.lower <= proved <= found.upper


@pytest.mark.parametrize("correlation", [0.5, 0.9])
def test_no_policy_is_below_and_one_is_close(correlation):
    lower = lower_side(unit(30), drift(correlation))
    runs = [ucb_regret(2, correlation, 30, weight, runs=3000) for weight in (0.0, 0.2, 0.5)]
    assert all(run >= 0.9 * lower for run in runs)  # four standard errors are taken off
    assert min(runs) <= 1.25 * lower


def test_the_row_and_what_it_is_for():
    problem = Problem(unit(40), time_kernel=drift(0.9), domain=Arms(2))
    rows = {row.name: row for row in floors(problem)}
    assert rows["two-arms"].certified
    assert rows["two-arms"].value > max(rows["prices"].value, 1.2 * rows["rank"].value)
    assert "two-arms" not in {row.name for row in floors(Problem(unit(5), domain=Arms(3)))}
    long = Problem(unit(200), time_kernel=drift(0.9), domain=Arms(2))
    assert "two-arms" not in {row.name for row in floors(long)}
    for n, arms, match in [
        (2, 1, "arms"),
        (15, 3, "at most 14 rounds for 3 arms"),
        (300, 2, "at most 250"),
    ]:
        with pytest.raises(InvalidInput, match=match):
            least_regret(unit(n), drift(0.9), arms)
    with pytest.raises(InvalidInput, match="Markov"):
        least_regret(unit(2), SquaredExponential(1.0))


def test_equal_instants_and_no_drift():
    still = least_regret(unit(4), Forgetting(0.0), kept=61)
    tied = least_regret(EvaluationTimes.from_durations([0.0] * 4), drift(0.3), kept=61)
    assert still.lower == pytest.approx(tied.lower, abs=1e-9)
    # Both arms are seen in two rounds; then the larger is known: E R = 2m* at most, then nothing.
    exact = 2.0 * normal_maximum(2) - 1.0 / sqrt(2.0 * pi)
    assert still.lower - 1e-9 <= exact + normal_maximum(2)
    assert still.lower <= still.upper < still.lower + 0.05
