"""Kernels of scaled squared distances, with their derivatives.

With r² = Σ_i (x_i − x'_i)²/ℓ_i² a shape is k(r²) and the g with ∂k/∂log ℓ_i = g·(x_i − x'_i)²/ℓ_i².
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
