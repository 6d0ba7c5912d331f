"""Theorem B: one bound for every pattern of times, from their span alone."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from bounds import enclosure
from bounds.enclosure import matrices
from bounds.gain.bound import Bound, GainBound, Ingredients, with_enclosure
from bounds.problem import Problem


class AnyPattern(Bound):
    """γ_n + √(2sγ_n nθT), T = τ_n − τ_1."""

    name = "any_pattern"
    title = "any pattern (Th. B)"
    source = "Theorem B: γ_n + √(2sγ_n nθT)"
    hypotheses = "none (θ is the kernel's slope)"

    def evaluate(self, given: Ingredients) -> GainBound:
        return self.at(any_pattern_gain(given.problem, given.gamma_n))

    def enclosed(self, given: Ingredients, found: GainBound) -> GainBound:
        problem = given.problem
        theta = problem.time_kernel.enclosed_slope()
        if theta is None:
            return found
        exact = problem.times.exact
        span = (exact.ticks[-1] - exact.ticks[0]) * exact.unit
        gamma, ratio = Fraction(given.gamma_n), 1 / Fraction(problem.noise_variance)
        factor = enclosure.exact(2 * ratio * gamma * problem.n * span)
        value = matrices.upward(enclosure.exact(gamma) + enclosure.sqrt(factor * theta))
        return with_enclosure(given, found, value)


def any_pattern_gain(problem: Problem, gamma_n: float) -> float:
    """γ_n + √(2sγ_n nθT), T = τ_n − τ_1: an upper bound on γ̃_n for every pattern (Theorem B).

    Infinite where the time kernel has no finite slope and the times differ.
    """
    span = problem.times.span
    if span == 0.0:
        return gamma_n
    drift = 2.0 * gamma_n / problem.noise_variance * problem.n * problem.time_kernel.slope * span
    return gamma_n + sqrt(drift)
