"""`ctv explore`: partitions of the evaluation times as a page to play with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ctv.options.problem import Given, ModelOptions, TimesOptions, chosen, made_from
from ctv.outputs import check_file, write_whole
from ctv.values.page import Page

if TYPE_CHECKING:
    from bounds.progress import Stage

FILE_NAME = "explore.html"

_START = TimesOptions(sequence="bursts:bursts=8,gap=0.05", n=400, total=4000.0)
_START_EPSILON = 1e-3
"""Bursts whose best partition is seen at a glance, where no times are given."""

_ON_SLIDERS = ("epsilon", "half_life", "noise_variance", "lengthscale")


@dataclass(frozen=True, eq=False, repr=False)
class Explorer(Page):
    """The explorer's page and the file that it was written to; a notebook shows the page.

    Attributes
    ----------
    page : its HTML
    """

    page: str

    def _repr_html_(self) -> str:
        from ctv.pages.explorer import framed

        return framed(self.page)


def explore(
    times: TimesOptions,
    model: ModelOptions,
    given: Given,
    out: Annotated[Path, typer.Option(help="Folder for explore.html.", metavar="DIR")] = Path(
        "out"
    ),
    *,
    advance: Stage,
) -> Explorer:
    """Move the cuts of a partition by hand, beside the best one: one self-contained page.

    Without evaluation times: 8 bursts of 50 rounds, at --epsilon 1e-3.
    """
    if times == TimesOptions(seed=times.seed) and times.given_times is None:
        times = replace(_START, seed=times.seed)
        if not given.names & {"epsilon", "half_life"} and model.given_problem is None:
            model = replace(model, epsilon=_START_EPSILON)
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from ctv.pages.explorer import explorer_data, explorer_page

    check_file(out / FILE_NAME)
    data = explorer_data(
        problem,
        label="8 bursts" if times.family == "bursts" and times.shape.get("bursts") == 8 else None,
        times=times_words(times),
        model=model_words(model),
        advance=advance,
    )
    page = explorer_page(data)
    return Explorer(write_whole(out / FILE_NAME, page.encode()), made_from(problem, times), page)


def times_words(times: TimesOptions) -> dict[str, Any] | None:
    """The options that give these times on the command line; None for times from Python."""
    return None if times.given_times is not None else chosen(times)


def model_words(model: ModelOptions) -> dict[str, Any] | None:
    """The options of the model that no slider holds; None for a problem from Python."""
    if model.given_problem is not None:
        return None
    return {name: value for name, value in chosen(model).items() if name not in _ON_SLIDERS}
