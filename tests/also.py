"""`ctv` as a page calls it, and the same words with `--json` and with `--all`.

Each call is a whole one, from the words to the output, in a process of its own, which is forked
from this one: half of what a new interpreter computes would be its imports. What the command
computes is computed once for the three ways to call it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import takewhile
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import ctv
from ctv.cli import command_names, main
from ctv.show.plain import write
from ctv.show.shown import Shown
from tests.checkout import ROOT
from tests.command_line import described, modules

JSON, ALL = ALSO = ("--json", "--all")
_OWN: dict[str, Callable[..., Shown]] = {}
"""The commands of `import ctv` that were replaced, where several notebooks share a process."""


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


def forked(words: list[str], folder: Path, others: Path | None = None) -> str:
    """What `ctv` prints in a folder, on standard output and then on standard error."""
    with TemporaryFile() as out, TemporaryFile() as err:
        process = get_context("fork").Process(target=_run, args=(words, folder, others, out, err))
        process.start()
        process.join()
        return "".join(_text(stream) for stream in (out, err))


def _run(
    words: list[str], folder: Path, others: Path | None, out: IO[bytes], err: IO[bytes]
) -> None:
    os.chdir(folder)
    # What this process starts in turn finds the packages of this checkout.
    os.environ.update(COLUMNS="80", PYTHONPATH=str(ROOT))
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8", closefd=False) for n in (1, 2))
    try:
        run(others, words)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8")


def run(folder: Path | None, words: list[str]) -> None:
    """Print what `ctv` prints; one file for each other way to call it holds what that prints.

    Words that were refused are called once, and so are those that have one of the two.
    """
    for module, name in modules():
        setattr(module, name, once(getattr(module, name)))
    code = called(words)
    asked = words[0] in command_names() and code != 2 and not {*ALSO} & {*words}
    for option in ALSO if asked and folder is not None else ():
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as wrong:
            again = called([*words, option])
        path = folder / f"{len(list(folder.iterdir()))}{option}"
        text = said.getvalue() if again == code else f"exit code {again}: {wrong.getvalue()}"
        path.write_text(text, encoding="utf-8")


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
        setattr(ctv, name, adding(_OWN.setdefault(name, getattr(ctv, name))))
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
