"""m* = E max_x g(x), g ~ GP(0, k_space), by simulation, with its confidence on either side.

Half the range, (max g − min g)/2, has the mean m* too. As a function of the independent normals
behind g it is Lipschitz with the constant √v, v = max Var(g(x) − g(x'))/4 ≤ (1 − min k_space)/2, so
that by Gaussian concentration the mean of S of them errs by more than √(2v log(1/δ)/S) on one side
with a probability of at most δ: half of that of the maxima themselves where k_space ≥ 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from bounds.problem import Problem
from bounds.regret.maximum.maximum import LeastMaximum
from simulation.before_run.draws import (
    IN_CACHE,
    generator,
    in_chunks,
    require_delta,
    require_draws,
)
from simulation.model.covariance import space_factor


@dataclass(frozen=True)
class SimulatedMaximum:
    """m* from S draws: each side holds with probability ≥ 1 − δ.

    Attributes
    ----------
    mean : of the draws
    lower, upper : mean ∓ correction; lower is at least 0
    draws, delta : S and δ
    steepness : the Lipschitz constant of the mean as a function of all normals
    """

    mean: float
    lower: float
    upper: float
    draws: int
    delta: float
    steepness: float

    def least(self) -> LeastMaximum:
        """The lower side, as the floors take it."""
        return LeastMaximum(
            self.lower,
            (),
            False,
            1.0 - self.delta,
            f"{self.draws} draws, confidence 1 − {self.delta:g}",
        )


def simulated_maximum(
    problem: Problem, *, draws: int = 20_000, delta: float = 1e-3, seed: int = 0
) -> SimulatedMaximum:
    """Simulate m* over the problem's domain.

    O(draws·N^{1+1/d}) for the squared exponential on a grid. Raises InvalidInput.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0])
    >>> maximum = simulated_maximum(Problem(times, domain=Arms(2)))
    >>> maximum.lower <= 0.5641896 <= maximum.upper
    True
    """
    require_draws(draws)
    require_delta(delta)
    rng, factor = generator(seed), space_factor(problem)
    size = problem.domain.size
    ranges = []
    for count in in_chunks(draws, size, IN_CACHE):
        fields = factor.apply(rng.standard_normal((count, factor.rank)))
        ranges.append(fields.max(axis=1) - fields.min(axis=1))
    mean = 0.5 * float(np.mean(np.concatenate(ranges)))
    steepness = sqrt(half_range_variance(problem) / draws) if size > 1 else 0.0
    slack = steepness * sqrt(2.0 * log(1.0 / delta))
    low, high = max(mean - slack, 0.0), mean + slack
    return SimulatedMaximum(mean, low, high, draws, delta, steepness)


def half_range_variance(problem: Problem) -> float:
    """(1 − min k_space)/2 ≥ Var(g(x) − g(x'))/4."""
    return 0.5 if problem.space_kernel.is_nonnegative else 1.0
