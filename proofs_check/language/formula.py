"""Formulas: the statements of claims as text that several arithmetics evaluate.

A formula is a Python expression in a small vocabulary: names, integers, decimals (exact), + - * /
**, comparisons, `a if condition else b`, indexing, list comprehensions and sums `sum(... for ...)`.
The same text is evaluated in floats (to search), in exact numbers and balls (to decide), by the
independent recheck, and it is what a certificate and a reader see.

Matrices are lists of rows; `det eigenvalues` take them, and `hadamard add scale identity trace
transpose matmul outer diagonal block` build them.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.errors import CtvBoundsError

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.LtE: "<=",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_ALLOWED = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub,
    ast.UAdd, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Call, ast.Compare, ast.IfExp,
    ast.Subscript, ast.GeneratorExp, ast.ListComp, ast.comprehension, ast.List, ast.Tuple,
    *_OPERATORS,
)  # fmt: skip


class BadFormula(CtvBoundsError, ValueError):
    """A formula is not in the language; the message quotes it."""


@dataclass(frozen=True)
class Relation:
    """A comparison of two formulas, `left operator right`."""

    left: str
    operator: str
    right: str

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


def parse(text: str) -> ast.Expression:
    """The syntax tree of a formula; raises `BadFormula` for anything outside the language."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise BadFormula(f"cannot read the formula {text!r}: {error.msg}") from None
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise BadFormula(f"{type(node).__name__} is not part of a formula: {text!r}")
        if isinstance(node, ast.Constant) and (
            isinstance(node.value, bool) or not isinstance(node.value, int | float)
        ):
            raise BadFormula(f"only numbers are constants of a formula: {text!r}")
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
            raise BadFormula(f"only named functions are called in a formula: {text!r}")
        if isinstance(node, ast.Name) and node.id.startswith("_"):
            raise BadFormula(f"names in a formula do not begin with _: {text!r}")
        if isinstance(node, ast.Compare) and len(node.ops) != 1:
            raise BadFormula(f"write one comparison at a time: {text!r}")
    return tree


def normal(text: str) -> str:
    """The formula with one spelling of spaces and brackets, so that equal text is equal meaning.

    >>> normal("( a+b ) <=c*2")
    'a + b <= c * 2'
    """
    return ast.unparse(parse(text))


@lru_cache(maxsize=4096)
def relation(text: str) -> Relation:
    """Split a formula that compares two sides.

    >>> relation("log(1+x) <= x").operator
    '<='
    """
    tree = parse(text).body
    if not isinstance(tree, ast.Compare):
        raise BadFormula(f"a statement compares two sides: {text!r}")
    return Relation(
        ast.unparse(tree.left), _OPERATORS[type(tree.ops[0])], ast.unparse(tree.comparators[0])
    )


def expand(text: str, definitions: Sequence[tuple[str, str]]) -> str:
    """Replace defined names by their definitions, the last definition first.

    >>> expand("x + y", [("x", "2*a"), ("y", "x**2")])
    '2 * a + (2 * a) ** 2'
    """
    tree: ast.AST = parse(text)
    for name, meaning in reversed(definitions):
        tree = _Substitution(name, parse(meaning).body).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


