"""`read_log`: a table of trials, whoever wrote it, as observations in the order of their ends.

A trial that failed or was pruned has no value, but it took its time; one under way is pending.
Nothing is guessed in silence: what the file does not say is asked for, and what was assumed is
noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bounds.arrays import BoolArray, FloatArray
from bounds.errors import InvalidInput
from bounds.noise import NoiseOfRows, noise_of_rows
from bounds.reading import Text
from bounds.time_text import MISSING, UNITS
from bounds.times import EvaluationTimes
from own_runs.logs.axes import Axis, conditioned, observed_axes, parse_domain, to_cube
from own_runs.logs.branches import conditions, deciders
from own_runs.logs.cells import Numerals
from own_runs.logs.clock import Clock
from own_runs.logs.columns import Columns, named_columns, timed_columns
from own_runs.logs.epochs import Epochs, epochs_of
from own_runs.logs.exports import open_log
from own_runs.logs.exports.export import Export
from own_runs.logs.exports.frames import of_frame
from own_runs.logs.observations import Direction, Observations
from own_runs.logs.table import Table
from own_runs.logs.timing import Timing
from own_runs.logs.tools import COMPLETE, FAILED, PENDING, Tool, in_full

Words = np.ndarray[tuple[int], np.dtype[np.object_]]


def read_log(
    path: Path | str | Text,
    *,
    direction: Direction | None,
    columns: Columns | None = None,
    domain: str | None = None,
    unit: str = "s",
    noise: FloatArray | None = None,
    study: str | None = None,
) -> Observations:
    """The observations of a log. O(rows · columns).

    Parameters
    ----------
    path : a table, JSON, workbook, database or folder, see `own_runs.logs.exports.opening`; `-` is
        standard input
    direction : which y is good; None is refused where the file does not say it
    columns : names that differ from those of the tools that are known and the plain ones
        (x or x1, x2, …; y; duration; start; end)
    domain : ranges of inputs, see `parse_domain`; those of the file where there is none, or else
        the observed ones
    unit : of durations and elapsed times that are bare numbers, and of the clock
    noise : (rows, rows) covariance of the errors of y, up to a common factor, of all rows of the
        file; what belongs to rows without a value does not count
    study : the study, experiment or sheet of a file that has several

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
    opened = open_log(path, study)
    table, tool = opened.table, opened.tool
    if not table.rows:
        raise InvalidInput("data", table.source, "it has a header and no rows")
    numerals = Numerals(comma=table.separator != ",")
    given = Columns() if columns is None else columns
    constant: tuple[str, ...] = ()
    named = named_columns(table, tool, given)
    said = _said(domain, tool, named)
    if given.x is None:
        named, constant = _without_constants(table, named, said)
    direction, about = _direction(direction, opened, named)
    state = _states(table, named)
    worded = _worded(opened, named, numerals, said)
    values, inputs = _numbers(table, named, numerals, state == "complete", worded)
    epochs = epochs_of(table, named, tool, numerals, inputs)
    own = 1.0 if tool.in_seconds else UNITS[unit]
    when = _timing(table, named, numerals, own, unit, epochs, state)
    deviations = _deviations(table, named, numerals, np.isfinite(values))
    if noise is not None and (deviations is not None or noise.shape != 2 * (len(values),)):
        shown = " x ".join(map(str, noise.shape))
        remedy = f"give {len(values)} x {len(values)}, all rows of the log"
        raise InvalidInput(
            "noise-matrix", shown, remedy if deviations is None else "drop it, or drop --sd"
        )
    branches, lacking = _conditions(named, inputs, np.isfinite(values), worded)
    whole = np.isfinite(inputs) | lacking
    reasons = _reasons(named, state, values, np.all(whole, axis=1), when, epochs)
    used = np.array([reason == "" for reason in reasons], dtype=bool)
    skipped = dict(Counter(reason for reason in reasons if reason))
    if not np.any(used):
        first = next(iter(skipped), "no row")
        remedy = f"none has a value to use ({first})"
        if first.startswith("state "):
            remedy += f": if it means success, --state {named.state}=WORD"
        if first == _INCOMPLETE:
            remedy += f": take a branch, {_branches(named, inputs, reasons)}"
        raise InvalidInput("data", f"{len(used)} rows", remedy)
    assert named.x is not None
    waiting = (state == "pending") & np.all(whole, axis=1)
    axes, unsaid, notes = _axes(named.x, inputs, used | waiting, said, opened, worded)
    axes, branch_notes = _conditioned(axes, branches, inputs[used])
    notes = (*notes, *branch_notes)
    rows = np.flatnonzero(used)
    order = rows[np.argsort(when.ends[rows], kind="stable")]
    scale = UNITS[unit]
    read = (f"Read as an export of {tool.name}",) if tool.name else ()
    grouped = () if epochs is None else epochs.notes
    notes = (*read, *opened.notes, *about, *constant, *grouped, *notes, *when.notes)
    early = int(np.count_nonzero(np.diff(when.ends[rows]) < 0.0))
    if early:
        notes = (*notes, f"{early} rows end before the one above: taken in the order of their ends")
    errors = None
    if deviations is not None:
        errors = independent_noise(deviations[order])
        notes = (*notes, f"the noise of each row is in proportion to {named.sd}")
    elif noise is not None:
        errors = _noise(noise[np.ix_(order, order)])
        notes = (*notes, "the noise is in proportion to the matrix given")
    return Observations(
        axes=axes,
        points=to_cube(axes, inputs[order].T),
        values=values[order],
        direction=direction,
        times=when.ends[order] / scale,
        starts=when.starts[order] / scale,
        durations=when.durations[order] / scale,
        pending=to_cube(axes, inputs[waiting].T),
        now=when.now / scale,
        unit=unit,
        clock=None if when.clock is None else _scaled(when.clock, scale),
        skipped=skipped,
        notes=notes,
        source=table.source,
        rows=tuple(int(row) + 1 for row in order),
        noise=errors,
        unsaid=unsaid,
    )


