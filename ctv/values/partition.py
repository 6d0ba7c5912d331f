"""The best partition and others beside it: of a bound on the gain, and of Ψ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ctv.show.rounding import at_most, counted, digits, shortened_list
from ctv.show.shared import FLOATING, search_note, title
from ctv.show.sheet import Row, Sheet, numbers, prose
from ctv.show.shown import Screen, Shown, setting
from ctv.values.smooth import smooth_lines, symbol

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.partitions.result import SearchResult
    from bounds.problem import Problem
    from bounds.progress import Stage
    from bounds.regret.ingredients.schedules.box_increments import BoxCeiling
    from bounds.regret.ingredients.schedules.increments import IncrementsCeiling
    from bounds.smooth.order import SmoothOrder

_MOST_ROWS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Partitions(Shown):
    """The best partition for one objective, and those that it was compared with.

    Attributes
    ----------
    problem : Problem
    best : the optimum, with `exact` and `gap`
    rows : (name, its value) in the order asked for
    priced_by : what is to be said of the γₘ that price the blocks
    made_from : `problem`, `version` and `seed` of the JSON
    """

    format = "ctv-bounds partition 1"
    priced = "gain"
    shown_as = staticmethod(at_most)

    problem: Problem
    best: SearchResult
    rows: tuple[tuple[str, SearchResult], ...]
    made_from: Mapping[str, Any]
    priced_by: tuple[str, ...] = ()

    @property
    def value(self) -> float:
        """The least value of the objective, in nats."""
        return float(self.best.value)

    @property
    def gain(self) -> float:
        """The part of it that is paid for gain."""
        return float(self.best.gain)

    @property
    def drift(self) -> float:
        """The part of it that is paid for drift."""
        return float(self.best.drift)

    @property
    def exact(self) -> bool:
        """Whether no partition has a smaller value."""
        return self.best.exact

    @property
    def gap(self) -> float:
        """How far from the least value the best one is at most."""
        return float(self.best.gap)

    @property
    def cuts(self) -> tuple[int, ...]:
        """0 = d_0 < … < d_N = n: the rounds after which the best blocks end."""
        return tuple(self.best.partition.cuts)

    @property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """(start, end) of each best block: rounds start + 1 to end."""
        return tuple(self.best.partition.blocks())

    def headline(self) -> str:
        best = self.best
        blocks = counted(len(best.partition), "block")
        return f"{best.objective} <= {at_most(best.value)} nats by {blocks}"

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
            "centers": best.centers,
            **self.made_from,
        }

    def caption(self) -> str:
        """What the table lists."""
        return f"{title(self.best.objective)}: upper bound on γ̃ₙ in nats"

    def sentences(self) -> Iterator[str]:
        """What is said between the table and the cuts."""
        return iter(())

    def screen(self) -> Screen:
        best, shown_as = self.best, self.shown_as
        sheet = Sheet(
            self.caption(),
            (
                prose("partition"),
                *numbers("value", self.priced, "drift", "blocks", "longest", "× optimum"),
            ),
            tuple(
                Row(
                    (
                        name,
                        shown_as(row.value),
                        shown_as(row.gain),
                        shown_as(row.drift),
                        str(len(row.partition)),
                        str(max(row.partition.lengths)),
                        digits(row.value / best.value) if best.value else "1",
                    ),
                    emphasised=row is best,
                )
                for name, row in self.rows
            ),
            FLOATING,
            (search_note([best]), *self.priced_by),
        )
        shown = f"Cuts of the optimum: {shortened_list(self.cuts)}."
        first: tuple[str | Sheet, ...] = (
            f"{setting(self.problem)}.",
            sheet.shortened(_MOST_ROWS),
            *self.sentences(),
            shown,
        )
        rest: list[str | Sheet] = [] if len(sheet.rows) <= _MOST_ROWS else [sheet]
        every = " ".join(map(str, self.cuts))
        if every not in shown:
            rest.append(f"All cuts: {every}.")
        rest += self.appendix()
        return Screen(first, tuple(rest))

    def appendix(self) -> Iterator[str]:
        """What `--all` says after the cuts."""
        return iter(())

    def plot(self) -> Figure:
        """The evaluation times and the blocks of the optimum."""
        from bounds.partitions.compare import block_drifts
        from ctv.figures import partition

        drifts = {self.best.objective: block_drifts(self.problem, self.best)}
        return partition.draw(self.problem, {self.best.objective: self.best}, drifts)


@dataclass(frozen=True, eq=False, repr=False)
class SmoothPartition(Partitions):
    """The partition that attains Ψ (or Ψ₁), and those that it was compared with.

    Attributes
    ----------
    best : the optimum; its `gain` is the price of the blocks' lengths
    order : Ψ, Ψ₁, the greedy blocks and what each wait costs
    ceiling : what a schedule loses at most by Lemma SF, in units of m*; None of large problems
    box_ceiling : the same for points anywhere in the box; found by `continued`
    """

    priced = "price"
    shown_as = staticmethod(digits)

    order: SmoothOrder = field(kw_only=True)
    ceiling: IncrementsCeiling | None = field(kw_only=True)
    box_ceiling: BoxCeiling | None = field(default=None, kw_only=True)

    def headline(self) -> str:
        blocks = counted(len(self.best.partition), "block")
        return f"{symbol(self.best)} = {digits(self.best.value)} by {blocks}"

    def parts(self) -> dict[str, Any]:
        return {
            **super().parts(),
            "smooth": self.order.to_dict(),
            "ceiling": None if self.ceiling is None else self.ceiling.to_dict(),
            "box_ceiling": None if self.box_ceiling is None else self.box_ceiling.to_dict(),
        }

    def continued(self, advance: Stage) -> SmoothPartition | None:
        """The ceiling on the box, which takes some seconds; None where there is none."""
        from bounds.regret.ingredients.schedules.box_increments import affordable_box_ceiling

        if self.box_ceiling is not None:
            return None
        advance("schedules on the whole box", 0.0)
        ceiling = affordable_box_ceiling(self.problem)
        return None if ceiling is None else replace(self, box_ceiling=ceiling)

    def news(self) -> Screen:
        """The ceiling on the box in a sentence."""
        ceiling = self.box_ceiling
        if ceiling is None:
            return Screen(())
        kept = "certified"
        if ceiling.uncertified:
            kept = f"floating point, not certified for {ceiling.uncertified}"
        if not ceiling.rounds:
            nothing = f"Points anywhere in the box: no schedule is below {self.problem.n:,}·m*"
            said = f"{nothing} by Lemma SF, m* ≤ {at_most(ceiling.maximum)} ({kept})."
            return Screen((said,))
        return Screen(
            (
                f"Points anywhere in the box: {ceiling.rule}, the largest posterior mean "
                f"elsewhere, have expected regret ≤ {at_most(ceiling.value)}·m* ≤ "
                f"{at_most(ceiling.regret)} (Lemma SF with gradients, m* ≤ "
                f"{at_most(ceiling.maximum)}; {kept}).",
            )
        )

    def caption(self) -> str:
        order = f"{symbol(self.best)}, order of the least regret (Theorem I3)"
        return f"{order}: prices and drift by blocks"

    def sentences(self) -> Iterator[str]:
        return smooth_lines(self.order)

    def appendix(self) -> Iterator[str]:
        if self.ceiling is not None:
            ceiling = self.ceiling
            yield (
                f"By Lemma SF the policy block-schedule ({ceiling.rule}; the largest posterior "
                f"mean elsewhere) has expected regret ≤ {at_most(ceiling.value)}·m*, where n·m* is "
                f"{self.problem.n:,}·m* (floating point)."
            )

    def plot(self) -> Figure:
        """The evaluation times, the blocks that attain Ψ, and what each wait costs."""
        from bounds.smooth.order import block_drifts
        from ctv.figures import smooth

        drifts = block_drifts(self.problem, self.best)
        return smooth.draw(self.problem, self.best, drifts, self.order)
