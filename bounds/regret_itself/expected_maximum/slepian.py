"""m* = E max_x g(x), g ~ GP(0, k_space) over a finite domain, in floating point from both sides.

From above by telescoping. From below by Slepian: among m points whose correlations do not exceed
ρ, E max ≥ √(1−ρ)·E max of m independent standard normals; the best m of a few is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import integrate, special

from bounds.domain import Domain
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret_itself.expected_maximum.telescoping import expected_maximum_upper

_MOST_CORRELATED = 1_000


@dataclass(frozen=True)
class ExpectedMaximum:
    """lower ≤ m* ≤ upper, m* = E max_x g(x), g ~ GP(0, k_space) over a finite domain.

    certified : True only for outward rounded arithmetic; floating point is never certified
    """

    lower: float
    upper: float
    certified: bool = False


def expected_maximum(domain: Domain, kernel: Kernel) -> ExpectedMaximum:
    """A two-sided bracket of m*, by ordered telescoping above and Slepian's comparison below.

    Below: m* is at least the maximum over some m points whose correlations are at most ρ; by
    Slepian's lemma it is at least √(1−ρ) times E max of m independent normals. m is chosen best
    (of a grid: sub-grids of p^d points). O(N) and the telescoping.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> found = expected_maximum(Grid(1, 1.0, 2), SquaredExponential(0.1))
    >>> found.lower <= 0.5641896 <= found.upper
    True
    """
    return ExpectedMaximum(_slepian_lower(domain, kernel), expected_maximum_upper(domain, kernel))


def normal_maximum(count: int) -> float:
    """E max of `count` independent standard normals, by quadrature of ∫ (1 − Φ^m) − ∫ Φ^m.

    >>> round(normal_maximum(2), 6)  # 1/√π
    0.56419
    """
    if count < 1:
        raise InvalidInput("count", count, "give at least 1")

    def above(x: float) -> float:
        return -float(np.expm1(count * special.log_ndtr(x)))

    def below(x: float) -> float:
        return float(np.exp(count * special.log_ndtr(x)))

    upper = integrate.quad(above, 0.0, 40.0, points=[2.0, 4.0, 8.0])[0]
    return float(upper - integrate.quad(below, -40.0, 0.0, points=[-4.0, -1.0])[0])


def _slepian_lower(domain: Domain, kernel: Kernel) -> float:
    best = 0.0
    for count, correlation in _correlated(domain, domain.space_kernel(kernel)):
        found = sqrt(max(1.0 - correlation, 0.0)) * normal_maximum(count)
        best = max(best, found)
        if correlation > 0.95:
            break
    return best


def _correlated(domain: Domain, kernel: Kernel) -> Iterator[tuple[int, float]]:
    """Numbers of points, and what the correlations among so many of them do not exceed."""
    if kernel.is_nonincreasing:
        for count, gap in domain.separated():
            yield count, float(kernel.at_distance(gap))
        return
    wanted, count = 0, 2
    while count <= min(domain.size, _MOST_CORRELATED):
        chosen = domain.spread(count)
        if len(chosen) > max(wanted, 1):
            gram = domain.restricted(kernel).gram(chosen, chosen)
            wanted = len(chosen)
            yield wanted, float(np.max(gram[~np.eye(wanted, dtype=bool)]))
        count = count * 2
