"""Which problems a certificate of bounds may state, and which numbers are numbers."""

from __future__ import annotations

import copy
import sys
from typing import Any

import pytest

from bounds.domain import LARGEST_DIMENSION, LARGEST_GRID
from bounds.errors import InvalidInput
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.problem import (
    axes_of,
    domain_size,
    is_number,
    require_numbers,
    require_problem,
)

SE = {"type": "SquaredExponential", "lengthscale": 0.4}
PROBLEM: dict[str, Any] = {
    "times": [1.0, 0.0], "noise_variance": 0.1, "delta": 0.1, "epsilon": 0.0,
    "space_kernel": SE, "time_kernel": {"type": "Forgetting", "epsilon": 0.0},
    "dimension": 2, "side": 1.0, "grid": 5,
}  # fmt: skip
LARGEST = sys.float_info.max


def with_domain(**domain: Any) -> dict[str, Any]:
    return {**PROBLEM, "domain": domain}


@pytest.mark.parametrize(
    "changes",
    [
        {}, {"epsilon": 0.99}, {"times": [LARGEST]}, {"times": [1, 2]},
        {"space_kernel": {"type": "Matern", "nu": 2.5, "lengthscale": 1}}, {"time_kernel": SE},
        {"space_kernel": {"type": "Independent"}},
    ],
)  # fmt: skip
def test_problems_that_can_be(changes: dict[str, Any]) -> None:
    require_problem({**PROBLEM, **changes})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"times": []}, "no list of numbers"), ({"times": 3}, "no list of numbers"),
        ({"times": [1.0, "2"]}, "no list of numbers"), ({"times": [True]}, "no list of numbers"),
        ({"times": [LARGEST, LARGEST]}, "add up to more"),
        ({"noise_variance": 0}, "noise_variance is outside"),
        ({"noise_variance": -0.1}, "noise_variance is outside"),
        ({"noise_variance": "0.1"}, "noise_variance is outside"),
        ({"delta": 0.0}, "delta is outside"), ({"delta": 1.0}, "delta is outside"),
        ({"epsilon": -0.1}, "epsilon is outside"), ({"epsilon": 1}, "epsilon is outside"),
        ({"space_kernel": {**SE, "lengthscale": 0.0}}, "lengthscale is outside"),
        ({"space_kernel": {"type": "Matern", "nu": 0, "lengthscale": 1}}, "nu is outside"),
        ({"time_kernel": {"type": "Forgetting", "epsilon": 1.0}}, "epsilon is outside"),
        ({"space_kernel": {"type": "Oracle"}}, "space_kernel is of no known type"),
        ({"time_kernel": {"type": "Oracle"}}, "time_kernel is of no known type"),
        ({"side": 0.0}, "side is outside"), ({"side": [1.0, -1.0]}, "side is outside"),
        ({"dimension": 0}, "the dimension is no whole number from 1 to"),
        ({"dimension": 2.0}, "the dimension"), ({"dimension": True}, "the dimension"),
        ({"dimension": LARGEST_DIMENSION + 1, "grid": 1}, "the dimension"),
        ({"side": [1.0]}, "other axes"), ({"grid": [5, 5, 5]}, "other axes"),
        ({"grid": 0}, "of at least 1"), ({"grid": 2.0}, "of at least 1"),
        ({"grid": True}, "of at least 1"), ({"grid": [LARGEST_GRID, 2]}, "a grid of more than"),
        ({"domain": {"type": "Torus"}}, "no known type"),
    ],
)  # fmt: skip
def test_problems_that_cannot(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        require_problem({**PROBLEM, **changes})


def test_the_size_of_a_domain() -> None:
    assert domain_size(PROBLEM) == 25 and axes_of(PROBLEM) == ([1.0, 1.0], [5, 5])
    uneven = with_domain(type="Grid", side=[1.0, 2.0], points_per_axis=[3, 4])
    assert domain_size(uneven) == 12 and axes_of(uneven) == ([1.0, 2.0], [3, 4])
    assert domain_size({**PROBLEM, "dimension": 1, "grid": LARGEST_GRID}) == LARGEST_GRID
    many = {**PROBLEM, "dimension": LARGEST_DIMENSION, "grid": 1}
    assert domain_size(many) == 1 and len(axes_of(many)[0]) == LARGEST_DIMENSION
    rows = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    assert domain_size(with_domain(type="Points", rows=rows)) == 3
    for wrong, said in (
        ([], "none"), ([[0.1, 0.2], [0.1, 0.2]], "not different"), ([[0.1]], "no rows of numbers"),
        ([[0.1, "0.2"]], "no rows of numbers"), ([[0.1, 0.2, 0.3]], "no rows"),
        ([[float(i), 0.0] for i in range(LARGEST_GRID + 1)], "too many"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=said):
            domain_size(with_domain(type="Points", rows=wrong))


def test_numbers_of_a_file() -> None:
    for value in (0, -1, 0.5, LARGEST, -LARGEST):
        assert is_number(value)
    for wrong in (float("inf"), float("nan"), True, None, "1", 2 * int(LARGEST), [1]):
        assert not is_number(wrong)


BODY: dict[str, Any] = {
    "claims": [{"id": "beta", "value": 1.0}],
    "lines": [{"alpha": 1.0}], "gamma": [{"value": 1, "line": None}], "partitions": {"a": [0, 1]},
    "knots": {"weights": [[0.5]]}, "dual": [], "design": [3], "inflated": None,
    "schedule": {"value": 1.0}, "floor": {"value": 1.0, "delay": 0, "common": None, "shares": [1],
                                          "weights": None, "maximum": {"value": 1}, "rank": True},
}  # fmt: skip


def test_numbers_stand_where_they_belong() -> None:
    require_numbers(BODY, "file.json")
    require_numbers({**BODY, "floor": None, "lines": None}, "file.json")
    bad: list[tuple[tuple[Any, ...], Any]] = [
        (("claims", 0, "value"), None), (("floor",), "x"), (("floor",), [["x"]]),
    ]  # fmt: skip
    places = [
        ("lines", 0, "alpha"), ("gamma", 0, "value"), ("partitions", "a", 1), ("schedule", "value"),
        ("knots", "weights", 0, 0), ("dual",), ("design", 0), ("inflated",), ("floor", "value"),
        ("floor", "delay"), ("floor", "common"), ("floor", "shares", 0), ("floor", "weights"),
        ("floor", "maximum", "value"), ("claims", 0, "value"),
    ]  # fmt: skip
    bad += [(place, value) for place in places for value in ("1", True, float("inf"))]
    for place, value in bad:
        body = copy.deepcopy(BODY)
        held = body
        for key in place[:-1]:
            held = held[key]
        held[place[-1]] = value
        with pytest.raises(InvalidInput, match=r"recheck = file.json: has something else where a"):
            require_numbers(body, "file.json")
