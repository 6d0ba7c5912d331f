"""Theorem C: confidence and regret where the evaluation time t(x) depends on the chosen point.

For a finite domain, a Markov time kernel of slope λ = −½log(1−ε), and t: D → [0, t_max] known and
deterministic. The competitor x* is met at another instant than the one chosen, which costs a
factor 3.067/2 over the usual r_n ≤ 2√β_n σ_{n−1}(x_n, τ_n), and another β_n.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, e, log

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.confidence.schedules import require_size_and_delta, union_weight
from bounds.errors import InvalidInput

REGRET_PER_DEVIATION = 3.067
"""r_n ≤ 3.067 √β_n σ_{n−1}(x_n, τ_n) with probability ≥ 1 − δ, for all n."""

CONSTANT_FACTOR = (REGRET_PER_DEVIATION / 2.0) ** 2
"""By this (2.352) C₁ = 8/log(1 + 1/σ²) grows in every bound √(C₁β_n n γ̃_n)."""


def point_times_beta(
    n: ArrayLike, domain_size: int, delta: float, *, slope: float, longest: float
) -> FloatArray:
    """The least β_n of Theorem C that its two conditions allow, rounded up by at most 1e-9.

    β_n ≥ 2 log(2|D|π_n/δ) and β_n ≥ 2 log(4e|D|π_n·max(1, ⌈λT_nβ_n⌉)/δ) with T_n = n·t_max and
    π_n = π²n²/6. Non-decreasing in n.

    Parameters
    ----------
    n : rounds ≥ 1
    domain_size : |D| ≥ 1
    delta : probability in (0, 1) that the bound may fail
    slope : λ ≥ 0, the slope of the time kernel
    longest : t_max ≥ 0

    Raises InvalidInput outside these domains.

    >>> float(point_times_beta(1, 2500, 0.1, slope=0.0, longest=6.0)).__round__(4)
    26.0213
    """
    require_size_and_delta(domain_size, delta)
    for name, value in (("slope", slope), ("longest", longest)):
        if not (np.isfinite(value) and value >= 0):
            raise InvalidInput(name, value, "give a finite number of at least 0")
    rounds = np.asarray(n, dtype=float)
    base = 2.0 * np.log(4.0 * e * domain_size * union_weight(rounds) / delta)
    exactly = Fraction(slope) * Fraction(longest)  # a product of doubles need not be one
    least = [
        _least_fixed_point(b, exactly * Fraction(m))
        for b, m in zip(base.ravel(), rounds.ravel(), strict=True)
    ]
    return np.reshape(least, base.shape)


def _least_fixed_point(base: float, rate: Fraction) -> float:
    """The least β ≥ base with β ≥ base + 2 log max(1, ⌈rate·β⌉), from below."""
    beta = base
    while True:
        # The margin is for rounding; it may itself step over the next ceiling, hence tested too.
        padded = beta * (1.0 + 1e-12)
        needed = base + 2.0 * log(max(1, ceil(rate * Fraction(padded))))
        if needed <= padded:
            return padded
        beta = needed
