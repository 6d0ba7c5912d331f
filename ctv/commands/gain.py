"""`ctv gain`: γ_m from both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.options.bounds import USUAL as USUAL_BUDGET
from ctv.options.bounds import Budget, is_fast
from ctv.options.problem import ModelOptions, TimesOptions, made_from, whole_numbers
from ctv.show.rounding import at_least, at_most, counted
from ctv.show.shared import CERTIFIED, title
from ctv.show.sheet import Row, Sheet, numbers, words
from ctv.show.shown import Screen, Shown, drift_rate, space_setting
from ctv.terminal.command import pictured

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.arrays import FloatArray
    from bounds.gain.report import GainAnswer
    from bounds.problem import Problem
    from bounds.progress import Stage
    from bounds.static_gain.both_sides import GainRange
    from bounds.static_gain.of_points import GainOfPoints

EXAMPLE = """\
>>> ctv.gain(rounds=[2], domain="arms:3", noise_variance=1.0)
<Gains: gain of 2 rounds from 0.6931 to 0.6932 nats>
"""


USUAL = (10, 20, 50, 100, 200)
"""Numbers of rounds that are shown where nobody asked for others."""


@dataclass(frozen=True, eq=False, repr=False)
class Gains(Shown):
    """The largest information gain without drift, from both sides.

    Attributes
    ----------
    problem : of which kernel, domain and noise play a part
    gains : γ_m at each m
    domain : `grid`, or `box` where the upper side is over the whole box
    at_times : both sides of γ̃_n, with drift at evaluation times that were given; None without
    of_points : both sides of the gain of the points that were given, each observed once
    made_from : `problem`, `version` and `seed` of the JSON
    """

    format = "ctv-bounds gain 1"

    problem: Problem
    gains: GainRange
    domain: str
    made_from: Mapping[str, Any]
    at_times: GainAnswer | None = None
    of_points: GainOfPoints | None = None

    @property
    def m(self) -> tuple[int, ...]:
        """The numbers of rounds."""
        return tuple(int(m) for m in self.gains.m)

    @property
    def lower(self) -> FloatArray:
        """(len(m),) lower bounds on γ_m, the gain of the best m rounds."""
        return self.gains.lower

    @property
    def upper(self) -> FloatArray:
        """(len(m),) upper bounds on γ_m, the gain of the best m rounds."""
        return self.gains.upper

    @property
    def value(self) -> tuple[float, float]:
        """Lower and upper bound on the gain of the points that were given, each observed once;
        without points, on γ_m of the largest m."""
        if self.of_points is not None:
            return float(self.of_points.lower), float(self.of_points.upper)
        return float(self.gains.lower[-1]), float(self.gains.upper[-1])

    @property
    def gain(self) -> tuple[float, float]:
        """The same."""
        return self.value

    def headline(self) -> str:
        low, high = at_least(self.value[0]), at_most(self.value[1])
        own = self.of_points
        what = (
            counted(self.gains.m[-1], "round")
            if own is None
            else f"these {counted(own.points, 'point')}"
        )
        return f"gain of {what} from {low} to {high} nats"

    def parts(self) -> dict[str, Any]:
        gains = self.gains
        return {
            "m": gains.m,
            "lower": gains.lower,
            "upper": gains.upper,
            "upper_name": gains.upper_names,
            "certified": gains.certified,
            "cap": gains.cap,
            **({} if self.at_times is None else {"at_times": self._at_times(self.at_times)}),
            **({} if self.of_points is None else {"of_points": asdict(self.of_points)}),
            **self.made_from,
            "domain": self.domain,
        }

    def _at_times(self, gain: GainAnswer) -> dict[str, Any]:
        return {
            "n": self.problem.n,
            "lower": gain.lower,
            "upper": gain.upper,
            "upper_name": gain.name,
            "certified": gain.certified,
        }

    def screen(self) -> Screen:
        gains = self.gains
        ratios = gains.upper / gains.lower
        rows = []
        for i, m in enumerate(gains.m):
            above = (at_most(float(value)) for value in (gains.upper[i], ratios[i], gains.cap[i]))
            lower = at_least(float(gains.lower[i]))
            certified = "yes" if gains.certified[i] else "no"
            by = gains.upper_names[i].replace("cap", "trivial upper bound")
            rows.append(Row((f"{m:,}", lower, *above, by, certified)))
        widest = int(ratios.argmax())
        notes = [
            f"γₘ is known within {at_most(100 * (ratios[widest] - 1), 2)} % for these m "
            f"(widest at m = {gains.m[widest]:,})."
        ]
        if self.domain == "box":
            notes.append("Upper side: over the whole box; lower side: of designs on its grid.")
        sheet = Sheet(
            "Maximum information gain γₘ of a static objective, in nats",
            (
                *numbers("m", "lower", "upper", "upper/lower", "trivial ½m·log(1+1/σ²)"),
                *words("upper bound by", "certified"),
            ),
            tuple(rows),
            CERTIFIED if all(gains.certified) else "Rows with no are not certified.",
            tuple(notes),
        )
        about = space_setting(self.problem)
        first: tuple[str, ...] = (f"{about[0].upper()}{about[1:]}.",)
        if self.at_times is not None:
            gain, problem = self.at_times, self.problem
            first += (
                f"With drift at {counted(problem.n, 'round')} of {problem.times.source}, "
                f"{drift_rate(problem)}: γ̃ₙ from {at_least(gain.lower)} to {at_most(gain.upper)} "
                f"nats ({title(gain.name)}{', certified' if gain.certified else ''}).",
            )
        if self.of_points is not None:
            own = self.of_points
            first += (
                f"These {counted(own.points, 'point')}, each observed once: from "
                f"{at_least(own.lower)} to "
                f"{at_most(own.upper)} nats{', certified' if own.certified else ''}.",
            )
        elif getattr(self.problem.domain, "source", None) == "given":
            from bounds.static_gain.certified import MOST_IN_DOUBLES

            size, most = self.problem.domain.size, MOST_IN_DOUBLES
            first += (
                f"The gain of all {size:,} points, each observed once, is computed for at most "
                f"{most:,} points.",
            )
        most = 10
        if len(rows) <= most:
            return Screen((*first, sheet))
        return Screen((*first, sheet.shortened(most)), (sheet,))

    def plot(self) -> Figure:
        """γ_m between its two sides and under the cap."""
        from ctv.figures import gain

        return gain.draw(self.gains, space_setting(self.problem))


@pictured
def gain(
    times: TimesOptions,
    model: ModelOptions,
    rounds: Annotated[
        str | None,
        typer.Option(
            help="Comma list of numbers m of rounds (default 10,20,50,100,200; with evaluation "
            "times those below their number, and it).",
            metavar="LIST",
        ),
    ] = None,
    budget: Budget = USUAL_BUDGET,
    *,
    advance: Stage,
) -> Gains:
    """The maximum information gain of m rounds of a static objective, certified from both sides.

    Where evaluation times are given, also γ̃_n: the maximum gain with drift at these times.
    """
    quick, box = is_fast(budget), model.on_box
    model = replace(model, domain=None) if box else model
    problem = model.problem(times.evaluation_times())
    own = model.given_points is not None
    if rounds is not None:
        wanted = whole_numbers("rounds", rounds)
    elif times.shaped:
        wanted = [*(usual for usual in USUAL if usual < problem.n), problem.n]
    else:
        wanted = list(USUAL)
        if own:
            size = problem.domain.size
            wanted = [*(usual for usual in USUAL if usual < size), size]
    from bounds.static_gain.both_sides import box_gains_at, certified_gains_at, gains_at
    from bounds.static_gain.certified import MOST_IN_DOUBLES
    from bounds.static_gain.of_points import gain_of_points

    if quick and box:
        raise InvalidInput(
            "domain", "box, with --budget fast", "drop one: the box is certified or not at all"
        )
    if quick or box:
        found = (gains_at if quick else box_gains_at)(problem, wanted, advance)
    else:
        found = certified_gains_at(problem, wanted, advance)
    at_times = None
    if times.shaped and not box:
        from bounds.drifting_gain.joint_dual import MOST_ROUNDS
        from bounds.gain.report import gain_at_times

        # Up to so many rounds the joint dual is the least bound, which γ of blocks does not enter.
        known = found.curve if problem.n in found.m and problem.n <= MOST_ROUNDS else None
        at_times = gain_at_times(
            problem, certify=not quick, curve=known, advance=advance
        ).report.answer
    domain = "box" if box else "grid"
    small = own and problem.domain.size <= MOST_IN_DOUBLES
    of_points = gain_of_points(problem, certify=not quick) if small else None
    return Gains(problem, found, domain, made_from(problem, times), at_times, of_points)
