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
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.partitions.uniformity_search import CutChain
from bounds.problem import Problem


class Objective(ABC):
    """A price of a partition: gains of its blocks plus what their times drift.

    Attributes
    ----------
    name : on the command line and in JSON
    by_longest : whether every block costs the gain of the longest one
    centred : whether the drift of a block is measured from its best centre, and not by C
    fewest_cells : cells of rounds that its search can always take, whatever the times
    """

    name: ClassVar[str]
    by_longest: ClassVar[bool] = False
    centred: ClassVar[bool] = False
    fewest_cells: int

    def gain(self, prices: FloatArray, partition: Partition) -> float:
        """Σ γ_{M_i}, or N·γ_M with M the longest block."""
        lengths = np.array(partition.lengths)
        if self.by_longest:
            return float(len(lengths) * prices[lengths.max()])
        return float(prices[lengths].sum())

    @abstractmethod
    def drifts(self, problem: Problem, partition: Partition) -> FloatArray:
        """(N,) the drift of each block, in nats."""

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
        self, problem: Problem, prices: FloatArray, cells: Cells, options: SearchOptions = ALL
    ) -> CutChain:
        """The optimum over the boundaries of `cells`, or what the options make of it."""

    @abstractmethod
    def enclosed_drift(self, problem: Problem, result: SearchResult) -> Number | None:
        """The drift at the partition of a result, enclosed; None without an enclosure."""

    def enclosed_gain(self, gamma: FloatArray, partition: Partition) -> Number:
        """The γ part, exactly: the doubles of `gamma` are taken as they are."""
        lengths = partition.lengths
        if self.by_longest:
            lengths = (max(lengths),) * len(lengths)
        return enclosure.exact(sum((Fraction(float(gamma[m])) for m in lengths), Fraction(0)))
