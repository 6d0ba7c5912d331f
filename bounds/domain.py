"""The set D over which the bandit searches: a finite grid, or the box around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels.base import require_length

LARGEST_GRID = 20_000
"""Points of the largest grid accepted: one Gram matrix of it takes 3.2 GB."""
LARGEST_DIMENSION = 64
"""Most axes of a grid: more than any grid with two points per axis can have, or arrays allow."""


@dataclass(frozen=True)
class Grid:
    """The q^d points of `np.linspace(0, side, q)` per axis, ends included; q = 1 is the midpoint.

    Parameters
    ----------
    dimension : int from 1 to `LARGEST_DIMENSION`
    side : float > 0, the r of the box [0, r]^d
    points_per_axis : int ≥ 1

    >>> Grid(2, 1.0, 3).points.shape
    (9, 2)
    """

    dimension: int = 2
    side: float = 1.0
    points_per_axis: int = 50

    def __post_init__(self) -> None:
        if not 1 <= self.dimension <= LARGEST_DIMENSION:
            raise InvalidInput(
                "dimension", self.dimension, f"give a whole number from 1 to {LARGEST_DIMENSION}"
            )
        require_length("side", self.side)
        if self.points_per_axis < 1:
            raise InvalidInput("grid", self.points_per_axis, "give a whole number of at least 1")
        # Compared by logarithm first: q^d of absurd input need not be computed.
        if self.dimension * np.log(self.points_per_axis) > np.log(LARGEST_GRID) + 1e-9:
            raise InvalidInput(
                "grid",
                f"{self.points_per_axis}^{self.dimension} points",
                f"use at most {LARGEST_GRID} points; a smaller --grid or --dimension",
            )

    @cached_property
    def axis(self) -> FloatArray:
        """(q,) coordinates along one axis."""
        if self.points_per_axis == 1:
            return np.array([0.5 * self.side])
        return np.linspace(0.0, self.side, self.points_per_axis)

    @cached_property
    def points(self) -> FloatArray:
        """(q^d, d), the last axis running fastest."""
        axes = np.meshgrid(*([self.axis] * self.dimension), indexing="ij")
        return np.stack([a.ravel() for a in axes], axis=1)

    @property
    def size(self) -> int:
        """|D| = q^d."""
        return int(self.points_per_axis**self.dimension)
