"""The options of a study, and the study that they describe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from bounds.errors import InvalidInput
from ctv.options.problem import FileOptions, ModelOptions
from simulation.policies.registry import names

if TYPE_CHECKING:
    from bounds.kernels import Kernel
    from simulation.policies.readings import Incumbent, Readings, Tuning
    from simulation.study.study import StudySpec

_option = partial(typer.Option, rich_help_panel="Study")
_drawn = partial(typer.Option, rich_help_panel="Figures of the paper's experiments")
_reading = partial(typer.Option, rich_help_panel="Where the paper leaves a choice")

DEFAULT_POLICIES = "ctv-fixed,random"
USUAL_INITIAL = 30
"""Random rounds of a study, as in the paper's experiments."""

USUAL_ROUNDS = 100
"""Rounds of the policy after them."""

_TIME_PRIORS = ("fixed", "ml")
_OPTIONS_OF = {
    "time model mean": "log-time-mean",
    "time model variance": "log-time-variance",
    "time model lengthscale": "log-time-lengthscale",
    "time model noise_variance": "log-time-noise",
    "round_length": "round-length",
    "time_noise_variance": "time-noise-variance",
    "time_nodes": "time-nodes",
}
"""What the simulator calls a choice, and its option on the command line."""


@dataclass(frozen=True)
class StudyOptions:
    """What is simulated, how often, and where it is kept."""

    experiment: Annotated[
        str | None,
        _option(
            help="The paper's own instead: comma list of figure-1, figure-2 and figure-ei, with "
            "a verdict on each of its sentences. --exploration and --model-kernel may be lists. "
            "Or tuned: stored runs with tuned hyperparameters, beside those.",
            metavar="LIST",
        ),
    ] = None
    setting: Annotated[
        str | None,
        _option(
            help="uniform (default: every evaluation takes the same time), biased (time depends "
            "on the point) or csv (the durations of --times in order; default with --times).",
            metavar="NAME",
        ),
    ] = None
    evaluation_time: Annotated[
        float | None,
        _option(help="Of the uniform setting (default 3).", metavar="NUMBER"),
    ] = None
    inputs: Annotated[
        str | None,
        _option(help="csv: columns with the points, for t(x) by regression.", metavar="X1,X2"),
    ] = None
    box: Annotated[
        bool,
        _option(
            "--box",
            help="Points anywhere in the box, not on its grid: statistics, no bounds.",
        ),
    ] = False
    policies: Annotated[
        str | None,
        _option(
            help=f"Comma list of {', '.join(names())} (default {DEFAULT_POLICIES}).",
            metavar="LIST",
        ),
    ] = None
    seeds: Annotated[int, _option(help="Runs of each policy.", metavar="WHOLE")] = 30
    seed: Annotated[int, _option(help="Seed of the first run.", metavar="WHOLE")] = 0
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
            help=f"Rounds of the policy, after them (default {USUAL_ROUNDS}, or as many as --times "
            "has).",
            metavar="WHOLE",
        ),
    ] = None
    acquisition: Annotated[str | None, _option(help="ucb (default) or ei.", metavar="NAME")] = None
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
            help="Space kernel that policies assume (default the objective's; with --experiment "
            "matern52, as in the paper, and `objective` for the objective's).",
            metavar="KERNEL",
        ),
    ] = None
    workers: Annotated[int, _option(help="Processes.", metavar="WHOLE")] = 1
    backend: Annotated[
        str,
        _option(help="loky, processes of this machine, or dask, of a cluster.", metavar="NAME"),
    ] = "loky"
    scheduler: Annotated[
        str | None,
        _option(
            help="dask: address of the scheduler (default: a cluster of --workers here).",
            metavar="ADDRESS",
        ),
    ] = None
    out: Annotated[
        Path | None, _option(help="Folder for the runs; run again to resume.", metavar="DIR")
    ] = None

    def random_rounds(self, setting: str = "uniform") -> int:
        """The random rounds that come first: at times of one's own no more than are needed."""
        if self.initial is not None:
            return self.initial
        return 1 if setting == "csv" else USUAL_INITIAL

    def own_rounds(self, left: int = USUAL_ROUNDS) -> int:
        """The rounds of the policy after them, of which `left` can be had."""
        return min(USUAL_ROUNDS, max(left, 1)) if self.rounds is None else self.rounds


