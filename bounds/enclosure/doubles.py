"""Arrays of intervals in doubles: middles computed by numpy and BLAS, radii that bound every error.

An entry stands for all numbers within `rad` of `mid`. Nothing is rounded in a direction: each
operation is done once to nearest, and its error is bounded beforehand (u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴):

- fl(a ∘ b) is within u·|fl(a ∘ b)| + η of a ∘ b for + − × ÷ and √ (Higham 2002, (2.5) and §2.2);
- a sum or an inner product of n terms, in any order, with or without fused multiplications, is
  within γ_n·Σ|a_i b_i| + nη, γ_n = nu/(1 − nu) (Higham 2002, §3.1; Rump 2012, Thm 4.2 has nu);
- so mid(A)·mid(B) is within γ_n|A||B| + nη of the product of the middles, entry by entry, by any
  BLAS that forms inner products (not Strassen's: Higham 2002, §23.2.2).

Radii are sums and products of numbers ≥ 0, hence off by a factor of at most 1 + γ; they are
multiplied by `_outward(n)` > 1 + 2γ and raised by `_TINY`. An operation that overflows has an
infinite or NaN radius: `sane` tells.

What is assumed: IEEE 754 doubles rounded to nearest, no flush to zero that loses more than 2⁻¹⁰²⁰,
conventional matrix products in doubles (no reduced precision inside). `require_doubles` looks at
the machine for what would break it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import flint
import numpy as np

from bounds.arrays import BallArray, FloatArray
from bounds.errors import NumericalFailure

U = 2.0**-53
_TINY = 2.0**-1000
"""More than the underflows of 2²⁰ operations together, even where results are flushed to zero."""


@cache
def require_doubles() -> None:
    """Raise NumericalFailure where rounding is directed or BLAS multiplies in fewer digits.

    Whole numbers whose products stay below 2⁵³ are multiplied without an error in any order of
    summation; products in single precision, or in parts of it, have one.
    """
    half = np.array([U, 1.5 * U, -U, -1.5 * U])
    ones = np.array([1.0, 1.0, -1.0, -1.0])
    nearest = np.array([1.0, 1.0 + 2.0 * U, -1.0, -1.0 - 2.0 * U])
    if not np.array_equal(ones + half, nearest):
        raise NumericalFailure("arithmetic: doubles are not rounded to nearest on this machine")
    whole = (np.arange(96 * 96).reshape(96, 96) * 7_919) % (2**22 + 1) - 2**21
    doubles = whole.astype(float)
    if not np.array_equal(doubles @ doubles.T, (whole @ whole.T).astype(float)):
        raise NumericalFailure("arithmetic: matrices are not multiplied in doubles on this machine")


def _outward(n: int) -> float:
    """A double above (1 + u)^(2n+32): more than the roundings of a sum of n terms ≥ 0, twice."""
    return 1.0 + (4 * n + 64) * U


def _gamma(n: int) -> float:
    """A double above γ_{n+2}."""
    return (n + 4) * U * (1.0 + 2.0**-20)


@dataclass(frozen=True, eq=False, slots=True)
class Doubles:
    """Numbers within `rad` ≥ 0 of `mid`, entry by entry.

    >>> third = Doubles.exact(np.ones(1)) / Doubles.exact(np.full(1, 3.0))
    >>> float(third.lower()[0]) <= 1 / 3 <= float(third.upper()[0])
    True
    """

    mid: FloatArray
    rad: FloatArray

    @classmethod
    def exact(cls, values: FloatArray | float) -> Doubles:
        """Each double as the number that it is."""
        mid = np.asarray(values, dtype=float)
        return cls(mid, np.zeros_like(mid))

    @classmethod
    def of_balls(cls, balls: BallArray | Sequence[Any]) -> Doubles:
        """Intervals that contain balls of python-flint; one object that stands twice is read once.

        >>> third = Doubles.of_balls([flint.arb(1) / 3])
        >>> bool(third.rad[0] < 1e-16)
        True
        """
        array = np.asarray(balls, dtype=object)
        every = array.ravel().tolist()
        places = [id(ball) for ball in every]
        known = {
            place: _mid_rad(ball) for place, ball in dict(zip(places, every, strict=True)).items()
        }
        mid, rad = (np.array([known[place][side] for place in places]) for side in (0, 1))
        return cls(mid.reshape(array.shape), rad.reshape(array.shape))

    @property
    def shape(self) -> tuple[int, ...]:
        """As of numpy."""
        return self.mid.shape

    @property
    def T(self) -> Doubles:  # noqa: N802
        """The transposed matrix."""
        return Doubles(self.mid.T, self.rad.T)

    def __getitem__(self, at: Any) -> Doubles:
        return Doubles(self.mid[at], self.rad[at])

    def __add__(self, other: Doubles) -> Doubles:
        mid = self.mid + other.mid
        return Doubles(mid, _raised(self.rad + other.rad + U * np.abs(mid)))

    def __sub__(self, other: Doubles) -> Doubles:
        mid = self.mid - other.mid
        return Doubles(mid, _raised(self.rad + other.rad + U * np.abs(mid)))

    def __mul__(self, other: Doubles) -> Doubles:
        mid = self.mid * other.mid
        left = np.abs(self.mid) * other.rad
        right = self.rad * (np.abs(other.mid) + other.rad)
        return Doubles(mid, _raised(left + right + U * np.abs(mid)))

    def __truediv__(self, other: Doubles) -> Doubles:
        """Infinite or NaN where the divisor may be 0."""
        with np.errstate(all="ignore"):
            mid = self.mid / other.mid
            least = (np.abs(other.mid) - other.rad) * (1.0 - 4.0 * U)
            spread = (self.rad + (np.abs(mid) + U * np.abs(mid)) * other.rad) / least
            return Doubles(mid, np.where(least > 0.0, _raised(spread + U * np.abs(mid)), np.inf))

    def __matmul__(self, other: Doubles) -> Doubles:
        n = self.mid.shape[-1]
        mid = self.mid @ other.mid
        rad = np.abs(self.mid) @ (other.rad + _gamma(n) * np.abs(other.mid))
        if self.rad.any():
            rad += self.rad @ (np.abs(other.mid) + other.rad)
        return Doubles(mid, _raised(rad, n))

    def scaled(self, power_of_two: float) -> Doubles:
        """Times a power of two, which is exact but where it underflows."""
        return Doubles(self.mid * power_of_two, _raised(self.rad * power_of_two))

    def squares(self) -> Doubles:
        """Each entry times itself."""
        return self * self

    def roots(self) -> Doubles:
        """√ of each entry, of numbers ≥ 0: |√a − √b| ≤ min(√|a−b|, |a−b|/√a)."""
        mid = np.sqrt(self.mid)
        with np.errstate(over="ignore"):
            apart = np.minimum(np.sqrt(self.rad), self.rad / np.maximum(mid, _TINY))
        return Doubles(mid, _raised(apart + U * mid))

    def sum(self, axis: int | None = None) -> Doubles:
        """Along an axis, or of all."""
        n = self.mid.size if axis is None else self.mid.shape[axis]
        rad = self.rad.sum(axis=axis) + _gamma(n) * np.abs(self.mid).sum(axis=axis)
        return Doubles(np.asarray(self.mid.sum(axis=axis)), np.asarray(_raised(rad, n)))

    def lower(self) -> FloatArray:
        """Doubles ≤ every number of each entry."""
        end = self.mid - self.rad
        return np.asarray(end - (2.0 * U * np.abs(end) + _TINY))

    def upper(self) -> FloatArray:
        """Doubles ≥ every number of each entry."""
        end = self.mid + self.rad
        return np.asarray(end + (2.0 * U * np.abs(end) + _TINY))

    def magnitudes(self) -> FloatArray:
        """Doubles ≥ the absolute value of each entry."""
        return np.asarray(_raised(np.abs(self.mid) + self.rad))

    def sane(self) -> bool:
        """Whether every end is finite."""
        return bool(np.isfinite(self.mid).all() and np.isfinite(self.rad).all())

    def ball(self) -> Any:
        """The ball of a single number."""
        return flint.arb(float(self.mid), float(self.rad))


def _raised(rad: Any, n: int = 0) -> Any:
    return rad * _outward(n) + _TINY


def _mid_rad(ball: Any) -> tuple[float, float]:
    ball = ball if isinstance(ball, flint.arb) else flint.arb(ball)
    mid = float(ball)  # of its middle
    rad = float((ball - mid).abs_upper())  # rounded to nearest at worst, or toward 0
    return mid, rad * (1.0 + 4.0 * U) + _TINY


def sum_up(values: FloatArray, axis: int | None = None) -> Any:
    """Doubles ≥ the sums of numbers ≥ 0."""
    n = values.size if axis is None else values.shape[axis]
    return _raised(values.sum(axis=axis), n)


@dataclass(frozen=True, eq=False)
class Whitened:
    """A symmetric matrix A proved positive definite: X A Xᵀ = I + F with ‖F‖ ≤ η ≤ ½.

    X is an approximate inverse of a Cholesky factor, in doubles, lower triangular and taken as
    exact; F is enclosed. The residual proves what no analysis of the factorisation has to.

    Attributes
    ----------
    X : (k, k)
    eta : ≥ ‖F‖₂
    log_determinant : ball around log det A
    """

    X: FloatArray
    eta: float
    log_determinant: Any

    @classmethod
    def of(cls, A: Doubles) -> Whitened | None:
        """None where the residual does not prove it.

        log det A = −2 Σ log X_ii + log det(I+F), and |log det(I+F) − tr F| ≤ ‖F‖_F² for ‖F‖ ≤ ½.
        """
        k = len(A.mid)
        try:
            X = np.tril(np.linalg.inv(np.linalg.cholesky(A.mid)))
        except np.linalg.LinAlgError:
            return None
        exact = Doubles.exact(X)
        F = exact @ A @ exact.T - Doubles.exact(np.eye(k))
        size = F.magnitudes()
        rows = float(sum_up(size, axis=1).max())
        squares = float(sum_up(size * size)) * (1.0 + 4.0 * U)
        eta = min(rows, float(np.sqrt(squares)) * (1.0 + 4.0 * U))
        if not eta <= 0.5 or not np.all(np.diagonal(X) > 0.0):
            return None
        diagonal = Doubles(np.diagonal(F.mid), np.diagonal(F.rad)).sum()
        rest = Doubles(diagonal.mid, _raised(diagonal.rad + squares))
        logs = rest.ball() - 2 * log_product(np.diagonal(X))
        return cls(X, eta, logs)

    def quadratic(self, B: Doubles) -> tuple[FloatArray, FloatArray]:
        """Doubles below and above bᵀA⁻¹b for the columns b of B, which is ‖Xb‖² but for 1 ± η."""
        Y = Doubles.exact(self.X) @ B
        size, slack = np.abs(Y.mid), _gamma(len(self.X) + 8)
        least, most = np.maximum(size - Y.rad, 0.0), size + Y.rad
        low = np.einsum("ij,ij->j", least, least) * ((1.0 - slack) / (1.0 + self.eta))
        high = np.einsum("ij,ij->j", most, most) * ((1.0 + slack) / (1.0 - self.eta))
        return np.maximum(low - _TINY, 0.0), high + _TINY


def log_product(values: FloatArray) -> Any:
    """Σ log v_i of doubles v_i > 0 as a ball: the product of mantissas is rounded, not n logs."""
    mantissas, exponents = np.frexp(np.asarray(values, dtype=float))
    total = flint.arb(int(exponents.sum(dtype=np.int64))) * flint.arb.const_log2()
    for start in range(0, len(mantissas), 512):
        part = mantissas[start : start + 512]  # their product is at least 2⁻⁵¹²
        product = float(np.multiply.reduce(part))
        # (1+u)^511 − 1 < 2¹⁰u: one rounding a factor, in any order.
        total += (flint.arb(product) * flint.arb(1, 2.0**10 * U)).log()
    return total


def product_residual(A: Doubles, L: FloatArray) -> Doubles:
    """A − LLᵀ, closely: the leading bits of L have an exact product in doubles.

    L = H + R, H the leading (53 − log₂ n)/2 bits of each row, so that no sum in HHᵀ is rounded
    (Ozaki et al. 2012); what remains is 2⁻²⁰ smaller and bounded as usual.
    """
    n = L.shape[1]
    bits = (53 - n.bit_length()) // 2 - 1
    _, power = np.frexp(np.max(np.abs(L), axis=1, keepdims=True))
    shift = np.ldexp(1.0, power + (53 - bits))
    H = (L + shift) - shift  # multiples of 2^(power + 1 − bits), below 2^power
    R = Doubles.exact(L - H)  # the trailing bits: exact
    head = H @ H.T
    head = Doubles(head, np.full_like(head, _TINY))
    half = Doubles.exact(H) @ R.T
    return A - head - (half + half.T) - R @ R.T
