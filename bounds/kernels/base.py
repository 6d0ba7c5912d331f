"""Unit-variance stationary kernels, for space and for time, as functions of distance.

Each kernel is its formula (`at_distance`) plus what the theory asks of it: the complement
1 − k without cancellation, the slope θ, the smoothness ν and the exponent of its gain.

Notation: r ≥ 0 is a distance, ℓ the lengthscale, ν the smoothness. Every kernel here is
non-increasing in r, positive, and 1 at r = 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import factorial, isfinite, log1p
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from bounds.arrays import FloatArray
from bounds.domain import require_length
from bounds.errors import InvalidInput

GainRate = Literal["paper", "vakili"]


class Kernel(ABC):
    """A unit-variance stationary kernel r ↦ k(r), non-increasing, with values in [0, 1]."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which the command line knows the kernel, with its parameters."""

    @property
    @abstractmethod
    def smoothness(self) -> float:
        """The Matérn ν of the kernel; infinity for the squared exponential."""

    @property
    @abstractmethod
    def slope(self) -> float:
        """θ, the smallest number with 1 − k(r) ≤ θ·r for all r ≥ 0 (infinity if none)."""

    @property
    @abstractmethod
    def steepest_distance(self) -> float:
        """The r at which (1 − k(r))/r is largest, rising before and falling after it; may be 0."""

    @property
    def completely_monotone(self) -> bool:
        """Whether k is completely monotone in r: Matérn with ν ≤ ½, hence the forgetting kernel.

        Then 1 − k² is concave in r ≥ 0, and so is log(1 + (1 − k²)/σ²).
        """
        return self.smoothness <= 0.5

    @property
    def is_nonnegative(self) -> bool:
        """Whether k(r) ≥ 0 for all r."""
        return True

    @abstractmethod
    def complement(self, distance: ArrayLike) -> FloatArray:
        """1 − k(r), accurate to a few units in the last place also where k(r) is near 1."""

    @abstractmethod
    def at_distance(self, distance: ArrayLike) -> FloatArray:
        """k(r) for distances r ≥ 0 of any shape."""

    def reach(self, level: float) -> float:
        """A distance at which k(r) ≤ `level`, found by doubling and halving; infinite if none."""
        low, high = 0.0, 1.0
        while float(self.at_distance(high)) > level:
            low, high = high, 2.0 * high
            if high > 1e300:
                return float("inf")
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if float(self.at_distance(middle)) > level else (low, middle)
        return high

    def deficit(self, distance: ArrayLike) -> FloatArray:
        """1 − k(r)²: the variance left at distance r of a point whose value is known."""
        complement = self.complement(distance)
        return complement * (2.0 - complement)

    def gram(self, left: ArrayLike, right: ArrayLike | None = None) -> FloatArray:
        """K_ij = k(‖left_i − right_j‖) for points (m, d) and (n, d); right defaults to left."""
        left_points = np.asarray(left, dtype=float)
        right_points = left_points if right is None else np.asarray(right, dtype=float)
        return self.at_distance(distances(left_points, right_points))

    def gain_exponent(self, dimension: int, rate: GainRate = "vakili") -> float:
        """c with γ_m = Õ(m^c).

        `paper` is Srinivas et al. 2010, d(d+1)/(2ν+d(d+1)); `vakili` is Vakili, Khezeli and
        Picheny 2021 (arXiv 2009.06966), d/(2ν+d). Both are 0 for the squared exponential.

        >>> Matern(2.5, 0.2).gain_exponent(2, "vakili")
        0.2857142857142857
        """
        if not isfinite(self.smoothness):
            return 0.0
        d = dimension * (dimension + 1) if rate == "paper" else dimension
        return d / (2.0 * self.smoothness + d)


def distances(left: FloatArray, right: FloatArray) -> FloatArray:
    """Euclidean distances between the rows of (m, d) and (n, d), each by direct subtraction."""
    squared = np.zeros((len(left), len(right)))
    for axis in range(left.shape[1]):
        squared += np.subtract.outer(left[:, axis], right[:, axis]) ** 2
    return np.sqrt(squared)


