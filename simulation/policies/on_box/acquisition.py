"""Acquisition functions on the box, with analytic gradients.

For a waiting time t(x) the chain rule gives ∇α(x) = ∂α_base/∂x + ∂α_base/∂τ · ∇t(x), for
CTV-fixed too (the lemma of Appendix A on it prints no ∇t). CTV averages over Gauss–Hermite nodes,
each with its own t(x, s) = exp(√2 σ_g(x) s + μ_g(x)).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from simulation.model.box_posterior import BoxPosterior, Jet, log_time_at
from simulation.model.time_model import TimeModel
from simulation.policies.acquisition import log_expected_improvement
from simulation.world.evaluation_time import KnownTime

_LOG_ROOT_TWO_PI = 0.5 * np.log(2.0 * np.pi)
_LARGEST_LOG_TIME = 200.0
_FARTHEST = 1e150
"""A distance in standard deviations whose square does not overflow."""


@dataclass(frozen=True, eq=False)
class Waits:
    """Times that an evaluation may take, with weights that sum to 1.

    weights : (k,); times : (k, m) t at m points for each node; gradients : (k, m, d)
    """

    weights: FloatArray
    times: FloatArray
    gradients: FloatArray


WaitsAt = Callable[[FloatArray], Waits]


def known_waits(time: KnownTime) -> WaitsAt:
    """CTV-fixed (and, with a constant, TV and GP-UCB): one time, known."""

    def at(points: FloatArray) -> Waits:
        t, gradient = time(points)
        return Waits(np.ones(1), t[None], gradient[None])

    return at


def mean_waits(model: TimeModel, *, with_noise: bool) -> WaitsAt:
    """CTV-simple: t̃(x) = exp(μ_g + (σ_g² + noise)/2), ∇t̃ = t̃·(∇μ_g + ½∇σ_g²)."""

    def at(points: FloatArray) -> Waits:
        mean, variance = log_time_at(model, points)
        noise = model.hyperparameters.noise_variance if with_noise else 0.0
        t, gradient = _time_of(
            mean.value + 0.5 * (variance.value + noise), mean.by_point + 0.5 * variance.by_point
        )
        return Waits(np.ones(1), t[None], gradient[None])

    return at


def log_normal_waits(model: TimeModel, nodes: int, *, with_noise: bool) -> WaitsAt:
    """CTV: Gauss–Hermite nodes of the log-normal law, ∇t = t·(∇μ_g + √2 s ∇σ_g)."""
    hermite, weights = np.polynomial.hermite.hermgauss(nodes)
    standard = np.sqrt(2.0) * hermite

    def at(points: FloatArray) -> Waits:
        mean, variance = log_time_at(model, points)
        noise = model.hyperparameters.noise_variance if with_noise else 0.0
        deviation = np.sqrt(variance.value + noise)
        safe = np.where(deviation > 0, deviation, 1.0)
        deviation_by_point = np.where(
            deviation[:, None] > 0, 0.5 * variance.by_point / safe[:, None], 0.0
        )
        t, gradient = _time_of(
            mean.value + standard[:, None] * deviation,
            mean.by_point + standard[:, None, None] * deviation_by_point,
        )
        return Waits(weights / weights.sum(), t, gradient)

    return at


def _time_of(log_time: FloatArray, by_point: FloatArray) -> tuple[FloatArray, FloatArray]:
    """t = e^{log t} and its gradient from that of log t; no more than e^200, where it is flat.

    After such a time all is forgotten, and what is computed from it does not overflow.
    """
    t = np.exp(np.minimum(log_time, _LARGEST_LOG_TIME))
    flat = log_time > _LARGEST_LOG_TIME
    return t, np.where(flat[..., None], 0.0, t[..., None] * by_point)


@dataclass(frozen=True, eq=False)
class BoxAcquisition:
    """UCB, or the logarithm of EI, of a policy anywhere in the box.

    Attributes
    ----------
    posterior : of f
    waits : what the policy takes the evaluation at a point to last
    weight : of σ, for UCB
    incumbent : what EI improves on; None for UCB
    least : waits ↦ p and dp/dt of the flat index, √c₀ being its `weight`; None for others
    """

    posterior: BoxPosterior
    waits: WaitsAt
    weight: float
    incumbent: float | None = None
    least: Callable[[FloatArray], tuple[FloatArray, FloatArray]] | None = None

    def __call__(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Values (m,) and gradients (m, d) at m points (m, d)."""
        waits = self.waits(points)
        nodes, m = waits.times.shape
        repeated = np.tile(points, (nodes, 1))
        mean, variance = self.posterior.at(repeated, waits.times.ravel())
        deviation = _root(variance)
        if self.least is not None:
            base = _flat(mean, deviation, self.weight, *self.least(waits.times.ravel()))
        elif self.incumbent is None:
            base = _combined(mean, deviation, 1.0, self.weight)
        else:
            base = _log_improvement(mean, deviation, self.incumbent)
        values = base.value.reshape(nodes, m)
        gradients = base.by_point.reshape(nodes, m, -1)
        gradients = gradients + base.by_time.reshape(nodes, m, 1) * waits.gradients
        shares = np.broadcast_to(waits.weights[:, None], values.shape)
        if self.incumbent is None:
            return np.sum(shares * values, axis=0), np.sum(shares[..., None] * gradients, axis=0)
        # log Σ w_k e^{v_k}: its gradient is the average of ∇v_k by the shares of the sum.
        top = np.max(values, axis=0)
        top = np.where(np.isfinite(top), top, 0.0)
        parts = shares * np.exp(values - top)
        total = np.sum(parts, axis=0)
        with np.errstate(divide="ignore"):
            logs = np.log(total) + top
        shares = parts / np.where(total > 0, total, 1.0)
        return logs, np.sum(shares[..., None] * gradients, axis=0)


