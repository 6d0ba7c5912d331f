"""Π, its windows and its charging sum: tables of another hand, a second road, and laws."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.pattern import LONGEST_SAVED, Waits, bracket
from bounds.problem import Problem
from bounds.regret.ingredients.full_information import variance_left
from bounds.regret.upper.in_expectation.every_sequence import density_of_gaps
from bounds.times import EvaluationTimes
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant

UNIT = np.ones(600)
AT_ONCE = np.zeros(600)
BURSTS = np.where(np.arange(600) % 30 == 0, 300.0, 0.1)
GROWING = np.concatenate([[1.0], 1.02 ** np.arange(0.0, 599.0)])
GAP = np.where(np.arange(600) == 300, 1e6, 1.0)

TABLE = [
    (UNIT, 1e-2, 1.0, 62.2257, 5.9900, 32.4882, 0, 0.0, 0.0),
    (AT_ONCE, 1e-2, 1.0, 6.9750, 0.0, 4.0853, 6, 1.5, 6.9844),
    (BURSTS, 1e-2, 1.0, 81.4463, 18.6508, 48.9129, 20, 30.0, 30.0),
    (UNIT, 1e-3, 0.01, 3.2258, 0.5990, 2.1139, 75, 1.5675, 7.1250),
    (BURSTS, 1e-3, 0.01, 6.9859, 4.9846, 4.1790, 120, 10.2, 20.8875),
    (GROWING, 1e-3, 0.01, 282.0554, 278.7934, 246.1182, 31, 5.61, 9.1850),
    (GAP, 1e-3, 0.01, 4.2341, 1.5980, 3.1181, 78, 2.04, 7.9675),
]
"""Waits, ε, σ², then Π, D_n, Σ(1−√(1−p)), windows, the largest class, A: THEORY's, n = 600."""


def waits(durations, epsilon, noise) -> Waits:
    return Waits.of(EvaluationTimes.from_durations(durations), Forgetting(epsilon), noise)


def shares_by_matrices(durations, epsilon, noise):
    """p_i + σ² is the square of the i-th pivot of the factor of J + σ²I."""
    instants = np.cumsum(durations)
    gram = (1 - epsilon) ** (np.abs(instants[:, None] - instants) / 2)
    factor = np.linalg.cholesky(gram + noise * np.eye(len(gram)))
    return np.diagonal(factor) ** 2 - noise


def charges(shares, drifts, noise):
    """(v, start, end, least) by sums of drift from each window's first round, rounds from 0."""
    n, found, j = len(shares), [], 1
    while (v := 2.0**-j) > 8 * noise / (noise + n - 1):
        start = 0
        while start < n:
            # Rounds i with Σ_{l=start+1}^{i} d_l ≤ v/2; sums of one run of non-negative terms.
            inside = np.cumsum(np.concatenate([[0.0], drifts[start + 1 :]])) <= v / 2
            end = start + int(np.argmin(inside)) if not inside.all() else n
            if shares[start:end].min() <= v / 8:
                found.append((v, start, end, shares[start:end].min()))
            start = end
        j += 1
    return found


@pytest.mark.parametrize(
    ("durations", "epsilon", "noise", "total", "drift", "lost", "count", "largest", "charged"),
    TABLE,
)
def test_the_table_of_another_hand_and_a_second_road(
    durations, epsilon, noise, total, drift, lost, count, largest, charged
):
    found = waits(durations, epsilon, noise)
    assert found.total == pytest.approx(total, abs=6e-5)
    assert found.drift == pytest.approx(drift, abs=6e-5)
    assert found.lost == pytest.approx(lost, abs=6e-5)
    assert len(found.windows) == count
    assert found.largest_class == pytest.approx(largest, abs=1e-9)
    assert found.charged == pytest.approx(charged, abs=6e-5)
    with np.errstate(over="ignore"):
        assert found.shares == pytest.approx(
            shares_by_matrices(durations, epsilon, noise), abs=1e-9
        )
    again = charges(found.shares, found.drifts, noise)
    assert [(w.v, w.start, w.end, w.least) for w in found.windows] == again
    assert found.charged == pytest.approx(sum(v + noise for v, *_ in again))


PATTERNS = st.one_of(
    st.lists(st.floats(0.0, 50.0), min_size=2, max_size=60),
    st.lists(st.sampled_from([0.0, 1e-6, 1e-3, 1.0, 1e3]), min_size=2, max_size=60),
    st.builds(
        lambda short, long, every, n: [long if i % every == 0 else short for i in range(n)],
        st.floats(0.0, 1.0),
        st.floats(0.1, 1e4),
        st.integers(2, 20),
        st.integers(2, 120),
    ),
    st.builds(lambda r, n: [r**i for i in range(n)], st.floats(0.8, 1.3), st.integers(2, 60)),
)


