"""Upper bounds before a run: formulas against quadrature and simulation, laws, planning."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special, stats

from bounds.arithmetic import DOUBLES, Letters
from bounds.domain import Arms, Grid
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Forgetting, Matern
from bounds.numerics.rounding import at_most
from bounds.problem import Problem
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.margin import best_margin, conditional_variances, margin_rate
from bounds.regret.ingredients.noise_inflation import deviation_bound, variance_bound
from bounds.regret.ingredients.rare_events import isoperimetric
from bounds.regret.ingredients.schedules.schedule import (
    Schedule,
    covering_order,
    explained_roots,
    refreshing_schedule,
    spread_design,
    stages,
)
from bounds.regret.ingredients.start_up import floor_curve
from bounds.regret.lower import until
from bounds.regret.lower.until import floor_rounds_until, rounds_until
from bounds.regret.maximum.slepian import ExpectedMaximum
from bounds.regret.registry import REGRET_BOUNDS
from bounds.regret.regret_bound import PRIOR, RegretBound
from bounds.regret.rows import regret_rows
from bounds.regret.upper.in_expectation.every_sequence import thompson_bracket
from bounds.regret.upper.in_expectation.margin import MarginBound
from bounds.regret.upper.in_expectation.theorem_m import TheoremMByEntropy
from bounds.times import EvaluationTimes
from tests.bounds.regret.correlated import correlated

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 2.0, 1.0, 1.0, 3.0, 0.5, 1.0])
GRAM = np.array([[1.0, 0.3, -0.1], [0.3, 1.0, 0.2], [-0.1, 0.2, 1.0]])

OF_POLICIES = {
    "theorem_t",
    "theorem_t_variances",
    "irgp_ucb",
    "expected_maximum",
    "theorem_q_plus",
    "theorem_m",
    "margin",
}


def ceilings(problem: Problem, gains, **given_) -> tuple[RegretBound, ...]:
    """The upper bounds in expectation for policies that are named."""
    given_ = Ingredients(problem, gains, **given_)
    rows = regret_rows(given_, "upper")
    return tuple(row for row in rows if row.name in OF_POLICIES)


def formula(name: str, **values) -> float:
    """A bound by its formula at given quantities."""

    def rare(p: float) -> float:
        return 0.0 if values["size"] == 1 else isoperimetric(p / values["size"])

    of = Letters(**values, rare_event_mean=rare)
    return REGRET_BOUNDS.named(name).formula(DOUBLES, of)


def by_deviations(n, size, mean):
    return formula("theorem_t", n=n, size=size, mean_deviation=mean)


def by_variances(n, size, variances):
    return formula("theorem_t_variances", n=n, size=size, variances=variances)


def published(n, size, variances):
    return formula("irgp_ucb", n=n, size=size, variances=variances)


@pytest.mark.parametrize("p", [1e-6, 0.01, 0.3, 0.5, 0.9])
def test_isoperimetric_is_the_largest_mean_on_an_event(p):
    z = special.ndtri(1.0 - p)
    tail = integrate.quad(lambda x: x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi), z, 40)[0]
    assert isoperimetric(p) == pytest.approx(tail, rel=1e-6)


@pytest.mark.parametrize(("size", "factor"), [(2, 0.80), (5, 1.40), (100, 2.67), (2500, 3.61)])
def test_the_factor_of_theorem_t(size, factor):
    assert by_deviations(1, size, 1.0) == pytest.approx(factor, abs=0.006)
    assert by_variances(4, size, 1.0) == pytest.approx(2 * by_deviations(1, size, 1.0))
    # The integral of the random weight over its first moments is the same number.
    weights = -special.ndtri((np.arange(200_000) + 0.5) / 200_000 / size)
    assert by_deviations(1, size, 1.0) == pytest.approx(weights.mean(), rel=1e-3)


@given(st.integers(2, 5000), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_theorem_t_is_monotone_and_below_the_published_weight(size, one, two):
    low, high = sorted((one, two))
    assert by_deviations(1, size, low) <= by_deviations(1, size, high) * (1 + 1e-12)
    assert by_variances(3, size, high) <= published(3, size, high) * (1 + 1e-12)


def test_variances_take_the_best_noise_level():
    assert variance_bound(10, 0.01, []) == 10.0
    pairs = [(0.01, 5.0), (0.1, 2.0)]
    assert variance_bound(10, 0.01, pairs) == min(10 / np.log(101), 4 / np.log(11))
    with pytest.raises(InvalidInput):
        variance_bound(10, 0.1, [(0.01, 1.0)])


def test_one_point_has_no_regret():
    problem = Problem(TIMES, domain=Grid(1, 1.0, 1))
    rows = ceilings(problem, [])
    assert rows and all(row.value == 0.0 for row in rows)


def test_the_margin_is_rare():
    fields = np.random.default_rng(0).multivariate_normal(np.zeros(3), GRAM, 200_000)
    ordered = np.sort(fields, axis=1)
    gaps = ordered[:, -1] - ordered[:, -2]
    rate = margin_rate(GRAM)
    for margin in (0.01, 0.1, 0.5):
        assert np.mean(gaps <= margin) <= rate * margin + 0.003
    others = np.linalg.inv(GRAM)
    np.testing.assert_allclose(conditional_variances(GRAM), 1 / np.diagonal(others))
    assert margin_rate(np.ones((2, 2))) == np.inf


def margin_value(n: int, price: float, rate: float) -> float:
    eta = best_margin(n, price, rate)
    return n * eta * min(rate * eta, 1.0) + price / eta


@pytest.mark.parametrize(("price", "rate"), [(62.4, 1.3), (0.01, 1.3), (3.0, 0.2), (1e-9, 7.0)])
def test_the_best_margin_is_the_best_of_many(price: float, rate: float) -> None:
    margins = np.geomspace(1e-6, 1e4, 20_000)
    many = 8 * margins * np.minimum(rate * margins, 1.0) + price / margins
    assert margin_value(8, price, rate) == pytest.approx(many.min(), rel=1e-5)


def test_margins_at_their_ends() -> None:
    assert margin_value(8, 0.0, 1.3) < 1e-290  # no gain, no price
    assert margin_value(8, 9.0, float("inf")) == pytest.approx(2 * np.sqrt(8 * 9.0))
    for bad in ((-1.0, 1.0), (1.0, 0.0), (float("nan"), 1.0)):
        with pytest.raises(InvalidInput, match="price, rate"):
            best_margin(8, *bad)


def test_an_entropy_is_a_number_of_at_least_0() -> None:
    bound, problem = TheoremMByEntropy(), Problem(TIMES, noise_variance=1.0, domain=Arms(3))
    assert bound.from_entropy(problem, 2.0) == pytest.approx(np.sqrt(4 * 3 * 8 * 2))
    assert bound.from_entropy(problem, 0.0) == 0.0
    for bad in (-1.0, float("nan")):
        with pytest.raises(InvalidInput, match="entropy"):
            bound.from_entropy(problem, bad)


def test_a_bound_whose_hypothesis_fails_names_it() -> None:
    gains = [(0.01, 5.0)]
    for changed, said in (
        ({"delta": 0.7}, "delta = 0.7"),
        ({"noise_variance": 0.005}, "noise variance 0.005"),
        ({"domain": Grid(1, 1.0, 1)}, "points = 1"),
        ({"domain": Grid(2, 1.0, 50)}, "points = 2500"),
    ):
        given_ = Ingredients(replace(Problem(TIMES, domain=Grid(1, 1.0, 5)), **changed), gains)
        assert said in MarginBound().failure(given_) and MarginBound().rows(given_) == ()


@given(st.floats(0.001, 3.0), st.floats(0.1, 50.0), st.floats(0.0, 1.0))
def test_rounds_until_is_the_least(level, start, slope):
    def total(n: int) -> float:
        return start + slope * n

    found = rounds_until(total, level, most=4_000)
    enough = [n for n in range(1, 4_001) if total(n) <= level * n]
    assert found == (enough[0] if enough else None)


def test_rounds_until_the_floor_is_low():
    kernel = Forgetting(1e-3)
    found = floor_rounds_until(1.0, kernel, 0.01, 2.0, 0.02)
    assert found is not None
    assert floor_rounds_until(1.0, kernel, 0.01, 2.0, 0.021) <= found
    # Its limit per round is m*(1 − √(1−p)).
    assert floor_rounds_until(1.0, kernel, 0.01, 2.0, 1e-3, most=100_000) is None
    with pytest.raises(InvalidInput):
        floor_rounds_until(1.0, kernel, 0.01, 2.0, 0.0)


def test_stages_are_the_posterior_of_the_schedule():
    schedule = Schedule((0, 2, 3, 5), (0, 1, 0, 2))
    kernel = Forgetting(0.2)
    found = stages(TIMES, kernel, 0.1, schedule, lambda x: GRAM[x])
    every = slice(None)
    time_gram = kernel.at_distance(TIMES.distances(every, every))
    for k, i in enumerate(schedule.rounds):
        # Right after observation k, at its own time.
        seen, at = list(schedule.rounds[: k + 1]), list(schedule.points[: k + 1])
        noisy = GRAM[np.ix_(at, at)] * time_gram[np.ix_(seen, seen)] + 0.1 * np.eye(k + 1)
        cross = GRAM[at] * time_gram[seen, i][:, None]
        expected = cross.T @ np.linalg.solve(noisy, cross)
        reach = np.array([np.prod(found.decays[j + 1 : k + 1]) for j in range(k + 1)])
        rows = found.rows[: k + 1] * reach[:, None]
        np.testing.assert_allclose(rows.T @ rows, expected, atol=1e-12)
        if i + 1 < TIMES.n:
            roots = explained_roots(TIMES, kernel, 0.1, schedule, lambda x: GRAM[x], i + 1)
            decay = time_gram[i, i + 1]
            np.testing.assert_allclose(roots.T @ roots, decay**2 * expected, atol=1e-12)
    waits = {1: 0, 4: 2, 6: 3, 7: 3}
    for k in range(4):
        total = sum(time_gram[i, schedule.rounds[j]] for i, j in waits.items() if j == k)
        assert found.weights[k] == pytest.approx(total)


def test_every_row_is_its_formula() -> None:
    problem = Problem(TIMES, 0.2, noise_variance=0.1, delta=0.2, **correlated(GRAM))
    bracket = ExpectedMaximum(0.5, 0.75)
    pairs, n, size = [(0.1, 6.0), (0.1, 5.0), (2.0, 1.0)], 8, 3
    rows = ceilings(problem, pairs, maximum=bracket, level=0.99)
    mean = deviation_bound(n, 0.1, pairs).value / n
    squares = min(n, 10.0 / np.log(11), 2.0 / np.log(1.5))

    def of_events(p: float) -> float:
        return float(stats.norm.pdf(stats.norm.ppf(p)))

    at, shown = f"S̄ ≤ {at_most(mean, 3)}, |D| = 3", "n·m*, m* ≤ 0.75"
    variance = 2 * 1.1 * np.sum(0.8 ** (np.abs(np.subtract.outer(TIMES.times, TIMES.times)) / 2))
    failed = 0.2 * (2 * 0.75 * n + np.sqrt(2 * variance * np.log(5)))
    beta = 2 * np.log(3 * np.pi**2 * 64 / (6 * 0.2))
    price, rate = 8 / np.log(11) * beta * 5.0, margin_rate(GRAM)
    eta = np.geomspace(1e-3, 1e3, 400_001)
    best = n * eta * np.minimum(rate * eta, 1.0) + price / eta
    # Both are above what every policy, or Thompson sampling, loses at most.
    assert np.sqrt(2.2 * 3 * n * 5.0) > n * 0.75 and failed + best.min() > 2 * n * 0.75
    density = sum(1.0 / np.sqrt(np.pi * (1.0 - GRAM[x, y])) for x in range(size) for y in range(x))
    bracketed = thompson_bracket(problem.times, problem.time_kernel, problem.noise_variance, size)
    expected = [
        ("theorem_t", "ts", n * size * of_events(mean / size), f"n·|D|·I(S̄/|D|), {at}"),
        (
            "theorem_t",
            "random-weight-ucb",
            n * size * of_events(mean / size),
            f"n·|D|·I(S̄/|D|), {at}",
        ),
        (
            "theorem_t_variances",
            "ts",
            size * of_events(1 / size) * np.sqrt(n * squares),
            f"|D|·I(1/|D|)·√(n·Σσ²), Σσ² ≤ {at_most(squares)}",
        ),
        (
            "irgp_ucb",
            "irgp-ucb",
            np.sqrt((2 + 2 * np.log(1.5)) * n * squares),
            f"√((2 + 2 log(|D|/2))·n·Σσ²), Σσ² ≤ {at_most(squares)}",
        ),
        ("expected_maximum", "ts", n * 0.75, shown),
        ("expected_maximum", "posterior-mean", n * 0.75, shown),
        ("theorem_q_plus", "ts", density * bracketed, None),
        ("theorem_m", "ts", n * 0.75, "√(2(1+σ²)·|D|·n·γ̂), γ̂ = 5"),
        ("margin", "ctv-fixed", 2 * n * 0.75, None),
    ]
    assert [(row.name, row.policy) for row in rows] == [each[:2] for each in expected]
    for row, (name, policy, value, source) in zip(rows, expected, strict=True):
        assert row.value == pytest.approx(value, rel=1e-6 if name == "margin" else 1e-12), name
        level = 0.99 if name == "expected_maximum" else None
        assert row == RegretBound(
            name,
            row.value,
            "upper",
            policy,
            PRIOR,
            "mean",
            level,
            "one n",
            source or row.source,
            "theory" if name == "margin" else "",
            simulated=level is not None,
        )
    assert rows[-1].source.startswith("nηM(η) + C₁βγ̂/η + E[R; fails], η = ")
    assert rows[-1].source.endswith(f", κ = {rate:.3g}")
    bare = ceilings(problem, pairs[2:], maximum=bracket)
    assert [row.name for row in bare] == [*(each[0] for each in expected[:6]), "theorem_q_plus"]
    assert bare[4].level is None and not bare[4].simulated
    most = replace(problem, delta=float(np.exp(-0.5)))
    assert ceilings(most, pairs, maximum=bracket)[-1].name == "margin"
    over = replace(problem, delta=float(np.nextafter(np.exp(-0.5), 1)))
    assert ceilings(over, pairs, maximum=bracket)[-1].name == "theorem_m"


def test_variances_and_weights_at_their_ends() -> None:
    assert variance_bound(4, 0.1, [(0.1 * (1 - 0.9e-12), 1.0)]) == pytest.approx(2 / np.log(11))
    assert variance_bound(4, 0.1, [(0.1, 0.0)]) == 0.0
    for call, said in (
        (lambda: variance_bound(4, 0.1, [(0.1 * (1 - 1.1e-12), 1.0)]), "noise level"),
        (lambda: variance_bound(4, 0.1, [(0.1, -1.0)]), "gain"),
        (lambda: isoperimetric(-0.1), "p = "),
        (lambda: isoperimetric(1.1), "p = "),
    ):
        with pytest.raises(InvalidInput, match=said):
            call()
    assert isoperimetric(0.0) == isoperimetric(1.0) == 0.0
    assert by_deviations(5, 1, 0.5) == by_variances(5, 1, 0.5) == published(5, 1, 0.5) == 0.0
    assert by_deviations(1, 2, 0.0) == 0.0


def test_rounds_until_at_their_ends() -> None:
    asked = []

    def total(n: int) -> float:
        asked.append(n)
        return 6.0

    assert rounds_until(total, 1.0, most=5) is None and max(asked) == 5
    assert rounds_until(total, 1.0, most=6) == 6 and rounds_until(total, 6.0) == 1
    assert rounds_until(total, 6e-6) == 1_000_000 and rounds_until(total, 5.9e-6) is None
    for call in (
        lambda: rounds_until(total, -1.0),
        lambda: floor_rounds_until(1.0, Forgetting(0.1), 0.1, 1.0, -1.0),
    ):
        with pytest.raises(InvalidInput, match=r"until = -1\.0: give a positive regret per round$"):
            call()
    kernel = Forgetting(1e-4)
    late = floor_rounds_until(1.0, kernel, 0.01, 2.0, 0.1, delay=30)
    times = EvaluationTimes.from_durations(np.ones(late))
    curve = floor_curve(times, kernel, 0.01, 2.0, delay=30) / np.arange(1, late + 1)
    assert curve[-1] <= 0.1 < curve[:-1].min()
    assert floor_rounds_until(1.0, kernel, 0.01, 2.0, 0.1, delay=30, most=late) == late
    assert floor_rounds_until(1.0, kernel, 0.01, 2.0, 0.1, delay=30, most=late - 1) is None


@given(st.integers(0, 2**16), st.floats(0.01, 2.0))
def test_of_power_2_the_covering_order_takes_the_most_variance_away(seed, noise):
    """Point by point against the trace of the covariance given all points so far."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((7, 4))
    gram = root @ root.T
    order = covering_order(gram, noise, 3, 2).tolist()

    def left(points):
        known = gram[np.ix_(points, points)] + noise * np.eye(len(points))
        cross = gram[points]
        return float(np.trace(gram - cross.T @ np.linalg.solve(known, cross)))

    for k, x in enumerate(order):
        assert left([*order[:k], x]) <= min(left([*order[:k], y]) for y in range(7)) + 1e-9


