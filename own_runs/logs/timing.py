"""When the rows of a log began and ended, from whichever of the three times it has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from bounds.arrays import BoolArray, FloatArray
from bounds.errors import InvalidInput
from own_runs.logs.cells import Instants, Numerals, durations, instants, missing
from own_runs.logs.clock import Clock, clock_of
from own_runs.logs.columns import Columns
from own_runs.logs.epochs import Epochs
from own_runs.logs.table import Table
from own_runs.logs.tools import IN_SECONDS


@dataclass(frozen=True, eq=False)
class Timing:
    """Starts, ends and durations of every row in seconds since the clock began; NaN: unknown."""

    starts: FloatArray
    ends: FloatArray
    durations: FloatArray
    now: float
    clock: Clock | None
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        table: Table,
        named: Columns,
        numerals: Numerals,
        unit: float,
        epochs: Epochs | None = None,
    ) -> Timing:
        """The times of a table; those of a trial of several rows stand in its last row."""
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
        if epochs is not None and took is not None:
            if epochs.cumulative is None and (begun is not None and ended is not None):
                took = None
            else:
                took = epochs.of_trials(took, named.duration or "")
        if begun is None and ended is None:
            assert took is not None
            absent = missing(table.column(named.duration or "", "duration"))
            return cls._serial(took, absent | (np.isnan(took) if epochs is not None else False))
        reference, notes = _reference(begun, ended, named), _days_said(begun, ended, named)
        starts = np.full(len(table.rows), np.nan) if begun is None else begun.since(reference)
        ends = np.full(len(table.rows), np.nan) if ended is None else ended.since(reference)
        if epochs is not None:
            starts = epochs.extreme(starts, latest=False)
            ends = epochs.extreme(ends, latest=True)
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
        if took is not None and begun is not None and ended is not None:
            gap = np.abs(took - (ends - starts))
            apart = gap > np.maximum(2.0, 0.05 * (ends - starts))
            if 2 * int(np.sum(apart)) > int(np.sum(np.isfinite(gap))):
                notes.append(
                    f"{named.duration} disagrees with the starts and ends, which are taken"
                )
                took = None
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
    def equal(cls, unit: float, unit_name: str, waiting: BoolArray) -> Timing:
        """Every row lasts one unit of `unit` seconds, one after the other; NaN where it waits."""
        timing = cls._serial(np.full(len(waiting), unit), waiting)
        note = (
            f"every trial is taken to last 1 {unit_name}, in the order of the file "
            "(--duration equal): times count evaluations"
        )
        return replace(timing, notes=(note,))

    @classmethod
    def _serial(cls, took: FloatArray, absent: BoolArray) -> Timing:
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
    notes = []
    for column, name in ((begun, named.start), (ended, named.end)):
        if column is not None and column.kind == "serial":
            day = datetime.fromtimestamp(column.reference, UTC).date()
            notes.append(
                f"{name} is read as days of a spreadsheet, from {day}: if it counts something "
                "else, take its first value off"
            )
    return notes


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
