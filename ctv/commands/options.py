"""The options that commands share, each declared once, and how they become values.

A command takes `TimesOptions` and `ModelOptions` as parameters; the decorator `with_options` lays
their fields out as options of the command line and hands the command the filled-in values.
Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from bounds.errors import InvalidInput
from bounds.limits import LARGEST_N

if TYPE_CHECKING:
    from bounds.domain import Domain
    from bounds.problem import Problem
    from bounds.times import EvaluationTimes


"""Rounds of the longest sequence accepted; the arrays of one take some hundred megabytes."""

_DEFAULT_N, _DEFAULT_TOTAL = 130, 390.0
_RANDOM_SEQUENCES = ("exponential", "pareto")
_FAMILY_OPTIONS = {
    "n0": ("biased",),
    "ratio": ("geometric",),
    "power": ("power",),
    "bursts": ("bursts",),
    "gap": ("bursts", "periodic"),
    "tail": ("pareto",),
    "period": ("periodic",),
}
_FAMILY = "One family of --sequence"
_TIMES = "Evaluation times"
_MODEL = "Model"

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object and nothing else.", show_default=False)
]
Seed = Annotated[
    int, typer.Option(help="Seed of everything random.", metavar="WHOLE", rich_help_panel=_TIMES)
]


def _option(panel: str, help_text: str, metavar: str = "NUMBER") -> Any:
    return typer.Option(help=help_text, metavar=metavar, rich_help_panel=panel, show_default=True)


@dataclass(frozen=True)
class FileOptions:
    """Evaluation times from a file."""

    times: Annotated[
        Path | None,
        _option(_TIMES, "CSV with a column duration, duration_seconds, t, or tau.", "FILE.csv"),
    ] = None
    column: Annotated[str | None, _option(_TIMES, "Column of the file to use.", "NAME")] = None
    cumulative: Annotated[
        bool,
        typer.Option(
            "--cumulative", help="The column holds tau, not durations.", rich_help_panel=_TIMES
        ),
    ] = False

    def check_file_options(self) -> None:
        """Refuse what says how to read a file where there is none."""
        for option in ("column", "cumulative"):
            if self.times is None and getattr(self, option):
                raise InvalidInput(option, getattr(self, option), "name the file with --times")


@dataclass(frozen=True)
class TimesOptions(FileOptions):
    """Where the evaluation times come from: a file, or a family of sequences."""

    sequence: Annotated[
        str | None,
        _option(
            _TIMES,
            "uniform (default), biased, geometric, power, bursts, exponential, pareto, periodic.",
            "FAMILY",
        ),
    ] = None
    n: Annotated[
        int | None, _option(_TIMES, f"Rounds of the sequence (default {_DEFAULT_N}).", "WHOLE")
    ] = None
    total: Annotated[
        float | None, _option(_TIMES, f"Its total time (default {_DEFAULT_TOTAL:g}).")
    ] = None
    seed: Seed = 0
    n0: Annotated[
        int | None, _option(_FAMILY, "biased: the slow round (default n/2).", "WHOLE")
    ] = None
    ratio: Annotated[float | None, _option(_FAMILY, "geometric: t_{i+1}/t_i.")] = None
    power: Annotated[float | None, _option(_FAMILY, "power: p of t_i ~ i^p.")] = None
    bursts: Annotated[int | None, _option(_FAMILY, "bursts: how many.", "WHOLE")] = None
    gap: Annotated[float | None, _option(_FAMILY, "bursts, periodic: the short duration.")] = None
    tail: Annotated[float | None, _option(_FAMILY, "pareto: shape of the law.")] = None
    period: Annotated[int | None, _option(_FAMILY, "periodic: rounds of a period.", "WHOLE")] = None

    @property
    def used_seed(self) -> int | None:
        """The seed, where the sequence is random; otherwise None."""
        return self.seed if self.times is None and self.sequence in _RANDOM_SEQUENCES else None

    def given(self) -> dict[str, Any]:
        """The options that shape this sequence, beyond its length and total time."""
        names = ("column", *_FAMILY_OPTIONS)
        chosen = {name: value for name in names if (value := getattr(self, name)) is not None}
        return {**chosen, "cumulative": True} if self.cumulative else chosen

    def evaluation_times(self) -> EvaluationTimes:
        """Read or build the sequence; raises InvalidInput where options contradict each other."""
        from ctv.inputs import read_times

        self._check_belonging()
        if self.times is not None:
            return read_times(self.times, self.column, cumulative=self.cumulative)
        return self._sequence()

    def _check_belonging(self) -> None:
        """Refuse options that would be ignored."""
        from_file = self.times is not None
        name = self.sequence or "uniform"
        for option in ("sequence", "n", "total"):
            if from_file and getattr(self, option) is not None:
                raise InvalidInput(option, getattr(self, option), "drop it, or drop --times")
        self.check_file_options()
        for option, families in _FAMILY_OPTIONS.items():
            if getattr(self, option) is not None and (from_file or name not in families):
                belongs = " or ".join(f"--sequence {family}" for family in families)
                raise InvalidInput(option, getattr(self, option), f"drop it: it needs {belongs}")

    def _sequence(self) -> EvaluationTimes:
        import numpy as np

        from bounds.times import Family, sequence

        n = _DEFAULT_N if self.n is None else self.n
        if not 1 <= n <= LARGEST_N:
            raise InvalidInput("n", n, f"give between 1 and {LARGEST_N} rounds")
        if self.seed < 0:
            raise InvalidInput("seed", self.seed, "give a whole number of at least 0")
        given = {k: v for k in _FAMILY_OPTIONS if (v := getattr(self, k)) is not None}
        family = Family(
            n=n,
            total=_DEFAULT_TOTAL if self.total is None else self.total,
            rng=np.random.default_rng(self.seed),
            **given,
        )
        return sequence(self.sequence or "uniform", family)


@dataclass(frozen=True)
class ModelOptions:
    """Kernels, noise, domain and confidence level."""

    epsilon: Annotated[float, _option(_MODEL, "Forgetting rate in [0, 1).")] = 0.01
    time_kernel: Annotated[
        str, _option(_MODEL, "forgetting, exponential, se or matern:NU.", "KERNEL")
    ] = "forgetting"
    time_lengthscale: Annotated[
        float | None, _option(_MODEL, "Of every time kernel but forgetting.")
    ] = None
    kernel: Annotated[
        str, _option(_MODEL, "se, matern12, matern32, matern52 or matern:NU.", "KERNEL")
    ] = "se"
    lengthscale: Annotated[float, _option(_MODEL, "Of the space kernel.")] = 0.2
    noise_variance: Annotated[float, _option(_MODEL, "Of one observation.")] = 0.01
    dimension: Annotated[int, _option(_MODEL, "Of the box [0, side]^d.", "WHOLE")] = 2
    side: Annotated[float, _option(_MODEL, "Of the box.")] = 1.0
    grid: Annotated[int, _option(_MODEL, "Points per axis of the grid in it.", "WHOLE")] = 50
    points: Annotated[
        Path | None, _option(_MODEL, "CSV of points to search over, one a row, for the grid.")
    ] = None
    arms: Annotated[
        int | None, _option(_MODEL, "Number of independent arms, for the grid.", "WHOLE")
    ] = None
    delta: Annotated[float, _option(_MODEL, "Bounds on regret hold with 1 - delta.")] = 0.1

    def problem(self, times: EvaluationTimes) -> Problem:
        """The problem with these times; raises InvalidInput for a value outside its domain."""
        from bounds.kernels import parse_kernel, parse_time_kernel
        from bounds.problem import Problem

        return Problem(
            times,
            epsilon=self.epsilon,
            time_kernel=parse_time_kernel(self.time_kernel, self.epsilon, self.time_lengthscale),
            space_kernel=parse_kernel(self.kernel, self.lengthscale),
            noise_variance=self.noise_variance,
            domain=self.domain(),
            delta=self.delta,
        )

    def domain(self) -> Domain:
        """The grid, the points of a file, or arms; InvalidInput where two of them are asked for."""
        from bounds.domain import Arms, Grid, read_points

        if self.points is None and self.arms is None:
            return Grid(self.dimension, self.side, self.grid)
        own = "points" if self.points is not None else "arms"
        if self.points is not None and self.arms is not None:
            raise InvalidInput("arms", self.arms, "drop it: --points has the domain")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("dimension", "side", "grid") and value != field.default:
                raise InvalidInput(field.name, value, f"drop it: --{own} has the domain")
        return Arms(self.arms or 0) if self.points is None else read_points(self.points)


@dataclass(frozen=True)
class Given:
    """The options that the command line names, those at their default values too.

    A command that has a parameter of this type is told them by `with_options`.
    """

    names: frozenset[str]

    def refuse_for_study(self, *groups: Any, kept: tuple[str, ...] = ()) -> None:
        """Raise InvalidInput for an option of these groups where a study is read, unless kept."""
        for group in groups:
            for field in fields(group):
                if field.name in self.names and field.name not in kept:
                    option = field.name.replace("_", "-")
                    value = getattr(group, field.name)
                    raise InvalidInput(option, str(value), "drop it: a study knows its own")

    def refuse_for_log(self, *groups: Any) -> None:
        """Raise InvalidInput for an option of these groups where the prior is not known."""
        for group in groups:
            for field in fields(group):
                if field.name in self.names and field.name not in ("data", "paths", "seed"):
                    option = field.name.replace("_", "-")
                    remedy = "drop it: with --fit, --prior or --hyperprior use --x, --y, --duration"
                    raise InvalidInput(option, str(getattr(group, field.name)), remedy)

    def refuse_without_fit(self, group: Any) -> None:
        """Raise InvalidInput for an option of this group where the prior is that of the options."""
        for field in fields(group):
            if field.name in self.names:
                option = field.name.replace("_", "-")
                remedy = "drop it, or say where the prior comes from: --fit or --prior FILE"
                raise InvalidInput(option, str(getattr(group, field.name)), remedy)


def as_command(name: str, *groups: Any, **others: Any) -> str:
    """The command line that gives these values, leaving out what is at its default.

    >>> as_command("bound", TimesOptions(n=20), ModelOptions(epsilon=0.0), out="my out")
    "ctv bound --n 20 --epsilon 0.0 --out 'my out'"
    """
    words = ["ctv", name]
    given = [
        (field.name, getattr(group, field.name))
        for group in groups
        for field in fields(group)
        if getattr(group, field.name) != field.default
    ]
    for option, value in [*given, *others.items()]:
        words.append("--" + option.replace("_", "-"))
        words += [] if value is True else [str(value)]
    return shlex.join(words)


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Lay out option groups as options, and read numbers here rather than in typer.

    Numbers reach typer as text, so that a bad one can be named together with its value in the one
    line that the command line promises.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type] = {}
    options: dict[str, inspect.Parameter] = {}
    told = next((name for name, hint in hints.items() if hint is Given), None)
    for name, parameter in inspect.signature(command).parameters.items():
        if name == told:
            continue
        if is_dataclass(hints[name]):
            groups[name] = hints[name]
            group_hints = get_type_hints(hints[name], include_extras=True)
            for field in fields(hints[name]):
                options[field.name] = _keyword(field.name, group_hints[field.name], field.default)
        else:
            options[name] = _keyword(name, hints[name], parameter.default)
    shown = {name: _as_text(parameter) for name, parameter in options.items()}
    if told is not None:
        shown[told] = _keyword(told, typer.Context, inspect.Parameter.empty)

    @wraps(command)
    def laid_out(**given: Any) -> None:
        if told is not None:
            context = given.pop(told)
        values = {name: _read(name, options[name], value) for name, value in given.items()}
        filled = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        if told is not None:
            filled[told] = Given(_named(context))
        command(**filled, **values)

    # typer reads the signature; `wraps` has copied the one with the groups in it.
    laid_out.__signature__ = inspect.Signature(list(shown.values()))  # type: ignore[attr-defined]
    laid_out.__annotations__ = {name: p.annotation for name, p in shown.items()}
    return laid_out


def _named(context: typer.Context) -> frozenset[str]:
    """The options that the words of the command line name."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(n for n, s in sources.items() if s is not None and s.name == "COMMANDLINE")


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _number_type(parameter: inspect.Parameter) -> type | None:
    """int or float, where the option holds a number."""
    base = get_args(parameter.annotation)[0]
    types = get_args(base) if get_origin(base) is UnionType else (base,)
    return next((t for t in types if t in (int, float)), None)