@dataclass(frozen=True)
class DrawnStudyOptions:
    """The studies behind the figures of the paper's experiments."""

    initial: Annotated[
        int | None, _drawn(help="Random rounds that come first (default 30).", metavar="WHOLE")
    ] = None
    rounds: Annotated[
        int | None,
        _drawn(help="Rounds of the policy, after them (default 100).", metavar="WHOLE"),
    ] = None
    model_kernel: Annotated[
        str | None,
        _drawn(
            help="Space kernel that policies assume, `objective` for the objective's (default "
            "matern52, as in the paper).",
            metavar="KERNEL",
        ),
    ] = None
    workers: Annotated[int | None, _drawn(help="Processes (default 1).", metavar="WHOLE")] = None
    study: Annotated[
        Path | None,
        _drawn(
            help="Folder for the runs, as --out of simulate --experiment; run again to resume.",
            metavar="DIR",
        ),
    ] = None

    def of_runs(self, seeds: range, exploration: str) -> StudyOptions:
        """These as the options of a study."""
        names = ("initial", "rounds", "model_kernel", "workers")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        return StudyOptions(
            seeds=len(seeds), seed=seeds.start, exploration=exploration, out=self.study, **given
        )

    def refuse(self, figure: str) -> None:
        """Raise InvalidInput where one is given for another figure, which would ignore it."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                option = field.name.replace("_", "-")
                raise InvalidInput(option, str(value), f"drop it: {figure} shows no such study")


@dataclass(frozen=True)
class ReadingOptions:
    """Choices that the paper leaves open; the defaults are its own reading."""

    mean_time_noise: Annotated[
        bool,
        _reading(
            help="The mean of t in CTV-simple has the noise of t in it, as displayed; without, it "
            "is lower by the factor exp(noise/2)."
        ),
    ] = True
    integral_noise: Annotated[
        bool,
        _reading(
            help="CTV integrates over a measured t, whose law is wider; the display integrates "
            "over t without its noise."
        ),
    ] = False
    round_length: Annotated[
        float,
        _reading(
            help="Time that TV takes a round to last: 1 forgets ε per round, the mean duration "
            "forgets it per second.",
            metavar="NUMBER",
        ),
    ] = 1.0
    time_prior: Annotated[
        str,
        _reading(
            help="Hyperparameters of log t: fixed at the next four, or ml, by maximum likelihood "
            "at the first round of the policy's own.",
            metavar="NAME",
        ),
    ] = "fixed"
    log_time_mean: Annotated[
        float | None,
        _reading(
            help="Prior mean of log t (default the average when the policy starts).",
            metavar="NUMBER",
        ),
    ] = None
    log_time_variance: Annotated[
        float, _reading(help="Prior variance of log t.", metavar="NUMBER")
    ] = 1.0
    log_time_lengthscale: Annotated[
        float, _reading(help="Of the Matérn-5/2 kernel of log t.", metavar="NUMBER")
    ] = 0.2
    log_time_noise: Annotated[
        float, _reading(help="Noise variance that the model of log t assumes.", metavar="NUMBER")
    ] = 0.01
    time_noise_variance: Annotated[
        float,
        _reading(
            help="Noise in the log of the times that policies are told; the objective drifts by "
            "the true ones.",
            metavar="NUMBER",
        ),
    ] = 0.0
    incumbent: Annotated[
        str,
        _reading(
            help="What EI improves on: observed, the best so far, or mean, the best posterior mean "
            "now, which forgets.",
            metavar="NAME",
        ),
    ] = "observed"
    c1: Annotated[float, _reading(help="Of the weight c1·log(c2·n).", metavar="NUMBER")] = 0.8
    c2: Annotated[float, _reading(help="Of the weight c1·log(c2·n).", metavar="NUMBER")] = 4.0
    tune: Annotated[
        str,
        _reading(
            help="Hyperparameters of every policy: none, the problem's; likelihood or posterior, "
            "refitted to its own run (posterior: 4 draws, averaged); cross-validation, the best of "
            "a grid on held-out seeds.",
            metavar="NAME",
        ),
    ] = "none"
    refit_every: Annotated[
        int, _reading(help="Rounds between two fits of --tune.", metavar="WHOLE")
    ] = 5
    time_nodes: Annotated[
        int, _reading(help="Gauss–Hermite nodes of CTV's integral.", metavar="WHOLE")
    ] = 16

    def readings(self) -> Readings:
        """These choices as the simulator takes them; raises InvalidInput outside their domains."""
        from bounds.confidence.schedules import bogunovic_weight

        if self.time_prior not in _TIME_PRIORS:
            raise InvalidInput("time-prior", self.time_prior, f"use {', '.join(_TIME_PRIORS)}")
        fitted = self.time_prior == "ml"
        for field in fields(self):
            if fitted and field.name.startswith("log_time") and _given(self, field.name):
                option = field.name.replace("_", "-")
                value = getattr(self, field.name)
                raise InvalidInput(option, value, "drop it, or use --time-prior fixed")
        bogunovic_weight(1, self.c1, self.c2)  # raises where no weight has these constants
        with _named_as(_OPTIONS_OF):
            return self._chosen(fitted)

    def _chosen(self, fitted: bool) -> Readings:
        from simulation.model.time_model import TimeHyperparameters
        from simulation.policies.readings import MAXIMUM_LIKELIHOOD, Readings

        fixed = TimeHyperparameters(
            mean=self.log_time_mean,
            variance=self.log_time_variance,
            lengthscale=self.log_time_lengthscale,
            noise_variance=self.log_time_noise,
        )
        return Readings(
            mean_time_noise=self.mean_time_noise,
            integral_noise=self.integral_noise,
            round_length=self.round_length,
            time_prior=MAXIMUM_LIKELIHOOD if fitted else fixed,
            time_noise_variance=self.time_noise_variance,
            incumbent=cast("Incumbent", self.incumbent),  # which Readings checks
            c1=self.c1,
            c2=self.c2,
            time_nodes=self.time_nodes,
            tune=cast("Tuning", self.tune),  # which Readings checks
            refit_every=self.refit_every,
        )

    def given(self) -> dict[str, Any]:
        """Those that differ from the paper's reading."""
        return {f.name: getattr(self, f.name) for f in fields(self) if _given(self, f.name)}


