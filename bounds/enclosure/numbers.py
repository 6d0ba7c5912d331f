"""Rigorous numbers: exact rationals where possible, balls that contain the truth elsewhere.

A number here is an `int`, an `fmpq` (exact) or an `arb`
(a ball: midpoint, radius, rounded outward). All order decisions go through `certainly_le`.

The formulas of `proofs_check` see these functions; each returns an exact number whenever its
arguments allow one, so that ties are decided and not merely enclosed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from math import isfinite
from typing import Any

import flint

Number = Any  # int | fmpq | arb: flint ships no usable types
Matrix = Sequence[Sequence[Number]]
_LARGEST_EXPONENT = 100_000
_LARGEST_BINARY_EXPONENT = 10_000_000


class Undefined(ArithmeticError):
    """The formula has no value at this point: a division by 0, a logarithm of 0 or below."""


class Undecided(ArithmeticError):
    """The enclosure is too wide to go on: a branch, an index or a domain is not decided."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with `bits` of precision inside the block; the earlier precision returns after it."""
    with flint.ctx.workprec(bits):
        yield


def exact(value: Fraction | int) -> Number:
    """The exact number equal to a Fraction; an int stays an int (it may be an index)."""
    return value if isinstance(value, int) else flint.fmpq(value.numerator, value.denominator)


def exact_double(value: float) -> Number:
    """The exact number that a double is; raises `Undefined` for NaN and infinity."""
    if not isfinite(value):
        raise Undefined("a number that is not finite")
    return exact(Fraction(value))


def interval(low: Fraction, high: Fraction) -> Number:
    """A ball that contains [low, high]; exact where low = high.

    >>> certainly_le(interval(Fraction(0), Fraction(1, 3)), Fraction(1, 3)) is False
    False
    """
    if low == high:
        return exact(Fraction(low))
    return ball(exact(Fraction(low))).union(ball(exact(Fraction(high))))


def endpoints(value: Number) -> tuple[Fraction, Fraction]:
    """Rational numbers low ≤ value ≤ high, rounded outward; raises `Undecided` if unbounded."""
    if not isinstance(value, flint.arb):
        rational = to_fraction(value)
        return rational, rational
    if not value.is_finite():
        raise Undecided("an enclosure is unbounded")
    # lower() and upper() are themselves rounded outward and have an exact dyadic midpoint.
    return _dyadic(value.lower().mid()), _dyadic(value.upper().mid())


def to_fraction(value: Number) -> Fraction:
    """The Fraction equal to an exact number."""
    if isinstance(value, int | Fraction):
        return Fraction(value)
    return Fraction(int(value.p), int(value.q))


def is_exact(value: Number) -> bool:
    """Whether `value` is a rational number known exactly."""
    return not isinstance(value, flint.arb)


def certainly_le(left: Number, right: Number) -> bool | None:
    """True if left ≤ right for certain, False if left > right for certain, None if undecided.

    >>> certainly_le(Fraction(1, 3), Fraction(1, 3)), certainly_le(log(2), log(3))
    (True, True)
    >>> certainly_le(log(2), log(2)) is None
    True
    """
    left, right = number(left), number(right)
    if is_exact(left) and is_exact(right):
        return bool(left <= right)
    if left <= right:
        return True
    if left > right:
        return False
    return None


def certainly_lt(left: Number, right: Number) -> bool | None:
    """left < right, decided as not (right ≤ left)."""
    reverse = certainly_le(right, left)
    return None if reverse is None else not reverse


def divide(left: Number, right: Number) -> Number:
    """left/right; raises `Undefined` at an exact 0, `Undecided` where a ball contains 0."""
    left, right = number(left), number(right)
    if is_exact(right) and right == 0:
        raise Undefined("division by zero")
    if is_exact(left) and is_exact(right):
        return simplest(flint.fmpq(left) / flint.fmpq(right))
    if not is_exact(right) and right.contains(0):
        raise Undecided("division by an enclosure that contains zero")
    return left / right


