"""Draws of a posterior: their exact law, read off from the normals that they are linear in."""

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import NumericalFailure
from bounds.kernels import Forgetting, Matern, SquaredExponential
from simulation.model.covariance import GridCovariance
from simulation.model.sampling import posterior_sampler
from tests.oracles import dense_posterior

GRID, NOISE = Grid(2, 1.0, 3), 0.05


class Unit:
    """Stands for a random generator: all its normals are 0, or one of them 1."""

    def __init__(self, place: int = -1) -> None:
        self.place, self.drawn = place, 0

    def standard_normal(self, shape=()):
        normals = np.zeros(int(np.prod(shape)))
        at = self.place - self.drawn
        if 0 <= at < len(normals):
            normals[at] = 1.0
        self.drawn += len(normals)
        return normals.reshape(shape)


def law_of(draw):
    """Mean and covariance of a draw that is linear in its normals."""
    still = Unit()
    center = draw(still)
    columns = np.array([draw(Unit(k)) - center for k in range(still.drawn)])
    return center, columns.T @ columns


FEW, MANY = 5, 10  # rounds: fewer than the nine coefficients, and more


@pytest.mark.parametrize("rounds", [FEW, MANY])
@pytest.mark.parametrize("time", [Forgetting(0.2), Forgetting(0.0), SquaredExponential(3.0)])
@pytest.mark.parametrize("space", [SquaredExponential(0.6), Matern(1.5, 0.4)])
def test_the_law_of_a_draw_is_that_of_plain_regression(space, time, rounds) -> None:
    points, gaps, values = [4, 0, 4, 8], [1.0, 0.5, 2.0, 0.0], [1.0, -0.5, 0.3, 2.0]
    tau = np.cumsum(gaps)
    K = space.gram(GRID.points)
    gram = K[np.ix_(points, points)] * time.at_distance(np.abs(np.subtract.outer(tau, tau)))
    cross = K[points] * time.at_distance(tau[-1] + 0.7 - tau)[:, None]

    def draw(rng):
        sampler = posterior_sampler(GridCovariance(space, GRID), time, NOISE, rng, rounds)
        for x, gap, y in zip(points, gaps, values, strict=True):
            sampler.observe(x, gap, y)
        return sampler.draw(0.7)

    mean, variance = dense_posterior(gram, cross, np.ones(9), values, NOISE)
    center, covariance = law_of(draw)
    np.testing.assert_allclose(center, mean, atol=1e-9)
    np.testing.assert_allclose(np.diag(covariance), variance, atol=1e-9)
    left = K - cross.T @ np.linalg.solve(gram + NOISE * np.eye(4), cross)
    np.testing.assert_allclose(covariance, left, atol=1e-9)


@pytest.mark.parametrize("rounds", [FEW, MANY])
def test_without_data_a_draw_is_of_the_prior(rounds) -> None:
    covariance = GridCovariance(Matern(2.5, 0.4), GRID)
    center, found = law_of(
        lambda rng: posterior_sampler(covariance, Forgetting(0.2), NOISE, rng, rounds).draw(1.0)
    )
    assert np.all(center == 0.0)
    np.testing.assert_allclose(found, Matern(2.5, 0.4).gram(GRID.points), atol=1e-10)


@pytest.mark.parametrize("rounds", [FEW, MANY])
def test_draws_differ_and_two_looks_without_noise_are_singular(rounds) -> None:
    covariance, rng = GridCovariance(SquaredExponential(0.6), GRID), np.random.default_rng(0)
    sampler = posterior_sampler(covariance, Forgetting(0.0), 1e-30, rng, rounds)
    assert not np.array_equal(sampler.draw(1.0), sampler.draw(1.0))
    sampler.observe(4, 0.0, 1.0)
    with pytest.raises(NumericalFailure, match="noise-variance"):
        sampler.observe(4, 0.0, 2.0)
        sampler.draw(0.0)
