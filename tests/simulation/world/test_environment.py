"""Exactness of the draws, as a test of their joint law.

The covariance of everything read is known, so its Cholesky factor turns each draw into independent
normals. Sums of squares and of products of those are compared with their laws; every statistical
test here has a false-alarm level of 1e-6 and a fixed seed.
"""

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import GridCovariance
from simulation.world.environment import (
    JointPath,
    LatticePath,
    Seeds,
    SequentialPath,
    draw_path,
)
from simulation.world.evaluation_time import FixedDurations, PointDurations, biased, constant

GRID = Grid(2, 1.0, 2)
SPACE = Matern(2.5, 0.8)
FACTOR = GridCovariance(SPACE, GRID).factor()
GAPS = np.array([0.3, 0.0, 2.6, 0.1, 0.25, 1.0, 7.3, 1.0])
DRAWS = 1_500
LEVEL = 1e-6


def paths(kind, time_kernel, seed):
    child = np.random.SeedSequence(seed)
    if kind == "sequential":
        return SequentialPath(FACTOR, time_kernel, child)
    if kind == "lattice":
        return LatticePath(FACTOR, time_kernel, 1.0, child)
    return JointPath(FACTOR, time_kernel, GAPS, child)


def problem(time_kernel, space=SPACE, grid=GRID):
    times = EvaluationTimes.from_durations(GAPS)
    return Problem(times, time_kernel=time_kernel, space_kernel=space, domain=grid)


@pytest.mark.parametrize(
    ("kind", "time_kernel"),
    [
        ("sequential", Forgetting(0.2)),
        ("sequential", Matern(0.5, 2.0)),
        ("lattice", Forgetting(0.2)),
        ("joint", Forgetting(0.2)),
        ("joint", SquaredExponential(2.0)),
        ("joint", Matern(1.5, 2.0)),
    ],
    ids=repr,
)
def test_the_objective_has_the_law_it_claims(kind, time_kernel):
    read = np.delete(np.arange(len(GAPS)), 1)  # a gap of 0 reads the same values again
    draws = np.empty((DRAWS, len(read) * GRID.size))
    for s in range(DRAWS):
        path = paths(kind, time_kernel, s)
        values = np.array([path.after(gap) for gap in GAPS])
        np.testing.assert_allclose(values[1], values[0], rtol=0, atol=1e-6)
        draws[s] = values[read].ravel()
    times = np.cumsum(GAPS)[read]
    over_time = time_kernel.at_distance(np.abs(np.subtract.outer(times, times)))
    covariance = np.kron(over_time, SPACE.gram(GRID.points))
    white = np.linalg.solve(np.linalg.cholesky(covariance), draws.T)
    size = white.size
    low, high = stats.chi2.ppf([LEVEL / 2, 1 - LEVEL / 2], size)
    assert low < np.sum(white**2) < high
    # Off-diagonal sums of products have variance DRAWS each; a union over all of them.
    products = white @ white.T
    off = products[np.triu_indices(len(white), 1)] / np.sqrt(DRAWS)
    assert np.abs(off).max() < stats.norm.isf(LEVEL / (2 * len(off))) * 1.1
    assert abs(white.sum()) / np.sqrt(size) < stats.norm.isf(LEVEL / 2)


def test_the_lattice_is_shared_by_all_sequences_of_instants():
    dense = LatticePath(FACTOR, Forgetting(0.1), 0.5, np.random.SeedSequence(4))
    sparse = LatticePath(FACTOR, Forgetting(0.1), 0.5, np.random.SeedSequence(4))
    at_dense = {k: dense.after(0.25) for k in range(1, 41)}
    for k in range(8, 41, 8):
        np.testing.assert_array_equal(sparse.after(2.0), at_dense[k])


def test_between_the_lattice_two_sequences_differ_little():
    first = LatticePath(FACTOR, Forgetting(0.01), 1.0, np.random.SeedSequence(4))
    second = LatticePath(FACTOR, Forgetting(0.01), 1.0, np.random.SeedSequence(4))
    for gap_a, gap_b in [(10.5, 10.5), (10.2, 10.2), (10.8, 10.81)]:
        a, b = first.after(gap_a), second.after(gap_b)
        assert np.abs(a - b).max() < 0.02


def test_without_drift_nothing_moves():
    for kind in ("sequential", "lattice"):
        path = paths(kind, Forgetting(0.0), 0)
        start = path.after(0.0)
        for gap in (0.3, 5.0, 1e6 if kind == "sequential" else 20.0):
            np.testing.assert_array_equal(path.after(gap), start)


def test_longer_runs_begin_like_shorter_ones():
    one = draw_path(problem(Forgetting(0.1)), constant(3.0, 5), 5, np.random.SeedSequence(1))
    two = draw_path(problem(Forgetting(0.1)), constant(3.0, 50), 50, np.random.SeedSequence(1))
    for _ in range(5):
        np.testing.assert_array_equal(one.after(3.0), two.after(3.0))


def test_the_kind_of_path_follows_from_times_and_kernel():
    seed = np.random.SeedSequence(0)
    fixed = FixedDurations(GAPS, "given")
    moving = biased(GRID)
    assert isinstance(draw_path(problem(Forgetting(0.1)), fixed, 8, seed), SequentialPath)
    assert isinstance(draw_path(problem(Matern(0.5, 9.0)), moving, 8, seed), LatticePath)
    assert isinstance(draw_path(problem(SquaredExponential(9.0)), fixed, 8, seed), JointPath)
    with pytest.raises(InvalidInput, match=r"time-kernel = se: .*forgetting"):
        draw_path(problem(SquaredExponential(9.0)), moving, 8, seed)
    long = FixedDurations(np.ones(5_000), "given")
    with pytest.raises(InvalidInput, match="rounds = 5000: at most 4000"):
        draw_path(problem(SquaredExponential(9.0)), long, 5_000, seed)


def test_a_path_of_moving_times_has_a_lattice_of_half_their_mean():
    seed, kernel = np.random.SeedSequence(5), Forgetting(0.1)
    moving = biased(GRID)
    drawn = draw_path(problem(kernel), moving, 8, seed)
    spacing = 0.5 * float(np.mean(moving.durations))
    expected = LatticePath(FACTOR, kernel, spacing, seed)
    for gap in (0.4, 3.0, 11.0):
        np.testing.assert_allclose(drawn.after(gap), expected.after(gap), atol=1e-12)
    still = draw_path(problem(kernel), PointDurations(np.zeros(4), "none"), 8, seed)
    assert isinstance(still, SequentialPath)
    first = still.after(0.0)
    assert np.array_equal(first, SequentialPath(FACTOR, kernel, seed).after(0.0))
    assert np.array_equal(first, still.after(0.0)) and np.ptp(first) > 0


def test_markov_means_that_the_kernel_multiplies():
    for kernel in (Forgetting(0.2), Matern(0.5, 3.0), Matern(1.5, 3.0), SquaredExponential(3.0)):
        a, b, both = (float(kernel.at_distance(r)) for r in (1.0, 2.0, 3.0))
        assert kernel.is_markov == (abs(a * b - both) < 1e-12)


def test_the_streams_of_a_run_are_independent_children():
    seeds = Seeds.of(3)
    streams = (seeds.objective, seeds.noise, seeds.initial, seeds.policy, seeds.clock)
    first = [np.random.default_rng(s).random() for s in streams]
    assert len(set(first)) == 5
    assert first == [np.random.default_rng(s).random() for s in streams]
    with pytest.raises(InvalidInput, match="seed = -1"):
        Seeds.of(-1)
