"""A stationary kernel on a grid: its values by lag, and its split under the grid's reflections.

On a grid a stationary kernel takes one value for each lag (difference of indices along the axes),
so Gram matrices are look-ups in a table. The grid is unchanged by the reflection of an axis; the
group of these reflections splits the kernel into one kernel for each parity,

    k = Σ_e k_e,   k_e(x, y) = (1/|G|) Σ_g χ_e(g) k(x, g·y),

whose feature spaces are orthogonal. For a design that is itself unchanged by the reflections, a
matrix over the grid falls apart into |G| = 2^d blocks over the N/2^d points of one orthant.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bounds.arrays import BallArray, FloatArray, IntArray
from bounds.domain.base import FiniteKernel
from bounds.kernels.base import Kernel

if TYPE_CHECKING:
    from bounds.enclosure import Number
    from bounds.enclosure.doubles import Doubles

MOST_REFLECTED_AXES = 3
"""More axes than these stay whole: the number of blocks doubles with each."""


class Lattice(Protocol):
    """A regular grid: sides, and numbers of points, along each axis."""

    @property
    def sides(self) -> tuple[float, ...]: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def size(self) -> int: ...


@dataclass(frozen=True, eq=False)
class GridKernel(FiniteKernel):
    """The kernel k on the N points of a grid, addressed by their index in `grid.points`.

    Parameters
    ----------
    kernel : Kernel
    grid : Grid
    reflected_axes : how many of the axes are used to split the kernel; 0 for none

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> grid_kernel = GridKernel(SquaredExponential(0.5), Grid(1, 1.0, 3))
    >>> grid_kernel.column(0).round(4)
    array([1.    , 0.6065, 0.1353])
    """

    kernel: Kernel
    grid: Lattice
    reflected_axes: int = MOST_REFLECTED_AXES

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

    def enclosed_lags(self) -> BallArray:
        """(q, …, q) balls around k at the lags 0 … q−1 of each axis, of the exact points.

        Lags that differ by the order of the axes share one value: O(q^d/d!) kernel values, at the
        precision in force. Raises NoEnclosure for a kernel without one.
        """
        from bounds import enclosure

        squares = [
            [(Fraction(side) * i / max(q - 1, 1)) ** 2 for i in range(q)]
            for side, q in zip(self.grid.sides, self.grid.shape, strict=True)
        ]
        unit = Fraction(1, lcm(*(square.denominator for along in squares for square in along)))
        whole = [[int(square / unit) for square in along] for along in squares]
        by_square: dict[int, Number] = {}
        table = np.empty(self.grid.shape, dtype=object)
        for lag in np.ndindex(table.shape):
            square = sum(along[i] for along, i in zip(whole, lag, strict=True))
            if square not in by_square:
                distance = enclosure.sqrt(square * unit)
                by_square[square] = enclosure.ball(self.kernel.enclosed_at_distance(distance))
            table[lag] = by_square[square]
        return table

    @cached_property
    def _enclosed(self) -> BallArray:
        from bounds.enclosure import matrices, precision

        with precision(matrices.WORKING_BITS):
            return self.enclosed_lags()

    def enclosed_gram(self, rows: IntArray, columns: IntArray) -> BallArray:
        coordinates = self.coordinates
        lags = np.abs(coordinates[rows][:, None, :] - coordinates[columns][None, :, :])
        return np.asarray(self._enclosed[tuple(np.moveaxis(lags, -1, 0))])

    @cached_property
    def _doubles_by_lag(self) -> Doubles:
        """(…,) intervals around k at the lags −(q−1) … q−1 of each axis, flattened as `_by_lag`."""
        from bounds.enclosure.doubles import Doubles

        doubles = Doubles.of_balls(self._enclosed)
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
        return min(self.reflected_axes, len(self.grid.shape))

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
