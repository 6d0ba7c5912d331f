"""What the command line promises of every call, whatever it is given."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from hypothesis import Phase
from rich.cells import cell_len

from tests.command_line import described
from tests.fuzz.child import Ended, run
from tests.fuzz.words import Call

MEMORY = 2 * 1024**3
SECONDS = 60.0
PHASES = (Phase.explicit, Phase.generate)
"""Drawn calls are short as they are; to shrink one that hangs takes an hour."""
_WIDEST = 300


def judged(call: Call, folder: Path, seconds: float = SECONDS) -> Ended:
    """Lay the files out, run the call, and look at all that it left behind."""
    _laid_out(call, folder)
    before = _contents(folder)
    stdin = folder / call.stdin if call.stdin else None
    ended = run(call.words, folder, stdin=stdin, seconds=seconds)
    problems = [*_wrong(call, ended), *_wrong_files(call, ended, before, _contents(folder))]
    assert not problems, "\n".join(
        [*problems, repr(call), ended.stdout[:300], ended.stderr[-3000:]]
    )
    return ended


def followed(call: Call, root: Path, most: int = 5) -> list[Ended]:
    """Judge the call; where an option of it is refused, the call without that option, and so on."""
    found: list[Ended] = []
    asked: Call | None = call
    while asked is not None and len(found) < most:
        found.append(judged(asked, root / str(len(found))))
        named = re.match(r"ctv: ([\w-]+) = ", found[-1].stderr)
        asked = asked.without(named[1]) if found[-1].code == 2 and named else None
    return found


def _laid_out(call: Call, folder: Path) -> None:
    folder.mkdir()
    for name, content in call.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            os.mkfifo(path)
        else:
            path.write_bytes(content)


def _contents(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if not path.is_dir()
    }


def _wrong(call: Call, ended: Ended) -> list[str]:
    """What the exit code and the streams should not be."""
    lines = ended.stderr.splitlines()
    found = []
    if ended.code is None:
        found.append(f"it took longer than {ended.seconds:.0f} s")
    elif ended.code not in (0, 1, 2):
        found.append(f"exit code {ended.code}")
    if ended.memory > MEMORY:
        found.append(f"{ended.memory / 1024**3:.1f} GiB of memory")
    if "Traceback" in ended.stderr:
        found.append("a traceback")
    if ended.code == 2:
        if ended.stdout:
            found.append("bad input, and something on standard output")
        if len(lines) != 1 or not lines[0].startswith("ctv: ") or ": " not in lines[0][5:]:
            found.append(f"bad input in {len(lines)} lines")
    if ended.code in (0, 1) and any(not line.startswith("ctv: ") for line in lines):
        found.append("something else on standard error")
    if any(len(line) > _WIDEST or not line.isprintable() for line in lines):
        found.append("a line on standard error that is too long or not printable")
    if not all(c.isprintable() or c == "\n" for c in ended.stdout):
        found.append("control characters on standard output")
    if ended.code == 0 and "--json" in call.words and ended.stdout:
        found += _wrong_json(ended.stdout)
    elif ended.code == 0 and "--help" not in call.words:
        wide = max(map(cell_len, ended.stdout.splitlines()), default=0)
        if wide > 80 and "--symbolic" not in call.words:
            found.append(f"a screen of {wide} columns")
    return found


def _refuse(name: str) -> None:
    raise ValueError(f"{name} in JSON")


def _wrong_json(text: str) -> list[str]:
    try:
        described(json.loads(text, parse_constant=_refuse))
    except (ValueError, AssertionError) as error:
        return [str(error)[:500]]
    return []


def _wrong_files(
    call: Call, ended: Ended, before: dict[str, bytes | None], after: dict[str, bytes | None]
) -> list[str]:
    """What a command may not do to a folder: change what it read, leave half of what it wrote."""
    found = []
    named = " ".join(call.words)
    for name, content in before.items():
        study = name.startswith("study/") and "study" in named
        if after.get(name) != content and not study and (ended.code == 2 or name not in named):
            found.append(f"{name} was changed")
    for name in set(after) - set(before):
        if ended.code == 2 and not name.endswith(".npz") and not name.endswith("study.json"):
            found.append(f"bad input, and {name} was written")
        if Path(name).name.startswith(".") or name.endswith(".tmp"):
            found.append(f"{name} was left behind")
        content = after[name] or b""
        if not content:
            found.append(f"{name} is empty")
        elif name.endswith(".json"):
            try:
                json.loads(content, parse_constant=_refuse)
            except ValueError as error:
                found.append(f"{name}: {error}")
    return found
