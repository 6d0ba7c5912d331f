"""Reads a formula's text and evaluates it in fractions, without sympy: what the text says."""

import ast
import json
import operator
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor
from pathlib import Path

import sympy

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
}
_FUNCTIONS = {
    "Min": min,
    "Max": max,
    "Eq": operator.eq,
    "Mod": operator.mod,
    "floor": lambda x: Fraction(floor(x)),
    "ceiling": lambda x: Fraction(ceil(x)),
}


def exact_value(text: str, values: dict[str, object]) -> Fraction:
    """The value of a formula at exact numbers; cases and sums as they are written."""
    return _value(_parsed(text), {n: Fraction(v) for n, v in values.items()})


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _value(node: ast.expr, env: dict[str, Fraction]):
    match node:
        case ast.Constant(value):
            return value if isinstance(value, bool) else Fraction(value)
        case ast.Name(name):
            return env[name]
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, env)
        case ast.BinOp(left, operation, right):
            return _OPERATORS[type(operation)](_value(left, env), _value(right, env))
        case ast.Compare(left, [operation], [right]):
            return _OPERATORS[type(operation)](_value(left, env), _value(right, env))
        case ast.Call(ast.Name("Piecewise"), cases):
            return next(_value(c.elts[0], env) for c in cases if _value(c.elts[1], env))
        case ast.Call(ast.Name("Sum"), [term, *limits]):
            ranges = [
                range(int(_value(limit.elts[1], env)), int(_value(limit.elts[2], env)) + 1)
                for limit in limits
            ]
            names = [limit.elts[0].id for limit in limits]
            return sum(
                (
                    _value(term, {**env, **dict(zip(names, map(Fraction, at), strict=True))})
                    for at in product(*ranges)
                ),
                Fraction(0),
            )
        case ast.Call(ast.Name(name), arguments):
            return _FUNCTIONS[name](*(_value(one, env) for one in arguments))
    raise AssertionError(ast.dump(node))


_AT = {
    "n": 12,
    "T": 20,
    "epsilon": "3/10",
    "i": 7,
    "k_0": 2,
    "n0": 5,
    "ratio": "5/4",
    "bursts": 4,
    "period": 5,
    "gap": "1/4",
    "M": 4,
    "noise_variance": "1/2",
    "theta": "1/5",
    "center": 3,
    "c": "1/3",
    "d": 2,
    "gain_slope": 3,
    "gain_intercept": 2,
    "kappa": "1/7",
    "beta_n": 9,
    "l": 2,
    "p": 3,
    "m": 2,
    "e": 1,
    "f": 1,
    "h": 1,
    "j": 2,
    "k": 3,
    "a": 2,
    "b": 8,
}
"""Numbers for symbols by name; 3/7 for every other one."""


def said(formula) -> list:
    """Every step of a derivation in words, its symbols, and its value at `_AT` if it is short."""
    return [[step.text, *values_of(step.expression)] for step in formula.steps]


def kept(name: str) -> list:
    """What `derivations.json` has under a name; where one is reworded, read it again as a whole."""
    return _kept()[name]


@cache
def _kept() -> dict[str, list]:
    return json.loads(Path(__file__).with_name("derivations.json").read_text("utf-8"))


def values_of(expression) -> list[str]:
    if expression is None:
        return []
    if isinstance(expression, sympy.Tuple):
        return [value for part in expression for value in values_of(part)]
    if isinstance(expression, sympy.core.relational.Relational):
        return [type(expression).__name__, *values_of(expression.lhs), *values_of(expression.rhs)]
    names = " ".join(sorted({s.name for s in expression.atoms(sympy.Symbol)}))
    if expression.has(sympy.Sum, sympy.Piecewise) or len(str(expression)) > 40:
        return [names]
    at = {s: sympy.Rational(_AT.get(s.name, "3/7")) for s in expression.free_symbols}
    plain = expression.replace(
        lambda e: isinstance(e, sympy.core.function.AppliedUndef), lambda e: e.args[0] ** 0.75
    )
    number = complex(plain.subs(at, simultaneous=True).doit().evalf(12))
    return [
        names,
        f"{number.real:.8g}" + (f" {number.imag:.8g}i" if abs(number.imag) > 1e-12 else ""),
    ]
