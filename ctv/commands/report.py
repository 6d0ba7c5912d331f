"""`ctv report`: everything about one problem as a page."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands.explore import model_words, times_words
from ctv.options.problem import (
    NOTHING_GIVEN,
    Given,
    ModelOptions,
    TimesOptions,
    as_command,
    made_from,
)
from ctv.options.sources import NO_SOURCES, ProblemSources, SourcedProblem
from ctv.outputs import check_file
from ctv.show.rounding import counted
from ctv.values.page import FILE_NAME, Page

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.progress import Stage
    from simulation.paper.stored import StoredExperiment

EXAMPLE = """\
>>> page = ctv.report([1.0, 2.0, 1.0], domain="arms:3", runs=2, out="out")
"""

_LONG = 1_000
_FIGURES = ("bounds", "sweep", "partition", "ladder", "bound-vs-regret")


def report(
    times: TimesOptions,
    model: ModelOptions,
    out: Annotated[Path, typer.Option(help="Folder for report.html.", metavar="DIR")] = Path("out"),
    runs: Annotated[
        int | None,
        typer.Option(
            help="Simulated runs, with seeds from --seed on (default 8, none beyond 300 rounds).",
            metavar="WHOLE",
        ),
    ] = None,
    study: Annotated[
        Path | None,
        typer.Option(
            help="Folder of simulate --experiment … --out DIR: the page of its problem, with the "
            "paper's sentences about its experiments, each with a verdict.",
            metavar="DIR",
        ),
    ] = None,
    sources: ProblemSources = NO_SOURCES,
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Page:
    """Everything about one problem as one self-contained HTML page."""
    source: SourcedProblem | None = None
    asked = sources.asked()
    experiments: tuple[StoredExperiment, ...] = ()
    commands: dict[str, str] = {}
    options: dict[str, Any] = {}
    if study is not None:
        problem, experiments = _of_study(study, times, model, sources)
    elif asked is not None:
        source = asked.sourced(times, model, given, advance)
        problem = source.problem
    else:
        problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
        commands = {name: as_command(f"figure {name}", times, model) for name in _FIGURES}
        commands["partition-figure"] = commands["partition"]
        options = {"times": times_words(times), "model": model_words(model)}
    from ctv.gallery.problem import checked_runs
    from ctv.pages import report as page
    from ctv.pages.content import report_content

    seeds = None if runs is None else checked_runs(runs, times.seed, "theory")
    check_file(out / FILE_NAME)
    named = {"out": out, "runs": runs, "study": study, **sources.named()}
    command = as_command(
        "report",
        times,
        model,
        **{name: value for name, value in named.items() if value is not None},
    )
    _warn_of_time(problem, 0 if seeds is None else len(seeds))
    content = report_content(problem, seeds, command, advance, experiments, commands, options)
    assumed = None if source is not None else model.assumed_half_life(times, given)
    content = replace(content, source=source, half_life=assumed)
    return Page(
        page.write(content, out, advance), {**made_from(problem, times), "seed": times.seed}
    )


def _of_study(
    study: Path, times: TimesOptions, model: ModelOptions, sources: ProblemSources = NO_SOURCES
) -> tuple[Problem, tuple[StoredExperiment, ...]]:
    """The problem of the first study with equal times in the folder, and every experiment in it."""
    from simulation.paper.stored import experiment_problem, stored_experiments

    for given, plain, name in ((times, TimesOptions(), "times"), (model, ModelOptions(), "model")):
        if given != plain:
            raise InvalidInput(
                "study", str(study), f"drop the options of {name}: a study has a problem of its own"
            )
    for name, value in sources.named().items():
        raise InvalidInput(name, str(value), "drop it: a study has a prior of its own")
    return experiment_problem(study), stored_experiments(study)


def _warn_of_time(problem: Problem, runs: int) -> None:
    """One line on standard error before what takes a minute or more."""
    minutes = {
        "the bounds": 0.9 + problem.n / _ROUNDS_A_MINUTE if problem.n > _LONG else 0.0,
        "the runs": runs * problem.n**2 * problem.domain.size * _MINUTES_OF_RUNS,
    }
    parts = [f"{what} take about {took:,.0f} min" for what, took in minutes.items() if took >= 0.75]
    if parts:
        print(f"ctv: note: {counted(problem.n, 'round')}: {', '.join(parts)}", file=sys.stderr)


_ROUNDS_A_MINUTE = 200_000
"""One core: 67 s at 2,000 rounds, 44 s at 4,000, 30 to 54 s at 20,000, 80 s at 100,000."""

_MINUTES_OF_RUNS = 5e-11
"""For each run, squared round and point: 7.4 s for 1,000 rounds on 2,500 points."""
