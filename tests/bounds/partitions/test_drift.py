"""Drift terms: Lemma M, best centres, and Theorem A below Theorem 1 block by block."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.arithmetic import DOUBLES
from bounds.formulas import log_growth, phi
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.partitions.drift import (
    Center,
    best_center,
    drift_at_center,
    refined_drift,
    round_drift,
    uniformity_drift,
)
from bounds.partitions.partition import Partition
from bounds.partitions.uniformity import cap_of
from bounds.times import EvaluationTimes
from tests import oracles
from tests.oracles import exact_uniformity
from tests.strategies import durations, epsilons, noise_variances

SMOOTH = [SquaredExponential(2.0), Matern(1.5, 3.0), Matern(2.5, 0.5)]


def test_phi_is_the_printed_minimum():
    x = np.geomspace(1e-6, 1e6, 2001)
    found = phi(DOUBLES, x)
    assert np.allclose(found, np.minimum(x, np.log(x) + 1 / x), rtol=1e-14)
    assert phi(DOUBLES, 0.0) == 0.0
    assert np.all(np.diff(found) > 0)
    assert np.all(found >= np.log1p(x))


@given(durations(), epsilons, noise_variances, st.data())
@settings(deadline=None, max_examples=100)
def test_drifts_by_their_formulas(values, epsilon, noise_variance, data):
    times = EvaluationTimes.from_durations(values)
    n = times.n
    cut = data.draw(st.integers(1, n))
    partition = Partition((0, n)) if cut == n else Partition((0, cut, n))
    slope = Forgetting(epsilon).slope
    printed = uniformity_drift(times, partition, epsilon, phi, noise_variance)
    additive = uniformity_drift(times, partition, slope, log_growth, noise_variance)
    for i, (a, b) in enumerate(partition.blocks()):
        block = times.block(a, b)
        for rate, g, result in ((epsilon, oracles.phi, printed), (slope, np.log1p, additive)):
            c = float(exact_uniformity(block.durations, cap_of(rate)))
            x = rate * np.sqrt(c / (b - a)) / noise_variance if rate else 0.0
            assert result[i] == pytest.approx(0.5 * (b - a) * float(g(x)), rel=1e-10, abs=1e-14)


@given(durations(min_size=2), epsilons, noise_variances, st.data())
@example([0.0, 1.0, 1.0], 0.3, 0.01, None)
@example([0.0, 1e6, 0.0, 1e-9, 1e-9], 1e-4, 1e-6, None)
@settings(deadline=None, max_examples=150)
def test_every_drift_is_superadditive(values, epsilon, noise_variance, data):
    times = EvaluationTimes.from_durations(values)
    n = times.n
    cut = n // 2 if data is None else data.draw(st.integers(1, n - 1))
    whole, parts = Partition((0, n)), Partition((0, cut, n))
    kernel = Forgetting(epsilon)
    for drift in (
        lambda p: uniformity_drift(times, p, epsilon, phi, noise_variance),
        lambda p: uniformity_drift(times, p, kernel.slope, log_growth, noise_variance),
        lambda p: refined_drift(times, p, kernel, noise_variance).drift,
    ):
        assert drift(whole).sum() >= drift(parts).sum() * (1 - 1e-12)


@example([0.0, 1e12, 1e-9, 1e12], 1e-4, 1e-6)  # the oracle loses the 1e-9
@given(durations(max_size=7), epsilons, noise_variances)
@settings(deadline=None, max_examples=60)
def test_own_times_are_the_best_centres_of_the_forgetting_kernel(values, epsilon, noise_variance):
    times = EvaluationTimes.from_durations(values)
    kernel = Forgetting(epsilon)
    value, center = best_center(times, kernel, noise_variance)
    offsets = times.offsets()
    rounds = [Center(k) for k in range(times.n)]
    own = [drift_at_center(times, c, kernel, noise_variance) for c in rounds]
    assert value == pytest.approx(min(own), rel=1e-12, abs=1e-300)
    assert center in rounds
    anywhere = np.linspace(-1.0, offsets[-1] + 1.0, 301)
    dense = round_drift(np.abs(anywhere[:, None] - offsets), kernel, noise_variance).sum(axis=1)
    # Distances from `offsets` are good to 1e-16 of the span only.
    lost = 2.0**-52 * offsets[-1] * 2.0 * kernel.slope / noise_variance
    assert value <= dense.min() * (1 + 1e-12) + 1e-9 + times.n * lost


@pytest.mark.parametrize("kernel", SMOOTH, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_best_centre_of_a_smooth_kernel_is_global(kernel, seed):
    rng = np.random.default_rng(seed)
    times = EvaluationTimes.from_durations(rng.exponential(2.0, size=9))
    value, center = best_center(times, kernel, 0.01)
    offsets = times.offsets()
    fine = np.linspace(0.0, offsets[-1], 20_001)
    dense = round_drift(np.abs(fine[:, None] - offsets), kernel, 0.01).sum(axis=1)
    assert value <= dense.min() * (1 + 1e-7)
    assert value == pytest.approx(drift_at_center(times, center, kernel, 0.01), rel=1e-12)


def test_the_midpoint_wins_for_two_points_of_a_smooth_kernel():
    times = EvaluationTimes.from_durations([0.0, 1.0])
    value, center = best_center(times, SquaredExponential(2.0), 1.0)
    assert center.round + center.offset == pytest.approx(0.5, abs=1e-6)
    assert value < drift_at_center(times, Center(0), SquaredExponential(2.0), 1.0)


def test_a_long_block_of_steady_times():
    times = EvaluationTimes.from_durations(np.ones(3001))
    value, center = best_center(times, Forgetting(1e-3), 0.01)
    assert center == Center(1500)
    assert value == pytest.approx(drift_at_center(times, center, Forgetting(1e-3), 0.01))


@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 0.999])
@pytest.mark.parametrize("seed", range(3))
def test_no_own_time_of_a_long_block_is_missed(epsilon, seed):
    """More rounds than are probed, so that ranges between them are dropped by their bound."""
    rng = np.random.default_rng(seed)
    waits = [rng.exponential(size=90), 10.0 ** rng.uniform(-9, 9, 90), rng.choice([0.0, 9.0], 90)]
    times = EvaluationTimes.from_durations(waits[seed])
    kernel = Forgetting(epsilon)
    value, center = best_center(times, kernel, 0.01)
    own = [drift_at_center(times, Center(k), kernel, 0.01) for k in range(times.n)]
    assert value == pytest.approx(min(own), rel=1e-12)
    assert own[center.round] == pytest.approx(min(own), rel=1e-12)


def test_a_block_in_which_every_centre_is_as_good_comes_to_an_end(monkeypatch):
    monkeypatch.setattr("bounds.partitions.drift._MOST_PAIRS", 400_000)
    times = EvaluationTimes.from_durations(np.full(4_000, 1e6))
    value, _ = best_center(times, Forgetting(0.5), 0.01)
    assert value == pytest.approx(3_999 * float(round_drift(1e6, Forgetting(0.5), 0.01)))
