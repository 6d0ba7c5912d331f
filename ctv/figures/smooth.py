"""`smooth`: the evaluation times, the blocks that attain Ψ, and what each wait costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from ctv.figures.canvas import COLOURS, caption, frame

if TYPE_CHECKING:
    from bounds.smooth.order import SmoothOrder


def draw(problem: Problem, best: SearchResult, drifts: FloatArray, order: SmoothOrder) -> Figure:
    """When each round ended with the cuts of Ψ; below, what a block pays, and what waits cost."""
    n, cuts = problem.n, np.array(best.partition.cuts)
    lengths = np.diff(cuts)
    with frame(7.2, 4.6) as figure:
        clock, paid, waits = figure.subplots(3, 1, sharex=True, height_ratios=(1.4, 1.0, 1.0))
        clock.plot(np.arange(1, n + 1), problem.times.times, color="black", linewidth=1.2)
        if len(cuts) <= 60:
            for cut in cuts[1:-1]:
                clock.axvline(cut + 0.5, color=COLOURS["refined"], linewidth=0.6, linestyle=":")
        clock.set_ylabel(r"time $\tau_i$")
        clock.set_title("Evaluation times, and the cuts of the best partition")
        prices = block_prices_of(problem, best)
        edges = cuts + 0.5
        paid.stairs(prices / lengths, edges, color=COLOURS["refined"], label="price of its length")
        paid.stairs(
            (prices + drifts) / lengths,
            edges,
            baseline=prices / lengths,
            fill=True,
            color=COLOURS["joint_dual"],
            label="drift since its first round",
        )
        paid.set_ylabel("a round")
        paid.legend(loc="upper right", fontsize=6.5, frameon=False)
        paid.set_title("What each block pays")
        waits.vlines(
            np.arange(1, n + 1), 0.0, order.waits, color=COLOURS["theorem1"], linewidth=0.8
        )
        waits.set_ylabel("at least")
        waits.set_xlabel("round $i$")
        waits.set_title(r"By how much $\Psi$ falls without the wait before a round")
        waits.set_xlim(0.5, n + 0.5)
        clock.tick_params(labelbottom=False)
        paid.tick_params(labelbottom=False)
        search = "exact" if best.exact else "greedy, within a factor of four"
        caption(
            figure,
            f"{problem.times.source}: when each of its {n:,} rounds ended (dotted: the cuts of the "
            "partition that attains the order of the least regret of a smooth kernel); what its "
            "blocks pay a round, for learning and for the drift since their first round; and what "
            "each wait costs, by how much the order falls at least if it took no time. "
            f"Search: {search}.",
        )
    return figure


def block_prices_of(problem: Problem, order: SearchResult) -> FloatArray:
    """(N,) the price of each block's length."""
    from bounds.smooth.order import block_prices, price_named

    prices = block_prices(problem.n, problem.noise_variance, price_named(order.objective))
    return np.asarray(prices[np.array(order.partition.lengths)])
