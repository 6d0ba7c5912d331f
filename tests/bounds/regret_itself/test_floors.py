"""Floors: against plain linear algebra, and between them and the ceilings the best policy."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.enclosure.midpoints import Intervals
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.ceilings.ceilings import ceilings
from bounds.regret_itself.expected_maximum.maximum import least_maximum
from bounds.regret_itself.floors.floors import floor_after, floor_curve, floors, told_noise
from bounds.regret_itself.floors.full_information import (
    _dense,
    _explained_above,
    determinant_floor,
    variance_left,
)
from bounds.regret_itself.floors.rank_floor import mean_length
from bounds.times import EvaluationTimes
from tests.bounds.regret_itself.optimum import mean_maximum, optimal_regret
from tests.oracles import log_det_gain
from tests.strategies import durations, epsilons, noise_variances

NEAR = np.array([[1.0, 0.8], [0.8, 1.0]])
THREE = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 1.0]])
GRAMS = {"independent": np.eye(2), "near": NEAR, "opposite": 2 * np.eye(2) - NEAR, "three": THREE}
KERNELS = [Forgetting(0.3), Forgetting(0.0), SquaredExponential(2.0), Matern(2.5, 1.5)]


def times_of(values) -> EvaluationTimes:
    return EvaluationTimes.from_durations(values)


def left_by_solving(times, kernel, noise_variance, delay=0) -> np.ndarray:
    every = slice(None)
    gram = kernel.at_distance(times.distances(every, every))
    shares = np.ones(times.n)
    for i in range(delay + 1, times.n):
        k = i - delay
        noisy = gram[:k, :k] + noise_variance * np.eye(k)
        shares[i] = 1.0 - gram[i, :k] @ np.linalg.solve(noisy, gram[i, :k])
    return shares


@given(durations(max_size=7), st.sampled_from(KERNELS), noise_variances, st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_variance_left_is_that_of_a_plain_solve(values, kernel, noise, delay):
    times = times_of(values)
    found = variance_left(times, kernel, noise, delay=delay)
    expected = left_by_solving(times, kernel, noise, delay)
    assert found.certified
    assert np.all(found.shares <= expected + 1e-8)
    np.testing.assert_allclose(found.shares, expected, rtol=1e-6, atol=1e-7)


@given(durations(max_size=7), epsilons, noise_variances, st.integers(0, 2))
@settings(max_examples=40, deadline=None)
def test_the_recursion_is_the_factorisation(values, epsilon, noise, delay):
    times, kernel = times_of(values), Forgetting(epsilon)
    by_steps = variance_left(times, kernel, noise, delay=delay).shares
    np.testing.assert_allclose(by_steps, _dense(times, kernel, noise, delay).shares, atol=1e-7)


def test_closed_forms_of_unit_steps_and_of_equal_times():
    epsilon, noise = 0.01, 0.04
    shares = variance_left(times_of(np.ones(4000)), Forgetting(epsilon), noise).shares
    e = epsilon * (1 - noise)
    limit = 0.5 * (e + np.sqrt(e * e + 4 * epsilon * noise))
    assert shares[-1] == pytest.approx(limit, rel=1e-9)
    assert np.all(np.diff(shares) <= 0)
    still = variance_left(times_of(np.ones(50)), Forgetting(0.0), noise).shares
    np.testing.assert_allclose(still, noise / (noise + np.arange(50)), rtol=1e-12)
    tied = variance_left(times_of(np.zeros(50)), Forgetting(0.5), noise).shares
    np.testing.assert_allclose(tied, still, rtol=1e-12)


@given(durations(max_size=8), epsilons, noise_variances)
@settings(max_examples=40, deadline=None)
def test_the_determinant_gives_less_from_the_gain_of_one_point(values, epsilon, noise):
    times = times_of(values)
    left = variance_left(times, Forgetting(epsilon), noise)
    every = slice(None)
    gram = Forgetting(epsilon).at_distance(times.distances(every, every))
    gain = 0.5 * np.sum(np.log1p(left.shares / noise))
    assert gain == pytest.approx(log_det_gain(gram, noise), rel=1e-6, abs=1e-9)
    assert determinant_floor(left) <= left.total() * (1 + 1e-9)


def test_many_different_durations_are_rounded_down_together():
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.exponential(size=6000), np.zeros(10), [1e9, 1e-9]])
    found = variance_left(times_of(values), Forgetting(0.01), 0.01)
    p, shares = 1.0, [1.0]
    for lost in Forgetting(0.01).deficit(values[1:]):
        p = lost + (1 - lost) * p * 0.01 / (p + 0.01)
        shares.append(p)
    assert np.all(found.shares <= shares)
    np.testing.assert_allclose(found.shares, shares, rtol=0.01)


@pytest.mark.parametrize("name", GRAMS)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("noise", [1e-4, 0.1, 3.0])
def test_the_best_policy_lies_between_floors_and_ceilings(name, kernel, noise):
    gram, steps = GRAMS[name], [1.0, 1.0, 0.0, 2.0]
    times = times_of(steps[: 4 if len(gram) == 2 else 3])
    problem = Problem(times, time_kernel=kernel, noise_variance=noise)
    maximum = mean_maximum(gram)
    every = slice(None)
    time_gram = kernel.at_distance(times.distances(every, every))
    best = optimal_regret(gram, time_gram, noise, maximum)
    for row in floors(problem, gram=gram):
        assert row.value <= best + 0.01, row
    # γ̃ is at most the gain of independent rounds.
    gains = [(noise, problem.n * problem.trivial_gain_per_round)]
    for row in ceilings(problem, gains, gram=gram):
        assert row.value >= best - 0.01, row


def test_telling_the_common_part_is_worth_it_for_alike_arms():
    gram = np.array([[1.0, 0.95], [0.95, 1.0]])
    problem = Problem(times_of(np.zeros(4)), noise_variance=0.3)
    assert told_noise(problem, gram) == pytest.approx(0.3 / 0.025)
    best = {row.name: row for row in floors(problem, gram=gram)}["full-information"]
    assert best.value == pytest.approx(0.3655, abs=1e-3)
    assert best.value <= optimal_regret(gram, np.ones((4, 4)), 0.3, mean_maximum(gram))


@given(durations(min_size=2, max_size=8), epsilons, noise_variances, st.integers(0, 3))
@example([1.0, 4.0], 0.9999, 1e-6, 0)
@settings(max_examples=40, deadline=None)
def test_laws_of_floors(values, epsilon, noise, delay):
    problem = Problem(times_of(values), epsilon, noise_variance=noise, domain=Grid(1, 1.0, 6))
    rows = {row.name: row.value for row in floors(problem, delay=delay)}
    slack = 1.0 + 1e-6  # near p = 1 the root turns 1e-15 of rounding down into 1e-8
    assert 0.0 <= rows["sandwich"] <= rows["full-information"] * slack
    assert rows["full-information"] <= rows["rank"] * slack
    later = {row.name: row.value for row in floors(problem, delay=delay + 1)}
    louder = replace(problem, noise_variance=4 * noise)
    noisier = {row.name: row.value for row in floors(louder, delay=delay)}
    fewer = replace(problem, times=times_of(values[:-1]))
    shorter = {row.name: row.value for row in floors(fewer, delay=delay)}
    for name in ("full-information", "sandwich"):
        assert rows[name] <= later[name] * slack and rows[name] <= noisier[name] * slack
        assert shorter[name] <= rows[name] * slack


def test_one_point_costs_nothing_and_one_round_the_whole_maximum():
    alone = Problem(times_of(np.ones(5)), domain=Grid(1, 1.0, 1))
    assert [row.value for row in floors(alone)] == [0.0, 0.0, 0.0]
    once = Problem(times_of([1.0]))
    for row in floors(once, gram=np.eye(2)):
        assert row.value == pytest.approx(1 / np.sqrt(np.pi), rel=1e-8)
        assert row.certified and row.value <= 1 / np.sqrt(np.pi)


@pytest.mark.parametrize("name", GRAMS)
def test_the_least_maximum_is_one(name):
    least = least_maximum(Problem(times_of([1.0])), GRAMS[name])
    assert least.value <= mean_maximum(GRAMS[name]) + 0.003
    if len(GRAMS[name]) == 2:
        assert least.value == pytest.approx(mean_maximum(GRAMS[name]), rel=1e-8)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.4)], ids=repr)
def test_the_least_maximum_of_a_grid_and_of_its_gram_matrix(kernel):
    problem = Problem(times_of([1.0]), space_kernel=kernel, domain=Grid(2, 1.0, 8))
    gram = kernel.gram(problem.domain.points)
    maximum = mean_maximum(gram, 20_000)
    for found in (least_maximum(problem), least_maximum(problem, gram)):
        assert found.certified and 0.5 * maximum <= found.value <= maximum + 0.03


def test_lengths_of_normal_vectors():
    for count in (1, 2, 5, 30):
        normals = np.random.default_rng(count).standard_normal((100_000, count))
        assert mean_length(count) == pytest.approx(
            np.sqrt((normals**2).sum(axis=1)).mean(), abs=0.02
        )


def test_the_curve_ends_at_the_floor():
    problem = Problem(times_of([1.0, 0.0, 2.0, 1.0]), 0.1)
    least = least_maximum(problem)
    curve = floor_curve(problem.times, problem.time_kernel, 0.01, least.value, non_negative=True)
    rank = {row.name: row.value for row in floors(problem)}["rank"]
    assert curve[-1] == pytest.approx(rank, rel=1e-12)
    assert np.all(np.diff(curve) >= 0)


@pytest.mark.parametrize("kernel", [Forgetting(0.3), SquaredExponential(2.0)], ids=repr)
def test_floors_of_later_rounds_are_what_the_first_ones_leave(kernel):
    problem = Problem(times_of([1.0, 0.0, 2.0, 1.0]), time_kernel=kernel)
    least = least_maximum(problem)
    whole = np.append(0.0, floor_curve(problem.times, kernel, problem.noise_variance, least.value))
    for initial in range(5):
        row = floor_after(problem, initial)
        assert row is not None and row.certified and (row.name, row.direction) == ("rank", "lower")
        assert row.value == pytest.approx(whole[-1] - whole[initial], rel=1e-9, abs=1e-12)
        assert (row.policy, row.kind, row.rounds, row.level) == ("any", "mean", "one n", None)


@pytest.mark.parametrize("n", [2, 4])
@pytest.mark.parametrize("radius", [0.0, 0.01])
def test_what_is_explained_is_above_for_every_gram_within_its_radii(n, radius):
    """jᵀc + cᵀr + |r|²/σ² at the corners of the box that the radii leave; exact without them."""
    rng, noise = np.random.default_rng(n), 0.1
    known = np.tril(np.ones((n, n), dtype=bool), -1)
    middle = Forgetting(0.3).gram(np.arange(n)[:, None])
    weights = np.where(known, rng.uniform(-1, 1, (n, n)), 0.0)
    spread = radius * (1.0 - np.eye(n))
    above = _explained_above(Intervals(middle, spread), weights, known, noise)
    largest = np.full(n, -np.inf)
    for _ in range(60):
        signs = np.tril(rng.choice([-1.0, 1.0], (n, n)), -1)
        J = middle + spread * (signs + signs.T)
        for i in range(n):
            j, c = J[i, :i], weights[i, :i]
            r = j - (J[:i, :i] + noise * np.eye(i)) @ c
            largest[i] = max(largest[i], j @ c + c @ r + r @ r / noise)
    assert np.all(largest <= above + 1e-15)
    if n == 2 or not radius:
        slack = 1e-12 if not radius else 4 * radius * np.abs(weights).sum() + 0.1
        assert np.all(above <= largest + slack)


@pytest.mark.parametrize(
    "bad", [{"delay": -1}, {"gram": np.ones((2, 3))}, {"gram": np.array([[1.0, 2.0], [2.0, 1.0]])}]
)
def test_bad_input_is_refused(bad):
    with pytest.raises(InvalidInput):
        floors(Problem(times_of([1.0])), **bad)


@pytest.mark.parametrize("noise", [1e-12, 1e12])
@pytest.mark.parametrize("epsilon", [0.0, 1.0 - 1e-12])
def test_extreme_noise_and_forgetting(noise, epsilon):
    problem = Problem(times_of(np.ones(20)), epsilon, noise_variance=noise)
    for row in floors(problem):
        assert 0.0 <= row.value <= 20 * 2.07
