"""Which problems a certificate of bounds may state."""

from __future__ import annotations

from typing import Any

import pytest

from bounds.domain import LARGEST_DIMENSION, LARGEST_GRID
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.problem import axes_of, domain_size, require_problem
from tests.proofs_check.recheck.test_shape import LARGEST, PROBLEM, SE


def with_domain(**domain: Any) -> dict[str, Any]:
    return {**PROBLEM, "domain": domain}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"epsilon": 0.99},
        {"times": [LARGEST]},
        {"times": [1, 2]},
        {"space_kernel": {"type": "Matern", "nu": 2.5, "lengthscale": 1}},
        {"time_kernel": SE},
        {"space_kernel": {"type": "Independent"}},
    ],
)
def test_problems_that_can_be(changes: dict[str, Any]) -> None:
    require_problem({**PROBLEM, **changes})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"times": []}, "there are no times"),
        ({"delay": -1}, "the delay is negative"),
        ({"times": [LARGEST, LARGEST]}, "add up to more"),
        ({"noise_variance": 0}, "noise_variance is outside"),
        ({"noise_variance": -0.1}, "noise_variance is outside"),
        ({"space_kernel": {"type": "Forgetting", "epsilon": -0.5}}, "epsilon is outside"),
        ({"delta": 0.0}, "delta is outside"),
        ({"delta": 1.0}, "delta is outside"),
        ({"epsilon": -0.1}, "epsilon is outside"),
        ({"epsilon": 1}, "epsilon is outside"),
        ({"space_kernel": {**SE, "lengthscale": 0.0}}, "lengthscale is outside"),
        ({"space_kernel": {"type": "Matern", "nu": 0, "lengthscale": 1}}, "nu is outside"),
        ({"time_kernel": {"type": "Forgetting", "epsilon": 1.0}}, "epsilon is outside"),
        ({"space_kernel": {"type": "Oracle"}}, "space_kernel is of no known type"),
        ({"time_kernel": {"type": "Oracle"}}, "time_kernel is of no known type"),
        ({"side": 0.0}, "side is outside"),
        ({"side": [1.0, -1.0]}, "side is outside"),
        ({"dimension": 0}, "the dimension is no number from 1 to"),
        ({"dimension": LARGEST_DIMENSION + 1, "grid": 1}, "the dimension"),
        ({"side": [1.0]}, "other axes"),
        ({"grid": [5, 5, 5]}, "other axes"),
        ({"grid": 0}, "of no points"),
        ({"grid": [5, 0]}, "of no points"),
        (
            {"domain": {"type": "Grid", "dimension": 3, "side": 1.0, "points_per_axis": 5}},
            "another dimension",
        ),
        ({"grid": [LARGEST_GRID, 2]}, "or of more than"),
    ],
)
def test_problems_that_cannot(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        require_problem({**PROBLEM, **changes})


def test_the_size_of_a_domain() -> None:
    assert domain_size(PROBLEM) == 25 and axes_of(PROBLEM) == ([1.0, 1.0], [5, 5])
    uneven = with_domain(type="Grid", dimension=2, side=[1.0, 2.0], points_per_axis=[3, 4])
    assert domain_size(uneven) == 12 and axes_of(uneven) == ([1.0, 2.0], [3, 4])
    assert domain_size({**PROBLEM, "dimension": 1, "grid": LARGEST_GRID}) == LARGEST_GRID
    many = {**PROBLEM, "dimension": LARGEST_DIMENSION, "grid": 1}
    assert domain_size(many) == 1 and len(axes_of(many)[0]) == LARGEST_DIMENSION
    rows = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    assert domain_size(with_domain(type="Points", rows=rows)) == 3
    for wrong, said in (
        ([], "none"),
        ([[0.1, 0.2], [0.1, 0.2]], "not different"),
        ([[0.1]], "other axes"),
        ([[0.1, 0.2, 0.3]], "other axes"),
        ([[float(i), 0.0] for i in range(LARGEST_GRID + 1)], "too many"),
    ):
        with pytest.raises(Refused, match=said):
            domain_size(with_domain(type="Points", rows=wrong))
