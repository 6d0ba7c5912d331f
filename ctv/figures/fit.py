"""`fit`: the priors that fit a log, over half-life and lengthscale, weight by weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ctv.figures.canvas import caption, colour_of, frame

if TYPE_CHECKING:
    from simulation.prior.fit import Fit

_COLOURS = {"se": "#0072b2", "matern52": "#d55e00", "matern32": "#009e73"}


def draw(found: Fit) -> Figure:
    """A panel for each input: half-life against its lengthscale; no drift stands at the right."""
    log, candidates = found.observations, found.candidates
    members, weights = candidates.members, candidates.weights
    lives = np.array([member.half_life for member in members])
    finite = lives[np.isfinite(lives)]
    span = float(np.ptp(log.times)) or 1.0
    # Members that do not drift have a column of their own, ten times beyond the longest half-life.
    still = 10.0 * float(np.max(finite, initial=span))
    shown = np.where(np.isfinite(lives), lives, still)
    area = 4.0 + 240.0 * weights / weights.max()
    with frame(7.0, 3.0) as figure:
        panels = np.atleast_1d(figure.subplots(1, log.dimension, sharey=False))
        for place, (axes, axis) in enumerate(zip(panels, log.axes, strict=True)):
            lengths = np.array([member.lengthscales[place] for member in members])
            for kernel in dict.fromkeys(member.kernel for member in members):
                mine = np.array([member.kernel == kernel for member in members])
                axes.scatter(
                    shown[mine], lengths[mine], s=area[mine], label=kernel, alpha=0.35,
                    color=colour_of(kernel, _COLOURS), linewidths=0,
                )  # fmt: skip
            axes.axvline(span, color="black", linewidth=0.8)
            axes.set_xscale("log")
            axes.set_xlim(min(0.02 * span, 0.5 * float(shown.min())), 3.0 * still)
            axes.set_yscale("log")
            axes.set_xlabel(f"half-life ({log.unit})")
            axes.set_ylabel(f"lengthscale of {axis.name}")
        for handle in panels[0].legend(loc="upper left").legend_handles:
            if handle is not None:
                handle.set_sizes([24.0])
        drift = 100.0 * found.drift_share
        caption(
            figure,
            f"{len(members)} priors for {log.n} rows of {log.source}, area as their weight; line: "
            f"the time that the log spans. Drift has {drift:.3g} % of the weight; members without "
            f"it stand at {still:.3g} {log.unit}. Sampled.",
        )
    return figure
