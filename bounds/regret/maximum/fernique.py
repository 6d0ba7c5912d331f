"""m* from above by comparison with points that are further apart, Sudakov and Fernique.

E max of a centred Gaussian vector grows with its increments E(f_x − f_y)². Two families whose E max
is known, or lower-dimensional (docs/theory.md#sudakov-fernique):

| family | increments | E max |
|---|---|---|
| `independent` | 2(1 − ρ), ρ the least correlation | √(1 − ρ)·M_N, M_N of N independent normals |
| `axes` | those of the axes of a grid, added | the sum of the m* of the axes |

The first is m* itself where all correlations are one number: independent arms, equicorrelated
points. The second needs 1 − k(x − y) ≤ Σ_a (1 − k(x_a − y_a)) at every pair of lags, which is seen
by computing both sides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import sqrt

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray
from bounds.domain import Domain, Grid
from bounds.domain.grid import GridKernel
from bounds.enclosure import Number
from bounds.enclosure.integrals import normal_maximum
from bounds.kernels import Kernel
from bounds.regret.maximum.normals import normal_maximum as rough_normal_maximum

LARGEST_PAIRWISE = 200
"""Points without structure up to which all correlations are enclosed."""

_OUTWARD = 1.0 + 1e-12  # of a distance in floating point


def roughly_independent(domain: Domain, kernel: Kernel) -> float:
    """√(1 − ρ)·M_N in floating point; inf for many points without structure."""
    smallest = _smallest(domain, kernel)
    if smallest is None:
        return float("inf")
    return sqrt(max(1.0 - smallest, 0.0)) * rough_normal_maximum(domain.size) * (1.0 + 1e-9)


def independent(domain: Domain, kernel: Kernel) -> Number:
    """√(1 − ρ)·M_N enclosed; for a domain of which `roughly_independent` is finite."""
    return enclosure.sqrt(1 - _enclosed_smallest(domain, kernel)) * normal_maximum(domain.size)


def axes_of(domain: Domain) -> dict[int, Grid]:
    """The axes with more than one point, by number, of a grid that has two of them at least."""
    if not isinstance(domain, Grid):
        return {}
    sides = enumerate(zip(domain.sides, domain.shape, strict=True))
    along = {number: Grid(1, side, q) for number, (side, q) in sides if q > 1}
    return along if len(along) > 1 else {}


def axes_dominate(domain: Domain, kernel: Kernel, *, enclosed: bool) -> bool:
    """Whether 1 − k ≤ Σ_a (1 − k_a) at every lag of a grid, certainly where `enclosed`."""
    layout = domain.restricted(kernel)
    assert isinstance(layout, GridKernel)
    apart = 1 - (layout.enclosed_lags if enclosed else _lags(layout))
    first = [
        np.moveaxis(apart, a, 0)[(slice(None),) + (0,) * (apart.ndim - 1)]
        for a in range(apart.ndim)
    ]
    added = reduce(np.add.outer, first)
    # Along one axis alone the two are one number, which balls do not tell.
    between = np.sum([index > 0 for index in np.indices(apart.shape)], axis=0) > 1
    margin = 0.0 if enclosed else 1e-12
    return bool(np.all((apart <= added + margin)[between]))


def fernique_upper(domain: Domain, kernel: Kernel, of_axis: Callable[[Grid], float]) -> float:
    """The smaller of the two in floating point, `of_axis` an upper bound on the m* of an axis."""
    if domain.size == 1:
        return 0.0
    alone = roughly_independent(domain, kernel)
    if not axes_of(domain) or not axes_dominate(domain, kernel, enclosed=False):
        return alone
    return min(alone, sum_of_axes(domain, of_axis))


def sum_of_axes(domain: Domain, of_axis: Callable[[Grid], float]) -> float:
    """Σ_a of an upper bound on the m* of the axis, each different axis asked for once."""
    axes = list(axes_of(domain).values())
    known = {axis: of_axis(axis) for axis in axes}
    return sum(known[axis] for axis in axes) * (1.0 + 2.0**-50)


def _smallest(domain: Domain, kernel: Kernel) -> float | None:
    layout = domain.restricted(kernel)
    if isinstance(layout, GridKernel):
        return float(np.min(_lags(layout).ravel()[1:]))
    if kernel.is_nonincreasing:
        return float(kernel.at_distance(_diameter(domain)))
    if domain.size > LARGEST_PAIRWISE:
        return None
    every = np.arange(domain.size)
    return float(np.min(layout.gram(every, every)))


def _lags(layout: GridKernel) -> FloatArray:
    """(q, …, q) k at the lags 0 … q−1 of each axis: with the first point."""
    return layout.column(0).reshape(layout.grid.shape)


def _enclosed_smallest(domain: Domain, kernel: Kernel) -> Number:
    layout = domain.restricted(kernel)
    if isinstance(layout, GridKernel):
        return enclosure.minimum(layout.enclosed_lags.ravel()[1:].tolist())
    if kernel.is_nonincreasing:
        return kernel.enclosed_at_distance(enclosure.exact_double(_diameter(domain)))
    every = np.arange(domain.size)
    pairs: BallArray = layout.enclosed_gram(every, every)[np.triu_indices(domain.size, 1)]
    return enclosure.minimum(pairs.tolist())


def _diameter(domain: Domain) -> float:
    """No two points are further apart."""
    points = domain.points
    return max(float(np.max(np.linalg.norm(points - x, axis=1))) for x in points) * _OUTWARD
