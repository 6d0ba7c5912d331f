"""Posteriors anywhere in the box, with their derivatives in the point and in time.

These are the building blocks of Appendix A of Imamura et al. 2020 for UCB and EI.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.kernels import Kernel, Matern, distances
from bounds.times import EvaluationTimes
from simulation.model.covariance import DenseFactor, singular
from simulation.model.time_model import TimeModel


@dataclass(frozen=True, eq=False)
class Jet:
    """A quantity at m points and its first derivatives.

    value : (m,); by_point : (m, d) gradient in x; by_time : (m,) derivative in τ
    """

    value: FloatArray
    by_point: FloatArray
    by_time: FloatArray


class BoxPosterior:
    """f given observations at points of the box and instants τ_1 ≤ … ≤ τ_n. O(n³) once.

    Raises NumericalFailure where K + σ²I is singular in doubles.
    """

    def __init__(
        self,
        points: FloatArray,
        durations: FloatArray,
        values: FloatArray,
        space_kernel: Kernel,
        time_kernel: Kernel,
        noise_variance: float,
    ) -> None:
        every = slice(None)
        times = EvaluationTimes.from_durations(durations)
        self._points = points
        self._ages = times.distances(every, slice(times.n - 1, times.n))
        self._space_kernel, self._time_kernel = space_kernel, time_kernel
        gram = space_kernel.gram(points) * time_kernel.at_distance(times.distances(every, every))
        gram[np.diag_indices_from(gram)] += noise_variance
        try:
            self._factor = linalg.cho_factor(gram, lower=True)
        except linalg.LinAlgError:
            raise singular(noise_variance) from None
        self._weights = linalg.cho_solve(self._factor, values)

    def draw(self, points: FloatArray, elapsed: FloatArray, rng: np.random.Generator) -> FloatArray:
        """(m,) one joint draw of f at m points (m, d), each `elapsed` (m,) ≥ 0 after τ_n.

        Exact in law for every product kernel, O(n²m + m³).
        """
        cross = self._space_kernel.gram(self._points, points)
        cross = cross * self._time_kernel.at_distance(self._ages + elapsed)
        apart = np.abs(np.subtract.outer(elapsed, elapsed))
        prior = self._space_kernel.gram(points) * self._time_kernel.at_distance(apart)
        left = prior - cross.T @ linalg.cho_solve(self._factor, cross)
        root = DenseFactor.of(0.5 * (left + left.T))
        rest = root.apply(rng.standard_normal((1, root.rank)))[0]
        return np.asarray(self._weights @ cross + rest)

    def at(self, points: FloatArray, elapsed: FloatArray) -> tuple[Jet, Jet]:
        """Mean and variance at m points (m, d), each `elapsed` (m,) ≥ 0 after τ_n. O(n²m)."""
        separations = distances(self._points, points)
        lags = self._ages + elapsed
        in_space = self._space_kernel.at_distance(separations)
        in_time = self._time_kernel.at_distance(lags)
        cross = in_space * in_time
        cross_by_time = in_space * self._time_kernel.derivative(lags)
        radial = self._space_kernel.derivative_over_distance(separations) * in_time
        solved = linalg.cho_solve(self._factor, cross)

        def contracted(weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
            """Σ_i weights_i of the cross-covariance and of its derivatives; weights (n, m)."""
            by_point = _by_point(weights * radial, points, self._points)
            return (
                np.sum(weights * cross, axis=0),
                by_point,
                np.sum(weights * cross_by_time, axis=0),
            )

        mean = Jet(*contracted(np.broadcast_to(self._weights[:, None], cross.shape)))
        explained, by_point, by_time = contracted(solved)
        variance = Jet(np.maximum(1.0 - explained, 0.0), -2.0 * by_point, -2.0 * by_time)
        return mean, variance


def log_time_at(model: TimeModel, points: FloatArray) -> tuple[Jet, Jet]:
    """Mean and variance of log t at m points, with gradients; nothing depends on τ. O(n²m)."""
    hyper = model.hyperparameters
    kernel = Matern(2.5, hyper.lengthscale)
    separations = distances(model.inputs, points)
    cross = hyper.variance * kernel.at_distance(separations)
    radial = hyper.variance * kernel.derivative_over_distance(separations)
    solved = linalg.cho_solve((model.lower, True), cross)
    still = np.zeros(len(points))
    mean = Jet(
        hyper.prior_mean + model.weights @ cross,
        _by_point(model.weights[:, None] * radial, points, model.inputs),
        still,
    )
    variance = Jet(
        np.maximum(hyper.variance - np.sum(solved * cross, axis=0), 0.0),
        -2.0 * _by_point(solved * radial, points, model.inputs),
        still,
    )
    return mean, variance


def _by_point(weights: FloatArray, points: FloatArray, data: FloatArray) -> FloatArray:
    """(m, d) Σ_i weights_im (x_m − z_i), without the (n, m, d) array."""
    return np.asarray(points * np.sum(weights, axis=0)[:, None] - weights.T @ data)
