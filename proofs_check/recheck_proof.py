"""The recheck of proofs: each step derived again from the text of the certificate."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from proofs_check.decision import follows
from proofs_check.independent import evaluate
from proofs_check.rational_interval import Interval, NotDecided
from proofs_check.recheck_cases import Refused, check_box, comparison
from proofs_check.recheck_identity import check_identity
from proofs_check.recheck_points import holds_at, points, require_consistent, require_point

# fmt: off
_WORDS = frozenset({
    "abs", "add", "block", "ceil", "det", "diagonal", "eigenvalues", "erf", "exp", "floor",
    "hadamard", "identity", "len", "log", "matmul", "max", "min", "normal_cdf", "ones", "outer",
    "pi", "prod", "range", "scale", "sin", "sqrt", "sum", "trace", "transpose",
})
# fmt: on
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.LtE: ast.GtE,
    ast.Lt: ast.Gt,
    ast.GtE: ast.LtE,
    ast.Gt: ast.Lt,
}


def check_proof(entry: Mapping[str, Any], entries: Mapping[str, Any]) -> str:
    """Derive every step of a stored proof again, the last of which must be the statement itself."""
    if entry["verdict"] == "PROVED" and entry["covers"]:
        raise Refused(f"the proof covers only {entry['covers']}")
    hypotheses = [_written_out(entry, text) for text in entry["hypotheses"]]
    established = list(hypotheses)
    domain = [*hypotheses, *_domain(entry)]
    _require_names(entry)
    require_point(entry, hypotheses, domain)
    for number, step in enumerate(entry["proof"], start=1):
        try:
            text = _written_out(entry, step["formula"])
            _require_known(entry, text)
            _check_step(entry, entries, step, text, domain, established)
        except (Refused, NotDecided) as failure:
            raise Refused(f"step {number}: {failure}") from None
        established.append(text)
    if not established or established[-1] != _written_out(entry, entry["formula"]):
        raise Refused("the last step is not the statement")
    return f"{len(entry['proof'])} steps"


def _check_step(
    entry: Mapping[str, Any],
    entries: Mapping[str, Any],
    step: Mapping[str, Any],
    text: str,
    domain: Sequence[str],
    established: Sequence[str],
) -> None:
    kind = step["step"]
    where = [_written_out(entry, condition) for condition in step.get("where", ())]
    for condition in where:
        if condition not in established:
            raise Refused(f"{condition} was not established before")
    if kind == "Identity":
        check_identity(entry, text, domain)
    elif kind == "Inequality" and step["box"]:
        boxed = set(step["box"])
        inner = {
            **entry,
            "formula": text,
            "definitions": [],
            "box": step["box"],
            "hypotheses": [t for t in (*domain, *where) if names_of(t) <= boxed],
            "verdict": "PROVED",  # the whole domain of these parameters
            "parameters": [p for p in entry["parameters"] if p["name"] in boxed],
        }
        check_box(inner)
    elif kind == "Inequality":
        _require_following(text, [*domain, *where])
    elif kind == "Growth":
        _check_growth(entry, step, text, domain, where)
    elif kind == "Follows":
        given, cited_any = [], False
        for item in step["given"]:
            cited = isinstance(item, list)
            plain = _written_out(entry, item[0] if cited else item)
            if cited:
                cited_any = True
                _require_citation(entry, entries, item)
            if not cited and plain not in established:
                raise Refused(f"{plain} was not established before")
            given.append(plain)
        if cited_any:
            require_consistent([*domain, *given])
        _require_following(text, [*domain, *given])
    else:
        raise Refused(f"{kind} is no kind of step")


def _require_citation(
    entry: Mapping[str, Any], entries: Mapping[str, Any], item: Sequence[Any]
) -> None:
    """An instance of another claim: one that the claim itself cites, and not false anywhere."""
    text, name = item[:2]
    if name not in entry["rests_on"] or name not in entries:
        raise Refused(f"cites {name} without resting on it")
    plain = _written_out(entry, text)
    hypotheses = [_written_out(entry, hypothesis) for hypothesis in entry["hypotheses"]]
    for values in points(entry, plain):
        try:
            false = evaluate(plain, values) is False
        except (NotDecided, KeyError, TypeError):
            continue
        if false and holds_at(hypotheses, values):
            raise Refused(f"the instance {text} of {name} is false at {_shown(values)}")


def _require_following(text: str, premises: Sequence[str]) -> None:
    if not follows(premises, text):
        raise Refused(f"{text} was not derived")


def _check_growth(
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
    derivative = _written_out(entry, step["derivative"])
    check_identity(entry, f"({slope}) == ({derivative})", path)
    sides = [ast.unparse(side) for side in (tree.left, tree.comparators[0])]
    for side in sides:  # defined, hence continuous, from the start on
        check_identity(entry, f"{side} == {side}", path)
    at_start = _with(text, variable, start)
    if names_of(at_start) & {parameter["name"] for parameter in entry["parameters"]}:
        ends = comparison(at_start)
        check_identity(
            entry, f"{ast.unparse(ends.left)} == {ast.unparse(ends.comparators[0])}", domain
        )
    elif evaluate(at_start, {}) is not True:
        raise Refused(f"{at_start} does not hold")
    _require_following(f"{derivative} >= 0", [*path, *where])
    _require_following(f"{variable} >= {start}", domain)


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


def _domain(entry: Mapping[str, Any]) -> list[str]:
    """The sets of the scalar parameters as comparisons."""
    texts = []
    for parameter in entry["parameters"]:
        if parameter["type"] not in ("Real", "Integer"):
            continue
        name = parameter["name"]
        if parameter["low"] is not None:
            texts.append(f"{name} {'>' if parameter.get('low_open') else '>='} {parameter['low']}")
        if parameter["high"] is not None:
            sign = "<" if parameter.get("high_open") else "<="
            texts.append(f"{name} {sign} {parameter['high']}")
    return texts


def names_of(text: str) -> set[str]:
    """All names in a formula but those of functions."""
    tree = ast.parse(text.strip(), mode="eval")
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - _WORDS


def bound_names(text: str) -> set[str]:
    """The indices of sums and lists in a formula."""
    tree = ast.parse(text.strip(), mode="eval")
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _require_names(entry: Mapping[str, Any]) -> None:
    """Each name stands for one thing, none for a function or for π."""
    names = [parameter["name"] for parameter in entry["parameters"]]
    names += [name for name, _ in entry["definitions"]]
    for name in names:
        if name in _WORDS or not name.isidentifier() or not name.isascii():
            raise Refused(f"{name!r} is not the name of a parameter or a definition")
        if names.count(name) > 1:
            raise Refused(f"{name} stands for two things")


def _require_known(entry: Mapping[str, Any], text: str) -> None:
    """A step speaks of the claim's parameters only."""
    bound = bound_names(text)
    unknown = names_of(text) - bound - {parameter["name"] for parameter in entry["parameters"]}
    if unknown:
        raise Refused(f"{min(unknown)} is not a parameter of the claim")
    if bound & {parameter["name"] for parameter in entry["parameters"]}:
        raise Refused(f"{min(bound)} is an index and a parameter")
    comparison(text)


def _written_out(entry: Mapping[str, Any], text: str) -> str:
    """The formula in one spelling, with the definitions written out, the last first."""
    for name, meaning in reversed(entry["definitions"]):
        text = _with(text, name, meaning)
    return ast.unparse(ast.parse(text.strip(), mode="eval"))


def _with(text: str, name: str, meaning: str) -> str:
    replacement = ast.parse(meaning.strip(), mode="eval").body
    captured = bound_names(text) & ({name} | (names_of(meaning) - bound_names(meaning)))
    if captured:
        raise Refused(f"{min(captured)} would change its meaning in {text}")

    class Replace(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return replacement if node.id == name else node

    return ast.unparse(
        ast.fix_missing_locations(Replace().visit(ast.parse(text.strip(), mode="eval")))
    )


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


def _shown(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} = {value.low}" for name, value in values.items() if isinstance(value, Interval)
    )
