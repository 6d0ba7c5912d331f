"""Runs of consecutive rounds treated as one, for searches over more rounds than an exact one takes.

A cell knows how many rounds it has and the first and last of their times. With every distance
replaced by the smallest that the cells allow, and every cut inside a cell for free, the optimum
over cell boundaries is a lower bound on the optimum over all 2^(n−1) partitions: a block loses at
most the cells in which it begins and ends, and no block penalty grows when rounds leave the block.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bounds.times import EvaluationTimes

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cells:
    """K cells; cell k holds the rounds boundaries[k]+1 … boundaries[k+1].

    Attributes
    ----------
    boundaries : (K+1,) int, 0 = p_0 < p_1 < … < p_K = n
    first, last : (2, K) float, time of the first and last round of each cell (double, remainder)
    """

    boundaries: IntArray
    first: FloatArray
    last: FloatArray

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
        both = np.stack((times.times, times.remainders))
        return cls(np.arange(times.n + 1), both, both)

    @classmethod
    def coarse(cls, times: EvaluationTimes, count: int) -> Cells:
        """About `count` cells: half the boundaries equally spaced, half at the longest waits."""
        n = times.n
        equal = np.linspace(0, n, max(2, count // 2)).astype(np.int64)
        waits = np.diff(times.times)
        longest = np.argpartition(-waits, min(len(waits) - 1, count // 2))[: count // 2] + 1
        boundaries = np.unique(np.concatenate((equal, longest[waits[longest - 1] > 0.0])))
        both = np.stack((times.times, times.remainders))
        return cls(boundaries, both[:, boundaries[:-1]], both[:, boundaries[1:] - 1])
