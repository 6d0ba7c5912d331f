"""A log-normal Gaussian process model of evaluation times: t = exp(g(x) + noise).

g ~ GP(m, v·k) with a Matérn-5/2 kernel k, constant mean m and observation noise of variance
σ_g² on log t (section 4 of Imamura et al. 2020).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Matern, distances
from bounds.numerics.threads import one_blas_thread

_SMOOTHNESS = 2.5
_SMALLEST_RATIO = 1e-8


@dataclass(frozen=True)
class TimeHyperparameters:
    """The prior law of g, the logarithm of the evaluation time.

    mean : m, the prior mean of log t; None is the average of the data at hand
    variance : v > 0, the prior variance of g(x)
    lengthscale : ℓ_g > 0
    noise_variance : σ_g² ≥ 0, variance of the noise on log t
    """

    mean: float | None = None
    variance: float = 1.0
    lengthscale: float = 0.2
    noise_variance: float = 0.01

    def __post_init__(self) -> None:
        if self.mean is not None and not np.isfinite(self.mean):
            raise InvalidInput("time model mean", self.mean, "give a finite number")
        for name in ("variance", "lengthscale"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise InvalidInput(f"time model {name}", value, "give a positive finite number")
        if not (np.isfinite(self.noise_variance) and self.noise_variance >= 0):
            raise InvalidInput(
                "time model noise_variance", self.noise_variance, "give a finite number >= 0"
            )

    @property
    def prior_mean(self) -> float:
        """m, which must have been settled."""
        assert self.mean is not None
        return self.mean

    def with_mean_of(self, logs: FloatArray) -> TimeHyperparameters:
        """These, the mean settled as the average of `logs` (0 without data) where it is None."""
        if self.mean is not None:
            return self
        return replace(self, mean=float(np.mean(logs)) if len(logs) else 0.0)


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
        mean = self.hyperparameters.prior_mean + cross.T @ self.weights
        explained = linalg.solve_triangular(self.lower, cross, lower=True)
        variance = self.hyperparameters.variance - np.sum(explained**2, axis=0)
        return np.asarray(mean), np.maximum(variance, 0.0)

    def mean_duration(self, points: FloatArray, *, with_noise: bool = True) -> FloatArray:
        """E[t | x] = exp(μ + (σ² + σ_g²)/2); without the noise, E[exp g(x)] = exp(μ + σ²/2)."""
        mean, variance = self.log_posterior(points)
        noise = self.hyperparameters.noise_variance if with_noise else 0.0
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(mean + 0.5 * (variance + noise)))


def condition(
    hyperparameters: TimeHyperparameters, inputs: ArrayLike, durations: ArrayLike
) -> TimeModel:
    """The posterior of g for fixed hyperparameters. O(m³).

    Raises InvalidInput for durations that are not positive and shapes that do not match, and
    NumericalFailure where K + σ_g²I is singular in doubles.

    >>> model = condition(TimeHyperparameters(), [[0.0], [1.0]], [1.0, 2.0])
    >>> model.mean_duration(np.array([[0.0]])).round(3)
    array([1.013])
    """
    points, logs = _observations(inputs, durations)
    hyperparameters = hyperparameters.with_mean_of(logs)
    gram = _cross(hyperparameters, points, points)
    gram[np.diag_indices_from(gram)] += max(hyperparameters.noise_variance, 1e-10)
    try:
        lower = linalg.cholesky(gram, lower=True)
    except linalg.LinAlgError:
        raise NumericalFailure(
            f"time model noise_variance = {hyperparameters.noise_variance:g}: beside a variance of "
            f"{hyperparameters.variance:g} the points are too close; use a larger one"
        ) from None
    weights = linalg.cho_solve((lower, True), logs - hyperparameters.prior_mean)
    return TimeModel(hyperparameters, points, weights, lower)


def fit_time_model(inputs: ArrayLike, durations: ArrayLike) -> TimeModel:
    """The model whose hyperparameters maximise the likelihood of the durations.

    Mean and variance have closed forms. For each lengthscale, between 0.02 and 20 times the spread
    of the inputs, an eigendecomposition makes the likelihood of every noise ratio σ_g²/v, from
    1e-8 to 1e3, cheap; both are searched on a logarithmic lattice and then refined. O(m³).
    Equal durations, whose likelihood has no maximum, get a variance of 1e-8.

    Raises InvalidInput as `condition` does.
    """
    points, logs = _observations(inputs, durations)
    if np.ptp(logs) == 0.0:
        flat = TimeHyperparameters(float(logs[0]), 1e-8, noise_variance=1e-8)
        return condition(flat, points, np.exp(logs))
    spread = float(np.max(np.ptp(points, axis=0))) or 1.0
    separations = distances(points, points)
    lengthscale = _best_of(np.geomspace(0.02, 20.0, 25) * spread, separations, logs)
    for step in (1.3, 1.07, 1.015):
        around = lengthscale.lengthscale * step ** np.arange(-3.0, 4.0)
        inside = np.clip(around, 0.02 * spread, 20.0 * spread)
        lengthscale = _best_of(np.unique(inside), separations, logs)
    fitted = TimeHyperparameters(
        lengthscale.mean,
        lengthscale.variance,
        lengthscale.lengthscale,
        lengthscale.ratio * lengthscale.variance,
    )
    return condition(fitted, points, np.exp(logs))


@dataclass(frozen=True)
class _Fit:
    """The best ratio, mean and variance for a lengthscale, and their log-likelihood + constant."""

    likelihood: float
    lengthscale: float
    ratio: float
    mean: float
    variance: float


def _best_of(lengthscales: FloatArray, separations: FloatArray, logs: FloatArray) -> _Fit:
    with one_blas_thread():
        fits = [_fit_ratio(float(ell), separations, logs) for ell in lengthscales]
    return max(fits, key=lambda fit: fit.likelihood)


def _fit_ratio(lengthscale: float, separations: FloatArray, logs: FloatArray) -> _Fit:
    """In the eigenbasis of K all noise ratios share one decomposition."""
    gram = Matern(_SMOOTHNESS, lengthscale).at_distance(separations)
    eigenvalues, vectors = np.linalg.eigh(gram)
    eigenvalues = np.maximum(eigenvalues, 0.0)
    ones, values = vectors.sum(axis=0), logs @ vectors

    def profile(ratios: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        precision = 1.0 / (eigenvalues + ratios[:, None])
        mean = precision @ (ones * values) / (precision @ ones**2)
        residual = values - mean[:, None] * ones
        variance = np.mean(precision * residual**2, axis=1)
        likelihood = -0.5 * (len(logs) * np.log(variance) - np.sum(np.log(precision), axis=1))
        return likelihood, mean, variance

    ratios = np.geomspace(_SMALLEST_RATIO, 1e3, 34)
    for step in (1.25, 1.05, 1.01):
        best = ratios[int(np.argmax(profile(ratios)[0]))]
        ratios = np.maximum(best * step ** np.arange(-4.0, 5.0), _SMALLEST_RATIO)
    likelihood, mean, variance = profile(ratios)
    i = int(np.argmax(likelihood))
    return _Fit(
        float(likelihood[i]), lengthscale, float(ratios[i]), float(mean[i]), float(variance[i])
    )


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
