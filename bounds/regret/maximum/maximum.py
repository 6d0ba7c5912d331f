"""m* = E max_x g(x), g ~ GP(0, k_space) over the domain, from below in ball arithmetic.

Slepian's lemma: p points whose correlations are at most ρ have E max ≥ √(1−ρ)·M_p, M_p the mean of
the largest of p independent standard normals; more points only raise it. Spread subsets of the
domain are tried, sub-grids of a grid.
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
from bounds.enclosure import Lower, matrices
from bounds.enclosure.integrals import normal_maximum
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Kernel
from bounds.kernels.independent import Independent
from bounds.problem import Problem
from bounds.regret.maximum.normals import normal_maximum as rough_normal_maximum
from bounds.regret.maximum.quantised import Quantised, quantised_maximum

LARGEST_GRAM = 5_000
"""Points of the largest domain whose Gram matrix is formed for the games of single arms."""

_MOST_COMPARED = 200  # points of a subset at most
_FURTHER = 0.97  # correlations beyond it cannot help


@dataclass(frozen=True)
class LeastMaximum:
    """m* ≥ value.

    Attributes
    ----------
    value : rounded down, a `Lower` where certified
    points : indices of the points compared
    certified : whether everything was rounded outward
    level : the confidence of a simulated value; None where nothing was simulated
    source : how it was found
    quantised : what a value by quantisation rests on; None for Slepian's
    """

    value: float
    points: tuple[int, ...]
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


def least_maximum(problem: Problem) -> LeastMaximum:
    """A certified lower bound on m*; uncertified for a space kernel without an enclosure.

    Some milliseconds.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Arms(2))
    >>> 0.56418958 <= least_maximum(problem).value <= 0.56418959  # 1/√π
    True
    """
    return _closer(problem.domain, problem.space_kernel)


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
            least = _compared(0, domain.size)
        return LeastMaximum(least, tuple(range(domain.size)), True)
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
        return LeastMaximum(Lower(0.0), points, True)
    try:
        with enclosure.precision(matrices.WORKING_BITS):
            balls = on_points.enclosed_gram(best, best)[np.triu_indices(len(points), 1)]
            value = _compared(enclosure.maximum(balls.tolist()), len(points))
    except NoEnclosure:
        return LeastMaximum(best_value, points, False)
    return LeastMaximum(value, points, True)


def _counts(domain: Domain) -> list[int]:
    """Sizes of subsets to try: c^d for d axes, otherwise growing by about a fifth."""
    axes = domain.axes
    if axes is not None and len(axes) > 1:
        longest = max(len(axis) for axis in axes)
        powers = [count ** len(axes) for count in range(2, longest + 1)]
        return [power for power in powers if power <= max(_MOST_COMPARED, powers[0])]
    most = min(domain.size, _MOST_COMPARED)
    steps = np.unique(np.geomspace(2, max(most, 2), 30).astype(int))
    return [int(count) for count in steps if count <= most]


def _largest(gram: FloatArray) -> float:
    return float(np.max(gram[~np.eye(len(gram), dtype=bool)]))


def _compared(correlation: enclosure.Number, count: int) -> Lower:
    """√(1−ρ)·M_p rounded down."""
    top = matrices.upward(enclosure.ball(correlation))
    spread = enclosure.sqrt(enclosure.maximum(1 - Fraction(top), 0))
    least = enclosure.ball(spread * normal_maximum(count))
    # A little lower than it need be, so that another quadrature of M_p confirms it.
    return Lower(max(matrices.downward(least) * (1.0 - 1e-9), 0.0))
