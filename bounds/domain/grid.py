"""The regular grid, the domain of the paper's experiments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np

from bounds.arrays import BoolArray, FloatArray, IntArray
from bounds.domain.base import Domain, FiniteKernel
from bounds.domain.lags import MOST_REFLECTED_AXES, GridKernel
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel, require_length

LARGEST_GRID = 20_000
"""Points of the largest grid accepted: one Gram matrix of it takes 3.2 GB."""
LARGEST_DIMENSION = 64
"""Most axes of a grid: more than any grid with two points per axis can have, or arrays allow."""

_ON_GRID = 1e-9
"""Shares of the grid's step by which a point may miss a grid point and still be it."""


_USUAL = 50
_USUAL_POINTS = 2_500


def usual_grid(dimension: int) -> int:
    """Points per axis where nobody says how many: 50, or as many as make 2,500 points at most.

    >>> [usual_grid(dimension) for dimension in (1, 2, 3, 6)]
    [50, 50, 13, 3]
    """
    per_axis = _USUAL
    while per_axis > 2 and max(dimension, 1) * np.log(per_axis) > np.log(_USUAL_POINTS) + 1e-9:
        per_axis -= 1
    return per_axis


@dataclass(frozen=True)
class Grid(Domain):
    """The q^d points of `np.linspace(0, side, q)` per axis, ends included; q = 1 is the midpoint.

    Parameters
    ----------
    dimension : int from 1 to `LARGEST_DIMENSION`
    side : float > 0, the r of the box [0, r]^d, or one for each axis
    points_per_axis : int ≥ 1, or one for each axis

    >>> Grid(2, 1.0, 3).points.shape
    (9, 2)
    >>> Grid(2, (1.0, 2.0), (3, 4)).size
    12
    """

    dimension: int = 2
    side: float | tuple[float, ...] = 1.0
    points_per_axis: int | tuple[int, ...] = 50

    def __post_init__(self) -> None:
        if not 1 <= self.dimension <= LARGEST_DIMENSION:
            raise InvalidInput(
                "dimension", self.dimension, f"give a whole number from 1 to {LARGEST_DIMENSION}"
            )
        for side in _listed(self.side):
            require_length("side", side)
        counts = _listed(self.points_per_axis)
        if min(counts) < 1:
            raise InvalidInput("grid", min(counts), "give a whole number of at least 1")
        for name, values in (("side", self.side), ("grid", self.points_per_axis)):
            if isinstance(values, tuple) and len(values) != self.dimension:
                remedy = f"give one number, or {self.dimension}: one for each axis"
                raise InvalidInput(name, values, remedy)
        # Compared by logarithm first: q^d of absurd input need not be computed.
        logs = np.log(np.array(counts, dtype=float))
        total = self.dimension * logs[0] if len(counts) == 1 else float(logs.sum())
        if total > np.log(LARGEST_GRID) + 1e-9:
            shown = (
                f"{counts[0]}^{self.dimension}" if len(counts) == 1 else "x".join(map(str, counts))
            )
            raise InvalidInput(
                "grid",
                f"{shown} points",
                f"use at most {LARGEST_GRID:,} points: lower --grid or --dimension",
            )

    @property
    def sides(self) -> tuple[float, ...]:
        """One side for each axis."""
        return self.side if isinstance(self.side, tuple) else (self.side,) * self.dimension

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of points along each axis."""
        q = self.points_per_axis
        return q if isinstance(q, tuple) else (q,) * self.dimension

    @property
    def is_cube(self) -> bool:
        return len(set(self.sides)) == 1 and len(set(self.shape)) == 1

    def cube(self) -> tuple[int, float]:
        """(q, side) of a cube; InvalidInput for a grid with unequal axes."""
        if not self.is_cube:
            raise InvalidInput("grid", self.title, "needs the same side and points on each axis")
        return self.shape[0], self.sides[0]

    @property
    def title(self) -> str:
        if self.is_cube:
            q, d = self.shape[0], self.dimension
            by = f"{q}-point" if d == 1 else " × ".join([str(q)] * d) if d < 4 else f"{q}^{d}"
            return f"{by} grid of side {self.sides[0]:g}"
        by = "x".join(map(str, self.shape))
        return f"{by} grid of sides {', '.join(f'{side:g}' for side in self.sides)}"

    @property
    def phrase(self) -> str:
        return f"a {self.title}"

    @cached_property
    def axes(self) -> tuple[FloatArray, ...]:
        return tuple(
            np.array([0.5 * side]) if q == 1 else np.linspace(0.0, side, q)
            for side, q in zip(self.sides, self.shape, strict=True)
        )

    @property
    def axis(self) -> FloatArray:
        """(q,) coordinates along one axis of a cube."""
        self.cube()
        return self.axes[0]

    @cached_property
    def points(self) -> FloatArray:
        """(N, d), the last axis running fastest."""
        axes = np.meshgrid(*self.axes, indexing="ij")
        return np.stack([a.ravel() for a in axes], axis=1)

    @property
    def size(self) -> int:
        """|D|, q^d for a cube."""
        return int(prod(self.shape))

    def restricted(self, kernel: Kernel) -> FiniteKernel:
        return _restricted(kernel, self)

    @property
    def symmetries(self) -> int:
        return int(2 ** min(self.dimension, MOST_REFLECTED_AXES))

    @property
    def enclosing_radius(self) -> float:
        """r√d/2 for the cube [0, r]^d."""
        if self.is_cube:
            return float(0.5 * self.sides[0] * np.sqrt(self.dimension))
        return 0.5 * float(np.linalg.norm(self.sides))

    def spread(self, count: int) -> IntArray:
        """As many evenly spread coordinates per axis as keep to about `count` in all.

        >>> Grid(1, 1.0, 9).spread(3)
        array([0, 4, 8])
        """
        per_axis = int(count ** (1.0 / self.dimension) + 1e-9)
        axes = np.meshgrid(*(_evenly(q, per_axis) for q in self.shape), indexing="ij")
        return np.asarray(np.ravel_multi_index(tuple(a.ravel() for a in axes), self.shape))

    def coarse_to_fine(self) -> IntArray:
        """By the finest of the coordinates of a point, then by their sum.

        Along an axis the ends come first, then the middle of every interval, again and again.
        """
        levels = [_bisection_levels(q) for q in self.shape]
        axes = np.meshgrid(*levels, indexing="ij")
        by_axis = np.stack([a.ravel() for a in axes], axis=1)
        width = int(by_axis.max()) * self.dimension + 1
        return np.asarray(by_axis.max(axis=1) * width + by_axis.sum(axis=1))

    def separated(self) -> Iterator[tuple[int, float]]:
        """Sub-grids of some p^d points."""
        if not self.is_cube:
            yield from super().separated()
            return
        axis = self.axes[0]
        for count in range(2, len(axis) + 1):
            # The coordinates nearest to `count` equally spaced ones; their least gap decides.
            chosen = axis[np.round(np.linspace(0, len(axis) - 1, count)).astype(int)]
            yield count**self.dimension, float(np.min(np.diff(chosen)))

    def links(self) -> FloatArray:
        """The steps of the axes."""
        return np.unique(
            [s / (q - 1) for s, q in zip(self.sides, self.shape, strict=True) if q > 1]
        )

    def located(self, points: FloatArray) -> tuple[IntArray, BoolArray]:
        places, off = [], np.zeros(len(points), dtype=bool)
        for a, (axis, side, q) in enumerate(zip(self.axes, self.sides, self.shape, strict=True)):
            step = side / (q - 1) if q > 1 else side
            nearest = np.clip(np.rint((points[:, a] - axis[0]) / step), 0, q - 1).astype(np.int64)
            places.append(nearest)
            off |= np.abs(points[:, a] - axis[nearest]) > _ON_GRID * step
        return np.asarray(np.ravel_multi_index(tuple(places), self.shape), dtype=np.int64), off

    def outside(self, points: FloatArray) -> BoolArray:
        return np.asarray(np.any((points < 0.0) | (points > np.array(self.sides)), axis=1))

    @property
    def where(self) -> str:
        if len(set(self.sides)) == 1:
            return f"stay inside the domain [0, {self.sides[0]:g}]^d"
        inside = " x ".join(f"[0, {side:g}]" for side in self.sides)
        return f"stay inside the domain {inside}"


@lru_cache(maxsize=4)
def _restricted(kernel: Kernel, grid: Grid) -> GridKernel:
    """Shared, for its tables of lags in doubles and balls take a while."""
    return GridKernel(kernel, grid)


def _listed(value: float | tuple[float, ...]) -> Sequence[float]:
    return value if isinstance(value, tuple) else (value,)


def _evenly(q: int, count: int) -> IntArray:
    """About `count` of the q places of an axis."""
    count = max(1, min(q, count))
    if count == 1:
        return np.array([q // 2])
    return np.unique(np.linspace(0, q - 1, count).round().astype(np.int64))


def _bisection_levels(count: int) -> IntArray:
    """(count,) how often an interval is halved until a coordinate is met; the ends have 0."""
    levels = np.zeros(count, dtype=np.int64)
    intervals = [(0, count - 1, 1)]
    for low, high, level in intervals:
        if high - low >= 2:
            middle = (low + high) // 2
            levels[middle] = level
            intervals += [(low, middle, level + 1), (middle, high, level + 1)]
    return levels
