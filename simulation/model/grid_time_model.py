"""The log-normal model of evaluation times over the whole grid, updated round by round."""

from __future__ import annotations

from math import inf
from typing import Literal

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import Domain
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern
from simulation.model.covariance import GridCovariance
from simulation.model.posterior import MarkovPosterior, markov_posterior
from simulation.model.time_model import TimeHyperparameters, fit_time_model

_STILL = Forgetting(0.0)


class GridTimeModel:
    """log t(x) as a Gaussian process over the grid, given the durations so far.

    Hyperparameters are settled when the model is first asked, by the data it has then.
    O(nN) a round.
    """

    def __init__(
        self, grid: Domain, prior: TimeHyperparameters | Literal["ml"], rounds: int
    ) -> None:
        self._grid = grid
        self._prior = prior
        self._rounds = rounds
        self._seen: list[tuple[int, float]] = []
        self._settled: TimeHyperparameters | None = None
        self._posterior: MarkovPosterior | None = None

    def observe(self, index: int, duration: float) -> None:
        """Take in one duration. Raises InvalidInput unless it is positive and finite."""
        if not 0.0 < duration < inf:
            remedy = "policies that model log t need finite times above 0"
            raise InvalidInput("duration", duration, remedy)
        self._seen.append((index, float(np.log(duration))))
        if self._posterior is not None:
            self._absorb(*self._seen[-1])

    @property
    def hyperparameters(self) -> TimeHyperparameters:
        """Those in use, settled on the first call."""
        if self._settled is None:
            self._settled = self._from_data()
        return self._settled

    def log_posterior(self) -> tuple[FloatArray, FloatArray]:
        """μ_n^g (N,) and (σ_n^g)² (N,) of log t(x), the noise not included."""
        hyper = self.hyperparameters
        if self._posterior is None:
            kernel = Matern(2.5, hyper.lengthscale)
            noise = max(hyper.noise_variance, 1e-10 * hyper.variance) / hyper.variance
            covariance = GridCovariance(kernel, self._grid)
            self._posterior = markov_posterior(covariance, _STILL, noise, self._rounds)
            for index, log_duration in self._seen:
                self._absorb(index, log_duration)
        unit = self._posterior.predict(0.0)
        mean = hyper.prior_mean + np.sqrt(hyper.variance) * unit.mean
        return mean, hyper.variance * unit.variance

    def mean_duration(self, *, with_noise: bool) -> FloatArray:
        """(N,) E[t | x], of a measured time or of exp g(x) alone."""
        mean, variance = self.log_posterior()
        noise = self.hyperparameters.noise_variance if with_noise else 0.0
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(mean + 0.5 * (variance + noise)))

    def _from_data(self) -> TimeHyperparameters:
        logs = np.array([log for _, log in self._seen])
        if not isinstance(self._prior, str):
            return self._prior.with_mean_of(logs)
        if len(logs) == 0:
            return TimeHyperparameters(mean=0.0)
        points = self._grid.points[[index for index, _ in self._seen]]
        return fit_time_model(points, np.exp(logs)).hyperparameters

    def _absorb(self, index: int, log_duration: float) -> None:
        assert self._posterior is not None
        hyper = self.hyperparameters
        unit = (log_duration - hyper.prior_mean) / np.sqrt(hyper.variance)
        self._posterior.observe(index, 0.0, float(unit))
