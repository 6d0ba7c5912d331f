"""A log-normal Gaussian process model of evaluation times: t = exp(g(x) + noise).

g ~ GP(m, v·k) with a Matérn-5/2 kernel k, constant mean m and observation noise of variance
σ_g² on log t (section 4 of Imamura et al. 2020).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg, optimize

from bounds.errors import InvalidInput
from bounds.kernels import Matern, distances

FloatArray = NDArray[np.float64]

_SMOOTHNESS = 2.5


@dataclass(frozen=True)
class TimeHyperparameters:
    """m, the standard form of g's law.

    mean : m, the prior mean of log t
    variance : v > 0, the prior variance of g(x)
    lengthscale : ℓ_g > 0
    noise_variance : σ_g² ≥ 0, variance of the noise on log t
    """

    mean: float = 0.0
    variance: float = 1.0
    lengthscale: float = 0.2
    noise_variance: float = 0.01

    def __post_init__(self) -> None:
        for name in ("variance", "lengthscale"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise InvalidInput(f"time model {name}", value, "give a positive finite number")
        if not (np.isfinite(self.noise_variance) and self.noise_variance >= 0):
            raise InvalidInput(
                "time model noise_variance", self.noise_variance, "give a finite number >= 0"
            )


@dataclass(frozen=True, eq=False)
class TimeModel:
    """The posterior of g given (x_i, t_i), from `condition` or `fit_time_model`.

    Attributes
    ----------
    hyperparameters : TimeHyperparameters
    inputs : (m, d)
    weights : (m,) (K + σ_g² I)⁻¹ (log t − m)
    lower : (m, m) Cholesky factor of K + σ_g² I
    """

    hyperparameters: TimeHyperparameters
    inputs: FloatArray
    weights: FloatArray
    lower: FloatArray

    def log_posterior(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """μ_n^g(x) and σ_n^g(x)² of g at (N, d) points; the noise is not in it. O(m²N)."""
        cross = _cross(self.hyperparameters, self.inputs, points)
        mean = self.hyperparameters.mean + cross.T @ self.weights
        explained = linalg.solve_triangular(self.lower, cross, lower=True)
        variance = self.hyperparameters.variance - np.sum(explained**2, axis=0)
        return np.asarray(mean), np.maximum(variance, 0.0)

    def mean_duration(self, points: FloatArray, *, with_noise: bool = True) -> FloatArray:
        """E[t | x] = exp(μ + (σ² + σ_g²)/2); without the noise, E[exp g(x)] = exp(μ + σ²/2)."""
        mean, variance = self.log_posterior(points)
        noise = self.hyperparameters.noise_variance if with_noise else 0.0
        return np.asarray(np.exp(mean + 0.5 * (variance + noise)))


def condition(
    hyperparameters: TimeHyperparameters, inputs: ArrayLike, durations: ArrayLike
) -> TimeModel:
    """The posterior of g for fixed hyperparameters. O(m³).

    Raises InvalidInput for durations that are not positive and shapes that do not match.

    >>> model = condition(TimeHyperparameters(), [[0.0], [1.0]], [1.0, 2.0])
    >>> model.mean_duration(np.array([[0.0]])).round(3)
    array([1.01])
    """
    points, logs = _observations(inputs, durations)
    gram = _cross(hyperparameters, points, points)
    gram[np.diag_indices_from(gram)] += max(hyperparameters.noise_variance, 1e-10)
    lower = linalg.cholesky(gram, lower=True)
    weights = linalg.cho_solve((lower, True), logs - hyperparameters.mean)
    return TimeModel(hyperparameters, points, weights, lower)


def fit_time_model(inputs: ArrayLike, durations: ArrayLike) -> TimeModel:
    """The model whose hyperparameters maximise the likelihood of the durations.

    Mean and variance have closed forms; lengthscale (between 0.02 and 20 times the spread of the
    inputs) and noise ratio σ_g²/v (1e-6 to 1e3) are searched by L-BFGS-B from four starts.
    O(m³) per step. With one observation, or equal durations, the defaults are kept but for the
    mean. Raises InvalidInput as `condition` does.
    """
    points, logs = _observations(inputs, durations)
    if len(logs) < 2 or np.ptp(logs) == 0.0:
        return condition(TimeHyperparameters(mean=float(logs.mean())), points, np.exp(logs))
    spread = float(np.max(np.ptp(points, axis=0))) or 1.0
    separations = distances(points, points)

    def profile(parameters: FloatArray) -> tuple[float, float, float]:
        """Minus the log-likelihood up to a constant, and the best mean and variance."""
        lengthscale, ratio = np.exp(parameters)
        gram = Matern(_SMOOTHNESS, lengthscale).at_distance(separations)
        gram[np.diag_indices_from(gram)] += ratio
        lower = np.linalg.cholesky(gram)
        whitened = linalg.solve_triangular(
            lower, np.stack([np.ones_like(logs), logs], axis=1), lower=True
        )
        ones, values = whitened.T
        mean = float(ones @ values / (ones @ ones))
        variance = float(np.mean((values - mean * ones) ** 2))
        half_log_det = float(np.sum(np.log(np.diag(lower))))
        return 0.5 * len(logs) * float(np.log(variance)) + half_log_det, mean, variance

    def loss(parameters: FloatArray) -> float:
        return profile(parameters)[0]

    limits = optimize.Bounds(
        np.log([0.02 * spread, 1e-6]),
        np.log([20.0 * spread, 1e3]),
    )
    starts = [np.log([scale * spread, r]) for scale in (0.2, 1.0) for r in (0.01, 1.0)]
    found = [optimize.minimize(loss, start, method="L-BFGS-B", bounds=limits) for start in starts]
    best = min(found, key=lambda result: float(result.fun)).x
    _, mean, variance = profile(best)
    lengthscale, ratio = (float(v) for v in np.exp(best))
    fitted = TimeHyperparameters(mean, variance, lengthscale, ratio * variance)
    return condition(fitted, points, np.exp(logs))


def _cross(hyperparameters: TimeHyperparameters, left: FloatArray, right: FloatArray) -> FloatArray:
    kernel = Matern(_SMOOTHNESS, hyperparameters.lengthscale)
    return np.asarray(hyperparameters.variance * kernel.gram(left, right))


def _observations(inputs: ArrayLike, durations: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Points (m, d) and log t (m,), checked."""
    points = np.asarray(inputs, dtype=float)
    t = np.asarray(durations, dtype=float)
    if points.ndim != 2 or t.shape != (len(points),) or len(t) == 0:
        raise InvalidInput(
            "inputs", f"shapes {points.shape} and {t.shape}", "give one row of inputs per duration"
        )
    if not np.all(np.isfinite(points)):
        raise InvalidInput("inputs", "not finite", "give finite numbers")
    bad = np.flatnonzero(~(np.isfinite(t) & (t > 0)))
    if len(bad):
        raise InvalidInput(
            f"duration in row {bad[0] + 1}",
            float(t[bad[0]]),
            "a model of log t needs positive times",
        )
    return points, np.log(t)
