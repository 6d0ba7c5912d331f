"""A design on a grid that grows and changes point by point, at O(N·m) for each change.

For the m rounds of a design S it keeps C = (K_SS + σ²I)⁻¹, U = C·K_{S,D} and the posterior
variances over the grid D. With them the gain of any exchange is known at once: putting x for round
j multiplies det(K_SS + σ²I) by C_jj(v(x) + σ²) + U_j(x)².

The numbers drift with rounding. They only guide the selection; a gain is computed from the design.
"""

from __future__ import annotations

import copy

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import FiniteKernel
from bounds.numerics.compiled import compiled
from bounds.numerics.ties import TIE, first_largest

Arrays = tuple[FloatArray, IntArray, IntArray, IntArray, FloatArray, FloatArray, FloatArray]
"""The table of lags, its left and right places; points, C, U and variances of a design."""

_LEAST_GROWTH = 1e-4
_TILE = 512


class ExchangeableDesign:
    """A design of up to `capacity` rounds; memory O(capacity·N).

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> design = ExchangeableDesign(Grid(1, 1.0, 5).restricted(SquaredExponential(0.3)), 0.01, 2)
    >>> design.grow(2)
    >>> design.points
    array([0, 4])
    """

    def __init__(self, grid_kernel: FiniteKernel, noise_variance: float, capacity: int) -> None:
        self._noise = noise_variance
        self._table, self._left, self._right = grid_kernel.lag_table()
        self._points = np.zeros(capacity, dtype=np.int64)
        self._solved = np.zeros((capacity, grid_kernel.size))
        self._precision = np.zeros((capacity, capacity))
        self._variance = np.ones(grid_kernel.size)
        self.length = 0

    @property
    def points(self) -> IntArray:
        """(m,) a copy of the grid indices; in order of choice until the first exchange."""
        return self._points[: self.length].copy()

    def grow(self, length: int) -> None:
        """Add points of largest posterior variance until there are `length`."""
        for position in range(self.length, length):
            self._put(position, first_largest(self._variance, self._noise), new=True)
            self.length = position + 1

    def moved(self, positions: IntArray, points: IntArray) -> ExchangeableDesign:
        """A copy in which some rounds are at other grid points; as an exchange for each of them."""
        other = copy.copy(self)
        m = self.length
        other._points, other._variance = self._points.copy(), self._variance.copy()
        # What belongs to rounds yet to come is written before it is read.
        other._solved = np.empty_like(self._solved)
        other._precision = np.empty_like(self._precision)
        other._solved[:m], other._precision[:m, :m] = self._solved[:m], self._precision[:m, :m]
        for position, point in zip(positions.tolist(), points.tolist(), strict=True):
            other._put(position, point, new=False)
        return other

    def improve(self, most_exchanges: int) -> int:
        """Exchange rounds one by one for the best grid point; returns how many were exchanged.

        Stops when no exchange of a single round adds more than ½ log(1 + 1e-4) to the gain.
        """
        return int(_improve(self.length, most_exchanges, self._noise, self._arrays))

    def drop_order(self, shortest: int) -> IntArray:
        """The same points, reordered: from the end, each is the least useful of those before it.

        The first `shortest` are in no particular order. O(m²) for each point dropped.
        """
        alive = list(range(self.length))
        C = self._precision[: self.length, : self.length].copy()
        dropped: list[int] = []
        while len(alive) > max(shortest, 1):
            # Dropping round j multiplies the determinant by C_jj.
            worst = alive.pop(first_largest(C[alive, alive]))
            dropped.append(worst)
            C -= np.outer(C[:, worst], C[worst] / C[worst, worst])
        return self._points[np.array(alive + dropped[::-1], dtype=np.int64)]

    def _put(self, position: int, point: int, new: bool) -> None:
        _put(position, point, new, self.length, self._noise, self._arrays)

    @property
    def _arrays(self) -> Arrays:
        lags = (self._table, self._left, self._right)
        return *lags, self._points, self._solved, self._precision, self._variance


