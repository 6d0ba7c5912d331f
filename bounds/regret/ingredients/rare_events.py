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

from math import sqrt

import numpy as np
from scipy import special

from bounds import enclosure
from bounds.arithmetic import BALLS
from bounds.enclosure import Number
from bounds.errors import InvalidInput
from bounds.formulas import tail_mean

_FURTHEST = 37.0  # standard deviations beyond which a tangent to I gains nothing


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


def isoperimetric_sum(size: int, mean: Number) -> Number:
    """An upper bound on |D|·I(p/|D|) for 0 ≤ p ≤ `mean`: w·mean + |D|·G(w) at a w ≥ 0.

    I is concave with I' = −Φ⁻¹, so that it is below its tangent where Φ(−w) is near p/|D|. 0 for
    one point.
    """
    if size == 1:
        return enclosure.ball(0)
    nearest = -float(special.ndtri(float(enclosure.ball(mean).mid()) / size))
    w = enclosure.ball(enclosure.exact_double(min(max(nearest, 0.0), _FURTHEST)))
    return w * mean + size * tail_mean(BALLS, w)
