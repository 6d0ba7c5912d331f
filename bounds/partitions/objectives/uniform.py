"""Objectives whose drift depends on the times through the uniformity C of each block alone."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.kernels import Kernel
from bounds.partitions.certified import scaled_uniformity
from bounds.partitions.drift import uniformity_drift
from bounds.partitions.objectives.objective import Objective
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from bounds.times import ExactTimes


class UniformityObjective(Objective):
    """Σ_i ½ M_i g(s·rate·√(C_i/M_i)) with C capped at 1/rate², g = φ or log(1 + ·)."""

    def block_drifts(self, problem: Problem, partition: Partition) -> FloatArray:
        """(N,) ½ M_i g(s·rate·√(C_i/M_i))."""
        rate = self.rate(problem.epsilon, problem.time_kernel)
        return uniformity_drift(problem.times, partition, rate, self.growth, problem.noise_variance)

    @abstractmethod
    def rate(self, epsilon: float, time_kernel: Kernel) -> float:
        """What distances are multiplied by."""

    @abstractmethod
    def growth(self, x: FloatArray) -> FloatArray:
        """g(x)."""

    @abstractmethod
    def enclosed_rate(self, problem: Problem) -> Number | None:
        """The rate enclosed; None without an enclosure."""

    @abstractmethod
    def enclosed_growth(self, x: Number) -> Number:
        """g(x) enclosed."""

    def drifts(self, problem: Problem, result: SearchResult) -> FloatArray:
        return self.block_drifts(problem, result.partition)

    def evaluate(self, problem: Problem, prices: FloatArray, partition: Partition) -> SearchResult:
        gain = self.gain(prices, partition)
        drift = float(self.block_drifts(problem, partition).sum())
        return SearchResult(
            self.name, gain + drift, gain, drift, partition, None, False, float("nan")
        )

    def enclosed_drift(self, problem: Problem, result: SearchResult) -> Number | None:
        rate = self.enclosed_rate(problem)
        if rate is None:
            return None
        exact = problem.times.exact
        return enclosure.total(
            self._enclosed_block(exact[start:end], rate, problem.noise_variance)
            for start, end in result.partition.blocks()
        )

    def _enclosed_block(self, times: ExactTimes, rate: Number, noise_variance: float) -> Number:
        M = len(times.ticks)
        scaled = scaled_uniformity(times, rate)
        root = enclosure.sqrt(enclosure.divide(scaled, M))
        growth = self.enclosed_growth(enclosure.divide(root, Fraction(noise_variance)))
        return enclosure.divide(M * growth, 2)
