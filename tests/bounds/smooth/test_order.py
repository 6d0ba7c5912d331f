"""Ψ against enumeration, against a dynamic programme without pruning, and against its laws."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.partitions.partition import Partition
from bounds.problem import Problem
from bounds.smooth import block_search
from bounds.smooth.block_search import best_blocks, greedy_cuts
from bounds.smooth.order import (
    GREEDY_FACTOR,
    PRICES,
    block_drift,
    greedy_order,
    least_order,
    missing_hypothesis,
    order_at,
    renewed,
    smooth_order,
    uniform_worst,
    wait_costs,
)
from bounds.times import EvaluationTimes
from tests.oracles import all_partitions
from tests.strategies import durations, epsilons, noise_variances

N = 600


def sequence(kind: str) -> np.ndarray:
    """The sequences of the table of oracles."""
    waits = np.ones(N)
    if kind == "at once":
        waits[:] = 0.0
    elif kind == "bursts":
        waits[:] = 0.1
        waits[30::30] = 300.0
    elif kind == "growing":
        waits = 1.02 ** np.arange(-1.0, N - 1.0)
    elif kind == "gap":
        waits[300] = 1e6
    return waits


def problem_of(waits, epsilon: float, noise_variance: float) -> Problem:
    times = EvaluationTimes.from_durations(waits)
    return Problem(times, epsilon=epsilon, noise_variance=noise_variance)


ORACLES = [
    # times, ε, σ², Ψ, blocks, Ψ₁, blocks
    ("unit", 1e-2, 1.0, 186.669839, 25, 186.6698, 25),
    ("at once", 1e-2, 1.0, 24.494897, 1, 24.4949, 1),
    ("bursts", 1e-2, 1.0, 118.202527, 20, 118.2025, 20),
    ("unit", 1e-3, 0.01, 19.053043, 28, 26.3497, 13),
    ("bursts", 1e-3, 0.01, 11.824031, 20, 20.8696, 20),
    ("growing", 1e-3, 0.01, 51.985564, 439, 348.9549, 141),
    ("gap", 1e-3, 0.01, 19.053043, 28, 26.3886, 14),
]


@pytest.mark.parametrize(
    ("kind", "epsilon", "noise", "psi", "blocks", "psi_1", "blocks_1"), ORACLES
)
def test_known_values(kind, epsilon, noise, psi, blocks, psi_1, blocks_1):
    found = smooth_order(problem_of(sequence(kind), epsilon, noise))
    assert found.best.exact
    assert found.best.value == pytest.approx(psi, abs=6e-7)
    assert len(found.best.partition) == blocks
    assert found.best_one.value == pytest.approx(psi_1, abs=6e-5)
    assert len(found.best_one.partition) == blocks_1
    assert found.greedy.value <= 1.992 * found.best.value  # the largest factor that was measured


def direct_value(problem: Problem, partition: Partition, price: str) -> float:
    """From the definition: V by the kernel at the distance between two rounds, squared."""
    noise, total = problem.noise_variance, 0.0
    distance = problem.times.distances(slice(None), slice(None))
    for a, b in partition.blocks():
        learnt = np.sqrt(noise * (b - a))
        if price == "smooth-1":
            learnt = max(1.0, learnt)
        total += min(b - a, learnt)
        total += sum(
            1.0 - problem.time_kernel.at_distance(distance[a, k]) ** 2 for k in range(a, b)
        )
    return float(total)


@pytest.mark.parametrize("price", PRICES)
@given(durations(max_size=9), epsilons, noise_variances)
@settings(max_examples=60, deadline=None)
def test_search_finds_the_least_of_all_partitions(price, waits, epsilon, noise):
    problem = problem_of(waits, epsilon, noise)
    found = least_order(problem, price)
    least = min(direct_value(problem, one, price) for one in all_partitions(problem.n))
    assert found.exact
    assert found.value == pytest.approx(least, rel=1e-9, abs=1e-12)
    at_found = direct_value(problem, found.partition, price)
    assert found.value == pytest.approx(at_found, rel=1e-9, abs=1e-12)


def unpruned(prices: np.ndarray, shares: np.ndarray, weight: float, capped: bool) -> float:
    """The dynamic programme over every start, without pruning."""
    n = len(shares)
    value = np.zeros(n + 1)
    for e in range(1, n + 1):
        options = []
        for s in range(e):
            cost = prices[e - s] + weight * block_drift(shares[s:e]).sum()
            options.append(value[s] + (min(cost, e - s) if capped else cost))
        value[e] = min(options)
    return float(value[n])


def cost_of(cuts, prices, shares, weight: float, capped: bool) -> float:
    total = 0.0
    for a, b in pairwise(cuts):
        cost = prices[b - a] + weight * block_drift(shares[a:b]).sum()
        total += min(cost, b - a) if capped else cost
    return float(total)


@given(
    st.lists(st.sampled_from([0.0, 1e-6, 1e-3, 0.05, 0.5, 1.0]), min_size=1, max_size=60),
    st.sampled_from([0.5, 1.0, 7.0]),
    st.booleans(),
    st.sampled_from([0.0, 3.0]),
)
@settings(max_examples=80, deadline=None)
def test_pruning_loses_nothing(shares, weight, capped, fixed):
    """Any price that does not fall, also with a cap of a round a round."""
    shares = np.array(shares)
    shares[0] = 0.0
    prices = fixed + np.sqrt(np.arange(len(shares) + 1.0))
    prices[0] = 0.0
    cuts = best_blocks(prices, shares, weight=weight, capped=capped)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_search, "_FEW_ROUNDS", 0)  # the compiled loop
        looped = best_blocks(prices, shares, weight=weight, capped=capped)
    least = unpruned(prices, shares, weight, capped)
    for found in (cuts, looped):
        assert cost_of(found, prices, shares, weight, capped) == pytest.approx(least, rel=1e-10)


@pytest.mark.parametrize("price", PRICES)
@given(durations(max_size=60), epsilons, noise_variances)
@settings(max_examples=80, deadline=None)
def test_greedy_blocks_are_within_a_factor_of_four(price, waits, epsilon, noise):
    problem = problem_of(waits, epsilon, noise)
    least, greedy = least_order(problem, price), greedy_order(problem, price)
    slack = 1.0 + 1e-9
    assert 0.5 * greedy.gain <= least.value * slack
    assert least.value <= greedy.value * slack
    assert greedy.value <= 2.0 * greedy.gain * slack
    assert greedy.value <= GREEDY_FACTOR * least.value * slack


@given(durations(min_size=2, max_size=30), epsilons, st.integers(1, 29))
@settings(max_examples=80, deadline=None)
def test_drift_is_superadditive_over_adjacent_blocks(waits, epsilon, cut):
    """What makes pruning exact: a block drifts at least as much as its two parts."""
    shares = renewed(problem_of(waits, epsilon, 1.0))
    cut = min(cut, len(shares) - 1)
    whole = block_drift(shares).sum()
    parts = block_drift(shares[:cut]).sum() + block_drift(shares[cut:]).sum()
    assert parts <= whole + 1e-12 * (1.0 + whole)


@given(durations(max_size=40), epsilons, noise_variances)
@settings(max_examples=80, deadline=None)
def test_order_of_prices_and_the_worst_sequence(waits, epsilon, noise):
    """Ψ ≤ Ψ₁ ≤ max(1, 1/σ)Ψ, Ψ ≤ n, and Ψ is at most what equal steps can reach."""
    problem = problem_of(waits, epsilon, noise)
    psi, psi_1 = least_order(problem).value, least_order(problem, "smooth-1").value
    slack = 1.0 + 1e-9
    assert psi <= psi_1 * slack
    assert psi_1 <= max(1.0, noise**-0.5) * psi * slack
    assert psi <= problem.n * slack
    assert psi <= uniform_worst(problem) * slack


@given(durations(min_size=2, max_size=8), epsilons, noise_variances, st.integers(1, 7))
@settings(max_examples=80, deadline=None)
def test_a_wait_costs_no_more_than_what_its_absence_saves(waits, epsilon, noise, i):
    problem = problem_of(waits, epsilon, noise)
    i = min(i, problem.n - 1)
    found = least_order(problem)
    costs = wait_costs(problem, found)
    without = list(waits)
    without[i] = 0.0
    saved = found.value - least_order(problem_of(without, epsilon, noise)).value
    assert costs[0] == 0.0
    assert np.all(costs >= -1e-12)
    assert costs[i] <= saved + 1e-9 * (1.0 + found.value)


def test_uniform_steps_are_the_worst_up_to_a_constant():
    """The corollary is attained in order by unit steps."""
    for epsilon in (1e-2, 1e-3, 1e-4):
        problem = problem_of(np.ones(5000), epsilon, 1.0)
        assert least_order(problem).value > uniform_worst(problem) / 3.0


def test_bursts_are_cheaper_than_equal_steps_from_a_length_on():
    """Same total time: from M > (σ/ε)^{2/3} on bursts of M are cheaper."""
    epsilon, noise, n = 1e-3, 1.0, 6400
    border = (noise**0.5 / epsilon) ** (2.0 / 3.0)
    unit = least_order(problem_of(np.ones(n), epsilon, noise)).value
    ratios = []
    for length in (25, 1600):
        waits = np.zeros(n)
        waits[::length] = length
        ratios.append(least_order(problem_of(waits, epsilon, noise)).value / unit)
    assert 25 < border < 1600
    assert ratios[0] > 0.9
    assert ratios[1] < 0.5


def test_beyond_the_work_limit_the_greedy_blocks_have_a_proved_gap():
    problem = problem_of(np.ones(400), 1e-4, 1.0)
    short, exact = least_order(problem, work_limit=100), least_order(problem)
    assert not short.exact
    assert exact.exact
    assert short.value * (1.0 - short.gap) <= exact.value <= short.value


def test_a_formula_at_a_partition_and_its_refusals():
    problem = problem_of([0.0, 0.0, 1.0], 0.19, 1.0)
    assert order_at(problem, Partition((0, 3))).value == pytest.approx(3.0**0.5 + 0.19)
    with pytest.raises(InvalidInput, match="last cut"):
        order_at(problem, Partition((0, 2)))
    smooth_time = Problem(problem.times, time_kernel=SquaredExponential(1.0))
    with pytest.raises(InvalidInput, match="time-kernel"):
        least_order(smooth_time)
    with pytest.raises(InvalidInput, match="objective"):
        least_order(problem, "flat")  # type: ignore[arg-type]


def test_hypotheses_are_named():
    times = EvaluationTimes.from_durations([1.0, 1.0])
    assert missing_hypothesis(Problem(times)) == ""
    assert "no box" in missing_hypothesis(Problem(times, domain=Arms(3)))
    assert "derivatives" in missing_hypothesis(Problem(times, space_kernel=Matern(1.5, 0.2)))
    assert "below" in missing_hypothesis(Problem(times, space_kernel=Matern(2.5, 0.2)))
    assert "Markov" in missing_hypothesis(Problem(times, time_kernel=SquaredExponential(1.0)))


def test_greedy_cuts_are_checked_by_hand():
    shares = np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    prices = np.minimum(np.arange(6.0), 1.5)
    assert greedy_cuts(prices, shares) == (0, 3, 5)
