"""The table of `ctv coverage`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from ctv.screen import _console, _say, digits

if TYPE_CHECKING:
    from simulation.coverage import Coverage


def show(rows: Sequence[Coverage]) -> None:
    """Every cell, those that fall short of their level marked."""
    table = Table("setting", "policy", "prior assumed", "certificate")
    for heading in ("level", "covered", "95 % interval", "ratio", "doubted"):
        table.add_column(heading, justify="right")
    before: tuple[str, str, str] = ("", "", "")
    for row in rows:
        here = (row.setting, row.policy, row.prior)
        # A word is shown where it or one before it is new.
        new = next((i for i in range(3) if here[i] != before[i]), 3)
        shown = ["" if i < new else text for i, text in enumerate(here)]
        table.add_row(
            *shown, row.certificate, f"{row.level:.3g}", f"{row.covered / row.runs:.2f}",
            f"{row.low:.2f} … {row.high:.2f}{' ◂' if row.broken else ''}", digits(row.ratio, 3),
            f"{row.doubted:.2f}",
            style="bold" if row.broken else None,
        )  # fmt: skip
        before = here
    console = _console()
    console.print(table)
    broken = [row for row in rows if row.broken]
    true = [row for row in rows if row.prior == "true"]
    text = (
        "covered: share of runs whose regret is at most the certificate; ◂ marks an interval that "
        "lies below the level. doubted: share of runs whose observations spoke against the assumed "
        "prior at 1 %. "
    )
    text += (
        f"Under the true prior {sum(not row.broken for row in true)} of {len(true)} keep their "
        f"level; under wrong ones {sum(row.prior != 'true' for row in broken)} of "
        f"{len(rows) - len(true)} do not."
    )
    _say(console, text)
