"""Theorem T: Thompson sampling and UCB with a random weight, without β.

I(p) = ϕ(Φ⁻¹(p)) is the largest mean of a standard normal variable on an event of probability p,
times p. For evaluation times fixed beforehand, a finite domain of |D| ≥ 2 points, k_space(x,x) ≤ 1,
S̄ ≥ Σσ_{i−1}(x_i,τ_i)/n for every design, and

- Thompson sampling: x_i drawn from the law of argmax f(·,τ_i) given the data, or
- random-weight UCB: x_i maximises μ + z_i σ, z_i = Φ̄⁻¹(u_i/|D|), u_i uniform, fresh every round,

    E R_n ≤ n·|D|·I(min(S̄, 1)/|D|).

Thompson sampling has E R_n ≤ |D| I(1/|D|)·√(n Σσ²) too, Σσ² ≤ 2γ̃_n(s')/log(1+s') for every
s' ≤ s = 1/σ². See docs/theory.md#theorem-t. IRGP-UCB (Takeno et al. 2023, arXiv 2302.01511) has the
weight √(2 log(|D|/2) + χ²_2) and E R_n ≤ √((2 + 2 log(|D|/2))·n·Σσ²).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, log1p, sqrt

import numpy as np
from scipy import special

from bounds.errors import InvalidInput


def isoperimetric(p: float) -> float:
    """I(p) = ϕ(Φ⁻¹(p)) for p in [0, 1]: concave, symmetric about ½.

    >>> round(isoperimetric(0.5), 9)  # 1/√(2π)
    0.39894228
    """
    if not 0.0 <= p <= 1.0:
        raise InvalidInput("p", p, "give a probability")
    if p in (0.0, 1.0):
        return 0.0
    z = float(special.ndtri(p))
    return float(np.exp(-0.5 * z * z) / sqrt(2.0 * np.pi))


def by_deviations(n: int, size: int, mean_deviation: float) -> float:
    """n·|D|·I(min(S̄,1)/|D|), for Thompson sampling and for random-weight UCB.

    >>> round(by_deviations(1, 2, 1.0), 9)  # 2ϕ(0)
    0.797884561
    """
    require_size(size)
    if not mean_deviation >= 0.0:
        raise InvalidInput("mean deviation", mean_deviation, "give a number of at least 0")
    if size == 1:
        return 0.0
    return n * size * isoperimetric(min(mean_deviation, 1.0) / size)


def by_variances(n: int, size: int, variances: float) -> float:
    """|D| I(1/|D|)·√(n Σσ²), for Thompson sampling alone."""
    require_size(size)
    return 0.0 if size == 1 else size * isoperimetric(1.0 / size) * sqrt(n * variances)


def published(n: int, size: int, variances: float) -> float:
    """√((2 + 2 log(|D|/2))·n·Σσ²), for IRGP-UCB."""
    require_size(size)
    return 0.0 if size == 1 else sqrt((2.0 + 2.0 * log(size / 2.0)) * n * variances)


def variance_bound(n: int, noise_variance: float, gains: Iterable[tuple[float, float]]) -> float:
    """Σσ²_{i−1}(x_i,τ_i) ≤ the least of 2γ̂/log(1+1/σ'²) and n.

    gains : pairs (σ'², γ̂) with σ'² ≥ σ² and γ̂ ≥ γ̃_n at noise σ'²
    """
    best = float(n)
    for level, gain in gains:
        if level < noise_variance * (1.0 - 1e-12):
            raise InvalidInput("noise level", level, f"give at least sigma^2 = {noise_variance:g}")
        if not gain >= 0.0:
            raise InvalidInput("gain", gain, "give a number of at least 0")
        best = min(best, 2.0 * gain / log1p(1.0 / level))
    return best


def require_size(size: int) -> None:
    """Raise InvalidInput for a domain without a point."""
    if size < 1:
        raise InvalidInput("points", size, "give at least one")
