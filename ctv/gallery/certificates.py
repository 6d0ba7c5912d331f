"""What the figure `certificates` and the report need: runs, their certificates, and the bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bounds.gain.answer import answer_of
from bounds.gain.bounds import upper_bounds
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.regret.ingredients.ingredients import Ingredients, noise_levels
from bounds.regret.rows import regret_rows
from bounds.static_gain.both_sides import gain_curve
from bounds.times import EvaluationTimes
from ctv.figures.runs import certificates, coverage
from ctv.figures.runs.certificates import CertificatesPicture
from ctv.inputs import bundled_coverage
from ctv.show.shown import space_setting
from simulation.after_run.certificates import DEFAULT_CERTIFICATES, certify
from simulation.after_run.observed import Observed
from simulation.model.covariance import space_factor
from simulation.runs.run import simulate
from simulation.world.evaluation_time import in_order

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LONGEST_RUN = 100
"""Rounds of the runs that are certified here: the first so many of the problem's."""


def certificates_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """Runs of ctv-fixed at the problem's times, their certificates, and every bound."""
    return certificates.draw(certified_runs(problem, seeds, exploration, advance))


def coverage_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """The bundled study of coverage."""
    return coverage.draw(bundled_coverage())


def certified_runs(
    problem: Problem,
    seeds: range,
    exploration: str,
    advance: Stage,
    *,
    longest: int = LONGEST_RUN,
) -> CertificatesPicture:
    """The first `longest` rounds of the problem, simulated and certified, seed by seed."""
    times = problem.times
    if times.n > longest:
        times = times.block(0, longest)
        problem = replace(problem, times=times)
    fixed = in_order(EvaluationTimes.from_durations(times.durations, times.source), times.n)
    factor = None
    regrets: list[float] = []
    values: dict[str, list[float]] = {name: [] for name in DEFAULT_CERTIFICATES}
    for done, seed in enumerate(seeds):
        run = simulate(
            problem,
            fixed,
            seed=seed,
            initial=0,
            rounds=times.n,
            exploration=exploration,
            factor=factor,
        )
        observed = Observed.of_run(problem, run)
        factor = factor or space_factor(problem)

        def told(name: str, share: float, done: int = done) -> None:
            advance(f"{name} of run {done + 1}", (done + share / 3) / len(seeds))

        certificates = certify(observed, str(seed), seed=seed, factor=factor, progress=told)
        regrets.append(float(run.cumulative_regret[-1]))
        for one in certificates.certificates:
            values[one.name].append(one.value)
    advance("bounds", 0.0)
    return CertificatesPicture(
        regrets,
        values,
        _bounds(problem),
        f"ctv-fixed, exploration {exploration}",
        1.0 - problem.delta,
        f"{space_setting(problem)}; {times.n} rounds in total time {times.total_time:.4g}",
        exploration == "theory",
    )


def _bounds(problem: Problem) -> dict[str, float]:
    """Bounds on regret known before the run that are valid here."""
    curve = gain_curve(problem)
    report = upper_bounds(problem, curve)
    gains = [(noise_levels(problem)[0], report.best)]
    for level in noise_levels(problem)[2::2]:
        louder = replace(problem, noise_variance=level)
        gains.append((level, upper_bounds(louder, gain_curve(louder)).best))
    known = regret_rows(Ingredients(problem, gains), "upper")
    rows = {row.name: row.value for row in known}
    best = answer_of(report, known).best()
    return {
        "best": report.regret["best"] if best is None else best.value,
        **{name: rows[name] for name in ("cap", "envelope", "tail")},
    }
