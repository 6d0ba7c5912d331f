"""The least regret of independent arms itself, and how far simulated policies are from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ctv.show.rounding import at_least, at_most, digits
from ctv.show.sheet import Row, Sheet, numbers, words

if TYPE_CHECKING:
    from bounds.regret.lower.least_regret import LeastRegret
    from simulation.runs.arms import ArmsRegret

RUNS = 2_000
"""Simulated runs of each policy."""

MOST_SHOWN = 8


@dataclass(frozen=True)
class ExactAnswer:
    """The least mean regret when looks have no noise, and policies with the problem's noise.

    Attributes
    ----------
    least : both sides, certified
    policies : simulated, the best first
    """

    least: LeastRegret
    policies: tuple[ArmsRegret, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "lower": self.least.lower,
            "upper": self.least.upper,
            "knots": self.least.knots,
            "runs": RUNS,
            "policies": [
                {**asdict(one), "over_least": one.mean / self.least.lower}
                if self.least.lower > 0.0
                else {**asdict(one), "over_least": None}
                for one in self.policies
            ],
        }

    def lines(self) -> Iterator[str]:
        """Between what the least regret lies, and how good the best policy is."""
        low, high = at_least(self.least.lower), at_most(self.least.upper)
        best = self.policies[0]
        yield (
            f"The least expected regret of a policy that observes without noise is between {low} "
            f"and {high} (certified); with noise it is no less. The best simulated policy, "
            f"{best.policy}, has {digits(best.mean)} ± {digits(best.error, 2)}."
        )

    def sheet(self) -> Sheet:
        """Policies over the least regret."""
        rows = []
        for one in self.policies[:MOST_SHOWN]:
            ratio = "" if self.least.lower <= 0.0 else digits(one.mean / self.least.lower, 3)
            rows.append(Row((one.policy, digits(one.mean), digits(one.error, 2), ratio)))
        return Sheet(
            f"Simulated policies, {RUNS:,} runs each, the best of {len(self.policies)} first",
            (*words("policy"), *numbers("mean regret", "± s.e.", "over the least")),
            tuple(rows),
            "Simulated.",
            ("index:w plays the largest μ + wσ, flat-ucb:c the flat index with c₀ = c.",),
        )
