"""Everything that theory promises for one problem, from its evaluation times to its answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.confidence.certified import Confidence, certified_confidence
from bounds.drifting_gain.joint_dual import JointDual, joint_dual
from bounds.drifting_gain.lower_bound import JointGain
from bounds.errors import InvalidInput
from bounds.gain.answer import Answer, answer_of
from bounds.gain.halved import halved_row
from bounds.gain.report import BoundReport, bound_report, gain_at_times
from bounds.gain.speaks_from import SpeaksFrom, speaks_from
from bounds.numerics.threads import threads_for
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from bounds.progress import Stage, unstaged
from bounds.regret.ingredients.ingredients import Ingredients, noise_levels
from bounds.regret.ingredients.own_times import own_times_regret
from bounds.regret.ingredients.ranges import LARGEST_DENSE
from bounds.regret.registry import REGRET_BOUNDS
from bounds.regret.regret_bound import RegretBound
from bounds.regret.rows import regret_rows, with_certified
from bounds.rivals.assembled import rivals
from bounds.rivals.rival import Rival, is_static
from bounds.static_gain.information import gain
from bounds.static_gain.upper_curve import GainCurve

if TYPE_CHECKING:  # imported where it is asked for
    from bounds.gain.planning import Enough, RoundsUntil
    from bounds.pattern import Waits
    from bounds.smooth.order import SmoothOrder

LONGEST_GREEDY = 1_500
"""Rounds up to which a published bound that needs a greedy design gets one, at O(N·n²)."""

SMOOTH_WORK = 50_000_000
"""Pairs that the search for Ψ may look at, a fraction of a second; beyond it is greedy here."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """All bounds for one problem; `answer` says what they amount to.

    Attributes
    ----------
    curve : upper bounds on γ_0..γ_n
    report : both sides of γ̃_n
    design : the lower side of γ̃_n; None where it was not asked for
    rivals : the published bounds
    rows : bounds on the regret itself that are known before a run
    confidence : β of every setting; None where it was not asked for
    delay : results of the last so many rounds are late
    until : after how many rounds bounds and floor per round are low; None where not asked for
    """

    curve: GainCurve
    report: BoundReport
    design: JointGain | None = None
    rivals: tuple[Rival, ...] = ()
    rows: tuple[RegretBound, ...] = ()
    confidence: Confidence | None = None
    delay: int = 0
    until: RoundsUntil | None = None

    @property
    def problem(self) -> Problem:
        """The problem that they are for."""
        return self.report.problem

    @cached_property
    def answer(self) -> Answer:
        """The smallest valid bound for each policy and kind, whatever road it came by."""
        return answer_of(self.report, self.rows, self.rivals, delay=self.delay)

    @cached_property
    def speaks(self) -> SpeaksFrom:
        """From which ε downward Theorem 1 is below the trivial cap; found when it is read."""
        return speaks_from(self.problem, self.curve.values)

    @cached_property
    def waits(self) -> Waits | None:
        """Π of the times, for a finite domain; None where the time kernel is not Markov."""
        problem = self.problem
        if not problem.time_kernel.is_markov:
            return None
        from bounds.pattern import Waits

        return Waits.of(problem.times, problem.time_kernel, problem.noise_variance)

    @cached_property
    def smooth(self) -> SmoothOrder | None:
        """The order of the least regret of a smooth kernel; None where time is not Markov."""
        if not self.problem.time_kernel.is_markov:
            return None
        from bounds.smooth.order import smooth_order

        return smooth_order(self.problem, work_limit=SMOOTH_WORK)

    @property
    def vacuous(self) -> bool:
        """Whether Theorem 1 is the trivial cap here, or does not hold."""
        theorem1 = self.report.gains["theorem1"]
        return not theorem1.valid or theorem1.value >= 0.999999 * self.report.gains["trivial"].value

    def with_rows(self, rows: tuple[RegretBound, ...]) -> Bounds:
        """The same with more bounds on the regret itself, simulated ones for example."""
        return replace(self, rows=(*self.rows, *rows))

    def with_known_mean(self, rows: Iterable[RegretBound]) -> Bounds:
        """The same where f has a known mean: these rows, and the bounds that hold with one.

        What rests on posterior deviations alone holds; m* as the mean of max f, a sum of ranges,
        the slopes of f and the largest |f| of Theorem C are for mean zero.
        """
        zero = {bound.name for bound in REGRET_BOUNDS.all() if bound.of_mean_zero}
        kept = (r for r in self.rows if r.direction == "upper" and r.name not in zero)
        confidence = self.confidence
        if confidence is not None:
            why = dict.fromkeys(("box", "point_times"), "f has a known mean")
            confidence = replace(confidence, box=None, point_times=None, reasons=why)
        return replace(self, rows=(*kept, *rows), confidence=confidence)

    def with_until(self, more: tuple[Enough, ...]) -> Bounds:
        """The same with more about the rounds until a level, where that was asked for."""
        if self.until is None:
            return self
        return replace(self, until=replace(self.until, bounds=(*self.until.bounds, *more)))

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `ctv bound`, without the echo of its options."""
        report, problem = self.report, self.problem
        theorem1 = report.gains["theorem1"]
        gains = {name: bound.value for name, bound in report.gains.items()}
        return {
            "answer": self.answer.to_dict(),
            "n": problem.n,
            "total_time": problem.times.total_time,
            "epsilon": problem.epsilon,
            "slope": problem.time_kernel.slope,
            "gain": {
                "lower": report.lower,
                **gains,
                "best": report.best,
                "best_name": report.best_name,
            },
            "partition": {name: r.partition.cuts for name, r in report.partitions.items()},
            "beta": report.beta,
            "regret": report.regret,
            "theorem1_valid": theorem1.valid,
            **({} if theorem1.valid else {"reason": theorem1.reason}),
            "vacuous": self.vacuous,
            "speaks_from": self.speaks.epsilon,
            **({"speaks_from_reason": self.speaks.reason} if self.speaks.reason else {}),
            "waits": None if self.waits is None else self.waits.to_dict(),
            "rivals": [asdict(row) for row in self.rivals],
            "beside": [row.to_dict() for row in self.rows],
            **({} if self.until is None else {"until": asdict(self.until)}),
            "smooth": None if self.smooth is None else self.smooth.to_dict(),
            "confidence": None if self.confidence is None else asdict(self.confidence),
            "terms": {name: _terms(result) for name, result in report.partitions.items()},
            "certified": {
                "lower": report.lower_certified,
                **{name: bound.certified for name, bound in report.gains.items()},
            },
        }


