"""Theorem G as a bound: the floor that knows that arms must be looked at one by one."""

from __future__ import annotations

from bounds.regret.bound import SimulatedBound


class OneArmFloor(SimulatedBound):
    """Σ_x E V_x, the games of single arms; `simulation.before_run.one_arm` finds its number."""

    name = "one-arm"
    title = "Theorem G"
    source = "Σ_x E V_x over the games of single arms"
    direction = "lower"
    kind = "mean"