def read_log_times(
    path: Path | str | Table,
    *,
    columns: Columns | None = None,
    unit: str = "s",
    study: str | None = None,
) -> tuple[EvaluationTimes, tuple[str, ...]]:
    """When the observed trials of a log ended, and what was assumed; inputs and y are not read.

    Parameters as `read_log`, or a table that was read. Trials that failed, were pruned or are under
    way are no rounds, and stay in the clock. The times belong to t(x). Raises InvalidInput as that
    does.
    """
    if unit not in UNITS:
        raise InvalidInput("unit", unit, f"use {', '.join(UNITS)}")
    opened = of_frame(path) if isinstance(path, Table) else open_log(path, study)
    table, tool = opened.table, opened.tool
    if not table.rows:
        raise InvalidInput("times", table.source, "it has a header and no rows")
    named = timed_columns(table, tool, Columns() if columns is None else columns)
    numerals = Numerals(comma=table.separator != ",")
    epochs = epochs_of(table, named, tool, numerals, None)
    state = _states(table, named)
    own = 1.0 if tool.in_seconds else UNITS[unit]
    when = _timing(table, named, numerals, own, unit, epochs, state)
    used = (state == "complete") & np.isfinite(when.ends)
    if epochs is not None:
        used &= epochs.whole
    if not np.any(used):
        raise InvalidInput("times", f"{len(used)} rows", "none is complete and has a time")
    left = (len(used) if epochs is None else int(epochs.last.sum())) - int(used.sum())
    notes = (
        *((f"Read as an export of {tool.name}",) if tool.name else ()),
        *opened.notes,
        *(() if epochs is None else epochs.notes),
        *((f"{left} rows that are not complete are no rounds",) if left else ()),
        *when.notes,
    )
    ends = np.sort(when.ends[used]) / UNITS[unit]
    return EvaluationTimes.from_times(ends, source=table.source), notes


