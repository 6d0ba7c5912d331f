"""Bounds over a partition of the rounds: Theorem 1, its additive form, and Theorem A."""

from __future__ import annotations

from bounds import enclosure
from bounds.gain.bound import Bound, GainBound, Ingredients, with_enclosure
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.search import certified_value, improve, search
from bounds.problem import Problem


class PartitionBound(Bound):
    """The smallest value of an objective of `bounds.partitions.search` over all partitions.

    The objective has the name of the bound. A search that was given up takes the best partition
    that an earlier bound found, if that is better here.
    """

    def evaluate(self, given: Ingredients) -> GainBound:
        result = search(
            self.name,
            given.problem,
            given.gamma,
            progress=lambda share: given.advance(f"partitions for {self.title}", share),
        )
        earlier = [bound.partition for bound in given.earlier.values() if bound.partition]
        result = improve(given.problem, given.gamma, result, earlier)
        return self.at(result.value, result, self.failure(given))

    def failure(self, given: Ingredients) -> str:
        """The hypothesis that fails for these times and kernels; empty where all hold."""
        return ""

    def certain(self, given: Ingredients) -> bool:
        """Whether the hypotheses hold beyond all rounding."""
        return True

    def enclosed(self, given: Ingredients, bound: GainBound) -> GainBound:
        assert bound.partition is not None
        if not self.certain(given):
            return bound
        return with_enclosure(
            given, bound, certified_value(given.problem, given.gamma, bound.partition)
        )


class Theorem1(PartitionBound):
    """N·γ_M + Σ_i ½ M_i φ(sε√(C_i/M_i)), M the longest block."""

    name = "theorem1"
    title = "Theorem 1 as printed"
    source = "Theorem 1, best partition"
    hypotheses = "1 − k_time ≤ ε|τ−τ′| for all pairs of rounds"

    def failure(self, given: Ingredients) -> str:
        return theorem1_failure(given.problem)

    def certain(self, given: Ingredients) -> bool:
        """Whether θ ≤ ε for certain, so that 1 − k_time ≤ ε|·| holds for all times."""
        theta = given.problem.time_kernel.enclosed_slope()
        epsilon = enclosure.exact_double(given.problem.epsilon)
        return theta is not None and enclosure.certainly_le(theta, epsilon) is True


class Additive(PartitionBound):
    """Σ_i [γ_{M_i} + ½ M_i log(1 + sθ√(C_i/M_i))]."""

    name = "additive"
    title = "additive"
    source = "Theorem 1 with Σγ_{M_i}, log(1+x) for φ(x) and θ for ε, best partition"
    hypotheses = "none (θ is the kernel's slope)"

    def improves_on(self, problem: Problem) -> tuple[str, ...]:
        return ("theorem1",) if problem.time_kernel.slope <= problem.epsilon else ()


class Refined(PartitionBound):
    """Σ_i [γ_{M_i} + ½ Σ_k log(1 + s(1 − k_time(τ_k, c_i)²))]."""

    name = "refined"
    title = "refined (Theorem A)"
    source = "Theorem A, best partition and centres"

    def improves_on(self, problem: Problem) -> tuple[str, ...]:
        return ("additive",)
