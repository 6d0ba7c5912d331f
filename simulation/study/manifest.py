"""What a study was, as the manifest in its folder says it; every value is checked as it is read."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from bounds.domain import Domain, domain_from_data
from bounds.encoding import read_spelling
from bounds.errors import InvalidInput
from bounds.kernels import Kernel, kernel_from_data
from bounds.regret.ingredients.schedules.schedule import Schedule
from simulation.model.time_model import TimeHyperparameters
from simulation.policies.readings import Hyperparameters, Readings

LARGEST_SEEDS = 1_000_000
"""Runs of each policy in the largest study accepted."""

_TYPES: dict[str, Any] = {
    kind.__name__: kind for kind in (Hyperparameters, Readings, Schedule, TimeHyperparameters)
}

Identity = Mapping[str, object]
"""A study as plain data: `StudySpec.identity`, or what was read of it."""


def policies_of(identity: Identity) -> list[str]:
    """The names of the policies."""
    names = _entry(identity, "policies")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _unreadable("policies", names)
    return names


def seeds_of(identity: Identity) -> range:
    """The seeds of the runs of each policy."""
    first, count = whole(identity, "seed"), whole(identity, "seeds")
    if count > LARGEST_SEEDS:
        raise _unreadable("seeds", count)
    return range(first, first + count)


def whole(identity: Identity, name: str) -> int:
    """A whole number of at least 0."""
    value = _entry(identity, name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _unreadable(name, value)
    return value


def number(identity: Identity, name: str) -> float:
    """A number."""
    value = _entry(identity, name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _unreadable(name, value)
    try:
        return float(value)
    except OverflowError:
        raise _unreadable(name, value) from None


def text(identity: Identity, name: str) -> str:
    """A word."""
    value = _entry(identity, name)
    if not isinstance(value, str):
        raise _unreadable(name, value)
    return value


def kernel(identity: Identity, name: str) -> Kernel:
    """A kernel of a family that is registered."""
    said = text(identity, name)
    try:
        return kernel_from_data(read_spelling(said))
    except InvalidInput:
        raise _unreadable(name, said) from None


def domain(identity: Identity) -> Domain:
    """The domain."""
    said = text(identity, "domain")
    try:
        return domain_from_data(read_spelling(said))
    except InvalidInput:
        raise _unreadable("domain", said) from None


def readings(identity: Identity) -> Readings:
    """The choices that the paper leaves open, from their repr."""
    said = text(identity, "readings")
    try:
        built = _value(ast.parse(said, mode="eval").body)
    except (SyntaxError, ValueError, TypeError, KeyError, IndexError):
        raise _unreadable("readings", said) from None
    if not isinstance(built, Readings):
        raise _unreadable("readings", said)
    return built


def _entry(identity: Identity, name: str) -> object:
    if name not in identity:
        raise _unreadable(name, "nothing")
    return identity[name]


def _unreadable(name: str, value: object) -> InvalidInput:
    return InvalidInput(
        f"{name} of the study",
        value,
        "its study.json cannot be read: simulate the study again in another folder",
    )


def _value(node: ast.expr) -> Any:
    """The value that a repr of one of our own types stands for; nothing else is evaluated."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
        return _TYPES[node.func.id](**{str(k.arg): _value(k.value) for k in node.keywords})
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.float64":
        return float(ast.literal_eval(node.args[0]))
    return ast.literal_eval(node)