def _timing(
    table: Table,
    named: Columns,
    numerals: Numerals,
    own: float,
    unit: str,
    epochs: Epochs | None,
    state: Words,
) -> Timing:
    """When each row began and ended, plain times being in `own` seconds."""
    if named.equal_times:
        waiting = np.asarray(state == "pending")
        if epochs is not None:
            waiting = waiting | ~epochs.last
        return Timing.equal(UNITS[unit], unit, waiting)
    return Timing.of(table, named, numerals, own, epochs)


def _direction(
    given: Direction | None, opened: Export, named: Columns
) -> tuple[Direction, tuple[str, ...]]:
    """Which values are good, and what the file says of it; raises InvalidInput for nobody's word.

    A file speaks of its own objective alone.
    """
    said = opened.direction or opened.tool.direction
    if given is None and said is None:
        remedy = "say which values are good: --maximize or --minimize"
        raise InvalidInput("direction", f"unknown for {named.y}", remedy)
    if given is None:
        assert said is not None
        return said, (f"the file says {said}",)
    if said not in (None, given):
        return given, (f"the file says {said}, and --{given} was asked for",)
    return given, ()


def _said(domain: str | None, tool: Tool, named: Columns) -> dict[str, Axis]:
    """The axes of `--domain` by the names of their columns."""
    assert named.x is not None
    axes = parse_domain(domain) if domain is not None else ()
    said = {(name := in_full(a.name, tool.inputs, named.x)): replace(a, name=name) for a in axes}
    if len(said) < len(axes):
        raise InvalidInput("domain", str(domain), "give one range for each input")
    return said


def _without_constants(
    table: Table, named: Columns, said: dict[str, Axis]
) -> tuple[Columns, tuple[str, ...]]:
    """The columns without inputs that have no range and never change, and a note of these."""
    assert named.x is not None
    kept = tuple(
        name for name in named.x if name in said or len({*table.column(name, "x")} - MISSING) > 1
    )
    left = [name for name in named.x if name not in kept]
    if not kept or not left:
        return named, ()
    return replace(named, x=kept), (f"left out, as they never change: {', '.join(left)}",)


def _scaled(clock: Clock, scale: float) -> Clock:
    return replace(
        clock, span=clock.span / scale, busy=clock.busy / scale, worked=clock.worked / scale
    )


def _states(table: Table, named: Columns) -> Words:
    """(rows,) "complete", "pending", or in words why there is no value."""
    if named.state is None:
        return np.full(len(table.rows), "complete", dtype=object)
    states = np.empty(len(table.rows), dtype=object)
    successes = COMPLETE if named.successes is None else {w.lower() for w in named.successes}
    for row, cell in enumerate(table.column(named.state, "state")):
        word = cell.lower()
        if word not in successes and not word.replace(".", "").isdigit():
            # Optuna writes TrialState.COMPLETE as well, Determined STATE_COMPLETED.
            word = word.rsplit(".", 1)[-1].removeprefix("state_")
        if word not in successes | PENDING | FAILED and named.successes is None:
            raise InvalidInput(
                f"{named.state} in row {row + 1}",
                cell,
                "neither a success nor a failure that is known: name the successes, "
                f"--state {named.state}=WORD,WORD",
            )
        other = "pending" if word in PENDING else f"state {word or 'empty'}"
        states[row] = "complete" if word in successes else other
    return states


_MOST_WORDS = 50


def _worded(
    opened: Export, named: Columns, numerals: Numerals, said: dict[str, Axis]
) -> dict[str, Axis]:
    """The inputs whose values are words, those of `said` and those with no number at all.

    Of the latter the words of the file, where it says them. Raises InvalidInput for more words than
    `_MOST_WORDS`, and for as many as there are rows.
    """
    assert named.x is not None
    table = opened.table
    of_file = {axis.name: axis for axis in opened.axes if axis.labels}
    worded = {}
    others = (named.state, named.start, named.end, named.duration)
    for name in named.x:
        if name in others:
            continue  # what has another meaning is no word
        cells = [cell for cell in table.column(name, "x") if cell not in MISSING]
        if name in said:
            if said[name].labels:
                worded[name] = said[name]
            continue
        words = sorted(set(cells))
        if name in of_file and set(words) <= set(of_file[name].labels):
            worded[name] = of_file[name]
            continue
        if len(words) < 2 or any(numerals.number(word) is not None for word in words):
            continue
        if len(words) > _MOST_WORDS or 2 * len(words) > len(cells):
            what = f"{len(words)} words in {len(cells)} rows"
            remedy = "too many to compare: leave it out of --x"
            raise InvalidInput(name, what, remedy)
        worded[name] = Axis.of_words(name, words)
    return worded


