"""Formulas: the statements of claims as text that several arithmetics evaluate.

A formula is a Python expression in a small vocabulary: names, integers, decimals (the rational
number as written), + - * / **, comparisons, `a if condition else b`, indexing, list comprehensions
and sums `sum(... for ...)` over ranges of one or two ends. The same tree is evaluated in floats (to
search), in exact numbers and balls (to decide) and as terms of the proof assistant (to prove); its
meaning stands in docs/language.md, and whatever has none there is refused by `parse`.

Matrices are lists of rows; `det eigenvalues` take them, and `hadamard add scale identity trace
transpose matmul outer diagonal block` build them.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
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


_NUMBER = re.compile(r"(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]{1,6}))?")
_LONGEST = 100_000
_MOST_DIGITS = 1_000
_MOST_INDICES = 300_000
_LARGEST_SIZE = 400
_LARGEST_POWER = 10**6
WORDS = {
    **dict.fromkeys(
        ("log", "exp", "sqrt", "sin", "erf", "gamma", "normal_cdf", "floor", "ceil", "abs", "len",
         "sum", "prod", "det", "eigenvalues", "identity", "ones", "diagonal", "trace",
         "transpose"), (1, 1)),
    **dict.fromkeys(("bessel_k", "hadamard", "add", "scale", "outer", "matmul"), (2, 2)),
    "range": (1, 2), "block": (3, 3), "min": (1, 100), "max": (1, 100),
}  # fmt: skip
"""The functions of the language, with the fewest and the most arguments of each."""


NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RESERVED = frozenset(
    {*WORDS, "pi", "divide", "power", "compare", "choose", "item", *keyword.kwlist}
)
"""What no parameter and no index may be called."""


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


@lru_cache(maxsize=8192)
def parse(text: str) -> ast.Expression:
    """The tree of a formula, to be read only; raises `BadFormula` for what is no formula."""
    if len(text) > _LONGEST:
        raise BadFormula(f"a formula has at most {_LONGEST} characters: {text[:60]!r}…")
    try:
        tree: ast.Expression = _Door(text.strip()).visit(ast.parse(text.strip(), mode="eval"))
    except BadFormula:
        raise
    except SyntaxError as error:
        raise BadFormula(f"cannot read the formula {text[:60]!r}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise BadFormula(f"cannot read the formula {text[:60]!r}: too deep or too long") from None
    return ast.fix_missing_locations(tree)


class _Door(ast.NodeTransformer):
    """Refuses what has no meaning, and writes a decimal as the fraction that it stands for."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _refuse(self, fault: str) -> BadFormula:
        return BadFormula(f"{fault}: {self.text[:200]!r}")

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, _ALLOWED):
            raise self._refuse(f"{type(node).__name__} is not part of a formula")
        return super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self._refuse("only numbers are constants of a formula")
        written = ast.get_source_segment(self.text, node)
        found = _NUMBER.fullmatch(written or "")
        if found is None:
            raise self._refuse(f"{str(written)[:60]} is no number of this language")
        power = int(found["power"] or 0)
        digits = found["whole"] + (found["part"] or "")
        if abs(power) + len(digits) > _MOST_DIGITS:
            raise self._refuse(f"a number has at most {_MOST_DIGITS} digits")
        value = Fraction(int(digits or "0")) * Fraction(10) ** (power - len(found["part"] or ""))
        if value.denominator == 1:
            return ast.Constant(value.numerator)
        return ast.BinOp(ast.Constant(value.numerator), ast.Div(), ast.Constant(value.denominator))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id.startswith("_") or not node.id.isascii():
            raise self._refuse("names in a formula are ASCII and do not begin with _")
        if node.id in WORDS:
            raise self._refuse(f"{node.id} is a function, not a number")
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) != 1:
            raise self._refuse("write one comparison at a time")
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if not isinstance(node.test, ast.Compare):
            raise self._refuse("a branch asks for a comparison")
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.slice, ast.Tuple | ast.List):
            raise self._refuse("an index is one integer")
        if isinstance(node.slice, ast.UnaryOp):
            raise self._refuse("an index counts from 0 and does not wrap")
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        plain = isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range"
        if not plain or node.ifs or node.is_async or not isinstance(node.target, ast.Name):
            raise self._refuse("an index runs over range(...), without conditions")
        if node.target.id in RESERVED:
            raise self._refuse(f"{node.target.id} is a word of the language, not an index")
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        word = ast.unparse(node.func)
        if word not in WORDS:
            raise self._refuse(f"{word[:60]} is not a word of the language")
        least, most = WORDS[word]
        if node.keywords or not least <= len(node.args) <= most:
            raise self._refuse(f"{word} takes {least} to {most} arguments")
        arguments = [self.visit(argument) for argument in node.args]
        return ast.Call(node.func, arguments, [])


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
    tree: ast.AST = deepcopy(parse(text))
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


def indices(text: str) -> frozenset[str]:
    """The indices of the sums and lists of a formula."""
    return frozenset(
        node.id
        for node in ast.walk(parse(text))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )


