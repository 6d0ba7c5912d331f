"""The drifting objective anywhere in the box, drawn exactly where a run asks for it.

On the grid it is a path of `simulation.world.environment`. Given the grid at τ, the value off it is
a known combination of those on it plus a residual, itself a Gaussian process with covariance
[k(x,x') − k(x,G)K⁻¹k(G,x')]·k_time, which is drawn one evaluation after another.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.problem import Problem
from simulation.model.covariance import Factor
from simulation.world.environment import Path


class BoxObjective:
    """f(x, τ) anywhere in the box, at the instants at which the path on the grid is read."""

    def __init__(
        self, problem: Problem, path: Path, factor: Factor, rng: np.random.Generator
    ) -> None:
        self._problem, self._path, self._factor, self._rng = problem, path, factor, rng
        self._points: list[FloatArray] = []
        self._whitened: list[FloatArray] = []
        self._residuals: list[float] = []
        self._ages = np.empty(0)
        self.on_grid = np.zeros(problem.domain.size)

    def after(self, gap: float) -> None:
        """Move on by `gap` ≥ 0."""
        self.on_grid = self._path.after(gap)
        self._ages = self._ages + gap

    def at(self, point: FloatArray) -> float:
        """f(point, τ) for a point (d,) of the box; the same again if asked again at once."""
        kernel, grid = self._problem.space_kernel, self._problem.domain
        white = self._factor.whiten(kernel.gram(grid.points, point[None])[:, 0])
        interpolated = float(white @ self._factor.whiten(self.on_grid))
        return interpolated + self._residual(point, white)

    def _residual(self, point: FloatArray, white: FloatArray) -> float:
        """The next value of the residual process given those drawn before."""
        variance = max(1.0 - float(white @ white), 0.0)
        mean = 0.0
        if self._points:
            before = np.array(self._points)
            seen = np.array(self._whitened)
            kernel, time_kernel = self._problem.space_kernel, self._problem.time_kernel
            lags = np.abs(np.subtract.outer(self._ages, self._ages))
            gram = (kernel.gram(before) - seen @ seen.T) * time_kernel.at_distance(lags)
            in_space = kernel.gram(before, point[None])[:, 0] - seen @ white
            cross = in_space * time_kernel.at_distance(self._ages)
            # Residuals at grid points are 0: their covariance matrix is singular.
            weights = np.linalg.lstsq(gram, cross, rcond=1e-12)[0]
            mean = float(weights @ np.array(self._residuals))
            variance = max(variance - float(weights @ cross), 0.0)
        value = mean + sqrt(variance) * float(self._rng.standard_normal())
        self._points.append(point)
        self._whitened.append(white)
        self._residuals.append(value)
        self._ages = np.append(self._ages, 0.0)
        return value
