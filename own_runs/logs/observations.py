"""What a log says: points, observed values and the times at which they became known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.noise import NoiseOfRows
from bounds.times import EvaluationTimes
from own_runs.logs.axes import Axis
from own_runs.logs.clock import Clock
from own_runs.logs.tools import Direction

__all__ = ["Direction", "Observations"]


@dataclass(frozen=True, eq=False)
class Observations:
    """The observed trials of a search in the order of their ends.

    Attributes
    ----------
    axes : the inputs, with ranges and scales
    points : (n, d) in the unit cube
    values : (n,) y as the file has it
    direction : whether large or small y is good
    times : (n,) τ_i ≥ 0, the end of trial i since the first start, in `unit`
    starts : (n,) when trial i began, on the same clock; NaN where the file does not say
    durations : (n,) how long trial i took, NaN where the file does not say; beside idle time or
        parallel trials it is not τ_i − τ_{i−1}
    pending : (m, d) points under way or waiting, in the unit cube
    now : the last instant that the file knows of, of failed trials too
    unit : of all times
    clock : where the time went, in `unit`; None where the file has durations alone
    skipped : reason ↦ rows without a value
    notes : what was assumed
    source : name of the file
    rows : (n,) row of the file that trial i is, from 1
    noise : N of the errors σ²N of y, in this order; None where they are alike and independent
    unsaid : inputs that span a decade or more, of which nobody said whether they were searched by
        logarithm; taken as even here, see `own_runs.prior.scales`
    """

    axes: tuple[Axis, ...]
    points: FloatArray
    values: FloatArray
    direction: Direction
    times: FloatArray
    starts: FloatArray
    durations: FloatArray
    pending: FloatArray
    now: float
    unit: str
    clock: Clock | None
    skipped: dict[str, int]
    notes: tuple[str, ...]
    source: str
    rows: tuple[int, ...]
    noise: NoiseOfRows | None = None
    unsaid: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.noise is not None and self.noise.n != self.n:
            raise InvalidInput("noise", f"{self.noise.n} rows", f"give {self.n}: one for each y")

    @classmethod
    def one_by_one(
        cls,
        axes: Sequence[Axis],
        points: FloatArray,
        values: Sequence[float] | FloatArray,
        ends: Sequence[float] | FloatArray,
        direction: Direction,
        source: str,
        *,
        notes: tuple[str, ...] = (),
    ) -> Observations:
        """Evaluations one after the other from second 0 on, none failed and none under way."""
        times = np.asarray(ends, dtype=float)
        durations = np.diff(times, prepend=0.0)
        return cls(
            axes=tuple(axes),
            points=points,
            values=np.asarray(values, dtype=float),
            direction=direction,
            times=times,
            starts=times - durations,
            durations=durations,
            pending=np.empty((0, len(axes))),
            now=float(times[-1]),
            unit="s",
            clock=None,
            skipped={},
            notes=notes,
            source=source,
            rows=tuple(range(1, len(times) + 1)),
        )

    @property
    def n(self) -> int:
        """Observed trials."""
        return len(self.values)

    @property
    def dimension(self) -> int:
        return len(self.axes)

    @property
    def to_maximise(self) -> FloatArray:
        """(n,) y, or −y where small values are good."""
        return self.values if self.direction == "maximize" else -self.values

    def evaluation_times(self) -> EvaluationTimes:
        """τ_1 ≤ … ≤ τ_n as the sequence of a problem. They belong to t(x), not to fixed times."""
        return EvaluationTimes.from_times(self.times, source=self.source)

    def __repr__(self) -> str:
        inputs = ", ".join(axis.name for axis in self.axes)
        last = f"{self.times[-1]:g}" if self.n else "0"
        return f"Observations({self.n} of {inputs} until {last} {self.unit}, {self.source!r})"
