"""Theorem A: each block around a centre time, at the best partition and centres."""

from __future__ import annotations

from bounds.gain.upper.partitioned import PartitionBound
from bounds.problem import Problem


class Refined(PartitionBound):
    """Σ_i [γ_{M_i} + ½ Σ_k log(1 + s(1 − k_time(τ_k, c_i)²))]."""

    name = "refined"
    title = "refined (Theorem A)"
    source = "Theorem A, best partition and centres"

    def improves_on(self, problem: Problem) -> tuple[str, ...]:
        return ("additive",)
