"""Two policies without a model that others are measured by."""

from __future__ import annotations

import numpy as np

from bounds.arrays import FloatArray
from simulation.policies.base import Point, Policy, PolicySetup, Times


class RandomChoice(Policy):
    """A uniformly random point in every round."""

    name = "random"
    title = "Random"
    summary = "plays a random point"
    colour = "#6e6e6e"

    def choose(self, round_index: int) -> Point:
        return self._setup.decisions.random_point(self._setup)


class Clairvoyant(Policy):
    """Knows f(·, τ_n) without noise, but not how it will move.

    It takes the largest conditional mean at the next instant, k_time(t(x)) f(x, τ_n). For a Markov
    time kernel and fixed times no policy that sees data up to τ_n has less expected regret.
    """

    name = "clairvoyant"
    title = "Clairvoyant"
    summary = "sees f up to the last instant, without noise"
    times = Times.KNOWN
    sees_objective = True
    on_box = False
    colour = "#000000"

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        self._objective = np.zeros(setup.problem.domain.size)

    def choose(self, round_index: int) -> Point:
        waits = self._setup.evaluation_time.of_round(round_index)
        return int(np.argmax(self._setup.problem.time_kernel.at_distance(waits) * self._objective))

    def reveal(self, objective: FloatArray) -> None:
        self._objective = objective
