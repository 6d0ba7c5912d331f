"""Theorem B: one bound for every pattern of times, from their span alone."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.gain.bound import FormulaBound, Quantities


class AnyPattern(FormulaBound):
    """γ_n + √(2sγ_n nθT), T = τ_n − τ_1.

    Infinite where the time kernel has no finite slope and the times differ.
    """

    name = "any_pattern"
    title = "any pattern (Th. B)"
    source = "Theorem B: γ_n + √(2sγ_n nθT)"
    hypotheses = "none (θ is the kernel's slope)"
    conditions = ("1 - k_time(r) <= theta*r for all r",)

    def formula(self, a: Arithmetic, of: Quantities) -> Value:
        return of.gamma + a.sqrt(2 * of.gamma / of.noise * of.n * of.theta * of.span)
