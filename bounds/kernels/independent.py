"""No covariance between different points: what independent arms have, whatever is asked of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.kernels.base import Kernel

if TYPE_CHECKING:
    from bounds.enclosure import Number


@dataclass(frozen=True)
class Independent(Kernel):
    """k(0) = 1, and k(r) = 0 for r > 0.

    >>> Independent().gram([[0.0], [1.0]]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    name = "independent"
    is_markov = True
    is_nonnegative = True
    is_nonincreasing = True
    derivative_variance = float("inf")

    def at_distance(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(np.equal(distance, 0.0), dtype=float)

    def complement(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(np.not_equal(distance, 0.0), dtype=float)

    def derivative_over_distance(self, distance: FloatArray) -> FloatArray:
        """0: flat wherever it has a slope."""
        return np.zeros(np.shape(distance))

    def enclosed_at_distance(self, distance: Number) -> Number:
        if isinstance(distance, int | Fraction) or enclosure.is_exact(distance):
            return int(distance == 0)
        apart = enclosure.certainly_lt(0, distance)
        return 0 if apart else enclosure.interval(Fraction(0), Fraction(1))
