"""Text that comes from outside: one door for files, pipes and standard input, of bounded size.

A file is read once, so that a pipe is one too; what would never end is refused.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from bounds.errors import InvalidInput
from bounds.limits import LARGEST_FILE

WAITED_FOR = 10.0
"""Seconds in which something has to open a named pipe for writing."""

_GZIP = b"\x1f\x8b"
_NO_TEXT = (
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PK\x03\x04", "a zip archive or a workbook"),
    (b"PAR1\x15", "a Parquet file"),
    (b"ARROW1\x00", "an Arrow file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"BZh91AY", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"(\xb5/\xfd", "a zstd archive"),
)
"""How files begin that are no text, and what they are."""
_JSON = re.compile(r'\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[\[{"\]]|-?\d|$))')
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_DEEPEST = 60
_MOST_DIGITS = 4_000


@dataclass(frozen=True)
class Text:
    """A file of text that was read: a pipe gives it once only.

    Attributes
    ----------
    name : of the file, without its folders
    text : all of it
    """

    name: str
    text: str


def read_text(path: str | Path | Text, field: str) -> Text:
    """A whole file of text; `-` is standard input, and pipes are files. O(size).

    UTF-8 with or without BOM, or UTF-16; lines end by LF, CR LF or CR, and by LF in what is given;
    plain or gzip; at most `LARGEST_FILE` bytes, packed or not. Raises InvalidInput, which names the
    option `field`, for what cannot be read, for folders and devices, and where nothing opens a
    named pipe to write within `WAITED_FOR` seconds.
    """
    if isinstance(path, Text):
        return path
    if not isinstance(path, str | Path):
        raise InvalidInput(field, path, "give the path of a file")
    with _readable(str(path), field):
        if str(path) == "-":
            name, content = "standard input", _standard_input()
        else:
            file = Path(path) if isinstance(path, str) else path
            name, content = file.name, _content(file, field)
        plain = _unpacked(content)
        kind = next((name for mark, name in _NO_TEXT if plain.startswith(mark)), None)
        if kind is not None:
            raise InvalidInput(field, str(path), f"this is {kind}, not text: save it as text (CSV)")
        if max(len(content), len(plain)) > LARGEST_FILE:
            most = f"give at most {LARGEST_FILE // 2**20} MiB"
            raise InvalidInput(field, str(path), f"the file is too large: {most}")
        return Text(name, _with_plain_lines(plain.decode(encoding_of(plain))))


def json_of(text: str) -> Any:
    """The value that a text of JSON is, where everybody would read the same.

    Raises ValueError for what is no JSON, for NaN and infinities, a name given twice in an object,
    an integer of over 4,000 digits, and what is nested deeper than any file of this project.

    >>> json_of('{"unit": "s", "unit": "h"}')
    Traceback (most recent call last):
        ...
    ValueError: unit is there twice
    """
    _require_shallow(text)
    return json.loads(
        text, object_pairs_hook=_each_once, parse_constant=_no_number, parse_int=_integer
    )


def _require_shallow(text: str) -> None:
    depth = 0
    for part in _STRING_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(part[0], 0)
        if depth > _DEEPEST:
            raise ValueError("it is nested too deep")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"{name} is there twice")
        members[name] = value
    return members


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError("a number of too many digits")
    return int(digits)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError(0, "standard input is closed")
    return sys.stdin.buffer.read(LARGEST_FILE + 1)


def _content(path: Path, field: str) -> bytes:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise InvalidInput(field, str(path), "this is a folder: give a file")
    if stat.S_ISFIFO(mode):
        return _from_pipe(path, field)
    with path.open("rb") as file:
        if not stat.S_ISREG(mode) and not file.isatty():
            raise InvalidInput(field, str(path), "this is a device: give a file")
        return file.read(LARGEST_FILE + 1)


def _from_pipe(path: Path, field: str) -> bytes:
    """All that is written into a named pipe."""
    begun, content = monotonic(), bytearray()
    at_once = getattr(os, "O_NONBLOCK", 0)  # not on Windows, where opening waits for a writer
    with os.fdopen(os.open(path, os.O_RDONLY | at_once), "rb", buffering=0) as pipe:
        while len(content) <= LARGEST_FILE:
            part = pipe.read(1 << 20)
            if part:
                content += part
            elif part == b"" and content:
                break
            elif part == b"" and monotonic() - begun > WAITED_FOR:
                raise InvalidInput(field, str(path), f"nothing wrote into it in {WAITED_FOR:g} s")
            else:
                sleep(0.01)
    return bytes(content)


def _unpacked(content: bytes) -> bytes:
    """The bytes, out of gzip where they are in it, up to one more than are accepted."""
    if not content.startswith(_GZIP):
        return content
    try:
        return gzip.GzipFile(fileobj=BytesIO(content)).read(LARGEST_FILE + 1)
    except (OSError, EOFError, zlib.error):
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


def _with_plain_lines(text: str) -> str:
    """Lines that end as they do here; raises OSError for text that no editor wrote."""
    if "\0" in text:
        raise OSError(0, "it holds NUL characters: save it as text in UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@contextmanager
def _readable(shown: str, field: str) -> Iterator[None]:
    """Turn everything that can be wrong with a file into one line about the option `field`."""
    try:
        yield
    except InvalidInput:
        raise
    except FileNotFoundError:
        raise InvalidInput(field, shown, "there is no such file") from None
    except UnicodeDecodeError:
        remedy = "this is not text in UTF-8 or UTF-16: save it as UTF-8"
        raise InvalidInput(field, shown, remedy) from None
    except OSError as error:
        raise InvalidInput(field, shown, f"it cannot be read ({error.strerror})") from None
    except ValueError as error:  # a path with a null byte
        raise InvalidInput(field, shown, f"it cannot be read ({error})") from None


def refuse_json(text: str, source: str, field: str) -> None:
    """Raise InvalidInput where a text is JSON, or lines of it, and no table."""
    if _JSON.match(text):
        remedy = "this is JSON: write a table with a header, as pandas' DataFrame.to_csv does"
        raise InvalidInput(field, source, remedy)
