"""Ask and tell: a search of one's own, with all that it knows in one file.

The file is the log itself, a JSON object with the axes and a row for every point asked for, so that
nothing is lost when the process ends and every certificate of a log is one call away. Several
`Search` objects, in one process or many, may work on one file: each reads it before it adds to it,
and holds it meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from time import time
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.reading import json_of, read_text
from bounds.time_text import UNITS
from bounds.writing import held, write_whole
from own_runs.certificates.mixture import CertifiedLog, certify_log
from own_runs.live.kept_fit import KeptFit
from own_runs.live.next_point import next_points, policy_of
from own_runs.logs.axes import (
    Axis,
    conditioned,
    cube_of,
    inputs_at,
    masked,
    needed_inputs,
    parse_domain,
)
from own_runs.logs.clock import clock_of
from own_runs.logs.observations import Direction, Observations
from own_runs.logs.reader import independent_noise
from own_runs.prior.fit import Fit, fit
from simulation.prior.candidates import Candidates
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior

FORMAT = "ctv-bounds search 1"
FIRST = 8
"""Points asked for at scattered places before a prior is fitted."""


@dataclass(frozen=True)
class Trial:
    """One point: asked for at `start`, told at `end`; times in seconds since 1970.

    value : None while it runs, and where it failed
    state : `running`, `complete` or `failed`
    sd : standard deviation of the error of the value, up to a factor common to all, if it is known
    """

    inputs: dict[str, Any]
    start: float
    end: float | None = None
    value: float | None = None
    state: str = "running"
    sd: float | None = None


class Search:
    """A search that asks where to evaluate and is told what was observed.

    Parameters
    ----------
    path : of the file, made where there is none
    domain : ranges of the inputs, as `"lr=1e-5..1e-1 log, depth=2..12 int"`, or their words, as
        `"kernel=linear|rbf"`; `"gamma=1e-4..1 log if kernel=rbf"` is asked for beside that word
        alone; beside a file that is there the smallest ranges that hold both, so
        that a search can be widened as it goes
    direction : whether large or small values are good
    policy : see `own_runs.live.next_point.policy_of`
    hyperprior : see `own_runs.prior.fit.fit`; `Hyperprior(drift=0.0)` forgets nothing. Without one
        points are chosen under `own_runs.prior.fit.PLAIN`, certificates under `WIDE`
    draws : priors drawn for each kernel family whenever a point is asked for
    unit : of all times
    seed : of everything random
    clock : what time it is, where `now` is not given: the wall's clock in seconds since 1970, or
        one of the data (rows that have arrived, hours of a stream), in seconds of it

    An ask of a search that goes on reweighs the last fit by the evidence of the rows since; it fits
    anew where the log is half as long again, or where few of the kept priors are left.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     search = Search(Path(folder) / "search.json", "x=0..1", "maximize")
    ...     number, inputs = search.ask()
    ...     search.tell(number, 1.5)
    ...     len(Search(Path(folder) / "search.json", "x=0..1", "maximize").trials)
    1
    """

    def __init__(
        self,
        path: Path | str,
        domain: str,
        direction: Direction,
        *,
        policy: str = "ctv",
        hyperprior: Hyperprior | FiniteHyperprior | None = None,
        draws: int = 160,
        unit: str = "s",
        seed: int = 0,
        clock: Callable[[], float] = time,
    ) -> None:
        if direction not in ("maximize", "minimize"):
            raise InvalidInput("direction", direction, "use maximize or minimize")
        policy_of(policy)
        if unit not in UNITS:
            raise InvalidInput("unit", unit, f"use {', '.join(UNITS)}")
        self.path, self.axes, self.direction = Path(path), parse_domain(domain), direction
        self.policy, self.hyperprior, self.draws = policy, hyperprior, draws
        self.unit, self.seed, self.clock = unit, seed, clock
        self.trials: list[Trial] = []
        self._kept = KeptFit(hyperprior, draws, seed)
        self._seen: tuple[int, ...] | None = None
        self._refresh()

    def ask(self, now: float | None = None) -> tuple[int, dict[str, Any]]:
        """The number and the inputs of the next point, to be evaluated from `now` on.

        Beside points that are running it is the best on a posterior path of its own, so that
        workers do not all ask for one place. now : seconds since 1970; by default the clock. A time
        before the last report is that of a message that came late: the point is chosen from all
        that was reported.
        """
        return self.ask_many(1, now)[0]

    def ask_many(self, count: int, now: float | None = None) -> list[tuple[int, dict[str, Any]]]:
        """`count` points to be evaluated at once, as `ask` gives one."""
        if count < 1:
            raise InvalidInput("count", count, "give a whole number of at least 1")
        with self._held():
            return self._asked(count, now)

    def _asked(self, count: int, now: float | None) -> list[tuple[int, dict[str, Any]]]:
        begin = self._instant(now, float("-inf"), "")
        complete = sum(trial.state == "complete" for trial in self.trials)
        first = len(self.trials)
        if complete < FIRST or len({t.value for t in self.trials if t.state == "complete"}) < 2:
            proposals = [self._scattered(first + i) for i in range(count)]
        else:
            log = self._log()
            points = next_points(
                log,
                self._kept.candidates(log),
                policy=self.policy,
                now=max((begin - self._origin) / UNITS[self.unit], float(log.times[-1])),
                count=count,
                seed=self.seed + first,
                kept=self._kept,
            ).points
            proposals = [dict(point.inputs) for point in points]
        self.trials += [Trial(inputs, begin) for inputs in proposals]
        self._store()
        return [(first + i, inputs) for i, inputs in enumerate(proposals)]

    def add(
        self,
        inputs: Mapping[str, Any],
        value: float | None = None,
        *,
        start: float | None = None,
        end: float | None = None,
        sd: float | None = None,
    ) -> int:
        """A point of one's own, and its number: running without a value, complete with one.

        start, end : seconds since 1970, by default the clock and the start. Raises InvalidInput for
            inputs that lack an axis, are outside its range or none of its words, and as `tell`
            does.
        """
        begin = self._instant(start if start is not None else end, float("-inf"), "")
        with self._held():
            needed = needed_inputs(self.axes, inputs)
            if set(inputs) != {axis.name for axis in needed}:
                shown = ", ".join(map(str, inputs)) or "none"
                names = ", ".join(axis.name for axis in needed)
                raise InvalidInput("inputs", shown, f"give {names}")
            given: dict[str, Any] = {}
            for axis in needed:
                own = axis.number(inputs[axis.name])
                axis.check(np.array([own]))
                given[axis.name] = axis.labels[int(own)] if axis.labels else own
            self.trials.append(Trial(given, begin))
            number = len(self.trials) - 1
            try:
                if value is None:
                    self._store()
                else:
                    self._told(number, value, begin if end is None else end, sd)
            except InvalidInput:
                self.trials.pop()
                raise
        return number

    def add_log(self, log: Observations, origin: float = 0.0) -> None:
        """All rows of an old log, whose clock began at `origin` seconds since 1970.

        Raises InvalidInput for other inputs, another direction, and rows outside the ranges.
        """
        names = [axis.name.rsplit(".", 1)[-1].removeprefix("params_") for axis in log.axes]
        wanted = [axis.name for axis in self.axes]
        for own in ([axis.name for axis in log.axes], names):
            if sorted(own) == sorted(wanted):
                names = own
                break
        else:
            raise InvalidInput("log", f"of {', '.join(names)}", f"give one of {', '.join(wanted)}")
        if log.direction != self.direction:
            raise InvalidInput("direction", log.direction, f"the search is to {self.direction}")
        scale = UNITS[log.unit]
        for row in range(log.n):
            end = origin + scale * float(log.times[row])
            start = log.starts[row] if np.isfinite(log.starts[row]) else log.times[row]
            own_names = dict(zip((axis.name for axis in log.axes), names, strict=True))
            values = inputs_at(log.axes, log.points[row])
            inputs = {own_names[name]: value for name, value in values.items()}
            self.add(inputs, float(log.values[row]), start=origin + scale * float(start), end=end)

    def tell(
        self,
        number: int,
        value: float | None,
        now: float | None = None,
        *,
        sd: float | None = None,
    ) -> None:
        """What was observed at a point that was asked for; None where the evaluation failed.

        now : seconds since 1970 when the evaluation ended, by default the clock; reports may come
            late and in any order
        sd : standard deviation of its error, up to a factor common to all; of all values or of none

        Raises InvalidInput for a number that is not running, a value that is not finite, a time
        before the point was asked for, and an sd that is not positive or that other values lack or
        have.
        """
        with self._held():
            self._told(number, value, now, sd)

    def _told(self, number: int, value: float | None, now: float | None, sd: float | None) -> None:
        if not 0 <= number < len(self.trials) or self.trials[number].state != "running":
            raise InvalidInput(
                "number", number, "give one that ask returned and that has no value yet"
            )
        if value is not None and not isfinite(value):
            raise InvalidInput("value", value, "give a finite number, or None where it failed")
        if sd is not None and not (isfinite(sd) and sd > 0.0):
            raise InvalidInput("sd", sd, "give a positive standard deviation, or leave it out")
        if value is not None and any(
            (trial.sd is None) != (sd is None) for trial in self.trials if trial.value is not None
        ):
            shown, remedy = ("nothing", "give it") if sd is None else (sd, "leave it out")
            raise InvalidInput("sd", shown, f"{remedy}, as for the values before")
        end = self._instant(now, self.trials[number].start, "when it was asked for")
        state = "failed" if value is None else "complete"
        known = None if value is None else float(value)
        self.trials[number] = replace(self.trials[number], end=end, value=known, state=state, sd=sd)
        self._store()

    def observations(self) -> Observations:
        """The search so far as a log. Raises InvalidInput where nothing was told."""
        self._refresh()
        return self._log()

    def _log(self) -> Observations:
        done = [i for i, trial in enumerate(self.trials) if trial.state == "complete"]
        if not done:
            raise InvalidInput("search", self.path.name, "tell it an observed value first")
        done.sort(key=lambda i: self.trials[i].end or 0.0)
        scale, origin = UNITS[self.unit], self._origin
        starts, ends = (
            np.array([(getattr(self.trials[i], name) - origin) / scale for i in done])
            for name in ("start", "end")
        )
        running = [i for i, trial in enumerate(self.trials) if trial.state == "running"]
        failed = len(self.trials) - len(done) - len(running)
        over = [t for t in self.trials if t.end is not None]
        clock = clock_of(
            np.array([t.start - origin for t in over]) / scale,
            np.array([(t.end or 0.0) - origin for t in over]) / scale,
        )
        deviations = [sd for i in done if (sd := self.trials[i].sd) is not None]
        last = max(t.end if t.end is not None else t.start for t in self.trials)
        return Observations(
            self.axes,
            self._cube(done),
            np.array([self.trials[i].value or 0.0 for i in done]),
            self.direction,
            ends,
            starts,
            ends - starts,
            self._cube(running),
            (last - origin) / scale,
            self.unit,
            clock,
            {"state failed": failed} if failed else {},
            (),
            self.path.name,
            tuple(i + 1 for i in done),
            independent_noise(np.array(deviations)) if deviations else None,
        )

    def fit(self) -> Fit:
        """The priors that fit the search so far."""
        return fit(
            self.observations(), hyperprior=self.hyperprior, draws=self.draws, seed=self.seed
        )

    def certify(self, candidates: Candidates | None = None, **options: Any) -> CertifiedLog:
        """The regret of the search so far, see `own_runs.certificates.mixture.certify_log`."""
        log = self.observations()
        chosen = self.fit().candidates if candidates is None else candidates
        return certify_log(log, chosen, **options)

    def _instant(self, given: float | None, least: float, what: str) -> float:
        """Seconds of the clock; raises InvalidInput for a time of the caller's before `least`."""
        # A clock may be set back; a time of the caller's may not be before what it is of.
        value = max(self.clock(), least) if given is None else float(given)
        if not isfinite(value):
            raise InvalidInput("now", value, "give a finite time, in seconds")
        if value < least:
            raise InvalidInput("now", value, f"give a time of at least {least:.17g}, {what}")
        return value

    @property
    def _origin(self) -> float:
        return min(trial.start for trial in self.trials)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """The file as it is now, and nobody else's until the end."""
        try:
            with held(self.path):
                self._refresh()
                yield
        except OSError as error:
            reason = error.strerror or "unwritable"
            raise InvalidInput("search", str(self.path), f"cannot be written ({reason})") from None

    def _refresh(self) -> None:
        signature = self._signature()
        if signature is not None and signature != self._seen:
            self.axes, self.trials = self._stored()
            self._seen = signature

    def _signature(self) -> tuple[int, ...] | None:
        """What changes with the file, which is written anew each time; None where it is not."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _cube(self, rows: list[int]) -> FloatArray:
        return cube_of(self.axes, [self.trials[row].inputs for row in rows])

    def _scattered(self, index: int) -> dict[str, Any]:
        from scipy.stats import qmc

        unit = qmc.Sobol(len(self.axes), rng=self.seed).random(1 << (index + 1).bit_length())[index]
        return inputs_at(self.axes, masked(self.axes, unit[None])[0])

    def _store(self) -> None:
        content = {
            "format": FORMAT,
            "axes": [vars(axis) for axis in self.axes],
            "direction": self.direction,
            "trials": [vars(trial) for trial in self.trials],
        }
        write_whole(self.path, (json.dumps(content, allow_nan=False) + "\n").encode())
        self._seen = self._signature()

    def _stored(self) -> tuple[tuple[Axis, ...], list[Trial]]:
        try:
            content = json_of(read_text(self.path, "search").text)
            if content["format"] not in (FORMAT, 1):
                raise ValueError
            axes = tuple(_axis(row) for row in content["axes"])
            conditioned(axes, {a.name: (a.under, a.where) for a in axes if a.under})
            direction, trials = content["direction"], [_trial(row) for row in content["trials"]]
        except (OSError, ValueError, KeyError, TypeError):
            raise InvalidInput("search", str(self.path), "it is no file of a search") from None
        both = _hull(axes, self.axes)
        if both is None or direction != self.direction:
            shown = ", ".join(map(str, axes))
            remedy = f"the file has {shown}, {direction}: give these, wider ones, or another file"
            raise InvalidInput("domain", ", ".join(map(str, self.axes)), remedy)
        return both, trials


def _hull(one: Sequence[Axis], other: Sequence[Axis]) -> tuple[Axis, ...] | None:
    """The smallest ranges, or all words, that hold both; None for other inputs or scales.

    Words with an order are to be the same.
    """
    kinds = [
        [
            (a.name, a.log, a.integer, a.unordered, a.labels if a.ordered else (), a.under, a.where)
            for a in axes
        ]
        for axes in (one, other)
    ]
    if kinds[0] != kinds[1]:
        return None
    axes = []
    for a, b in zip(one, other, strict=True):
        words = tuple(dict.fromkeys(a.labels + b.labels))
        high = float(len(words) - 1) if a.unordered else max(a.high, b.high)
        axes.append(replace(a, low=min(a.low, b.low), high=high, labels=words))
    return tuple(axes)


def _axis(row: Mapping[str, Any]) -> Axis:
    own = dict(row)  # what is no object is no axis
    return Axis(**{**own, **{name: tuple(own.get(name, ())) for name in ("labels", "where")}})


def _trial(row: Mapping[str, Any]) -> Trial:
    trial = Trial(**row)
    if trial.state not in ("running", "complete", "failed"):
        raise ValueError(trial.state)
    return trial
