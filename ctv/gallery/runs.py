"""The runs that several figures and the report show: ctv-fixed at the times of a problem."""

from __future__ import annotations

from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.progress import Stage
from simulation.runs.run import Trajectory, simulate
from simulation.world.evaluation_time import in_order


@one_blas_thread()  # posteriors of some hundred rounds: small matrices, thousands of them
def simulated_runs(
    problem: Problem, seeds: range, exploration: str, advance: Stage
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
