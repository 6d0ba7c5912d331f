"""Kernels in ball arithmetic: k(r) and 1 − k(r)² enclosed, their parameters taken as exact.

The formulas are those of `kernels`, written a second time for balls.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray
from bounds.domain import Grid
from bounds.enclosure import Number
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential


def at_distance(kernel: Kernel, distance: Number) -> Number:
    """k(r) for a number r ≥ 0, exact or a ball.

    Raises InvalidInput for a kernel that has no formula here.

    >>> enclosure.certainly_lt(at_distance(Matern(0.5, 1.0), 1), Fraction(368, 1000))
    True
    """
    if isinstance(distance, int | Fraction) and distance == 0:
        return 1
    if isinstance(kernel, SquaredExponential):
        scaled = enclosure.divide(distance, Fraction(kernel.lengthscale))
        return enclosure.exp(-enclosure.divide(scaled * scaled, 2))
    if isinstance(kernel, Forgetting):
        return enclosure.exp(-_decay(kernel, distance))
    if isinstance(kernel, Matern):
        return _matern(kernel, distance)
    raise InvalidInput("kernel", kernel.name, "no enclosure is known for this kernel")


def deficit(kernel: Kernel, distance: Number) -> Number:
    """1 − k(r)²; with the forgetting kernel to full relative precision, 1 − (1−ε)^r."""
    if isinstance(kernel, Forgetting):
        return enclosure.one_minus_exp(2 * _decay(kernel, distance))
    value = at_distance(kernel, distance)
    return 1 - value * value


def slope(kernel: Kernel) -> Number | None:
    """θ enclosed for the forgetting and the exponential kernel; None for the others."""
    if isinstance(kernel, Forgetting):
        return _decay(kernel, 1)
    if isinstance(kernel, Matern) and kernel.nu == 0.5:
        return enclosure.divide(1, Fraction(kernel.lengthscale))
    return None


def lag_table(kernel: Kernel, grid: Grid) -> BallArray:
    """(q, …, q) k at the lags 0 … q−1 of each axis of the grid of points i·side/(q−1).

    Lags that differ by the order of the axes share one value. O(q^d/d!) kernel values.
    """
    q, dimension = grid.points_per_axis, grid.dimension
    step = Fraction(grid.side) / (q - 1) if q > 1 else Fraction(0)
    by_square: dict[int, Number] = {}
    table = np.empty((q,) * dimension, dtype=object)
    for lag in np.ndindex(table.shape):
        square = sum(i * i for i in lag)
        if square not in by_square:
            distance = enclosure.sqrt(step * step * square)
            by_square[square] = enclosure.ball(at_distance(kernel, distance))
        table[lag] = by_square[square]
    return table


def _decay(kernel: Forgetting, distance: Number) -> Number:
    """−½ r log(1−ε)."""
    decay = enclosure.product((distance, enclosure.log(1 - Fraction(kernel.epsilon))))
    return -enclosure.divide(decay, 2)


def _matern(kernel: Matern, distance: Number) -> Number:
    """2^{1−ν}/Γ(ν) z^ν K_ν(z); for ν = p + ½ as e^{−z} p!/(2p)! Σ (p+i)!/(i!(p−i)!) (2z)^{p−i}."""
    nu = Fraction(kernel.nu)
    z = enclosure.sqrt(2 * nu) * enclosure.divide(distance, Fraction(kernel.lengthscale))
    if nu.denominator == 2:
        p = nu.numerator // 2
        scale = Fraction(factorial(p), factorial(2 * p))
        polynomial = enclosure.total(
            enclosure.exact(scale * comb(p, i) * Fraction(factorial(p + i), factorial(p)))
            * (2 * z) ** (p - i)
            for i in range(p + 1)
        )
        return enclosure.exp(-z) * polynomial
    factor = enclosure.divide(enclosure.power(2, 1 - nu), enclosure.gamma(nu))
    return factor * enclosure.power(z, nu) * enclosure.bessel_k(nu, z)
