"""Which columns of a log hold what: as a person named them, or by the names of a program."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bounds.errors import InvalidInput
from own_runs.logs.table import Table
from own_runs.logs.tools import Tool, in_full, inputs_of, values_of

EQUAL = "equal"
"""In place of a column of durations."""


@dataclass(frozen=True)
class Columns:
    """Which columns hold what, where names that are known do not say; None asks for these.

    x : the inputs
    y : the observed value
    duration : how long a trial took; `EQUAL` where every trial is taken to last one unit
    start, end : ISO dates, epochs, or times elapsed
    state : COMPLETE, PRUNED, FAIL, RUNNING and their like
    successes : words of the state that mean that a value was observed, in place of the known ones
    sd : standard deviations of the observed values, up to a factor common to all
    trial : the trial of a row, where a trial has several
    fidelity : how far a trial had come at a row: its epoch, or its budget
    any_fidelity : whether the last row of a trial counts wherever it stopped; otherwise trials that
        stopped before the largest are left out as pruned ones are
    equal_times : whether every trial is, as the file has no times
    """

    x: tuple[str, ...] | None = None
    y: str | None = None
    duration: str | None = None
    start: str | None = None
    end: str | None = None
    state: str | None = None
    sd: str | None = None
    successes: tuple[str, ...] | None = None
    trial: str | None = None
    fidelity: str | None = None
    any_fidelity: bool = False
    equal_times: bool = False


def named_columns(table: Table, tool: Tool, given: Columns) -> Columns:
    """The columns to read, those that were not given by the names of the tool.

    Raises InvalidInput for what neither says, with the names that the table has.
    """
    header = table.header
    x = inputs_of(tool, header)
    if given.x is not None:
        x = tuple(in_full(name, tool.inputs, header) for name in given.x)
    if not x:
        remedy = f"name the columns of the inputs by --x, some of {_shown(table)}"
        raise InvalidInput("x", "unknown", remedy)
    if len(set(x)) < len(x):
        raise InvalidInput("x", ",".join(x), "name each input once")
    y = given.y
    if y is None:
        candidates = values_of(tool, header)
        if len(candidates) != 1:
            what = f"one of {', '.join(candidates)}" if candidates else "unknown"
            raise InvalidInput("y", what, f"name the observed value by --y, one of {_shown(table)}")
        y = candidates[0]
    y = in_full(y, tool.values, header)
    if y in x:
        raise InvalidInput("y", y, "it is among the inputs too: leave it out of --x")
    return replace(timed_columns(table, tool, given), x=x, y=y)


def timed_columns(table: Table, tool: Tool, given: Columns) -> Columns:
    """The columns of times, of the state and of trials alone; raises InvalidInput for no times."""

    def first(names: tuple[str, ...]) -> str | None:
        exact = next((name for name in names if name in table.header), None)
        if exact is not None:
            return exact
        alike = [name for name in table.header if name.casefold() in names]
        return alike[0] if len(alike) == 1 else None

    if given.duration == EQUAL:
        if EQUAL in table.header:
            remedy = "a column is called so, and every trial alike is: rename the column"
            raise InvalidInput("duration", EQUAL, remedy)
        given = replace(given, duration=None, equal_times=True)
    named = [f"--{kind}" for kind in ("duration", "start", "end") if getattr(given, kind)]
    if given.equal_times and named:
        raise InvalidInput("duration", f"{EQUAL}, beside {named[0]}", "give one of them")
    if not (given.equal_times or named):
        given = replace(
            given, duration=first(tool.duration), start=first(tool.start), end=first(tool.end)
        )
    if not (given.duration or given.end or given.equal_times):
        what = "unknown" if given.start is None else f"only starts ({given.start})"
        raise InvalidInput(
            "duration",
            what,
            f"name --duration, or --start and --end, of {_shown(table)}; or say --duration {EQUAL} "
            "where all took alike",
        )
    return given if given.state is not None else replace(given, state=first(tool.state))


def _shown(table: Table) -> str:
    return ", ".join(table.header[:8]) + (", …" if len(table.header) > 8 else "")
