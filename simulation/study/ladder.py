"""What the ladder needs of finished runs: the sums of the proof, in the setting of their times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.confidence.point_times import CONSTANT_FACTOR, REGRET_PER_DEVIATION, point_times_beta
from bounds.confidence.schedules import finite_domain_beta
from bounds.gain.ladder import RunSummary
from bounds.problem import Problem
from simulation.runs.run import Trajectory
from simulation.study.comparison import FIXED_TIMES, POINT_TIMES


@dataclass(frozen=True)
class RunSetting:
    """The constants under which a run's bounds hold.

    Attributes
    ----------
    times : "fixed times" (the theorem) or "t(x)" (Theorem C)
    beta : β_n at the last round
    constant_factor : by which C₁ grows, 1 or 2.352
    why_not : the hypothesis that the policy fails; empty where the theorem covers it
    """

    times: str
    beta: float
    constant_factor: float
    why_not: str


def run_summary(
    problem: Problem, run: Trajectory, *, longest: float | None, why_not: str
) -> tuple[RunSummary, RunSetting]:
    """The sums of a run over the policy's own rounds, those after the initial ones.

    Σ c√β_i σ_{i−1}(x_i,τ_i) with β_i of each round: c = 2 and the finite-domain β where times are
    fixed; c = 3.067 and the β of Theorem C where they are t(x).

    Parameters
    ----------
    longest : t_max where times are t(x); None where they are fixed
    why_not : why the theorem does not cover the policy (see `why_not_covered`); empty if it does
    """
    rounds = np.arange(1, run.n + 1)
    size, delta = problem.domain.size, problem.delta
    if longest is None:
        betas, per_deviation, factor = finite_domain_beta(rounds, size, delta), 2.0, 1.0
    else:
        slope = problem.time_kernel.slope
        betas = point_times_beta(rounds, size, delta, slope=slope, longest=longest)
        per_deviation, factor = REGRET_PER_DEVIATION, CONSTANT_FACTOR
    own = slice(run.initial, None)
    gains = 0.5 * np.log1p(run.deviations**2 / run.noise_variance)
    summary = RunSummary(
        regret=float(run.regrets[own].sum()),
        deviations=per_deviation * float(np.sum(np.sqrt(betas[own]) * run.deviations[own])),
        gain=float(gains[own].sum()),
        full_gain=float(gains.sum()),
        rounds=run.n - run.initial,
        covered=not why_not,
    )
    times = FIXED_TIMES if longest is None else POINT_TIMES
    return summary, RunSetting(times, float(betas[-1]), factor, why_not)
