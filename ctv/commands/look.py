"""`ctv FILE`: what a file of durations, or a log, says at a glance; and the page of it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput
from ctv.inputs import NoColumnOfTimes
from ctv.options.problem import (
    NOTHING_GIVEN,
    FileOptions,
    Given,
    ModelOptions,
    Seed,
    as_command,
    checked_seed,
    chosen,
)
from ctv.options.sources import NO_LOGS, FittedLog, LogSources
from ctv.outputs import check_file
from ctv.values.look import Look
from ctv.values.page import FILE_NAME, LONGEST_CERTIFIED

if TYPE_CHECKING:
    from bounds.progress import Stage
    from bounds.reading import Text
    from bounds.times import EvaluationTimes

EXAMPLE = """\
>>> ctv.look([1.0, 2.0, 1.0], epsilon=0.1, domain="arms:3", out="none")
<Look: lower bound 1.614 ≤ proven 13.88 ≤ printed 20.96>
"""

_OF_DRIFT = frozenset(("epsilon", "half_life", "time_kernel"))
_KEPT = frozenset(("delta", "grid"))
"""Options of the model that a fitted log leaves open."""
_OF_BOTH = frozenset(("duration", "end"))
"""Options of durations alone and of a log."""


PageFolder = Annotated[
    Path,
    typer.Option(
        help="Folder for report.html; none: the answer alone, without simulated runs and page.",
        metavar="DIR|none",
    ),
]
NO_PAGE = Path("none")


@dataclass(frozen=True)
class FileToLookAt(FileOptions):
    """The file that comes first."""

    times: Annotated[
        Path | None,
        typer.Argument(
            help="Durations, or the log of any tuner; - is standard input. Write ./NAME for "
            "a file that is named like a command.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None


def look(
    file: FileToLookAt,
    model: ModelOptions,
    logs: LogSources = NO_LOGS,
    out: PageFolder = Path("out"),
    seed: Seed = 0,
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Look:
    """The answer for one file in one line: `ctv FILE`.

    Lower bound ≤ achieved or simulated ≤ proven ≤ printed in the paper. A log with observed values
    is fitted; for durations alone the drift is assumed, and the answer says so.
    """
    from bounds.reading import read_text

    checked_seed(seed)
    if out != NO_PAGE:
        check_file(out / FILE_NAME)
    where: Path | Text | None = None
    if file.given_times is None:
        if file.times is None:
            remedy = "give the path of a file: ctv FILE (or look at ctv example)"
            raise InvalidInput("FILE", "nothing", remedy)
        # What gives its text once is read once.
        once = str(file.times) == "-" or file.times.is_fifo()
        where = read_text(file.times, "FILE") if once else file.times
    named = given.names - _KEPT
    of_model = named & {field.name for field in fields(model)}
    of_model -= {"domain"} if model.has_ranges else set()
    source = None
    if where is not None and not of_model:
        source = logs.of(where, named)
    fitted: FittedLog | None = None
    if source is not None:
        assert where is not None
        fitted = source.fitted(where, seed, model.delta, advance)
        problem = fitted.problem
    else:
        _refuse_unread(logs, given, of_model)
        text = None if where is None else read_text(where, "FILE")
        plain = file if text is None else replace(file, times=text)  # type: ignore[arg-type]
        problem = model.problem(_read(plain, of_log=any(True for _ in logs)))
    from bounds.gain.bounds import bounds_of

    bounds = bounds_of(problem, certify=problem.n <= LONGEST_CERTIFIED, advance=advance)
    said_of_drift = bool(named & _OF_DRIFT) or model.given_problem is not None
    read = FileOptions(duration=file.duration, end=file.end)
    return Look(
        bounds=bounds,
        fitted=fitted,
        assumed=fitted is None and not said_of_drift,
        file="-" if file.times is None else str(file.times),
        writer=None if out == NO_PAGE else partial(_write_page, out, file, model),
        seed=seed,
        options="" if fitted else as_command("", read, model).removeprefix("ctv"),
    )


def _refuse_unread(logs: LogSources, given: Given, of_model: frozenset[str]) -> None:
    """Raise InvalidInput for what says how to read a log where durations alone are read."""
    said = min(of_model, default=None)
    remedy = (
        "drop it: no inputs and no observed value are known, so times alone are read"
        if said is None
        else f"drop it, or drop --{said.replace('_', '-')}: with that, times alone are read"
    )
    given.refuse(remedy, *logs, kept=_OF_BOTH | _KEPT | of_model)


def _write_page(
    out: Path, file: FileOptions, model: ModelOptions, answer: Look, advance: Stage
) -> Path:
    """The page of the report, from what is known already."""
    from ctv.pages import report
    from ctv.pages.content import report_content

    read = FileOptions(Path(answer.file), file.duration, file.end)
    times = chosen(read)
    content = report_content(
        answer.problem,
        range(answer.seed, answer.seed + len(answer.runs)) if answer.runs else None,
        f"ctv {quote(answer.file)}{answer.options}",
        advance,
        options=None if answer.fitted else {"times": times, "model": chosen(model)},
        bounds=answer.bounds,
        runs=answer.runs,
    )
    half_life = answer.half_life if answer.assumed else None
    content = replace(content, source=answer.fitted, half_life=half_life, line=answer.line)
    return report.write(content, out, advance)


def _read(file: FileOptions, *, of_log: bool) -> EvaluationTimes:
    """The times of the file; raises InvalidInput for none and for one without a round."""
    try:
        times = file.read()
    except NoColumnOfTimes as error:
        if not of_log:
            raise
        log = "for a log of trials say --x A,B --y NAME, and --duration equal where it has no times"
        raise InvalidInput(error.field, error.value, f"{error.remedy}; {log}") from None
    if times is None:
        raise InvalidInput("FILE", "nothing", "give the path of a file of durations")
    return times