def _root(variance: Jet) -> Jet:
    """σ and its derivatives; where σ = 0 it has none, and 0 is given."""
    deviation = np.sqrt(variance.value)
    half = np.where(deviation > 0, 0.5 / np.where(deviation > 0, deviation, 1.0), 0.0)
    return Jet(deviation, half[:, None] * variance.by_point, half * variance.by_time)


def _combined(mean: Jet, deviation: Jet, a: FloatArray | float, b: FloatArray | float) -> Jet:
    """a·mean + b·deviation, numbers or one per point."""
    a, b = np.asarray(a), np.asarray(b)
    return Jet(
        a * mean.value + b * deviation.value,
        a[..., None] * mean.by_point + b[..., None] * deviation.by_point,
        a * mean.by_time + b * deviation.by_time,
    )


def _flat(
    mean: Jet, deviation: Jet, scale: float, least: FloatArray, least_by_time: FloatArray
) -> Jet:
    """μ + √c₀·√L·σ, L = log(1 + u), u = (σ²/p)²; 0 for its derivatives in σ and p at σ = 0."""
    sigma = deviation.value
    ratio = (sigma**2 / least) ** 2
    root = np.sqrt(np.log1p(ratio))
    share = np.where(root > 0, ratio / (1.0 + ratio) / np.where(root > 0, root, 1.0), 0.0)
    slopes = _combined(mean, deviation, 1.0, scale * (root + 2.0 * share))
    by_time = slopes.by_time - scale * sigma * share / least * least_by_time
    return Jet(mean.value + scale * root * sigma, slopes.by_point, by_time)


def _log_improvement(mean: Jet, deviation: Jet, incumbent: float) -> Jet:
    """log EI; ∂EI = Φ(z) ∂μ + ϕ(z) ∂σ, each divided by EI through logarithms."""
    value = log_expected_improvement(mean.value, deviation.value, incumbent)
    positive = deviation.value > 0
    z = (mean.value - incumbent) / np.where(positive, deviation.value, 1.0)
    finite = np.isfinite(value)
    safe = np.where(finite, value, 0.0)
    # At σ = 0 the improvement is (μ − best)₊, whose gradient is ∂μ where it is positive. The
    # exponents are chosen first: that of the other case may overflow.
    log_by_mean = np.where(positive, special.log_ndtr(z), 0.0) - safe
    z = np.clip(z, -_FARTHEST, _FARTHEST)
    log_by_deviation = np.where(positive, -0.5 * z * z - _LOG_ROOT_TWO_PI, -np.inf) - safe
    by_mean, by_deviation = (
        np.exp(np.where(finite, exponent, -np.inf)) for exponent in (log_by_mean, log_by_deviation)
    )
    slopes = _combined(mean, deviation, by_mean, by_deviation)
    return Jet(value, slopes.by_point, slopes.by_time)
