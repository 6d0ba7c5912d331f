"""`ctv simulate`: a study, its statistics, and how it stands to the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bounds.errors import InvalidInput
from ctv.study_options import StudyOptions

if TYPE_CHECKING:
    from ctv.pipeline import Advance
    from simulation.run import Trajectory
    from simulation.statistics import Summary
    from simulation.study import Study, StudySpec


@dataclass(frozen=True, eq=False)
class Experiment:
    """A finished study beside the bounds.

    Attributes
    ----------
    gain_within_bound : by policy, whether every run's log det gain is below the best bound on
        γ̃_n at the evaluation times of the run; that bound covers every policy
    regret_within_bound : by policy, whether the regret of every run, over the policy's own
        rounds, is below the bound on regret that follows from it
    counted : by policy, whether that second comparison counts against δ; elsewhere the bound
        does not cover the policy and the comparison is an observation
    """

    study: Study
    summary: Summary
    gain_within_bound: Mapping[str, bool]
    regret_within_bound: Mapping[str, bool]
    counted: Mapping[str, bool]


def run(spec: StudySpec, options: StudyOptions, advance: Advance) -> Experiment:
    """Run the study, or what its folder lacks of it, and compare every run with the bounds."""
    from simulation.statistics import summarize

    study = finished(spec, options, options.out, advance)
    within = {
        policy: _within_bounds(spec, runs, advance) for policy, runs in study.trajectories.items()
    }
    return Experiment(
        study,
        summarize(study),
        {policy: gain for policy, (gain, _) in within.items()},
        {policy: regret for policy, (_, regret) in within.items()},
        {policy: covered(spec, policy) for policy in spec.policies},
    )


def finished(spec: StudySpec, options: StudyOptions, out: Path | None, advance: Advance) -> Study:
    """The study, every cell of it run or read from the folder `out`."""
    from simulation.study import run_study

    def watch(done: int, total: int, message: str) -> None:
        advance(f"{done} of {total}, {message}", done / total)

    with _cluster(options):
        return run_study(spec, out, options.workers, watch, options.backend)


@contextmanager
def _cluster(options: StudyOptions) -> Iterator[None]:
    """Make the asked-for Dask cluster the current one; nothing for other backends."""
    if options.backend != "dask":
        if options.scheduler is not None:
            raise InvalidInput("scheduler", options.scheduler, "drop it, or use --backend dask")
        yield
        return
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


def covered(spec: StudySpec, policy: str) -> bool:
    """Whether the theorem is about this policy: its exploration, the true model, fixed times."""
    from simulation.evaluation_time import FixedDurations

    return (
        policy == "ctv-fixed"
        and (spec.acquisition, spec.exploration) == ("ucb", "theory")
        and spec.model_kernel in (None, spec.problem.space_kernel)
        and isinstance(spec.durations, FixedDurations)
    )


def _within_bounds(
    spec: StudySpec, runs: tuple[Trajectory, ...], advance: Advance
) -> tuple[bool, bool]:
    """Whether every run's gain, and every run's regret, is below the best bound at its times."""
    import numpy as np

    from bounds.times import EvaluationTimes
    from ctv.pipeline import at_times, gain_curve, upper_bounds

    shared = at_times(spec.problem, EvaluationTimes.from_durations(runs[0].durations))
    advance("gain without drift", 0.0)
    curve = gain_curve(shared)
    gain, regret = True, True
    known: dict[bytes, tuple[float, float]] = {}
    for done, run in enumerate(runs):
        # Fixed durations give every run the same times and hence the same bounds.
        key = run.durations.tobytes()
        if key not in known:
            advance("bounds at the times of the runs", done / len(runs))
            problem = at_times(spec.problem, EvaluationTimes.from_durations(run.durations))
            report = upper_bounds(problem, curve)
            known[key] = report.best, report.regret["best"]
        most_gain, most_regret = known[key]
        # A run whose gain meets the bound exactly may exceed it by rounding.
        gain &= bool(run.cumulative_gain[-1] <= most_gain * (1 + 1e-9))
        regret &= bool(np.sum(run.regrets[run.initial :]) <= most_regret)
    return gain, regret
