"""The halved Theorem 1: its lemma on eigenvalues, its value by brute force, its row."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.gain import halved
from bounds.gain.bound import Ingredients
from bounds.gain.bounds import bounds_of
from bounds.gain.halved import HalvedTheorem1
from bounds.gain.report import bound_report
from bounds.gain.upper.partitioned import Theorem1
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.laws import check_bound_laws
from bounds.laws.bound_laws import max_space_gains
from bounds.numerics.rounding import at_most
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.regret.regret_bound import PRIOR, RegretBound
from bounds.times import EvaluationTimes
from tests.bounds.gain.test_negative_kernels import Cosine
from tests.oracles import all_partitions, exact_uniformity, log_det_gain

WAITS = [0.3, 1.0, 0.0, 4.0, 0.2, 0.2, 7.0]


def problem_of(waits=WAITS, epsilon=0.02, noise_variance=0.1, kernel=None) -> Problem:
    return Problem(
        EvaluationTimes.from_durations(waits),
        epsilon,
        kernel or Forgetting(epsilon),
        SquaredExponential(0.4),
        noise_variance,
        Grid(1, 1.0, 3),
    )


def ingredients(problem: Problem) -> Ingredients:
    return Ingredients(problem, max_space_gains(problem))


def test_it_keeps_the_laws() -> None:
    check_bound_laws(HalvedTheorem1(), examples=15)


@pytest.mark.parametrize("noise_variance", [1e-3, 0.1, 5.0])
@pytest.mark.parametrize("epsilon", [1e-3, 0.02, 0.3])
def test_the_value_is_the_least_over_all_partitions(epsilon, noise_variance) -> None:
    problem = problem_of(epsilon=epsilon, noise_variance=noise_variance)
    given_ = ingredients(problem)

    def growth(x: float) -> float:
        return x if x <= 1.0 else log(x) + 1.0 / x

    def value(partition) -> float:
        total = len(partition) * given_.gamma[max(partition.lengths)]
        for a, b in partition.blocks():
            C = float(exact_uniformity(WAITS[a:b], 1.0 / epsilon**2))
            x = 0.5 * epsilon * sqrt(C / (b - a)) / noise_variance
            total += 0.5 * (b - a) * growth(x)
        return total

    truth = min(value(one) for one in all_partitions(len(WAITS)))
    found = HalvedTheorem1().evaluate(given_)
    assert found.value == pytest.approx(truth, rel=1e-12)
    assert found.value <= Theorem1().evaluate(given_).value * (1 + 1e-12)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.floats(0.0, 30.0), min_size=2, max_size=7),
    st.sampled_from([0.01, 0.2, 0.7]),
    st.sampled_from([1e-3, 0.1, 10.0]),
    st.integers(0, 99),
)
def test_positive_eigenvalue_differences_are_half_of_all(waits, epsilon, noise, seed) -> None:
    """½ log det(I + sK∘J) − ½ log det(I + sK) ≤ ½ M log(1 + ½sε√(C/M)), by dense determinants."""
    times, M = EvaluationTimes.from_durations(waits), len(waits)
    points = np.random.default_rng(seed).uniform(size=(M, 1))
    K = SquaredExponential(0.4).gram(points)
    J = Forgetting(epsilon).at_distance(times.distances(slice(None), slice(None)))
    differences = np.linalg.eigvalsh(K * J) - np.linalg.eigvalsh(K)
    assert differences.sum() == pytest.approx(0.0, abs=1e-9)
    C = float(exact_uniformity(waits, 1.0 / epsilon**2))
    drift = 0.5 * M * np.log1p(0.5 * epsilon * sqrt(C / M) / noise)
    assert log_det_gain(K * J, noise) <= log_det_gain(K, noise) + drift + 1e-8


def test_a_negative_time_kernel_needs_rounds_that_are_near() -> None:
    kernel = Cosine(200.0)
    near = HalvedTheorem1().evaluate(ingredients(problem_of(kernel=kernel, epsilon=0.05)))
    far = HalvedTheorem1().evaluate(
        ingredients(problem_of([w * 3 for w in WAITS], 0.05, 0.1, kernel))
    )
    assert near.valid
    assert far.reason == "k_time may be negative, and some rounds are 1/epsilon apart"
    # Rounds of a span of exactly 1/ε count as so far apart, a little less does not.
    for span, valid in ((1.0, False), (1.0 - 0.9e-9, False), (1.0 - 1.1e-9, True)):
        edge = HalvedTheorem1().evaluate(
            ingredients(problem_of([0.0, 20.0 * span], 0.05, 0.1, kernel))
        )
        assert edge.valid is valid
    assert HalvedTheorem1().evaluate(ingredients(problem_of([0.0, 90.0], 0.05))).valid


def test_beyond_its_search_it_takes_the_partitions_that_are_known(monkeypatch) -> None:
    problem = problem_of()
    gamma = max_space_gains(problem)
    report = bound_report(problem, gamma, 0.0)
    monkeypatch.setattr(halved, "LONGEST_SEARCHED", 3)
    row = halved.halved_row(report, gamma)
    assert row is not None
    searched = HalvedTheorem1().evaluate(ingredients(problem)).value
    value = row.value
    own = HalvedTheorem1().evaluate(Ingredients(problem, gamma, report.gains))
    assert own.partition.partition in [r.partition for r in report.partitions.values()]
    noisier = halved._at_twice_the_noise(problem)
    assert noisier.noise_variance == 2.0 * problem.noise_variance
    assert own.value == min(
        evaluate("theorem1", noisier, gamma, known.partition).value
        for known in report.partitions.values()
    )
    assert row == RegretBound(
        "theorem1_halved",
        report.regret_from(own.value),
        "upper",
        "ctv-fixed",
        f"{PRIOR}; {HalvedTheorem1.hypotheses}",
        "probability",
        1.0 - problem.delta,
        "all n",
        f"√(C₁β_n n·γ̂), γ̂ = N·γ_M + Σ½M_iφ(½sε√(C_i/M_i)) = {at_most(own.value, 5)}",
        "theory",
    )
    monkeypatch.setattr(halved, "LONGEST_SEARCHED", len(WAITS))
    row = halved.halved_row(report, gamma)
    assert report.regret_from(searched) == pytest.approx(row.value, rel=1e-12)
    assert report.regret_from(searched) * (1 - 1e-12) <= value <= report.regret["theorem1"]


def test_the_row_stands_beside_theorem1_certified() -> None:
    problem = problem_of([1.0] * 12, epsilon=1e-3, kernel=Matern(0.5, 1500.0))
    found = bounds_of(problem)
    plain = bounds_of(problem, certify=False)
    (row,) = (row for row in found.rows if row.name == "theorem1_halved")
    (rough,) = (row for row in plain.rows if row.name == "theorem1_halved")
    assert (row.policy, row.exploration, row.kind, row.rounds) == (
        "ctv-fixed",
        "theory",
        "probability",
        "all n",
    )
    assert row.certified and not rough.certified
    # The two rest on γ curves that are rounded in their own ways.
    assert row.value == pytest.approx(rough.value, rel=1e-9)
    assert row.value < found.report.regret["theorem1"]
    assert "theorem1_halved" not in found.to_dict()["gain"]


def test_no_row_where_theorem1_does_not_hold() -> None:
    found = bounds_of(problem_of(kernel=Forgetting(0.5)), certify=False)
    assert not found.report.gains["theorem1"].valid
    assert not [row for row in found.rows if row.name == "theorem1_halved"]
