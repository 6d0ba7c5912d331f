"""The regular grid, the domain of the paper's experiments, and a stationary kernel on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm, prod
from typing import TYPE_CHECKING

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray, BoolArray, FloatArray, IntArray
from bounds.domain.base import Domain, FiniteKernel
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel, require_length

if TYPE_CHECKING:
    from bounds.enclosure.doubles import Doubles

LARGEST_GRID = 20_000
"""Points of the largest grid accepted: one Gram matrix of it takes 3.2 GB."""
LARGEST_DIMENSION = 64
"""Most axes of a grid: more than any grid with two points per axis can have, or arrays allow."""

_ON_GRID = 1e-9
"""Shares of the grid's step by which a point may miss a grid point and still be it."""

_USUAL, _USUAL_POINTS = 50, 2_500
_MOST_REFLECTED_AXES = 3  # more axes stay whole: the number of blocks doubles with each


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
        if not (is_whole(self.dimension) and 1 <= self.dimension <= LARGEST_DIMENSION):
            raise InvalidInput(
                "dimension", self.dimension, f"give a whole number from 1 to {LARGEST_DIMENSION}"
            )
        for side in _listed(self.side):
            require_length("side", side)
        sides = tuple(map(float, _listed(self.side)))
        object.__setattr__(self, "side", sides if isinstance(self.side, tuple) else sides[0])
        counts = _listed(self.points_per_axis)
        for count in counts:
            if not (is_whole(count) and count >= 1):
                raise InvalidInput("grid", count, "give a whole number of at least 1")
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


