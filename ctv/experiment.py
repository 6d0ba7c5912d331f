"""`ctv simulate`: from its options to a study, its statistics, and how it stands to the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options import FileOptions, ModelOptions

if TYPE_CHECKING:
    from ctv.pipeline import Advance
    from simulation.run import Trajectory
    from simulation.statistics import Summary
    from simulation.study import Study, StudySpec

_PANEL = "Study"
_option = partial(typer.Option, rich_help_panel=_PANEL)


@dataclass(frozen=True)
class StudyOptions:
    """What is simulated, how often, and where it is kept."""

    setting: Annotated[
        str,
        _option(
            help="uniform (every evaluation takes the same time), biased (time depends on the "
            "point) or csv (the durations of --times in order).",
            metavar="NAME",
        ),
    ] = "uniform"
    evaluation_time: Annotated[
        float | None,
        _option(help="Of the uniform setting (default 3).", metavar="NUMBER"),
    ] = None
    inputs: Annotated[
        str | None,
        _option(help="csv: columns with the points, for t(x) by regression.", metavar="X1,X2"),
    ] = None
    policies: Annotated[
        str, _option(help="Comma list of ctv-fixed and random.", metavar="LIST")
    ] = "ctv-fixed,random"
    seeds: Annotated[int, _option(help="Runs of each policy.", metavar="WHOLE")] = 30
    seed: Annotated[int, _option(help="Seed of the first run.", metavar="WHOLE")] = 0
    initial: Annotated[int, _option(help="Random rounds that come first.", metavar="WHOLE")] = 30
    rounds: Annotated[int, _option(help="Rounds of the policy, after them.", metavar="WHOLE")] = 100
    acquisition: Annotated[str, _option(help="ucb or ei.", metavar="NAME")] = "ucb"
    exploration: Annotated[
        str,
        _option(
            help="Weight of σ: beta, sqrt-beta, or theory, for which the bounds hold.",
            metavar="NAME",
        ),
    ] = "beta"
    model_kernel: Annotated[
        str | None,
        _option(
            help="Space kernel that policies assume (default the objective's).", metavar="KERNEL"
        ),
    ] = None
    workers: Annotated[int, _option(help="Processes.", metavar="WHOLE")] = 1
    out: Annotated[
        Path | None, _option(help="Folder for the runs; run again to resume.", metavar="DIR")
    ] = None


@dataclass(frozen=True, eq=False)
class Experiment:
    """A finished study beside the bounds.

    Attributes
    ----------
    gain_within_bound : by policy, whether every run's log det gain is below the best bound on
        γ̃_n at the evaluation times of the run; that bound covers every policy
    regret_within_bound : by policy, whether the regret of every run, over the policy's own
        rounds, is below the bound on regret that follows from it
    counted : by policy, whether that second comparison counts against δ; elsewhere the bound
        does not cover the policy and the comparison is an observation
    """

    study: Study
    summary: Summary
    gain_within_bound: Mapping[str, bool]
    regret_within_bound: Mapping[str, bool]
    counted: Mapping[str, bool]


def specified(file: FileOptions, model: ModelOptions, options: StudyOptions) -> StudySpec:
    """The study that the options describe; raises InvalidInput where they contradict each other."""
    from bounds.kernels import parse_kernel
    from bounds.times import EvaluationTimes
    from ctv.inputs import read_columns, read_times
    from simulation.study import SETTINGS, StudySpec

    setting = options.setting
    if setting not in SETTINGS:
        raise InvalidInput("setting", setting, f"use {', '.join(SETTINGS)}")
    file.check_file_options()
    if setting == "csv" and file.times is None:
        raise InvalidInput("times", "nothing", "the setting csv needs --times FILE.csv")
    if setting != "csv":
        for name, value in (("times", file.times), ("inputs", options.inputs)):
            if value is not None:
                raise InvalidInput(name, str(value), "drop it, or use --setting csv")
    if setting != "uniform" and options.evaluation_time is not None:
        raise InvalidInput(
            "evaluation-time", options.evaluation_time, "drop it, or use --setting uniform"
        )
    constant = 3.0 if options.evaluation_time is None else options.evaluation_time
    if file.times is not None:
        times = read_times(file.times, file.column, cumulative=file.cumulative)
    else:
        times = EvaluationTimes.from_durations([constant], source=setting)
    points = None
    if options.inputs is not None and file.times is not None:
        points = read_columns(file.times, [name.strip() for name in options.inputs.split(",")])
    assumed = options.model_kernel
    return StudySpec(
        problem=model.problem(times),
        setting=setting,
        policies=tuple(name.strip() for name in options.policies.split(",")),
        seeds=options.seeds,
        seed=options.seed,
        initial=options.initial,
        rounds=options.rounds,
        acquisition=options.acquisition,
        exploration=options.exploration,
        model_kernel=None if assumed is None else parse_kernel(assumed, model.lengthscale),
        evaluation_time=constant,
        inputs=points,
    )


def run(spec: StudySpec, options: StudyOptions, advance: Advance) -> Experiment:
    """Run the study, or what its folder lacks of it, and compare every run with the bounds."""
    from simulation.statistics import summarize
    from simulation.study import run_study

    study = run_study(
        spec,
        options.out,
        options.workers,
        progress=lambda done, total, message: advance(message, done / total),
    )
    within = {
        policy: _within_bounds(spec, runs, advance) for policy, runs in study.trajectories.items()
    }
    return Experiment(
        study,
        summarize(study),
        {policy: gain for policy, (gain, _) in within.items()},
        {policy: regret for policy, (_, regret) in within.items()},
        {policy: covered(spec, policy) for policy in spec.policies},
    )


def covered(spec: StudySpec, policy: str) -> bool:
    """Whether the theorem is about this policy: its exploration, the true model, fixed times."""
    from simulation.evaluation_time import FixedDurations

    return (
        policy == "ctv-fixed"
        and (spec.acquisition, spec.exploration) == ("ucb", "theory")
        and spec.model_kernel in (None, spec.problem.space_kernel)
        and isinstance(spec.durations, FixedDurations)
    )


def _within_bounds(
    spec: StudySpec, runs: tuple[Trajectory, ...], advance: Advance
) -> tuple[bool, bool]:
    """Whether every run's gain, and every run's regret, is below the best bound at its times."""
    import numpy as np

    from bounds.times import EvaluationTimes
    from ctv.pipeline import at_times, gain_curve, upper_bounds

    shared = at_times(spec.problem, EvaluationTimes.from_durations(runs[0].durations))
    advance("gain without drift", 0.0)
    curve = gain_curve(shared)
    gain, regret = True, True
    known: dict[bytes, tuple[float, float]] = {}
    for done, run in enumerate(runs):
        # Fixed durations give every run the same times and hence the same bounds.
        key = run.durations.tobytes()
        if key not in known:
            advance("bounds at the times of the runs", done / len(runs))
            problem = at_times(spec.problem, EvaluationTimes.from_durations(run.durations))
            report = upper_bounds(problem, curve)
            known[key] = report.best, report.regret["best"]
        most_gain, most_regret = known[key]
        # A run whose gain meets the bound exactly may exceed it by rounding.
        gain &= bool(run.cumulative_gain[-1] <= most_gain * (1 + 1e-9))
        regret &= bool(np.sum(run.regrets[run.initial :]) <= most_regret)
    return gain, regret
