"""How far what theory promises spreads over the priors that fit a log."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ctv.show.rounding import at_least, at_most, digits
from ctv.show.sheet import Row, Sheet, numbers, words

if TYPE_CHECKING:
    from bounds.problem import Problem
    from own_runs.prior.problems import PriorSpread


@dataclass(frozen=True, eq=False)
class OverPrior:
    """One prior of a fitted set as a problem, and the bounds over the others beside it.

    Attributes
    ----------
    spread : over equally likely draws of the set
    """

    spread: PriorSpread

    @property
    def problem(self) -> Problem:
        """Of the prior in the middle."""
        return self.spread.fixed.problem

    def sheet(self) -> Sheet:
        """A row a bound: smallest, median, largest, and the average over the draws."""
        spread, rows = self.spread, []
        for row in spread.rows:
            rounded = at_least if row.name == "floor" else at_most
            sign = "≥" if row.name == "floor" else "≤"
            what = {"gain": "gain, nats", "floor": "E Rₙ, in y"}.get(
                row.name, "Rₙ, in y" if row.kind == "probability" else "E Rₙ, in y"
            )
            values = [rounded(value) for value in (row.low, row.middle, row.high, row.average)]
            rows.append(Row((f"{sign} {what}", row.covers, *values)))
        return Sheet(
            f"Over the fitted prior: {spread.draws} equally likely draws of {spread.members:,}",
            (*words("bound", "policy"), *numbers("least", "median", "largest", "average")),
            tuple(rows),
            "Floating point, not certified: the prior is estimated.",
            (
                "By the tower rule the average of bounds on E Rₙ is one for a prior drawn from the "
                "set; a bound at a level holds under each prior for itself.",
                f"Times in {spread.time_unit}, as the prior: plain numbers are taken to be.",
                *self._left_out(),
            ),
        )

    def _left_out(self) -> tuple[str, ...]:
        share = self.spread.left_out
        if share < 0.005:
            return ()
        return (
            f"Members of another scale of y or another drift, {share:.0%} by weight, are left out: "
            "no bound here is for them.",
        )

    def sentence(self) -> str:
        """Which prior what follows is for."""
        spread = self.spread
        fixed, member = spread.fixed, spread.fixed.member
        lengths = ", ".join(digits(scale, 3) for scale in member.lengthscales)
        level = f", level {digits(member.level, 3)}" if member.level else ""
        half_life = (
            f"half-life {digits(member.half_life, 3)} {spread.time_unit}"
            if member.rate
            else "no drift"
        )
        return (
            f"What follows is for one fixed prior, the one in the middle: {member.kernel}, "
            f"lengthscale {lengths} of its range, {half_life}, noise variance "
            f"{digits(member.noise_variance, 3)}{level}. A unit of its regret is "
            f"{digits(fixed.unit, 4)} of y. If that prior is not the true one, nothing of it holds."
        )

    def parts(self) -> dict[str, Any]:
        """The key `prior` of the JSON object."""
        spread = self.spread
        member = spread.fixed.member
        prior = {
            "draws": spread.draws,
            "members": spread.members,
            "left_out": spread.left_out,
            "time_unit": spread.time_unit,
            "certified": False,
            "spread": [asdict(row) for row in spread.rows],
            "fixed": {
                "kernel": member.kernel,
                "theta": member.rate,
                "lengthscale": list(member.lengthscales),
                "noise_variance": member.noise_variance,
                "level": member.level,
                "unit_of_y": spread.fixed.unit,
            },
        }
        return {"prior": prior}
