"""Lower bounds by prices: against exact optima, other ways to their parts, and policies."""

from math import exp, pi, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.lower import prices as prices_module
from bounds.regret.lower.arm_value import ArmValue, Moves, constant, knots, quantised
from bounds.regret.lower.arms import PriceFloor
from bounds.regret.lower.looks import Looks
from bounds.regret.lower.normal_excess import excess_above, excess_table
from bounds.regret.lower.prices import HEADS, _Games, blocks, mean_of_largest, priced
from bounds.regret.maximum.normals import normal_maximum
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from tests.bounds.regret.optimum import optimal_regret


def times_of(durations) -> EvaluationTimes:
    return EvaluationTimes.from_durations(durations)


def unit(n: int) -> EvaluationTimes:
    return times_of([1.0] * n)


def drift(correlation: float) -> Forgetting:
    return Forgetting(1.0 - correlation**2)


def value_by_quadrature(instants, decay, prices, noise=0.0) -> float:
    """V of one arm: the same recursion on a dense grid, by interpolation and the trapezoid rule.

    With noise the variance after a look is part of the state: few rounds only.
    """
    z = np.linspace(-7.0, 7.0, 801)
    w = stats.norm.pdf(z) / stats.norm.pdf(z).sum()
    grid = np.linspace(-8.0, 8.0, 641)

    def later(j, q):
        best = np.zeros_like(grid)
        for i in range(j + 1, len(instants)):
            k = decay ** (instants[i] - instants[j])
            p = 1.0 - k * k * (1.0 - q)
            left = p * noise / (p + noise)
            mean = k * grid[:, None] + sqrt(p - left) * z
            found = np.interp(mean, grid, later(i, left)) @ w
            best = np.maximum(best, k * grid - prices[i] + found)
        return best

    left = noise / (1.0 + noise)
    starts = [
        -prices[i] + np.interp(sqrt(1.0 - left) * z, grid, later(i, left)) @ w
        for i in range(len(instants))
    ]
    return max(0.0, *starts)


@given(st.floats(-30.0, 30.0), st.floats(0.0, 3.0))
@settings(max_examples=200, deadline=None)
def test_the_table_is_above_the_mean_excess_and_close(d, s):
    x = d / s if s > 0.0 else np.copysign(np.inf, d)
    exact = d * special.ndtr(x) + s * stats.norm.pdf(x) if s > 1e-12 else max(d, 0.0)
    found = excess_above(d, s, excess_table())
    assert exact - 1e-13 * (1.0 + abs(d)) <= found <= exact + 1e-8 * (1.0 + s)


def test_the_mean_of_the_largest_is_an_integral():
    for means in [(0.0,), (0.0, 0.0), (0.0, 0.5, 1.0), (-3.0, 0.1, 0.1, 2.0)]:

        def above(x, means=means):
            return 1.0 - np.prod([special.ndtr(x - mean) for mean in means])

        def below(x, means=means):
            return np.prod([special.ndtr(x - mean) for mean in means])

        exact = integrate.quad(above, 0.0, 20.0)[0] - integrate.quad(below, -20.0, 0.0)[0]
        found = mean_of_largest(means)
        assert found == pytest.approx(exact, abs=1e-7)
        assert found <= exact + 1e-7


@pytest.mark.parametrize("price", [0.2, 0.3, 0.36, 0.4])
def test_a_value_is_above_that_of_another_recursion_and_close(price):
    instants, prices = [0.0, 1.0, 3.0, 7.0, 7.5], constant(price, 5)
    moves = Moves.of(times_of(np.diff(instants, prepend=0.0)).exact, drift(0.8), Looks.exact())
    found = ArmValue(moves, knots(201, price)).value(prices)
    exact = value_by_quadrature(instants, 0.8, prices)
    assert exact - 2e-4 <= found <= exact + 1e-3


def test_noisy_looks_are_worth_less_and_their_value_is_above_the_recursion():
    instants, prices = [0.0, 1.0, 2.0], np.array([0.1, 0.2, 0.0])
    times, values = unit(3).exact, []
    for looks in (Looks.exact(), Looks.noisy(0.3, 0.19, 2), Looks.noisy(0.3, 0.19, 12)):
        values.append(ArmValue(Moves.of(times, drift(0.9), looks), knots(121)).value(prices))
    exact = value_by_quadrature(instants, 0.9, prices, noise=0.3)
    assert exact - 1e-4 <= values[2] <= exact + 0.01
    assert values[2] <= values[1] + 1e-9 < values[0]


