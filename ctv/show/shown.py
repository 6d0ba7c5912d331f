"""What every command returns: a value that knows its JSON, its screen, its table, its picture."""

from __future__ import annotations

import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from ctv.show.axis import NumberLine
from ctv.show.plain import plain, project_version
from ctv.show.rounding import counted, digits
from ctv.show.sheet import Sheet, say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.kernels import Kernel
    from bounds.problem import Problem
    from bounds.progress import Stage

WIDTH = 80
"""Columns of a screen whose width is not known."""

WIDEST = 100
"""Columns that a line takes at most."""

Block = str | Sheet | NumberLine


@dataclass(frozen=True)
class Later:
    """A block behind the first screen that is made when it is read; `title` is that of its table.

    Most people do not read it, and what it shows takes time.
    """

    title: str
    made: Callable[[], Block]


@dataclass(frozen=True)
class Screen:
    """Sentences and tables in order: what comes first, and what `--all` adds.

    Text that is `verbatim` is for another program: it is not wrapped.
    """

    first: tuple[Block, ...]
    rest: tuple[Block | Later, ...] = ()
    verbatim: bool = False

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All of them."""
        made = (block.made() if isinstance(block, Later) else block for block in self.rest)
        return (*self.first, *made)

    def print(self, *, everything: bool = True) -> None:
        """Print it on standard output, as wide as the terminal is."""
        from rich.console import Console

        class Terminal(Console):
            """One that leaves a reader who has gone to the frame of the command line."""

            def on_broken_pipe(self) -> None:
                raise BrokenPipeError

        columns = shutil.get_terminal_size((WIDTH, 24)).columns
        console = Terminal(width=max(20, min(WIDEST, columns)), highlight=False)
        for block in self.blocks if everything else self.first:
            if not isinstance(block, str):
                block.print_to(console)
            elif self.verbatim:
                print(block)
            else:
                say(console, block)
        left_out = [b.title for b in self.rest if isinstance(b, Sheet | Later) and b.title]
        if self.rest and not everything:
            named = f": {'; '.join(left_out)}" if left_out else ""
            say(console, f"More with --all{named}.")

    def text(self, width: int = WIDTH) -> str:
        """What comes first, as text."""
        from io import StringIO

        from rich.console import Console

        said = StringIO()
        console = Console(file=said, width=width, highlight=False, color_system=None)
        for block in self.first:
            if not isinstance(block, str):
                block.print_to(console)
            elif self.verbatim:
                print(block, file=said)
            else:
                say(console, block)
        return "\n".join(line.rstrip() for line in said.getvalue().splitlines())

    def html(self) -> str:
        """All of it as HTML."""
        tag = "pre" if self.verbatim else "p"
        return "\n".join(
            f"<{tag}>{escape(block, quote=False)}</{tag}>"
            if isinstance(block, str)
            else block.html()
            for block in self.blocks
        )


class Shown(ABC):
    """A value that a command computes and prints, and that a notebook displays."""

    format: ClassVar[str]
    """What its JSON object is, and a version that changes when a key changes its meaning or goes:
    docs/formats.schema.json describes each."""

    warnings: tuple[str, ...] = ()
    """What speaks against relying on it, for standard error."""

    @abstractmethod
    def parts(self) -> Mapping[str, Any]:
        """What the JSON object holds, before NaN and infinity become null."""

    @abstractmethod
    def screen(self) -> Screen:
        """What the command prints."""

    @abstractmethod
    def headline(self) -> str:
        """The value in a few words."""

    def exit_code(self) -> int:
        """0, or 1 where a verdict or check failed."""
        return 0

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the command, of plain types only; its `format` comes first."""
        named = {"format": self.format}
        data = plain(named | dict(self.parts()) | named)
        assert isinstance(data, dict)
        data.setdefault("version", project_version())
        return data

    def continued(self, advance: Stage) -> Shown | None:
        """The same with what takes longer than its first screen; None where nothing does.

        The command line prints the first screen, then `news()` of this; JSON has all of it.
        """
        return None

    def news(self) -> Screen:
        """What `continued` found, for below the first screen."""
        return Screen(())

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), allow_nan=False, ensure_ascii=False, indent=indent)

    def summary(self) -> str:
        """What the command prints first, as text of 80 columns."""
        return self.screen().text()

    def to_frame(self) -> Any:
        """Its first table as a pandas DataFrame, numbers as numbers."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_frame() needs pandas: pip install 'ctv-bounds[data]'") from None
        from io import StringIO

        return pandas.read_csv(StringIO(self.table().csv()))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = [one for one in dir(self) if not one.startswith("_") and one != "format"]
        same = (
            one
            for one, words in _MEANT.items()
            if one.partition(".")[0].removesuffix("()") in known and name.lower() in words
        )
        close = [*same, *get_close_matches(name, known, 1, 0.65)]
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(known)}"
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}: {hint}")

    def table(self) -> Sheet:
        """Its first table."""
        return next(block for block in self.screen().blocks if isinstance(block, Sheet))

    def plot(self) -> Figure:
        """Its picture; raises NotImplementedError where it has none."""
        raise NotImplementedError(f"{type(self).__name__} has no picture")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline()}>"

    def _repr_html_(self) -> str:
        return self.screen().html()


_MEANT = {
    "best.certified": ("certified", "is_certified"),
    "best.partition.lengths": ("lengths", "sizes"),
    "bounds.report.beta": ("beta",),
    "bounds.report.gains": ("additive", "gains", "refined", "theorem1", "trivial"),
    "bounds.rows": ("rows",),
    "ladder.loosest": ("loosest",),
    "ladder.steps": ("factors", "steps"),
    "plot()": ("draw", "fig", "figure", "show"),
    "problem": ("config", "model", "parameters", "params", "settings"),
    "problem.delta": ("confidence", "delta", "level"),
    "problem.epsilon": ("epsilon", "eps", "forgetting"),
    "problem.noise_variance": ("noise", "noise_variance", "sigma2"),
    "problem.times": ("durations", "tau", "times"),
    "problem.times.total_time": ("total", "total_time"),
    "summary()": ("describe", "explain", "info", "print", "text"),
    "table().csv()": ("csv", "save", "to_csv", "to_latex", "to_markdown"),
    "to_dict()": ("as_dict", "items", "keys"),
    "to_frame()": ("as_frame", "dataframe", "df", "frame", "to_dataframe", "to_pandas"),
    "cuts": ("boundaries", "breakpoints", "change_points", "changepoints", "edges"),
    "blocks": ("n_blocks", "labels", "segments", "partition"),
    "gain": ("curve", "gains", "gamma", "information_gain", "mig"),
    "lower": ("floor", "lower_bound"),
    "upper": ("upper_bound",),
    "verdicts": ("verdict", "status", "proved", "result"),
    "regret": ("cumulative_regret", "mean", "means", "mean_regret", "regrets", "runs"),
    "value": ("bound", "c", "cost", "proven", "result", "upper"),
}
"""What people look for in an answer, and what it is called where an answer has it."""


def setting(problem: Problem) -> str:
    """One line that names every number on which a bound depends, to read a table on its own."""
    times = problem.times
    slope = digits(problem.time_kernel.slope)
    return (
        f"{times.source}: {counted(times.n, 'round')} in total time {digits(times.total_time)}; "
        f"{space_setting(problem)}; {time_setting(problem)}, slope θ = {slope}; "
        f"δ = {problem.delta:g}"
    )


def space_setting(problem: Problem) -> str:
    """The part of the setting that gains without drift depend on."""
    kernel = problem.space_kernel
    phrase = f"{kernel.title} kernel{_of_length(kernel)}"
    return f"{phrase} on {problem.domain.phrase}, σ² = {problem.noise_variance:g}"


def time_setting(problem: Problem) -> str:
    """The time kernel with the parameter that it has: ε of forgetting, a lengthscale of others."""
    kernel = problem.time_kernel
    epsilon = kernel.parameters.get("epsilon")
    rate = "" if epsilon is None else f", ε = {epsilon:g}"
    return f"{kernel.title} time kernel{rate}{_of_length(kernel)}"


def drift_rate(problem: Problem) -> str:
    """How fast the objective drifts, in few words: ε alone for the forgetting kernel."""
    kernel = problem.time_kernel
    known = kernel.parameters
    if "epsilon" in known:
        return f"ε = {known['epsilon']:g}"
    length = f", ℓ = {known['lengthscale']:g}" if "lengthscale" in known else ""
    return f"{kernel.name} time kernel{length}"


def _of_length(kernel: Kernel) -> str:
    lengthscale = kernel.parameters.get("lengthscale")
    return "" if lengthscale is None else f" of lengthscale {lengthscale:g}"
