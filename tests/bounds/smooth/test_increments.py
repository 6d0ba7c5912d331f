"""Lemma SF: the table of the theory, Theorem X by simulation, and Theorem R's matrix order."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.smooth.increments import ceiling_at, increments, least_ceiling
from bounds.times import EvaluationTimes

DOMAIN = Grid(1, 1.0, 61)


def chebyshev(count: int) -> np.ndarray:
    places = 0.5 - 0.5 * np.cos((2 * np.arange(count) + 1) * np.pi / (2 * count))
    return np.unique(np.round(places * 60).astype(int))


def problem_of(epsilon: float, n: int, **more) -> Problem:
    given = {"noise_variance": 1.0, "domain": DOMAIN, **more}
    return Problem(EvaluationTimes.from_durations(np.ones(n)), epsilon=epsilon, **given)


@pytest.mark.parametrize(
    ("epsilon", "count", "spacing", "p"), [(1e-2, 5, 9, 0.804), (1e-3, 6, 12, 0.555)]
)
def test_known_values(epsilon, count, spacing, p) -> None:
    """p of the table, up to where its Chebyshev points fall between those of the grid."""
    shares = increments(problem_of(epsilon, 3000), chebyshev(count), spacing)
    late = shares[1500:]
    assert np.max(late[late < 1.0]) == pytest.approx(p, abs=0.05)


def covariances(problem: Problem, points, spacing: int, i: int):
    """K and P at round i by whole matrices."""
    gram = problem.space_kernel.gram(problem.domain.points)
    looks = np.arange(0, i, spacing)
    z = np.asarray(points)[(looks // spacing) % len(points)]
    time = problem.time_kernel.at_distance(np.abs(np.subtract.outer(looks, looks)))
    noisy = gram[np.ix_(z, z)] * time + problem.noise_variance * np.eye(len(z))
    cross = gram[:, z] * problem.time_kernel.at_distance(i - looks)
    return gram, gram - cross @ np.linalg.solve(noisy, cross.T)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(2.5, 0.3)])
def test_by_whole_matrices_and_below_the_matrix_order(kernel) -> None:
    """p by dense algebra; P ⪯ pK (what Theorem R asks) never has a smaller p."""
    problem = problem_of(0.01, 50, domain=Grid(1, 1.0, 9), space_kernel=kernel)
    points, spacing = np.array([1, 4, 7]), 4
    shares = increments(problem, points, spacing)
    first, second = np.triu_indices(9, 1)
    for i in (3, 17, 49):
        K, P = covariances(problem, points, spacing, i)

        def apart(matrix):
            spread = np.diagonal(matrix)
            return spread[first] + spread[second] - 2 * matrix[first, second]

        assert shares[i] == pytest.approx(np.max(apart(P) / apart(K)), rel=1e-6)
        order = linalg.eigh(P, K + 1e-13 * np.eye(9), eigvals_only=True)[-1]
        assert shares[i] <= order * (1 + 1e-4)


def test_never_below_theorem_x_by_simulation() -> None:
    """m*(1 − √(1−p)) is at least m* − E max N(0, K − P), both by the same draws."""
    problem, rng = problem_of(1e-3, 200), np.random.default_rng(0)
    points = chebyshev(6)
    shares = increments(problem, points, 8)
    for i in (99, 199):
        K, P = covariances(problem, points, 8, i)
        both = []
        for matrix in (K, K - P):
            values, vectors = np.linalg.eigh(matrix)
            factor = vectors * np.sqrt(np.maximum(values, 0))
            draws = rng.standard_normal((20_000, 61)) @ factor.T
            both.append((draws.max(axis=1) - draws.min(axis=1)) / 2)
        lost = both[0].mean() - both[1].mean()
        error = 4 * (both[0].std() + both[1].std()) / np.sqrt(20_000)
        assert lost <= both[0].mean() * (1 - np.sqrt(1 - shares[i])) + error


def test_searched_schedules_and_refusals() -> None:
    problem = problem_of(1e-5, 300, noise_variance=0.01, domain=Grid(1, 1.0, 20))
    best = least_ceiling(problem)
    assert best.value < 0.7 * problem.n
    again = ceiling_at(problem, np.array(best.points), best.spacing)
    assert again.value == pytest.approx(best.value, rel=1e-12)
    assert least_ceiling(problem_of(0.5, 40, domain=Grid(1, 1.0, 8))).value <= 40
    with pytest.raises(InvalidInput, match="points"):
        increments(problem_of(0.1, 5, domain=Grid(2, 1.0, 20)), np.array([0]), 2)
    with pytest.raises(InvalidInput, match="spacing"):
        increments(problem, np.array([0]), 0)
    with pytest.raises(InvalidInput, match="time-kernel"):
        increments(problem_of(0.1, 5, time_kernel=SquaredExponential(1.0)), np.array([0]), 2)
