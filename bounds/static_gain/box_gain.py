"""γ_n of the whole box [0, r]^d: certificates of the grid carried over to every point between.

A certificate (z, R, α) holds for any domain once V ≥ v on it; `box_variance` bounds v over cells.
Those between the grid points cover the box; those above a target are halved along every axis.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np

from bounds import enclosure
from bounds.arrays import IntArray
from bounds.domain import Domain
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.progress import Share, unwatched
from bounds.static_gain.box_variance import BoxVariance
from bounds.static_gain.certified import GridBalls, curve_of_lines, line_from_supremum
from bounds.static_gain.dual import GainCertificate
from bounds.static_gain.upper_curve import GainCurve

MOST_DIMENSIONS = 3
_LOOSER = 0.01  # by how much of the line at twice its rank an undivided cell may raise it
_MOST_LEVELS = 7
_MOST_CELLS = 60_000  # of one level; what is left undivided only makes V larger


def box_curve(
    kernel: Kernel,
    grid: Domain,
    curve: GainCurve,
    rounds: IntArray,
    advance: Share = unwatched,
) -> GainCurve:
    """Certified upper bounds on γ_m of the box of a grid, m = 0..n, from a curve of the grid.

    Good at the given rounds, whose lines alone are carried over, and valid at all.

    Parameters
    ----------
    kernel : one with `enclosed_remainder`: squared exponential, Matérn-3/2, Matérn-5/2
    grid : of at most 3 dimensions and at least 2 points per axis
    curve : of `space_gain_upper`
    rounds : the m at which the bound is wanted

    Raises InvalidInput for other kernels and grids. The lower side of the grid is one of the box.
    Cost: for each line some thousand cells, each of (d+2)·k·P products: at 130 rounds on 50×50
    points 1 s for the squared exponential, 7 s for Matérn-5/2, a minute for Matérn-3/2.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> from bounds.static_gain.upper_curve import space_gain_upper
    >>> kernel, grid = SquaredExponential(0.5), Grid(1, 1.0, 9)
    >>> box_curve(kernel, grid, space_gain_upper(kernel, grid, 0.1, 9), [9]).certified
    True
    """
    require_known(kernel, grid)
    line = partial(box_line, GridBalls(kernel, grid))
    return curve_of_lines(curve, curve.sources[np.asarray(rounds)], line, advance)


def box_line(balls: GridBalls, certificate: GainCertificate) -> GainCertificate:
    """The same points, factors and α with V a bound on v over the whole box."""
    with enclosure.precision(matrices.WORKING_BITS):
        variance = BoxVariance(balls, certificate)
        supremum = 1.0
        if certificate.rank:
            n = 2.0 * certificate.rank
            per_round = (certificate.intercept + certificate.slope * n) / n
            slack = _LOOSER * per_round * 2.0 * certificate.alpha * certificate.noise_variance
            supremum = _supremum(variance, balls.grid, slack)
        return line_from_supremum(replace(certificate, supremum=supremum), variance.logs)


def _supremum(variance: BoxVariance, grid: Domain, slack: float) -> float:
    """An upper bound on v over the box, by symmetry over one orthant of cells.

    Cells are halved while they exceed the largest v at a centre by more than `slack`.
    """
    signs = np.array(list(product((-1, 1), repeat=grid.dimension)), dtype=np.int64)
    # In units of half a side of the cells of a level, in which centres are odd.
    centers = (
        2
        * np.array(list(product(range(grid.cube()[0] // 2), repeat=grid.dimension)), dtype=np.int64)
        + 1
    )
    settled = 0.0
    for level in range(_MOST_LEVELS):  # the last one returns
        upper, middle = variance.cells(centers, level)
        target = max(float(middle.max()) + slack, settled)
        open_cells = np.flatnonzero(upper > target)
        last = level == _MOST_LEVELS - 1 or len(open_cells) * len(signs) > _MOST_CELLS
        if last or len(open_cells) == 0:
            return max(settled, float(upper.max()))
        settled = max([settled, *np.delete(upper, open_cells).tolist()])
        children = 2 * centers[open_cells][:, None, :] + signs
        centers = children.reshape(-1, grid.dimension)
    raise AssertionError


def require_known(kernel: Kernel, grid: Domain) -> None:
    """Raise InvalidInput for a kernel or a grid whose box is not done."""
    kernel.enclosed_remainder(enclosure.ball(1))  # NoEnclosure is an InvalidInput
    q, _ = grid.cube()
    if grid.dimension > MOST_DIMENSIONS or q < 2:
        raise InvalidInput(
            "grid",
            f"{q}^{grid.dimension}",
            f"the box needs 2 points per axis and at most {MOST_DIMENSIONS} dimensions",
        )
