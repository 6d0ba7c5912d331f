"""What known looks are worth on a smooth field: Lemma H, and Lemma 2S for the squared exponential.

After i known looks the posterior mean is Σ_{j≤i} c_j(x) w_j with independent standard normals w_j,
whatever the design, and Σ c_j(x)² ≤ 1 − p. Where no covariance is negative c_1 has one sign:

    E max_x μ ≤ √(1−p)·½(Eχ_i + Eχ_{i−1})                                            (Lemma H).

Of the squared exponential (unit lengthscale, unit variance) and looks in the order of their times,
at a distance a from the first look, T the correlation in time of that look with the round, and
q = 1/(1+σ²),

    c_1 = T e^{−a²/2}/√(1+σ²),    −c_2 ≤ C(a),
    C(a) = e^{−a²/2} max_d (q − e^{−ad})₊ e^{−d²/2}/√(1+σ²−qe^{−d²}).

With z = χ_{i−2} and h_± the larger of √(1−p)z and the maximum over a ≥ 0, 0 ≤ c ≤ C(a) of
±c_1w_1 + cw_2 + √((1−p−c_1²−c²)₊)z, each at |w_1|, |w_2| and z (Lemma 2S),

    E max_x μ ≤ ¼[√(1−p)(Eχ_i + Eχ_{i−1}) + E h_+ + E h_−].

h_± are convex and positively homogeneous: over a cell of (w_1, w_2, z) they are at most what the
corners interpolate (Edmundson and Madansky), beyond the cells h(v+ue) ≤ h(v) + u·h(e). The maximum
over a takes the larger end of each factor on a cell. In doubles: each operation is right to some
units in the last place, and `MARGIN` is far above what they add up to. See docs/theory.md#lemma-2s.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import erfc, exp, pi, sqrt

import numpy as np
from numba import njit

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Upper, matrices
from bounds.errors import InvalidInput
from bounds.problem import Problem

MARGIN = 1e-9
"""What rounding errors of a sum of positive terms are granted."""

MOST_LOOKS = 12
"""Looks up to which the shape of the kernel is used; later rounds are past the start-up."""

_NODES = 20
_REACH = 4.5
_PLACES = 400
_OFFSETS = 1600


@dataclass(frozen=True, eq=False)
class FirstLooks:
    """What Lemma 2S asks of a problem: σ², and how the first look is correlated with each round.

    correlations : (n,) k_time between the first round and each, rounded down
    """

    noise_variance: float
    correlations: FloatArray

    @classmethod
    def of(cls, problem: Problem) -> FirstLooks | None:
        """Of the squared exponential and a time kernel that is not negative and does not rise."""
        time, space = problem.time_kernel, problem.space_kernel
        if space.gaussian_lengthscale is None or not (
            time.is_nonnegative and time.is_nonincreasing
        ):
            return None
        since = problem.times.gaps(np.zeros(problem.n, dtype=np.int64), np.arange(problem.n))
        correlations = np.asarray(time.at_distance(since)) * (1.0 - 1e-12)
        return cls(problem.noise_variance, np.maximum(correlations, 0.0))

    def earned(self, i: int, count: int, share: float) -> Upper:
        """An upper bound on E max_x μ at round i (from 0) with `count` ≥ 2 known looks."""
        correlation = float(self.correlations[i])
        plus, minus = shaped_length(count, self.noise_variance, correlation, share)
        lengths = mean_length(count) + mean_length(count - 1)
        total = sqrt(1.0 - share) * lengths + plus + minus
        return Upper(0.25 * total * (1.0 + 1e-12))


def mean_length(count: int) -> Upper:
    """Eχ_k = √2 Γ((k+1)/2)/Γ(k/2), rounded up; 0 for k = 0.

    >>> mean_length(1) >= 0.7978845608028653  # √(2/π)
    True
    """
    if count < 0:
        raise InvalidInput("count", count, "give at least 0")
    if count == 0:
        return Upper(0.0)
    with enclosure.precision(matrices.WORKING_BITS):
        ratio = enclosure.divide(
            enclosure.gamma(Fraction(count + 1, 2)), enclosure.gamma(Fraction(count, 2))
        )
        return matrices.upward(enclosure.ball(enclosure.sqrt(2) * ratio))


def signed_length(longer: float, shorter: float) -> Upper:
    """½(Eχ_i + Eχ_{i−1}), from both rounded up (Lemma H)."""
    return Upper(0.5 * (longer + shorter) * (1.0 + 2.0**-50))


@lru_cache(maxsize=256)
def shaped_length(
    count: int, noise_variance: float, correlation: float, left: float
) -> tuple[float, float]:
    """(E h_+, E h_−) of Lemma 2S, each an upper bound, for `count` ≥ 2 known looks.

    Parameters
    ----------
    noise_variance : σ² > 0
    correlation : T in [0, 1], a lower bound; h_+ takes 1 in its place
    left : p, a lower bound on the share of the variance that is left

    >>> plus, minus = shaped_length(2, 0.01, 1.0, 0.0)
    >>> 0.80 < 0.25 * (1.2533141 + 0.7978846 + plus + minus) < 0.82  # B_2 = 0.8053
    True
    """
    largest, least, second, room = _shape(noise_variance, correlation, left)
    nodes, weights, excess = _half_normal()
    ends, masses, beyond = _chi(count - 2)
    known = sqrt(1.0 - left) * (1.0 + 1e-14)
    found = []
    for sign in (1.0, -1.0):
        middle = _expected(sign, known, largest, least, second, room, nodes, weights, ends, masses)
        # h(e_1) ≤ 1 or 0, h(e_2) ≤ e^{-1/2}, h(e_z) ≤ 1.
        tail = excess * (max(sign, 0.0) + exp(-0.5)) + beyond
        found.append((middle + tail) * (1.0 + MARGIN) + MARGIN)
    return found[0], found[1]


def _shape(noise: float, correlation: float, left: float) -> tuple[FloatArray, ...]:
    """On cells of a: the largest and least c_1, the largest C, and the largest 1 − p − c_1²."""
    borders = np.concatenate((np.linspace(0.0, 3.2, _PLACES), [3.6, 4.2, 5.0, np.inf]))
    low, high = borders[:-1], borders[1:]
    scale = 1.0 / sqrt(1.0 + noise)
    largest = scale * np.exp(-0.5 * low**2) * (1.0 + 1e-13)
    least = correlation * scale * np.exp(-0.5 * high**2) * (1.0 - 1e-13)
    q = 1.0 / (1.0 + noise)
    apart = np.concatenate((np.linspace(0.0, 4.0, _OFFSETS), [5.0, np.inf]))
    d_low, d_high = apart[:-1], apart[1:]
    with np.errstate(invalid="ignore"):
        products = np.where(np.isnan(high[:, None] * d_high), np.inf, high[:, None] * d_high)
    gained = np.maximum(q - np.exp(-products) + 1e-14, 0.0)
    spread = np.exp(-0.5 * d_low**2) / np.sqrt(1.0 + noise - q * np.exp(-(d_low**2)))
    second = np.exp(-0.5 * low**2) * np.max(gained * spread, axis=1) * (1.0 + 1e-13)
    room = np.maximum(1.0 - left - least**2, 0.0) * (1.0 + 1e-14)
    return largest, least, second, np.sqrt(room) * (1.0 + 1e-15)


@lru_cache(maxsize=1)
def _half_normal() -> tuple[FloatArray, FloatArray, float]:
    """Nodes of [0, A], Edmundson–Madansky weights of min(|w|, A), and E(|w| − A)₊."""
    nodes = np.linspace(0.0, _REACH, _NODES)
    above = np.array([erfc(x / sqrt(2.0)) for x in nodes])
    density = sqrt(2.0 / pi) * np.exp(-0.5 * nodes**2)
    masses, moments = above[:-1] - above[1:], density[:-1] - density[1:]
    return (
        nodes,
        _weights(nodes, masses, moments, float(above[-1])),
        float(density[-1] - _REACH * above[-1]),
    )


@lru_cache(maxsize=64)
def _chi(freedom: int) -> tuple[FloatArray, FloatArray, float]:
    """The same of χ with so many degrees of freedom; of 0 it is 0."""
    if freedom == 0:
        return np.zeros(1), np.ones(1), 0.0
    from scipy import special  # here: slow to import, rarely needed

    reach = sqrt(freedom) + _REACH
    nodes = np.linspace(max(0.0, sqrt(freedom) - _REACH), reach, _NODES)
    nodes[0] = 0.0
    above = special.gammaincc(0.5 * freedom, 0.5 * nodes**2)
    mean = sqrt(2.0) * exp(special.gammaln(0.5 * freedom + 0.5) - special.gammaln(0.5 * freedom))
    # ∫ x over a cell is Eχ times the mass of χ with one degree more.
    further = mean * special.gammaincc(0.5 * freedom + 0.5, 0.5 * nodes**2)
    masses, moments = (np.asarray(-np.diff(each), dtype=float) for each in (above, further))
    weights = _weights(nodes, masses, moments, float(above[-1]))
    return nodes, weights, max(float(further[-1] - reach * above[-1]), 0.0) + 1e-12


def _weights(nodes: FloatArray, masses: FloatArray, moments: FloatArray, last: float) -> FloatArray:
    """Weights at the nodes with the mass and the mean of every cell, the rest at the last node."""
    a, b = nodes[:-1], nodes[1:]
    weights = np.zeros(len(nodes))
    weights[:-1] += (b * masses - moments) / (b - a)
    weights[1:] += (moments - a * masses) / (b - a)
    weights[-1] += last
    return np.maximum(weights, 0.0) * (1.0 + 1e-13)


@njit(cache=True)
def _expected(
    sign: float,
    known: float,
    largest: FloatArray,
    least: FloatArray,
    second: FloatArray,
    room: FloatArray,
    nodes: FloatArray,
    weights: FloatArray,
    ends: FloatArray,
    masses: FloatArray,
) -> float:  # pragma: no cover
    """Σ over nodes of the weights times h."""
    total = 0.0
    for i in range(len(nodes)):
        for j in range(len(nodes)):
            for k in range(len(ends)):
                w1, w2, z = nodes[i], nodes[j], ends[k]
                length = np.sqrt(w2 * w2 + z * z)
                value = known * z
                for a in range(len(largest)):
                    first = largest[a] * w1 if sign > 0.0 else -least[a] * w1
                    r = room[a]
                    c = min(second[a], r)
                    if r * w2 <= c * length:
                        reached = first + r * length
                    else:
                        reached = first + c * w2 + np.sqrt(r * r - c * c) * z
                    value = max(value, reached)
                total += weights[i] * weights[j] * masses[k] * value
    return total