@given(
    st.lists(st.floats(0.0, 3.0), min_size=2, max_size=5),
    st.floats(0.05, 0.95),
    st.lists(st.floats(-1.0, 1.5), min_size=5, max_size=5),
)
@settings(max_examples=40, deadline=None)
def test_more_knots_and_higher_prices_lower_the_value(durations, correlation, prices):
    moves = Moves.of(times_of(durations).exact, drift(correlation), Looks.exact())
    some = quantised(prices[: len(durations)])
    coarse = ArmValue(moves, knots(31))
    fine = ArmValue(moves, np.union1d(coarse.knots, knots(61))).value(some)
    assert fine <= coarse.value(some) + 1e-9
    assert coarse.value(some + 0.25) <= coarse.value(some) + 1e-9
    # A round at no price is worth at least its mean; nothing is worth less than nothing.
    assert coarse.value(some) >= max(0.0, float(np.max(-some))) - 1e-12
    # Knowing the value beforehand can only help.
    told = ArmValue(
        Moves.of(times_of([0.0, *durations]).exact, drift(correlation), Looks.exact()),
        knots(31),
        told=True,
    )
    assert told.value(some) >= coarse.value(some) - 5e-3


def test_expected_looks_are_the_slope_of_the_value():
    moves = Moves.of(unit(6).exact, drift(0.7), Looks.exact())
    game = ArmValue(moves, knots(121))
    prices = quantised([0.11, 0.23, 0.31, 0.27, 0.19, 0.05])
    _, expected = game.looks(prices)
    for i in range(6):
        step = np.zeros(6)
        step[i] = 2.0**-12
        slope = (game.value(prices - step) - game.value(prices + step)) / 2.0**-11
        assert slope == pytest.approx(expected[i], abs=0.02)


@pytest.mark.parametrize("correlation", [0.3, 0.9, 0.99])
def test_two_rounds_are_nearly_the_exact_optimum(correlation):
    """Of two rounds the best policy loses 2m* − ρ/√(2π): it stays where the first value was > 0."""
    for count, short in [(2, 4e-3), (3, 4e-3), (7, 0.02)]:
        best = 2.0 * normal_maximum(count) - correlation / sqrt(2.0 * pi)
        found = priced(unit(2), drift(correlation), [0.0] * count).value
        assert best - short <= found <= best + 1e-12


@given(
    st.lists(st.floats(0.0, 2.0), min_size=3, max_size=3),
    st.floats(0.1, 0.99),
    st.integers(2, 3),
    st.lists(st.floats(-0.5, 1.2), min_size=3, max_size=3),
    st.sampled_from([1e-6, 0.05, 1.0]),
)
@settings(max_examples=30, deadline=None)
def test_no_prices_are_above_the_best_policy(durations, correlation, count, prices, noise):
    times, kernel = times_of(durations), drift(correlation)
    every = slice(None)
    gram = kernel.at_distance(times.distances(every, every))
    best = optimal_regret(np.eye(count), gram, noise, normal_maximum(count), nodes=25)
    means = [0.0] * count
    looks = Looks.noisy(noise, float(np.min(kernel.deficit(times.waits[1:]))), 3)
    for seen in (Looks.exact(), looks):
        found = priced(times, kernel, means, looks=seen, prices=quantised(prices), knots_kept=61)
        assert found.value <= best + 5e-3


def test_three_arms_and_rounds_come_close_to_their_optimum():
    for correlation, optimum in [(0.5, 2.0899), (0.9, 1.6508), (0.99, 1.5344)]:
        found = priced(unit(3), drift(correlation), [0.0] * 3).value
        assert 0.99 * optimum <= found <= optimum


def ucb_regret(count, correlation, n, weight, runs=400, seed=0) -> float:
    """Mean regret of an index policy with exact looks, simulated."""
    rng = np.random.default_rng(seed)
    f = rng.standard_normal((runs, count))
    seen, age = np.zeros((runs, count)), np.full((runs, count), np.inf)
    total = np.zeros(runs)
    rows = np.arange(runs)
    for _ in range(n):
        kept = correlation**age
        chosen = np.argmax(
            kept * seen + weight * np.sqrt(1.0 - kept**2) + 1e-9 * rng.random((runs, count)), axis=1
        )
        total += f.max(axis=1) - f[rows, chosen]
        seen[rows, chosen], age[rows, chosen] = f[rows, chosen], 0.0
        age += 1.0
        f = correlation * f + sqrt(1 - correlation**2) * rng.standard_normal((runs, count))
    return float(total.mean() - 4.0 * total.std() / sqrt(runs))


@pytest.mark.parametrize(
    ("count", "correlation", "at_least"),
    [(5, 0.5, 0.8925), (5, 0.9, 0.37), (10, 0.9, 0.71), (20, 0.9, 1.04), (100, 0.9, 1.68)],
)
def test_sixty_rounds_of_many_arms_against_policies_that_run(count, correlation, at_least):
    found = priced(unit(60), drift(correlation), [0.0] * count).value
    assert found >= 60 * at_least
    for weight in (0.0, 0.3, 0.7):
        assert found <= ucb_regret(count, correlation, 60, weight) + 60 * 0.06


