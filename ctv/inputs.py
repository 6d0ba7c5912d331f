"""Files that come from outside: evaluation times in CSV, γ lists in JSON, and the bundled data.

Rows are counted as rounds, from 1, and an error names the line of the file as well. Everything
wrong with a file raises `InvalidInput`, which is one line for the person who gave it.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.limits import LARGEST_N
from bounds.reading import Text, json_of, read_text, refuse_json
from bounds.time_text import UNITS
from bounds.times import EvaluationTimes
from ctv import extensions

if TYPE_CHECKING:
    from simulation.after_run.coverage import Coverage

DURATION_COLUMNS = ("duration", "duration_seconds", "t")
CUMULATIVE_COLUMN = "tau"
_OF_TIME = re.compile(r"duration|time|second|elapsed|minutes|hours|^(s|sec|secs|ms)$", re.I)


class NoColumnOfTimes(InvalidInput):
    """A table has no column whose name says that it holds times, and none was named."""


def bundled_times() -> Path:
    """Measured evaluation times that come with the project: 240 model fits in seconds.

    >>> read_times(bundled_times()).n
    240
    """
    return Path(str(files("ctv.data") / "gradient_boosting_digits.csv"))


def bundled_search() -> Path:
    """A measured Hyperband search that comes with the project: 207 fits in 12 brackets.

    >>> read_times(bundled_search()).n
    207
    """
    return Path(str(files("ctv.data") / "hyperband_digits.csv"))


def read_times(
    path: str | Path | Text,
    duration: str | None = None,
    *,
    end: str | None = None,
    unit: str = "s",
) -> EvaluationTimes:
    """Evaluation times from one column of a CSV file with a header. O(rows).

    Parameters
    ----------
    path : comma-separated UTF-8 text, `-` for standard input; the first line names the columns
    duration, end : the column to use, of durations t_i or of the times τ_i at which evaluations
        ended; by default the only one among `duration`, `duration_seconds`, `t` (t_i) and `tau`
        (τ_i), or the only one at all, where its name is of time and its values, which somewhere
        fall, cannot be τ_i
    unit : of the result where the file says its own unit (dates, `0:02:30`, `duration_seconds`, the
        exports of tuners); plain numbers stay as they are

    Raises
    ------
    InvalidInput for a file that cannot be read, no or several time columns, and for a missing,
    non-numeric, infinite or negative duration or a decreasing τ, with its row.
    """
    if duration is not None and end is not None:
        raise InvalidInput("end", end, "drop it, or drop --duration: one column has the times")
    column = duration if end is None else end
    text = read_text(path, "times")
    refuse_json(text.text, text.name, "times")
    source = _source(text)
    if column is None and source is not None:
        return source.read(text, unit)
    header = _read_header(text)
    option = "duration" if end is None else "end"
    chosen = _time_column(header) if column is None else _column_named(header, column, option)
    holds_tau = end is not None if column is not None else header[chosen] == CUMULATIVE_COLUMN
    try:
        values = _read_column(text, header, chosen)
    except InvalidInput as error:
        if column is None and not holds_tau:
            with_clock = _source(text, str(error.value))
            if with_clock is not None:
                return with_clock.read(text, unit)
        if source is None:
            raise
        remedy = f"{error.remedy}, or drop --{option}: the clock of a log is read without it"
        raise InvalidInput(error.field, error.value, remedy) from None
    _check_order(text, header[chosen], values, holds_tau=holds_tau)
    named = column is not None or header[chosen] in (*DURATION_COLUMNS, CUMULATIVE_COLUMN)
    if not named and np.all(np.diff(values) >= 0):
        remedy = "say --duration with its name, or --end if evaluations ended at these times"
        raise InvalidInput("times", header[chosen], remedy)
    if unit != "s" and header[chosen] == DURATION_COLUMNS[1]:
        values = values / UNITS[unit]
    build = EvaluationTimes.from_times if holds_tau else EvaluationTimes.from_durations
    return build(values, source=text.name)


def _source(text: Text, cell: str = "") -> extensions.TimesSource | None:
    """What reads more than comma-separated durations and recognises this file; None without."""
    sources: Mapping[str, extensions.TimesSource] = extensions.loaded("times")
    return next((one for one in sources.values() if one.recognises(text, cell)), None)


def read_columns(path: str | Path | Text, columns: Sequence[str], option: str = "x") -> FloatArray:
    """(rows, columns) finite numbers of the columns of a CSV file that an option names.

    Raises InvalidInput for a column that is not there or named twice, and for what is no number.
    """
    text = read_text(path, "times")
    header = _read_header(text)
    for i, name in enumerate(columns):
        if name in columns[:i]:
            raise InvalidInput(option, name, "name each column once")
    chosen = [_column_named(header, name, option) for name in columns]
    return np.stack([_read_column(text, header, index) for index in chosen], axis=1)


def read_gamma(path: str | Path) -> FloatArray:
    """γ_0, γ_1, … from a JSON file that holds one list of numbers.

    Length and order are for the user of the list to check, who knows n.
    """
    read = read_text(path, "gamma")
    try:
        values = json_of(read.text)
    except ValueError as error:
        raise InvalidInput("gamma", read.name, f"give a JSON list of numbers ({error})") from None
    if not isinstance(values, list):
        raise InvalidInput("gamma", read.name, "give a JSON list: [0, gamma_1, ..., gamma_n]")
    if not set(map(type, values)) <= {int, float}:
        m, value = next((m, v) for m, v in enumerate(values) if type(v) not in (int, float))
        raise InvalidInput(f"gamma_{m}", json.dumps(value), "give a number")
    try:
        return np.array(values, dtype=float)
    except OverflowError:
        raise InvalidInput("gamma", read.name, "a number in it overflows") from None


def read_numbers(given: str | Path, field: str) -> FloatArray:
    """Numbers of a comma list, or of a file that holds them between commas, blanks or lines.

    A `Path` is a file.

    >>> read_numbers("0,0.5", "known-mean")
    array([0. , 0.5])
    """
    # A name too long for a file is a list.
    if isinstance(given, Path) or given == "-" or (len(given) < 1_000 and Path(given).is_file()):
        words = read_text(given, field).text.replace(",", " ").split()
    else:
        words = given.split(",")
    wrong = next((word for word in words if not _is_finite_number(word)), None)
    if wrong is not None or not words:
        raise InvalidInput(field, wrong or str(given) or "''", "give numbers, or a file of numbers")
    return np.array([float(word) for word in words])


def _rows(file: Text) -> Iterator[tuple[int, list[str]]]:
    """The line on which each record ends, and the record; blank lines are skipped."""
    reader = csv.reader(io.StringIO(file.text, newline=""))
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise InvalidInput("times", file.name, f"this is not a CSV file ({error})") from None


def _read_header(file: Text) -> list[str]:
    first = next(_rows(file), None)
    if first is None:
        raise InvalidInput("times", file.name, "the file is empty: give a CSV file with a header")
    header = [name.strip() for name in first[1]]
    if all(_is_number(name) for name in header):
        raise InvalidInput(
            "times", ",".join(header), "the first line must name the columns, e.g. duration"
        )
    return header


def _read_column(file: Text, header: list[str], chosen: int) -> FloatArray:
    width = len(header)
    cells: list[str] = []
    rows = _rows(file)
    next(rows)
    for line, row in rows:
        if len(row) != width:
            raise InvalidInput(
                f"row {len(cells) + 1} (line {line}) of {file.name}",
                ",".join(row),
                f"give {width} values as in the header, with a decimal point and no decimal comma",
            )
        if len(cells) == LARGEST_N:
            raise InvalidInput("times", file.name, f"it has more than {LARGEST_N} rows: give fewer")
        cells.append(row[chosen])
    if not cells:
        raise InvalidInput("times", file.name, "the file has a header but no rows")
    try:
        values = np.array(list(map(float, cells)))
    except ValueError:
        values = np.array([float("nan")])
    # float() also reads 1_000, which nobody means in a table of measurements.
    if not np.all(np.isfinite(values)) or "_" in "".join(cells):
        i = next(i for i, cell in enumerate(cells) if not _is_finite_number(cell))
        text = cells[i].strip()
        remedy = "give a finite number" if text else "the value is missing"
        raise InvalidInput(f"{header[chosen]} in {_place(file, i)}", text or "''", remedy)
    return values


def _time_column(header: list[str]) -> int:
    known = (*DURATION_COLUMNS, CUMULATIVE_COLUMN)
    names = [name for name in header if name in known]
    if not names and len(header) == 1 and _OF_TIME.search(header[0]):
        return 0
    if not names:
        raise NoColumnOfTimes(
            "times",
            ",".join(header),
            f"no column is called {', '.join(known[:-1])} or {known[-1]}: say --duration NAME",
        )
    if len(names) > 1:
        raise InvalidInput(
            "times", ",".join(names), "more than one column of times: choose with --duration"
        )
    return header.index(names[0])


def _column_named(header: list[str], name: str, option: str) -> int:
    if header.count(name) != 1:
        problem = "there are several such columns" if name in header else "there is no such column"
        remedy = f"{problem}: name it with --{option}, one of {', '.join(header)}"
        raise InvalidInput(option, name, remedy)
    return header.index(name)


def _check_order(file: Text, name: str, values: FloatArray, *, holds_tau: bool) -> None:
    """Name the line of a negative duration or a decreasing τ, which only the file knows."""
    negative = np.flatnonzero(values < 0)
    if len(negative):
        i = int(negative[0])
        raise InvalidInput(f"{name} in {_place(file, i)}", float(values[i]), "times are at least 0")
    falling = np.flatnonzero(np.diff(values) < 0)
    if holds_tau and len(falling):
        i = int(falling[0]) + 1
        raise InvalidInput(
            f"{name} in {_place(file, i)}",
            float(values[i]),
            f"cumulative times do not decrease (the row before has {values[i - 1]:g})",
        )


def _place(file: Text, index: int) -> str:
    """Row (from 1) and line of the record with this index; the header is record −1."""
    line = next(line for i, (line, _) in enumerate(_rows(file), start=-1) if i == index)
    return f"row {index + 1} (line {line})"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_finite_number(text: str) -> bool:
    return "_" not in text and _is_number(text) and isfinite(float(text))


def bundled_coverage() -> tuple[Coverage, ...]:
    """The study that comes with the project."""
    return read_coverage(Path(str(files("ctv.data") / "coverage.json")))


def read_coverage(path: Path) -> tuple[Coverage, ...]:
    """A study that `--out` wrote; raises InvalidInput for any other file."""
    from simulation.after_run import coverage

    names = [field.name for field in dataclasses.fields(coverage.Coverage)]
    try:
        held = json_of(read_text(path, "study").text)
        return coverage.judged(
            [coverage.Coverage(**{name: row[name] for name in names}) for row in held["coverage"]]
        )
    except (ValueError, KeyError, TypeError):
        raise InvalidInput("study", str(path), "give a file of ctv coverage --out") from None
