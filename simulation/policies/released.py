"""The policies as the authors' released code of 2019 plays them, where that is not the text.

Read in the public repository HideakiImamura/TimeVaryingGPBO (folder `my-optuna/optuna/samplers`):

- The weight of σ is a function of the number of rounds, and the sampling acquisition calls it
  without that number (`gp/acquisition.py`): GP-UCB and TV weigh σ with c₁ log(c₂·100) throughout.
- TV hands its next time on as a context, and the line that would set it is commented out
  (`gp/bo.py`): the acquisition is maximised over times too. These are settled when TV first chooses
  (`dtvgp/sampler.py`), as the rounds up to then and the next: 1, …, 11 after ten random rounds. So
  in a late round TV plays the point that was best at one of the first eleven.
- CTV and CTV-simple multiply the weight with the evaluation time (`gp/acquisition.py`).

Whether that code made Figure 1 is not known. Hyperparameters are drawn there, as by
`--readings tune=posterior`.
"""

from __future__ import annotations

from math import log

import numpy as np
from scipy.linalg import solve_triangular

from bounds.arrays import FloatArray
from bounds.numerics.ties import first_largest
from simulation.policies.acquisition import upper_confidence
from simulation.policies.base import Criterion, ModelPolicy, Point, PolicySetup, Times

_SOURCE = "HideakiImamura/TimeVaryingGPBO"
_ROUNDS = 100
"""The number of rounds that the weight takes where it is given none."""


class GpUcbAsReleased(ModelPolicy):
    """GP-UCB with the same weight c₁ log(c₂·100) in every round."""

    name = "gp-ucb-as-released"
    title = "GP-UCB as released"
    source = _SOURCE
    summary = "GP-UCB with a weight that does not grow, as in the released code"
    times = Times.NONE
    has_weight = False
    on_box = False
    colour = "#e69f00"
    dashes = (2.0, 2.0)

    def criterion(self, round_index: int) -> Criterion:
        return Criterion(round_index, constant_weight(self._setup))


class TimeVaryingAsReleased(GpUcbAsReleased):
    """TV whose acquisition is maximised over the first rounds' times as well as over x."""

    name = "tv-as-released"
    title = "TV as released"
    summary = "TV with its next time left free, as in the released code"
    times = Times.ROUNDS
    colour = "#8c6d00"
    dashes = (4, 1.5)

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        self._seen: list[tuple[Point, float]] = []
        self._first: FirstTimes | None = None

    def choose(self, round_index: int) -> Point:
        return first_largest(self.values(round_index)) % self._setup.problem.domain.size

    def values(self, round_index: int) -> FloatArray:
        """(K·N,) μ + weight·σ at the times of the first K rounds, the points within each."""
        if self._first is None:
            self._first = FirstTimes(self._setup, len(self._seen) + 1)
            for point, value in self._seen:
                self._first.observe(point, value)
        mean, variance = self._first.mean, self._first.variance
        return upper_confidence(mean, np.sqrt(variance), self.criterion(round_index).weight)

    def observe(self, point: Point, duration: float, value: float) -> float | None:
        self._seen.append((point, value))
        if self._first is not None:
            self._first.observe(point, value)
        return super().observe(point, duration, value)


class CtvAsReleased(ModelPolicy):
    """CTV with the weight t·c₁ log(c₂n) at a time t, n the rounds so far."""

    name = "ctv-as-released"
    title = "CTV as released"
    source = _SOURCE
    summary = "CTV with a weight that grows with the evaluation time, as in the released code"
    times = Times.LAW
    has_weight = False
    weighs_by_time = True
    on_box = False
    colour = "#004c7a"
    dashes = (4.0, 4.0)

    def criterion(self, round_index: int) -> Criterion:
        readings = self._setup.readings
        weight = readings.c1 * log(readings.c2 * max(round_index, 1))
        return Criterion(round_index, weight, by_time=self.weighs_by_time)


class CtvSimpleAsReleased(CtvAsReleased):
    """CTV-simple with the weight t·c₁ log(c₂n) at the mean t of the evaluation time."""

    name = "ctv-simple-as-released"
    title = "CTV-simple as released"
    summary = (
        "CTV-simple with a weight that grows with the evaluation time, as in the released code"
    )
    times = Times.MEAN
    colour = "#2f7fae"
    dashes = (1.5, 3.0)


def constant_weight(setup: PolicySetup) -> float:
    """c₁ log(c₂·100)."""
    return setup.readings.c1 * log(setup.readings.c2 * _ROUNDS)


class FirstTimes:
    """f at every point at the times of the first K rounds, given all rounds so far.

    Rows of V = L⁻¹K(data, candidates), each as it was when its round came; a round costs O(nKN).

    Attributes
    ----------
    mean, variance : (K·N,) of f at (x, τ_k), the points within each time
    """

    def __init__(self, setup: PolicySetup, count: int) -> None:
        problem, readings = setup.problem, setup.readings
        self._covariance, self._kernel = setup.covariance, problem.time_kernel
        self._noise, self._length = problem.noise_variance, readings.round_length
        self._times = self._length * np.arange(1, count + 1)
        size = count * problem.domain.size
        self.mean, self.variance = np.zeros(size), np.ones(size)
        self._points: list[int] = []
        self._rows = np.empty((setup.rounds, size))
        self._factor = np.zeros((setup.rounds, setup.rounds))
        self._residuals = np.empty(setup.rounds)

    def observe(self, point: int, value: float) -> None:
        """Take in y at a point, in the next round."""
        n = len(self._points)
        time = self._length * (n + 1)
        space = self._covariance.row(point)
        ages = time - self._length * np.arange(1, n + 1)
        row = np.zeros(n)
        if n:
            cross = space[self._points] * self._kernel.at_distance(ages)
            row = solve_triangular(self._factor[:n, :n], cross, lower=True)
        pivot = np.sqrt(1.0 + self._noise - row @ row)
        self._factor[n, :n], self._factor[n, n] = row, pivot
        self._residuals[n] = (value - row @ self._residuals[:n]) / pivot
        kept = self._kernel.at_distance(np.abs(time - self._times))
        prior = np.multiply.outer(kept, space).ravel()
        self._rows[n] = (prior - row @ self._rows[:n]) / pivot
        self.mean += self._residuals[n] * self._rows[n]
        self.variance = np.maximum(self.variance - self._rows[n] ** 2, 0.0)
        self._points.append(point)
