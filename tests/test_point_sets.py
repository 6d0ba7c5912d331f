"""Theorem G for sets of points, as its benchmark computes it."""

import numpy as np
import pytest

from benchmarks.point_sets import (
    Tile,
    block_values,
    floors_of_rounds,
    hidden_part,
    tiles_of,
    worth,
)
from bounds.domain import Arms, Grid
from bounds.kernels import Forgetting, parse_kernel
from bounds.problem import Problem
from bounds.regret.ingredients.one_arm import Share
from bounds.regret.lower.least_regret import least_regret
from bounds.regret.maximum.maximum import gram_of
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from simulation.before_run.one_arm import simulated_games
from simulation.before_run.one_arm_blocks import told_before


def on_a_line(count: int, lengthscale: float, n: int = 12) -> Problem:
    return Problem(
        EvaluationTimes.from_durations(np.ones(n)),
        epsilon=0.1,
        noise_variance=1e-6,
        domain=Grid(1, 1.0, count),
        space_kernel=parse_kernel("matern52", lengthscale),
    )


def test_what_a_set_hides_leaves_a_semidefinite_rest():
    gram = gram_of(on_a_line(12, 0.2))
    for some in tiles_of(Grid(1, 1.0, 12), 3):
        root, rest = hidden_part(gram, some)
        assert np.linalg.eigvalsh(rest)[0] > -1e-8
        whole = rest.copy()
        whole[np.ix_(some, some)] += root @ root.T
        assert np.allclose(whole, gram, atol=1e-12)
        others = np.setdiff1d(np.arange(12), some)
        across = gram[np.ix_(some, others)]
        left = (
            gram[np.ix_(some, some)]
            - across
            @ np.linalg.pinv(gram[np.ix_(others, others)], rcond=1e-12, hermitian=True)
            @ across.T
        )
        assert np.allclose(root @ root.T, left, atol=2e-3)


@pytest.mark.parametrize("dimension", [1, 2])
def test_tiles_hold_every_point_once(dimension):
    grid = Grid(dimension, 1.0, 7)
    sets = list(tiles_of(grid, 3))
    assert len(sets) == 3**dimension
    assert sorted(np.concatenate(sets).tolist()) == list(range(grid.size))


@pytest.mark.parametrize("correlation", [0.5, 0.9])
def test_single_arms_are_below_their_games_and_the_least_regret(correlation):
    """Sets of one arm each: what Theorem G has, by blocks, with means by draws."""
    times, kernel = EvaluationTimes.from_durations([1.0] * 6), Forgetting(1.0 - correlation**2)
    problem = Problem(times, time_kernel=kernel, noise_variance=1e-9, domain=Arms(2))
    rng, gram = np.random.default_rng(0), np.eye(2)
    tiles = [Tile.drawn(problem, gram, np.array([x]), 2_000, rng) for x in range(2)]
    optimum = least_regret(times, kernel).upper
    games = simulated_games(problem, paths=2_000)[0].mean()
    for length in (2, 6):
        told = told_before(problem, length)
        values = block_values(tiles, told, length, Share(0.2, 0.4), rng).sum(axis=1)
        assert 0.0 < values.mean() - 4.0 * values.std() / 2_000**0.5 < optimum
        assert values.mean() < 1.1 * games


def test_sets_are_worth_less_than_the_floors_of_rounds():
    problem = on_a_line(16, 0.05)
    found = worth(problem, (2, 4, 6))
    assert 0.0 < found.sets < found.rounds <= found.both < 1.05 * found.rounds
    assert found.rounds == pytest.approx(floors_of_rounds(problem).sum())
    assert found.rounds <= max(row.value for row in floors(problem)) * (1.0 + 1e-9)
    assert found.tiles in (2, 4, 6) and 0.0 < found.variance <= 1.0
