"""γ of the box: v between the grid points stays below V, and designs off the grid below γ̂."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.static_gain.box_gain import box_curve, box_line
from bounds.static_gain.box_variance import BoxVariance
from bounds.static_gain.certified import GridBalls, certified_curve
from bounds.static_gain.information import gain
from bounds.static_gain.upper_curve import space_gain_upper

KERNELS = [SquaredExponential(0.4), Matern(1.5, 0.6), Matern(2.5, 0.5)]


def variance_by_dense_algebra(certificate, kernel, grid: Grid, at):
    """v(x) = k(x,x) − b(x)ᵀ(αI+H)⁻¹b(x) over all images of the points, in floating point."""
    layout = grid.restricted(kernel)
    columns, support = [], np.concatenate([i[certificate.points] for i in layout.reflections])
    for signs, R in zip(layout.characters, certificate.factors, strict=True):
        for vector in R.T:
            columns.append(np.concatenate([sign * vector for sign in signs]) / len(signs))
    R, z = np.array(columns).T, grid.points[support]
    A = R.T @ kernel.gram(z) @ R + certificate.alpha * np.eye(R.shape[1])
    b = R.T @ kernel.gram(z, at)
    return 1.0 - np.einsum("ix,ix->x", b, np.linalg.solve(A, b))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
@pytest.mark.parametrize("grid", [Grid(1, 1.0, 12), Grid(2, 1.0, 7)], ids=["line", "square"])
def test_v_between_the_points_is_below_the_supremum(kernel, grid: Grid) -> None:
    curve = space_gain_upper(kernel, grid, 0.1, 12)
    certificate = max(curve.certificates, key=lambda c: c.rank)
    line = box_line(GridBalls(kernel, grid), certificate)
    rng = np.random.default_rng(1)
    corners = np.array(np.meshgrid(*[[0.0, 1.0]] * grid.dimension)).reshape(grid.dimension, -1).T
    at = np.vstack([rng.uniform(size=(4000, grid.dimension)), corners, grid.points])
    v = variance_by_dense_algebra(certificate, kernel, grid, at)
    assert v.max() <= line.supremum * (1 + 1e-9)
    assert certificate.supremum <= line.supremum * (1 + 1e-9)
    assert line.bound(12) <= 1.25 * certificate.bound(12)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
@pytest.mark.parametrize("grid", [Grid(1, 1.0, 12), Grid(2, 1.0, 7)], ids=["line", "square"])
def test_v_inside_a_cell_is_below_the_bound_of_the_cell(kernel, grid: Grid) -> None:
    """Also where v is far from its largest value, and steep."""
    certificate = max(space_gain_upper(kernel, grid, 0.1, 12).certificates, key=lambda c: c.rank)
    variance = BoxVariance(GridBalls(kernel, grid), certificate)
    count, d = grid.shape[0] - 1, grid.dimension
    corners = np.array(list(product((-1.0, 1.0), repeat=d)))
    for level in (0, 2):
        centers = 2 * np.array(list(product(range(2**level * count), repeat=d))) + 1
        half = 0.5 / (count * 2**level)
        upper, middle = variance.cells(centers, level)
        v = variance_by_dense_algebra(certificate, kernel, grid, half * centers)
        np.testing.assert_allclose(middle, v, atol=1e-9)
        for corner in corners:
            at = half * (centers + corner)
            v = variance_by_dense_algebra(certificate, kernel, grid, at)
            assert np.all(v <= upper + 1e-9)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_designs_off_the_grid_stay_below(kernel) -> None:
    grid, rounds = Grid(1, 1.0, 16), np.array([2, 5, 9])
    rough = space_gain_upper(kernel, grid, 0.1, 9)
    curve = box_curve(kernel, grid, rough, rounds)
    on_grid = certified_curve(kernel, grid, rough)
    rng = np.random.default_rng(2)
    for m in rounds:
        best = 0.0
        for _ in range(300):
            x = np.sort(rng.uniform(size=m))
            best = max(best, gain(kernel.gram(x[:, None]), 0.1))
        assert best <= curve.values[m]
        assert on_grid.values[m] <= curve.values[m] <= 1.05 * on_grid.values[m]
    assert curve.certified


def test_what_is_not_known_is_refused() -> None:
    for kernel, grid in (
        (Matern(0.5, 0.5), Grid(1, 1.0, 5)),
        (SquaredExponential(0.5), Grid(4, 1.0, 2)),
        (SquaredExponential(0.5), Grid(1, 1.0, 1)),
    ):
        with pytest.raises(InvalidInput, match="box"):
            box_curve(kernel, grid, space_gain_upper(kernel, grid, 0.1, 2), np.array([2]))
