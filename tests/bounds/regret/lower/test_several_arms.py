"""The least regret of three and more arms: another recursion, two arms, prices and policies."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import special, stats

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.regret.lower.arm_value import Moves, knots
from bounds.regret.lower.looks import Looks
from bounds.regret.lower.prices import priced
from bounds.regret.lower.several_arms import earned_above, earned_below
from bounds.regret.lower.two_arms import least_regret
from bounds.regret.maximum.normals import normal_maximum
from simulation.runs.arms import simulated
from tests.bounds.regret.lower.test_prices import drift, times_of, unit


def best_after(mean, spread, decay, other):
    """E max(decay·X, other) of X ~ N(mean, spread²)."""
    d, s = decay * mean - other, decay * spread
    return other + d * special.ndtr(d / s) + s * stats.norm.pdf(d / s)


def four_rounds(k: float, arms: int) -> float:
    """The least regret of four unit steps: the last choice in closed form, others on a grid."""
    grid = np.linspace(-7.0, 7.0, 1201)
    w = stats.norm.pdf(grid) / stats.norm.pdf(grid).sum()
    x, y = grid[:, None], grid[None, :]  # seen in round 1 and in round 0
    unseen = np.full((1, 1), 0.0 if arms > 3 else -np.inf)
    one, two = sqrt(1.0 - k * k), sqrt(1.0 - k**4)
    both = np.max(
        [
            k * x + best_after(k * x, one, k, np.maximum(k**3 * y, 0.0)),
            k**2 * y + best_after(k**2 * y, two, k, np.maximum(k**2 * x, 0.0)),
            best_after(0.0, 1.0, k, np.maximum(np.maximum(k**2 * x, k**3 * y), unseen)),
        ],
        axis=0,
    )
    alone = np.maximum(
        k * grid + best_after(k * grid, one, k, 0.0),
        best_after(0.0, 1.0, k, np.maximum(k**2 * grid, 0.0)),
    )
    moved = k * grid[:, None] + one * grid
    stay = k * grid + np.interp(moved, grid, alone) @ w
    return 4.0 * normal_maximum(arms) - float(np.maximum(stay, w @ both) @ w)


@pytest.mark.parametrize("correlation", [0.3, 0.9, 0.99])
@pytest.mark.parametrize("arms", [3, 4, 7])
def test_four_rounds_against_another_recursion(correlation, arms):
    exact = four_rounds(correlation, arms)
    found = least_regret(unit(4), drift(correlation), arms)
    assert found.lower - 1e-5 <= exact <= found.upper + 1e-5
    assert found.width < 0.01


@given(
    st.lists(st.floats(0.0, 3.0), min_size=1, max_size=6),
    st.floats(0.05, 0.99),
)
@example([0.0, 1.0, 2.5450462883938232e-17, 1.5, 0.25], 0.5)
@example([0.8618307874989459, 2.073961621679554, 5e-16, 5e-16, 2.8480392241066994], 0.9)
@settings(max_examples=15, deadline=None)
def test_two_arms_are_solved_alike_by_both_programs(durations, correlation):
    """Each has its own tables and its own order of sums; the root of a tiny variance has 1e-8.

    A wait in the last digit of a correlation is none to one program and one to the other: they
    choose other affine functions among equals, and both bounds from above hold.
    """
    times, kernel, points = times_of(durations), drift(correlation), knots(21, 0.3)
    moves = Moves.of(times.exact, kernel, Looks.exact())
    found = least_regret(times, kernel, 2, kept=21)
    whole = times.n * normal_maximum(2)
    assert whole - earned_above(moves, 2, points) == pytest.approx(found.lower, abs=1e-7)
    above = whole - earned_below(times.exact, kernel, moves, 2, points)
    if any(0.0 < wait < 1e-12 for wait in durations):
        assert min(above, found.upper) >= found.lower
    else:
        assert above == pytest.approx(found.upper, abs=1e-7)


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


def test_more_knots_bring_the_sides_together():
    wide, close = (least_regret(unit(5), drift(0.9), 3, kept=kept) for kept in (17, 35))
    assert wide.lower <= close.upper and close.lower <= wide.upper
    assert close.width < 0.4 * wide.width
    assert least_regret(unit(1), drift(0.9), 5).width < 1e-9


def test_more_rounds_than_can_be_solved_are_refused():
    for n, arms, most in [(15, 3, 14), (9, 4, 8), (6, 50, 5)]:
        with pytest.raises(InvalidInput, match=f"at most {most} rounds for {arms} arms"):
            least_regret(unit(n), drift(0.9), arms)
