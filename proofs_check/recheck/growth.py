"""The recheck of growth steps: left <= right at the start, and a gap that never falls."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from proofs_check.recheck.cases import Refused, comparison
from proofs_check.recheck.decision import follows
from proofs_check.recheck.identity import check_identity
from proofs_check.recheck.independent import evaluate
from proofs_check.recheck.text import names_of, replaced, written_out

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.LtE: ast.GtE,
    ast.Lt: ast.Gt,
    ast.GtE: ast.LtE,
    ast.Gt: ast.Lt,
}


def check_growth(
    entry: Mapping[str, Any],
    step: Mapping[str, Any],
    text: str,
    domain: Sequence[str],
    where: Sequence[str],
) -> None:
    """left <= right at the start, and the gap never falls from there to the variable's value."""
    tree = comparison(text)
    if not isinstance(tree.ops[0], ast.LtE):
        raise Refused(f"growth needs <=: {text}")
    variable, start = step["variable"], step["start"]
    if variable not in {p["name"] for p in entry["parameters"] if p["type"] == "Real"}:
        raise Refused(f"{variable} is not a real parameter")
    if variable in names_of(start):
        raise Refused(f"the start {start} moves with {variable}")
    path = _path(variable, start, domain)
    if where and len(path) <= len(domain):
        raise Refused(f"{where[0]} may fail between {start} and {variable}")
    gap = ast.BinOp(tree.comparators[0], ast.Sub(), tree.left)
    slope = ast.unparse(ast.fix_missing_locations(_derivative(gap, variable)))
    derivative = written_out(entry, step["derivative"])
    check_identity(entry, f"({slope}) == ({derivative})", path)
    sides = [ast.unparse(side) for side in (tree.left, tree.comparators[0])]
    for side in sides:  # defined, hence continuous, from the start on
        check_identity(entry, f"{side} == {side}", path)
    at_start = replaced(text, variable, start)
    if names_of(at_start) & {parameter["name"] for parameter in entry["parameters"]}:
        ends = comparison(at_start)
        check_identity(
            entry, f"{ast.unparse(ends.left)} == {ast.unparse(ends.comparators[0])}", domain
        )
    elif evaluate(at_start, {}) is not True:
        raise Refused(f"{at_start} does not hold")
    if not follows([*path, *where], f"{derivative} >= 0"):
        raise Refused(f"{derivative} >= 0 was not derived")
    if not follows(domain, f"{variable} >= {start}"):
        raise Refused(f"the domain of {variable} begins before {start}")


def _path(variable: str, start: str, domain: Sequence[str]) -> list[str]:
    """What holds at every value between the start and the variable's own.

    The hypotheses without the variable, its upper bounds, and the lower ones that the start meets.
    """
    free = [text for text in domain if variable not in names_of(text)]
    kept = []
    for text in domain:
        if text in free:
            kept.append(text)
            continue
        tree = comparison(text)
        left, right, operator = tree.left, tree.comparators[0], type(tree.ops[0])
        if ast.unparse(right) == variable:
            left, right = right, left
            operator = _MIRRORED.get(operator, ast.Eq)
        if ast.unparse(left) != variable or variable in names_of(ast.unparse(right)):
            continue
        above = operator in (ast.GtE, ast.Gt) and follows(free, f"{start} >= {ast.unparse(right)}")
        if above or operator in (ast.LtE, ast.Lt):
            kept.append(text)
    return [*kept, f"{variable} >= {start}"]


def _derivative(node: ast.expr, x: str) -> ast.expr:
    """d/dx by the rules of calculus, unsimplified."""
    zero: ast.expr = ast.Constant(0)
    if isinstance(node, ast.Constant):
        return zero
    if isinstance(node, ast.Name):
        return ast.Constant(1) if node.id == x else zero
    if isinstance(node, ast.UnaryOp):
        return ast.UnaryOp(node.op, _derivative(node.operand, x))
    if isinstance(node, ast.BinOp):
        a, b = node.left, node.right
        if isinstance(node.op, ast.Add | ast.Sub):
            return ast.BinOp(_derivative(a, x), node.op, _derivative(b, x))
        product = ast.BinOp(
            ast.BinOp(_derivative(a, x), ast.Mult(), b),
            ast.Add() if isinstance(node.op, ast.Mult) else ast.Sub(),
            ast.BinOp(a, ast.Mult(), _derivative(b, x)),
        )
        if isinstance(node.op, ast.Mult):
            return product
        if isinstance(node.op, ast.Div):
            return ast.BinOp(product, ast.Div(), ast.BinOp(b, ast.Mult(), b))
        if isinstance(b, ast.Constant):
            lower = ast.BinOp(a, ast.Pow(), ast.BinOp(b, ast.Sub(), ast.Constant(1)))
            return ast.BinOp(ast.BinOp(b, ast.Mult(), lower), ast.Mult(), _derivative(a, x))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        inner = node.args[0]
        outer: dict[str, ast.expr] = {
            "exp": node,
            "log": ast.BinOp(ast.Constant(1), ast.Div(), inner),
            "sqrt": ast.BinOp(
                ast.Constant(1), ast.Div(), ast.BinOp(ast.Constant(2), ast.Mult(), node)
            ),
        }
        if node.func.id in outer:
            return ast.BinOp(outer[node.func.id], ast.Mult(), _derivative(inner, x))
    raise Refused(f"no rule to differentiate {ast.unparse(node)}")
