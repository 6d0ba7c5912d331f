"""A kernel plus a level that all points share, scaled to unit variance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel
from bounds.kernels.matern import Matern
from bounds.kernels.squared_exponential import SquaredExponential

if TYPE_CHECKING:
    from bounds.enclosure import Number

_SMOOTHNESS = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}


@dataclass(frozen=True)
class Levelled(Kernel):
    """k(r) = (k_0(r) + c)/(1 + c), for f with the kernel k_0 plus one normal of variance c.

    The level is the same at every point, so the regret of the sum is that of f; in units in which f
    has unit variance it is √(1 + c) times the regret of this kernel.

    base : `se`, `matern12`, `matern32` or `matern52`, the k_0
    lengthscale : > 0, of k_0
    level : c ≥ 0

    >>> float(Levelled("se", 0.2, 1.0).at_distance(100.0))
    0.5
    """

    base: str
    lengthscale: float
    level: float

    is_nonnegative = True
    is_nonincreasing = True

    def __post_init__(self) -> None:
        if self.base != "se" and self.base not in _SMOOTHNESS:
            raise InvalidInput("kernel", self.base, f"use se, {', '.join(_SMOOTHNESS)}")
        if not (isfinite(self.level) and self.level >= 0.0):
            raise InvalidInput("level", self.level, "give a number of at least 0")
        assert self.without_level is not None  # checks the lengthscale

    @cached_property
    def without_level(self) -> Kernel:
        """k_0."""
        if self.base == "se":
            return SquaredExponential(self.lengthscale)
        return Matern(_SMOOTHNESS[self.base], self.lengthscale)

    @property
    def name(self) -> str:
        return f"{self.base} with a level"

    @property
    def share(self) -> float:
        """1/(1 + c), the share of the variance that is k_0's."""
        return 1.0 / (1.0 + self.level)

    @property
    def smoothness(self) -> float:
        return self.without_level.smoothness

    @property
    def is_markov(self) -> bool:
        return self.level == 0.0 and self.without_level.is_markov

    @property
    def slope(self) -> float:
        return self.share * self.without_level.slope * (1.0 + 1e-15)

    @property
    def steepest_distance(self) -> float | None:
        return self.without_level.steepest_distance

    @property
    def derivative_variance(self) -> float | None:
        own = self.without_level.derivative_variance
        return None if own is None else self.share * own

    @property
    def curvature_variance(self) -> float | None:
        own = self.without_level.curvature_variance
        return None if own is None else self.share * own

    def at_distance(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(1.0 - self.complement(distance))

    def complement(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(self.share * self.without_level.complement(distance))

    def derivative(self, distance: FloatArray) -> FloatArray:
        return np.asarray(self.share * self.without_level.derivative(distance))

    def derivative_over_distance(self, distance: FloatArray) -> FloatArray:
        return np.asarray(self.share * self.without_level.derivative_over_distance(distance))

    def enclosed_at_distance(self, distance: Number) -> Number:
        if isinstance(distance, int | Fraction) and distance == 0:
            return 1
        level = Fraction(self.level)
        own = self.without_level.enclosed_at_distance(distance)
        return enclosure.divide(own + enclosure.exact(level), enclosure.exact(1 + level))
