"""Theorem R: on any compact domain whose kernel has rank r, exponent 1/3 of ε from above.

Forgetting kernel, unit steps, σ > 0, K of rank r, and r points whose Gram matrix has the least
eigenvalue β > 0. Played in turn in rounds 1, 1+m, 1+2m, …, the largest posterior mean elsewhere,

    E R_n ≤ m*·[n/m + 1 + (r/β)(nq + rm(1 + σ² log(1 + n/(rmσ²))))],

q the positive root of q² = δ(q + σ² − qσ²), δ = 1 − (1−ε)^{rm}. See docs/theory.md#theorem-r. The
number of points plays no part. On [−1, 1]^r with K = xᵀx'/r the truth has the exponent 1/2.
"""

from __future__ import annotations

from math import ceil, expm1, log1p, sqrt

from bounds.errors import InvalidInput


def filter_limit(delta: float, noise_variance: float) -> float:
    """q, the variance before a look that a filter with looks of this drift δ apart settles at.

    >>> filter_limit(0.0, 1.0), filter_limit(1.0, 0.5)
    (0.0, 1.0)
    """
    linear = delta * (1.0 - noise_variance)
    constant = delta * noise_variance
    root = sqrt(linear * linear + 4.0 * constant)
    # Of the two forms of the root the one in which nothing cancels.
    if linear >= 0.0:
        return 0.5 * (linear + root)
    return 2.0 * constant / (root - linear)


def finite_rank_regret(
    n: int, epsilon: float, noise_variance: float, rank: int, eigenvalue: float, spacing: int
) -> float:
    """The bound on E R_n in units of m*, for a look every `spacing` = m rounds.

    Raises InvalidInput for numbers out of their ranges.
    """
    for name, value, least in (("n", n, 1), ("rank", rank, 1), ("spacing", spacing, 1)):
        if value < least:
            raise InvalidInput(name, value, f"give at least {least}")
    if not 0.0 <= epsilon < 1.0:
        raise InvalidInput("epsilon", epsilon, "give a number in [0, 1)")
    if not (noise_variance > 0.0 and eigenvalue > 0.0):
        raise InvalidInput("noise-variance", noise_variance, "and the eigenvalue are positive")
    cycle = rank * spacing
    limit = filter_limit(-expm1(cycle * log1p(-epsilon)), noise_variance)
    start = cycle * (1.0 + noise_variance * log1p(n / (cycle * noise_variance)))
    return n / spacing + 1.0 + rank / eigenvalue * (n * limit + start)


def good_spacing(epsilon: float, noise_variance: float, rank: int, eigenvalue: float) -> int:
    """m = ⌈1/s⌉ with s = r(σ²ε/(4β²))^{1/3}: the leading part is then 3s·m* a round.

    >>> good_spacing(1e-3, 1.0, 2, 1.0)
    8
    """
    s: float = rank * (noise_variance * epsilon / (4.0 * eigenvalue**2)) ** (1.0 / 3.0)
    if not 0.0 < s <= 1.0:
        raise InvalidInput("epsilon", epsilon, "s = r(σ²ε/(4β²))^(1/3) must be in (0, 1]")
    return ceil(1.0 / s)
