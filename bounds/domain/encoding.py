"""A domain as plain data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Required, TypedDict

from bounds.domain.arms import Arms
from bounds.domain.base import Domain
from bounds.domain.grid import Grid
from bounds.domain.points import Points
from bounds.errors import InvalidInput


class DomainData(TypedDict, total=False):
    """A domain in studies, JSON and certificates: its type and what it was made from.

    `Grid` has `dimension`, `side` and `points_per_axis` (a number, or a list with one for each
    axis), `Points` has `rows`, `Arms` has `count`.
    """

    type: Required[str]
    dimension: int
    side: float | list[float]
    points_per_axis: int | list[int]
    rows: list[list[float]]
    count: int


def domain_data(domain: Domain) -> DomainData:
    """The plain form; raises InvalidInput for a domain of a type of one's own.

    >>> domain_data(Grid(1, 1.0, (5,)))
    {'type': 'Grid', 'dimension': 1, 'side': 1.0, 'points_per_axis': [5]}
    """
    if isinstance(domain, Grid):
        side, count = domain.side, domain.points_per_axis
        return {
            "type": "Grid",
            "dimension": domain.dimension,
            "side": list(side) if isinstance(side, tuple) else side,
            "points_per_axis": list(count) if isinstance(count, tuple) else count,
        }
    if isinstance(domain, Points):
        return {"type": "Points", "rows": [list(row) for row in domain.rows]}
    if isinstance(domain, Arms):
        return {"type": "Arms", "count": domain.count}
    remedy = "a Grid, Points and Arms can be stored"
    raise InvalidInput("domain", type(domain).__name__, remedy)


def domain_from_data(data: Mapping[str, Any]) -> Domain:
    """The domain that `domain_data` wrote; raises InvalidInput for anything else."""
    fields = {
        "Grid": {"dimension", "side", "points_per_axis"},
        "Points": {"rows"},
        "Arms": {"count"},
    }
    kind = data.get("type")
    if kind not in fields or set(data) - {"type"} != fields[kind]:
        remedy = "give the type of a domain, Grid, Points or Arms, and what it is made from"
        raise InvalidInput("domain", str(dict(data)), remedy)
    try:
        if kind == "Arms":
            return Arms(_whole(data["count"]))
        if kind == "Points":
            return Points(data["rows"])
        side, count = data["side"], data["points_per_axis"]
        return Grid(
            _whole(data["dimension"]),
            tuple(map(float, side)) if isinstance(side, list) else float(side),
            tuple(map(_whole, count)) if isinstance(count, list) else _whole(count),
        )
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidInput):
            raise
        remedy = "has something else where a number belongs"
        raise InvalidInput("domain", str(dict(data)), remedy) from None


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value
