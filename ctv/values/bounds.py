"""The answer of `ctv bound`: every bound of one problem, and what they amount to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctv.show.rounding import at_most, counted, digits
from ctv.show.shared import gain_sheet, partition_sheet, regret_sheet, rivals_sheet, title
from ctv.show.shown import Block, Later, Screen, Shown, drift_rate, setting
from ctv.values.answer import answer_lines, assumed_line
from ctv.values.smooth import SMOOTH, smooth_sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.gain.answer import Answer
    from bounds.gain.bounds import Bounds
    from bounds.gain.planning import RoundsUntil
    from bounds.gain.report import GainAnswer
    from bounds.problem import Problem
    from bounds.regret.regret_bound import RegretBound
    from ctv.options.sources import SourcedProblem
    from ctv.values.exact import ExactAnswer


@dataclass(frozen=True, eq=False, repr=False)
class BoundsAnswer(Shown):
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
        results = self.bounds.report.partitions
        return {name: tuple(result.partition.cuts) for name, result in results.items()}

    @property
    def blocks(self) -> dict[str, int]:
        """The number of blocks of each."""
        results = self.bounds.report.partitions
        return {name: len(result.partition) for name, result in results.items()}

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
        bounds, report = self.bounds, self.bounds.report
        times = report.problem.times
        about = (
            f"{times.source}: {counted(times.n, 'round')} in total time "
            f"{digits(times.total_time)}, {drift_rate(report.problem)}."
        )
        rows = (regret_sheet(bounds.rows),) if bounds.rows else ()
        markov = report.problem.time_kernel.is_markov
        rest = (
            setting(report.problem),
            *rows,
            partition_sheet(report),
            *((Later(SMOOTH, self._smooth),) if markov else ()),
            rivals_sheet(bounds.rivals, report),
            *self._confidence(),
            self._through_gain(),
            *((Later("", self._waits),) if markov else ()),
        )
        planned = () if bounds.until is None else tuple(until_lines(bounds.until))
        over: tuple[Block, ...] = ()
        if "known_mean" in self.made_from:
            over = ("f has a known mean: bounds for mean zero are left out.",)
        if self.source is not None:
            over = (self.source.sheet(), self.source.sentence())
        assumed = assumed_line(self.half_life)
        exact: tuple[Block, ...] = ()
        if self.exact is not None:
            exact = (*self.exact.lines(), self.exact.sheet())
        answer = tuple(answer_lines(bounds))
        first = (about, *over, *answer, *exact, *assumed, *planned, gain_sheet(report))
        return Screen(first, rest)

    def plot(self) -> Figure:
        """The evaluation times and the best blocks of each bound."""
        from bounds.partitions.compare import block_drifts
        from ctv.figures import partition

        report = self.bounds.report
        drifts = {name: block_drifts(report.problem, r) for name, r in report.partitions.items()}
        return partition.draw(report.problem, report.partitions, drifts)

    def _smooth(self) -> Block:
        assert self.bounds.smooth is not None
        return smooth_sheet(self.bounds.smooth)

    def _waits(self) -> Block:
        """What the pattern of the times costs every policy, whatever the domain."""
        waits = self.bounds.waits
        assert waits is not None
        return (
            f"Π = Σpᵢ = {digits(waits.total)} of {counted(waits.n, 'round')} is the variance of "
            "one point "
            "that is left after noisy observations of it in every round before, added up: on a "
            "finite domain the least regret is at least m*·Π/2, and at most a constant of the "
            "domain and σ times Π up to one logarithm (Theorem I). Which waits it comes from: "
            "ctv rates --times FILE."
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
        confidence = self.bounds.confidence
        if confidence is None:
            return
        lines = [f"finite domain, fixed times: {at_most(confidence.finite_domain)}"]
        if confidence.box is not None:
            box = confidence.box
            lines.append(
                f"whole box, fixed times: {at_most(box.beta)} (a = {at_most(box.a)}, "
                f"b = {at_most(box.b)}; trivial bound {at_most(box.trivial_regret)})"
            )
        if confidence.point_times is not None:
            one = confidence.point_times
            lines.append(
                f"times t(x) of at most {digits(one.longest)} (Theorem C): {at_most(one.beta)} "
                f"(C₁ × {at_most(one.constant_factor)}; regret of CTV-fixed, whatever t(x) is, "
                f"≤ {at_most(one.regret)}; trivial bound {at_most(one.trivial_regret)})"
            )
        lines += [f"{name.replace('_', ' ')}: {why}" for name, why in confidence.reasons.items()]
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
        road = f"({one.name.replace('_', ' ')}{'' if mean else ', with probability 1 − δ'})"
        if one.rounds is None:
            yield f"{one.covers}: no bound is below {level} within {one.most:,} rounds {road}."
        else:
            rounds = counted(one.rounds, "round")
            yield f"{one.covers}: at most {level} after {rounds} {road}."
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
        needed = counted(planned.floor, "round")
        yield f"Every policy needs at least {needed} for {level} ({steps})."
