"""Which bounds `ctv bound` is asked for, beside those that every problem gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options.named_values import number
from ctv.options.problem import chosen, whole_number
from ctv.outputs import check_file

if TYPE_CHECKING:
    from bounds.problem import Problem
    from ctv.options.sources import ProblemSources

LONG_SEARCH = 40.0
"""Seconds of the long search for a schedule, at most."""

Runs = Annotated[
    int | None,
    typer.Option(
        help="Also simulate so many runs of CTV-fixed: an upper bound from them, and simulated "
        "lower bounds.",
        metavar="WHOLE",
    ),
]
Delay = Annotated[
    int,
    typer.Option(
        help="So many of the latest results are not in yet, as with that many more workers: "
        "lower bounds with this delay, and upper bounds for any policy.",
        metavar="WHOLE",
    ),
]
Setting = Annotated[
    str | None,
    typer.Option(
        help="lattice:H,L: durations that depend on the point, t(x) in {H, 2H, ..., L*H}: a lower "
        "bound for that setting too.",
        metavar="lattice:H,L",
    ),
]
KnownMean = Annotated[
    str | None,
    typer.Option(
        help="The known mean of f, a number for each point: its lower bound, and the upper bounds "
        "that hold with a known mean.",
        metavar="FILE|M1,M2,...",
    ),
]
Until = Annotated[
    float | None,
    typer.Option(
        help="How many rounds it takes until an upper bound, and the lower bound, is at most this "
        "per round.",
        metavar="REGRET",
    ),
]
Exact = Annotated[
    bool,
    typer.Option(
        "--exact",
        help="Two independent arms (or three up to 14 rounds, four up to 8, more up to 5): also "
        "the least regret itself, for observations without noise, from both sides, and simulated "
        "policies beside it.",
        show_default=False,
    ),
]
FAST, USUAL, DEEP = "fast", "usual", "deep"
_FAST = "fast: floating point only, nothing is certified, and it takes some seconds less"
Budget = Annotated[str, typer.Option(help=f"{_FAST}.", metavar="fast|usual")]
LongBudget = Annotated[
    str,
    typer.Option(
        help=f"{_FAST}; deep: a search of up to {LONG_SEARCH:g} s for the schedule of Theorem X "
        "(otherwise the best of a small family).",
        metavar="fast|usual|deep",
    ),
]


def is_fast(budget: str, known: Sequence[str] = (FAST, USUAL)) -> bool:
    """Whether floating point is enough; raises InvalidInput for a budget that there is not."""
    if budget not in known:
        raise InvalidInput("budget", budget, f"use {', '.join(known)}")
    return budget == FAST


@dataclass(frozen=True)
class BoundOptions:
    """How the bounds are computed, and for which settings and policies there are more of them."""

    budget: LongBudget = USUAL
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="Write what is needed to check the bounds again (ctv verify FILE).",
            metavar="FILE",
        ),
    ] = None
    runs: Runs = None
    delay: Delay = 0
    until: Until = None
    exact: Exact = False
    setting: Setting = None
    known_mean: KnownMean = None

    @property
    def seconds(self) -> float:
        """How long a schedule is searched for; 0 where the best of a small family is taken."""
        return LONG_SEARCH if self.budget == DEEP else 0.0

    @property
    def fast(self) -> bool:
        """Whether nothing is certified."""
        return self.budget == FAST

    @property
    def lattice(self) -> tuple[float, int] | None:
        """H and L of `--setting`; raises InvalidInput for another setting."""
        if self.setting is None:
            return None
        name, _, values = self.setting.partition(":")
        spacing, comma, count = values.partition(",")
        if name != "lattice" or not comma:
            raise InvalidInput("setting", self.setting, "write lattice:H,L, such as lattice:1,3")
        return number("setting", spacing), whole_number("setting", count)

    def check(self, problem: Problem, sources: ProblemSources) -> None:
        """Raise InvalidInput for options that contradict each other or do not fit the problem."""
        is_fast(self.budget, (FAST, USUAL, DEEP))
        check_file(self.certificate, "certificate")
        if self.fast and self.certificate is not None:
            remedy = "drop --budget fast: it certifies nothing"
            raise InvalidInput("certificate", str(self.certificate), remedy)
        self._check_runs(problem)
        if self.budget == DEEP and self.delay:
            remedy = "drop --delay: a schedule is for results at once"
            raise InvalidInput("budget", self.budget, remedy)
        if self.known_mean is not None:
            self._check_known_mean(self.known_mean, sources)
        if self.exact:
            self._check_exact(problem)
        if self.until is not None and not self.until > 0.0:
            raise InvalidInput("until", self.until, "give a positive regret per round")

    def _check_runs(self, problem: Problem) -> None:
        if self.runs is None:
            return
        from simulation.after_run.simulated import check_simulations

        check_simulations(self.runs, problem.delta)
        if self.fast:
            raise InvalidInput("runs", self.runs, "drop --budget fast: it leaves such bounds out")

    def _check_known_mean(self, mean: str, sources: ProblemSources) -> None:
        for option in (*chosen(self), *sources.named()):
            if option not in ("known_mean", "budget", "delay"):
                remedy = f"drop --{option.replace('_', '-')}: it is for objectives of mean zero"
                raise InvalidInput("known-mean", mean, remedy)

    def _check_exact(self, problem: Problem) -> None:
        from bounds.domain import Arms
        from bounds.regret.lower.least_regret import require_solvable

        if not isinstance(problem.domain, Arms):
            raise InvalidInput("exact", "True", "give independent arms: --domain arms:2")
        if self.delay:
            raise InvalidInput("exact", "True", "drop --delay: it is for results at once")
        require_solvable(problem.times, problem.time_kernel, problem.domain.count)
