"""The flat index: a weight of σ that asks neither for the horizon nor for the number of points.

With p_i the variance that a player who sees every point in every round has left (Theorem F),

    b_i(w)² = c₀ log(1 + (w/p_i)²)

is the square of the weight of σ at a point of posterior variance w: little where no policy can know
more, and as large as an exploring policy's where little is known. Theorem Q++
(docs/theory.md#flat-index): c₀ > 1 has the floor's order in p for every sequence of times.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.kernels import Kernel
from simulation.model.posterior import Elapsed
from simulation.policies.base import Criterion, ModelPolicy, Point, PolicySetup


class FlatUcb(ModelPolicy):
    """The largest μ + b_i(σ²)σ at τ_i, c₀ by `Readings.flat_weight`."""

    name = "flat-ucb"
    title = "Flat UCB"
    source = "Theorem Q++"
    summary = "UCB with a weight that falls to 0 where no policy can know more"
    has_weight = False
    is_flat = True
    colour = "#c51b7d"
    dashes = (3, 1.5)

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        kernel, noise = self._belief.time_kernel, setup.problem.noise_variance
        self._looks = LooksEverywhere(kernel, noise)
        self._scale = sqrt(setup.readings.flat_weight)

    def criterion(self, round_index: int) -> Criterion:
        return Criterion(round_index, self._scale, least=self._looks.left)

    def observe(self, point: Point, duration: float, value: float) -> float | None:
        self._looks.look(self._belief.elapsed(duration))
        return super().observe(point, duration, value)


class LooksEverywhere:
    """Var(g(τ_n + t) | a look of noise σ² at g in every round so far), g ~ GP(0, k_time).

    O(1) a round for Markov time kernels, otherwise O(n³).

    >>> from bounds.kernels import Forgetting
    >>> looks = LooksEverywhere(Forgetting(0.0), 1.0)
    >>> looks.look(1.0)
    >>> float(looks.left(5.0)[0])
    0.5
    """

    def __init__(self, kernel: Kernel, noise_variance: float) -> None:
        self._kernel, self._noise = kernel, noise_variance
        self._known = 1.0
        self._instants = np.empty(0)

    def look(self, elapsed: float) -> None:
        """Take in a look, `elapsed` after the one before."""
        if self._kernel.is_markov:
            before = float(self.left(elapsed)[0])
            self._known = before * (self._noise / (before + self._noise))
        last = self._instants[-1] if len(self._instants) else 0.0
        self._instants = np.append(self._instants, last + elapsed)

    def left(self, waits: Elapsed) -> tuple[FloatArray, FloatArray]:
        """p after these waits, at least σ²/(σ² + n), and its derivative in the wait."""
        waits = np.asarray(waits, dtype=float)
        kernel = self._kernel
        if kernel.is_markov:
            lost = kernel.deficit(waits)
            gained = -2.0 * kernel.at_distance(waits) * kernel.derivative(waits)
            return lost + (1.0 - lost) * self._known, (1.0 - self._known) * gained
        n = len(self._instants)
        if not n:
            return np.ones(waits.shape), np.zeros(waits.shape)
        distinct, place = np.unique(waits, return_inverse=True)
        apart = np.abs(np.subtract.outer(self._instants, self._instants))
        gram = kernel.at_distance(apart) + self._noise * np.eye(n)
        ages = np.add.outer(self._instants[-1] - self._instants, distinct)
        cross = kernel.at_distance(ages)
        solved = np.linalg.solve(gram, cross)
        left = 1.0 - np.sum(cross * solved, axis=0)
        gained = -2.0 * np.sum(kernel.derivative(ages) * solved, axis=0)
        left = np.maximum(left, self._noise / (self._noise + n))
        return left[place].reshape(waits.shape), gained[place].reshape(waits.shape)
