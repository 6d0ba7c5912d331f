"""Objectives whose drift depends on the times through the uniformity C of each block alone.

Theorem 1 as printed is the other one beside the additive form.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from bounds.arithmetic import BALLS, Arithmetic, Value
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.formulas import log_growth, spread
from bounds.kernels import Kernel
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.certified import scaled_uniformity
from bounds.partitions.drift import uniformity_drift
from bounds.partitions.objectives.objective import Objective
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.partitions.uniformity_search import CutChain, search_by_uniformity
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


class AdditiveObjective(UniformityObjective):
    """Σ_i [γ_{M_i} + ½ M_i log(1 + sθ√(C_i/M_i))], θ the slope of the time kernel."""

    name = "additive"
    rate_name = "theta"
    fewest_cells = 20_000

    def rate(self, epsilon: float, time_kernel: Kernel) -> float:
        return time_kernel.slope

    def growth(self, a: Arithmetic, x: Value) -> Value:
        return log_growth(a, x)

    def solve(
        self, problem: Problem, prices: FloatArray, cells: Cells, options: SearchOptions = ALL
    ) -> CutChain:
        return search_by_uniformity(
            cells,
            problem.time_kernel.slope,
            problem.noise_variance,
            prices,
            concave=True,
            options=options,
        )

    def enclosed_rate(self, problem: Problem) -> Number | None:
        return problem.time_kernel.enclosed_slope()
