"""The recheck's own derivatives: a comparison on a box where both sides touch.

Of f, the larger side minus the other, with f⁽ʲ⁾ written out as formulas: f >= 0 on a box where, at
a point c of it, f(c) >= 0, no term of Taylor's formula is negative, and f⁽ᵏ⁾ keeps its sign all
over the box; or where f is concave in a parameter and f >= 0 at both of its ends. A branch that is
not decided all over the box may jump there, and has no derivative.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any

from bounds import enclosure
from bounds.enclosure import Undecided, certainly_le
from proofs_check.recheck.independent import evaluate, read

Box = Mapping[str, tuple[Fraction, Fraction]]
_ORDER, _DEEPEST, _LONGEST = 4, 8, 20_000


def follows(text: str, definitions: Sequence[Sequence[str]], box: Box, depth: int = 0) -> bool:
    """Whether a comparison holds all over a box, by slopes and faces."""
    try:
        difference = _larger_minus_smaller(text, definitions)
        return _nowhere_negative(difference, box, depth)
    except (ArithmeticError, ValueError, KeyError, RecursionError):
        return False


def _nowhere_negative(f: str, box: Box, depth: int) -> bool:
    values = {name: enclosure.interval(*ends) for name, ends in box.items()}
    if certainly_le(0, evaluate(f, values)):
        return True
    wide = [name for name, (low, high) in box.items() if low < high]
    if depth > _DEEPEST:
        return False
    for name in wide:
        try:
            settled = _by_parameter(f, box, name, depth)
        except ArithmeticError:
            continue
        if settled:
            return True
    return False


def _by_parameter(f: str, box: Box, name: str, depth: int) -> bool:
    low, high = box[name]
    over = {parameter: enclosure.interval(*ends) for parameter, ends in box.items()}
    slopes = [ast.unparse(_Decided(over).visit(_exactly(f)))]
    for at in dict.fromkeys((low, high, _plainest(low, high))):
        face = {**box, name: (at, at)}
        values = {parameter: enclosure.interval(*ends) for parameter, ends in face.items()}
        for order in range(1, _ORDER + 1):
            if len(slopes) == order:
                slopes.append(derivative(slopes[-1], name))
            if _keeps(evaluate(slopes[order], over), order, at > low, at < high):
                if _nowhere_negative(f, face, depth + 1):
                    return True
                break
            if not _keeps(evaluate(slopes[order], values), order, at > low, at < high):
                break
    while len(slopes) < 3:
        slopes.append(derivative(slopes[-1], name))
    if certainly_le(evaluate(slopes[2], over), 0):
        return all(_nowhere_negative(f, {**box, name: (at, at)}, depth + 1) for at in (low, high))
    return False


def _keeps(value: Any, order: int, left: bool, right: bool) -> bool:
    """Whether value·(x − c)^order >= 0 on the sides of c that there are."""
    positive, negative = certainly_le(0, value) is True, certainly_le(value, 0) is True
    if order % 2 == 0:
        return positive
    return (positive or not right) and (negative or not left)


def _plainest(low: Fraction, high: Fraction) -> Fraction:
    """A fraction in [low, high] with a small denominator."""
    middle, most = (low + high) / 2, 1
    while not low <= (fraction := middle.limit_denominator(most)) <= high:
        most *= 2
    return fraction


def _larger_minus_smaller(text: str, definitions: Sequence[Sequence[str]]) -> str:
    tree = _exactly(text)
    assert isinstance(tree, ast.Compare)  # its sides have had their values
    ((relation,), (other,)) = tree.ops, tree.comparators
    left, right = ast.unparse(tree.left), ast.unparse(other)
    if isinstance(relation, ast.LtE):
        left, right = right, left
    elif not isinstance(relation, ast.GtE):
        raise Undecided("only what may be equal touches")
    difference = ast.parse(f"({left}) - ({right})", mode="eval").body
    for name, meaning in reversed(definitions):
        difference = _Put(name, _exactly(meaning)).visit(difference)
    return ast.unparse(difference)


def _exactly(text: str) -> ast.expr:
    """The tree of a formula in whole numbers alone: a decimal is a quotient, and no double."""
    return _Quotients().visit(deepcopy(read(text.strip())))  # type: ignore[no-any-return]


class _Quotients(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        top, bottom = (ast.Constant(part) for part in Fraction(node.value).as_integer_ratio())  # type: ignore[arg-type]
        return top if bottom.value == 1 else ast.BinOp(top, ast.Div(), bottom)


class _Decided(ast.NodeTransformer):
    """Leaves of each branch what a box decides; one that it does not decide stands."""

    def __init__(self, over: Mapping[str, Any]) -> None:
        self.over = over

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        try:
            decided = evaluate(ast.unparse(node.test), self.over)
        except (ArithmeticError, KeyError):  # it asks for an index of a sum
            decided = None
        if decided is None:
            return self.generic_visit(node)  # type: ignore[return-value]
        return self.visit(node.body if decided else node.orelse)  # type: ignore[no-any-return]


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, meaning: ast.expr) -> None:
        self.name, self.meaning = name, meaning

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return deepcopy(self.meaning) if node.id == self.name else node


def derivative(text: str, name: str) -> str:
    """The derivative of a formula by a name, as a formula.

    >>> derivative("x*y + log(x)", "x")
    'y + 1 / x'
    """
    slope = ast.unparse(_by(ast.parse(text, mode="eval").body, name) or ast.Constant(0))
    if len(slope) > _LONGEST:
        raise Undecided("a derivative that is too long")
    return slope


def _made(pattern: str, **parts: ast.expr) -> ast.expr:
    """A formula in which each name of `parts` stands for a formula."""
    formula = ast.parse(pattern, mode="eval").body
    for name, meaning in parts.items():
        formula = _Put(name, meaning).visit(formula)
    return formula


def _by(node: ast.expr, name: str) -> ast.expr | None:
    """The derivative; None where it is 0, because the name does not occur."""
    if not any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node)):
        return None
    if isinstance(node, ast.Name):
        return ast.Constant(1)
    if isinstance(node, ast.UnaryOp):
        inner = _by(node.operand, name)
        assert inner is not None
        return _made("-_d", _d=inner) if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        return _of_two(node, name)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        inner = _by(node.args[0], name)
        if node.func.id in _SLOPES and inner is not None:
            slope = _made(_SLOPES[node.func.id], _x=node.args[0])
            return _times(slope, inner)
    raise Undecided(f"the derivative of {ast.unparse(node)[:40]}")


def _of_two(node: ast.BinOp, name: str) -> ast.expr | None:
    a, b = node.left, node.right
    da, db = _by(a, name), _by(b, name)
    if isinstance(node.op, ast.Add | ast.Sub):
        if db is None:
            return da
        if isinstance(node.op, ast.Sub):
            return _made("-_d", _d=db) if da is None else _made("_a - _b", _a=da, _b=db)
        return db if da is None else _made("_a + _b", _a=da, _b=db)
    if isinstance(node.op, ast.Mult):
        parts = [_times(slope, other) for slope, other in ((da, b), (db, a)) if slope is not None]
        return parts[0] if len(parts) == 1 else _made("_a + _b", _a=parts[0], _b=parts[1])
    if isinstance(node.op, ast.Div):
        if db is None:
            return None if da is None else _made("_d / _b", _d=da, _b=b)
        lost = _made("_a * _d / _b ** 2", _a=a, _d=db, _b=b)
        return _made("-_l", _l=lost) if da is None else _made("_d / _b - _l", _d=da, _b=b, _l=lost)
    if db is None and da is not None:
        if isinstance(b, ast.Constant) and isinstance(b.value, int):
            return _times(_of_power(a, b.value), da) if b.value else None
        return _times(_made("_b * _a ** (_b - 1)", _a=a, _b=b), da)
    inner = _by(_made("_b * log(_a)", _a=a, _b=b), name)
    return None if inner is None else _times(node, inner)


def _of_power(a: ast.expr, n: int) -> ast.expr:
    """n·aⁿ⁻¹ with the numbers worked out, so that no power of 0 is left where n is 1 or 2."""
    if n in (1, 2):
        return ast.Constant(1) if n == 1 else _made("2 * _a", _a=a)
    return _made("_n * _a ** _m", _n=ast.Constant(n), _m=ast.Constant(n - 1), _a=a)


def _times(a: ast.expr, b: ast.expr) -> ast.expr:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, ast.Constant) and one.value == 1:
            return other
    return _made("_a * _b", _a=a, _b=b)


_SLOPES = {
    "log": "1 / _x",
    "exp": "exp(_x)",
    "sqrt": "1 / (2 * sqrt(_x))",
    "sin": "sin(_x + pi / 2)",
    "erf": "2 / sqrt(pi) * exp(-_x ** 2)",
    "normal_cdf": "exp(-_x ** 2 / 2) / sqrt(2 * pi)",
}
