"""What the page of one problem shows, computed by the packages before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bounds.arrays import FloatArray
from bounds.gain.bounds import Bounds, bounds_of
from bounds.gain.ladder import Ladder, with_floor
from bounds.gain.ladder import ladder as ladder_of
from bounds.numerics.threads import one_blas_thread
from bounds.partitions.uniformity import cap_of, uniformity
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.static_gain.both_sides import GainRange, gains_at
from ctv.figures.sweep import SweepPicture
from ctv.gallery.problem import drifts, ladder_of_runs, spread_rounds
from ctv.gallery.sweep import LONGEST_SWEEP, swept
from ctv.options.sources import SourcedProblem
from ctv.pages.explorer import explorer_fragment
from ctv.show.axis import NumberLine
from ctv.values.page import LONGEST_CERTIFIED
from simulation.after_run.certificates import CertifiedRun, certify
from simulation.after_run.observed import Observed
from simulation.before_run.rows import simulated_ceilings
from simulation.paper.stored import StoredExperiment
from simulation.runs.run import Trajectory
from simulation.study.under_bounds import (
    RegretUnderBounds,
    runs_under_bounds,
    simulated_runs,
)

LONGEST_UNASKED = 300
"""Rounds up to which runs are simulated without being asked for."""

LONGEST_EXPLORED = 2_000
"""Rounds up to which the explorer of partitions is a part of the page."""

_AFTER_RUN = 3  # runs with a certificate
_STATIC = 8  # rows of γ_m
_DRIFT_FACTORS = (0.1, 10.0)  # of ε, at which the four numbers are computed too


@dataclass(frozen=True, eq=False)
class Content:
    """Everything the page shows, already computed: one problem from beginning to end.

    Attributes
    ----------
    bounds : the bounds with their answer, of which the first lines speak
    uniformity, cap : C of all rounds and its cap 1/ε²
    gains : γ_m from both sides
    drifts : drift of each block, by objective, in nats
    ladder : the steps of the proof, from the regret of the runs where there are some
    sweep : the bounds over ε; None where that is left out, with the reason in `why_no_sweep`
    simulated : runs of ctv-fixed at the same evaluation times, with the bounds over the rounds;
        None where none were made, with the reason in `why_no_runs`
    certified : some of these runs, certified from their data
    experiments : the paper's experiments as they were run, where their folder was given
    command : the command line that makes this page again
    commands : figure ↦ the command line that draws it alone
    source : where the problem comes from; None where the options give it
    half_life : the one that was assumed for times of one's own; None where drift was given
    explorer : HTML of the explorer of partitions; empty without
    line : the four numbers, where a log gives its own
    elsewhere : the bounds of the same problem at smaller and larger drift rates, in their order
    """

    bounds: Bounds
    uniformity: float
    cap: float
    gains: GainRange
    drifts: Mapping[str, FloatArray]
    ladder: Ladder
    sweep: SweepPicture | None
    why_no_sweep: str
    simulated: RegretUnderBounds | None
    why_no_runs: str
    certified: tuple[CertifiedRun, ...]
    experiments: Sequence[StoredExperiment]
    command: str
    commands: Mapping[str, str] = field(default_factory=dict)
    source: SourcedProblem | None = None
    explorer: str = ""
    half_life: float | None = None
    line: NumberLine | None = None
    elsewhere: tuple[Bounds, ...] = ()

    @property
    def problem(self) -> Problem:
        """The problem of the page."""
        return self.bounds.problem


@one_blas_thread()  # long and narrow matrices, or small ones
def report_content(
    problem: Problem,
    seeds: range | None,
    command: str,
    advance: Stage,
    experiments: Sequence[StoredExperiment] = (),
    commands: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    bounds: Bounds | None = None,
    runs: Sequence[Trajectory] = (),
    explorer: str | None = None,
) -> Content:
    """Everything on the page of one problem, and the paper's experiments where they were run.

    `seeds` are those of the runs; None leaves it to the number of rounds whether there are any.
    `options` are the times and the model of the command line, for the explorer's own command;
    `bounds` and `runs` its bounds and runs, and `explorer` its partitions to play with, where they
    were computed before.
    """
    if bounds is None:
        bounds = bounds_of(problem, certify=problem.n <= LONGEST_CERTIFIED, advance=advance)
    bounds = bounds.with_rows(simulated_ceilings(problem, advance=advance))
    wanted, why_no_runs = _wanted(problem, seeds)
    if wanted and not runs:
        runs = simulated_runs(problem, wanted, "theory", advance)
    sweep, why_no_sweep = _sweep(problem, bounds, advance)
    cap = cap_of(problem.epsilon)
    if explorer is None:
        explorer = ""
        if problem.n <= LONGEST_EXPLORED:
            given = options or {}
            explorer = explorer_fragment(problem, bounds=bounds, sliders=False, **given)
    return Content(
        bounds=bounds,
        uniformity=uniformity(problem.times, cap),
        cap=cap,
        gains=gains_at(problem, spread_rounds(problem.n, _STATIC), advance, bounds.curve),
        drifts=drifts(problem, bounds),
        ladder=_ladder(problem, bounds, runs),
        sweep=sweep,
        why_no_sweep=why_no_sweep,
        simulated=runs_under_bounds(bounds, wanted, "theory", advance, runs) if runs else None,
        why_no_runs=why_no_runs,
        certified=_certified(problem, runs, advance),
        experiments=experiments,
        command=command,
        commands=commands or {},
        explorer=explorer,
        elsewhere=_elsewhere(bounds, advance) if options else (),
    )


def _elsewhere(bounds: Bounds, advance: Stage) -> tuple[Bounds, ...]:
    """The bounds at some other drift rates; none for a log, whose rate is fitted, and where they
    would take long.
    """
    problem = bounds.problem
    if problem.n > LONGEST_UNASKED or problem.time_kernel.at_rate(problem.epsilon) is None:
        return ()
    rates = [factor * problem.epsilon for factor in _DRIFT_FACTORS]
    rates = [rate for rate in rates if 0.0 < rate < 1.0]
    others = []
    for done, rate in enumerate(rates):
        advance("other drift rates", done / len(rates))
        other = problem.at_rate(rate)
        others.append(bounds_of(other, certify=bounds.curve.certified, curve=bounds.curve))
    return tuple(others)


def _wanted(problem: Problem, seeds: range | None) -> tuple[range, str]:
    """The seeds of the runs, and why there are none."""
    if problem.domain.size < 2:
        return range(0), "Nothing was simulated: on one point there is no regret."
    if seeds is not None:
        return seeds, "" if seeds else "Nothing was simulated."
    if problem.n <= LONGEST_UNASKED:
        return range(8), ""
    asked = "runs are simulated only on request (--runs), so there are none here"
    return range(0), f"With more than {LONGEST_UNASKED} rounds {asked}."


def _ladder(problem: Problem, bounds: Bounds, runs: Sequence[Trajectory]) -> Ladder:
    if runs:
        return ladder_of_runs(problem, bounds, runs, "theory")
    alone = ladder_of(bounds.report, bounds.curve.values, best=bounds.answer.best())
    return with_floor(alone, bounds.answer.floor)


def _sweep(problem: Problem, bounds: Bounds, advance: Stage) -> tuple[SweepPicture | None, str]:
    if problem.time_kernel.at_rate(problem.epsilon) is None:
        return None, "There is no sweep over ε: it belongs to the forgetting kernel."
    if problem.n > LONGEST_SWEEP:
        return None, f"There is no sweep over ε beyond {LONGEST_SWEEP:,} rounds."
    return swept(problem, bounds.curve, advance), ""


def _certified(
    problem: Problem, runs: Sequence[Trajectory], advance: Stage
) -> tuple[CertifiedRun, ...]:
    """The first runs, each with its rank certificate."""
    certified = []
    for done, run in enumerate(runs[:_AFTER_RUN] if problem.n <= LONGEST_UNASKED else ()):
        advance("certificates", done / _AFTER_RUN)
        observed = Observed.of_run(problem, run)
        regret = float(run.cumulative_regret[-1])
        certified.append(
            certify(
                observed, f"{run.policy}-{run.seed}", regret=regret, names=("rank",), seed=run.seed
            )
        )
    return tuple(certified)
