"""m* and what any policy can and must lose, against simulation and dense algebra."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.ceilings.sandwich import (
    excess_above,
    explained_shares,
    range_variance,
    regret_tail,
    sandwich,
)
from bounds.regret_itself.expected_maximum.slepian import (
    ExpectedMaximum,
    expected_maximum,
    normal_maximum,
)
from bounds.times import EvaluationTimes
from tests.strategies import durations

TIMES = EvaluationTimes.from_durations([3.0, 0.0, 1.0, 20.0, 2.0])
SMALL = Problem(TIMES, epsilon=0.1, domain=Grid(2, 1.0, 5))


def root_of(gram) -> np.ndarray:
    values, vectors = np.linalg.eigh(gram)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def drawn(problem: Problem, count: int, seed: int = 0) -> np.ndarray:
    """(count, n, N) draws of f at the problem's times."""
    space = root_of(problem.space_kernel.gram(problem.domain.points))
    every = slice(None)
    time = root_of(problem.time_kernel.at_distance(problem.times.distances(every, every)))
    normals = np.random.default_rng(seed).standard_normal((count, problem.n, problem.domain.size))
    return np.einsum("ij,sjx,yx->siy", time, normals, space)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.5)], ids=repr)
@pytest.mark.parametrize("grid", [Grid(1, 1.0, 30), Grid(2, 1.0, 12)], ids=repr)
def test_bracket_of_the_expected_maximum(grid: Grid, kernel) -> None:
    found = expected_maximum(grid, kernel)
    root = root_of(kernel.gram(grid.points))
    maxima = (root @ np.random.default_rng(1).standard_normal((grid.size, 4_000))).max(axis=0)
    error = 4.0 * maxima.std() / np.sqrt(len(maxima))
    assert found.lower - error <= maxima.mean() <= found.upper + error
    assert found.upper <= 1.35 * maxima.mean()


@pytest.mark.parametrize(("count", "value"), [(1, 0.0), (2, 0.5641896), (3, 0.8462844)])
def test_maximum_of_independent_normals(count: int, value: float) -> None:
    assert normal_maximum(count) == pytest.approx(value, abs=1e-6)


@given(durations(min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_shares_of_a_markov_kernel_by_dense_algebra(steps) -> None:
    times = EvaluationTimes.from_durations(steps)
    shares = explained_shares(times, Forgetting(0.2))
    every = slice(None)
    gram = Forgetting(0.2).at_distance(times.distances(every, every))
    for i in range(1, times.n):
        weights = np.linalg.lstsq(gram[:i, :i], gram[:i, i], rcond=1e-13)[0]
        assert shares[i] ** 2 == pytest.approx(gram[:i, i] @ weights, abs=1e-6)
    assert shares[0] == 0.0


def test_shares_of_a_smooth_kernel() -> None:
    kernel = SquaredExponential(3.0)
    shares = explained_shares(TIMES, kernel)
    gram = kernel.at_distance(TIMES.distances(slice(None), slice(None)))
    for i in range(1, TIMES.n):
        weights = np.linalg.lstsq(gram[:i, :i], gram[:i, i], rcond=1e-13)[0]
        assert shares[i] ** 2 == pytest.approx(gram[:i, i] @ weights, abs=1e-6)


def test_clairvoyant_meets_the_lower_side_and_the_worst_the_upper() -> None:
    f = drawn(SMALL, 20_000)
    shares = explained_shares(SMALL.times, SMALL.time_kernel)
    known = np.concatenate([np.zeros_like(f[:, :1]), f[:, :-1]], axis=1)
    best = np.take_along_axis(f, known.argmax(axis=2)[..., None], axis=2)[..., 0]
    worst = np.take_along_axis(f, known.argmin(axis=2)[..., None], axis=2)[..., 0]
    top = f.max(axis=2)
    centre = float(f.max(axis=2).mean())
    for chosen, sign in ((best, -1.0), (worst, 1.0)):
        regret = (top - chosen).sum(axis=1)
        expected = centre * float(np.sum(1.0 + sign * shares))
        assert abs(regret.mean() - expected) <= 5.0 * regret.std() / np.sqrt(len(regret))
    found = sandwich(SMALL)
    assert found.lower <= (top - best).sum(axis=1).mean()
    assert found.upper >= (top - worst).sum(axis=1).mean()


def test_tail_covers_the_whole_range() -> None:
    f = drawn(SMALL, 5_000)
    widths = (f.max(axis=2) - f.min(axis=2)).sum(axis=1)
    bracket = expected_maximum(SMALL.domain, SMALL.space_kernel)
    for delta in (0.5, 0.1):
        assert np.mean(widths > regret_tail(SMALL, bracket, delta)) <= delta
    for level in (0.0, 15.0, 25.0):
        bound = excess_above(SMALL, bracket, level)
        assert np.mean(np.maximum(widths - level, 0.0)) <= bound


def test_range_variance_is_the_sum_over_pairs() -> None:
    gram = SMALL.time_kernel.at_distance(TIMES.distances(slice(None), slice(None)))
    assert range_variance(TIMES, SMALL.time_kernel) == pytest.approx(2.0 * gram.sum())
    assert range_variance(TIMES, SMALL.time_kernel, negative=0.5) == pytest.approx(3.0 * gram.sum())


def test_corners() -> None:
    one = replace(SMALL, domain=Grid(2, 1.0, 1))
    assert sandwich(one).upper == 0.0
    still = replace(SMALL, epsilon=0.0, time_kernel=Forgetting(0.0))
    found = sandwich(still, ExpectedMaximum(1.0, 1.0))
    assert found.lower == pytest.approx(1.0)  # nothing but the first round has to be lost
    assert found.upper == pytest.approx(2.0 * 5 - 1)
    for delta in (0.0, 1.0, float("nan")):
        with pytest.raises(InvalidInput, match="delta"):
            regret_tail(SMALL, ExpectedMaximum(1.0, 1.0), delta)
    with pytest.raises(InvalidInput, match="negative"):
        range_variance(TIMES, SMALL.time_kernel, negative=2.0)
