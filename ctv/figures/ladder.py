"""`ladder`: a waterfall of the steps of one proof, on a log axis, and marks for what is no step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from bounds.gain.ladder import OUTSIDE, TITLES, Ladder
from bounds.regret.regret_bound import RegretBound
from ctv.figures.canvas import COLOURS, KIND_MARKS, caption, frame, name_rows, plain_log
from ctv.show.rounding import at_least, at_most, digits
from ctv.show.shared import lost, road, rounding_of

_TYPESET = {
    "regret": "cumulative regret $R_n$",
    "deviations": r"sum of $c\sqrt{\beta}\,\sigma$ at the points played",
    "gain_lower": r"lower bound on $\tilde\gamma_n$",
    "gain_upper": r"upper bound on $\tilde\gamma_n$",
    "exact_kernel": "additive, exact time kernel",
    "additive": r"additive, $\theta$ and $C$",
    "phi": r"additive, $\varphi$ and $\varepsilon$",
    "theorem1": r"Theorem 1 as printed ($N\gamma_M$)",
}
_MARKS = {
    "probability": ("with probability", "#7b3294"),
    "mean": ("expected regret at most", COLOURS["mean"]),
    "floor": ("lower bound on expected regret", COLOURS["floor"]),
    "gain": (r"design: no bound through $\tilde\gamma_n$ is lower", "black"),
}
_SHAPES = {**KIND_MARKS, "gain": "<"}
_GROUND, _LOSS, _WORST = "#0072b2", "#9ecae1", "#d55e00"


@dataclass(frozen=True)
class _Mark:
    """What stands beside the proof: a key of `_MARKS`, its name, its value as text and number."""

    kind: str
    name: str
    value: float
    text: str
    certified: bool


def draw(
    seen: Ladder, others: tuple[RegretBound, ...], description: str, *, wide: bool = True
) -> Figure:
    """Every step a bar: what it stands on, then what it adds; the one that loses most stands out.

    What is no step of this proof is a mark below it: the lower bound, the design, and of `others`
    the smallest for each policy and kind.
    """
    steps, marks = seen.steps, list(_marks(seen, others))
    height = 1.1 + (0.25 if wide else 0.38) * (len(steps) + len(marks))
    with frame(7.2 if wide else 3.9, height) as figure:
        axes = figure.subplots()
        values = [*(step.value for step in steps), *(mark.value for mark in marks)]
        values = [value for value in values if value > 0]
        left, right = 0.6 * min(values), max(values)
        for position, step in enumerate(steps):
            before = steps[position - 1].value if position else left
            worst = position > 0 and step is seen.loosest
            axes.barh(
                position,
                step.value - before,
                left=before,
                height=0.62 if wide else 0.4,
                color=_WORST if worst else _LOSS if position else _GROUND,
                edgecolor="black" if step.certified else "none",
                linewidth=0.7,
            )
            if position:
                axes.plot([before] * 2, [position - 1.31, position + 0.31], "k-", linewidth=0.5)
            factor = "" if step.factor is None else f"  ×{digits(step.factor, 3)}"
            axes.annotate(
                f"{rounding_of(step)(step.value)}{factor}",
                (max(step.value, before), position),
                (4, 0),
                textcoords="offset points",
                va="center",
                fontsize=7.5,
                fontweight="bold" if worst else "normal",
            )
        names = [_TYPESET.get(step.name, TITLES[step.name]) for step in steps]
        colours = ["black"] * len(steps)
        for offset, mark in enumerate(marks):
            _draw_mark(axes, mark, len(steps) + offset + 0.4)
            names.append(mark.name)
            colours.append(_MARKS[mark.kind][1])
        places = [*range(len(steps)), *(len(steps) + i + 0.4 for i in range(len(marks)))]
        name_rows(axes, places, names, colours, wide=wide)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlim(left, right * (right / left) ** (0.26 if wide else 0.4))
        plain_log(axes, "x")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("cumulative regret (units of $f$)")
        axes.grid(axis="y", visible=False)
        if marks:
            _legend(figure, marks, wide=wide)
        most = seen.loosest.factor if len(steps) > 1 else None
        if wide and most is not None:
            axes.set_title(f"The loosest step of the proof costs a factor {digits(most, 3)}")
        no_step = " Marks are no step of this proof; filled ones are certified." if marks else ""
        caption(
            figure,
            f"{lost(seen)} {description[:1].upper()}{description[1:]}. Times: {seen.times}. "
            f"Outlined bars are certified.{no_step}",
        )
    return figure


def _marks(seen: Ladder, others: tuple[RegretBound, ...]) -> Iterator[_Mark]:
    """What is no step: the lower bound, the design, the smallest bounds of other methods."""
    design, floor = seen.gain_lower, seen.floor
    if floor is not None and floor.value > 0.0:
        name, value = OUTSIDE["floor"], floor.value
        yield _Mark("floor", name, value, at_least(value), floor.certified)
    if design is not None and design.value > 0.0:
        name, value = _TYPESET["gain_lower"], design.value
        yield _Mark("gain", name, value, at_least(value), design.certified)
    least: dict[tuple[str, str], RegretBound] = {}
    for row in others:
        key = (row.covers, row.kind)
        if row.direction == "upper" and row.name != "theory_smallest" and row.value > 0.0:
            least[key] = min(least.get(key, row), row, key=lambda each: each.value)
    for row in least.values():
        name = f"{road(row)}: {row.covers.replace(', exploration', ',')}"
        yield _Mark(row.kind, name, row.value, at_most(row.value), row.certified)


def _draw_mark(axes: Axes, mark: _Mark, place: float) -> None:
    """Shape and colour say its kind; it is filled where it is certified."""
    colour = _MARKS[mark.kind][1]
    axes.plot(
        mark.value,
        place,
        marker=_SHAPES[mark.kind],
        color=colour,
        markersize=4.5,
        markerfacecolor=colour if mark.certified else "white",
    )
    axes.annotate(
        mark.text,
        (mark.value, place),
        (6, 0),
        textcoords="offset points",
        va="center",
        fontsize=7.5,
        color=colour,
    )


def _legend(figure: Figure, marks: list[_Mark], *, wide: bool) -> None:
    handles = [
        Line2D(
            [],
            [],
            marker=_SHAPES[kind],
            linestyle="none",
            color=colour,
            markersize=4.5,
            label=f"{label} $1-\\delta$" if kind == "probability" else label,
        )
        for kind, (label, colour) in _MARKS.items()
        if any(mark.kind == kind for mark in marks)
    ]
    figure.legend(
        handles=handles, loc="outside upper left", ncols=2 if wide else 1, frameon=False, fontsize=7
    )
