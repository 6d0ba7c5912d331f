"""Reads a formula's text and evaluates it in fractions, without sympy: what the text says."""

import ast
import operator
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor

_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.LtE: operator.le, ast.Lt: operator.lt, ast.GtE: operator.ge,
    ast.Gt: operator.gt,
}  # fmt: skip
_FUNCTIONS = {
    "Min": min, "Max": max, "Eq": operator.eq, "Mod": operator.mod,
    "floor": lambda x: Fraction(floor(x)), "ceiling": lambda x: Fraction(ceil(x)),
}  # fmt: skip


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