def names(text: str) -> frozenset[str]:
    """The free names of a formula: parameters, not functions and not bound indices."""
    tree = parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    called = {node.func.id for node in ast.walk(tree)
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    bound = {node.id for node in ast.walk(tree)
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
    return frozenset(used - called - bound - {"pi"})


def evaluate(text: str, vocabulary: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """The value of a formula where `values` names the parameters and `vocabulary` computes."""
    space = {**vocabulary, **values, "__builtins__": {}}
    return eval(compiled(text), space)  # the tree was checked against the allowed nodes


def holds(text: str, vocabulary: Mapping[str, Any], values: Mapping[str, Any]) -> bool | None:
    """Whether a comparison holds: True, False, or None where the arithmetic cannot decide."""
    answer = evaluate(text, vocabulary, values)
    return None if answer is None else bool(answer)


@lru_cache(maxsize=4096)
def compiled(text: str) -> CodeType:
    """The formula as code that computes through the vocabulary only."""
    tree = _Vocabulary().visit(parse(text))
    return compile(ast.fix_missing_locations(tree), "<formula>", "eval")


@lru_cache(maxsize=1)
def floats() -> dict[str, Any]:
    """The vocabulary in floating point: enough to search, never enough to decide."""
    return {
        **shapes(),
        "divide": lambda a, b: a / b,
        "power": _float_power,
        "compare": _float_compare,
        "choose": lambda condition, then, other: then() if condition else other(),
        "number": float,
        "sqrt": math.sqrt,
        "log": math.log,
        "exp": math.exp,
        "sin": math.sin,
        "erf": math.erf,
        "gamma": math.gamma,
        "bessel_k": _float_bessel,
        "normal_cdf": lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)),
        "floor": math.floor,
        "ceil": math.ceil,
        "abs": abs,
        "min": min,
        "max": max,
        "sum": sum,
        "prod": math.prod,
        "det": lambda matrix: float(np.linalg.det(np.array(matrix, dtype=float))),
        "eigenvalues": lambda matrix: [
            float(v) for v in np.linalg.eigvalsh(np.array(matrix, dtype=float))[::-1]
        ],
        "pi": math.pi,
    }


@lru_cache(maxsize=1)
def fractions() -> dict[str, Any]:
    """The vocabulary of rational arithmetic, for the bounds of parameters."""
    return {
        "divide": lambda a, b: Fraction(a) / b,
        "power": lambda a, b: Fraction(a) ** b,
        "compare": _float_compare,
        "choose": lambda condition, then, other: then() if condition else other(),
        "number": Fraction,
        "floor": math.floor,
        "ceil": math.ceil,
        "abs": abs,
        "min": min,
        "max": max,
        "sum": sum,
    }


def rigorous() -> dict[str, Any]:
    """The vocabulary in exact numbers and balls, at the precision in force."""
    words = {**shapes(), **enclosure.vocabulary()}
    words["pi"] = enclosure.pi()
    return words


def as_float(value: Any) -> Any:
    """A parameter's value for floating point; integers stay integers, lists keep their shape."""
    if isinstance(value, Fraction):
        return float(value)
    return [as_float(item) for item in value] if isinstance(value, list | tuple) else value


def as_exact(value: Any) -> Any:
    """A parameter's value for the rigorous arithmetic."""
    if isinstance(value, Fraction):
        return enclosure.exact(value)
    return [as_exact(item) for item in value] if isinstance(value, list | tuple) else value


def shapes() -> dict[str, Any]:
    """Words that are the same in every arithmetic: shapes, indices, sums and products."""
    return {
        "len": len,
        "range": range,
        "hadamard": lambda a, b: [[x * y for x, y in zip(p, q, strict=True)]
                                  for p, q in zip(a, b, strict=True)],
        "add": lambda a, b: [[x + y for x, y in zip(p, q, strict=True)]
                             for p, q in zip(a, b, strict=True)],
        "scale": lambda c, a: [[c * x for x in row] for row in a],
        "identity": lambda n: [[1 if j == k else 0 for k in range(n)] for j in range(n)],
        "ones": lambda n: [[1] * n for _ in range(n)],
        "diagonal": lambda v: [[v[j] if j == k else 0 for k in range(len(v))]
                               for j in range(len(v))],
        "outer": lambda v, w: [[x * y for y in w] for x in v],
        "trace": lambda a: sum((a[j][j] for j in range(len(a))), 0),
        "transpose": lambda a: [list(column) for column in zip(*a, strict=True)],
        "matmul": lambda a, b: [[sum((a[j][k] * b[k][l] for k in range(len(b))), 0)
                                 for l in range(len(b[0]))] for j in range(len(a))],
        "block": lambda a, start, stop: [list(row[start:stop]) for row in a[start:stop]],
    }  # fmt: skip


class _Vocabulary(ast.NodeTransformer):
    """Route division, powers, comparisons, branches and decimals through the vocabulary."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        left, right = self.visit(node.left), self.visit(node.right)
        word = {ast.Div: "divide", ast.Pow: "power"}.get(type(node.op))
        if word is None:
            return ast.BinOp(left, node.op, right)
        return _call(word, left, right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        operator = ast.Constant(_OPERATORS[type(node.ops[0])])
        return _call("compare", operator, self.visit(node.left), self.visit(node.comparators[0]))

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        branches = [
            ast.Lambda(_NO_ARGUMENTS, self.visit(part)) for part in (node.body, node.orelse)
        ]
        return _call("choose", self.visit(node.test), *branches)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, float):
            return _call("number", ast.Constant(repr(node.value)))
        return node


class _Substitution(ast.NodeTransformer):
    def __init__(self, name: str, meaning: ast.expr) -> None:
        self.name = name
        self.meaning = meaning

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.meaning if node.id == self.name else node


_NO_ARGUMENTS = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


def _call(word: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(word, ast.Load()), list(arguments), [])


def _float_power(base: float, exponent: float) -> float:
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("a fractional power of a negative number")
    return float(result)


def _float_compare(operator: str, left: float, right: float) -> bool:
    if operator == "<=":
        return left <= right
    if operator == "<":
        return left < right
    if operator == ">=":
        return left >= right
    if operator == ">":
        return left > right
    return (left == right) is (operator == "==")


def _float_bessel(order: float, value: float) -> float:
    from scipy.special import kv  # slow to import, used by few claims

    return float(kv(order, value))
