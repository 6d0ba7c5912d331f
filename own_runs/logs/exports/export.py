"""What a file of a tuner says: a table of trials, and what the file knows beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any

from bounds.errors import InvalidInput
from own_runs.logs.axes import Axis
from own_runs.logs.table import LARGEST_CELLS, Table
from own_runs.logs.tools import PLAIN, Direction, Tool, tool_of

INPUTS = "params."
VALUES = "metrics."


@dataclass(frozen=True, eq=False)
class Export:
    """A log as one program wrote it.

    Attributes
    ----------
    table : a row for each trial, or for each epoch of a trial
    tool : the program, and which columns hold what
    direction : of the objective, where the file says it
    axes : ranges of inputs that the file says, and words; what was observed stands for the others
    notes : what was taken and what was left out
    """

    table: Table
    tool: Tool = PLAIN
    direction: Direction | None = None
    axes: tuple[Axis, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """One trial, or one run of a trial at one budget.

    Attributes
    ----------
    trial : its name
    inputs, values : by name; an empty `values` where nothing was observed
    state : a word of `own_runs.logs.tools`
    start, end : dates, or seconds since 1970, or elapsed
    duration : seconds
    fidelity : epochs, budget or share of the data, where runs differ in it
    """

    trial: object
    inputs: Mapping[str, object]
    values: Mapping[str, object] = field(default_factory=dict)
    state: str = "complete"
    start: object = None
    end: object = None
    duration: object = None
    fidelity: object = None


def export_of(
    tool: str,
    records: Iterable[Record],
    source: str,
    *,
    direction: Direction | None = None,
    axes: Iterable[Axis | None] = (),
    fidelity: str = "",
    notes: Sequence[str] = (),
) -> Export:
    """Records as a table whose inputs begin with `params.` and whose values with `metrics.`.

    Raises InvalidInput for a file without records, and for more than `LARGEST_CELLS` cells.
    """
    rows = list(records)
    if not rows:
        raise InvalidInput("data", source, f"this {tool} file holds no trial")
    inputs = list(dict.fromkeys(name for row in rows for name in row.inputs))
    values = list(dict.fromkeys(name for row in rows for name in row.values))
    timed = [name for name in _TIMES if any(getattr(row, name) is not None for row in rows)]
    several = len({cell_of(row.fidelity) for row in rows}) > 1
    levels = [fidelity or "fidelity"] if several else []
    if len(rows) * (len(inputs) + len(values) + 6) > LARGEST_CELLS:
        raise InvalidInput("data", source, f"it has more than {LARGEST_CELLS} cells")
    header = (
        "trial",
        "state",
        *timed,
        *levels,
        *(INPUTS + name for name in inputs),
        *(VALUES + name for name in values),
    )
    cells = tuple(
        (
            cell_of(row.trial),
            row.state,
            *(cell_of(getattr(row, name)) for name in timed),
            *([cell_of(row.fidelity)] if several else []),
            *(cell_of(row.inputs.get(name)) for name in inputs),
            *(cell_of(row.values.get(name)) for name in values),
        )
        for row in rows
    )
    known = Tool(
        tool,
        (),
        start=("start",),
        end=("end",),
        duration=("duration",),
        state=("state",),
        inputs=INPUTS,
        values=VALUES,
        fidelity=tuple(levels),
        in_seconds=True,
    )
    ranges = tuple(replace(axis, name=INPUTS + axis.name) for axis in axes if axis is not None)
    return Export(Table(header, cells, ",", source), known, direction, ranges, tuple(notes))


_TIMES = ("start", "end", "duration")


def table_export(rows: Sequence[Mapping[str, Any]], source: str) -> Export:
    """Rows of values by name as a table whose columns have these names."""
    header = tuple(dict.fromkeys(name for row in rows for name in row))
    cells = tuple(tuple(cell_of(row.get(name)) for name in header) for row in rows)
    return Export(Table(header, cells, ",", source), tool_of(header))


@contextmanager
def as_expected(what: str, source: str) -> Iterator[None]:
    """Raise InvalidInput for what a reader of another shape of file trips over."""
    try:
        yield
    except InvalidInput:
        raise
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, OSError) as error:
        shown = f"{type(error).__name__} {error}"[:60]
        raise InvalidInput("data", source, f"{what} are not as expected ({shown})") from None


def json_file(file: Path) -> Any:
    """The value in a file of JSON; an empty object where there is no such file."""
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def direction_of(*words: object) -> Direction | None:
    """What the word of the only objective says, however it is spelt.

    >>> direction_of("MAXIMIZE"), direction_of("min"), direction_of("min", "max")
    ('maximize', 'minimize', None)
    """
    start = str(words[0])[:3].lower() if len(words) == 1 else ""
    return "minimize" if start == "min" else "maximize" if start == "max" else None


def cell_of(value: object) -> str:
    """What a value is in a table of text; True is 1, and what is missing is empty.

    >>> [cell_of(value) for value in (None, True, 0.5, "adam", [1, 2], [0.5])]
    ['', '1', '0.5', 'adam', '[1, 2]', '0.5']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return repr(value) if isfinite(value) else ("nan" if value != value else repr(value))
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list | dict):
        return cell_of(value[0])  # the only objective of several that there might be
    return json.dumps(value) if isinstance(value, list | dict) else str(value)


_DEEPEST = 5
"""Levels of objects that become names with points between them."""


def flattened(row: Mapping[str, Any], prefix: str = "", depth: int = 0) -> dict[str, Any]:
    """An object without objects inside.

    >>> flattened({"loss": 1, "params": {"lr": 0.1}})
    {'loss': 1, 'params.lr': 0.1}
    """
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping) and depth < _DEEPEST:
            flat |= flattened(value, f"{prefix}{name}.", depth + 1)
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def one_of(names: Sequence[str], wanted: str | None, kind: str, source: str) -> str:
    """The one study of a file, or the one asked for by --study; raises InvalidInput."""
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    if wanted is not None:
        if wanted not in names:
            raise InvalidInput("study", wanted, f"{source} has no such {kind}; it has {shown}")
        return wanted
    if not names:
        raise InvalidInput("data", source, f"it holds no {kind}")
    if len(names) > 1:
        raise InvalidInput("study", f"one of {shown}", f"name the {kind}: --study NAME")
    return names[0]


def axis_of(
    name: str, low: Any, high: Any, *, log: bool = False, integer: bool = False
) -> Axis | None:
    """A range that a file says; None where it is none of `Axis`."""
    try:
        return Axis(name, float(low), float(high), log=log, integer=integer)
    except (TypeError, ValueError):
        return None
