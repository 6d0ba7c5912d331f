"""Which certificates of finished runs are asked for, and of which rounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options.named_values import listed
from ctv.options.problem import Given, Seed, checked_seed, whole_number

_option = partial(typer.Option, rich_help_panel="Certificates")

_SIMULATION = "simulation:"


@dataclass(frozen=True)
class CertifyOptions:
    """Which certificates, and of which rounds."""

    bound: Annotated[
        str,
        _option(
            help="Comma list of rank, expected, probability, expected-forward, "
            "probability-forward and, for a study, simulation:RUNS, which needs no data, by so "
            "many more runs of each policy. For a prior that is not known: average; or worst-case, "
            "one for each prior of a finite set; or plug-in, with the best taken as the true one, "
            "which undercovers.",
            metavar="LIST",
        ),
    ] = "rank,expected,probability"
    draws: Annotated[
        int,
        _option(
            help="Posterior paths S that rank draws, from 1/δ − 1 to 1000000.", metavar="WHOLE"
        ),
    ] = 99
    seed: Seed = 0
    rounds: Annotated[
        str,
        _option(
            help="all, or own: without the random ones that came first; all data count as before.",
            metavar="NAME",
        ),
    ] = "all"
    runs: Annotated[
        int | None,
        _option(help="For a study: the first so many runs of each policy.", metavar="WHOLE"),
    ] = None
    workers: Annotated[
        int, _option(help="Number of processes of simulation:RUNS.", metavar="WHOLE")
    ] = 1
    certificate: Annotated[
        Path | None,
        _option(
            help="For one run: write what is needed to check its rank certificate again.",
            metavar="FILE",
        ),
    ] = None

    @property
    def listed(self) -> tuple[str, ...]:
        """What `--bound` lists, as it was written."""
        return listed(self.bound)

    @property
    def simulations(self) -> int | None:
        """RUNS of simulation:RUNS; None without."""
        counts = (name.partition(":")[2] for name in self.listed if name.startswith(_SIMULATION))
        return next((whole_number("bound", count) for count in counts), None)

    @property
    def own(self) -> bool:
        """Whether the regret of the random rounds is left out."""
        return self.rounds == "own"

    def checked(self, given: Given) -> tuple[str, ...]:
        """The names of the certificates; raises InvalidInput for an unknown one or a bad seed."""
        from simulation.after_run.certificates import checked_names

        listed = [name for name in self.listed if not name.startswith(_SIMULATION)]
        if not listed:
            remedy = "list rank, expected or probability beside it"
            raise InvalidInput("bound", self.bound, remedy)
        names = checked_names(listed)
        checked_seed(self.seed)
        if self.rounds not in ("all", "own"):
            raise InvalidInput("rounds", self.rounds, "use all or own")
        if "draws" in given.names and "rank" not in names:
            raise InvalidInput("draws", self.draws, "drop it: of these certificates none draws any")
        return names
