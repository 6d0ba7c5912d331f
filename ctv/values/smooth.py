"""Ψ, the order of the least regret of a smooth kernel: its sentences, its table, its partition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ctv.show.rounding import at_most, digits, shortened_list
from ctv.show.shared import FLOATING, search_note
from ctv.show.sheet import Row, Sheet, numbers, prose
from ctv.show.shown import Screen, Shown, setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.partitions.result import SearchResult
    from bounds.problem import Problem
    from bounds.regret.ingredients.increments import IncrementsCeiling
    from bounds.smooth.order import SmoothOrder

_MOST_ROWS = 10
_MOST_WAITS = 5


@dataclass(frozen=True, eq=False, repr=False)
class SmoothPartition(Shown):
    """The partition that attains Ψ (or Ψ₁), and those that it was compared with.

    Attributes
    ----------
    problem : Problem
    best : the optimum, with `exact` and `gap`; its `gain` is the price of the blocks' lengths
    rows : (name, its value) in the order asked for
    order : Ψ, Ψ₁, the greedy blocks and what each wait costs
    made_from : `problem`, `version` and `seed` of the JSON
    ceiling : what a schedule loses at most by Lemma SF, in units of m*; None of large problems
    """

    format = "ctv-bounds partition 1"

    problem: Problem
    best: SearchResult
    rows: tuple[tuple[str, SearchResult], ...]
    order: SmoothOrder
    made_from: Mapping[str, Any]
    ceiling: IncrementsCeiling | None = None

    def headline(self) -> str:
        return (
            f"{symbol(self.best)} = {digits(self.best.value)} by {len(self.best.partition)} blocks"
        )

    def parts(self) -> dict[str, Any]:
        best = self.best
        return {
            "objective": best.objective,
            "value": best.value,
            "partition": best.partition.cuts,
            "exact": best.exact,
            "gap": best.gap,
            "rows": [
                {
                    "name": name,
                    "value": row.value,
                    "gain": row.gain,
                    "drift": row.drift,
                    "blocks": len(row.partition),
                }
                for name, row in self.rows
            ],
            "centers": None,
            "smooth": self.order.to_dict(),
            "ceiling": None if self.ceiling is None else self.ceiling.to_dict(),
            **self.made_from,
        }

    def screen(self) -> Screen:
        best = self.best
        sheet = Sheet(
            f"{symbol(best)}, order of the least regret (Theorem I3): prices and drift by blocks",
            (
                prose("partition"),
                *numbers("value", "price", "drift", "blocks", "longest", "× optimum"),
            ),
            tuple(
                Row(
                    (
                        name,
                        digits(row.value),
                        digits(row.gain),
                        digits(row.drift),
                        str(len(row.partition)),
                        str(max(row.partition.lengths)),
                        digits(row.value / best.value) if best.value else "1",
                    ),
                    emphasised=row is best,
                )
                for name, row in self.rows
            ),
            FLOATING,
            (search_note([best]),),
        )
        cuts = best.partition.cuts
        shown = f"Cuts of the optimum: {shortened_list(cuts)}."
        first: tuple[str | Sheet, ...] = (
            f"{setting(self.problem)}.",
            sheet.shortened(_MOST_ROWS),
            *smooth_lines(self.order),
            shown,
        )
        rest: list[str | Sheet] = [] if len(sheet.rows) <= _MOST_ROWS else [sheet]
        every = " ".join(map(str, cuts))
        if every not in shown:
            rest.append(f"All cuts: {every}.")
        if self.ceiling is not None:
            found = self.ceiling
            rest.append(
                f"By Lemma SF the policy block-schedule ({found.rule}; the largest posterior mean "
                f"elsewhere) has expected regret ≤ {at_most(found.value)}·m*, where n·m* is "
                f"{self.problem.n:,}·m* (floating point)."
            )
        return Screen(first, tuple(rest))

    def plot(self) -> Figure:
        """The evaluation times, the blocks that attain Ψ, and what each wait costs."""
        from bounds.smooth.order import block_drifts
        from ctv.figures import smooth

        return smooth.draw(
            self.problem, self.best, block_drifts(self.problem, self.best), self.order
        )


def symbol(found: SearchResult) -> str:
    """Ψ or Ψ₁."""
    return "Ψ₁" if found.objective == "smooth-1" else "Ψ"


def smooth_lines(order: SmoothOrder) -> Iterator[str]:
    """What Ψ says of a sequence of times, or why it says nothing."""
    best = order.best
    if order.reason:
        yield f"Ψ is not known to be the order of the least regret here: {order.reason}."
    else:
        yield (
            "Up to constants of domain and kernel (with 1/σ in them below σ = 1) and powers of "
            "log n no policy has less regret, and a schedule attains this."
        )
    yield (
        f"Ψ₁ = {digits(order.best_one.value)} charges a block at least one round; equal steps with "
        f"the same drift reach at most {digits(order.worst)}."
    )
    dear = np.argsort(-order.waits, kind="stable")[:_MOST_WAITS]
    dear = dear[order.waits[dear] > 0.0]
    if len(dear):
        named = ", ".join(f"{digits(order.waits[i], 3)} (round {i + 1})" for i in dear)
        share = float(order.waits.sum()) / best.value if best.value else 0.0
        few = "The dearest waits" if len(dear) > 1 else "The dearest wait"
        yield f"{few}, by how much Ψ falls without one: {named}; all together {100 * share:.0f} %."


def smooth_sheet(order: SmoothOrder) -> Sheet:
    """Ψ and Ψ₁ with their blocks, among all of `ctv bound`."""
    rows = [
        Row(
            (
                name,
                digits(found.value),
                digits(found.gain),
                digits(found.drift),
                f"{len(found.partition):,}",
                f"{min(found.partition.lengths):,} … {max(found.partition.lengths):,}",
                "exact" if found.exact else rule,
            )
        )
        for name, found, rule in (
            ("Ψ", order.best, "greedy"),
            ("Ψ₁", order.best_one, "greedy"),
            ("greedy", order.greedy, "at most 4Ψ"),
        )
    ]
    return Sheet(
        "Order of the least regret of a smooth kernel (Theorem I3)",
        (
            prose("partition"),
            *numbers("value", "price", "drift", "blocks", "rounds in one"),
            prose("search"),
        ),
        tuple(rows),
        "An order, no bound: constants of domain and kernel are left out.",
        tuple(smooth_lines(order)),
    )
