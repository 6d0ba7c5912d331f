"""Whether the numbers of a certificate of bounds are numbers, and those of its problem possible."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from math import log
from pathlib import Path
from typing import Any

from bounds.domain import LARGEST_DIMENSION, LARGEST_GRID
from bounds.errors import InvalidInput
from proofs_check.recheck.outcome import Refused

_LARGEST = sys.float_info.max
_STATIONARY = {"SquaredExponential": ("lengthscale",), "Matern": ("nu", "lengthscale")}
_KERNELS = {"space_kernel": _STATIONARY, "time_kernel": {**_STATIONARY, "Forgetting": ("epsilon",)}}


def require_numbers(body: Mapping[str, Any], path: Path) -> None:
    """Raise `InvalidInput` for a text, a truth value or infinity where a number belongs."""
    named = ("lines", "gamma", "partitions", "knots", "dual", "design")
    values = [claim.get("value") for claim in body["claims"]]
    rest: list[Any] = [values, *(body.get(name) for name in named)]
    while rest:
        item = rest.pop()
        if isinstance(item, dict):
            rest.extend(item.values())
        elif isinstance(item, list):
            rest.extend(item)
        elif item is not None and not is_number(item):
            remedy = "has something else where a number belongs"
            raise InvalidInput("recheck", str(path), remedy)


def is_number(value: Any) -> bool:
    """Whether a value read from a file is a finite number within the range of doubles."""
    return type(value) in (int, float) and abs(value) <= _LARGEST


def require_problem(problem: Mapping[str, Any]) -> None:
    """Refuse numbers for which there is no such problem: negative noise, δ ≥ 1, no rounds."""
    q, d = problem["grid"], problem["dimension"]
    if type(q) is not int or type(d) is not int or q < 1 or d < 1:
        raise Refused("grid and dimension are no whole numbers of at least 1")
    if d > LARGEST_DIMENSION:
        raise Refused(f"more than {LARGEST_DIMENSION} dimensions")
    if d * log(q) > log(LARGEST_GRID) + 1e-9:
        raise Refused(f"a grid of more than {LARGEST_GRID} points")
    times = problem["times"]
    if not isinstance(times, list) or not times or not all(map(is_number, times)):
        raise Refused("the times are no list of numbers")
    for name in ("noise_variance", "side", "delta", "epsilon"):
        _require_inside(name, problem[name])
    for name, types in _KERNELS.items():
        kernel = problem[name]
        if kernel["type"] not in types:
            raise Refused(f"{name} is of no known type")
        for parameter in types[kernel["type"]]:
            _require_inside(parameter, kernel[parameter])


def _require_inside(name: str, value: Any) -> None:
    """ε in [0, 1), δ in (0, 1), every other number above 0."""
    inside = is_number(value) and (value > 0 or (name == "epsilon" and value == 0))
    if not inside or (name in ("epsilon", "delta") and value >= 1):
        raise Refused(f"{name} is outside its domain")
