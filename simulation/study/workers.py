"""Runs in parallel: the same bits for any number of processes; a cell that kills one is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Protocol, TypeVar

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from bounds.errors import CtvBoundsError, InvalidInput
from bounds.numerics.threads import one_blas_thread
from simulation.model.covariance import Factor

BACKENDS = ("loky", "dask")

Key = tuple[str, int, int]
"""Policy, seed, and which of the candidates of cross-validation."""


class StudyFailed(CtvBoundsError, RuntimeError):
    """A cell could not be finished, its worker having died twice."""


class Cell(Protocol):
    """One run to be made."""

    @property
    def policy(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def key(self) -> Key: ...


C = TypeVar("C", bound=Cell)
R = TypeVar("R")
Make = Callable[[C, Factor], tuple[Key, R]]


def check_workers(workers: int, backend: str) -> None:
    """Raise InvalidInput unless so many workers of this backend can be asked."""
    if backend not in BACKENDS:
        raise InvalidInput("backend", backend, f"use {', '.join(BACKENDS)}")
    if backend == "dask":
        try:
            import_module("distributed").get_client()
        except ImportError:
            raise InvalidInput("backend", "dask", "install ctv-bounds[cluster]") from None
        except ValueError:
            raise InvalidInput("backend", "dask", "connect a distributed.Client first") from None
    if workers < 1:
        raise InvalidInput("workers", workers, "give a whole number of at least 1")


def computed(
    jobs: Sequence[C],
    make: Make[C, R],
    factor: Factor,
    workers: int,
    backend: str,
    told: Callable[[str], None],
) -> Iterator[tuple[C, R]]:
    """The runs of these jobs, as they are finished; each tried again once if its worker dies.

    Parameters
    ----------
    jobs : no two with one key
    make : (job, factor) ↦ the job's key and its run; called with one BLAS thread
    factor : what all jobs share
    workers, backend : as in `simulation.study.study.run_study`
    told : hears that a worker died

    Raises StudyFailed if the worker of a job dies twice.
    """
    if workers == 1 and backend == "loky":
        for job in jobs:
            yield job, _one_thread(make, job, factor)[1]
        return
    missing = {job.key: job for job in jobs}
    while missing:
        try:
            for key, run in _in_parallel(list(missing.values()), make, factor, workers, backend):
                yield missing.pop(key), run
        except TerminatedWorkerError:
            # Those in flight are among the first that joblib had sent out: one by one, a second
            # death has a name.
            suspects = list(missing.values())[: 2 * workers]
            told("a worker died: its cells are run again")
            for job in suspects:
                try:
                    # With one job joblib would stay in this process.
                    ((key, run),) = _in_parallel([job], make, factor, 2, backend)
                except TerminatedWorkerError:
                    raise StudyFailed(
                        f"the worker died twice at {job.policy} seed {job.seed}"
                    ) from None
                yield missing.pop(key), run


def _in_parallel(
    jobs: Sequence[C], make: Make[C, R], factor: Factor, workers: int, backend: str
) -> Iterator[tuple[Key, R]]:
    tasks = [joblib.delayed(_one_thread)(make, job, factor) for job in jobs]
    with joblib.parallel_config(backend=backend, n_jobs=workers):
        # Dask's backend of joblib returns nothing before all is done.
        how = "generator_unordered" if backend == "loky" else "list"
        yield from joblib.Parallel(return_as=how, batch_size=1, pre_dispatch="2*n_jobs")(tasks)


def _one_thread(make: Make[C, R], job: C, factor: Factor) -> tuple[Key, R]:
    # The same order of summation, hence the same bits, in every process.
    with one_blas_thread():
        return make(job, factor)
