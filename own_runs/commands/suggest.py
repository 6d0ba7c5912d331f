"""`ctv suggest`: the next point of one's own search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.options.problem import Seed
from ctv.show.rounding import digits
from ctv.show.sheet import Row, Sheet, numbers
from ctv.show.shown import Screen, Shown
from own_runs.commands.fit import Data, fit_of
from own_runs.commands.log_options import LogOptions, described, payload_of_log, shown_input

if TYPE_CHECKING:
    from bounds.arrays import FloatArray
    from bounds.progress import Stage
    from own_runs.live.next_point import Suggested
    from own_runs.logs.observations import Observations

EXAMPLE = """\
>>> X, y = [[0.1], [0.9], [0.4], [0.6], [0.5], [0.3]], [0.2, 0.1, 0.8, 0.7, 0.9, 0.6]
>>> following = ctv.suggest(X, y, maximize=True)
"""

_option = partial(typer.Option, rich_help_panel="Suggestion")

Prior = Annotated[
    Path | None,
    _option(help="What ctv fit --out wrote; without it the log is fitted first.", metavar="FILE"),
]
Now = Annotated[
    float | None,
    _option(
        help="When the evaluation begins, on the log's clock (default: the end of the log).",
        metavar="NUMBER",
    ),
]
Pending = Annotated[
    str | None,
    _option(help='Points under way: "0.01,3; 0.1,5", inputs in order.', metavar="POINTS"),
]
Policy = Annotated[
    str,
    _option(
        help="ctv, ctv-simple, tv, gp-ucb, flat-ucb, ts, predictive; or ctv:1.25, with a weight.",
        metavar="NAME",
    ),
]
Exploration = Annotated[
    str, _option(help="beta or sqrt-beta, of those with a weight.", metavar="NAME")
]
Rounds = Annotated[
    int, _option(help="How many points; each is pending for the next.", metavar="WHOLE")
]

_HEAVY = 64
"""Members of a prior's file that a suggestion takes."""
_DRAWS = 160
"""Priors drawn where the log is fitted for a suggestion alone."""


def _points(log: Observations, text: str) -> FloatArray:
    """(m, d) points under way in the unit cube, from words and numbers; raises InvalidInput."""
    import numpy as np

    from own_runs.logs.axes import to_cube

    rows = []
    for part in text.split(";"):
        cells = [cell.strip() for cell in part.split(",")]
        codes = [axis.code(cell) for axis, cell in zip(log.axes, cells, strict=False)]
        try:
            row = [
                float(cell or "nan") if code is None else code
                for cell, code in zip_longest(cells, codes[: len(cells)])
            ]
        except ValueError:
            raise InvalidInput("pending", part.strip() or "''", "give numbers: A,B; A,B") from None
        if len(row) != log.dimension:
            names = ", ".join(axis.name for axis in log.axes)
            raise InvalidInput("pending", part.strip(), f"give {log.dimension} numbers: {names}")
        for axis, number in zip(log.axes, row, strict=True):
            if isnan(number) and not axis.under:
                raise InvalidInput("pending", part.strip() or "''", "give numbers: A,B; A,B")
        rows.append(row)
    columns = np.array(rows).T
    for axis, column in zip(log.axes, columns, strict=True):
        axis.check(column)
    return to_cube(log.axes, columns)


@dataclass(frozen=True, eq=False, repr=False)
class NextPoints(Shown):
    """The next points of a search, and what is expected there.

    Attributes
    ----------
    log : the search so far
    suggestion : the points, under which policy, from when
    prior : the file of the prior; None where the log was fitted
    seed : of everything random
    warnings : what speaks against relying on them
    """

    format = "ctv-bounds next points 1"

    log: Observations
    suggestion: Suggested
    prior: Path | None
    seed: int
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        first = self.suggestion.points[0].inputs
        inputs = ", ".join(f"{name} = {shown_input(value)}" for name, value in first.items())
        return f"{inputs} by {self.suggestion.policy}"

    def parts(self) -> dict[str, Any]:
        return {
            "points": [
                {
                    "x": point.inputs,
                    "mean": point.mean,
                    "sd": point.sd,
                    "expected_duration": point.expected_duration,
                    "acquisition": point.acquisition,
                }
                for point in self.suggestion.points
            ],
            "policy": self.suggestion.policy,
            "prior": "fitted to this log" if self.prior is None else self.prior.name,
            "now": self.suggestion.now,
            "problem": payload_of_log(self.log),
            "seed": self.seed,
        }

    def screen(self) -> Screen:
        log, suggestion = self.log, self.suggestion
        sheet = Sheet(
            f"Next, by {suggestion.policy}, begun at {digits(suggestion.now)} {log.unit}",
            numbers(
                *(axis.name for axis in log.axes), "expected y", "sd", f"duration ({log.unit})"
            ),
            tuple(
                Row(
                    (
                        *(
                            shown_input(point.inputs[axis.name])
                            if axis.name in point.inputs
                            else "–"
                            for axis in log.axes
                        ),
                        digits(point.mean),
                        digits(point.sd),
                        digits(point.expected_duration),
                    )
                )
                for point in suggestion.points
            ),
            "Not certified.",
            ("The best of a grid, the evaluated points and scattered ones: a restricted search.",),
        )
        return Screen((sheet, *(f"{line}." for line in described(log))))


def suggest(
    options: LogOptions,
    data: Data,
    prior: Prior = None,
    now: Now = None,
    pending: Pending = None,
    policy: Policy = "ctv",
    exploration: Exploration = "sqrt-beta",
    rounds: Rounds = 1,
    seed: Seed = 0,
    *,
    advance: Stage,
) -> NextPoints:
    """Where to evaluate next? By the priors that fit the log of the search so far."""
    from own_runs.live.next_point import next_points
    from own_runs.prior.files import read_prior

    fitted = None if prior is None else read_prior(prior)
    log = options.observations(data, prior=fitted)
    waiting = None if pending is None else _points(log, pending)
    if fitted is not None:
        candidates = fitted.heaviest(_HEAVY).candidates(log)
    else:
        progress = partial(advance, "priors")
        candidates = fit_of(log, draws=_DRAWS, seed=seed, progress=progress).candidates
    suggestion = next_points(
        log,
        candidates,
        policy=policy,
        exploration=exploration,
        now=now,
        pending=waiting,
        count=rounds,
        seed=seed,
    )
    few = ("fewer than 10 rows hardly fit any prior",) if log.n < 10 else ()
    return NextPoints(log, suggestion, prior, seed, few)
