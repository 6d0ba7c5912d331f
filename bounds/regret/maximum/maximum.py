"""m* = E max_x g(x), g ~ GP(0, k_space) over the domain, from below in ball arithmetic.

Slepian's lemma: p points whose correlations are at most ρ have E max ≥ √(1−ρ)·M_p, M_p the mean of
the largest of p independent standard normals; more points only raise it. Of a domain
spread subsets are tried (sub-grids of a grid); of a Gram matrix, points that are picked one after
another, each as little correlated with those before as can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import sqrt

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.domain import Domain
from bounds.enclosure import Lower, Upper, matrices
from bounds.enclosure.integrals import normal_maximum
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Kernel
from bounds.kernels.independent import Independent
from bounds.numerics.ties import first_largest
from bounds.problem import Problem
from bounds.regret.maximum.normals import normal_maximum as rough_normal_maximum
from bounds.regret.maximum.quantised import Quantised, quantised_maximum
from bounds.regret.maximum.slepian import ExpectedMaximum, expected_maximum

LARGEST_GRAM = 5_000
"""Points of the largest Gram matrix that is searched for a sub-set."""

_GREEDY = 200  # points picked from a Gram matrix at most
_FURTHER = 0.97  # correlations beyond it cannot help


@dataclass(frozen=True)
class LeastMaximum:
    """m* ≥ value.

    Attributes
    ----------
    value : rounded down, a `Lower` where certified
    points : indices of the points compared, in the domain or the Gram matrix
    correlation : an upper bound on their correlations, rounded up
    certified : whether everything was rounded outward
    level : the confidence of a simulated value; None where nothing was simulated
    source : how it was found
    quantised : what a value by quantisation rests on; None for Slepian's
    """

    value: float
    points: tuple[int, ...]
    correlation: float
    certified: bool
    level: float | None = None
    source: str = "Slepian on a subset"
    quantised: Quantised | None = None


def gram_of(problem: Problem) -> FloatArray:
    """K of the whole domain, (N, N); refused beyond `LARGEST_GRAM` points."""
    size = problem.domain.size
    if size > LARGEST_GRAM:
        remedy = f"use a domain of at most {LARGEST_GRAM} points here"
        raise InvalidInput("domain", f"{size} points", remedy)
    every = np.arange(size)
    return problem.domain.restricted(problem.space_kernel).gram(every, every)


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
    return _closer(problem.domain, problem.space_kernel)


def maximum_bracket(problem: Problem, gram: FloatArray | None = None) -> ExpectedMaximum:
    """m* from both sides: `least_maximum`, and above telescoping or, for a Gram matrix, M_N.

    Above, E max ≤ √(1 − ρ⁻)·M_N for correlations ≥ ρ⁻. Not certified above.
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
    # Sudakov and Fernique: independent values of variance 1 − ρ⁻ are at least as far apart.
    smallest = float(np.min(gram[~np.eye(count, dtype=bool)]))
    return sqrt(1.0 - smallest) * rough_normal_maximum(count) * (1.0 + 1e-9)


@lru_cache(maxsize=32)
def _closer(domain: Domain, kernel: Kernel) -> LeastMaximum:
    """The larger of Slepian's value and the one by quantisation."""
    compared = _of_domain(domain, kernel)
    if isinstance(domain.space_kernel(kernel), Independent) or not compared.certified:
        return compared
    quantised = quantised_maximum(domain, domain.space_kernel(kernel))
    if quantised is None or quantised.value <= compared.value:
        return compared
    return replace(
        compared,
        value=quantised.value,
        points=quantised.points,
        source=f"{len(quantised.points)} points, quantised",
        quantised=quantised,
    )


def _of_domain(domain: Domain, kernel: Kernel) -> LeastMaximum:
    if isinstance(domain.space_kernel(kernel), Independent) and domain.size > 1:
        with enclosure.precision(matrices.WORKING_BITS):
            least, most = _compared(0, domain.size)
        return LeastMaximum(least, tuple(range(domain.size)), most, True)
    on_points = domain.restricted(kernel)
    best, best_value, size = np.zeros(1, dtype=np.int64), 0.0, 1
    for count in _counts(domain):
        chosen = domain.spread(count)
        if len(chosen) <= size:
            continue
        size = len(chosen)
        correlation = _largest(on_points.gram(chosen, chosen))
        value = sqrt(max(1.0 - correlation, 0.0)) * rough_normal_maximum(size)
        if value > best_value:
            best, best_value = chosen, value
        if correlation > _FURTHER:
            break
    points = tuple(int(x) for x in best)
    if len(points) == 1:
        return LeastMaximum(Lower(0.0), points, 1.0, True)
    try:
        with enclosure.precision(matrices.WORKING_BITS):
            balls = on_points.enclosed_gram(best, best)[np.triu_indices(len(points), 1)]
            value, correlation = _compared(enclosure.maximum(balls.tolist()), len(points))
    except NoEnclosure:
        return LeastMaximum(best_value, points, _largest(on_points.gram(best, best)), False)
    return LeastMaximum(value, points, correlation, True)


def _counts(domain: Domain) -> list[int]:
    """Sizes of subsets to try: c^d for d axes, otherwise growing by about a fifth."""
    axes = domain.axes
    if axes is not None and len(axes) > 1:
        longest = max(len(axis) for axis in axes)
        powers = [count ** len(axes) for count in range(2, longest + 1)]
        return [power for power in powers if power <= max(_GREEDY, powers[0])]
    most = min(domain.size, _GREEDY)
    steps = np.unique(np.geomspace(2, max(most, 2), 30).astype(int))
    return [int(count) for count in steps if count <= most]


def _largest(gram: FloatArray) -> float:
    return float(np.max(gram[~np.eye(len(gram), dtype=bool)]))


def _of_gram(gram: FloatArray) -> LeastMaximum:
    count = len(gram)
    if count == 1:
        return LeastMaximum(Lower(0.0), (0,), 1.0, True)
    off = gram - 2.0 * np.eye(count)
    first = first_largest(-np.min(gram, axis=1), scale=1.0)
    chosen, closest, worst = [first], gram[first].copy(), -1.0
    closest[first] = np.inf
    best: tuple[float, int, float] = (0.0, 1, 1.0)
    for size in range(2, min(count, _GREEDY) + 1):
        index = first_largest(-closest, scale=1.0)
        worst = max(worst, float(np.max(off[index, chosen])))
        chosen.append(index)
        closest = np.maximum(closest, gram[index])
        closest[index] = np.inf
        rough = sqrt(max(1.0 - worst, 0.0)) * rough_normal_maximum(size)
        if rough > best[0]:
            best = (rough, size, worst)
        if worst > _FURTHER:
            break
    points = tuple(chosen[: best[1]])
    if best[1] == 1:
        return LeastMaximum(Lower(0.0), points, 1.0, True)
    with enclosure.precision(matrices.WORKING_BITS):
        value, correlation = _compared(enclosure.exact(Fraction(best[2])), best[1])
    return LeastMaximum(value, points, correlation, True)


def _compared(correlation: enclosure.Number, count: int) -> tuple[Lower, Upper]:
    """√(1−ρ)·M_p rounded down and ρ rounded up."""
    top = matrices.upward(enclosure.ball(correlation))
    spread = enclosure.sqrt(enclosure.maximum(1 - Fraction(top), 0))
    least = enclosure.ball(spread * normal_maximum(count))
    # A little lower than it need be, so that another quadrature of M_p confirms it.
    return Lower(max(matrices.downward(least) * (1.0 - 1e-9), 0.0)), top
