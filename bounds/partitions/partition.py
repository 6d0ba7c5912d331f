"""A partition of the rounds 1..n into consecutive blocks: the free choice in every bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bounds.errors import InvalidInput


@dataclass(frozen=True)
class Partition:
    """Cuts 0 = d_0 < d_1 < … < d_N = n; block i holds the rounds d_{i−1}+1 … d_i.

    >>> Partition((0, 2, 5)).lengths
    (2, 3)
    """

    cuts: tuple[int, ...]

    def __post_init__(self) -> None:
        cuts = self.cuts
        rising = all(a < b for a, b in pairwise(cuts))
        if len(cuts) < 2 or cuts[0] != 0 or not rising:
            raise InvalidInput("partition", list(cuts), "give cuts 0 = d_0 < d_1 < ... < d_N = n")

    @classmethod
    def of(cls, cuts: Sequence[int], n: int) -> Partition:
        """The partition of n rounds with these cuts; raises InvalidInput where they do not fit."""
        partition = cls(tuple(int(c) for c in cuts))
        if partition.n != n:
            raise InvalidInput("partition", list(cuts), f"the last cut must be n = {n}")
        return partition

    @classmethod
    def equal(cls, n: int, length: int) -> Partition:
        """Blocks of `length` rounds, the last one shorter where n is no multiple.

        >>> Partition.equal(7, 3).cuts
        (0, 3, 6, 7)
        """
        if length < 1:
            raise InvalidInput("block length", length, "give at least 1 round")
        return cls((*range(0, n, length), n))

    @property
    def n(self) -> int:
        """The number of rounds."""
        return self.cuts[-1]

    @property
    def lengths(self) -> tuple[int, ...]:
        """M_1..M_N."""
        return tuple(b - a for a, b in self.blocks())

    def blocks(self) -> list[tuple[int, int]]:
        """(start, end) of every block, half open and 0-based: rounds start+1 … end."""
        return list(pairwise(self.cuts))

    def __len__(self) -> int:
        """N, the number of blocks."""
        return len(self.cuts) - 1
