"""Runs of consecutive rounds treated as one, for searches over more rounds than an exact one takes.

A cell knows how many rounds it has and the first and last of their times. With every distance
replaced by the smallest that the cells allow, and every cut inside a cell for free, the optimum
over cell boundaries is a lower bound on the optimum over all 2^(n−1) partitions: a block loses at
most the cells in which it begins and ends, and no block penalty grows when rounds leave the block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.numerics.compiled import compiled
from bounds.progress import Share, unwatched
from bounds.times import EvaluationTimes


@dataclass(frozen=True, eq=False)
class Cells:
    """K cells; cell k holds the rounds boundaries[k]+1 … boundaries[k+1].

    Attributes
    ----------
    boundaries : (K+1,) int, 0 = p_0 < p_1 < … < p_K = n
    waits : (K,) float, from the last round of the cell before to the first of each; 0 at first
    extents : (K,) float, from the first round of each cell to its last
    """

    boundaries: IntArray
    waits: FloatArray
    extents: FloatArray

    @property
    def counts(self) -> FloatArray:
        """(K,) rounds in each cell."""
        return np.diff(self.boundaries).astype(float)

    @property
    def n(self) -> int:
        """The number of rounds."""
        return int(self.boundaries[-1])

    @classmethod
    def of_rounds(cls, times: EvaluationTimes) -> Cells:
        """One cell for each round: what an exact search runs on."""
        return cls(np.arange(times.n + 1), times.waits, np.zeros(times.n))

    @classmethod
    def coarse(cls, times: EvaluationTimes, wait_costs: FloatArray, count: int) -> Cells:
        """At most `count` cells, small where the drift between neighbouring rounds is large.

        Parameters
        ----------
        wait_costs : (n−1,) drift that the wait between two neighbouring rounds stands for
        count : at least 16

        A cell closes when its rounds times the waits inside it reach a common limit, or at eight
        times the average size; the limit is the smallest that keeps to `count`. O(n) for each of
        some forty limits tried.
        """
        n = times.n
        longest = max(2, (8 * n) // count)
        low, high = -16.0, 8.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            if len(_boundaries(wait_costs, 10.0**middle, longest)) - 1 <= count:
                high = middle
            else:
                low = middle
        boundaries = _boundaries(wait_costs, 10.0**high, longest)
        starts = boundaries[:-1]
        inside = times.waits.copy()
        inside[starts] = 0.0
        return cls(boundaries, times.waits[starts], np.add.reduceat(inside, starts))


class SearchOptions(NamedTuple):
    """How a search over the boundaries of cells runs.

    Attributes
    ----------
    free_cuts : whether a cut may fall inside a cell, whose rounds then count for neither side; then
        the optimum is a lower bound on that over all partitions
    work_limit : pairs of rounds to look at before giving up
    progress : called with the share done
    """

    free_cuts: bool = False
    work_limit: int = 2**62
    progress: Share = unwatched


ALL = SearchOptions()
"""Without a limit."""


@compiled()
def _boundaries(wait_costs: FloatArray, limit: float, longest: int) -> IntArray:  # pragma: no cover
    """Greedy cells from the left: size · Σ of the wait costs inside at most `limit`."""
    n = len(wait_costs) + 1
    boundaries = np.empty(n + 1, dtype=np.int64)
    boundaries[0] = 0
    cells, start, inside = 0, 0, 0.0
    for k in range(1, n):
        inside += wait_costs[k - 1]
        if (k + 1 - start) * inside > limit or k + 1 - start > longest:
            cells += 1
            boundaries[cells] = k
            start, inside = k, 0.0
    boundaries[cells + 1] = n
    return boundaries[: cells + 2]
