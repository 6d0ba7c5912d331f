"""Pictures of values that are already computed; nothing here computes a bound or draws a number.

Every figure is a matplotlib `Figure` made without pyplot, so nothing global changes. Upper bounds
keep their colour from picture to picture (Okabe and Ito's palette); a hollow mark is a value in
floating point, a filled one a certified value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from numpy.typing import NDArray

from bounds.errors import InvalidInput
from bounds.partition_search import SearchResult
from bounds.problem import Problem
from bounds.regret import BoundReport

FloatArray = NDArray[np.float64]

SUFFIXES = (".png", ".pdf", ".svg")
_DOTS_PER_INCH = 300
_COLOURS = {
    "trivial": "#6e6e6e",
    "any_pattern": "#009e73",
    "theorem1": "#d55e00",
    "additive": "#cc79a7",
    "refined": "#0072b2",
    "lower": "#000000",
    "run": "#000000",
    "best": "#0072b2",
    "yours": "#000000",
}
_LABELS = {
    "trivial": "trivial cap",
    "any_pattern": "any pattern",
    "theorem1": "Theorem 1",
    "additive": "additive",
    "refined": "refined",
    "best": "best",
    "yours": "yours",
}
_STYLE: dict[Any, Any] = {
    "font.size": 8.0,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "lines.linewidth": 1.3,
    "mathtext.fontset": "dejavusans",
    "svg.hashsalt": "ctv-bounds",  # the same picture is the same file
    "pdf.fonttype": 42,
    "figure.dpi": 150,
}
_SHADES = LinearSegmentedColormap.from_list("drift", ["#dcdcdc", "#56b4e9", "#0072b2", "#06243d"])
# Beyond this many outlines a vector file is slower to open than a picture of them.
_RASTER_ABOVE = 3000


@dataclass(frozen=True, eq=False)
class RegretUnderBounds:
    """Simulated runs of one policy, and the bounds at some of their rounds.

    Attributes
    ----------
    reports : bounds for the first m rounds, m increasing; the last one is for all
    regret, gain : (runs, n) cumulative regret, and cumulative information gain in nats
    policy : name of the policy, with its exploration
    counted : whether the bounds cover this policy, so that a run above one counts against δ
    """

    reports: Sequence[BoundReport]
    regret: FloatArray
    gain: FloatArray
    policy: str
    counted: bool


def bound_vs_regret(seen: RegretUnderBounds) -> Figure:
    """Cumulative regret and gain of the runs under every valid bound, on log axes.

    A bound that never falls below the trivial cap is named there instead of drawn on top of it.
    """
    last = seen.reports[-1]
    rounds = np.array([report.problem.n for report in seen.reports])
    valid = [name for name, bound in last.gains.items() if bound.valid]
    gains = {n: np.array([r.gains[n].value for r in seen.reports]) for n in valid}
    regrets = {n: np.array([r.regret[n] for r in seen.reports]) for n in valid}
    capped = [n for n in valid if n != "trivial" and np.allclose(gains[n], gains["trivial"])]
    labels = dict(_LABELS)
    if capped:
        labels["trivial"] += ";\nno lower: " + ",\n".join(_LABELS[name] for name in capped)
    runs = f"mean of {len(seen.regret)} runs" if len(seen.regret) > 1 else "one run"
    with _figure(7.2, 3.6) as figure:
        left, right = figure.subplots(1, 2)
        for axes, values, curves in ((left, seen.regret, regrets), (right, seen.gain, gains)):
            steps = np.arange(1, values.shape[1] + 1)
            mean = values.mean(axis=0)
            axes.plot(steps, values.T, color="#9a9a9a", linewidth=0.5, alpha=0.7)
            axes.plot(steps, mean, color=_COLOURS["run"], linewidth=1.8)
            ends = [(float(mean[-1]), runs, _COLOURS["run"])]
            for name, curve in curves.items():
                if name in capped:
                    continue
                certified = all(report.gains[name].certified for report in seen.reports)
                axes.plot(
                    rounds, curve, color=_COLOURS[name], marker="o", markersize=2.8,
                    markerfacecolor=_COLOURS[name] if certified else "white", markeredgewidth=0.8,
                )  # fmt: skip
                ends.append((float(curve[-1]), labels[name], _COLOURS[name]))
            axes.set_yscale("log")
            axes.set_ylim(bottom=0.5 * float(mean[mean > 0][0]) if np.any(mean > 0) else None)
            axes.set_xlim(left=0)
            _label_ends(axes, ends)
            axes.set_xlabel("round $m$")
        left.set_title("Cumulative regret")
        left.set_ylabel("$R_m$ (units of $f$, whose prior variance is 1)")
        right.set_title("Cumulative information gain")
        right.set_ylabel(r"$\frac{1}{2}\log\det(I+\tilde K_m/\sigma^2)$ (nats)")
        standing = (
            rf"a run above a bound counts against $\delta={last.problem.delta:g}$"
            if seen.counted
            else "an observation, since no bound here covers this policy"
        )
        _foot(figure, f"{seen.policy}: {standing}. Bounds: {_MARKS}.")
    return figure


def partition(
    problem: Problem, results: Mapping[str, SearchResult], drifts: Mapping[str, FloatArray]
) -> Figure:
    """The evaluation times, the blocks of each optimum coloured by drift, and block lengths.

    Rows are named by objective, or `yours` and `best`; `drifts` has the drift of each block of
    each row, in nats.
    """
    times = problem.times.times
    low, high = float(times[0]), float(times[-1])
    with _figure(7.2, 4.6) as figure:
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
            rasterized=problem.n > _RASTER_ABOVE,
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
                linewidth=0.4 if len(boxes) < 200 else 0.1, rasterized=len(boxes) > _RASTER_ABOVE,
            )  # fmt: skip
            rows.add_collection(drawn)
            _write_lengths(rows, result, edges, row, np.asarray(norm(per_round[name])))
            if result.centers is not None and len(result.centers) <= 200:
                rows.plot(
                    result.centers, np.full(len(result.centers), row + 0.06), "^", markersize=2.4,
                    color=_COLOURS[name], markeredgewidth=0,
                )  # fmt: skip
            sizes = np.array(result.partition.lengths, dtype=float)
            # Narrower from row to row, so that equal partitions show as nested lines.
            lengths.stairs(sizes, edges, color=_COLOURS[name], linewidth=3.0 - row, baseline=None)
            ceiling = max(ceiling, float(sizes.max()))
        rows.set_ylim(len(results), 0)
        rows.set_yticks(
            np.arange(len(results)) + 0.5,
            [
                f"{_LABELS[name]}\n{_counted(len(r.partition), 'block')}"
                for name, r in results.items()
            ],
        )
        rows.tick_params(axis="y", length=0)
        for text, name in zip(rows.get_yticklabels(), results, strict=True):
            text.set_color(_COLOURS[name])
        rows.set_title("Best partition for each bound")
        scale = figure.colorbar(drawn, cax=figure.add_subplot(grid[1, 1]))
        scale.set_label("drift per round\n(nats)")
        scale.outline.set_linewidth(0.4)
        lengths.set_yscale("log")
        lengths.set_ylim(0.8, 1.4 * ceiling)
        _plain_log(lengths)
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
        _foot(figure, f"Searches over all partitions: {exact}.{note}")
    return figure


@dataclass(frozen=True, eq=False)
class GainRange:
    """γ_m from both sides at the m drawn; `cap` is ½m·log(1+1/σ²), all in nats."""

    m: NDArray[np.int64]
    lower: FloatArray
    upper: FloatArray
    cap: FloatArray
    certified: bool


def gain(found: GainRange, description: str) -> Figure:
    """γ_m between its two sides and under the cap; the ratio of the sides below."""
    with _figure(4.6, 3.9) as figure:
        top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.2))
        top.fill_between(found.m, found.lower, found.upper, color=_COLOURS["refined"], alpha=0.18)
        filled = _COLOURS["refined"] if found.certified else "white"
        top.plot(found.m, found.cap, color=_COLOURS["trivial"], linestyle=(0, (4, 2)))
        top.plot(
            found.m, found.upper, color=_COLOURS["refined"], marker="o", markersize=2.8,
            markerfacecolor=filled, markeredgewidth=0.8,
            markevery=max(1, len(found.m) // 12),
        )  # fmt: skip
        top.plot(found.m, found.lower, color=_COLOURS["lower"], linewidth=1.0)
        top.set_xscale("log")
        top.set_yscale("log")
        _label_ends(
            top,
            [
                (found.cap[-1], r"cap $\frac{m}{2}\log(1+1/\sigma^2)$", _COLOURS["trivial"]),
                (found.upper[-1], "upper bound", _COLOURS["refined"]),
                (found.lower[-1], "lower bound", _COLOURS["lower"]),
            ],
        )
        top.set_ylabel(r"$\gamma_m$ (nats)")
        top.set_title("Largest information gain without drift")
        _plain_log(top)
        bottom.plot(found.m, found.upper / found.lower, color=_COLOURS["refined"])
        bottom.axhline(1.0, color="black", linewidth=0.6)
        bottom.set_ylabel("upper / lower")
        bottom.set_xlabel("number of rounds $m$")
        bottom.set_ylim(bottom=1.0 - 0.05 * (float(np.max(found.upper / found.lower)) - 1.0) - 1e-4)
        bottom.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        _foot(figure, f"{description}. Bounds: {_MARKS}.")
    return figure


def save(figure: Figure, path: Path) -> Path:
    """Write a figure as PNG (300 dpi), PDF or SVG by the suffix of `path`; folders are made."""
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidInput("out", str(path), f"end the name in {', '.join(SUFFIXES)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(rendered(figure, path.suffix.lower()))
    except OSError as error:
        raise InvalidInput("out", str(path), f"it cannot be written ({error.strerror})") from None
    return path


def rendered(figure: Figure, suffix: str) -> bytes:
    """The file of a figure as bytes; the same figure gives the same bytes."""
    stamps = {".png": {"Software": None}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    buffer = BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(buffer, format=suffix[1:], dpi=_DOTS_PER_INCH, metadata=stamps[suffix])
    return buffer.getvalue()


_MARKS = "hollow marks in floating point, filled ones certified"


@contextmanager
def _figure(width: float, height: float) -> Iterator[Figure]:
    with matplotlib.rc_context(_STYLE):
        yield Figure(figsize=(width, height), layout="constrained")


def _foot(figure: Figure, text: str) -> None:
    figure.supxlabel(text, fontsize=6.8, color="#444444", x=0.01, ha="left")


def _label_ends(axes: Axes, ends: Sequence[tuple[float, str, str]]) -> None:
    """Name curves at their right end, pushed apart where they would overlap (log y axis)."""
    low, high = axes.get_ylim()
    line = 0.046 * np.log(high / low)
    ordered = sorted(ends, key=lambda end: end[0])
    heights = [np.log(end[0]) for end in ordered]
    room = [0.5 * line * (1 + end[1].count("\n")) for end in ordered]
    for _ in range(300):  # neighbours push each other away until none overlap
        for i in range(len(heights) - 1):
            overlap = room[i] + room[i + 1] - (heights[i + 1] - heights[i])
            if overlap > 1e-9:
                heights[i] -= overlap / 2
                heights[i + 1] += overlap / 2
    for height, (_, label, colour) in zip(heights, ordered, strict=True):
        axes.annotate(
            label, (1.02, np.exp(height)), xycoords=axes.get_yaxis_transform(), color=colour,
            fontsize=7.5, va="center", annotation_clip=False, linespacing=1.0,
        )  # fmt: skip


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


def _plain_log(axes: Axes) -> None:
    """Write 1, 10, 100 rather than powers of ten, and no numbers at minor ticks."""
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
