"""Regret where times depend on the point: every run of a small domain, gains by determinants."""

from dataclasses import replace
from itertools import product
from math import inf, log1p, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.gain.bounds import bounds_of
from bounds.kernels import SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes

SPACE = SquaredExponential(0.5)


def problem_of(durations, epsilon: float = 0.3, noise: float = 0.05) -> Problem:
    times = EvaluationTimes.from_durations(durations)
    domain = Grid(1, 1.0, 3)
    return Problem(times, epsilon, space_kernel=SPACE, noise_variance=noise, domain=domain)


def joint(x, tau, epsilon: float) -> np.ndarray:
    apart = np.abs(np.subtract.outer(tau, tau))
    return SPACE.gram(np.reshape(x, (-1, 1))) * (1.0 - epsilon) ** (apart / 2.0)


def deviations(x, tau, epsilon: float, noise: float) -> float:
    """Σσ_{i−1}(x_i, τ_i) by whole matrices."""
    K, total = joint(x, tau, epsilon), 0.0
    for i in range(len(x)):
        known = K[:i, :i] + noise * np.eye(i)
        total += sqrt(max(0.0, K[i, i] - K[i, :i] @ np.linalg.solve(known, K[:i, i])))
    return total


def most_deviations(durations, epsilon: float, noise: float) -> float:
    """The largest Σσ over all points of four rounds, each point with its own duration."""
    x = np.linspace(0.0, 1.0, 3)
    runs = product(range(3), repeat=4)
    own = np.array(durations)
    return max(deviations(x[list(run)], np.cumsum(own[list(run)]), epsilon, noise) for run in runs)


@given(
    st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 2.0)), min_size=1, max_size=6),
    st.floats(0.01, 0.9),
)
@settings(max_examples=60, deadline=None)
def test_longer_steps_gain_no_less(rounds, epsilon) -> None:
    x, steps = np.array(rounds).T
    s, even = 20.0, 2.0 * np.arange(1, len(x) + 1)
    less, more = (
        np.linalg.slogdet(np.eye(len(x)) + s * joint(x, tau, epsilon))[1]
        for tau in (np.cumsum(steps), even)
    )
    assert less <= more + 1e-9


@pytest.mark.parametrize("epsilon", [0.01, 0.3])
@pytest.mark.parametrize("durations", [(1.0, 1.0, 1.0, 1.0), (0.0, 0.1, 3.0, 0.1)])
def test_above_every_run_whatever_the_times_of_points_are(durations, epsilon) -> None:
    noise, longest = 0.5, max(durations)
    found = bounds_of(problem_of(durations, epsilon, noise)).confidence.point_times
    assert found.regret < found.trivial_regret
    for own in product((0.0, 0.5 * longest, longest), repeat=3):
        most = most_deviations(own, epsilon, noise)
        assert 3.067 * sqrt(found.beta) * most <= found.regret


def test_the_gain_at_the_given_times_would_be_too_small() -> None:
    """Three quick rounds and a slow one: a run of slow rounds has more than their envelope."""
    durations, epsilon, noise = (0.0, 0.0, 0.0, 40.0), 0.3, 0.5
    problem = problem_of(durations, epsilon, noise)
    found = bounds_of(problem)
    slow = most_deviations((40.0,) * 3, epsilon, noise)
    envelope = next(row for row in found.rows if row.name == "envelope")
    assert slow > envelope.value / (2.0 * sqrt(found.report.beta))
    assert 3.067 * sqrt(found.confidence.point_times.beta) * slow <= (
        found.confidence.point_times.regret
    )


def by_hand(gains, n: int) -> float:
    """The least over noise of the least concave majorant of √((e^{2u} − 1)/s), on a dense grid."""
    best = inf
    for noise, gain in gains:
        u = np.linspace(0.0, 0.5 * log1p(1.0 / noise), 4_001)
        h = np.sqrt(np.expm1(2.0 * u) * noise)
        at = np.searchsorted(u, min(gain / n, u[-1]))
        # A chord from a point below to one above; their best is the majorant there.
        low, high = np.arange(max(at, 1)), np.arange(max(at, 1), len(u))
        rise = (h[high][None] - h[low][:, None]) / (u[high][None] - u[low][:, None])
        best = min(best, float(np.max(h[low][:, None] + rise * (gain / n - u[low][:, None]))))
    return n * min(best, 1.0)


@pytest.mark.parametrize("durations", [[2.0] * 8, [0.5, 2.0, 1.0, 0.0, 2.0, 0.1, 0.1, 0.1]])
def test_the_number_by_hand(durations) -> None:
    from bounds.drifting_gain.joint_dual import joint_dual
    from bounds.regret.ingredients.ingredients import noise_levels

    problem = problem_of(durations, 0.01)
    slow = replace(problem, times=EvaluationTimes.from_durations([2.0] * 8))
    gains = [
        (noise, joint_dual(replace(slow, noise_variance=noise)).value)
        for noise in noise_levels(problem)
    ]
    found = bounds_of(problem).confidence.point_times
    least = 3.067 * sqrt(found.beta) * by_hand(gains, 8)
    assert least * (1.0 - 1e-5) <= found.regret <= 1.1 * least
    if len(set(durations)) == 1:
        assert found.regret <= least * (1.0 + 1e-4)


def test_where_nothing_smaller_is_known_it_is_the_trivial_one() -> None:
    problem = problem_of([1.0] * 5, 0.01)
    for found in (bounds_of(problem, certify=False), bounds_of(problem, delay=1)):
        own = found.confidence.point_times
        assert own.regret == own.trivial_regret
    other = replace(problem, time_kernel=SquaredExponential(3.0))
    assert bounds_of(other).confidence.point_times is None


def test_a_known_mean_leaves_neither_theorem_c_nor_the_box() -> None:
    """|f| ≤ √β and slopes of the law of the kernel are said of a mean of zero."""
    found = bounds_of(problem_of([1.0] * 5, 0.01), certify=False)
    assert found.confidence.box is not None and found.confidence.point_times is not None
    known = found.with_known_mean([]).confidence
    assert known.finite_domain == found.confidence.finite_domain
    assert (known.box, known.point_times) == (None, None)
    assert set(known.reasons) == {"box", "point_times"}
