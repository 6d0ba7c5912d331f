"""`sweep`: for one sequence of times, how far each bound on the gain is below the cap, over ε."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bounds.arrays import FloatArray
from bounds.problem import Problem
from ctv.figures.canvas import COLOURS, caption, colour_of, frame
from ctv.show.rounding import at_least
from ctv.show.shared import title

_DASHES = {
    "theorem1": "solid",
    "additive": (0, (5, 1.5)),
    "refined": "solid",
    "any_pattern": (0, (7, 1.5, 1.5, 1.5)),
    "knots": (0, (1.2, 1.2)),
}


@dataclass(frozen=True, eq=False)
class SweepPicture:
    """What is drawn.

    Attributes
    ----------
    problem : whose times they are; its own ε is marked
    epsilons : (k,) increasing
    shares : bound ↦ (k,) its value over that of the trivial cap; 1 where its hypothesis fails
    speaks : bound ↦ the largest of these ε at which it is below the cap; None where at none
    """

    problem: Problem
    epsilons: FloatArray
    shares: Mapping[str, FloatArray]
    speaks: Mapping[str, float | None]


def draw(seen: SweepPicture, *, wide: bool = True) -> Figure:
    """Shares over ε on a log axis, a triangle on top where each bound begins to speak."""
    with frame(7.2 if wide else 3.9, 3.0 if wide else 3.6) as figure:
        axes = figure.subplots()
        for name, share in seen.shares.items():
            axes.plot(
                seen.epsilons,
                share,
                color=colour_of(name),
                label=title(name),
                linewidth=1.5,
                linestyle=_DASHES.get(name, (0, (3, 1))),
            )
            begins = seen.speaks[name]
            if begins is not None:
                axes.plot(
                    begins, 1.0, "v", color=colour_of(name), markersize=5.5, clip_on=False, zorder=4
                )
        axes.axhline(1.0, color=COLOURS["trivial"], linewidth=0.8)
        axes.set_xscale("log")
        axes.set_xlim(seen.epsilons[0], seen.epsilons[-1])
        axes.set_ylim(0.0, 1.08)
        if seen.epsilons[0] <= seen.problem.epsilon <= seen.epsilons[-1]:
            axes.axvline(seen.problem.epsilon, color="black", linewidth=0.8, linestyle=(0, (2, 2)))
            axes.annotate(
                f"ε = {seen.problem.epsilon:g}",
                (seen.problem.epsilon, 0.02),
                (3, 0),
                textcoords="offset points",
                fontsize=7.5,
            )
        axes.set_xlabel("forgetting rate $\\varepsilon$ per unit of time")
        axes.set_ylabel("bound / trivial upper bound")
        handles, labels = axes.get_legend_handles_labels()
        handles.append(Line2D([], [], marker="v", linestyle="none", color="#444444", markersize=5))
        labels.append("non-vacuous for ε below")
        figure.legend(
            handles,
            labels,
            loc="outside upper left",
            ncols=3 if wide else 2,
            frameon=False,
            fontsize=7,
            handlelength=2.4,
            columnspacing=1.1,
        )
        caption(figure, _text(seen))
    return figure


def _text(seen: SweepPicture) -> str:
    """Up to which ε each bound is non-vacuous, in a sentence."""
    begins = [
        f"{title(name)} for ε ≤ {at_least(value, 2)}"
        for name, value in seen.speaks.items()
        if value is not None
    ]
    silent = [title(name) for name, value in seen.speaks.items() if value is None]
    said = f" Non-vacuous: {'; '.join(begins)}." if begins else ""
    never = f" Vacuous at every ε shown: {', '.join(silent)}." if silent else ""
    return (
        "The largest drift rate at which each bound on the information gain is non-vacuous at "
        "these evaluation times: its value as a share of the trivial upper bound "
        f"½n·log(1+1/σ²), at {len(seen.epsilons)} values of "
        f"ε, each with its best partition.{said}{never} Floating point."
    )


def begins_at(epsilons: FloatArray, share: FloatArray) -> float | None:
    """The largest ε of the sweep at which a bound is below the cap.

    >>> begins_at(np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.9, 1.0]))
    0.2
    """
    below = np.flatnonzero(share < 1.0 - 1e-6)
    return float(epsilons[below[-1]]) if len(below) else None
