"""How long an evaluation takes: fixed durations in order, or a function t(x) of the point.

The theorem's setting is `FixedDurations` (no choice of points changes them); the experiments'
setting is `PointDurations`. The two are never exchanged silently.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.confidence.point_times import point_times_beta
from bounds.confidence.schedules import finite_domain_beta
from bounds.domain import Domain
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.time_model import fit_time_model

KnownTime = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""(m, d) points ↦ t(x) (m,) and ∇t(x) (m, d)."""


@dataclass(frozen=True, eq=False)
class FixedDurations:
    """Round i lasts `durations[i−1]` wherever it is evaluated.

    >>> constant(3.0, rounds=2).of_round(0)
    np.float64(3.0)
    """

    durations: FloatArray
    name: str

    def of_round(self, index: int) -> np.float64:
        """t_{index+1}, the duration of the round with this index from 0, at every point."""
        return np.float64(self.durations[index])

    def anywhere(self, index: int) -> KnownTime:
        """The same at every point of the box."""
        return constant_time(float(self.durations[index]))


@dataclass(frozen=True, eq=False)
class PointDurations:
    """An evaluation at point x of the grid lasts `durations[x]` in every round: t(x), known.

    `function` says how long it lasts off the grid, where that is known too.

    >>> from bounds.domain import Grid
    >>> biased(Grid(2, 1.0, 1)).of_round(0).shape
    (1,)
    """

    durations: FloatArray
    name: str
    function: KnownTime | None = None

    def of_round(self, index: int) -> FloatArray:
        """(N,) durations at every point of the grid; the same in every round."""
        return self.durations

    def anywhere(self, index: int) -> KnownTime:
        """t(x) at every point of the box; InvalidInput where it is known on the grid alone."""
        if self.function is None:
            remedy = "on the box times are fixed, or t(x) with its gradient"
            raise InvalidInput("evaluation-time", self.name, remedy)
        return self.function


EvaluationTime = FixedDurations | PointDurations


def betas(problem: Problem, times: EvaluationTime, numbers: ArrayLike) -> FloatArray:
    """β of the rounds of these numbers ≥ 1: Theorem 1's for fixed times, Theorem C's for t(x)."""
    size, delta = problem.domain.size, problem.delta
    if isinstance(times, FixedDurations):
        return finite_domain_beta(numbers, size, delta)
    slope, longest = problem.time_kernel.slope, float(np.max(times.durations))
    return point_times_beta(numbers, size, delta, slope=slope, longest=longest)


def constant(duration: float, rounds: int) -> FixedDurations:
    """Every evaluation lasts `duration` ≥ 0 (the uniform setting)."""
    if not (np.isfinite(duration) and duration >= 0):
        raise InvalidInput("evaluation-time", duration, "give a finite time of at least 0")
    return FixedDurations(np.full(rounds, float(duration)), f"constant {duration:g}")


def biased(grid: Domain) -> PointDurations:
    """t(x) = 2(sin(√2 π ‖x‖₂) + 2), between 2 and 6 (the biased setting of the experiments)."""
    return PointDurations(biased_time(grid.points)[0], "biased t(x)", biased_time)


def biased_time(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """t(x) = 2(sin(√2 π ‖x‖₂) + 2) and its gradient (0 at the corner x = 0, where it has none)."""
    norms = np.sqrt(np.sum(points**2, axis=1))
    angle = np.sqrt(2.0) * np.pi * norms
    slope = 2.0 * np.sqrt(2.0) * np.pi * np.cos(angle)
    direction = points / np.where(norms > 0, norms, 1.0)[:, None]
    return 2.0 * (np.sin(angle) + 2.0), slope[:, None] * direction


def in_order(times: EvaluationTimes, rounds: int) -> FixedDurations:
    """The measured durations, one a round, in their order.

    Raises InvalidInput for more rounds than durations.
    """
    if rounds > times.n:
        raise InvalidInput(
            "rounds",
            rounds,
            f"there are {times.n} durations in {times.source}: ask for that many rounds at most, "
            "the initial ones included",
        )
    return FixedDurations(times.durations[:rounds], f"durations of {times.source} in order")


def regressed(grid: Domain, inputs: ArrayLike, durations: ArrayLike) -> PointDurations:
    """t(x) = E[t | x] of a log-normal regression on measured (x_i, t_i).

    log t ~ a Matérn-5/2 Gaussian process with unknown mean and Gaussian noise, hyperparameters by
    maximum likelihood; the mean of t includes the noise of one measurement.

    Parameters
    ----------
    grid : where t(x) is wanted
    inputs : (m, d) points, in the units of the grid
    durations : (m,) positive times

    Raises InvalidInput for shapes that do not match, durations that are not positive, and points
    outside the box of the grid, which t(x) is not asked for.
    """
    points = np.asarray(inputs, dtype=float)
    if points.ndim != 2 or points.shape[1] != grid.dimension:
        raise InvalidInput(
            "inputs",
            f"shape {points.shape}",
            f"give {grid.dimension} input columns, one per dimension",
        )
    outside = grid.outside(points)
    if np.any(outside):
        row = int(np.argmax(outside))
        shown = ", ".join(f"{value:g}" for value in points[row])
        raise InvalidInput(f"inputs in row {row + 1}", shown, grid.where)
    model = fit_time_model(points, durations)
    return PointDurations(model.mean_duration(grid.points), "regression on the inputs")


def constant_time(duration: float) -> KnownTime:
    """t(x) = `duration` everywhere."""

    def at(points: FloatArray) -> tuple[FloatArray, FloatArray]:
        return np.full(len(points), duration), np.zeros_like(points)

    return at
