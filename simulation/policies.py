"""Policies: which point to evaluate next, from what has been seen.

Every policy is a small class behind one protocol: `choose` a point for the coming round, then
`observe` what came of it. Ties go to the lowest index of the grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.problem import Problem
from simulation.acquisition import (
    ACQUISITIONS,
    exploration_weight,
    log_expected_improvement,
    upper_confidence,
)
from simulation.covariance import GridCovariance
from simulation.evaluation_time import EvaluationTime
from simulation.posterior import Posterior, Prediction, make_posterior

FloatArray = NDArray[np.float64]


class Policy(Protocol):
    """A way to choose points; it may keep what it saw."""

    def choose(self, round_index: int) -> int:
        """Index of the point for the round with this index from 0 (initial rounds count)."""

    def observe(self, index: int, duration: float, value: float) -> float | None:
        """What the round gave. Returns the variance of f at (x, τ) before, if the policy has it."""


@dataclass(frozen=True, eq=False)
class PolicySetup:
    """What a policy is made from.

    Attributes
    ----------
    problem : the true problem: kernels, noise, domain, δ
    covariance : the space covariance that the policy's model assumes
    evaluation_time : how long evaluations take (known to `ctv-fixed` alone)
    rounds : rounds in all, the initial ones included
    acquisition : `ucb` or `ei`
    exploration : `beta`, `sqrt-beta` or `theory`, for `ucb`
    rng : the policy's own randomness
    """

    problem: Problem
    covariance: GridCovariance
    evaluation_time: EvaluationTime
    rounds: int
    acquisition: str
    exploration: str
    rng: np.random.Generator

    def posterior(self, time_kernel: Kernel) -> Posterior:
        """An empty posterior with the model's space kernel and this time kernel."""
        return make_posterior(
            self.covariance, time_kernel, self.problem.noise_variance, self.rounds
        )


class BaseAcquisition:
    """α_base(x): UCB or log EI of a prediction; both have the argmax of the acquisition.

    EI improves on the largest observation so far.
    """

    def __init__(self, setup: PolicySetup) -> None:
        if setup.acquisition not in ACQUISITIONS:
            raise InvalidInput("acquisition", setup.acquisition, f"use {', '.join(ACQUISITIONS)}")
        self._setup = setup
        self._best = -np.inf

    def observe(self, value: float) -> None:
        self._best = max(self._best, value)

    def weight(self, round_index: int) -> float:
        """The weight of σ at this round."""
        setup = self._setup
        return exploration_weight(
            setup.exploration,
            round_index + 1,
            domain_size=setup.problem.domain.size,
            delta=setup.problem.delta,
        )

    def __call__(self, prediction: Prediction, round_index: int) -> FloatArray:
        if self._setup.acquisition == "ei":
            # Before the first observation there is nothing to improve on: the prior mean is 0.
            best = self._best if np.isfinite(self._best) else 0.0
            return log_expected_improvement(prediction.mean, prediction.deviation, best)
        weight = self.weight(round_index)
        return upper_confidence(prediction.mean, prediction.deviation, weight)


class CtvFixed:
    """CTV-fixed: α_base at τ_n + t(x), the evaluation time of every point being known."""

    def __init__(self, setup: PolicySetup) -> None:
        self._time = setup.evaluation_time
        self._posterior = setup.posterior(setup.problem.time_kernel)
        self._acquisition = BaseAcquisition(setup)

    def choose(self, round_index: int) -> int:
        prediction = self._posterior.predict(self._time.of_round(round_index))
        return int(np.argmax(self._acquisition(prediction, round_index)))

    def observe(self, index: int, duration: float, value: float) -> float | None:
        self._acquisition.observe(value)
        return self._posterior.observe(index, duration, value)


class RandomChoice:
    """A uniformly random point of the grid in every round: a yardstick."""

    def __init__(self, setup: PolicySetup) -> None:
        self._rng = setup.rng
        self._size = setup.problem.domain.size

    def choose(self, round_index: int) -> int:
        return int(self._rng.integers(self._size))

    def observe(self, index: int, duration: float, value: float) -> float | None:
        return None


POLICIES: dict[str, Callable[[PolicySetup], Policy]] = {
    "ctv-fixed": CtvFixed,
    "random": RandomChoice,
}
"""Every policy by the name that the command line and results know it by."""


def make_policy(name: str, setup: PolicySetup) -> Policy:
    """The policy `name`. Raises InvalidInput with the nearest known name."""
    check_policy(name)
    return POLICIES[name](setup)


def check_policy(name: str) -> None:
    """Raise InvalidInput unless `name` is a policy."""
    if name not in POLICIES:
        near = get_close_matches(name, POLICIES, n=1, cutoff=0.3)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InvalidInput("policies", name, f"{hint}the policies are {', '.join(POLICIES)}")
