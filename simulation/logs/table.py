"""A file of records as text cells: encodings, compression and separators put aside.

Rows are counted from 1 behind the header, as rounds are.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from bounds.errors import InvalidInput

SEPARATORS = ("\t", ";", ",")
"""What may stand between cells; the one that gives the header most cells does."""

_GZIP = b"\x1f\x8b"


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


def read_table(path: Path | str) -> Table:
    """The table in a file, or on standard input for `-`.

    CSV, TSV or `;`; UTF-8 with or without BOM, UTF-16; plain or gzip. Blank lines are skipped.
    Raises InvalidInput for what cannot be read, no header, and a row of another length.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "log.csv"
    ...     _ = file.write_bytes("x;y\\n0,5;1\\n".encode("utf-16"))
    ...     read_table(file).rows
    (('0,5', '1'),)
    """
    source, content = _content(path)
    try:
        content = unpacked(content)
    except OSError:
        raise InvalidInput("data", source, "its gzip part is damaged or cut short") from None
    try:
        text = content.decode(encoding_of(content))
    except UnicodeDecodeError:
        raise InvalidInput("data", source, "it is no UTF-8 or UTF-16: save it as UTF-8") from None
    return table_of(text, source)


def table_of(text: str, source: str) -> Table:
    """The table that a text is; raises InvalidInput as `read_table` does."""
    separator = separator_of(text)
    # A quotation mark that never ends makes one cell of the rest, which the limit then refuses.
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        records = [(reader.line_num, record) for record in reader if any(c.strip() for c in record)]
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


def _content(path: Path | str) -> tuple[str, bytes]:
    """The name of the file and its bytes, unpacked."""
    if str(path) == "-":
        source, content = "standard input", sys.stdin.buffer.read()
    else:
        source = Path(path).name
        try:
            content = Path(path).read_bytes()
        except IsADirectoryError:
            raise InvalidInput("data", str(path), "it is a folder: give a file") from None
        except OSError as error:
            reason = error.strerror or "unreadable"
            raise InvalidInput("data", str(path), f"it cannot be read ({reason})") from None
        except ValueError:
            raise InvalidInput("data", str(path), "no file can have this name") from None
    return source, content


def unpacked(content: bytes) -> bytes:
    """The bytes, out of gzip where they are in it; raises OSError where that is damaged."""
    if not content.startswith(_GZIP):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, zlib.error):
        raise OSError(0, "its gzip part is damaged or cut short") from None


def encoding_of(content: bytes) -> str:
    """UTF-8 or UTF-16, by its mark, or by the zeros that the letters of a header leave.

    >>> encoding_of("x,y".encode("utf-16-be"))
    'utf-16-be'
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if b"\x00" in content[1:2]:
        return "utf-16-le"
    return "utf-16-be" if content[:1] == b"\x00" and content[1:2] else "utf-8-sig"


def separator_of(text: str) -> str:
    """The separator with which the first line that is not blank has most cells.

    >>> separator_of("x;y\\n0,5;1\\n")
    ';'
    """
    first = next((line for line in text.splitlines() if line.strip()), "")

    def cells(separator: str) -> int:
        return len(next(csv.reader([first], delimiter=separator), []))

    return max(SEPARATORS, key=lambda separator: (cells(separator), separator == ","))
