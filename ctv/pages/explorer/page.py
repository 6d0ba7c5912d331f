"""The explorer as HTML: a fragment for any page, a page of its own, a frame for a notebook."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bounds.gain.bounds import Bounds
from bounds.problem import Problem
from ctv.pages.explorer.data import ExplorerData, explorer_data
from ctv.show.rounding import at_most
from ctv.show.shared import FLOATING
from ctv.show.sheet import Row, Sheet, numbers

_FOLDER = files("ctv.pages.explorer")

EXPLORER_STYLE = (_FOLDER / "explorer.css").read_text(encoding="utf-8")
"""CSS of the explorer; every rule is confined to `.ctv-explorer`."""

_MODULES = (
    *("mathematics.js", "elements.js", "states.js", "optimiser.js", "chart.js", "gauge.js"),
    *("hands.js", "controls.js", "words.js", "saving.js", "explorer.js"),
)

EXPLORER_SCRIPT = "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in _MODULES)
"""An ES module that brings every `.ctv-explorer` of the page to life; it exports `mount`."""

_MOST_ROWS = 30
_WIDTH, _HEIGHT = 720.0, 120.0

_TEMPLATES = Environment(
    loader=PackageLoader("ctv.pages.explorer", "."), autoescape=True, undefined=StrictUndefined
)


def explorer_fragment(
    problem: Problem | ExplorerData,
    *,
    bounds: Bounds | None = None,
    times: Mapping[str, Any] | None = None,
    model: Mapping[str, Any] | None = None,
    sliders: bool = True,
    address: bool = False,
) -> str:
    """The explorer of a problem as HTML to put into a page.

    Parameters
    ----------
    problem : Problem; or its data, where they are at hand
    bounds, times, model, sliders : see `explorer_data`; times and model give the command to copy
    address : whether states may be read from, and written into, the address of the page

    The page needs `EXPLORER_STYLE` in a style element, and `EXPLORER_SCRIPT` in a script element
    of type module, once. Without the script it shows the best partition.
    """
    if isinstance(problem, ExplorerData):
        data = problem
    else:
        data = explorer_data(problem, bounds=bounds, times=times, model=model, sliders=sliders)
    return _TEMPLATES.get_template("fragment.html").render(
        data=data,
        address=address,
        # A text that ends the script element must not appear in it.
        json=Markup(json.dumps(data.to_dict(), ensure_ascii=True).replace("<", "\\u003c")),
        bars=_bars(data),
        width=_WIDTH,
        height=_HEIGHT,
        table=Markup(_table(data).html()),
        value=at_most(data.best.value),
        cap=at_most(data.problem.n * data.problem.trivial_gain_per_round),
    )


def explorer_page(data: ExplorerData) -> str:
    """The explorer as a page of its own, from which no request leaves."""
    return _TEMPLATES.get_template("page.html").render(
        title=f"Explore partitions: {data.presets[0].label}",
        style=Markup(EXPLORER_STYLE),
        script=Markup(EXPLORER_SCRIPT),
        fragment=Markup(explorer_fragment(data, address=True)),
    )


def framed(page: str, height: int = 1100) -> str:
    """A whole page in a frame of a notebook, where nothing of it can meet the notebook's own."""
    return (
        f'<iframe srcdoc="{escape(page)}" title="Explorer of partitions" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )


def _bars(data: ExplorerData) -> list[dict[str, float]]:
    """The blocks of the best partition over the rounds, as boxes of gain with drift upon it."""
    cuts = data.best.partition.cuts
    gains = _gains(data)
    most = max(gain + drift for gain, drift in zip(gains, data.drifts, strict=True)) or 1.0
    scale = _WIDTH / cuts[-1]
    return [
        {
            "x": start * scale,
            "width": (end - start) * scale,
            "gain": gain / most * _HEIGHT,
            "drift": drift / most * _HEIGHT,
        }
        for (start, end), gain, drift in zip(
            data.best.partition.blocks(), gains, data.drifts, strict=True
        )
    ]


def _gains(data: ExplorerData) -> list[float]:
    lengthscale = data.problem.space_kernel.parameters.get("lengthscale")
    curve = data.curves[(data.problem.noise_variance, lengthscale)][1]
    return [float(curve.values[length]) for length in data.best.partition.lengths]


def _table(data: ExplorerData) -> Sheet:
    times = data.problem.times.times
    rows = tuple(
        Row(
            (
                str(i + 1),
                f"{start + 1}–{end}",
                at_most(float(times[start])),
                at_most(float(times[end - 1])),
                at_most(gain),
                at_most(drift),
            )
        )
        for i, ((start, end), gain, drift) in enumerate(
            zip(data.best.partition.blocks(), _gains(data), data.drifts, strict=True)
        )
    )
    left_out = len(rows) - _MOST_ROWS
    notes = (f"{left_out} more blocks are not listed.",) if left_out > 0 else ()
    heads = numbers("block", "rounds", "from τ", "to τ", "gain, nats", "drift, nats")
    return Sheet("", heads, rows[:_MOST_ROWS], FLOATING, notes)
