"""The published bounds beside ours: as JSON rows, as a table, and in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from ctv.show.screen import _console, _say, at_most, digits, title

if TYPE_CHECKING:
    from bounds.promises.report import BoundReport
    from bounds.rivals import Rival

HEADS = ("published bound", "gain", "regret", "applies", "why, or what was chosen")


def payload(rows: Sequence[Rival]) -> list[dict[str, Any]]:
    """The rows of `rivals` in `ctv bound`."""
    return [
        {
            "name": row.name,
            "source": row.source,
            "gain": row.gain,
            "regret": row.regret,
            "applies": row.applies,
            "reason": row.reason,
            "form": row.form,
            "regret_kind": row.regret_kind,
            "beta": row.beta,
            "regret_box": row.regret_box,
            "beta_box": row.beta_box,
        }
        for row in rows
    ]


def cells(row: Rival) -> tuple[str, ...]:
    """One row of a table under `HEADS`."""
    form = "" if row.form == "printed" else f", {row.form}"
    # The reason ends with what the box rests on.
    box = "" if row.regret_box is None else f", regret {at_most(row.regret_box)}"
    return (
        f"{short(row.source)}{form}",
        "–" if row.gain is None else at_most(row.gain),
        "–" if row.regret is None else at_most(row.regret),
        "yes" if row.applies else "no",
        row.reason + box,
    )


def short(source: str) -> str:
    """A source without its arXiv number."""
    return re.sub(r" \(\d{4}\.\d{5}\)", "", source)


def standing(rows: Sequence[Rival], report: BoundReport) -> str:
    """Who is best where the hypotheses hold, and what the regrets are."""
    able = [row for row in rows if row.applies and row.gain is not None]
    found = "No published bound on γ̃ₙ has all its hypotheses here."
    if able:
        first = min(able, key=lambda row: row.gain or 0.0)
        ratio = (first.gain or 0.0) / report.best
        found = (
            f"Smallest of those that apply: {short(first.source)}, {digits(ratio)} times the "
            f"{title(report.best_name)}."
        )
    return (
        f"{found} Regret on the grid, with probability {1 - report.problem.delta:g} or where it "
        "says so in expectation; these are bounds for the policies of their authors."
    )


def show(rows: Sequence[Rival], report: BoundReport) -> None:
    """The table that follows that of our own bounds."""
    table = Table(HEADS[0])
    for heading in HEADS[1:3]:
        table.add_column(heading, justify="right")
    for heading in HEADS[3:]:
        table.add_column(heading)
    for row in rows:
        table.add_row(*cells(row), style=None if row.applies else "dim")
    console = _console()
    _say(console, "Published bounds", "bold")
    console.print(table)
    _say(console, standing(rows, report))
