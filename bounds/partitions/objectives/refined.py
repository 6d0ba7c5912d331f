"""Theorem A's objective: Σ_i [γ_{M_i} + ½ Σ_k log(1 + s(1 − k_time(τ_k, c_i)²))], best centres."""

from __future__ import annotations

from math import inf

import numpy as np

from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.errors import NoEnclosure
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.center_search import CenteredChain, Centers, search_by_centers
from bounds.partitions.certified import centered_drift
from bounds.partitions.drift import Center, drift_at_center, refined_drift
from bounds.partitions.objectives.objective import Objective
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.partitions.uniformity_search import CutChain
from bounds.problem import Problem

# Candidate centres of a smooth kernel: enough for gaps of some 1e-6.
_PAIRS_OF_ROUNDS_AND_CENTERS = 10_000_000
_MOST_CENTERS = 100_000


class RefinedObjective(Objective):
    """Each block around a centre time; with smooth kernels the centres are real numbers."""

    name = "refined"
    centred = True
    fewest_cells = 8_000

    def drifts(self, problem: Problem, partition: Partition) -> FloatArray:
        return refined_drift(
            problem.times, partition, problem.time_kernel, problem.noise_variance
        ).drift

    def evaluate(self, problem: Problem, prices: FloatArray, partition: Partition) -> SearchResult:
        """At the best centre of each block, O(n) for each; see `best_center`."""
        drift, centers = refined_drift(
            problem.times, partition, problem.time_kernel, problem.noise_variance
        )
        return self._around(problem, prices, partition, float(drift.sum()), centers)

    def undivided(self, problem: Problem, prices: FloatArray) -> SearchResult:
        """All rounds in one block, centred at the middle round, good or bad."""
        middle = np.array([problem.n // 2])
        chain = CenteredChain(inf, (0, problem.n), 0, True, middle)
        return self.at_chain(problem, prices, chain)

    def at_chain(self, problem: Problem, prices: FloatArray, chain: CutChain) -> SearchResult:
        """At the partition and the own-time centres of the chain, by formula."""
        assert isinstance(chain, CenteredChain)
        partition = Partition(chain.cuts)
        anchors = tuple(Center(int(at)) for at in chain.centers)
        drift = 0.0
        for (start, end), at in zip(partition.blocks(), anchors, strict=True):
            block, own = problem.times.block(start, end), Center(at.round - start)
            drift += drift_at_center(block, own, problem.time_kernel, problem.noise_variance)
        return self._around(problem, prices, partition, drift, anchors)

    def _around(
        self,
        problem: Problem,
        prices: FloatArray,
        partition: Partition,
        drift: float,
        anchors: tuple[Center, ...],
    ) -> SearchResult:
        gain = self.gain(prices, partition)
        times = problem.times.times
        centers = np.array([times[at.round] + at.offset for at in anchors])
        value = gain + drift
        return SearchResult(
            self.name, value, gain, drift, partition, centers, False, float("nan"), anchors
        )

    def is_searched_exactly(self, problem: Problem) -> bool:
        """Where the best centre of a block is one of its own times."""
        return problem.time_kernel.completely_monotone

    def solve(
        self, problem: Problem, prices: FloatArray, cells: Cells, options: SearchOptions = ALL
    ) -> CutChain:
        if problem.time_kernel.completely_monotone:
            centers = Centers.of_cells(cells)
        else:
            rounds = len(cells.boundaries) - 1
            count = min(_MOST_CENTERS, _PAIRS_OF_ROUNDS_AND_CENTERS // rounds)
            centers = Centers.covering(cells, count, problem.time_kernel.reach(1e-3))
        return search_by_centers(
            cells,
            centers,
            problem.time_kernel,
            problem.noise_variance,
            prices,
            options,
        )

    def enclosed_drift(self, problem: Problem, result: SearchResult) -> Number | None:
        try:
            return centered_drift(problem, result)
        except NoEnclosure:
            return None
