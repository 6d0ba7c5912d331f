"""The least expected regret of any policy on a few arms and rounds, by dynamic programming."""

from __future__ import annotations

import numpy as np


def optimal_regret(space_gram, time_gram, noise_variance: float, maximum: float, nodes: int = 15):
    """n·m* less the largest expected Σ f(x_i, τ_i); observations by Gauss–Hermite nodes.

    The belief is the mean of all f(x, τ_i) (S, n, N) and their covariance, which the choices alone
    decide. Cost (N·nodes)^(n−1).
    """
    space, time = np.asarray(space_gram), np.asarray(time_gram)
    n, arms = len(time), len(space)
    z, w = np.polynomial.hermite_e.hermegauss(nodes)
    w = w / w.sum()

    def value(i, means, cov):
        now = means[:, i * arms : (i + 1) * arms]
        if i == n - 1:
            return now.max(axis=1)
        best = np.full(len(means), -np.inf)
        for x in range(arms):
            k = i * arms + x
            spread = np.sqrt(cov[k, k] + noise_variance)
            step = cov[:, k] / spread
            after = (means[:, None, :] + z[None, :, None] * step).reshape(-1, n * arms)
            later = value(i + 1, after, cov - np.outer(step, step)).reshape(len(means), -1)
            best = np.maximum(best, now[:, x] + later @ w)
        return best

    total = value(0, np.zeros((1, n * arms)), np.kron(time, space))[0]
    return n * maximum - float(total)


def mean_maximum(space_gram, draws: int = 400_000) -> float:
    """E max of a small Gaussian vector: exact for two points, otherwise simulated (±0.002)."""
    gram = np.asarray(space_gram, dtype=float)
    if len(gram) == 1:
        return 0.0
    if len(gram) == 2:
        return float(np.sqrt((1.0 - gram[0, 1]) / np.pi))
    values, vectors = np.linalg.eigh(gram)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    fields = np.random.default_rng(0).standard_normal((draws, len(gram))) @ root.T
    return float(np.mean(0.5 * (fields.max(axis=1) - fields.min(axis=1))))
