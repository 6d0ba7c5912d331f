"""Whether there is a problem of the numbers that a certificate states."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log, prod
from typing import Any

from bounds.domain import LARGEST_DIMENSION, LARGEST_GRID
from bounds.kernels import families
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.shape import LARGEST

_PARAMETERS = {
    "SquaredExponential": ("lengthscale",),
    "Matern": ("nu", "lengthscale"),
    "Forgetting": ("epsilon",),
}


def require_problem(problem: Mapping[str, Any]) -> None:
    """Refuse numbers for which there is no such problem: negative noise, δ ≥ 1, no rounds.

    That each key is there, and none besides, is `require_shape`'s to see.
    """
    domain_size(problem)
    if not problem["times"]:
        raise Refused("there are no times")
    if sum(map(Fraction, problem["times"])) > LARGEST:
        raise Refused("the times add up to more than a double can hold")
    if problem.get("delay", 0) < 0:
        raise Refused("the delay is negative")
    for name in ("noise_variance", "delta", "epsilon"):
        _require_inside(name, problem[name])
    own = [family.__name__ for family in families()]
    for name in ("space_kernel", "time_kernel"):
        kernel = problem[name]
        if kernel["type"] not in own:
            raise Refused(f"{name} is of no known type")
        # Of a family that is only registered, what rests on its values is refused later.
        for parameter in _PARAMETERS.get(kernel["type"], ()):
            _require_inside(parameter, kernel[parameter])


def domain_size(problem: Mapping[str, Any]) -> int:
    """|D| of a domain that can be: a cube, a grid with unequal axes, or a list of points."""
    if not is_list(problem):
        sides, counts = axes_of(problem)
        for side in sides:
            _require_inside("side", side)
        return _grid_size(counts)
    rows = problem["domain"]["rows"]
    if not rows or len(rows) > LARGEST_GRID or len({tuple(row) for row in rows}) < len(rows):
        raise Refused("the points are none, too many or not different")
    if any(len(row) != problem["dimension"] for row in rows):
        raise Refused("the points have other axes than there are")
    return len(rows)


def is_list(problem: Mapping[str, Any]) -> bool:
    """Whether the domain is a list of points, not a grid."""
    return bool(problem.get("domain", {}).get("type") == "Points")


def axes_of(problem: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """The side and the number of points of each axis of a cube, or of a grid with unequal axes."""
    d = problem["dimension"]
    if not 1 <= d <= LARGEST_DIMENSION:
        raise Refused(f"the dimension is no number from 1 to {LARGEST_DIMENSION}")
    cube = {"dimension": d, "side": problem.get("side"), "points_per_axis": problem.get("grid")}
    domain = problem.get("domain", cube)
    if domain["dimension"] != d:
        raise Refused("the domain has another dimension than the problem")
    sides, counts = (
        each if isinstance(each, list) else [each] * d
        for each in (domain["side"], domain["points_per_axis"])
    )
    if len(sides) != d or len(counts) != d:
        raise Refused("sides and points of other axes than there are")
    return sides, counts


def _grid_size(counts: list[Any]) -> int:
    if min(counts) < 1 or sum(map(log, counts)) > log(LARGEST_GRID) + 1e-9:
        raise Refused(f"a grid of no points, or of more than {LARGEST_GRID}")
    return prod(counts)


def _require_inside(name: str, value: Any) -> None:
    """ε in [0, 1), δ in (0, 1), every other number above 0."""
    inside = value > 0 or (name == "epsilon" and value == 0)
    if not inside or (name in ("epsilon", "delta") and value >= 1):
        raise Refused(f"{name} is outside its domain")
