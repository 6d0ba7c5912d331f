"""The search over pairs of rounds against all partitions."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings

from bounds.arithmetic import DOUBLES
from bounds.formulas import log_growth, phi
from bounds.partitions.pair_search import search_pairs
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from tests.oracles import all_partitions
from tests.strategies import durations, noise_variances


@settings(max_examples=25, deadline=None)
@given(times=durations(max_size=8), noise_variance=noise_variances)
def test_it_is_the_minimum_over_all_partitions(times, noise_variance) -> None:
    problem = Problem(
        EvaluationTimes.from_durations(times), epsilon=0.2, noise_variance=noise_variance
    )
    n, tau = problem.n, problem.times
    prices = np.cumsum(np.linspace(0.0, 1.0, n + 1))

    def value(partition, distance, growth):
        total = 0.0
        for a, b in partition.blocks():
            lags = tau.distances(slice(a, b), slice(a, b))
            root = sqrt(float(np.sum(distance(lags) ** 2)) / (b - a)) / noise_variance
            total += prices[b - a] + 0.5 * (b - a) * float(growth(DOUBLES, root))
        return total

    for distance, growth in (
        (problem.time_kernel.complement, log_growth),
        (lambda lags: np.minimum(1.0, 0.2 * lags), phi),
    ):
        found = search_pairs(tau, prices, noise_variance, distance, growth)
        best = min(value(partition, distance, growth) for partition in all_partitions(n))
        assert found.value == pytest.approx(best, rel=1e-9, abs=1e-9)
        assert value(found.partition, distance, growth) == pytest.approx(found.value, rel=1e-9)