def power(base: Number, exponent: Number) -> Number:
    """base^exponent with 0^0 = 1 and 0^positive = 0; exact where the result is rational."""
    base, exponent = number(base), number(exponent)
    if isinstance(exponent, int):
        return _integer_power(base, exponent)
    if is_exact(base) and is_exact(exponent):
        root = _rational_power(flint.fmpq(base), exponent)
        if root is not None:
            return root
    if certainly_lt(base, 0):
        raise Undefined("a fractional power of a negative number")
    if not certainly_lt(0, base):
        if not certainly_lt(0, exponent):
            raise Undecided("a power of a number that may be zero")
        if is_exact(base):
            return 0
        # Monotone from 0^exponent = 0 up to the power of the upper end.
        return ball(0).union((ball(base).upper().log() * exponent).exp())
    return (ball(base).log() * exponent).exp()


def sqrt(value: Number) -> Number:
    """√value, exact where it is rational; of a ball its non-negative part."""
    value = number(value)
    if is_exact(value):
        if value < 0:
            raise Undefined("square root of a negative number")
        root = _rational_power(flint.fmpq(value), flint.fmpq(1, 2))
        return ball(value).sqrt() if root is None else root
    if value < 0:
        raise Undefined("square root of a negative number")
    # The argument is non-negative wherever the formula is defined, so the rest may be cut off.
    return value.nonnegative_part().sqrt()


def log(value: Number) -> Number:
    """log value; raises `Undefined` at 0 and below, `Undecided` where a ball reaches 0."""
    value = number(value)
    if certainly_le(value, 0):
        raise Undefined("logarithm of a number that is not positive")
    if is_exact(value) and value == 1:
        return 0
    result = ball(value).log()
    if not result.is_finite():
        raise Undecided("logarithm of an enclosure that contains zero")
    return result


def log1p(value: Number) -> Number:
    """log(1 + value) to full relative precision near 0; raises as `log` of 1 + value does."""
    value = number(value)
    if not certainly_lt(-1, value) or (is_exact(value) and value == 0):
        return log(1 + value)
    return ball(value).log1p()


def exp(value: Number) -> Number:
    """e^value."""
    value = number(value)
    return 1 if is_exact(value) and value == 0 else ball(value).exp()


def one_minus_exp(value: Number) -> Number:
    """1 − e^{−value}, without cancellation at small values."""
    return -(-ball(value)).expm1()


def sin(value: Number) -> Number:
    """sin value."""
    return ball(value).sin()


def erf(value: Number) -> Number:
    """The error function."""
    return ball(value).erf()


def normal_cdf(value: Number) -> Number:
    """Φ(x) = ½ erfc(−x/√2)."""
    return (-ball(value) / flint.arb(2).sqrt()).erfc() / 2


def gamma(value: Number) -> Number:
    """Γ(value)."""
    return ball(value).gamma()


def bessel_k(order: Number, value: Number) -> Number:
    """The modified Bessel function K_order(value)."""
    return ball(value).bessel_k(ball(order))


def pi() -> Number:
    """π at the precision in force."""
    return flint.arb.pi()


