"""Independent arms: a bandit without covariance between its points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bounds.arrays import BoolArray, FloatArray
from bounds.domain.base import Domain, FiniteKernel
from bounds.domain.grid import Grid, GridKernel, is_whole
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel
from bounds.kernels.independent import Independent

LARGEST_ARMS = 5_000
"""Arms of the largest bandit accepted."""


@dataclass(frozen=True)
class Arms(Domain):
    """K arms 0, 1, …, K−1 whose Gram matrix is the identity, whatever the space kernel.

    They are a grid on a line, with the kernel that is 0 at every distance but 0.

    >>> from bounds.kernels import SquaredExponential
    >>> Arms(3).restricted(SquaredExponential(9.0)).column(1).tolist()
    [0.0, 1.0, 0.0]
    """

    count: int

    def __post_init__(self) -> None:
        if not (is_whole(self.count) and 1 <= self.count <= LARGEST_ARMS):
            remedy = f"give a whole number from 1 to {LARGEST_ARMS}"
            raise InvalidInput("arms", self.count, remedy)

    @cached_property
    def _line(self) -> Grid:
        """The numbers of the arms; a single one stands at 0.5."""
        return Grid(1, max(1.0, self.count - 1.0), self.count)

    @property
    def points(self) -> FloatArray:
        return self._line.points

    @property
    def title(self) -> str:
        return "1 arm" if self.count == 1 else f"{self.count} independent arms"

    @property
    def is_cube(self) -> bool:
        return True

    def cube(self) -> tuple[int, float]:
        return self._line.cube()

    @property
    def axes(self) -> tuple[FloatArray, ...]:
        return self._line.axes

    def space_kernel(self, kernel: Kernel) -> Kernel:
        return Independent()

    def restricted(self, kernel: Kernel) -> FiniteKernel:
        return GridKernel(self.space_kernel(kernel), self._line)

    def outside(self, points: FloatArray) -> BoolArray:
        return np.asarray(np.all(points != self.points.T, axis=1))

    @property
    def where(self) -> str:
        return f"give the number of an arm, 0 to {self.count - 1}"
