"""How far the search goes, and cases there: large integers, numbers just beside an integer.

An integer without an upper end is drawn log-uniformly up to a limit that its cost allows: a
million where it is only a number, a thousand in an exponent, two hundred where it counts the terms
of one sum; where it is the size of a vector or of a matrix, or of a sum of sums, it stays small.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Parameter, Real, Symmetric, Vector

FARTHEST = 10**6
_IN_EXPONENT = 10**3
_IN_A_SUM = 200
_SIZES = {"identity", "ones", "block"}
_MOST_SUMS = 4
_DIGITS = (1, 2, 3, 6, 9, 12)


def limits(claim: Claim) -> dict[str, int]:
    """For each integer without an upper end, how far above its lower end the search may go."""
    texts = [claim.expanded(text) for text in (claim.formula, *claim.hypotheses)]
    trees = [formula.parse(text) for text in texts]
    sized = _names_of_sizes(claim, trees)
    summed = _names_in_ranges(trees)
    powers = {
        name.id
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
        for name in ast.walk(node.right)
        if isinstance(name, ast.Name)
    }
    found = {}
    for parameter in claim.parameters:
        if not isinstance(parameter, Integer) or parameter.high is not None:
            continue
        name = parameter.name
        if name in sized or (name in summed and _deep(trees)):
            found[name] = parameter.reach
        elif name in summed:
            found[name] = max(parameter.reach, _IN_A_SUM)
        else:
            found[name] = _IN_EXPONENT if name in powers else FARTHEST
    return found


def far_cases(claim: Claim, count: int, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Cases with large integers and with real numbers k ± 10^-j beside integers k."""
    reach = limits(claim)
    if not any(isinstance(parameter, Real | Integer) for parameter in claim.parameters):
        return
    for _ in range(count):
        case: dict[str, Any] = {}
        for parameter in claim.parameters:
            value = None
            if rng.random() < 0.7:
                value = _far(parameter, reach, case, rng)
            if value is None or not parameter.admits(value, case):
                value = parameter.draw(rng, case)
            case[parameter.name] = value
        yield case


def _far(
    parameter: Parameter, reach: dict[str, int], case: dict[str, Any], rng: np.random.Generator
) -> int | Fraction | None:
    if isinstance(parameter, Integer):
        low, high = parameter.ends(case)
        width = reach.get(parameter.name, parameter.reach)
        if high is not None:
            width = min(high - low, FARTHEST if parameter.name not in reach else width)
            if isinstance(parameter.high, str):  # as far as what it depends on already is
                width = high - low
        if width < 1:
            return low
        return low + min(width, int(float(width + 1) ** rng.random()) - int(rng.integers(0, 2)))
    if isinstance(parameter, Real):
        left, right = parameter.ends(case)
        bottom = floor(left) if left is not None else floor(right) - 9 if right is not None else -3
        top = floor(right) + 1 if right is not None else bottom + 12
        near = min(bottom + int(13.0 ** rng.random()) - 1, top)
        step = Fraction(int(rng.choice([-1, 1])), 10 ** int(rng.choice(_DIGITS)))
        return near + step
    return None


def _names_of_sizes(claim: Claim, trees: list[ast.Expression]) -> set[str]:
    """Names that are the size of a vector or a matrix, or bound another integer's loops."""
    texts = [str(p.length) for p in claim.parameters if isinstance(p, Vector)]
    texts += [str(p.size) for p in claim.parameters if isinstance(p, Symmetric)]
    texts += [
        str(p.high) for p in claim.parameters
        if isinstance(p, Integer) and isinstance(p.high, str)
        and p.name in _names_in_ranges(trees)
    ]  # fmt: skip
    found = {name for text in texts for name in formula.names(text)}
    for tree in trees:
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in _SIZES
            ):
                found |= {n.id for a in node.args for n in ast.walk(a) if isinstance(n, ast.Name)}
    return found


def _names_in_ranges(trees: list[ast.Expression]) -> set[str]:
    return {
        name.id
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.iter)
        if isinstance(name, ast.Name)
    }


def _deep(trees: list[ast.Expression]) -> bool:
    """Whether sums stand inside sums, or many beside each other, so that length costs much."""
    many = 0
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.GeneratorExp | ast.ListComp):
                many += 1
                inside = sum(isinstance(inner, ast.comprehension) for inner in ast.walk(node))
                if inside > 1:
                    return True
    return many > _MOST_SUMS
