"""Draws of f(·, τ) over the whole grid given the data, for any product kernel.

By Matheron's rule: with g ~ GP(0, K) in place of f(·, τ) and a_j = k_time(τ, τ_j), the values at
the data given g are a_j g(x_j) and a residual of covariance K_XX ∘ (J − aaᵀ), so that a draw is
g + Cᵀ(K_XX∘J + σ²I)⁻¹(y − a∘g_X − residual − noise), C_jx = a_j k_space(x_j, x). A round costs
O(n³ + nN) and one draw of GP(0, K).
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import NumericalFailure
from bounds.kernels import Kernel
from simulation.model.covariance import DenseFactor, Factor, GridCovariance


class PosteriorSampler:
    """f given the observations so far, one independent draw after another.

    Parameters
    ----------
    covariance : of the model in space
    time_kernel : any
    noise_variance : σ²
    rng : the draws' randomness
    """

    def __init__(
        self,
        covariance: GridCovariance,
        time_kernel: Kernel,
        noise_variance: float,
        rng: np.random.Generator,
    ) -> None:
        self._covariance, self._kernel, self._noise = covariance, time_kernel, noise_variance
        self._rng = rng
        self._factor: Factor = covariance.factor()
        self._points: list[int] = []
        self._values: list[float] = []
        self._ages = np.empty(0)

    def observe(self, index: int, elapsed: float, value: float) -> None:
        """Take in y at the point `index`, `elapsed` after the round before."""
        self._ages = np.append(self._ages + elapsed, 0.0)
        self._points.append(index)
        self._values.append(value)

    def prior(self) -> FloatArray:
        """(N,) a draw of GP(0, k_space)."""
        return np.asarray(self._factor.apply(self._rng.standard_normal((1, self._factor.rank)))[0])

    def draw(self, elapsed: float) -> FloatArray:
        """(N,) a draw of f(·, now + elapsed) given the data; all draws are independent.

        Raises NumericalFailure where K̃ + σ²I is singular in doubles.
        """
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
            raise NumericalFailure(
                f"noise-variance = {self._noise:g}: K + σ²I is singular to working precision for "
                "points this close in space and time; give a larger one"
            ) from None
        distinct, place = np.unique(points, return_inverse=True)
        summed = np.bincount(place, weights=reach * weights)
        for x, weight in zip(distinct.tolist(), summed.tolist(), strict=True):
            field = field + weight * self._covariance.row(x)
        return np.asarray(field)
