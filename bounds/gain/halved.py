"""Theorem 1 with half of its drift constant: a row beside the printed bound.

Of two positive semidefinite matrices with the same diagonal the differences Δ of the sorted
eigenvalues sum to 0, so that the positive ones, which alone raise the determinant, sum to half of
Σ|Δ|: ½ M φ(½sε√(C/M)) serves for ½ M φ(sε√(C/M)). It is the printed drift at twice the noise
variance, with γ at the noise variance itself. See `docs/theory.md#halved`.
"""

from __future__ import annotations

from dataclasses import replace

from bounds.arrays import FloatArray
from bounds.gain.bound import GainBound, Ingredients, with_enclosure
from bounds.gain.report import BoundReport
from bounds.gain.upper.partitioned import Theorem1
from bounds.numerics.rounding import at_most
from bounds.partitions.result import ROUNDING
from bounds.partitions.search import certified_value, evaluate, improve, search
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.found_elsewhere import HalvedTheorem1Row

LONGEST_SEARCHED = 10_000
"""Rounds up to which its own best partition is searched for; beyond, that of other bounds."""


class HalvedTheorem1(Theorem1):
    """N·γ_M + Σ_i ½ M_i φ(½sε√(C_i/M_i)), M the longest block.

    Where Theorem 1 needs no lower bound on k_time, since a block that meets the cap of C costs its
    trivial gain, this one does: 1 − k_time ≤ 1 beyond 1/ε.
    """

    name = HalvedTheorem1Row.name
    title = HalvedTheorem1Row.title
    source = HalvedTheorem1Row.source
    hypotheses = HalvedTheorem1Row.hypotheses

    def evaluate(self, given: Ingredients) -> GainBound:
        problem = _at_twice_the_noise(given.problem)
        others = [bound.partition for bound in given.earlier.values() if bound.partition]
        if problem.n <= LONGEST_SEARCHED or not others:
            result = search("theorem1", problem, given.gamma)
        else:
            result = evaluate("theorem1", problem, given.gamma, others[0].partition)
        result = improve(problem, given.gamma, result, others)
        return self.at(result.value, result, self.failure(given))

    def failure(self, given: Ingredients) -> str:
        problem = given.problem
        reach = problem.times.span * problem.epsilon
        if reach > 1.0 - ROUNDING and not problem.time_kernel.is_nonnegative:
            return "k_time may be negative, and some rounds are 1/epsilon apart"
        return super().failure(given)

    def enclosed(self, given: Ingredients, bound: GainBound) -> GainBound:
        if bound.partition is None or not self.certain(given):
            return bound
        problem = _at_twice_the_noise(given.problem)
        return with_enclosure(given, bound, certified_value(problem, given.gamma, bound.partition))

    def improves_on(self, problem: Problem) -> tuple[str, ...]:
        return ("theorem1",)


def halved_row(
    report: BoundReport, gamma: FloatArray, *, gamma_certified: bool = False
) -> RegretBound | None:
    """√(C₁β_n n·γ̂) from the halved form, for CTV-fixed, with probability 1 − δ for all n.

    Parameters
    ----------
    report : whose partitions are tried too; certified or not
    gamma : (≥ n+1,) upper bounds on γ_0..γ_n
    gamma_certified : whether they are rounded outward; then the row is, where that can be

    None where a hypothesis fails. The cost is that of one search of `theorem1`, and O(n) beyond
    10,000 rounds.
    """
    problem, bound = report.problem, HalvedTheorem1()
    given = Ingredients(problem, gamma, report.gains, gamma_certified)
    bound_value = bound.evaluate(given)
    if not bound_value.valid:
        return None
    if gamma_certified:
        bound_value = bound.enclosed(given, bound_value)
    return HalvedTheorem1Row().at(
        report.regret_from(bound_value.value),
        f"√(C₁β_n n·γ̂), γ̂ = N·γ_M + Σ½M_iφ(½sε√(C_i/M_i)) = {at_most(bound_value.value, 5)}",
        level=1.0 - problem.delta,
        certified=bound_value.certified and report.beta_certified,
    )


def _at_twice_the_noise(problem: Problem) -> Problem:
    return replace(problem, noise_variance=2.0 * problem.noise_variance)
