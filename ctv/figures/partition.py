"""`partition`: the evaluation times round by round, and the blocks of each best partition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from bounds.arrays import FloatArray, IntArray
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from ctv.figures.canvas import COLOURS, caption, colour_of, frame
from ctv.show.rounding import counted
from ctv.show.shared import title

_SHADES = LinearSegmentedColormap.from_list("drift", ["#dcdcdc", "#56b4e9", "#0072b2", "#06243d"])
RASTER_ABOVE = 3000
"""Outlines beyond which a vector file is slower to open than a picture of them."""

_MOST_CUTS = 40
"""Cuts that are drawn through the times: with more they would be a bar code."""


def draw(
    problem: Problem,
    results: Mapping[str, SearchResult],
    drifts: Mapping[str, FloatArray],
    *,
    wide: bool = True,
) -> Figure:
    """When each round ended, and below, over the same rounds, the blocks coloured by drift.

    Over rounds a block is as wide as it is long, however its rounds lie in time: bursts and one
    enormous gap stay readable. Neighbouring blocks of one length are one bar, with their number.
    Rows are named by objective, or `yours` and `best`; `drifts` has the drift of each block of
    each row, in nats.
    """
    times = problem.times.times
    per_round = {
        name: drifts[name] / np.array(result.partition.lengths) for name, result in results.items()
    }
    norm = Normalize(0.0, max(float(np.max(d)) for d in per_round.values()) or 1.0)
    height = 2.2 + 0.42 * len(results)
    with frame(7.2 if wide else 3.9, height) as figure:
        grid = figure.add_gridspec(
            2, 2, height_ratios=(1.2, 0.42 * len(results)), width_ratios=(60 if wide else 30, 1)
        )
        clock = figure.add_subplot(grid[0, 0])
        rows = figure.add_subplot(grid[1, 0], sharex=clock)
        clock.set_xlim(0.5, problem.n + 0.5)
        last = results[list(results)[-1]]
        _draw_times(clock, times, np.array(last.partition.cuts)[1:-1])
        key = " (dashed: equally spaced; dotted: cuts of the last row)" if wide else ""
        clock.set_title(rf"Evaluation times $\tau_i${key}")
        for row, (name, result) in enumerate(results.items()):
            _draw_row(rows, row, _bars(result, per_round[name]), norm, problem.n)
        rows.set_ylim(len(results), 0)
        blocks = [len(result.partition) for result in results.values()]
        counts = [counted(count, "block") for count in blocks]
        names = [f"{title(n)}\n{count}" for n, count in zip(results, counts, strict=True)]
        rows.set_yticks(np.arange(len(results)) + 0.5, names)
        rows.tick_params(axis="y", length=0)
        for text, name in zip(rows.get_yticklabels(), results, strict=True):
            text.set_color(colour_of(name))
        falling = len(set(blocks)) == len(blocks) > 1 and blocks == sorted(blocks, reverse=True)
        said = "Tighter bounds need fewer blocks" if falling and wide else "The best blocks"
        rows.set_title(said)
        rows.set_xlabel("round $i$")
        rows.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
        rows.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        scale = figure.colorbar(
            ScalarMappable(norm=norm, cmap=_SHADES), cax=figure.add_subplot(grid[1, 1])
        )
        scale.set_label("drift per\nround (nats)")
        scale.outline.set_linewidth(0.4)
        clock.tick_params(labelbottom=False)
        # A gap of NaN belongs to a partition that was given, not searched.
        inexact = any(not r.exact and not np.isnan(r.gap) for r in results.values())
        exact = "not exact for every row" if inexact else "exact"
        cuts = f" Dotted: cuts of {title(list(results)[-1])}." if last.partition else ""
        caption(
            figure,
            f"{problem.times.source}: when each of its {counted(problem.n, 'round')} ended, and "
            "the partition into blocks that makes each bound on the information gain smallest; a "
            "number in a bar is the length of its block, k × l stands for k blocks of l rounds. "
            f"Darker blocks pay more for drift; the dashed line is equal spacing.{cuts} Search: "
            f"{exact}.",
        )
    return figure


@dataclass(frozen=True, eq=False)
class _Bars:
    """Runs of neighbouring blocks of one length: first rounds, counts, lengths, mean drift."""

    first: IntArray
    count: IntArray
    length: IntArray
    drift: FloatArray


def _bars(result: SearchResult, per_round: FloatArray) -> _Bars:
    cuts = np.array(result.partition.cuts)
    lengths = np.diff(cuts)
    # A run of a few blocks stays several bars: one by one they say more.
    fresh = np.concatenate(([True], lengths[1:] != lengths[:-1]))
    run = np.cumsum(fresh) - 1
    sizes = np.bincount(run)
    if len(lengths) <= _MOST_CUTS:
        fresh[:] = True
        run, sizes = np.arange(len(lengths)), np.ones(len(lengths), dtype=np.int64)
    mean = np.bincount(run, weights=per_round) / sizes
    return _Bars(cuts[:-1][fresh], sizes, lengths[fresh], mean)


def _draw_times(axes: Axes, times: FloatArray, cuts: IntArray) -> None:
    """τ over rounds, a line of equal spacing, and the cuts where they are few."""
    n = len(times)
    shown = np.unique(np.linspace(0, n - 1, min(n, 4000)).astype(int))
    axes.plot(
        (1, n),
        (times[0], times[-1]),
        color=COLOURS["trivial"],
        linewidth=0.7,
        linestyle=(0, (4, 3)),
    )
    style = {"marker": "o", "markersize": 2.2} if n <= 60 else {}
    axes.plot(shown + 1, times[shown], color="black", linewidth=1.2, **style)  # type: ignore[arg-type]
    if len(cuts) <= _MOST_CUTS:
        for cut in cuts:
            axes.axvline(cut + 0.5, color=COLOURS["refined"], linewidth=0.7, linestyle=":")
    axes.set_ylabel(r"time $\tau_i$")


def _draw_row(axes: Axes, row: int, bars: _Bars, norm: Normalize, n: int) -> None:
    """One row of bars from their first to their last round, each with what it stands for."""
    left = bars.first + 0.5
    right = left + bars.count * bars.length
    boxes = [
        [(a, row + 0.16), (b, row + 0.16), (b, row + 0.84), (a, row + 0.84)]
        for a, b in zip(left, right, strict=True)
    ]
    many = len(boxes) > RASTER_ABOVE
    few = len(boxes) <= 3 * _MOST_CUTS
    axes.add_collection(
        PolyCollection(
            boxes,
            array=bars.drift,
            cmap=_SHADES,
            norm=norm,
            edgecolors="white",
            linewidths=0.8 if few else 0.0,
            rasterized=many,
        )
    )
    written = [
        f"{length:,}" if count == 1 else f"{count:,} × {length:,}"
        for count, length in zip(bars.count, bars.length, strict=True)
    ]
    wide = axes.figure.get_figwidth() > 5  # type: ignore[union-attr]
    letter = 0.012 if wide else 0.026
    room = (right - left) / n - letter * np.array([len(text) for text in written])
    for i in np.flatnonzero(room > 0):
        axes.text(
            0.5 * (left[i] + right[i]),
            row + 0.5,
            written[i],
            va="center",
            ha="center",
            fontsize=6.5,
            color="white" if norm(bars.drift[i]) > 0.4 else "black",
        )
