"""`ctv bound`: what the theory promises, certified unless asked otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctv.options.bounds import BoundOptions
from ctv.options.formulas import FormulaOptions
from ctv.options.problem import NOTHING_GIVEN, Given, ModelOptions, TimesOptions, made_from
from ctv.options.sources import NO_SOURCES, ProblemSources, SourcedProblem
from ctv.outputs import write_whole
from ctv.show.plain import project_version
from ctv.show.shown import Shown
from ctv.terminal.command import pictured
from ctv.values.bounds import BoundsAnswer

if TYPE_CHECKING:
    from bounds.gain.bounds import Bounds
    from bounds.problem import Problem
    from bounds.progress import Stage
    from ctv.values.exact import ExactAnswer
    from simulation.before_run.schedule import ScheduleBound

EXAMPLE = """\
>>> ctv.bound([1.0, 2.0, 1.0], epsilon=0.1, domain="arms:3")
<BoundsAnswer: regret <= 13.88, gain <= 6.923 nats, n = 3>
"""


@pictured
def bound(
    times: TimesOptions,
    model: ModelOptions,
    formulas: FormulaOptions,
    options: BoundOptions,
    sources: ProblemSources = NO_SOURCES,
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Shown:
    """All bounds on information gain and regret for one sequence of evaluation times.

    Every bound is certified: its value is enclosed by interval arithmetic and rounded
    outward.
    """
    formulas, times = formulas.asked(times)
    if formulas.durations is not None:
        from ctv.commands.shared import symbolic

        def numbers(own: TimesOptions) -> Mapping[str, Any]:
            plain = FormulaOptions()
            return bound(own, model, plain, options, advance=advance).to_dict()

        return symbolic.listed_gains(formulas, times, model, symbolic.BOUNDS, numbers)
    source: SourcedProblem | None = None
    asked = sources.asked()
    if asked is not None:
        source = asked.sourced(times, model, given, advance)
        problem = source.problem
    else:
        problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    options.check(problem, sources)
    half_life = None if source is not None else model.assumed_half_life(times, given)
    question = _Question(problem, times, options, advance)

    def computed() -> BoundsAnswer:
        return question.answer(source, half_life)

    if not formulas.symbolic:
        return computed()
    from ctv.commands.shared import symbolic

    written = symbolic.gain_formulas(times, symbolic.BOUNDS, formulas.gain_form)
    return symbolic.of_gains(written, formulas, problem, times, lambda: computed().parts())


@dataclass(frozen=True)
class _Question:
    """Which bounds of which problem are computed."""

    problem: Problem
    times: TimesOptions
    options: BoundOptions
    advance: Stage

    def answer(self, source: SourcedProblem | None, half_life: float | None) -> BoundsAnswer:
        """Every bound that is asked for; the certificate is written where a file was named."""
        from bounds.gain.bounds import bounds_of

        asked = self.options
        bounds = bounds_of(
            self.problem,
            certify=not asked.fast,
            delay=asked.delay,
            until=asked.until,
            advance=self.advance,
        )
        origin = made_from(self.problem, self.times)
        if asked.known_mean is not None:
            bounds, schedule = self._with_known_mean(bounds, asked.known_mean), None
            origin["known_mean"] = asked.known_mean
        else:
            bounds, schedule = self._with_schedules(bounds)
        bounds = self._with_other_settings(bounds)
        if any(row.simulated for row in bounds.rows):
            origin["seed"] = self.times.seed
        if asked.certificate is not None:
            self._write_certificate(bounds, schedule)
        return BoundsAnswer(bounds, origin, source, half_life, self._exact())

    def _with_known_mean(self, bounds: Bounds, mean: str) -> Bounds:
        from ctv.commands.shared.rows import of_known_mean

        self.advance("bounds for a known mean", 0.0)
        rows = of_known_mean(self.problem, mean, self.options.delay, self.times.seed)
        return bounds.with_known_mean(rows)

    def _with_schedules(self, bounds: Bounds) -> tuple[Bounds, ScheduleBound | None]:
        """With upper bounds of schedules; they are simulated, for results that are not late."""
        asked, seed = self.options, self.times.seed
        if asked.fast or asked.delay:
            return bounds, None
        from ctv.commands.shared.rows import scheduled_rows

        rows, schedule = scheduled_rows(self.problem, asked.seconds, seed, self.advance)
        bounds = bounds.with_rows(rows)
        if asked.until is not None:
            from simulation.before_run.until import scheduled_until

            self.advance("rounds until, by a schedule", 0.0)
            bounds = bounds.with_until(scheduled_until(self.problem, asked.until, seed=seed))
        return bounds, schedule

    def _with_other_settings(self, bounds: Bounds) -> Bounds:
        """With bounds by simulated runs, over random sequences of times, and for times t(x)."""
        asked, problem, seed = self.options, self.problem, self.times.seed
        if asked.runs is not None:
            from ctv.commands.shared.rows import of_random_times, simulated

            rows = simulated(problem, asked.runs, asked.delay, seed, self.advance)
            bounds = bounds.with_rows(rows)
            if self.times.used_seed is not None and not asked.delay:
                bounds = bounds.with_rows((of_random_times(problem, self.times),))
        if asked.lattice is not None:
            from simulation.before_run.lower_bounds import lattice_floor

            self.advance("a lower bound for times t(x)", 0.0)
            bounds = bounds.with_rows((lattice_floor(problem, *asked.lattice, seed=seed),))
        return bounds

    def _write_certificate(self, bounds: Bounds, schedule: ScheduleBound | None) -> None:
        from proofs_check.records import bound_certificate as files

        assert self.options.certificate is not None
        assert bounds.design is not None and bounds.confidence is not None
        body = files.bound_certificate(
            bounds.report,
            bounds.curve,
            bounds.design,
            bounds.confidence,
            project_version(),
            bounds.rows,
            delay=self.options.delay,
            schedule=schedule,
        )
        write_whole(self.options.certificate, files.text_of(body).encode(), "certificate")

    def _exact(self) -> ExactAnswer | None:
        if not self.options.exact:
            return None
        from ctv.commands.shared.rows import solved_exactly

        return solved_exactly(self.problem, self.times.seed, self.advance)
