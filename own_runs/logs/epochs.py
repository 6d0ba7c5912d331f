"""Rows that are the epochs of a trial: the last of each trial is its value, at its fidelity.

A trial that stopped before the largest epoch has a value of another function than the ones that
went on, so that it is left out of y, as a pruned trial is, and stays in the clock.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.arrays import BoolArray, FloatArray, IntArray
from bounds.errors import InvalidInput
from own_runs.logs.cells import Numerals
from own_runs.logs.columns import Columns
from own_runs.logs.table import Table
from own_runs.logs.tools import EPOCHS, TRIALS, Tool

_STEPS = 10
"""Steps, all of them upwards, from which durations are taken to be those of the trial until then:
by chance durations of equal law would all rise once in 2^10 logs."""


@dataclass(frozen=True, eq=False)
class Epochs:
    """Which rows are the last of their trials, and which of these came as far as any.

    Attributes
    ----------
    group : (rows,) the trial of each row, from 0
    order : (rows,) the fidelity of each row, or its place where no column says it
    last : (rows,) whether it is the last of its trial
    whole : (rows,) whether it is, and at the largest fidelity or at any that counts
    cumulative : whether the duration of a row is that of its trial until then; None: unknown
    short : in words, why the last row of a trial that stopped early does not count
    notes : what was assumed
    """

    group: IntArray
    order: FloatArray
    last: BoolArray
    whole: BoolArray
    cumulative: bool | None
    short: str
    notes: tuple[str, ...]

    def of_trials(self, durations: FloatArray, name: str) -> FloatArray:
        """(rows,) how long each trial took, in its last row; NaN elsewhere.

        Raises InvalidInput where the rows may hold either the time of an epoch or of the trial
        until then.
        """
        totals = np.full(len(durations), np.nan)
        cumulative = self.cumulative
        if cumulative is None:
            steps = self._steps(durations)
            if len(steps) and np.all(steps > 0.0):
                if len(steps) < _STEPS:
                    remedy = (
                        "the time of an epoch, or of its trial until then? give --start and --end, "
                        "or one row for each trial"
                    )
                    raise InvalidInput(name, "rising within its trials", remedy)
                cumulative = True
            else:
                cumulative = False
        if cumulative:
            totals[self.last] = durations[self.last]
            return totals
        sums = np.bincount(self.group, weights=np.nan_to_num(durations))
        totals[self.last] = sums[self.group[self.last]]
        return totals

    def extreme(self, instants: FloatArray, *, latest: bool) -> FloatArray:
        """(rows,) the first or last instant of each trial, in its last row; NaN elsewhere."""
        fill = -np.inf if latest else np.inf
        reached = np.full(int(self.group.max()) + 1, fill)
        known = np.isfinite(instants)
        (np.maximum if latest else np.minimum).at(reached, self.group[known], instants[known])
        extremes = np.full(len(instants), np.nan)
        extremes[self.last] = reached[self.group[self.last]]
        return np.where(np.isfinite(extremes), extremes, np.nan)

    def _steps(self, durations: FloatArray) -> FloatArray:
        """Differences of the durations of neighbouring rows of a trial."""
        order = np.lexsort((self.order, self.group))
        steps = np.diff(durations[order])[np.diff(self.group[order]) == 0]
        return np.asarray(steps[np.isfinite(steps)])


def epochs_of(
    table: Table, named: Columns, tool: Tool, numerals: Numerals, inputs: FloatArray | None
) -> Epochs | None:
    """The trials that rows belong to; None where every row is a trial of its own.

    Two rows are of one trial where a column says so (that of `named`, or one of `TRIALS` with the
    same inputs); without such a column, where most rows have the inputs of another row and differ
    from it in a column of `EPOCHS`. Where no inputs are known, both columns and two trials are
    needed.

    Raises InvalidInput for a trial of several rows that no column of epochs orders.
    """
    taken = {*(named.x or ()), named.y, named.sd, named.duration, named.start, named.end}

    def first(names: tuple[str, ...]) -> str | None:
        known = (name for name in names if name in table.header and name not in taken)
        return next((name for name in known if table.header.count(name) == 1), None)

    trial = named.trial or first(tool.trial) or first(TRIALS)
    fidelity = named.fidelity or first(tool.fidelity) or first(EPOCHS)
    certain = trial is not None and (named.trial is not None or trial in tool.trial)
    levels = None if fidelity is None else _levels(table, fidelity, numerals)
    group = np.array(_groups(table, trial, levels, inputs, certain=certain))
    sizes = np.bincount(group)
    several = len(sizes) < len(group)
    if not several and named.fidelity is None and fidelity not in tool.fidelity:
        return None
    if inputs is None and not certain and several and len(sizes) < 2:
        return None
    if levels is None and not certain and several:
        rows = np.flatnonzero(group == np.argmax(sizes > 1))
        assert trial is not None
        raise InvalidInput(
            trial,
            f"{table.column(trial, 'trial')[rows[0]]} in rows {rows[0] + 1} and {rows[1] + 1}",
            "one trial has several rows: name the column of its epochs, --fidelity NAME, or keep "
            "its last, with the time that the whole trial took",
        )
    order = np.arange(len(group), dtype=float) if levels is None else levels
    last = _last(group, order)
    whole, short, notes = _reached(last, levels, fidelity, named, several=several)
    return Epochs(group, order, last, whole, True if tool.cumulative else None, short, notes)


def _levels(table: Table, name: str, numerals: Numerals) -> FloatArray | None:
    """(rows,) the fidelities; None where the column holds no numbers, and so counts nothing."""
    try:
        levels = numerals.numbers(table.column(name, "fidelity"), name, "--fidelity")
    except InvalidInput:
        return None
    return None if np.all(np.isnan(levels)) else np.where(np.isnan(levels), -np.inf, levels)


def _groups(
    table: Table,
    trial: str | None,
    levels: FloatArray | None,
    inputs: FloatArray | None,
    *,
    certain: bool,
) -> list[int]:
    """(rows,) the trial of each row, from 0 in the order in which they appear."""
    rows = len(table.rows)
    points = [()] * rows if inputs is None else [tuple(map(repr, row)) for row in inputs.tolist()]
    keys: list[object] = list(range(rows))
    if trial is not None:
        names = table.column(trial, "trial")
        if inputs is None and not certain and (levels is None or len(set(names)) < 2):
            return list(range(rows))
        keys = [
            (name if certain else (name, points[row])) if name else row
            for row, name in enumerate(names)
        ]
    elif levels is not None and inputs is not None:
        by_point: dict[object, set[float]] = {}
        for row, point in enumerate(points):
            by_point.setdefault(point, set()).add(float(levels[row]))
        if 2 * sum(len(by_point[point]) > 1 for point in points) > rows:
            keys = list(points)
    places: dict[object, int] = {}
    return [places.setdefault(key, len(places)) for key in keys]


def _last(group: IntArray, order: FloatArray) -> BoolArray:
    """(rows,) whether a row is the last of its trial, the later of two that are equal."""
    sorted_ = np.lexsort((np.arange(len(group)), order, group))
    ends = np.append(np.diff(group[sorted_]) != 0, True)
    last = np.zeros(len(group), dtype=bool)
    last[sorted_[ends]] = True
    return last


def _reached(
    last: BoolArray, levels: FloatArray | None, name: str | None, named: Columns, *, several: bool
) -> tuple[BoolArray, str, tuple[str, ...]]:
    """Which trials came as far as any, what is said of the others, and what of all."""
    trials = int(last.sum())
    notes = []
    if levels is None:
        notes.append(f"rows are reports of {trials} trials: the last of each is its value")
        return last, "", tuple(notes)
    most = float(levels[last].max())
    if several:
        rows = f"rows are those of {trials} trials at {name} up to {most:g}"
        notes.append(f"{rows}: the last of each is its value")
    far = last & (levels == most)
    early = trials - int(far.sum())
    if not early or named.any_fidelity:
        if early:
            notes.append(f"{early} of them stopped before {name} {most:g} and count all the same")
        return last, "", tuple(notes)
    if int(far.sum()) < 2:
        raise InvalidInput(
            name or "fidelity",
            f"{most:g} in one trial of {trials}",
            f"trials end at different {name}: --fidelity {name}=any takes the last row of each",
        )
    notes.append(
        f"{early} of {trials} are not at {name} {most:g} and are left out of y "
        f"(--fidelity {name}=any takes them)"
    )
    return far, f"not at {name} {most:g}", tuple(notes)
