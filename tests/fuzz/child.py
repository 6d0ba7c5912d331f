"""One command in a process of its own, forked from one that has everything imported.

A fork costs some milliseconds where a new interpreter costs a second, and still has its own exit
code, standard streams, memory and limits.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pkgutil
import resource
import select
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import typer

from bounds import reading
from ctv.cli import application

TRACEBACK = 70
"""Exit code of a child in which something escaped that is no SystemExit."""

_WARMING = (
    "bound --n 6 --grid 3 --json",
    "gain --n 4 --grid 3 --m 2",
    "simulate --grid 3 --seeds 1 --rounds 2 --initial 2 --policies ctv-fixed",
)


@dataclass(frozen=True)
class Ended:
    """What a command left behind.

    Attributes
    ----------
    code : exit code, negative for a signal; None where it was ended for taking too long
    stdout, stderr : text
    seconds : of processor time
    memory : largest resident size in bytes
    """

    code: int | None
    stdout: str
    stderr: str
    seconds: float
    memory: int


@cache
def warm() -> typer.core.TyperGroup:
    """The program, with everything imported and compiled loops loaded, so that no child has to."""
    for package in ("bounds", "simulation", "proofs_check", "ctv"):
        for found in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if not found.name.endswith("__main__"):
                with contextlib.suppress(ImportError):  # an extra that is not installed
                    import_module(found.name)
    import matplotlib.pyplot  # noqa: F401

    program = typer.main.get_command(application())
    handler = signal.getsignal(signal.SIGINT)
    for words in _WARMING:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            program(words.split())
    signal.signal(signal.SIGINT, handler)
    gc.freeze()  # a collection in a child would copy every page that it looks at
    return program


def run(
    words: Sequence[str], folder: Path, *, stdin: Path | None = None, seconds: float = 30.0
) -> Ended:
    """Run `ctv` with these words in a folder.

    It is ended after so many seconds of processor time, and after ten times as many on the clock.
    """
    program = warm()
    streams = [folder.parent / f"{folder.name}.{name}" for name in ("stdout", "stderr")]
    child = os.fork()
    if child == 0:
        _become(program, words, folder, stdin, streams, seconds)
    waiting = select.poll()
    with _closing(os.pidfd_open(child)) as ending:
        waiting.register(ending, select.POLLIN)
        over = bool(waiting.poll(10_000.0 * seconds))
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it started, too
    _, status, usage = os.wait4(child, 0)
    out, err = (path.read_bytes().decode("utf-8", "backslashreplace") for path in streams)
    for path in streams:
        path.unlink()
    code = os.waitstatus_to_exitcode(status)
    used = usage.ru_utime + usage.ru_stime
    in_time = over and code not in (-signal.SIGXCPU, -signal.SIGKILL)
    return Ended(code if in_time else None, out, err, used, usage.ru_maxrss * 1024)


@contextlib.contextmanager
def _closing(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        os.close(handle)


def _become(
    program: typer.core.TyperGroup, words: Sequence[str], folder: Path, stdin: Path | None,
    streams: list[Path], seconds: float,
) -> None:  # fmt: skip
    code = TRACEBACK
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["COLUMNS"] = "80"
        reading.WAITED_FOR = 0.2
        for number, path in enumerate([stdin or Path(os.devnull), *streams]):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(path, flags), number)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, encoding="utf-8", closefd=False)
            for number, mode in enumerate(("r", "w", "w"))
        )
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        program(list(words))
    except SystemExit as left:
        code = int(left.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(code)
