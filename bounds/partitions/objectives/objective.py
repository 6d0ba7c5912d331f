"""What a partition objective is: its value at a partition, its search, its enclosed value.

A new one is one file with a subclass of `Objective` and one line in the registry of this room.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import ClassVar

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.partitions.cells import Cells
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.partitions.uniformity_search import CutChain
from bounds.problem import Problem
from bounds.progress import Share


class Objective(ABC):
    """A price of a partition: gains of its blocks plus what their times drift.

    Attributes
    ----------
    name : on the command line and in JSON
    by_longest : whether every block costs the gain of the longest one
    centred : whether the drift of a block is measured from its best centre, and not by C
    fewest_cells : cells of rounds that its search can always take, whatever the times
    coarse_share : into how many parts the work limit is divided for searches over cells
    """

    name: ClassVar[str]
    by_longest: ClassVar[bool] = False
    centred: ClassVar[bool] = False
    fewest_cells: int
    coarse_share: ClassVar[int]

    def gain(self, prices: FloatArray, partition: Partition) -> float:
        """Σ γ_{M_i}."""
        return float(prices[np.array(partition.lengths)].sum())

    @abstractmethod
    def drifts(self, problem: Problem, result: SearchResult) -> FloatArray:
        """(N,) the drift of each block, in nats; they sum to the drift of the result."""

    @abstractmethod
    def evaluate(self, problem: Problem, prices: FloatArray, partition: Partition) -> SearchResult:
        """The value at a given partition, by formula and not by a search."""

    def undivided(self, problem: Problem, prices: FloatArray) -> SearchResult:
        """All rounds in one block, in O(n)."""
        return self.evaluate(problem, prices, Partition((0, problem.n)))

    def at_chain(self, problem: Problem, prices: FloatArray, chain: CutChain) -> SearchResult:
        """The value at what the search found."""
        return self.evaluate(problem, prices, Partition(chain.cuts))

    def is_searched_exactly(self, problem: Problem) -> bool:
        """Whether a search that comes to its end leaves no better choice."""
        return True

    @abstractmethod
    def solve(
        self,
        problem: Problem,
        prices: FloatArray,
        cells: Cells,
        *,
        free_cuts: bool,
        work_limit: int,
        progress: Share | None,
    ) -> CutChain:
        """The optimum over the boundaries of `cells`; with `free_cuts` a lower bound on all."""

    @abstractmethod
    def enclosed_drift(self, problem: Problem, result: SearchResult) -> Number | None:
        """The drift at the partition of a result, enclosed; None without an enclosure."""

    def enclosed_gain(self, gamma: FloatArray, partition: Partition) -> Number:
        """The γ part, exactly: the doubles of `gamma` are taken as they are."""
        return exact_sum(gamma, partition.lengths)


def exact_sum(gamma: FloatArray, lengths: tuple[int, ...]) -> Number:
    """Σ γ_{M_i}, exactly."""
    return enclosure.exact(sum((Fraction(float(gamma[m])) for m in lengths), Fraction(0)))
