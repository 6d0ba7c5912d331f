"""What every policy is made from, and what those with a Gaussian process share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray
from bounds.confidence.point_times import point_times_beta
from bounds.confidence.schedules import finite_domain_beta
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.ties import first_largest
from simulation.model.covariance import GridCovariance
from simulation.model.posterior import Elapsed, Prediction, make_posterior
from simulation.policies.acquisition import (
    ACQUISITIONS,
    EXPLORATIONS,
    exploration_weight,
    log_expected_improvement,
    upper_confidence,
)
from simulation.policies.readings import Readings
from simulation.world.evaluation_time import EvaluationTime, PointDurations


@dataclass(frozen=True, eq=False)
class PolicySetup:
    """What a policy is made from.

    Attributes
    ----------
    problem : the true problem: kernels, noise, domain, δ
    covariance : the space covariance that the policy's model assumes
    evaluation_time : how long evaluations take (`gp-ucb`, `tv`, `ctv`, `ctv-simple` do not know it)
    rounds : rounds in all, the initial ones included
    acquisition : `ucb` or `ei`
    exploration : `beta`, `sqrt-beta` or `theory`, for `ucb`
    rng : the policy's own randomness
    readings : the choices that the paper leaves open
    """

    problem: Problem
    covariance: GridCovariance
    evaluation_time: EvaluationTime
    rounds: int
    acquisition: str
    exploration: str
    rng: np.random.Generator
    readings: Readings

    def weights(self) -> FloatArray:
        """(rounds,) the weight of σ in UCB, round by round; the initial rounds count.

        `theory` is √β_n with the finite-domain β_n for fixed times and that of Theorem C for t(x).
        """
        numbers = np.arange(1, self.rounds + 1)
        size, delta = self.problem.domain.size, self.problem.delta
        if self.exploration != "theory":
            c1, c2 = self.readings.c1, self.readings.c2
            return exploration_weight(self.exploration, numbers, c1=c1, c2=c2)
        if isinstance(self.evaluation_time, PointDurations):
            slope = self.problem.time_kernel.slope
            longest = float(np.max(self.evaluation_time.durations))
            return np.sqrt(point_times_beta(numbers, size, delta, slope=slope, longest=longest))
        return np.sqrt(finite_domain_beta(numbers, size, delta))


class Policy(ABC):
    """A way to choose points; it may keep what it saw."""

    @abstractmethod
    def choose(self, round_index: int) -> int:
        """Index of the point for the round with this index from 0 (initial rounds count)."""

    def observe(self, index: int, duration: float, value: float) -> float | None:
        """Take in the point, the measured duration and the observation of a round.

        Returns the variance of f at (x, τ) before the observation, where the policy has it.
        """
        return None

    def reveal(self, objective: FloatArray) -> None:  # noqa: B027 - only one policy may look
        """f(·, τ_n), for those who may see it."""


class ModelPolicy(Policy):
    """What the policies with a Gaussian process share: α_base of a prediction, and its argmax."""

    def __init__(self, setup: PolicySetup, time_kernel: Kernel) -> None:
        for name, known in (("acquisition", ACQUISITIONS), ("exploration", EXPLORATIONS)):
            if getattr(setup, name) not in known:
                raise InvalidInput(name, getattr(setup, name), f"use {', '.join(known)}")
        self._setup = setup
        noise = setup.problem.noise_variance
        self._posterior = make_posterior(setup.covariance, time_kernel, noise, setup.rounds)
        self._weights = setup.weights() if setup.acquisition == "ucb" else np.empty(0)
        self._best = -np.inf
        self._visited = np.zeros(setup.problem.domain.size, dtype=bool)

    @abstractmethod
    def acquisition(self, round_index: int) -> FloatArray:
        """(N,) the values whose argmax is chosen: UCB, or the logarithm of EI."""

    def choose(self, round_index: int) -> int:
        return first_largest(self.acquisition(round_index))

    def observe(self, index: int, duration: float, value: float) -> float | None:
        self._best = max(self._best, value)
        self._visited[index] = True
        return self._posterior.observe(index, self.elapsed(duration), value)

    def elapsed(self, duration: float) -> float:
        """What the model takes the round to have lasted."""
        return duration

    def _at(self, elapsed: Elapsed, round_index: int) -> FloatArray:
        """α_base at τ_n + elapsed."""
        return self._base(self._posterior.predict(elapsed), round_index, self._incumbent())

    def _base(self, prediction: Prediction, round_index: int, incumbent: float) -> FloatArray:
        if self._setup.acquisition == "ei":
            return log_expected_improvement(prediction.mean, prediction.deviation, incumbent)
        return upper_confidence(prediction.mean, prediction.deviation, self._weights[round_index])

    def _incumbent(self) -> float:
        """What EI improves on; before the first observation the prior mean, 0."""
        if not self._visited.any():
            return 0.0
        if self._setup.acquisition == "ei" and self._setup.readings.incumbent == "mean":
            return float(np.max(self._posterior.predict(0.0).mean[self._visited]))
        return float(self._best)
