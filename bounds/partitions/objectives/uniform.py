"""Objectives whose drift depends on the times through the uniformity C of each block alone."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from bounds.arithmetic import BALLS, Arithmetic, Value
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.formulas import spread
from bounds.kernels import Kernel
from bounds.partitions.certified import scaled_uniformity
from bounds.partitions.drift import uniformity_drift
from bounds.partitions.objectives.objective import Objective
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.problem import Problem


class UniformityObjective(Objective):
    """Σ_i ½ M_i g(s·rate·√(C_i/M_i)) with C capped at 1/rate², g = φ or log(1 + ·).

    rate_name : "epsilon" or "theta", by which distances count
    """

    rate_name: ClassVar[str]

    def drifts(self, problem: Problem, partition: Partition) -> FloatArray:
        rate = self.rate(problem.epsilon, problem.time_kernel)
        return uniformity_drift(problem.times, partition, rate, self.growth, problem.noise_variance)

    @abstractmethod
    def rate(self, epsilon: float, time_kernel: Kernel) -> float:
        """What distances are multiplied by."""

    @abstractmethod
    def growth(self, a: Arithmetic, x: Value) -> Value:
        """g(x)."""

    def near_growth(self, a: Arithmetic, x: Value) -> Value:
        """g where the best block lies, by which best blocks are derived in symbols."""
        return self.growth(a, x)

    @abstractmethod
    def enclosed_rate(self, problem: Problem) -> Number | None:
        """The rate enclosed; None without an enclosure."""

    def evaluate(self, problem: Problem, prices: FloatArray, partition: Partition) -> SearchResult:
        gain = self.gain(prices, partition)
        drift = float(self.drifts(problem, partition).sum())
        return SearchResult(
            self.name, gain + drift, gain, drift, partition, None, False, float("nan")
        )

    def enclosed_drift(self, problem: Problem, result: SearchResult) -> Number | None:
        rate = self.enclosed_rate(problem)
        if rate is None:
            return None
        exact = problem.times.exact
        noise = BALLS.number(problem.noise_variance)
        return BALLS.total(
            spread(
                BALLS,
                self.growth,
                BALLS.number(end - start),
                scaled_uniformity(exact[start:end], rate),
                noise,
            )
            for start, end in result.partition.blocks()
        )
