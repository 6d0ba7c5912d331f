"""The table of `ctv coverage`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from ctv.show.screen import _console, _say, digits

if TYPE_CHECKING:
    from rich.console import JustifyMethod

    from simulation.after_run.coverage import Coverage


def show(rows: Sequence[Coverage]) -> None:
    """A table for each setting and policy, the cells that fall short of their level marked."""
    from simulation.after_run.coverage import FALSE_ALARM

    console = _console()
    for setting, policy in dict.fromkeys((row.setting, row.policy) for row in rows):
        chosen = [row for row in rows if (row.setting, row.policy) == (setting, policy)]
        console.print(_table(f"{setting} times, {policy}", chosen))
    broken = [row for row in rows if row.broken]
    true = [row for row in rows if row.prior == "true"]
    text = (
        "covered: share of runs whose regret is at most the certificate; ◂ marks one too small for "
        f"the level: exact one-sided binomial p-value below {FALSE_ALARM} / {max(len(true), 1)}, "
        "the rows under the true prior (of the intervals, each at 95 % by itself, a few miss the "
        "level by chance). doubted: share of runs whose observations spoke against the assumed "
        "prior at 1 %."
    )
    if true:
        kept = sum(not row.broken for row in true)
        text += f" Under the true prior {kept} of {len(true)} keep their level."
    if len(rows) > len(true):
        short = sum(row.prior != "true" for row in broken)
        text += f" Under wrong ones {short} of {len(rows) - len(true)} do not."
    _say(console, text)


def _table(title: str, rows: Sequence[Coverage]) -> Table:
    table = Table("prior assumed", "certificate", title=title, title_justify="left")
    for heading in ("level", "covered", "95 % interval", "ratio", "doubted"):
        # The mark behind the interval keeps its place where there is none.
        justify: JustifyMethod = "left" if "interval" in heading else "right"
        table.add_column(heading, justify=justify, no_wrap=True)
    before = ""
    for row in rows:
        table.add_row(
            "" if row.prior == before else row.prior, row.certificate, f"{row.level:.3g}",
            f"{row.covered / row.runs:.2f}",
            f"{row.low:.2f} … {row.high:.2f}{' ◂' if row.broken else ''}", digits(row.ratio, 3),
            f"{row.doubted:.2f}",
            style="bold" if row.broken else None,
        )  # fmt: skip
        before = row.prior
    return table
