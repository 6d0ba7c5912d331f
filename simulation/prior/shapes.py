"""Kernels of scaled squared distances, with their derivatives.

With r² = Σ_i (x_i − x'_i)²/ℓ_i² a shape is k(r²) and the g with ∂k/∂log ℓ_i = g·(x_i − x'_i)²/ℓ_i².
Words without an order and inputs that only some points have take another square: `apart`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray


@dataclass(frozen=True)
class Shape:
    """k and g as functions of r²; `value` may write into its argument."""

    name: str
    value: Callable[[FloatArray], FloatArray]
    value_and_slope: Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def _se(squared: FloatArray) -> FloatArray:
    squared *= -0.5
    return np.exp(squared, out=squared)


def _se_slope(squared: FloatArray) -> tuple[FloatArray, FloatArray]:
    value = np.exp(-0.5 * squared)
    return value, value


def _matern52(squared: FloatArray) -> FloatArray:
    squared *= 5.0
    z = np.sqrt(squared)
    squared /= 3.0
    squared += z
    squared += 1.0
    np.negative(z, out=z)
    squared *= np.exp(z, out=z)
    return squared


def _matern52_slope(squared: FloatArray) -> tuple[FloatArray, FloatArray]:
    z = np.sqrt(5.0 * squared)
    gone = np.exp(-z)
    return (1.0 + z + z * z / 3.0) * gone, 5.0 / 3.0 * (1.0 + z) * gone


def _matern32(squared: FloatArray) -> FloatArray:
    z = np.sqrt(3.0 * squared)
    return np.asarray((1.0 + z) * np.exp(-z))


def _matern32_slope(squared: FloatArray) -> tuple[FloatArray, FloatArray]:
    z = np.sqrt(3.0 * squared)
    gone = np.exp(-z)
    return (1.0 + z) * gone, 3.0 * gone


ABSENT = -1.0
"""The place on an axis of [0, 1] of a point that does not have that input."""


def apart(left: FloatArray, right: FloatArray, *, words: bool, optional: bool) -> FloatArray:
    """Squared distances between places on one axis, of shapes that are brought together.

    Any two different words are at distance 1. Of an optional input places are on an arc of one
    radian of the unit circle and `ABSENT` is its centre (Swersky et al. 2014): a point without the
    input is at distance 1 from every point that has it, whatever its value there, and at 0 from
    those that lack it too. Both are distances of points in a Euclidean space, so that every shape
    of r² is positive semi-definite.

    >>> apart(np.array([0.0, 0.0, ABSENT]), np.array([1.0, ABSENT, ABSENT]), words=False,
    ...       optional=True).round(4)
    array([0.9194, 1.    , 0.    ])
    """
    if words:
        return np.asarray(left != right, dtype=float)
    if not optional:
        return np.asarray((left - right) ** 2)
    both = (left != ABSENT) & (right != ABSENT)
    chord = 2.0 * np.sin(0.5 * (left - right))
    return np.where(both, chord * chord, left != right)


TWO_SCALES = "two-scales"
_RATIO = 4.0
_FINE = 0.3


def _two_scales(squared: FloatArray) -> FloatArray:
    coarse = np.exp(-0.5 * squared)
    return np.asarray((1.0 - _FINE) * coarse + _FINE * np.exp(-0.5 * _RATIO**2 * squared))


def _two_scales_slope(squared: FloatArray) -> tuple[FloatArray, FloatArray]:
    coarse = (1.0 - _FINE) * np.exp(-0.5 * squared)
    fine = _FINE * np.exp(-0.5 * _RATIO**2 * squared)
    return coarse + fine, coarse + _RATIO**2 * fine


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("se", _se, _se_slope),
        Shape("matern32", _matern32, _matern32_slope),
        Shape("matern52", _matern52, _matern52_slope),
        Shape(TWO_SCALES, _two_scales, _two_scales_slope),
    )
}
"""The families that can be fitted, by the names of `bounds.kernels`; and two scales, 0.7 of a
squared exponential at ℓ and 0.3 of one at ℓ/4, which has no name there."""
