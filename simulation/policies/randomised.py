"""Policies that draw: Thompson sampling, and UCB with a weight drawn afresh in every round.

Their bounds are in `bounds.regret.upper.thompson`; they need no β, no confidence event.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from simulation.model.sampling import posterior_sampler
from simulation.policies.acquisition import upper_confidence
from simulation.policies.base import ModelPolicy, PolicySetup


class ThompsonSampling(ModelPolicy):
    """x_i = argmax of one draw of f(·, τ_i) given the data, independent of every other draw.

    Where t depends on x the draw at x is propagated from τ_{i−1} over t(x), with one innovation for
    all points: right in law for each point, and jointly where times are equal.
    """

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup, setup.problem.time_kernel)
        problem = setup.problem
        self._sampler = posterior_sampler(
            setup.covariance, problem.time_kernel, problem.noise_variance, setup.rng, setup.rounds
        )

    def acquisition(self, round_index: int) -> FloatArray:
        waits = np.asarray(self._setup.evaluation_time.of_round(round_index))
        first = float(waits.flat[0])
        if np.all(waits == first):
            return self._sampler.draw(first)
        kernel = self._setup.problem.time_kernel
        kept, lost = kernel.at_distance(waits), kernel.deficit(waits)
        return np.asarray(kept * self._sampler.draw(0.0) + np.sqrt(lost) * self._sampler.prior())

    def observe(self, index: int, duration: float, value: float) -> float | None:
        self._sampler.observe(index, duration, value)
        return super().observe(index, duration, value)


class RandomisedUcb(ModelPolicy):
    """μ + z_i σ at τ_i with a random z_i, the same for all points and fresh in every round."""

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup, setup.problem.time_kernel)

    @abstractmethod
    def weight(self) -> float:
        """z_i."""

    def acquisition(self, round_index: int) -> FloatArray:
        prediction = self._posterior.predict(self._setup.evaluation_time.of_round(round_index))
        return upper_confidence(prediction.mean, prediction.deviation, self.weight())


class RandomWeightUcb(RandomisedUcb):
    """UCB with the weight of Theorem T."""

    def weight(self) -> float:
        return random_weight(self._setup.rng, self._setup.problem.domain.size)


def random_weight(rng: np.random.Generator, size: int) -> float:
    """z = Φ̄⁻¹(u/|D|), u uniform on (0, 1), for |D| = `size` points."""
    return float(-special.ndtri(max(rng.random() / size, np.finfo(float).tiny)))


class IrgpUcb(RandomisedUcb):
    """z² = 2 log(|D|/2) + χ²_2 (Takeno et al. 2023, arXiv 2302.01511)."""

    def weight(self) -> float:
        size = max(self._setup.problem.domain.size, 2)
        return float(np.sqrt(2.0 * np.log(size / 2.0) + self._setup.rng.chisquare(2.0)))