def test_schedules_by_hand() -> None:
    for make, said in (
        (lambda: Schedule((0,), (1, 2)), "schedule = 2: give one point for each round"),
        (lambda: Schedule((1, 1), (0, 0)), "schedule = (1, 1): rounds increase, from 0 on"),
        (lambda: Schedule((-1, 1), (0, 0)), "schedule = (-1, 1): rounds increase, from 0 on"),
        (lambda: Schedule((0, 1), (0, -1)), "schedule = -1: points are numbered from 0"),
        (lambda: Schedule((0, 4), (0, 0)).require(4, 9), "schedule = 4: there are 4 rounds"),
        (lambda: Schedule((0, 1), (3, 0)).require(4, 3), "schedule = 3: there are 3 points"),
    ):
        with pytest.raises(InvalidInput) as caught:
            make()
        assert str(caught.value) == said
    Schedule((0, 3), (2, 0)).require(4, 3)
    Schedule((), ()).require(0, 0)
    assert spread_design(3, (7,)).tolist() == [1, 3, 5]
    assert spread_design(2, (5, 4)).tolist() == [5, 6, 13, 14]
    assert spread_design(9, (2,)).tolist() == [0, 1]
    points = np.array([4, 7, 1])
    assert refreshing_schedule(points, 20, 4, 3, 13) == Schedule(
        (0, 1, 2, 3, 6, 9, 12), (4, 7, 1, 4, 7, 1, 4)
    )
    assert refreshing_schedule(points, 3, 4, 0, 9).rounds == (0, 1, 2)
    assert refreshing_schedule(points, 8, 2, 1, 99).rounds == tuple(range(8))
    none = explained_roots(TIMES, Forgetting(0.2), 0.1, Schedule((3,), (0,)), lambda x: GRAM[x], 3)
    assert none.shape == (0, 3)
    empty = stages(TIMES, Forgetting(0.2), 0.1, Schedule((), ()), lambda x: GRAM[x])
    assert empty.rows.shape == (0, 0) and len(empty.weights) == len(empty.decays) == 0
    with pytest.raises(NumericalFailure, match="noise-variance = 0: the schedule's matrix is sing"):
        tied = EvaluationTimes.from_durations([1.0, 0.0, 0.0])
        again = Schedule((0, 1), (0, 0))
        explained_roots(tied, Forgetting(0.2), 0.0, again, lambda x: GRAM[x], 2)


def test_horizons_grow_up_to_the_most(monkeypatch) -> None:
    asked = []

    def curve(times, kernel, noise, maximum, *, delay):
        asked.append((times.n, float(times.durations[0]), noise, maximum, delay))
        return np.full(times.n, 1e9)

    monkeypatch.setattr(until, "floor_curve", curve)
    assert floor_rounds_until(0.5, Matern(2.5, 9.0), 0.1, 2.0, 0.1, delay=3) is None
    assert asked == [(1000, 0.5, 0.1, 2.0, 3), (2000, 0.5, 0.1, 2.0, 3)]
    asked.clear()
    assert floor_rounds_until(0.5, Forgetting(0.1), 0.1, 2.0, 0.1, most=9_000) is None
    assert [n for n, *_ in asked] == [1000, 8000, 9000]
