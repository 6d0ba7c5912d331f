"""Ψ, the order of the least regret of a smooth kernel: its sentences and its table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ctv.show.rounding import digits
from ctv.show.sheet import Row, Sheet, numbers, prose

if TYPE_CHECKING:
    from bounds.partitions.result import SearchResult
    from bounds.smooth.order import SmoothOrder

_MOST_WAITS = 5


def symbol(result: SearchResult) -> str:
    """Ψ or Ψ₁."""
    return "Ψ₁" if result.objective == "smooth-1" else "Ψ"


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
                digits(result.value),
                digits(result.gain),
                digits(result.drift),
                f"{len(result.partition):,}",
                f"{min(result.partition.lengths):,} … {max(result.partition.lengths):,}",
                "exact" if result.exact else rule,
            )
        )
        for name, result, rule in (
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
