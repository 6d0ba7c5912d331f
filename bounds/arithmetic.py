"""One vocabulary for formulas: the same lines are read in doubles, in balls and in symbols.

A formula is a function of an arithmetic and of its quantities,

    def any_pattern(a, of):
        return of.gamma + a.sqrt(2 * of.gamma / of.noise * of.n * of.theta * of.span)

and what `of` supplies are numbers of that arithmetic: doubles, enclosures, or letters. Beyond + − ·
and / it uses the methods below alone. `bounds.gain` and `bounds.regret` hold the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol

import numpy as np

from bounds import enclosure

Value = Any
"""A double or an array of them, an enclosure, or a term of sympy."""


class Arithmetic(Protocol):
    """What a formula may do with the numbers of one reading."""

    @property
    def pi(self) -> Value:
        """π."""

    def number(self, x: Any) -> Value:
        """An exact number, as doubles are, as a number of this reading."""

    def log(self, x: Value) -> Value:
        """log x."""

    def log1p(self, x: Value) -> Value:
        """log(1 + x)."""

    def exp(self, x: Value) -> Value:
        """e^x."""

    def sqrt(self, x: Value) -> Value:
        """√x."""

    def normal_cdf(self, x: Value) -> Value:
        """Φ(x)."""

    def least(self, *values: Value) -> Value:
        """The least of some numbers."""

    def largest(self, *values: Value) -> Value:
        """The largest of some numbers."""

    def split(
        self, x: Value, at: int, below: Callable[[Value], Value], above: Callable[[Value], Value]
    ) -> Value:
        """`below` of x for x ≤ at and `above` of it beyond, of a function continuous there."""

    def total(self, values: Iterable[Value]) -> Value:
        """The sum of some numbers."""


class Doubles:
    """Floating point, entry by entry for arrays: what is computed and not certified."""

    pi = math.pi

    def number(self, x: Any) -> float:
        return float(x)

    def log(self, x: Value) -> Value:
        return np.log(x) if isinstance(x, np.ndarray) else math.log(x)

    def log1p(self, x: Value) -> Value:
        return np.log1p(x) if isinstance(x, np.ndarray) else math.log1p(x)

    def exp(self, x: Value) -> Value:
        return np.exp(x) if isinstance(x, np.ndarray) else math.exp(x)

    def sqrt(self, x: Value) -> Value:
        return np.sqrt(x) if isinstance(x, np.ndarray) else math.sqrt(x)

    def normal_cdf(self, x: Value) -> Value:
        from scipy import special  # here: slow to import

        return special.ndtr(x)

    def least(self, *values: Value) -> Value:
        arrays = any(isinstance(value, np.ndarray) for value in values)
        return reduce(np.minimum, values) if arrays else min(values)

    def largest(self, *values: Value) -> Value:
        arrays = any(isinstance(value, np.ndarray) for value in values)
        return reduce(np.maximum, values) if arrays else max(values)

    def split(
        self, x: Value, at: int, below: Callable[[Value], Value], above: Callable[[Value], Value]
    ) -> Value:
        if not isinstance(x, np.ndarray):
            return below(x) if x <= at else above(x)
        return np.where(x <= at, below(x), above(np.maximum(x, at)))

    def total(self, values: Iterable[Value]) -> Value:
        return sum(values)


class Balls:
    """Enclosures of python-flint: what every number is known to lie in."""

    def log(self, x: Value) -> Value:
        return enclosure.ball(enclosure.log(x))

    def log1p(self, x: Value) -> Value:
        return enclosure.ball(enclosure.log1p(x))

    def exp(self, x: Value) -> Value:
        return enclosure.ball(enclosure.exp(x))

    def sqrt(self, x: Value) -> Value:
        return enclosure.ball(enclosure.sqrt(x))

    def normal_cdf(self, x: Value) -> Value:
        return enclosure.normal_cdf(x)

    @property
    def pi(self) -> Value:
        return enclosure.pi()

    def number(self, x: Any) -> Value:
        return enclosure.ball(enclosure.exact(Fraction(x)))

    def least(self, *values: Value) -> Value:
        return enclosure.minimum(values)

    def largest(self, *values: Value) -> Value:
        return enclosure.maximum(values)

    def split(
        self, x: Value, at: int, below: Callable[[Value], Value], above: Callable[[Value], Value]
    ) -> Value:
        return enclosure.choose(enclosure.certainly_le(x, at), lambda: below(x), lambda: above(x))

    def total(self, values: Iterable[Value]) -> Value:
        return enclosure.total(values)


class Symbols:
    """Terms of sympy: what is printed, differentiated, and evaluated to any number of digits."""

    @property
    def pi(self) -> Value:
        return _sympy().pi

    def number(self, x: Any) -> Value:
        return _sympy().Rational(Fraction(x))

    def log(self, x: Value) -> Value:
        return _sympy().log(x)

    def log1p(self, x: Value) -> Value:
        return _sympy().log(1 + x)

    def exp(self, x: Value) -> Value:
        return _sympy().exp(x)

    def sqrt(self, x: Value) -> Value:
        return _sympy().sqrt(x)

    def normal_cdf(self, x: Value) -> Value:
        sympy = _sympy()
        return sympy.erfc(-x / sympy.sqrt(2)) / 2

    def least(self, *values: Value) -> Value:
        return _sympy().Min(*values)

    def largest(self, *values: Value) -> Value:
        return _sympy().Max(*values)

    def split(
        self, x: Value, at: int, below: Callable[[Value], Value], above: Callable[[Value], Value]
    ) -> Value:
        if x == 0:
            return below(x)
        sympy = _sympy()
        if x.has(sympy.Sum):
            return sympy.Piecewise((below(x), x <= at), (above(x), True))
        # Without cases, which sympy would have to decide: one of two terms stands still.
        under, over = (side(at, x, evaluate=False) for side in (sympy.Min, sympy.Max))
        return below(under) - below(at) + above(over)

    def total(self, values: Iterable[Value]) -> Value:
        return _sympy().Add(*values)


DOUBLES, BALLS, SYMBOLS = Doubles(), Balls(), Symbols()


class Letters:
    """The quantities of a formula as sympy's symbols; what has no letter here keeps its name.

    >>> Letters(n="n", noise="sigma2").noise
    sigma2
    """

    def __init__(self, **letters: Any) -> None:
        self._letters = letters

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        letter = self._letters.get(name, name)
        return _sympy().Symbol(letter, positive=True) if isinstance(letter, str) else letter


LATEX = {
    "n": "n",
    "sigma2": r"\sigma^2",
    "theta": r"\theta",
    "T": "T",
    "gamma_n": r"\gamma_n",
    "gain": r"\tilde\gamma_n",
    "beta": r"\beta_n",
    "delta": r"\delta",
    "D": "|D|",
    "S": r"\Sigma\sigma",
    "V": r"\Sigma\sigma^2",
    "m": "m^*",
    "v": "v",
    "a": r"\Sigma a_i",
    "b": "b",
    "kappa": r"\kappa",
    "eta": r"\eta",
    "C": "C",
    "M": "M",
}
"""How letters are printed."""


def latex(term: Value) -> str:
    """A formula in LaTeX, with the letters as the project prints them.

    >>> latex(Letters(n="n", m="m").n * 2)
    '2 n'
    """
    sympy = _sympy()
    names = {s: LATEX[s.name] for s in term.free_symbols if s.name in LATEX}
    return str(sympy.latex(term, symbol_names=names))


def _sympy() -> Any:
    """Loaded when a formula is first read in symbols: it takes a third of a second."""
    import sympy

    return sympy