def _given(options: Any, name: str) -> bool:
    """Whether an option differs from its default."""
    return bool(getattr(options, name) != getattr(type(options), name))


@contextmanager
def _named_as(options: Mapping[str, str]) -> Iterator[None]:
    """Let an error about a value name the option by which it was given."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(
            options.get(error.field, error.field), error.value, error.remedy
        ) from None


def assumed_kernel(text: str, lengthscale: float) -> Kernel:
    """The space kernel of --model-kernel; raises InvalidInput that names this option."""
    from bounds.kernels import parse_kernel

    with _named_as({"kernel": "model-kernel"}):
        return parse_kernel(text, lengthscale)


def specified(
    file: FileOptions, model: ModelOptions, options: StudyOptions, readings: ReadingOptions
) -> StudySpec:
    """The study that the options describe; raises InvalidInput where they contradict each other."""
    from bounds.times import EvaluationTimes
    from ctv.inputs import read_columns
    from simulation.study.study import SETTINGS, StudySpec
    from simulation.world.evaluation_time import constant

    setting = options.setting or ("csv" if file.own else "uniform")
    if setting not in SETTINGS:
        raise InvalidInput("setting", setting, f"use {', '.join(SETTINGS)}")
    file.check_file_options()
    read = file.read()
    if setting == "csv" and read is None:
        raise InvalidInput("times", "nothing", "the setting csv needs --times FILE.csv")
    if setting != "csv":
        came = (file.times or "given") if file.own else None
        for name, value in (
            ("times", came),
            ("inputs", options.inputs),
        ):
            if value is not None:
                raise InvalidInput(name, str(value), "drop it, or use --setting csv")
    if setting != "uniform" and options.evaluation_time is not None:
        raise InvalidInput(
            "evaluation-time", options.evaluation_time, "drop it, or use --setting uniform"
        )
    each = constant(3.0 if options.evaluation_time is None else options.evaluation_time, 1)
    times = read
    if times is None:
        times = EvaluationTimes.from_durations(each.durations, source=setting)
    initial = options.random_rounds(setting)
    points = None
    if options.inputs is not None and file.times is not None:
        points = read_columns(file.times, [name.strip() for name in options.inputs.split(",")])
    assumed, named = options.model_kernel, options.policies
    return StudySpec(
        problem=model.problem(times),
        setting=setting,
        policies=tuple(
            name.strip() for name in (DEFAULT_POLICIES if named is None else named).split(",")
        ),
        seeds=options.seeds,
        seed=options.seed,
        initial=initial,
        rounds=options.own_rounds() if read is None else options.own_rounds(read.n - initial),
        acquisition="ucb" if options.acquisition is None else options.acquisition,
        exploration=options.exploration,
        model_kernel=None if assumed is None else assumed_kernel(assumed, model.lengthscale),
        readings=readings.readings(),
        evaluation_time=float(each.durations[0]),
        inputs=points,
        box=options.box,
    )
