"""What every bound on regret is computed from: found once for a problem, when a bound asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from bounds.arrays import FloatArray
from bounds.drifting_gain.joint_dual import JointDual
from bounds.problem import Problem
from bounds.regret.ingredients.common_part import information
from bounds.regret.ingredients.exploration import Exploration, best_exploration
from bounds.regret.ingredients.full_information import VarianceLeft, variance_left
from bounds.regret.ingredients.noise_inflation import (
    DeviationBound,
    deviation_bound,
)
from bounds.regret.maximum.maximum import LeastMaximum, least_maximum
from bounds.regret.maximum.slepian import ExpectedMaximum, expected_maximum

Reading = TypeVar("Reading")


class Ingredients:
    """A problem, what is known of its gain, and what follows from both when it is asked for.

    Parameters
    ----------
    problem : Problem of n rounds
    gains : pairs (σ'², γ̂) with σ'² ≥ σ² and γ̂ an upper bound on γ̃_n at noise σ'² (see
        `noise_levels`); none at all is allowed
    evidence : for noise variances what certifies a gain there: the joint dual of the problem at
        that noise, a certified upper bound on γ̃_n, or None for the cap
    maximum : a bracket of m*, by default that of the domain
    least : a lower bound on m*, by default the certified one of `least_maximum`
    explored : the choice of b for constant exploration and its T(b), where they are at hand
    delay : results of the last so many rounds are late; lower bounds say so
    level : the confidence of `maximum`, where it is simulated

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(1, 1.0, 4))
    >>> Ingredients(problem, [(0.01, 0.0)]).deviations.value
    0.0
    """

    def __init__(
        self,
        problem: Problem,
        gains: Iterable[tuple[float, float]] = (),
        *,
        evidence: Mapping[float, JointDual | float | None] | None = None,
        maximum: ExpectedMaximum | None = None,
        least: LeastMaximum | None = None,
        explored: Exploration | None = None,
        delay: int = 0,
        level: float | None = None,
    ) -> None:
        self.problem, self.gains, self.evidence = problem, tuple(gains), dict(evidence or {})
        self.delay, self.level, self.size = delay, level, problem.domain.size
        self._maximum, self._least, self._explored = maximum, least, explored
        self._readings: dict[Callable[[Ingredients], Any], Any] = {}

    def reading(self, kind: Callable[[Ingredients], Reading]) -> Reading:
        """The quantities of formulas in one reading, made once."""
        if kind not in self._readings:
            self._readings[kind] = kind(self)
        return cast(Reading, self._readings[kind])

    @cached_property
    def maximum(self) -> ExpectedMaximum:
        """m* from both sides, in floating point above."""
        if self._maximum is not None:
            return self._maximum
        return expected_maximum(self.problem.domain, self.problem.space_kernel)

    @cached_property
    def least(self) -> LeastMaximum:
        """A lower bound on m*, certified where kernels have an enclosure."""
        return least_maximum(self.problem) if self._least is None else self._least

    @cached_property
    def deviations(self) -> DeviationBound:
        """The bound on Σσ_{i−1} of every design, and at which noise variance it was found."""
        return deviation_bound(self.problem.n, self.problem.noise_variance, self.gains)

    @cached_property
    def explored(self) -> Exploration:
        """The b of constant exploration, and the supremum T(b). Some seconds."""
        if self._explored is not None:
            return self._explored
        mean = min(self.deviations.value / self.problem.n, 1.0)
        return best_exploration(self.problem, mean)

    @cached_property
    def information(self) -> tuple[tuple[float, VarianceLeft], ...]:
        """What the player of Theorem F leaves unknown: see `start_up.information`."""
        return tuple(information(self.problem, self.delay))

    @cached_property
    def without_noise(self) -> VarianceLeft:
        """The variance that f itself up to the round before leaves."""
        times, kernel = self.problem.times, self.problem.time_kernel
        return variance_left(times, kernel, 0.0, delay=self.delay)

    @cached_property
    def correlations(self) -> FloatArray:
        """(N, N) K of the domain."""
        return self.problem.space_kernel.gram(self.problem.domain.points)


def noise_levels(problem: Problem) -> tuple[float, ...]:
    """Six noise variances σ'² ≥ σ² at which a gain bound is worth having, up to max(1, 16σ²).

    >>> from bounds.times import EvaluationTimes
    >>> levels = noise_levels(Problem(EvaluationTimes.from_durations([1.0])))
    >>> levels[0], round(levels[-1], 12)
    (0.01, 1.0)
    """
    low = problem.noise_variance
    levels = np.geomspace(low, max(1.0, 16.0 * low), 6)
    return (low, *(float(level) for level in levels[1:]))
