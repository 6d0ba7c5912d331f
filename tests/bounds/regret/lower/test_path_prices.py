"""Prices that follow the path: V by quadrature, the floor below exact optima, what is refused."""

from math import sqrt

import numpy as np
import pytest
from scipy import integrate, stats

from bounds.domain import Arms, Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.lower.path_prices import NO_SECOND, PathGames, PathPrices, path_knots
from bounds.regret.lower.two_arms import least_regret
from bounds.times import EvaluationTimes
from simulation.before_run.path_prices import path_price_floor
from simulation.before_run.rows import simulated_floors

NORMAL = stats.norm


def earned(prices: PathPrices, i: int, x: float, y: float, xi: float) -> float:
    """What a look at ξ earns in round i, from the definition: ξ − Λ."""
    first, second = max(x, xi), min(max(xi, y), x)
    psi = float(prices.shares(np.full((1, 2), first), np.full((1, 2), second))[0, i])
    return xi - (first - psi)


@pytest.mark.parametrize(("x", "y"), [([0.4, 0.9], [0.1, -0.3]), ([0.1, 0.3], [-50, -50])])
@pytest.mark.parametrize("levels", [[0.1, 0.2, 0.3], [0.4, 0.0, -0.5]])
@pytest.mark.parametrize("phi", [0.6, 0.97])
def test_two_rounds_by_quadrature(x, y, levels, phi) -> None:
    times = EvaluationTimes.from_durations([1.0, 1.0])
    prices = PathPrices(np.tile(levels, (2, 1)), np.array([0.7, 0.5]))
    spread = sqrt(1 - phi**2)

    def mean(i: int, centre: float, width: float) -> float:
        z = np.linspace(-7, 7, 141)
        values = [earned(prices, i, x[i], y[i], centre + width * each) for each in z]
        return float(integrate.simpson(np.array(values) * NORMAL.pdf(z), x=z))

    u = np.linspace(-5, 5, 81)
    after = np.maximum([mean(1, phi * each, spread) for each in u], 0.0)
    both = mean(0, 0.0, 1.0) + float(integrate.trapezoid(after * NORMAL.pdf(u), u))
    exact = max(0.0, both, mean(1, 0.0, 1.0))
    last = np.inf
    for knots in (31, 61, 241):
        games = PathGames(times, Forgetting(1 - phi**2), path_knots(knots))
        (value,), _ = games.solve(np.array([x], float), np.array([y], float), prices)
        assert value >= exact - 2e-3
        assert value <= last + 1e-9
        last = value
    assert last <= exact + 6e-3


@pytest.mark.parametrize(("arms", "n"), [(2, 5), (3, 3)])
@pytest.mark.parametrize("phi", [0.5, 0.99])
def test_the_floor_is_below_the_least_regret(arms: int, n: int, phi: float) -> None:
    times = EvaluationTimes.from_durations(np.ones(n))
    problem = Problem(times, 1 - phi**2, noise_variance=1e-6, domain=Arms(arms))
    row = path_price_floor(problem, paths=400)
    least = least_regret(times, problem.time_kernel, arms)
    assert 0.3 * least.lower < row.value <= least.upper
    assert row.simulated and row.level == 0.99


def test_it_stands_among_the_simulated_floors() -> None:
    times = EvaluationTimes.from_durations(np.ones(4))
    problem = Problem(times, 0.1, domain=Arms(3))
    rows = {row.name for row in simulated_floors(problem, paths=100)}
    assert "path-prices" in rows
    without = Problem(times, 0.1, domain=Grid(1, 1.0, 3))
    assert "path-prices" not in {row.name for row in simulated_floors(without, paths=100)}


def test_refused() -> None:
    times = EvaluationTimes.from_durations(np.ones(4))
    for problem, field in (
        (Problem(times, domain=Grid(1, 1.0, 3)), "domain"),
        (Problem(times, domain=Arms(11)), "domain"),
        (Problem(EvaluationTimes.from_durations(np.ones(61)), domain=Arms(2)), "n ="),
        (Problem(times, domain=Arms(2), time_kernel=SquaredExponential(1.0)), "time-kernel"),
    ):
        with pytest.raises(InvalidInput, match=field):
            path_price_floor(problem, paths=100)
    for levels, heights in (
        ([[0.1, -0.1, 0.0]], [1.0]),
        ([[0.1, 0.1, -1.0]], [1.0]),
        ([[0.1, 0.1, 0.0]], [-1.0]),
    ):
        with pytest.raises(InvalidInput, match="prices"):
            PathPrices(np.array(levels), np.array(heights))
    assert NO_SECOND < -40
