"""Policies on a finite domain: f at all points at once, ties to the lowest index."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.ties import first_largest
from simulation.model.grid_time_model import GridTimeModel
from simulation.model.posterior import Elapsed, Prediction, make_posterior
from simulation.model.sampling import posterior_sampler
from simulation.policies.acquisition import (
    flat_confidence,
    log_expected_improvement,
    log_mean_improvement,
    upper_confidence,
)
from simulation.policies.base import (
    Belief,
    Criterion,
    DecisionSet,
    Point,
    Policy,
    PolicySetup,
    Times,
)


class FiniteSet(DecisionSet):
    """The points of the problem's domain, by their indices."""

    def require(self, policy: type[Policy]) -> None:
        """Every policy plays here."""

    def random_point(self, setup: PolicySetup) -> int:
        return int(setup.rng.integers(setup.problem.domain.size))

    def point_of(self, index: int, setup: PolicySetup) -> int:
        return index

    def belief(self, setup: PolicySetup, times: Times, *, draws: bool) -> FiniteBelief:
        return FiniteBelief(setup, times, draws=draws)


class FiniteBelief(Belief):
    """Mean and variance of f at every point, updated round by round."""

    def __init__(self, setup: PolicySetup, times: Times, *, draws: bool = False) -> None:
        super().__init__(setup, times)
        problem, readings, kernel = setup.problem, setup.readings, self.time_kernel
        covariance, noise = setup.covariance, problem.noise_variance
        self._posterior = make_posterior(covariance, kernel, noise, setup.rounds)
        self._sampler = (
            posterior_sampler(covariance, kernel, noise, setup.rng, setup.rounds) if draws else None
        )
        self._durations = (
            GridTimeModel(problem.domain, readings.time_prior, setup.rounds)
            if times.are_learned
            else None
        )
        nodes, weights = np.polynomial.hermite.hermgauss(readings.time_nodes)
        self._nodes = np.sqrt(2.0) * nodes
        self._node_weights = weights / weights.sum()
        self._visited = np.zeros(problem.domain.size, dtype=bool)

    def observe(self, point: Point, duration: float, value: float) -> float:
        noise_variance = self._setup.readings.time_noise_variance
        if self._durations is not None:
            if noise_variance and not 0.0 < duration < np.inf:
                remedy = f"a measured time came out as {duration:g}: give a smaller one"
                raise InvalidInput("time_noise_variance", noise_variance, remedy)
            self._durations.observe(point, duration)
        self._visited[point] = True
        elapsed = self.elapsed(duration)
        if self._sampler is not None:
            self._sampler.observe(point, elapsed, value)
        return self._posterior.observe(point, elapsed, value)

    def best(self, criterion: Criterion) -> int:
        return first_largest(self.values(criterion))

    def values(self, criterion: Criterion) -> FloatArray:
        """(N,) μ + weight·σ at every point, or the logarithm of EI.

        CTV averages over its law of t by Gauss–Hermite: t = exp(√2 σ s + μ) with weight e^{−s²}/√π;
        the mean of EI is taken through its logarithms.
        """
        if self._times is not Times.LAW:
            wait = self._wait(criterion.round_index)
            prediction = self._posterior.predict(wait)
            if criterion.least is None:
                return _value(prediction, criterion, wait)
            least, _ = criterion.least(wait)
            return flat_confidence(prediction.mean, prediction.deviation, criterion.weight, least)
        predictions = self._over_times()
        if criterion.incumbent is not None:
            rows = [prediction for _, prediction in predictions]
            return log_mean_improvement(
                np.array([p.mean for p in rows]),
                np.array([p.deviation for p in rows]),
                self._node_weights,
                criterion.incumbent,
            )
        total = np.zeros(self._setup.problem.domain.size)
        for weight, (wait, prediction) in zip(self._node_weights, predictions, strict=True):
            total += weight * _value(prediction, criterion, wait)
        return total

    def prediction(self, round_index: int) -> Prediction:
        """Mean and variance of f at every point when its evaluation ends, by a single time each."""
        return self._posterior.predict(self._wait(round_index))

    def best_mean(self) -> float:
        return float(np.max(self._posterior.predict(0.0).mean[self._visited]))

    def best_of_draw(self, round_index: int) -> int:
        return first_largest(self.draw(round_index))

    def draw(self, round_index: int) -> FloatArray:
        """(N,) one draw of f at the end of the evaluation of each point, given the data.

        Where t depends on x the draw at x is propagated from τ_{i−1} over t(x), with one innovation
        for all points: right in law for each point, and jointly where times are equal.
        """
        assert self._sampler is not None
        waits = np.asarray(self._wait(round_index))
        first = float(waits.flat[0])
        if np.all(waits == first):
            return self._sampler.draw(first)
        kernel = self._setup.problem.time_kernel
        kept, lost = kernel.at_distance(waits), kernel.deficit(waits)
        return np.asarray(kept * self._sampler.draw(0.0) + np.sqrt(lost) * self._sampler.prior())

    def _wait(self, round_index: int) -> Elapsed:
        """How long the evaluation at each point is taken to last."""
        if self._times is Times.KNOWN:
            return self._setup.evaluation_time.of_round(round_index)
        if self._durations is None:
            return self.elapsed(0.0)
        return self._durations.mean_duration(with_noise=self._setup.readings.mean_time_noise)

    def _over_times(self) -> Iterator[tuple[FloatArray, Prediction]]:
        """The nodes of the law of t(x), (N,) each, and the predictions there."""
        assert self._durations is not None
        mean, variance = self._durations.log_posterior()
        if self._setup.readings.integral_noise:
            variance = variance + self._durations.hyperparameters.noise_variance
        with np.errstate(over="ignore"):  # a time that overflows is one at which all is forgotten
            times = np.exp(mean + np.sqrt(variance) * self._nodes[:, None])
        return ((at_node, self._posterior.predict(at_node)) for at_node in times)


def _value(prediction: Prediction, criterion: Criterion, wait: Elapsed) -> FloatArray:
    if criterion.incumbent is not None:
        return log_expected_improvement(prediction.mean, prediction.deviation, criterion.incumbent)
    if not criterion.weight:
        return prediction.mean
    weight = criterion.weight * wait if criterion.by_time else criterion.weight
    return upper_confidence(prediction.mean, prediction.deviation, weight)
