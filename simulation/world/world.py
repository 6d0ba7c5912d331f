"""What a run meets: where it starts, how long evaluations take, what f is there.

On a finite domain f is a path over all points; on the box it is drawn wherever the run asks, beside
a path on the grid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.problem import Problem
from simulation.model.covariance import Factor, space_factor
from simulation.world.box_objective import BoxObjective
from simulation.world.environment import Path, Seeds, draw_path
from simulation.world.evaluation_time import EvaluationTime


class World(ABC):
    """One objective and its evaluation times, met round by round.

    Attributes
    ----------
    rng : the randomness of the policy
    objective : (N,) f at the points of the domain, at the last instant
    """

    rng: np.random.Generator
    objective: FloatArray

    @abstractmethod
    def starts(self, count: int, rng: np.random.Generator) -> Any:
        """The points of the first rounds, uniformly random: (count,) indices, or coordinates."""

    @abstractmethod
    def duration(self, point: Any, round_index: int) -> float:
        """How long the evaluation at the point lasts in this round."""

    @abstractmethod
    def after(self, gap: float, point: Any) -> tuple[float, float]:
        """f at the point `gap` after the instant before, and the largest value then."""


class FiniteWorld(World):
    """f at the points of the domain, by their indices."""

    def __init__(
        self, problem: Problem, evaluation_time: EvaluationTime, path: Path, seeds: Seeds
    ) -> None:
        self._problem, self._time, self._path = problem, evaluation_time, path
        self.rng = np.random.default_rng(seeds.policy)
        self.objective = np.zeros(problem.domain.size)

    def starts(self, count: int, rng: np.random.Generator) -> Any:
        return rng.integers(self._problem.domain.size, size=count).tolist()

    def duration(self, point: Any, round_index: int) -> float:
        waits = self._time.of_round(round_index)
        return float(np.broadcast_to(waits, (self._problem.domain.size,))[point])

    def after(self, gap: float, point: Any) -> tuple[float, float]:
        self.objective = self._path.after(gap)
        return float(self.objective[point]), float(self.objective.max())


class BoxWorld(World):
    """f anywhere in the box; the largest value is that on the grid or at the point played.

    So regret is understated by what the grid misses. The residual off the grid is of the stream of
    policies: those that look elsewhere share the grid, and not what lies off it.
    """

    def __init__(
        self,
        problem: Problem,
        evaluation_time: EvaluationTime,
        path: Path,
        seeds: Seeds,
        factor: Factor | None,
    ) -> None:
        self._problem, self._time = problem, evaluation_time
        if factor is None:
            factor = space_factor(problem)
        self._side = problem.domain.box_side()
        self._drawn = BoxObjective(problem, path, factor, np.random.default_rng(seeds.policy))
        (own,) = seeds.policy.spawn(1)
        self.rng = np.random.default_rng(own)

    def starts(self, count: int, rng: np.random.Generator) -> Any:
        if count < 1:
            raise InvalidInput("initial", count, "give at least 1 on the box")
        return self._side * rng.random((count, self._problem.domain.dimension))

    def duration(self, point: Any, round_index: int) -> float:
        return float(self._time.anywhere(round_index)(point[None])[0][0])

    def after(self, gap: float, point: Any) -> tuple[float, float]:
        self._drawn.after(gap)
        self.objective = self._drawn.on_grid
        value = self._drawn.at(point)
        return value, max(value, float(self.objective.max()))


def draw_world(
    problem: Problem,
    evaluation_time: EvaluationTime,
    rounds: int,
    seeds: Seeds,
    *,
    factor: Factor | None = None,
    path: Path | None = None,
    box: bool = False,
) -> World:
    """The world of a run: its objective drawn from the seed unless `path` is one of one's own."""
    if path is None:
        path = draw_path(problem, evaluation_time, rounds, seeds.objective, factor)
    if box:
        return BoxWorld(problem, evaluation_time, path, seeds, factor)
    return FiniteWorld(problem, evaluation_time, path, seeds)
