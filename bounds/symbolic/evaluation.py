"""The value of an expression at numbers: rationals exactly, everything else by mpmath.

Floors and cases are decided by exact fractions where their arguments are rational, so that n/p is
not taken for the whole number below it; sums are added term by term.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor, prod
from typing import Any, TypeAlias

import mpmath
import numpy as np
import sympy
from numpy.typing import ArrayLike

from bounds.errors import InvalidInput

Number: TypeAlias = Any
"""A Fraction, or an mpmath number."""

_MOST_TERMS = 2_000_000
_LARGEST_EXACT_POWER = 512
_RELATIONS: Mapping[Any, Callable[[Number, Number], bool]] = {
    sympy.Le: operator.le,
    sympy.Lt: operator.lt,
    sympy.Ge: operator.ge,
    sympy.Gt: operator.gt,
    sympy.Eq: operator.eq,
    sympy.Ne: operator.ne,
}


def evaluate(
    expression: Any,
    values: Mapping[str, Fraction],
    precision: int,
    gains: ArrayLike | None = None,
) -> Number:
    """The value of a sympy expression as an mpmath number of `precision` decimal digits.

    `gains` are γ_0, γ_1, … for the function `gain(m)`.
    Raises InvalidInput for more than two million terms of sums.

    >>> x = sympy.Symbol("x")
    >>> mpmath.nstr(evaluate(sympy.sqrt(sympy.floor(x)), {"x": Fraction(9, 4)}, 20), 18)
    '1.41421356237309505'
    """
    with mpmath.workdps(precision):
        return _real(_Evaluation(dict(values), gains).of(expression))


class _Evaluation:
    """One evaluation: values of the symbols, and how many terms were added."""

    def __init__(self, values: dict[str, Number], gains: ArrayLike | None) -> None:
        self._values = values
        self._gains = None if gains is None else np.asarray(gains, dtype=float)
        self._terms = 0

    def of(self, node: Any) -> Number:
        """The value of a node; a bool for a condition."""
        if node.is_Symbol:
            return self._values[node.name]
        if node.is_Rational:
            return Fraction(int(node.p), int(node.q))
        if isinstance(node, sympy.Piecewise):
            return self.of(next(value for value, condition in node.args if self.of(condition)))
        if isinstance(node, sympy.Sum):
            return mpmath.fsum(_real(term) for term in self._sum(node.function, node.limits[::-1]))
        if node in (sympy.true, sympy.false):
            return bool(node)
        arguments = [self.of(argument) for argument in node.args]
        if node.is_Add:
            return sum(_alike(arguments))
        if node.is_Mul:
            return prod(_alike(arguments))
        if node.is_Pow:
            return _power(*arguments)
        if relation := _RELATIONS.get(node.func):
            return relation(*_alike(arguments))
        if type(node).__name__ == "gain" and self._gains is not None:
            return Fraction(float(self._gains[int(arguments[0])]))
        return _FUNCTIONS[type(node).__name__](arguments)

    def _sum(self, term: Any, limits: tuple[Any, ...]) -> Iterator[Number]:
        if not limits:
            self._terms += 1
            if self._terms > _MOST_TERMS:
                remedy = "ask for the number without --symbolic: the sum is too long"
                raise InvalidInput("terms", f"more than {_MOST_TERMS}", remedy)
            yield self.of(term)
            return
        index, low, high = limits[0]
        for at in range(int(self.of(low)), int(self.of(high)) + 1):
            self._values[index.name] = Fraction(at)
            yield from self._sum(term, limits[1:])


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        power = int(exponent)
        if abs(power) <= _LARGEST_EXACT_POWER or not isinstance(base, Fraction):
            return base**power
    return mpmath.power(_real(base), _real(exponent))


def _alike(numbers: list[Number]) -> list[Number]:
    """All fractions, or all mpmath numbers."""
    exact = all(isinstance(number, Fraction) for number in numbers)
    return numbers if exact else [_real(number) for number in numbers]


def _real(number: Number) -> Number:
    if isinstance(number, Fraction):
        return mpmath.mpf(number.numerator) / number.denominator
    return mpmath.mpf(number)


_FUNCTIONS: Mapping[str, Callable[[list[Number]], Number]] = {
    "Min": lambda a: min(_alike(a)),
    "Max": lambda a: max(_alike(a)),
    "floor": lambda a: Fraction(floor(a[0])),
    "ceiling": lambda a: Fraction(ceil(a[0])),
    "Mod": lambda a: a[0] % a[1],
    "Abs": lambda a: abs(a[0]),
    "log": lambda a: mpmath.log(_real(a[0])),
    "exp": lambda a: mpmath.exp(_real(a[0])),
    "LambertW": lambda a: mpmath.lambertw(_real(a[0]), int(a[1]) if len(a) > 1 else 0).real,
    "And": all,
    "Or": any,
    "Not": lambda a: not a[0],
    "Exp1": lambda a: mpmath.mpf(mpmath.e),
    "Pi": lambda a: mpmath.mpf(mpmath.pi),
}
