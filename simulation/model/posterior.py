"""Gaussian process posteriors over the whole grid, updated round by round.

All of them answer one question: given the rounds so far, mean and variance of f(x, τ_n + t) at
every point x, for one waiting time t or one of its own for each x. For Markov time kernels the
posterior after a gap only shrinks, μ ← aμ and (explained variance) ← a²(explained variance) with
a = k_time(gap), so that one round costs the same however the times are spaced.

| class | time kernel | a round costs |
|---|---|---|
| `DensePosterior` | any | O(n²N) |
| `IncrementalPosterior` | Markov | O(nN) |
| `FeaturePosterior` | Markov, low-rank space kernel | O(r² + N r^{1/d}), r the rank |
| `GridPosterior` | Markov | O(N²), as matrix products |
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.kernels import Kernel
from simulation.model.covariance import GridCovariance, KroneckerFactor

Elapsed = float | np.float64 | FloatArray

_SMALLEST_SCALE = 1e-100

_BUFFER = 256
"""Rows that `GridPosterior` collects: reading them costs about what adding them together does."""

_LONGEST_BY_ROWS = 1_000
"""Rounds up to which reading all rows is cheaper than a matrix over the grid."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """mean (N,) and variance (N,) ≥ 0 of f at every point of the grid, the noise not included."""

    mean: FloatArray
    variance: FloatArray

    @property
    def deviation(self) -> FloatArray:
        """σ(x), the root of the variance."""
        return np.sqrt(self.variance)


class Posterior(ABC):
    """f given the observations so far. Stationary unit-variance prior, noise σ²."""

    @abstractmethod
    def predict(self, elapsed: Elapsed) -> Prediction:
        """The posterior at τ_n + `elapsed`, a number or one for each point (N,)."""

    @abstractmethod
    def observe(self, index: int, elapsed: float, value: float) -> float:
        """Take in y at the point `index`, `elapsed` after the round before.

        Returns σ²_{n−1}(x_n, τ_n), the variance of f there before y was known.
        """


class MarkovPosterior(Posterior):
    """The recursion on mean and explained variance that the Markov posteriors share.

    They differ in how they find the posterior covariance of one point with all of them.
    """

    def __init__(
        self, covariance: GridCovariance, time_kernel: Kernel, noise_variance: float
    ) -> None:
        self._covariance = covariance
        self._time_kernel = time_kernel
        self._noise_variance = noise_variance
        self._mean = np.zeros(covariance.grid.size)
        self._explained = np.zeros(covariance.grid.size)

    def predict(self, elapsed: Elapsed) -> Prediction:
        a = self._time_kernel.at_distance(elapsed)
        return Prediction(a * self._mean, np.maximum(1.0 - a * a * self._explained, 0.0))

    def observe(self, index: int, elapsed: float, value: float) -> float:
        a = float(self._time_kernel.at_distance(elapsed))
        column = self._column(index, a)
        variance = max(float(column[index]), 0.0)
        spread = variance + self._noise_variance
        self._absorb(column, spread)
        self._mean *= a
        self._mean += column * ((value - self._mean[index]) / spread)
        self._explained *= a * a
        self._explained += column * column / spread
        return variance

    @abstractmethod
    def _column(self, index: int, a: float) -> FloatArray:
        """(N,) posterior covariance of the point with all points, after the gap with k_time a."""

    @abstractmethod
    def _absorb(self, column: FloatArray, spread: float) -> None:
        """Remember the observation whose posterior column and variance (with noise) these are."""


class IncrementalPosterior(MarkovPosterior):
    """Rows of V = L⁻¹K(data, grid), each as it was when its round came.

    Row i weighs k_time(τ − τ_i)² in every sum over rounds, so nothing but a weight changes
    between rounds. Memory `rounds`·N.
    """

    def __init__(
        self,
        covariance: GridCovariance,
        time_kernel: Kernel,
        noise_variance: float,
        rounds: int,
    ) -> None:
        super().__init__(covariance, time_kernel, noise_variance)
        self._rows = np.empty((rounds, covariance.grid.size))
        self._weights = np.empty(rounds)
        self._n = 0

    def _column(self, index: int, a: float) -> FloatArray:
        weights, rows = self._weights[: self._n], self._rows[: self._n]
        weights *= a * a
        return np.asarray(self._covariance.row(index) - (weights * rows[:, index]) @ rows)

    def _absorb(self, column: FloatArray, spread: float) -> None:
        self._rows[self._n] = column / np.sqrt(spread)
        self._weights[self._n] = 1.0
        self._n += 1


class GridPosterior(IncrementalPosterior):
    """The explained covariance K − P of the whole grid, for horizons beyond the grid's size.

    Rows wait in a buffer and enter the matrix together, as one matrix product. Memory N².
    """

    def __init__(
        self, covariance: GridCovariance, time_kernel: Kernel, noise_variance: float
    ) -> None:
        super().__init__(covariance, time_kernel, noise_variance, _BUFFER)
        # Fortran order: dgemm adds in place only there.
        self._known = np.zeros((covariance.grid.size, covariance.grid.size), order="F")
        self._scale = 1.0

    def _column(self, index: int, a: float) -> FloatArray:
        self._scale *= a * a
        return np.asarray(super()._column(index, a) - self._scale * self._known[:, index])

    def _absorb(self, column: FloatArray, spread: float) -> None:
        if self._n == len(self._rows):
            weighted = np.sqrt(self._weights)[:, None] * self._rows
            self._known = linalg.blas.dgemm(
                1.0,
                weighted.T,
                weighted.T,
                trans_b=1,
                beta=self._scale,
                c=self._known,
                overwrite_c=1,
            )
            self._scale, self._n = 1.0, 0
        super()._absorb(column, spread)


class FeaturePosterior(MarkovPosterior):
    """The state-space filter in the r features of a Kronecker factor, K = ΦΦᵀ.

    f(x, τ) = φ(x)ᵀw(τ), where w is an Ornstein–Uhlenbeck process in ℝ^r with unit covariance.
    Features whose share of K is below 1e-14 of the largest are left out. Memory r².
    """

    def __init__(
        self,
        covariance: GridCovariance,
        time_kernel: Kernel,
        noise_variance: float,
        features: KroneckerFactor,
    ) -> None:
        super().__init__(covariance, time_kernel, noise_variance)
        self._features = features
        self._kept = kept_features(features)
        self._known = _ScaledSum(len(self._kept))
        self._last = np.empty(0)

    def _column(self, index: int, a: float) -> FloatArray:
        phi = self._at(index)
        self._known.shrink(a * a)
        self._last = phi - self._known.times(phi)
        spread_out = np.zeros((1, self._features.rank))
        spread_out[0, self._kept] = self._last
        return np.asarray(self._features.apply(spread_out)[0])

    def _absorb(self, column: FloatArray, spread: float) -> None:
        self._known.add(self._last, 1.0 / spread)

    def _at(self, index: int) -> FloatArray:
        """φ(x) (r,) of one grid point."""
        phi = np.ones(1)
        axes = self._features.axes
        places = np.unravel_index(index, [len(axis) for axis in axes])
        for axis, i in zip(axes, places, strict=True):
            phi = np.multiply.outer(phi, axis[i]).ravel()
        return np.asarray(phi[self._kept])


class DensePosterior(Posterior):
    """Textbook Gaussian process regression in space and time, for any time kernel."""

    def __init__(
        self,
        covariance: GridCovariance,
        time_kernel: Kernel,
        noise_variance: float,
        rounds: int,
    ) -> None:
        self._covariance = covariance
        self._time_kernel = time_kernel
        self._noise_variance = noise_variance
        self._rows = np.empty((rounds, covariance.grid.size))
        self._lower = np.zeros((rounds, rounds))
        self._ages = np.zeros(rounds)
        self._whitened = np.empty(rounds)
        self._n = 0

    def predict(self, elapsed: Elapsed) -> Prediction:
        explained = self._explained(elapsed, self._rows[: self._n])
        mean = self._whitened[: self._n] @ explained
        return Prediction(mean, np.maximum(1.0 - np.sum(explained**2, axis=0), 0.0))

    def _explained(self, elapsed: Elapsed, rows: FloatArray) -> FloatArray:
        """L⁻¹ k(data, ·) at now + elapsed."""
        n = self._n
        ages = np.add.outer(self._ages[:n], np.atleast_1d(elapsed))
        cross = rows * self._time_kernel.at_distance(ages)
        if n == 0:
            return cross
        return linalg.solve_triangular(self._lower[:n, :n], cross, lower=True)

    def observe(self, index: int, elapsed: float, value: float) -> float:
        n = self._n
        factor = self._explained(elapsed, self._rows[:n, [index]])[:, 0]
        variance = max(1.0 - float(factor @ factor), 0.0)
        root = np.sqrt(variance + self._noise_variance)
        self._lower[n, :n] = factor
        self._lower[n, n] = root
        self._whitened[n] = (value - factor @ self._whitened[:n]) / root
        # Ages, not instants: they keep their digits however far the origin is.
        self._ages[:n] += elapsed
        self._rows[n] = self._covariance.row(index)
        self._n += 1
        return variance


def make_posterior(
    covariance: GridCovariance, time_kernel: Kernel, noise_variance: float, rounds: int
) -> Posterior:
    """The cheapest exact posterior for so many rounds.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import Forgetting, SquaredExponential
    >>> cov = GridCovariance(SquaredExponential(0.2), Grid(2, 1.0, 40))
    >>> type(make_posterior(cov, Forgetting(0.01), 0.01, 100_000)).__name__
    'FeaturePosterior'
    """
    if not time_kernel.is_markov:
        return DensePosterior(covariance, time_kernel, noise_variance, rounds)
    return markov_posterior(covariance, time_kernel, noise_variance, rounds)


def markov_posterior(
    covariance: GridCovariance, time_kernel: Kernel, noise_variance: float, rounds: int
) -> MarkovPosterior:
    """The cheapest exact posterior for so many rounds, the time kernel being Markov."""
    size = covariance.grid.size
    if covariance.is_separable:
        features = KroneckerFactor((covariance.axis_factor(),) * covariance.grid.dimension)
        rank = len(kept_features(features))
        if rank < size / 2 and rounds > 2 * rank:
            return FeaturePosterior(covariance, time_kernel, noise_variance, features)
    if rounds <= max(_LONGEST_BY_ROWS, size // 2):
        return IncrementalPosterior(covariance, time_kernel, noise_variance, rounds)
    return GridPosterior(covariance, time_kernel, noise_variance)


def kept_features(features: KroneckerFactor) -> NDArray[np.intp]:
    """Indices of the features φ_j whose squared norm over the grid is not negligible."""
    norms = np.ones(1)
    for axis in features.axes:
        norms = np.multiply.outer(norms, np.sum(axis**2, axis=0)).ravel()
    return np.flatnonzero(norms > 1e-14 * norms.max())


class _ScaledSum:
    """A symmetric matrix Σ c_i v_i v_iᵀ under scaling, as scale·matrix."""

    def __init__(self, size: int) -> None:
        # Fortran order: dger adds in place only there.
        self._matrix = np.zeros((size, size), order="F")
        self._scale = 1.0

    def shrink(self, factor: float) -> None:
        """Multiply by 0 ≤ factor ≤ 1."""
        self._scale *= factor
        if self._scale < _SMALLEST_SCALE:
            self._matrix *= self._scale
            self._scale = 1.0

    def times(self, vector: FloatArray) -> FloatArray:
        return np.asarray(self._scale * (self._matrix @ vector))

    def add(self, vector: FloatArray, weight: float) -> None:
        linalg.blas.dger(
            weight / self._scale, vector, vector, a=self._matrix, overwrite_a=1, overwrite_x=0
        )
