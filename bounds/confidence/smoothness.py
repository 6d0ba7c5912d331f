"""Constants of Assumption 1 (III): tails of the largest slope, and of the largest value, of f.

P(sup_x |∂f/∂x_j| > L) ≤ a e^{−L²/b²} over the box [0, r]^d (docs/theory.md#tails). The box is cut
into q^d cells of side h = r/q. In a cell, sup (g − g(centre)) has mean at most m; Borell–TIS around
that mean, and a union over the cells and both signs, give b = √(2κv) and a = 2q^d e^{m²/(2v(κ−1))}
for every κ > 1, v the variance of g. Larger constants are always allowed: both are rounded up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, isfinite, log, sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.kernels.base import require_positive
from bounds.kernels.chaining import chained

_MOST_CELLS_PER_AXIS = 65_536
_ROUND_UP = 1.0 + 1e-12


@dataclass(frozen=True)
class TailConstants:
    """P(sup > L) ≤ a e^{−L²/b²} for every L ≥ 0, from q^d cells and the factor κ."""

    a: float
    b: float
    cells_per_axis: int
    inflation: float

    @property
    def mean_bound(self) -> float:
        """b(√log a + 1) ≥ E sup, from ∫ min(1, a e^{−L²/b²}) dL for a ≥ 2."""
        return self.b * (sqrt(log(self.a)) + 1.0)

    def scale(self, weight: float) -> float:
        """b·√log(a·weight): the L at which the tail is at most 1/weight."""
        return self.b * sqrt(max(log(self.a * weight), 0.0))


def slope_constants(
    kernel: Kernel,
    dimension: int,
    side: float,
    *,
    inflation: float | None = None,
    weight: float = 1e6,
) -> TailConstants:
    """a, b of one partial derivative; of the families that come along se, matern32 and matern52.

    Parameters
    ----------
    inflation : κ > 1; by default the one with the smallest b√log(a·weight)
    weight : the 1/probability at which the constants are to be small, about 2π²n²d/(3δ)

    Raises InvalidInput for a kernel without known constants (`Kernel.derivative_rise`).

    >>> from bounds.kernels import SquaredExponential
    >>> constants = slope_constants(SquaredExponential(0.2), 2, 1.0, inflation=1.1)
    >>> round(constants.a), round(constants.b, 3)
    (4010, 7.416)
    """
    variance = slope_variance(kernel)
    cells = _cells(side)
    means = kernel.derivative_rise(dimension, cells)
    if means is None:
        raise InvalidInput(
            "kernel", kernel.name, "constants a and b are known for se, matern32 and matern52"
        )
    return _best(variance, means, dimension, inflation, weight)


def value_constants(
    kernel: Kernel,
    dimension: int,
    side: float,
    *,
    inflation: float | None = None,
    weight: float = 1e6,
) -> TailConstants:
    """a₀, b₀ of f itself: P(sup_x |f(x)| > L) ≤ a₀ e^{−L²/b₀²}, for kernels with v = Var ∂f < ∞.

    Chaining with the metric √(E(f(x) − f(y))²) ≤ √v·|x − y|.
    """
    slope = sqrt(slope_variance(kernel))
    means = chained(slope, 1.0, dimension, _cells(side))
    return _best(1.0, means, dimension, inflation, weight)


def slope_variance(kernel: Kernel) -> float:
    """Var ∂_j f; raises InvalidInput where there is no derivative, or nothing known of it."""
    variance = kernel.derivative_variance
    if variance is None:
        raise InvalidInput("kernel", kernel.name, "the slopes of its sample paths are not known")
    if not isfinite(variance):
        raise InvalidInput("kernel", kernel.name, "its sample paths have no derivative (nu <= 1)")
    return variance


def _cells(side: float) -> FloatArray:
    """Cell sides r/q for q = 1, 2, …"""
    require_positive("side", side)
    return np.asarray(side / np.arange(1.0, _MOST_CELLS_PER_AXIS + 1.0))


def _best(
    variance: float,
    means: FloatArray,
    dimension: int,
    inflation: float | None,
    weight: float,
) -> TailConstants:
    if inflation is not None and not inflation > 1:
        raise InvalidInput("inflation", inflation, "give a factor above 1")
    factors = (1.01, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2.0) if inflation is None else (inflation,)
    counts = np.arange(1.0, len(means) + 1.0)
    best, smallest = None, inf
    for factor in factors:
        b = sqrt(2.0 * factor * variance)
        with np.errstate(over="ignore"):  # an infinite exponent is no choice
            exponent = means**2 / (2 * variance * (factor - 1))
        logs = log(2.0) + dimension * np.log(counts) + exponent
        i = int(np.argmin(logs))
        log_a = float(logs[i])
        reached = b * sqrt(max(log_a + log(weight), 0.0))
        # Finite a only: a number beyond the doubles is no constant to compute with.
        if log_a < 700 and reached < smallest:
            smallest = reached
            best = TailConstants(exp(log_a) * _ROUND_UP, b * _ROUND_UP, i + 1, factor)
    if best is None:
        raise InvalidInput("lengthscale", "too small", "the constants a and b overflow")
    return best
