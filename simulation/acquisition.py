"""Acquisition functions: UCB with its exploration weights, and expected improvement.

Everything is vectorised over candidates and maximised by policies; larger is better.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from bounds.confidence import bogunovic_weight
from bounds.errors import InvalidInput

FloatArray = NDArray[np.float64]

Acquisition = Literal["ucb", "ei"]
Exploration = Literal["beta", "sqrt-beta", "theory"]

ACQUISITIONS: tuple[str, ...] = get_args(Acquisition)
EXPLORATIONS: tuple[str, ...] = get_args(Exploration)

_LOG_ROOT_TWO_PI = 0.5 * np.log(2.0 * np.pi)


def exploration_weight(
    exploration: str, n: ArrayLike, *, c1: float = 0.8, c2: float = 4.0
) -> FloatArray:
    """The weight of σ in UCB at rounds n ≥ 1, for the two weights of practice.

    `beta` is c₁ log(c₂n) (the paper's text and its authors' code, with the constants of Bogunovic
    et al. 2016), `sqrt-beta` its square root (Bogunovic et al.). The third weight, `theory`, is
    √β_n with a β_n of `bounds.confidence` or `bounds.point_times`; it needs the problem.

    Raises InvalidInput for another name.

    >>> float(exploration_weight("beta", 1)).__round__(4)
    1.109
    """
    weight = bogunovic_weight(n, c1, c2)
    if exploration == "beta":
        return weight
    if exploration == "sqrt-beta":
        return np.asarray(np.sqrt(weight))
    raise InvalidInput("exploration", exploration, "use beta or sqrt-beta")


def upper_confidence(mean: ArrayLike, deviation: ArrayLike, weight: float) -> FloatArray:
    """μ + w·σ."""
    return np.asarray(np.asarray(mean) + weight * np.asarray(deviation))


def expected_improvement(mean: ArrayLike, deviation: ArrayLike, best: float) -> FloatArray:
    """E(f − best)₊ for f ~ N(mean, deviation²): σ(zΦ(z) + ϕ(z)), z = (μ − best)/σ.

    At σ = 0 it is (μ − best)₊.

    >>> float(expected_improvement(0.0, 1.0, 0.0)).__round__(6)
    0.398942
    """
    return np.exp(log_expected_improvement(mean, deviation, best))


def log_expected_improvement(mean: ArrayLike, deviation: ArrayLike, best: float) -> FloatArray:
    """log E(f − best)₊, finite wherever σ > 0: its argmax survives underflow of the value.

    For z < −1, zΦ(z) + ϕ(z) = ϕ(z)·(1 + z·Φ(z)/ϕ(z)) with Φ/ϕ by the scaled complementary error
    function; far out the bracket is its asymptotic series z⁻²(1 − 3z⁻² + 15z⁻⁴ − …).
    """
    mu, sigma = np.broadcast_arrays(np.asarray(mean, float), np.asarray(deviation, float))
    positive = sigma > 0
    safe = np.where(positive, sigma, 1.0)
    z = (mu - best) / safe
    with np.errstate(divide="ignore"):
        certain = np.log(np.maximum(mu - best, 0.0))
    return np.where(positive, np.log(safe) + _log_improvement(z), certain)


def log_mean_exp(logs: FloatArray, weights: FloatArray) -> FloatArray:
    """log Σ_k w_k exp(logs_k) down the first axis, for weights w_k > 0."""
    top = np.max(logs, axis=0)
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(weights @ np.exp(logs - shift)) + shift)


def _log_improvement(z: FloatArray) -> FloatArray:
    """log(zΦ(z) + ϕ(z)) for every z."""
    near = np.maximum(z, -1.0)
    log_near = np.log(near * special.ndtr(near) + np.exp(-0.5 * near * near - _LOG_ROOT_TWO_PI))
    middle = np.clip(z, -60.0, -1.0)
    ratio = np.sqrt(0.5 * np.pi) * special.erfcx(-middle / np.sqrt(2.0))  # Φ/ϕ
    log_middle = np.log(1.0 + middle * ratio)
    far = np.minimum(z, -60.0) ** -2.0
    log_far = np.log(far) + np.log1p(far * (-3.0 + far * (15.0 - 105.0 * far)))
    tail = np.where(z < -60.0, log_far, log_middle) - 0.5 * z * z - _LOG_ROOT_TWO_PI
    return np.asarray(np.where(z < -1.0, tail, log_near))