def test_long_sequences_are_cut_into_blocks():
    kernel, means = drift(0.9), [0.0] * 5
    whole, longer = (priced(unit(n), kernel, means).value / n for n in (240, 2400))
    assert 0.33 < longer < whole < 0.38


@given(st.integers(1, 900), st.booleans())
@settings(max_examples=40, deadline=None)
def test_blocks_hold_every_round_once_and_end_where_they_end_for_fewer(n, even):
    waits = np.ones(n) if even else np.random.default_rng(n).exponential(1.0, n)
    times = times_of(waits).exact
    parts = list(blocks(times))
    rounds = [part.ticks[int(start > 0) :] for start, part in parts]
    assert sum(rounds, ()) == times.ticks
    assert all(part.ticks[0] == times.ticks[start - 1] for start, part in parts if start)
    assert all(len(each) == 240 for each in rounds[:-1]) and len(rounds[-1]) <= 240


@st.composite
def prefixes(draw):
    """Two numbers of rounds, often at both sides of where something changes."""
    most = draw(st.sampled_from([20, 21, 46, 61, 101, 131, 150, 241, 260]) | st.integers(2, 260))
    return draw(st.just(max(most - 1, 1)) | st.integers(1, most)), most


@given(
    prefixes(),
    st.sampled_from([2, 5, 10, 20, 100]),
    st.sampled_from([0.3, 0.9, 0.97, 0.99, 0.995]) | st.floats(0.1, 0.995),
    st.sampled_from(["equal", "exponential", "pairs", "growing"]),
    st.integers(0, 50),
)
@example((240, 250), 20, 0.99, "exponential", 0)
@example((1, 20), 2, 0.9, "equal", 0)
@example((60, 61), 100, 0.5, "exponential", 0)  # 127.4 and 121.4 once
@example((130, 131), 100, 0.99, "equal", 0)  # 118.1 and 115.0 once
@example((130, 200), 20, 0.99, "exponential", 0)
@settings(max_examples=5, deadline=None)
def test_more_rounds_never_prove_less(rounds, count, correlation, kind, seed):
    """The regret of the first rounds is below that of all; a search is exact to some percent."""
    fewer, n = rounds
    rng = np.random.default_rng(seed)
    waits = {
        "equal": np.ones(n),
        "exponential": rng.exponential(1.0, n),
        "pairs": np.where(np.arange(n) % 2, 0.01, 2.0),
        "growing": np.linspace(0.1, 2.0, n),
    }[kind]
    first, whole = (
        priced(times_of(waits[:m]), drift(correlation), [0.0] * count).value for m in (fewer, n)
    )
    assert whole >= 0.97 * first - 0.1
    if fewer in (*HEADS, 240):  # where the first rounds are solved as they are alone
        assert whole >= first * (1.0 - 1e-12)


def test_irregular_waits_are_worth_what_equal_ones_nearly_are():
    """Blocks of 130 and then 110 rounds gave 47 at these waits, and one block 58.9."""
    waits = np.random.default_rng(0).exponential(1.0, 250)
    found = priced(times_of(waits), drift(0.99), [0.0] * 20)
    assert 68.0 < found.value <= ucb_regret(20, 0.99, 250, 0.7) * 1.3


@given(
    st.lists(st.floats(0.0, 4.0), min_size=12, max_size=12),
    st.floats(0.05, 0.999),
    st.integers(2, 40),
    st.floats(-0.5, 1.2),
)
@settings(max_examples=40, deadline=None)
def test_classes_of_waits_only_raise_the_value(durations, correlation, classes, price):
    moves = Moves.of(times_of(durations).exact, drift(correlation), Looks.exact())
    rough = moves.classed(0, classes)
    assert np.all(rough.lows <= moves.decays) and np.all(moves.decays <= rough.highs)
    assert np.all(rough.spreads >= moves.spreads)
    prices = constant(price, 12)
    exact = ArmValue(moves, knots(41)).value(prices)
    assert ArmValue(rough, knots(41)).value(prices) >= exact * (1.0 - 1e-12)
    fine = ArmValue(moves.classed(0, 3_000), knots(41)).value(prices)
    assert fine <= exact * 1.02 + 0.01


@pytest.mark.parametrize(("count", "correlation"), [(100, 0.995), (20, 0.995)])
def test_more_rounds_have_no_smaller_bound(count, correlation):
    """A start-up longer than the rounds whose prices are searched with most steps."""
    kernel, means = drift(correlation), [0.0] * count
    short, longer = (priced(unit(n), kernel, means) for n in (60, 130))
    assert longer.value > 1.08 * short.value
    weights = (ucb_regret(count, correlation, 130, weight) for weight in (0.7, 1.3))
    assert longer.value <= min(weights) + 130 * 0.06


