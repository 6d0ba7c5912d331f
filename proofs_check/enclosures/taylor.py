"""The words of the language on Taylor polynomials in one parameter, with coefficients in balls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import factorial
from typing import Any

from bounds import enclosure
from bounds.enclosure import Undecided, certainly_lt, divide
from proofs_check.language import arithmetics

ORDER = 4
"""The highest derivative."""


class Taylor:
    """A value and its derivatives f⁽ʲ⁾, as coefficients f⁽ʲ⁾/j!, exact where the numbers are.

    Over a box they are enclosures, at every point of which the derivatives are.
    """

    def __init__(self, coefficients: Sequence[Any]) -> None:
        self.coefficients = (*coefficients, *(0,) * (ORDER + 1))[: ORDER + 1]

    def __getitem__(self, order: int) -> Any:
        """The derivative of an order; of order 0 the value."""
        return self.coefficients[order] * factorial(order)

    def __add__(self, other: Any) -> Taylor:
        pairs = zip(self.coefficients, taylor(other).coefficients, strict=True)
        return Taylor([a + b for a, b in pairs])

    def __neg__(self) -> Taylor:
        return Taylor([-a for a in self.coefficients])

    def __pos__(self) -> Taylor:
        return self

    def __sub__(self, other: Any) -> Taylor:
        return self + -taylor(other)

    def __rsub__(self, other: Any) -> Taylor:
        return taylor(other) + -self

    def __mul__(self, other: Any) -> Taylor:
        a, b = self.coefficients, taylor(other).coefficients
        return Taylor([sum((a[j] * b[k - j] for j in range(k + 1)), 0) for k in range(ORDER + 1)])

    __radd__, __rmul__ = __add__, __mul__


def taylor(value: Any) -> Taylor:
    """A number as a polynomial that does not depend on the parameter."""
    return value if isinstance(value, Taylor) else Taylor((value,))


def strict() -> dict[str, Any]:
    """The words in exact numbers and balls that have a value all over a box, or are undecided."""
    return {**arithmetics.rigorous(), "sqrt": _strict_root, "power": _strict_power}


def _strict_root(value: Any) -> Any:
    """A root only where all of the box has one: a closed cover then says that there is a value."""
    if enclosure.certainly_le(0, value) is not True:
        raise enclosure.Undecided("the root of an enclosure that reaches below zero")
    return enclosure.sqrt(value)


def _strict_power(base: Any, exponent: Any) -> Any:
    """The same of a power whose exponent is not an integer for certain."""
    if not isinstance(exponent, int) and enclosure.certainly_le(0, base) is not True:
        raise enclosure.Undecided("the power of an enclosure that reaches below zero")
    return arithmetics.rigorous()["power"](base, exponent)


def words() -> dict[str, Any]:
    """The words of the language; what has no derivative over all of a box is undecided."""
    plain = strict()
    readings = {word: _without(meaning) for word, meaning in plain.items() if callable(meaning)}
    smooth = {"log": _log, "exp": _exp, "sqrt": _sqrt, "sin": _sin, "erf": _erf}
    smooth |= {"normal_cdf": _normal_cdf}
    readings |= {word: _either(meaning, plain[word]) for word, meaning in smooth.items()}
    return {
        **plain,
        **readings,
        "divide": lambda a, b: taylor(a) * _inverse(b) if _any(a, b) else plain["divide"](a, b),
        "power": lambda a, b: _power(a, b) if _any(a, b) else plain["power"](a, b),
        "compare": lambda sign, a, b: plain["compare"](sign, taylor(a)[0], taylor(b)[0]),
        "choose": _decided,
        **{word: plain[word] for word in ("item", "len")},
        "sum": lambda items: reduce(lambda a, b: a + b, items, 0),
        "prod": lambda items: reduce(lambda a, b: a * b, items, 1),
        "abs": lambda a: _largest(a, -a) if _any(a) else plain["abs"](a),
        "max": lambda *a: _largest(*_spread(a)),
        "min": lambda *a: -_largest(*(-value for value in _spread(a))),
    }


def _any(*values: Any) -> bool:
    return any(isinstance(value, Taylor) for value in values)


def _spread(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(values[0]) if len(values) == 1 and isinstance(values[0], list) else values


def _without(word: Callable[..., Any]) -> Callable[..., Any]:
    def said(*arguments: Any) -> Any:
        if any(map(_inside, arguments)):
            raise Undecided("a word without a derivative")
        return word(*arguments)

    return said


def _inside(value: Any) -> bool:
    return isinstance(value, Taylor) or (isinstance(value, list) and any(map(_inside, value)))


def _either(smooth: Callable[[Taylor], Taylor], plain: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda x: smooth(x) if isinstance(x, Taylor) else plain(x)


def _solved(first: Any, slope: Taylor) -> Taylor:
    """The polynomial that begins with `first` and has this derivative."""
    return Taylor([first, *(divide(c, j + 1) for j, c in enumerate(slope.coefficients))])


def _derivative(x: Taylor) -> Taylor:
    return Taylor([(j + 1) * c for j, c in enumerate(x.coefficients[1:])])


def _inverse(value: Any) -> Taylor:
    a = taylor(value).coefficients
    coefficients = [divide(1, a[0])]
    for k in range(1, ORDER + 1):
        coefficients.append(
            -coefficients[0] * sum((a[j] * coefficients[k - j] for j in range(1, k + 1)), 0)
        )
    return Taylor(coefficients)


def _log(x: Taylor) -> Taylor:
    return _solved(enclosure.log(x[0]), _derivative(x) * _inverse(x))


def _exp(x: Taylor) -> Taylor:
    a, coefficients = x.coefficients, [enclosure.exp(x[0])]
    for k in range(1, ORDER + 1):
        terms = (j * a[j] * coefficients[k - j] for j in range(1, k + 1))
        coefficients.append(divide(sum(terms, 0), k))
    return Taylor(coefficients)


def _sqrt(x: Taylor) -> Taylor:
    if not certainly_lt(0, x[0]):
        raise Undecided("the slope of a root at 0")
    a, coefficients = x.coefficients, [enclosure.sqrt(x[0])]
    for k in range(1, ORDER + 1):
        known = sum((coefficients[j] * coefficients[k - j] for j in range(1, k)), 0)
        coefficients.append(divide(a[k] - known, 2 * coefficients[0]))
    return Taylor(coefficients)


def _sin(x: Taylor) -> Taylor:
    """Sine and cosine together: each is the other's slope."""
    a = x.coefficients
    sine, cosine = [enclosure.sin(x[0])], [enclosure.sin(x[0] + enclosure.pi() / 2)]
    for k in range(1, ORDER + 1):
        once = [(j * a[j], k - j) for j in range(1, k + 1)]
        sine.append(divide(sum((c * cosine[i] for c, i in once), 0), k))
        cosine.append(-divide(sum((c * sine[i] for c, i in once), 0), k))
    return Taylor(sine)


