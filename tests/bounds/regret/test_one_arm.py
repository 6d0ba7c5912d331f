"""The game of one point, from below, against dense dynamic programming."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern
from bounds.regret.ingredients.one_arm import Arms, Games, Share, knots_around, mean_excess
from bounds.times import EvaluationTimes


def brute_game(path, kernel_a, share, levels):
    """V along one path by dense dynamic programming on a fine lattice of ξ; slow, no bound."""
    n = len(path)
    z = np.linspace(-5.0, 5.0, levels)
    density = np.exp(-z * z / 2) / np.exp(-z * z / 2).sum()

    def psi(u):
        return (1 - share.weight) * np.minimum(u, share.height)

    def law(u, steps):
        a = kernel_a**steps
        if a == 1.0:
            return np.array([u]), np.ones(1)
        return a * u + np.sqrt(1 - a * a) * z, density

    def costs(i, xi, weights):
        lost, gained = np.maximum(path[i] - xi, 0), np.maximum(xi - path[i], 0)
        return weights @ (lost - psi(lost)), weights @ psi(gained)

    later = [np.zeros(levels) for _ in range(n)]

    def least(i, u):
        passed, best = 0.0, np.inf
        for j in range(i + 1, n):
            xi, weights = law(u, j - i) if i >= 0 else (z, density)
            play, skip = costs(j, xi, weights)
            best = min(best, passed + play + weights @ np.interp(xi, z, later[j]))
            passed += skip
        return min(best, passed)

    for i in range(n - 1, -1, -1):
        later[i] = np.array([least(i, u) for u in z])
    return least(-1, 0.0)


@pytest.mark.parametrize("epsilon", [0.5, 0.1])
def test_cells_bound_the_game_from_below(epsilon):
    times = EvaluationTimes.from_durations(np.ones(4))
    paths = np.array([[0.5, 0.2, 0.9, 0.0], [-1.0, 0.0, 1.5, 1.0], [2.0, 2.0, 2.0, 2.0]])
    share = Share(0.2, 0.5)
    kernel = Forgetting(epsilon)
    exact = np.array([brute_game(p, np.sqrt(1 - epsilon), share, 161) for p in paths])
    coarse = Games(paths, 1.0, times, kernel, knots_around(paths, 40)).values(share)
    fine = Games(paths, 1.0, times, kernel, np.linspace(-6, 6, 200)).values(share)
    assert np.all(coarse <= fine + 1e-3)
    assert np.all(fine <= exact + 2e-3)
    np.testing.assert_allclose(fine, exact, atol=4e-3)
    np.testing.assert_allclose(coarse, exact, atol=0.03)


def test_thresholds_are_regressions_on_the_other_arms():
    rng = np.random.default_rng(0)
    gram = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 1.0]])
    arms = Arms.of(gram)
    fields = rng.multivariate_normal(np.zeros(3), gram, 5)
    others = np.linalg.solve(gram[1:, 1:], gram[1:, 0])
    variance = 1.0 - gram[0, 1:] @ others
    assert arms.variances[0] == pytest.approx(variance)
    expected = (fields[:, 1:].max(axis=1) - fields[:, 1:] @ others) / np.sqrt(variance)
    np.testing.assert_allclose(arms.thresholds(fields, 0), expected)


@pytest.mark.parametrize("variance", [1.0, 0.3])
@pytest.mark.parametrize("share", [Share(0.2, 0.5), Share(0.0, 3.0), Share(1.0, 0.1)])
def test_one_round_is_the_cheaper_of_playing_and_passing(share: Share, variance: float) -> None:
    levels, root = np.array([-1.5, 0.0, 0.7]), np.sqrt(variance)

    def expected(b: float) -> float:
        def psi(u):
            return (1 - share.weight) * min(u, share.height)

        play = integrate.quad(
            lambda z: (root * (b - z) - psi(root * (b - z))) * stats.norm.pdf(z), -12, b
        )
        skip = integrate.quad(lambda z: psi(root * (z - b)) * stats.norm.pdf(z), b, 12, points=[b])
        return min(play[0], skip[0])

    times = EvaluationTimes.from_durations([1.0])
    found = Games(levels[:, None], variance, times, Matern(0.5, 1.0)).values(share)
    exact = np.array([expected(b) for b in levels])
    assert np.all(found <= exact + 1e-9)
    np.testing.assert_allclose(found, exact, atol=2e-3)


def test_knots_rise_around_the_paths_and_crowd_where_they_run():
    paths = np.random.default_rng(0).normal(2.0, 0.1, (5, 4))
    knots = knots_around(paths, 31)
    assert knots.shape == (31,) and np.all(np.diff(knots) > 0)
    assert knots[0] == pytest.approx(-6.0) and knots[-1] == pytest.approx(6.0)
    nearest = np.argmin(np.diff(knots))
    assert abs(knots[nearest] - paths.mean()) < 0.1
    far = knots_around(np.array([[9.0, -8.0]]))
    assert len(far) == 80 and far[0] == pytest.approx(-9.0) and far[-1] == pytest.approx(10.0)


@pytest.mark.parametrize("s", [0.0, 0.5, 3.0])
def test_mean_excess_is_its_integral(s: float) -> None:
    for d in (-2.0, 0.0, 0.4, 60.0):
        truth, _ = integrate.quad(
            lambda z, d=d: max(d + s * z, 0.0) * stats.norm.pdf(z), -12, 12, points=[-d / max(s, 1)]
        )
        assert mean_excess(np.array([d]), s)[0] == pytest.approx(truth, abs=1e-8)
    assert 0.0 <= mean_excess(np.array([-1e9]), s)[0] <= 1e-300


@pytest.mark.parametrize(("weight", "height"), [(-0.1, 1.0), (1.1, 1.0), (0.5, 0.0), (0.5, -1.0)])
def test_shares_that_are_none(weight: float, height: float) -> None:
    with pytest.raises(InvalidInput):
        Share(weight, height)
    assert Share(0.0, 1e-9).weight == 0.0 and Share(1.0, 1.0).weight == 1.0


def test_games_need_paths_of_the_rounds_and_arms_need_two_points():
    times, share = EvaluationTimes.from_durations([1.0, 1.0]), Share(0.2, 0.5)
    for paths in (np.zeros((1, 3)), np.zeros(2)):
        with pytest.raises(InvalidInput):
            Games(paths, 1.0, times, Forgetting(0.1)).values(share)
    with pytest.raises(InvalidInput):
        Games(np.zeros((1, 2)), 1.0, times, Matern(1.5, 1.0)).values(share)
    for gram in (np.ones((1, 1)), np.ones((2, 2))):
        with pytest.raises(InvalidInput):
            Arms.of(gram)
    assert np.allclose(Arms.of(np.eye(2)).inverse, np.eye(2))
