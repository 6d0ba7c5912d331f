"""Time kernels with negative values: what Theorem 1 asks, and bounds against dense gains."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
import pytest
from scipy import optimize

from bounds.domain import Grid
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.gain.report import bound_report, certified_report
from bounds.kernels import Kernel, SquaredExponential
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.uniformity import scaled_uniformity
from bounds.problem import Problem
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from tests.oracles import log_det_gain


@dataclass(frozen=True)
class Cosine(Kernel):
    """k(r) = cos(2πr/p), a process that repeats itself with period p."""

    period: float

    name = "cosine"
    smoothness = float("inf")

    @property
    def slope(self) -> float:
        """(1 − cos u)/u is largest at u = tan(u/2)."""
        u = optimize.brentq(lambda v: v - np.tan(v / 2), 1.0, 3.0)
        return float(1 - np.cos(u)) / float(u) * 2 * pi / self.period * (1 + 1e-12)

    def at_distance(self, distance):
        return np.cos(2 * pi * np.asarray(distance, dtype=float) / self.period)

    def complement(self, distance):
        return 2.0 * np.sin(pi * np.asarray(distance, dtype=float) / self.period) ** 2

    def deficit(self, distance):
        return np.sin(2 * pi * np.asarray(distance, dtype=float) / self.period) ** 2


def report_of(times, kernel, epsilon, noise_variance=0.01):
    grid, space = Grid(1, 1.0, 3), SquaredExponential(0.4)
    problem = Problem(
        EvaluationTimes.from_durations(times), epsilon, kernel, space, noise_variance, grid
    )
    curve = space_gain_upper(space, grid, noise_variance, problem.n)
    design = joint_gain_lower(problem)
    return problem, design, bound_report(problem, curve.values, design.value, costly=True)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("noise_variance", [1e-4, 0.1, 10.0])
def test_every_valid_bound_is_above_the_gain_of_a_design(seed, noise_variance) -> None:
    rng = np.random.default_rng(seed)
    times = rng.exponential(rng.choice([0.05, 1.0, 8.0]), size=9)
    kernel = Cosine(float(rng.choice([2.0, 6.0, 50.0])))
    epsilon = min(0.99, kernel.slope) if seed % 2 else 0.01
    problem, design, report = report_of(times, kernel, epsilon, noise_variance)
    every = slice(None)
    points = problem.domain.points[design.indices]
    gram = problem.space_kernel.gram(points) * kernel.at_distance(
        problem.times.distances(every, every)
    )
    truth = log_det_gain(gram, noise_variance)
    for bound in report.gains.values():
        assert not bound.valid or bound.value >= truth * (1 - 1e-9), bound.name
    assert report.gains["refined"].partition.gap >= 0.0


@pytest.mark.parametrize("rate", [0.3, 0.7, 5.0])
def test_a_block_with_a_capped_pair_has_at_least_the_trivial_drift(rate) -> None:
    """ε²C ≥ M where the block is 1/ε long: the cap asks no sign of k_time."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        size = int(rng.integers(2, 9))
        span = float(rng.uniform(1.0, 3.0)) / rate
        inside = np.sort(
            rng.choice(
                [
                    rng.uniform(0, span, size - 2),
                    rng.integers(0, 2, size - 2) * span,
                    np.full(size - 2, span / 2),
                ]
            )
        )
        times = EvaluationTimes.from_times([0.0, *inside, span])
        assert scaled_uniformity(times, rate) >= size * (1 - 1e-12)


def test_theorem_1_looks_at_every_pair_of_an_unknown_shape() -> None:
    kernel = Cosine(6.0)
    times = EvaluationTimes.from_durations([1.0, 3.0, 3.0])
    assert "two rounds 3 apart" in theorem1_failure(Problem(times, 0.5, kernel))
    assert theorem1_failure(Problem(times, min(0.99, kernel.slope), kernel)) == ""


def test_a_kernel_without_an_enclosure_leaves_the_lower_side_as_it_is() -> None:
    problem, design, report = report_of([1.0, 2.0, 0.5], Cosine(6.0), 0.01)
    curve = space_gain_upper(problem.space_kernel, problem.domain, 0.01, 3)
    found = certified_report(report, curve, design)
    assert (found.lower, found.lower_certified) == (design.value, False)
    assert found.beta_certified and found.gains["trivial"].certified
    assert not found.gains["refined"].certified
