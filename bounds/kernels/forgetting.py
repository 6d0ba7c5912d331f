"""The forgetting kernel of time, on which Theorem 1 rests."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel, forgetting_rate

if TYPE_CHECKING:
    from bounds.enclosure import Number


@dataclass(frozen=True)
class Forgetting(Kernel):
    """k_time(r) = (1 − ε)^{r/2}, the time kernel of Bogunovic et al. 2016, 0 ≤ ε < 1.

    An exponential kernel of lengthscale 1/θ with θ = −½ log(1−ε); constant 1 at ε = 0.

    >>> float(Forgetting(0.19).at_distance(1.0)).__round__(12)
    0.9
    """

    epsilon: float

    time_names = ("forgetting",)
    name = "forgetting"
    smoothness = 0.5
    steepest_distance = 0.0
    is_markov = True
    is_nonnegative = True
    is_nonincreasing = True
    completely_monotone = True

    def __post_init__(self) -> None:
        forgetting_rate(self.epsilon)

    @property
    def slope(self) -> float:
        """θ = −½ log(1−ε)."""
        return forgetting_rate(self.epsilon)

    def at_distance(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(np.exp(-self._faded(distance)))

    def complement(self, distance: ArrayLike) -> FloatArray:
        return np.asarray(-np.expm1(-self._faded(distance)))

    def deficit(self, distance: ArrayLike) -> FloatArray:
        """1 − k² = 1 − (1−ε)^r."""
        return np.asarray(-np.expm1(-2.0 * self._faded(distance)))

    def derivative(self, distance: FloatArray) -> FloatArray:
        """−θk."""
        return np.asarray(-self.slope * self.at_distance(distance))

    def derivative_over_distance(self, distance: FloatArray) -> FloatArray:
        """No kernel of space: infinitely steep at 0."""
        raise InvalidInput("kernel", self.name, "gradients need a se or Matérn space kernel")

    def at_rate(self, epsilon: float) -> Kernel:
        return Forgetting(epsilon)

    def enclosed_at_distance(self, distance: Number) -> Number:
        if isinstance(distance, int | Fraction) and distance == 0:
            return 1
        return enclosure.exp(-self._enclosed_faded(distance))

    def enclosed_deficit(self, distance: Number) -> Number:
        """To full relative precision, 1 − (1−ε)^r."""
        return enclosure.one_minus_exp(2 * self._enclosed_faded(distance))

    def enclosed_slope(self) -> Number:
        return self._enclosed_faded(1)

    def _faded(self, distance: ArrayLike) -> FloatArray:
        """θr; 0 at ε = 0 even where r has overflowed, as a predicted time may."""
        return np.asarray(self.slope * np.minimum(distance, np.finfo(float).max))

    def _enclosed_faded(self, distance: Number) -> Number:
        """−½ r log(1−ε)."""
        decay = enclosure.product((distance, enclosure.log1p(-Fraction(self.epsilon))))
        return -enclosure.divide(decay, 2)

    @classmethod
    def from_time_text(cls, text: str, epsilon: float, lengthscale: float | None) -> Self:
        """By ε alone."""
        if lengthscale is not None:
            raise InvalidInput(
                "time-lengthscale", lengthscale, "drop it: the forgetting kernel has only epsilon"
            )
        return cls(epsilon)
