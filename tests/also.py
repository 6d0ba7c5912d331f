"""`ctv` as a page calls it, and the same words with `--json` and with `--all`.

`python -m tests.also FOLDER WORD...` prints what `ctv WORD...` prints and leaves as it does; what
the other two print goes into FOLDER. Each call is a whole one, from the words to the output, but
what the command computes is computed once.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import takewhile
from pathlib import Path
from typing import Any

import ctv
from ctv.cli import command_names, main
from ctv.show.plain import write
from ctv.show.shown import Shown
from tests.command_line import described, modules

JSON, ALL = ALSO = ("--json", "--all")


def once(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, whose first value stands for every later one."""
    found: list[Any] = []

    @wraps(command)
    def remembered(*arguments: Any, **options: Any) -> Any:
        if not found:
            found.append(command(*arguments, **options))
        return found[0]

    return remembered


def called(words: list[str]) -> int:
    """The exit code of `ctv` with these words, in this process."""
    try:
        main(words)
    except SystemExit as left:
        return int(left.code or 0)
    raise AssertionError("ctv leaves with an exit code")


def run(folder: Path, words: list[str]) -> int:
    """Print what `ctv` prints; one file for each other way to call it holds what that prints.

    Words that were refused are called once, and so are those that have one of the two.
    """
    for module, name in modules():
        setattr(module, name, once(getattr(module, name)))
    code = called(words)
    asked = words[0] in command_names() and code != 2 and not {*ALSO} & {*words}
    for option in ALSO if asked else ():
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as wrong:
            again = called([*words, option])
        path = folder / f"{len(list(folder.iterdir()))}{option}"
        text = said.getvalue() if again == code else f"exit code {again}: {wrong.getvalue()}"
        path.write_text(text, encoding="utf-8")
    return code


def judged(folder: Path, printed: Sequence[str]) -> None:
    """Every JSON in the folder is as the schema says, and `--all` begins with what was printed."""
    first = list(takewhile(lambda line: not line.startswith(("More with --all", "ctv: ")), printed))
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.name.endswith(JSON):
            described(object_of(text))
        else:
            assert [line.rstrip() for line in text.splitlines()[: len(first)]] == first


def object_of(text: str) -> dict[str, Any]:
    """The one JSON object that a text is, without NaN and infinity."""
    assert len(text.splitlines()) == 1, text[:500]
    value = json.loads(text, parse_constant=_refused)
    assert isinstance(value, dict)
    return value


def _refused(name: str) -> None:
    raise AssertionError(f"{name} in JSON")


def remember() -> list[Shown]:
    """A list to which the commands of `import ctv` add every value that they return."""
    found: list[Shown] = []

    def adding(command: Callable[..., Shown]) -> Callable[..., Shown]:
        def call(*arguments: Any, **options: Any) -> Shown:
            found.append(command(*arguments, **options))
            return found[-1]

        return call

    for name in command_names():
        setattr(ctv, name, adding(getattr(ctv, name)))
    return found


def judge(values: Sequence[Shown]) -> None:
    """Values print as `--json` and `--all` do: an object that the schema describes, a screen."""
    assert values
    for value in values:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            write(value.to_dict())
        described(object_of(said.getvalue()))
        value.screen().print()


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[2:]))
