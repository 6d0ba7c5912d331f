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


def _forgetting(u: FloatArray) -> FloatArray:
    return np.exp(-log(2.0) * u)


def _forgetting_slope(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    value = _forgetting(u)
    return value, log(2.0) * u * value


def _matern32(u: FloatArray) -> FloatArray:
    z = _HALVED * u
    return np.asarray((1.0 + z) * np.exp(-z))


def _matern32_slope(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    z = _HALVED * u
    gone = np.exp(-z)
    return (1.0 + z) * gone, z * z * gone


def _smooth(u: FloatArray) -> FloatArray:
    return np.exp(-log(2.0) * u**2)


def _smooth_slope(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    value = _smooth(u)
    return value, 2.0 * log(2.0) * u**2 * value


def _rational_quadratic(u: FloatArray) -> FloatArray:
    return np.asarray(1.0 / np.sqrt(1.0 + 3.0 * u**2))


def _rational_quadratic_slope(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    value = _rational_quadratic(u)
    return value, 3.0 * u**2 * value**3


def _periodic(u: FloatArray) -> FloatArray:
    # −2 sin²a = cos 2a − 1: one pass less.
    return np.exp(np.cos(2.0 * pi * _PERIODS * u) - 1.0)


def _periodic_slope(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    twice, value = 2.0 * pi * _PERIODS * u, _periodic(u)
    return value, twice * np.sin(twice) * value


def _sinusoid(u: FloatArray) -> FloatArray:
    return np.asarray(0.5 + 0.5 * np.cos(0.5 * pi * u))


def _sinusoid_slope(u: FloatArray) -> tuple[FloatArray, FloatArray]:
    twice = 0.5 * pi * u
    return _sinusoid(u), 0.5 * twice * np.sin(twice)


MEMORIES = {
    memory.name: memory
    for memory in (
        Memory(FORGETTING, _forgetting, _forgetting_slope),
        Memory("matern32", _matern32, _matern32_slope),
        Memory("smooth", _smooth, _smooth_slope),
        Memory("rational-quadratic", _rational_quadratic, _rational_quadratic_slope),
        Memory("periodic", _periodic, _periodic_slope),
        Memory("sinusoid", _sinusoid, _sinusoid_slope),
    )
}
"""forgetting 2^−u; Matérn-3/2; smooth 2^−u²; rational quadratic with α = ½, (1 + 3u²)^−½; periodic
exp(−2 sin²(πΔτ/p)) with p ≈ 4.991 h; a sinusoid between 0 and 1, cos²(πΔτ/p) with p = 4 h."""

PERIODS = {"periodic": 1.0 / _PERIODS, "sinusoid": 4.0}
"""Periods in half-lives, of those that return."""
