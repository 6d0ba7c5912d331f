"""A study on the box: the same seeds, workers and statistics as on the grid, points anywhere.

Regret is measured against the larger of f at the point played and of f on the grid, at most its
maximum over the box. No bound of the grid is set beside it: a policy of the box plays elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from bounds.errors import InvalidInput
from simulation.model.covariance import Factor
from simulation.runs.box_run import BOX_RUN_POLICIES, BoxTrajectory, biased_time, simulate_on_box
from simulation.study.study import Progress, StudySpec, shared_factor
from simulation.study.workers import Key, check_workers, computed
from simulation.world.evaluation_time import FixedDurations


@dataclass(frozen=True, eq=False)
class BoxStudy:
    """The finished study.

    Attributes
    ----------
    spec : StudySpec, its domain the grid in the box
    trajectories : policy ↦ runs, in the order of the seeds
    """

    spec: StudySpec
    trajectories: dict[str, tuple[BoxTrajectory, ...]]


@dataclass(frozen=True, eq=False)
class _BoxJob:
    """One run to be made."""

    policy: str
    seed: int
    spec: StudySpec

    @property
    def key(self) -> Key:
        return self.policy, self.seed, 0


def check_box(spec: StudySpec) -> None:
    """Raise InvalidInput for what a study on the grid may have and one on the box has not."""
    spec.problem.domain.cube()
    unknown = [name for name in spec.policies if name not in BOX_RUN_POLICIES]
    if unknown:
        known = ", ".join(BOX_RUN_POLICIES)
        raise InvalidInput("policies", unknown[0], f"the policies on the box are {known}")
    if spec.initial < 1:
        raise InvalidInput("initial", spec.initial, "give at least 1 on the box")
    if spec.exploration == "theory":
        raise InvalidInput("exploration", "theory", "use beta or sqrt-beta on the box")
    if spec.inputs is not None:
        raise InvalidInput("inputs", "given", "drop it: on the box times are in order, or t(x)")
    readings = spec.readings
    for name, value in (("tune", readings.tune), ("assumed", readings.assumed)):
        if value not in ("none", None):
            remedy = "drop it: on the box policies take their hyperparameters from the problem"
            raise InvalidInput(name, value, remedy)
    if readings.time_noise_variance:
        noise = readings.time_noise_variance
        raise InvalidInput("time-noise-variance", noise, "drop it: on the box times are exact")


def run_box_study(
    spec: StudySpec, workers: int = 1, progress: Progress | None = None, backend: str = "loky"
) -> BoxStudy:
    """Run every policy on every seed on the box [0, side]^d of the problem's grid.

    Parameters are those of `simulation.study.study.run_study`; the runs are not kept in a folder.
    Runs of one seed share the objective on the grid, the noise and the initial points, so that
    policies are compared seed by seed (`simulation.study.statistics.summarize`). The results do
    not depend on `workers`. Cost: see `simulation.runs.box_run.simulate_on_box`.

    Raises InvalidInput for what `check_box` refuses, StudyFailed if a worker dies twice.

    >>> from bounds.domain import Grid
    >>> from bounds.problem import Problem
    >>> from bounds.times import EvaluationTimes
    >>> from simulation.study.statistics import summarize
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 5))
    >>> spec = StudySpec(problem, policies=("ts", "random"), seeds=2, initial=2, rounds=2)
    >>> list(summarize(run_box_study(spec)).policies)
    ['ts', 'random']
    """
    check_workers(workers, backend)
    check_box(spec)
    jobs = [_BoxJob(policy, seed, spec) for seed in spec.all_seeds for policy in spec.policies]
    found: dict[Key, BoxTrajectory] = {}

    def told(message: str) -> None:
        if progress is not None:
            progress(len(found), len(jobs), message)

    for job, run in computed(jobs, _run, shared_factor(spec), workers, backend, told):
        found[job.key] = run
        told(f"{job.policy} seed {job.seed}")
    return BoxStudy(
        spec, {p: tuple(found[p, seed, 0] for seed in spec.all_seeds) for p in spec.policies}
    )


def _run(job: _BoxJob, factor: Factor) -> tuple[Key, BoxTrajectory]:
    spec, durations = job.spec, job.spec.durations
    run = simulate_on_box(
        spec.problem,
        durations if isinstance(durations, FixedDurations) else biased_time,
        job.policy,
        seed=job.seed,
        initial=spec.initial,
        rounds=spec.rounds,
        acquisition=spec.acquisition,
        exploration=spec.exploration,
        model_kernel=spec.model_kernel,
        readings=spec.readings,
        factor=factor,
    )
    return job.key, run
