"""The rank certificate: an upper bound on the regret of a finished run, by posterior sampling.

Given the data, the regret R_n of the run and the regrets R^(1), …, R^(S) of the same points on S
independent posterior paths of f are independent and identically distributed, so the rank of R_n
among them is uniform (ties broken at random): P(R_n ≤ R^((k))) ≥ k/(S+1) for the k-th smallest,
with equality where regrets have no atoms (docs/theory.md#rank-certificate). For any policy, any
times and any stopping rule that are functions of the data and of randomness independent of f and of
the draws; for one n.

A posterior path is a prior path plus K(·, data)(K̃ + σ²I)⁻¹(y − prior path at the data − noise)
(Matheron's rule), at all sites and all realised times. For a Markov time kernel the prior path
goes forward one step at a time, and the correction Σ_j α_j k_space(·,x_j) k_time(τ_i,τ_j) is a pass
forward plus one backward: O(nM) for each path, whatever n is.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.threads import one_blas_thread
from bounds.progress import Share
from simulation.after_run.observed import Observed
from simulation.model.covariance import DenseFactor, Factor, space_factor, symmetric_root

_BATCH_BYTES = 256 * 2**20
"""Memory of the prior paths drawn together."""

_THREADS = 2

LARGEST_PATHS = 1_000_000
"""Posterior paths, or simulated runs, of the largest certificate accepted."""

LARGEST_DENSE_SITES = 6_000
"""Sites up to which points off the grid are allowed: their covariance is factored as it is."""


@dataclass(frozen=True, eq=False)
class RankCertificate:
    """R_n ≤ value with probability ≥ level, given the data.

    Attributes
    ----------
    value : the k-th smallest of the sampled regrets
    level : k/(S+1), exact
    rank : k
    regrets : (S,) regrets of the posterior paths, in the order drawn
    """

    value: float
    level: float
    rank: int
    regrets: FloatArray

    @property
    def mean(self) -> float:
        """Mean of the sampled regrets: an estimate of E[R_n | data]."""
        return float(np.mean(self.regrets))


def least_paths(delta: float) -> int:
    """The least S for which k/(S+1) can be 1 − δ or more: 1/δ − 1, rounded up.

    Raises InvalidInput for δ outside (0, 1), or so small that it takes more than `LARGEST_PATHS`.

    >>> least_paths(0.1), least_paths(0.03)
    (9, 33)
    """
    if not 0.0 < delta < 1.0:
        raise InvalidInput("delta", delta, "give a probability in (0, 1)")
    least = max(ceil(1 / _as_written(delta)) - 1, 1)
    if least > LARGEST_PATHS:
        raise InvalidInput("delta", delta, f"give at least {1.0 / LARGEST_PATHS:g}")
    return least


def rank_of(paths: int, delta: float) -> int:
    """The least k with k/(S+1) ≥ 1 − δ.

    Raises InvalidInput for δ that `least_paths` refuses, fewer paths than that, naming it, and more
    than `LARGEST_PATHS`.

    >>> rank_of(9, 0.1), rank_of(99, 0.1)
    (9, 90)
    """
    least = least_paths(delta)
    if paths < least:
        raise InvalidInput(
            "paths", paths, f"give at least {least} (1/delta - 1 at delta = {delta:g})"
        )
    if paths > LARGEST_PATHS:
        raise InvalidInput("paths", paths, f"give at most {LARGEST_PATHS}")
    return max(ceil((1 - _as_written(delta)) * (paths + 1)), 1)


def _as_written(delta: float) -> Fraction:
    """0.1 as a tenth: 1 − 0.1 in floating point times 10 would ask for a tenth path."""
    return Fraction(repr(float(delta)))


def rank_certificate(
    observed: Observed,
    *,
    paths: int = 99,
    delta: float | None = None,
    seed: int = 0,
    rounds: slice = slice(None),
    factor: Factor | None = None,
    progress: Share | None = None,
) -> RankCertificate:
    """The rank certificate of a run, for the regret of all its rounds or of some.

    Parameters
    ----------
    observed : the run; all of its data are conditioned on
    paths : S ≥ 1/δ − 1
    delta : by default the problem's
    seed : of the draws; it must not be one that the policy or the objective has used
    rounds : those whose regrets are summed
    factor : of the covariance over the grid, where it is at hand (it does not change the result)
    progress : called with the share that is done

    Raises InvalidInput for too few paths or too many. O(S n M) and the prior draws; 300 MB of paths
    at once at most.
    """
    rank = rank_of(paths, observed.problem.delta if delta is None else delta)
    sums = np.empty(paths)
    with one_blas_thread():
        for start, regrets in _batches(observed, paths, seed, factor, progress):
            sums[start : start + len(regrets)] = regrets[:, rounds].sum(axis=1)
    value = float(np.sort(sums)[rank - 1])
    return RankCertificate(value, rank / (paths + 1), rank, sums)


def posterior_regrets(
    observed: Observed,
    paths: int,
    seed: int,
    *,
    factor: Factor | None = None,
    progress: Share | None = None,
) -> FloatArray:
    """(S, n) max_x f(x,τ_i) − f(x_i,τ_i) on posterior paths of f.

    The stream is not one of `environment.Seeds`: a run of the same seed shares nothing with it.
    """
    regrets = np.empty((paths, observed.n))
    for start, batch in _batches(observed, paths, seed, factor, progress):
        regrets[start : start + len(batch)] = batch
    return regrets


def _batches(
    observed: Observed, paths: int, seed: int, factor: Factor | None, progress: Share | None
) -> Iterator[tuple[int, FloatArray]]:
    """The rows of `posterior_regrets`, as many at once as memory allows, and where they start."""
    if seed < 0:
        raise InvalidInput("seed", seed, "give a whole number of at least 0")
    draw_factor = _factor(observed) if factor is None or len(observed.extra) else factor
    # Seeds.of gives runs the children 0 to 4.
    streams = np.random.SeedSequence([seed, observed.n], spawn_key=(5,))
    n, size = observed.n, observed.size
    most = max(1, min(paths, _BATCH_BYTES // (8 * n * size)))
    for start in range(0, paths, most):
        count = min(most, paths - start)
        yield start, np.ascontiguousarray(_batch(observed, draw_factor, streams, count))
        if progress is not None:
            progress((start + count) / paths)


def _factor(observed: Observed) -> Factor:
    """A root of the space covariance over all sites."""
    problem = observed.problem
    if not len(observed.extra):
        return space_factor(problem)
    if observed.size > LARGEST_DENSE_SITES:
        raise InvalidInput(
            "grid",
            f"{observed.size} sites",
            f"with points off the grid give at most {LARGEST_DENSE_SITES}: a smaller --grid",
        )
    return DenseFactor.of(problem.space_kernel.gram(observed.sites))


def _batch(
    observed: Observed, factor: Factor, streams: np.random.SeedSequence, count: int
) -> FloatArray:
    n, played = observed.n, observed.played
    *instants, own = streams.spawn(n + 1)
    paths = _prior_paths(observed, factor, instants, count)
    noise = np.random.default_rng(own).standard_normal((count, n))
    noise *= np.sqrt(observed.problem.noise_variance)
    if observed.noise is not None:
        noise = observed.noise.draw(noise)
    at_data = paths[np.arange(n)[:, None], np.arange(count)[None, :], played[:, None]]
    residual = observed.observations[:, None] - at_data - noise.T
    weights = linalg.cho_solve((observed.factor, True), residual)
    if observed.problem.time_kernel.is_markov:
        _correct_markov(observed, paths, weights)
    else:
        for i in range(n):
            paths[i] += (observed.time_gram[i][:, None] * weights).T @ observed.space_rows
    values = paths[np.arange(n)[:, None], np.arange(count)[None, :], played[:, None]]
    return np.asarray((paths.max(axis=2) - values).T)


def _prior_paths(
    observed: Observed, factor: Factor, streams: list[np.random.SeedSequence], count: int
) -> FloatArray:
    """(n, count, M) draws of f at the realised times."""
    n = observed.n
    kernel, times = observed.problem.time_kernel, observed.problem.times
    paths = np.empty((n, count, observed.size))

    def draw(i: int) -> None:
        normals = np.random.default_rng(streams[i]).standard_normal((count, factor.rank))
        paths[i] = factor.apply(normals)

    # A stream for each instant: the same paths whatever the number of threads.
    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(draw, range(n)))
    if kernel.is_markov:
        lost = np.sqrt(kernel.deficit(times.durations))
        for i in range(1, n):
            paths[i] *= lost[i]
            paths[i] += observed.time_gram[i - 1, i] * paths[i - 1]
        return paths
    root = symmetric_root(observed.time_gram)
    return np.asarray((root @ paths.reshape(n, -1)).reshape(paths.shape))


def _correct_markov(observed: Observed, paths: FloatArray, weights: FloatArray) -> None:
    """Add Σ_j α_j k(·,x_j) k_time(τ_i,τ_j) to path i, in two passes; weights (n, count)."""
    n, gram, rows = observed.n, observed.time_gram, observed.space_rows
    held = np.zeros_like(paths[0])
    for i in range(n):
        if i:
            held *= gram[i - 1, i]
        held += np.multiply.outer(weights[i], rows[i])
        paths[i] += held
    held[:] = 0.0
    for i in range(n - 2, -1, -1):
        held += np.multiply.outer(weights[i + 1], rows[i + 1])
        held *= gram[i, i + 1]
        paths[i] += held
