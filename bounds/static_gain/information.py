"""Information gain of a design: ½ log det(I + K/σ²), whole and round by round.

Gains are in nats. The Gram matrix of a time-varying problem is the entrywise product of the Gram
matrix of the points and that of the times.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput, NumericalFailure
from bounds.noise import require_variance
from bounds.problem import Problem

_ROUNDINGS = 4.0  # of each term that a variance is the rest of; a kernel value has some more


def gain(gram: ArrayLike, noise_variance: float) -> float:
    """½ log det(I + K/σ²), by Cholesky.

    Parameters
    ----------
    gram : (m, m) symmetric positive semi-definite K; m = 0 has gain 0
    noise_variance : float > 0, σ²

    Raises InvalidInput for a gram that is not square, symmetric and finite, or noise that is not
    positive; NumericalFailure where I + K/σ² is not positive definite to working precision.

    Cost O(m³/3).

    >>> round(gain([[1.0, 0.0], [0.0, 1.0]], 0.01), 6)  # log(101)
    4.615121
    """
    return float(np.sum(sequential_gains(gram, noise_variance)))


def sequential_gains(gram: ArrayLike, noise_variance: float) -> FloatArray:
    """(m,) ½ log(1 + v_i/σ²), v_i the posterior variance of round i given the rounds before it.

    Their sum is `gain` (the chain rule): with LLᵀ = I + K/σ², v_i/σ² = K_ii/σ² − Σ_{j<i} L_ij²,
    which keeps its digits at large noise, where L_ii² = 1 + v_i/σ² would not.

    >>> sequential_gains([[1.0, 1.0], [1.0, 1.0]], 1.0).round(6)
    array([0.346574, 0.202733])
    """
    return np.asarray(0.5 * np.log1p(_left(gram, noise_variance)[0]))


def gain_rounded_down(gram: ArrayLike, noise_variance: float) -> float:
    """A lower bound on `gain` up to first order in the rounding of its arithmetic; never fails.

    The larger of two: the sum of `sequential_gains` less what was rounded, and ½ Σ log(1 + d_i/σ²)
    with the pivots d_i of K itself, the variances left by noise-free data, which are no larger.
    The second serves at noise so small that I + K/σ² is singular in doubles.

    >>> gain_rounded_down([[1.0, 1.0], [1.0, 1.0]], 1e-30).__round__(6)  # ½ log(10^30), half of 2
    34.538776
    """
    matrix = np.asarray(gram, dtype=float)
    rounded = _ROUNDINGS * np.arange(1, len(matrix) + 1) * np.finfo(float).eps
    pivots = linalg.lapack.dpstrf(matrix)
    d = np.diagonal(pivots[0])[: pivots[2]] ** 2
    d = np.maximum(d - rounded[: len(d)] * float(np.max(np.diagonal(matrix), initial=0.0)), 0.0)
    noise_free = 0.5 * float(np.sum(np.log1p(d / noise_variance)))
    try:
        left, factor = _left(matrix, noise_variance)
    except NumericalFailure:
        return noise_free
    # v_i is wᵀKw with the weights w by which round i is predicted: K's rounding enters with them.
    inverse = linalg.solve_triangular(factor, np.eye(len(factor)), lower=True)
    weights = np.abs(np.diagonal(factor)[:, None] * inverse)
    size = (weights @ np.sqrt(np.diagonal(matrix))) ** 2 / noise_variance
    left = np.maximum(left - rounded * size, 0.0)
    return max(noise_free, 0.5 * float(np.sum(np.log1p(left))))


def _left(gram: ArrayLike, noise_variance: float) -> tuple[FloatArray, FloatArray]:
    """(m,) v_i/σ² ≥ 0, see `sequential_gains`, and the factor of I + K/σ²."""
    matrix = np.asarray(gram, dtype=float)
    require_variance(noise_variance)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidInput("gram", f"shape {matrix.shape}", "give a square matrix")
    if not np.all(np.isfinite(matrix)):
        raise InvalidInput("gram", "an entry that is not finite", "give finite numbers")
    same = np.array_equal(matrix, matrix.T)
    if not (same or np.allclose(matrix, matrix.T, rtol=1e-12, atol=1e-12)):
        raise InvalidInput("gram", "a matrix that is not symmetric", "give K = Kᵀ")
    scaled = matrix / noise_variance
    scaled[np.diag_indices_from(scaled)] += 1.0
    try:
        factor = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError:
        raise NumericalFailure(
            "I + K/σ² is not positive definite to working precision: use a larger noise variance "
            "or a shorter lengthscale"
        ) from None
    diagonal, own = np.diagonal(matrix) / noise_variance, np.diagonal(factor)
    left = (own - 1.0) * (own + 1.0)
    # That loses what is of the order of the rounding of 1 + K_ii/σ²; where this is near 1, the
    # difference of K_ii/σ² and what is explained loses less.
    few = diagonal <= 1.0
    if few.any():
        explained = np.sum(np.tril(factor, -1) ** 2, axis=1)
        left = np.where(few, diagonal - explained, left)
    return np.asarray(np.maximum(left, 0.0)), np.asarray(factor)


def joint_gram(problem: Problem, points: ArrayLike) -> FloatArray:
    """K̃ = K∘J of the first m rounds, K_jk = k_space(x_j, x_k), J_jk = k_time(τ_j, τ_k).

    Parameters
    ----------
    problem : Problem of n rounds
    points : (m, d) the points of rounds 1..m in order, m ≤ n (repeats allowed)

    Cost O(m²) time and memory. Differences of times are exact far from the origin.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([0.0, 2.0]), epsilon=0.19)
    >>> joint_gram(problem, [[0.5, 0.5], [0.5, 0.5]]).round(6)
    array([[1.  , 0.81],
           [0.81, 1.  ]])
    """
    coordinates = np.asarray(points)
    dimension = problem.domain.dimension
    if coordinates.ndim != 2 or coordinates.shape[1] != dimension:
        raise InvalidInput("points", f"shape {coordinates.shape}", f"give (m, {dimension})")
    if len(coordinates) > problem.n:
        raise InvalidInput("points", f"{len(coordinates)} rows", f"give at most n = {problem.n}")
    rounds = slice(0, len(coordinates))
    time_gram = problem.time_kernel.at_distance(problem.times.distances(rounds, rounds))
    return problem.space_kernel.gram(coordinates) * time_gram