def bounds_of(
    problem: Problem,
    *,
    certify: bool = True,
    delay: int = 0,
    until: float | None = None,
    curve: GainCurve | None = None,
    advance: Stage = unstaged,
) -> Bounds:
    """Everything that is known of one problem before a run.

    Parameters
    ----------
    problem : Problem of n rounds
    certify : whether every number that can be is enclosed by balls and rounded outward
    delay : results of the last so many rounds are late (that many workers more): floors say so,
        and of the ceilings those for any policy stay in the answer
    until : regret per round whose number of rounds is wanted (`rounds_until_level`)
    curve : γ without drift of this domain, kernel and noise for at least n rounds, where it is
        known already; with `certify` a certified one
    advance : called with the name of the stage under way and the share of it that is done

    Cost: some seconds at n = 240 on 2,500 points in floating point, some ten certified.
    """
    if not 0 <= delay < problem.n:
        raise InvalidInput("delay", delay, "give a whole number from 0 to n - 1")
    with threads_for(problem.n):
        planned = None
        if until is not None:
            from bounds.gain.planning import rounds_until_level

            advance("rounds until", 0.0)
            planned = rounds_until_level(problem, until, delay=delay)
        gains = gain_at_times(problem, certify=certify, curve=curve, advance=advance)
        report = gains.report
        advance("published bounds", 0.0)
        gamma = np.asarray(gains.curve.values, dtype=float)
        halved = halved_row(report, gamma, gamma_certified=certify and gains.curve.certified)
        confidence, rows = certified_confidence(problem), tuple[RegretBound, ...]()
        if (given := _ingredients(problem, report, advance, delay)) is not None:
            rows = _rows(given, report, advance, certify)
            if (own := confidence.point_times) is not None and certify and not delay:
                own = replace(own, regret=own_times_regret(given, own))
                confidence = replace(confidence, point_times=own)
        return Bounds(
            gains.curve,
            report,
            gains.design,
            _rivals(problem, gains.curve, report),
            (*(() if halved is None else (halved,)), *rows),
            confidence,
            delay=delay,
            until=planned,
        )


