"""The answers of every command on some problems, computed anew and compared with those stored.

`python -m tests.golden.golden` compares, `python -m tests.golden.golden record` writes. Numbers
agree where they differ by the rounding of another processor; all else agrees to the letter. What
names the moment or the machine (seconds, paths, the version) is left out.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ctv.cli import main as ctv

HERE = Path(__file__).parent
ANSWERS = HERE / "answers"
_OF_THE_MOMENT = {"seconds", "version", "path", "digest"}
_ROUNDING = 1e-9
_FITTED = 1e-7
"""Of answers that fit a log, which add up the rounding of thousands of steps: 1.2e-9 was seen."""
_MOST_ITEMS = 150


def questions() -> dict[str, list[str]]:
    """The words of each command, by the name of its answer."""
    asked = tomllib.loads((HERE / "commands.toml").read_text(encoding="utf-8"))
    found = {}
    for name, command in asked["commands"].items():
        words = command.get("words", name).split()
        if "problems" not in command:
            found[name] = [*words, "--json"]
        for problem in command.get("problems", ()):
            found[f"{name}_{problem}"] = [*words, *asked["problems"][problem], "--json"]
    return found


def answer(words: list[str], folder: Path) -> Any:
    """What a command prints as JSON in a folder with the files of the problems."""
    for path in HERE.glob("*.csv"):
        shutil.copy(path, folder)
    said, complaints = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(said), redirect_stderr(complaints):
        try:
            ctv(words)
        except SystemExit as left:
            if left.code not in (0, None):
                raise RuntimeError(f"{' '.join(words)}: {complaints.getvalue()}") from None
    return _kept(json.loads(said.getvalue()))


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _kept(item) for key, item in value.items() if key not in _OF_THE_MOMENT}
    if not isinstance(value, list):
        return value
    if len(value) > _MOST_ITEMS:  # the ends of a table of hundreds of rows say whether it moved
        return {"rows": len(value), "ends": [_kept(item) for item in value[:5] + value[-5:]]}
    return [_kept(item) for item in value]


def rounding(words: list[str]) -> float:
    """How far, relatively, a number of this answer may be from the stored one."""
    return _FITTED if "log.csv" in words else _ROUNDING


def differences(
    stored: Any, found: Any, allowed: float = _ROUNDING, place: str = ""
) -> Iterator[str]:
    """Where two answers differ by more than the rounding that is allowed, one line a place."""
    if isinstance(stored, bool) is not isinstance(found, bool):
        yield f"{place}: {stored!r} was, {found!r} is"
    elif isinstance(stored, dict) and isinstance(found, dict):
        for key in sorted(stored.keys() | found.keys()):
            if key not in stored or key not in found:
                yield f"{place}/{key} is {'new' if key in found else 'gone'}"
            else:
                yield from differences(stored[key], found[key], allowed, f"{place}/{key}")
    elif isinstance(stored, list) and isinstance(found, list) and len(stored) == len(found):
        for number, pair in enumerate(zip(stored, found, strict=True)):
            yield from differences(*pair, allowed, f"{place}/{number}")
    elif isinstance(stored, float) and isinstance(found, float | int):
        if not isclose(stored, found, rel_tol=allowed, abs_tol=allowed):
            yield f"{place}: {stored!r} was, {found!r} is"
    elif stored != found:
        yield f"{place}: {str(stored)[:80]} was, {str(found)[:80]} is"


def stored(name: str) -> Any:
    """The answer of that name."""
    return json.loads((ANSWERS / f"{name}.json").read_text(encoding="utf-8"))


def main(action: str) -> int:
    """Compare all answers, or write them; the exit code says whether any differs."""
    differing = 0
    for name, words in questions().items():
        with TemporaryDirectory() as folder:
            found = answer(words, Path(folder))
        if action == "record":
            text = json.dumps(found, indent=1, ensure_ascii=False)
            (ANSWERS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
            continue
        for line in differences(stored(name), found, rounding(words)):
            differing += 1
            sys.stderr.write(f"{name}{line}\n")
    return int(differing > 0)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:] or ["compare"]))
