"""Knots: conditional variances by dense algebra, and columns of balls around their values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from bounds import enclosure
from bounds.drifting_gain import knots
from bounds.drifting_gain.certified import time_balls, time_columns
from bounds.drifting_gain.knots import knot_bound
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes

TIMES = EvaluationTimes.from_durations([1.0, 0.5, 2.0, 0.0, 1.0, 4.0])
ROUNDS = np.array([5, 0, 3])


@pytest.mark.parametrize("gamma_n", [0.01, 1.0])
@pytest.mark.parametrize("kernel", [Forgetting(0.02), SquaredExponential(3.0)], ids=repr)
def test_knots_pay_for_the_conditional_variances(kernel: Kernel, gamma_n: float) -> None:
    problem = Problem(TIMES, time_kernel=kernel, noise_variance=0.1)
    found = knot_bound(problem, gamma_n)
    assert found is not None
    gram = kernel.gram(TIMES.times[:, None])
    cross, among = gram[:, found.rounds], gram[np.ix_(found.rounds, found.rounds)]
    left = 1.0 - np.sum(cross * np.linalg.solve(among, cross.T).T, axis=1)
    drift = 0.5 * np.log1p(np.maximum(left, 0.0) / 0.1).sum()
    assert found.value == pytest.approx(len(found.rounds) * gamma_n + drift, rel=1e-9)
    assert found.weights.shape == cross.shape
    np.testing.assert_allclose(found.weights @ among, cross, atol=1e-9)


@dataclass(frozen=True)
class Sloped(SquaredExponential):
    """One that knows a slope in balls, which Markov kernels are not alone to know."""

    def enclosed_slope(self):
        return enclosure.divide(1, Fraction(self.lengthscale))


@pytest.mark.parametrize(
    "kernel",
    [Forgetting(0.02), Matern(0.5, 2.0), Matern(1.5, 1.0), SquaredExponential(3.0), Sloped(3.0)],
    ids=repr,
)
def test_values_between_rounds_are_balls_around_the_truth(kernel: Kernel) -> None:
    instants = TIMES.exact.instants
    for table in (time_balls(kernel, TIMES.exact), time_columns(kernel, TIMES.exact, ROUNDS)):
        columns = ROUNDS if table.shape[1] == len(ROUNDS) else range(TIMES.n)
        for column, j in enumerate(columns):
            for k in range(TIMES.n):
                with enclosure.precision(200):
                    apart = abs(instants[k] - instants[j])
                    inner = enclosure.endpoints(kernel.enclosed_at_distance(apart))
                    low, high = enclosure.endpoints(table[k, column])
                    assert low <= inner[0] <= inner[1] <= high
                    assert high - low <= Fraction(1, 10**20)


def test_what_rounding_may_have_taken_is_given_back() -> None:
    """Nothing drifts, so the terms cancel; rounds at the instant of a knot are known exactly."""
    still = Problem(TIMES, 0.0, noise_variance=1e-14)
    found = knot_bound(still, 50.0)
    assert found is not None and found.rounds.tolist() == [2]
    lost = 16.0 * 2.0**-52 * 4.0
    # Rounds 2 and 3 come at the same instant.
    assert found.value == pytest.approx(50.0 + 0.5 * 4 * np.log1p(lost / 1e-14), rel=1e-12)
    two = knots._with_knots(Problem(TIMES, 0.2), np.array([0, 3]), 1.5)
    gram = Forgetting(0.2).gram(TIMES.times[:, None])
    cross, among = gram[:, [0, 3]], gram[np.ix_([0, 3], [0, 3])]
    weights = np.linalg.solve(among, cross.T).T
    left = 1.0 - np.sum(weights * cross, axis=1)
    assert two.value == pytest.approx(3.0 + 0.5 * np.log1p(left / 0.01).sum(), rel=1e-10)
    assert two.weights[[0, 2, 3]].tolist() == [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]


def test_as_many_knots_as_pay(monkeypatch) -> None:
    problem = Problem(EvaluationTimes.from_durations([1e9] * 30), 0.5)
    many = knot_bound(problem, 0.0)
    assert many is not None and len(many.rounds) == 12
    assert many.rounds.tolist() == [round((k + 0.5) / 12 * 29) for k in range(12)]
    few = knot_bound(problem, 2.0)
    values = [knots._with_knots(problem, np.array([14]), 2.0).value]
    assert few is not None and len(few.rounds) == 12 and few.value < values[0]
    assert len(knot_bound(problem, 3.0).rounds) == 1  # more than the cap of a round
    monkeypatch.setattr(knots, "MOST_ROUNDS", 30)
    assert knot_bound(problem, 3.0) is not None
    monkeypatch.setattr(knots, "MOST_ROUNDS", 29)
    assert knot_bound(problem, 3.0) is None
