"""A domain as plain data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Required, TypedDict, cast

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


_KINDS: dict[str, type[Domain]] = {kind.__name__: kind for kind in (Grid, Points, Arms)}


def domain_data(domain: Domain) -> DomainData:
    """The plain form; raises InvalidInput for a domain of a type of one's own.

    >>> domain_data(Grid(1, 1.0, (5,)))
    {'type': 'Grid', 'dimension': 1, 'side': 1.0, 'points_per_axis': [5]}
    """
    kind = type(domain).__name__
    if _KINDS.get(kind) is not type(domain):
        raise InvalidInput("domain", kind, "a Grid, Points and Arms can be stored")
    parts = {name: _listed(getattr(domain, name)) for name in _parts(type(domain))}
    return cast(DomainData, {"type": kind, **parts})


def domain_from_data(data: Mapping[str, Any]) -> Domain:
    """The domain that `domain_data` wrote; raises InvalidInput for anything else."""
    kind = _KINDS.get(str(data.get("type")))
    if kind is None or set(data) != {"type", *_parts(kind)}:
        remedy = "give the type of a domain, Grid, Points or Arms, and what it is made from"
        raise InvalidInput("domain", str(dict(data)), remedy)
    given = {name: data[name] for name in _parts(kind)}
    try:
        return kind(**{n: tuple(v) if isinstance(v, list) else v for n, v in given.items()})
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidInput):
            raise
        remedy = "has something else where a number belongs"
        raise InvalidInput("domain", str(dict(data)), remedy) from None


def _parts(kind: type[Domain]) -> list[str]:
    """The fields that a domain is made from."""
    return [field.name for field in fields(cast(Any, kind)) if field.compare]


def _listed(value: Any) -> Any:
    return [_listed(one) for one in value] if isinstance(value, tuple) else value
