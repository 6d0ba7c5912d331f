"""The options of a study, and the study that they describe."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.options.named_values import listed, named_as, named_values, number, yes_or_no
from ctv.options.problem import (
    FileOptions,
    ModelOptions,
    Seed,
    checked_workers,
    refuse,
    whole_number,
)
from simulation.policies.registry import names

if TYPE_CHECKING:
    from bounds.kernels import Kernel
    from simulation.policies.readings import Readings
    from simulation.study.study import StudySpec
    from simulation.world.evaluation_time import FixedDurations

_option = partial(typer.Option, rich_help_panel="Study")
_reading = partial(typer.Option, rich_help_panel="Where the paper leaves a choice")

DEFAULT_POLICIES = "ctv-fixed,random"
EI = "ei"
"""The exploration that is no weight of σ."""

_USUAL_TIME = 3.0
USUAL_INITIAL = 30
"""Random rounds of a study, as in the paper's experiments."""

USUAL_ROUNDS = 100
"""Rounds of the policy after them."""

_TIME_PRIORS = ("fixed", "ml")
_NAMES_OF = {
    "time model mean": "log_time_mean",
    "time model variance": "log_time_variance",
    "time model lengthscale": "log_time_lengthscale",
    "time model noise_variance": "log_time_noise",
}
"""What the simulator calls a choice, and its name in `--readings`."""


@dataclass(frozen=True)
class RunsOptions:
    """How long runs are, which kernel their policies assume, and what computes them."""

    initial: Annotated[
        int | None,
        _option(
            help=f"Random rounds that come first (default {USUAL_INITIAL}; with --setting csv 1).",
            metavar="WHOLE",
        ),
    ] = None
    rounds: Annotated[
        int | None,
        _option(
            help=f"Rounds of the policy, after them (default {USUAL_ROUNDS}, or all of --times "
            "where they are fewer).",
            metavar="WHOLE",
        ),
    ] = None
    model_kernel: Annotated[
        str | None,
        _option(
            help="Space kernel that policies assume (default the objective's; in the "
            "experiments of the paper matern52, and `objective` for the objective's).",
            metavar="KERNEL",
        ),
    ] = None
    workers: Annotated[
        str,
        _option(
            help="Number of processes; dask:NUMBER, those of a Dask cluster here; or "
            "dask:ADDRESS, those of a scheduler.",
            metavar="WHOLE|dask:…",
        ),
    ] = "1"


@dataclass(frozen=True)
class StudyOptions(RunsOptions):
    """What is simulated, how often, and where it is kept."""

    experiment: Annotated[
        str | None,
        _option(
            help="The paper's own instead: comma list of figure-1, figure-2 and figure-ei, with "
            "a verdict on each of its sentences, and released, the policies as the authors' "
            "released code plays them. --exploration and --model-kernel may be lists. "
            "Or tuned: stored runs with tuned hyperparameters, beside those.",
            metavar="LIST",
        ),
    ] = None
    setting: Annotated[
        str | None,
        _option(
            help="uniform (default: every evaluation takes time 3; or another, uniform:5), biased "
            "(time depends on the point) or csv (the durations of --times in order; default with "
            "--times).",
            metavar="NAME[:TIME]",
        ),
    ] = None
    x: Annotated[
        str | None,
        _option(
            help="With --setting csv: columns with the points, for t(x) by regression.",
            metavar="X1,X2",
        ),
    ] = None
    policy: Annotated[
        str | None,
        _option(
            help=f"Comma list of {', '.join(names())} (default {DEFAULT_POLICIES}).",
            metavar="LIST",
        ),
    ] = None
    runs: Annotated[int, _option(help="Runs of each policy.", metavar="WHOLE")] = 30
    seed: Seed = 0
    exploration: Annotated[
        str,
        _option(
            help="Weight of σ: beta, sqrt-beta, or theory, for which the bounds hold; or ei, "
            "expected improvement, which has none.",
            metavar="NAME",
        ),
    ] = "beta"
    out: Annotated[
        Path | None, _option(help="Folder for the runs; run again to resume.", metavar="DIR")
    ] = None

    def computed_by(self) -> tuple[str, int, str | None]:
        """Backend, number of processes and a scheduler's address; InvalidInput for a bad number."""
        number = self.workers.removeprefix("dask:")
        backend = "loky" if number == self.workers else "dask"
        if backend == "dask" and number and not number.lstrip("-").isdigit():
            return backend, 1, number
        return backend, checked_workers(whole_number("workers", number)), None

    def setting_and_time(self, usual: str) -> tuple[str, FixedDurations]:
        """The setting, and how long an evaluation of the uniform one takes, as a round."""
        from simulation.study.study import SETTINGS
        from simulation.world.evaluation_time import constant

        name, timed, time = (self.setting or usual).partition(":")
        if name not in SETTINGS or (timed and name != "uniform"):
            raise InvalidInput("setting", self.setting, f"use {', '.join(SETTINGS)}, or uniform:5")
        return name, constant(number("setting", time) if timed else _USUAL_TIME, 1)

    def random_rounds(self, setting: str = "uniform") -> int:
        """The random rounds that come first: at times of one's own no more than are needed."""
        if self.initial is not None:
            return self.initial
        return 1 if setting == "csv" else USUAL_INITIAL

    def own_rounds(self, left: int = USUAL_ROUNDS) -> int:
        """The rounds of the policy after them, of which `left` can be had."""
        return min(USUAL_ROUNDS, max(left, 1)) if self.rounds is None else self.rounds


