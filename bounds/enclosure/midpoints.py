"""Arrays of intervals as floating-point midpoints and radii: enclosures at the speed of BLAS.

Rump, *Fast and parallel interval arithmetic*, BIT 39 (1999). A result is computed in doubles and
its radius covers what was rounded, by the bounds that hold for any order of summation (Higham,
*Accuracy and Stability*, section 3.5): an elementwise operation errs by u|result|, u = 2⁻⁵³, a sum
of k products by γ_k·Σ|a||b|, γ_k = ku/(1 − ku), plus what underflows. Radii are themselves sums and
products of non-negative doubles and enlarged by 1 + 2⁻⁴⁰ for that.
"""

from __future__ import annotations

from dataclasses import dataclass

import flint
import numpy as np
from numpy.typing import NDArray

from bounds.arrays import BallArray, FloatArray
from bounds.errors import NumericalFailure

IntArray = NDArray[np.intp]

UNIT = 2.0**-53
ENLARGED = 1.0 + 2.0**-40
_TINY = 1e-300  # above all that a sum of 4,096 products can lose by underflow
_MOST_TERMS = 4096  # of a sum, so that ENLARGED covers the rounding of its radius


@dataclass(frozen=True, eq=False)
class Intervals:
    """Every number within `radius` of `middle`, entry by entry; a radius may be 0.

    >>> third = Intervals.of_balls(np.array([flint.arb(1) / 3], dtype=object))
    >>> bool(((third + third + third) - Intervals.exact(np.ones(1))).magnitude()[0] < 1e-15)
    True
    """

    middle: FloatArray
    radius: FloatArray

    @classmethod
    def exact(cls, values: FloatArray) -> Intervals:
        """Doubles as the exact numbers that they are."""
        return cls(values, np.zeros_like(values))

    @classmethod
    def of_balls(cls, balls: BallArray) -> Intervals:
        """Intervals around balls of at least 53 bits."""
        middle = np.empty(balls.shape)
        radius = np.empty(balls.shape)
        for place, ball in np.ndenumerate(balls):
            near = float(ball)
            off = flint.arb(ball - near).abs_upper()
            middle[place], radius[place] = near, float(off) * ENLARGED + _TINY
        return cls(middle, radius)

    def __getitem__(self, place: IntArray) -> Intervals:
        """The entries at these places of the first axis."""
        return Intervals(self.middle[place], self.radius[place])

    def __add__(self, other: Intervals) -> Intervals:
        return _rounded(self.middle + other.middle, self.radius + other.radius)

    def __sub__(self, other: Intervals) -> Intervals:
        return _rounded(self.middle - other.middle, self.radius + other.radius)

    def __mul__(self, other: Intervals) -> Intervals:
        a, b = np.abs(self.middle), np.abs(other.middle)
        radius = a * other.radius + self.radius * (b + other.radius)
        return _rounded(self.middle * other.middle, radius)

    def scaled(self, factor: float) -> Intervals:
        """Times the exact number that a double is."""
        return _rounded(self.middle * factor, self.radius * abs(factor))

    def __matmul__(self, other: Intervals) -> Intervals:
        """The product of matrices, of at most 4,096 terms an entry."""
        terms = self.middle.shape[-1]
        _require_few(terms)
        a, b = np.abs(self.middle), np.abs(other.middle)
        share = (terms + 2) * UNIT * ENLARGED
        radius = a @ (share * b + other.radius)
        if np.any(self.radius):
            radius = radius + self.radius @ (b + other.radius)
        return Intervals(self.middle @ other.middle, radius * ENLARGED + _TINY)

    def column_sums(self) -> Intervals:
        """Sums over the first axis, of at most 4,096 terms."""
        terms = self.middle.shape[0]
        _require_few(terms)
        share = terms * UNIT * ENLARGED
        radius = (share * np.abs(self.middle) + self.radius).sum(axis=0)
        return Intervals(self.middle.sum(axis=0), radius * ENLARGED + _TINY)

    def upper(self) -> FloatArray:
        """Doubles ≥ every number inside.

        Raises NumericalFailure where an entry is no number or infinite.
        """
        top = self.middle + self.radius
        return _finite(top + UNIT * 4.0 * np.abs(top) + _TINY)

    def magnitude(self) -> FloatArray:
        """Doubles ≥ the absolute value of every number inside; raises as `upper` does."""
        return _finite((np.abs(self.middle) + self.radius) * ENLARGED)


def _rounded(middle: FloatArray, radius: FloatArray) -> Intervals:
    """The rounded result of one operation whose exact parts spread by `radius`."""
    return Intervals(middle, (radius + UNIT * np.abs(middle)) * ENLARGED + _TINY)


def _require_few(terms: int) -> None:
    if terms > _MOST_TERMS:
        raise NumericalFailure(f"a sum of {terms} terms is longer than its error bound reaches")


def _finite(values: FloatArray) -> FloatArray:
    if not np.all(np.isfinite(values)):
        raise NumericalFailure("an enclosure became infinite: use a smaller problem")
    return values
