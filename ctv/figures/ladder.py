"""`ladder`: a waterfall from what happened to what Theorem 1 says, on a log axis."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from bounds.promises.ladder import TITLES, Ladder, Step
from bounds.regret_itself.regret_bound import RegretBound
from ctv.figures.canvas import COLOURS, KIND_MARKS, caption, frame, name_rows, plain_log
from ctv.show.rounding import at_most, digits
from ctv.show.shared import road, rounding_of

_TYPESET = {
    "regret": "cumulative regret $R_n$",
    "deviations": r"$\Sigma\,c\sqrt{\beta}\,\sigma$ of the points played",
    "gain_lower": r"$\tilde\gamma_n$, lower side",
    "gain_upper": r"$\tilde\gamma_n$, upper side",
    "exact_kernel": r"$\Sigma\gamma_M$, $\log(1+\cdot)$, exact kernel",
    "additive": r"with $\theta$ and $C$",
    "phi": r"with $\varphi$ and $\varepsilon$",
    "theorem1": r"$N\gamma_M$: Theorem 1 as printed",
}
_OF_MARKS = (
    " and filled marks are certified. Marks are bounds that are no step of this chain: the "
    "smallest for each policy, in the mean or with probability."
)
_GROUND, _LOSS, _WORST, _BESIDE = "#0072b2", "#9ecae1", "#d55e00", "#7b3294"


def draw(
    seen: Ladder, beside: tuple[RegretBound, ...], description: str, *, wide: bool = True
) -> Figure:
    """Every rung a bar: what it stands on, then what it adds; the one that loses most stands out.

    Bounds of another kind or for other policies are marks below the chain, the smallest for each.
    """
    steps = seen.steps
    rungs = {step.value for step in steps if step.name == "best_bound"}
    rows = [row for row in _smallest(beside) if row.value not in rungs]
    height = 0.9 + (0.25 if wide else 0.38) * (len(steps) + len(rows))
    with frame(7.2 if wide else 3.9, height) as figure:
        axes = figure.subplots()
        lowest = min(s.value for s in steps if s.value > 0)
        left = 0.6 * min([lowest, *(row.value for row in rows)])
        right = max([*(s.value for s in steps), *(row.value for row in rows)])
        for position, step in enumerate(steps):
            before = steps[position - 1].value if position else left
            worst = position > 0 and step is seen.loosest
            axes.barh(
                position, step.value - before, left=before, height=0.62 if wide else 0.4,
                color=_WORST if worst else _colour(step, position),
                edgecolor="black" if step.certified else "none", linewidth=0.7,
            )  # fmt: skip
            if position:
                axes.plot([before] * 2, [position - 1.31, position + 0.31], "k-", linewidth=0.5)
            factor = "" if step.factor is None else f"  ×{digits(step.factor, 3)}"
            axes.annotate(
                f"{rounding_of(step)(step.value)}{factor}", (max(step.value, before), position),
                (4, 0), textcoords="offset points", va="center", fontsize=7.5,
                fontweight="bold" if worst else "normal",
            )  # fmt: skip
        names = [_TYPESET.get(step.name, TITLES[step.name]) for step in steps]
        for offset, row in enumerate(rows):
            _mark(axes, row, len(steps) + offset + 0.4)
            names.append(f"{road(row)} ({row.covers.replace(', exploration', ',')})")
        places = [*range(len(steps)), *(len(steps) + i + 0.4 for i in range(len(rows)))]
        name_rows(axes, places, names, ["black"] * len(names), wide=wide)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlim(left, right * (right / left) ** (0.26 if wide else 0.4))
        plain_log(axes, "x")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("cumulative regret (units of $f$)")
        axes.grid(axis="y", visible=False)
        if rows:
            _legend(axes, {row.kind for row in rows})
        caption(
            figure,
            f"{_title(seen)}. From the floor to the trivial cap, what each step of the proof "
            f"costs: {description}. Times: {seen.times}. Outlined bars"
            f"{_OF_MARKS if rows else ' are certified.'}",
        )
    return figure


def _mark(axes: Axes, row: RegretBound, place: float) -> None:
    """A bound of another kind: its mark says which, filled where it is certified."""
    axes.plot(
        row.value, place, marker=KIND_MARKS[row.kind], color=_BESIDE, markersize=4.5,
        markerfacecolor=_BESIDE if row.certified else "white",
    )  # fmt: skip
    axes.annotate(
        at_most(row.value), (row.value, place), (6, 0), textcoords="offset points", va="center",
        fontsize=7.5, color=_BESIDE,
    )  # fmt: skip


def _legend(axes: Axes, kinds: set[str]) -> None:
    words = {"mean": "in the mean", "probability": r"with probability $1-\delta$"}
    handles = [
        Line2D([], [], marker=KIND_MARKS[kind], linestyle="none", color=_BESIDE, markersize=4.5,
               markerfacecolor="white", label=words[kind])
        for kind in sorted(kinds)
    ]  # fmt: skip
    axes.figure.legend(
        handles=handles, loc="outside upper left", ncols=2, frameon=False, fontsize=7
    )


def _colour(step: Step, position: int) -> str:
    if step.name == "floor":
        return COLOURS["floor"]
    return _GROUND if step.name == "regret" or not position else _LOSS


def _smallest(beside: tuple[RegretBound, ...]) -> list[RegretBound]:
    """Of the ceilings the smallest for each policy and kind, in their order."""
    least: dict[tuple[str, str], RegretBound] = {}
    for row in beside:
        key = (row.covers, row.kind)
        if row.direction == "upper" and row.name != "theory_smallest" and row.value > 0.0:
            least[key] = min(least.get(key, row), row, key=lambda each: each.value)
    return list(least.values())


def _title(seen: Ladder) -> str:
    loosest = seen.loosest
    total = seen.steps[-1].value / seen.steps[0].value if seen.steps[0].value else np.inf
    most = digits(loosest.factor or 0.0, 3)
    return f"A factor of {digits(total, 3)} in all, most of it ({most}) at “{TITLES[loosest.name]}”"
