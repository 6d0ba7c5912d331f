"""A lower bound on the gain with fixed times, against all designs and against its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid, Points
from bounds.drifting_gain import lower_bound as joint_gain
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.laws.bound_laws import max_gain
from bounds.problem import Problem
from bounds.static_gain.information import gain, joint_gram
from bounds.times import EvaluationTimes, Family, sequence
from tests.oracles import log_det_gain
from tests.strategies import durations, epsilons, noise_variances

TIME_KERNELS = [None, SquaredExponential(3.0), Matern(2.5, 2.0), Matern(0.5, 1.0)]


def make(ts, epsilon=0.1, time_kernel=None, noise=0.01, grid=None):
    times = ts if isinstance(ts, EvaluationTimes) else EvaluationTimes.from_durations(ts)
    return Problem(
        times,
        epsilon=epsilon,
        time_kernel=time_kernel or Forgetting(epsilon),
        noise_variance=noise,
        domain=grid or Grid(1, 1.0, 3),
    )


@given(durations(max_size=4), epsilons, st.sampled_from(TIME_KERNELS), noise_variances)
@example([1e12, 0.001, 1.0], 0.0, TIME_KERNELS[2], 0.01)
@settings(max_examples=40, deadline=None)
def test_never_above_the_best_of_all_designs_and_near_it(ts, epsilon, time_kernel, noise):
    problem = make(ts, epsilon, time_kernel, noise)
    found = joint_gain_lower(problem)
    best = max_gain(problem)
    assert found.value <= best * (1 + 1e-9) + 1e-12
    assert found.value >= (1 - np.exp(-1)) * best
    assert found.indices is not None and len(found.indices) == problem.n
    gram = joint_gram(problem, problem.domain.points[found.indices])
    assert found.value == pytest.approx(gain(gram, noise), rel=1e-9)


def test_without_drift_it_is_a_gain_in_space_alone():
    problem = make([1.0] * 5, epsilon=0.0, grid=Grid(2, 1.0, 3))
    found = joint_gain_lower(problem)
    gram = problem.space_kernel.gram(problem.domain.points[found.indices])
    assert found.value == pytest.approx(log_det_gain(gram, 0.01), rel=1e-9)


@pytest.mark.parametrize(
    ("n", "time_kernel"),
    [(3, None), (3, SquaredExponential(3.0)), (2500, None)],
)
def test_huge_gaps_make_every_round_independent(n, time_kernel):
    problem = make([1e7] * n, epsilon=0.5, time_kernel=time_kernel)
    found = joint_gain_lower(problem)
    assert found.value == pytest.approx(n * problem.trivial_gain_per_round, rel=1e-9)


def test_equal_times_are_a_gain_in_space_alone():
    together = joint_gain_lower(make([5.0, 0.0, 0.0, 0.0], epsilon=0.9))
    still = joint_gain_lower(make([1.0, 1.0, 1.0, 1.0], epsilon=0.0))
    assert together.value == pytest.approx(still.value, rel=1e-9)


def test_far_from_the_origin_the_gain_is_the_same():
    near = joint_gain_lower(make([0.0, 1.0, 2.0, 0.5]))
    far = joint_gain_lower(make([1e15, 1.0, 2.0, 0.5]))
    assert far.value == pytest.approx(near.value, rel=1e-9)


@pytest.mark.parametrize("time_kernel", [Forgetting(0.05), SquaredExponential(10.0)])
def test_exchange_improves_on_greedy_selection(time_kernel, monkeypatch):
    problem = make([1.0] * 30, 0.05, time_kernel, grid=Grid(2, 1.0, 8))
    improved = joint_gain_lower(problem).value
    monkeypatch.setattr(joint_gain, "_exchanged", lambda g, c, J, s, chosen: chosen)
    assert improved > joint_gain_lower(problem).value


def test_the_filter_adds_up_to_the_gain_of_its_design():
    problem = make(sequence("uniform", Family(300, 500.0)), 0.02, grid=Grid(2, 1.0, 5))
    found = joint_gain._by_filter(problem)
    gram = joint_gram(problem, problem.domain.points[found.indices])
    assert found.value == pytest.approx(gain(gram, problem.noise_variance), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.0, 1e-4])
def test_many_rounds_gain_at_least_what_the_points_alone_do(epsilon):
    """Oppenheim's inequality, on the design that the rounded weights give."""
    problem = make(sequence("uniform", Family(2001, 2001.0)), epsilon, grid=Grid(1, 1.0, 6))
    rounded = joint_gain._by_rounding(problem)
    gram = joint_gram(problem, problem.domain.points[rounded.indices])
    assert gain(gram, 0.01) >= rounded.value * (1 - 1e-9)
    assert joint_gain_lower(problem).value >= rounded.value


