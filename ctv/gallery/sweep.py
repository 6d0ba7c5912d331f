"""What the figures `bounds` and `sweep` need: the answer of a problem, and its bounds over ε."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from bounds.errors import InvalidInput
from bounds.gain.bounds import bounds_of, upper_bounds
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.static_gain.both_sides import gain_curve
from bounds.static_gain.upper_curve import GainCurve
from ctv.figures import bounds, sweep
from simulation.before_run.rows import simulated_ceilings
from simulation.study.under_bounds import simulated_runs

_EPSILONS = np.geomspace(1e-8, 0.9, 41)
LONGEST_SWEEP = 2_000
"""Rounds up to which bounds are swept over ε: each of its values is three searches."""


def bounds_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """The smallest bound on regret for each policy and kind, the floor, and simulated runs."""
    all_bounds = bounds_of(problem, advance=advance)
    all_bounds = all_bounds.with_rows(simulated_ceilings(problem, advance=advance))
    regrets = [
        float(run.cumulative_regret[-1])
        for run in simulated_runs(problem, seeds, exploration, advance)
    ]
    policy = f"ctv-fixed, exploration {exploration}"
    return bounds.draw(bounds.BoundsPicture(all_bounds.answer, regrets, brief=True, policy=policy))


def sweep_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """The bounds on the gain over ε at the times of the problem."""
    if problem.n > LONGEST_SWEEP:
        raise InvalidInput("n", problem.n, f"give at most {LONGEST_SWEEP:,} rounds for this figure")
    if problem.time_kernel.at_rate(problem.epsilon) is None:
        name = problem.time_kernel.name
        raise InvalidInput("time-kernel", name, "drop it: the figure varies ε of forgetting")
    advance("static gain", 0.0)
    return sweep.draw(swept(problem, gain_curve(problem), advance))


def swept(problem: Problem, curve: GainCurve, advance: Stage) -> sweep.SweepPicture:
    """Every cheap bound on the gain, as a share of the trivial cap, at forty values of ε."""
    cap = problem.n * problem.trivial_gain_per_round
    shares: dict[str, list[float]] = {}
    for done, epsilon in enumerate(_EPSILONS):
        advance("bounds over ε", done / len(_EPSILONS))
        at = problem.at_rate(float(epsilon))
        for name, bound in upper_bounds(at, curve).gains.items():
            if name != "trivial":
                share = min(1.0, bound.value / cap) if bound.valid else 1.0
                shares.setdefault(name, [1.0] * done).append(share)
    # A bound that only some ε have is left out.
    whole = {name: values for name, values in shares.items() if len(values) == len(_EPSILONS)}
    curves = {name: np.array(values) for name, values in whole.items()}
    speaks = {name: sweep.begins_at(_EPSILONS, share) for name, share in curves.items()}
    return sweep.SweepPicture(problem, _EPSILONS, curves, speaks)
