"""The options that name the columns of a log and say what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options.problem import Duration, End
from ctv.show.rounding import counted

if TYPE_CHECKING:
    from bounds.arrays import FloatArray
    from bounds.reading import Text
    from own_runs.logs.observations import Observations
    from own_runs.prior.files import PriorFile

_option = partial(typer.Option, rich_help_panel="Your log")


@dataclass(frozen=True)
class LogOptions:
    """How to read a log; files of tuners are known, see docs/logs.md."""

    x: Annotated[str | None, _option(help="Columns of the inputs.", metavar="A,B,...")] = None
    y: Annotated[str | None, _option(help="Column of the observed value.", metavar="NAME")] = None
    duration: Duration = None
    start: Annotated[
        str | None, _option(help="Column of starts: dates, epochs or times.", metavar="NAME")
    ] = None
    end: End = None
    sd: Annotated[
        str | None,
        _option(
            help="Column of the standard deviation of each y, or of what it is proportional "
            "to; or the covariance of the errors of all rows, up to a factor: a line of numbers a "
            "row, no header. Without it all rows have the same.",
            metavar="NAME|matrix:FILE",
        ),
    ] = None
    domain: Annotated[
        str | None,
        _option(
            help='Ranges of the inputs: "lr=1e-5..1e-1 log, depth=2..12 int"; a range without '
            "the word log is linear. An input without a range has the observed one, on the scale "
            "that the evidence prefers.",
            metavar="RANGES",
        ),
    ] = None
    state: Annotated[
        str | None,
        _option(
            help="Column of the states of trials, and which words of it mean success.",
            metavar="NAME[=WORD,...]",
        ),
    ] = None
    study: Annotated[
        str | None,
        _option(
            help="Which study, experiment or sheet of a file that has several.", metavar="NAME"
        ),
    ] = None
    fidelity: Annotated[
        str | None,
        _option(
            help="Column of the epoch or budget: trials that stopped before its largest are left "
            "out as pruned, or none of them (any).",
            metavar="NAME[=any]",
        ),
    ] = None
    maximize: Annotated[
        bool | None,
        _option("--maximize/--minimize", help="Whether large or small observed values are good."),
    ] = None
    unit: Annotated[
        str,
        _option(help="Unit of plain numbers of time, and of the results.", metavar="s|ms|min|h"),
    ] = "s"

    def observations(
        self, path: Path | Text, *, prior: PriorFile | None = None, settled: bool = False
    ) -> Observations:
        """The log in a file; raises InvalidInput that names column, row and option.

        Scales of inputs that nobody said are those of `prior`, or else what the evidence prefers.
        settled : whether the priors are settled beforehand, in shares of each input, so that its
            scale is asked for
        """
        from own_runs.logs.columns import Columns
        from own_runs.logs.reader import read_log
        from own_runs.prior.scales import as_fitted, by_evidence

        names = None if self.x is None else tuple(name.strip() for name in self.x.split(","))
        state, named, words = (self.state or "").partition("=")
        if self.state is not None and not (state and (words or not named)):
            raise InvalidInput("state", self.state or "''", "write NAME, or NAME=WORD,WORD")
        level, leveled, which = (self.fidelity or "").partition("=")
        if self.fidelity is not None and (not level or (leveled and which != "any")):
            raise InvalidInput("fidelity", self.fidelity or "''", "write NAME, or NAME=any")
        file = (self.sd or "").partition("matrix:")[2]
        columns = Columns(
            names,
            self.y,
            self.duration,
            self.start,
            self.end,
            state or None,
            None if file else self.sd,
            tuple(word.strip() for word in words.split(",")) if words else None,
            None,
            level or None,
            which == "any",
        )
        directions = {None: None, True: "maximize", False: "minimize"}
        log = read_log(
            path,
            direction=directions[self.maximize],  # type: ignore[arg-type]
            columns=columns,
            domain=self.domain,
            unit=self.unit,
            noise=_square(Path(file)) if file else None,
            study=self.study,
        )
        if prior is not None:
            return as_fitted(log, prior.inputs)
        if settled and log.unsaid:
            axis = next(axis for axis in log.axes if axis.name in log.unsaid)
            remedy = (
                f'say its scale, as the priors are in shares of it: --domain "{axis} log", or '
                "without log"
            )
            raise InvalidInput("domain", f"nothing for {axis.name}", remedy)
        return by_evidence(log)


def _square(path: Path) -> FloatArray:
    from ctv.inputs import read_numbers

    numbers = read_numbers(path, "sd")
    rows = isqrt(len(numbers))
    if rows**2 != len(numbers):
        remedy = "give as many rows as columns"
        raise InvalidInput("sd", f"{len(numbers)} numbers", remedy)
    return numbers.reshape(rows, rows)


def described(log: Observations) -> list[str]:
    """What was read, in lines for people."""
    inputs = ", ".join(str(axis) for axis in log.axes)
    goal = "maximise" if log.direction == "maximize" else "minimise"
    lines = [f"{log.source}: {counted(log.n, 'row')} used; inputs {inputs}; objective: {goal}"]
    if log.skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in log.skipped.items())
        lines.append(f"Rows left out: {reasons}")
    if log.clock is not None and (log.clock.workers > 1 or log.clock.idle > 0.01 * log.clock.span):
        clock = log.clock
        side = (
            f"At most {clock.workers} trials ran at once, and overlap for {clock.overlapping:.3g} "
            f"{log.unit}"
            if clock.workers > 1
            else "One trial ran at a time"
        )
        idle = f"none ran for {clock.idle:.3g} of {clock.span:.3g} {log.unit}"
        lines.append(f"{side}; {idle}")
    return [*lines, *log.notes]


def shown_input(value: float | str) -> str:
    """A number of an input, or its word."""
    return value if isinstance(value, str) else f"{value:.6g}"


def payload_of_log(log: Observations) -> dict[str, object]:
    """The same for scripts."""
    return {
        "source": log.source,
        "inputs": [str(axis) for axis in log.axes],
        "direction": log.direction,
        "unit": log.unit,
        "rows": {
            "used": log.n,
            "skipped": sum(log.skipped.values()),
            "reasons": log.skipped,
            "pending": len(log.pending),
        },
        "clock": None
        if log.clock is None
        else {
            name: getattr(log.clock, name) for name in ("span", "idle", "overlapping", "workers")
        },
        "notes": list(log.notes),
    }