def _erf(x: Taylor) -> Taylor:
    factor = divide(2, enclosure.sqrt(enclosure.pi()))
    return _solved(enclosure.erf(x[0]), factor * _exp(-(x * x)) * _derivative(x))


def _normal_cdf(x: Taylor) -> Taylor:
    factor = divide(1, enclosure.sqrt(2 * enclosure.pi()))
    bell = _exp(x * x * _inverse(-2))
    return _solved(enclosure.normal_cdf(x[0]), factor * bell * _derivative(x))


def _power(base: Any, exponent: Any) -> Taylor:
    if isinstance(exponent, int):
        factor = taylor(base) if exponent >= 0 else _inverse(base)
        return reduce(lambda a, b: a * b, [factor] * abs(exponent), Taylor((1,)))
    if not certainly_lt(0, taylor(base)[0]):
        raise Undecided("the slope of a power at 0")
    return _exp(taylor(exponent) * _log(taylor(base)))


def _decided(condition: bool | None, then: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """A branch that is decided all over the box: one that is not may jump, constants too."""
    if condition is None:
        raise Undecided("a branch")
    return then() if condition else other()


def _largest(*values: Any) -> Any:
    """The one that is larger than all others all over the box: where two meet, each has a slope."""
    for value in values:
        others = (other for other in values if other is not value)
        if all(certainly_lt(taylor(other)[0], taylor(value)[0]) for other in others):
            return value
    raise Undecided("a kink")
