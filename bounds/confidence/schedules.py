"""Confidence parameters β_n: how wide the interval around the posterior mean must be.

In all of them the acquisition of the theory is μ + √β_n·σ.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bounds import formulas
from bounds.arithmetic import DOUBLES
from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels.base import require_positive

_LARGEST_CONSTANT = 1e100  # beyond, weights times deviations are no numbers


def union_weight(n: ArrayLike) -> FloatArray:
    """π_n = π²n²/6 for rounds n ≥ 1, so that Σ_{n≥1} 1/π_n = 1."""
    rounds = _rounds(n)
    return np.asarray(formulas.union_weight(DOUBLES, rounds))


def finite_domain_beta(n: ArrayLike, domain_size: int, delta: float) -> FloatArray:
    """β_n = 2 log(|D| π_n/δ) for a finite domain D.

    With probability ≥ 1 − δ, |f(x,τ_n) − μ_{n−1}(x,τ_n)| ≤ √β_n σ_{n−1}(x,τ_n) for all n ≥ 1 and
    x ∈ D (Gaussian tails and a union over D and n); no discretisation term.

    >>> float(finite_domain_beta(1, 2500, 0.1)).__round__(4)
    21.2487
    """
    require_size_and_delta(domain_size, delta)
    rounds = _rounds(n)
    return np.asarray(formulas.finite_domain_beta(DOUBLES, rounds, domain_size, delta))


def theorem_beta(
    n: ArrayLike, *, dimension: int, side: float, a: float, b: float, delta: float
) -> FloatArray:
    """β_n of Theorem 1: 2 log(2π²n²/(3δ)) + 2d log(d n² b r √log(2π²n² a d/(3δ))).

    Parameters
    ----------
    n : rounds ≥ 1
    dimension, side : d and r of the box [0, r]^d
    a, b : constants of Assumption 1 (III), P(sup_x |∂f/∂x_j| > L) ≤ a e^{−L²/b²}
    delta : probability in (0, 1) that the bound may fail

    Raises InvalidInput where the formula has no value, that is where an argument of a logarithm is
    not positive; where the discretisation would have fewer than one point per axis the second
    logarithm counts as 0, since a domain has at least one point.
    """
    require_size_and_delta(1, delta)
    for name, value in (("a", a), ("b", b), ("side", side)):
        require_positive(name, value)
    rounds = _rounds(n)
    if np.any(formulas.box_weight(DOUBLES, rounds, delta) * a * dimension <= 1):
        raise InvalidInput("a", a, "too small: log(2 pi^2 n^2 a d/(3 delta)) must be positive")
    beta = formulas.box_beta(
        DOUBLES, rounds, dimension=dimension, side=side, tail=a, scale=b, delta=delta
    )
    return np.asarray(beta)


def bogunovic_weight(n: ArrayLike, c1: float = 0.8, c2: float = 4.0) -> FloatArray:
    """c₁ log(c₂ n), the exploration weight that practice puts for a β_n; of no theorem.

    Bogunovic et al. 2016 take its root as the weight of σ (`sqrt-beta`); the text of Imamura et
    al. 2020 and their experiments take it as it is (`beta`).

    >>> float(bogunovic_weight(1)).__round__(4)
    1.109
    """
    for name, value in (("c1", c1), ("c2", c2)):
        if not 0 < value <= _LARGEST_CONSTANT:
            raise InvalidInput(name, value, f"give a number above 0, at most {_LARGEST_CONSTANT:g}")
    return np.asarray(np.maximum(c1 * np.log(c2 * np.asarray(n, dtype=float)), 0.0))


def regret_constant(noise_variance: float) -> float:
    """C₁ = 8/log(1 + 1/σ²), the constant of Σ 4β_iσ_i² ≤ C₁ β_n Ĩ."""
    return float(formulas.regret_constant(DOUBLES, noise_variance))


def regret_from_gain(n: int, beta: float, gain: float, noise_variance: float) -> float:
    """√(C₁ β_n n γ̃): the regret that Cauchy–Schwarz allows for a gain of at most γ̃.

    Upper bound on R_n with the probability that β_n stands for, on a finite domain.
    """
    return float(formulas.regret_from_gain(DOUBLES, n, beta, gain, noise_variance))


def _rounds(n: ArrayLike) -> FloatArray:
    rounds = np.asarray(n, dtype=float)
    if np.any(~(rounds >= 1)):
        raise InvalidInput("n", n, "rounds count from 1")
    return rounds


def require_size_and_delta(domain_size: int, delta: float) -> None:
    """Raise InvalidInput for a domain without points, or what is no probability in (0, 1)."""
    if domain_size < 1:
        raise InvalidInput("domain size", domain_size, "give at least 1 point")
    if not 0.0 < delta < 1.0:
        raise InvalidInput("delta", delta, "give a probability in (0, 1)")
