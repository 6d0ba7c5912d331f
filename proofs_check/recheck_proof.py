"""The recheck of proofs: each step derived again from the text of the certificate."""

from __future__ import annotations

import ast
import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_check.decision import follows
from proofs_check.independent import evaluate
from proofs_check.rational_interval import Interval, NotDecided
from proofs_check.recheck_cases import Refused, bound_of, check_box, comparison

_POINTS = 40
_WIDTH = Fraction(1, 10**25)


def check_proof(entry: Mapping[str, Any], entries: Mapping[str, Any]) -> str:
    """Derive every step of a stored proof again, the last of which must be the statement itself."""
    if entry["verdict"] == "PROVED" and entry["covers"]:
        raise Refused(f"the proof covers only {entry['covers']}")
    hypotheses = [_written_out(entry, text) for text in entry["hypotheses"]]
    established = list(hypotheses)
    domain = [*hypotheses, *_domain(entry)]
    for number, step in enumerate(entry["proof"], start=1):
        text = _written_out(entry, step["formula"])
        try:
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
        _check_identity(entry, text)
    elif kind == "Inequality" and step["box"]:
        inner = {
            **entry,
            "formula": text,
            "definitions": [],
            "box": step["box"],
            "hypotheses": [*domain, *where],
            "verdict": "PROVED_ON_BOX",
            "parameters": [p for p in entry["parameters"] if p["name"] in step["box"]],
        }
        if not entry["covers"]:
            _require_whole(entry, step["box"])
        check_box(inner)
    elif kind == "Inequality":
        _require_following(text, [*domain, *where])
    elif kind == "Growth":
        _check_growth(entry, step, text, [*domain, *where])
    elif kind == "Follows":
        given = []
        for item in step["given"]:
            cited = isinstance(item, list)
            plain = _written_out(entry, item[0] if cited else item)
            if cited:
                _require_citation(entry, entries, item)
            if not cited and plain not in established:
                raise Refused(f"{plain} was not established before")
            given.append(plain)
        _require_following(text, [*domain, *given])
    else:
        raise Refused(f"{kind} is no kind of step")


def _require_citation(
    entry: Mapping[str, Any], entries: Mapping[str, Any], item: Sequence[str]
) -> None:
    """An instance of another claim: one that the claim itself cites, and not false anywhere."""
    text, name = item
    if name not in entry["rests_on"] or name not in entries:
        raise Refused(f"cites {name} without resting on it")
    if list(item) not in entry["citations"]:
        raise Refused(f"{text} is not an instance of {name} that the claim cites")
    plain = _written_out(entry, text)
    try:
        points = _points(entry, plain)
    except NotDecided:
        return
    hypotheses = [_written_out(entry, hypothesis) for hypothesis in entry["hypotheses"]]
    for values in points:
        try:
            inside = all(evaluate(hypothesis, values) is True for hypothesis in hypotheses)
            if inside and evaluate(plain, values) is False:
                raise Refused(f"the instance {text} of {name} is false at {_shown(values)}")
        except (NotDecided, KeyError, TypeError):
            continue


def _require_whole(entry: Mapping[str, Any], box: Mapping[str, Any]) -> None:
    for parameter in entry["parameters"]:
        name = parameter["name"]
        if name in box and [Fraction(end) for end in box[name]] != [
            bound_of(parameter[end], {}) for end in ("low", "high")
        ]:
            raise Refused(f"the box of {name} is not its domain")


def _require_following(text: str, premises: Sequence[str]) -> None:
    if not follows(premises, text):
        raise Refused(f"{text} was not derived")


def _check_identity(entry: Mapping[str, Any], text: str) -> None:
    tree = comparison(text)
    if not isinstance(tree.ops[0], ast.Eq):
        raise Refused(f"{text} is not an identity")
    sides = [ast.unparse(side) for side in (tree.left, tree.comparators[0])]
    tried = 0
    for values in _points(entry, text):
        try:
            left, right = (evaluate(side, values) for side in sides)
        except NotDecided:
            continue
        tried += 1
        apart = left.high < right.low or right.high < left.low
        width = max(left.high - left.low, right.high - right.low)
        if apart or width > _WIDTH * max(1, abs(left.low), abs(right.low)):
            raise Refused(f"the sides of {text} differ at {_shown(values)}")
    if tried < _POINTS // 4:
        raise Refused(f"{text} could be evaluated at {tried} points only")


