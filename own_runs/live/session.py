"""Ask and tell: a search of one's own, with all that it knows in one file.

The file is the log itself, a JSON object with the axes and a row for every point asked for, so that
nothing is lost when the process ends and every certificate of a log is one call away. Several
`Search` objects, in one process or many, may work on one file: each reads it before it adds to it,
and holds it meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
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
from own_runs.live.next_point import LOG_POLICIES, next_points
from own_runs.logs.axes import Axis, parse_domain
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

    inputs: dict[str, float]
    start: float
    end: float | None = None
    value: float | None = None
    state: str = "running"
    sd: float | None = None


class Search:
    """A search that asks where to evaluate and is told what was observed.

    Parameters
    ----------
    path : of the file, made where there is none; the domain of one that is there must agree
    domain : ranges of the inputs, as `"lr=1e-5..1e-1 log, depth=2..12 int"`
    direction : whether large or small values are good
    policy : of `LOG_POLICIES`
    hyperprior : see `own_runs.prior.fit.fit`; `Hyperprior(drift=0.0)` forgets nothing
    draws : priors drawn for each kernel family whenever a point is asked for
    unit : of all times
    seed : of everything random

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
    ) -> None:
        if direction not in ("maximize", "minimize"):
            raise InvalidInput("direction", direction, "use maximize or minimize")
        if policy not in LOG_POLICIES:
            raise InvalidInput("policy", policy, f"use {', '.join(LOG_POLICIES)}")
        if unit not in UNITS:
            raise InvalidInput("unit", unit, f"use {', '.join(UNITS)}")
        self.path, self.axes, self.direction = Path(path), parse_domain(domain), direction
        self.policy, self.hyperprior, self.draws = policy, hyperprior, draws
        self.unit, self.seed = unit, seed
        self.trials: list[Trial] = []
        self._refresh()

    def ask(self, now: float | None = None) -> tuple[int, dict[str, float]]:
        """The number and the inputs of the next point, to be evaluated from `now` on.

        now : seconds since 1970; by default the clock of this machine. Raises InvalidInput for a
            time before the last one told.
        """
        with self._held():
            return self._asked(now)

    def _asked(self, now: float | None) -> tuple[int, dict[str, float]]:
        last = max((t.end for t in self.trials if t.end is not None), default=float("-inf"))
        begin = _instant(now, last, "the last reported")
        complete = sum(trial.state == "complete" for trial in self.trials)
        if complete < FIRST or len({t.value for t in self.trials if t.state == "complete"}) < 2:
            inputs = self._scattered(len(self.trials))
        else:
            log = self.observations()
            clock = (begin - self._origin) / UNITS[self.unit]
            inputs = (
                next_points(
                    log,
                    self.fit().candidates,
                    policy=self.policy,
                    now=clock,
                    seed=self.seed + len(self.trials),
                )
                .points[0]
                .inputs
            )
        self.trials.append(Trial(inputs, begin))
        self._store()
        return len(self.trials) - 1, inputs

    def tell(
        self,
        number: int,
        value: float | None,
        now: float | None = None,
        *,
        sd: float | None = None,
    ) -> None:
        """What was observed at a point that was asked for; None where the evaluation failed.

        now : seconds since 1970 when the evaluation ended, by default the clock of this machine;
            reports may come in any order
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
        end = _instant(now, self.trials[number].start, "when it was asked for")
        state = "failed" if value is None else "complete"
        known = None if value is None else float(value)
        self.trials[number] = replace(self.trials[number], end=end, value=known, state=state, sd=sd)
        self._store()

    def observations(self) -> Observations:
        """The search so far as a log. Raises InvalidInput where nothing was told."""
        self._refresh()
        done = [i for i, trial in enumerate(self.trials) if trial.state == "complete"]
        if not done:
            raise InvalidInput("search", self.path.name, "tell it an observed value first")
        done.sort(key=lambda i: self.trials[i].end or 0.0)
        scale = UNITS[self.unit]
        starts, ends = (
            np.array([(getattr(self.trials[i], name) - self._origin) / scale for i in done])
            for name in ("start", "end")
        )
        running = [i for i, trial in enumerate(self.trials) if trial.state == "running"]
        failed = len(self.trials) - len(done) - len(running)
        over = [t for t in self.trials if t.end is not None]
        clock = clock_of(
            np.array([t.start - self._origin for t in over]) / scale,
            np.array([(t.end or 0.0) - self._origin for t in over]) / scale,
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
            (last - self._origin) / scale,
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

    @property
    def _origin(self) -> float:
        return min(trial.start for trial in self.trials)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """The file as it is now, and nobody else's until the end."""
        with self._writable(), held(self.path):
            self._refresh()
            yield

    def _refresh(self) -> None:
        if self.path.exists():
            self.trials = self._stored()

    @contextmanager
    def _writable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or "unwritable"
            raise InvalidInput("search", str(self.path), f"cannot be written ({reason})") from None

    def _cube(self, rows: list[int]) -> FloatArray:
        found = np.empty((len(rows), len(self.axes)))
        for i, axis in enumerate(self.axes):
            found[:, i] = axis.to_unit(np.array([self.trials[r].inputs[axis.name] for r in rows]))
        return found

    def _scattered(self, index: int) -> dict[str, float]:
        from scipy.stats import qmc

        unit = qmc.Sobol(len(self.axes), rng=self.seed).random(1 << (index + 1).bit_length())[index]
        return {axis.name: float(axis.from_unit(unit[[i]])[0]) for i, axis in enumerate(self.axes)}

    def _store(self) -> None:
        content = {
            "format": FORMAT,
            "axes": [asdict(axis) for axis in self.axes],
            "direction": self.direction,
            "trials": [asdict(trial) for trial in self.trials],
        }
        write_whole(self.path, (json.dumps(content, allow_nan=False) + "\n").encode())

    def _stored(self) -> list[Trial]:
        try:
            content = json_of(read_text(self.path, "search").text)
            if content["format"] not in (FORMAT, 1):
                raise ValueError
            axes = tuple(Axis(**axis) for axis in content["axes"])
            direction, trials = content["direction"], [_trial(row) for row in content["trials"]]
        except (OSError, ValueError, KeyError, TypeError):
            raise InvalidInput("search", str(self.path), "it is no file of a search") from None
        if axes != self.axes or direction != self.direction:
            shown = ", ".join(map(str, axes))
            remedy = f"the file has {shown}, {direction}: give these, or another file"
            raise InvalidInput("domain", ", ".join(map(str, self.axes)), remedy)
        return trials


def _instant(given: float | None, least: float, what: str) -> float:
    """Seconds since 1970; raises InvalidInput for a time of the caller's before `least`."""
    # The machine's own clock may be set back; a time of the caller's may not.
    value = max(time(), least) if given is None else float(given)
    if not (isfinite(value) and value >= least):
        raise InvalidInput("now", value, f"give a time of at least {least:.17g}, {what}")
    return value


def _trial(row: Mapping[str, Any]) -> Trial:
    found = Trial(**row)
    if found.state not in ("running", "complete", "failed"):
        raise ValueError(found.state)
    return found
