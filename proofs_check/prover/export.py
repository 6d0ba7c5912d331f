"""A claim as a tree of the proof assistant: what is written, and nothing is computed.

`meaning.v` says what the tree means. Names become places, counted in the order in which they are
met (parameters, then definitions, then indices), so that the assistant reads no text of a claim
again. This file is believed: see docs/language.md.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Real

_BINARY = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Div: "Div", ast.Pow: "Pow"}
_SIGNS = {ast.LtE: "Le", ast.Lt: "Lt", ast.GtE: "Ge", ast.Gt: "Gt", ast.Eq: "Eq", ast.NotEq: "Ne"}
_UNARY = {
    "abs": "Abs",
    "exp": "Exp",
    "log": "Log",
    "sqrt": "Sqrt",
    "floor": "Floor",
    "normal_cdf": "Normal_cdf",
}


class NotExported(ArithmeticError):
    """A claim has no tree, or no readable statement; the message says why."""


def expression(node: ast.AST, places: Sequence[str]) -> str:
    """The tree of an expression; of several places with one name the last is meant."""
    match node:
        case ast.Constant(value=int(number)):
            return f"(Num {number})" if number >= 0 else f"(Num ({number}))"
        case ast.Name(id="pi"):
            return "Pi"
        case ast.Name(id=name) if name in places:
            return f"(Var {len(places) - 1 - list(reversed(places)).index(name)})"
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return f"(Un Neg {expression(part, places)})"
        case ast.UnaryOp(op=ast.UAdd(), operand=part):
            return expression(part, places)
        case ast.BinOp(left=left, op=sign, right=right):
            sides = f"{expression(left, places)} {expression(right, places)}"
            return f"(Bin {_BINARY[type(sign)]} {sides})"
        case ast.IfExp(test=ast.Compare() as test, body=part, orelse=other):
            sides = f"{expression(part, places)} {expression(other, places)}"
            return f"(If {comparison(test, places)} {sides})"
        case ast.Call(func=ast.Name(id=word), args=[part]) if word in _UNARY:
            return f"(Un {_UNARY[word]} {expression(part, places)})"
        case ast.Call(func=ast.Name(id="min" | "max" as word), args=[first, *more]) if more:
            tree = expression(first, places)
            for part in more:
                tree = f"(Bin {word.capitalize()} {tree} {expression(part, places)})"
            return tree
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() | ast.ListComp() as items]):
            return _sum(items.elt, items.generators, places)
        case ast.Call(func=ast.Name(id="det"), args=[ast.List(elts=rows)]):
            return "(det [" + "; ".join(_row(row, places) for row in rows) + "])"
    raise NotExported(f"{ast.unparse(node)[:60]} has no tree")


def _row(row: ast.expr, places: Sequence[str]) -> str:
    if not isinstance(row, ast.List):
        raise NotExported(f"{ast.unparse(row)[:60]} is no list of numbers")
    return "[" + "; ".join(expression(part, places) for part in row.elts) + "]"


def _sum(body: ast.expr, over: Sequence[ast.comprehension], places: Sequence[str]) -> str:
    """A sum over ranges, the first of them outermost."""
    if not over:
        return expression(body, places)
    first, *more = over
    assert isinstance(first.iter, ast.Call) and isinstance(first.target, ast.Name)
    ends = [expression(end, places) for end in first.iter.args]
    low, high = ends if len(ends) == 2 else ("(Num 0)", *ends)
    return f"(Sum {low} {high} {_sum(body, more, [*places, first.target.id])})"


def comparison(node: ast.AST, places: Sequence[str]) -> str:
    """The sign and the sides of a comparison."""
    if not isinstance(node, ast.Compare):
        raise NotExported(f"{ast.unparse(node)[:60]} is no comparison")
    sides = f"{expression(node.left, places)} {expression(node.comparators[0], places)}"
    return f"{_SIGNS[type(node.ops[0])]} {sides}"


def tree_of(claim: Claim) -> str:
    """A claim as a term of the type `claim` of meaning.v; raises `NotExported`."""
    if claim.sentence:
        raise NotExported("a sentence about runs")
    places: list[str] = []
    lines: list[str] = []
    for parameter in claim.parameters:
        if not isinstance(parameter, Real | Integer):
            raise NotExported(f"{parameter.name} is no single number")
        line = f'({type(parameter).__name__} "{parameter.name}"'
        for end in ("low", "high"):
            bound = getattr(parameter, end)
            word = "Open" if getattr(parameter, f"{end}_open", False) else "Closed"
            tree = "" if bound is None else expression(formula.parse(f"{bound}").body, places)
            line += f" ({word} {tree})" if tree else " Free"
        lines.append(line)
        places.append(parameter.name)
    for name, text in claim.let:
        lines.append(f'(Let "{name}" {expression(formula.parse(text).body, places)}')
        places.append(name)
    for text in claim.hypotheses:
        lines.append(f"(Suppose {comparison(formula.parse(text).body, places)}")
    lines.append(f"(Holds {comparison(formula.parse(claim.formula).body, places)}")
    return "\n  ".join(lines) + ")" * len(lines)
