"""A file of records as text cells: separators put aside.

Rows are counted from 1 behind the header, as rounds are.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from bounds.errors import InvalidInput
from bounds.reading import refuse_json

SEPARATORS = ("\t", ";", ",")
"""What may stand between cells; the one that gives the header most cells does."""

LARGEST_CELLS = 10_000_000
"""Cells of the largest table accepted."""


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of text.

    Attributes
    ----------
    header : the names of the columns, without blanks around them
    rows : the records, each as long as the header
    separator : of the file; with `,` a comma inside a number is none of a decimal
    source : name of the file, for people
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    separator: str
    source: str

    def column(self, name: str, option: str) -> tuple[str, ...]:
        """The cells of one column; raises InvalidInput that names the option to give instead."""
        index = self.index(name, option)
        return tuple(row[index] for row in self.rows)

    def index(self, name: str, option: str) -> int:
        """Where the column stands; raises InvalidInput for none or several of that name."""
        count = self.header.count(name)
        if count == 1:
            return self.header.index(name)
        shown = ", ".join(column or "''" for column in self.header[:12])
        more = ", …" if len(self.header) > 12 else ""
        if count:
            raise InvalidInput(option, name, f"{count} columns have this name: rename them")
        raise InvalidInput(option, name, f"{self.source} has no such column; it has {shown}{more}")


def table_of(text: str, source: str) -> Table:
    """The table that a text is: CSV, TSV or `;`, blank lines skipped.

    Raises InvalidInput for no header, and for a row of another length.

    >>> table_of("x;y\\n0,5;1\\n", "log.csv").rows
    (('0,5', '1'),)
    """
    refuse_json(text, source, "data")
    separator = separator_of(text)
    # A quotation mark that never ends makes one cell of the rest, which the limit then refuses.
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        records, cells = [], 0
        for record in reader:
            cells += len(record)
            if cells > LARGEST_CELLS:
                remedy = f"it has more than {LARGEST_CELLS} cells: give fewer rows"
                raise InvalidInput("data", source, remedy)
            if any(cell.strip() for cell in record):
                records.append((reader.line_num, record))
    except csv.Error as error:
        raise InvalidInput("data", source, f"it is no table ({error})") from None
    if not records:
        raise InvalidInput("data", source, "the file is empty: give a table with a header")
    header = tuple(name.strip() for name in records[0][1])
    rows = []
    for number, (line, record) in enumerate(records[1:], 1):
        if len(record) < len(header):
            raise InvalidInput(
                f"data in row {number}",
                f"{len(record)} cells",
                f"the header has {len(header)} (line {line} of {source})",
            )
        if any(cell.strip() for cell in record[len(header) :]):
            remedy = f"the header has {len(header)} (line {line} of {source})"
            if separator == ",":
                remedy += "; numbers with a decimal comma need ; between the cells"
            raise InvalidInput(f"data in row {number}", f"{len(record)} cells", remedy)
        rows.append(tuple(cell.strip() for cell in record[: len(header)]))
    return Table(header, tuple(rows), separator, source)


def separator_of(text: str) -> str:
    """The separator with which the first line that is not blank has most cells.

    >>> separator_of("x;y\\n0,5;1\\n")
    ';'
    """
    return max(
        SEPARATORS, key=lambda separator: (len(first_record(text, separator)), separator == ",")
    )


def first_record(text: str, separator: str) -> list[str]:
    """The cells of the first line that is not blank; none where it is longer than a table's is."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    try:
        return next(csv.reader([first], delimiter=separator), [])
    except csv.Error:
        return []
