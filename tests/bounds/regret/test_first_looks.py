"""Lemmas H and 2S: the table of what known looks are worth, simulated designs, and drift."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.first_looks import (
    _PLACES,
    FirstLooks,
    _corners,
    _shape,
    mean_length,
    shaped_length,
    signed_length,
)
from bounds.regret.lower.rank import floor_after, floor_of_rounds, protocol_floor
from bounds.times import EvaluationTimes

# i, Eχ_i, Lemma H, B_i with the maximum over d at σ² = 0.01
TABLE = [
    (2, 1.253, 1.0256, 0.8053),
    (3, 1.596, 1.4245, 1.3074),
    (4, 1.880, 1.7379, 1.6538),
    (5, 2.128, 2.0038, 1.9365),
    (6, 2.350, 2.2388, 2.1817),
]


def worth(count: int, noise: float, correlation: float = 1.0, left: float = 0.0) -> float:
    plus, minus = shaped_length(count, noise, correlation, left)
    lengths = mean_length(count) + mean_length(count - 1)
    return 0.25 * (np.sqrt(1.0 - left) * lengths + plus + minus)


@pytest.mark.parametrize(("count", "chi", "signed", "shaped"), TABLE)
def test_known_values(count, chi, signed, shaped) -> None:
    assert mean_length(count) == pytest.approx(chi, abs=6e-4)
    assert signed_length(mean_length(count), mean_length(count - 1)) == pytest.approx(
        signed, abs=6e-5
    )
    assert shaped - 1e-3 < worth(count, 0.01) < shaped + 5e-3


@given(st.sampled_from([1e-4, 0.01, 0.3]), st.integers(2, 4), st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_no_design_of_looks_is_worth_more(noise, count, seed) -> None:
    """Greedy, far and near adaptive designs on a line, exact posteriors: E max μ is below."""
    rng = np.random.default_rng(seed)
    points = np.linspace(0.0, 6.0, 61)[:, None]
    gram = SquaredExponential(1.0).gram(points)
    factor = np.linalg.cholesky(gram + 1e-9 * np.eye(61))
    step = rng.uniform(0.3, 3.0)
    best = []
    for _ in range(300):
        field = factor @ rng.standard_normal(61)
        looks, seen, mean = [30], [], np.zeros(61)
        for _ in range(count):
            seen.append(field[looks[-1]] + np.sqrt(noise) * rng.standard_normal())
            K = gram[np.ix_(looks, looks)] + noise * np.eye(len(looks))
            mean = gram[:, looks] @ np.linalg.solve(K, seen)
            move = 0 if seen[-1] > 0.8 else int(step * 10) * (1 if len(looks) % 2 else -1)
            looks.append(int(np.clip(np.argmax(mean) + move, 0, 60)))
        best.append(mean.max())
    error = np.std(best) / np.sqrt(len(best))
    assert np.mean(best) <= worth(count, noise) + 4 * error


def test_the_maximum_over_distances_by_brute_force() -> None:
    """E h_± by plain simulation, with the maximum over a and c on a grid: just below the bound."""
    rng, noise = np.random.default_rng(3), 0.01
    w1, w2 = np.abs(rng.standard_normal((2, 4000)))
    z = stats.chi(1).rvs(4000, random_state=rng)
    q, d = 1 / (1 + noise), np.linspace(0, 5, 1001)
    plus, minus = z.copy(), z.copy()
    for a in np.linspace(0, 4, 161):
        c1 = np.exp(-a * a / 2) / np.sqrt(1 + noise)
        ratio = np.maximum(q - np.exp(-a * d), 0) * np.exp(-d * d / 2)
        most = np.exp(-a * a / 2) * np.max(ratio / np.sqrt(1 + noise - q * np.exp(-d * d)))
        for c in np.linspace(0, most, 21):
            rest = np.sqrt(1 - c1 * c1 - c * c) * z if c1 * c1 + c * c < 1 else 0.0
            plus, minus = (
                np.maximum(plus, c1 * w1 + c * w2 + rest),
                np.maximum(minus, c * w2 - c1 * w1 + rest),
            )
    bound = shaped_length(3, noise, 1.0, 0.0)
    for simulated, above in zip((plus, minus), bound, strict=True):
        error = simulated.std() / np.sqrt(len(simulated))
        assert simulated.mean() - 4 * error < above < simulated.mean() + 4 * error + 0.02


@given(st.floats(0.0, 0.9), st.floats(0.0, 1.0), st.integers(2, 3))
@settings(max_examples=15, deadline=None)
def test_drift_only_lowers_what_looks_are_worth(left, correlation, count) -> None:
    found = worth(count, 0.05, correlation, left)
    assert worth(count, 0.05, correlation, min(left + 0.05, 1.0)) <= found + 1e-9
    assert worth(count, 0.05, max(correlation - 0.1, 0.0), left) >= found - 1e-9


def test_the_shape_is_asked_of_the_squared_exponential_alone() -> None:
    times = EvaluationTimes.from_durations([1.0, 1.0, 2.0])
    found = FirstLooks.of(Problem(times, epsilon=0.1))
    correlations = [found.correlation(i) for i in range(3)]
    assert correlations == pytest.approx(0.9 ** (np.array([0.0, 1.0, 3.0]) / 2), rel=1e-15)
    assert correlations[1] ** 2 < 0.9
    assert FirstLooks.of(Problem(times, space_kernel=Matern(2.5, 0.2))) is None
    assert FirstLooks.of(Problem(times, time_kernel=Forgetting(0.0))) is not None


def test_the_floor_of_a_static_fine_grid() -> None:
    """4.59 at m* ≥ 1.752; here by the stored m* ≥ 1.776."""
    problem = Problem(EvaluationTimes.from_durations(np.ones(240)), epsilon=0.0)
    row = floor_after(problem, 0)
    assert row.certified
    assert 4.7 < row.value < 4.8


@pytest.mark.parametrize("freedom", [1, 2, 3, 10])
def test_weights_are_those_of_a_chi_variable(freedom) -> None:
    """They keep the mass and the mean of χ; the distance C(a) is that of a fine search."""
    nodes, weights, beyond = _corners(freedom)
    assert weights.sum() == pytest.approx(1.0, abs=1e-13)
    assert weights @ nodes + beyond == pytest.approx(stats.chi(freedom).mean(), abs=1e-12)
    assert 0 <= beyond < 1e-5


@given(st.floats(1e-4, 1.0), st.floats(0.0, 3.0))
@settings(max_examples=20, deadline=None)
def test_the_cells_of_the_distance_are_on_the_safe_side(noise, a) -> None:
    largest, least, second = _shape(noise)
    cell = int(np.searchsorted(np.linspace(0.0, 3.2, _PLACES), a, side="right")) - 1
    first = np.exp(-a * a / 2) / np.sqrt(1 + noise)
    assert least[cell] <= first * (1 + 1e-15) and first <= largest[cell] * (1 + 1e-15)
    q, d = 1 / (1 + noise), np.linspace(0, 6, 4001)
    most = np.maximum(q - np.exp(-a * d), 0) * np.exp(-d * d / 2)
    most = np.max(most / np.sqrt(1 + noise - q * np.exp(-d * d))) * np.exp(-a * a / 2)
    assert most <= second[cell] < most + 0.03


def test_a_protocol_with_random_rounds_costs_them_and_what_follows() -> None:
    """30 random rounds at m* each; the rounds after them at the floor of their own."""
    times = EvaluationTimes.from_durations(np.ones(60))
    problem = Problem(times, epsilon=0.0)
    row, later = protocol_floor(problem, 30), floor_after(problem, 30)
    assert row.certified
    assert 30 * 1.776 < row.value < 30 * 2.066 + later.value
    assert protocol_floor(problem, 0).value == pytest.approx(
        floor_after(problem, 0).value, rel=1e-12
    )
    curve = floor_of_rounds(problem, 30)
    assert curve[-1] == pytest.approx(row.value, rel=1e-12)
    assert curve[:30] == pytest.approx(np.arange(1, 31) * curve[0], rel=1e-12)
    several = [protocol_floor(problem, initial).value for initial in range(0, 60, 10)]
    assert several == sorted(several)
    with pytest.raises(InvalidInput, match="initial = 61"):
        protocol_floor(problem, 61)
