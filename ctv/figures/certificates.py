"""`certificates`: certificate against truth, run by run, with the gain-based bounds far above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from ctv.figures.canvas import foot, frame, plain_log

_STYLES = {
    "rank": ("rank, given the data", "#0072b2", "o"),
    "probability": ("telescoped, given the data", "#d55e00", "s"),
    "expected": ("its mean given the data, at most", "#009e73", "_"),
    "simulation": ("simulation, before the run", "#cc79a7", "-"),
}
_BOUNDS = {
    "best": ("smallest bound", "#6e6e6e"),
    "cap": ("cap 2√βₙ·n", "#000000"),
    "envelope": ("noise inflation and envelope", "#e69f00"),
    "tail": ("any policy, 2m*n + deviation", "#56b4e9"),
}


@dataclass(frozen=True, eq=False)
class CertificatesPicture:
    """What is drawn.

    Attributes
    ----------
    regrets : true regret of each run
    certificates : by name, one value a run (`simulation`: the same for all)
    bounds : known before the run, by name, for these times
    policy : name with its exploration
    level : 1 − δ
    setting : kernel, domain, noise and times in words
    counted : whether the gain-based bounds cover the policy
    """

    regrets: Sequence[float]
    certificates: Mapping[str, Sequence[float]]
    bounds: Mapping[str, float]
    policy: str
    level: float
    setting: str
    counted: bool


def draw(seen: CertificatesPicture) -> Figure:
    """All bounds over the runs in the order of their regret (log), and the certificates' ratios."""
    order = np.argsort(seen.regrets)
    truth = np.array(seen.regrets)[order]
    place = np.arange(1, len(truth) + 1)
    with frame(7.4, 3.7) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1.0))
        for value, names in _together(seen.bounds):
            label = "; ".join(_BOUNDS[name][0] for name in names)
            left.axhline(value, color=_BOUNDS[names[0]][1], linewidth=1.2, label=label)
        left.plot(place, truth, color="black", marker="D", markersize=4, linewidth=0.8,
                  label="true regret")  # fmt: skip
        for name, (label, colour, mark) in _STYLES.items():
            if name not in seen.certificates:
                continue
            values = np.array(seen.certificates[name])[order]
            if mark == "-":
                left.plot(place, values, color=colour, linestyle="--", label=label)
                right.plot(place, values / truth, color=colour, linestyle="--")
                continue
            drawn = {"color": colour, "marker": mark, "linestyle": "none", "markersize": 5.0}
            left.plot(place, values, markerfacecolor="white", label=label, **drawn)
            right.plot(place, values / truth, markerfacecolor="white", **drawn)
        left.set_yscale("log")
        plain_log(left)
        left.set_yticks([v * 10.0**k for k in range(-3, 6) for v in (1, 2, 5)])
        left.set_ylim(0.6 * float(truth.min()), 1.6 * max(seen.bounds.values()))
        left.set_ylabel("$R_n$ and bounds on it (units of $f$)")
        left.set_title("Certificates and the bounds by information gain")
        right.axhline(1.0, color="black", linewidth=0.8)
        right.set_ylabel("certificate over true regret")
        right.set_title("Ratio to the truth")
        right.set_ylim(bottom=min(0.9, right.get_ylim()[0]))
        for axes in (left, right):
            axes.set_xlabel("run, by regret")
            axes.set_xticks(place if len(place) <= 12 else place[:: len(place) // 10 + 1])
        handles, labels = left.get_legend_handles_labels()
        figure.legend(
            handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=6.8
        )
        covers = (
            "The bounds by information gain cover this policy."
            if seen.counted
            else "The bounds by information gain do not cover this policy: an observation."
        )
        marks = "circles, squares and the dashed line"
        if "simulation" not in seen.certificates:
            marks = "circles and squares"
        foot(
            figure,
            f"{seen.setting}; {seen.policy}. With probability {seen.level:g} each the {marks} are "
            f"above the regret, under the true prior. {covers} Floating point, not certified "
            "(hollow marks).",
        )
    return figure


def _together(bounds: Mapping[str, float]) -> list[tuple[float, list[str]]]:
    """Bounds from the largest on, those that cannot be told apart as one line."""
    groups: list[tuple[float, list[str]]] = []
    for name, value in sorted(bounds.items(), key=lambda item: -item[1]):
        if groups and value >= 0.995 * groups[-1][0]:
            groups[-1][1].append(name)
        else:
            groups.append((value, [name]))
    return groups
