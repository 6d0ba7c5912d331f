"""`partition`: the evaluation times, and the blocks of each bound's best partition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bounds.arrays import FloatArray
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from ctv.figures.canvas import COLOURS, LABELS, foot, frame, plain_log

_SHADES = LinearSegmentedColormap.from_list("drift", ["#dcdcdc", "#56b4e9", "#0072b2", "#06243d"])
# Beyond this many outlines a vector file is slower to open than a picture of them.
RASTER_ABOVE = 3000

_MOST_CENTERS = 200


def draw(
    problem: Problem, results: Mapping[str, SearchResult], drifts: Mapping[str, FloatArray]
) -> Figure:
    """The evaluation times, the blocks of each optimum coloured by drift, and block lengths.

    Rows are named by objective, or `yours` and `best`; `drifts` has the drift of each block of
    each row, in nats.
    """
    times = problem.times.times
    per_round = {
        name: drifts[name] / np.array(result.partition.lengths) for name, result in results.items()
    }
    norm = Normalize(0.0, max(float(np.max(d)) for d in per_round.values()) or 1.0)
    with frame(7.2, 4.6) as figure:
        grid = figure.add_gridspec(3, 2, height_ratios=(1.0, 1.1, 1.0), width_ratios=(60, 1))
        counts = figure.add_subplot(grid[0, 0])
        rows = figure.add_subplot(grid[1, 0], sharex=counts)
        lengths = figure.add_subplot(grid[2, 0], sharex=counts)
        margin = 0.01 * float(times[-1] - times[0]) or 0.5
        counts.set_xlim(times[0] - margin, times[-1] + margin)
        _draw_times(counts, times)
        for row, (name, result) in enumerate(results.items()):
            blocks = _Blocks.of(result, times)
            _draw_row(rows, row, blocks, COLOURS[name], per_round[name], norm)
            _draw_lengths(lengths, row, blocks, COLOURS[name])
        rows.set_ylim(len(results), 0)
        names = [f"{LABELS[n]}\n{_counted(len(r.partition), 'block')}" for n, r in results.items()]
        rows.set_yticks(np.arange(len(results)) + 0.5, names)
        rows.tick_params(axis="y", length=0)
        for text, name in zip(rows.get_yticklabels(), results, strict=True):
            text.set_color(COLOURS[name])
        rows.set_title("Best partition for each bound")
        scale = figure.colorbar(
            ScalarMappable(norm=norm, cmap=_SHADES), cax=figure.add_subplot(grid[1, 1])
        )
        scale.set_label("drift per round\n(nats)")
        scale.outline.set_linewidth(0.4)
        longest = max(max(result.partition.lengths) for result in results.values())
        lengths.set_yscale("log")
        lengths.set_ylim(0.7, 1.6 * max(longest, 10))
        plain_log(lengths)
        lengths.set_ylabel("rounds $M_i$")
        lengths.set_title("Block lengths")
        lengths.set_xlabel(r"time $\tau$ (unit of the durations)")
        for axes in (counts, rows):
            axes.tick_params(labelbottom=False)
        centred = any(r.centers is not None for r in results.values())
        note = " Diamonds: centres of Theorem A." if centred else ""
        # A gap of NaN belongs to a partition that was given, not searched.
        inexact = any(not r.exact and not np.isnan(r.gap) for r in results.values())
        exact = "not exact for every row" if inexact else "exact"
        foot(
            figure,
            f"Bars: first to last round of a block; marks below: cuts.{note} Search: {exact}.",
        )
    return figure


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Times of the first and of the last round of each block, lengths, and centres if any."""

    first: FloatArray
    last: FloatArray
    lengths: NDArray[np.int64]
    centers: FloatArray | None

    @classmethod
    def of(cls, result: SearchResult, times: FloatArray) -> _Blocks:
        cuts = np.array(result.partition.cuts)
        return cls(times[cuts[:-1]], times[cuts[1:] - 1], np.diff(cuts), result.centers)

    @property
    def many(self) -> bool:
        """Whether a picture of the blocks is smaller than their outlines."""
        return len(self.first) > RASTER_ABOVE


def _draw_times(axes: Axes, times: FloatArray) -> None:
    """Rounds observed over time, a line of equal spacing, and a mark at every time."""
    n = len(times)
    shown = np.unique(np.linspace(0, n - 1, min(n, 4000)).astype(int))
    axes.plot(
        (times[0], times[-1]),
        (1, n),
        color=COLOURS["trivial"],
        linewidth=0.6,
        linestyle=(0, (4, 3)),
    )
    axes.step(times[shown], shown + 1, where="post", color="black", linewidth=1.0)
    axes.plot(
        times[shown], np.full(len(shown), 0.06), "|", color="black", markersize=6,
        markeredgewidth=0.4, alpha=0.5, transform=axes.get_xaxis_transform(),
        rasterized=n > RASTER_ABOVE,
    )  # fmt: skip
    axes.set_ylim(bottom=-0.16 * n)
    axes.set_ylabel("rounds observed")
    axes.set_title(r"Evaluation times $\tau_i$ (dashed: equally spaced)")


def _draw_row(
    axes: Axes, row: int, blocks: _Blocks, colour: str, per_round: FloatArray, norm: Normalize
) -> None:
    """One row of blocks from their first to their last round, with centres and cuts."""
    low, high = axes.get_xlim()
    # A block of one round has no width: draw it as a line.
    least = 0.00125 * (high - low)
    middle = 0.5 * (blocks.first + blocks.last)
    left = np.minimum(blocks.first, middle - least)
    right = np.maximum(blocks.last, middle + least)
    boxes = [
        [(a, row + 0.12), (b, row + 0.12), (b, row + 0.7), (a, row + 0.7)]
        for a, b in zip(left, right, strict=True)
    ]
    drawn = PolyCollection(
        boxes, array=per_round, cmap=_SHADES, norm=norm, linewidth=0, rasterized=blocks.many
    )
    axes.add_collection(drawn)
    cuts = 0.5 * (blocks.last[:-1] + blocks.first[1:])
    axes.vlines(cuts, row + 0.76, row + 0.94, color=colour, linewidth=0.5, rasterized=blocks.many)
    if blocks.centers is not None and len(blocks.centers) <= _MOST_CENTERS:
        axes.plot(
            blocks.centers, np.full(len(blocks.centers), row + 0.41), "D", markersize=2.6,
            color="white", markeredgecolor="black", markeredgewidth=0.5,
        )  # fmt: skip
    written = [f"{length:,}" for length in blocks.lengths]
    room = (right - left) / (high - low) - 0.013 * np.array([len(text) for text in written])
    for i in np.flatnonzero(room > 0):
        axes.text(
            left[i] + 0.006 * (high - low), row + 0.41, written[i], va="center", fontsize=6.0,
            color="white" if norm(per_round[i]) > 0.4 else "black",
        )  # fmt: skip


def _draw_lengths(axes: Axes, row: int, blocks: _Blocks, colour: str) -> None:
    """The length of each block over its time; smaller from row to row, so that equal ones show."""
    axes.hlines(blocks.lengths, blocks.first, blocks.last, color=colour, linewidth=2.4 - 0.7 * row)
    low, high = axes.get_xlim()
    narrow = blocks.last - blocks.first < 0.01 * (high - low)
    axes.plot(
        0.5 * (blocks.first + blocks.last)[narrow], blocks.lengths[narrow], "o", color=colour,
        markersize=5.0 - 1.2 * row, markeredgewidth=0, rasterized=blocks.many,
    )  # fmt: skip


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
