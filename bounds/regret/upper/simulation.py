"""The simulation certificate as bounds: order statistics and means of simulated runs."""

from __future__ import annotations

from bounds.regret.bound import CTV_FIXED, SimulatedBound


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