def test_rounds_left_out_only_lower_the_gain(monkeypatch):
    monkeypatch.setattr(joint_gain, "MOST_ROUNDS_BY_GRAM", 60)
    problem = make(sequence("uniform", Family(70, 70.0)), 0.01, SquaredExponential(4.0))
    found = joint_gain_lower(problem)
    monkeypatch.setattr(joint_gain, "MOST_ROUNDS_BY_GRAM", 70)
    assert (
        0.5 * joint_gain_lower(problem).value <= found.value <= 70 * problem.trivial_gain_per_round
    )
    assert found.indices is None


@pytest.mark.parametrize("epsilon", [0.05, 0.3])
def test_an_exchange_ends_where_no_round_alone_can_do_better(epsilon: float) -> None:
    problem = make([0.5] * 6, epsilon, noise=0.1, grid=Grid(1, 0.8, 5))
    J = problem.time_kernel.gram(problem.times.times[:, None])
    kernel, candidates = problem.domain.restricted(problem.space_kernel), np.arange(5)

    def value(design) -> float:
        gram = joint_gram(problem, problem.domain.points[list(design)])
        return log_det_gain(gram, problem.noise_variance)

    rng = np.random.default_rng(0)
    for _ in range(12):
        start = rng.integers(0, 5, 6)
        found = joint_gain._exchanged(kernel, candidates, J, 0.1, start)
        one_away = [value([*found[:i], x, *found[i + 1 :]]) for i in range(6) for x in candidates]
        assert value(found) >= max(*one_away, value(start)) - 1e-6


def greedy_by_hand(gram, J, points, noise, window: int) -> list[int]:
    """Each round the point of largest variance at its time, given the latest rounds."""
    chosen: list[int] = []
    for i in range(len(J)):
        seen = list(range(max(0, i - window), i))
        at = [chosen[j] for j in seen]
        noisy = gram[np.ix_(at, at)] * J[np.ix_(seen, seen)] + noise * np.eye(len(seen))
        cross = gram[np.ix_(at, points)] * J[seen, i][:, None]
        left = 1.0 - np.einsum("jx,jx->x", cross, np.linalg.solve(noisy, cross))
        chosen.append(int(points[np.argmax(left)]))
    return chosen


@pytest.mark.parametrize("noise", [1e-3, 0.5])
def test_greedy_choices_are_those_of_dense_algebra(noise: float) -> None:
    domain = Points(np.random.default_rng(4).random((12, 2)))
    kernel, steps = Matern(1.5, 0.4), [1.0, 0.3, 0.0, 2.0, 0.7, 0.1, 1.1, 0.2, 0.4]
    problem = Problem(
        EvaluationTimes.from_durations(steps),
        0.3,
        space_kernel=kernel,
        noise_variance=noise,
        domain=domain,
    )
    gram, finite = kernel.gram(domain.points), domain.restricted(kernel)
    J = problem.time_kernel.at_distance(problem.times.distances(slice(None), slice(None)))
    decay = np.append(1.0, np.diagonal(J, -1))
    for points in (np.arange(12), np.array([1, 4, 7, 10, 11])):
        whole = greedy_by_hand(gram, J, points, noise, 9)
        assert joint_gain._markov_greedy(finite, points, decay, noise).tolist() == whole
        for window in (3, 9):
            by_hand = greedy_by_hand(gram, J, points, noise, window)
            found = joint_gain._windowed_greedy(finite, points, J, window, noise)
            assert found.tolist() == by_hand
    filtered = joint_gain._by_filter(problem)
    assert filtered.indices.tolist() == greedy_by_hand(gram, J, np.arange(12), noise, 9)


def test_of_many_rounds_some_are_looked_at(monkeypatch) -> None:
    some = make([1.0] * 9, 0.1, SquaredExponential(3.0))
    monkeypatch.setattr(joint_gain, "MOST_ROUNDS_BY_GRAM", 5)
    alone = joint_gain._by_selection(make([2.0] * 5, 0.1, SquaredExponential(3.0)))
    assert joint_gain._by_some_rounds(some).value == pytest.approx(alone.value, rel=1e-12)


def test_large_problems_are_sought_on_part_of_the_grid(monkeypatch) -> None:
    near = make([1.0] * 4, grid=Grid(1, 1.0, 300))
    for work in (0.0, 16 * 100.0):  # 64 and 100 of the points
        monkeypatch.setattr(joint_gain, "_SELECTION_WORK", work)
        monkeypatch.setattr(joint_gain, "_FILTER_WORK", work)
        part = near.domain.spread(max(64, int(work / 16)))
        assert set(joint_gain_lower(near).indices) <= set(part)
        count = 9 if work == 0.0 else int((work / 12.0) ** 0.5)
        assert set(joint_gain._by_filter(near).indices) <= set(near.domain.spread(count))
