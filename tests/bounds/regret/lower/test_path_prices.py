"""Prices that follow the path: V by quadrature, the floor below exact optima, what is refused."""

from math import sqrt

import numpy as np
import pytest
from scipy import integrate, stats

from bounds.domain import Arms, Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.lower.least_regret import least_regret
from bounds.regret.lower.path_prices import NO_SECOND, PathGames, PathPrices, Rivals, path_knots
from bounds.times import EvaluationTimes
from simulation.before_run.one_arm import one_arm_floor
from simulation.before_run.path_prices import path_price_floor
from simulation.before_run.rows import simulated_floors
from tests.bounds.regret.correlated import correlated

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
        rivals = Rivals(np.array([x], float), np.array([y], float))
        (value,) = games.values(rivals, prices)
        assert games.looks(rivals, prices)[0] == pytest.approx(value, abs=1e-9)
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


def test_points_that_depend_on_each_other() -> None:
    """Of two points one look leaves a share of (1 − r): one round costs m*, as for every policy."""
    gram = np.array([[1.0, 0.6], [0.6, 1.0]])
    single = Problem(EvaluationTimes.from_durations([1.0]), 0.1, **correlated(gram))
    row = path_price_floor(single)
    most = sqrt(0.4 / np.pi)
    assert 0.9 * most < row.value < most
    times = EvaluationTimes.from_durations(np.ones(20))
    near = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, 0.4], [0.1, 0.4, 1.0]])
    problem = Problem(times, 0.02, noise_variance=1e-6, **correlated(near))
    row = path_price_floor(problem)
    games = one_arm_floor(problem, paths=400)
    assert row.value > 0.8 * games.value
    assert row.value < regret_of_looking_in_turn(near, 0.02, 20)


def regret_of_looking_in_turn(gram, eps: float, n: int) -> float:
    """Mean regret over 2,000 runs of a player who looks at each point once, then greedily."""
    rng, root = np.random.default_rng(3), np.linalg.cholesky(gram)
    f = rng.standard_normal((2_000, 3)) @ root.T
    seen, total = np.zeros_like(f), np.zeros(len(f))
    for i in range(n):
        if i:
            fresh = rng.standard_normal(f.shape) @ root.T
            f = sqrt(1 - eps) * f + sqrt(eps) * fresh
            seen = sqrt(1 - eps) * seen
        played = np.full(len(f), i) if i < 3 else np.argmax(seen, axis=1)
        value = np.take_along_axis(f, played[:, None], axis=1)[:, 0]
        total += f.max(axis=1) - value
        np.put_along_axis(seen, played[:, None], value[:, None], axis=1)
    return float(total.mean())


def test_it_stands_among_the_simulated_floors() -> None:
    times = EvaluationTimes.from_durations(np.ones(4))
    problem = Problem(times, 0.1, domain=Arms(3))
    rows = {row.name for row in simulated_floors(problem, paths=100)}
    assert "path-prices" in rows
    without = Problem(times, 0.1, domain=Arms(11))
    assert "path-prices" not in {row.name for row in simulated_floors(without, paths=100)}


def test_refused() -> None:
    times = EvaluationTimes.from_durations(np.ones(4))
    for problem, field in (
        (Problem(times, domain=Grid(1, 1.0, 11)), "domain"),
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


def test_what_looks_earn_lies_below_its_chords() -> None:
    """Between knots, at random own values, also where the price has a corner within a cell."""
    rng = np.random.default_rng(0)
    knots = path_knots(13)
    for _ in range(20):
        levels = rng.uniform([0.0, 0.0, -0.6], [0.5, 0.9, 0.8], (4, 3))
        prices = PathPrices(levels, rng.uniform(0.1, 1.0, 4))
        second, largest = np.sort(rng.standard_normal((2, 3, 4)), axis=0)
        rivals = Rivals(largest, second, 0.3 * rng.standard_normal((3, 4)), 0.7)
        above = rivals.earned_above(knots, prices)
        xi = rng.uniform(-3.0, 5.0, (3, 4, 200))
        own = np.asarray(rivals.expected)[..., None] + rivals.spread * xi
        for s in range(3):
            for i in range(4):
                chords = np.interp(xi[s, i], knots, above[s, i])
                assert np.all(rivals.earned(own, prices)[s, i] <= chords)
                assert np.all(chords <= prices.heights[i] + 0.5)
