"""What has to hold for a formula to have a value: denominators not 0, positive logarithms.

`conditions(text)` walks a formula and lists them, each with what is known where it matters: the
branch it stands in and the range of the indices around it. A proof of the formula is a proof only
where they all follow from the domain; engine and recheck ask for that with their own `follows`.
Indices beyond a list and maxima of nothing are left to the search, which meets them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_check.language import formula

Follows = Callable[[Sequence[str], str], bool]
_OPPOSITE = {
    ast.LtE: ast.Gt, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A comparison that has to hold wherever the `guards` do; `exponent` is that of a power."""

    guards: tuple[str, ...]
    text: str
    exponent: str = ""

    def __str__(self) -> str:
        return self.text + (f" where {' and '.join(self.guards)}" if self.guards else "")


def conditions(text: str) -> list[Condition]:
    """The conditions under which a formula, its definitions written out, has a value.

    >>> [str(found) for found in conditions("log(x)/y + (sqrt(z) if z > 1 else 0) <= 1/2")]
    ['x > 0', 'y != 0', 'z >= 0 where z > 1']
    """
    found: dict[Condition, None] = {}
    for condition in _walk(formula.parse(text).body, ()):
        if not _of_numbers(condition):
            found[condition] = None
    return list(found)


def unproved(
    texts: Sequence[str],
    parameters: Sequence[Mapping[str, Any]],
    known: Sequence[str],
    follows: Follows,
) -> Iterator[Condition]:
    """The conditions of formulas that do not follow from what is known of the domain."""
    seen: set[Condition] = set()
    for text in texts:
        for condition in conditions(text):
            if condition in seen or _natural(condition.exponent, parameters):
                continue
            seen.add(condition)
            entries = _entries(condition, parameters)
            if not follows([*known, *condition.guards, *entries], condition.text):
                yield condition


def _walk(node: ast.AST, guards: tuple[str, ...]) -> Iterator[Condition]:
    if isinstance(node, ast.IfExp):
        assert isinstance(node.test, ast.Compare)
        yield from _walk(node.test, guards)
        yield from _walk(node.body, (*guards, ast.unparse(node.test)))
        other = ast.Compare(
            node.test.left, [_OPPOSITE[type(node.test.ops[0])]()], node.test.comparators
        )
        yield from _walk(node.orelse, (*guards, ast.unparse(other)))
        return
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        inner = guards
        renamed: list[tuple[str, str]] = []
        for generator in node.generators:
            iterated = formula.parse(formula.expand(ast.unparse(generator.iter), renamed)).body
            yield from _walk(iterated, inner)
            # Parameters may have the index's name: it gets one of its own.
            index = ast.unparse(generator.target)
            renamed = [*renamed, (index, f"every_{index}")]
            inner = (*inner, *_range(f"every_{index}", iterated))
        yield from _walk(formula.parse(formula.expand(ast.unparse(node.elt), renamed)).body, inner)
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, guards)
    yield from _own(node, guards)


def _own(node: ast.AST, guards: tuple[str, ...]) -> Iterator[Condition]:
    """The conditions of one operation."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield Condition(guards, f"{_atom(node.right)} != 0")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield from _power(node, guards)
    elif isinstance(node, ast.Call):
        word = ast.unparse(node.func)
        if word in ("log", "gamma"):
            yield Condition(guards, f"{_atom(node.args[0])} > 0")
        elif word == "sqrt":
            yield Condition(guards, f"{_atom(node.args[0])} >= 0")
        elif word == "bessel_k":
            yield Condition(guards, f"{_atom(node.args[1])} > 0")


def _power(node: ast.BinOp, guards: tuple[str, ...]) -> Iterator[Condition]:
    """A power with a whole exponent asks for nothing, unless it is negative."""
    value = _number(node.right)
    if value is None:
        yield Condition(guards, f"{_atom(node.left)} > 0", ast.unparse(node.right))
    elif value.denominator != 1:
        yield Condition(guards, f"{_atom(node.left)} {'>=' if value > 0 else '>'} 0")
    elif value < 0:
        yield Condition(guards, f"{_atom(node.left)} != 0")


def _number(node: ast.expr) -> Fraction | None:
    """The value of an expression of numbers alone."""
    if any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(node)):
        return None
    return Fraction(formula.evaluate(ast.unparse(node), formula.fractions(), {}))


def _atom(node: ast.expr) -> str:
    return ast.unparse(node) if isinstance(node, ast.Name) else f"({ast.unparse(node)})"


def _range(index: str, iterated: ast.expr) -> list[str]:
    if not isinstance(iterated, ast.Call):
        return []
    ends = [ast.unparse(argument) for argument in iterated.args]
    low, high = ("0", ends[0]) if len(ends) == 1 else (ends[0], ends[1])
    return [f"{index} >= {low}", f"{index} <= {high} - 1"]


def _of_numbers(condition: Condition) -> bool:
    """Whether it compares a number with 0, and holds."""
    tree = formula.parse(condition.text).body
    assert isinstance(tree, ast.Compare)
    value = _number(tree.left)
    if value is None:
        return False
    return value > 0 or (value < 0 and isinstance(tree.ops[0], ast.NotEq))


def _natural(exponent: str, parameters: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an exponent is a parameter that runs over natural numbers."""
    return any(
        p["name"] == exponent and p["type"] == "Integer" and str(p["low"]).isdigit()
        for p in parameters
    )


def _entries(condition: Condition, parameters: Sequence[Mapping[str, Any]]) -> list[str]:
    """The bounds of the entries of vectors that a condition mentions."""
    found = []
    tree = formula.parse(condition.text)
    vectors = {p["name"]: p for p in parameters if p["type"] in ("Vector", "Times")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in vectors:
            vector = vectors[ast.unparse(node.value)]
            for end, sign in (("low", ">="), ("high", "<=")):
                if vector[end] is not None:
                    found.append(f"{ast.unparse(node)} {sign} {vector[end]}")
    return found
