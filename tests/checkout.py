"""The files of the checkout: a copy for what writes, and what was written all the same."""

from __future__ import annotations

import os
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHES = (".git", ".*cache*", ".venv", ".hypothesis", "__pycache__", "*.egg-info", "mutants")
"""What may change at any time, as names of files and folders."""

State = dict[str, tuple[int, int]]


def tracked(*suffixes: str, new: bool = True) -> list[Path]:
    """The files with these endings (any, without) that git holds or, if new ones count, would."""
    listed = subprocess.run(
        ["git", "ls-files", *(("-co", "--exclude-standard") if new else ())],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    paths = [ROOT / name for name in listed if name.endswith(suffixes or "")]
    return [path for path in paths if path.exists()]


def copied(to: Path) -> Path:
    """The checkout without what commands have made in it, as another folder."""
    for path in tracked():
        target = to / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    return to


def state(root: Path = ROOT) -> State:
    """Size and time of change of every file of a folder, but for caches."""
    found: State = {}
    for folder, inside, names in os.walk(root):
        inside[:] = [name for name in inside if not _is_cache(name)]
        for name in names:
            if not _is_cache(name):
                seen = (Path(folder) / name).lstat()
                place = str((Path(folder) / name).relative_to(root))
                found[place] = (seen.st_size, seen.st_mtime_ns)
    return found


def changes(before: State, after: State) -> list[str]:
    """The files that are new, gone or other."""
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


def _is_cache(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in CACHES)
