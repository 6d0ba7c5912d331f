"""The answer for one file: four numbers on one axis, what they rest on, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from ctv.show.axis import NumberLine
from ctv.show.plain import echo, project_version
from ctv.show.rounding import at_least, at_most, counted, digits
from ctv.show.shared import road
from ctv.show.shown import Screen, Shown, drift_rate
from ctv.values.answer import answer_lines
from ctv.values.line import four_numbers, lower_of, printed_of, proven_of, scaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.gain.bounds import Bounds
    from bounds.problem import Problem
    from bounds.progress import Stage
    from ctv.options.sources import FittedLog
    from simulation.runs.run import Trajectory

LONGEST_SIMULATED = 300
"""Rounds up to which runs are simulated."""

RUNS = 8


@dataclass(frozen=True, eq=False, repr=False)
class Look(Shown):
    """Lower bound ≤ achieved or simulated ≤ proven ≤ printed, for one file.

    Attributes
    ----------
    bounds : every bound of the problem; `answer` is what they amount to
    fitted : the log with its fitted prior; None for durations alone
    assumed : whether the drift is the default, because nothing was said of it
    file : as it was given
    writer : writes the page of it; None where none is wanted
    seed : of the fit and of the simulated runs
    runs : simulated runs, where they were made
    path : of the page, once it is written
    options : of the times and the model, as further commands take them
    """

    format = "ctv-bounds look 1"

    bounds: Bounds
    fitted: FittedLog | None
    assumed: bool
    file: str
    writer: Callable[[Look, Stage], Path] | None
    seed: int
    runs: tuple[Trajectory, ...] = ()
    path: Path | None = None
    options: str = ""

    @property
    def problem(self) -> Problem:
        """The problem that the bounds are for."""
        return self.bounds.problem

    @property
    def unit(self) -> float:
        """What one unit of regret of the problem is, in the units of what is shown."""
        return 1.0 if self.fitted is None else self.fitted.unit

    @property
    def lower(self) -> float | None:
        """The largest lower bound on the expected regret of every policy, certified if any is."""
        return scaled(lower_of(self.bounds), self.unit)

    @property
    def achieved(self) -> float | None:
        """At most what a finished run lost, from its data; or the mean of simulated runs."""
        if self.fitted is not None and self.fitted.achieved is not None:
            return self.fitted.achieved
        if not self.runs:
            return None
        ends = [float(run.cumulative_regret[-1]) for run in self.runs]
        return self.unit * sum(ends) / len(ends)

    @property
    def proven(self) -> float | None:
        """The smallest bound for CTV-fixed with probability 1 − δ, certified if any is."""
        return scaled(proven_of(self.bounds), self.unit)

    @property
    def printed(self) -> float | None:
        """Theorem 1 as the paper prints it; None where its hypotheses do not hold."""
        return scaled(printed_of(self.bounds), self.unit)

    @property
    def line(self) -> NumberLine:
        """The four numbers, those that there are."""
        fitted = self.fitted
        return four_numbers(
            self.bounds,
            self.achieved,
            certified=fitted is not None and fitted.achieved is not None,
            unit=self.unit,
            counted="" if fitted is None else f"regret in units of {fitted.values}",
        )

    def headline(self) -> str:
        return self.line.sentence

    def parts(self) -> dict[str, Any]:
        fitted = self.fitted
        return {
            "line": {
                "lower": self.lower,
                "achieved": self.achieved,
                "proven": self.proven,
                "printed": self.printed,
            },
            "achieved_by": None
            if self.achieved is None
            else "simulation"
            if fitted is None or fitted.achieved is None
            else "posterior certificate",
            "answer": self.bounds.answer.to_dict(),
            "fit": None if fitted is None else fitted.fit(),
            "assumed_half_life": self.half_life if self.assumed else None,
            "unit": self.unit,
            "path": self.path,
            "warnings": list(self.warnings),
            "problem": echo(self.problem),
            "seed": self.seed,
            "version": project_version(),
        }

    @property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        """What speaks against relying on the fit."""
        return () if self.fitted is None else self.fitted.warnings

    def screen(self) -> Screen:
        return Screen((*self._about(), self.line, *self._reasons(), *self._next()))

    def news(self) -> Screen:
        if self.runs:
            ends = sorted(self.unit * float(run.cumulative_regret[-1]) for run in self.runs)
            what = (
                f"{counted(len(ends), 'simulated run')} of CTV-fixed have regret "
                f"{digits(ends[0], 3)} to {digits(ends[-1], 3)}: {self.line.sentence}."
            )
            lines: tuple[str, ...] = (what,)
        else:
            lines = ()
        wrote = () if self.path is None else (f"Wrote {self.path}: the same as a page.",)
        return Screen((*lines, *wrote))

    def plot(self) -> Figure:
        """Every bound on the regret, on one axis."""
        from ctv.figures import bounds

        ends = [float(run.cumulative_regret[-1]) for run in self.runs]
        return bounds.draw(bounds.BoundsPicture(self.bounds.answer, ends))

    def continued(self, advance: Stage) -> Look | None:
        """The simulated runs, where the file has no values, and the page."""
        if self.writer is None or self.path is not None:
            return None
        problem, runs = self.problem, self.runs
        simulated = self.fitted is None or self.fitted.achieved is None
        if simulated and problem.n <= LONGEST_SIMULATED and problem.domain.size > 1:
            from simulation.study.under_bounds import simulated_runs

            seeds = range(self.seed, self.seed + RUNS)
            runs = simulated_runs(problem, seeds, "theory", advance)
        more = replace(self, runs=runs)
        return replace(more, path=self.writer(more, advance))

    @property
    def half_life(self) -> float:
        """After how many units of time half of what is known is forgotten."""
        from bounds.kernels.base import half_life

        return half_life(self.problem.epsilon)

    def _about(self) -> Iterator[str]:
        times = self.problem.times
        if self.fitted is not None:
            yield from self.fitted.headlines()
            return
        drift = drift_rate(self.problem)
        if "epsilon" in self.problem.time_kernel.parameters:
            drift += f", a half-life of {digits(self.half_life)} units of time"
        how = (
            "No observed values are known, so the drift is not fitted but assumed"
            if self.assumed
            else "The drift is as given"
        )
        yield (
            f"{times.source}: {counted(times.n, 'evaluation')} in total time "
            f"{digits(times.total_time)}. {how}: {drift}."
        )

    def _reasons(self) -> Iterator[str]:
        answer = self.bounds.answer
        if self.fitted is None:
            yield from list(answer_lines(self.bounds))[:2]
        else:
            floor = answer.certified_floor or answer.floor
            best = answer.best(certified=True) or answer.best()
            if floor is not None and self.lower is not None:
                yield (
                    f"Lower bound: every policy has expected regret ≥ {at_least(self.lower)} "
                    f"({road(floor)}) under the fitted prior."
                )
            if best is not None and self.proven is not None:
                yield (
                    f"Proven before the run: CTV-fixed has regret ≤ {at_most(self.proven)} with "
                    f"probability {best.level:g} ({road(best)}) under the fitted prior."
                )
        if self.printed is None:
            reason = self.bounds.report.gains["theorem1"].reason
            yield f"Theorem 1 as printed in the paper does not hold here: {reason}."
        else:
            yield f"Printed: Theorem 1 of the paper promises regret ≤ {at_most(self.printed)}."

    def _next(self) -> Iterator[str]:
        file = quote(self.file)
        yield "What to do next:"
        if self.fitted is not None:
            steps = self.fitted.next_steps(file)
        else:
            own = f"--times {file}{self.options}"
            steps = (
                f"ctv bound {own} --all shows every bound and what it rests on.",
                f"ctv partition {own} shows the best blocks of evaluations.",
            )
            if self.assumed:
                steps = (
                    "Say how fast the objective drifts (--half-life 30min, or --epsilon), or name "
                    "the inputs and the observed value of your log (--x A,B --y NAME): then the "
                    "drift is fitted.",
                    *steps,
                )
        yield from (f"- {step}" for step in steps)
