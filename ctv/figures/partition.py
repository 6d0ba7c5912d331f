"""`partition`: the evaluation times, and the blocks of each bound's best partition."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bounds.partition_search import SearchResult
from bounds.problem import Problem
from ctv.figures.canvas import COLOURS, LABELS, foot, frame, plain_log

FloatArray = NDArray[np.float64]

_SHADES = LinearSegmentedColormap.from_list("drift", ["#dcdcdc", "#56b4e9", "#0072b2", "#06243d"])
# Beyond this many outlines a vector file is slower to open than a picture of them.
RASTER_ABOVE = 3000


def draw(
    problem: Problem, results: Mapping[str, SearchResult], drifts: Mapping[str, FloatArray]
) -> Figure:
    """The evaluation times, the blocks of each optimum coloured by drift, and block lengths.

    Rows are named by objective, or `yours` and `best`; `drifts` has the drift of each block of
    each row, in nats.
    """
    times = problem.times.times
    low, high = float(times[0]), float(times[-1])
    with frame(7.2, 4.6) as figure:
        grid = figure.add_gridspec(3, 2, height_ratios=(1.0, 1.1, 1.0), width_ratios=(60, 1))
        counts = figure.add_subplot(grid[0, 0])
        rows = figure.add_subplot(grid[1, 0], sharex=counts)
        lengths = figure.add_subplot(grid[2, 0], sharex=counts)
        picked = np.unique(np.linspace(0, problem.n - 1, min(problem.n, 4000)).astype(int))
        counts.plot(
            (low, high), (1, problem.n), color="#6e6e6e", linewidth=0.6, linestyle=(0, (4, 3))
        )
        counts.step(times[picked], picked + 1, where="post", color="black", linewidth=1.0)
        counts.plot(
            times[picked], np.full(len(picked), 0.06), "|", color="black", markersize=6,
            markeredgewidth=0.4, alpha=0.5, transform=counts.get_xaxis_transform(),
            rasterized=problem.n > RASTER_ABOVE,
        )  # fmt: skip
        counts.set_ylim(bottom=-0.16 * problem.n)
        counts.set_ylabel("rounds observed")
        counts.set_title(r"Evaluation times $\tau_i$ (dashed: equally spaced)")

        per_round = {
            name: drifts[name] / np.array(result.partition.lengths)
            for name, result in results.items()
        }
        norm = Normalize(0.0, max(float(np.max(d)) for d in per_round.values()) or 1.0)
        ceiling = 1.0
        for row, (name, result) in enumerate(results.items()):
            edges = _edges(result, times)
            boxes = [
                [(a, row + 0.14), (b, row + 0.14), (b, row + 0.86), (a, row + 0.86)]
                for a, b in pairwise(edges)
            ]
            drawn = PolyCollection(
                boxes, array=per_round[name], cmap=_SHADES, norm=norm, edgecolor="white",
                linewidth=0.4 if len(boxes) < 200 else 0.1, rasterized=len(boxes) > RASTER_ABOVE,
            )  # fmt: skip
            rows.add_collection(drawn)
            _write_lengths(rows, result, edges, row, np.asarray(norm(per_round[name])))
            if result.centers is not None and len(result.centers) <= 200:
                rows.plot(
                    result.centers, np.full(len(result.centers), row + 0.06), "^", markersize=2.4,
                    color=COLOURS[name], markeredgewidth=0,
                )  # fmt: skip
            sizes = np.array(result.partition.lengths, dtype=float)
            # Narrower from row to row, so that equal partitions show as nested lines.
            lengths.stairs(sizes, edges, color=COLOURS[name], linewidth=3.0 - row, baseline=None)
            ceiling = max(ceiling, float(sizes.max()))
        rows.set_ylim(len(results), 0)
        rows.set_yticks(
            np.arange(len(results)) + 0.5,
            [
                f"{LABELS[name]}\n{_counted(len(r.partition), 'block')}"
                for name, r in results.items()
            ],
        )
        rows.tick_params(axis="y", length=0)
        for text, name in zip(rows.get_yticklabels(), results, strict=True):
            text.set_color(COLOURS[name])
        rows.set_title("Best partition for each bound")
        scale = figure.colorbar(drawn, cax=figure.add_subplot(grid[1, 1]))
        scale.set_label("drift per round\n(nats)")
        scale.outline.set_linewidth(0.4)
        lengths.set_yscale("log")
        lengths.set_ylim(0.8, 1.4 * ceiling)
        plain_log(lengths)
        lengths.set_ylabel("rounds $M_i$")
        lengths.set_title("Block lengths")
        lengths.set_xlabel(r"time $\tau$ (unit of the durations)")
        margin = 0.01 * (high - low) or 0.5
        lengths.set_xlim(low - margin, high + margin)
        for axes in (counts, rows):
            axes.tick_params(labelbottom=False)
        centred = any(r.centers is not None for r in results.values())
        note = " Triangles: centres of Theorem A." if centred else ""
        hidden = sum(int(np.sum(np.diff(_edges(r, times)) == 0)) for r in results.values())
        if hidden:
            note += (
                f" Of no width, as all their rounds are at one time: {_counted(hidden, 'block')}."
            )
        searched = [
            r for r in results.values() if r.gap == r.gap
        ]  # NaN: not the result of a search
        exact = "exact" if all(r.exact for r in searched) else "not all exact"
        foot(figure, f"Searches over all partitions: {exact}.{note}")
    return figure


def _edges(result: SearchResult, times: FloatArray) -> FloatArray:
    """Where blocks meet on the time axis: halfway between the rounds on either side."""
    inner = np.array(result.partition.cuts[1:-1], dtype=int)
    middle = 0.5 * (times[inner - 1] + times[inner])
    return np.concatenate((times[:1], middle, times[-1:]))


def _write_lengths(
    axes: Axes, result: SearchResult, edges: FloatArray, row: int, shades: FloatArray
) -> None:
    """The number of rounds inside each block, where most of them have room for it."""
    lengths = result.partition.lengths
    widths = np.diff(edges) / (edges[-1] - edges[0] or 1.0)
    roomy = widths > 0.013 * np.array([len(str(length)) for length in lengths])
    if 2 * np.count_nonzero(roomy) < len(lengths):
        return
    for i in np.flatnonzero(roomy):
        axes.text(
            0.5 * (edges[i] + edges[i + 1]), row + 0.5, str(lengths[i]), ha="center", va="center",
            fontsize=6.0, color="white" if shades[i] > 0.4 else "black",
        )  # fmt: skip


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
