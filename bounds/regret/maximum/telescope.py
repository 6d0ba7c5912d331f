"""The order in which telescoping takes the points of a domain, and what precedes each."""

from __future__ import annotations

from dataclasses import dataclass

from bounds.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Telescope:
    """An order of N points and, for each, the earlier points near it.

    Attributes
    ----------
    rank : (N,) place in the order; predecessors have smaller ones
    neighbours : (N, K) indices of earlier points, nearest first; −1 where there are fewer
    own : (N, K) prior covariances of a point with its neighbours
    mutual : (N, K, K) prior covariances among the neighbours
    """

    rank: IntArray
    neighbours: IntArray
    own: FloatArray
    mutual: FloatArray

    @property
    def size(self) -> int:
        """N."""
        return len(self.rank)
