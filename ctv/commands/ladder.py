"""`ctv ladder`: the factor lost at each step of the proof, for a sequence, a run or a study."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from bounds.progress import Stage
from ctv.commands.bound import Simulations
from ctv.commands.options import Given, Json, ModelOptions, TimesOptions

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.promises.bounds import Bounds
    from bounds.promises.ladder import Ladder
    from bounds.regret_itself.regret_bound import RegretBound
    from simulation.runs.run import Trajectory

Target = Annotated[
    Path | None,
    typer.Argument(
        help="Folder of a study (--out of ctv simulate), or one of its .npz files; without one "
        "the ladder is that of the evaluation times alone.",
        metavar="RUN_OR_STUDY",
        show_default=False,
    ),
]
Policy = Annotated[str, typer.Option(help="Whose runs of a study.", metavar="NAME")]
Runs = Annotated[
    int, typer.Option(help="The first so many runs of it, averaged rung by rung.", metavar="WHOLE")
]
QuickLadder = Annotated[
    bool, typer.Option("--quick", help="Floating point only: nothing is certified.")
]


@dataclass(frozen=True, eq=False)
class LadderShown:
    """Everything that `ctv ladder` shows.

    Attributes
    ----------
    problem : with the times of the first run
    ladder : of the sequence or the run, or the mean over runs
    runs : how many
    exceeded : labels of the covered runs whose regret is above their sum
    why_not : why the regret bounds do not cover the policy; empty where they do
    beside : the bounds of another kind; none for times t(x)
    warnings : what the study lacks
    """

    problem: Problem
    ladder: Ladder
    runs: int
    exceeded: tuple[str, ...]
    why_not: str
    beside: tuple[RegretBound, ...]
    warnings: tuple[str, ...] = ()


def ladder_of(
    target: Path | None,
    times: TimesOptions,
    model: ModelOptions,
    given: Given,
    policy: str,
    runs: int,
    advance: Stage,
    *,
    quick: bool,
    simulations: int | None = None,
) -> LadderShown:
    """The ladder asked for; raises InvalidInput where options contradict each other."""
    from bounds.promises.bounds import bounds_of
    from bounds.promises.ladder import ladder
    from simulation.after_run.simulated import check_simulations
    from simulation.after_run.simulated_rows import simulated_rows

    if runs < 1:
        raise InvalidInput("runs", runs, "give a whole number of at least 1")

    def bounds(problem: Problem) -> Bounds:
        return bounds_of(problem, certify=not quick, gain_only=True, advance=advance)

    of_one = target is None or target.suffix == ".npz"
    for name, value in (("policy", policy), ("runs", runs)):
        if of_one and name in given.names:
            raise InvalidInput(name, value, "drop it: it chooses runs of a study's folder")
    if target is None:
        problem = model.problem(times.evaluation_times())
        check_simulations(simulations, problem.delta)
        found = bounds_of(problem, certify=not quick, advance=advance)
        beside = found.rows
        if simulations is not None:
            beside = (*beside, *simulated_rows(problem, runs=simulations))
        rungs = ladder(found.report, found.curve.values)
        return LadderShown(problem, rungs, 0, (), "", beside)
    given.refuse_for_study(times, model)
    if simulations is not None:
        raise InvalidInput("simulations", simulations, "drop it: certify a study with ctv certify")
    return _of_study(target, policy, runs, bounds, advance)


def _of_study(target: Path, policy: str, runs: int, bounds: Any, advance: Stage) -> LadderShown:
    from bounds.promises.bounds import rows_before_run
    from bounds.promises.ladder import ladder, mean_ladder
    from bounds.times import EvaluationTimes
    from simulation.runs.ladder import run_summary
    from simulation.study.beside_bounds import POINT_TIMES, why_not_covered
    from simulation.study.stored import stored_runs, stored_spec
    from simulation.world.evaluation_time import PointDurations

    study = stored_runs(target)
    problem = study.problem
    chosen = [run for run in study.runs if target.suffix == ".npz" or run.policy == policy][:runs]
    if not chosen:
        known = ", ".join(sorted({run.policy for run in study.runs}))
        raise InvalidInput("policy", policy, f"the study has runs of {known}")
    if chosen[0].initial >= chosen[0].n:
        raise InvalidInput("study", str(target), "the policy has no rounds of its own here")
    spec = stored_spec(study, chosen[0])
    fixed_or_moving = spec.durations
    longest = (
        float(fixed_or_moving.durations.max())
        if isinstance(fixed_or_moving, PointDurations)
        else None
    )
    ladders, exceeded = [], []
    known_bounds: dict[bytes, Bounds] = {}
    for done, run in enumerate(chosen):
        summary, setting = run_summary(
            problem, run, longest=longest, why_not=why_not_covered(spec, run.policy)
        )
        key = run.durations.tobytes()
        if key not in known_bounds:
            label = _label(run)

            def told(stage: str, share: float, done: int = done, label: str = label) -> None:
                advance(f"{stage}, {label}", (done + share) / len(chosen))

            told("bounds", 0.0)
            own = replace(problem, times=EvaluationTimes.from_durations(run.durations))
            known_bounds[key] = bounds(own)
        found = known_bounds[key]
        rungs = ladder(
            found.report, found.curve.values, summary, beta=setting.beta,
            constant_factor=setting.constant_factor, times=setting.times,
        )  # fmt: skip
        ladders.append(rungs)
        if rungs.exceeded:
            exceeded.append(_label(run))
    beside: tuple[RegretBound, ...] = ()
    if setting.times != POINT_TIMES:
        beside = rows_before_run(
            problem, known_bounds[chosen[0].durations.tobytes()].report, advance
        )
    mean = mean_ladder(ladders)
    lacking = study.lacking((chosen[0].policy,))
    return LadderShown(
        problem, mean, len(ladders), tuple(exceeded), setting.why_not, beside,
        (lacking,) if lacking else (),
    )  # fmt: skip


def _label(run: Trajectory) -> str:
    return f"{run.policy}-{run.seed}"


def payload_of(shown: LadderShown) -> dict[str, Any]:
    """The JSON object."""
    from ctv.show.payload import echo, project_version

    rungs = shown.ladder
    return {
        "steps": [
            {
                "name": s.name, "value": s.value, "gain": s.gain, "factor": s.factor,
                "kind": s.kind, "covers": s.covers, "when": s.when, "certified": s.certified,
            }
            for s in rungs.steps
        ],
        "loosest": rungs.loosest.name,
        "times": rungs.times,
        "left_out": rungs.left_out,
        "runs": shown.runs,
        "covered": not shown.why_not if shown.runs else None,
        "why_not_covered": shown.why_not or None,
        "exceeded": list(shown.exceeded),
        "beside": [vars(row) for row in shown.beside],
        "warnings": list(shown.warnings),
        "problem": echo(shown.problem),
        "version": project_version(),
    }  # fmt: skip


def show(shown: LadderShown) -> None:
    """The rungs, the one that loses most, and what stands beside."""
    from rich.table import Table

    from bounds.promises.ladder import TITLES
    from ctv.show.screen import _console, _say, digits, rounding_of, setting

    rungs = shown.ladder
    out = _console()
    _say(out, setting(shown.problem))
    of = "the evaluation times" if not shown.runs else (
        "one run" if shown.runs == 1 else f"the mean of {shown.runs} runs"
    )  # fmt: skip
    _say(out, f"The ladder of {of}, in units of cumulative regret", style="bold")
    table = Table("rung")
    for heading in ("gain (nats)", "regret", "× the one below"):
        table.add_column(heading, justify="right")
    table.add_column("certified")
    for step in rungs.steps:
        marked = step is rungs.loosest
        shown_as = rounding_of(step)
        table.add_row(
            f"{TITLES[step.name]} ◂" if marked else TITLES[step.name],
            "" if step.gain is None else shown_as(step.gain),
            shown_as(step.value),
            "" if step.factor is None else digits(step.factor),
            "yes" if step.certified else "no",
            style="bold" if marked else None,
        )
    out.print(table)
    first, last = rungs.steps[0], rungs.steps[-1]
    _say(
        out,
        f"From {TITLES[first.name]} to {TITLES[last.name]}: a factor "
        f"{digits(last.value / first.value) if first.value else '∞'}. Most is lost at "
        f"«{TITLES[rungs.loosest.name]}», {digits(rungs.loosest.factor or 0.0)}. "
        f"Times: {rungs.times}. Rungs above the sum hold with probability "
        f"{1 - shown.problem.delta:g} for CTV-fixed with exploration theory"
        + (
            ", for each run at its own rungs; their mean is an observation."
            if shown.runs > 1
            else "."
        ),
    )
    for name, why in rungs.left_out.items():
        _say(out, f"Left out: {TITLES[name]}: {why}.")
    if shown.why_not:
        _say(out, f"The regret shown is an observation, which no rung bounds: {shown.why_not}.")
    elif shown.runs:
        what = ", ".join(shown.exceeded) or "none"
        _say(out, f"Runs above their sum (an event of probability at most δ): {what}.")
    if shown.beside:
        from ctv.show.screen import show_beside

        show_beside(shown.beside)


def ladder(
    times: TimesOptions,
    model: ModelOptions,
    given: Given,
    target: Target = None,
    policy: Policy = "ctv-fixed",
    runs: Runs = 8,
    quick: QuickLadder = False,
    simulations: Simulations = None,
    json: Json = False,
) -> None:
    """How loose is each step of the proof? From regret to Theorem 1, the factor lost on the way."""
    if target is None:
        model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from ctv.show import payload, screen

    with screen.progress("ladder") as advance:
        shown = ladder_of(
            target, times, model, given, policy, runs, advance,
            quick=quick, simulations=simulations,
        )  # fmt: skip
    for warning in shown.warnings:
        print(f"ctv: warning: {warning}", file=sys.stderr)
    if json:
        payload.write(payload_of(shown))
    else:
        show(shown)
