"""Noise inflation by the envelope: Jensen over the rounds, with a gain bound at more noise."""

from __future__ import annotations

from dataclasses import replace

from bounds.arithmetic import Arithmetic, Value
from bounds.drifting_gain.joint_dual import JointDual
from bounds.regret.bound import CTV_FIXED, FormulaBound
from bounds.regret.ingredients.enclosed import EnclosedQuantities
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.regret_bound import RegretBound


class Envelope(FormulaBound):
    """2√β_n·Σσ with Σσ ≤ n·env(γ̂/n) at the best noise variance (docs/theory.md#noise-inflation)."""

    name = "envelope"
    title = "noise inflation"
    source = "2√β_n·Σσ, Σσ ≤ n·env"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "probability"
    rounds = "all n"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return 2 * a.sqrt(of.beta) * of.deviations

    def shown(self, given: Ingredients) -> str:
        bound = given.deviations
        return f"{self.source} at noise variance {bound.noise_variance:.3g}, {bound.method}"

    def enclosed(self, given: Ingredients, bound: RegretBound) -> RegretBound:
        chosen = given.reading(EnclosedQuantities).chosen
        dual = None if chosen is None else given.evidence[chosen[0]]
        inflated = None
        if chosen is not None and isinstance(dual, JointDual):
            inflated = (chosen[0], dual)
        return replace(super().enclosed(given, bound), inflated=inflated)
