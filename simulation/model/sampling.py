"""Draws of f(·, τ) over the whole grid given the data, for any product kernel.

By Matheron's rule: with g ~ GP(0, K) in place of f(·, τ) and a_j = k_time(τ, τ_j), the values at
the data given g are a_j g(x_j) and a residual of covariance K_XX ∘ (J − aaᵀ), so that a draw is
g + Cᵀ(K_XX∘J + σ²I)⁻¹(y − a∘g_X − residual − noise), C_jx = a_j k_space(x_j, x). A round costs
O(n³ + nN) and one draw of GP(0, K).

For Markov time kernels and K = ΦᵀΦ of rank r the r coefficients of f(·, τ) are filtered instead:
O(r³ + rN) a round, whatever n.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.kernels import Kernel
from simulation.model.covariance import DenseFactor, Factor, GridCovariance, singular

_LEAST_SPREAD = 1e-14
"""Of an observation given those before: below it the rounding of its variance decides."""


class Sampler(ABC):
    """f given the observations so far, one independent draw after another."""

    def __init__(self, factor: Factor, rng: np.random.Generator) -> None:
        self._factor, self._rng = factor, rng

    @abstractmethod
    def observe(self, index: int, elapsed: float, value: float) -> None:
        """Take in y at the point `index`, `elapsed` after the round before."""

    @abstractmethod
    def draw(self, elapsed: float) -> FloatArray:
        """(N,) a draw of f(·, now + elapsed) given the data; all draws are independent.

        Raises NumericalFailure where K̃ + σ²I is singular in doubles.
        """

    def prior(self) -> FloatArray:
        """(N,) a draw of GP(0, k_space)."""
        return np.asarray(self._factor.apply(self._rng.standard_normal((1, self._factor.rank)))[0])


def posterior_sampler(
    covariance: GridCovariance,
    time_kernel: Kernel,
    noise_variance: float,
    rng: np.random.Generator,
    rounds: int,
) -> Sampler:
    """The cheaper sampler for so many rounds: coefficients are filtered where they are fewer.

    >>> from bounds.domain import Arms
    >>> from bounds.kernels import Forgetting, SquaredExponential
    >>> arms = GridCovariance(SquaredExponential(0.2), Arms(3))
    >>> type(posterior_sampler(arms, Forgetting(0.1), 0.01, np.random.default_rng(0), 9)).__name__
    'FilteringSampler'
    """
    factor = covariance.factor()
    if time_kernel.is_markov and rounds > factor.rank:
        return FilteringSampler(factor, time_kernel, noise_variance, rng)
    return PosteriorSampler(covariance, factor, time_kernel, noise_variance, rng)


class FilteringSampler(Sampler):
    """For a Markov time kernel: f(·, τ) = Φᵀw(τ), w an Ornstein–Uhlenbeck process in ℝ^r.

    Its mean and covariance given the data are kept, as in `posterior.FeaturePosterior`, and a draw
    takes a root of the covariance. Memory r(r + N).
    """

    def __init__(
        self,
        factor: Factor,
        time_kernel: Kernel,
        noise_variance: float,
        rng: np.random.Generator,
    ) -> None:
        super().__init__(factor, rng)
        self._kernel, self._noise = time_kernel, noise_variance
        self._features = factor.apply(np.eye(factor.rank))
        self._mean, self._covariance = np.zeros(factor.rank), np.eye(factor.rank)

    def observe(self, index: int, elapsed: float, value: float) -> None:
        mean, covariance = self._after(elapsed)
        at = self._features[:, index]
        column = covariance @ at
        spread = float(at @ column) + self._noise
        if not spread > _LEAST_SPREAD:
            raise singular(self._noise)
        self._mean = mean + column * ((value - float(at @ mean)) / spread)
        self._covariance = covariance - np.outer(column, column / spread)

    def draw(self, elapsed: float) -> FloatArray:
        mean, covariance = self._after(elapsed)
        root = DenseFactor.of(covariance)
        normals = self._rng.standard_normal((1, root.rank))
        return np.asarray((mean + root.apply(normals)[0]) @ self._features)

    def _after(self, elapsed: float) -> tuple[FloatArray, FloatArray]:
        kept = float(self._kernel.at_distance(elapsed))
        covariance = kept * kept * self._covariance
        covariance[np.diag_indices(len(covariance))] += float(self._kernel.deficit(elapsed))
        return kept * self._mean, covariance


class PosteriorSampler(Sampler):
    """For any time kernel, by Matheron's rule.

    Parameters
    ----------
    covariance : of the model in space
    factor : of it
    time_kernel : any
    noise_variance : σ²
    rng : the draws' randomness
    """

    def __init__(
        self,
        covariance: GridCovariance,
        factor: Factor,
        time_kernel: Kernel,
        noise_variance: float,
        rng: np.random.Generator,
    ) -> None:
        super().__init__(factor, rng)
        self._covariance, self._kernel, self._noise = covariance, time_kernel, noise_variance
        self._points: list[int] = []
        self._values: list[float] = []
        self._ages = np.empty(0)

    def observe(self, index: int, elapsed: float, value: float) -> None:
        self._ages = np.append(self._ages + elapsed, 0.0)
        self._points.append(index)
        self._values.append(value)

    def draw(self, elapsed: float) -> FloatArray:
        field = self.prior()
        if not self._points:
            return field
        points = np.array(self._points, dtype=np.int64)
        space = self._covariance.block(points)
        lags = np.abs(np.subtract.outer(self._ages, self._ages))
        time = self._kernel.at_distance(lags)
        reach = np.asarray(self._kernel.at_distance(self._ages + elapsed))
        residual = space * (time - np.outer(reach, reach))
        residual[np.diag_indices(len(points))] += self._noise
        root = DenseFactor.of(0.5 * (residual + residual.T))
        normals = self._rng.standard_normal((1, root.rank))
        missed = np.array(self._values) - reach * field[points] - root.apply(normals)[0]
        gram = space * time
        gram[np.diag_indices(len(points))] += self._noise
        try:
            weights = linalg.solve(gram, missed, assume_a="pos")
        except linalg.LinAlgError:
            raise singular(self._noise) from None
        distinct, place = np.unique(points, return_inverse=True)
        summed = np.bincount(place, weights=reach * weights)
        for x, weight in zip(distinct.tolist(), summed.tolist(), strict=True):
            field = field + weight * self._covariance.row(x)
        return np.asarray(field)
