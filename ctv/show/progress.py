"""How far a command is, on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bounds.progress import Stage


class Estimate:
    """The time that is left, from shares that begin anew with each stage.

    A share that falls begins a stage. The rate is that of the present stage, and what is left is
    of that stage: of later ones nothing is known before they begin.

    >>> estimate = Estimate(now=0.0)
    >>> estimate.note(0.0, now=0.0), estimate.note(0.25, now=2.0)
    (None, 6.0)
    >>> estimate.note(0.0, now=9.0), estimate.note(0.5, now=10.0)
    (None, 1.0)
    """

    def __init__(self, now: float) -> None:
        self._share, self._begun, self._first = 0.0, now, 0.0

    def note(self, share: float, now: float) -> float | None:
        """Take note of the share done; the seconds left of the stage, None where unknown."""
        if share < self._share:
            self._begun, self._first = now, share
        self._share = share
        done = share - self._first
        return None if done <= 0 else (now - self._begun) * (1 - share) / done


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
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class Clock(ProgressColumn):
        """Seconds since the start; they go on whatever a stage reports."""

        def render(self, task: Task) -> Text:
            return Text(_clock(monotonic() - begun))

    begun = monotonic()
    estimate = Estimate(begun)
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), Clock(),
               TextColumn("{task.fields[left]}"))  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        line = bar.add_task(task, total=None, left="")

        def report(stage: str, share: float) -> None:
            left = estimate.note(share, monotonic())
            told = "" if left is None else f"this stage: {_clock(left)} left"
            # A bar that is full counts as finished, and its clock would stop.
            bar.update(
                line, description=f"{task}: {stage}", total=1.0, completed=min(share, 0.999),
                left=told,
            )  # fmt: skip

        yield report


def _clock(seconds: float) -> str:
    """
    >>> _clock(3.2), _clock(75), _clock(7275)
    ('0:03', '1:15', '2:01:15')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
