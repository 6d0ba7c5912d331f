"""`ctv example`: `ctv FILE` on a search that comes with the project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ctv.commands.look import FileToLookAt, look
from ctv.options.problem import NOTHING_GIVEN, Given, ModelOptions

if TYPE_CHECKING:
    from bounds.progress import Stage
    from ctv.values.look import Look


_USUAL: dict[str, Any] = {
    "dimension": 1,
    "lengthscale": 1.0,
    "noise_variance": 0.1,
    "epsilon": 0.04,
}
"""The model of the example, where nobody gives another."""


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
    """`ctv FILE` on a measured Hyperband search that comes with the project.

    Unless options say otherwise: one input of lengthscale 1, noise variance 0.1, ε = 0.04 per
    second, for which the best blocks are the brackets of the search.
    """
    from ctv.inputs import bundled_search

    file = FileToLookAt(times=bundled_search())
    usual = {name: value for name, value in _USUAL.items() if name not in given.names}
    if given.names & {"half_life", "time_kernel"}:
        usual.pop("epsilon", None)
    model, given = replace(model, **usual), Given(given.names | {"epsilon"})
    return look(file, model, out=out, no_page=no_page, given=given, advance=advance)
