"""`read_log`: a table of trials, whoever wrote it, as observations in the order of their ends.

A trial that failed or was pruned has no value, but it took its time; one under way is pending.
Nothing is guessed in silence: what the file does not say is asked for, and what was assumed is
noted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bounds.arrays import BoolArray, FloatArray
from bounds.errors import InvalidInput
from bounds.noise import NoiseOfRows, noise_of_rows
from bounds.reading import Text
from bounds.time_text import UNITS
from bounds.times import EvaluationTimes
from own_runs.logs.axes import Axis, observed_axes, parse_domain
from own_runs.logs.cells import Instants, Numerals, durations, instants, missing
from own_runs.logs.clock import Clock, clock_of
from own_runs.logs.observations import Direction, Observations
from own_runs.logs.table import Table, read_table
from own_runs.logs.tools import (
    COMPLETE,
    EPOCHS,
    FAILED,
    IN_SECONDS,
    PENDING,
    TRIALS,
    Tool,
    in_full,
    inputs_of,
    tool_of,
    values_of,
)


@dataclass(frozen=True)
class Columns:
    """Which columns hold what, where names that are known do not say; None asks for these.

    x : the inputs
    y : the observed value
    duration : how long a trial took
    start, end : ISO dates, epochs, or times elapsed
    state : COMPLETE, PRUNED, FAIL, RUNNING and their like
    successes : words of the state that mean that a value was observed, in place of the known ones
    sd : standard deviations of the observed values, up to a factor common to all
    """

    x: tuple[str, ...] | None = None
    y: str | None = None
    duration: str | None = None
    start: str | None = None
    end: str | None = None
    state: str | None = None
    sd: str | None = None
    successes: tuple[str, ...] | None = None


def read_log(
    path: Path | str | Text,
    *,
    direction: Direction | None,
    columns: Columns | None = None,
    domain: str | None = None,
    unit: str = "s",
    noise: FloatArray | None = None,
) -> Observations:
    """The observations of a log. O(rows · columns).

    Parameters
    ----------
    path : CSV, TSV or `;`-separated, perhaps gzip; `-` is standard input
    direction : which y is good; None is refused
    columns : names that differ from those of Optuna, MLflow, Weights & Biases and the plain ones
        (x or x1, x2, …; y; duration; start; end)
    domain : ranges of inputs, see `parse_domain`; the observed ones where there is none
    unit : of durations and elapsed times that are bare numbers, and of the clock
    noise : (rows, rows) covariance of the errors of y, up to a common factor, of all rows of the
        file; what belongs to rows without a value does not count

    Raises
    ------
    InvalidInput that names column, row and option for everything that is not as described.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "log.csv"
    ...     _ = file.write_text("x,duration,y\\n0.1,1,5\\n0.4,2,7\\n0.2,1,6\\n")
    ...     read_log(file, direction="maximize").times
    array([1., 3., 4.])
    """
    if unit not in UNITS:
        raise InvalidInput("unit", unit, f"use {', '.join(UNITS)}")
    table = read_table(path)
    if not table.rows:
        raise InvalidInput("data", table.source, "it has a header and no rows")
    numerals = Numerals(comma=table.separator != ",")
    tool = tool_of(table.header)
    named = _named(table, tool, Columns() if columns is None else columns)
    state = _states(table, named)
    when = _Timing.of(table, named, numerals, UNITS[unit])
    if direction is None:
        assert named.y is not None
        remedy = "say which values are good: --maximize or --minimize"
        raise InvalidInput("direction", f"unknown for {named.y}", remedy)
    values, inputs = _numbers(table, named, numerals, state == "complete")
    deviations = _deviations(table, named, numerals, np.isfinite(values))
    if noise is not None and (deviations is not None or noise.shape != 2 * (len(values),)):
        shown = " x ".join(map(str, noise.shape))
        remedy = f"give {len(values)} x {len(values)}, all rows of the log"
        raise InvalidInput(
            "noise-matrix", shown, remedy if deviations is None else "drop it, or drop --sd"
        )
    _refuse_epochs(table, named, inputs)
    reasons = _reasons(table, named, state, values, inputs, when)
    used = np.array([not reason for reason in reasons], dtype=bool)
    skipped = dict(Counter(reason for reason in reasons if reason))
    if not np.any(used):
        first = next(iter(skipped))
        remedy = f"none has a value to use ({first})"
        if first.startswith("state "):
            remedy += f": if it means success, --state {named.state}=WORD"
        raise InvalidInput("data", f"{len(used)} rows", remedy)
    assert named.x is not None
    waiting = (state == "pending") & np.all(np.isfinite(inputs), axis=1)
    axes, unsaid, notes = _axes(named.x, inputs, used | waiting, domain, tool.inputs)
    rows = np.flatnonzero(used)
    order = rows[np.argsort(when.ends[rows], kind="stable")]
    scale = UNITS[unit]
    notes = (*((f"read as an export of {tool.name}",) if tool.name else ()), *notes, *when.notes)
    early = int(np.count_nonzero(np.diff(when.ends[rows]) < 0.0))
    if early:
        notes = (*notes, f"{early} rows end before the one above: taken in the order of their ends")
    if named.sd is not None:
        notes = (*notes, f"the noise of each row is in proportion to {named.sd}")
    if noise is not None:
        notes = (*notes, "the noise is in proportion to the matrix given")
    return Observations(
        axes=axes,
        points=_in_cube(axes, inputs, order),
        values=values[order],
        direction=direction,
        times=when.ends[order] / scale,
        starts=when.starts[order] / scale,
        durations=when.durations[order] / scale,
        pending=_in_cube(axes, inputs, np.flatnonzero(waiting)),
        now=when.now / scale,
        unit=unit,
        clock=None if when.clock is None else _scaled(when.clock, scale),
        skipped=skipped,
        notes=notes,
        source=table.source,
        rows=tuple(int(row) + 1 for row in order),
        noise=independent_noise(deviations[order])
        if deviations is not None
        else None
        if noise is None
        else _noise(noise[np.ix_(order, order)]),
        unsaid=unsaid,
    )


def read_log_times(
    path: Path | str | Table, *, columns: Columns | None = None, unit: str = "s"
) -> tuple[EvaluationTimes, tuple[str, ...]]:
    """When the observed trials of a log ended, and what was assumed; inputs and y are not read.

    Parameters as `read_log`, or a table that was read. Trials that failed, were pruned or are under
    way are no rounds, and stay in the clock. The times belong to t(x). Raises InvalidInput as that
    does.
    """
    if unit not in UNITS:
        raise InvalidInput("unit", unit, f"use {', '.join(UNITS)}")
    table = path if isinstance(path, Table) else read_table(path)
    if not table.rows:
        raise InvalidInput("times", table.source, "it has a header and no rows")
    tool = tool_of(table.header)
    named = _timed(table, tool, Columns() if columns is None else columns)
    _refuse_epochs(table, named, None)
    when = _Timing.of(table, named, Numerals(comma=table.separator != ","), UNITS[unit])
    used = (_states(table, named) == "complete") & np.isfinite(when.ends)
    if not np.any(used):
        raise InvalidInput("times", f"{len(used)} rows", "none is complete and has a time")
    left = len(used) - int(used.sum())
    notes = (
        *((f"read as an export of {tool.name}",) if tool.name else ()),
        *((f"{left} rows that are not complete are no rounds",) if left else ()),
        *when.notes,
    )
    ends = np.sort(when.ends[used]) / UNITS[unit]
    return EvaluationTimes.from_times(ends, source=table.source), notes


def _scaled(clock: Clock, scale: float) -> Clock:
    return replace(
        clock, span=clock.span / scale, busy=clock.busy / scale, worked=clock.worked / scale
    )


def _named(table: Table, tool: Tool, given: Columns) -> Columns:
    """The columns to read, those that were not given by the names of the tool."""
    header = table.header
    x = inputs_of(tool, header)
    if given.x is not None:
        x = tuple(in_full(name, tool.inputs, header) for name in given.x)
    if not x:
        raise InvalidInput(
            "x", "unknown", f"name the columns of the inputs: --x A,B ({_shown(table)})"
        )
    if len(set(x)) < len(x):
        raise InvalidInput("x", ",".join(x), "name each input once")
    y = given.y
    if y is None:
        candidates = values_of(tool, header)
        if len(candidates) != 1:
            what = f"one of {', '.join(candidates)}" if candidates else "unknown"
            raise InvalidInput("y", what, f"name the observed value: --y NAME ({_shown(table)})")
        y = candidates[0]
    y = in_full(y, tool.values, header)
    if y in x:
        raise InvalidInput("y", y, "it is among the inputs too: leave it out of --x")
    return replace(_timed(table, tool, given), x=x, y=y, sd=given.sd)


def _timed(table: Table, tool: Tool, given: Columns) -> Columns:
    """The columns of times and of the state alone."""

    def first(names: tuple[str, ...]) -> str | None:
        return next((name for name in names if name in table.header), None)

    chosen = Columns(duration=given.duration, start=given.start, end=given.end)
    if not (given.duration or given.start or given.end):
        chosen = Columns(
            duration=first(tool.duration), start=first(tool.start), end=first(tool.end)
        )
    if not (chosen.duration or chosen.end):
        what = "unknown" if chosen.start is None else f"only starts ({chosen.start})"
        raise InvalidInput(
            "duration", what, f"name --duration NAME, or --start and --end ({_shown(table)})"
        )
    state = given.state if given.state is not None else first(tool.state)
    return replace(chosen, state=state, successes=given.successes)


def _shown(table: Table) -> str:
    return "it has " + ", ".join(table.header[:8]) + (", …" if len(table.header) > 8 else "")


def _states(table: Table, named: Columns) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    """(rows,) "complete", "pending", or in words why there is no value."""
    if named.state is None:
        return np.full(len(table.rows), "complete", dtype=object)
    found = np.empty(len(table.rows), dtype=object)
    successes = COMPLETE if named.successes is None else {w.lower() for w in named.successes}
    for row, cell in enumerate(table.column(named.state, "state")):
        word = cell.lower()
        if word not in successes and not word.replace(".", "").isdigit():
            word = word.rsplit(".", 1)[-1]  # Optuna writes TrialState.COMPLETE as well
        if word not in successes | PENDING | FAILED and named.successes is None:
            raise InvalidInput(
                f"{named.state} in row {row + 1}",
                cell,
                "neither a success nor a failure that is known: name the successes, "
                f"--state {named.state}=WORD,WORD",
            )
        other = "pending" if word in PENDING else f"state {word or 'empty'}"
        found[row] = "complete" if word in successes else other
    return found


def _refuse_epochs(table: Table, named: Columns, inputs: FloatArray | None) -> None:
    """Raise InvalidInput where rows are the epochs of a trial: each would count as a trial.

    So they are where a column of `TRIALS` says that two rows with the same inputs are one trial;
    without such a column, where most rows have the inputs of another row and differ from it in a
    column of `EPOCHS`. Where no inputs are known, both columns and two trials are needed.
    """
    taken = {*(named.x or ()), named.y, named.sd, named.duration, named.start, named.end}

    def first(names: tuple[str, ...]) -> str | None:
        known = (name for name in names if name in table.header and name not in taken)
        return next((name for name in known if table.header.count(name) == 1), None)

    trial, epoch = first(TRIALS), first(EPOCHS)
    remedy = "one trial has several rows: keep its last, with the time that the whole trial took"
    places: dict[tuple[object, ...], list[int]] = {}
    if inputs is None:
        if trial is None or epoch is None or len(set(table.column(trial, "trial"))) < 2:
            return
        inputs = np.empty((len(table.rows), 0))
    points = [tuple(row) for row in inputs.tolist()]
    if trial is not None:
        for row, name in enumerate(table.column(trial, "trial")):
            if name:
                places.setdefault((name, *points[row]), []).append(row)
        for key, rows in places.items():
            if len(rows) > 1:
                where = f"rows {rows[0] + 1} and {rows[1] + 1}"
                raise InvalidInput(trial, f"{key[0]} in {where}", remedy)
    elif epoch is not None:
        cells = table.column(epoch, "epoch")
        for row, point in enumerate(points):
            places.setdefault(point, []).append(row)
        several = [rows for rows in places.values() if len({cells[row] for row in rows}) > 1]
        if 2 * sum(map(len, several)) > len(points):
            a, b = several[0][:2]
            shown = f"{cells[a]} and {cells[b]} in rows {a + 1} and {b + 1} of the same inputs"
            raise InvalidInput(epoch, shown, remedy)


def _numbers(
    table: Table, named: Columns, numerals: Numerals, complete: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """(rows,) y, NaN where a trial is not complete, and (rows, d) x."""
    assert named.x is not None and named.y is not None
    cells = [
        cell if done else ""
        for cell, done in zip(table.column(named.y, "y"), complete, strict=True)
    ]
    values = numerals.numbers(cells, named.y, "--y")
    inputs = [numerals.numbers(table.column(name, "x"), name, "--x") for name in named.x]
    return values, np.stack(inputs, axis=1)


def _deviations(
    table: Table, named: Columns, numerals: Numerals, observed: BoolArray
) -> FloatArray | None:
    """(rows,) the standard deviations of y; None where there is no such column."""
    if named.sd is None:
        return None
    found = numerals.numbers(table.column(named.sd, "sd"), named.sd, "--sd")
    bad = observed & ~(np.isfinite(found) & (found > 0.0))
    if np.any(bad):
        row = int(np.argmax(bad))
        raise InvalidInput(
            f"{named.sd} in row {row + 1}",
            _cell(table, named.sd, row) or "''",
            "give a positive standard deviation in every row that has a value, or drop --sd",
        )
    return found


def independent_noise(deviations: FloatArray) -> NoiseOfRows:
    """Independent errors with these standard deviations, of variance 1 on average."""
    variances = (deviations / np.max(deviations)) ** 2
    return noise_of_rows(variances / variances.mean())


def _noise(covariance: FloatArray) -> NoiseOfRows:
    """Errors with this covariance, of variance 1 on average."""
    average = float(np.mean(np.diagonal(covariance)))
    # What is no variance is left for the matrix to refuse.
    return noise_of_rows(covariance / average if average > 0.0 else covariance)


def _reasons(
    table: Table,
    named: Columns,
    state: np.ndarray[tuple[int], np.dtype[np.str_]],
    values: FloatArray,
    inputs: FloatArray,
    when: _Timing,
) -> list[str]:
    """(rows,) why a row is not observed; empty where it is."""
    reasons = []
    for row in range(len(table.rows)):
        if state[row] == "pending":
            reason = "under way or waiting"
        elif state[row] != "complete":
            reason = state[row]
        elif not np.isfinite(values[row]):
            reason = f"no finite {named.y}"
        elif not np.all(np.isfinite(inputs[row])):
            reason = "an input is missing"
        elif not np.isfinite(when.ends[row]):
            reason = "no time of its end"
        else:
            reason = ""
        reasons.append(reason)
    return reasons


_WIDE = 10.0
"""High over low from which it matters whether distances are those of logarithms."""


def _axes(
    names: tuple[str, ...],
    inputs: FloatArray,
    kept: BoolArray,
    domain: str | None,
    prefix: str,
) -> tuple[tuple[Axis, ...], tuple[str, ...], tuple[str, ...]]:
    """The axes of the inputs in order, those of unsaid scale, and a note of what was observed."""
    axes_given = parse_domain(domain) if domain is not None else ()
    given = {(name := in_full(a.name, prefix, names)): replace(a, name=name) for a in axes_given}
    if len(given) < len(axes_given):
        raise InvalidInput("domain", str(domain), "give one range for each input")
    for name in given:
        if name not in names:
            raise InvalidInput("domain", name, f"no such input: they are {', '.join(names)}")
    seen = [name for name in names if name not in given]
    columns = [names.index(name) for name in seen]
    observed = {axis.name: axis for axis in observed_axes(seen, inputs[kept][:, columns])}
    axes = tuple(given[name] if name in given else observed[name] for name in names)
    for axis, column in zip(axes, inputs.T, strict=True):
        axis.check(np.where(kept, column, np.nan))
    if not seen:
        return axes, (), ()
    shown = ", ".join(str(observed[name]) for name in seen)
    unsaid = tuple(name for name in seen if _wide(observed[name]))
    return axes, unsaid, (f"ranges as observed, for want of --domain: {shown}",)


def _wide(axis: Axis) -> bool:
    return axis.low > 0.0 and axis.high / axis.low >= _WIDE


def _in_cube(axes: tuple[Axis, ...], inputs: FloatArray, rows: np.ndarray) -> FloatArray:
    return np.stack(
        [axis.to_unit(column[rows]) for axis, column in zip(axes, inputs.T, strict=True)], axis=1
    ).reshape(len(rows), len(axes))


@dataclass(frozen=True, eq=False)
class _Timing:
    """Starts, ends and durations of every row in seconds since the clock began; NaN: unknown."""

    starts: FloatArray
    ends: FloatArray
    durations: FloatArray
    now: float
    clock: Clock | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, named: Columns, numerals: Numerals, unit: float) -> _Timing:
        took = (
            None
            if named.duration is None
            else durations(
                table.column(named.duration, "duration"),
                named.duration,
                1.0 if named.duration in IN_SECONDS else unit,
                numerals,
            )
        )
        begun = _instants(table, named.start, unit, numerals, "--start", named.end)
        ended = _instants(table, named.end, unit, numerals, "--end", named.start)
        if begun is None and ended is None:
            assert took is not None
            return cls._serial(took, missing(table.column(named.duration or "", "duration")))
        reference, notes = _reference(begun, ended, named), _days_said(begun, ended, named)
        starts = np.full(len(table.rows), np.nan) if begun is None else begun.since(reference)
        ends = np.full(len(table.rows), np.nan) if ended is None else ended.since(reference)
        if took is not None:
            starts = np.where(np.isnan(starts), ends - took, starts)
            ends = np.where(np.isnan(ends), starts + took, ends)
        backwards = ends < starts - 1e-6 * np.maximum(1.0, np.abs(starts))
        if np.any(backwards):
            row = int(np.argmax(backwards))
            raise InvalidInput(
                f"{named.end or named.duration} in row {row + 1}",
                _cell(table, named.end or named.duration, row),
                f"it ends before it starts ({_cell(table, named.start, row)}): "
                "check --start and --end",
            )
        took = (
            np.maximum(ends - starts, 0.0)
            if took is None
            else np.where(np.isnan(took), np.maximum(ends - starts, 0.0), took)
        )
        known = np.concatenate([starts[np.isfinite(starts)], ends[np.isfinite(ends)]])
        elapsed = (ended or begun).kind == "elapsed"  # type: ignore[union-attr]
        # Time elapsed counts from its own zero; dates and epochs from the first trial.
        origin = min(0.0, float(known.min())) if elapsed else float(known.min())
        if np.all(np.isnan(starts)) and not elapsed:
            notes.append("the clock begins at the first end: the file has no starts or durations")
        starts, ends = starts - origin, ends - origin
        both = np.isfinite(starts) & np.isfinite(ends)
        clock = clock_of(starts[both], ends[both]) if np.any(both) else None
        return cls(starts, ends, took, float(known.max()) - origin, clock, tuple(notes))

    @classmethod
    def _serial(cls, took: FloatArray, absent: BoolArray) -> _Timing:
        """Durations alone: the rows one after another, in the order of the file."""
        ends = np.cumsum(np.where(absent, 0.0, took))
        starts = ends - np.where(absent, 0.0, took)
        ends_or_none = np.where(absent, np.nan, ends)
        note = "rows are taken one after another: the file has durations alone"
        return cls(
            np.where(absent, np.nan, starts), ends_or_none, took, float(ends[-1]), None, (note,)
        )


def _instants(
    table: Table, name: str | None, unit: float, numerals: Numerals, option: str, other: str | None
) -> Instants | None:
    if name is None:
        return None
    beside = () if other is None else table.column(other, "column")
    cells = table.column(name, option.lstrip("-"))
    return instants(cells, name, unit, numerals, option, beside)


def _days_said(begun: Instants | None, ended: Instants | None, named: Columns) -> list[str]:
    """A note where numbers were read as the days of a spreadsheet."""
    found = []
    for column, name in ((begun, named.start), (ended, named.end)):
        if column is not None and column.kind == "serial":
            day = datetime.fromtimestamp(column.reference, UTC).date()
            found.append(
                f"{name} is read as days of a spreadsheet, from {day}: if it counts something "
                "else, take its first value off"
            )
    return found


def _cell(table: Table, name: str | None, row: int) -> str:
    return "" if name is None else table.column(name, "column")[row]


def _reference(begun: Instants | None, ended: Instants | None, named: Columns) -> float:
    """A common zero of starts and ends; raises InvalidInput where they are of two kinds."""
    both = [instants for instants in (begun, ended) if instants is not None]
    if len(both) == 2:
        assert begun is not None and ended is not None
        elapsed = (begun.kind == "elapsed", ended.kind == "elapsed")
        if elapsed[0] != elapsed[1] or begun.zoned is not ended.zoned:
            raise InvalidInput(
                f"{named.start} and {named.end}",
                f"{_kind(begun)} and {_kind(ended)}",
                "write both in one way: dates with a zone, dates without, or numbers",
            )
    return min(instants.reference for instants in both)


def _kind(column: Instants) -> str:
    if column.kind == "serial":
        return "days of a spreadsheet"
    if column.kind == "date":
        return "dates with a zone" if column.zoned else "dates without a zone"
    return "times since 1970" if column.kind == "epoch" else "times elapsed"
