"""How far a command is, on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bounds.progress import Stage


class Estimate:
    """The time that is left of a stage, from the shares of it that are told.

    A stage begins where the share falls, or a new name comes without a larger share. The rate is
    that of the present stage, and what is left is of that stage: of later ones nothing is known
    before they begin. Between two shares the time that is left runs down; when it is over, nothing
    is known either.

    >>> estimate = Estimate()
    >>> estimate.note("search", 0.0, now=0.0)
    >>> estimate.note("search", 0.25, now=2.0)
    >>> estimate.left(now=2.0), estimate.left(now=7.5), estimate.left(now=8.5)
    (6.0, 0.5, None)
    >>> estimate.note("certify", 0.0, now=9.0)
    >>> estimate.left(now=9.0)
    """

    def __init__(self) -> None:
        self._stage, self._share = "", inf
        self._begun, self._first, self._ends = 0.0, 0.0, -inf

    def note(self, stage: str, share: float, now: float) -> None:
        """Take note of the share of a stage that is done."""
        if share < self._share or (share == self._share and stage != self._stage):
            self._begun, self._first, self._ends = now, share, -inf
        self._stage, self._share = stage, share
        done = share - self._first
        if done > 0:
            self._ends = now + (now - self._begun) * (1 - share) / done

    def left(self, now: float) -> float | None:
        """Seconds left of the stage; None where that is unknown."""
        return None if self._ends <= now else self._ends - now


def notice(text: str) -> None:
    """One line on standard error, as a command that goes on has something to say."""
    if sys.stderr is not None:
        print(f"ctv: {text}", file=sys.stderr, flush=True)


@contextmanager
def progress(task: str) -> Iterator[Stage]:
    """A line on standard error, if that is a terminal; gone when the work is done.

    Yields what to call with the name of the stage and the share of it that is done.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda stage, share: None
        return
    with _bar(task) as report:
        yield report


@contextmanager
def _bar(task: str) -> Iterator[Callable[[str, float], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task
    from rich.table import Column
    from rich.text import Text

    class Told(ProgressColumn):
        """Seconds since the start, those left of the stage, and its name; the clocks go on."""

        def render(self, task: Task) -> Text:
            now = monotonic()
            left = estimate.left(now)
            told = "" if left is None else f", this stage {_clock(left + 1.0)} left"
            text = f"{_clock(now - begun)}{told}  {task.description}"
            return Text(text, no_wrap=True, overflow="ellipsis")

    begun = monotonic()
    estimate = Estimate()
    columns = (BarColumn(bar_width=20, table_column=Column(no_wrap=True)), Told())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        line = bar.add_task(task, total=None)

        def report(stage: str, share: float) -> None:
            estimate.note(stage, share, monotonic())
            # A bar that is full counts as finished, and its clock would stop. Where the share is
            # not known, the bar only says that the work goes on.
            bar.update(line, description=f"{task}: {stage}", completed=min(share, 0.999))
            bar.tasks[0].total = 1.0 if share > 0.0 else None

        yield report


def _clock(seconds: float) -> str:
    """
    >>> _clock(3.2), _clock(75), _clock(7275)
    ('0:03', '1:15', '2:01:15')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
