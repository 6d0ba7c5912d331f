"""The options that commands share, each declared once, and how they become values.

A command takes `TimesOptions` and `ModelOptions` as parameters; `ctv.terminal.command` lays their
fields out as options. Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Container, Iterator
from dataclasses import dataclass, field, fields, replace
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from bounds.limits import LARGEST_N
from ctv.options.named_values import listed, named_values, number

if TYPE_CHECKING:
    from bounds.domain import Domain as Space
    from bounds.domain import Grid
    from bounds.kernels import Kernel
    from bounds.problem import Problem
    from bounds.times import EvaluationTimes

_DEFAULT_N, _DEFAULT_TOTAL = 130, 390.0
_RANDOM_SEQUENCES = ("exponential", "pareto")
_SHAPES: dict[str, tuple[str, ...]] = {
    "biased": ("n0",),
    "geometric": ("ratio",),
    "power": ("power",),
    "bursts": ("bursts", "gap"),
    "pareto": ("tail",),
    "periodic": ("period", "gap"),
}
"""What `--sequence NAME:KEY=VALUE,…` takes for each family."""
_WHOLE_SHAPES = ("n0", "bursts", "period")
_LENGTHSCALE = re.compile(r"(.*?)(?:[:,]lengthscale=(.*))?", re.DOTALL)
_TIMES = "Evaluation times"
_MODEL = "Model"

WITHOUT_VALUE = {"symbolic": "text"}
"""Options that may be given alone, and what they hold then."""

LARGEST_WORKERS = 1_024
"""Processes that may be asked for."""

Seed = Annotated[int, typer.Option(help="Seed of everything random.", metavar="WHOLE")]


def _option(panel: str, help_text: str, metavar: str = "NUMBER") -> Any:
    return typer.Option(help=help_text, metavar=metavar, rich_help_panel=panel, show_default=True)


Duration = Annotated[
    str | None,
    _option(
        _TIMES,
        "Column of the time that each row took; equal for a log of trials without times, which "
        "took one unit each.",
        "NAME|equal",
    ),
]
End = Annotated[
    str | None, _option(_TIMES, "Column of the times at which evaluations ended (tau).", "NAME")
]


@dataclass(frozen=True)
class FileOptions:
    """Evaluation times from a file."""

    times: Annotated[
        Path | None,
        _option(_TIMES, "CSV with a column duration, duration_seconds, t, or tau.", "FILE.csv"),
    ] = None
    duration: Duration = None
    end: End = None

    given_times: Any = field(default=None, repr=False, metadata={"option": False})
    """`EvaluationTimes` that came from Python in place of a file."""

    @property
    def own(self) -> bool:
        """Whether the times are those of a file or a list, not of a family of sequences."""
        return self.times is not None or self.given_times is not None

    def check_file_options(self) -> None:
        """Refuse what says how to read a file where there is none."""
        for option in ("duration", "end"):
            if self.times is None and getattr(self, option) is not None:
                raise InvalidInput(option, getattr(self, option), "name the file with --times")

    def column(self) -> dict[str, Any]:
        """The column that was named, for a JSON object."""
        if self.end is not None:
            return {"column": self.end, "cumulative": True}
        return {} if self.duration is None else {"column": self.duration}

    def read(self, unit: str = "s") -> EvaluationTimes | None:
        """The times of the file in this unit, or those given; None where there are none."""
        from ctv.inputs import read_times

        if self.times is None:
            return self.given_times  # type: ignore[no-any-return]
        return read_times(self.times, self.duration, end=self.end, unit=unit)


@dataclass(frozen=True)
class TimesOptions(FileOptions):
    """Where the evaluation times come from: a file, or a family of sequences."""

    sequence: Annotated[
        str | None,
        _option(
            _TIMES,
            "uniform (default), biased:n0=ROUND, geometric:ratio=R, power:power=P, "
            "bursts:bursts=COUNT,gap=SHORT, exponential, pareto:tail=SHAPE, "
            "periodic:period=ROUNDS,gap=SHORT; what follows the colon may be left out. With "
            "--symbolic also durations in symbols of your own: a,b,a+b.",
            "FAMILY[:KEY=VALUE,…]|LIST",
        ),
    ] = None
    n: Annotated[
        int | None, _option(_TIMES, f"Rounds of the sequence (default {_DEFAULT_N}).", "WHOLE")
    ] = None
    total: Annotated[
        float | None, _option(_TIMES, f"Its total time (default {_DEFAULT_TOTAL:g}).")
    ] = None
    seed: Seed = 0

    @property
    def family(self) -> str:
        """The name of the family, without what shapes it."""
        return (self.sequence or "uniform").partition(":")[0]

    @property
    def shape(self) -> dict[str, int | float]:
        """What shapes the family, by name; raises InvalidInput for what does not belong to it."""
        _, colon, text = (self.sequence or "").partition(":")
        named = named_values("sequence", text, _SHAPES.get(self.family, ()))
        if colon and not named:
            raise InvalidInput("sequence", self.sequence, "write FAMILY:KEY=VALUE, or FAMILY alone")
        return {
            name: whole_number(name, value) if name in _WHOLE_SHAPES else number(name, value)
            for name, value in named.items()
        }

    @property
    def shaped(self) -> bool:
        """Whether anything at all was said of the times."""
        return self.own or any(
            getattr(self, name) is not None for name in ("sequence", "n", "total")
        )

    @property
    def used_seed(self) -> int | None:
        """The seed, where the sequence is random; otherwise None."""
        return self.seed if self.family in _RANDOM_SEQUENCES else None

    def given(self) -> dict[str, Any]:
        """What shapes this sequence, beyond its length and total time."""
        return {**self.shape, **self.column()}

    def evaluation_times(self, unit: str = "s") -> EvaluationTimes:
        """Read or build the sequence; raises InvalidInput where options contradict each other."""
        self._check_belonging()
        read = self.read(unit)
        return self._sequence() if read is None else read

    def _check_belonging(self) -> None:
        """Refuse options that would be ignored."""
        for option in ("sequence", "n", "total"):
            if self.own and getattr(self, option) is not None:
                raise InvalidInput(option, getattr(self, option), "drop it, or drop --times")
        self.check_file_options()

    def _sequence(self) -> EvaluationTimes:
        import numpy as np

        from bounds.times import Family, sequence

        n = _DEFAULT_N if self.n is None else self.n
        if not 1 <= n <= LARGEST_N:
            raise InvalidInput("n", n, f"give between 1 and {LARGEST_N} rounds")
        family = Family(
            n=n,
            total=_DEFAULT_TOTAL if self.total is None else self.total,
            rng=np.random.default_rng(checked_seed(self.seed)),
            **self.shape,  # type: ignore[arg-type]
        )
        return sequence(self.family, family)


Epsilon = Annotated[float, _option(_MODEL, "Forgetting rate in [0, 1).")]
NoiseVariance = Annotated[float, _option(_MODEL, "Variance of the noise of one observation.")]
Lengthscale = Annotated[float, _option(_MODEL, "Lengthscale of the space kernel.")]
Dimension = Annotated[int, _option(_MODEL, "Dimension of the domain [0, side]^d.", "WHOLE")]
Delta = Annotated[float, _option(_MODEL, "Failure probability of the bounds on regret.")]
KernelName = Annotated[
    str, _option(_MODEL, "se, matern12, matern32, matern52 or matern:NU, e.g. 7/2.", "KERNEL")
]


@dataclass(frozen=True)
class DriftOptions:
    """How the objective forgets, and the noise of what is seen of it."""

    epsilon: Epsilon = 0.01
    half_life: Annotated[
        str | None,
        _option(
            _MODEL,
            "Half-life of what is known, in place of --epsilon: 30min, for times in seconds.",
            "TIME",
        ),
    ] = None
    time_kernel: Annotated[
        str,
        _option(
            _MODEL,
            "forgetting; or exponential, se or matern:NU, such as se:lengthscale=30, by default of "
            "the slope of --epsilon.",
            "KERNEL[:lengthscale=L]",
        ),
    ] = "forgetting"
    noise_variance: NoiseVariance = 0.01

    def kernel_in_time(self) -> Kernel:
        """The time kernel; raises InvalidInput for one that does not exist."""
        from bounds.kernels import parse_time_kernel

        family, text = _LENGTHSCALE.fullmatch(self.time_kernel).groups()  # type: ignore[union-attr]
        lengthscale = None if text is None else number("time-kernel", text)
        return parse_time_kernel(family, self.forgetting_rate(), lengthscale)

    def assumed_half_life(self, times: FileOptions, given: Given) -> float | None:
        """The half-life of the default ε at times of one's own, where nothing was said of drift.

        In the unit of the times; None where ε, a half-life, a time kernel or a problem was given.
        """
        said = ("epsilon", "half_life", "time_kernel")
        if not times.own or given.names & set(said):
            return None
        from bounds.kernels.base import half_life

        return half_life(self.epsilon)

    def forgetting_rate(self) -> float:
        """ε, or that of the half-life; InvalidInput where both are given or ε would round to 1."""
        if self.half_life is None:
            return self.epsilon
        from bounds.time_text import parse_half_life, rate_of_half_life

        if self.epsilon != DriftOptions.epsilon:
            raise InvalidInput("half-life", self.half_life, "drop it, or drop --epsilon")
        seconds = parse_half_life(self.half_life)
        rate = rate_of_half_life(seconds)
        if not rate < 1.0:
            lengthscale = seconds / log(2.0)
            remedy = "its epsilon rounds to 1: use --time-kernel exponential:lengthscale="
            raise InvalidInput("half-life", self.half_life, f"{remedy}{lengthscale:.4g}")
        return rate


Domain = Annotated[
    str | None,
    _option(
        _MODEL,
        "In place of the grid: points, one a row; so many of the Sobol sequence; independent arms; "
        "or the whole box (gain: se, matern32, matern52, minutes; simulate: statistics, no "
        "bounds). Of a log the ranges of its inputs, as in ctv fit.",
        "FILE.csv|sobol:N|arms:K|box|RANGES",
    ),
]


@dataclass(frozen=True)
class ModelOptions(DriftOptions):
    """Kernels, noise, domain and confidence level."""

    kernel: KernelName = "se"
    lengthscale: Lengthscale = 0.2
    dimension: Dimension = 2
    side: Annotated[float, _option(_MODEL, "Side of the domain.")] = 1.0
    grid: Annotated[
        int | None,
        _option(
            _MODEL,
            "Points per axis of the grid of the domain (default 50; from three axes on, at most "
            "2,500 points in all).",
            "WHOLE",
        ),
    ] = None
    domain: Domain = None
    delta: Delta = 0.1
    given_problem: Any = field(default=None, repr=False, metadata={"option": False})
    """A whole `Problem` that came from Python in place of these."""
    given_kernel: Any = field(default=None, repr=False, metadata={"option": False})
    """A `ReadKernel`: a kernel object that came from Python in place of its name."""
    given_points: Any = field(default=None, repr=False, metadata={"option": False})
    """(N, d) points that came from Python in place of a file of them."""

    def problem(self, times: EvaluationTimes) -> Problem:
        """The problem with these times; raises InvalidInput for a value outside its domain."""
        if self.given_problem is not None:
            return replace(self.given_problem, times=times)  # type: ignore[no-any-return]
        from bounds.problem import Problem

        space, domain, noise = self._over_space()
        return Problem(
            times,
            epsilon=self.forgetting_rate(),
            time_kernel=self.kernel_in_time(),
            space_kernel=space,
            noise_variance=noise,
            domain=domain,
            delta=self.delta,
        )

    def _over_space(self) -> tuple[Kernel, Space, float]:
        """Kernel, domain and noise variance in units in which the kernel has variance 1."""
        from bounds.domain import Points
        from bounds.kernels import parse_kernel

        given = self.given_kernel
        if given is None:
            named = parse_kernel(self.kernel, self.lengthscale)
            return named, self.searched(), self.noise_variance
        noise = (self.noise_variance + given.noise) / given.variance
        domain = self.searched()
        if self.given_points is None:
            return given.at_lengthscale(), domain, noise
        kernel, points = given.scaled(self.given_points)
        return kernel, Points(points), noise

    def assumed_half_life(self, times: FileOptions, given: Given) -> float | None:
        return None if self.given_problem is not None else super().assumed_half_life(times, given)

    @property
    def on_box(self) -> bool:
        """Whether points are anywhere in the box."""
        return self.domain == "box"

    @property
    def has_ranges(self) -> bool:
        """Whether `--domain` gives ranges of the inputs of a log."""
        return re.search(r"=|\s(log|int)\b", self.domain or "") is not None

    def searched(self) -> Space:
        """The grid, points or arms; InvalidInput where two of them are asked for."""
        from bounds.domain import Arms, Points, read_points, sobol_points

        said = "X" if self.given_points is not None else self.domain
        if said is None:
            return self.whole_grid()
        kind, _, count = said.partition(":")
        own = () if kind == "sobol" else ("dimension", "side")
        for name in ("grid", *(own if self.given_points is None else ("domain",))):
            value = getattr(self, name)
            if value != getattr(ModelOptions, name):
                raise InvalidInput(name, value, f"drop it: {kind} says what the domain is")
        if self.given_points is not None:
            return Points(self.given_points)
        if self.on_box:
            raise InvalidInput("domain", "box", "drop it: ctv gain and ctv simulate have it")
        if kind == "sobol":
            return sobol_points(whole_number("domain", count), self.dimension, self.side)
        if kind == "arms":
            return Arms(whole_number("domain", count))
        if self.has_ranges and not Path(said).exists():
            raise InvalidInput("domain", said, "ranges are for a log; give FILE.csv or sobol:N")
        return read_points(Path(said))

    def whole_grid(self) -> Grid:
        """The grid of these options, of whatever size the dimension leaves room for."""
        from bounds.domain import Grid, usual_grid

        per_axis = usual_grid(self.dimension) if self.grid is None else self.grid
        return Grid(self.dimension, self.side, per_axis)


@dataclass(frozen=True)
class Given:
    """The options that the command line names, those at their default values too.

    A command that has a parameter of this type is told them by `with_options`.
    """

    names: frozenset[str]

    def refuse(self, remedy: str, *groups: Any, kept: Container[str] = ()) -> None:
        """Raise InvalidInput for an option of these groups that is named, unless kept."""
        for group in groups:
            for one in fields(group):
                if one.name in self.names and one.name not in kept:
                    value = getattr(group, one.name)
                    raise InvalidInput(one.name.replace("_", "-"), str(value), remedy)


NOTHING_GIVEN = Given(frozenset())
"""Of a call from Python that says nothing of options."""


def as_command(name: str, *groups: Any, **others: Any) -> str:
    """The command line that gives these values, leaving out what is at its default.

    What came from Python and no command line can give is named.

    >>> as_command("bound", TimesOptions(n=20), ModelOptions(epsilon=0.0), out="my out")
    "ctv bound --n 20 --epsilon 0.0 --out 'my out'"
    """
    words = ["ctv", *name.split()]
    given = [option for group in groups for option in chosen(group).items()]
    given += [(name, f"the {name} given in Python") for group in groups for name in _objects(group)]
    for option, value in [*given, *others.items()]:
        words.append("--" + option.replace("_", "-"))
        words += [] if value is True else [str(value)]
    return shlex.join(words)


def chosen(group: Any) -> dict[str, Any]:
    """The options of a group that are not at their default, by name.

    >>> chosen(TimesOptions(n=20))
    {'n': 20}
    """
    return {
        one.name: value
        for one in fields(group)
        if one.metadata.get("option", True) and (value := getattr(group, one.name)) != one.default
    }


def refuse(group: Any, remedy: str, kept: Container[str] = ()) -> None:
    """Raise InvalidInput for an option of a group that is not at its default, unless kept."""
    for one in fields(group):
        value = getattr(group, one.name)
        if one.name not in kept and value != one.default:
            option = one.name.removeprefix("given_").replace("_", "-")
            raise InvalidInput(option, str(value), remedy)


def _objects(group: Any) -> Iterator[str]:
    """What the options of a group are that hold an object of Python: `times`, `kernel`, …"""
    for one in fields(group):
        if not one.metadata.get("option", True) and getattr(group, one.name) is not None:
            yield one.name.removeprefix("given_")


def whole_number(field: str, text: str) -> int:
    """The whole number that `text` is; 1e6 is one too."""
    try:
        # Digits are read as they are: a float would round a long number.
        plain = text.strip().lstrip("+-").isdigit()
        return int(text) if plain else _whole(float(text))
    except (ValueError, OverflowError):
        raise InvalidInput(field, text or "''", "give a whole number") from None


def checked_seed(seed: int) -> int:
    """The seed; raises InvalidInput for a negative one."""
    if seed < 0:
        raise InvalidInput("seed", seed, "give a whole number of at least 0")
    return seed


def checked_workers(workers: int) -> int:
    """The number of processes; raises InvalidInput for none and for more than any machine runs."""
    if not 1 <= workers <= LARGEST_WORKERS:
        raise InvalidInput("workers", workers, f"give between 1 and {LARGEST_WORKERS}")
    return workers


def whole_numbers(field: str, text: str) -> list[int]:
    """The whole numbers of a comma list.

    >>> whole_numbers("m", "10,20")
    [10, 20]
    """
    return [whole_number(field, part) for part in listed(text)]


def _whole(number: float) -> int:
    if number != int(number):
        raise ValueError(number)
    return int(number)


def made_from(problem: Problem, times: TimesOptions) -> dict[str, Any]:
    """`problem`, `version` and, where the sequence is random, `seed`, for a JSON object."""
    from ctv.show.plain import echo, project_version

    origin = {"problem": {**echo(problem), **times.given()}, "version": project_version()}
    return origin if times.used_seed is None else {**origin, "seed": times.used_seed}
