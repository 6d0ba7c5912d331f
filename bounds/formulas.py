"""Formulas that several rooms need, each written once for every arithmetic of `bounds.arithmetic`.

The first argument says how the formula is read: in doubles, in enclosures, or in symbols. The
recheck of certificates in `proofs_check` has a hand of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a problem is made without flint
    from bounds.arithmetic import Arithmetic, Value

Growth = Callable[["Arithmetic", Any], Any]
"""g of a drift ½M·g(·): `phi` or `log_growth`."""


def gain_cap(a: Arithmetic, noise: Value) -> Value:
    """½ log(1 + 1/σ²): no observation of a unit variance gains more."""
    return a.log1p(1 / noise) / 2


def phi(a: Arithmetic, x: Value) -> Value:
    """φ(x) = min(x, log x + 1/x) for x ≥ 0, φ(0) = 0: x up to 1, log x + 1/x beyond.

    >>> from bounds.arithmetic import DOUBLES
    >>> phi(DOUBLES, 0.5), round(phi(DOUBLES, 2.0), 4)
    (0.5, 1.1931)
    """
    return a.split(x, 1, lambda x: x, lambda x: a.log(x) + 1 / x)


def log_growth(a: Arithmetic, x: Value) -> Value:
    """log(1 + x)."""
    return a.log1p(x)


def spread(a: Arithmetic, growth: Growth, rounds: Value, scaled: Value, noise: Value) -> Value:
    """½ M g(√(c/M)/σ²) of a block of M rounds, c = rate²·C with its uniformity C."""
    return rounds * growth(a, a.sqrt(scaled / rounds) / noise) / 2


def round_drift(a: Arithmetic, deficit: Value, noise: Value) -> Value:
    """½ log(1 + (1 − k²)/σ²): what a round of correlation k with the centre of its block adds."""
    return a.log1p(deficit / noise) / 2


def union_weight(a: Arithmetic, n: Value) -> Value:
    """π_n = π²n²/6, so that Σ_{n≥1} 1/π_n = 1."""
    return a.pi**2 * n**2 / 6


def finite_domain_beta(a: Arithmetic, n: Value, size: Value, delta: Value) -> Value:
    """β_n = 2 log(|D| π_n/δ)."""
    return 2 * a.log(size * union_weight(a, n) / delta)


def box_weight(a: Arithmetic, n: Value, delta: Value) -> Value:
    """4π_n/δ = 2π²n²/(3δ)."""
    return 4 * union_weight(a, n) / delta


def box_beta(
    a: Arithmetic,
    n: Value,
    *,
    dimension: int,
    side: Value,
    tail: Value,
    scale: Value,
    delta: Value,
) -> Value:
    """2 log(2π²n²/(3δ)) + 2d log(d n² b r √log(2π²n² a d/(3δ))), tail = a, scale = b, side = r.

    Where the second logarithm is negative it counts as 0: a domain has at least one point.
    """
    weight = box_weight(a, n, delta)
    points = dimension * n**2 * scale * side * a.sqrt(a.log(weight * tail * dimension))
    return 2 * a.log(weight) + 2 * dimension * a.largest(a.log(points), 0)


def regret_constant(a: Arithmetic, noise: Value) -> Value:
    """C₁ = 8/log(1 + 1/σ²)."""
    return 8 / a.log1p(1 / noise)


def regret_from_gain(a: Arithmetic, n: Value, beta: Value, gain: Value, noise: Value) -> Value:
    """√(C₁ β_n n γ̃)."""
    return a.sqrt(regret_constant(a, noise) * beta * n * gain)


def tail_mean(a: Arithmetic, z: Value) -> Value:
    """G(z) = ϕ(z) − z(1 − Φ(z)) = E(Z − z)₊ of a standard normal Z.

    >>> from bounds.arithmetic import DOUBLES
    >>> round(float(tail_mean(DOUBLES, 0.0)), 6)
    0.398942
    """
    return a.exp(-z * z / 2) / a.sqrt(2 * a.pi) - z * a.normal_cdf(-z)


def sum_over_pairs(decays: Iterable[Value]) -> Value:
    """Σ_{j<k} J_jk of a Markov kernel from its decays k_time(t_2), …, k_time(t_n).

    Round k adds S_k = k_time(t_k)·(S_{k−1} + 1).

    >>> sum_over_pairs([0.5, 0.5])
    1.25
    """
    earlier, pairs = 0, 0
    for decay in decays:
        earlier = decay * (earlier + 1)
        pairs = pairs + earlier
    return pairs
