"""Posteriors anywhere in the box, with their derivatives in the point and in time.

These are the building blocks of Appendix A of Imamura et al. 2020 for UCB and EI.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential, distances
from bounds.times import EvaluationTimes
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
            raise NumericalFailure(
                f"noise-variance = {noise_variance:g}: K + σ²I is singular to working precision; "
                "use a larger one or a shorter lengthscale"
            ) from None
        self._weights = linalg.cho_solve(self._factor, values)

    def at(self, points: FloatArray, elapsed: FloatArray) -> tuple[Jet, Jet]:
        """Mean and variance at m points (m, d), each `elapsed` (m,) ≥ 0 after τ_n. O(n²m)."""
        separations = distances(self._points, points)
        lags = self._ages + elapsed
        in_space = self._space_kernel.at_distance(separations)
        in_time = self._time_kernel.at_distance(lags)
        cross = in_space * in_time
        cross_by_time = in_space * derivative(self._time_kernel, lags)
        radial = derivative_over_distance(self._space_kernel, separations) * in_time
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
    radial = hyper.variance * derivative_over_distance(kernel, separations)
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


def derivative(kernel: Kernel, distance: FloatArray) -> FloatArray:
    """k′(r), from the right at r = 0 (where it is −∞ for Matérn with ν < ½; 0 is given there)."""
    if isinstance(kernel, Forgetting):
        return np.asarray(-kernel.slope * kernel.at_distance(distance))
    if isinstance(kernel, Matern) and kernel.nu == 0.5:
        return np.asarray(-kernel.at_distance(distance) / kernel.lengthscale)
    return np.asarray(distance * derivative_over_distance(kernel, distance))


def derivative_over_distance(kernel: Kernel, distance: FloatArray) -> FloatArray:
    """k′(r)/r, so that ∇_x k(‖x − z‖) = (x − z)·k′(r)/r.

    Squared exponential: −k/ℓ². Matérn, ν > 1: −ν/((ν−1)ℓ²) times the Matérn kernel of order ν − 1
    in the same variable z = √(2ν) r/ℓ, from (z^ν K_ν)′ = −z^ν K_{ν−1}. For ν ≤ 1 the kernel has no
    gradient at r = 0, where 0 is given.
    """
    if isinstance(kernel, SquaredExponential):
        return np.asarray(-kernel.at_distance(distance) / kernel.lengthscale**2)
    if not isinstance(kernel, Matern):
        raise InvalidInput("kernel", kernel.name, "gradients need a se or Matérn space kernel")
    nu, ell = kernel.nu, kernel.lengthscale
    if nu > 1.0:
        lower = Matern(nu - 1.0, ell * np.sqrt((nu - 1.0) / nu))
        return np.asarray(-nu / ((nu - 1.0) * ell**2) * lower.at_distance(distance))
    apart = np.where(distance > 0, distance, 1.0)
    z = np.sqrt(2.0 * nu) * apart / ell
    factor = 2.0 ** (1.0 - nu) / special.gamma(nu) * np.sqrt(2.0 * nu) / ell
    slope = factor * z**nu * special.kv(1.0 - nu, z) / apart
    return np.where(distance > 0, -slope, 0.0)


def _by_point(weights: FloatArray, points: FloatArray, data: FloatArray) -> FloatArray:
    """(m, d) Σ_i weights_im (x_m − z_i), without the (n, m, d) array."""
    return np.asarray(points * np.sum(weights, axis=0)[:, None] - weights.T @ data)
