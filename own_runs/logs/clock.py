"""When trials began and ended: the clock τ of a log, its overlaps and its idle time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray, IntArray

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Clock:
    """Where the time of a log went, in seconds.

    Attributes
    ----------
    span : from the first start to the last end
    busy : during which at least one trial ran
    worked : the sum of all durations
    workers : the most trials that ran at once
    """

    span: float
    busy: float
    worked: float
    workers: int

    @property
    def idle(self) -> float:
        """During which no trial ran."""
        return self._beyond_rounding(self.span - self.busy)

    @property
    def overlapping(self) -> float:
        """Work beyond the first of the trials that ran at once."""
        return self._beyond_rounding(self.worked - self.busy)

    def _beyond_rounding(self, time: float) -> float:
        """0 for what instants in doubles cannot hold."""
        return time if time > _ROUNDING * self.span else 0.0


def clock_of(starts: FloatArray, ends: FloatArray) -> Clock:
    """The clock of trials [start, end], start ≤ end, none of them missing. O(n log n).

    >>> clock = clock_of(np.array([0.0, 1.0, 5.0]), np.array([2.0, 3.0, 6.0]))
    >>> clock.idle, clock.overlapping, clock.workers
    (2.0, 1.0, 2)
    """
    if not len(starts):
        return Clock(0.0, 0.0, 0.0, 0)
    order = np.argsort(starts, kind="stable")
    reached = np.maximum.accumulate(ends[order])
    gaps = np.maximum(starts[order][1:] - reached[:-1], 0.0)
    span = float(reached[-1] - starts[order][0])
    # Ends come before starts at the same instant: a trial that follows at once is no overlap.
    moments = np.concatenate([ends, starts])
    steps = np.concatenate([np.full(len(ends), -1), np.full(len(starts), 1)])
    timed = np.lexsort((steps, moments))
    running: IntArray = np.cumsum(steps[timed])
    busy = span - float(gaps.sum())
    workers = max(int(running.max(initial=0)), 1)
    return Clock(span, busy, float(np.sum(ends - starts)), workers)