@dataclass(frozen=True, eq=False)
class GridKernel(FiniteKernel):
    """A stationary kernel k on the N points of a grid, addressed by their index in `grid.points`.

    It takes one value for each lag (difference of indices along the axes), so Gram matrices are
    look-ups in a table. The grid is unchanged by the reflection of an axis; the group of these
    reflections splits the kernel into one kernel for each parity,

        k = Σ_e k_e,   k_e(x, y) = (1/|G|) Σ_g χ_e(g) k(x, g·y),

    whose feature spaces are orthogonal. For a design that is itself unchanged by the reflections, a
    matrix over the grid falls apart into |G| = 2^d blocks over the N/2^d points of one orthant.

    >>> from bounds.kernels import SquaredExponential
    >>> grid_kernel = GridKernel(SquaredExponential(0.5), Grid(1, 1.0, 3))
    >>> grid_kernel.column(0).round(4)
    array([1.    , 0.6065, 0.1353])
    """

    kernel: Kernel
    grid: Grid

    @property
    def size(self) -> int:
        """N."""
        return self.grid.size

    @cached_property
    def _by_lag(self) -> FloatArray:
        """(2q−1, …) k at the lags −(q−1) … q−1 of each axis."""
        shape = self.grid.shape
        squared = np.zeros(shape)
        for axis, (side, q) in enumerate(zip(self.grid.sides, shape, strict=True)):
            step = side / (q - 1) if q > 1 else 0.0
            along = (np.arange(q) * step) ** 2
            squared = squared + along.reshape((-1,) + (1,) * (len(shape) - 1 - axis))
        table = self.kernel.at_distance(np.sqrt(squared))
        lags = [np.abs(np.arange(-(q - 1), q)) for q in shape]
        return np.ascontiguousarray(table[np.ix_(*lags)])

    @cached_property
    def _lag_strides(self) -> IntArray:
        widths = 2 * np.array(self.grid.shape, dtype=np.int64) - 1
        return np.append(np.cumprod(widths[:0:-1])[::-1], 1)

    @cached_property
    def _offsets(self) -> IntArray:
        """(N,) index of each point in the flattened table of lags, up to the common origin."""
        return np.asarray(self.coordinates @ self._lag_strides)

    @cached_property
    def coordinates(self) -> IntArray:
        """(N, d) index of each point along each axis."""
        return np.stack(np.unravel_index(np.arange(self.size), self.grid.shape), axis=1)

    def lag_table(self) -> tuple[FloatArray, IntArray, IntArray]:
        return self._by_lag.ravel(), self._offsets, self._origin - self._offsets

    @cached_property
    def _origin(self) -> int:
        return int((np.array(self.grid.shape, dtype=np.int64) - 1) @ self._lag_strides)

    @cached_property
    def enclosed_lags(self) -> BallArray:
        """(q, …, q) balls around k at the lags 0 … q−1 of each axis, of the exact points.

        Lags that differ by the order of the axes share one value: O(q^d/d!) kernel values, at the
        working precision. Raises NoEnclosure for a kernel without one.
        """
        from bounds.enclosure import matrices

        squares = [
            [(Fraction(side) * i / max(q - 1, 1)) ** 2 for i in range(q)]
            for side, q in zip(self.grid.sides, self.grid.shape, strict=True)
        ]
        unit = Fraction(1, lcm(*(square.denominator for along in squares for square in along)))
        whole = [[int(square / unit) for square in along] for along in squares]
        value = self.enclosed_at(unit)
        table = np.empty(self.grid.shape, dtype=object)
        with enclosure.precision(matrices.WORKING_BITS):
            for lag in np.ndindex(table.shape):
                table[lag] = value(sum(along[i] for along, i in zip(whole, lag, strict=True)))
        return table

    def enclosed_gram(self, rows: IntArray, columns: IntArray) -> BallArray:
        coordinates = self.coordinates
        lags = np.abs(coordinates[rows][:, None, :] - coordinates[columns][None, :, :])
        return np.asarray(self.enclosed_lags[tuple(np.moveaxis(lags, -1, 0))])

    @cached_property
    def _doubles_by_lag(self) -> Doubles:
        """(…,) intervals around k at the lags −(q−1) … q−1 of each axis, flattened as `_by_lag`."""
        from bounds.enclosure.doubles import Doubles

        doubles = Doubles.of_balls(self.enclosed_lags)
        lags = np.ix_(*[np.abs(np.arange(-(q - 1), q)) for q in self.grid.shape])
        return Doubles(doubles.mid[lags].ravel(), doubles.rad[lags].ravel())

    def enclosed_doubles(self, rows: IntArray, columns: IntArray) -> Doubles:
        lag = np.subtract.outer(self._offsets[rows], self._offsets[columns]) + self._origin
        return self._doubles_by_lag[lag]

    def neighbours(self, index: int) -> IntArray:
        """Those at most two steps away along every axis."""
        nearby = np.zeros(1, dtype=np.int64)
        for c, q in zip(self.coordinates[index].tolist(), self.grid.shape, strict=True):
            nearby = (q * nearby[:, None] + np.arange(max(0, c - 2), min(q, c + 3))).ravel()
        return nearby

    def column(self, index: int) -> FloatArray:
        """(N,) k(·, x) for the grid point x; O(N), a copy of a window of the table."""
        window = tuple(
            slice(q - 1 - int(i), 2 * q - 1 - int(i))
            for q, i in zip(self.grid.shape, self.coordinates[index], strict=True)
        )
        return np.ascontiguousarray(self._by_lag[window]).ravel()

    def gram(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """K of the grid points `rows` (a,) and `columns` (b,): (a, b)."""
        lag = np.subtract.outer(self._offsets[rows], self._offsets[columns]) + self._origin
        return np.asarray(self._by_lag.ravel()[lag])

    @cached_property
    def reflections(self) -> IntArray:
        """(|G|, N) index of the image of each point under each reflection; the first is none."""
        images = []
        for flips in itertools.product((0, 1), repeat=self._split_axes):
            image = self.coordinates.copy()
            for axis, flip in enumerate(flips):
                if flip:
                    image[:, axis] = self.grid.shape[axis] - 1 - image[:, axis]
            images.append(np.ravel_multi_index(tuple(image.T), self.grid.shape))
        return np.array(images, dtype=np.int64)

    @property
    def _split_axes(self) -> int:
        return min(_MOST_REFLECTED_AXES, len(self.grid.shape))

    @cached_property
    def characters(self) -> FloatArray:
        """(|G|, |G|) χ_e(g) = ±1, parities by rows."""
        group = list(itertools.product((0, 1), repeat=self._split_axes))
        return np.array(
            [[(-1.0) ** int(np.dot(e, g)) for g in group] for e in group], dtype=float
        ).reshape(len(group), len(group))

    @cached_property
    def orthant(self) -> IntArray:
        """(N₀,) the points with index ≤ (q−1)/2 along every axis that is split, in grid order."""
        last = np.array(self.grid.shape)[: self._split_axes] - 1
        inside = np.all(2 * self.coordinates[:, : self._split_axes] <= last, axis=1)
        return np.flatnonzero(inside)

    @cached_property
    def orbit_sizes(self) -> IntArray:
        """(N₀,) how many distinct grid points the reflections make of each point of the orthant."""
        images = np.sort(self.reflections[:, self.orthant], axis=0)
        return np.asarray(1 + np.count_nonzero(np.diff(images, axis=0), axis=0))

    def parity_variances(self) -> FloatArray:
        """(|G|, N₀) k_e(x, x) on the orthant; their sum over e is 1."""
        lag = self._offsets[self.reflections[:, self.orthant]] - self._offsets[self.orthant]
        values = self._by_lag.ravel()[lag + self._origin]
        return np.asarray(self.characters @ values / len(self.reflections))


@lru_cache(maxsize=4)
def _restricted(kernel: Kernel, grid: Grid) -> GridKernel:
    """Shared, for its tables of lags in doubles and balls take a while."""
    return GridKernel(kernel, grid)


def is_whole(value: object) -> bool:
    """Whether it is a whole number, and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


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
