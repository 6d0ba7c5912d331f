"""Interval arithmetic on rational endpoints: the recheck's own, slow and short enough to read.

Independent of the interval library: integers, Fractions and Taylor series with their remainders.
A rational operation on exact numbers is exact; endpoints that grow beyond `_LONGEST` bits are
rounded outward. Cost: some microseconds an operation, up to a millisecond for exp and log.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt

_BITS = 160
_POINT = 256
_LONGEST = 3 * _BITS
_LARGEST = 4_000_000


class NotDecided(ArithmeticError):
    """An interval is too wide for a branch, an index or a domain; or a number has no value."""


@dataclass(frozen=True)
class Interval:
    """All numbers between two rational ends, low <= high.

    >>> Interval.of(1) / Interval.of(3)
    Interval(low=Fraction(1, 3), high=Fraction(1, 3))
    """

    low: Fraction
    high: Fraction

    @staticmethod
    def of(value: int | Fraction) -> Interval:
        """The interval of one exact number."""
        return Interval(Fraction(value), Fraction(value))

    @property
    def exact(self) -> bool:
        """Whether the interval is one number."""
        return self.low == self.high

    def __add__(self, other: Interval) -> Interval:
        return _outward(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Interval) -> Interval:
        return self + (-other)

    def __mul__(self, other: Interval) -> Interval:
        if self.exact and other.exact:
            product = self.low * other.low
            return _outward(product, product)
        if self.low >= 0 and other.low >= 0:
            return _outward(self.low * other.low, self.high * other.high)
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return _outward(min(corners), max(corners))

    def __truediv__(self, other: Interval) -> Interval:
        if other.low <= 0 <= other.high:
            raise NotDecided("division by an interval that contains 0")
        return self * Interval(1 / other.high, 1 / other.low)

    def __pow__(self, exponent: int) -> Interval:
        if exponent < 0:
            return Interval.of(1) / self**-exponent
        ends_of = (self.low.numerator, self.low.denominator, self.high.numerator)
        if exponent * max(end.bit_length() for end in ends_of) > _LARGEST:
            raise NotDecided("a power too large to write down")
        if exponent % 2 == 0 and self.low < 0 < self.high:
            return _outward(Fraction(0), max(-self.low, self.high) ** exponent)
        ends = sorted((self.low**exponent, self.high**exponent))
        return _outward(ends[0], ends[1])

    def below(self, other: Interval) -> bool | None:
        """Whether self <= other: True, False, or None where the intervals overlap."""
        if self.high <= other.low:
            return True
        return False if self.low > other.high else None

    def hull(self, other: Interval) -> Interval:
        """The smallest interval that contains both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


def exp(x: Interval) -> Interval:
    """e^x, increasing: each end by its Taylor series."""
    return Interval(_exp(x.low).low, _exp(x.high).high)


def log(x: Interval) -> Interval:
    """log x for x > 0, increasing."""
    if x.low <= 0:
        raise NotDecided("a logarithm of what may not be positive")
    return Interval(_log(x.low).low, _log(x.high).high)


def sqrt(x: Interval) -> Interval:
    """√x for x >= 0."""
    if x.low < 0:
        raise NotDecided("a square root of what may be negative")
    return Interval(_root(x.low, 2).low, _root(x.high, 2).high)


def power(base: Interval, exponent: Interval) -> Interval:
    """base^exponent for real exponents; 0^0 = 1, 0^positive = 0."""
    if exponent.exact and exponent.low.denominator == 1:
        return base ** int(exponent.low)
    if exponent.exact and base.exact and base.low >= 0 and exponent.low > 0:
        p, q = exponent.low.numerator, exponent.low.denominator
        root = _root(base.low, q) if q <= 64 and p <= 1000 else None
        if root is not None and root.exact:
            return root**p
        if base.low == 0:
            return Interval.of(0)
    if base.low == 0 and exponent.low > 0:
        if base.high == 0:
            return Interval.of(0)
        return Interval(Fraction(0), exp(log(Interval.of(base.high)) * exponent).high)
    return exp(log(base) * exponent)


def sin(x: Interval) -> Interval:
    """sin x by its Taylor series around the middle, with the radius added (|sin'| <= 1)."""
    middle, radius = (x.low + x.high) / 2, (x.high - x.low) / 2
    if abs(middle) > 60:
        raise NotDecided("a sine too far from 0")
    term = total = _outward(middle, middle)
    square = _outward(middle * middle, middle * middle)
    for k in range(1, 400):
        term = -(term * square) / Interval.of(2 * k * (2 * k + 1))
        total = total + term
        if 2 * k > abs(middle) + 2 and max(abs(term.low), abs(term.high)) < _TINY:
            break
    # An alternating series with falling terms: the rest is below the last term.
    slack = radius + _TINY
    return Interval(max(total.low - slack, Fraction(-1)), min(total.high + slack, Fraction(1)))


def normal_cdf(x: Interval) -> Interval:
    """Φ(x), increasing, by Φ = ½ + ϕ(x)(x + x³/3 + x⁵/15 + …)."""
    return Interval(_normal_cdf(x.low).low, _normal_cdf(x.high).high)


def erf(x: Interval) -> Interval:
    """erf x = 2Φ(√2 x) − 1."""
    return Interval.of(2) * normal_cdf(sqrt(Interval.of(2)) * x) - Interval.of(1)


