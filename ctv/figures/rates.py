"""`rates`: which bound is best at finite n, and the exponent of regret over the drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MultipleLocator

from bounds.arrays import FloatArray
from bounds.rates.phase import PhaseDiagram
from ctv.figures.canvas import COLOURS, caption, frame

_STEPS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.999)
_SHADES = LinearSegmentedColormap.from_list("share", ["#0b3c5d", "#3a86b8", "#a9d0e8", "#e9f2f8"])
_NO_GAIN = "#e4e1dc"
_WRITTEN_N = (25, 60, 130, 300, 700, 1_600, 4_000, 7_000)
_WRITTEN_EPSILON = (3e-9, 3e-8, 3e-7, 2e-6, 8e-6, 6e-4, 1.7e-3)
_HALO = [withStroke(linewidth=1.8, foreground="white")]
_FRONTS = {
    "any_pattern": ("any pattern (Th. B)", "top"),
    "theorem1": ("Theorem 1 as printed", "bottom"),
    "refined": ("refined (Theorem A)", "bottom"),
}


@dataclass(frozen=True)
class Line:
    """An exponent of regret over κ; `dashed` for what is printed rather than derived.

    `dotted` lies above the others and lets a line of the same exponents show through.
    """

    label: str
    colour: str
    exponents: FloatArray
    dashed: bool = False
    dotted: bool = False


@dataclass(frozen=True)
class Point:
    """A setting marked in the diagram."""

    label: str
    n: int
    epsilon: float


@dataclass(frozen=True, eq=False)
class RatesPicture:
    """What the figure shows, already computed.

    Attributes
    ----------
    diagram : over (n, ε), times `spacing` apart
    points : the paper's experiment
    kappa : (m,) drift exponents, and `lines` over them
    gain : how the gain grows, for the title of the right panel
    setting : kernel, domain and noise of the diagram
    """

    diagram: PhaseDiagram
    spacing: float
    points: Sequence[Point]
    kappa: FloatArray
    lines: Sequence[Line]
    gain: str
    setting: str


def draw(seen: RatesPicture) -> Figure:
    """Phase diagram at the left, exponents at the right."""
    winners = set(np.unique(seen.diagram.best[seen.diagram.beats_trivial]).tolist())
    smallest = "; Theorem A is the smallest throughout" if winners == {"refined"} else ""
    with frame(7.4, 4.0) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1.12, 1.0))
        _draw_phases(figure, left, seen)
        _draw_exponents(right, seen)
        caption(
            figure,
            f"Left: {seen.setting}; equal blocks, floating point. Below its line a bound is "
            f"below the trivial upper bound{smallest}. Numbers: best block length of Theorem A. "
            f"{_of_points(seen)}Right: exponents of regret derived for θT = n^κ; rivals at unit "
            "steps.",
        )
    return figure


def _of_points(seen: RatesPicture) -> str:
    """What the diamonds mean, and whether any bound says something there."""
    if not seen.points:
        return ""
    beats = seen.diagram.beats_trivial
    helped = []
    for point in seen.points:
        column = int(np.argmin(np.abs(np.log(seen.diagram.rounds / point.n))))
        row = int(np.argmin(np.abs(np.log(seen.diagram.epsilons / point.epsilon))))
        helped.append(bool(beats[row, column]))
    where = (
        "all lie where every bound is vacuous"
        if not any(helped)
        else f"at {sum(helped)} of {len(helped)} some bound is non-vacuous"
    )
    return (
        "Diamonds: the paper's uniform experiments, each at the ε of equal drift between rounds; "
        f"{where}. "
    )


def _draw_phases(figure: Figure, axes: Axes, seen: RatesPicture) -> None:
    """Smallest bound as a share of the trivial cap, where each bound begins to help, lengths."""
    diagram = seen.diagram
    n, epsilon = diagram.rounds, diagram.epsilons
    axes.set_facecolor(_NO_GAIN)
    shown = axes.contourf(n, epsilon, diagram.share, levels=_STEPS, cmap=_SHADES)
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = []
    for name, (label, side) in _FRONTS.items():
        ratio = diagram.gains[name] / diagram.trivial
        if not np.nanmin(ratio) < _STEPS[-1]:
            continue
        # Where a hypothesis fails there is no bound, which helps as little as one above the cap.
        filled = np.where(np.isnan(ratio), 2.0, ratio)
        axes.contour(n, epsilon, filled, levels=[_STEPS[-1]], colors=COLOURS[name], linewidths=1.6)
        last = int(np.flatnonzero(filled[:, -1] < _STEPS[-1])[-1]) if filled[0, -1] < 1 else 0
        axes.annotate(
            label,
            (n[-1], epsilon[last]),
            xytext=(-4, 4 if side == "bottom" else -3),
            ha="right",
            va=side,
            textcoords="offset points",
            fontsize=7,
            color=COLOURS[name],
            fontweight="bold",
            path_effects=_HALO,
        )
        edge = float(epsilon[last])
        low, high = (0.6, 4.0) if side == "bottom" else (0.25, 1.7)
        labels.append((low * edge, high * edge))
    _write_lengths(axes, diagram, labels)
    for point in seen.points:
        axes.plot(point.n, point.epsilon, "D", color="black", markersize=3.4)
        axes.annotate(
            f"paper, {point.label}",
            (point.n, point.epsilon),
            xytext=(-5, 0),
            textcoords="offset points",
            fontsize=6.5,
            va="center",
            ha="right",
            path_effects=_HALO,
        )
    axes.set_xlim(n[0], n[-1])
    axes.set_ylim(epsilon[0], epsilon[-1])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.set_xlabel("rounds $n$")
    axes.set_ylabel("forgetting rate $\\varepsilon$")
    axes.set_title(f"Smallest bound, times {seen.spacing:g} apart")
    axes.text(
        0.5,
        0.97,
        "every bound is vacuous",
        transform=axes.transAxes,
        fontsize=7,
        ha="center",
        va="top",
        color="#444444",
    )
    scale = figure.colorbar(shown, ax=axes, ticks=(0.0, 0.2, 0.4, 0.6, 0.8), pad=0.02)
    scale.set_label("smallest bound / trivial upper bound")
    scale.outline.set_linewidth(0.4)


def _write_lengths(
    axes: Axes, diagram: PhaseDiagram, labels: Sequence[tuple[float, float]]
) -> None:
    """The best block length of Theorem A at some cells below the trivial cap; n for one block.

    `labels` are the ranges of ε that a text at the right end takes up.
    """
    for n in _WRITTEN_N:
        column = int(np.argmin(np.abs(np.log(diagram.rounds / n))))
        for epsilon in _WRITTEN_EPSILON:
            row = int(np.argmin(np.abs(np.log(diagram.epsilons / epsilon))))
            share = float(diagram.share[row, column])
            covered = any(low <= diagram.epsilons[row] <= high for low, high in labels)
            if share > _STEPS[-1] or (covered and n > diagram.rounds[-1] / 8):
                continue
            length = int(diagram.lengths[row, column])
            axes.text(
                diagram.rounds[column],
                diagram.epsilons[row],
                "$n$" if length == diagram.rounds[column] else f"{length}",
                fontsize=6,
                ha="center",
                va="center",
                color="white" if share < 0.55 else "black",
            )


def _draw_exponents(axes: Axes, seen: RatesPicture) -> None:
    """Every line over κ, thinner from the weakest to the strongest, so that equal ones show."""
    for rank, line in enumerate(seen.lines):
        style: str | tuple[float, tuple[float, float]] = "solid"
        width = max(1.3, 3.3 - 0.4 * rank)
        if line.dashed:
            style, width = (0, (3, 1.5)), 1.1
        elif line.dotted:
            style, width = (0, (1, 2)), 2.2
        axes.plot(
            seen.kappa,
            line.exponents,
            color=line.colour,
            label=line.label,
            linestyle=style,
            linewidth=width,
            zorder=3 if line.dotted else 2,
        )
    top = max(float(np.max(line.exponents)) for line in seen.lines)
    low = min(float(np.min(line.exponents)) for line in seen.lines)
    axes.set_xlim(seen.kappa[0], seen.kappa[-1])
    axes.set_ylim(low - 0.03, max(top, 1.0 + 0.72 * (1.0 - low)))
    axes.set_xlabel("drift $\\kappa = \\log_n \\theta T$")
    axes.set_ylabel("exponent of regret")
    axes.xaxis.set_major_locator(MultipleLocator(1.0))
    axes.set_title(f"Exponents of regret, {seen.gain}")
    axes.legend(frameon=False, fontsize=6.5, loc="upper left", handlelength=1.8)
