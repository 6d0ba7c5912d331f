"""How a study runs: its cells counted for the progress, its cluster, its weight of σ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bounds.errors import InvalidInput

if TYPE_CHECKING:
    from bounds.progress import Stage
    from ctv.options.study import StudyOptions
    from simulation.study.study import Progress, StudySpec


def exploration_of(spec: StudySpec) -> str | None:
    """The weight of σ; None for expected improvement, which has none."""
    return spec.exploration if spec.acquisition == "ucb" else None


def counted(advance: Stage, before: int = 0, in_all: int | None = None) -> Progress:
    """Report cells as a share; `before` of `in_all` were done by other studies."""

    def watch(done: int, total: int, message: str) -> None:
        all_of_them = total if in_all is None else in_all
        advance(f"{before + done} of {all_of_them}, {message}", (before + done) / all_of_them)

    return watch


@contextmanager
def cluster(options: StudyOptions) -> Iterator[tuple[str, int]]:
    """Backend and number of processes; the Dask cluster asked for is made the current one.

    Raises InvalidInput where its extra is not installed or its scheduler does not answer.
    """
    backend, workers, scheduler = options.computed_by()
    if backend != "dask":
        yield backend, workers
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        remedy = "it needs the extra: pip install 'ctv-bounds[cluster]'"
        raise InvalidInput("workers", options.workers, remedy) from None
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            remedy = f"the scheduler does not answer ({error})"
            raise InvalidInput("workers", options.workers, remedy) from None
        with client:
            yield backend, workers
        return
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as here,
        Client(here),
    ):
        yield backend, workers
