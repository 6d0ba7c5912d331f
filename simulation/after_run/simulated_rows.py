"""The simulation certificate as rows beside the chain: CTV-fixed at the problem's own times."""

from __future__ import annotations

from bounds.numerics.rounding import at_least
from bounds.problem import Problem
from bounds.progress import Share
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.found_elsewhere import SimulatedMean, SimulatedQuantile
from simulation.after_run.simulated import simulation_certificate
from simulation.study.study import StudySpec


def simulated_rows(
    problem: Problem,
    *,
    runs: int = 199,
    seed: int = 0,
    progress: Share | None = None,
) -> tuple[RegretBound, ...]:
    """What `runs` simulations of CTV-fixed (exploration theory) promise for these fixed times.

    Two rows, `simulation` and `simulation_mean`; parameters as for
    `simulation_certificate`. Raises InvalidInput for fewer than 1/δ − 1 runs.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0, 1.0])
    >>> rows = simulated_rows(Problem(times, domain=Grid(1, 1.0, 4)), runs=9)
    >>> [row.name for row in rows], rows[0].level
    (['simulation', 'simulation_mean'], 0.9)
    """
    spec = StudySpec(
        problem,
        setting="csv",
        policies=("ctv-fixed",),
        seeds=1,
        initial=0,
        rounds=problem.n,
        exploration="theory",
    )
    certificate = simulation_certificate(spec, "ctv-fixed", runs=runs, seed=seed, progress=progress)
    surely = (
        f"level {at_least(certificate.reused_level, 3)} with probability 0.95 over the simulations"
    )
    rows = [
        SimulatedQuantile().at(
            certificate.value,
            f"order statistic of {runs} simulated runs; {surely}",
            level=certificate.level,
            simulated=True,
        )
    ]
    if certificate.expectation is not None:
        rows.append(
            SimulatedMean().at(
                certificate.expectation,
                f"empirical Bernstein and Borell–TIS, {runs} simulated runs, with probability "
                f"{1.0 - certificate.alpha:g} over them",
                simulated=True,
            )
        )
    return tuple(rows)
