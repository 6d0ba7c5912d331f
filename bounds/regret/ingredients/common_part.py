"""What of f may be told to the policy: nothing, or the part common to all points.

Where f has a part common to all points, c = 1/(1ᵀK⁻¹1), that part changes no regret and may be
told to the policy: Theorem F then has σ²/(1−c) for σ², and the looks of `rank` are worth √(1−c)
times as much, as what is left of f has the variance 1−c. It is taken where that is larger.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bounds import enclosure
from bounds.enclosure import Lower, matrices
from bounds.errors import NoEnclosure
from bounds.problem import Problem
from bounds.regret.ingredients.full_information import VarianceLeft, variance_left

MOST_WITH_COMMON_PART = 64
"""Points up to which the part common to all is sought, in ball arithmetic."""


def information(problem: Problem, delay: int = 0) -> Iterator[tuple[float, VarianceLeft]]:
    """What of f is told to the policy beforehand, with the p_i that are left: nothing (0), and the
    part c common to all points where that leaves more.
    """

    def left(noise: float) -> VarianceLeft:
        return variance_left(problem.times, problem.time_kernel, noise, delay=delay)

    plain, common = left(problem.noise_variance), common_part(problem)
    yield 0.0, plain
    if common is not None:
        further = left(_noise_beside(problem, common))
        if further.total() > plain.total():
            yield common, further


def common_part(problem: Problem) -> float | None:
    """c < 1 with K − c·11ᵀ positive definite, nearly the largest; None where none is found.

    Sought by balls up to 64 points: the largest is 1/(1ᵀK⁻¹1).

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Arms(4))
    >>> round(common_part(problem), 6)
    0.25
    """
    size = problem.domain.size
    if not 2 <= size <= MOST_WITH_COMMON_PART:
        return None
    every = np.arange(size)
    on_points = problem.domain.restricted(problem.space_kernel)
    with enclosure.precision(2 * matrices.WORKING_BITS):
        try:
            total = matrices.inverse_sum(on_points.enclosed_gram(every, every))
        except NoEnclosure:
            return None
        # Near a singular K the sum is positive too, but its ball may not show it.
        if total is None or not enclosure.certainly_lt(1, total):
            return None
        # A little less, so that what is left can be seen to be positive definite.
        share = matrices.downward(enclosure.ball(enclosure.divide(1, total))) * (1.0 - 1e-9)
    return share if 0.0 < share < 1.0 else None


def noise_beyond_common_part(problem: Problem) -> Lower | None:
    """σ²/(1−c) rounded down, c of `common_part`; None where there is no such part."""
    share = common_part(problem)
    return None if share is None else _noise_beside(problem, share)


def _noise_beside(problem: Problem, share: float) -> Lower:
    with enclosure.precision(matrices.WORKING_BITS):
        noise = enclosure.divide(
            enclosure.exact_double(problem.noise_variance), 1 - enclosure.exact_double(share)
        )
        return matrices.downward(enclosure.ball(noise))
