"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex
from time import time

_NAMED = ".ctv-{}.tmp"

_LEFT = 60.0
"""Seconds after which nobody is still writing a temporary file."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file by way of another one beside it, so that no reader sees half of it.

    Whatever happens the old file or the new one is there; several processes may write at a time,
    and the last wins. What a process that was killed has left in the folder is taken away a minute
    later. Raises OSError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "new.txt", b"all of it")
    ...     [(file.name, file.read_bytes()) for file in Path(folder).iterdir()]
    [('new.txt', b'all of it')]
    """
    _remove_leftovers(path.parent)
    temporary = path.with_name(_NAMED.format(token_hex(8)))
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def is_leftover(path: Path) -> bool:
    """Whether the name is one that `write_whole` gives to a file that is not finished."""
    return path.name.startswith(".") and path.name.endswith(".tmp")


def _remove_leftovers(folder: Path) -> None:
    for path in folder.glob(_NAMED.format("*")):
        try:
            if time() - path.stat().st_mtime > _LEFT:
                path.unlink()
        except FileNotFoundError:
            continue  # another process was faster
