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
over a takes the larger end of each factor on a cell.

Rounding. Weights are balls rounded up, exponentials come from `enclosure.exponential`; all else is
+ − × ÷ √ of doubles. r² − c² is (r−c)(r+c), relative error 4u. A value of h is a sum of at most
three products, each off by some u of itself: 2⁻⁴⁸(|w_1| + √(w_2²+z²)) covers them. For
rw_2 ≤ cl, l = √(w_2²+z²), the maximum over c is rl, which is above it in every case: where the
comparison is in doubt it is taken. The sum of N ≤ 8,000 terms ≥ 0 has the factor 1 + 2⁻³⁸ > 1 + 2γ.
See docs/theory.md#lemma-2s.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Upper, matrices
from bounds.enclosure.doubles import require_doubles
from bounds.enclosure.exponential import exp_down, exp_up
from bounds.enclosure.normal import chi_tail
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.times import EvaluationTimes

MOST_LOOKS = 12
"""Looks up to which the shape of the kernel is used; later rounds are past the start-up."""

_NODES = 20
_REACH = 4.5
_PLACES = 400
_OFFSETS = 1600


@dataclass(frozen=True, eq=False)
class FirstLooks:
    """What Lemma 2S asks of a problem: σ², and how the first look is correlated with each round.

    noise_variance : σ²
    times, kernel : of the rounds
    """

    noise_variance: float
    times: EvaluationTimes
    kernel: Kernel

    @classmethod
    def of(cls, problem: Problem) -> FirstLooks | None:
        """Of the squared exponential and a time kernel that is not negative and does not rise."""
        time, space = problem.time_kernel, problem.space_kernel
        if space.gaussian_lengthscale is None or not (
            time.is_nonnegative and time.is_nonincreasing
        ):
            return None
        return cls(problem.noise_variance, problem.times, time)

    def correlation(self, i: int) -> float:
        """k_time between the first round and round i, rounded down; 0 without an enclosure."""
        exact = self.times.exact
        try:
            with enclosure.precision(matrices.WORKING_BITS):
                since = (exact.ticks[i] - exact.ticks[0]) * exact.unit
                ball = enclosure.ball(self.kernel.enclosed_at_distance(since))
                return max(float(matrices.downward(ball)), 0.0)
        except NoEnclosure:
            return 0.0

    def least(self, count: int, share: float) -> float:
        """About what `earned` is above, at no cost: there is no need of it above m*."""
        lengths = mean_length(count) + mean_length(count - 1) + 2.0 * mean_length(count - 2)
        return 0.25 * sqrt(1.0 - share) * lengths

    def earned(self, i: int, count: int, share: float) -> Upper:
        """An upper bound on E max_x μ at round i (from 0) with `count` ≥ 2 known looks."""
        correlation = self.correlation(i)
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
        return matrices.upward(_mean_length(count))


def _mean_length(count: int) -> Any:
    gammas = [enclosure.gamma(Fraction(degrees, 2)) for degrees in (count + 1, count)]
    return enclosure.ball(enclosure.sqrt(2) * enclosure.divide(*gammas))


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
    require_doubles()
    largest, least, second = _shape(noise_variance)
    least = correlation * least * (1.0 - 2.0**-50)
    room = np.sqrt(np.maximum((1.0 - left) - least * least, 0.0) + 2.0**-51) * (1.0 + 2.0**-51)
    known = sqrt(1.0 - left) * (1.0 + 2.0**-50)
    nodes, weights, excess = _corners(1)
    z, masses, beyond = _corners(count - 2)
    # (A, W·Z) what w_2 and z are worth at each distance, whatever w_1 and its sign.
    w2, z2 = (each.ravel() for each in np.meshgrid(nodes, z, indexing="ij"))
    length = np.sqrt(w2 * w2 + z2 * z2)
    r, c = room[:, None], np.minimum(second, room)[:, None]
    spent = c * w2 + np.sqrt((r - c) * (r + c)) * z2
    worth = np.where(r * w2 * (1.0 - 2.0**-48) <= c * length, r * length, spent)
    pairs = (weights[:, None] * masses).ravel()
    means = []
    for sign, first in ((1.0, largest), (-1.0, -least)):
        total = 0.0
        for w1, weight in zip(nodes.tolist(), weights.tolist(), strict=True):
            value = np.maximum((worth + (first * w1)[:, None]).max(axis=0), known * z2)
            value = value + 2.0**-48 * (w1 + length)
            total += weight * float(np.sum(pairs * value))
        # h(e_1) ≤ 1 or 0, h(e_2) ≤ e^{-1/2} < 0.6066, h(e_z) ≤ 1.
        tail = excess * (max(sign, 0.0) + 0.6066) + beyond
        means.append((total + tail) * (1.0 + 2.0**-38))
    return means[0], means[1]


