"""What each figure and the report need: computed here by the packages, drawn there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.gain.bounds import Bounds, bounds_of, rows_before_run, upper_bounds
from bounds.gain.ladder import Ladder, mean_ladder, with_floor
from bounds.gain.ladder import ladder as ladder_of
from bounds.partitions.compare import block_drifts
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.result import SearchResult
from bounds.partitions.search import search
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.static_gain.both_sides import certified_gains_at, gain_curve
from ctv.figures import findings, gain, ladder, partition
from ctv.figures.runs import bound_vs_regret
from ctv.gallery.certificates import certificates_figure, coverage_figure
from ctv.gallery.floor import floor_figure
from ctv.gallery.rates import rates_figure, rivals_figure
from ctv.gallery.sweep import bounds_figure, sweep_figure
from ctv.options.problem import checked_seed
from ctv.show.rounding import counted
from ctv.show.shown import space_setting
from simulation.before_run.rows import simulated_ceilings
from simulation.policies.acquisition import EXPLORATIONS
from simulation.runs.run import Trajectory
from simulation.study.comparison import run_summary
from simulation.study.under_bounds import runs_under_bounds, simulated_runs
from simulation.world.evaluation_time import in_order

LARGEST_RUNS = 1_000


def checked_runs(runs: int, first_seed: int, exploration: str) -> range:
    """The seeds of the runs; raises InvalidInput for no runs, a bad seed or exploration."""
    if not 1 <= runs <= LARGEST_RUNS:
        raise InvalidInput("runs", runs, f"give between 1 and {LARGEST_RUNS}")
    checked_seed(first_seed)
    if exploration not in EXPLORATIONS:
        raise InvalidInput("exploration", exploration, f"use {', '.join(EXPLORATIONS)}")
    return range(first_seed, first_seed + runs)


def _bound_vs_regret(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    advance("static gain", 0.0)
    curve = gain_curve(problem)
    report = upper_bounds(problem, curve)
    bounds = Bounds(curve, report, rows=rows_before_run(problem, report, advance))
    return bound_vs_regret.draw(runs_under_bounds(bounds, seeds, exploration, advance))


def _partition(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    advance("static gain", 0.0)
    gamma = gain_curve(problem).values
    results: dict[str, SearchResult] = {}
    for objective in OBJECTIVES:
        advance(f"search {objective}", len(results) / len(OBJECTIVES))
        results[objective] = search(objective, problem, gamma)
    drifts = {name: block_drifts(problem, result) for name, result in results.items()}
    return partition.draw(problem, results, drifts)


def _gain(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    gains = certified_gains_at(problem, spread_rounds(problem.n), advance)
    return gain.draw(gains, space_setting(problem))


def _findings(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """Two findings of the ledger; the problem plays no part."""
    return findings.draw()


def _ladder(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """ctv-fixed at the times of the problem, choosing from round 1 on, under every step."""
    bounds = bounds_of(problem, advance=advance)
    bounds = bounds.with_rows(simulated_ceilings(problem, advance=advance))
    made = simulated_runs(problem, seeds, exploration, advance)
    rungs = ladder_of_runs(problem, bounds, made, exploration)
    runs = f"mean of {counted(len(seeds), 'run')} of ctv-fixed, exploration {exploration}"
    if exploration != "theory":
        runs += ", whose regret no step bounds"
    elif len(seeds) > 1:
        runs += (
            f" (a bound holds with probability {1 - problem.delta:g} for each, not for the mean)"
        )
    return ladder.draw(rungs, bounds.rows, f"{space_setting(problem)}; {runs}")


def ladder_of_runs(
    problem: Problem, bounds: Bounds, runs: Sequence[Trajectory], exploration: str
) -> Ladder:
    """The mean ladder of such runs."""
    times, covered, rungs = in_order(problem.times, problem.n), exploration == "theory", []
    for run in runs:
        summary, setting = run_summary(problem, run, times, covered=covered)
        rungs.append(
            ladder_of(
                bounds.report,
                bounds.curve.values,
                summary,
                beta=setting.beta,
                best=bounds.answer.best(),
            )
        )
    return with_floor(mean_ladder(rungs), bounds.answer.floor)


FIGURES: dict[str, Callable[[Problem, range, str, Stage], Figure]] = {
    "bound-vs-regret": _bound_vs_regret,
    "bounds": bounds_figure,
    "sweep": sweep_figure,
    "partition": _partition,
    "gain": _gain,
    "ladder": _ladder,
    "floor": floor_figure,
    "rates": rates_figure,
    "rivals": rivals_figure,
    "certificates": certificates_figure,
    "findings": _findings,
    "coverage": coverage_figure,
}
"""How each figure is made from a problem, the seeds and the exploration of its runs."""


def spread_rounds(n: int, count: int = 60) -> list[int]:
    """Some numbers of rounds from 1 to n, evenly spread on a log axis."""
    return [int(m) for m in np.unique(np.geomspace(1, n, count).round())]


def drifts(problem: Problem, bounds: Bounds) -> dict[str, FloatArray]:
    """(N,) drift of each block of the best partitions, by objective."""
    return {name: block_drifts(problem, r) for name, r in bounds.report.partitions.items()}
