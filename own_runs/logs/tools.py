"""Which columns hold what in the exports of tuners that people use: the names are in tools.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

Direction = Literal["maximize", "minimize"]
"""Which observed values are good."""


@dataclass(frozen=True)
class Tool:
    """The columns of one program's export.

    Attributes
    ----------
    name : of the program
    marks : columns by which the export is known, all of them
    start, end, duration, state : names that may hold these, the first that is there is used
    inputs : how names of inputs begin
    values : how names of observed values begin
    direction : which values are good, where the program's convention says it
    apart : where given, every column is an input whose name begins with none of these
    trial, fidelity : names that may hold the trial of a row and how far it had come
    cumulative : whether the duration of a row is that of its trial until then
    in_seconds : whether plain durations are seconds whatever the unit
    """

    name: str
    marks: tuple[str, ...]
    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    inputs: str = ""
    values: str = ""
    direction: Direction | None = None
    trial: tuple[str, ...] = ()
    fidelity: tuple[str, ...] = ()
    cumulative: bool = False
    in_seconds: bool = False
    apart: tuple[str, ...] = ()


_NAMES = tomllib.loads(files(__package__).joinpath("tools.toml").read_text("utf-8"))

COMPLETE, PENDING, FAILED = (frozenset(_NAMES[key]) for key in ("complete", "pending", "failed"))
"""Words of a state, in lower case; every other one is asked for."""
TRIALS, EPOCHS = _NAMES["trials"], _NAMES["epochs"]
"""Columns that name the trial of a row, and those that count within a trial."""
IN_SECONDS = frozenset(_NAMES["in_seconds"])
"""Columns of durations whose bare numbers are seconds, whatever `--unit` says."""


def _tool(row: Mapping[str, Any]) -> Tool:
    """The tool of a table of the file, whose lists become tuples."""
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
    }
    return Tool(**given)


TOOLS = tuple(map(_tool, _NAMES["tool"]))
"""Programs whose exports are known: the first whose marks are all there and whose inputs are."""
PLAIN = _tool({"name": "", "marks": [], **_NAMES["plain"]})
"""A table of nobody's; names in other letters are these too, where one column has such a name."""


def tool_of(header: Sequence[str]) -> Tool:
    """The program that wrote a table with these columns, or `PLAIN`.

    >>> tool_of(["number", "value", "datetime_start", "duration", "params_lr", "state"]).name
    'Optuna'
    """
    present = set(header)
    marked = [tool for tool in TOOLS if present.issuperset(tool.marks)]
    with_inputs = (tool for tool in marked if any(name.startswith(tool.inputs) for name in header))
    return next(with_inputs, marked[0] if marked else PLAIN)


def in_full(name: str, prefix: str, known: Sequence[str]) -> str:
    """A name as the columns have it, which may be given without their prefix.

    >>> in_full("lr", "params_", ["number", "params_lr"])
    'params_lr'
    """
    return prefix + name if name not in known and prefix + name in known else name


def inputs_of(tool: Tool, header: Sequence[str]) -> tuple[str, ...]:
    """The columns of x that are known by name; empty where none are."""
    if tool.apart:
        return tuple(name for name in header if name and not name.startswith(tool.apart))
    if tool.inputs:
        return tuple(name for name in header if name.startswith(tool.inputs))
    if "x" in header:
        return ("x",)
    count = 0
    while f"x{count + 1}" in header:
        count += 1
    if count:
        return tuple(f"x{i + 1}" for i in range(count))
    groups = [tuple(n for n in header if n.startswith(start)) for start in _NAMES["inputs"]]
    groups = [group for group in groups if group]
    return groups[0] if len(groups) == 1 else ()


def values_of(tool: Tool, header: Sequence[str]) -> tuple[str, ...]:
    """The columns that may be y by their names; an index without a name is none."""
    if tool.values and tool.values in header:
        return (tool.values,)
    if tool.values:
        return tuple(
            name
            for name in header
            if name.startswith(tool.values) and name[len(tool.values) :][:1] != "_"
        )
    return tuple(name for name in ("y", "value") if name in header)[:1]
