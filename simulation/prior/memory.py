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
    """J and ∂J/∂log h as functions of u ≥ 0."""

    name: str
    value: Callable[[FloatArray], FloatArray]
    value_and_slope: Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def _forgetting(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    value = np.exp(-log(2.0) * u)
    return value, log(2.0) * u * value


def _matern32(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    z = _HALVED * u
    gone = np.exp(-z)
    return (1.0 + z) * gone, z * z * gone


def _smooth(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    value = np.exp(-log(2.0) * u**2)
    return value, 2.0 * log(2.0) * u**2 * value


def _rational_quadratic(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    value = 1.0 / np.sqrt(1.0 + 3.0 * u**2)
    return value, 3.0 * u**2 * value**3


def _periodic(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    angle = pi * _PERIODS * u
    value = np.exp(-2.0 * np.sin(angle) ** 2)
    return value, 2.0 * angle * np.sin(2.0 * angle) * value


def _sinusoid(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    angle = 0.25 * pi * u
    return np.cos(angle) ** 2, angle * np.sin(2.0 * angle)


def _memory(
    name: str, both: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
) -> tuple[str, Memory]:
    return name, Memory(name, lambda u: both(u)[0], both)


MEMORIES = dict(
    (
        _memory(FORGETTING, _forgetting),
        _memory("matern32", _matern32),
        _memory("smooth", _smooth),
        _memory("rational-quadratic", _rational_quadratic),
        _memory("periodic", _periodic),
        _memory("sinusoid", _sinusoid),
    )
)
"""forgetting 2^−u; Matérn-3/2; smooth 2^−u²; rational quadratic with α = ½, (1 + 3u²)^−½; periodic
exp(−2 sin²(πΔτ/p)) with p ≈ 4.991 h; a sinusoid between 0 and 1, cos²(πΔτ/p) with p = 4 h."""

PERIODS = {"periodic": 1.0 / _PERIODS, "sinusoid": 4.0}
"""Periods in half-lives, of those that return."""
