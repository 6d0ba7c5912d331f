"""Published upper bounds on γ̃_n, or on regret, for an objective that drifts.

At unit steps all of them have closed forms in the block length; they take the smallest over the
lengths of `equal_blocks.block_lengths`. s = 1/σ² in the formulas.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf, log, log1p, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray, IntArray
from bounds.confidence.schedules import regret_constant
from bounds.confidence.smoothness import TailConstants
from bounds.partitions.equal_blocks import block_lengths
from bounds.partitions.partition import Partition
from bounds.partitions.result import checked_gains
from bounds.partitions.uniformity import scaled_uniformities
from bounds.times import EvaluationTimes

_MOST_BLOCKS = 2_000


class Blocked(NamedTuple):
    """The value of a bound and the block length at which it is smallest."""

    value: float
    length: int


def bogunovic_printed(n: int, epsilon: float, gamma: ArrayLike) -> Blocked:
    """min over Ñ of (n/Ñ + 1)(γ_Ñ + Ñ³ε), as Theorem 4.3 of Bogunovic et al. 2016 prints it.

    Without the noise: a bound on γ̃_n where σ² ≥ ½ (then it is above `bogunovic_corrected`), false
    for small σ²; see `bogunovic_is_proved`.
    """
    lengths = block_lengths(n)
    values = (n / lengths + 1.0) * (checked_gains(gamma, n)[lengths] + epsilon * lengths**3.0)
    return _smallest(values, lengths)


def bogunovic_is_proved(epsilon: float, noise_variance: float) -> bool:
    """Whether the printed form follows: ½Ñ log(1+sÑ²ε) ≤ ½sÑ³ε ≤ Ñ³ε where σ² ≥ ½ or ε = 0."""
    return noise_variance >= 0.5 or epsilon == 0.0


def bogunovic_corrected(n: int, epsilon: float, noise_variance: float, gamma: ArrayLike) -> Blocked:
    """min over Ñ of (n/Ñ + 1)(γ_Ñ + ½Ñ log(1 + sÑ²ε)), what the argument of Theorem 4.3 gives."""
    lengths = block_lengths(n)
    drift = 0.5 * lengths * np.log1p(lengths**2.0 * epsilon / noise_variance)
    values = (n / lengths + 1.0) * (checked_gains(gamma, n)[lengths] + drift)
    return _smallest(values, lengths)


def mandl_kekkonen(n: int, epsilon: float, noise_variance: float, gamma: ArrayLike) -> Blocked:
    """min over Ñ of ⌈n/Ñ⌉(γ_Ñ + sεÑ√(Ñ²−1)/(2√3)·√γ_Ñ) (Mandl and Kekkonen 2026), unit steps."""
    lengths = block_lengths(n)
    prices = checked_gains(gamma, n)[lengths]
    drift = epsilon / noise_variance * lengths * np.sqrt(lengths**2.0 - 1.0) / (2.0 * sqrt(3.0))
    blocks = (n - 1) // lengths + 1
    return _smallest(blocks * (prices + drift * np.sqrt(prices)), lengths)


def mandl_kekkonen_any_times(
    times: EvaluationTimes, slope: float, noise_variance: float, gamma: ArrayLike
) -> Blocked:
    """Σ_i [γ_{M_i} + sθ√(C_iγ_{M_i}/2)] over equal blocks, C_i with cap 1/θ²: any times.

    With E = K∘(J − 11ᵀ) and P = sK(I+sK)⁻¹, concavity of log det gives
    log det(I+sK+sE) ≤ log det(I+sK) + s·tr[(I+sK)⁻¹E]. E has no diagonal, and off it
    (I+sK)⁻¹ = I − P, so the trace is at most Σ_{j≠k} |P_jk||K_jk||1−J_jk| ≤ ‖P‖_F ‖J−11ᵀ‖_F.
    P has eigenvalues in [0,1): ‖P‖_F² ≤ tr P ≤ log det(I+sK) ≤ 2γ_M. So each block gains at most
    γ_M + ½s√(2γ_M)‖J−11ᵀ‖_F, and |1−J_jk| ≤ min(1, θ|τ_j−τ_k|). O(n) for each length tried; no
    more than 2,000 blocks.
    """
    prices = checked_gains(gamma, times.n)
    best = Blocked(inf, times.n)
    for length, blocks in _equal_blocks(times, slope):
        total = 0.0
        for rounds, scaled in blocks:
            price = float(prices[rounds])
            total += price + sqrt(scaled * price / 2.0) / noise_variance
        if total < best.value:
            best = Blocked(total, length)
    return best


@lru_cache(maxsize=4)
def _equal_blocks(
    times: EvaluationTimes, slope: float
) -> tuple[tuple[int, tuple[tuple[int, float], ...]], ...]:
    """Lengths of equal blocks, with the rounds and C_i of each block: the same for every γ."""
    lengths = block_lengths(times.n, 64)
    bounds = []
    for length in lengths[(times.n - 1) // lengths + 1 <= _MOST_BLOCKS].tolist():
        partition = Partition.equal(times.n, length)
        scaled = scaled_uniformities(times, partition, slope).tolist()
        rounds = (end - start for start, end in partition.blocks())
        bounds.append((length, tuple(zip(rounds, scaled, strict=True))))
    return tuple(bounds)


def krause_ong(distinct_times: int, n: int, gamma_n: float) -> float:
    """B·γ_n + B log n for a time kernel of rank B on the rounds (Krause and Ong 2011).

    The rank is at most the number of distinct times.
    """
    return distinct_times * (gamma_n + log(n))


def reset_regret(
    n: int,
    epsilon: float,
    noise_variance: float,
    gamma: ArrayLike,
    *,
    beta: float,
    delta: float,
    a0: float,
    b0: float,
    noise_scale: float = 2.0,
) -> Blocked:
    """√(C₁nβ(n/N+1)γ_N) + nψ for R-GP-UCB, reset every N rounds (Bogunovic et al. 2016, Thm 4.2).

    ψ = √(β(3s+s²)N³ε) + (s+s²)N³ε(2+b₀)√log(2(1+a₀)π²n²/(3δ)), unit steps; smallest over N.

    Parameters
    ----------
    a0, b0 : P(sup_x |f(x)| > L) ≤ a₀e^{−L²/b₀²}
    noise_scale : the 2 of (2 + b₀), which stands for the largest noise: it has to be at least
        √2·σ, so the printed 2 serves σ² ≤ 2 only
    """
    lengths = block_lengths(n)
    ratio = 1.0 / noise_variance
    cubes = lengths**3.0 * epsilon
    largest = sqrt(log(2.0 * (1.0 + a0) * pi**2 * n**2 / (3.0 * delta)))
    mismatch = np.sqrt(beta * (3 * ratio + ratio**2) * cubes)
    mismatch = mismatch + (ratio + ratio**2) * cubes * (noise_scale + b0) * largest
    gains = (n / lengths + 1.0) * checked_gains(gamma, n)[lengths]
    values = np.sqrt(regret_constant(noise_variance) * n * beta * gains) + n * mismatch
    return _smallest(values, lengths)


class Expected(NamedTuple):
    """A bound on E R_n for fixed times and the constant `beta`, which a `failing` event spoils."""

    regret: float
    beta: float
    failing: float


def expected_regret(n: int, gain: float, noise_variance: float, domain_size: int) -> Expected:
    """E R_n ≤ √(C₁nβγ̃_n) + nδ'C₃ on a finite domain, β = 2 log(|D|/δ'), smallest over δ'.

    The form of Mandl and Kekkonen 2026 without the terms of a discretisation: a constant β, and on
    an event of probability δ' the loss of a round is at most W = sup f − inf f, so that
    C₃ = μ_w + 2σ_w√(2 log(e/δ')). μ_w = E W ≤ 2√(2 log|D|), and σ_w = √2 is the largest standard
    deviation of f(x) − f(y) for k_space ≥ 0 (as for every kernel here). The policy plays with the
    β of the answer, so δ' belongs to the policy.
    """
    rates = np.geomspace(1e-12, 0.5, 200)
    betas = 2.0 * np.log(domain_size / rates)
    spread = 2.0 * sqrt(2.0 * log(domain_size)) + _spread_tail(rates)
    regret = np.sqrt(regret_constant(noise_variance) * n * betas * gain) + n * rates * spread
    i = int(np.argmin(regret))
    return Expected(float(regret[i]), float(betas[i]), float(rates[i]))


def expected_regret_on_box(
    n: int,
    gain: float,
    noise_variance: float,
    dimension: int,
    side: float,
    slopes: TailConstants,
    *,
    mean_spread: float,
) -> Expected:
    """E R_n ≤ √(C₁nβγ̃_n) + nC₂ + nδ'C₃ on [0,r]^d, smallest over δ' and τ ≥ 1.

    β = 2(log(6/δ') + d log τ), C₂ = (rdb/τ)√log(3ad/δ'), C₃ = μ_w + 2σ_w√(2 log(e/δ')) (Mandl and
    Kekkonen 2026). `gain` bounds γ̃_n of the box; `mean_spread` is a bound on
    μ_w = E(sup f − inf f); σ_w = √2.
    """
    rates = np.geomspace(1e-12, 0.5, 60)[:, None]
    levels = np.geomspace(1.0, 1e8, 120)[None, :]
    betas = 2.0 * (np.log(6.0 / rates) + dimension * np.log(levels))
    roots = np.sqrt(np.maximum(np.log(3.0 * slopes.a * dimension / rates), 0.0))
    second = side * dimension * slopes.b / levels * roots
    third = mean_spread + _spread_tail(rates)
    regret = np.sqrt(regret_constant(noise_variance) * n * betas * gain)
    total = regret + n * second + n * rates * third
    i, j = divmod(int(np.argmin(total)), total.shape[1])
    return Expected(float(total[i, j]), float(betas[i, j]), float(rates[i, 0]))


def _spread_tail(rates: FloatArray) -> FloatArray:
    """2σ_w√(2 log(e/δ')) with σ_w = √2."""
    return np.asarray(4.0 * np.sqrt(1.0 - np.log(rates)))


def repeated_point_gain(n: int, epsilon: float, noise_variance: float) -> float:
    """The gain of one point observed n times, a lower bound on γ̃_n at unit steps; exact.

    ½ Σ log(1+sP_i) with P_1 = 1 and, after each observation, P ← (1−ε)·P/(1+sP) + ε.

    >>> round(repeated_point_gain(2, 1.0 - 1e-16, 1.0), 12) == round(log(2.0), 12)
    True
    """
    variance, total = 1.0, 0.0
    for i in range(n):
        step = 0.5 * log1p(variance / noise_variance)
        total += step
        following = (1.0 - epsilon) * variance / (1.0 + variance / noise_variance) + epsilon
        if following == variance:
            return total + (n - 1 - i) * step
        variance = following
    return total


def _smallest(values: FloatArray, lengths: IntArray) -> Blocked:
    i = int(np.argmin(values))
    return Blocked(float(values[i]), int(lengths[i]))
