"""Lemma SF as a ceiling: a schedule, and how well its data tell differences of values.

Points z_1 … z_r are played in turn in rounds 1, 1+m, 1+2m, …, the largest posterior mean elsewhere.
With P_i the posterior covariance at round i given the scheduled data alone and

    p_i = max over x ≠ y of Var(f(x) − f(y) | scheduled)/Var(f(x) − f(y)),

a scheduled round costs m*, another one at most (1 − √(1−p_i))·m*. See docs/theory.md#lemma-sf. No
simulation; of the certified Theorem R it asks less, so that p_i is never above the p of that
theorem for the same schedule.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.smooth.order import renewed

MOST_POINTS = 300
"""Points up to which all pairs are looked at in every round."""

UNASKED = (100, 250)
"""Points and rounds up to which a schedule is searched without being asked for, some seconds."""


@dataclass(frozen=True)
class IncrementsCeiling:
    """E R_n ≤ value·m* for one schedule.

    Attributes
    ----------
    value : Σ over rounds of 1 (scheduled) or 1 − √(1−p_i), in units of m*; at most n
    points : indices of the points played in turn
    spacing : m, the rounds from one look to the next
    """

    value: float
    points: tuple[int, ...]
    spacing: int


def increments(problem: Problem, points: IntArray, spacing: int) -> FloatArray:
    """(n,) p_i of each round for looks at `points` in turn, one every `spacing` rounds; at most 1.

    O(N²) a round. Raises InvalidInput for a time kernel that is not Markov, and for many points.
    """
    shares, size = renewed(problem), problem.domain.size
    if size > MOST_POINTS:
        raise InvalidInput("points", size, f"use a domain of at most {MOST_POINTS} points here")
    if spacing < 1 or not len(points):
        raise InvalidInput("spacing", spacing, "give at least 1 round, and a point")
    prior = problem.space_kernel.gram(problem.domain.points)
    first, second = np.triu_indices(size, 1)
    apart = 2.0 * (1.0 - prior[first, second])
    apart_ones = apart > 1e-14
    posterior, found = prior.copy(), np.ones(problem.n)
    for i in range(problem.n):
        posterior = (1.0 - shares[i]) * posterior + shares[i] * prior
        if i % spacing == 0:
            z = int(points[(i // spacing) % len(points)])
            column = posterior[:, z].copy()
            posterior -= np.outer(column, column) / (column[z] + problem.noise_variance)
            continue
        spread = np.diagonal(posterior)
        left = spread[first] + spread[second] - 2.0 * posterior[first, second]
        found[i] = min(1.0, float(np.max(left[apart_ones] / apart[apart_ones], initial=0.0)))
    return found


def affordable_ceiling(problem: Problem) -> IncrementsCeiling | None:
    """`least_ceiling` of a problem that is small enough, and whose domain holds two points."""
    most_points, most_rounds = UNASKED
    if not 1 < problem.domain.size <= most_points or problem.n > most_rounds:
        return None
    return least_ceiling(problem)


def ceiling_at(problem: Problem, points: IntArray, spacing: int) -> IncrementsCeiling:
    """The ceiling of one schedule, in units of m*."""
    shares = increments(problem, points, spacing)
    lost = 1.0 - np.sqrt(1.0 - shares)
    lost[::spacing] = 1.0
    chosen = tuple(int(point) for point in points)
    return IncrementsCeiling(float(lost.sum()), chosen, spacing)


def least_ceiling(problem: Problem) -> IncrementsCeiling:
    """The smallest ceiling over spread points and spacings that grow by half; n·m* at most.

    >>> import numpy as np
    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations(np.ones(200))
    >>> problem = Problem(times, epsilon=1e-5, domain=Grid(1, 1.0, 12))
    >>> least_ceiling(problem).value < 120
    True
    """
    best = IncrementsCeiling(float(problem.n), (0,), 1)
    axes = problem.domain.axes
    power = 1 if axes is None else len(axes)
    spacings = sorted({int(1.5**k) for k in range(1, 14)} - {1})
    for per_axis in range(2, 9):
        points = problem.domain.spread(per_axis**power)
        if len(points) > min(problem.domain.size, sqrt(problem.n) * 4):
            break
        for spacing in spacings:
            if spacing * len(points) > problem.n:
                break
            found = ceiling_at(problem, points, spacing)
            best = min(best, found, key=lambda one: one.value)
    return best
