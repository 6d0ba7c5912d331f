"""The sandwich: expected regret of any policy between two multiples of m*, and a tail bound.

m* = E max_x g(x), g ~ GP(0, k_space) over the domain D. For evaluation times fixed beforehand, any
policy, and a_i² the share of Var g(τ_i) that g(τ_1), …, g(τ_{i−1}) explain, g ~ GP(0, k_time):

    (1 − a_i) m* ≤ E r_i ≤ (1 + a_i) m*.

Proof. f(·, τ_i) = h + e with h the conditional mean given f at the earlier times, a draw of
GP(0, a_i² k_space), and e independent of everything that the policy saw. So E f(x_i, τ_i), which
is E h(x_i), lies between E min h = −a_i m* and E max h = a_i m*, while E max f(·, τ_i) = m*. The
lower side is met by the policy that knows f up to the time before. Proof: docs/theory.md#sandwich.

The regret of any policy is at most W = Σ_i (max f(·,τ_i) − min f(·,τ_i)), a supremum of Gaussian
variables of mean E W = 2m*n and variances at most 2(1+κ)·1ᵀ|J|1 where k_space ≥ −κ; Borell–TIS
gives, with probability ≥ 1 − δ, R_n ≤ 2m*n + √(4(1+κ) log(1/δ)·1ᵀ|J|1).

None of this holds where t depends on x: a policy may then wait for times at which f is kind.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import linalg, special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.formulas import sum_over_pairs
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.regret.maximum.slepian import ExpectedMaximum
from bounds.times import EvaluationTimes

_JITTER = 1e-12
LARGEST_DENSE = 4_000
"""Rounds up to which shares are computed for a time kernel that is not Markov: O(n³)."""


def explained_shares(times: EvaluationTimes, kernel: Kernel) -> FloatArray:
    """(n,) a_i ∈ [0, 1]: a_1 = 0; k_time(t_i) for a Markov kernel, else by Cholesky, O(n³).

    Raises InvalidInput for more than 4,000 rounds with a kernel that is not Markov.

    >>> from bounds.kernels import Forgetting
    >>> explained_shares(EvaluationTimes.from_durations([5.0, 2.0]), Forgetting(0.19)).round(6)
    array([0.  , 0.81])
    """
    if kernel.is_markov:
        shares = np.array(kernel.at_distance(times.durations), dtype=float)
        shares[0] = 0.0
        return shares
    if times.n > LARGEST_DENSE:
        raise InvalidInput("n", times.n, f"give at most {LARGEST_DENSE} with this time kernel")
    every = slice(None)
    gram = kernel.at_distance(times.distances(every, every))
    # The jitter lets the Cholesky factor exist; a_i is smaller by 1e-5 where instants nearly meet.
    gram[np.diag_indices(times.n)] += _JITTER * times.n
    left = np.diagonal(linalg.cholesky(gram, lower=True)) ** 2
    shares = np.sqrt(np.clip(1.0 - left, 0.0, 1.0))
    shares[0] = 0.0
    return np.asarray(shares)


def range_variance(times: EvaluationTimes, kernel: Kernel, *, negative: float = 0.0) -> float:
    """2(1+κ)·1ᵀ|J|1, κ = `negative` ≥ 0 with k_space ≥ −κ: no variance inside W exceeds it.

    O(n) for a Markov kernel, otherwise O(n²) time, O(n) memory.
    """
    if not 0.0 <= negative <= 1.0:
        raise InvalidInput("negative", negative, "give a number in [0, 1]")
    if kernel.is_markov:
        pairs: float = sum_over_pairs(kernel.at_distance(times.durations[1:]).tolist())
        return 2.0 * (1.0 + negative) * (times.n + 2.0 * pairs)
    total = 0.0
    for i in range(times.n):
        total += float(
            np.sum(np.abs(kernel.at_distance(times.distances(slice(i, i + 1), slice(None)))))
        )
    return 2.0 * (1.0 + negative) * total


def _negative(problem: Problem) -> float:
    """κ ≥ 0 with k_space ≥ −κ."""
    return 0.0 if problem.space_kernel.is_nonnegative else 1.0


def excess_above(problem: Problem, maximum: ExpectedMaximum, level: float) -> float:
    """An upper bound on E(R_n − B)₊ for B = `level`: ∫_B^∞ of the tail of `regret_tail`.

    With v = `range_variance` and u = B − 2m*n: √(2πv)·(1 − Φ(u/√v)) for u ≥ 0, and −u more below.
    """
    times, kernel = problem.times, problem.time_kernel
    spread = sqrt(range_variance(times, kernel, negative=_negative(problem)))
    above = level - 2.0 * maximum.upper * problem.n
    tail = sqrt(2.0 * np.pi) * spread * float(special.ndtr(-max(above, 0.0) / spread))
    return tail + max(-above, 0.0)
