"""Theorem 1 with half of its drift, as a bound on the regret."""

from __future__ import annotations

from bounds.regret.bound import CTV_FIXED, SimulatedBound


class HalvedTheorem1Row(SimulatedBound):
    """√(C₁β_n n·γ̂) with γ̂ from `bounds.gain.halved`, whose search needs the curve of γ."""

    name = "theorem1_halved"
    title = "Theorem 1, half the drift"
    source = "Theorem 1 with eigenvalue differences that sum to 0, best partition"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "probability"
    rounds = "all n"
    hypotheses = (
        "1 − k_time ≤ ε|τ−τ′| for all pairs of rounds; "
        "k_time ≥ 0 or no two rounds further apart than 1/ε"
    )
