"""`fit`: the priors that fit a log, over half-life and lengthscale, weight by weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from bounds.arrays import IntArray
from ctv.figures.canvas import caption, colour_of, frame, plain_log

if TYPE_CHECKING:
    from own_runs.prior.fit import Fit

_COLOURS = {"se": "#0072b2", "matern52": "#d55e00", "matern32": "#009e73"}


def draw(fitted: Fit) -> Figure:
    """A panel for each input: half-life against its lengthscale; no drift stands at the right."""
    log, candidates = fitted.observations, fitted.candidates
    members, weights = candidates.members, candidates.weights
    lives = np.array([member.half_life for member in members])
    finite = lives[np.isfinite(lives)]
    span = float(np.ptp(log.times)) or 1.0
    # Members that do not drift have a column of their own, ten times beyond the longest half-life.
    still = 10.0 * float(np.max(finite, initial=span))
    # Side by side there: all at one place they would hide each other.
    aside = still * np.geomspace(0.6, 1.7, len(members))[_spread(len(members))]
    shown = np.where(np.isfinite(lives), lives, aside)
    area = 4.0 + 240.0 * weights / weights.max()
    with frame(7.0, 3.0) as figure:
        panels = np.atleast_1d(figure.subplots(1, log.dimension, sharey=False))
        for place, (axes, axis) in enumerate(zip(panels, log.axes, strict=True)):
            lengths = np.array([member.lengthscales[place] for member in members])
            for kernel in dict.fromkeys(member.kernel for member in members):
                mine = np.array([member.kernel == kernel for member in members])
                axes.scatter(
                    shown[mine],
                    lengths[mine],
                    s=area[mine],
                    label=kernel,
                    alpha=0.35,
                    color=colour_of(kernel, _COLOURS),
                    linewidths=0,
                )
            axes.axvline(span, color="black", linewidth=0.8)
            axes.axvspan(0.45 * still, 3.0 * still, color="#eef1f4", linewidth=0, zorder=0)
            for at, said in ((span, "span of the log "), (2.8 * still, "no drift")):
                axes.annotate(
                    said,
                    (at, 0.01),
                    (-2, 2),
                    xycoords=axes.get_xaxis_transform(),
                    textcoords="offset points",
                    fontsize=7,
                    ha="right",
                )
            axes.set_xscale("log")
            axes.set_xlim(min(0.02 * span, 0.5 * float(shown.min())), 3.0 * still)
            axes.set_yscale("log")
            axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            plain_log(axes, "x")
            plain_log(axes, "y")
            axes.set_xlabel(f"half-life ({log.unit})")
            axes.set_ylabel(f"lengthscale of {axis.name}")
        for handle in panels[0].legend(loc="upper left", frameon=False).legend_handles:
            if handle is not None:
                handle.set_sizes([24.0])
        drift = 100.0 * fitted.drift_share
        caption(
            figure,
            f"{len(members)} priors for {log.n} rows of {log.source}, area as their weight; line: "
            f"the time that the log spans. Drift has {drift:.3g} % of the weight; members without "
            "it are side by side at the right. Sampled.",
        )
    return figure


def _spread(count: int) -> IntArray:
    """An order in which neighbours lie far apart, the same each time."""
    golden = 0.5 * (5.0**0.5 - 1.0)
    return np.argsort(np.argsort(np.arange(count) * golden % 1.0))
