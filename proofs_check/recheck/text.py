"""How the recheck reads a certificate: names, definitions, the domain as comparisons."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from proofs_check.recheck.cases import Refused, comparison

# fmt: off
_WORDS = frozenset({
    "abs", "add", "bessel_k", "block", "ceil", "det", "diagonal", "eigenvalues", "erf", "exp",
    "floor", "gamma", "hadamard", "identity", "len", "log", "matmul", "max", "min", "normal_cdf",
    "ones", "outer", "pi", "prod", "range", "scale", "sin", "sqrt", "sum", "trace", "transpose",
})
# fmt: on


def domain_of(entry: Mapping[str, Any]) -> list[str]:
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


def require_names(entry: Mapping[str, Any]) -> None:
    """Each name stands for one thing, none for a function or for π."""
    names = [parameter["name"] for parameter in entry["parameters"]]
    names += [name for name, _ in entry["definitions"]]
    for name in names:
        if name in _WORDS or not name.isidentifier() or not name.isascii():
            raise Refused(f"{name!r} is not the name of a parameter or a definition")
        if names.count(name) > 1:
            raise Refused(f"{name} stands for two things")


def require_known(entry: Mapping[str, Any], text: str) -> None:
    """A step speaks of the claim's parameters only."""
    bound = bound_names(text)
    unknown = names_of(text) - bound - {parameter["name"] for parameter in entry["parameters"]}
    if unknown:
        raise Refused(f"{min(unknown)} is not a parameter of the claim")
    if bound & {parameter["name"] for parameter in entry["parameters"]}:
        raise Refused(f"{min(bound)} is an index and a parameter")
    comparison(text)


def written_out(entry: Mapping[str, Any], text: str) -> str:
    """The formula in one spelling, with the definitions written out, the last first."""
    for name, meaning in reversed(entry["definitions"]):
        text = replaced(text, name, meaning)
    return ast.unparse(ast.parse(text.strip(), mode="eval"))


def replaced(text: str, name: str, meaning: str) -> str:
    """The formula with a name replaced, unless that would change what another name means."""
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
