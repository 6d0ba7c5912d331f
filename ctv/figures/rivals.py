"""`rivals`: every published bound over ε at unit steps, and how each falls with ε."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from bounds.rivals import RivalCurve
from ctv.figures.canvas import foot, frame, plain_log

_STYLES = {
    "trivial": ("trivial cap", "#6e6e6e", "solid"),
    "bogunovic2016-reset": ("Bogunovic et al., R-GP-UCB", "#cc79a7", "solid"),
    "bogunovic2016": ("Bogunovic et al., TV-GP-UCB, printed", "#e69f00", (0, (3, 1.5))),
    "bogunovic2016-corrected": ("the same, corrected", "#e69f00", "solid"),
    "imamura2020": ("Imamura et al., Theorem 1", "#d55e00", "solid"),
    "mandl-kekkonen2026": ("Mandl and Kekkonen", "#009e73", "solid"),
    "refined": ("Theorem A", "#0072b2", "solid"),
    "repeated-point": ("limit of such bounds", "#000000", (0, (1, 1))),
}


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
        for name, rate in seen.rates.items():
            _, colour, _ = _STYLES[name]
            height = float(rate)  # type: ignore[arg-type]
            right.plot(
                [0.97, 1.0],
                [height] * 2,
                color=colour,
                transform=right.get_yaxis_transform(),
                linewidth=2.0,
            )
            right.text(
                1.02,
                height,
                str(rate),
                color=colour,
                fontsize=7,
                va="center",
                transform=right.get_yaxis_transform(),
            )
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
        figure.legend(handles, labels, loc="outside right center", frameon=False, fontsize=7)
        foot(
            figure,
            f"{seen.setting}; unit steps, equal blocks of the best length, one β for all but "
            f"R-GP-UCB; floating point. Dashed: as printed{doubt}. Marks at the "
            "right edge: exponents of ε as n grows. Dotted: what one point played throughout "
            "gains; no bound √(C₁nβγ̃) can be below it.",
        )
    return figure
