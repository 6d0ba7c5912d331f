"""Slow and obvious second roads to the numbers that the packages compute fast."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import isinf

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.partitions.partition import Partition


def exact_times(durations) -> list[Fraction]:
    """τ_1..τ_n as exact fractions of the doubles given."""
    return list(itertools.accumulate(Fraction(float(t)) for t in durations))


def exact_uniformity(durations, cap: float) -> Fraction:
    """C as an exact rational sum, straight from its definition."""
    tau = exact_times(durations)
    limit = None if isinf(cap) else Fraction(cap)
    squares = ((a - b) ** 2 for a in tau for b in tau)
    return sum((q if limit is None else min(limit, q) for q in squares), Fraction(0))


def all_partitions(n: int) -> Iterator[Partition]:
    """All 2^(n−1) partitions of n rounds."""
    for chosen in itertools.product((False, True), repeat=n - 1):
        yield Partition((0, *(i + 1 for i, cut in enumerate(chosen) if cut), n))


def log_det_gain(gram, noise_variance: float) -> float:
    """½ log det(I + K/σ²) by LU, not by Cholesky."""
    sign, logdet = np.linalg.slogdet(np.eye(len(gram)) + np.asarray(gram) / noise_variance)
    assert sign > 0
    return 0.5 * float(logdet)


def largest_gain(gram, noise_variance: float, m: int) -> float:
    """γ_m, the largest gain over all multisets of m points."""
    chosen = np.array(list(itertools.combinations_with_replacement(range(len(gram)), m)))
    grams = np.asarray(gram)[chosen[:, :, None], chosen[:, None, :]] / noise_variance
    return float(0.5 * np.linalg.slogdet(np.eye(m) + grams)[1].max())


def dense_posterior(gram, cross, prior_variance, observations, noise_variance):
    """Mean and variance of Gaussian process regression by one plain solve.

    gram (n, n) among the data, cross (n, m) data to targets, prior_variance (m,).
    """
    noisy = np.asarray(gram) + noise_variance * np.eye(len(gram))
    solved = np.linalg.solve(noisy, np.column_stack([np.asarray(observations), cross]))
    return cross.T @ solved[:, 0], prior_variance - np.einsum("ij,ij->j", cross, solved[:, 1:])


def phi(x: ArrayLike) -> FloatArray:
    """min(x, log x + 1/x) as printed, 0 at 0."""
    value = np.asarray(x, dtype=float)
    safe = np.where(value > 0.0, value, 1.0)
    return np.where(value > 0.0, np.minimum(value, np.log(safe) + 1.0 / safe), 0.0)
