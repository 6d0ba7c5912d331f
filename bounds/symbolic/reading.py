"""The one door for text that is to be an expression: nothing of it is evaluated.

`sympy.sympify` runs text as Python, and so does whatever in sympy is given text. Here text is a
tree of numbers, declared names, + − * / and parentheses; elsewhere sympy is given no text.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import operator
import re
from collections.abc import Callable, Mapping
from math import isinf
from numbers import Rational, Real
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from bounds.errors import InvalidInput
from bounds.rates.lattice import exact_fraction

NUMBERS: Mapping[str, Any] = {"oo": sympy.oo, "pi": sympy.pi}
"""The numbers that have a name in text."""

_TEXT = re.compile(r"[\w\s.+*/()-]{1,200}", re.ASCII)
_NAME = re.compile(r"[^\W\d_]\w{0,59}")
_TWO: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ONE: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def known_to_sympy(name: str) -> bool:
    """Whether sympy or Python means something else by this name than a symbol.

    >>> known_to_sympy("zeta"), known_to_sympy("a")
    (True, False)
    """
    return name in sympy.__all__ or hasattr(builtins, name) or keyword.iskeyword(name)


def read(field: str, value: object, names: Mapping[str, Any] | None, remedy: str) -> Any:
    """A number, a text or a sympy expression as an expression. O(its size).

    Parameters
    ----------
    field : what it is, for the message
    names : what text may name beside `NUMBERS`; None for any name that is no other thing's
    remedy : what to give instead, for the message

    Decimals are what they say: 0.1 is 1/10. Raises InvalidInput for what is none of these, and for
    expressions in which a name is more than letters, digits and _.

    >>> read("duration", "a + 2*b/0.5", None, "give a sum")
    a + 4*b
    """
    try:
        return _expression(value, names)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidInput(field, value, remedy) from None


def _expression(value: object, names: Mapping[str, Any] | None) -> Any:
    if isinstance(value, sympy.Expr) and all(map(_NAME.fullmatch, _names_in(value))):
        return value
    if isinstance(value, str) and _TEXT.fullmatch(text := value.strip()):
        expression = _value(ast.parse(text, mode="eval").body, text, names)
        if not expression.has(sympy.nan):
            return expression
    if isinstance(value, Real) and not isinstance(value, bool | sympy.Expr):
        return _number(value if isinstance(value, Rational) else float(value))
    raise ValueError(value)


def _names_in(expression: Any) -> set[str]:
    functions = {type(function).__name__ for function in expression.atoms(AppliedUndef)}
    return {letter.name for letter in expression.atoms(sympy.Symbol)} | functions


def _number(value: object) -> Any:
    if isinstance(value, float) and isinf(value):
        return sympy.oo if value > 0 else -sympy.oo
    fraction = exact_fraction("number", value)
    return sympy.Rational(fraction.numerator, fraction.denominator)


def _value(node: ast.expr, text: str, names: Mapping[str, Any] | None) -> Any:
    match node:
        case ast.Constant():
            return _number(ast.get_source_segment(text, node))
        case ast.Name(name) if name in NUMBERS:
            return NUMBERS[name]
        case ast.Name(name) if names is None and _NAME.fullmatch(name):
            if not known_to_sympy(name):
                return sympy.Symbol(name)
        case ast.Name(name) if names is not None and name in names:
            return names[name]
        case ast.UnaryOp(sign, part) if type(sign) in _ONE:
            return _ONE[type(sign)](_value(part, text, names))
        case ast.BinOp(left, sign, right) if type(sign) in _TWO:
            return _TWO[type(sign)](_value(left, text, names), _value(right, text, names))
    raise ValueError(text)