@dataclass(frozen=True)
class DrawnStudyOptions(RunsOptions):
    """The studies behind the figures of the paper's experiments."""

    study: Annotated[
        Path | None,
        _option(
            help="Folder for the runs, as --out of simulate --experiment; run again to resume.",
            metavar="DIR",
        ),
    ] = None

    def of_runs(self, seeds: range, exploration: str) -> StudyOptions:
        """These as the options of a study."""
        same = {one.name: getattr(self, one.name) for one in fields(RunsOptions)}
        return StudyOptions(
            runs=len(seeds), seed=seeds.start, exploration=exploration, out=self.study, **same
        )

    def refuse(self, figure: str) -> None:
        """Raise InvalidInput where one is given for another figure, which would ignore it."""
        refuse(self, f"drop it: {figure} shows no such study")


READINGS = {
    "mean_time_noise": "yes: the mean of t in CTV-simple has the noise of t in it, as displayed; "
    "no: it is lower by the factor exp(noise/2)",
    "integral_noise": "yes: CTV integrates over a measured t, whose distribution is wider; no: "
    "over t without its noise, as in the paper",
    "round_length": "how long TV assumes a round to last: 1 forgets ε per round, the mean "
    "duration forgets it per second",
    "time_prior": "hyperparameters of log t: fixed at the next four, or ml, by maximum likelihood "
    "at the first round of the policy's own",
    "log_time_mean": "prior mean of log t; the average when the policy starts without it",
    "log_time_variance": "prior variance of log t",
    "log_time_lengthscale": "of the Matérn-5/2 kernel of log t",
    "log_time_noise": "noise variance that the model of log t assumes",
    "time_noise_variance": "noise in the log of the times that policies observe; the objective "
    "drifts by the true ones",
    "incumbent": "what EI improves on: observed, the best value so far, or mean, the best "
    "posterior mean now, which forgets",
    "c1": "of the exploration weight c1·log(c2·n)",
    "c2": "of the exploration weight c1·log(c2·n)",
    "flat_weight": "c₀ of flat-ucb: 1, or more, which the theorem asks for",
    "tune": "hyperparameters of every policy: none, the problem's; likelihood or posterior, "
    "refitted to its own run (posterior: 4 draws, averaged); cross-validation, the best of a grid "
    "on held-out seeds",
    "refit_every": "rounds between two of these fits",
    "time_nodes": "Gauss–Hermite nodes of CTV's integral",
}
"""What `--readings` takes, each with a sentence; the defaults are the paper's own reading."""

_YES_OR_NO = ("mean_time_noise", "integral_noise")
_WORDS = ("time_prior", "incumbent", "tune")
_WHOLE = ("refit_every", "time_nodes")


