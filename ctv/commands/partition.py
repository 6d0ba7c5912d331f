"""`ctv partition`: the best blocks for one bound, and others beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands import symbolic
from ctv.commands.bound import terms
from ctv.options.formulas import GainFormulaOptions
from ctv.options.problem import ModelOptions, TimesOptions, made_from
from ctv.show.rounding import at_most, digits, shortened_list
from ctv.show.shared import FLOATING, search_note, title
from ctv.show.sheet import Row, Sheet, numbers, prose
from ctv.show.shown import Screen, Shown, setting
from ctv.terminal.command import pictured

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.partitions.result import SearchResult
    from bounds.problem import Problem
    from bounds.progress import Stage

_MOST_ROWS = 10

_OWN_CURVE = (
    "γₘ is in floating point here; ctv bound certifies it, by which its value can differ in the "
    "third digit."
)


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
        return f"{best.objective} <= {at_most(best.value)} nats by {len(best.partition)} blocks"

    def parts(self) -> dict[str, Any]:
        best = self.best
        return {
            "objective": best.objective,
            "value": best.value,
            "partition": best.partition.cuts,
            "exact": best.exact,
            "gap": best.gap,
            "rows": [{"name": name, "value": row.value, **terms(row)} for name, row in self.rows],
            "centers": best.centers,
            **self.made_from,
        }

    def screen(self) -> Screen:
        best = self.best
        sheet = Sheet(
            f"{title(best.objective)}: upper bound on γ̃ₙ in nats",
            (
                prose("partition"),
                *numbers("value", "gain", "drift", "blocks", "longest", "× optimum"),
            ),
            tuple(
                Row(
                    (
                        name,
                        at_most(row.value),
                        at_most(row.gain),
                        at_most(row.drift),
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
        cuts = best.partition.cuts
        shown = f"Cuts of the optimum: {shortened_list(cuts)}."
        first = (f"{setting(self.problem)}.", sheet.shortened(_MOST_ROWS), shown)
        rest: list[str | Sheet] = [] if len(sheet.rows) <= _MOST_ROWS else [sheet]
        every = " ".join(map(str, cuts))
        if every not in shown:
            rest.append(f"All cuts: {every}.")
        return Screen(first, tuple(rest))

    def plot(self) -> Figure:
        """The evaluation times and the blocks of the optimum."""
        from bounds.partitions.compare import block_drifts
        from ctv.figures import partition

        drifts = {self.best.objective: block_drifts(self.problem, self.best)}
        return partition.draw(self.problem, {self.best.objective: self.best}, drifts)


@pictured
def partition(
    times: TimesOptions,
    model: ModelOptions,
    formulas: GainFormulaOptions,
    objective: Annotated[
        str,
        typer.Option(
            help="theorem1, additive or refined: bounds on the information gain. smooth: the order "
            "of the least regret of a smooth kernel (smooth-1: at least one round a block).",
            metavar="NAME",
        ),
    ] = "refined",
    compare: Annotated[
        str,
        typer.Option(
            help="Comma list of best, equal:L (blocks of L rounds) and cuts:0-60-240 (your own).",
            metavar="LIST",
        ),
    ] = "best",
    gamma: Annotated[
        Path | None,
        typer.Option(
            help="JSON list γ_0..γ_n to use instead of the computed curve.", metavar="FILE.json"
        ),
    ] = None,
    *,
    advance: Stage,
) -> Shown:
    """The best partition of the rounds into blocks, for one of the three bounds, or for Ψ."""
    formulas.check()
    from bounds.partitions.objectives import OBJECTIVES
    from bounds.smooth.order import PRICES

    if objective not in (*OBJECTIVES, *PRICES):
        known = ", ".join((*OBJECTIVES, *PRICES))
        raise InvalidInput("objective", objective or "''", f"use {known}")
    if objective in PRICES:
        if formulas.symbolic or formulas.durations is not None:
            raise InvalidInput(
                "symbolic", f"with --objective {objective}", "drop it: Ψ is a search"
            )
        if gamma is not None:
            raise InvalidInput("gamma", str(gamma), f"drop it: {objective} has prices of its own")
        return smooth_partition(times, model, objective, compare, advance)
    if formulas.durations is not None:
        if gamma is not None:
            raise InvalidInput("gamma", str(gamma), "drop it, or drop --durations")

        def numbers(given: TimesOptions) -> Mapping[str, Any]:
            plain = GainFormulaOptions()
            return partition(given, model, plain, objective, compare, advance=advance).to_dict()

        return symbolic.listed_gains(formulas, times, model, [objective], numbers, compare)
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.partitions.compare import compare_partitions, named_partitions
    from bounds.partitions.result import checked_gains
    from bounds.static_gain.both_sides import gain_curve
    from ctv.inputs import read_gamma

    named_partitions(objective, compare, problem.n)  # may refuse, before anything long
    written = []
    if formulas.symbolic:
        formulas.numbers(problem.n)
        written = symbolic.gain_formulas(times, [objective], formulas.gain_form)
    if gamma is None:
        advance("static gain", 0.0)
        curve = gain_curve(problem)
        prices, certified = curve.values, curve.certified
    else:
        prices, certified = checked_gains(read_gamma(gamma), problem.n), False
    found = compare_partitions(problem, prices, objective, compare, advance)
    priced_by = (_OWN_CURVE,) if gamma is None and not certified else ()
    shown = Partitions(problem, found.best, found.rows, made_from(problem, times), priced_by)
    if not written:
        return shown
    return symbolic.of_gains(written, formulas, problem, times, shown.parts, compare, prices)


def smooth_partition(
    times: TimesOptions, model: ModelOptions, objective: str, compare: str, advance: Stage
) -> Shown:
    """Ψ (or Ψ₁) and its blocks, the greedy ones, and those of `compare`."""
    problem = model.problem(times.evaluation_times())
    from bounds.partitions.compare import partitions_named
    from bounds.smooth.increments import affordable_ceiling
    from bounds.smooth.order import greedy_order, order_at, price_named, smooth_order
    from ctv.values.smooth import SmoothPartition

    price = price_named(objective)
    wanted = partitions_named(compare, problem.n)
    advance("least regret of a smooth kernel", 0.0)
    order = smooth_order(problem)
    best = order.best if price == "smooth" else order.best_one
    rows = [
        (name, best if blocks is None else order_at(problem, blocks, price))
        for name, blocks in wanted.items()
    ]
    greedy = order.greedy if price == "smooth" else greedy_order(problem, price)
    return SmoothPartition(
        problem,
        best,
        (*rows, ("greedy", greedy)),
        order,
        made_from(problem, times),
        affordable_ceiling(problem),
    )
