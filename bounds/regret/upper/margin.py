"""The margin bound: on the confidence event a round costs nothing, or at least the margin.

M(η) = P(the largest and the second largest distinct value of f(·,τ) differ by at most η), the same
at every time. For μ + √β_n σ with the β_n of the theorem (confidence event of probability ≥ 1 − δ),
fixed times and every η > 0, C₁ = 8/log(1+s),

    E R_n ≤ n·η·M(η) + C₁ β_n γ̃_n/η + E[R_n; the event fails],

and the last term is at most δ(2m*n + √(2v log(1/δ))), v = 2(1+κ⁻)·1ᵀ|J|1, for δ ≤ e^{−1/2}.
M(η) ≤ κη with κ = Σ_x 1/√(2πc_x), c_x = 1/(K⁻¹)_xx the variance of f(x) given the other points.
See docs/theory.md#margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isfinite, log, log1p, pi, sqrt

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.regret.upper.sandwich import range_variance


@dataclass(frozen=True)
class MarginBound:
    """E R_n ≤ value; the three terms add up to it. Floating point: `certified` encloses it.

    margin : the η used
    near : n·η·M(η)
    far : C₁βγ̃/η
    failed : of the confidence event
    """

    value: float
    margin: float
    near: float
    far: float
    failed: float


def conditional_variances(gram: FloatArray) -> FloatArray:
    """(N,) c_x = 1/(K⁻¹)_xx: 0 throughout where K is singular in doubles.

    >>> conditional_variances(np.eye(3))
    array([1., 1., 1.])
    """
    try:
        factor = linalg.cholesky(gram, lower=True)
    except linalg.LinAlgError:
        return np.zeros(len(gram))
    inverse = linalg.solve_triangular(factor, np.eye(len(gram)), lower=True)
    return np.asarray(1.0 / np.sum(inverse * inverse, axis=0))


def margin_rate(gram: FloatArray) -> float:
    """κ = Σ_x 1/√(2πc_x), with M(η) ≤ κη; infinite where K is singular in doubles."""
    variances = conditional_variances(gram)
    if not np.all(variances > 0.0):
        return float("inf")
    return float(np.sum(1.0 / np.sqrt(2.0 * pi * variances)))


def margin_bound(
    problem: Problem,
    beta: float,
    gain: float,
    maximum: float,
    rate: float,
    *,
    negative: float = 0.0,
) -> MarginBound:
    """The bound at its best η, with M(η) ≤ min(κη, 1).

    Parameters
    ----------
    problem : times, time kernel, noise and δ
    beta : β_n
    gain : γ̂ ≥ γ̃_n
    maximum : an upper bound on m*
    rate : κ of `margin_rate`; where it is infinite M(η) ≤ 1
    negative : κ⁻ ≥ 0 with k_space ≥ −κ⁻

    Raises InvalidInput for δ > e^{−1/2}, where the last term is no bound.
    """
    n, delta = problem.n, problem.delta
    if delta > exp(-0.5):
        raise InvalidInput("delta", delta, "give at most 0.606 for the margin bound")
    if not (beta >= 0.0 and gain >= 0.0 and maximum >= 0.0 and rate > 0.0):
        raise InvalidInput("beta, gain, m*, rate", (beta, gain, maximum, rate), "none is negative")
    spread = range_variance(problem.times, problem.time_kernel, negative=negative)
    failed = delta * (2.0 * maximum * n + sqrt(2.0 * spread * log(1.0 / delta)))
    price = 8.0 / log1p(1.0 / problem.noise_variance) * beta * gain
    # Up to η = 1/κ the sum is n κ η² + price/η, beyond it n η + price/η.
    candidates = [sqrt(price / n)]
    if isfinite(rate):
        candidates += [(price / (2.0 * n * rate)) ** (1.0 / 3.0), 1.0 / rate]
    best: MarginBound | None = None
    for margin in candidates:
        if margin <= 0.0:  # no gain: every margin does
            return MarginBound(failed, 0.0, 0.0, 0.0, failed)
        share = min(rate * margin, 1.0)
        near, far = n * margin * share, price / margin
        if best is None or near + far + failed < best.value:
            best = MarginBound(near + far + failed, margin, near, far, failed)
    assert best is not None
    return best
