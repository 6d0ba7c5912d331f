"""`ctv simulate`: a study, its statistics, and how it stands to the bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bounds.errors import InvalidInput
from bounds.progress import Stage
from ctv.commands.study_options import StudyOptions

if TYPE_CHECKING:
    from simulation.study.beside_bounds import BesideBounds
    from simulation.study.statistics import Summary
    from simulation.study.study import Progress, Study, StudySpec


@dataclass(frozen=True, eq=False)
class Simulated:
    """A finished study, its statistics, and every run of it beside the bounds."""

    study: Study
    summary: Summary
    beside: BesideBounds


def run(spec: StudySpec, options: StudyOptions, advance: Stage) -> Simulated:
    """Run the study, or what its folder lacks of it, and compare every run with the bounds."""
    from simulation.study.beside_bounds import beside_bounds
    from simulation.study.statistics import summarize
    from simulation.study.study import run_study

    with cluster(options):
        study = run_study(spec, options.out, options.workers, counted(advance), options.backend)
    return Simulated(study, summarize(study), beside_bounds(study, progress=counted(advance)))


def counted(advance: Stage, before: int = 0, in_all: int | None = None) -> Progress:
    """Report cells as a share; `before` of `in_all` were done by other studies."""

    def watch(done: int, total: int, message: str) -> None:
        all_of_them = total if in_all is None else in_all
        advance(f"{before + done} of {all_of_them}, {message}", (before + done) / all_of_them)

    return watch


@contextmanager
def cluster(options: StudyOptions) -> Iterator[None]:
    """Make the Dask cluster asked for the current one; nothing to do for other backends.

    Raises InvalidInput where its extra is not installed or its scheduler does not answer.
    """
    if options.backend != "dask":
        if options.scheduler is not None:
            raise InvalidInput("scheduler", options.scheduler, "drop it, or use --backend dask")
        yield
        return
    if options.workers < 1:
        raise InvalidInput("workers", options.workers, "give a whole number of at least 1")
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InvalidInput(
            "backend", "dask", "it needs the extra: pip install 'ctv-bounds[cluster]'"
        ) from None
    if options.scheduler is not None:
        try:
            client = Client(options.scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise InvalidInput(
                "scheduler", options.scheduler, f"it does not answer ({error})"
            ) from None
        with client:
            yield
        return
    with (
        LocalCluster(
            n_workers=options.workers, threads_per_worker=1, dashboard_address=None
        ) as here,
        Client(here),
    ):
        yield
