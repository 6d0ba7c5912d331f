"""`ctv explore`: the page of one problem, whose partitions can be moved by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ctv.options.problem import (
    Given,
    ModelOptions,
    TimesOptions,
    as_command,
    chosen,
    made_from,
)
from ctv.outputs import check_file
from ctv.show.shown import Screen
from ctv.values.page import FILE_NAME, Page

if TYPE_CHECKING:
    from bounds.progress import Stage

EXAMPLE = """\
>>> page = ctv.explore([1.0, 2.0, 1.0], domain="arms:3", out="out")
"""

_START = TimesOptions(sequence="bursts:bursts=8,gap=0.05", n=400, total=4000.0)
_START_EPSILON = 1e-3
"""Bursts whose best partition is seen at a glance, where no times are given."""

_ON_SLIDERS = ("epsilon", "half_life", "noise_variance", "lengthscale")


@dataclass(frozen=True, eq=False, repr=False)
class Explorer(Page):
    """The page of the problem and its file; a notebook shows the partitions alone.

    Attributes
    ----------
    partitions : the HTML of the explorer alone
    """

    partitions: str

    def screen(self) -> Screen:
        where = f"Its partitions: {self.path.absolute().as_uri()}#explorer"
        return Screen((f"Wrote {self.path}", where), verbatim=True)

    def _repr_html_(self) -> str:
        from ctv.pages.explorer import framed

        return framed(self.partitions)


def explore(
    times: TimesOptions,
    model: ModelOptions,
    given: Given,
    out: Annotated[Path, typer.Option(help="Folder for report.html.", metavar="DIR")] = Path("out"),
    *,
    advance: Stage,
) -> Explorer:
    """Move the cuts of a partition by hand, beside the best one: on the page of `ctv report`.

    Without evaluation times: 8 bursts of 50 rounds, at --epsilon 1e-3.
    """
    if times == TimesOptions(seed=times.seed) and times.given_times is None:
        times = replace(_START, seed=times.seed)
        if not given.names & {"epsilon", "half_life"} and model.given_problem is None:
            model = replace(model, epsilon=_START_EPSILON)
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from ctv.pages import report as page
    from ctv.pages.content import report_content
    from ctv.pages.explorer import explorer_data, explorer_fragment, explorer_page

    check_file(out / FILE_NAME)
    data = explorer_data(
        problem,
        label="8 bursts" if times.family == "bursts" and times.shape.get("bursts") == 8 else None,
        times=times_words(times),
        model=model_words(model),
        advance=advance,
    )
    command = as_command("explore", times, model, **({} if out == Path("out") else {"out": out}))
    explorer = explorer_fragment(data, address=True)
    content = report_content(problem, None, command, advance, explorer=explorer)
    written = page.write(content, out, advance)
    return Explorer(written, made_from(problem, times), explorer_page(data))


def times_words(times: TimesOptions) -> dict[str, Any] | None:
    """The options that give these times on the command line; None for times from Python."""
    return None if times.given_times is not None else chosen(times)


def model_words(model: ModelOptions) -> dict[str, Any] | None:
    """The options of the model that no slider holds; None for a problem from Python."""
    if model.given_problem is not None:
        return None
    return {name: value for name, value in chosen(model).items() if name not in _ON_SLIDERS}
