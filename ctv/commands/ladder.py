"""`ctv ladder`: the factor lost at each step of one proof; of times, a run or a study."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands.shared.rows import scheduled_rows, simulated
from ctv.options.bounds import USUAL, Budget, is_fast
from ctv.options.problem import Given, ModelOptions, TimesOptions
from ctv.show.plain import echo, picked
from ctv.show.rounding import digits
from ctv.show.shared import lost, outside_proof, regret_sheet, rounding_of
from ctv.show.sheet import Row, Sheet, numbers, prose, words
from ctv.show.shown import Screen, Shown, setting, space_setting
from ctv.terminal.command import pictured
from ctv.values.answer import assumed_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.gain.ladder import Ladder
    from bounds.gain.report import GainAtTimes
    from bounds.problem import Problem
    from bounds.progress import Stage
    from bounds.regret.regret_bound import RegretBound
    from simulation.runs.run import Trajectory

EXAMPLE = """\
>>> [step.name for step in ctv.ladder([1.0, 2.0, 1.0], domain="arms:3").ladder.steps][:2]
['gain_upper', 'refined']
"""

Target = Annotated[
    Path | None,
    typer.Argument(
        help="Folder of a study (--out of ctv simulate), or one of its .npz files; without one, or "
        "with a file of evaluation times, the ladder is that of the times alone.",
        metavar="RUN_OR_STUDY",
        show_default=False,
    ),
]
Policy = Annotated[
    str, typer.Option(help="The policy of a study whose runs are read.", metavar="NAME")
]
Runs = Annotated[
    int | None,
    typer.Option(
        help="Of a study the first so many runs, averaged step by step (default 8); of times alone "
        "simulate so many of CTV-fixed: an upper bound from them, and simulated lower bounds.",
        metavar="WHOLE",
    ),
]
USUAL_RUNS = 8


@dataclass(frozen=True, eq=False, repr=False)
class LadderOfProblem(Shown):
    """The factor lost at each step of the proof, and bounds that are no step of it.

    Attributes
    ----------
    problem : with the times of the first run
    ladder : of the sequence or the run, or the mean over runs
    runs : how many
    exceeded : labels of the covered runs whose regret is above their sum
    why_not : why the regret bounds do not cover the policy; empty where they do
    other_bounds : the bounds of another kind; none for times t(x)
    warnings : what the study lacks
    half_life : the one that was assumed for times of one's own; None where drift was given
    initial : of a study, how many random rounds come before those that count, and what they cost
        in the mean
    seed : of simulated rows beside; None without any
    """

    format = "ctv-bounds ladder 2"

    problem: Problem
    ladder: Ladder
    runs: int
    exceeded: tuple[str, ...]
    why_not: str
    other_bounds: tuple[RegretBound, ...]
    warnings: tuple[str, ...] = ()
    seed: int | None = None
    half_life: float | None = None
    initial: tuple[int, float] | None = None

    def headline(self) -> str:
        return lost(self.ladder)

    def parts(self) -> dict[str, Any]:
        rungs, design, first = self.ladder, self.ladder.gain_lower, self.initial
        return {
            "steps": [asdict(step) for step in rungs.steps],
            "total": rungs.total,
            "loosest": rungs.loosest.name,
            "lower_bound": None if rungs.floor is None else rungs.floor.to_dict(),
            "gain_lower": design and picked(design, "gain", "value", "certified"),
            "other_method": None if rungs.other is None else rungs.other.to_dict(),
            "times": rungs.times,
            "left_out": rungs.left_out,
            "runs": self.runs,
            **({} if first is None else {"initial": {"rounds": first[0], "regret": first[1]}}),
            "covered": not self.why_not if self.runs else None,
            "why_not_covered": self.why_not or None,
            "exceeded": list(self.exceeded),
            "beside": [row.to_dict() for row in self.other_bounds],
            "warnings": list(self.warnings),
            "problem": echo(self.problem),
            **({} if self.seed is None else {"seed": self.seed}),
        }

    def screen(self) -> Screen:
        """What is lost, the steps, and what stands beside."""
        from bounds.gain.ladder import OUTSIDE, TITLES

        rungs = self.ladder
        titles = TITLES | OUTSIDE
        above = (
            f"Steps from the sum on hold with probability {1 - self.problem.delta:g} for CTV-fixed "
            "with exploration theory"
            + (
                ", for each run at its own steps; their mean is an observation."
                if self.runs > 1
                else "."
            )
        )
        notes = [f"Left out: {titles[name]}: {why}." for name, why in rungs.left_out.items()]
        if self.why_not:
            notes.append(
                f"The regret shown is an observation, which no step bounds: {self.why_not}."
            )
        elif self.runs:
            what = ", ".join(self.exceeded) or "none"
            notes.append(f"Runs above their sum (an event of probability at most δ): {what}.")
        if self.initial is not None:
            first, cost = self.initial
            notes.append(
                f"Regret, steps and lower bound are those of the own rounds. Before them "
                f"{'a random round costs' if first == 1 else f'{first:,} random rounds cost'} "
                f"{digits(cost)}{' on average' if self.runs > 1 else ''}."
            )
        notes += assumed_line(self.half_life)
        others = (regret_sheet(self.other_bounds),) if self.other_bounds else ()
        return Screen(
            (f"{lost(rungs)} Times: {rungs.times}.", self._steps(), *outside_proof(rungs), *notes),
            (above, f"{setting(self.problem)}.", *others),
        )

    def plot(self) -> Figure:
        """Every step a bar, and bounds that are no step as marks."""
        from ctv.figures import ladder

        runs = "one run" if self.runs == 1 else f"mean of {self.runs} runs"
        of = runs if self.runs else "the evaluation times alone"
        return ladder.draw(self.ladder, self.other_bounds, f"{space_setting(self.problem)}; {of}")

    def _steps(self) -> Sheet:
        from bounds.gain.ladder import TITLES

        of = (
            "the evaluation times"
            if not self.runs
            else ("one run" if self.runs == 1 else f"the mean of {self.runs} runs")
        )
        rows = []
        for step in self.ladder.steps:
            loosest, rounded = step is self.ladder.loosest, rounding_of(step)
            rows.append(
                Row(
                    (
                        f"{TITLES[step.name]} ◂" if loosest else TITLES[step.name],
                        "" if step.gain is None else rounded(step.gain),
                        rounded(step.value),
                        "" if step.factor is None else digits(step.factor),
                        "yes" if step.certified else "no",
                    ),
                    emphasised=loosest,
                )
            )
        return Sheet(
            f"The steps of the proof for {of}, in units of cumulative regret",
            (
                prose("step"),
                *numbers("gain (nats)", "regret", "× the one before"),
                *words("certified"),
            ),
            tuple(rows),
            "Steps with yes are certified (rounded outward), the others floating point.",
        )


def _of_study(target: Path, policy: str, runs: int, bounds: Any, advance: Stage) -> LadderOfProblem:
    from bounds.gain.bounds import rows_before_run
    from bounds.gain.ladder import ladder, mean_ladder, with_floor
    from bounds.regret.lower.rank import floor_after
    from bounds.times import EvaluationTimes
    from simulation.study.comparison import POINT_TIMES, run_summary, why_not_covered
    from simulation.study.stored import stored_runs, stored_spec

    study = stored_runs(target)
    problem = study.problem
    chosen = [run for run in study.runs if target.suffix == ".npz" or run.policy == policy][:runs]
    if not chosen:
        known = ", ".join(sorted({run.policy for run in study.runs}))
        raise InvalidInput("policy", policy, f"the study has runs of {known}")
    if chosen[0].initial >= chosen[0].n:
        raise InvalidInput("study", str(target), "the policy has no rounds of its own here")
    spec = stored_spec(study, chosen[0])
    ladders, exceeded = [], []
    floors: dict[bytes, RegretBound | None] = {}
    known_bounds: dict[bytes, GainAtTimes] = {}
    for done, run in enumerate(chosen):
        why_not = why_not_covered(spec, run.policy)
        summary, setting = run_summary(problem, run, spec.durations, covered=not why_not)
        key = run.durations.tobytes()
        if key not in known_bounds:
            label = _label(run)

            def progress(stage: str, share: float, done: int = done, label: str = label) -> None:
                advance(f"{stage}, {label}", (done + share) / len(chosen))

            progress("bounds", 0.0)
            own = replace(problem, times=EvaluationTimes.from_durations(run.durations))
            known_bounds[key] = bounds(own)
            floors[key] = floor_after(own, run.initial)
        own_bounds = known_bounds[key]
        rungs = ladder(
            own_bounds.report,
            own_bounds.curve.values,
            summary,
            beta=setting.beta,
            constant_factor=setting.constant_factor,
            times=setting.times,
        )
        ladders.append(rungs)
        if rungs.exceeded:
            exceeded.append(_label(run))
    others: tuple[RegretBound, ...] = ()
    if setting.times != POINT_TIMES:
        report = known_bounds[chosen[0].durations.tobytes()].report
        others = rows_before_run(problem, report, advance)
    mean = with_floor(mean_ladder(ladders), floors[chosen[0].durations.tobytes()])
    lacking = study.lacking((chosen[0].policy,))
    first = chosen[0].initial
    cost = sum(float(run.regrets[:first].sum()) for run in chosen) / len(chosen)
    return LadderOfProblem(
        problem,
        mean,
        len(ladders),
        tuple(exceeded),
        why_not,
        others,
        (lacking,) if lacking else (),
        initial=(first, cost) if first else None,
    )


def _label(run: Trajectory) -> str:
    return f"{run.policy}-{run.seed}"


@pictured
def ladder(
    times: TimesOptions,
    model: ModelOptions,
    given: Given,
    target: Target = None,
    policy: Policy = "ctv-fixed",
    runs: Runs = None,
    budget: Budget = USUAL,
    *,
    advance: Stage,
) -> LadderOfProblem:
    """How loose is each step of the proof? The factor of each, up to the trivial upper bound."""
    problem, quick = None, is_fast(budget)
    if target is not None and target.is_file() and target.suffix != ".npz":
        if times.own:
            raise InvalidInput("times", str(times.times), "drop it: the times came first")
        times, target = replace(times, times=target), None
    if target is None:
        problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.gain.bounds import bounds_of
    from bounds.gain.ladder import ladder as ladder_of
    from bounds.gain.ladder import with_floor
    from bounds.gain.report import gain_at_times

    def bounds(problem: Problem) -> GainAtTimes:
        return gain_at_times(problem, certify=not quick, advance=advance)

    one_run = target is not None and target.suffix == ".npz"
    for name, value, alone in (
        ("policy", policy, one_run or target is None),
        ("runs", runs, one_run),
    ):
        if alone and name in given.names:
            raise InvalidInput(name, value, "drop it: it chooses runs of a study's folder")
    if problem is not None:
        if runs is not None:
            from simulation.after_run.simulated import check_simulations

            check_simulations(runs, problem.delta)
        own_bounds = bounds_of(problem, certify=not quick, advance=advance)
        others = own_bounds.rows
        if runs is not None:
            others = (*others, *simulated(problem, runs, 0, times.seed, advance))
        if not quick:
            others = (*others, *scheduled_rows(problem, 0.0, times.seed, advance)[0])
        answer = own_bounds.with_rows(others[len(own_bounds.rows) :]).answer
        rungs = with_floor(
            ladder_of(own_bounds.report, own_bounds.curve.values, best=answer.best()), answer.floor
        )
        seed = times.seed if any(row.simulated for row in others) else times.used_seed
        return LadderOfProblem(
            problem,
            rungs,
            0,
            (),
            "",
            others,
            seed=seed,
            half_life=model.assumed_half_life(times, given),
        )
    assert target is not None
    given.refuse("drop it: a study knows its own", times, model)
    count = USUAL_RUNS if runs is None else runs
    if count < 1:
        raise InvalidInput("runs", count, "give a whole number of at least 1")
    return _of_study(target, policy, count, bounds, advance)