@lru_cache(maxsize=1)
def pi() -> Interval:
    """π = 16 atan(1/5) − 4 atan(1/239)."""
    return Interval.of(16) * _atan_of_inverse(5) - Interval.of(4) * _atan_of_inverse(239)


_TINY = Fraction(1, 1 << _BITS)


def _outward(low: Fraction, high: Fraction) -> Interval:
    return Interval(_rounded(low, down=True), _rounded(high, down=False))


def _rounded(value: Fraction, *, down: bool) -> Fraction:
    top, bottom = value.numerator, value.denominator
    if top.bit_length() <= _LONGEST and bottom.bit_length() <= _LONGEST:
        return value
    shift = _BITS - top.bit_length() + bottom.bit_length()
    scaled = (top << shift) if shift >= 0 else top
    divisor = bottom if shift >= 0 else bottom << -shift
    quotient = scaled // divisor if down else -(-scaled // divisor)
    return Fraction(quotient, 1 << shift) if shift >= 0 else Fraction(quotient << -shift)


@lru_cache(maxsize=8192)
def _exp(x: Fraction) -> Interval:
    """e^x: Taylor at x/2^h in fixed point, then h squarings; below 0 by the reciprocal."""
    if x == 0:
        return Interval.of(1)
    if x < 0:
        return Interval.of(1) / _exp(-x)
    if x > 100_000:
        raise NotDecided("an exponential too large to write down")
    halvings = (x.numerator // x.denominator).bit_length() + 1
    small = (x.numerator << _POINT) // (x.denominator << halvings)
    term = total = 1 << _POINT
    terms = 0
    while term:
        terms += 1
        term = ((term * small) >> _POINT) // terms
        total += term
    # small < 1/2 is short by at most 1 unit of the last place, every term by at most 4.
    low, high = total, total + 4 * terms + 8
    for _ in range(halvings):
        low, high = (low * low) >> _POINT, ((high * high) >> _POINT) + 1
    return _outward(Fraction(low, 1 << _POINT), Fraction(high, 1 << _POINT))


@lru_cache(maxsize=8192)
def _log(x: Fraction) -> Interval:
    if x == 1:
        return Interval.of(0)
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    mantissa = x / Fraction(2) ** shift
    if mantissa > Fraction(4, 3):
        mantissa, shift = mantissa / 2, shift + 1
    return _twice_atanh((mantissa - 1) / (mantissa + 1)) + Interval.of(shift) * _log_two()


@lru_cache(maxsize=1)
def _log_two() -> Interval:
    return _twice_atanh(Fraction(1, 3))


def _twice_atanh(z: Fraction) -> Interval:
    """2(z + z³/3 + z⁵/5 + …) for |z| <= 1/3, in fixed point; odd in z."""
    if z < 0:
        return -_twice_atanh(-z)
    variable = (z.numerator << _POINT) // z.denominator
    square = (variable * variable) >> _POINT
    odd = total = variable
    terms = 0
    while odd:
        terms += 1
        odd = (odd * square) >> _POINT
        total += odd // (2 * terms + 1)
    # Every term is short by at most 4 units of the last place.
    low, high = 2 * total, 2 * total + 8 * terms + 8
    return _outward(Fraction(low, 1 << _POINT), Fraction(high, 1 << _POINT))


def _atan_of_inverse(n: int) -> Interval:
    total = Interval.of(0)
    for k in range(200):
        term = Interval.of(Fraction((-1) ** k, (2 * k + 1) * n ** (2 * k + 1)))
        total = total + term
        if abs(term.low) < _TINY:
            break
    return Interval(total.low - _TINY, total.high + _TINY)


def _root(x: Fraction, degree: int) -> Interval:
    """The degree-th root of x >= 0: exact where it is rational."""
    ends = [_integer_root(part, degree) for part in (x.numerator, x.denominator)]
    if ends[0] ** degree == x.numerator and ends[1] ** degree == x.denominator:
        return Interval.of(Fraction(ends[0], ends[1]))
    scale = 1 << (_BITS + max(0, x.denominator.bit_length() - x.numerator.bit_length()))
    floor = _integer_root(x.numerator * scale**degree // x.denominator, degree)
    return Interval(Fraction(floor, scale), Fraction(floor + 1, scale))


def _integer_root(n: int, degree: int) -> int:
    """⌊n^(1/degree)⌋ by Newton's method on integers."""
    if degree == 2:
        return isqrt(n)
    if n < 2 or degree == 1:
        return n
    guess = 1 << -(-n.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + n // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def _normal_cdf(x: Fraction) -> Interval:
    if abs(x) > 12:
        raise NotDecided("a normal probability too far in the tail")
    point = _outward(x, x)
    term = total = point
    for k in range(1, 1000):
        term = term * point * point / Interval.of(2 * k + 1)
        total = total + term
        small = max(abs(term.low), abs(term.high)) < _TINY
        if small and 2 * k + 1 > 2 * float(x) ** 2 + 2:
            break
    rest = max(abs(term.low), abs(term.high))
    series = Interval(total.low - rest, total.high + rest)
    density = exp(-(point * point) / Interval.of(2)) / sqrt(Interval.of(2) * pi())
    return Interval.of(Fraction(1, 2)) + density * series
