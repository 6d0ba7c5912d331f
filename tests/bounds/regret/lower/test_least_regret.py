"""The least regret of independent arms: closed forms, another recursion, prices and policies."""

from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import special, stats

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.lower.arm_value import Moves
from bounds.regret.lower.least_regret import _earned_above, least_regret, lower_side
from bounds.regret.lower.looks import Looks
from bounds.regret.lower.prices import priced
from bounds.regret.maximum.normals import normal_maximum
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from simulation.runs.arms import simulated
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


def test_right_of_all_knots_it_still_lies_above():
    """By knots beyond which there is much, and values that rise ever faster."""
    kernel = drift(0.9)
    earned = 4.0 * normal_maximum(2) - least_regret(unit(4), kernel).upper
    few = _earned_above(Moves.of(unit(4).exact, kernel, Looks.exact()), 2, np.linspace(-1, 0.5, 61))
    assert earned <= few <= 1.2 * earned


def best_after(mean, spread, decay, other):
    """E max(decay·X, other) of X ~ N(mean, spread²)."""
    d, s = decay * mean - other, decay * spread
    return other + d * special.ndtr(d / s) + s * stats.norm.pdf(d / s)


def four_rounds(k: float, arms: int) -> float:
    """The least regret of four unit steps: the last choice in closed form, others on a grid."""
    grid = np.linspace(-7.0, 7.0, 1201)
    w = stats.norm.pdf(grid) / stats.norm.pdf(grid).sum()
    x, y = grid[:, None], grid[None, :]  # seen in round 1 and in round 0
    one, two = sqrt(1.0 - k * k), sqrt(1.0 - k**4)
    unseen = [0.0 if arms > seen else -np.inf for seen in (2, 3)]
    both = np.maximum(
        k * x + best_after(k * x, one, k, np.maximum(k**3 * y, unseen[0])),
        k**2 * y + best_after(k**2 * y, two, k, np.maximum(k**2 * x, unseen[0])),
    )
    if arms > 2:
        seen = np.maximum(k**2 * x, k**3 * y)
        both = np.maximum(both, best_after(0.0, 1.0, k, np.maximum(seen, unseen[1])))
    alone = np.maximum(
        k * grid + best_after(k * grid, one, k, 0.0),
        best_after(0.0, 1.0, k, np.maximum(k**2 * grid, unseen[0])),
    )
    moved = k * grid[:, None] + one * grid
    stay = k * grid + np.interp(moved, grid, alone) @ w
    return 4.0 * normal_maximum(arms) - float(np.maximum(stay, w @ both) @ w)


@pytest.mark.parametrize("correlation", [0.3, 0.9, 0.99])
@pytest.mark.parametrize("arms", [2, 3, 4, 7])
def test_four_rounds_against_another_recursion(correlation, arms):
    exact = four_rounds(correlation, arms)
    found = least_regret(unit(4), drift(correlation), arms)
    assert found.lower - 1e-5 <= exact <= found.upper + 1e-5
    assert found.width < 0.012


@given(st.lists(st.floats(0.0, 3.0), min_size=2, max_size=6), st.floats(0.05, 0.99))
@example([0.0, 1.0, 2.5450462883938232e-17, 1.5, 0.25], 0.5)  # a wait in the last digit
@example([0.8618307874989459, 2.073961621679554, 5e-16, 5e-16, 2.8480392241066994], 0.9)
@settings(max_examples=12, deadline=None)
def test_prices_are_never_above_the_least_regret(durations, correlation):
    times, kernel = times_of(durations), drift(correlation)
    found = least_regret(times, kernel, kept=25)
    assert found.lower <= found.upper
    assert priced(times, kernel, [0.0, 0.0]).value <= found.upper + 1e-9
    more = lower_side(times, kernel, kept=49)
    assert found.lower - 2e-3 <= more <= found.upper


@given(st.lists(st.floats(0.0, 2.0), min_size=2, max_size=5), st.floats(0.1, 0.98))
@settings(max_examples=8, deadline=None)
def test_prices_and_fewer_rounds_are_never_above(durations, correlation):
    times, kernel = times_of(durations), drift(correlation)
    found = least_regret(times, kernel, 3, kept=17)
    assert 0.0 <= found.lower <= found.upper
    assert priced(times, kernel, [0.0] * 3).value <= found.upper + 1e-9
    fewer = least_regret(times_of(durations[:-1]), kernel, 3, kept=17)
    assert fewer.lower <= found.upper


def test_three_arms_over_eight_rounds_and_policies_that_run():
    """No policy is below; the best of them is within three percent of the optimum here."""
    found = least_regret(unit(8), drift(0.9), 3)
    assert 2.80 < found.lower < found.upper < 2.84
    problem = Problem(unit(8), time_kernel=drift(0.9), noise_variance=1e-9, domain=Arms(3))
    names = ["index:0", "index:0.25", "index:0.5", "look-ahead"]
    runs = simulated(problem, names, runs=20_000)
    assert all(one.mean + 4.0 * one.error > found.lower for one in runs)
    assert min(one.mean for one in runs) < 1.03 * found.upper


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
        (9, 4, "at most 8 rounds for 4 arms"),
        (6, 50, "at most 5 rounds for 50 arms"),
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


def test_more_knots_bring_the_sides_together():
    wide, close = (least_regret(unit(5), drift(0.9), 3, kept=kept) for kept in (17, 35))
    assert wide.lower <= close.upper and close.lower <= wide.upper
    assert close.width < 0.4 * wide.width
    assert least_regret(unit(1), drift(0.9), 5).width < 1e-9
