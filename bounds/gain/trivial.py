"""The trivial cap: no round gains more than its own ½ log(1 + 1/σ²)."""

from __future__ import annotations

from bounds.enclosure import matrices
from bounds.gain.bound import Bound, GainBound, Ingredients


class TrivialCap(Bound):
    """γ̃_n ≤ (n/2) log(1 + 1/σ²)."""

    name = "trivial"
    title = "trivial cap"
    source = "each round gains at most ½ log(1+1/σ²)"

    def evaluate(self, given: Ingredients) -> GainBound:
        return self.at(given.problem.n * given.problem.trivial_gain_per_round)

    def enclosed(self, given: Ingredients, found: GainBound) -> GainBound:
        # It does not rest on the curve of γ, certified or not.
        value = matrices.upward(given.problem.n * given.problem.noise.enclosed_gain_cap())
        return GainBound(self, value, certified=True)
