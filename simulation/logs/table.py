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
    text = _text(content, source)
    separator = _separator(text)
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
    if content.startswith(_GZIP):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            raise InvalidInput("data", source, "its gzip part is damaged or cut short") from None
    return source, content


def _text(content: bytes, source: str) -> str:
    encoding = "utf-8-sig"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\x00" in content[:200]:
        # UTF-16 without its mark: every second byte of the header's letters is zero.
        encoding = "utf-16-be" if content[:1] == b"\x00" else "utf-16-le"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise InvalidInput("data", source, "it is no UTF-8 or UTF-16: save it as UTF-8") from None


def _separator(text: str) -> str:
    """The separator with which the first line that is not blank has most cells."""
    first = next((line for line in text.splitlines() if line.strip()), "")

    def cells(separator: str) -> int:
        return len(next(csv.reader([first], delimiter=separator), []))

    return max(SEPARATORS, key=lambda separator: (cells(separator), separator == ","))
