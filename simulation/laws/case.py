"""One drawn problem as the options of `ctv simulate`, so that it can be run, stored and printed."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import Arms, Domain, Grid, Points
from bounds.kernels import Kernel, parse_kernel, parse_time_kernel
from bounds.problem import Problem
from bounds.regret.ingredients.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.before_run.schedule_search import quick_schedule
from simulation.model.covariance import GridCovariance
from simulation.policies.readings import Readings
from simulation.policies.registry import policy_named
from simulation.runs.run import Trajectory, simulate
from simulation.world.environment import Path, Seeds, draw_path
from simulation.world.evaluation_time import (
    EvaluationTime,
    PointDurations,
    biased,
    in_order,
    regressed,
)


@dataclass(frozen=True, eq=False)
class Played:
    """One run with all that a policy does not see.

    Attributes
    ----------
    problem : kernels, noise, domain and δ, with the times of the run as its evaluation times
    evaluation_time : fixed durations or t(x)
    run : Trajectory
    objective : (n, N) f(x, τ_i) at every point
    acquisition, exploration, readings : as in `simulation.runs.run.simulate`
    assumed_kernel : the space kernel of the policy's model
    """

    problem: Problem
    evaluation_time: EvaluationTime
    run: Trajectory
    objective: FloatArray
    acquisition: str
    exploration: str
    readings: Readings
    assumed_kernel: Kernel

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
        """What `scheduled` explores: at the times of the run, t(x) by its mean over the points."""
        if self.readings.schedule is not None:
            return self.readings.schedule
        waits = [float(np.mean(self.evaluation_time.of_round(i))) for i in range(self.run.n)]
        return quick_schedule(replace(self.problem, times=EvaluationTimes.from_durations(waits)))

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
    problem: Problem,
    evaluation_time: EvaluationTime,
    policy: str,
    *,
    seed: int,
    initial: int,
    rounds: int,
    acquisition: str = "ucb",
    exploration: str = "theory",
    model_kernel: Kernel | None = None,
    readings: Readings | None = None,
    objective: FloatArray | None = None,
) -> Played:
    """The run of `simulate` with these options, and the objective that it met.

    Parameters
    ----------
    objective : (n, N) in place of the one that the seed draws
    others : as in `simulation.runs.run.simulate`

    Raises what `simulate` raises.
    """
    n, seeds = initial + rounds, Seeds.of(seed)
    path: Path
    if objective is None:
        factor = GridCovariance(problem.space_kernel, problem.domain).factor()
        path = draw_path(problem, evaluation_time, n, seeds.objective, factor)
    else:
        path = Told(objective)
    recorded = Recorded(path)
    choices = Readings() if readings is None else readings
    run = simulate(
        problem,
        evaluation_time,
        policy,
        seed=seed,
        initial=initial,
        rounds=rounds,
        acquisition=acquisition,
        exploration=exploration,
        model_kernel=model_kernel,
        readings=choices,
        path=recorded,
    )
    return Played(
        at_times_of(problem, run),
        evaluation_time,
        run,
        np.array(recorded.rows),
        acquisition,
        exploration,
        choices,
        problem.domain.space_kernel(model_kernel or problem.space_kernel),
    )


def at_times_of(problem: Problem, run: Trajectory) -> Problem:
    """The problem with the evaluation times that a run had."""
    times = EvaluationTimes.from_durations(run.durations, source="the run")
    return Problem(
        times,
        problem.epsilon,
        problem.time_kernel,
        problem.space_kernel,
        problem.noise_variance,
        problem.domain,
        problem.delta,
    )


@dataclass(frozen=True)
class Case:
    """A problem, a policy and a seed, by what the command line takes.

    Attributes
    ----------
    domain : Grid, Points or Arms
    durations : one for each round, fixed; None for the experiments' t(x), `--setting biased`
    measured : indices of the points at which the durations were measured: then t(x) is the
        regression on them; None for fixed durations
    initial, rounds : random rounds, and the policy's own after them
    others : the options of the same names
    """

    domain: Domain
    durations: tuple[float, ...] | None
    initial: int
    rounds: int
    epsilon: float = 0.01
    time_kernel: str = "forgetting"
    time_lengthscale: float | None = None
    kernel: str = "se"
    lengthscale: float = 0.2
    noise_variance: float = 0.01
    delta: float = 0.1
    policy: str = "ctv-fixed"
    acquisition: str = "ucb"
    exploration: str = "theory"
    model_kernel: str | None = None
    time_noise_variance: float = 0.0
    seed: int = 0
    measured: tuple[int, ...] | None = None

    @property
    def fixed(self) -> bool:
        """Whether times are fixed beforehand, and not t(x)."""
        return self.durations is not None and self.measured is None

    @property
    def inputs(self) -> FloatArray | None:
        """(m, d) the points at which the durations were measured."""
        return None if self.measured is None else self.domain.points[list(self.measured)]

    @property
    def problem(self) -> Problem:
        """The problem; with t(x) its evaluation times are one that no run looks at."""
        return Problem(
            EvaluationTimes.from_durations([3.0] if self.durations is None else self.durations),
            epsilon=self.epsilon,
            time_kernel=parse_time_kernel(self.time_kernel, self.epsilon, self.time_lengthscale),
            space_kernel=parse_kernel(self.kernel, self.lengthscale),
            noise_variance=self.noise_variance,
            domain=self.domain,
            delta=self.delta,
        )

    @property
    def evaluation_time(self) -> EvaluationTime:
        """Fixed durations in order, or t(x)."""
        if self.durations is None:
            return biased(self.domain)
        if self.inputs is not None:
            return regressed(self.domain, self.inputs, self.problem.times.durations)
        return in_order(self.problem.times, self.initial + self.rounds)

    @property
    def assumed_kernel(self) -> Kernel | None:
        """The space kernel of --model-kernel; None for the objective's."""
        assumed = self.model_kernel
        return None if assumed is None else parse_kernel(assumed, self.lengthscale)

    def play(self, objective: FloatArray | None = None) -> Played:
        """Run it; on an objective (n, N) of one's own where one is given."""
        return play(
            self.problem,
            self.evaluation_time,
            self.policy,
            seed=self.seed,
            initial=self.initial,
            rounds=self.rounds,
            acquisition=self.acquisition,
            exploration=self.exploration,
            model_kernel=self.assumed_kernel,
            readings=Readings(time_noise_variance=self.time_noise_variance),
            objective=objective,
        )

    def words(self, times: str, points: str) -> list[str]:
        """The words after `ctv`, the files of times and of points being called so."""
        known = self.durations is not None
        found = ["simulate", "--setting", "csv" if known else "biased"]
        found += ["--times", times] if known else []
        found += [] if self.inputs is None else ["--inputs", ",".join(self._columns)]
        if isinstance(self.domain, Grid):
            q = self.domain.points_per_axis
            found += ["--dimension", str(self.domain.dimension), "--side", repr(self.domain.side)]
            found += ["--grid", str(q)]
        elif isinstance(self.domain, Arms):
            found += ["--arms", str(self.domain.count)]
        else:
            found += ["--points", points]
        for name in (
            "epsilon",
            "time_kernel",
            "time_lengthscale",
            "kernel",
            "lengthscale",
            "noise_variance",
            "delta",
            "initial",
            "rounds",
            "acquisition",
            "exploration",
            "model_kernel",
            "time_noise_variance",
            "seed",
        ):
            value = getattr(self, name)
            if value is not None:
                found += ["--" + name.replace("_", "-"), str(value)]
        return [*found, "--policies", self.policy, "--seeds", "1"]

    @property
    def _columns(self) -> list[str]:
        return [f"x{axis + 1}" for axis in range(self.domain.points.shape[1])]

    def times_text(self) -> str:
        """What the file of times holds."""
        rows = [[repr(t)] for t in self.durations or ()]
        header = ["duration"]
        if self.inputs is not None:
            header += self._columns
            rows = [
                [*row, *map(repr, x)] for row, x in zip(rows, self.inputs.tolist(), strict=True)
            ]
        return "\n".join(map(",".join, [header, *rows])) + "\n"

    def points_text(self) -> str:
        """What the file of points holds."""
        rows = self.domain.points.tolist() if isinstance(self.domain, Points) else []
        return "\n".join(",".join(map(repr, row)) for row in rows) + "\n"

    def command(self) -> str:
        """The case as a line for bash, its files made on the spot."""
        made = {name: _printed(text) for name, text in self._texts().items()}
        words = self.words("TIMES", "POINTS")
        return " ".join(["ctv", *(made.get(word) or shlex.quote(word) for word in words)])

    def _texts(self) -> dict[str, str]:
        return {"TIMES": self.times_text(), "POINTS": self.points_text()}


def _printed(text: str) -> str:
    return "<(printf '" + text.replace("\n", "\\n") + "')"
