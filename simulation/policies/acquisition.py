"""Acquisition functions: UCB with its exploration weights, and expected improvement.

Everything is vectorised over candidates and maximised by policies; larger is better.
"""

from __future__ import annotations

from math import erfc, exp, inf, log, pi, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.confidence.schedules import bogunovic_weight
from bounds.errors import InvalidInput
from bounds.numerics.compiled import compiled

Acquisition = Literal["ucb", "ei"]
Exploration = Literal["beta", "sqrt-beta", "theory"]

ACQUISITIONS: tuple[str, ...] = get_args(Acquisition)
EXPLORATIONS: tuple[str, ...] = get_args(Exploration)

_LOG_ROOT_TWO_PI = 0.5 * log(2.0 * pi)
_ROOT_HALF = sqrt(0.5)
_FAR = 5.0
_SMALL = 1e-250


def exploration_weight(
    exploration: str, n: ArrayLike, *, c1: float = 0.8, c2: float = 4.0
) -> FloatArray:
    """The weight of σ in UCB at rounds n ≥ 1, for the two weights of practice.

    `beta` is c₁ log(c₂n) (the paper's text and its authors' code, with the constants of Bogunovic
    et al. 2016), `sqrt-beta` its square root (Bogunovic et al.). The third weight, `theory`, is
    √β_n with a β_n of `bounds.confidence`; it needs the problem.

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


def upper_confidence(
    mean: ArrayLike, deviation: ArrayLike, weight: float | FloatArray
) -> FloatArray:
    """μ + w·σ, with one weight or one for each point."""
    return np.asarray(np.asarray(mean) + weight * np.asarray(deviation))


def flat_confidence(
    mean: FloatArray, deviation: FloatArray, scale: float, least: FloatArray
) -> FloatArray:
    """μ + √c₀·√log(1 + (σ²/p)²)·σ, the flat index, with √c₀ for `scale` and p > 0 for `least`.

    >>> float(flat_confidence(np.array(1.0), np.array(0.0), 1.0, np.array(0.5)))
    1.0
    """
    return np.asarray(mean + scale * np.sqrt(np.log1p((deviation**2 / least) ** 2)) * deviation)


def log_expected_improvement(mean: ArrayLike, deviation: ArrayLike, best: float) -> FloatArray:
    """log E(f − best)₊, finite wherever σ > 0: its argmax survives underflow of the value.

    For z < −1, zΦ(z) + ϕ(z) = ϕ(z)·(1 − t·m(t)), t = −z, with Mills' ratio m(t) = Φ(−t)/ϕ(t); from
    t = 5 on by its continued fraction, in which nothing cancels. At σ = 0 it is log (μ − best)₊.
    """
    mu, sigma = np.broadcast_arrays(np.asarray(mean, float), np.asarray(deviation, float))
    logs = np.empty(mu.shape)
    _log_improvements(
        np.ascontiguousarray(mu).ravel(), np.ascontiguousarray(sigma).ravel(), best, logs.ravel()
    )
    return logs


def log_mean_improvement(
    mean: FloatArray, deviation: FloatArray, weights: FloatArray, best: float
) -> FloatArray:
    """(N,) log Σ_k w_k E(f_k − best)₊ for f_k ~ N(mean, deviation²), both (K, N), weights w_k > 0.

    Finite wherever some deviation is positive, as `log_expected_improvement` is.
    """
    logs = np.empty(mean.shape[1])
    _log_mean_improvements(mean, deviation, weights, best, logs)
    return logs


@compiled()
def _log_improvements(
    mean: FloatArray, deviation: FloatArray, best: float, logs: FloatArray
) -> None:  # pragma: no cover
    """Fill `logs`; ten times the speed of the same in whole arrays."""
    for i in range(len(mean)):
        gap = mean[i] - best
        if deviation[i] > 0:
            logs[i] = log(deviation[i]) + _log_improvement(gap / deviation[i])
        else:
            logs[i] = log(gap) if gap > 0 else -inf


@compiled()
def _log_mean_improvements(
    mean: FloatArray, deviation: FloatArray, weights: FloatArray, best: float, logs: FloatArray
) -> None:  # pragma: no cover
    """Fill `logs`: sums of values, and where these underflow, of values scaled by the largest."""
    for i in range(len(logs)):
        total = 0.0
        for k in range(len(weights)):
            gap, sigma = mean[k, i] - best, deviation[k, i]
            total += weights[k] * (sigma * _improvement(gap / sigma) if sigma > 0 else max(gap, 0))
        if total > _SMALL:
            logs[i] = log(total)
            continue
        top, total = -inf, 0.0
        for k in range(len(weights)):
            gap, sigma = mean[k, i] - best, deviation[k, i]
            if sigma > 0 or gap > 0:
                value = log(sigma) + _log_improvement(gap / sigma) if sigma > 0 else log(gap)
                if value > top:
                    total *= exp(top - value) if total > 0 else 0.0
                    top = value
                total += weights[k] * exp(value - top)
        logs[i] = top + log(total) if total > 0 else -inf


@compiled()
def _improvement(z: float) -> float:  # pragma: no cover
    """zΦ(z) + ϕ(z), to 13 digits."""
    density = exp(-0.5 * z * z - _LOG_ROOT_TWO_PI)
    if z <= -_FAR:
        return density / (1.0 + z * _fraction(z))
    return 0.5 * z * erfc(-z * _ROOT_HALF) + density


@compiled()
def _log_improvement(z: float) -> float:  # pragma: no cover
    """log(zΦ(z) + ϕ(z))."""
    log_density = -0.5 * z * z - _LOG_ROOT_TWO_PI
    if z <= -_FAR:
        return log_density - log(1.0 + z * _fraction(z))
    tail = 0.5 * erfc(-z * _ROOT_HALF)
    density = exp(log_density)
    if z >= -1.0:
        return log(z * tail + density)
    return log_density + log(1.0 + z * tail / density)


@compiled()
def _fraction(z: float) -> float:  # pragma: no cover
    """−f(t), f = t + 2/(t + 3/(t + …)), t = −z ≥ 5: Mills' ratio is m = 1/(t + 1/f).

    So 1 − t·m = m/f = 1/(1 + t·f). The further out, the fewer terms; what these leave out of the
    logarithm of m/f is below 1e-13.
    """
    f = z
    for k in range(10 + int(350.0 / (z * z)), 1, -1):
        f = z + k / f
    return f