def _as_text(parameter: inspect.Parameter) -> inspect.Parameter:
    if _number_type(parameter) is None:
        return parameter
    _, *extras = get_args(parameter.annotation)
    optional = parameter.default is None
    base = str | None if optional else str
    default = parameter.default if optional else f"{parameter.default:g}"
    return parameter.replace(annotation=Annotated[base, *extras], default=default)


def _read(name: str, parameter: inspect.Parameter, value: Any) -> Any:
    kind = _number_type(parameter)
    if kind is None or value is None:
        return value
    field = name.replace("_", "-")
    if kind is int:
        return whole_number(field, value)
    try:
        return float(value)
    except ValueError:
        raise InvalidInput(field, value or "''", "give a number") from None


def whole_number(field: str, text: str) -> int:
    """The whole number that `text` is; 1e6 is one too."""
    try:
        # Digits are read as they are: a float would round a long number.
        return int(text) if text.strip().lstrip("+-").isdigit() else _whole(float(text))
    except (ValueError, OverflowError):
        raise InvalidInput(field, text or "''", "give a whole number") from None


def whole_numbers(field: str, text: str) -> list[int]:
    """The whole numbers of a comma list.

    >>> whole_numbers("m", "10,20")
    [10, 20]
    """
    return [whole_number(field, part.strip()) for part in text.split(",")]


def _whole(number: float) -> int:
    if number != int(number):
        raise ValueError(number)
    return int(number)
