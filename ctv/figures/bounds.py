"""`bounds`: every bound on the regret of one problem on one axis, floors and ceilings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isclose

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from bounds.gain.answer import Answer
from bounds.regret.policies import policy_in_words
from bounds.regret.regret_bound import ANY_POLICY, RegretBound
from ctv.figures.canvas import COLOURS, KIND_MARKS, caption, frame, name_rows, plain_log
from ctv.show.rounding import at_least, at_most, counted, digits
from ctv.show.shared import road

_ASKED, _ANY, _OTHER, _MEAN = "#0072b2", "#000000", "#882255", COLOURS["mean"]
_BAND = "#dcecf7"


@dataclass(frozen=True, eq=False)
class BoundsPicture:
    """What is drawn: the answer, and the regret that simulated runs had, if any were made.

    Attributes
    ----------
    answer : every floor and ceiling
    regrets : R_n of each run of the policy asked about, which chose from round 1 on
    policy : the policy of the runs with its exploration, where it is not the one asked about
    brief : leave out what is no smaller than another bound for the same policy and kind
    """

    answer: Answer
    regrets: Sequence[float] = ()
    brief: bool = False
    policy: str = ""


def draw(seen: BoundsPicture, *, wide: bool = True) -> Figure:
    """One row a bound, the largest on top; colour and shape are its kind, fill is certainty."""
    answer = seen.answer
    rows = sorted(_shown(seen), key=lambda row: -row.value)
    best, floor = answer.best(), answer.floor
    with frame(7.2 if wide else 3.9, 1.1 + (0.19 if wide else 0.33) * len(rows)) as figure:
        axes = figure.subplots()
        values = [row.value for row in rows if row.value > 0] + [r for r in seen.regrets if r > 0]
        low, high = min(values, default=0.5), max(values, default=2.0)
        reach = max(high / low, 2.0)
        left, right = low / reach**0.05, high * reach ** (0.22 if wide else 0.4)
        if best is not None and floor is not None and 0.0 < floor.value <= best.value:
            axes.axvspan(floor.value, best.value, color=_BAND, linewidth=0, zorder=0)
        colours = [_colour(row, answer) for row in rows]
        for place, row in enumerate(rows):
            _draw_row(axes, place, row, left, colours[place], bold=row is best)
        if len(seen.regrets):
            _draw_runs(axes, np.asarray(seen.regrets), len(rows))
        name_rows(axes, range(len(rows)), [_name(row) for row in rows], colours, wide=wide)
        for text, row in zip(axes.get_yticklabels(), rows, strict=True):
            text.set_fontweight("bold" if row is best or row is floor else "normal")
        axes.set_ylim(len(rows) - 0.4, -1.6 if len(seen.regrets) else -0.6)
        axes.set_xscale("log")
        axes.set_xlim(left, right)
        plain_log(axes, "x")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("cumulative regret $R_n$ (units of $f$)")
        _legend(figure, seen, wide=wide)
        if wide:
            axes.set_title(_message(answer))
        policy = policy_in_words(
            seen.policy or f"{answer.policy}, exploration {answer.exploration}"
        )
        runs = (
            f" Ticks on top: {counted(len(seen.regrets), 'simulated run')} of {policy}, which "
            "chooses from round 1 on, without random rounds."
            if len(seen.regrets)
            else ""
        )
        band = (
            " Shaded: from the lower bound on expected regret to the best bound for the policy "
            "asked about."
            if best is not None and floor is not None
            else ""
        )
        which = "The smallest bound of each policy and kind" if seen.brief else "All bounds"
        caption(
            figure,
            f"{which} on the regret of {counted(answer.problem.n, 'round')} at these times. "
            f"Diamonds hold with probability {1 - answer.problem.delta:g}, blue for "
            f"{policy_in_words(answer.policy)}, exploration {answer.exploration}, black for "
            "any policy. Ochre circles bound the expected regret of the policy named, which one "
            "run may exceed; "
            "green triangles are lower bounds on the expected regret of any policy. "
            f"Filled: certified.{band}{runs}",
        )
    return figure


def _message(answer: Answer) -> str:
    """What the picture says: how far the lower and the best upper bound are apart."""
    best, floor = answer.best(), answer.floor
    if best is None:
        return "No bound for the policy asked about holds here"
    said = f"Regret of {policy_in_words(answer.policy)} ≤ {at_most(best.value)}"
    if floor is None or floor.value <= 0.0:
        return said
    return f"{said}; expected regret of all ≥ {at_least(floor.value)}"


def _shown(seen: BoundsPicture) -> Iterator[RegretBound]:
    """Floors and ceilings, each once; the smallest of several that share name, policy and kind."""
    answer = seen.answer
    least: dict[tuple[str, str, str, bool], RegretBound] = {}
    for row in answer.uppers:
        if row.value <= 0.0 or (row.name == "theory_smallest" and row is not answer.best()):
            continue  # nothing can be lost on one point; the smallest of others that are here
        key = (row.name, row.covers, row.kind, row.certified)
        least[key] = min(least.get(key, row), row, key=lambda each: each.value)
    kept = {
        (row.covers, row.kind): min(
            r.value for r in least.values() if (r.covers, r.kind) == (row.covers, row.kind)
        )
        for row in least.values()
    }
    main = ("trivial", "theorem1", "refined")
    sure = [row for row in least.values() if row.certified]
    for row in least.values():
        if not row.certified and any(_same(row, other) for other in sure):
            continue
        if not seen.brief or row.name in main or row.value <= kept[(row.covers, row.kind)]:
            yield row
    floors = [row for row in answer.floors if row.value > 0]
    yield from floors if not seen.brief else ([answer.floor] if answer.floor in floors else [])


def _same(row: RegretBound, sure: RegretBound) -> bool:
    """Whether a certified bound says as much of the same policy, or more under the same name."""
    if (row.covers, row.kind) != (sure.covers, sure.kind):
        return False
    return isclose(row.value, sure.value, rel_tol=1e-9) or (
        row.name == sure.name and sure.value <= row.value
    )


def _name(row: RegretBound) -> str:
    """Which bound, and for whom where that is not the policy asked about."""
    name = road(row)
    if row.direction == "lower":
        return f"lower bound: {name}"
    if row.kind == "mean" and row.policy == ANY_POLICY:
        return f"{name}: any policy"
    if row.policy == ANY_POLICY or row.exploration == "theory" or row.policy in name.lower():
        return name
    return f"{name}: {policy_in_words(row.policy)}"


def _colour(row: RegretBound, answer: Answer) -> str:
    if row.direction == "lower":
        return COLOURS["floor"]
    if row.kind == "mean":
        return _MEAN
    if row.policy == ANY_POLICY:
        return _ANY
    asked = (row.policy, row.exploration) == (answer.policy, answer.exploration)
    return _ASKED if asked else _OTHER


def _draw_row(
    axes: Axes, place: int, row: RegretBound, left: float, colour: str, *, bold: bool
) -> None:
    lower = row.direction == "lower"
    axes.plot([left, row.value], [place] * 2, color="#d9dee4", linewidth=0.5, zorder=1)
    axes.plot(
        row.value,
        place,
        linestyle="none",
        color=colour,
        markersize=5.0 if bold else 4.2,
        marker=KIND_MARKS["floor" if lower else row.kind],
        markeredgewidth=0.9,
        markerfacecolor=colour if row.certified else "white",
        clip_on=False,
    )
    axes.annotate(
        (at_least if lower else at_most)(row.value),
        (row.value, place),
        (6, 0),
        textcoords="offset points",
        va="center",
        fontsize=7,
        color=colour,
        fontweight="bold" if bold else "normal",
    )


def _draw_runs(axes: Axes, regrets: np.ndarray, rows: int) -> None:
    """A tick for each run above the rows, and a faint line at their mean through all of them."""
    mean = float(regrets.mean())
    if mean <= 0:
        return
    axes.plot(
        regrets[regrets > 0],
        np.full(int(np.sum(regrets > 0)), -1.0),
        "|",
        color="black",
        markersize=7,
        markeredgewidth=0.8,
    )
    axes.plot([mean] * 2, [-1.0, rows - 0.5], color="black", linewidth=0.8, linestyle=(0, (2, 2)))
    axes.annotate(
        f"simulated runs from round 1, mean {digits(mean)}",
        (float(regrets.max()), -1.0),
        (6, 0),
        textcoords="offset points",
        va="center",
        fontsize=7,
    )


def _legend(figure: Figure, seen: BoundsPicture, *, wide: bool) -> None:
    """Shape and fill, and the colours of what has one of its own."""
    delta = seen.answer.problem.delta
    style = {"linestyle": "none", "color": "#444444", "markersize": 4.2}
    handles = [
        Line2D([], [], marker="D", label=f"with probability {1 - delta:g}", **style),  # type: ignore[arg-type]
        Line2D([], [], marker="o", label="expected regret", **{**style, "color": _MEAN}),  # type: ignore[arg-type]
        Line2D([], [], marker=">", label="lower bound", **{**style, "color": COLOURS["floor"]}),  # type: ignore[arg-type]
        Line2D([], [], marker="s", markerfacecolor="white", label="hollow: not certified", **style),  # type: ignore[arg-type]
    ]
    figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=4 if wide else 2,
        frameon=False,
        fontsize=7,
        handletextpad=0.3,
        columnspacing=1.2,
    )
