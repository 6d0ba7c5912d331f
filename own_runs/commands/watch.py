"""`ctv watch`: a log that grows, and whether going on is worth it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.options.named_values import number
from ctv.options.problem import Delta, Seed
from ctv.show.progress import notice
from ctv.show.rounding import at_most, counted, digits
from ctv.show.sheet import Row, Sheet, numbers
from ctv.show.shown import Screen, Shown
from own_runs.commands.log_options import LogOptions, described, payload_of_log, shown_input

if TYPE_CHECKING:
    from bounds.progress import Stage
    from own_runs.live.verdict import Verdict
    from own_runs.logs.observations import Observations

EXAMPLE = """\
>>> ctv.watch("log.csv", minimize=True, stop_below=0.1)  # doctest: +SKIP
"""

_option = partial(typer.Option, rich_help_panel="Watching")

File = Annotated[
    Path,
    typer.Argument(
        help="The log as it is written: a file, database or folder of a tuner.",
        metavar="FILE",
        show_default=False,
    ),
]
StopBelow = Annotated[
    str | None,
    _option(
        help="Stop if the regret of the recommended point is below this, in units of y; or below "
        "the price of an average trial, price:NUMBER being that of a unit of time.",
        metavar="NUMBER|price:NUMBER",
    ),
]
Every = Annotated[
    float | None,
    _option(
        help="Look again after so many seconds, until it says stop; without it one look.",
        metavar="SECONDS",
    ),
]
Draws = Annotated[int, _option(help="Priors drawn for each kernel family.", metavar="WHOLE")]

_LEAST_WAIT = 0.01
_PATIENCE = 60.0
"""Seconds for which a log that was read before may be unreadable."""


@dataclass(frozen=True, eq=False, repr=False)
class Watched(Shown):
    """What a log said at the last look.

    Attributes
    ----------
    log : as it was then
    verdict : whether to go on
    looks : how often it was looked at with trials that were new
    seed : of everything random
    """

    format = "ctv-bounds watch 1"

    log: Observations
    verdict: Verdict
    looks: int
    seed: int
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return str(self.verdict)

    def exit_code(self) -> int:
        """0 where it says stop, or where nothing was to be decided; 1 where it says go on."""
        return int(isfinite(self.verdict.threshold) and not self.verdict.stop)

    def parts(self) -> dict[str, Any]:
        said = {name: value for name, value in vars(self.verdict).items() if name != "unit"}
        return {
            **said,
            "looks": self.looks,
            "problem": payload_of_log(self.log),
            "seed": self.seed,
        }

    def screen(self) -> Screen:
        verdict, log = self.verdict, self.log
        about = tuple(f"{line}." for line in described(log))
        if not isfinite(verdict.worth):
            return Screen((f"{verdict}.", *about))
        share = f"level {digits(verdict.level)}" if verdict.exact else "by the draws that decide"
        rows = [Row((f"what further trials find is at most ({share})", at_most(verdict.worth)))]
        if isfinite(verdict.cost):
            rows.append(Row((f"the trials so far cost at most ({share})", at_most(verdict.cost))))
        if isfinite(verdict.threshold):
            rows.append(Row(("worth a trial above", digits(verdict.threshold))))
        if verdict.stop:
            again = verdict.look_again
            shown = f"{digits(again)} {verdict.unit}" if isfinite(again) else "not seen to"
            rows.append(Row(("the bound of a kept incumbent reaches that at", shown)))
        title = "" if not isfinite(verdict.threshold) else "Stop" if verdict.stop else "Go on"
        inputs = verdict.incumbent.items()
        values = ", ".join(f"{name} = {shown_input(value)}" for name, value in inputs)
        sheet = Sheet(
            f"{title or 'So far'}, after {counted(verdict.trials, 'trial')}",
            numbers("", "in units of y"),
            tuple(rows),
            "Levels are exact in the fitted model; how often they hold elsewhere: docs/logs.md.",
            (f"Recommended: row {verdict.row}, {values}.",),
        )
        return Screen((sheet, *about))


def watch(
    options: LogOptions,
    file: File,
    stop_below: StopBelow = None,
    every: Every = None,
    delta: Delta = 0.1,
    draws: Draws = 160,
    seed: Seed = 0,
    *,
    advance: Stage,
) -> Watched:
    """Is it worth going on? What a log as it grows has cost, and what more of it can find.

    Exit code 0 where it says stop, 1 where it says go on. Without --stop-below nothing is
    decided.
    """
    if every is not None:
        if not (isfinite(every) and every >= _LEAST_WAIT):
            remedy = f"give a number of seconds of at least {_LEAST_WAIT}"
            raise InvalidInput("every", every, remedy)
        if stop_below is None:
            raise InvalidInput("every", every, "say when to stop: --stop-below")
        if str(file) == "-":
            raise InvalidInput("every", every, "drop it: standard input is read once")
    looks, trials, readable = 0, -1, monotonic()
    while True:
        try:
            log, readable = options.observations(file), monotonic()
        except InvalidInput:
            # A file may be half written, and whole at one of the next looks.
            if not looks or monotonic() - readable > _PATIENCE:
                raise
            log = None
        if log is not None and log.n > trials:
            looks, trials = looks + 1, log.n
            verdict, warnings = _verdict(log, stop_below, delta, draws, seed, advance)
            if verdict.stop or every is None:
                return Watched(log, verdict, looks, seed, warnings)
            notice(str(verdict))
        sleep(every or 0.0)


def _verdict(
    log: Observations,
    stop_below: str | None,
    delta: float,
    draws: int,
    seed: int,
    advance: Stage,
) -> tuple[Verdict, tuple[str, ...]]:
    """The verdict, and what speaks against the fit that it rests on."""
    from own_runs.commands.fit import fit_of
    from own_runs.live.verdict import LEAST, threshold_of, verdict_of

    priced = (stop_below or "").startswith("price:")
    given = None if stop_below is None else number("stop-below", stop_below.removeprefix("price:"))
    threshold = threshold_of(log, below=None if priced else given, price=given if priced else None)
    if not 0.0 < delta < 1.0:
        raise InvalidInput("delta", delta, "give a probability in (0, 1)")
    if log.n < LEAST:
        return verdict_of(log, None, threshold=threshold), ()
    fitted = fit_of(log, draws=draws, seed=seed, progress=partial(advance, "priors"))
    paths = max(99, int(2.0 / delta))
    verdict = verdict_of(
        log, fitted.candidates, threshold=threshold, delta=delta, paths=paths, seed=seed
    )
    return verdict, fitted.warnings
