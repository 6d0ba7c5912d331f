"""The knot bound on γ̃_n: what is known of the time process at a few instants.

Proof and statement: docs/theory.md#knots.

γ̃_n ≤ |S|·γ_n + ½ Σ_k log(1 + s·Var[g(τ_k) | g(S)]) for g ~ GP(0, k_time) and any instants S.
The conditional variance is the least of 1 − 2aᵀc + aᵀJ_SS a over weights a, so *any* weights give
an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.problem import Problem

MOST_KNOTS = 12
"""With more the |S|·γ_n alone exceeds what other bounds give."""

MOST_ROUNDS = 50_000

_ULPS = 16.0  # allowance for the rounding of a kernel value and of the sums of up to 12 terms


@dataclass(frozen=True, eq=False)
class KnotBound:
    """Upper bound on γ̃_n, in nats.

    Attributes
    ----------
    value : |S|γ_n + ½ Σ log(1 + s·variance_k)
    rounds : (|S|,) int, the rounds (from 0) whose instants are the knots
    weights : (n, |S|) of the prediction of g(τ_k) from g(S)
    """

    value: float
    rounds: IntArray
    weights: FloatArray


def knot_bound(problem: Problem, gamma_n: float) -> KnotBound | None:
    """The best of 1 to 12 knots at evenly spread ranks of the evaluation times.

    Parameters
    ----------
    gamma_n : upper bound on γ_n

    Returns None beyond 50,000 rounds. Cost O(n·|S|²) for each number of knots; it stops where
    the price of the knots alone exceeds the best value found.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 8), domain=Grid(1, 1.0, 4))
    >>> knot_bound(problem, 9.0).rounds
    array([4])
    """
    if problem.n > MOST_ROUNDS:
        return None
    best: KnotBound | None = None
    for count in range(1, min(MOST_KNOTS, problem.n) + 1):
        if best is not None and count * gamma_n >= best.value:
            break
        ranks = ((np.arange(count) + 0.5) / count * (problem.n - 1)).round().astype(int)
        bound = _with_knots(problem, np.unique(ranks), gamma_n)
        if best is None or bound.value < best.value:
            best = bound
    return best


def _with_knots(problem: Problem, rounds: IntArray, gamma_n: float) -> KnotBound:
    kernel, times = problem.time_kernel, problem.times
    lags = np.concatenate([times.distances(slice(j, j + 1), slice(None)) for j in rounds]).T
    cross = kernel.at_distance(lags)
    among = cross[rounds]
    weights = np.linalg.lstsq(among, cross.T, rcond=1e-12)[0].T
    weights[np.arange(len(weights)), :] = np.where(
        lags.min(axis=1, keepdims=True) == 0.0, lags == 0.0, weights
    )
    variance = 1.0 - 2.0 * np.sum(weights * cross, axis=1)
    variance += np.einsum("ka,ab,kb->k", weights, among, weights)
    # The terms cancel: what they lost may be large beside a small noise variance.
    lost = _ULPS * np.finfo(float).eps * (1.0 + np.abs(weights).sum(axis=1)) ** 2
    variance += np.where(lags.min(axis=1) == 0.0, 0.0, lost)
    drift = 0.5 * float(np.log1p(np.maximum(variance, 0.0) / problem.noise_variance).sum())
    value = len(rounds) * gamma_n + drift
    return KnotBound(value, rounds, np.ascontiguousarray(weights))
