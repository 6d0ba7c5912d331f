"""Knots: conditional variances by dense algebra, and columns of balls around their values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bounds import enclosure
from bounds.drifting_gain import knots
from bounds.drifting_gain.certified import time_balls, time_columns, wait_decays
from bounds.drifting_gain.knots import knot_bound
from bounds.enclosure import matrices
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes

TIMES = EvaluationTimes.from_durations([1.0, 0.5, 2.0, 0.0, 1.0, 4.0])


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
    assert np.array_equal(found.knots, TIMES.times[found.rounds])
    assert found.weights.shape == cross.shape
    np.testing.assert_allclose(found.weights @ among, cross, atol=1e-9)


@pytest.mark.parametrize("kernel", [Forgetting(0.02), SquaredExponential(3.0), Matern(0.5, 2.0)])
def test_columns_of_times_contain_the_values(kernel: Kernel) -> None:
    rounds = np.array([0, 3, 5])
    columns = time_columns(kernel, TIMES.exact, rounds)
    expected = kernel.gram(TIMES.times[:, None], TIMES.times[rounds, None])
    middle = [[float(enclosure.ball(value).mid()) for value in row] for row in columns]
    np.testing.assert_allclose(middle, expected, rtol=1e-14)


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


@pytest.mark.parametrize("kernel", [Forgetting(0.02), Matern(0.5, 2.0)], ids=repr)
def test_values_at_waits_and_columns_are_balls_around_the_truth(kernel: Kernel) -> None:
    with enclosure.precision(200):
        slope = kernel.enclosed_slope()
        exact = [
            enclosure.exp(-enclosure.product((w, slope))) if w else enclosure.ball(1)
            for w in map(Fraction, [0.0, *TIMES.durations[1:].tolist()])
        ]
    with matrices.working_precision():
        decays = wait_decays(kernel, TIMES.exact)
        columns = time_columns(kernel, TIMES.exact, np.array([0]))[:, 0]
        table = time_balls(kernel, TIMES.exact)
    product = enclosure.ball(1)
    for i, (decay, truth) in enumerate(zip(decays, exact, strict=True)):
        with enclosure.precision(200):
            product = product * truth
            for ball, value in ((decay, truth), (columns[i], product), (table[i, 0], product)):
                low, high = enclosure.endpoints(enclosure.ball(ball))
                inner = enclosure.endpoints(enclosure.ball(value))
                assert low <= inner[0] <= inner[1] <= high
                assert high - low <= Fraction(1, 10**20)
