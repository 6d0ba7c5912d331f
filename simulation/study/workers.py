"""Runs in parallel: the same bits for any number of processes; a cell that kills one is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TypeVar

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


Job = TypeVar("Job")
Run = TypeVar("Run")
Make = Callable[[Job, Factor], Run]


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
    jobs: Mapping[Key, Job],
    make: Make[Job, Run],
    factor: Factor,
    workers: int,
    backend: str,
    told: Callable[[str], None],
) -> Iterator[tuple[Key, Run]]:
    """The runs of these jobs, as they are finished; each tried again once if its worker dies.

    Parameters
    ----------
    make : (job, factor) ↦ its run; called with one BLAS thread
    factor : what all jobs share
    workers, backend : as in `simulation.study.study.run_study`
    told : hears that a worker died

    Raises StudyFailed if the worker of a job dies twice.
    """
    if workers == 1 and backend == "loky":
        for key, job in jobs.items():
            yield _one_thread(make, key, job, factor)
        return
    missing = dict(jobs)
    while missing:
        try:
            for key, run in _in_parallel(missing, make, factor, workers, backend):
                del missing[key]
                yield key, run
        except TerminatedWorkerError:
            # Those in flight are among the first that joblib had sent out: one by one, a second
            # death has a name.
            told("a worker died: its cells are run again")
            for key in list(missing)[: 2 * workers]:
                try:
                    # With one job joblib would stay in this process.
                    (pair,) = _in_parallel({key: missing[key]}, make, factor, 2, backend)
                except TerminatedWorkerError:
                    policy, seed, _ = key
                    raise StudyFailed(f"the worker died twice at {policy} seed {seed}") from None
                del missing[key]
                yield pair


def _in_parallel(
    jobs: Mapping[Key, Job], make: Make[Job, Run], factor: Factor, workers: int, backend: str
) -> Iterator[tuple[Key, Run]]:
    tasks = [joblib.delayed(_one_thread)(make, key, job, factor) for key, job in jobs.items()]
    with joblib.parallel_config(backend=backend, n_jobs=workers):
        # Dask's backend of joblib returns nothing before all is done.
        how = "generator_unordered" if backend == "loky" else "list"
        yield from joblib.Parallel(return_as=how, batch_size=1, pre_dispatch="2*n_jobs")(tasks)


def _one_thread(make: Make[Job, Run], key: Key, job: Job, factor: Factor) -> tuple[Key, Run]:
    # The same order of summation, hence the same bits, in every process.
    with one_blas_thread():
        return key, make(job, factor)
