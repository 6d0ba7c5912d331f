"""Knots: conditional variances by dense algebra, and columns of balls around their values."""

from __future__ import annotations

import numpy as np
import pytest

from bounds import enclosure
from bounds.drifting_gain.certified import time_columns
from bounds.drifting_gain.knots import knot_bound
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
