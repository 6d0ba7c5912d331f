"""Policies that draw: Thompson sampling, and UCB with a weight drawn afresh in every round.

Their bounds, in `bounds.regret.upper.in_expectation.theorem_t`, need no β and no confidence event.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from scipy import special

from bounds.regret.policies import TITLES
from simulation.policies.base import Criterion, ModelPolicy, Point


class ThompsonSampling(ModelPolicy):
    """x_i = argmax of one draw of f(·, τ_i) given the data, independent of every other draw."""

    name = "ts"
    title = TITLES[name]
    source = "Thompson 1933"
    summary = "plays the best point of one posterior draw"
    has_weight = False
    holds_the_problem = True
    draws = True
    colour = "#7b3294"

    def choose(self, round_index: int) -> Point:
        return self._belief.best_of_draw(round_index)


class RandomisedUcb(ModelPolicy):
    """μ + z_i σ at τ_i with a random z_i, the same for all points and fresh in every round."""

    has_weight = False

    @abstractmethod
    def weight(self) -> float:
        """z_i."""

    def criterion(self, round_index: int) -> Criterion:
        return Criterion(round_index, self.weight())


class RandomWeightUcb(RandomisedUcb):
    """UCB with the weight of Theorem T, z = Φ̄⁻¹(u/|D|) with u uniform on (0, 1)."""

    name = "random-weight-ucb"
    title = TITLES[name]
    source = "Theorem T"
    summary = "UCB with a weight drawn in every round"
    colour = "#cc79a7"
    dashes = (5, 2)

    def weight(self) -> float:
        share = self._setup.rng.random() / self._setup.problem.domain.size
        return float(-special.ndtri(max(share, np.finfo(float).tiny)))


class IrgpUcb(RandomisedUcb):
    """z² = 2 log(|D|/2) + χ²_2 (Takeno et al. 2023, arXiv 2302.01511)."""

    name = "irgp-ucb"
    title = TITLES[name]
    source = "Takeno et al. 2023"
    summary = "UCB with a weight from a shifted χ² law"
    colour = "#8c510a"
    dashes = (1.2, 1.2)

    def weight(self) -> float:
        size = max(self._setup.problem.domain.size, 2)
        return float(np.sqrt(2.0 * np.log(size / 2.0) + self._setup.rng.chisquare(2.0)))
