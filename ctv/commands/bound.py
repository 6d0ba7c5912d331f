"""`ctv bound`: what the theory promises, certified unless asked otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.options.formulas import GainFormulaOptions
from ctv.options.problem import NOTHING_GIVEN, Given, ModelOptions, TimesOptions, made_from
from ctv.options.sources import NO_SOURCES, ProblemSources, SourcedProblem
from ctv.outputs import check_file, write_whole
from ctv.show.plain import project_version
from ctv.show.rounding import at_most, digits
from ctv.show.shared import (
    gain_sheet,
    partition_sheet,
    regret_sheet,
    rivals_sheet,
    title,
)
from ctv.show.shown import Block, Screen, Shown, setting
from ctv.terminal.command import pictured
from ctv.values.answer import answer_lines, assumed_line
from ctv.values.smooth import smooth_sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.gain.answer import Answer, GainAnswer
    from bounds.gain.bounds import Bounds
    from bounds.gain.planning import RoundsUntil
    from bounds.problem import Problem
    from bounds.progress import Stage
    from bounds.regret.regret_bound import RegretBound
    from ctv.values.exact import ExactAnswer
    from simulation.before_run.schedule import ScheduleBound

LONG_SEARCH = 40.0
"""Seconds of the long search for a schedule, at most."""

CLOSE_KNOTS, LONGEST_CLOSE = 101, 80
"""Knots of the lower side of the least regret, and the rounds up to which they take seconds."""

RANDOM_SEQUENCES = 200
"""Sequences of a random family over which a floor is averaged."""


Simulations = Annotated[
    int | None,
    typer.Option(
        help="Simulate so many runs of CTV-fixed too, for the simulation certificate beside the "
        "chain, and lower bounds by simulation: m*, and single arms where there are few.",
        metavar="WHOLE",
    ),
]
Delay = Annotated[
    int,
    typer.Option(
        help="The results of the last so many rounds are late, as with that many more workers: "
        "lower bounds with this delay, and upper bounds for any policy.",
        metavar="WHOLE",
    ),
]
Lattice = Annotated[
    tuple[float, int] | None,
    typer.Option(
        help="Durations that depend on the point, t(x) in {H, 2H, ..., L*H}: a lower bound for "
        "that setting too.",
        metavar="H L",
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
SearchSchedule = Annotated[
    bool,
    typer.Option(
        "--search-schedule",
        help=f"Search up to {LONG_SEARCH:g} s for the schedule of Theorem X (else: the best of a "
        "small family).",
        show_default=False,
    ),
]
Exact = Annotated[
    bool,
    typer.Option(
        "--exact",
        help="Two independent arms (or three up to 14 rounds, four up to 8, more up to 5): also "
        "the least regret itself, for looks without noise, from both sides, and simulated policies "
        "beside it.",
        show_default=False,
    ),
]
Quick = Annotated[
    bool,
    typer.Option("--quick", help="Floating point only: nothing is certified, some seconds less."),
]


@dataclass(frozen=True, eq=False, repr=False)
class Promises(Shown):
    """What the theory promises for one problem, and what that amounts to.

    Attributes
    ----------
    bounds : every bound on the gain and the regret; `bounds.answer` is what they amount to
    made_from : `problem`, `version` and `seed` of the JSON
    source : where the problem comes from; None where the options give it
    exact : the least regret of arms, and policies beside it; None where not asked for
    half_life : the one that was assumed for times of one's own; None where drift was given
    """

    format = "ctv-bounds bound 1"

    bounds: Bounds
    made_from: Mapping[str, Any]
    source: SourcedProblem | None = None
    half_life: float | None = None
    exact: ExactAnswer | None = None

    @property
    def problem(self) -> Problem:
        """The problem that the bounds are for."""
        return self.bounds.problem

    @property
    def n(self) -> int:
        """The number of rounds."""
        return self.problem.n

    @property
    def answer(self) -> Answer:
        """The smallest valid bound for each policy and kind, and the floors."""
        return self.bounds.answer

    @property
    def best(self) -> RegretBound | None:
        """The smallest bound for CTV-fixed with probability 1 − δ, certified if any is."""
        return self.answer.best(certified=True) or self.answer.best()

    @property
    def value(self) -> float | None:
        """Its value."""
        return None if self.best is None else self.best.value

    @property
    def upper(self) -> float | None:
        """The same, beside `lower`."""
        return self.value

    @property
    def lower(self) -> float | None:
        """The value of `floor`."""
        return None if self.floor is None else self.floor.value

    @property
    def floor(self) -> RegretBound | None:
        """The largest lower bound on the expected regret of every policy, certified if any is."""
        return self.answer.certified_floor or self.answer.floor

    @property
    def regret(self) -> tuple[RegretBound, ...]:
        """The smallest upper bound for each policy and kind."""
        return self.answer.regret

    @property
    def gain(self) -> GainAnswer:
        """γ̃_n from both sides."""
        return self.answer.gain

    @property
    def cuts(self) -> dict[str, tuple[int, ...]]:
        """The best partition of each bound: the rounds after which its blocks end."""
        found = self.bounds.report.partitions
        return {name: tuple(result.partition.cuts) for name, result in found.items()}

    @property
    def blocks(self) -> dict[str, int]:
        """The number of blocks of each."""
        found = self.bounds.report.partitions
        return {name: len(result.partition) for name, result in found.items()}

    def headline(self) -> str:
        value, gain = self.value, self.answer.gain
        regret = "no bound on regret" if value is None else f"regret <= {at_most(value)}"
        return f"{regret}, gain <= {at_most(gain.upper)} nats, n = {self.bounds.problem.n}"

    def parts(self) -> dict[str, Any]:
        over = {} if self.source is None else self.source.parts()
        assumed = {} if self.half_life is None else {"assumed_half_life": self.half_life}
        exact = {} if self.exact is None else {"exact": self.exact.to_dict()}
        return {**self.bounds.to_dict(), **exact, **over, **assumed, **self.made_from}

    def screen(self) -> Screen:
        found, report = self.bounds, self.bounds.report
        times = report.problem.times
        about = (
            f"{times.source}: {times.n:,} rounds in total time {digits(times.total_time)}, ε = "
            f"{report.problem.epsilon:g}."
        )
        rows = (regret_sheet(found.rows),) if found.rows else ()
        rest = (
            setting(report.problem),
            *rows,
            partition_sheet(report),
            *(() if found.smooth is None else (smooth_sheet(found.smooth),)),
            rivals_sheet(found.rivals, report),
            *self._confidence(),
            self._through_gain(),
            *self._waits(),
        )
        planned = () if found.until is None else tuple(until_lines(found.until))
        over: tuple[Block, ...] = ()
        if "known_mean" in self.made_from:
            over = ("f has a known mean: bounds for mean zero are left out.",)
        if self.source is not None:
            over = (self.source.sheet(), self.source.sentence())
        assumed = assumed_line(self.half_life)
        exact: tuple[Block, ...] = ()
        if self.exact is not None:
            exact = (*self.exact.lines(), self.exact.sheet())
        answer = tuple(answer_lines(found))
        first = (about, *over, *answer, *exact, *assumed, *planned, gain_sheet(report))
        return Screen(first, rest)

    def plot(self) -> Figure:
        """The evaluation times and the best blocks of each bound."""
        from bounds.partitions.compare import block_drifts
        from ctv.figures import partition

        report = self.bounds.report
        drifts = {name: block_drifts(report.problem, r) for name, r in report.partitions.items()}
        return partition.draw(report.problem, report.partitions, drifts)

    def _waits(self) -> Iterator[str]:
        """What the pattern of the times costs every policy, whatever the domain."""
        found = self.bounds.waits
        if found is not None:
            yield (
                f"Π = Σpᵢ = {digits(found.total)} of {found.n:,} rounds are unknown again to who "
                "has looked at one point in every round before: on a finite domain the least "
                "regret is at least m*·Π/2, and at most a constant of the domain and σ times Π up "
                "to one logarithm (Theorem I). Which waits it comes from: ctv rates --times FILE."
            )

    def _through_gain(self) -> str:
        report = self.bounds.report
        trivial = report.gains["trivial"].value
        return (
            f"Smallest valid upper bound on the gain: {title(report.best_name)}, "
            f"{digits(trivial / report.best, 3)} times below the trivial upper bound and "
            f"{at_most(report.best / report.lower, 3)} times the lower bound. The regret that it "
            f"allows CTV-fixed (exploration theory, β = {at_most(report.beta)}) is √(C₁βₙn·γ̃ₙ), "
            f"with probability {1 - report.problem.delta:g} and for times fixed beforehand."
        )

    def _confidence(self) -> Iterator[str]:
        """β_n of each setting, and what it makes of the trivial cap."""
        found = self.bounds.confidence
        if found is None:
            return
        lines = [f"finite domain, fixed times: {at_most(found.finite_domain)}"]
        if found.box is not None:
            lines.append(
                f"whole box, fixed times: {at_most(found.box.beta)} (a = {at_most(found.box.a)}, "
                f"b = {at_most(found.box.b)}; cap {at_most(found.box.trivial_regret)})"
            )
        if found.point_times is not None:
            one = found.point_times
            lines.append(
                f"times t(x) of at most {digits(one.longest)} (Theorem C): {at_most(one.beta)} "
                f"(C₁ × {at_most(one.constant_factor)}; cap {at_most(one.trivial_regret)})"
            )
        lines += [f"{name.replace('_', ' ')}: {why}" for name, why in found.reasons.items()]
        yield f"β at n = {self.bounds.problem.n:,}, certified. {'; '.join(lines)}."


def until_lines(planned: RoundsUntil) -> Iterator[str]:
    """After how many rounds a bound, and the floor, per round is at most the level.

    For the policy asked about, for the one of which it is known soonest, and for every policy.
    """
    soonest = min(planned.bounds, key=lambda one: one.rounds or one.most + 1, default=None)
    asked = [
        one for one in planned.bounds if one.kind == "probability" and one.covers != "any policy"
    ]
    for one in dict.fromkeys((*asked, *(() if soonest is None else (soonest,)))):
        mean = one.kind == "mean"
        level = f"{'expected regret ' if mean else ''}{planned.level:g} a round"
        road = f"({one.name.replace('_', ' ')}{'' if mean else ', at the level'})"
        if one.rounds is None:
            yield f"{one.covers}: no bound says {level} within {one.most:,} rounds {road}."
        else:
            yield f"{one.covers}: at most {level} after {one.rounds:,} rounds {road}."
    level = f"an expected regret of {planned.level:g} a round"
    steps = f"equal steps of {digits(planned.duration)}"
    if planned.floor is None:
        most = planned.most_of_floor
        yield (
            f"No policy is known to reach {level}: the lower bound is above it at {most:,} {steps}."
        )
    elif planned.floor == 1:
        yield f"The lower bound is at most {level} from the first round on ({steps})."
    else:
        yield f"Every policy needs at least {planned.floor:,} rounds for {level} ({steps})."


@pictured
def bound(
    times: TimesOptions,
    model: ModelOptions,
    formulas: GainFormulaOptions,
    quick: Quick = False,
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="Write what is needed to check the bounds again (ctv verify --recheck FILE).",
            metavar="FILE",
        ),
    ] = None,
    simulations: Simulations = None,
    delay: Delay = 0,
    until: Until = None,
    search_schedule: SearchSchedule = False,
    exact: Exact = False,
    sources: ProblemSources = NO_SOURCES,
    lattice: Lattice = None,
    known_mean: KnownMean = None,
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Shown:
    """All bounds on information gain and regret for one sequence of evaluation times.

    Every bound is certified: its value is enclosed by ball arithmetic and rounded outward.
    """
    formulas.check()
    if formulas.durations is not None:
        from ctv.commands import symbolic

        def numbers(given: TimesOptions) -> Mapping[str, Any]:
            plain = GainFormulaOptions()
            return bound(
                given,
                model,
                plain,
                quick,
                certificate,
                simulations,
                delay,
                until,
                search_schedule,
                exact,
                lattice=lattice,
                known_mean=known_mean,
                advance=advance,
            ).to_dict()

        return symbolic.listed_gains(formulas, times, model, symbolic.BOUNDS, numbers)
    source: SourcedProblem | None = None
    asked = sources.asked()
    if asked is not None:
        source = asked.sourced(times, model, given, advance)
        problem = source.problem
    else:
        problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.gain.bounds import bounds_of

    check_file(certificate, "certificate")
    if quick and certificate is not None:
        raise InvalidInput("certificate", str(certificate), "drop --quick: it certifies nothing")
    if simulations is not None:
        from simulation.after_run.simulated import check_simulations

        check_simulations(simulations, problem.delta)
    if quick and simulations is not None:
        raise InvalidInput("simulations", simulations, "drop --quick: it leaves such bounds out")

    for option, used in (("quick", quick), ("delay", delay)):
        if search_schedule and used:
            remedy = f"drop --{option}: a schedule is simulated, and for results at once"
            raise InvalidInput("search-schedule", "True", remedy)
    if known_mean is not None:
        others = {
            "certificate": certificate,
            "simulations": simulations,
            "until": until,
            "search-schedule": search_schedule,
            "lattice": lattice,
            "exact": exact,
            **sources.named(),
        }
        for option, value in others.items():
            if value not in (None, False):
                remedy = f"drop --{option}: it is for objectives of mean zero"
                raise InvalidInput("known-mean", known_mean, remedy)
    if exact:
        _require_solvable(problem, delay)
    seconds = LONG_SEARCH if search_schedule else 0.0
    if until is not None and not until > 0.0:
        raise InvalidInput("until", until, "give a positive regret per round")

    def computed() -> Promises:
        found = bounds_of(problem, certify=not quick, delay=delay, until=until, advance=advance)
        origin = made_from(problem, times)
        schedule = None
        if known_mean is not None:
            advance("a lower bound for a known mean", 0.0)
            found = found.with_known_mean(of_known_mean(problem, known_mean, delay, times.seed))
            origin["known_mean"] = known_mean
        elif not (quick or delay):
            rows, schedule = scheduled_rows(problem, seconds, times.seed, advance)
            found = found.with_rows(rows)
            if until is not None:
                from simulation.before_run.until import scheduled_until

                advance("rounds until, by a schedule", 0.0)
                found = found.with_until(scheduled_until(problem, until, seed=times.seed))
        if simulations is not None:
            found = found.with_rows(simulated(problem, simulations, delay, times.seed, advance))
            if times.used_seed is not None and not delay:
                found = found.with_rows((of_random_times(problem, times),))
        if lattice is not None:
            from simulation.before_run.lower_bounds import lattice_floor

            advance("a lower bound for times t(x)", 0.0)
            found = found.with_rows((lattice_floor(problem, *lattice, seed=times.seed),))
        if any(row.simulated for row in found.rows):
            origin["seed"] = times.seed
        if certificate is not None:
            from proofs_check.records import bound_certificate as files

            assert found.design is not None and found.confidence is not None
            body = files.bound_certificate(
                found.report,
                found.curve,
                found.design,
                found.confidence,
                project_version(),
                found.rows,
                delay=delay,
                schedule=schedule,
            )
            write_whole(certificate, files.text_of(body).encode(), "certificate")
        half_life = None if source is not None else model.assumed_half_life(times, given)
        solved = solved_exactly(problem, times.seed, advance) if exact else None
        return Promises(found, origin, source, half_life, solved)

    if not formulas.symbolic:
        return computed()
    from ctv.commands import symbolic

    written = symbolic.gain_formulas(times, symbolic.BOUNDS, formulas.gain_form)
    return symbolic.of_gains(written, formulas, problem, times, lambda: computed().parts())


def _require_solvable(problem: Problem, delay: int) -> None:
    """Raise InvalidInput where `--exact` does not solve the problem."""
    from bounds.domain import Arms
    from bounds.regret.lower.two_arms import require_solvable

    if not isinstance(problem.domain, Arms):
        raise InvalidInput("exact", "True", "give independent arms: --arms 2")
    if delay:
        raise InvalidInput("exact", "True", "drop --delay: it is for results at once")
    require_solvable(problem.times, problem.time_kernel, problem.domain.count)


def solved_exactly(problem: Problem, seed: int, advance: Stage) -> ExactAnswer:
    """The least regret from both sides, and every policy that `simulation.runs.arms` tries."""
    from bounds.domain import Arms
    from bounds.regret.lower.two_arms import least_regret, lower_side
    from ctv.values.exact import RUNS, ExactAnswer
    from simulation.runs.arms import simulated

    assert isinstance(problem.domain, Arms)
    advance("the least regret", 0.0)
    arms = problem.domain.count
    least = least_regret(problem.times, problem.time_kernel, arms)
    if arms == 2 and problem.n <= LONGEST_CLOSE:
        closer = lower_side(problem.times, problem.time_kernel, kept=CLOSE_KNOTS)
        least = replace(least, lower=max(least.lower, closer))
    advance("simulated policies", 0.0)
    found = simulated(problem, runs=RUNS, seed=seed)
    return ExactAnswer(least, tuple(sorted(found, key=lambda one: one.mean)))


def scheduled_rows(
    problem: Problem, seconds: float, seed: int, advance: Stage
) -> tuple[tuple[RegretBound, ...], ScheduleBound | None]:
    """The simulated ceilings; Theorem X by its quick family, or by a search of some seconds."""
    from bounds.threads import one_blas_thread
    from simulation.before_run.rows import quick_ceilings, scheduled_ceiling, simulated_ceilings

    with one_blas_thread():  # its matrices are small, or long and narrow
        if not seconds:
            found = quick_ceilings(problem, seed=seed, advance=advance)
        else:
            found = (
                scheduled_ceiling(problem, search_seconds=seconds, seed=seed, advance=advance),
            )
        rows = simulated_ceilings(problem, found, seed=seed, advance=advance)
    return rows, found[0] if found else None


def of_random_times(problem: Problem, times: TimesOptions) -> RegretBound:
    """Theorem F in the mean over the sequences of a random family, of which the times are one."""
    from simulation.before_run.lower_bounds import exogenous_floor

    seeds = range(times.seed + 1, times.seed + 1 + RANDOM_SEQUENCES)
    drawn = [replace(times, seed=seed).evaluation_times().durations for seed in seeds]
    return exogenous_floor(problem, drawn)


def of_known_mean(problem: Problem, given: str, delay: int, seed: int) -> RegretBound:
    """Theorem F for a mean m(x) that a comma list or a file has."""
    from ctv.inputs import read_numbers
    from simulation.before_run.lower_bounds import known_mean_floor
    from simulation.before_run.rows import quick_draws

    mean = read_numbers(given, "known-mean")
    return known_mean_floor(problem, mean, delay=delay, draws=quick_draws(problem), seed=seed)


def simulated(
    problem: Problem, runs: int, delay: int, seed: int, advance: Stage
) -> tuple[RegretBound, ...]:
    """Floors by simulation, and, without delay, what simulated runs of CTV-fixed promise."""
    from simulation.after_run.simulated_rows import simulated_rows
    from simulation.before_run.rows import LEAST_PATHS, affordable_paths, simulated_floors

    paths = 0 if delay else affordable_paths(problem) or LEAST_PATHS
    rows = simulated_floors(
        problem,
        delay=delay,
        paths=paths,
        seed=seed,
        progress=partial(advance, "simulated lower bounds"),
    )
    if delay:
        return rows
    told = partial(advance, "simulated runs")
    return (*rows, *simulated_rows(problem, runs=runs, seed=seed, progress=told))
