"""Runs of ctv-fixed at the times of a problem, and the bounds at some of their rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray
from bounds.gain.bounds import Bounds, bounds_over_rounds
from bounds.gain.report import BoundReport
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.progress import Stage, unstaged
from bounds.regret.ingredients.full_information import LARGEST_DENSE
from bounds.regret.lower.rank import floor_of_rounds
from bounds.regret.regret_bound import RegretBound
from simulation.runs.run import Trajectory, simulate
from simulation.world.evaluation_time import in_order


@dataclass(frozen=True, eq=False)
class RegretUnderBounds:
    """Simulated runs of one policy, and the bounds at some of their rounds.

    Attributes
    ----------
    reports : bounds for the first m rounds, m increasing; the last one is for all
    regret, gain : (runs, n) cumulative regret, and cumulative information gain in nats
    policy : name of the policy, with its exploration
    counted : whether the bounds cover this policy, so that a run above one counts against δ
    floor : (n,) under the mean regret of any policy after each round; None where there is none
    best : the smallest bound on the regret of all rounds, whatever road it came by
    """

    reports: Sequence[BoundReport]
    regret: FloatArray
    gain: FloatArray
    policy: str
    counted: bool
    floor: FloatArray | None = None
    best: RegretBound | None = None


def runs_under_bounds(
    bounds: Bounds,
    seeds: Sequence[int] = range(8),
    exploration: str = "theory",
    advance: Stage = unstaged,
    runs: Sequence[Trajectory] = (),
) -> RegretUnderBounds:
    """ctv-fixed at the evaluation times of the problem, one run a seed, and bounds over rounds.

    The policy chooses from round 1 on (no random start), which is what the theorem covers; with
    exploration `theory` and the true model the comparison counts against δ. `runs` are those, if
    they were made before.
    """
    problem = bounds.problem
    made = runs or simulated_runs(problem, seeds, exploration, advance)
    return RegretUnderBounds(
        reports=bounds_over_rounds(bounds),
        regret=np.array([run.cumulative_regret for run in made]),
        gain=np.array([run.cumulative_gain for run in made]),
        policy=f"ctv-fixed with exploration {exploration}",
        counted=exploration == "theory",
        floor=_floor(problem),
        best=bounds.answer.best(),
    )


@one_blas_thread()  # posteriors of some hundred rounds: small matrices, thousands of them
def simulated_runs(
    problem: Problem, seeds: Sequence[int], exploration: str, advance: Stage
) -> tuple[Trajectory, ...]:
    """Runs of ctv-fixed at the times of the problem that choose from round 1 on."""
    runs = []
    for done, seed in enumerate(seeds):
        advance("runs of ctv-fixed", done / len(seeds))
        runs.append(
            simulate(
                problem,
                in_order(problem.times, problem.n),
                "ctv-fixed",
                seed=seed,
                initial=0,
                rounds=problem.n,
                exploration=exploration,
            )
        )
    return tuple(runs)


def _floor(problem: Problem) -> FloatArray | None:
    if problem.n > LARGEST_DENSE and not problem.time_kernel.is_markov:
        return None
    return floor_of_rounds(problem)
