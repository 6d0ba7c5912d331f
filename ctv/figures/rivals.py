"""`rivals`: every published bound over ε at unit steps, and how each falls with ε."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bounds.rivals.curves import RivalCurve
from ctv.figures.canvas import COLOURS, caption, frame, plain_log

_STYLES = {
    "trivial": ("trivial upper bound", "#6e6e6e", "solid"),
    "bogunovic2016-reset": ("Bogunovic et al., R-GP-UCB", "#882255", (0, (6, 1.5, 1.2, 1.5))),
    "bogunovic2016": ("Bogunovic et al., TV-GP-UCB, printed", "#b87d00", (0, (3, 1.5))),
    "bogunovic2016-corrected": ("the same, corrected", "#b87d00", "solid"),
    "imamura2020": ("Imamura et al., Theorem 1", COLOURS["theorem1"], (0, (9, 2))),
    "mandl-kekkonen2026": ("Mandl and Kekkonen", "#117733", (0, (5, 1.2, 1.2, 1.2, 1.2, 1.2))),
    "refined": ("refined (Theorem A)", COLOURS["refined"], "solid"),
    "repeated-point": ("limit of such bounds", "#000000", (0, (1, 1))),
}
"""Colour and dashes, so that no two curves are told apart by colour alone or by dashes alone."""


@dataclass(frozen=True, eq=False)
class RivalsPicture:
    """Curves of all bounds over ε.

    Attributes
    ----------
    curves, slopes : the same bounds; values are drawn from the first, slopes from the second,
        which has fewer ε
    rates : exponents of ε as n grows, exact, by name of the curve
    n, setting : number of rounds; kernel, domain and noise in words
    """

    curves: Sequence[RivalCurve]
    slopes: Sequence[RivalCurve]
    rates: Mapping[str, object]
    n: int
    setting: str


def draw(seen: RivalsPicture) -> Figure:
    """Regret per round at the left, its slope in ε at the right."""
    values, slopes = ({curve.name: curve for curve in c} for c in (seen.curves, seen.slopes))
    doubt = "" if values["bogunovic2016"].valid else ", not proved for noise this small"
    with frame(7.4, 3.9) as figure:
        left, right = figure.subplots(1, 2)
        for name, (label, colour, style) in _STYLES.items():
            curve, steep = values[name], slopes[name]
            drawn = {"color": colour, "linestyle": style, "label": label}
            left.plot(curve.epsilons, curve.regret_per_round, **drawn)
            right.plot(steep.epsilons, steep.slope, **drawn)
        for rate in dict.fromkeys(seen.rates.values()):
            _mark(right, rate, [_STYLES[n][1] for n, r in seen.rates.items() if r == rate])
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_xlim(seen.curves[0].epsilons[0], seen.curves[0].epsilons[-1])
            axes.set_xlabel("forgetting rate $\\varepsilon$")
        left.set_yscale("log")
        lowest = min(float(np.min(curve.regret_per_round)) for curve in seen.curves)
        left.set_ylim(0.7 * lowest, 3.0 * float(values["trivial"].regret_per_round.max()))
        plain_log(left)
        left.set_ylabel("bound on $R_n/n$ (units of $f$)")
        left.set_title(f"Regret per round, {seen.n:,} rounds")
        right.set_ylim(-0.01, 0.34)
        right.set_ylabel(r"$d\log R_n\,/\,d\log\varepsilon$")
        right.set_title("Slope in $\\varepsilon$, and its limit in $n$")
        handles, labels = left.get_legend_handles_labels()
        figure.legend(
            handles,
            labels,
            loc="outside upper left",
            ncols=3,
            frameon=False,
            fontsize=7,
            handlelength=4.2,
        )
        caption(
            figure,
            f"Every published bound on regret over ε: {seen.setting}; unit steps, equal "
            "blocks of the best length, one β for all but R-GP-UCB; floating point. “Printed”: as "
            f"its authors state it{doubt}. Marks at the "
            "right edge: exponents of ε as n grows, (2) where two bounds share one. Dotted: what "
            "one point played throughout gains; no bound √(C₁nβγ̃) can be below it.",
        )
    return figure


def _mark(axes: Axes, rate: object, colours: Sequence[str]) -> None:
    """An exponent at the right edge, in equal parts of the colours of those that share it."""
    height = float(rate)  # type: ignore[arg-type]
    edges = np.linspace(0.96, 1.0, len(colours) + 1)
    place = axes.get_yaxis_transform()
    for colour, start, end in zip(colours, edges, edges[1:], strict=False):
        axes.plot(
            [start, end],
            [height] * 2,
            color=colour,
            transform=place,
            linewidth=2.4,
            solid_capstyle="butt",
        )
    shared = f" ({len(colours)})" if len(colours) > 1 else ""
    axes.text(
        1.02,
        height,
        f"{rate}{shared}",
        color="black" if shared else colours[0],
        fontsize=7,
        va="center",
        transform=place,
    )
