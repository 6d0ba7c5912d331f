"""The additive form of Theorem 1: block by block its own γ, log(1+x) for φ(x), θ for ε."""

from __future__ import annotations

from bounds.gain.upper.partitioned import PartitionBound
from bounds.problem import Problem


class Additive(PartitionBound):
    """Σ_i [γ_{M_i} + ½ M_i log(1 + sθ√(C_i/M_i))]."""

    name = "additive"
    title = "additive"
    source = "Theorem 1 with Σγ_{M_i}, log(1+x) for φ(x) and θ for ε, best partition"
    hypotheses = "none (θ is the kernel's slope)"

    def improves_on(self, problem: Problem) -> tuple[str, ...]:
        return ("theorem1",) if problem.time_kernel.slope <= problem.epsilon else ()