@dataclass(frozen=True)
class ReadingOptions:
    """Choices that the paper leaves open; the defaults are its own reading."""

    readings: Annotated[
        str | None,
        _reading(
            help=f"Comma list of NAME=VALUE for {', '.join(READINGS)} (docs/options.md).",
            metavar="NAME=VALUE,...",
        ),
    ] = None

    def chosen(self) -> Readings:
        """These choices as the simulator takes them; raises InvalidInput outside their domains."""
        from bounds.confidence.schedules import bogunovic_weight
        from simulation.model.time_model import TimeHyperparameters
        from simulation.policies.readings import MAXIMUM_LIKELIHOOD, Readings

        given = self.given()
        time_prior = given.pop("time_prior", _TIME_PRIORS[0])
        if time_prior not in _TIME_PRIORS:
            raise InvalidInput("time_prior", time_prior, f"use {', '.join(_TIME_PRIORS)}")
        of_time = {
            name.removeprefix("time model "): given.pop(short)
            for name, short in _NAMES_OF.items()
            if short in given
        }
        if time_prior == "ml" and of_time:
            name, value = next(iter(of_time.items()))
            short = _NAMES_OF[f"time model {name}"]
            raise InvalidInput(short, value, "drop it, or use time_prior=fixed")
        # Raises where no weight has these constants.
        bogunovic_weight(1, given.get("c1", Readings.c1), given.get("c2", Readings.c2))
        with named_as(_NAMES_OF):
            fixed = TimeHyperparameters(**of_time)
            prior = MAXIMUM_LIKELIHOOD if time_prior == "ml" else fixed
            return Readings(time_prior=prior, **given)

    def given(self) -> dict[str, Any]:
        """The readings that were given, by name; raises InvalidInput for what is none."""
        named = named_values("readings", self.readings, READINGS)
        return {name: _read(name, text) for name, text in named.items()}


def _read(name: str, text: str) -> Any:
    if name in _YES_OR_NO:
        return yes_or_no(name, text)
    if name in _WORDS:
        return text
    return whole_number(name, text) if name in _WHOLE else number(name, text)


def assumed_kernel(text: str, lengthscale: float) -> Kernel:
    """The space kernel of --model-kernel; raises InvalidInput that names this option."""
    from bounds.kernels import parse_kernel

    with named_as({"kernel": "model-kernel"}):
        return parse_kernel(text, lengthscale)


def specified(
    file: FileOptions, model: ModelOptions, options: StudyOptions, readings: ReadingOptions
) -> StudySpec:
    """The study that the options describe; raises InvalidInput where they contradict each other."""
    from bounds.times import EvaluationTimes
    from ctv.inputs import read_columns
    from simulation.study.study import StudySpec

    setting, each = options.setting_and_time("csv" if file.own else "uniform")
    file.check_file_options()
    read = file.read()
    if setting == "csv" and read is None:
        raise InvalidInput("times", "nothing", "the setting csv needs --times FILE.csv")
    if setting != "csv":
        came = (file.times or "given") if file.own else None
        for name, value in (("times", came), ("x", options.x)):
            if value is not None:
                raise InvalidInput(name, str(value), "drop it, or use --setting csv")
    times = read
    if times is None:
        times = EvaluationTimes.from_durations(each.durations, source=setting)
    initial = options.random_rounds(setting)
    points = None
    if options.x is not None and file.times is not None:
        points = read_columns(file.times, listed(options.x))
    assumed, named, improves = options.model_kernel, options.policy, options.exploration == EI
    return StudySpec(
        problem=(replace(model, domain=None) if model.on_box else model).problem(times),
        setting=setting,
        policies=listed(DEFAULT_POLICIES if named is None else named),
        seeds=options.runs,
        seed=options.seed,
        initial=initial,
        rounds=options.own_rounds() if read is None else options.own_rounds(read.n - initial),
        acquisition="ei" if improves else "ucb",
        exploration=StudyOptions.exploration if improves else options.exploration,
        model_kernel=None if assumed is None else assumed_kernel(assumed, model.lengthscale),
        readings=readings.chosen(),
        evaluation_time=float(each.durations[0]),
        inputs=points,
        box=model.on_box,
    )