def _check_growth(
    entry: Mapping[str, Any], step: Mapping[str, Any], text: str, domain: Sequence[str]
) -> None:
    tree = comparison(text)
    if not isinstance(tree.ops[0], ast.LtE):
        raise Refused(f"growth needs <=: {text}")
    variable, start = step["variable"], step["start"]
    gap = ast.BinOp(tree.comparators[0], ast.Sub(), tree.left)
    slope = ast.unparse(ast.fix_missing_locations(_derivative(gap, variable)))
    derivative = _written_out(entry, step["derivative"])
    _check_identity(entry, f"({slope}) == ({derivative})")
    at_start = _with(text, variable, start)
    names = {n.id for n in ast.walk(ast.parse(at_start)) if isinstance(n, ast.Name)}
    if names & {parameter["name"] for parameter in entry["parameters"]}:
        sides = comparison(at_start)
        _check_identity(entry, f"{ast.unparse(sides.left)} == {ast.unparse(sides.comparators[0])}")
    elif not _holds_closely(at_start):
        raise Refused(f"{at_start} does not hold")
    _require_following(f"{derivative} >= 0", domain)
    _require_following(f"{variable} >= {start}", domain)


def _holds_closely(text: str) -> bool:
    return evaluate(text, {}) is True


def _points(entry: Mapping[str, Any], text: str) -> list[dict[str, Any]]:
    """Points of the domain, drawn by a seed made of the text: small integers, rationals."""
    source = np.random.default_rng(zlib.crc32(f"{entry['id']}:{text}".encode()))
    names = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
    points = []
    for _ in range(_POINTS):
        values: dict[str, Any] = {}
        for parameter in entry["parameters"]:
            values[parameter["name"]] = _drawn(parameter, values, source)
        for name in sorted(names - set(values)):
            values[name] = Interval.of(_fraction(source, 99))
        points.append(values)
    return points


def _drawn(
    parameter: Mapping[str, Any], values: Mapping[str, Any], source: np.random.Generator
) -> Any:
    kind = parameter["type"]
    if kind in ("Real", "Integer"):
        low, high = (bound_of(parameter[end], values) for end in ("low", "high"))
        if kind == "Integer":
            bottom = int(low or 0)
            top = bottom + 9 if high is None else int(high)
            return Interval.of(int(source.integers(bottom, max(bottom, top) + 1)))
        share = Fraction(int(source.integers(1, 10**4)), 10**4)
        if low is not None and high is not None:
            return Interval.of(low + (high - low) * share)
        far = share * (1, 3, 10)[int(source.integers(0, 3))]
        if low is None and high is None:
            return Interval.of(far - 2)
        return Interval.of(low + far if low is not None else (high or 0) - far)
    if kind in ("Vector", "Times"):
        length = bound_of(parameter["length"], values)
        assert length is not None
        entry = {"type": "Real", "low": parameter["low"], "high": parameter["high"]}
        drawn = [_drawn(entry, values, source) for _ in range(int(length))]
        rising = parameter.get("increasing")
        return sorted(drawn, key=lambda item: item.low) if rising else drawn
    raise NotDecided(f"no points for a {kind}")


def _fraction(source: np.random.Generator, bottom: int) -> Fraction:
    return Fraction(int(source.integers(1, 10**4)), int(source.integers(1, bottom + 1)))


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


def _written_out(entry: Mapping[str, Any], text: str) -> str:
    """The formula in one spelling, with the definitions written out, the last first."""
    for name, meaning in reversed(entry["definitions"]):
        text = _with(text, name, meaning)
    return ast.unparse(ast.parse(text.strip(), mode="eval"))


def _with(text: str, name: str, meaning: str) -> str:
    replacement = ast.parse(meaning, mode="eval").body

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
