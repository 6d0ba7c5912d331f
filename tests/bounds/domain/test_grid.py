"""Grids: sub-grids that are spread evenly, and the order from coarse to fine."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.domain.grid import _bisection_levels
from bounds.enclosure.doubles import Doubles
from bounds.kernels import Matern, SquaredExponential


@pytest.mark.parametrize(
    ("grid", "count", "per_axis"),
    [
        (Grid(1, 1.0, 9), 3, [[0, 4, 8]]),
        (Grid(2, 1.0, 9), 9, [[0, 4, 8]] * 2),
        (Grid(2, 1.0, 9), 24, [[0, 3, 5, 8]] * 2),
        (Grid(3, 1.0, 5), 8, [[0, 4]] * 3),
        (Grid(2, 1.0, 3), 100, [[0, 1, 2]] * 2),
    ],
)
def test_as_many_coordinates_along_each_axis_as_make_the_count(grid, count, per_axis) -> None:
    chosen = grid.spread(count)
    assert len(chosen) == np.prod([len(axis) for axis in per_axis]) <= count
    places = np.stack(np.unravel_index(chosen, grid.shape), axis=1)
    for axis, expected in enumerate(per_axis):
        found = sorted(set(places[:, axis].tolist()))
        assert (found[0], found[-1]) == (expected[0], expected[-1])
        assert np.abs(np.array(found) - expected).max() <= 1


@pytest.mark.parametrize("count", [1, 2, 3, 4, 9, 10, 33, 50])
def test_intervals_are_halved_until_every_coordinate_is_met(count: int) -> None:
    levels = _bisection_levels(count)
    assert len(levels) == count and levels[0] == levels[-1] == 0 and levels.dtype == np.int64
    assert np.all(levels[1:-1] >= 1)
    for level in range(int(levels.max(initial=0)) + 1):
        met = np.flatnonzero(levels <= level)
        assert np.diff(met).max(initial=0) <= -(-(count - 1) // 2**level)
    if count == 9:
        assert levels.tolist() == [0, 3, 2, 3, 1, 3, 2, 3, 0]


@pytest.mark.parametrize("grid", [Grid(2, 1.0, 9), Grid(3, 1.0, 6)], ids=repr)
def test_ranks_go_by_the_finest_coordinate_and_then_by_the_sum(grid: Grid) -> None:
    rank = grid.coarse_to_fine()
    levels = _bisection_levels(grid.shape[0])
    places = np.stack(np.unravel_index(np.arange(grid.size), grid.shape), axis=1)
    keys = [(levels[place].max(), levels[place].sum()) for place in places]
    order = sorted(range(grid.size), key=lambda i: rank[i])
    assert [keys[i] for i in order] == sorted(keys)
    outside = grid.outside(np.array([[0.5] * grid.dimension] * 3))
    assert outside.dtype == bool and outside.shape == (3,)
    assert rank.dtype == np.int64


@pytest.mark.parametrize("kernel", [SquaredExponential(0.5), Matern(2.5, 0.3)])
@pytest.mark.parametrize("grid", [Grid(1, 1.0, 5), Grid(2, (1.0, 0.5), (3, 4))], ids=repr)
def test_doubles_are_enclosed_as_balls_are(grid: Grid, kernel) -> None:
    layout = grid.restricted(kernel)
    rows, columns = np.array([4, 0, 2]), np.arange(grid.size)
    found = layout.enclosed_doubles(rows, columns)
    balls = Doubles.of_balls(layout.enclosed_gram(rows, columns))
    assert np.array_equal(found.mid, balls.mid) and np.array_equal(found.rad, balls.rad)
    assert found.rad.max() < 1e-15
