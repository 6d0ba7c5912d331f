"""`coverage`: how often certificates cover the truth, under the true prior and under wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from ctv.figures.canvas import caption, colour_of, frame
from simulation.after_run.coverage import broken_below

if TYPE_CHECKING:
    from simulation.after_run.coverage import Coverage

_COLOURS = {
    "rank": "#0072b2",
    "probability": "#d55e00",
    "probability-forward": "#e69f00",
    "simulation": "#cc79a7",
}
_MARKS = {
    "o": "circle",
    "s": "square",
    "^": "triangle",
    "D": "diamond",
    "v": "triangle down",
    "<": "triangle left",
    ">": "triangle right",
}
_SHARES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def _spread(share: FloatArray) -> FloatArray:
    """−√(1 − share): wide where almost all is covered."""
    return -np.sqrt(np.maximum(1.0 - np.asarray(share), 0.0))


def _gathered(place: FloatArray) -> FloatArray:
    return 1.0 - np.square(np.minimum(np.asarray(place), 0.0))


def draw(rows: Sequence[Coverage]) -> Figure:
    """A panel for each certificate: coverage with its exact interval, over the assumed prior."""
    threshold = broken_below(rows)
    certificates = list(dict.fromkeys(row.certificate for row in rows))
    priors = list(dict.fromkeys(row.prior for row in rows))
    kinds = list(dict.fromkeys((row.setting, row.policy) for row in rows))
    columns = min(2, len(certificates))
    lines = -(-len(certificates) // columns)
    with frame(7.2, lines * (0.7 + 0.34 * len(priors))) as figure:
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        for axes in grid.flat[len(certificates) :]:
            axes.set_visible(False)
        for axes, certificate in zip(grid.flat, certificates, strict=False):
            colour = colour_of(certificate, _COLOURS)
            chosen = [row for row in rows if row.certificate == certificate]
            for row in chosen:
                kind = kinds.index((row.setting, row.policy))
                height = priors.index(row.prior) + 0.11 * (kind - 0.5 * (len(kinds) - 1))
                axes.plot(
                    [row.low, row.high],
                    [height] * 2,
                    color=colour,
                    linewidth=0.9,
                    alpha=1.0 if row.broken else 0.55,
                )
                axes.plot(
                    row.covered / row.runs,
                    height,
                    color=colour,
                    marker=list(_MARKS)[kind % len(_MARKS)],
                    markersize=3.4,
                    clip_on=False,
                    markerfacecolor=colour if row.broken else "white",
                )
            axes.axvline(chosen[0].level, color="black", linewidth=0.8)
            # Near the level, where it is decided, a share takes more room than near none.
            axes.set_xscale("function", functions=(_spread, _gathered))
            axes.set_xlim(0.0, 1.003)
            axes.set_xticks(_SHARES, [f"{share:g}" for share in _SHARES])
            axes.set_title(certificate)
            axes.set_xlabel("share of runs covered")
            axes.set_ylim(len(priors) - 0.5, -0.5)
            axes.axhspan(-0.5, 0.5, color="#f0f0f0", zorder=0)
        for axes in grid[:, 0]:
            axes.set_yticks(range(len(priors)), priors)
            axes.set_ylabel("prior that is assumed")
        marks = "; ".join(
            f"{mark}: {setting}, {policy}"
            for mark, (setting, policy) in zip(cycle(_MARKS.values()), kinds, strict=False)
        )
        caption(
            figure,
            f"How often certificates hold: share of {rows[0].runs} runs whose regret is at most "
            "the certificate, with exact 95 % intervals; line: the level claimed; filled: too few "
            f"for it, with an exact one-sided p-value below {threshold:.1e}. " + marks,
        )
    return figure
