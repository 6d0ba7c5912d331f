"""A kernel on a grid: look-ups against the kernel itself, and the split into parities."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.domain.lags import GridKernel
from bounds.kernels import Matern, SquaredExponential

CASES = [
    GridKernel(kernel, Grid(dimension, 1.3, q), split)
    for kernel in (SquaredExponential(0.3), Matern(1.3, 0.3))
    for dimension, q, split in [(1, 1, 3), (1, 6, 3), (2, 5, 3), (2, 4, 1), (3, 3, 0), (4, 2, 3)]
]


@pytest.mark.parametrize("grid_kernel", CASES, ids=str)
def test_look_ups_agree_with_the_kernel(grid_kernel):
    everything = np.arange(grid_kernel.size)
    dense = grid_kernel.kernel.gram(grid_kernel.grid.points)
    assert grid_kernel.gram(everything, everything) == pytest.approx(dense, abs=1e-13)
    assert np.stack([grid_kernel.column(i) for i in everything]) == pytest.approx(dense, abs=1e-13)


@pytest.mark.parametrize("grid_kernel", CASES, ids=str)
def test_parities_are_kernels_that_add_up_and_do_not_mix(grid_kernel):
    everything = np.arange(grid_kernel.size)
    parts = grid_kernel.parity_grams(everything, everything)
    assert parts.sum(axis=0) == pytest.approx(grid_kernel.gram(everything, everything), abs=1e-13)
    for i, part in enumerate(parts):
        assert np.linalg.eigvalsh(part).min() > -1e-12
        for other in parts[i + 1 :]:
            assert np.abs(part @ other).max() < 1e-12
    orthant = grid_kernel.orthant
    assert grid_kernel.parity_variances() == pytest.approx(
        np.array([np.diag(part)[orthant] for part in parts]), abs=1e-13
    )


@pytest.mark.parametrize("grid_kernel", CASES, ids=str)
def test_reflections_cover_the_grid_from_the_orthant(grid_kernel):
    images = grid_kernel.reflections[:, grid_kernel.orthant]
    assert set(images.ravel()) == set(range(grid_kernel.size))
    assert grid_kernel.orbit_sizes.sum() == grid_kernel.size
    assert np.array_equal(grid_kernel.reflections[0], np.arange(grid_kernel.size))
