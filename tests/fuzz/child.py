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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Self

import typer

from bounds import reading
from ctv.cli import application

TRACEBACK = 70
"""Exit code of a child in which something escaped that is no SystemExit."""

_WARMING = (
    "bound --n 6 --grid 3 --json",
    "gain --n 4 --grid 3 --rounds 2",
    "simulate --grid 3 --runs 1 --rounds 2 --initial 2 --policy ctv-fixed",
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
    words: Sequence[str],
    folder: Path,
    *,
    stdin: Path | None = None,
    seconds: float = 30.0,
    limits: Mapping[int, int] | None = None,
) -> Ended:
    """Run `ctv` with these words in a folder.

    It is ended after so many seconds of processor time, and after ten times as many on the clock.
    `limits` are more of `resource.setrlimit`.
    """
    with Started(words, folder, stdin=stdin, seconds=seconds, limits=limits) as child:
        pass
    return child.ended


class Started:
    """A command that runs; as a context it is left when the command has ended."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        *,
        stdin: Path | None = None,
        seconds: float = 30.0,
        limits: Mapping[int, int] | None = None,
    ) -> None:
        self._clock = 10.0 * seconds
        program = warm()
        pipes = [os.pipe() for _ in range(2)]
        limited = {resource.RLIMIT_CPU: int(seconds), resource.RLIMIT_CORE: 0, **(limits or {})}
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        self.process = os.fork()
        if self.process == 0:
            _become(program, words, folder, stdin, [end for _, end in pipes], limited)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        self._ending = os.pidfd_open(self.process)
        self._reading = [begin for begin, _ in pipes]
        for begin, end in pipes:
            os.close(end)
            os.set_blocking(begin, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        said = [bytearray(), bytearray()]
        over = False
        until = monotonic() + self._clock
        while not over and monotonic() < until:
            waiting = [self._ending, *self._reading]
            ready, _, _ = select.select(waiting, [], [], until - monotonic())
            over = self._ending in ready
            for handle, text in zip(self._reading, said, strict=True):
                if handle in ready:
                    text += _read(handle)
                    if not over:
                        sleep(0.0005)  # a pipe whose end is closed is always ready
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process, signal.SIGKILL)  # what it started, too
        _, status, usage = os.wait4(self.process, 0)
        for handle, text in zip(self._reading, said, strict=True):
            while part := _read(handle):
                text += part
        for handle in (*self._reading, self._ending):
            os.close(handle)
        code = os.waitstatus_to_exitcode(status)
        in_time = over and code != -signal.SIGXCPU
        out, err = (bytes(text).decode("utf-8", "backslashreplace") for text in said)
        used = usage.ru_utime + usage.ru_stime
        self.ended = Ended(code if in_time else None, out, err, used, usage.ru_maxrss * 1024)

    def kill(self, by: int = signal.SIGKILL) -> bool:
        """Send a signal; whether the command was still running."""
        running = not select.select([self._ending], [], [], 0.0)[0]
        if running:
            os.kill(self.process, by)
        return running


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 1 << 16)
    except BlockingIOError:
        return b""


def _become(
    program: typer.core.TyperGroup,
    words: Sequence[str],
    folder: Path,
    stdin: Path | None,
    streams: list[int],
    limits: Mapping[int, int],
) -> None:
    code = TRACEBACK
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["COLUMNS"] = "80"
        reading.WAITED_FOR = 0.2
        os.dup2(os.open(stdin or os.devnull, os.O_RDONLY), 0)
        os.dup2(streams[0], 1)
        os.dup2(streams[1], 2)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, encoding="utf-8", closefd=False)
            for number, mode in enumerate(("r", "w", "w"))
        )
        for number, most in limits.items():
            resource.setrlimit(number, (most, resource.getrlimit(number)[1]))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
            program(list(words))
        except KeyboardInterrupt:  # as in ctv.cli.main
            code = 130
    except SystemExit as left:
        code = int(left.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(code)
