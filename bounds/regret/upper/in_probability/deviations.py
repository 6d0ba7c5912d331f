"""The theorem's 2√β_n·Σσ for CTV-fixed, with what is known of the sum of deviations.

Each is at most 1; or, by a gain bound at more noise (docs/theory.md#noise-inflation), less:
Jensen over the rounds, or Cauchy–Schwarz, its looser form.
"""

from __future__ import annotations

from dataclasses import replace

from bounds.arithmetic import Arithmetic, Value
from bounds.drifting_gain.joint_dual import JointDual
from bounds.regret.bound import CTV_FIXED, FormulaBound
from bounds.regret.ingredients.enclosed import EnclosedQuantities
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.regret_bound import RegretBound


class _OfDeviations(FormulaBound):
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "probability"
    rounds = "all n"


class DeviationCap(_OfDeviations):
    """2√β_n·n."""

    name = "cap"
    title = "largest deviation"
    source = "2√β_n·n"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return 2 * a.sqrt(of.beta) * of.n


class Envelope(_OfDeviations):
    """2√β_n·Σσ with Σσ ≤ n·env(γ̂/n) at the best noise variance (docs/theory.md#noise-inflation)."""

    name = "envelope"
    title = "noise inflation"
    source = "2√β_n·Σσ, Σσ ≤ n·env"

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


class CauchySchwarz(_OfDeviations):
    """2√β_n·min(n, √(2nγ̂/log(1+s'))), least over the noise levels."""

    name = "cauchy_schwarz"
    title = "Cauchy–Schwarz"
    source = "√(8β_n nγ̂(s')/log(1+s')), least over the noise levels"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        sums = [a.sqrt(2 * of.n * gain / a.log1p(1 / noise)) for noise, gain in of.gains]
        return 2 * a.sqrt(of.beta) * a.least(of.n, *sums)
