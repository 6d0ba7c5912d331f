"""A claim as a tree of the proof assistant: what is written, and nothing is computed.

`meaning.v` says what the tree means. Names become places, counted in the order in which they are
met (parameters, then definitions, then indices), so that the assistant reads no text of a claim
again. This file is believed: see docs/language.md.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import (
    Integer,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Vector,
)

_BINARY = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Div: "Div", ast.Pow: "Pow"}
_SIGNS = {ast.LtE: "Le", ast.Lt: "Lt", ast.GtE: "Ge", ast.Gt: "Gt", ast.Eq: "Eq", ast.NotEq: "Ne"}
_UNARY = ("abs", "exp", "log", "sqrt", "sin", "erf", "normal_cdf", "floor", "ceil")
_OF_LISTS = {
    "len": "Len",
    "sum": "Total",
    "prod": "Product",
    "min": "Least",
    "max": "Greatest",
    "det": "Det",
    "trace": "Trace",
    "transpose": "Transpose",
    "identity": "Identity",
    "ones": "Ones",
    "diagonal": "Diagonal",
}
_OF_TWO = {"hadamard": "Hadamard", "add": "Plus", "scale": "Scale"}
_OF_TWO |= {"outer": "Outer", "matmul": "Matmul"}


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
            return f"(Un {word.capitalize()} {expression(part, places)})"
        case ast.Call(func=ast.Name(id="min" | "max" as word), args=[first, *more]) if more:
            tree = expression(first, places)
            for part in more:
                tree = f"(Bin {word.capitalize()} {tree} {expression(part, places)})"
            return tree
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() | ast.ListComp() as items]):
            return _over("Sum", expression, items.elt, items.generators, places)
        case ast.Call(func=ast.Name(id="det"), args=[ast.List(elts=[*rows])]) if _written(rows):
            written = [[expression(part, places) for part in _entries(row)] for row in rows]
            return f"(det [{'; '.join('[' + '; '.join(row) + ']' for row in written)}])"
        case ast.Call(func=ast.Name(id=word), args=[part]) if word in _OF_LISTS:
            return f"(One {_OF_LISTS[word]} {expression(part, places)})"
        case ast.Call(func=ast.Name(id=word), args=[left, right]) if word in _OF_TWO:
            return f"(Two {_OF_TWO[word]} {expression(left, places)} {expression(right, places)})"
        case ast.Call(func=ast.Name(id="block"), args=parts):
            return f"(Block {' '.join(expression(part, places) for part in parts)})"
        case ast.Subscript(value=entries, slice=place):
            return f"(Two Item {expression(entries, places)} {expression(place, places)})"
        case ast.List(elts=parts):
            tree = "Nil"
            for part in reversed(parts):
                tree = f"(Cons {expression(part, places)} {tree})"
            return tree
        case ast.GeneratorExp() | ast.ListComp():
            tree = _over("Each", expression, node.elt, node.generators, places)
            for _ in node.generators[1:]:
                tree = f"(One Joined {tree})"
            return tree
    raise NotExported(f"{ast.unparse(node)[:60]} has no tree")


def _written(rows: Sequence[ast.expr]) -> bool:
    """Whether all rows of a matrix are written out."""
    return all(isinstance(row, ast.List) for row in rows)


def _entries(row: ast.expr) -> Sequence[ast.expr]:
    assert isinstance(row, ast.List)
    return row.elts


def _over(
    word: str,
    tree: Callable[[ast.AST, Sequence[str]], str],
    body: ast.expr,
    over: Sequence[ast.comprehension],
    places: Sequence[str],
) -> str:
    """What runs over ranges, the first of them outermost."""
    if not over:
        return tree(body, places)
    first, *more = over
    assert isinstance(first.iter, ast.Call) and isinstance(first.target, ast.Name)
    ends = [expression(end, places) for end in first.iter.args]
    low, high = ends if len(ends) == 2 else ("(Num 0)", *ends)
    return f"({word} {low} {high} {_over(word, tree, body, more, [*places, first.target.id])})"


def condition(node: ast.AST, places: Sequence[str]) -> str:
    """The tree of a comparison, or of one at every index of ranges."""
    match node:
        case ast.Compare():
            return f"(Is {comparison(node, places)})"
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() as items]):
            return _over("All", condition, items.elt, items.generators, places)
    raise NotExported(f"{ast.unparse(node)[:60]} is no comparison")


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
    if not claim.formula:
        raise NotExported("no formula: a theorem is the claim")
    places: list[str] = []
    lines: list[str] = []
    for parameter in claim.parameters:
        lines.append(f"({domain(parameter, places)}")
        places.append(parameter.name)
    for name, text in claim.let:
        lines.append(f'(Let "{name}" {expression(formula.parse(text).body, places)}')
        places.append(name)
    for text in claim.hypotheses:
        lines.append(f"(Suppose {condition(formula.parse(text).body, places)}")
    lines.append(f"(Holds {condition(formula.parse(claim.formula).body, places)}")
    return "\n  ".join(lines) + ")" * len(lines)


def domain(parameter: Parameter, places: Sequence[str]) -> str:
    """What a claim quantifies over, as the head of a tree."""

    def number(bound: object) -> str:
        return expression(formula.parse(f"{bound}").body, places)

    def end(name: str) -> str:
        bound = getattr(parameter, name)
        word = "Open" if getattr(parameter, f"{name}_open", False) else "Closed"
        return "Free" if bound is None else f"({word} {number(bound)})"

    match parameter:
        case Real() | Integer():
            word = type(parameter).__name__
            return f'{word} "{parameter.name}" {end("low")} {end("high")}'
        case Vector():
            order = str(parameter.increasing).lower()
            length = number(parameter.length)
            return f'Vector "{parameter.name}" {length} {end("low")} {end("high")} {order}'
        case PositiveSemidefinite():
            entries = "Unit" if parameter.unit else "At_most_one" if parameter.bound else "Any"
            return f'Semidefinite "{parameter.name}" {number(parameter.size)} {entries}'
        case Symmetric():
            return f'Symmetric "{parameter.name}" {number(parameter.size)}'
    raise NotExported(f"{parameter.name} is of no set that has a tree")
