"""The next point for data of one's own: (x, t, y) so far ↦ x, its acquisition, its duration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Kernel, Matern
from simulation.model.box_posterior import BoxPosterior
from simulation.model.time_model import TimeHyperparameters, TimeModel, condition, fit_time_model
from simulation.policies.acquisition import ACQUISITIONS, exploration_weight
from simulation.policies.box_acquisition import (
    BoxAcquisition,
    KnownTime,
    WaitsAt,
    constant_time,
    known_time,
    known_waits,
    log_normal_waits,
    mean_waits,
)
from simulation.policies.readings import MAXIMUM_LIKELIHOOD, Readings

BOX_POLICIES = ("gp-ucb", "tv", "ctv", "ctv-simple", "ctv-fixed")

_CANDIDATES = 1_024


@dataclass(frozen=True, eq=False)
class Suggestion:
    """Where to evaluate next.

    Attributes
    ----------
    point : (d,)
    acquisition : the value of UCB or EI there
    duration : how long the evaluation is expected to take: t(x) for `ctv-fixed`, otherwise the
        mean of a measured time under the log-normal model (NaN if a duration is not positive)
    maxima : (k, d) where the local searches ended, best first
    """

    point: FloatArray
    acquisition: float
    duration: float
    maxima: FloatArray


@dataclass(frozen=True)
class BoxModel:
    """What `suggest` assumes; f has prior mean 0 and variance 1, so standardise the values.

    side : of the box [0, side]^d
    """

    space_kernel: Kernel = field(default_factory=lambda: Matern(2.5, 0.2))
    time_kernel: Kernel = field(default_factory=lambda: Forgetting(0.01))
    noise_variance: float = 0.01
    side: float = 1.0

    def __post_init__(self) -> None:
        for name in ("noise_variance", "side"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise InvalidInput(name, value, "give a positive finite number")


def suggest(
    points: ArrayLike,
    durations: ArrayLike,
    values: ArrayLike,
    *,
    policy: str = "ctv",
    model: BoxModel | None = None,
    acquisition: str = "ucb",
    exploration: str = "beta",
    evaluation_time: KnownTime | float | None = None,
    readings: Readings | None = None,
    starts: int = 12,
    seed: int = 0,
) -> Suggestion:
    """Maximise the policy's acquisition over the box by L-BFGS-B from several starts.

    Parameters
    ----------
    points : (n, d) evaluated so far, n ≥ 1, inside the box
    durations : (n,) ≥ 0, how long each took; above 0 for `ctv` and `ctv-simple`
    values : (n,) observed, in units of the prior standard deviation of f
    policy : `gp-ucb`, `tv`, `ctv`, `ctv-simple` or `ctv-fixed`
    model : kernels, noise and box
    acquisition, exploration : see `simulation.policies.acquisition`; the round number is n + 1
    evaluation_time : of `ctv-fixed`: a number, or a function (m, d) ↦ t (m,), ∇t (m, d)
    readings : the choices that the paper leaves open; a `time_prior` without a mean, or `"ml"`, is
        settled by these data, so pass one to keep it from call to call
    starts : local searches, from the best of 1,024 random points and of the points evaluated
    seed : of the random points

    A restricted search: the best of the maxima found, not a proven global one. O(n³) once and
    O(n²) per step. Raises InvalidInput that names what does not fit, and NumericalFailure where
    the noise of f or of log t is too small for points so close together.

    >>> found = suggest([[0.2, 0.3], [0.8, 0.7]], [1.0, 2.0], [0.5, -0.5], exploration="sqrt-beta")
    >>> found.point.shape
    (2,)
    """
    box = BoxModel() if model is None else model
    choices = Readings() if readings is None else readings
    seen = _Data.checked(points, durations, values, box.side)
    if policy not in BOX_POLICIES:
        raise InvalidInput("policy", policy, f"use {', '.join(BOX_POLICIES)}")
    if acquisition not in ACQUISITIONS:
        raise InvalidInput("acquisition", acquisition, f"use {', '.join(ACQUISITIONS)}")
    wholes: tuple[tuple[str, object, int], ...] = (("starts", starts, 1), ("seed", seed, 0))
    for name, given, least in wholes:
        if not isinstance(given, int | np.integer) or given < least:
            raise InvalidInput(name, given, f"give a whole number of at least {least}")
    if (evaluation_time is None) == (policy == "ctv-fixed"):
        remedy = "ctv-fixed needs it" if evaluation_time is None else "only ctv-fixed knows it"
        raise InvalidInput("evaluation_time", evaluation_time, remedy)
    time_model = _time_model(seen, choices, needed=policy in ("ctv", "ctv-simple"))
    function = box_acquisition(
        seen.points,
        seen.durations,
        seen.values,
        policy=policy,
        model=box,
        acquisition=acquisition,
        exploration=exploration,
        waits=_waits(policy, evaluation_time, time_model, choices),
        readings=choices,
    )
    maxima, best = maximise(function, seen.points, box.side, starts, seed)
    top = maxima[0]
    if policy == "ctv-fixed":
        duration = float(function.waits(top[None]).times[0, 0])
    elif time_model is not None:
        duration = float(time_model.mean_duration(top[None])[0])
    else:
        duration = float("nan")
    value = float(np.exp(best)) if acquisition == "ei" else best
    return Suggestion(top, value, duration, maxima)


def box_acquisition(
    points: FloatArray,
    durations: FloatArray,
    values: FloatArray,
    *,
    policy: str,
    model: BoxModel,
    acquisition: str,
    exploration: str,
    waits: WaitsAt,
    readings: Readings,
) -> BoxAcquisition:
    """The acquisition function that `suggest` maximises, from checked data."""
    n = len(values)
    elapsed = {"gp-ucb": np.zeros(n), "tv": np.full(n, readings.round_length)}.get(
        policy, durations
    )
    time_kernel = Forgetting(0.0) if policy == "gp-ucb" else model.time_kernel
    posterior = BoxPosterior(
        points, elapsed, values, model.space_kernel, time_kernel, model.noise_variance
    )
    if acquisition == "ei":
        best = float(np.max(values))
        if readings.incumbent == "mean":
            best = float(np.max(posterior.at(points, np.zeros(n))[0].value))
        return BoxAcquisition(posterior, waits, 0.0, best)
    weight = exploration_weight(exploration, n + 1, c1=readings.c1, c2=readings.c2)
    return BoxAcquisition(posterior, waits, float(weight))


def _waits(
    policy: str,
    evaluation_time: KnownTime | float | None,
    time_model: TimeModel | None,
    readings: Readings,
) -> WaitsAt:
    if policy == "gp-ucb":
        return known_waits(constant_time(0.0))
    if policy == "tv":
        return known_waits(constant_time(readings.round_length))
    if evaluation_time is not None:
        return known_waits(known_time(evaluation_time))
    assert time_model is not None
    if policy == "ctv-simple":
        return mean_waits(time_model, with_noise=readings.mean_time_noise)
    nodes, with_noise = readings.time_nodes, readings.integral_noise
    return log_normal_waits(time_model, nodes, with_noise=with_noise)


def candidates(seen: FloatArray, side: float, seed: int) -> FloatArray:
    """(m, d) 1,024 random points of the box, and the points seen."""
    random = side * np.random.default_rng(seed).random((_CANDIDATES, seen.shape[1]))
    return np.concatenate([random, seen])


def maximise(
    function: BoxAcquisition, seen: FloatArray, side: float, starts: int, seed: int
) -> tuple[FloatArray, float]:
    """Where the searches ended (k, d), best first, and the best value."""
    dimension = seen.shape[1]
    begun = candidates(seen, side, seed)
    order = np.argsort(-function(begun)[0], kind="stable")
    bounds = optimize.Bounds(np.zeros(dimension), np.full(dimension, side))

    def descent(x: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = function(x[None])
        return -float(value[0]), -gradient[0]

    ends = [_search(descent, begun[i], bounds) for i in order[:starts]]
    ends.sort(key=lambda end: end[0])
    return np.array([x for _, x in ends]), -ends[0][0]


def _search(
    descent: Callable[[FloatArray], tuple[float, FloatArray]],
    start: FloatArray,
    bounds: optimize.Bounds,
) -> tuple[float, FloatArray]:
    """One local search; its start where it found nothing better (a kink at a data point)."""
    value = descent(start)[0]
    end = optimize.minimize(descent, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return (float(end.fun), np.asarray(end.x)) if end.fun < value else (value, start)


@dataclass(frozen=True, eq=False)
class _Data:
    points: FloatArray
    durations: FloatArray
    values: FloatArray

    @classmethod
    def checked(
        cls, points: ArrayLike, durations: ArrayLike, values: ArrayLike, side: float
    ) -> _Data:
        given = (("points", points), ("durations", durations), ("values", values))
        x, t, y = (_real_numbers(name, array) for name, array in given)
        if x.ndim != 2 or x.shape[0] == 0 or x.shape[1] == 0:
            raise InvalidInput("points", f"shape {x.shape}", "give one row per observation")
        for name, array in (("durations", t), ("values", y)):
            if array.shape != (len(x),):
                raise InvalidInput(name, f"shape {array.shape}", f"give {len(x)}, one per point")
        for name, array in (("points", x), ("durations", t), ("values", y)):
            if not np.all(np.isfinite(array)):
                row = int(np.argwhere(~np.isfinite(array))[0, 0]) + 1
                raise InvalidInput(f"{name} in row {row}", "not finite", "give finite numbers")
        if np.any(t < 0):
            row = int(np.argmax(t < 0)) + 1
            raise InvalidInput(f"durations in row {row}", float(t[row - 1]), "at least 0")
        outside = np.any((x < 0) | (x > side), axis=1)
        if np.any(outside):
            row = int(np.argmax(outside)) + 1
            raise InvalidInput(
                f"points in row {row}", str(x[row - 1]), f"stay inside the box [0, {side:g}]^d"
            )
        return cls(x, t, y)


def _real_numbers(name: str, given: ArrayLike) -> FloatArray:
    """As an array; numpy alone would read numbers in strings and drop imaginary parts."""
    try:
        array = np.asarray(given)
    except ValueError:
        raise InvalidInput(name, "ragged", "give rows of one length") from None
    if array.dtype.kind not in "biuf":
        raise InvalidInput(name, f"of type {array.dtype}", "give real numbers")
    return array.astype(float)


def _time_model(seen: _Data, readings: Readings, *, needed: bool) -> TimeModel | None:
    if not needed and np.any(seen.durations <= 0):
        return None
    if readings.time_prior == MAXIMUM_LIKELIHOOD:
        return fit_time_model(seen.points, seen.durations)
    assert isinstance(readings.time_prior, TimeHyperparameters)
    return condition(readings.time_prior, seen.points, seen.durations)
