"""The Matérn kernels, of every smoothness ν > 0; ν = ½ is the exponential kernel."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import comb, factorial, sqrt
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel, number_behind, require_length, require_positive
from bounds.kernels.chaining import chained, enclosed_chained
from bounds.numerics.least import least_between

if TYPE_CHECKING:
    from bounds.enclosure import Number
    from bounds.enclosure.doubles import Doubles

_ALL_GONE = 1e5  # e^{-z} z^ν is far below the least double for every ν up to 100
_CANCELS = 0.05  # below it 1 − k would lose digits that an integral keeps
_FROM_WHOLE = 0.1  # the two parts of the series cancel where ν is nearer to a whole number
_SERIES = 20  # terms: x < ¼ makes the rest less than 1e-20
_SMOOTH = 12.0  # from this ν on, what is no power of z² is less than 1e-20 for small z
_AT_ONCE = 1 << 14  # integrals, each of 48 nodes
_NAMED = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}


@dataclass(frozen=True)
class Matern(Kernel):
    """k(r) = 2^{1−ν}/Γ(ν) · z^ν K_ν(z) with z = √(2ν) r/ℓ, for every ν > 0.

    Half-integer ν = p + ½ takes the closed form e^{−z} Σ_{j≤p} c_j z^j. ν = ½ is the
    exponential kernel exp(−r/ℓ).
    """

    nu: float
    lengthscale: float

    space_names = (*_NAMED, "matern:NU")
    time_names = ("exponential", *_NAMED, "matern:NU")
    is_nonnegative = True
    is_nonincreasing = True

    def __post_init__(self) -> None:
        require_positive("nu", self.nu)
        if self.nu > 100:
            raise InvalidInput("nu", self.nu, "give at most 100, or use the se kernel (ν → ∞)")
        require_length("lengthscale", self.lengthscale)

    @property
    def name(self) -> str:
        twice = 2 * self.nu
        return f"matern{int(twice)}2" if twice in (1, 3, 5) else f"matern:{self.nu:g}"

    @property
    def title(self) -> str:
        halves = {0.5: "1/2", 1.5: "3/2", 2.5: "5/2", 3.5: "7/2"}
        return f"Matérn-{halves.get(self.nu, f'{self.nu:g}')}"

    @property
    def smoothness(self) -> float:
        return self.nu

    @property
    def is_markov(self) -> bool:
        return self.nu == 0.5

    @property
    def completely_monotone(self) -> bool:
        return self.nu <= 0.5

    @property
    def slope(self) -> float:
        """θ; 1/ℓ for ν = ½, infinite below (1 − k ~ r^{2ν}), the maximum of (1 − k)/r above."""
        if self.nu < 0.5:
            return float("inf")
        if self.nu == 0.5:
            return 1.0 / self.lengthscale
        r = self.steepest_distance
        # The maximum is flat: an error of 1e-8 in r costs 1e-16, well inside the margin.
        return float(self.complement(r)) / r * (1.0 + 1e-12)

    @cached_property
    def steepest_distance(self) -> float:
        if self.nu <= 0.5:
            return 0.0
        unit = Matern(self.nu, 1.0)

        def falling_ratio(log_r: float) -> float:
            r = float(np.exp(log_r))
            return -float(unit.complement(r)) / r

        # (1 − k)/r rises from 0, peaks once near r = ℓ and falls like 1/r.
        log_r, _ = least_between(falling_ratio, -12.0, 3.0, 1e-12)
        return float(np.exp(log_r)) * self.lengthscale

    def at_distance(self, distance: ArrayLike) -> FloatArray:
        z = self._scaled(distance)
        if self._half_integer_order is not None:
            return np.asarray(np.exp(-z) * np.polynomial.polynomial.polyval(z, self._coefficients))
        return np.asarray(1.0 - self.complement(distance))

    def complement(self, distance: ArrayLike) -> FloatArray:
        """1 − k(r).

        For ν = p + ½ as P(p+1, z) + e^{−z} Σ_{j≤p} (1/j! − c_j) z^j, every term of which is
        non-negative (P is the regularised lower incomplete gamma function); otherwise, where
        1 − k would cancel, as the integral of −k′(u) = 2^{1−ν}/Γ(ν) · u^ν K_{ν−1}(u) over [0, z].
        """
        z = self._scaled(distance)
        order = self._half_integer_order
        if order is not None:
            from scipy import special  # here, as everywhere in this file: slow to import

            rest = np.array([1.0 / factorial(j) for j in range(order + 1)]) - self._coefficients
            polynomial = np.polynomial.polynomial.polyval(z, rest)
            return np.asarray(special.gammainc(order + 1, z) + np.exp(-z) * polynomial)
        return self._complement_of_any_order(z)

    def _complement_of_any_order(self, z: FloatArray) -> FloatArray:
        from scipy import special

        log_factor = (1.0 - self.nu) * np.log(2.0) - special.gammaln(self.nu)
        complement = np.ones_like(z)
        by_series = self.nu >= _SMOOTH or abs(self.nu - round(self.nu)) >= _FROM_WHOLE
        reach = self._series_reach
        inside = (z >= reach if by_series else z > 0.0) & (z < _ALL_GONE)
        far = z[inside]
        with np.errstate(over="ignore"):  # K_ν overflows at small z, which the integral takes over
            log_k = log_factor + self.nu * np.log(far) + np.log(special.kve(self.nu, far)) - far
        complement[inside] = -np.expm1(np.minimum(log_k, 0.0))
        close = (z < reach) & (by_series | (z == 0.0) | (complement < _CANCELS))
        if by_series:
            complement[close] = self._complement_by_series(z[close])
            return complement
        left = z[close]
        parts = [
            self._complement_by_integral(left[begin : begin + _AT_ONCE])
            for begin in range(0, len(left), _AT_ONCE)
        ]
        complement[close] = np.concatenate([np.zeros(0), *parts])
        return complement

    def _complement_by_integral(self, z: FloatArray) -> FloatArray:
        """1 − k for a list of z < 1; u = z·v^power smooths the branch point u^{2ν−1} at 0."""
        from scipy import special

        log_factor = (1.0 - self.nu) * np.log(2.0) - special.gammaln(self.nu)
        power = max(2.0, 4.0 / self.nu)
        nodes, weights = np.polynomial.legendre.leggauss(48)
        v = 0.5 * (nodes + 1.0)
        u = z[:, None] * v**power
        positive = np.where(u > 0.0, u, 1.0)
        log_integrand = log_factor + self.nu * np.log(positive) + self._log_bessel(positive)
        integrand = np.where(u > 0.0, np.exp(log_integrand), 0.0)
        return np.asarray(
            z * np.sum(0.5 * weights * power * v ** (power - 1.0) * integrand, axis=-1)
        )

    @property
    def _series_reach(self) -> float:
        """The z below which the series is used: z² < ν and (z/2)^{2ν} < 1e-20 Γ(ν)Γ(ν+1)."""
        from scipy import special

        if self.nu < _SMOOTH:
            return 1.0
        logs = special.gammaln(self.nu) + special.gammaln(self.nu + 1.0) - 20.0 * np.log(10.0)
        return float(min(np.sqrt(self.nu), 2.0 * np.exp(logs / (2.0 * self.nu))))

    def _complement_by_series(self, z: FloatArray) -> FloatArray:
        """1 − k for small z and ν that is not nearly whole, from K_ν = π(I_{−ν} − I_ν)/(2 sin πν).

        With x = z²/4: Γ(1−ν)/Γ(1+ν)·x^ν Σ_{j≥0} x^j/(j!(1+ν)_j) − Σ_{j≥1} x^j/(j!(1−ν)_j). For
        large ν, whole ones too, the first terms of the second sum are all that counts.
        """
        from scipy import special

        x, orders = 0.25 * z * z, np.arange(1, _SERIES)
        if self.nu >= _SMOOTH:
            orders = orders[: int(_SMOOTH) - 1]
            terms = 1.0 / (special.factorial(orders) * special.poch(1.0 - self.nu, orders))
            return np.asarray(-np.polynomial.polynomial.polyval(x, np.r_[0.0, terms]))
        factorials = special.factorial(orders)
        above, below = (special.poch(1.0 + sign * self.nu, orders) for sign in (1, -1))
        rising = np.polynomial.polynomial.polyval(x, np.r_[1.0, 1.0 / (factorials * above)])
        falling = np.polynomial.polynomial.polyval(x, np.r_[0.0, 1.0 / (factorials * below)])
        factor = special.gamma(1.0 - self.nu) / special.gamma(1.0 + self.nu)
        return np.asarray(factor * (0.5 * z) ** (2.0 * self.nu) * rising - falling)

    def _log_bessel(self, u: FloatArray) -> FloatArray:
        """log K_{ν−1}(u) for u > 0; where K overflows (u ≪ ν), from its series at 0."""
        from scipy import special

        order = abs(self.nu - 1.0)
        with np.errstate(over="ignore"):
            scaled = special.kve(order, u)
        if np.all(np.isfinite(scaled)):
            return np.asarray(np.log(scaled) - u)
        # Only orders below 11 come here, and these overflow at u < 1e-27: the first term is exact.
        at_zero = special.gammaln(order) - np.log(2.0) + order * (np.log(2.0) - np.log(u))
        finite = np.isfinite(scaled)
        return np.where(finite, np.log(np.where(finite, scaled, 1.0)) - u, at_zero)

    def _scaled(self, distance: ArrayLike) -> FloatArray:
        """z, cut where every k is 0 in doubles: beyond, K_ν and the polynomial are no numbers."""
        scale = np.sqrt(2.0 * self.nu) / self.lengthscale
        return np.asarray(scale * np.minimum(distance, _ALL_GONE / scale))

    @property
    def _half_integer_order(self) -> int | None:
        order = self.nu - 0.5
        return int(order) if order == int(order) and order <= 10 else None

    @cached_property
    def _coefficients(self) -> FloatArray:
        """c_j = (1/j!) Π_{i<j} 2(p−i)/(2p−i), so that c_j ≤ 1/j!."""
        order = self._half_integer_order
        assert order is not None
        coefficients = [1.0]
        for j in range(order):
            ratio = 2.0 * (order - j) / (2.0 * order - j)
            coefficients.append(coefficients[-1] * ratio / (j + 1))
        return np.array(coefficients)

    @property
    def derivative_variance(self) -> float:
        """ν/((ν−1)ℓ²); infinite for ν ≤ 1."""
        if self.nu <= 1:
            return float("inf")
        return self.nu / ((self.nu - 1.0) * self.lengthscale**2)

    @property
    def curvature_variance(self) -> float:
        """3ν²/((ν−1)(ν−2)ℓ⁴); infinite for ν ≤ 2."""
        if self.nu <= 2:
            return float("inf")
        return 3.0 * self.nu**2 / ((self.nu - 1.0) * (self.nu - 2.0) * self.lengthscale**4)

    def derivative_rise(self, dimension: int, sides: FloatArray) -> FloatArray | None:
        """By chaining with √E(∂_jf(x) − ∂_jf(y))² ≤ 5|x−y|/ℓ² (5/2), √(12√3|x−y|/ℓ³) (3/2)."""
        if self.nu == 2.5:
            return chained(5.0 / self.lengthscale**2, 1.0, dimension, sides)
        if self.nu == 1.5:
            factor = sqrt(12.0 * sqrt(3.0) / self.lengthscale**3)
            return chained(factor, 0.5, dimension, sides)
        return None

    def derivative(self, distance: FloatArray) -> FloatArray:
        """k′(r), from the right at r = 0 (where it is −∞ for ν < ½; 0 is given there)."""
        if self.nu == 0.5:
            return np.asarray(-self.at_distance(distance) / self.lengthscale)
        return super().derivative(distance)

    def derivative_over_distance(self, distance: FloatArray) -> FloatArray:
        """−ν/((ν−1)ℓ²) times the kernel of order ν − 1 in the same z, for ν > 1.

        From (z^ν K_ν)′ = −z^ν K_{ν−1}. For ν ≤ 1 there is no gradient at r = 0, where 0 is given.
        """
        nu, ell = self.nu, self.lengthscale
        if nu > 1.0:
            lower = Matern(nu - 1.0, ell * np.sqrt((nu - 1.0) / nu))
            return np.asarray(-nu / ((nu - 1.0) * ell**2) * lower.at_distance(distance))
        from scipy import special

        apart = np.where(distance > 0, distance, 1.0)
        z = np.sqrt(2.0 * nu) * apart / ell
        factor = 2.0 ** (1.0 - nu) / special.gamma(nu) * np.sqrt(2.0 * nu) / ell
        slope = factor * z**nu * special.kv(1.0 - nu, z) / apart
        return np.where(distance > 0, -slope, 0.0)

    def enclosed_at_distance(self, distance: Number) -> Number:
        """For ν = p + ½ as e^{−z} p!/(2p)! Σ (p+i)!/(i!(p−i)!) (2z)^{p−i}, else by K_ν."""
        if isinstance(distance, int | Fraction) and distance == 0:
            return 1
        nu = Fraction(self.nu)
        z = enclosure.ball(enclosure.sqrt(2 * nu)) * enclosure.ball(distance) / self._length()
        if nu.denominator == 2:
            polynomial = enclosure.ball(0)
            for coefficient in self._exact_coefficients:
                polynomial = polynomial * z + coefficient
            return enclosure.exp(-z) * polynomial
        factor = enclosure.divide(enclosure.power(2, 1 - nu), enclosure.gamma(nu))
        return factor * enclosure.power(z, nu) * enclosure.bessel_k(nu, z)

    def doubles_at_squares(self, squared: Doubles) -> Doubles | None:
        """For ν = p + ½."""
        from bounds.enclosure.doubles import Doubles
        from bounds.enclosure.exponential import exp_of_doubles

        if self._half_integer_order is None:
            return None
        root = enclosure.ball(enclosure.sqrt(2 * Fraction(self.nu))) / self._length()
        coefficients = Doubles.of_balls(self._exact_coefficients)
        z = squared.roots() * Doubles.of_balls([root])
        polynomial = Doubles.exact(np.zeros(z.shape))
        for place in range(len(self._exact_coefficients)):
            polynomial = polynomial * z + coefficients[place]
        return exp_of_doubles(Doubles.exact(-1.0) * z) * polynomial

    @cached_property
    def _exact_coefficients(self) -> list[Number]:
        """c_p, …, c_0 of k = e^{−z} Σ c_j z^j at ν = p + ½."""
        p = Fraction(self.nu).numerator // 2
        scale = Fraction(factorial(p), factorial(2 * p))
        return [
            enclosure.exact(
                scale * comb(p, i) * Fraction(factorial(p + i), factorial(p)) * 2 ** (p - i)
            )
            for i in range(p + 1)
        ]

    def enclosed_slope(self) -> Number | None:
        """1/ℓ for the exponential kernel; None for the others."""
        return enclosure.divide(1, Fraction(self.lengthscale)) if self.nu == 0.5 else None

    def enclosed_derivative_variance(self) -> Number:
        if self.nu <= 1:
            return super().enclosed_derivative_variance()
        nu = Fraction(self.nu)
        return enclosure.exact(nu / (nu - 1) / Fraction(self.lengthscale) ** 2)

    def enclosed_curvature_variance(self) -> Number:
        if self.nu <= 2:
            return super().enclosed_curvature_variance()
        nu = Fraction(self.nu)
        return enclosure.exact(3 * nu**2 / ((nu - 1) * (nu - 2)) / Fraction(self.lengthscale) ** 4)

    def enclosed_derivative_rise(self, dimension: int, side: Fraction) -> Number:
        length, h = enclosure.exact_double(self.lengthscale), enclosure.exact(side)
        if self.nu == 2.5:
            return enclosure.ball(5 / (length * length) * enclosed_chained(dimension, 1) * h)
        if self.nu == 1.5:
            factor = enclosure.sqrt(12 * enclosure.sqrt(3) / (length * length * length))
            return enclosure.ball(factor * enclosed_chained(dimension, 2) * enclosure.sqrt(h))
        return super().enclosed_derivative_rise(dimension, side)

    def enclosed_radial(self, squared: BallArray) -> tuple[BallArray, BallArray]:
        if self.nu < 1.5 or self._half_integer_order is None:
            return super().enclosed_radial(squared)
        nu, length = Fraction(self.nu), self._length()
        z = _roots(squared) * (enclosure.ball(enclosure.sqrt(2 * nu)) / length)
        decay, factor = np.exp(-z), -enclosure.ball(enclosure.exact(nu / (nu - 1)))
        # ∇k is −ν/((ν−1)ℓ²) times the kernel of order ν − 1 in the same z.
        value, slope = (
            reduce(lambda sum_, term: sum_ * z + term, kernel._exact_coefficients) * decay
            for kernel in (self, Matern(self.nu - 1.0, 1.0))
        )
        return value, slope * (factor / (length * length))

    def enclosed_remainder(self, distance: Number) -> Number:
        """½d²·5/ℓ² (5/2); √(4/3)·(√3d/ℓ)^{3/2} (3/2)."""
        if self.nu == 2.5:
            return distance * distance * 5 / (2 * self._length() * self._length())
        if self.nu == 1.5:
            # E(f(h) − f(0) − hf′(0))² = ∫₀^x 2y(1 − e^{−y} + ye^{−y}) dy ≤ ∫₀^x 4y² dy, x = √3 h/ℓ.
            x = enclosure.ball(3).sqrt() * distance / self._length()
            return 2 * x * (x / 3).sqrt()
        return super().enclosed_remainder(distance)

    def _length(self) -> Number:
        return enclosure.ball(enclosure.exact_double(self.lengthscale))

    @classmethod
    def from_text(cls, text: str, lengthscale: float) -> Self:
        """`matern12`, `matern32`, `matern52`, `matern:NU`; `exponential` is ν = ½."""
        named = {"exponential": 0.5, **_NAMED}
        return cls(named[text] if text in named else number_behind(text, "matern:"), lengthscale)


def _roots(balls: BallArray) -> BallArray:
    """√ of numbers that are not negative, though their balls may reach below 0."""
    flat = [ball.nonnegative_part().sqrt() for ball in balls.ravel()]
    return np.array(flat, dtype=object).reshape(balls.shape)
