"""`gain`: γ_m from both sides, under its cap."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from bounds.static_gain.both_sides import GainRange
from ctv.figures.canvas import COLOURS, caption, frame, label_ends, marks, plain_log


def draw(gains: GainRange, description: str) -> Figure:
    """γ_m between its two sides and under the cap; the ratio of the sides below."""
    with frame(4.6, 3.9) as figure:
        top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.2))
        top.fill_between(gains.m, gains.lower, gains.upper, color=COLOURS["refined"], alpha=0.18)
        filled = COLOURS["refined"] if all(gains.certified) else "white"
        top.plot(gains.m, gains.cap, color=COLOURS["trivial"], linestyle=(0, (4, 2)))
        top.plot(
            gains.m,
            gains.upper,
            color=COLOURS["refined"],
            marker="o",
            markersize=2.8,
            markerfacecolor=filled,
            markeredgewidth=0.8,
            markevery=np.unique(np.geomspace(1, len(gains.m), 10).astype(int) - 1).tolist(),
            clip_on=False,
        )
        top.plot(gains.m, gains.lower, color=COLOURS["lower"], linewidth=1.0)
        top.set_xscale("log")
        top.set_yscale("log")
        top.set_xlim(right=gains.m[-1])  # labels stand where curves end
        label_ends(
            top,
            [
                (gains.cap[-1], r"trivial $\frac{m}{2}\log(1+1/\sigma^2)$", COLOURS["trivial"]),
                (gains.upper[-1], "upper bound", COLOURS["refined"]),
                (gains.lower[-1], "lower bound", COLOURS["lower"]),
            ],
        )
        top.set_ylabel(r"$\gamma_m$ (nats)")
        top.set_title("Maximum information gain of a static objective")
        plain_log(top)
        bottom.plot(gains.m, gains.upper / gains.lower, color=COLOURS["refined"])
        bottom.axhline(1.0, color="black", linewidth=0.6)
        bottom.set_ylabel("upper / lower")
        bottom.set_xlabel("number of rounds $m$")
        bottom.set_ylim(bottom=1.0 - 0.05 * (float(np.max(gains.upper / gains.lower)) - 1.0) - 1e-4)
        bottom.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        caption(figure, f"{description}. {marks(certified=all(gains.certified))}.")
    return figure
