"""Theorem 1 as printed, at its best partition, and the hypothesis that it needs."""

from __future__ import annotations

from bounds import enclosure
from bounds.gain.bound import Ingredients
from bounds.gain.upper.partitioned import PartitionBound
from bounds.partitions.hypothesis import theorem1_failure


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
