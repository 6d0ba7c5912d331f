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
    from bounds.pattern import Waits

    if size < 2:
        raise InvalidInput("points", size, "give at least two")
    waits, logarithm = Waits.of(times, kernel, noise_variance), log(size)
    costs = []
    for window in waits.windows:
        t = sqrt(2.0 * logarithm + 4.0 * log(window.v / window.least))
        costs.append((window.v + noise_variance) * t * (t + 1.0))
    return (528.0 * (1.0 + logarithm) + 89.0) * waits.total + 114.0 * fsum(costs)
