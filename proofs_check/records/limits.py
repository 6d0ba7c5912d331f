"""Jobs in processes of their own, each within a limit of memory and of processor time.

A formula is a stranger's: it may ask for more digits, terms or entries than a machine holds, and
libraries of exact arithmetic end the process where memory ends. What dies is one job.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from math import ceil, inf
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

try:
    import resource
except ImportError:  # Windows has none: there a job is limited by the clock alone
    resource = None  # type: ignore[assignment]

MEMORY = 3 << 29
"""Bytes that a process may take beyond what it starts with: with that, less than 2 GiB."""

_STATE = Path("/proc/self/statm")
_CONTEXT = (
    multiprocessing.get_context("fork")
    if hasattr(os, "fork")
    else multiprocessing.get_context("spawn")
)
Job = TypeVar("Job")
Result = TypeVar("Result")


def within_limits(
    work: Callable[[Job], Result], jobs: Sequence[Job], workers: int, seconds: int
) -> Iterator[tuple[int, Result | None]]:
    """The number and the result of each job, as they end; None for one that reached a limit.

    `seconds` of processor time are a job's own, however busy the machine is. Where the system has
    no such limits a job is ended after three times as many on the clock.
    """
    waiting, idle = deque(range(len(jobs))), list[tuple[Connection, BaseProcess]]()
    busy: dict[Connection, tuple[BaseProcess, int]] = {}
    ends: dict[Connection, float] = {}
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                pipe, process = idle.pop() if idle else _started(work, jobs, seconds)
                number = waiting.popleft()
                busy[pipe] = process, number
                ends[pipe] = time.monotonic() + (3 * seconds if resource is None else inf)
                pipe.send(number)
            left = min(ends.values()) - time.monotonic()
            for ready in wait(list(busy), None if left == inf else max(left, 0.0)):
                assert isinstance(ready, Connection)
                del ends[ready]
                process, number = busy.pop(ready)
                try:
                    result = ready.recv()
                except (EOFError, ConnectionResetError):
                    process.join()
                    yield number, None
                else:
                    idle.append((ready, process))
                    yield number, result
            for pipe, end in ends.items():
                if end <= time.monotonic():
                    busy[pipe][0].kill()  # its pipe is at its end
    finally:
        for pipe, process in [*idle, *((pipe, process) for pipe, (process, _) in busy.items())]:
            pipe.close()
            process.kill()
            process.join()


def _started(
    work: Callable[[Any], Any], jobs: Sequence[Any], seconds: int
) -> tuple[Connection, BaseProcess]:
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(there, work, jobs, seconds), daemon=True)
    with warnings.catch_warnings():
        # The threads of the parent are those of linear algebra, which outlive a fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()
    return here, process


def _serve(pipe: Connection, work: Callable[[Any], Any], jobs: Sequence[Any], seconds: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # last words of libraries
    if resource is not None:
        _limit(resource.RLIMIT_CORE, 0)
    if resource is not None and _STATE.exists():
        pages = int(_STATE.read_text(encoding="ascii").split()[0])
        _limit(resource.RLIMIT_AS, pages * resource.getpagesize() + MEMORY)
    while True:
        try:
            number = pipe.recv()
        except EOFError:
            return
        if resource is not None:
            _limit(resource.RLIMIT_CPU, ceil(time.process_time()) + seconds)
        pipe.send(work(jobs[number]))


def _limit(what: int, most: int) -> None:
    """Lower a soft limit; one that is lower already stays."""
    hard = resource.getrlimit(what)[1]
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
