"""Theorem M: Thompson sampling pays for the information about the optimum alone.

For evaluation times fixed beforehand, a finite domain with k_space(x,x) ≤ 1 and r = rank K,

    E R_n ≤ √(2(1 + σ²)·r·n·I),    I ≤ min(γ̃_n, H(x*_1, …, x*_n)),

in the form of Min and Russo 2023 (arXiv 2302.04452); the entropy is at most the mean length of any
code for the path (`simulation.before_run.entropy`). See docs/theory.md#theorem-m.
"""

from __future__ import annotations

from bounds.arithmetic import DOUBLES, Arithmetic, Letters, Value
from bounds.errors import InvalidInput
from bounds.numerics.rounding import at_most
from bounds.problem import Problem
from bounds.regret.bound import FormulaBound, SimulatedBound
from bounds.regret.ingredients.ingredients import Ingredients


class TheoremM(FormulaBound):
    """√(2(1+σ²)·|D|·n·γ̂) or n·m*, γ̂ at σ² itself."""

    name = "theorem_m"
    title = "Theorem M"
    source = "√(2(1+σ²)·|D|·n·γ̂)"
    direction = "upper"
    covers = (("ts", ""),)
    kind = "mean"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return a.least(by_information(a, of, of.gain), of.n * of.maximum)

    def failure(self, given: Ingredients) -> str:
        return own_gain_failure(given)

    def shown(self, given: Ingredients) -> str:
        return f"{self.source}, γ̂ = {at_most(own_gain(given))}"


class TheoremMByEntropy(SimulatedBound):
    """√(2(1+σ²)·|D|·n·H), H the entropy of the path of the optimum, by simulation."""

    name = "theorem_m_entropy"
    title = "Theorem M by entropy"
    source = "√(2(1+σ²)·|D|·n·H)"
    direction = "upper"
    covers = (("ts", ""),)
    kind = "mean"

    def from_entropy(self, problem: Problem, entropy: float) -> float:
        """The bound for an entropy in nats.

        >>> from bounds.domain import Arms
        >>> problem = Problem([1.0, 1.0], noise_variance=1.0, domain=Arms(2))
        >>> TheoremMByEntropy().from_entropy(problem, 0.25)
        2.0
        """
        if not entropy >= 0.0:
            raise InvalidInput("entropy", entropy, "give a number of at least 0")
        of = Letters(n=problem.n, size=problem.domain.size, noise=problem.noise_variance)
        return float(by_information(DOUBLES, of, entropy))


def by_information(a: Arithmetic, of: Value, information: Value) -> Value:
    """√(2(1+σ²)·|D|·n·I), |D| for the rank."""
    return a.sqrt(2 * (1 + of.noise) * of.size * of.n * information)


def own_gain_failure(given: Ingredients) -> str:
    """What is missing for a bound that needs γ̂ at σ² itself and at least two points."""
    if given.size < 2:
        return "points = 1: at least two are needed"
    if not any(noise == given.problem.noise_variance for noise, _ in given.gains):
        return f"gain: none is known at noise variance {given.problem.noise_variance:g}"
    return ""


def own_gain(given: Ingredients) -> float:
    """The smallest γ̂ at σ² itself."""
    own = given.problem.noise_variance
    return min(gain for noise, gain in given.gains if noise == own)
