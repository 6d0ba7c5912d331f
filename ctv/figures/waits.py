"""`rates --times`: which waits cost what."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from bounds.arrays import FloatArray
from bounds.pattern import Waits
from bounds.times import EvaluationTimes
from ctv.figures.canvas import COLOURS, caption, frame


def draw(times: EvaluationTimes, waits: Waits, saved: FloatArray | None) -> Figure:
    """The wait before each round, p_i below, and by how much Π falls without the wait."""
    rounds = np.arange(1, waits.n + 1)
    with frame(7.2, 4.2) as figure:
        top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(1, 1.5))
        waited = np.where(rounds > 1, times.durations, np.nan)
        positive = waited > 0.0
        top.vlines(
            rounds[positive],
            float(np.min(waited[positive])) / 2.0 if positive.any() else 0.1,
            waited[positive],
            color="#6e6e6e",
            linewidth=max(0.4, min(2.0, 300.0 / waits.n)),
        )
        if positive.any():
            top.set_yscale("log")
        top.set_ylabel("wait $t_i$")
        top.set_title("Which waits cost what")
        bottom.set_yscale("log")
        bottom.plot(
            rounds,
            waits.shares,
            color=COLOURS["floor"],
            drawstyle="steps-mid",
            linewidth=1.0,
            label=r"$p_i$: unknown again in round $i$",
        )
        if saved is not None and np.any(saved > 0.0):
            shown = saved > 1e-6 * float(np.max(saved))
            bottom.plot(
                rounds[shown],
                saved[shown],
                color=COLOURS["theorem1"],
                marker="o",
                markersize=2.4,
                linestyle="none",
                label=r"$\Pi$ without the wait: less",
            )
        bottom.legend(frameon=False, fontsize=7.5, loc="best")
        bottom.set_ylabel("rounds' worth")
        bottom.set_xlabel("round $i$")
        bottom.set_xlim(0.5, waits.n + 0.5)
        bottom.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
        bottom.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        caption(
            figure,
            f"{times.source}: the wait before each of its {waits.n:,} rounds, and the share of the "
            "objective that is unknown again in the round (line). Their sum Π is what the least "
            "regret of every policy on a finite domain grows with. Dots: by how much Π would fall "
            "if that wait alone took no time. Computed in floating point.",
        )
    return figure