@lru_cache(maxsize=16)
def _shape(noise: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """On cells of a: the largest and the least c_1 at T = 1, and the largest C."""
    up, down = 1.0 + 2.0**-48, 1.0 - 2.0**-48
    borders = np.concatenate((np.linspace(0.0, 3.2, _PLACES), [3.6, 4.2, 5.0]))
    bells_up, bells_down = (function(-0.5 * borders * borders) for function in (exp_up, exp_down))
    # −½a² is off by 2u of itself, at most 2⁻⁴⁸.
    scale = 1.0 / np.sqrt(1.0 + noise)
    largest = scale * bells_up * up * up
    least = np.append(scale * bells_down[1:] * down * down, 0.0)
    q = 1.0 / (1.0 + noise)
    offsets = np.append(np.linspace(0.0, 4.0, _OFFSETS), 5.0)
    near, squared = exp_up(-0.5 * offsets * offsets) * up, exp_up(-offsets * offsets) * up
    below = (1.0 + noise) * down - q * squared * up
    gained = np.full((len(borders), len(offsets)), q * up)
    products = borders[1:, None] * offsets[1:]
    reached = exp_down(-products * up)
    gained[:-1, :-1] = np.maximum(q * up - reached * down, 0.0)
    spread = np.where(below > 0.0, near / np.sqrt(np.maximum(below, 1e-300)), np.inf)
    with np.errstate(invalid="ignore"):
        ratio = np.where(gained > 0.0, gained * spread, 0.0)
    second = bells_up * np.max(ratio, axis=1) * up * up
    return largest, least, second


@lru_cache(maxsize=64)
def _corners(freedom: int) -> tuple[FloatArray, FloatArray, float]:
    """Nodes of [0, A], weights of min(χ, A) (Edmundson and Madansky), and E(χ − A)₊, both above.

    Of χ with `freedom` degrees, 1 being |w|; of 0 it is 0. With Q_k the upper tail of χ_k, ∫ x over
    a cell is Eχ_k times the mass of χ_(k+1) there.
    """
    if freedom == 0:
        return np.zeros(1), np.ones(1), 0.0
    last = sqrt(freedom - 1.0) + _REACH
    nodes = np.linspace(max(0.0, sqrt(freedom - 1.0) - _REACH), last, _NODES)
    nodes[0] = 0.0
    with enclosure.precision(matrices.WORKING_BITS):
        at = [enclosure.ball(enclosure.exact(Fraction(node))) for node in nodes.tolist()]
        mean = _mean_length(freedom)
        above = [chi_tail(freedom, x) for x in at]
        further = [mean * chi_tail(freedom + 1, x) for x in at]
        weights: list[Any] = [enclosure.ball(0)] * _NODES
        for j in range(_NODES - 1):
            mass, moment = above[j] - above[j + 1], further[j] - further[j + 1]
            share = (moment - at[j] * mass) / (at[j + 1] - at[j])
            weights[j] += mass - share
            weights[j + 1] += share
        weights[-1] += above[-1]
        rest = matrices.upward(further[-1] - at[-1] * above[-1])
        upper = np.array([max(float(matrices.upward(weight)), 0.0) for weight in weights])
        return nodes, upper, max(float(rest), 0.0)