def _codes(axis: Axis, cells: Sequence[str]) -> FloatArray:
    """(rows,) the whole numbers that words stand for, NaN where one is missing."""
    codes = np.full(len(cells), np.nan)
    for row, cell in enumerate(cells):
        code = axis.code(cell)
        if code is not None:
            codes[row] = code
        elif cell not in MISSING:
            remedy = f"none of {', '.join(axis.labels)}: add it in --domain"
            raise InvalidInput(f"{axis.name} in row {row + 1}", cell, remedy)
    return codes


def _numbers(
    table: Table, named: Columns, numerals: Numerals, complete: BoolArray, worded: dict[str, Axis]
) -> tuple[FloatArray, FloatArray]:
    """(rows,) y, NaN where a trial is not complete, and (rows, d) x."""
    assert named.x is not None and named.y is not None
    cells = [
        cell if done else ""
        for cell, done in zip(table.column(named.y, "y"), complete, strict=True)
    ]
    values = numerals.numbers(cells, named.y, "--y")
    inputs = [
        _codes(worded[name], table.column(name, "x"))
        if name in worded
        else numerals.numbers(table.column(name, "x"), name, "--x")
        for name in named.x
    ]
    return values, np.stack(inputs, axis=1)


def _deviations(
    table: Table, named: Columns, numerals: Numerals, observed: BoolArray
) -> FloatArray | None:
    """(rows,) the standard deviations of y; None where there is no such column."""
    if named.sd is None:
        return None
    deviations = numerals.numbers(table.column(named.sd, "sd"), named.sd, "--sd")
    bad = observed & ~(np.isfinite(deviations) & (deviations > 0.0))
    if np.any(bad):
        row = int(np.argmax(bad))
        raise InvalidInput(
            f"{named.sd} in row {row + 1}",
            table.column(named.sd, "sd")[row] or "''",
            "give a positive standard deviation in every row that has a value, or drop --sd",
        )
    return deviations


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
    named: Columns,
    state: Words,
    values: FloatArray,
    whole: BoolArray,
    when: Timing,
    epochs: Epochs | None,
) -> list[str | None]:
    """(rows,) why a row is not observed; empty where it is, None for an earlier row of a trial."""
    every = np.ones(len(state), dtype=bool)
    last, full = (every, every) if epochs is None else (epochs.last, epochs.whole)
    reasons: list[tuple[BoolArray, Any]] = [
        (~last, None),
        (state == "pending", "under way or waiting"),
        (state != "complete", state),
        (~full, "" if epochs is None else epochs.short),
        (~np.isfinite(values), f"no finite {named.y}"),
        (~whole, _INCOMPLETE),
        (~np.isfinite(when.ends), "no time of its end"),
    ]
    chosen = np.full(len(state), "", dtype=object)
    for holds, reason in reversed(reasons):  # the first that holds stays
        chosen = np.where(holds, reason, chosen)
    return list(chosen)


_INCOMPLETE = "an input is missing"


def _conditions(
    named: Columns, inputs: FloatArray, observed: BoolArray, worded: dict[str, Axis]
) -> tuple[dict[int, tuple[int, tuple[float, ...]]], BoolArray]:
    """What decides which inputs are there, and (rows, d) where one is missing as that says."""
    assert named.x is not None
    branches = deciders(inputs[observed], [name in worded for name in named.x])
    lacking = np.zeros(inputs.shape, dtype=bool)
    for i, (j, values) in branches.items():
        known = np.isfinite(inputs[:, j]) | (lacking[:, j] if j in branches else False)
        lacking[:, i] = np.isnan(inputs[:, i]) & known & ~np.isin(inputs[:, j], values)
    return branches, lacking


