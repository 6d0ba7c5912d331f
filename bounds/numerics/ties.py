"""The first of what is equally good: choices that do not hang on the last bit of a number."""

from __future__ import annotations

import numpy as np

from bounds.arrays import FloatArray

TIE = 1e-9
"""Shares by which a value must be larger to count as larger. Sums and exponentials of other
processors differ by some 1e-15 of their terms, so that symmetric points tie on none or on all."""


def first_largest(values: FloatArray, scale: float = 0.0) -> int:
    """The first index whose value is within `TIE` of the largest, by its size and `scale`.

    `scale` is the size of what the values are differences of.

    >>> first_largest(np.array([1.0, 3.0, 3.0 + 1e-15]))
    1
    >>> first_largest(np.array([0.0, 1e-12]), scale=1.0)
    0
    """
    place = int(np.argmax(values))
    top = float(values[place])
    if not np.isfinite(top):
        return place
    return int(np.argmax(values >= top - TIE * (abs(top) + scale)))
