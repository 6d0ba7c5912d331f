"""Sums of deviations from a gain bound at any larger noise, by Cauchy–Schwarz and by an envelope.

For every noise variance σ'² ≥ σ², s' = 1/σ'², pathwise Σ_i ½ log(1 + s'σ²_{i−1}(x_i,τ_i)) is at
most γ̃_n(s'): posterior variances grow with the noise, and with those of σ'² the sum is a gain.
With u = ½ log(1+s'v) the deviation √v is h(u) = √((e^{2u} − 1)/s'), so for γ̂ ≥ γ̃_n(s')
(docs/theory.md#noise-inflation)

    Σ σ_{i−1} ≤ √(2nγ̂/log(1+s'))             (Cauchy–Schwarz; v log(1+s') ≤ log(1+s'v))
    Σ σ_{i−1} ≤ n·env(γ̂/n) ≤ the same        (Jensen)

with env the least concave majorant of h on [0, ½log(1+s')]: h itself where s' ≤ 1; otherwise h up
to where its tangent meets the end (½log(1+s'), 1), and then that chord, since h is concave where
e^{2u} < 2 and convex beyond.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, expm1, isfinite, log1p, sqrt

from bounds import enclosure
from bounds.enclosure import Number
from bounds.errors import InvalidInput
from bounds.noise import NoiseLevel

_BISECTIONS = 200


@dataclass(frozen=True)
class DeviationBound:
    """Σ_i σ_{i−1}(x_i, τ_i) ≤ value for every design of n rounds; floating point.

    Attributes
    ----------
    value : the upper bound
    noise_variance : the σ'² ≥ σ² at which it is smallest
    gain : the gain bound used there, after the cap n·½log(1+s')
    method : "envelope", "Cauchy-Schwarz" or "cap" (each deviation is at most 1)
    """

    value: float
    noise_variance: float
    gain: float
    method: str
    certified: bool = False


def envelope(gain_per_round: float, noise_variance: float) -> float:
    """env(u): the least concave majorant of √((e^{2u}−1)/s') on [0, ½log(1+s')], 1 beyond.

    >>> round(envelope(0.5 * log1p(100.0), 0.01), 12), envelope(0.0, 0.01)
    (1.0, 0.0)
    """
    _require_noise(noise_variance)
    if not gain_per_round >= 0.0:
        raise InvalidInput("gain", gain_per_round, "give a number of at least 0")
    precision = 1.0 / noise_variance
    end = NoiseLevel(noise_variance).gain_cap
    if gain_per_round >= end:
        return 1.0
    start = tangent_point(noise_variance)
    if gain_per_round <= start:
        return sqrt(expm1(2.0 * gain_per_round) / precision)
    height = sqrt(expm1(2.0 * start) / precision)
    return height + (1.0 - height) * (gain_per_round - start) / (end - start)


def tangent_point(noise_variance: float) -> float:
    """Where the chord to the end touches h: the root of h(u) + h'(u)(end − u) = 1 in [0, ½log 2].

    The end itself where s' ≤ 1. Rounded down, where the chord from h lies above the envelope.
    """
    _require_noise(noise_variance)
    precision = 1.0 / noise_variance
    end = NoiseLevel(noise_variance).gain_cap
    if precision <= 1.0:
        return end

    def above(u: float) -> bool:
        """Whether the tangent at u passes above the end point."""
        height = sqrt(expm1(2.0 * u) / precision)
        return height + exp(2.0 * u) / (precision * height) * (end - u) >= 1.0

    low, high = 0.0, min(0.5 * log1p(1.0), end)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if above(middle) else (low, middle)
    return low


def deviation_bound(
    n: int, noise_variance: float, gains: Iterable[tuple[float, float]]
) -> DeviationBound:
    """The smallest bound on Σσ_{i−1} that gain bounds at several noise levels give.

    Parameters
    ----------
    n : rounds
    noise_variance : σ² of the observations
    gains : pairs (σ'², γ̂) with σ'² ≥ σ² and γ̂ ≥ γ̃_n at noise σ'²

    Raises InvalidInput for a noise level below σ², a negative gain, or n < 1.

    >>> deviation_bound(10, 0.01, [(0.01, 1e9)]).value
    10.0
    """
    if n < 1:
        raise InvalidInput("n", n, "give at least 1 round")
    _require_noise(noise_variance)
    best = DeviationBound(float(n), noise_variance, n * NoiseLevel(noise_variance).gain_cap, "cap")
    for level, gain in _required(noise_variance, gains):
        capped = min(gain, n * NoiseLevel(level).gain_cap)
        value = n * envelope(capped / n, level)
        if value < best.value:
            best = DeviationBound(value, level, capped, "envelope")
    return best


def variance_bound(n: int, noise_variance: float, gains: Iterable[tuple[float, float]]) -> float:
    """Σσ²_{i−1}(x_i,τ_i) ≤ the least of 2γ̂/log(1+1/σ'²) and n.

    gains : pairs (σ'², γ̂) with σ'² ≥ σ² and γ̂ ≥ γ̃_n at noise σ'²
    """
    best = float(n)
    for level, gain in _required(noise_variance, gains):
        best = min(best, gain / NoiseLevel(level).gain_cap)
    return best


def _required(
    noise_variance: float, gains: Iterable[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    """The pairs; InvalidInput for a noise level below σ², or a negative gain."""
    for level, gain in gains:
        _require_noise(level)
        if level < noise_variance * (1.0 - 1e-12):
            raise InvalidInput("noise level", level, f"give at least sigma^2 = {noise_variance:g}")
        if not gain >= 0.0:
            raise InvalidInput("gain", gain, "give a number of at least 0")
        yield level, gain


def majorant(near: float, gain: float, n: int, noise_variance: float) -> Number:
    """The tangent to h(u) = √((e^{2u}−1)/s') at a point near `near`, evaluated at gain/n.

    A tangent at p ≤ ½log 2 that passes above (½log(1+s'), 1) is nowhere below h on
    [0, ½log(1+s')]: h is concave up to ½log 2 and convex beyond, where the line is above its ends.
    So it bounds the mean of h(u_i) by its value at the mean of the u_i. Returns 1 where no such
    point is found.
    """
    variance = enclosure.exact_double(noise_variance)
    precision, end = 1 / enclosure.ball(variance), NoiseLevel(noise_variance).enclosed_gain_cap()
    mean = enclosure.divide(enclosure.exact_double(gain), n)
    start = min(near, tangent_point(noise_variance) * (1.0 - 1e-9))
    point = enclosure.exact_double(start)
    if not start > 0.0 or enclosure.certainly_le(enclosure.exp(2 * point), 2) is not True:
        return enclosure.ball(1)
    growth = enclosure.exp(2 * point)
    height = enclosure.sqrt((growth - 1) / precision)
    slope = growth / (precision * height)
    if enclosure.certainly_le(1, height + slope * (end - point)) is not True:
        return enclosure.ball(1)
    return height + slope * (mean - point)


def _require_noise(noise_variance: float) -> None:
    if not (isfinite(noise_variance) and noise_variance > 0):
        raise InvalidInput("noise-variance", noise_variance, "give a positive number")