def is_linear(text: str) -> bool:
    """Whether both sides are linear in the names: sums of names, each times a number.

    >>> is_linear("G <= H + 2*S"), is_linear("G**2 <= H"), is_linear("G <= a*H")
    (True, False, False)
    """

    def degree(node: ast.AST) -> int:
        if isinstance(node, ast.Name):
            return 1
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            product = isinstance(node.op, ast.Mult)
            return degree(node.left) + degree(node.right) * (1 if product else 2)
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)) or isinstance(
            node, ast.Call | ast.IfExp | ast.Subscript | ast.List | ast.ListComp
        ):
            return 2
        return max((degree(child) for child in ast.iter_child_nodes(node)), default=0)

    return degree(parse(text).body) <= 1


def evaluate(text: str, vocabulary: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """The value of a formula where `values` names the parameters and `vocabulary` computes."""
    code = compiled(text)
    space = {**vocabulary, **values, "range": _Ranges(), "__builtins__": {}}
    return eval(code, space)  # the tree was checked against the allowed nodes


def holds(text: str, vocabulary: Mapping[str, Any], values: Mapping[str, Any]) -> bool | None:
    """Whether a comparison holds: True, False, or None where the arithmetic cannot decide."""
    answer = evaluate(text, vocabulary, values)
    return None if answer is None else bool(answer)


@lru_cache(maxsize=4096)
def compiled(text: str) -> CodeType:
    """The formula as code that computes through the vocabulary only."""
    tree = _Vocabulary().visit(deepcopy(parse(text)))
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
        "power": _fraction_power,
        "compare": _float_compare,
        "choose": lambda condition, then, other: then() if condition else other(),
        "item": item,
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
    words["power"] = _bounded_power
    words["prod"] = lambda factors: reduce(_bounded_product, factors, 1)
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
        "item": item,
        "hadamard": lambda a, b: [[x * y for x, y in zip(p, q, strict=True)]
                                  for p, q in zip(a, b, strict=True)],
        "add": lambda a, b: [[x + y for x, y in zip(p, q, strict=True)]
                             for p, q in zip(a, b, strict=True)],
        "scale": lambda c, a: [[c * x for x in row] for row in a],
        "identity": lambda n: [[int(j == k) for k in range(_size(n))] for j in range(_size(n))],
        "ones": lambda n: [[1] * _size(n) for _ in range(_size(n))],
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

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return _call("item", self.visit(node.value), self.visit(node.slice))


class _Substitution(ast.NodeTransformer):
    def __init__(self, name: str, meaning: ast.expr) -> None:
        self.name = name
        self.meaning = meaning

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return deepcopy(self.meaning) if node.id == self.name else node  # trees are shared


_NO_ARGUMENTS = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


def _call(word: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(word, ast.Load()), list(arguments), [])


def item(values: Sequence[Any], index: Any) -> Any:
    """The entry of a list; an index below 0 or beyond the end has no value, it does not wrap."""
    place = _index(index)
    if not 0 <= place < len(values):
        raise IndexError(f"index {place} of {len(values)} entries")
    return values[place]


class _Ranges:
    """The word `range`, which counts: one evaluation runs over so many indices and no more."""

    def __init__(self) -> None:
        self.left = _MOST_INDICES

    def __call__(self, *ends: Any) -> range:
        """The integers from the first end (0 where there is one) to below the last; maybe none."""
        low, high = (0, _index(ends[0])) if len(ends) == 1 else map(_index, ends)
        self.left -= max(high - low, 0)
        if self.left < 0:
            raise OverflowError(f"sums over more than {_MOST_INDICES} indices")
        return range(low, high)


def _index(value: Any) -> int:
    if isinstance(value, int):
        return int(value)
    exact = getattr(value, "denominator", getattr(value, "q", 0)) == 1
    if exact or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise ValueError("an index that is no integer")


def _size(size: Any) -> int:
    if _index(size) > _LARGEST_SIZE:
        raise OverflowError(f"a matrix of {size} rows")
    return _index(size)


def _float_power(base: float, exponent: float) -> float:
    result = float(base) ** float(exponent)
    if isinstance(result, complex):
        raise ValueError("a fractional power of a negative number")
    return float(result)


def _bounded_power(base: Any, exponent: Any) -> Any:
    """A power, exact only where it has digits that somebody could want."""
    whole = isinstance(exponent, int) and enclosure.is_exact(base)
    if whole and abs(exponent) * _bits(base) > _LARGEST_POWER:
        base = enclosure.ball(base)
    return enclosure.power(base, exponent)


def _bounded_product(left: Any, right: Any) -> Any:
    exact = enclosure.is_exact(left) and enclosure.is_exact(right)
    if exact and _bits(left) + _bits(right) > _LARGEST_POWER:
        left = enclosure.ball(left)
    return left * right


def _bits(value: Any) -> int:
    fraction = enclosure.to_fraction(value)
    return max(fraction.numerator.bit_length(), fraction.denominator.bit_length()) - 1


def _fraction_power(base: Any, exponent: Any) -> Fraction:
    whole = _index(exponent)
    if abs(whole) * Fraction(base).numerator.bit_length() > _LARGEST_POWER:
        raise OverflowError("a power of too many digits")
    return Fraction(base) ** whole


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
