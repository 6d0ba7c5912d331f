"""Files that are written: whole or not at all, and refused before anything long is computed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bounds.errors import InvalidInput


def check_folder(folder: Path) -> None:
    """Raise InvalidInput where a folder cannot be made or written into; nothing is left there."""
    for place in (folder, *folder.parents):
        if place.is_dir():
            try:
                with tempfile.TemporaryFile(dir=place):
                    return
            except OSError as error:
                reason = f"it cannot be written ({error.strerror}): name another folder"
                raise InvalidInput("out", str(place), reason) from None
        if place.exists():
            raise InvalidInput("out", str(place), "this is a file: name a folder")


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file by way of another one beside it, so that no reader sees half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInput("out", str(path), f"it cannot be written ({error.strerror})") from None
    return path
