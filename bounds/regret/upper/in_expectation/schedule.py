"""Theorem X as a bound: scheduled exploration, whose regret before a run is one number."""

from __future__ import annotations

from bounds.regret.bound import SimulatedBound


class ScheduledExploration(SimulatedBound):
    """|E|·m* + Σ_{i∉E}(m* − E max N(0, K − P_i)); `simulation.before_run.schedule` finds it."""

    name = "schedule"
    title = "Theorem X"
    source = "|E|·m* + Σ_{i∉E}(m* − E max N(0, K − P_i))"
    direction = "upper"
    covers = (("scheduled", ""),)
    kind = "mean"
    of_mean_zero = True
