"""Which keys each part of a certificate has, no fewer and no more, and what kind of value each."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from bounds.errors import InvalidInput
from bounds.kernels import families

LARGEST = sys.float_info.max


def is_number(value: Any) -> bool:
    """Whether a value read from a file is a finite number within the range of doubles."""
    return type(value) in (int, float) and abs(value) <= LARGEST


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST


def _is_table(value: Any) -> bool:
    """Numbers, or lists of them however deep."""
    return is_number(value) or (isinstance(value, list) and all(map(_is_table, value)))


@dataclass(frozen=True)
class OrNull:
    """A value of a form, or null."""

    form: Any


@dataclass(frozen=True)
class Some:
    """An object with some of these keys, each of one form."""

    names: Sequence[str]
    form: Any


_BLOCKS = [
    {
        "start": _is_whole,
        "end": _is_whole,
        "alpha": is_number,
        "points": [_is_whole],
        "time_modes": _is_table,
        "space_modes": _is_table,
        "gains": _is_table,
    }
]
_CLAIMS = [{"id": str, "value": is_number}]
_FILE = {"format": str, "version": str, "digest": str, "claims": _CLAIMS}
_GRID = {"side": is_number, "grid": _is_whole}
_SIDES = (is_number, [is_number])
_COUNTS = (_is_whole, [_is_whole])
_DOMAINS: Mapping[str, Mapping[str, Any]] = {
    "Grid": {"dimension": _is_whole, "side": _SIDES, "points_per_axis": _COUNTS},
    "Points": {"rows": [[is_number]]},
}

BOUND: Mapping[str, Any] = {
    **_FILE,
    "instants": str,
    "lines": [{"points": [_is_whole], "factors": _is_table, "alpha": is_number}],
    "gamma": [{"m": _is_whole, "value": is_number, "line": OrNull(_is_whole)}],
    "partitions": Some(
        ("theorem1", "additive", "refined"),
        {"cuts": [_is_whole], "centers": OrNull([[is_number]])},
    ),
    "knots": OrNull({"rounds": [_is_whole], "weights": [[is_number]]}),
    "dual": OrNull(_BLOCKS),
    "inflated": OrNull({"noise_variance": is_number, "dual": _BLOCKS}),
    "design": OrNull([_is_whole]),
    "box": OrNull({"cells_per_axis": _is_whole, "inflation": is_number}),
    "longest": OrNull(is_number),
    "maximum": OrNull({"parts": [{"axis": OrNull(_is_whole), "pairs": OrNull([[_is_whole]])}]}),
    "floor": OrNull(
        {
            "rank": bool,
            "common": is_number,
            "shares": [is_number],
            "weights": OrNull([[is_number]]),
            "shape": bool,
            "maximum": {
                "value": is_number,
                "points": [_is_whole],
                "features": OrNull([[is_number]]),
                "variances": OrNull([is_number]),
                "cells": OrNull([_is_whole]),
            },
        }
    ),
    "prices": OrNull({"prices": [is_number], "knots": [is_number]}),
    "schedule": OrNull({"rounds": [_is_whole], "points": [_is_whole], "delta": is_number}),
}
"""A certificate of bounds, beside its problem."""

LOG: Mapping[str, Any] = {**_FILE, "points": [[is_number]], "observations": [is_number]}
"""The certificate of a finished run, beside its problem."""


def require_shape(body: Mapping[str, Any], form: Mapping[str, Any], file: str) -> None:
    """Raise `InvalidInput` that names the first key too few or too many, or of another kind."""
    problem = body.get("problem")
    delayed = {"delay": _is_whole} if form is BOUND else {}
    fault = _fault(body, {**form, "problem": {**_problem(problem), **delayed}}, "the file")
    if fault:
        raise InvalidInput("recheck", file, fault)


def _problem(problem: Any) -> dict[str, Any]:
    """The keys of a problem with these kernels and this domain."""
    given: Mapping[str, Any] = problem if isinstance(problem, dict) else {}
    own = {"domain": _typed(given["domain"], _DOMAINS)} if "domain" in given else _GRID
    kernels = {
        family.__name__: {f.name: (is_number, str) for f in fields(cast(Any, family)) if f.init}
        for family in families()
    }
    return {
        "given": str,
        "times": [is_number],
        "epsilon": is_number,
        "time_kernel": _typed(given.get("time_kernel"), kernels),
        "space_kernel": _typed(given.get("space_kernel"), kernels),
        "noise_variance": is_number,
        "delta": is_number,
        "dimension": _is_whole,
        **own,
    }


def _typed(value: Any, kinds: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The keys of an object by its type; of an unknown type none but that."""
    kind = value.get("type") if isinstance(value, dict) else None
    return {"type": str, **(kinds.get(kind, {}) if isinstance(kind, str) else {})}


def _fault(value: Any, form: Any, place: str) -> str:
    """What is wrong with a value, in one line; nothing where it has the form."""
    if isinstance(form, OrNull):
        return "" if value is None else _fault(value, form.form, place)
    if isinstance(form, tuple):
        faults = [_fault(value, alternative, place) for alternative in form]
        return "" if "" in faults else faults[0]
    if isinstance(form, list):
        if not isinstance(value, list):
            return f"{place} is no list"
        inner = (_fault(item, form[0], f"{place}[{i}]") for i, item in enumerate(value))
        return next(filter(None, inner), "")
    if isinstance(form, Mapping | Some):
        named = form.names if isinstance(form, Some) else form
        given = value if isinstance(value, dict) else {"it is no object": None}
        lacking = [] if isinstance(form, Some) else [name for name in form if name not in given]
        more = sorted(set(given) - set(named))
        if lacking or more:
            return f"{place} has {f'no {lacking[0]}' if lacking else f'a key too many: {more[0]}'}"
        inner = (
            _fault(given[name], form.form if isinstance(form, Some) else form[name], f"its {name}")
            for name in named
            if name in given
        )
        return next(filter(None, inner), "")
    fits = isinstance(value, form) if isinstance(form, type) else form(value)
    return "" if fits else f"{place} has something else where its kind of value belongs"
