"""`ctv example`: `ctv FILE` on evaluation times that come with the project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ctv.commands.look import FileToLookAt, look
from ctv.options.problem import NOTHING_GIVEN, Given, ModelOptions

if TYPE_CHECKING:
    from bounds.progress import Stage
    from ctv.values.look import Look


def example(
    model: ModelOptions,
    out: Annotated[Path, typer.Option(help="Folder for report.html.", metavar="DIR")] = Path("out"),
    no_page: Annotated[
        bool, typer.Option("--no-page", help="Print the answer alone: no simulated runs, no page.")
    ] = False,
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Look:
    """`ctv FILE` on the measured evaluation times that come with the project."""
    from ctv.inputs import bundled_times

    file = FileToLookAt(times=bundled_times())
    return look(file, model, out=out, no_page=no_page, given=given, advance=advance)
