"""Policies on the box [0, side]^d: points anywhere, the acquisition maximised by local searches.

Every policy but the one that sees f on the grid plays here. A draw of f is exact in law, but
maximised over 1,024 random points and those evaluated; the weights of policies that draw them are
those for the size of the grid, and a schedule explores points of the grid. Bounds are for finite
domains: on the box a comparison with one is an observation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import optimize

from bounds.arrays import FloatArray
from bounds.domain import Domain
from bounds.errors import InvalidInput
from simulation.model.box_posterior import BoxPosterior
from simulation.model.time_model import TimeHyperparameters, condition, fit_time_model
from simulation.policies.base import (
    Belief,
    Criterion,
    DecisionSet,
    Point,
    Policy,
    PolicySetup,
    Times,
)
from simulation.policies.on_box.acquisition import (
    BoxAcquisition,
    WaitsAt,
    known_waits,
    log_normal_waits,
    mean_waits,
)
from simulation.policies.readings import MAXIMUM_LIKELIHOOD, Readings
from simulation.world.evaluation_time import KnownTime, constant_time

_CANDIDATES = 1_024


class BoxSet(DecisionSet):
    """All of the box of a grid.

    Parameters
    ----------
    grid : its box is where points are chosen
    time : round index ↦ t(x) of that round, for those who know it
    starts : local searches a round, from the best of 1,024 random points and those evaluated

    Raises InvalidInput for a domain that is no grid in a box.
    """

    def __init__(self, grid: Domain, time: Callable[[int], KnownTime], starts: int = 8) -> None:
        if starts < 1:
            raise InvalidInput("starts", starts, "give a whole number of at least 1")
        self.grid, self.time, self.starts = grid, time, starts
        self.side = grid.box_side()

    def require(self, policy: type[Policy]) -> None:
        if not policy.on_box:
            raise InvalidInput("policies", policy.name, "leave it out: it plays on the grid alone")

    def random_point(self, setup: PolicySetup) -> FloatArray:
        return self.side * setup.rng.random(self.grid.dimension)

    def point_of(self, index: int, setup: PolicySetup) -> FloatArray:
        return np.asarray(self.grid.points[index])

    def belief(self, setup: PolicySetup, times: Times, *, draws: bool) -> BoxBelief:
        return BoxBelief(self, setup, times)


class BoxBelief(Belief):
    """f given the data so far, anywhere in the box. O(n³) a round and O(n²) a step of a search."""

    def __init__(self, box: BoxSet, setup: PolicySetup, times: Times) -> None:
        super().__init__(setup, times)
        if setup.readings.tune != "none":
            remedy = "drop it: on the box policies do not tune their hyperparameters"
            raise InvalidInput("tune", setup.readings.tune, remedy)
        self._box = box
        self._points = np.empty((0, box.grid.dimension))
        self._durations, self._values = np.empty(0), np.empty(0)
        self._prior: TimeHyperparameters | None = None

    def observe(self, point: Point, duration: float, value: float) -> None:
        self._points = np.concatenate([self._points, np.asarray(point)[None]])
        self._durations = np.append(self._durations, duration)
        self._values = np.append(self._values, value)

    def best(self, criterion: Criterion) -> FloatArray:
        function, box = self.acquisition(criterion), self._box
        maxima, _ = maximise(function, self._points, box.side, box.starts, criterion.round_index)
        return np.asarray(maxima[0])

    def acquisition(self, criterion: Criterion) -> BoxAcquisition:
        """The criterion anywhere in the box, with its gradient."""
        waits = self._waits(criterion.round_index)
        return BoxAcquisition(
            self._posterior(), waits, criterion.weight, criterion.incumbent, criterion.least
        )

    def best_mean(self) -> float:
        mean, _ = self._posterior().at(self._points, np.zeros(len(self._points)))
        return float(np.max(mean.value))

    def best_of_draw(self, round_index: int) -> FloatArray:
        points = candidates(self._points, self._box.side, round_index)
        waits = self._box.time(round_index)(points)[0]
        drawn = self._posterior().draw(points, waits, self._setup.rng)
        return np.asarray(points[int(np.argmax(drawn))])

    def _posterior(self) -> BoxPosterior:
        return BoxPosterior(
            self._points,
            np.array([self.elapsed(duration) for duration in self._durations]),
            self._values,
            self._setup.covariance.kernel,
            self.time_kernel,
            self._setup.problem.noise_variance,
        )

    def _waits(self, round_index: int) -> WaitsAt:
        if self._times is Times.KNOWN:
            return known_waits(self._box.time(round_index))
        if not self._times.are_learned:
            return known_waits(constant_time(self.elapsed(0.0)))
        if self._prior is None:
            # As on the grid, by the data at the policy's first own round.
            self._prior = _settled(self._setup.readings, self._points, self._durations)
        model = condition(self._prior, self._points, self._durations)
        readings = self._setup.readings
        if self._times is Times.MEAN:
            return mean_waits(model, with_noise=readings.mean_time_noise)
        return log_normal_waits(model, readings.time_nodes, with_noise=readings.integral_noise)


def candidates(seen: FloatArray, side: float, seed: int) -> FloatArray:
    """(m, d) 1,024 random points of the box, and the points seen."""
    random = side * np.random.default_rng(seed).random((_CANDIDATES, seen.shape[1]))
    return np.concatenate([random, seen])


def maximise(
    function: BoxAcquisition, seen: FloatArray, side: float, starts: int, seed: int
) -> tuple[FloatArray, float]:
    """Where the searches ended (k, d), best first, and the best value.

    A restricted search: the best of the maxima found, not a proven global one.
    """
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


def _settled(readings: Readings, points: FloatArray, durations: FloatArray) -> TimeHyperparameters:
    """Hyperparameters of log t as these data settle them, for all rounds to come."""
    if readings.time_prior == MAXIMUM_LIKELIHOOD:
        return fit_time_model(points, durations).hyperparameters
    assert isinstance(readings.time_prior, TimeHyperparameters)
    return readings.time_prior.with_mean_of(np.log(durations))