def _conditioned(
    axes: tuple[Axis, ...], branches: dict[int, tuple[int, tuple[float, ...]]], inputs: FloatArray
) -> tuple[tuple[Axis, ...], tuple[str, ...]]:
    """The axes with the conditions that the log shows, beside those of `--domain`, and a note."""
    said = conditions(axes, {i: branch for i, branch in branches.items() if not axes[i].under})
    decide = {under for under, _ in said.values()}
    axes = conditioned(
        [replace(axis, integer=True) if axis.name in decide else axis for axis in axes], said
    )
    shown = [
        f"{axis.name} if {axis.under}={'|'.join(axis.where)} ({np.isfinite(column).sum()} rows)"
        for axis, column in zip(axes, inputs.T, strict=True)
        if axis.name in said
    ]
    return axes, (f"inputs of some rows alone: {', '.join(shown)}",) if shown else ()


def _branches(named: Columns, inputs: FloatArray, reasons: Sequence[str | None]) -> str:
    """What rows of a conditional space have together and changes there, that of most rows first."""
    assert named.x is not None
    cells = inputs[[reason == _INCOMPLETE for reason in reasons]]
    there = np.isfinite(cells)
    shown = []
    for own, count in Counter(map(tuple, there)).most_common(3):
        rows = cells[np.all(there == own, axis=1)]
        changes = [has and len(set(column)) > 1 for has, column in zip(own, rows.T, strict=True)]
        names = ",".join(name for name, kept in zip(named.x, changes, strict=True) if kept)
        shown += [f"--x {names} ({count} rows)"] if names else []
    return " or ".join(shown) or "--x NAME,NAME"


_WIDE = 10.0
"""High over low from which it matters whether distances are those of logarithms."""


def _axes(
    names: tuple[str, ...],
    inputs: FloatArray,
    kept: BoolArray,
    said: dict[str, Axis],
    opened: Export,
    worded: dict[str, Axis],
) -> tuple[tuple[Axis, ...], tuple[str, ...], tuple[str, ...]]:
    """The axes of the inputs in order, those of unsaid scale, and a note of what was observed."""
    other = next((name for name in said if name not in names), None)
    if other is not None:
        remedy = f"there is no such input: the inputs are {', '.join(names)}"
        raise InvalidInput("domain", other, remedy)
    words = [axis for name, axis in worded.items() if name not in said and axis not in opened.axes]
    given = said | {axis.name: axis for axis in words}
    of_file = [
        axis
        for axis in opened.axes
        if axis.name in names and axis.name not in given
        if _holds(axis, inputs[kept, names.index(axis.name)])
    ]
    given |= {axis.name: axis for axis in of_file}
    notes = (f"ranges of the file: {', '.join(map(str, of_file))}",) if of_file else ()
    if words:
        shown = ", ".join(map(str, words))
        notes = (*notes, f"words as observed, any two equally far apart: {shown}")
    remaining = [name for name in names if name not in given]
    columns = [names.index(name) for name in remaining]
    observed = {axis.name: axis for axis in observed_axes(remaining, inputs[kept][:, columns])}
    axes = tuple(given[name] if name in given else observed[name] for name in names)
    for axis, column in zip(axes, inputs.T, strict=True):
        axis.check(np.where(kept, column, np.nan))
    if not remaining:
        return axes, (), notes
    shown = ", ".join(str(observed[name]) for name in remaining)
    unsaid = tuple(name for name in remaining if _wide(observed[name]))
    return (
        axes,
        unsaid,
        (*notes, f"The ranges are those observed, since no --domain was given: {shown}"),
    )


def _holds(axis: Axis, column: FloatArray) -> bool:
    """Whether a range of the file holds its own data, so that it is one of these inputs."""
    try:
        axis.check(column)
    except InvalidInput:
        return False
    return True


def _wide(axis: Axis) -> bool:
    return axis.low > 0.0 and axis.high / axis.low >= _WIDE
