"""How a study runs: its cells counted for the progress, its cluster, its weight of σ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bounds.errors import InvalidInput
from ctv.options.problem import checked_workers

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
def cluster(options: StudyOptions) -> Iterator[None]:
    """Make the Dask cluster asked for the current one; nothing to do for other backends.

    Raises InvalidInput where its extra is not installed or its scheduler does not answer.
    """
    checked_workers(options.workers)
    name, _, scheduler = options.backend.partition(":")
    if name != "dask":
        yield
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InvalidInput(
            "backend", "dask", "it needs the extra: pip install 'ctv-bounds[cluster]'"
        ) from None
    if scheduler:
        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise InvalidInput(
                "backend", options.backend, f"the scheduler does not answer ({error})"
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
