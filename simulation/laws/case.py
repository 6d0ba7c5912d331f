"""One run of a study with all that its policy does not see, and small studies of one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import Domain
from bounds.kernels import Kernel, parse_kernel, parse_time_kernel
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.policies.readings import Readings
from simulation.policies.registry import policy_named
from simulation.policies.scheduled import Scheduled, mean_times
from simulation.runs.run import Trajectory, simulate
from simulation.study.study import StudySpec
from simulation.world.environment import Path, Seeds, draw_path
from simulation.world.evaluation_time import EvaluationTime, PointDurations


@dataclass(frozen=True, eq=False)
class Played:
    """One run with all that a policy does not see.

    Attributes
    ----------
    problem : kernels, noise, domain and δ, with the times of the run as its evaluation times
    evaluation_time : fixed durations or t(x)
    run : Trajectory
    objective : (n, N) f(x, τ_i) at every point
    spec : what the run is of; its problem and times are those that the run had
    readings : the choices that the paper leaves open
    """

    problem: Problem
    evaluation_time: EvaluationTime
    run: Trajectory
    objective: FloatArray
    spec: StudySpec
    readings: Readings

    @property
    def assumed_kernel(self) -> Kernel:
        """The space kernel of the policy's model."""
        return self.problem.domain.space_kernel(self.spec.model_kernel or self.problem.space_kernel)

    @property
    def true_model(self) -> bool:
        """Whether the policy assumes the objective's space kernel."""
        return self.assumed_kernel == self.problem.space_kernel

    @property
    def fixed(self) -> bool:
        """Whether times are fixed beforehand, the theorem's setting."""
        return not isinstance(self.evaluation_time, PointDurations)

    @cached_property
    def schedule(self) -> Schedule:
        """What a scheduled policy explores: at the run's times, t(x) by its mean over points."""
        if self.readings.schedule is not None:
            return self.readings.schedule
        policy = policy_named(self.run.policy)
        assert issubclass(policy, Scheduled), f"{self.run.policy} has no schedule"
        times = mean_times(self.evaluation_time, self.run.n)
        return policy.own_schedule(replace(self.problem, times=times))

    @property
    def is_scheduled(self) -> bool:
        """Whether the policy explores on a schedule."""
        return issubclass(policy_named(self.run.policy), Scheduled)

    @property
    def sees_observations_alone(self) -> bool:
        """Whether the policy knows f through its observations, as bounds and floors ask."""
        return not policy_named(self.run.policy).sees_objective


class Told:
    """An objective that is known: row i at the i-th instant, whatever the gaps."""

    def __init__(self, objective: FloatArray) -> None:
        self._rows = iter(objective)

    def after(self, gap: float) -> FloatArray:
        """The next row."""
        return np.asarray(next(self._rows))


class Recorded:
    """An objective that keeps what was read of it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.rows: list[FloatArray] = []

    def after(self, gap: float) -> FloatArray:
        """(N,) as the path gives it."""
        values = np.array(self._path.after(gap))
        self.rows.append(values)
        return values


def play(
    case: StudySpec,
    objective: FloatArray | None = None,
    *,
    problem: Problem | None = None,
    times: EvaluationTime | None = None,
    readings: Readings | None = None,
) -> Played:
    """The first run of a study, and the objective that it met.

    Parameters
    ----------
    case : its first policy and seed are played
    objective : (n, N) in place of the one that the seed draws
    problem, times, readings : in place of those of the study

    Raises what `simulation.runs.run.simulate` raises.
    """
    own = case.problem if problem is None else problem
    waits = case.durations if times is None else times
    choices = case.readings if readings is None else readings
    path: Path = (
        draw_path(own, waits, case.total_rounds, Seeds.of(case.seed).objective)
        if objective is None
        else Told(objective)
    )
    recorded = Recorded(path)
    run = simulate(
        own,
        waits,
        case.policies[0],
        seed=case.seed,
        initial=case.initial,
        rounds=case.rounds,
        acquisition=case.acquisition,
        exploration=case.exploration,
        model_kernel=case.model_kernel,
        readings=choices,
        path=recorded,
    )
    met = np.array(recorded.rows)
    return Played(at_times_of(own, run), waits, run, met, case, choices)


def at_times_of(problem: Problem, run: Trajectory) -> Problem:
    """The problem with the evaluation times that a run had."""
    return replace(problem, times=EvaluationTimes.from_durations(run.durations, source="the run"))


def one_run(
    domain: Domain,
    durations: Sequence[float] | None,
    initial: int,
    rounds: int,
    *,
    policy: str = "ctv-fixed",
    epsilon: float = 0.01,
    time_kernel: str = "forgetting",
    time_lengthscale: float | None = None,
    kernel: str = "se",
    lengthscale: float = 0.2,
    noise_variance: float = 0.01,
    delta: float = 0.1,
    model_kernel: str | None = None,
    time_noise_variance: float = 0.0,
    measured: Sequence[int] | None = None,
    acquisition: str = "ucb",
    exploration: str = "theory",
    seed: int = 0,
) -> StudySpec:
    """A study of one run, by the words of the command line.

    Parameters
    ----------
    durations : one for each round; None for the experiments' t(x)
    measured : indices of the points at which they were measured: then t(x) is the regression
    others : the options of the same names

    Raises what `StudySpec` raises.
    """
    return StudySpec(
        Problem(
            EvaluationTimes.from_durations([3.0] if durations is None else durations),
            epsilon=epsilon,
            time_kernel=parse_time_kernel(time_kernel, epsilon, time_lengthscale),
            space_kernel=parse_kernel(kernel, lengthscale),
            noise_variance=noise_variance,
            domain=domain,
            delta=delta,
        ),
        setting="biased" if durations is None else "csv",
        policies=(policy,),
        seeds=1,
        seed=seed,
        initial=initial,
        rounds=rounds,
        acquisition=acquisition,
        exploration=exploration,
        model_kernel=None if model_kernel is None else parse_kernel(model_kernel, lengthscale),
        readings=Readings(time_noise_variance=time_noise_variance),
        inputs=None if measured is None else domain.points[list(measured)],
    )