def rows_before_run(
    problem: Problem,
    report: BoundReport,
    advance: Stage = unstaged,
    *,
    certify: bool = False,
    delay: int = 0,
) -> tuple[RegretBound, ...]:
    """Lower and upper bounds on regret that are known before a run, for fixed times.

    With `certify` those that could be the smallest for their policy and kind are enclosed too.
    None beyond 4,000 rounds with a time kernel that is not Markov: they need its factor.
    """
    given = _ingredients(problem, report, advance, delay)
    return () if given is None else _rows(given, report, advance, certify)


def _ingredients(
    problem: Problem, report: BoundReport, advance: Stage, delay: int
) -> Ingredients | None:
    """What bounds on regret are computed from; None beyond 4,000 rounds of a dense time kernel."""
    if problem.n > LARGEST_DENSE and not problem.time_kernel.is_markov:
        return None
    levels = noise_levels(problem)
    best = report.gains[report.best_name]
    evidence: dict[float, JointDual | float | None] = {
        problem.noise_variance: best.value if best.certified else None
    }
    gains = [(problem.noise_variance, report.best)]
    for done, noise_variance in enumerate(levels[1:]):
        advance("gain at more noise", done / len(levels))
        noisier = replace(problem, noise_variance=noise_variance)
        evidence[noise_variance] = dual = joint_dual(noisier)
        cap = problem.n * noisier.trivial_gain_per_round
        gains.append((noise_variance, cap if dual is None else dual.value))
    return Ingredients(problem, gains, evidence=evidence, delay=delay)


def _rows(
    given: Ingredients, report: BoundReport, advance: Stage, certify: bool
) -> tuple[RegretBound, ...]:
    advance("bounds on regret itself", 0.0)
    rows = regret_rows(given)
    if given.delay:
        late = f"; results {given.delay} rounds late"
        rows = tuple(
            replace(row, hypotheses=row.hypotheses + late) if row.direction == "lower" else row
            for row in rows
        )
    if not certify:
        return rows
    certified = report.gains[report.best_name].certified and report.beta_certified
    return with_certified(
        given,
        rows,
        known=report.regret["best"] if certified else inf,
        advance=lambda share: advance("certify bounds on regret itself", share),
    )


def upper_bounds(problem: Problem, curve: GainCurve) -> BoundReport:
    """Every cheap upper bound from a γ curve that is long enough; no lower side is sought (NaN)."""
    return bound_report(problem, curve.values, float("nan"))


def bounds_over_rounds(whole: Bounds, count: int = 20) -> list[BoundReport]:
    """Bounds for the first m rounds at some `count` values of m, the last of them n.

    They lie as squares do: a step between the last ones is a share 2/`count` of all rounds. A γ
    curve for n rounds serves every m ≤ n. The lower side is not asked for (NaN).
    """
    problem = whole.problem
    shares = (np.arange(1, count + 1) / count) ** 2
    reach = np.union1d([1], np.ceil(problem.n * shares).astype(int))
    shorter = [
        upper_bounds(replace(problem, times=problem.times.block(0, int(m))), whole.curve)
        for m in reach[:-1]
    ]
    return [*shorter, whole.report]


def _rivals(problem: Problem, curve: GainCurve, report: BoundReport) -> tuple[Rival, ...]:
    """The published bounds; what only static ones need is computed where nothing drifts."""
    greedy = None
    if is_static(problem) and problem.n <= LONGEST_GREEDY:
        grid_kernel = problem.domain.restricted(problem.space_kernel)
        from bounds.static_gain.exchange import ExchangeableDesign

        design = ExchangeableDesign(grid_kernel, problem.noise_variance, problem.n)
        design.grow(problem.n)
        greedy = gain(grid_kernel.gram(design.points, design.points), problem.noise_variance)
    # Where the bounds are certified the value of the partition is too.
    value = report.gains["theorem1"].value
    return rivals(
        problem,
        curve.values,
        theorem1=replace(report.partitions["theorem1"], value=value),
        greedy_gain=greedy,
    )


def _terms(result: SearchResult) -> dict[str, Any]:
    return {
        "gain": result.gain,
        "drift": result.drift,
        "blocks": len(result.partition),
        "exact": result.exact,
        "gap": result.gap,
    }
