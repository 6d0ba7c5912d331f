"""`floor`: regret per round of the best simulated policy between floor and ceilings, over ε."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from ctv.figures.canvas import caption, frame, label_ends

SLOPES = (Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(1, 4))
"""Exponents of ε that are marked: published floor, Theorem F, margin bound, Theorem A."""

_FAN = "#6e6e6e"


@dataclass(frozen=True, eq=False)
class Side:
    """A floor or a ceiling per round over ε.

    Attributes
    ----------
    label, colour, marker : how it is drawn
    values : (m,) per round; NaN where there is none
    certified : filled marks for certified values, hollow ones for others
    dashed : for what a simulation says
    """

    label: str
    colour: str
    marker: str
    values: FloatArray
    certified: bool = False
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class FloorPicture:
    """What the figure shows, already computed.

    Attributes
    ----------
    epsilons : (m,) increasing, above 0
    sides : floors and ceilings
    regrets : (m,) mean regret per round of the policy that has least
    errors : (m,) half of its 95 % interval; NaN for one run
    policies : its name at each ε
    setting : domain, noise and rounds, in words
    runs : of each policy
    """

    epsilons: FloatArray
    sides: Sequence[Side]
    regrets: FloatArray
    errors: FloatArray
    policies: Sequence[str]
    setting: str
    runs: int


def draw(seen: FloorPicture) -> Figure:
    """Log axes; a fan of slopes in the free corner below the floor."""
    with frame(6.6, 4.3) as figure:
        axes = figure.subplots()
        axes.set_xscale("log")
        axes.set_yscale("log")
        ends = []
        for side in seen.sides:
            axes.plot(
                seen.epsilons,
                side.values,
                color=side.colour,
                marker=side.marker,
                markersize=4.0,
                markerfacecolor=side.colour if side.certified else "white",
                markeredgewidth=0.9,
                linestyle="--" if side.dashed else "-",
                linewidth=1.2,
                clip_on=False,
            )
            ends.append((float(side.values[-1]), side.label, side.colour))
        errors = np.nan_to_num(seen.errors)
        axes.errorbar(
            seen.epsilons,
            seen.regrets,
            yerr=errors,
            color="black",
            marker="s",
            markersize=4.0,
            linewidth=1.8,
            elinewidth=0.8,
            capsize=2.0,
        )
        ends.append((float(seen.regrets[-1]), "best simulated policy", "black"))
        shown = [seen.regrets, *(side.values for side in seen.sides)]
        low = min(float(np.nanmin(values[values > 0])) for values in shown if np.any(values > 0))
        high = max(float(np.nanmax(values)) for values in shown)
        axes.set_ylim(0.4 * low, 1.5 * high)
        axes.set_xlim(seen.epsilons[0] / 1.2, seen.epsilons[-1] * 1.04)
        lowest = np.nanmin([np.where(values > 0, values, np.nan) for values in shown], axis=0)
        _fan(axes, seen.epsilons, lowest, 0.48 * low)
        label_ends(axes, [end for end in ends if np.isfinite(end[0])])
        axes.set_xlabel("drift per unit of time, $\\varepsilon$")
        axes.set_ylabel("regret per round (units of $f$)")
        axes.set_title("What no policy beats, what one has, what is promised")
        names = ", ".join(dict.fromkeys(seen.policies))
        runs = "one run" if seen.runs == 1 else f"mean of {seen.runs} runs, bars 95 %"
        caption(
            figure,
            f"{seen.setting}. Simulated: the best of several policies at each ε ({names}), {runs}. "
            "Runs choose from round 1 on. Ochre: upper bounds on the expected regret, which one "
            "run may exceed; ctv-fixed's holds with its probability. Filled: certified; hollow: "
            "floating point; dashed: with the confidence of a simulation. Grey: slopes.",
        )
    return figure


def _fan(axes: Axes, epsilons: FloatArray, lowest: FloatArray, bottom: float) -> None:
    """Segments of the marked slopes from one point at the lower right, below every curve."""
    right = float(epsilons[-1]) / 1.6
    along = np.geomspace(max(right / 40.0, float(epsilons[0])), right, 200)
    room = 0.8 * np.exp(np.interp(np.log(along), np.log(epsilons), np.log(lowest)))
    for slope in SLOPES:
        rise = bottom * (along / along[0]) ** float(slope)
        above = np.flatnonzero(rise > room)
        end = int(above[0]) if len(above) else len(along)
        if end < 2:
            continue
        axes.plot(along[:end], rise[:end], color=_FAN, linewidth=0.7)
        lift = {Fraction(1, 3): 2.5, Fraction(1, 4): -2.5}.get(slope, 0.0)
        axes.annotate(
            str(slope),
            (along[end - 1], rise[end - 1]),
            (3, lift),
            textcoords="offset points",
            fontsize=6.5,
            color=_FAN,
            va="center",
        )
