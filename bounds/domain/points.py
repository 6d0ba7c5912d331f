"""Points of one's own: a candidate list, a table of configurations that were tried."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import isfinite, lcm
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import BallArray, FloatArray, IntArray
from bounds.domain.base import Domain, FiniteKernel
from bounds.domain.grid import LARGEST_DIMENSION
from bounds.errors import InvalidInput
from bounds.kernels.base import LEAST_LENGTH, Kernel, require_length
from bounds.reading import read_text

if TYPE_CHECKING:
    from bounds.enclosure.doubles import Doubles

LARGEST_POINTS = 10_000
"""Points of the largest list accepted: its Gram matrix takes 800 MB."""

_ROWS = 256
"""Of a Gram matrix, computed together."""

_FEW = 100_000
"""Values of a kernel up to which balls of exact distances are read, which are closer."""

_NEIGHBOURS = 25
"""Points that count as near one of them: as many as a grid has within two steps in the plane."""


@dataclass(frozen=True)
class Points(Domain):
    """N different points in ℝ^d, in the order given.

    Parameters
    ----------
    rows : (N, d) finite numbers, 1 ≤ N ≤ `LARGEST_POINTS`; a list of numbers has d = 1
    source : where they came from, for tables

    Raises InvalidInput that names the row, from 1, for ragged rows, NaN, infinity and repetitions.

    >>> Points([[0.0, 0.0], [3.0, 4.0]]).enclosing_radius
    2.5
    """

    rows: tuple[tuple[float, ...], ...]
    source: str = field(default="given", compare=False)

    def __init__(self, rows: ArrayLike, source: str = "given") -> None:
        object.__setattr__(self, "rows", _checked(rows))
        object.__setattr__(self, "source", source)

    @cached_property
    def points(self) -> FloatArray:
        return np.array(self.rows)

    @property
    def size(self) -> int:
        return len(self.rows)

    @property
    def dimension(self) -> int:
        return len(self.rows[0])

    @property
    def title(self) -> str:
        number = "1 point" if self.size == 1 else f"{self.size} points"
        named = "" if self.source == "given" else f" of {self.source}"
        return f"{number}{named} in {self.dimension} dimension{'s' * (self.dimension > 1)}"

    def restricted(self, kernel: Kernel) -> FiniteKernel:
        return PointKernel(kernel, self)


@dataclass(frozen=True, eq=False)
class PointKernel(FiniteKernel):
    """A kernel on points without structure: its whole Gram matrix, once asked for.

    >>> from bounds.kernels import SquaredExponential
    >>> PointKernel(SquaredExponential(1.0), Points([0.0, 1.0])).column(0).round(4)
    array([1.    , 0.6065])
    """

    kernel: Kernel
    domain: Points

    @property
    def size(self) -> int:
        return self.domain.size

    @cached_property
    def coordinates(self) -> IntArray:
        ranks = [np.unique(along, return_inverse=True)[1] for along in self.domain.points.T]
        return np.stack([np.ravel(rank) for rank in ranks], axis=1).astype(np.int64)

    @cached_property
    def _gram(self) -> FloatArray:
        points, gram = self.domain.points, np.empty((self.size, self.size))
        for start in range(0, self.size, _ROWS):
            gram[start : start + _ROWS] = self.kernel.gram(points[start : start + _ROWS], points)
        return gram

    def column(self, index: int) -> FloatArray:
        return self._gram[:, index].copy()

    def gram(self, rows: IntArray, columns: IntArray) -> FloatArray:
        return self._gram[np.ix_(rows, columns)]

    def enclosed_gram(self, rows: IntArray, columns: IntArray) -> BallArray:
        scale, exact = self._exact
        value = self.enclosed_at(Fraction(1, scale * scale))
        table = np.empty((len(rows), len(columns)), dtype=object)
        for i, left in enumerate(exact[row] for row in rows):
            for j, right in enumerate(exact[column] for column in columns):
                table[i, j] = value(sum((a - b) ** 2 for a, b in zip(left, right, strict=True)))
        return table

    def enclosed_doubles(self, rows: IntArray, columns: IntArray) -> Doubles:
        if len(rows) * len(columns) <= _FEW:
            return super().enclosed_doubles(rows, columns)
        found = [self._doubles(rows[i : i + _ROWS], columns) for i in range(0, len(rows), _ROWS)]
        parts = [part for part in found if part is not None]
        if len(parts) < len(found):
            return super().enclosed_doubles(rows, columns)
        return type(parts[0])(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in ("mid", "rad"))
        )

    def _doubles(self, rows: IntArray, columns: IntArray) -> Doubles | None:
        """Intervals from differences in doubles; None for a kernel that balls alone know."""
        from bounds.enclosure.doubles import Doubles

        squared = Doubles.exact(np.zeros((len(rows), len(columns))))
        for along in self.domain.points.T:
            apart = Doubles.exact(along[rows][:, None]) - Doubles.exact(along[columns])
            squared = squared + apart.squares()
        return self.kernel.doubles_at_squares(squared)

    @cached_property
    def _exact(self) -> tuple[int, list[list[int]]]:
        """A whole number, and the coordinates times it, whole too: differences without rounding."""
        rows = [[Fraction(value) for value in row] for row in self.domain.rows]
        scale = lcm(*(value.denominator for row in rows for value in row))
        return scale, [[int(value * scale) for value in row] for row in rows]

    def neighbours(self, index: int) -> IntArray:
        count = min(_NEIGHBOURS, self.size)
        return np.atleast_1d(self.domain.tree.query(self.domain.points[index], k=count)[1])

    def lag_table(self) -> tuple[FloatArray, IntArray, IntArray]:
        places = np.arange(self.size, dtype=np.int64)
        return self._gram.ravel(), places * self.size, places


def sobol_points(count: int, dimension: int, side: float = 1.0) -> Points:
    """The first `count` points of the Sobol sequence in [0, side]^d, for domains of many axes.

    Not scrambled: the same points in every call. Raises InvalidInput for a count outside
    1 to `LARGEST_POINTS`, a dimension that a grid refuses too, and a side that is no length.

    >>> sobol_points(3, 2).points.tolist()
    [[0.0, 0.0], [0.5, 0.5], [0.75, 0.25]]
    """
    if not 1 <= count <= LARGEST_POINTS:
        raise InvalidInput("points", f"sobol:{count}", f"give 1 to {LARGEST_POINTS:,} points")
    if not 1 <= dimension <= LARGEST_DIMENSION:
        raise InvalidInput(
            "dimension", dimension, f"give a whole number from 1 to {LARGEST_DIMENSION}"
        )
    require_length("side", side)
    from scipy.stats import qmc  # slow to import

    power = (count - 1).bit_length()  # its balanced initial parts have 2^power points
    rows = qmc.Sobol(dimension, scramble=False).random_base2(power)[:count]
    return Points(side * rows, "the Sobol sequence")


def read_points(path: Path) -> Points:
    """The points of a CSV file: one a row, numbers alone, below a header or without one.

    Raises InvalidInput for a file that cannot be read and for what `Points` refuses.
    """
    read = read_text(path, "points")
    records = csv.reader(io.StringIO(read.text))
    try:
        # A header, the points, and one more than are accepted.
        held = islice((row for row in records if any(map(str.strip, row))), LARGEST_POINTS + 2)
        rows = list(held)
    except csv.Error as error:
        raise InvalidInput("points", read.name, f"this is not a CSV file ({error})") from None
    numbers: list[list[float]] = []
    for i, row in enumerate(rows):
        try:
            numbers.append([float(cell) for cell in row])
        except ValueError:
            if i == 0:
                continue  # a header
            bad = next(cell for cell in row if not _is_number(cell))
            remedy = f"give a number in row {i + 1} of {read.name}"
            raise InvalidInput("points", bad or "''", remedy) from None
    return Points(numbers, read.name)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _checked(rows: ArrayLike) -> tuple[tuple[float, ...], ...]:
    table = rows if isinstance(rows, list | tuple) else np.atleast_1d(rows)
    try:
        listed = [[float(x) for x in np.atleast_1d(row)] for row in table]
    except (TypeError, ValueError):
        raise InvalidInput("points", str(rows), "give rows of numbers") from None
    if not listed:
        raise InvalidInput("points", "none", "give at least one point")
    if len(listed) > LARGEST_POINTS:
        raise InvalidInput("points", f"{len(listed)} points", f"give at most {LARGEST_POINTS}")
    row_of: dict[tuple[float, ...], int] = {}
    for number, row in enumerate(listed, start=1):
        if len(row) != len(listed[0]) or not row:
            remedy = f"give {max(len(listed[0]), 1)} as in row 1"
            raise InvalidInput(f"row {number} of points", f"{len(row)} numbers", remedy)
        if not all(isfinite(x) and abs(x) <= 1.0 / LEAST_LENGTH for x in row):
            shown = ", ".join(f"{x:g}" for x in row)
            raise InvalidInput(f"row {number} of points", shown, "give finite numbers")
        point = tuple(x + 0.0 for x in row)  # −0 is 0
        if point in row_of:
            shown = ", ".join(f"{x:g}" for x in row)
            remedy = f"drop it: row {row_of[point]} is the same point"
            raise InvalidInput(f"row {number} of points", shown, remedy)
        row_of[point] = number
    return tuple(row_of)
