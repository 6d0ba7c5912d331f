"""`ctv figure`: one picture, of one problem or of the paper's experiments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.options.problem import ModelOptions, TimesOptions, as_command, made_from
from ctv.options.study import DrawnStudyOptions
from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.progress import Stage

EXAMPLE = """\
>>> picture = ctv.figure("partition", [1.0, 2.0, 1.0], domain="arms:3", out="blocks.png")
"""


_OF_COMMANDS = {"fit": "ctv fit FILE --plot PICTURE"}
"""Figures that are the picture of an answer, and the command that draws it."""


@dataclass(frozen=True, eq=False, repr=False)
class Picture(Shown):
    """A figure and the file that it was written to.

    Attributes
    ----------
    name, path : of the figure, and its file
    drawn : the figure
    command : the command line that draws it again
    origin : what it was made from, for the JSON
    """

    format = "ctv-bounds picture 1"

    name: str
    path: Path
    drawn: Figure
    command: str
    origin: Mapping[str, Any]

    def headline(self) -> str:
        return f"{self.name} in {self.path}"

    def parts(self) -> dict[str, Any]:
        from ctv.figures.canvas import caption_of

        said = {"caption": caption_of(self.drawn), "command": self.command}
        return {"path": self.path, "figure": self.name, **said, **self.origin}

    def screen(self) -> Screen:
        return Screen((f"Wrote {self.path}",), verbatim=True)

    def plot(self) -> Figure:
        return self.drawn

    def _repr_html_(self) -> str:
        from ctv.figures.canvas import with_caption

        return with_caption(self.drawn)


def figure(
    name: Annotated[
        str,
        typer.Argument(
            help="bound-vs-regret, bounds, sweep, partition, gain, ladder, floor, rates, rivals or "
            "certificates of one problem; "
            "coverage and stopping of the bundled studies; findings of the ledger; "
            "regret-uniform, regret-biased, length or ei of the paper's experiments.",
            metavar="NAME",
        ),
    ],
    times: TimesOptions,
    model: ModelOptions,
    studies: DrawnStudyOptions,
    out: Annotated[
        Path | None,
        typer.Option(help="File, .png, .pdf or .svg (default out/NAME.png).", metavar="FILE"),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            help="Simulated runs, with seeds from --seed on (default 8; of experiments 30).",
            metavar="WHOLE",
        ),
    ] = None,
    exploration: Annotated[
        str | None,
        typer.Option(
            help="The exploration of the runs: beta, sqrt-beta or theory (the default; for "
            "the experiments of the paper beta).",
            metavar="NAME",
        ),
    ] = None,
    *,
    advance: Stage,
) -> Picture:
    """One figure: of one problem, or of the paper's experiments."""
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from ctv import extensions
    from ctv.commands.shared import paper
    from ctv.figures import canvas
    from ctv.gallery.problem import FIGURES, checked_runs

    known = (*FIGURES, *extensions.names("figures"), *paper.REGRET_FIGURES)
    if name in _OF_COMMANDS:
        raise InvalidInput("figure", name, f"write {_OF_COMMANDS[name]}")
    if name not in known:
        raise InvalidInput("figure", name, f"use {', '.join(known)}")
    path = canvas.checked_path(Path("out") / f"{name}.png" if out is None else out)
    given = {"out": out, "runs": runs, "exploration": exploration}
    of_paper = name in paper.REGRET_FIGURES
    exploration = exploration or ("beta" if of_paper else "theory")
    count = (30 if of_paper else 8) if runs is None else runs
    seeds = checked_runs(count, times.seed, exploration)
    if of_paper:
        options = studies.of_runs(seeds, exploration)
        drawn, origin = paper.draw_figure(name, times, model, options, advance)
    elif name in FIGURES:
        studies.refuse(name)
        drawn = FIGURES[name](problem, seeds, exploration, advance)
        origin = made_from(problem, times)
    else:
        studies.refuse(name)
        drawn, origin = extensions.load("figures", name)(), made_from(problem, times)
    command = as_command(
        f"figure {name}",
        times,
        model,
        studies,
        **{option: value for option, value in given.items() if value is not None},
    )
    advance("picture", 0.0)
    canvas.save(drawn, path, command)
    return Picture(name, path, drawn, command, origin)
