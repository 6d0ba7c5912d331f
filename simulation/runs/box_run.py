"""One run on the continuous box: points anywhere, the objective still drawn exactly.

On the grid the objective is a path of `world.environment`. Given the grid at τ, the value off
it is a known combination of those on it plus a residual, itself a Gaussian process with covariance
[k(x,x') − k(x,G)K⁻¹k(G,x')]·k_time, which is drawn one evaluation after another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import Domain
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.problem import Problem
from simulation.model.box_posterior import BoxPosterior
from simulation.model.covariance import Factor, GridCovariance
from simulation.model.time_model import TimeHyperparameters, fit_time_model
from simulation.policies.box_acquisition import (
    KnownTime,
    constant_time,
    known_time,
    known_waits,
)
from simulation.policies.box_choices import POLICIES_BY_POSTERIOR, BoxChooser
from simulation.policies.readings import MAXIMUM_LIKELIHOOD, Readings
from simulation.policies.suggestion import BOX_POLICIES, BoxModel, suggest
from simulation.runs.regret import Regrets
from simulation.world.environment import Path, Seeds, draw_path
from simulation.world.evaluation_time import EvaluationTime, FixedDurations, PointDurations

BOX_RUN_POLICIES = (*BOX_POLICIES, *POLICIES_BY_POSTERIOR, "random")
"""Every policy on the box; `random` draws uniformly from it."""


@dataclass(frozen=True, eq=False)
class BoxTrajectory(Regrets):
    """What happened in one run on the box, the initial rounds first.

    Attributes
    ----------
    policy, seed, initial : as in `simulation.runs.run.Trajectory`
    points : (n, d) coordinates
    durations, times, observations, values : (n,) t_i, τ_i, y_i, f(x_i, τ_i)
    best_values : (n,) the largest of f(x_i, τ_i) and of f(·, τ_i) on the grid: at most the maximum
        over the box, so that regret is understated by what the grid misses
    """

    policy: str
    seed: int
    initial: int
    points: FloatArray
    durations: FloatArray
    times: FloatArray
    observations: FloatArray
    values: FloatArray
    best_values: FloatArray


class BoxObjective:
    """f(x, τ) anywhere in the box, at the instants at which the path on the grid is read."""

    def __init__(
        self, problem: Problem, path: Path, factor: Factor, rng: np.random.Generator
    ) -> None:
        self._problem, self._path, self._factor, self._rng = problem, path, factor, rng
        self._points: list[FloatArray] = []
        self._whitened: list[FloatArray] = []
        self._residuals: list[float] = []
        self._ages = np.empty(0)
        self.on_grid = np.zeros(problem.domain.size)

    def after(self, gap: float) -> None:
        """Move on by `gap` ≥ 0."""
        self.on_grid = self._path.after(gap)
        self._ages = self._ages + gap

    def at(self, point: FloatArray) -> float:
        """f(point, τ) for a point (d,) of the box; the same again if asked again at once."""
        kernel, grid = self._problem.space_kernel, self._problem.domain
        white = self._factor.whiten(kernel.gram(grid.points, point[None])[:, 0])
        interpolated = float(white @ self._factor.whiten(self.on_grid))
        return interpolated + self._residual(point, white)

    def _residual(self, point: FloatArray, white: FloatArray) -> float:
        """The next value of the residual process given those drawn before."""
        variance = max(1.0 - float(white @ white), 0.0)
        mean = 0.0
        if self._points:
            before = np.array(self._points)
            seen = np.array(self._whitened)
            kernel, time_kernel = self._problem.space_kernel, self._problem.time_kernel
            lags = np.abs(np.subtract.outer(self._ages, self._ages))
            gram = (kernel.gram(before) - seen @ seen.T) * time_kernel.at_distance(lags)
            in_space = kernel.gram(before, point[None])[:, 0] - seen @ white
            cross = in_space * time_kernel.at_distance(self._ages)
            # Residuals at grid points are 0: their covariance matrix is singular.
            weights = np.linalg.lstsq(gram, cross, rcond=1e-12)[0]
            mean = float(weights @ np.array(self._residuals))
            variance = max(variance - float(weights @ cross), 0.0)
        value = mean + sqrt(variance) * float(self._rng.standard_normal())
        self._points.append(point)
        self._whitened.append(white)
        self._residuals.append(value)
        self._ages = np.append(self._ages, 0.0)
        return value


def biased_time(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """t(x) = 2(sin(√2 π ‖x‖₂) + 2) and its gradient (0 at the corner x = 0, where it has none)."""
    norms = np.sqrt(np.sum(points**2, axis=1))
    angle = np.sqrt(2.0) * np.pi * norms
    slope = 2.0 * np.sqrt(2.0) * np.pi * np.cos(angle)
    direction = points / np.where(norms > 0, norms, 1.0)[:, None]
    return 2.0 * (np.sin(angle) + 2.0), slope[:, None] * direction


def simulate_on_box(
    problem: Problem,
    evaluation_time: KnownTime | FixedDurations | float,
    policy: str = "ctv-fixed",
    *,
    seed: int = 0,
    initial: int = 30,
    rounds: int = 100,
    acquisition: str = "ucb",
    exploration: str = "beta",
    model_kernel: Kernel | None = None,
    readings: Readings | None = None,
    starts: int = 8,
    factor: Factor | None = None,
) -> BoxTrajectory:
    """Run `policy` on the box [0, side]^d of the problem's grid.

    Parameters are those of `simulation.runs.run.simulate`, but for
    evaluation_time : a number, durations round by round, or a function (m, d) ↦ t (m,), ∇t (m, d)
        such as `biased_time`
    policy : of `BOX_RUN_POLICIES`; for what is exact of `ts`, `random-weight-ucb` and `scheduled`
        see `simulation.policies.box_choices`
    exploration : `beta` or `sqrt-beta`; the box has no `theory` here
    starts : local searches a round

    Runs of one seed share the objective on the grid, the noise and the initial points. O(n³) a
    round and `starts` searches. Raises InvalidInput.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 8))
    >>> simulate_on_box(problem, biased_time, initial=5, rounds=2, starts=2).points.shape
    (7, 2)
    """
    if policy not in BOX_RUN_POLICIES:
        raise InvalidInput("policy", policy, f"use {', '.join(BOX_RUN_POLICIES)}")
    if initial < 1 or rounds < 0:
        raise InvalidInput("initial, rounds", (initial, rounds), "at least 1 and 0 on the box")
    choices = Readings() if readings is None else readings
    if choices.time_noise_variance:
        raise InvalidInput(
            "time_noise_variance", choices.time_noise_variance, "measured times are exact here"
        )
    grid, n = problem.domain, initial + rounds
    time, known = _times(evaluation_time, grid, n)
    side = grid.box_side()
    seeds = Seeds.of(seed)
    if factor is None:
        factor = GridCovariance(problem.space_kernel, grid).factor()
    path = draw_path(problem, known, n, seeds.objective, factor)
    # The stream of policies: those that look elsewhere share the grid, and not what lies off it.
    objective = BoxObjective(problem, path, factor, np.random.default_rng(seeds.policy))
    (own,) = seeds.policy.spawn(1)
    rng = np.random.default_rng(own)
    chooser = None
    if policy in POLICIES_BY_POSTERIOR:
        chooser = BoxChooser(
            policy, problem, _durations(known, n), schedule=choices.schedule, rng=rng, starts=starts
        )
    noise = np.random.default_rng(seeds.noise).standard_normal(n) * np.sqrt(problem.noise_variance)
    starting = side * np.random.default_rng(seeds.initial).random((initial, grid.dimension))
    model = BoxModel(
        problem.space_kernel if model_kernel is None else model_kernel,
        problem.time_kernel,
        problem.noise_variance,
        side,
    )
    points = np.empty((n, grid.dimension))
    durations, observations, values, best_values = np.empty((4, n))
    for i in range(n):
        if i < initial:
            x = starting[i]
        elif chooser is not None:
            posterior = BoxPosterior(
                points[:i],
                durations[:i],
                observations[:i],
                model.space_kernel,
                model.time_kernel,
                model.noise_variance,
            )
            x = chooser.choose(i, posterior, points[:i], known_waits(time(i)))
        elif policy == "random":
            x = side * rng.random(grid.dimension)
        else:
            if i == initial:
                choices = _settled(choices, points[:i], durations[:i])
            x = suggest(
                points[:i],
                durations[:i],
                observations[:i],
                policy=policy,
                model=model,
                acquisition=acquisition,
                exploration=exploration,
                evaluation_time=time(i) if policy == "ctv-fixed" else None,
                readings=choices,
                starts=starts,
                seed=i,
            ).point
        duration = float(time(i)(x[None])[0][0])
        objective.after(duration)
        value = objective.at(x)
        points[i], durations[i], values[i] = x, duration, value
        observations[i] = value + noise[i]
        best_values[i] = max(value, float(objective.on_grid.max()))
    return BoxTrajectory(
        policy,
        seed,
        initial,
        points,
        durations,
        np.cumsum(durations),
        observations,
        values,
        best_values,
    )


def _times(
    evaluation_time: KnownTime | FixedDurations | float, grid: Domain, rounds: int
) -> tuple[Callable[[int], KnownTime], EvaluationTime]:
    """Round ↦ t(x) anywhere in the box, and the same on the grid."""
    if isinstance(evaluation_time, FixedDurations):
        durations = evaluation_time
        return lambda i: constant_time(float(durations.of_round(i))), durations
    time = known_time(evaluation_time)
    on_grid = time(grid.points)[0]
    if callable(evaluation_time):
        return lambda i: time, PointDurations(on_grid, "on the box")
    return lambda i: time, FixedDurations(np.full(rounds, on_grid[0]), "constant")


def _durations(known: EvaluationTime, rounds: int) -> FloatArray:
    """(rounds,) what a schedule is planned for: the mean over the grid where t depends on x."""
    return np.array([np.mean(known.of_round(i)) for i in range(rounds)])


def _settled(readings: Readings, points: FloatArray, durations: FloatArray) -> Readings:
    """With the hyperparameters of log t as these data settle them, for all rounds to come."""
    if np.any(durations <= 0):
        return readings  # the policies that model log t refuse them
    if readings.time_prior == MAXIMUM_LIKELIHOOD:
        prior = fit_time_model(points, durations).hyperparameters
    else:
        assert isinstance(readings.time_prior, TimeHyperparameters)
        prior = readings.time_prior.with_mean_of(np.log(durations))
    return replace(readings, time_prior=prior)
