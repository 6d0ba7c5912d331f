"""`ladder`: a waterfall from what happened to what Theorem 1 says, on a log axis."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from bounds.promises.ladder import TITLES, Ladder, Step
from bounds.regret_itself.regret_bound import RegretBound
from ctv.figures.canvas import foot, frame
from ctv.show.rounding import at_most, digits
from ctv.show.shared import rounding_of

_BESIDE_TITLES = {
    "cap": "cap 2√β·n",
    "envelope": "noise inflation, envelope",
    "cauchy_schwarz": "noise inflation",
    "tail": "sandwich with its tail",
    "sandwich_upper": "sandwich",
    "constant_exploration": "constant exploration",
    "theorem_t": "Theorem T",
    "theorem_t_variances": "Theorem T, variances",
    "irgp_ucb": "as published",
    "expected_maximum": "n·m*",
    "theorem_m": "Theorem M",
    "margin": "margin",
    "schedule": "Theorem X",
    "simulation": "simulation",
    "simulation_mean": "simulation",
}
_FLOOR, _GROUND, _LOSS, _WORST, _BESIDE = (
    "#56b4e9", "#0072b2", "#9ecae1", "#d55e00", "#009e73",
)  # fmt: skip


def draw(seen: Ladder, beside: tuple[RegretBound, ...], description: str) -> Figure:
    """Every rung a bar: what it stands on, then what it adds; the one that loses most stands out.

    Bounds of another kind or for other policies are marks below the chain, the smallest for each.
    """
    steps = seen.steps
    rows = _smallest(beside)
    height = 0.9 + 0.27 * (len(steps) + len(rows))
    with frame(7.2, height) as figure:
        axes = figure.subplots()
        lowest = min(s.value for s in steps if s.value > 0)
        left = 0.6 * min([lowest, *(row.value for row in rows)])
        right = max([*(s.value for s in steps), *(row.value for row in rows)])
        for position, step in enumerate(steps):
            before = steps[position - 1].value if position else left
            worst = position > 0 and step is seen.loosest
            axes.barh(
                position, step.value - before, left=before, height=0.62,
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
        names = [TITLES[step.name] for step in steps]
        for offset, row in enumerate(rows):
            place = len(steps) + offset + 0.4
            axes.plot(row.value, place, marker="D", color=_BESIDE, markersize=4.5)
            what = "in the mean" if row.kind == "mean" else f"probability {row.level:g}"
            axes.annotate(
                f"{at_most(row.value)}, {what}", (row.value, place), (6, 0),
                textcoords="offset points", va="center", fontsize=7.5, color=_BESIDE,
            )  # fmt: skip
            names.append(f"{_BESIDE_TITLES.get(row.name, row.name)} ({_policy(row)})")
        places = [*range(len(steps)), *(len(steps) + i + 0.4 for i in range(len(rows)))]
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlim(left, right * (right / left) ** 0.32)
        axes.set_xlabel("cumulative regret (units of $f$)")
        axes.grid(axis="y", visible=False)
        figure.suptitle(_title(seen), fontsize=8.5, fontweight="bold", x=0.01, ha="left")
        foot(figure, f"{description}. Times: {seen.times}. Outlined: certified, rounded outward.")
    return figure


def _colour(step: Step, position: int) -> str:
    if step.name == "floor":
        return _FLOOR
    return _GROUND if step.name == "regret" or not position else _LOSS


def _smallest(beside: tuple[RegretBound, ...]) -> list[RegretBound]:
    """Of the ceilings the smallest for each policy and kind, in their order."""
    least: dict[tuple[str, str], RegretBound] = {}
    for row in beside:
        key = (row.covers, row.kind)
        if row.direction == "upper" and row.name != "theory_smallest":
            least[key] = min(least.get(key, row), row, key=lambda each: each.value)
    return list(least.values())


def _policy(row: RegretBound) -> str:
    return row.covers


def _title(seen: Ladder) -> str:
    loosest = seen.loosest
    total = seen.steps[-1].value / seen.steps[0].value if seen.steps[0].value else np.inf
    most = digits(loosest.factor or 0.0, 3)
    return f"×{digits(total, 3)} in all, most (×{most}) at “{TITLES[loosest.name]}”"