@dataclass(frozen=True)
class SquaredExponential(Kernel):
    """k(r) = exp(−r²/(2ℓ²)).

    >>> float(SquaredExponential(0.2).at_distance(0.2)).__round__(6)
    0.606531
    """

    lengthscale: float

    def __post_init__(self) -> None:
        require_length("lengthscale", self.lengthscale)

    @property
    def name(self) -> str:
        return "se"

    @property
    def smoothness(self) -> float:
        return float("inf")

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

    def at_distance(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(
            np.exp(-0.5 * (np.asarray(distance, dtype=float) / self.lengthscale) ** 2)
        )

    def complement(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(
            -np.expm1(-0.5 * (np.asarray(distance, dtype=float) / self.lengthscale) ** 2)
        )


_ALL_GONE = 1e5  # e^{-z} z^ν is far below the least double for every ν up to 100
_CANCELS = 0.05  # below it 1 − k would lose digits that an integral keeps


@dataclass(frozen=True)
class Matern(Kernel):
    """k(r) = 2^{1−ν}/Γ(ν) · z^ν K_ν(z) with z = √(2ν) r/ℓ, for every ν > 0.

    Half-integer ν = p + ½ takes the closed form e^{−z} Σ_{j≤p} c_j z^j. ν = ½ is the
    exponential kernel exp(−r/ℓ).
    """

    nu: float
    lengthscale: float

    def __post_init__(self) -> None:
        _require_positive("nu", self.nu)
        if self.nu > 100:
            raise InvalidInput("nu", self.nu, "give at most 100, or use the se kernel (ν → ∞)")
        require_length("lengthscale", self.lengthscale)

    @property
    def name(self) -> str:
        twice = 2 * self.nu
        return f"matern{int(twice)}2" if twice in (1, 3, 5) else f"matern:{self.nu:g}"

    @property
    def smoothness(self) -> float:
        return self.nu

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
        from scipy import optimize  # here: slow to import, rarely needed

        unit = Matern(self.nu, 1.0)

        def falling_ratio(log_r: float) -> float:
            r = float(np.exp(log_r))
            return -float(unit.complement(r)) / r

        # (1 − k)/r rises from 0, peaks once near r = ℓ and falls like 1/r.
        best = optimize.minimize_scalar(
            falling_ratio, bounds=(-12.0, 3.0), method="bounded", options={"xatol": 1e-12}
        )
        return float(np.exp(best.x)) * self.lengthscale

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
            rest = np.array([1.0 / factorial(j) for j in range(order + 1)]) - self._coefficients
            polynomial = np.polynomial.polynomial.polyval(z, rest)
            return np.asarray(special.gammainc(order + 1, z) + np.exp(-z) * polynomial)
        return self._complement_of_any_order(z)

    def _complement_of_any_order(self, z: FloatArray) -> FloatArray:
        log_factor = (1.0 - self.nu) * np.log(2.0) - special.gammaln(self.nu)
        found = np.ones_like(z)
        inside = (z > 0.0) & (z < _ALL_GONE)
        far = z[inside]
        with np.errstate(over="ignore"):  # K_ν overflows at small z, which the integral takes over
            log_k = log_factor + self.nu * np.log(far) + np.log(special.kve(self.nu, far)) - far
        found[inside] = -np.expm1(np.minimum(log_k, 0.0))
        close = (z < 1.0) & ((z == 0.0) | (found < _CANCELS))
        # u = z·v^power smooths the branch point u^{2ν−1} of the integrand at 0.
        power = max(2.0, 4.0 / self.nu)
        nodes, weights = np.polynomial.legendre.leggauss(48)
        v = 0.5 * (nodes + 1.0)
        u = z[close][..., None] * v**power
        positive = np.where(u > 0.0, u, 1.0)
        log_integrand = log_factor + self.nu * np.log(positive) + self._log_bessel(positive)
        integrand = np.where(u > 0.0, np.exp(log_integrand), 0.0)
        found[close] = z[close] * np.sum(
            0.5 * weights * power * v ** (power - 1.0) * integrand, axis=-1
        )
        return found

    def _log_bessel(self, u: FloatArray) -> FloatArray:
        """log K_{ν−1}(u) for u > 0; where K overflows (u ≪ ν), from its series at 0."""
        order = abs(self.nu - 1.0)
        with np.errstate(over="ignore"):
            scaled = special.kve(order, u)
        if np.all(np.isfinite(scaled)):
            return np.asarray(np.log(scaled) - u)
        # Overflow at order <= 3 needs u < 1e-100, where the first term of the series is exact.
        x = u * u / 4.0
        series = 1.0 - x / (order - 1.0) * (1.0 - x / (2.0 * (order - 2.0))) if order > 3 else 1.0
        at_zero = (
            special.gammaln(order) - np.log(2.0) + order * (np.log(2.0) - np.log(u))
        ) + np.log(np.maximum(series, 0.5))
        finite = np.isfinite(scaled)
        return np.where(finite, np.log(np.where(finite, scaled, 1.0)) - u, at_zero)

    def _scaled(self, distance: ArrayLike) -> FloatArray:
        """z, cut where every k is 0 in doubles: beyond, K_ν and the polynomial are no numbers."""
        scale = np.sqrt(2.0 * self.nu) / self.lengthscale
        r = np.minimum(np.asarray(distance, dtype=float), _ALL_GONE / scale)
        return np.asarray(scale * r)

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


@dataclass(frozen=True)
class Forgetting(Kernel):
    """k_time(r) = (1 − ε)^{r/2}, the time kernel of Bogunovic et al. 2016, 0 ≤ ε < 1.

    An exponential kernel of lengthscale 1/θ with θ = −½ log(1−ε); constant 1 at ε = 0.

    >>> float(Forgetting(0.19).at_distance(1.0)).__round__(12)
    0.9
    """

    epsilon: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.epsilon < 1.0:
            raise InvalidInput("epsilon", self.epsilon, "give a forgetting rate in [0, 1)")

    @property
    def name(self) -> str:
        return "forgetting"

    @property
    def smoothness(self) -> float:
        return 0.5

    @property
    def slope(self) -> float:
        """θ = −½ log(1−ε)."""
        return -0.5 * log1p(-self.epsilon)

    @property
    def steepest_distance(self) -> float:
        return 0.0

    def at_distance(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(np.exp(-self._faded(distance)))

    def complement(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(-np.expm1(-self._faded(distance)))

    def deficit(self, distance: ArrayLike) -> FloatArray:
        """1 − k² = 1 − (1−ε)^r."""
        return np.asarray(-np.expm1(-2.0 * self._faded(distance)))

    def _faded(self, distance: ArrayLike) -> FloatArray:
        """θr; 0 at ε = 0 even where r has overflowed, as a predicted time may."""
        r = np.minimum(np.asarray(distance, dtype=float), np.finfo(float).max)
        return np.asarray(self.slope * r)


def parse_kernel(text: str, lengthscale: float) -> Kernel:
    """The space kernel that `se`, `matern12`, `matern32`, `matern52` or `matern:NU` names.

    >>> parse_kernel("matern:1.5", 0.2)
    Matern(nu=1.5, lengthscale=0.2)
    """
    if text == "se":
        return SquaredExponential(lengthscale)
    fixed = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}
    if text in fixed:
        return Matern(fixed[text], lengthscale)
    if text.startswith("matern:"):
        try:
            return Matern(float(text.removeprefix("matern:")), lengthscale)
        except InvalidInput:
            raise
        except ValueError:
            raise InvalidInput(
                "kernel", text, "give a number after matern:, e.g. matern:1.5"
            ) from None
    raise InvalidInput("kernel", text, "use se, matern12, matern32, matern52 or matern:NU")


def parse_time_kernel(text: str, epsilon: float, lengthscale: float | None = None) -> Kernel:
    """The time kernel that `forgetting`, `exponential`, `se` or `matern:NU` names.

    `lengthscale` belongs to every kernel but `forgetting`; by default it is 1/θ(ε), at which
    the exponential kernel *is* the forgetting kernel of rate ε.
    """
    forgetting = Forgetting(epsilon)
    if text == "forgetting":
        if lengthscale is not None:
            raise InvalidInput(
                "time-lengthscale", lengthscale, "drop it: the forgetting kernel has only epsilon"
            )
        return forgetting
    if text not in ("exponential", "se") and not text.startswith("matern"):
        raise InvalidInput("time-kernel", text, "use forgetting, exponential, se or matern:NU")
    if lengthscale is None:
        if epsilon == 0.0:
            raise InvalidInput(
                "time-lengthscale", "none", "give one, since epsilon = 0 implies none"
            )
        lengthscale = 1.0 / forgetting.slope
    _require_positive("time-lengthscale", lengthscale)
    return Matern(0.5, lengthscale) if text == "exponential" else parse_kernel(text, lengthscale)


def _require_positive(field: str, value: float) -> None:
    if not (isfinite(value) and value > 0):
        raise InvalidInput(field, value, "give a positive finite number")