@settings(max_examples=120, deadline=None)
@given(
    durations=PATTERNS,
    epsilon=st.floats(1e-4, 0.5),
    noise=st.floats(1e-4, 2.0),
)
def test_the_charging_lemma_and_what_else_holds_for_every_sequence(durations, epsilon, noise):
    found = waits(durations, epsilon, noise)
    times, kernel = EvaluationTimes.from_durations(durations), Forgetting(epsilon)
    np.testing.assert_allclose(found.shares, variance_left(times, kernel, noise).shares, atol=1e-12)
    assert found.charged <= found.most_charged * (1 + 1e-12)
    assert found.largest_class <= 10 * found.total
    assert found.total / 2 <= found.lost <= found.total <= found.n
    assert found.drift <= found.total - 1 + 1e-9
    assert found.shares.min() >= noise / (noise + found.n - 1) * (1 - 1e-12)
    for window in found.windows:
        inside = found.drifts[window.start + 1 : window.end]
        assert inside.sum() <= window.v / 2 + 1e-12
        assert window.least <= window.v / 8


@settings(max_examples=60, deadline=None)
@given(
    durations=PATTERNS,
    epsilon=st.floats(1e-4, 0.5),
    noise=st.floats(1e-3, 2.0),
    longer=st.data(),
)
def test_more_waiting_more_forgetting_and_more_noise_cost_more(durations, epsilon, noise, longer):
    found = waits(durations, epsilon, noise)
    at = longer.draw(st.integers(0, len(durations) - 1))
    more = list(durations)
    more[at] += longer.draw(st.floats(0.0, 10.0))
    assume(np.isfinite(sum(more)))
    slack = 1e-10 * found.total
    assert waits(more, epsilon, noise).total >= found.total - slack
    assert waits(durations, min(1.5 * epsilon, 0.9), noise).total >= found.total - slack
    assert waits(durations, epsilon, 1.5 * noise).total >= found.total - slack
    assert waits([*durations, 0.0], epsilon, noise).total >= found.total


@settings(max_examples=30, deadline=None)
@given(durations=PATTERNS, epsilon=st.floats(1e-3, 0.5), noise=st.floats(1e-2, 2.0))
def test_what_one_wait_costs_is_what_its_absence_saves(durations, epsilon, noise):
    found = waits(durations, epsilon, noise)
    saved = found.saved()
    assert saved[0] == 0.0
    for i in range(1, len(durations)):
        without = [0.0 if k == i else wait for k, wait in enumerate(durations)]
        expected = found.total - waits(without, epsilon, noise).total
        assert saved[i] == pytest.approx(expected, abs=1e-9)


def test_growth_and_exponent():
    found = waits(np.ones(40_000), 1e-4, 1.0)
    assert [m for m, _ in found.growth(3)] == [10_000, 20_000, 40_000]
    assert found.growth(1)[0][1] == pytest.approx(found.total)
    assert found.exponent() == pytest.approx(1.0, abs=0.03)  # uniform steps at a fixed ε
    still = waits(np.zeros(40_000), 1e-4, 1.0)
    assert still.exponent() < 0.15  # a logarithm
    assert waits([1.0], 0.1, 1.0).exponent() is None


@pytest.mark.parametrize("epsilon", [0.3, 1e-2])
@pytest.mark.parametrize("noise", [0.01, 1.0])
def test_thompson_sampling_is_between_both_sides(epsilon, noise):
    """Mean regret over twenty blocks of 200 rounds: above ½m*Π, below the right side."""
    times = EvaluationTimes.from_durations(np.ones(200))
    problem = Problem(times, epsilon, domain=Arms(2), noise_variance=noise)
    found = waits(np.ones(200), epsilon, noise)
    regrets = [
        simulate(problem, constant(1.0, 200), "ts", initial=0, rounds=200, seed=seed).regrets.sum()
        for seed in range(8)
    ]
    least = np.sqrt(1 / np.pi)  # m* of two independent points
    error = np.std(regrets) / sqrt(len(regrets))
    assert np.mean(regrets) > found.total * least / 2 - 3 * error
    weight = 2 * log(2 * 200**2) * density_of_gaps(np.eye(2))
    assert np.mean(regrets) < weight * bracket(found, "ts")


@pytest.mark.parametrize(
    ("policy", "of_total", "of_drift"), [("index", 1223, 194), ("ts", 3534, 547)]
)
def test_the_bracket_is_below_its_constants(policy, of_total, of_drift):
    """c₁Π + c₂J_σ·D_n, by the charging lemma, with the constants that the theory states."""
    found = waits(BURSTS, 1e-3, 0.01)
    assert bracket(found, policy) < of_total * found.total + of_drift * (
        found.classes_above_noise * found.drift
    )
    c = {"index": 2.0, "ts": 4.0}[policy]
    assert 16 * c**2 + 24 * 5 * c * (c + sqrt(8)) == pytest.approx(of_total, abs=1)


def test_refused():
    times = EvaluationTimes.from_durations([1.0, 1.0])
    with pytest.raises(InvalidInput, match="time-kernel"):
        Waits.of(times, SquaredExponential(1.0), 0.1)
    with pytest.raises(InvalidInput, match="noise-variance"):
        Waits.of(times, Forgetting(0.1), 0.0)
    many = Waits(np.ones(LONGEST_SAVED + 1), np.zeros(LONGEST_SAVED + 1), 1.0)
    with pytest.raises(InvalidInput, match="n ="):
        many.saved()
