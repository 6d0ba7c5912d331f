"""Files that are written: whole or not at all, and refused before anything long is computed."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bounds import writing
from bounds.errors import InvalidInput


def check_folder(folder: Path, option: str = "out") -> None:
    """Raise InvalidInput where a folder cannot be made or written into; nothing is left there."""
    for place in (folder, *folder.parents):
        try:
            if place.is_dir():
                with tempfile.TemporaryFile(dir=place):
                    return
            taken = place.exists()
        except OSError as error:
            reason = f"it cannot be written ({error.strerror}): name another folder"
            raise InvalidInput(option, str(place), reason) from None
        except ValueError:
            raise InvalidInput(option, str(place), "this is no name of a folder") from None
        if taken:
            raise InvalidInput(option, str(place), "this is a file: name a folder")


def check_file(path: Path | None, option: str = "out") -> None:
    """Raise InvalidInput where a file could not be written whole: a folder, a link, a device."""
    if path is None:
        return
    check_folder(path.parent, option)
    try:
        if path.is_symlink():
            raise InvalidInput(option, str(path), "this is a link: name the file itself")
        if path.is_dir():
            raise InvalidInput(option, str(path), "this is a folder: name a file in it")
        if path.exists() and not path.is_file():
            raise InvalidInput(option, str(path), "this is no regular file: name one")
    except OSError as error:
        raise InvalidInput(option, str(path), f"it cannot be written ({error.strerror})") from None


def write_whole(path: Path, content: bytes, option: str = "out") -> Path:
    """Write a file whole or not at all; raises InvalidInput that names the option."""
    check_file(path, option)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        writing.write_whole(path, content)
    except OSError as error:
        raise InvalidInput(option, str(path), f"it cannot be written ({error.strerror})") from None
    return path
