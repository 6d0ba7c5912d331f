"""`regret-uniform`, `regret-biased`, `length`, `ei`: regret per round of several policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bounds.arrays import FloatArray
from ctv.figures.canvas import caption, colour_of, frame, label_ends
from simulation.study.statistics import Estimate

POLICY_COLOURS = {
    "gp-ucb": "#d55e00",
    "tv": "#b87d00",  # Okabe and Ito's orange, darker so that its label can be read on white
    "ctv": "#0072b2",
    "ctv-simple": "#3f9fd8",
    "ctv-fixed": "#009e73",
    "ts": "#7b3294",
    "random-weight-ucb": "#cc79a7",
    "irgp-ucb": "#8c510a",
    "scheduled": "#01665e",
    "random": "#6e6e6e",
    "clairvoyant": "#000000",
}
# Three of the policies nearly coincide where times are equal: their lines interleave.
_DASHES = {
    "ctv": (0, (5, 2)),
    "ctv-simple": (0, (1.2, 1.2)),
    "tv": (0, (7, 1.5, 1.2, 1.5)),
    "random-weight-ucb": (0, (5, 2)),
    "irgp-ucb": (0, (1.2, 1.2)),
    "scheduled": (0, (3, 3)),
}


_SAME_BAND = 0.02
"""Shares of the height of a panel by which two bands may differ that are one to the eye."""

_LEAST_WIDTH = 1e-3
"""Differences shown side by side span at least this: less is rounding, whose ticks say nothing."""


@dataclass(frozen=True, eq=False)
class RegretPanel:
    """Regret per round over the rounds of one study.

    Attributes
    ----------
    title : the setting, for a reader
    rounds : (k,) numbers m of rounds, the last of them n; the random ones count
    mean, sd : policy ↦ (k,) mean of R_m/m over the seeds, and its standard deviation (NaN with
        one seed)
    seeds : how many
    reference : the policy that the others are compared with
    differences : policy ↦ R_n/n less that of `reference`, seed by seed, with its interval
    """

    title: str
    rounds: NDArray[np.int64]
    mean: Mapping[str, FloatArray]
    sd: Mapping[str, FloatArray]
    seeds: int
    reference: str
    differences: Mapping[str, Estimate]


def draw(panels: Sequence[RegretPanel], description: str) -> Figure:
    """Two panels a row: mean ± standard deviation over rounds, and paired differences below.

    Panels of a row share their axes, and policies whose bands coincide one band, that of the
    reference if it is one of them; `description` is a sentence for below the figure.
    """
    columns = min(2, len(panels))
    rows = [panels[i : i + columns] for i in range(0, len(panels), columns)]
    compared = max(len(panel.differences) for panel in panels)
    heights = (2.5, 0.5 + 0.17 * compared) if compared else (2.5,)
    each = len(heights)
    with frame(3.6 * columns, sum(heights) * len(rows) + 0.35) as figure:
        grid = figure.add_gridspec(each * len(rows), columns, height_ratios=heights * len(rows))
        for row, members in enumerate(rows):
            curves: list[Axes] = []
            shared: Axes | None = None
            for column, panel in enumerate(members):
                place = grid[each * row, column]
                curves.append(figure.add_subplot(place, sharey=curves[0] if curves else None))
                _draw_curves(curves[-1], panel)
                if column == 0:
                    curves[0].set_ylabel("regret per round $R_m/m$")
                if panel.differences:
                    place = grid[each * row + 1, column]
                    shared = figure.add_subplot(place, sharex=shared)
                    _draw_differences(shared, panel, named=column == 0)
            if shared is not None and np.ptp(shared.get_xlim()) < _LEAST_WIDTH:
                shared.set_xlim(-_LEAST_WIDTH / 2, _LEAST_WIDTH / 2)
            # Only now are the limits known that the panels of a row share.
            for axes, panel in zip(curves, members, strict=True):
                label_ends(axes, _ends(panel), line=0.068)
        caption(figure, description)
    return figure


def _draw_curves(axes: Axes, panel: RegretPanel) -> None:
    for policy, (low, high) in _bands(panel).items():
        colour, style = colour_of(policy, POLICY_COLOURS), _DASHES.get(policy, "-")
        axes.fill_between(panel.rounds, low, high, color=colour, alpha=0.1, linewidth=0.0)
        for edge in (low, high):
            axes.plot(panel.rounds, edge, color=colour, linestyle=style, linewidth=0.6, alpha=0.8)
    # Dashed lines last, so that a solid one beneath shows between the dashes.
    for policy in sorted(panel.mean, key=lambda name: name in _DASHES):
        style = _DASHES.get(policy, "-")
        axes.plot(
            panel.rounds,
            panel.mean[policy],
            color=colour_of(policy, POLICY_COLOURS),
            linestyle=style,
            linewidth=2.0 if policy == panel.reference else 1.3,
        )
    axes.set_xlim(panel.rounds[0], panel.rounds[-1])
    axes.set_title(panel.title)
    axes.set_xlabel("round $m$")


def _bands(panel: RegretPanel) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Mean ∓ sd of the reference and of every policy whose band is another to the eye."""
    edges = {p: (mean - panel.sd[p], mean + panel.sd[p]) for p, mean in panel.mean.items()}
    same = _SAME_BAND * np.ptp(list(edges.values()))
    found: dict[str, tuple[FloatArray, FloatArray]] = {}
    for policy in sorted(edges, key=lambda name: name != panel.reference):
        if all(np.max(np.abs(np.subtract(edges[policy], band))) > same for band in found.values()):
            found[policy] = edges[policy]
    return found


def _ends(panel: RegretPanel) -> list[tuple[float, str, str]]:
    """Height, label and colour at the right end of each curve."""
    return [
        (float(mean[-1]), f"{policy} {mean[-1]:.2f}", colour_of(policy, POLICY_COLOURS))
        for policy, mean in panel.mean.items()
    ]


def _draw_differences(axes: Axes, panel: RegretPanel, *, named: bool) -> None:
    """An interval a policy, and the line at no difference."""
    axes.axvline(0.0, color=colour_of(panel.reference, POLICY_COLOURS), linewidth=0.9)
    for row, (policy, found) in enumerate(panel.differences.items()):
        colour = colour_of(policy, POLICY_COLOURS)
        axes.plot((found.ci_low, found.ci_high), (row, row), color=colour, linewidth=2.0)
        axes.plot(found.mean, row, "o", color=colour, markersize=4.0)
    axes.set_ylim(len(panel.differences) - 0.5, -0.5)
    labels = list(panel.differences) if named else []
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0)
    for text, policy in zip(axes.get_yticklabels(), panel.differences, strict=named):
        text.set_color(colour_of(policy, POLICY_COLOURS))
    axes.spines["left"].set_visible(False)
    reference = panel.reference
    axes.set_xlabel(f"difference of $R_n/n$ from {reference} (left: better)")
