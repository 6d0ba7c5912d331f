"""Upper bounds whose numbers are found by a search or by simulation: what each of them is."""

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


class ScheduledExploration(SimulatedBound):
    """|E|·m* + Σ_{i∉E}(m* − E max N(0, K − P_i)); `simulation.before_run.schedule` finds it."""

    name = "schedule"
    title = "Theorem X"
    source = "|E|·m* + Σ_{i∉E}(m* − E max N(0, K − P_i))"
    direction = "upper"
    covers = (("scheduled", ""),)
    kind = "mean"
    of_mean_zero = True


class SimulatedQuantile(SimulatedBound):
    """An order statistic of the regrets of simulated runs of CTV-fixed."""

    name = "simulation"
    title = "simulation"
    source = "order statistic of simulated runs"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "probability"
    hypotheses = "simulated"


class SimulatedMean(SimulatedBound):
    """An empirical Bernstein bound on the mean regret of CTV-fixed, and a tail beyond a cut."""

    name = "simulation_mean"
    title = "simulation"
    source = "empirical Bernstein and Borell–TIS over simulated runs"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "mean"
    hypotheses = "simulated; k_space, k_time >= 0"
