"""Upper bounds before a run: formulas against quadrature and simulation, laws, planning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting
from bounds.problem import Problem
from bounds.regret_itself.ceilings.ceilings import ceilings
from bounds.regret_itself.ceilings.constant_exploration import ExplorationBound
from bounds.regret_itself.ceilings.entropy import entropy_bound
from bounds.regret_itself.ceilings.margin import conditional_variances, margin_bound, margin_rate
from bounds.regret_itself.ceilings.schedule import Schedule, explained_roots, stages
from bounds.regret_itself.ceilings.thompson import (
    by_deviations,
    by_variances,
    isoperimetric,
    published,
    variance_bound,
)
from bounds.regret_itself.floors.until import floor_rounds_until, rounds_until
from bounds.times import EvaluationTimes

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 2.0, 1.0, 1.0, 3.0, 0.5, 1.0])
GRAM = np.array([[1.0, 0.3, -0.1], [0.3, 1.0, 0.2], [-0.1, 0.2, 1.0]])


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
    assert all(row.value == 0.0 for row in ceilings(problem, []))


def test_rows_cover_what_they_say():
    problem = Problem(TIMES, domain=Grid(1, 1.0, 5))
    explored = ExplorationBound(7.0, 4.0, 5.0, 1.0, 1.0, None)
    rows = ceilings(problem, [(0.01, 10.0)], explored=explored)
    assert all(row.simulated is (row.level is not None) for row in rows)
    assert {row.direction for row in rows} == {"upper"}
    assert all(row.kind == "mean" and not row.certified for row in rows)
    by_policy = {(row.name, row.policy): row for row in rows}
    assert by_policy["constant_exploration", "ts"].value == explored.value
    assert by_policy["margin", "ctv-fixed"].exploration == "theory"
    assert by_policy["expected_maximum", "posterior-mean"].exploration == ""


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


def test_the_best_margin_is_the_best_of_many():
    problem = Problem(TIMES)
    found = margin_bound(problem, 9.0, 2.0, 2.0, 1.3)
    price = 8 / np.log(101) * 18.0
    margins = np.geomspace(1e-3, 1e3, 20_000)
    many = 8 * margins * np.minimum(1.3 * margins, 1.0) + price / margins + found.failed
    assert found.value == pytest.approx(many.min(), rel=1e-5)
    with pytest.raises(InvalidInput):
        margin_bound(Problem(TIMES, delta=0.7), 9.0, 2.0, 2.0, 1.3)


def test_entropy_bound_refuses_nonsense():
    assert entropy_bound(8, 3, 1.0, 2.0) == pytest.approx(np.sqrt(4 * 3 * 8 * 2))
    with pytest.raises(InvalidInput):
        entropy_bound(8, 0, 1.0, 2.0)


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


@pytest.mark.parametrize("bad", [((0, 0), (1, 1)), ((1,), (1, 2)), ((-1,), (0,)), ((0,), (-2,))])
def test_schedules_that_are_none(bad):
    with pytest.raises(InvalidInput):
        Schedule(*bad)
    with pytest.raises(InvalidInput):
        Schedule((9,), (0,)).require(9, 3)
