"""`sentences`: a forest plot of what the paper says of its experiments, against simulated runs."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ctv.figures.canvas import caption, frame
from simulation.paper.findings import Finding, Outcome
from simulation.paper.stored import StoredExperiment

_LOOKS = {
    Outcome.SUPPORTED: ("#0072b2", "o"),
    Outcome.CONTRADICTED: ("#d55e00", "X"),
    Outcome.NOT_SUPPORTED: ("#6e6e6e", "s"),
}
"""Colour and mark of each verdict."""


def draw(variants: Sequence[StoredExperiment], *, wide: bool = True) -> Figure:
    """A row a sentence, in it an interval for each variant: the comparison that decides it.

    An interval is of the difference that the sentence is about; where it lies left of the line,
    the sentence's side is the better one. Blue: supported; orange: contradicted; grey: neither.
    """
    judged = [one for one in variants if one.findings]
    rows = list(zip(*(one.findings for one in judged), strict=True))
    letters = 62 if wide else 48
    texts = [fill(row[0].sentence.statement, letters) for row in rows]
    line = 0.135 if wide else 0.145
    heights = [
        max(line * (text.count("\n") + 1) + 0.12, 0.17 * len(judged) + 0.12) for text in texts
    ]
    if not wide:
        heights = [line * (t.count("\n") + 1) + 0.17 * len(judged) + 0.2 for t in texts]
    with frame(7.2 if wide else 3.9, sum(heights) + 1.0) as figure:
        axes = figure.subplots()
        axes.axvline(0.0, color="black", linewidth=0.8)
        top = 0.0
        places = []
        for row, text, height in zip(rows, texts, heights, strict=True):
            middle = top + 0.5 * height
            if not wide:
                taken = line * (text.count("\n") + 1)
                axes.annotate(
                    text,
                    (0.0, top + 0.08),
                    xycoords=axes.get_yaxis_transform(),
                    fontsize=6.5,
                    va="top",
                )
                middle = top + taken + 0.5 * (height - taken) + 0.04
            places.append(middle)
            for k, finding in enumerate(row):
                _interval(axes, finding, middle + 0.17 * (k - 0.5 * (len(row) - 1)))
            top += height
            axes.axhline(top, color="#d9dee4", linewidth=0.5)
        axes.set_ylim(top, 0.0)
        axes.set_yticks(places, texts if wide else [""] * len(texts), fontsize=6.8)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("difference of regret per round, or of the logarithm of its deviation")
        _legend(figure, judged, wide=wide)
        names = ", ".join(one.variant for one in judged)
        caption(
            figure,
            f"What the paper says of {variants[0].figure}, in other words, against "
            f"{judged[0].seeds} runs of each policy. For each sentence the comparison that decides "
            "it, left side minus right side, with its paired 95 % interval (variants from top to "
            f"bottom: {names}). Crosses: contradicted; circles: supported; squares: the runs do "
            "not decide.",
        )
    return figure


def _interval(axes: Axes, finding: Finding, height: float) -> None:
    worst = finding.deciding
    colour, mark = _LOOKS[finding.outcome]
    axes.plot([worst.low, worst.high], [height] * 2, color=colour, linewidth=1.3)
    axes.plot(worst.difference, height, mark, color=colour, markersize=4.5)


def _legend(figure: Figure, judged: Sequence[StoredExperiment], *, wide: bool) -> None:
    present = {finding.outcome for one in judged for finding in one.findings}
    handles = [
        Line2D([], [], marker=mark, color=colour, markersize=4.5, label=outcome.value)
        for outcome, (colour, mark) in _LOOKS.items()
        if outcome in present
    ]
    figure.legend(
        handles=handles, loc="outside upper left", ncols=3 if wide else 2, frameon=False, fontsize=7
    )
