"""Regret per round over the rounds with tuned hyperparameters and with the objective's own."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from ctv.figures.canvas import caption, frame
from ctv.figures.runs.regret import policy_colour
from simulation.paper.tuned_results import TunedStudy

_WEIGHTS = {"beta": "β, the printed weight", "sqrt-beta": "√β", "beta/16": "β/16"}


def draw(studies: Sequence[TunedStudy]) -> Figure:
    """A panel a weight: the mean of R_n/n over seeds, fitted (solid) and fixed (dotted)."""
    with frame(7.2, 2.4) as figure:
        panels = figure.subplots(1, len(_WEIGHTS), sharey=True)
        for axes, (weight, title) in zip(panels, _WEIGHTS.items(), strict=True):
            for one in studies:
                if one.weight != weight or one.tune not in ("none", "likelihood"):
                    continue
                fitted = one.tune == "likelihood"
                for policy, regrets in one.regrets.items():
                    axes.plot(
                        one.rounds,
                        regrets.mean(axis=0),
                        "-" if fitted else ":",
                        color=policy_colour(policy),
                        label=f"{policy}, {'fitted' if fitted else 'fixed'}",
                    )
            axes.set(title=title, xlabel="n")
        panels[0].set_ylabel("Rₙ/n")
        panels[0].legend(fontsize=6)
        seeds = len(studies[0].seeds) if studies else 0
        caption(
            figure,
            f"Mean of {seeds} seeds at equal times, squared exponential kernel. Fitted: refitted "
            "to each run by likelihood; fixed: hyperparameters of the objective.",
        )
    return figure
