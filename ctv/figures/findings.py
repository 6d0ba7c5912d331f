"""Two findings of the ledger as pictures: Lemma 1 between integers, and Assumption 1 (II)."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bounds.kernels import Forgetting
from bounds.partitions.uniformity import uniformity_lemma1, uniformity_of_uniform
from ctv.figures.canvas import COLOURS, caption, frame


def draw(length: int = 4) -> Figure:
    """Printed and exact uniformity of a block, and where the forgetting kernel keeps its slope."""
    with frame(7.2, 2.9) as figure:
        left, right = figure.subplots(1, 2)
        _draw_lemma_1(left, length)
        _draw_assumption(right)
        caption(
            figure,
            f"Two findings of the ledger. Left: the uniformity of a block of {length} equally "
            "spaced rounds by Lemma 1 and exactly; they agree where n/(εT) is a whole number "
            "(lemma-1-capped). Right: the slope θ of the forgetting kernel at small gaps against "
            "the ε that Assumption 1 (II) allows; shaded, it fails (assumption-1-II).",
        )
    return figure


def _draw_lemma_1(axes: Axes, length: int) -> None:
    """C/(T/n)² over x = n/(εT): the cap begins at lag x."""
    reach = np.linspace(0.02, length + 1.0, 400)
    exact = [uniformity_of_uniform(length, 1.0, cap=float(x) ** 2) for x in reach]
    printed = [uniformity_lemma1(length, float(length), 1.0 / float(x), length) for x in reach]
    whole = np.arange(1, length + 1)
    agreed = [uniformity_of_uniform(length, 1.0, cap=float(x) ** 2) for x in whole]
    axes.plot(reach, printed, color=COLOURS["theorem1"], label="as printed")
    axes.plot(reach, exact, color=COLOURS["refined"], label="exact")
    axes.plot(whole, agreed, "o", color="black", markersize=4, label="n/(εT) an integer")
    axes.set_xlabel("n/(εT)")
    axes.set_ylabel("C/(T/n)²")
    axes.set_title(f"Lemma 1, a block of {length} rounds")
    axes.legend(frameon=False, fontsize=7)


def _draw_assumption(axes: Axes) -> None:
    """The slope θ(ε) against the ε of the assumption; above the diagonal it fails."""
    epsilon = np.linspace(0.0, 0.99, 400)
    slope = np.array([Forgetting(float(value)).slope for value in epsilon])
    axes.plot(epsilon, slope, color=COLOURS["refined"], label="slope θ at small gaps")
    axes.plot(epsilon, epsilon, color=COLOURS["theorem1"], label="ε of Assumption 1 (II)")
    fails = slope > epsilon
    axes.fill_between(epsilon, epsilon, slope, where=fails, color=COLOURS["theorem1"], alpha=0.15)
    axes.axvline(float(epsilon[1:][fails[1:]][0]), color="black", linewidth=0.6, linestyle=":")
    axes.set_xlabel("forgetting rate ε")
    axes.set_title("Assumption 1 (II) fails for ε > 0.797")
    axes.legend(frameon=False, fontsize=7)
