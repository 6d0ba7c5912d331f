"""`certificates`: certificate against truth, run by run, with the gain-based bounds far above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from bounds.regret.policies import policy_in_words
from ctv.figures.canvas import COLOURS, caption, colour_of, frame, plain_log
from ctv.show.shared import road_named

_STYLES = {
    "rank": ("#0072b2", "o"),
    "probability": ("#d55e00", "s"),
    "expected": (COLOURS["mean"], "^"),
    "expected-forward": (COLOURS["mean"], "v"),
    "simulation": ("#cc79a7", "-"),
}
_MEANS = ("expected", "expected-forward")
_BOUNDS = {
    "best": ("#6e6e6e", "solid"),
    "cap": ("#000000", (0, (1, 1))),
    "envelope": ("#009e73", (0, (5, 2))),
    "tail": ("#3f9fd8", (0, (7, 1.5, 1.2, 1.5))),
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
            colour, style = _BOUNDS[names[0]]
            label = "before the run: " + ", ".join(road_named(name) for name in names)
            left.axhline(value, color=colour, linestyle=style, linewidth=1.2, label=label)
        left.plot(
            place,
            truth,
            color="black",
            marker="D",
            markersize=4,
            linestyle="none",
            label="true regret",
        )
        for name, given in seen.certificates.items():
            colour, mark = _STYLES.get(name, (colour_of(name), "v"))
            values = np.array(given)[order]
            if mark == "-":  # one number for all runs of the policy
                left.axhline(values[0], color=colour, linestyle="--", label=name)
                right.plot(place, values / truth, color=colour, marker="x", linestyle="none")
                continue
            drawn = {"color": colour, "marker": mark, "linestyle": "none", "markersize": 5.0}
            said = f"{name}: the conditional mean at most" if name in _MEANS else name
            left.plot(place, values, markerfacecolor="white", label=said, **drawn)
            right.plot(place, values / truth, markerfacecolor="white", **drawn)
        left.set_yscale("log")
        plain_log(left)
        left.set_yticks([v * 10.0**k for k in range(-3, 6) for v in (1, 2, 5)])
        left.set_ylim(0.6 * float(truth.min()), 1.6 * max(seen.bounds.values()))
        left.set_ylabel("$R_n$ and bounds on it (units of $f$)")
        left.set_title("Certificates and bounds known before")
        right.axhline(1.0, color="black", linewidth=0.8)
        right.set_ylabel("certificate over true regret")
        right.set_title("Ratio to the truth")
        low, high = right.get_ylim()
        right.set_ylim(min(0.98, low), max(1.02, high))
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
        caption(
            figure,
            f"Certificates of {len(place)} finished runs, from points, times and observed values, "
            f"beside their true regret: {seen.setting}; {policy_in_words(seen.policy)}. Circles "
            f"(rank), squares (probability) and simulation are above the regret with probability "
            f"{seen.level:g} each; ochre triangles (expected) bound its mean given the data "
            "alone, which the regret itself may exceed; all under the true prior. "
            f"{covers} Floating point, not certified (hollow marks).",
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
