"""Whether the numbers of a certificate of bounds are numbers, and those of its problem possible."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from math import log, prod
from typing import Any

from bounds.domain import LARGEST_DIMENSION, LARGEST_GRID
from bounds.errors import InvalidInput
from bounds.kernels import families
from proofs_check.recheck.outcome import Refused

_LARGEST = sys.float_info.max
_STATIONARY = {"SquaredExponential": ("lengthscale",), "Matern": ("nu", "lengthscale")}
_KERNELS = {"space_kernel": _STATIONARY, "time_kernel": {**_STATIONARY, "Forgetting": ("epsilon",)}}


_OF_FLOOR = ("value", "delay", "common", "shares", "weights", "maximum")


def require_numbers(body: Mapping[str, Any], file: str) -> None:
    """Raise `InvalidInput` for a text, a truth value or infinity where a number belongs."""
    named = ("lines", "gamma", "partitions", "knots", "dual", "design", "inflated", "schedule")
    sound = all(is_number(claim.get("value")) for claim in body["claims"])
    floor = body.get("floor") or {}
    of_floor = [floor.get(name) for name in _OF_FLOOR] if isinstance(floor, dict) else [floor]
    rest: list[Any] = [*of_floor, *(body.get(name) for name in named)]
    while rest and sound:
        item = rest.pop()
        if isinstance(item, dict):
            rest.extend(item.values())
        elif isinstance(item, list):
            rest.extend(item)
        else:
            sound = item is None or is_number(item)
    if not sound:
        raise InvalidInput("recheck", file, "has something else where a number belongs")


def is_number(value: Any) -> bool:
    """Whether a value read from a file is a finite number within the range of doubles."""
    return type(value) in (int, float) and abs(value) <= _LARGEST


def require_problem(problem: Mapping[str, Any]) -> None:
    """Refuse numbers for which there is no such problem: negative noise, δ ≥ 1, no rounds."""
    domain_size(problem)
    times = problem["times"]
    if not isinstance(times, list) or not times or not all(map(is_number, times)):
        raise Refused("the times are no list of numbers")
    if sum(map(Fraction, times)) > _LARGEST:
        raise Refused("the times add up to more than a double can hold")
    for name in ("noise_variance", "delta", "epsilon"):
        _require_inside(name, problem[name])
    for name, types in _KERNELS.items():
        kernel = problem[name]
        own = [family.__name__ for family in families()]
        if kernel["type"] not in types and kernel["type"] not in own:
            raise Refused(f"{name} is of no known type")
        # Of a family that is only registered, what rests on its values is refused later.
        for parameter in types.get(kernel["type"], ()):
            _require_inside(parameter, kernel[parameter])


def domain_size(problem: Mapping[str, Any]) -> int:
    """|D| of a domain that can be: a cube, a grid with unequal axes, or a list of points."""
    kind = problem.get("domain", {"type": "Grid"})["type"]
    if kind == "Grid":
        sides, counts = axes_of(problem)
        for side in sides:
            _require_inside("side", side)
        return _grid_size(counts)
    if kind != "Points":
        raise Refused("a domain of no known type")
    rows = problem["domain"]["rows"]
    if not rows or len(rows) > LARGEST_GRID or len({tuple(row) for row in rows}) < len(rows):
        raise Refused("the points are none, too many or not different")
    if not all(len(row) == problem["dimension"] and all(map(is_number, row)) for row in rows):
        raise Refused("the points are no rows of numbers")
    return len(rows)


def axes_of(problem: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """The side and the number of points of each axis of a cube, or of a grid with unequal axes."""
    d = problem["dimension"]
    if type(d) is not int or not 1 <= d <= LARGEST_DIMENSION:
        raise Refused(f"the dimension is no whole number from 1 to {LARGEST_DIMENSION}")
    cube = {"side": problem.get("side"), "points_per_axis": problem.get("grid")}
    domain = problem.get("domain", cube)
    sides, counts = (
        each if isinstance(each, list) else [each] * d
        for each in (domain["side"], domain["points_per_axis"])
    )
    if len(sides) != d or len(counts) != d:
        raise Refused("sides and points of other axes than there are")
    return sides, counts


def _grid_size(counts: list[Any]) -> int:
    if not counts or not all(type(q) is int and q >= 1 for q in counts):
        raise Refused("the points of an axis are no whole number of at least 1")
    if sum(log(q) for q in counts) > log(LARGEST_GRID) + 1e-9:
        raise Refused(f"a grid of more than {LARGEST_GRID} points")
    return prod(counts)


def _require_inside(name: str, value: Any) -> None:
    """ε in [0, 1), δ in (0, 1), every other number above 0."""
    inside = is_number(value) and (value > 0 or (name == "epsilon" and value == 0))
    if not inside or (name in ("epsilon", "delta") and value >= 1):
        raise Refused(f"{name} is outside its domain")
