"""Kernels of time by their half-life: J(0) = 1 and J(h) = ½ for every one.

With u = Δτ/h a memory is J(u), and its slope is ∂J/∂log h = −u J'(u). Only the forgetting one is
Markov: given f now, f later needs nothing of the past.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import asin, log, pi, sqrt

import numpy as np

from bounds.arrays import FloatArray

FORGETTING = "forgetting"

_HALVED = 1.6783469900166605
"""z with (1 + z)·exp(−z) = ½."""
_PERIODS = asin(sqrt(0.5 * log(2.0))) / pi
"""Half-lives in a period of exp(−2 sin²(πΔτ/p)): where that is ½ first."""


@dataclass(frozen=True)
class Memory:
    """J as a function of u ≥ 0, and ∂J/∂log h as one of u and J(u)."""

    name: str
    value: Callable[[FloatArray], FloatArray]
    slope: Callable[[FloatArray, FloatArray], FloatArray]

    def value_and_slope(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """J and ∂J/∂log h."""
        value = self.value(u)
        return value, self.slope(u, value)


MEMORIES = {
    memory.name: memory
    for memory in (
        Memory(
            FORGETTING,
            lambda u: np.exp(-log(2.0) * u),
            lambda u, value: log(2.0) * u * value,
        ),
        Memory(
            "matern32",
            lambda u: np.asarray((1.0 + _HALVED * u) * np.exp(-_HALVED * u)),
            lambda u, value: np.asarray((_HALVED * u) ** 2 * np.exp(-_HALVED * u)),
        ),
        Memory(
            "smooth",
            lambda u: np.exp(-log(2.0) * u**2),
            lambda u, value: 2.0 * log(2.0) * u**2 * value,
        ),
        Memory(
            "rational-quadratic",
            lambda u: np.asarray(1.0 / np.sqrt(1.0 + 3.0 * u**2)),
            lambda u, value: 3.0 * u**2 * value**3,
        ),
        Memory(
            "periodic",
            # −2 sin²a = cos 2a − 1: one pass less.
            lambda u: np.exp(np.cos(2.0 * pi * _PERIODS * u) - 1.0),
            lambda u, value: 2.0 * pi * _PERIODS * u * np.sin(2.0 * pi * _PERIODS * u) * value,
        ),
        Memory(
            "sinusoid",
            lambda u: np.asarray(0.5 + 0.5 * np.cos(0.5 * pi * u)),
            lambda u, value: 0.25 * pi * u * np.sin(0.5 * pi * u),
        ),
    )
}
"""forgetting 2^−u; Matérn-3/2; smooth 2^−u²; rational quadratic with α = ½, (1 + 3u²)^−½; periodic
exp(−2 sin²(πΔτ/p)) with p ≈ 4.991 h; a sinusoid between 0 and 1, cos²(πΔτ/p) with p = 4 h."""

PERIODS = {"periodic": 1.0 / _PERIODS, "sinusoid": 4.0}
"""Periods in half-lives, of those that return."""
