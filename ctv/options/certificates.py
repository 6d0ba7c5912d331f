"""Which certificates of finished runs are asked for, and of which rounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput

if TYPE_CHECKING:
    from ctv.options.problem import Given

_option = partial(typer.Option, rich_help_panel="Certificates")


@dataclass(frozen=True)
class CertifyOptions:
    """Which certificates, and of which rounds."""

    certificates: Annotated[
        str,
        _option(
            help="Comma list of rank, expected, probability, expected-forward and "
            "probability-forward.",
            metavar="LIST",
        ),
    ] = "rank,expected,probability"
    paths: Annotated[
        int, _option(help="Posterior paths S of rank, from 1/δ − 1 to 1000000.", metavar="WHOLE")
    ] = 99
    seed: Annotated[
        int,
        _option(help="The seed of the posterior paths and of the simulations.", metavar="WHOLE"),
    ] = 0
    own: Annotated[
        bool,
        _option("--own", help="Only the policy's own rounds; all data count as before."),
    ] = False
    runs: Annotated[
        int | None,
        _option(help="For a study: the first so many runs of each policy.", metavar="WHOLE"),
    ] = None
    simulations: Annotated[
        int | None,
        _option(
            help="For a study: simulate so many more runs of each policy, for the simulation "
            "certificate, which needs no data.",
            metavar="WHOLE",
        ),
    ] = None
    workers: Annotated[
        int, _option(help="Number of processes of --simulations.", metavar="WHOLE")
    ] = 1
    certificate: Annotated[
        Path | None,
        _option(
            help="For one run: write what is needed to check its rank certificate again.",
            metavar="FILE",
        ),
    ] = None

    def checked(self, given: Given) -> tuple[str, ...]:
        """The names of the certificates; raises InvalidInput for an unknown one or a bad seed."""
        from simulation.after_run.certificates import checked_names

        names = checked_names([name.strip() for name in self.certificates.split(",")])
        if self.seed < 0:
            raise InvalidInput("seed", self.seed, "give a whole number of at least 0")
        if "paths" in given.names and "rank" not in names:
            raise InvalidInput("paths", self.paths, "drop it: of these certificates none draws any")
        return names
