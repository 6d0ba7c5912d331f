"""The knot bound: what is known of the time process at a few instants prices the rest."""

from __future__ import annotations

from fractions import Fraction

from bounds import enclosure
from bounds.drifting_gain.certified import time_columns
from bounds.drifting_gain.knots import KnotBound, knot_bound
from bounds.enclosure import matrices
from bounds.gain.bound import Bound, GainBound, Ingredients, with_enclosure


class Knots(Bound):
    """|S|γ_n + ½Σ log(1 + s·Var[g(τ)|g(S)]), g ~ GP(0, k_time), at evenly spread ranks."""

    name = "knots"
    title = "inducing times (Nyström)"
    source = "|S|γ_n + ½Σ log(1+s Var[g(τ)|g(S)])"

    def evaluate(self, given: Ingredients) -> GainBound | None:
        bound = knot_bound(given.problem, given.gamma_n)
        return None if bound is None else self.at(bound.value, bound)

    def enclosed(self, given: Ingredients, bound: GainBound) -> GainBound:
        """|S|γ_n + ½ Σ log(1 + s·(1 − 2aᵀc + aᵀJ_SS a)) with the weights a taken as exact."""
        problem, known = given.problem, bound.evidence
        assert isinstance(known, KnotBound)
        weights = matrices.ball_matrix(known.weights)
        cross = time_columns(problem.time_kernel, problem.times.exact, known.rounds)
        explained = matrices.entries(weights * matrices.ball_matrix(cross[known.rounds]))
        a = matrices.exact_entries(known.weights)
        variance = (a * (explained - 2 * cross)).sum(axis=1) + 1
        ratio = enclosure.ball(enclosure.exact(1 / Fraction(problem.noise_variance)))
        drift = sum(((1 + ratio * v).log() for v in variance), enclosure.ball(0)) / 2
        price = enclosure.exact(len(known.rounds) * Fraction(given.gamma_n))
        return with_enclosure(given, bound, matrices.upward(price + drift))
