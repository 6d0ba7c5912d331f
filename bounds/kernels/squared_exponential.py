"""The squared exponential kernel, whose sample paths are analytic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log1p, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray
from bounds.kernels.base import Kernel, require_length

if TYPE_CHECKING:
    from bounds.enclosure import Number
    from bounds.enclosure.doubles import Doubles


@dataclass(frozen=True)
class SquaredExponential(Kernel):
    """k(r) = exp(−r²/(2ℓ²)).

    >>> float(SquaredExponential(0.2).at_distance(0.2)).__round__(6)
    0.606531
    """

    lengthscale: float

    space_names = ("se",)
    time_names = ("se",)
    name = "se"
    title = "squared exponential"
    smoothness = float("inf")
    is_nonnegative = True
    is_nonincreasing = True

    def __post_init__(self) -> None:
        require_length("lengthscale", self.lengthscale)

    def at_distance(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(np.exp(-0.5 * np.divide(distance, self.lengthscale) ** 2))

    def complement(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(-np.expm1(-0.5 * np.divide(distance, self.lengthscale) ** 2))

    @property
    def slope(self) -> float:
        """(1 − e^{−u²/2})/u over ℓ at its maximum, the root u of e^{u²/2} = 1 + u²."""
        u = self.steepest_distance / self.lengthscale
        return float(-np.expm1(-u * u / 2) / u / self.lengthscale)

    @property
    def steepest_distance(self) -> float:
        from scipy import optimize  # here: slow to import, rarely needed

        u = optimize.brentq(lambda v: log1p(v * v) - v * v / 2, 1.0, 2.0, xtol=1e-15)
        return float(u) * self.lengthscale

    @property
    def gaussian_lengthscale(self) -> float:
        return self.lengthscale

    @property
    def derivative_variance(self) -> float:
        """1/ℓ²."""
        return 1.0 / self.lengthscale**2

    @property
    def curvature_variance(self) -> float:
        """3/ℓ⁴."""
        return 3.0 / self.lengthscale**4

    def derivative_rise(self, dimension: int, sides: FloatArray) -> FloatArray:
        """√(2/π)/ℓ·((1 + √3u)(1 + u)^{d−1} − 1), u = h/ℓ."""
        u = sides / self.lengthscale
        rise = (1.0 + sqrt(3.0) * u) * (1.0 + u) ** (dimension - 1) - 1.0
        return np.asarray(sqrt(2.0 / pi) / self.lengthscale * rise)

    def derivative_over_distance(self, distance: FloatArray) -> FloatArray:
        """−k/ℓ²."""
        return np.asarray(-self.at_distance(distance) / self.lengthscale**2)

    def enclosed_at_distance(self, distance: Number) -> Number:
        if isinstance(distance, int | Fraction) and distance == 0:
            return 1
        scaled = enclosure.divide(distance, Fraction(self.lengthscale))
        return enclosure.exp(-enclosure.divide(scaled * scaled, 2))

    def doubles_at_squares(self, squared: Doubles) -> Doubles:
        from bounds.enclosure.doubles import Doubles
        from bounds.enclosure.exponential import exp_of_doubles

        length = Doubles.exact(self.lengthscale)
        return exp_of_doubles(Doubles.exact(-0.5) * squared / length.squares())

    def enclosed_derivative_variance(self) -> Number:
        return enclosure.exact(1 / Fraction(self.lengthscale) ** 2)

    def enclosed_curvature_variance(self) -> Number:
        return enclosure.exact(3 / Fraction(self.lengthscale) ** 4)

    def enclosed_derivative_rise(self, dimension: int, side: Fraction) -> Number:
        length = enclosure.exact_double(self.lengthscale)
        u = enclosure.exact(side) / length
        rise = (1 + enclosure.sqrt(3) * u) * (1 + u) ** (dimension - 1) - 1
        return enclosure.ball(enclosure.sqrt(2 / enclosure.pi()) / length * rise)

    def enclosed_radial(self, squared: BallArray) -> tuple[BallArray, BallArray]:
        length = self._length()
        value = np.exp(squared * (-1 / (2 * length * length)))
        return value, value * (-1 / (length * length))

    def enclosed_remainder(self, distance: Number) -> Number:
        """½d²√3/ℓ²."""
        length = self._length()
        return distance * distance * enclosure.ball(3).sqrt() / (2 * length * length)

    def _length(self) -> Number:
        return enclosure.ball(enclosure.exact_double(self.lengthscale))
