"""Gaussian process regression written a second time: dense, from exact lags, for laws alone.

It shares no line with `simulation.model.posterior`: instants are exact rational sums of the
durations, every gap is rounded once, and each round solves with a Cholesky factor of all data.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.kernels import Kernel, Matern
from bounds.problem import Problem
from simulation.laws.case import Played
from simulation.model.time_model import TimeHyperparameters

_JITTER = 1e-12


def exact_lags(durations: FloatArray) -> FloatArray:
    """(n, n) |τ_j − τ_k| with τ the exact sums of the durations (n,), each rounded once."""
    instants = list(accumulate(Fraction(t) for t in durations.tolist()))
    lags = [[float(abs(a - b)) for b in instants] for a in instants]
    return np.array(lags, dtype=float).reshape(len(instants), len(instants))


def joint_gram(problem: Problem, points: IntArray, durations: FloatArray) -> FloatArray:
    """(n, n) K̃ of the points at the instants that the durations make."""
    places = problem.domain.points[points]
    in_space = problem.space_kernel.gram(places)
    return np.asarray(in_space * problem.time_kernel.at_distance(exact_lags(durations)))


def log_det_gain(gram: FloatArray, noise_variance: float) -> float:
    """½ log det(I + K̃/σ²) by LU of the dense matrix."""
    _, value = np.linalg.slogdet(np.eye(len(gram)) + gram / noise_variance)
    return 0.5 * float(value)


class Looks:
    """What the first i rounds say of f at any point and any time after the last of them.

    Parameters
    ----------
    space_kernel, time_kernel, noise_variance : of the model
    places : (N, d) points of the domain
    points, durations, observations : (n,) the rounds, as the model takes them to be
    """

    def __init__(
        self,
        space_kernel: Kernel,
        time_kernel: Kernel,
        noise_variance: float,
        places: FloatArray,
        points: IntArray,
        durations: FloatArray,
        observations: FloatArray,
    ) -> None:
        self._kernel = time_kernel
        self._lags = exact_lags(durations)
        self._space = space_kernel.gram(places)[points]
        in_space = self._space[:, points]
        gram = in_space * time_kernel.at_distance(self._lags)
        gram[np.diag_indices(len(gram))] += noise_variance
        self._factor = linalg.cholesky(gram, lower=True)
        self._white = linalg.solve_triangular(self._factor, observations, lower=True)

    def after(self, rounds: int, wait: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """(N,) mean and variance of f(x, τ_i + wait) given the first i = `rounds` rounds.

        wait : a number, or one for each point
        """
        size = self._space.shape[1]
        if rounds == 0:
            return np.zeros(size), np.ones(size)
        since = self._lags[:rounds, rounds - 1]
        gaps = since[:, None] + np.broadcast_to(np.asarray(wait, dtype=float), (size,))
        cross = self._space[:rounds] * self._kernel.at_distance(gaps)
        seen = linalg.solve_triangular(self._factor[:rounds, :rounds], cross, lower=True)
        mean = seen.T @ self._white[:rounds]
        return mean, np.maximum(1.0 - np.einsum("ij,ij->j", seen, seen), 0.0)


def time_prior(played: Played) -> TimeHyperparameters:
    """The prior of log t of the policies that learn it; by likelihood it has no second way here."""
    prior = played.readings.time_prior
    assert not isinstance(prior, str)
    return prior


def log_time_posterior(played: Played, rounds: int) -> tuple[FloatArray, FloatArray]:
    """(N,) mean and variance of log t(x) given the first `rounds` measured durations, dense.

    The prior mean is the average of the logarithms of the initial rounds, 0 where there are none.
    """
    prior, run, domain = time_prior(played), played.run, played.problem.domain
    logs = np.log(run.measured_durations[:rounds])
    first = logs[: run.initial]
    level = prior.mean if prior.mean is not None else float(first.mean()) if len(first) else 0.0
    kernel = domain.space_kernel(Matern(2.5, prior.lengthscale))
    gram = prior.variance * kernel.gram(domain.points)
    at = run.points[:rounds]
    noise = max(prior.noise_variance, 1e-10 * prior.variance)
    seen = gram[np.ix_(at, at)] + noise * np.eye(rounds)
    explained = np.linalg.solve(seen, gram[at]) if rounds else gram[at]
    mean = level + explained.T @ (logs - level)
    return mean, np.maximum(np.diag(gram) - np.einsum("ij,ij->j", gram[at], explained), 0.0)


def padded(variance: FloatArray) -> FloatArray:
    """σ from σ², enlarged by what rounding may have taken from the variance."""
    return np.asarray(np.sqrt(variance + _JITTER))
