"""`coverage`: how often certificates cover the truth, under the true prior and under wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ctv.figures.canvas import foot, frame
from simulation.after_run.coverage import broken_below

if TYPE_CHECKING:
    from simulation.after_run.coverage import Coverage

_COLOURS = {
    "rank": "#0072b2",
    "probability": "#d55e00",
    "probability-forward": "#e69f00",
    "simulation": "#cc79a7",
}
_MARKS = "os^Dv<>"


def draw(rows: Sequence[Coverage]) -> Figure:
    """A panel for each certificate: coverage with its exact interval, over the assumed prior."""
    threshold = broken_below(rows)
    certificates = list(dict.fromkeys(row.certificate for row in rows))
    priors = list(dict.fromkeys(row.prior for row in rows))
    kinds = list(dict.fromkeys((row.setting, row.policy) for row in rows))
    with frame(7.4, 0.9 + 0.36 * len(priors)) as figure:
        panels = np.atleast_1d(figure.subplots(1, len(certificates), sharey=True))
        for axes, certificate in zip(panels, certificates, strict=True):
            chosen = [row for row in rows if row.certificate == certificate]
            for row in chosen:
                kind = kinds.index((row.setting, row.policy))
                height = priors.index(row.prior) + 0.11 * (kind - 0.5 * (len(kinds) - 1))
                axes.plot([row.low, row.high], [height] * 2, color=_COLOURS[certificate],
                          linewidth=0.9, alpha=1.0 if row.broken else 0.55)  # fmt: skip
                axes.plot(
                    row.covered / row.runs,
                    height,
                    color=_COLOURS[certificate],
                    marker=_MARKS[kind % len(_MARKS)],
                    markersize=3.4,
                    markerfacecolor=_COLOURS[certificate] if row.broken else "white",
                )
            axes.axvline(chosen[0].level, color="black", linewidth=0.8)
            axes.set_xlim(-0.03, 1.03)
            axes.set_title(certificate)
            axes.set_xlabel("covered")
            axes.set_ylim(len(priors) - 0.5, -0.5)
            axes.axhspan(-0.5, 0.5, color="#f0f0f0", zorder=0)
        panels[0].set_yticks(range(len(priors)), priors)
        panels[0].set_ylabel("prior that the certificate assumes")
        marks = "; ".join(
            f"{_MARKS[i % len(_MARKS)]}: {setting}, {policy}".replace("o:", "circle:")
            .replace("s:", "square:").replace("^:", "triangle:").replace("D:", "diamond:")
            .replace("v:", "triangle down:").replace("<:", "triangle left:")
            for i, (setting, policy) in enumerate(kinds)
        )  # fmt: skip
        foot(
            figure,
            f"Share of {rows[0].runs} runs whose regret is at most the certificate, with exact "
            "95 % intervals; line: the level claimed; filled: too few for it, with an exact "
            f"one-sided p-value below {threshold:.1e}. " + marks,
        )
    return figure
