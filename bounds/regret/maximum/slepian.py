"""m* = E max_x g(x), g ~ GP(0, k_space) over a finite domain, in floating point from both sides.

From above by telescoping, and by comparison with points further apart. From below by Slepian:
among m points whose correlations do not exceed ρ, E max ≥ √(1−ρ)·E max of m independent standard
normals; the best m of a few is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from bounds.domain import Domain
from bounds.kernels import Kernel
from bounds.kernels.independent import Independent
from bounds.regret.maximum.fernique import fernique_upper
from bounds.regret.maximum.normals import normal_maximum
from bounds.regret.maximum.telescoping import expected_maximum_upper

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
    """A two-sided bracket of m*: telescoping or `fernique` above, Slepian's comparison below.

    Below: m* is at least the maximum over some m points whose correlations are at most ρ; by
    Slepian's lemma it is at least √(1−ρ) times E max of m independent normals. m is chosen best
    (of a grid: sub-grids of p^d points). O(N) and the telescoping.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> maximum = expected_maximum(Grid(1, 1.0, 2), SquaredExponential(0.1))
    >>> maximum.lower <= 0.5641896 and 0.5641895 <= maximum.upper < 0.5641897
    True
    """
    own = domain.space_kernel(kernel)

    def upper(part: Domain) -> float:
        return min(expected_maximum_upper(part, own), fernique_upper(part, own, upper))

    above = upper(domain)
    return ExpectedMaximum(min(_slepian_lower(domain, own), above), above)


def _slepian_lower(domain: Domain, kernel: Kernel) -> float:
    best = 0.0
    for count, correlation in _correlated(domain, kernel):
        value = sqrt(max(1.0 - correlation, 0.0)) * normal_maximum(count)
        best = max(best, value)
        if correlation > 0.95:
            break
    return best


def _correlated(domain: Domain, kernel: Kernel) -> Iterator[tuple[int, float]]:
    """Numbers of points, and what the correlations among so many of them do not exceed."""
    if isinstance(kernel, Independent):
        yield domain.size, 0.0
        return
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
