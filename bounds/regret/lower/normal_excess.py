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
from bounds.compiled import compiled
from bounds.enclosure import matrices

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
    found = np.empty((count + 1, 3))
    with enclosure.precision(matrices.WORKING_BITS):
        scale = enclosure.divide(1, enclosure.sqrt(2 * enclosure.pi()))
        for k in range(count + 1):
            z = enclosure.exact(Fraction(k, CELLS_PER_UNIT))
            density = enclosure.ball(scale * enclosure.exp(-z * z / 2))
            tail = enclosure.normal_cdf(-z)
            found[k, 0] = matrices.upward(density - z * tail)
            found[k, 1] = matrices.downward(tail)
            found[k, 2] = matrices.upward(density / 2)
    # A last row past the end, so that a quotient that rounds up to the end still has a cell.
    found[count, 1:] = 0.0
    return found


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
