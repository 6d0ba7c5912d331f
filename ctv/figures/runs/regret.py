"""`regret-uniform`, `regret-biased`, `length`, `ei`: regret per round of several policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bounds.arrays import FloatArray
from ctv.figures.canvas import COLOURS, caption, colour_of, frame, label_ends
from simulation.policies.registry import names, policy_named
from simulation.study.statistics import Estimate

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
    floor : (k,) what every policy behind the random rounds loses at least, a round; None without
        random rounds
    """

    title: str
    rounds: NDArray[np.int64]
    mean: Mapping[str, FloatArray]
    sd: Mapping[str, FloatArray]
    seeds: int
    reference: str
    differences: Mapping[str, Estimate]
    floor: FloatArray | None = None


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


def policy_colour(name: str) -> str:
    """The colour that a policy says it has, or a free one."""
    own = policy_named(name).colour if name in names() else ""
    return own or colour_of(name)


def _line_style(name: str) -> str | tuple[int, tuple[float, ...]]:
    """Three of the policies nearly coincide where times are equal: their dashes interleave."""
    dashes = policy_named(name).dashes if name in names() else ()
    return (0, dashes) if dashes else "-"


def _draw_curves(axes: Axes, panel: RegretPanel) -> None:
    for policy, (low, high) in _bands(panel).items():
        colour, style = policy_colour(policy), _line_style(policy)
        axes.fill_between(panel.rounds, low, high, color=colour, alpha=0.1, linewidth=0.0)
        for edge in (low, high):
            axes.plot(panel.rounds, edge, color=colour, linestyle=style, linewidth=0.6, alpha=0.8)
    # Dashed lines last, so that a solid one beneath shows between the dashes.
    for policy in sorted(panel.mean, key=lambda name: _line_style(name) != "-"):
        style = _line_style(policy)
        axes.plot(
            panel.rounds,
            panel.mean[policy],
            color=policy_colour(policy),
            linestyle=style,
            linewidth=2.0 if policy == panel.reference else 1.3,
        )
    if panel.floor is not None:
        colour = COLOURS["floor"]
        axes.plot(panel.rounds, panel.floor, color=colour, linestyle=":", linewidth=1.3)
    axes.set_xlim(panel.rounds[0], panel.rounds[-1])
    axes.set_title(panel.title)
    axes.set_xlabel("round $m$")


def _bands(panel: RegretPanel) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Mean ∓ sd of the reference and of every policy whose band is another to the eye."""
    edges = {p: (mean - panel.sd[p], mean + panel.sd[p]) for p, mean in panel.mean.items()}
    same = _SAME_BAND * np.ptp(list(edges.values()))
    bands: dict[str, tuple[FloatArray, FloatArray]] = {}
    for policy in sorted(edges, key=lambda name: name != panel.reference):
        if all(np.max(np.abs(np.subtract(edges[policy], band))) > same for band in bands.values()):
            bands[policy] = edges[policy]
    return bands


def _ends(panel: RegretPanel) -> list[tuple[float, str, str]]:
    """Height, label and colour at the right end of each curve."""
    ends = [
        (float(mean[-1]), f"{policy} {mean[-1]:.2f}", policy_colour(policy))
        for policy, mean in panel.mean.items()
    ]
    if panel.floor is not None:
        last = float(panel.floor[-1])
        ends.append((last, f"any policy ≥ {last:.2f}", COLOURS["floor"]))
    return ends


def _draw_differences(axes: Axes, panel: RegretPanel, *, named: bool) -> None:
    """An interval a policy, and the line at no difference."""
    axes.axvline(0.0, color=policy_colour(panel.reference), linewidth=0.9)
    for row, (policy, difference) in enumerate(panel.differences.items()):
        colour = policy_colour(policy)
        axes.plot((difference.ci_low, difference.ci_high), (row, row), color=colour, linewidth=2.0)
        axes.plot(difference.mean, row, "o", color=colour, markersize=4.0)
    axes.set_ylim(len(panel.differences) - 0.5, -0.5)
    labels = list(panel.differences) if named else []
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0)
    for text, policy in zip(axes.get_yticklabels(), panel.differences, strict=named):
        text.set_color(policy_colour(policy))
    axes.spines["left"].set_visible(False)
    reference = panel.reference
    axes.set_xlabel(f"difference of $R_n/n$ from {reference} (left: better)")
