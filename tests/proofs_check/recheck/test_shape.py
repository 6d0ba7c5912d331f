"""Which keys and kinds of values a certificate has: each is needed, and no other is read."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bounds.errors import InvalidInput
from proofs_check.recheck.shape import BOUND, LOG, is_number, require_shape

LARGEST = sys.float_info.max
SE = {"type": "SquaredExponential", "lengthscale": 0.4}
PROBLEM: dict[str, Any] = {
    "given": "durations",
    "times": [1.0, 0.0],
    "noise_variance": 0.1,
    "delta": 0.1,
    "epsilon": 0.0,
    "space_kernel": SE,
    "time_kernel": {"type": "Forgetting", "epsilon": 0.0},
    "dimension": 2,
    "side": 1.0,
    "grid": 5,
}
BLOCK = {
    "start": 0,
    "end": 1,
    "alpha": 1.0,
    "points": [0],
    "time_modes": [[1.0]],
    "space_modes": [[[1.0]], []],
    "gains": [[[1.0]], []],
}
BODY: dict[str, Any] = {
    "format": "f",
    "version": "1",
    "digest": "d",
    "claims": [{"id": "beta", "value": 1.0}],
    "problem": {**PROBLEM, "delay": 0},
    "instants": "i",
    "lines": [{"points": [0, 1], "factors": [[[1.0]], []], "alpha": 1}],
    "gamma": [{"m": 1, "value": 1, "line": None}, {"m": 2, "value": 1.5, "line": 0}],
    "partitions": {
        "refined": {"cuts": [0, 2], "centers": [[0, 0.5]]},
        "additive": {"cuts": [0, 2], "centers": None},
    },
    "knots": {"rounds": [0], "weights": [[0.5]]},
    "dual": [BLOCK],
    "design": [3],
    "inflated": {"noise_variance": 1.0, "dual": [BLOCK]},
    "box": {"cells_per_axis": 4, "inflation": 1.5},
    "longest": 1.0,
    "floor": {
        "rank": True,
        "common": 0.0,
        "shares": [1],
        "weights": [[0.1]],
        "shape": False,
        "maximum": {
            "value": 1,
            "points": [0, 1],
            "features": [[0.5], [0.1]],
            "variances": [0.1, 0.1],
            "cells": [2],
        },
    },
    "maximum": {"parts": [{"axis": 0, "pairs": [[0, 1]]}]},
    "prices": {"prices": [0.5], "knots": [0, 1.5]},
    "schedule": {"rounds": [0], "points": [1], "delta": 0.1},
}
RUN: dict[str, Any] = {
    **{name: BODY[name] for name in ("format", "version", "digest", "claims")},
    "problem": PROBLEM,
    "points": [[0.1, 0.2]],
    "observations": [1.0],
}


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of everything inside an object."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*at, key)
        if isinstance(item, dict | list):
            yield from places(item, (*at, key))


def held(body: dict[str, Any], place: tuple[Any, ...]) -> Any:
    for key in place:
        body = body[key]
    return body


FORMS = pytest.mark.parametrize(
    ("whole", "form"), [(BODY, BOUND), (RUN, LOG)], ids=["bound", "run"]
)


@FORMS
def test_what_has_every_key_is_whole(whole, form) -> None:
    require_shape(whole, form, "file.json")
    for domain in (
        {"type": "Points", "rows": [[0.1, 0.2]]},
        {"type": "Grid", "dimension": 2, "side": [1.0, 2.0], "points_per_axis": [3, 4]},
        {"type": "Grid", "dimension": 2, "side": 1.0, "points_per_axis": 3},
    ):
        problem = {name: whole["problem"][name] for name in whole["problem"]}
        del problem["side"], problem["grid"]
        require_shape({**whole, "problem": {**problem, "domain": domain}}, form, "file.json")
        both = {**whole["problem"], "domain": domain}
        with pytest.raises(InvalidInput, match="too many: grid"):
            require_shape({**whole, "problem": both}, form, "file.json")


@FORMS
def test_every_key_is_needed_and_none_is_added(whole, form) -> None:
    objects = [(), *(place for place in places(whole) if isinstance(held(whole, place), dict))]
    for place in objects:
        for key in held(whole, place):
            if place == ("partitions",):
                continue
            body = copy.deepcopy(whole)
            del held(body, place)[key]
            with pytest.raises(InvalidInput, match=r"has no|too many"):
                require_shape(body, form, "file.json")
        body = copy.deepcopy(whole)
        held(body, place)["nu"] = 0.5
        with pytest.raises(InvalidInput, match=r"recheck = file\.json: .* has a key too many: nu"):
            require_shape(body, form, "file.json")


NULLS = {
    "line",
    "centers",
    "knots",
    "dual",
    "inflated",
    "design",
    "box",
    "longest",
    "floor",
    "weights",
    "prices",
    "schedule",
    "maximum",
    "axis",
    "pairs",
    "features",
    "variances",
    "cells",
}


WHOLE = {"axis", "start", "end", "m", "line", "dimension", "delay", "cells_per_axis", "grid"}


@FORMS
def test_every_value_is_of_its_kind(whole, form) -> None:
    """A text, a truth value or infinity is no number; nothing is another thing than it is."""
    for place in places(whole):
        value, name = held(whole, place), str(place[-1])
        wrongs: list[Any] = ["x", True, float("inf"), 2 * int(LARGEST), {"a": 1}]
        wrongs += [None] * (name not in NULLS) + [0.5] * (name in WHOLE)
        for wrong in wrongs:
            kernel = place[-2:-1] in (("space_kernel",), ("time_kernel",))
            if type(wrong) is type(value) and not is_number(value):
                continue
            if isinstance(wrong, str) and kernel:  # a family of one's own may have texts
                continue
            body = copy.deepcopy(whole)
            held(body, place[:-1])[place[-1]] = wrong
            with pytest.raises(InvalidInput, match=r"recheck = file\.json: [^\n]*$"):
                require_shape(body, form, "file.json")


def test_numbers_of_a_file() -> None:
    for value in (0, -1, 0.5, LARGEST, -LARGEST):
        assert is_number(value)
    for wrong in (float("inf"), float("nan"), True, None, "1", 2 * int(LARGEST), [1]):
        assert not is_number(wrong)
