"""The knot bound: what is known of the time process at a few instants prices the rest."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from bounds import enclosure
from bounds.drifting_gain.certified import exponentials, instants
from bounds.drifting_gain.knots import KnotBound, knot_bound
from bounds.enclosure import matrices
from bounds.kernels import enclosure as kernel_enclosure
from bounds.problem import Problem
from bounds.promises.bound import Bound, GainBound, Ingredients, with_enclosure


class Knots(Bound):
    """|S|γ_n + ½Σ log(1 + s·Var[g(τ)|g(S)]), g ~ GP(0, k_time), at evenly spread ranks."""

    name = "knots"
    title = "knots"
    source = "|S|γ_n + ½Σ log(1+s Var[g(τ)|g(S)])"

    def evaluate(self, given: Ingredients) -> GainBound | None:
        found = knot_bound(given.problem, given.gamma_n)
        return None if found is None else self.at(found.value, found)

    def enclosed(self, given: Ingredients, found: GainBound) -> GainBound:
        assert isinstance(found.evidence, KnotBound)
        value = _enclosed(given.problem, found.evidence, given.gamma_n)
        return with_enclosure(given, found, value)


def _enclosed(problem: Problem, bound: KnotBound, gamma_n: float) -> float:
    """|S|γ_n + ½ Σ log(1 + s·(1 − 2aᵀc + aᵀJ_SS a)) with the weights a taken as exact."""
    kernel = problem.time_kernel
    knots = [Fraction(float(knot)) for knot in bound.knots]

    def lags(left: list[Fraction]) -> matrices.BallMatrix:
        table = np.empty((len(left), len(knots)), dtype=object)
        rate = kernel_enclosure.slope(kernel)
        if rate is not None:
            middle = (left[0] + left[-1]) / 2
            falling, rising = exponentials(rate, left, middle)
            knot_falling, knot_rising = exponentials(rate, knots, middle)
            before = np.array([[time <= knot for knot in knots] for time in left])
            later = np.outer(falling, knot_rising)
            table[:] = np.where(before, np.outer(rising, knot_falling), later)
            same = np.array([[time == knot for knot in knots] for time in left])
            table[same] = enclosure.ball(1)
            return matrices.ball_matrix(table)
        for j, time in enumerate(left):
            for k, knot in enumerate(knots):
                distance = abs(time - knot)
                table[j, k] = enclosure.ball(kernel_enclosure.at_distance(kernel, distance))
        return matrices.ball_matrix(table)

    weights = matrices.ball_matrix(bound.weights)
    cross = matrices.entries(lags(instants(problem.times)))
    explained = matrices.entries(weights * lags(knots))
    a = matrices.exact_entries(bound.weights)
    variance = (a * (explained - 2 * cross)).sum(axis=1) + 1
    ratio = enclosure.ball(enclosure.exact(1 / Fraction(problem.noise_variance)))
    drift = sum(((1 + ratio * v).log() for v in variance), enclosure.ball(0)) / 2
    price = enclosure.exact(len(knots) * Fraction(gamma_n))
    return matrices.upward(price + drift)
