"""Theorem Q+: Thompson sampling at every sequence of times, without the logarithm of the horizon.

For a finite domain of |D| ≥ 2 points with unit variances and correlations below 1, a Markov time
kernel, times fixed beforehand and σ > 0, with L = log|D| and t_W² = 2L + 4 log(v/p_W),

    E R_n ≤ κ[(528(1+L) + 89)·Π + 114·Σ_v Σ_W (v+σ²) t_W (t_W+1)],

κ = Σ_{x<y} (π(1−K_xy))^{−1/2}, Π = Σp_i of Theorem F. The windows W of class v = 2^{−j} are
intervals of rounds with a drift Σ(1 − k_time(t_i)²) of at most v/2 behind their first; those with
a p_i ≤ v/8 count, p_W the least of them. See docs/theory.md#theorem-q-plus. Of the right order in
every pattern of times, and above n·m* in every problem that was computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum, isfinite, log, pi, sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.bound import Bound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.regret_bound import RegretBound
from bounds.times import EvaluationTimes

MOST_POINTS = 2_000
"""Points up to which K is formed."""


class TheoremQPlus(Bound):
    """κ·[(528(1+L) + 89)Π + 114Σ(v+σ²)t(t+1)]: of the right order for every sequence, and large."""

    name = "theorem_q_plus"
    title = "Theorem Q+"
    source = "κ·[(528(1+L) + 89)Π + 114Σ(v+σ²)t(t+1)]"
    direction = "upper"
    covers = (("ts", ""),)
    kind = "mean"

    def failure(self, given: Ingredients) -> str:
        if not 1 < given.size <= MOST_POINTS:
            return f"points = {given.size}: from 2 to {MOST_POINTS}"
        if not given.problem.time_kernel.is_markov:
            return f"time-kernel = {given.problem.time_kernel.name}: a Markov one is needed"
        return ""

    def evaluate(self, given: Ingredients) -> RegretBound | None:
        problem, density = given.problem, density_of_gaps(given.correlations)
        if not isfinite(density):  # two points are perfectly correlated
            return None
        bracket = thompson_bracket(
            problem.times, problem.time_kernel, problem.noise_variance, given.size
        )
        return self.at(density * bracket, f"{self.source}, κ = {density:.3g}")


@dataclass(frozen=True)
class Window:
    """A window of class v that holds a round of p_i ≤ v/8.

    Attributes
    ----------
    start, end : its rounds are start+1 … end
    v : the class, a power of ½
    least : p_W
    """

    start: int
    end: int
    v: float
    least: float


def shares_and_drifts(
    times: EvaluationTimes, kernel: Kernel, noise_variance: float
) -> tuple[FloatArray, FloatArray]:
    """(n,) p_i and (n,) d_i = 1 − k_time(t_i)², d_1 = 0; in floating point, O(n).

    Raises InvalidInput for a time kernel that is not Markov, and without noise.
    """
    if not kernel.is_markov:
        raise InvalidInput("time-kernel", kernel.name, "give a Markov one: forgetting, exponential")
    if not 0.0 < noise_variance < float("inf"):
        raise InvalidInput("noise-variance", noise_variance, "give a positive number")
    drifts = np.array(kernel.deficit(times.durations), dtype=float)
    drifts[0] = 0.0
    shares, p = [1.0], 1.0
    for drift in drifts[1:].tolist():
        known = p * (noise_variance / (p + noise_variance))
        p = drift + (1.0 - drift) * known
        shares.append(p)
    return np.array(shares), drifts


def windows(shares: FloatArray, drifts: FloatArray, noise_variance: float) -> Iterator[Window]:
    """The windows that count, class by class from v = ½ down to 8σ²/(σ²+n−1).

    >>> found = windows(np.array([1.0, 0.05, 0.05]), np.array([0.0, 0.0, 0.3]), 0.01)
    >>> [(w.start, w.end, w.v) for w in found if w.v == 0.5]
    [(0, 2, 0.5), (2, 3, 0.5)]
    """
    n, v = len(shares), 0.5
    while v > 8.0 * noise_variance / (noise_variance + n - 1):
        start, gone = 0, 0.0
        for i in range(1, n + 1):
            gone += 0.0 if i == n else float(drifts[i])
            if i == n or gone > 0.5 * v:
                least = float(shares[start:i].min())
                if least <= v / 8.0:
                    yield Window(start, i, v, least)
                start, gone = i, 0.0
        v *= 0.5


def density_of_gaps(gram: FloatArray) -> float:
    """κ = Σ_{x<y} (π(1−K_xy))^{−1/2}; infinite where two points are perfectly correlated.

    >>> round(density_of_gaps(np.eye(2)), 9)
    0.564189584
    """
    apart = 1.0 - gram[np.triu_indices(len(gram), 1)]
    with np.errstate(divide="ignore"):
        return fsum((1.0 / np.sqrt(pi * np.maximum(apart, 0.0))).tolist())


def thompson_bracket(
    times: EvaluationTimes, kernel: Kernel, noise_variance: float, size: int
) -> float:
    """What κ is multiplied by in Theorem Q+, for |D| = `size`.

    >>> from bounds.kernels import Forgetting
    >>> times = EvaluationTimes.from_durations([1.0] * 600)
    >>> round(thompson_bracket(times, Forgetting(1e-4), 1.0, 2), 1)
    18412.7
    """
    if size < 2:
        raise InvalidInput("points", size, "give at least two")
    shares, drifts = shares_and_drifts(times, kernel, noise_variance)
    logarithm = log(size)
    costs = []
    for window in windows(shares, drifts, noise_variance):
        t = sqrt(2.0 * logarithm + 4.0 * log(window.v / window.least))
        costs.append((window.v + noise_variance) * t * (t + 1.0))
    return (528.0 * (1.0 + logarithm) + 89.0) * fsum(shares.tolist()) + 114.0 * fsum(costs)
