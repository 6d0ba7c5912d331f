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

from math import isfinite, pi, sqrt

import numpy as np
from scipy import linalg

from bounds import enclosure
from bounds.arithmetic import Arithmetic, Value
from bounds.arrays import FloatArray
from bounds.enclosure import Number, matrices
from bounds.errors import InvalidInput
from bounds.formulas import regret_constant
from bounds.problem import Problem
from bounds.static_gain.certified import GridBalls

_LEAST = 1e-300

LARGEST_INVERTED = 200
"""Points up to which K is inverted in balls."""


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


def margin_price(a: Arithmetic, of: Value) -> Value:
    """C₁β_nγ̂, C₁ = 8/log(1+1/σ²): what the rounds cost that lose more than a margin, times it."""
    return regret_constant(a, of.noise) * of.beta * of.gain


def best_margin(n: int, price: float, rate: float) -> float:
    """The η > 0 at which n·η·min(κη, 1) + price/η is smallest.

    Parameters
    ----------
    n : rounds
    price : C₁β_nγ̂; where it is 0 the smaller the margin the better
    rate : κ of `margin_rate`; infinite where M(η) ≤ 1 is all that is known

    Raises InvalidInput for a negative price and a rate that is not positive.

    >>> best_margin(4, 16.0, float("inf"))
    2.0
    """
    if not (price >= 0.0 and rate > 0.0):
        raise InvalidInput("price, rate", (price, rate), "neither is negative")
    # Up to η = 1/κ the sum is n κ η² + price/η, beyond it n η + price/η.
    candidates = [sqrt(price / n)]
    if isfinite(rate):
        candidates += [(price / (2.0 * n * rate)) ** (1.0 / 3.0), 1.0 / rate]
    positive = [margin for margin in candidates if margin > 0.0]
    if price == 0.0 or not positive:
        return _LEAST

    def worth(margin: float) -> float:
        return n * margin * min(rate * margin, 1.0) + price / margin

    return min(positive, key=worth)


def enclosed_margin_rate(problem: Problem) -> Number | None:
    """κ = Σ_x 1/√(2πc_x), c_x = 1/(K⁻¹)_xx; None for many points or a K near a singular one."""
    domain = problem.domain
    if domain.size > LARGEST_INVERTED:
        return None
    every = np.arange(domain.size)
    gram = GridBalls(problem.space_kernel, domain).gram(every, every)
    try:
        inverse = matrices.ball_matrix(gram).inv()
    except ZeroDivisionError:
        return None
    diagonal = np.diagonal(matrices.entries(inverse))
    if not all(value > 0 for value in diagonal):
        return None
    total = enclosure.total(enclosure.sqrt(value) for value in diagonal)
    return enclosure.divide(total, enclosure.sqrt(2 * enclosure.pi()))
