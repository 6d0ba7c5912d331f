"""A scale of y on which f is Gaussian: y = T⁻¹(m + s·f), T a transform of Yeo and Johnson (2000).

T is fixed by the values that it was made for and changes neither their mean nor their variance, so
that m and s have one prior whatever the scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray

_LARGEST = 400.0
"""log(1 + |z|) of the farthest values: they are numbers, as long as y itself is below 1e100."""


def powered(z: FloatArray, power: float) -> FloatArray:
    """((1 + z)^λ − 1)/λ for z ≥ 0 and −((1 − z)^{2−λ} − 1)/(2 − λ) below, logarithms in the limits.

    λ < 1 draws large values in, λ > 1 stretches them; λ = 1 changes nothing.

    >>> powered(np.array([-1.0, 0.0, 3.0]), 0.0)
    array([-1.5       ,  0.        ,  1.38629436])
    """
    size = np.log1p(np.abs(z))
    exponent = np.where(z >= 0.0, power, 2.0 - power)
    return np.sign(z) * _grown(size, exponent)


def _grown(size: FloatArray, exponent: FloatArray) -> FloatArray:
    """(exp(exponent·size) − 1)/exponent; `size` where the exponent is 0."""
    safe = np.where(exponent == 0.0, 1.0, exponent)
    return np.where(exponent == 0.0, size, np.expm1(safe * size) / safe)


def unpowered(u: FloatArray, power: float) -> FloatArray:
    """The inverse of `powered`, for λ in [0, 2].

    >>> unpowered(powered(np.array([-2.0, 0.5]), 1.5), 1.5)
    array([-2. ,  0.5])
    """
    magnitudes = np.abs(u)
    for side, exponent in ((u >= 0.0, power), (u < 0.0, 2.0 - power)):
        size = magnitudes[side]
        logs = size if exponent == 0.0 else np.log1p(exponent * size) / exponent
        magnitudes[side] = np.expm1(np.minimum(logs, _LARGEST))
    return np.copysign(magnitudes, u)


@dataclass(frozen=True)
class Warp:
    """T(y) = shift + factor · powered((y − middle)/spread, power).

    power : λ in [0, 2]
    middle, spread : of y, in its units
    shift, factor : in units of y
    """

    power: float
    middle: float
    spread: float
    shift: float
    factor: float

    @classmethod
    def of(cls, values: FloatArray, power: float) -> Warp:
        """Around the median of values by their median distance, with their mean and deviation."""
        middle = float(np.median(values))
        spread = float(np.median(np.abs(values - middle))) or float(np.std(values))
        with np.errstate(all="ignore"):
            changed = powered((values - middle) / spread, power)
            factor = float(np.std(values) / np.std(changed))
            shift = float(np.mean(values)) - factor * float(np.mean(changed))
        return cls(power, middle, spread, shift, factor)

    @property
    def usable(self) -> bool:
        """Whether its numbers are; values of too many decades leave none on some scales."""
        return bool(np.isfinite(self.shift) and np.isfinite(self.factor) and self.factor > 0.0)

    def forward(self, values: FloatArray) -> FloatArray:
        """T(y)."""
        z = (values - self.middle) / self.spread
        return self.shift + self.factor * powered(z, self.power)

    def inverse(self, changed: FloatArray) -> FloatArray:
        """y, of T(y)."""
        z = unpowered((changed - self.shift) / self.factor, self.power)
        return self.middle + self.spread * z

    def log_jacobian(self, values: FloatArray) -> float:
        """Σ log T'(y_i)."""
        z = (values - self.middle) / self.spread
        by_power = (self.power - 1.0) * np.sign(z) * np.log1p(np.abs(z))
        return float(np.sum(by_power) + len(z) * np.log(self.factor / self.spread))
