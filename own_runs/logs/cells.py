"""Cells as numbers, durations and instants; a cell that is none of these is named by its row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite, nan
from typing import Literal

import numpy as np

from bounds import time_text
from bounds.arrays import BoolArray, FloatArray
from bounds.errors import InvalidInput
from bounds.time_text import MISSING

_SERIAL = (36526.0, 73051.0)
"""Days since 1899-12-30 at the turns of 2000 and 2100, as spreadsheets write dates."""
_SERIAL_SPAN = 366.0
"""Longest log in serial days: elapsed times of that size seldom lie so close together."""

_UTC = re.compile(r"\s*(?:[+-]00:?00)?\s*\(?(?<![A-Za-z])(?:UTC|GMT|Z)\)?$", re.IGNORECASE)
_APART = re.compile(r"\s+([+-]\d\d:?\d\d)$")
_YEAR_LAST = re.compile(
    r"^(?P<first>\d{1,2})(?P<mark>[/.-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})"
    r"(?:,?[ T]+(?P<time>.+))?$"
)
_YEAR_FIRST = re.compile(r"^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?:[ T_]+(?P<time>.+))?$")
_TIME = re.compile(
    r"^(?P<h>\d{1,2})(?P<mark>[:-])(?P<m>\d\d)(?:(?P=mark)(?P<s>\d\d(?:[.,]\d+)?))?"
    r"(?: *(?P<half>[AaPp])\.?[Mm]\.?)?(?P<zone>[+-]\d\d:?\d\d)?$"
)
_NAMED_ZONE = re.compile(r"\d\s*\(?([A-Z]{2,5})\)?$")

_EPOCHS = ((1e17, 1e-9, "ns"), (1e14, 1e-6, "us"), (1e11, 1e-3, "ms"), (1e8, 1.0, "s"))
"""Least size of an instant since 1970 in each unit: all of them are in 1973."""


@dataclass(frozen=True)
class Numerals:
    """How a file writes its numbers.

    comma : whether a comma may be the sign of the decimals (it is not what separates the cells)
    """

    comma: bool

    def number(self, cell: str) -> float | None:
        """The number in a cell; None where there is none; NaN where it is missing."""
        plain = time_text.number(cell)
        if plain is not None:
            return plain
        if self.comma and "," in cell:
            body = cell.replace(".", "") if cell.rfind(",") > cell.rfind(".") else ""
            if body.count(",") == 1:
                return time_text.number(body.replace(",", "."))
        return None

    def numbers(self, cells: Sequence[str], name: str, option: str) -> FloatArray:
        """(rows,) the numbers of a column, NaN where one is missing; raises InvalidInput."""
        values = np.empty(len(cells))
        for row, cell in enumerate(cells):
            value = self.number(cell)
            if value is None:
                raise InvalidInput(f"{name} in row {row + 1}", cell or "''", self._remedy(option))
            values[row] = value
        if self.comma:
            _refuse_mixed(cells, name)
        return values

    def _remedy(self, option: str) -> str:
        if option == "--x":
            return (
                "inputs are numbers, or words alone: leave this column out of --x, or name its "
                "values in --domain, as NAME=A|B"
            )
        return f"it holds no number: name another column by {option}"


def _refuse_mixed(cells: Sequence[str], name: str) -> None:
    """1,5 beside 1.5: either the comma or the point stands for thousands, and nobody knows."""
    comma = next((row for row, cell in enumerate(cells) if "," in cell and "." not in cell), None)
    point = next((row for row, cell in enumerate(cells) if "." in cell and "," not in cell), None)
    if comma is not None and point is not None:
        raise InvalidInput(
            f"{name} in row {comma + 1}",
            cells[comma],
            f"row {point + 1} has {cells[point]}: write the decimals of all rows in one way",
        )


def missing(cells: Sequence[str]) -> BoolArray:
    """(rows,) whether a cell holds nothing, or a word for nothing."""
    return np.array([cell in MISSING for cell in cells], dtype=bool)


def durations(cells: Sequence[str], name: str, unit: float, numerals: Numerals) -> FloatArray:
    """(rows,) durations in seconds, NaN where missing.

    Raises InvalidInput for what is no duration, and for one that is negative or infinite.
    """
    seconds = np.empty(len(cells))
    for row, cell in enumerate(cells):
        value = time_text.seconds(cell, unit, numerals.number)
        if value is None:
            raise InvalidInput(
                f"{name} in row {row + 1}", cell, "it is no duration: name another by --duration"
            )
        if value < 0:
            remedy = "a duration is at least 0: drop the row, or name another by --duration"
            raise InvalidInput(f"{name} in row {row + 1}", cell, remedy)
        if value == float("inf"):
            raise InvalidInput(f"{name} in row {row + 1}", cell, "give a finite duration")
        seconds[row] = value
    if numerals.comma:
        _refuse_mixed(cells, name)
    return seconds


@dataclass(frozen=True, eq=False)
class Instants:
    """A column of instants.

    Attributes
    ----------
    seconds : (rows,) since `reference`, NaN where one is missing
    kind : what the column holds: dates, days as spreadsheets count them, instants since 1970, or
        time elapsed
    zoned : whether the dates carry a zone; None where there are none
    reference : seconds since 1970 from which the dates are counted; 0 for times elapsed
    """

    seconds: FloatArray
    kind: Literal["date", "serial", "epoch", "elapsed"]
    zoned: bool | None
    reference: float

    def since(self, reference: float) -> FloatArray:
        """(rows,) the same instants counted from another reference."""
        return self.seconds + (self.reference - reference)


def instants(
    cells: Sequence[str],
    name: str,
    unit: float,
    numerals: Numerals,
    option: str,
    beside: Sequence[str] = (),
) -> Instants:
    """Dates, epochs in s, ms, us or ns, serial days, or time elapsed in `unit` seconds.

    Dates are ISO, or numbers with the day or the month first where some cell of this column or of
    `beside` shows which. Numbers between `_SERIAL` that lie close together are serial days. Raises
    InvalidInput for a cell that is none, a mixture of these, dates of which only some have a zone,
    and those whose day might be the month.
    """
    present = [row for row, cell in enumerate(cells) if cell not in MISSING]
    if not present:
        raise InvalidInput(name, "empty", f"name another column by {option}")
    if numerals.number(cells[present[0]]) is None:
        return _dates(cells, present, name, option, beside)
    values = numerals.numbers(cells, name, option)
    row = next((row for row in present if not isfinite(values[row])), None)
    if row is not None:
        raise InvalidInput(f"{name} in row {row + 1}", cells[row], "give a finite time")
    largest = float(np.nanmax(np.abs(values)))
    if _SERIAL[0] <= np.nanmin(values) and largest < _SERIAL[1]:
        first = float(np.nanmin(values))
        if largest - first <= _SERIAL_SPAN:
            return Instants(
                (values - first) * 86400.0, "serial", False, (first - 25569.0) * 86400.0
            )
    scale = next(((factor, least) for least, factor, _ in _EPOCHS if largest >= least), None)
    if scale is None:
        return Instants(values * unit, "elapsed", None, 0.0)
    factor, least = scale
    small = next((row for row in present if values[row] < least), None)
    if small is not None:
        raise InvalidInput(
            f"{name} in row {small + 1}",
            cells[small],
            "other rows hold times since 1970 in a finer unit: write all in one unit",
        )
    # Differences are taken in the file's own unit, where they are exact.
    first = float(np.nanmin(values))
    elapsed = (values - first) * factor
    return Instants(elapsed, "epoch", True, first * factor)


def _dates(
    cells: Sequence[str], present: Sequence[int], name: str, option: str, beside: Sequence[str]
) -> Instants:
    elapsed = np.full(len(cells), nan)
    moments: list[tuple[int, datetime]] = []
    day_first = _day_first((*cells, *beside), name)
    for row in present:
        try:
            moments.append((row, datetime.fromisoformat(_as_iso(cells[row], day_first))))
        except ValueError:
            zone = _NAMED_ZONE.search(cells[row])
            if zone and zone[1] not in ("AM", "PM"):
                remedy = f"{zone[1]} may be several zones: write its offset, as +01:00"
            else:
                remedy = (
                    "it is no date that is known (2024-05-01T12:00:00) and no number: name another "
                    f"by {option}"
                )
            raise InvalidInput(f"{name} in row {row + 1}", cells[row], remedy) from None
    zoned = moments[0][1].tzinfo is not None
    other = next((row for row, moment in moments if (moment.tzinfo is not None) != zoned), None)
    if other is not None:
        have = "have one" if zoned else "have none"
        raise InvalidInput(
            f"{name} in row {other + 1}",
            cells[other],
            f"its zone: rows before it {have}; write all dates with a zone, or all without",
        )
    if not zoned:
        moments = [(row, moment.replace(tzinfo=UTC)) for row, moment in moments]
    first = min(moment for _, moment in moments)
    for row, moment in moments:
        elapsed[row] = (moment - first).total_seconds()
    return Instants(elapsed, "date", zoned, first.timestamp())


def _day_first(cells: Sequence[str], name: str) -> bool:
    """Whether 13/05/2024 or 05/13/2024 is what the cells write; raises InvalidInput for neither.

    Where all of them are of one day it does not matter.
    """
    dates = [date for cell in cells if (date := _YEAR_LAST.match(cell))]
    days = [date for date in dates if int(date["first"]) > 12]
    months = [date for date in dates if int(date["second"]) > 12]
    if days and months:
        remedy = f"{months[0][0]} has the month first: write all dates year first, as 2024-05-13"
        raise InvalidInput(name, days[0][0], remedy)
    same = {date.group("first", "second", "year") for date in dates}
    if not days and not months and len(same) > 1:
        shown = dates[0]
        raise InvalidInput(
            name,
            shown[0],
            "day or month first? no row has a day above 12: write dates year first, as "
            f"{shown['year']}-{int(shown['second']):02}-{int(shown['first']):02}",
        )
    return not months


def _as_iso(cell: str, day_first: bool) -> str:
    """A date in the spelling that `datetime.fromisoformat` reads.

    >>> _as_iso("13/05/2024 9:30 PM", day_first=True)
    '2024-05-13T21:30:00'
    """
    text = _APART.sub(r"\1", _UTC.sub("+00:00", cell))
    last, first = _YEAR_LAST.match(text), _YEAR_FIRST.match(text)
    if last:
        year, time = last["year"], last["time"]
        day, month = last.group("first", "second") if day_first else last.group("second", "first")
    elif first:
        year, _, month, day, time = first.groups()
    else:
        return text
    date = f"{year}-{int(month):02}-{int(day):02}"
    clock = _TIME.match(time or "")
    if not clock:
        return f"{date}T{time}" if time else date
    hour = int(clock["h"])
    if clock["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(cell)
        hour = hour % 12 + 12 * (clock["half"] in "Pp")
    return f"{date}T{hour:02}:{clock['m']}:{clock['s'] or '00'}{clock['zone'] or ''}"
