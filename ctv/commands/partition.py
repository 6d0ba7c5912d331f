"""`ctv partition`: the best blocks for one bound, and others beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands.shared import symbolic
from ctv.options.formulas import FormulaOptions
from ctv.options.problem import ModelOptions, TimesOptions, made_from
from ctv.show.shown import Shown
from ctv.terminal.command import pictured
from ctv.values.partition import Partitions

if TYPE_CHECKING:
    from bounds.progress import Stage

EXAMPLE = """\
>>> ctv.partition([1.0, 1.0, 90.0, 1.0], epsilon=0.01, domain="arms:1", noise_variance=0.1).cuts
(0, 2, 4)
"""

_OWN_CURVE = (
    "γₘ is in floating point here; ctv bound certifies it, by which its value can differ in the "
    "third digit."
)


@pictured
def partition(
    times: TimesOptions,
    model: ModelOptions,
    formulas: FormulaOptions,
    bound: Annotated[
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
    formulas, times = formulas.asked(times)
    from bounds.partitions.objectives import OBJECTIVES
    from bounds.smooth.order import PRICES

    if bound not in (*OBJECTIVES, *PRICES):
        known = ", ".join((*OBJECTIVES, *PRICES))
        raise InvalidInput("bound", bound or "''", f"use {known}")
    if bound in PRICES:
        if formulas.symbolic or formulas.durations is not None:
            raise InvalidInput("symbolic", f"with --bound {bound}", "drop it: Ψ is a search")
        if gamma is not None:
            raise InvalidInput("gamma", str(gamma), f"drop it: {bound} has prices of its own")
        return smooth_partition(times, model, bound, compare, advance)
    if formulas.durations is not None:
        if gamma is not None:
            raise InvalidInput("gamma", str(gamma), "drop it: the durations are symbols")

        def numbers(given: TimesOptions) -> Mapping[str, Any]:
            plain = FormulaOptions()
            return partition(given, model, plain, bound, compare, advance=advance).to_dict()

        return symbolic.listed_gains(formulas, times, model, [bound], numbers, compare)
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.partitions.compare import compare_partitions, named_partitions
    from bounds.partitions.result import checked_gains
    from bounds.static_gain.both_sides import gain_curve
    from ctv.inputs import read_gamma

    named_partitions(compare, problem.n)  # may refuse, before anything long
    written = []
    if formulas.symbolic:
        formulas.numbers(problem.n)
        written = symbolic.gain_formulas(times, [bound], formulas.gain_form)
    if gamma is None:
        advance("static gain", 0.0)
        curve = gain_curve(problem)
        prices, certified = curve.values, curve.certified
    else:
        prices, certified = checked_gains(read_gamma(gamma), problem.n), False
    found = compare_partitions(problem, prices, bound, compare, advance)
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
    from bounds.partitions.compare import named_partitions
    from bounds.regret.ingredients.schedules.increments import affordable_ceiling
    from bounds.smooth.order import greedy_order, order_at, price_named, smooth_order
    from ctv.values.partition import SmoothPartition

    price = price_named(objective)
    wanted = named_partitions(compare, problem.n)
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
        made_from(problem, times),
        order=order,
        ceiling=affordable_ceiling(problem),
    )
