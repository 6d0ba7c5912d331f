"""Constant exploration: the supremum against draws, brute force, and simulated runs."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.ceilings.constant_exploration import (
    _Chords,
    exploration_bound,
    increment_supremum,
    increment_value,
    neighbour_distance,
    tail_mean,
)
from bounds.times import EvaluationTimes


@given(st.floats(0.05, 1.0), st.floats(-1.0, 1.0), st.floats(0.0, 6.0), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_value_is_the_mean_of_draws(p: float, tilt: float, b: float, seed: int) -> None:
    d = 0.4
    q = min(max(p + 0.95 * d * tilt, 0.0), 1.0)
    variance = min(d * d, (p + q) ** 2)
    covariance = 0.5 * (p * p + q * q - variance)
    z = np.random.default_rng(seed).standard_normal((2, 200_000))
    x = p * z[0]
    y = covariance / p * z[0] + np.sqrt(max(q * q - (covariance / p) ** 2, 0.0)) * z[1]
    root = np.sqrt(b)
    gains = np.maximum(x - root * p - np.maximum(y - root * q, 0.0), 0.0)
    found = increment_value(p, q, b, d)
    assert abs(found - gains.mean()) <= 6.0 * gains.std() / np.sqrt(2e5) + 1e-6


@pytest.mark.parametrize(("b", "d"), [(0.0, 0.3), (4.0, 0.5), (9.0, 0.1), (2.0, 1.4)])
def test_supremum_is_above_a_fine_mesh(b: float, d: float) -> None:
    found = increment_supremum(b, d, tolerance=0.5)
    assert found.certified and found.upper <= 1.5 * found.found * (1.0 + 1e-12)
    rng = np.random.default_rng(0)
    for _ in range(300):
        p = rng.random()
        q = np.clip(p + d * rng.uniform(-1.0, 1.0), 0.0, 1.0)
        assert increment_value(p, q, b, d) <= found.upper
    assert increment_value(found.p, found.q, b, d) == pytest.approx(found.found, rel=1e-6)


def test_tighter_with_smaller_tolerance() -> None:
    loose, tight = (increment_supremum(4.0, 0.5, tolerance=t) for t in (0.4, 0.1))
    assert tight.found <= tight.upper <= loose.upper
    assert tight.boxes > loose.boxes


@pytest.mark.parametrize("p", [0.3, 0.5, 0.8, 1.0])
def test_with_little_exploration_the_supremum_is_met_by_many_pairs(p: float) -> None:
    # q = p - d leaves X - Y = d(Z - √b), which is below X wherever X is positive.
    b, d = 0.01, 0.3
    assert increment_value(p, p - d, b, d) == pytest.approx(d * tail_mean(0.1), rel=1e-6)
    assert increment_supremum(b, d, tolerance=0.5).found == pytest.approx(d * tail_mean(0.1))


def test_regret_of_constant_exploration_stays_below() -> None:
    grid, n, b = Grid(1, 1.0, 12), 12, 4.0
    problem = Problem(EvaluationTimes.from_durations([3.0] * n), epsilon=0.05, domain=grid)
    kernel, noise = SquaredExponential(0.2), problem.noise_variance
    gram = kernel.gram(grid.points)
    values, vectors = np.linalg.eigh(gram)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    a = float(Forgetting(0.05).at_distance(3.0))
    rng = np.random.default_rng(4)
    regrets, deviations = [], []
    for _ in range(300):
        f = root @ rng.standard_normal(grid.size)
        mean, covariance, lost, spread = np.zeros(grid.size), gram.copy(), 0.0, 0.0
        for _ in range(n):
            f = a * f + np.sqrt(1 - a * a) * (root @ rng.standard_normal(grid.size))
            mean, covariance = a * mean, a * a * covariance + (1 - a * a) * gram
            sigma = np.sqrt(np.maximum(np.diag(covariance), 0.0))
            x = int(np.argmax(mean + np.sqrt(b) * sigma))
            lost, spread = lost + f.max() - f[x], spread + sigma[x]
            column = covariance[:, x] / (covariance[x, x] + noise)
            y = f[x] + np.sqrt(noise) * rng.standard_normal()
            mean, covariance = (
                mean + column * (y - mean[x]),
                covariance - np.outer(column, covariance[x]),
            )
        regrets.append(lost)
        deviations.append(spread / n)
    found = exploration_bound(problem, min(max(deviations), 1.0), b)
    assert np.mean(regrets) <= found.value
    assert found.value == pytest.approx(found.deviations + found.first + found.rest)


def test_best_weight_is_no_worse() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 10), domain=Grid(1, 1.0, 20))
    best = exploration_bound(problem, 0.8)
    assert best.value <= 1.02 * min(
        exploration_bound(problem, 0.8, b).value for b in (1.0, 4.0, 9.0)
    )


@given(st.floats(0.0, 40.0), st.floats(0.3, 1.99))
@example(25.0, 1.414)  # 40 nodes are 15 % above T for ρ near −1
@settings(max_examples=8, deadline=None)
def test_found_is_never_above_the_bound(b: float, d: float) -> None:
    found = increment_supremum(b, d, tolerance=0.5)
    assert found.found <= found.upper


@pytest.mark.parametrize("d", [1e-2, 1e-5, 1e-8, 1e-12])
def test_bound_shrinks_with_the_distance(d: float) -> None:
    found = increment_supremum(0.0, d)
    # At b = 0 the supremum is d/√(2π), met by every p above d with q = p − d.
    assert d * tail_mean(0.0) <= found.upper <= d * tail_mean(0.0) * (1.0 + 1e-9)


def test_correlations_are_rounded_by_a_part_of_their_distance_from_one() -> None:
    with enclosure.precision(120):
        for d in (1e-2, 1e-5, 1e-8, 1e-12):
            height = _Chords(1.0).bound((0.999, 1.0, 1.0 - 0.5 * d, 1.0), d)
            assert height <= d * tail_mean(-1.0) * 1.1


def test_search_ends_where_the_supremum_no_longer_matters() -> None:
    grid = Grid(2, 1.0, 20)
    problem = Problem(
        EvaluationTimes.from_durations([1.0] * 10),
        domain=grid, space_kernel=SquaredExponential(1e4),
    )  # fmt: skip
    found = exploration_bound(problem, 0.3)
    assert found.supremum is not None and found.supremum.boxes < 50
    assert found.rest <= 0.02 * found.value


def test_corners() -> None:
    one = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 1))
    assert neighbour_distance(one) == 0.0
    assert exploration_bound(one, 1.0, 0.0).value == pytest.approx(tail_mean(0.0))
    assert increment_value(0.0, 0.0, 1.0, 0.5) == 0.0
    for bad in (
        lambda: exploration_bound(one, 1.5),
        lambda: exploration_bound(one, 0.5, -1.0),
        lambda: increment_value(1.0, 0.2, 1.0, 0.5),
        lambda: increment_value(1.0, 0.2, 1.0, -0.5),
        lambda: increment_supremum(1.0, 0.0),
    ):
        with pytest.raises(InvalidInput):
            bad()


def test_a_bound_is_carried_over_to_other_rounds_at_its_b() -> None:
    def problem(n: int) -> Problem:
        return Problem(EvaluationTimes.from_durations([1.0] * n), domain=Grid(1, 1.0, 4))

    short, long = exploration_bound(problem(5), 0.7, 2.0), exploration_bound(problem(40), 0.3, 2.0)
    carried = short.over(40, 0.3)
    for name in ("value", "b", "deviations", "first", "rest"):
        assert getattr(carried, name) == pytest.approx(getattr(long, name), rel=1e-6), name
    assert carried.value == pytest.approx(carried.deviations + carried.first + carried.rest)
