"""`ctv report`: everything about one problem as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ctv.commands.options import (
    NOTHING_GIVEN,
    Given,
    ModelOptions,
    TimesOptions,
    as_command,
    made_from,
)
from ctv.commands.over_prior import Prior, over_prior
from ctv.outputs import check_file
from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from bounds.progress import Stage
    from simulation.prior.problems import PriorSpread


@dataclass(frozen=True, eq=False, repr=False)
class Page(Shown):
    """A page and the file that it was written to.

    Attributes
    ----------
    path : of the file
    origin : what it was made from, for the JSON
    """

    format = "ctv-bounds page 1"

    path: Path
    origin: Mapping[str, Any]

    def headline(self) -> str:
        return str(self.path)

    def parts(self) -> dict[str, Any]:
        return {"path": self.path, **self.origin}

    def screen(self) -> Screen:
        return Screen((f"Wrote {self.path}",), verbatim=True)


def report(
    times: TimesOptions,
    model: ModelOptions,
    out: Annotated[Path, typer.Option(help="Folder for report.html.", metavar="DIR")] = Path("out"),
    runs: Annotated[
        int, typer.Option(help="Simulated runs, with seeds from --seed on.", metavar="WHOLE")
    ] = 8,
    study: Annotated[
        Path | None,
        typer.Option(
            help="Folder of simulate --experiment … --out DIR: the paper's sentences about its "
            "experiments, each with a verdict.",
            metavar="DIR",
        ),
    ] = None,
    prior: Prior = None,
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Page:
    """Everything about one problem as one self-contained HTML page."""
    spread: PriorSpread | None = None
    if prior is not None:
        spread = over_prior(prior, times, model, given, advance)
        problem = spread.fixed.problem
    else:
        problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from ctv.gallery.problem import checked_runs
    from ctv.pages import report as page
    from ctv.pages.content import report_content
    from simulation.paper.stored import stored_experiments

    seeds = checked_runs(runs, times.seed, "theory")
    check_file(out / page.FILE_NAME)
    found = () if study is None else stored_experiments(study)
    named = {"study": study, "prior": prior}
    files = {name: path for name, path in named.items() if path is not None}
    command = as_command("report", times, model, out=out, runs=runs, **files)
    content = report_content(problem, seeds, command, advance, found)
    path = page.write(replace(content, spread=spread), out)
    return Page(path, {**made_from(problem, times), "seed": times.seed})