def test_prices_that_prove_nothing_are_not_solved():
    """Five arms at slow drift: the first eight rounds prove more than any search of 200 found."""
    found = priced(unit(200), drift(0.99), [0.0] * 5)
    assert found.value > 3.6 and len(found.prices) == 8
    games = _Games(drift(0.99), Looks.exact(), [0.0], [5], unit(200).exact, told=False)
    assert games.solved(found.maximum, None, None)[1] == (float("inf"),)
    assert all(value < 100.0 for value in priced(unit(61), drift(0.9), [0.0] * 2).values[0])


def test_blocks_behind_the_most_that_are_solved_count_nothing(monkeypatch):
    monkeypatch.setattr(prices_module, "LONGEST_BLOCK", 40)
    waits = np.random.default_rng(0).exponential(1.0, 300)
    found = priced(times_of(waits), drift(0.5), [0.0] * 5)
    first = priced(times_of(waits[:40]), drift(0.5), [0.0] * 5)
    assert len(found.prices) == 6 * 40 and found.value > first.value > 0.0
    problem = Problem(times_of(waits), time_kernel=drift(0.5), domain=Arms(5))
    row = PriceFloor().evaluate(Ingredients(problem))
    assert f"the first {len(found.prices)} rounds alone" in row.source


@given(st.lists(st.floats(0.0, 3.0), min_size=2, max_size=9), st.floats(0.05, 0.999))
@settings(max_examples=30, deadline=None)
def test_what_waits_keep_is_what_the_kernel_says(durations, correlation):
    """The moves multiply single steps; here every wait is asked for."""
    times, kernel = times_of(durations), drift(correlation)
    moves, instants = Moves.of(times.exact, kernel, Looks.exact()), np.cumsum(durations)
    for j, i in zip(*np.triu_indices(len(durations), 1), strict=True):
        wait, d = instants[i] - instants[j], moves.which[j, i]
        assert moves.decays[d] == pytest.approx(float(kernel.at_distance(wait)), rel=1e-12)
        deficit = float(kernel.deficit(wait))
        assert moves.spreads[0, d] ** 2 == pytest.approx(deficit, rel=1e-9, abs=1e-15)


def test_known_means_move_with_their_arms():
    times, kernel = times_of([1.0, 0.5, 2.0, 0.0, 1.0]), drift(0.8)
    plain = priced(times, kernel, [0.0, 0.0, 0.0])
    moved = priced(times, kernel, [2.5, 2.5, 2.5], prices=plain.prices + 2.5)
    assert moved.value == pytest.approx(plain.value, abs=1e-3)
    # One arm that is far above the others costs nothing.
    assert priced(times, kernel, [0.0, 0.0, 40.0]).value <= 1e-6
    some = priced(times, kernel, [0.0, 0.3, 0.6]).value
    assert 0.0 < some < plain.value


def test_the_row_of_a_problem_and_what_it_is_for():
    arms = Problem(unit(30), time_kernel=drift(0.9), domain=Arms(10))
    rows = {row.name: row for row in floors(arms)}
    assert rows["prices"].certified and rows["prices"].kind == "mean"
    assert rows["prices"].value > 1.3 * rows["rank"].value
    assert PriceFloor().rows(Ingredients(Problem(unit(3)))) == ()
    smooth = Problem(unit(3), time_kernel=SquaredExponential(3.0), domain=Arms(2))
    assert PriceFloor().rows(Ingredients(smooth)) == ()
    with pytest.raises(InvalidInput, match="Markov"):
        priced(unit(3), SquaredExponential(3.0), [0.0, 0.0])
    exponential = priced(unit(3), Matern(0.5, 2.0), [0.0] * 3).value
    same = priced(unit(3), Forgetting(1.0 - exp(-1.0)), [0.0] * 3).value
    assert exponential == pytest.approx(same, abs=1e-6)


def test_equal_instants_and_no_drift_are_bounded_too():
    assert 0.0 < priced(times_of([0.0] * 6), drift(0.5), [0.0] * 4).value < 6 * normal_maximum(4)
    still = priced(unit(6), Forgetting(0.0), [0.0] * 4).value
    assert still == pytest.approx(
        priced(times_of([0.0] * 6), drift(0.5), [0.0] * 4).value, abs=1e-6
    )


def test_stored_numbers_are_the_same_everywhere():
    """Only operations that every processor rounds alike lead to them."""
    found = priced(unit(12), drift(0.9), [0.0] * 5)
    assert np.array_equal(found.prices * 2.0**20, np.round(found.prices * 2.0**20))
    assert found.value == pytest.approx(priced(unit(12), drift(0.9), [0.0] * 5).value, abs=0.0)
