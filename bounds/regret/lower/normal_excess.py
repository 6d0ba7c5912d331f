"""E(d + sZ)₊ of a standard normal Z, from above in doubles: quadratics over a table of balls.

E(d + sZ)₊ = d₊ + s·G(|d|/s) with G(z) = ϕ(z) − z(1 − Φ(z)). On a cell [z₀, z₀ + h] with z₀ ≥ 0 the
second derivative ϕ falls, so that G(z₀ + t) ≤ G(z₀) − (1 − Φ(z₀))·t + ½ϕ(z₀)·t². The three numbers
of each cell are enclosed by balls and rounded outward; behind the last cell G is at most its value
there. The quadratic is above G by at most h³/24. The same doubles come out on every processor.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import matrices
from bounds.numerics.compiled import compiled

CELLS_PER_UNIT = 256
LAST = 9
"""The table covers [0, 9]; G(9) is below 1e-19."""

ROUNDED_UP = 1.0 + 2.0**-45
"""Above what some hundred roundings of non-negative terms can take away."""


@cache
def excess_table() -> FloatArray:
    """(cells + 1, 3) of each cell start z₀: G and ½ϕ rounded up, 1 − Φ rounded down.

    >>> float(excess_table()[0, 0]) - 0.3989422804014327 < 1e-15
    True
    """
    count = LAST * CELLS_PER_UNIT
    table = np.empty((count + 1, 3))
    with enclosure.precision(matrices.WORKING_BITS):
        scale = enclosure.divide(1, enclosure.sqrt(2 * enclosure.pi()))
        for k in range(count + 1):
            z = enclosure.exact(Fraction(k, CELLS_PER_UNIT))
            density = enclosure.ball(scale * enclosure.exp(-z * z / 2))
            tail = enclosure.normal_cdf(-z)
            table[k, 0] = matrices.upward(density - z * tail)
            table[k, 1] = matrices.downward(tail)
            table[k, 2] = matrices.upward(density / 2)
    # A last row past the end, so that a quotient that rounds up to the end still has a cell.
    table[count, 1:] = 0.0
    return table


@compiled()
def excess_above(d: float, s: float, table: FloatArray) -> float:  # pragma: no cover
    """E(d + sZ)₊ ≤ this, s ≥ 0, up to 2⁻⁴⁸(|d| + s) of rounding."""
    positive = d if d > 0.0 else 0.0
    distance = d if d > 0.0 else -d
    if distance >= LAST * s:
        return float(positive + s * table[-1, 0])
    z = distance / s
    cell = int(z * CELLS_PER_UNIT)
    t = z - cell / CELLS_PER_UNIT
    quadratic = table[cell, 0] - t * (table[cell, 1] - t * table[cell, 2])
    return float(positive + s * quadratic)


@compiled()
def excesses_above(
    means: FloatArray, spreads: FloatArray, points: FloatArray, table: FloatArray
) -> FloatArray:  # pragma: no cover
    """(R, m, l) `excess_above` of means[r, m] − points[l] at the spread of row r."""
    rows, width = means.shape
    excesses = np.empty((rows, width, len(points)))
    for r in range(rows):
        for m in range(width):
            for l in range(len(points)):
                excesses[r, m, l] = excess_above(means[r, m] - points[l], spreads[r], table)
    return excesses


def excesses_of_rounded(means: FloatArray, spreads: FloatArray, knots: FloatArray) -> FloatArray:
    """(R, m, l) from above where a mean (R, m) is a product of two doubles that was rounded."""
    excesses = excesses_above(means, spreads, knots, excess_table()) * ROUNDED_UP
    slack = 2.0**-44 * (1.0 + np.abs(means)[:, :, None] + np.abs(knots))
    return np.asarray(excesses + slack)


def excess_between(d: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Numbers below and above E(d + sZ)₊, up to 2⁻⁴⁸(|d| + s) of rounding, by broadcasting.

    From below ϕ of the end of the cell takes the place of that of its start.

    >>> low, high = excess_between(np.array([-1.0, 0.0, 2.0]), np.array([1.0, 0.5, 0.0]))
    >>> high.round(6).tolist(), bool(np.all(high - low < 1e-7))
    ([0.083315, 0.199471, 2.0], True)
    """
    table, (d, s) = excess_table(), np.broadcast_arrays(d, s)
    positive, distance = np.maximum(d, 0.0), np.abs(d)
    far = distance >= LAST * s
    z = np.where(far, 0.0, distance / np.where(far, 1.0, s))
    cell = (z * CELLS_PER_UNIT).astype(np.int64)
    t = z - cell / CELLS_PER_UNIT
    height, tail, half = table[cell].transpose(-1, *range(z.ndim))
    above = np.where(far, table[-1, 0], height - t * (tail - t * half))
    down, up = 1.0 - 2.0**-50, 1.0 + 2.0**-50
    next_half = table[np.minimum(cell + 1, len(table) - 1), 2] * down
    below = np.where(far, 0.0, height * down - t * (tail * up - t * next_half))
    return positive + s * np.maximum(below, 0.0), positive + s * above
