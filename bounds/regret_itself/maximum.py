"""m* = E max_x g(x), g ~ GP(0, k_space) over the domain, from below in ball arithmetic.

Slepian's lemma: p points whose correlations are at most ρ have E max ≥ √(1−ρ)·M_p, M_p the mean of
the largest of p independent standard normals; more points only raise it. On a grid the p^d points
nearest to an equally spaced sub-grid are tried; for a Gram matrix, points that are picked one after
another, each as little correlated with those before as can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.domain import Domain
from bounds.enclosure import matrices
from bounds.enclosure.integrals import normal_maximum
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.regret_itself.sandwich import ExpectedMaximum, expected_maximum
from bounds.regret_itself.sandwich import normal_maximum as rough_normal_maximum

LARGEST_GRAM = 5_000
"""Points of the largest Gram matrix that is searched for a sub-set."""

_GREEDY = 200  # points picked from a Gram matrix at most
_FURTHER = 0.97  # correlations beyond it cannot help


@dataclass(frozen=True)
class LeastMaximum:
    """m* ≥ value.

    Attributes
    ----------
    value : rounded down
    points : indices of the points compared: along each axis of a grid, or in the Gram matrix
    correlation : an upper bound on their correlations, rounded up
    per_axis : whether `points` are indices along each axis of a grid
    certified : whether everything was rounded outward
    level : the confidence of a simulated value; None where nothing was simulated
    source : how it was found
    """

    value: float
    points: tuple[int, ...]
    correlation: float
    per_axis: bool
    certified: bool
    level: float | None = None
    source: str = "Slepian on a subset"


def gram_of(problem: Problem) -> FloatArray:
    """K of the whole domain, (N, N); refused beyond `LARGEST_GRAM` points."""
    if problem.domain.size > LARGEST_GRAM:
        remedy = f"use a domain of at most {LARGEST_GRAM} points here"
        raise InvalidInput("grid", f"{problem.domain.size} points", remedy)
    return problem.space_kernel.gram(problem.domain.points)


def require_gram(gram: FloatArray) -> FloatArray:
    """A symmetric (N, N) matrix with unit diagonal, entries in [−1, 1]; else InvalidInput."""
    matrix = np.asarray(gram, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise InvalidInput("gram", f"shape {matrix.shape}", "give a square matrix")
    if not np.array_equal(matrix, matrix.T) or np.any(np.diagonal(matrix) != 1.0):
        raise InvalidInput(
            "gram", "not a correlation matrix", "make it symmetric, 1 on the diagonal"
        )
    if np.any(np.abs(matrix) > 1.0):
        raise InvalidInput("gram", float(np.max(np.abs(matrix))), "correlations are at most 1")
    return matrix


def least_maximum(problem: Problem, gram: FloatArray | None = None) -> LeastMaximum:
    """A certified lower bound on m*, for the problem's grid or for a Gram matrix in its place.

    The entries of `gram` (N, N) are taken as the exact numbers that they are. Uncertified for a
    space kernel without an enclosure. Some milliseconds; O(N·p) for a Gram matrix.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]))
    >>> least = least_maximum(problem, np.eye(2))
    >>> 0.56418958 <= least.value <= 0.56418959  # 1/√π
    True
    """
    if gram is not None:
        return _of_gram(require_gram(gram))
    domain, kernel = problem.domain, problem.space_kernel
    if domain.is_cube and kernel.is_nonincreasing:
        return _of_grid(domain, kernel)
    chosen = domain.spread(min(domain.size, LARGEST_GRAM))
    found = _of_gram(require_gram(domain.restricted(kernel).gram(chosen, chosen)))
    # Of the Gram matrix in floating point, which is not quite that of the points.
    points = tuple(int(chosen[i]) for i in found.points)
    return replace(found, points=points, certified=False)


def maximum_bracket(problem: Problem, gram: FloatArray | None = None) -> ExpectedMaximum:
    """m* from both sides: `least_maximum`, and above telescoping or, for a Gram matrix, M_N.

    Above, E max ≤ √(1 − ρ⁻)·M_N for correlations ≥ ρ⁻ (Slepian again). Not certified above.
    """
    least = least_maximum(problem, gram)
    if gram is None:
        upper = expected_maximum(problem.domain, problem.space_kernel).upper
    else:
        upper = _gram_upper(np.asarray(gram, dtype=float))
    return ExpectedMaximum(min(least.value, upper), upper)


def _gram_upper(gram: FloatArray) -> float:
    count = len(gram)
    if count == 1:
        return 0.0
    smallest = float(np.min(gram[~np.eye(count, dtype=bool)]))
    # An exchangeable law exists only for correlations of at least −1/(N−1); 0 majorises the rest.
    comparison = max(smallest, -1.0 / (count - 1))
    if smallest < comparison:  # E max of any unit-variance law on N points
        return rough_normal_maximum(count) * sqrt(count / (count - 1)) * (1.0 + 1e-9)
    return sqrt(1.0 - comparison) * rough_normal_maximum(count) * (1.0 + 1e-9)


def _of_grid(grid: Domain, kernel: Kernel) -> LeastMaximum:
    (q, side), dimension = grid.cube(), grid.dimension
    step = Fraction(side) / (q - 1) if q > 1 else Fraction(0)
    best: tuple[float, tuple[int, ...]] = (0.0, (0,))
    for count in range(2, q + 1):
        chosen = tuple(int(i) for i in np.round(np.linspace(0, q - 1, count)))
        correlation = float(kernel.at_distance(float(step) * _nearest(chosen)))
        if count**dimension > 10**6:
            break
        found = sqrt(max(1.0 - correlation, 0.0)) * rough_normal_maximum(count**dimension)
        if found > best[0]:
            best = (found, chosen)
        if correlation > _FURTHER:
            break
    chosen = best[1]
    if len(chosen) == 1:
        return LeastMaximum(0.0, chosen, 1.0, True, True)
    try:
        with enclosure.precision(matrices.WORKING_BITS):
            correlation_ball = kernel.enclosed_at_distance(step * _nearest(chosen))
            value, correlation = _compared(correlation_ball, len(chosen) ** dimension)
    except NoEnclosure:
        correlation = float(kernel.at_distance(float(step) * _nearest(chosen)))
        return LeastMaximum(best[0], chosen, correlation, True, False)
    return LeastMaximum(value, chosen, correlation, True, True)


def _nearest(chosen: tuple[int, ...]) -> int:
    return min(b - a for a, b in pairwise(chosen))


def _of_gram(gram: FloatArray) -> LeastMaximum:
    count = len(gram)
    if count == 1:
        return LeastMaximum(0.0, (0,), 1.0, False, True)
    off = gram - 2.0 * np.eye(count)
    first = int(np.argmin(np.min(gram, axis=1)))
    chosen, closest, worst = [first], gram[first].copy(), -1.0
    closest[first] = np.inf
    best: tuple[float, int, float] = (0.0, 1, 1.0)
    for size in range(2, min(count, _GREEDY) + 1):
        index = int(np.argmin(closest))
        worst = max(worst, float(np.max(off[index, chosen])))
        chosen.append(index)
        closest = np.maximum(closest, gram[index])
        closest[index] = np.inf
        found = sqrt(max(1.0 - worst, 0.0)) * rough_normal_maximum(size)
        if found > best[0]:
            best = (found, size, worst)
        if worst > _FURTHER:
            break
    points = tuple(chosen[: best[1]])
    if best[1] == 1:
        return LeastMaximum(0.0, points, 1.0, False, True)
    with enclosure.precision(matrices.WORKING_BITS):
        value, correlation = _compared(enclosure.exact(Fraction(best[2])), best[1])
    return LeastMaximum(value, points, correlation, False, True)


def _compared(correlation: enclosure.Number, count: int) -> tuple[float, float]:
    """√(1−ρ)·M_p rounded down and ρ rounded up."""
    top = matrices.upward(enclosure.ball(correlation))
    spread = enclosure.sqrt(enclosure.maximum(1 - Fraction(top), 0))
    least = enclosure.ball(spread * normal_maximum(count))
    return max(matrices.downward(least), 0.0), top
