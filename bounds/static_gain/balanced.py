"""γ_m of independent arms in closed form: the looks are shared out as evenly as can be.

With n_x looks at the arm x the gain is ½ Σ_x log(1 + s·n_x), s = 1/σ², concave in the numbers, so
that moving a look from an arm with two more than another adds to it: with m = qK + r, 0 ≤ r < K,

    γ_m = ½[(K − r) log(1 + s·q) + r log(1 + s(q + 1))]

(docs/theory.md#balanced-looks).
"""

from __future__ import annotations

import numpy as np

from bounds import enclosure
from bounds.domain import Domain
from bounds.enclosure import LowerArray, UpperArray, matrices
from bounds.kernels import Kernel
from bounds.kernels.independent import Independent

_APART = 2.0**-50
"""More than the four roundings of the sum, relative to its positive terms."""


def is_independent(kernel: Kernel, domain: Domain) -> bool:
    """Whether no two points of the domain have any covariance."""
    return isinstance(domain.space_kernel(kernel), Independent)


def balanced_gains(arms: int, noise_variance: float, n: int) -> tuple[LowerArray, UpperArray]:
    """(n+1,) γ_0 … γ_n of K = `arms` independent arms, rounded down and rounded up.

    >>> low, high = balanced_gains(2, 1.0, 3)
    >>> bool(low[3] <= 0.5 * np.log(2.0 * 3.0) <= high[3])
    True
    """
    m = np.arange(n + 1)
    q, r = m // arms, m % arms
    sides = []
    for logs, factor in zip(_logs(noise_variance, n // arms + 1), (-_APART, _APART), strict=True):
        total = (arms - r) * logs[q] + r * logs[q + 1]
        sides.append(np.asarray(0.5 * total * (1.0 + factor)))
    return LowerArray.of(sides[0]), UpperArray.of(sides[1])


def balanced_lines(arms: int, noise_variance: float, n: int) -> list[tuple[float, float, int]]:
    """(intercept, slope, 0) of the lines through γ_m at successive multiples of K.

    γ_m is their least, as it is concave and linear between. Floating point.
    """
    logs = np.log1p(np.arange(n // arms + 2) / noise_variance)
    slopes = 0.5 * np.diff(logs)
    intercepts = arms * (0.5 * logs[:-1] - slopes * np.arange(len(slopes)))
    return [(float(a), float(b), 0) for a, b in zip(intercepts, slopes, strict=True)]


def _logs(noise_variance: float, most: int) -> tuple[LowerArray, UpperArray]:
    """(most+1,) log(1 + q/σ²), q = 0 …, rounded down and up."""
    with enclosure.precision(matrices.WORKING_BITS):
        ratio = enclosure.divide(1, enclosure.exact_double(noise_variance))
        balls = [enclosure.ball(enclosure.log1p(q * ratio)) for q in range(most + 1)]
        array = np.array(balls, dtype=object)
        low = np.maximum(matrices.downward_array(array), 0.0)
        return LowerArray.of(low), matrices.upward_array(array)