def floor(value: Number) -> int:
    """⌊value⌋ as an int; raises `Undecided` where the enclosure spans an integer."""
    value = number(value)
    if is_exact(value):
        rational = to_fraction(value)
        return rational.numerator // rational.denominator
    low, high = (end.numerator // end.denominator for end in endpoints(value))
    if low != high:
        raise Undecided("the integer part of an enclosure is not decided")
    return low


def ceil(value: Number) -> int:
    """⌈value⌉ as an int; raises `Undecided` where the enclosure spans an integer."""
    return -floor(-number(value))


def absolute(value: Number) -> Number:
    """|value|."""
    return abs(number(value))


def minimum(*values: Any) -> Number:
    """The smallest of the values, or of one list of values."""
    return reduce(_smaller, _spread(values))


def maximum(*values: Any) -> Number:
    """The largest of the values, or of one list of values."""
    return -reduce(_smaller, [-value for value in _spread(values)])


def total(values: Iterable[Number]) -> Number:
    """Their sum."""
    return reduce(lambda a, b: a + b, (number(value) for value in values), 0)


def product(values: Iterable[Number]) -> Number:
    """Their product."""
    return reduce(lambda a, b: a * b, (number(value) for value in values), 1)


def choose(condition: bool | None, then: Callable[[], Number], other: Callable[[], Number]) -> Any:
    """`then` or `other`; where the condition is undecided a ball that contains both."""
    if condition is None:
        first, second = number(then()), number(other())
        return ball(first).union(ball(second))
    return then() if condition else other()


def compare(operator: str, left: Number, right: Number) -> bool | None:
    """left `operator` right for <=, <, >=, >, ==, !=; None where undecided."""
    if operator in (">=", ">"):
        left, right = right, left
    if operator in ("<=", ">="):
        return certainly_le(left, right)
    if operator in ("<", ">"):
        return certainly_lt(left, right)
    below, above = certainly_le(left, right), certainly_le(right, left)
    if below is False or above is False:
        equal: bool | None = False
    else:
        equal = True if below and above else None
    if operator == "==":
        return equal
    return None if equal is None else not equal


_PLAIN = (flint.arb, int, flint.fmpq)


def number(value: Number) -> Number:
    """`value` as an int, fmpq or arb; a rational integer becomes an int."""
    # To ask whether something is a Fraction, an abstract number, takes ten times as long.
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Fraction):
        return exact(value) if value.denominator != 1 else value.numerator
    return value


def ball(value: Number) -> Number:
    """`value` as a ball, an exact number too."""
    return value if isinstance(value, flint.arb) else flint.arb(number(value))


def infinite() -> Number:
    """The ball of what has no upper bound."""
    return flint.arb("inf")


def simplest(value: Number) -> Number:
    """An exact rational as an int where it is one."""
    return int(value.p) if value.q == 1 else value


def _dyadic(value: Number) -> Fraction:
    mantissa, exponent = value.man_exp()
    if abs(int(exponent)) > _LARGEST_BINARY_EXPONENT:
        raise Undecided("a number with more digits than fit into memory")
    shift = int(exponent)
    return Fraction(int(mantissa) << max(shift, 0), 1 << max(-shift, 0))


def _spread(values: Sequence[Any]) -> list[Number]:
    items = list(values[0]) if len(values) == 1 else list(values)
    if not items:
        raise Undefined("minimum or maximum of nothing")
    return [number(item) for item in items]


def _smaller(left: Number, right: Number) -> Number:
    decided = certainly_le(left, right)
    if decided is None:
        return ball(left).min(ball(right))
    return left if decided else right


def _integer_power(base: Number, exponent: int) -> Number:
    if abs(exponent) > _LARGEST_EXPONENT:
        return (ball(base).log() * exponent).exp()
    if exponent < 0:
        return divide(1, _integer_power(base, -exponent))
    if not is_exact(base):
        if exponent % 2 == 0 and base.contains(0):
            # Even powers are not negative: enclose |base| instead.
            return abs(base).nonnegative_part() ** exponent
        return base**exponent
    return simplest(flint.fmpq(base) ** exponent)


def _rational_power(base: Number, exponent: Number) -> Number | None:
    """base^(p/q) where it is rational, else None."""
    p, q = int(exponent.p), int(exponent.q)
    if base == 0:
        return 0 if p > 0 else None
    if base < 0 or q > 64 or abs(p) > 1000:
        return None
    roots = []
    for part in (base.p, base.q):
        root = flint.fmpz(part).root(q)
        if root**q != part:
            return None
        roots.append(root)
    return _integer_power(simplest(flint.fmpq(roots[0], roots[1])), p)