@compiled()
def _put(
    position: int,
    point: int,
    new: bool,
    length: int,
    noise_variance: float,
    arrays: Arrays,
) -> None:  # pragma: no cover
    """Let the round `position` be at `point`: a new round, or in place of the one there."""
    table, left, right, points, solved, precision, variance = arrays
    size = len(variance)
    removed = np.zeros(length)
    pivot = 1.0
    if not new:
        pivot = precision[position, position]
        for j in range(length):
            removed[j] = precision[j, position] / pivot
    solution = np.zeros(length)  # C·k_S(x), without the round that leaves
    cross = np.zeros(length)  # k_S(x)
    overlap = 0.0
    gone = 0.0 if new else solved[position, point]
    for j in range(length):
        if new or j != position:
            solution[j] = solved[j, point] - removed[j] * gone
            cross[j] = table[left[points[j]] + right[point]]
            overlap += cross[j] * removed[j]
    remaining = variance[point]
    if not new:
        remaining += gone * gone / pivot
    scale = 1.0 / (max(remaining, 0.0) + noise_variance)
    row = np.zeros(size)  # of U of the round that leaves
    if not new:
        row[:] = solved[position]
    covariance = np.zeros(size)  # posterior, of x with every grid point
    for begin in range(0, size, _TILE):
        # Loops from zero over parts of rows: of an index that begins elsewhere the compiler does
        # not know that it is no negative one, and takes one number at a time.
        end = min(begin + _TILE, size)
        columns, left_here = covariance[begin:end], left[begin:end]
        row_here, variance_here = row[begin:end], variance[begin:end]
        for z in range(end - begin):
            columns[z] = table[left_here[z] + right[point]] + overlap * row_here[z]
        for j in range(length):
            weight, solved_here = cross[j], solved[j, begin:end]
            for z in range(end - begin):
                columns[z] -= weight * solved_here[z]
        for j in range(length):
            a, b, solved_here = removed[j], scale * solution[j], solved[j, begin:end]
            for z in range(end - begin):
                solved_here[z] -= a * row_here[z] + b * columns[z]
        solved_here = solved[position, begin:end]
        for z in range(end - begin):
            solved_here[z] = scale * columns[z]
            variance_here[z] -= scale * columns[z] * columns[z]
        if not new:
            for z in range(end - begin):
                variance_here[z] += row_here[z] * row_here[z] / pivot
    if new:
        for j in range(length):
            for i in range(length):
                precision[j, i] += scale * solution[j] * solution[i]
    else:
        for j in range(length):
            for i in range(length):
                precision[j, i] += scale * solution[j] * solution[i]
                precision[j, i] -= pivot * removed[j] * removed[i]
    for j in range(length):
        precision[j, position] = precision[position, j] = -scale * solution[j]
    precision[position, position] = scale
    points[position] = point


@compiled()
def _improve(
    length: int,
    most_exchanges: int,
    noise_variance: float,
    arrays: Arrays,
) -> int:  # pragma: no cover
    """Cycle through the rounds; each moves to its best point where that helps enough."""
    solved, precision, variance = arrays[4:]
    exchanges, unchanged, position = 0, 0, 0
    while unchanged < length and exchanges < most_exchanges:
        pivot = precision[position, position]
        best, largest = 0, 0.0
        for x in range(len(variance)):
            u = solved[position, x]
            growth = pivot * (variance[x] + noise_variance) + u * u
            if growth > largest:
                best, largest = x, growth
        if largest > 1.0 + _LEAST_GROWTH:
            # Of points that tie by symmetry the first, whatever the last bits say.
            for x in range(best + 1):
                u = solved[position, x]
                growth = pivot * (variance[x] + noise_variance) + u * u
                if growth >= (1.0 - TIE) * largest:
                    best = x
                    break
            _put(position, best, False, length, noise_variance, arrays)
            exchanges += 1
            unchanged = 0
        else:
            unchanged += 1
        position = (position + 1) % length
    return exchanges
