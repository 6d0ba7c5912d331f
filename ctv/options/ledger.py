"""Options of `ctv verify` that name a file to check again, or a ledger of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bounds.errors import InvalidInput

_FILE, _OWN = "A certificate", "A ledger of your own"


@dataclass(frozen=True)
class RecheckOptions:
    """Which certificate is checked again, by which checker, and about which times it must be."""

    recheck: Annotated[
        Path | None,
        typer.Option(
            help="Check a file of --certificate by independent code instead.",
            metavar="FILE",
            rich_help_panel=_FILE,
        ),
    ] = None
    kernel: Annotated[
        bool,
        typer.Option(
            "--kernel",
            help="With --recheck, ask the proved checker about regret, gain and lower bound of "
            "a file of bounds; with --prover too, inside the proof assistant.",
            rich_help_panel=_FILE,
        ),
    ] = False
    times: Annotated[
        Path | None,
        typer.Option(
            help="Times that a file of bounds must be about.", metavar="FILE", rich_help_panel=_FILE
        ),
    ] = None

    def refuse_without_file(self) -> None:
        """Raise InvalidInput for what says how to check a file where none is named."""
        for option, value in (("kernel", self.kernel), ("times", self.times)):
            if value:
                given = "" if value is True else str(value)
                raise InvalidInput(option, given, "name a certificate of bounds with --recheck")


@dataclass(frozen=True)
class OwnLedgerOptions:
    """Which ledgers of one's own are read or begun, and what is asked of the proof of a claim."""

    claims: Annotated[
        list[Path] | None,
        typer.Option(
            help="A ledger of your own: a file of claims, a folder with paper.toml, or the name "
            "of one that an installed package has.",
            metavar="PATH",
            rich_help_panel=_OWN,
        ),
    ] = None
    new: Annotated[
        Path | None,
        typer.Option(
            help="Write the start of such a ledger: paper.toml, or a file.",
            metavar="FILE",
            rich_help_panel=_OWN,
        ),
    ] = None
    script: Annotated[
        Path | None,
        typer.Option(
            "--try",
            help="Ask the proof assistant about a script for one claim; auto looks for one.",
            metavar="FILE",
            rich_help_panel=_OWN,
        ),
    ] = None

    def places(self) -> tuple[Path, ...]:
        """The paths of the ledgers.

        A name without a file is that of a ledger of an installed package.
        """
        from ctv.extensions import load, names

        known = names("ledgers")
        return tuple(
            Path(str(load("ledgers", str(path))))
            if str(path) in known and not path.exists()
            else path
            for path in self.claims or ()
        )
