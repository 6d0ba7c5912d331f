"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep others from what `path` stands for, threads and processes that hold it too.

    By a lock on a file beside it, `.NAME.lock`, which stays; the system lets go of it when its
    holder ends, however that happens. Waits for whoever holds it. Raises OSError.
    """
    with path.with_name(f".{path.name}.lock").open("ab") as lock:
        try:
            import fcntl
        except ImportError:  # not on Windows, which has its own
            import msvcrt

            lock.seek(0)
            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
