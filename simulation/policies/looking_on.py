"""Policies of public tables that look on: to one more round, or to all that later looks will say.

Both know durations beforehand and take one point at a time: what a look says of other points is
left out, so that on independent arms they are what their authors define. On finite domains.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import cast

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.kernels import Kernel
from bounds.numerics.ties import first_largest
from simulation.policies.base import ModelPolicy, Point, PolicySetup
from simulation.policies.finite import FiniteBelief

_LATER_LOOKS = 100


class LookAhead(ModelPolicy):
    """The mean now and the mean of the best point in the round after: two steps.

    With u = σ²/√(σ² + noise) by which the mean of x moves, and m the largest other mean,
    μ(x) + a(m + E(μ(x) − m + uZ)₊), a = k_time of the next round; the last round is greedy.
    """

    name = "look-ahead"
    title = "Two-step look-ahead"
    source = "two steps of the dynamic programme"
    summary = "plays what has most in this round and the next"
    has_weight = False
    on_box = False
    colour = "#35978f"
    dashes = (2, 2)

    def choose(self, round_index: int) -> Point:
        return first_largest(self.values(round_index))

    def values(self, round_index: int) -> FloatArray:
        belief = cast(FiniteBelief, self._belief)
        prediction = belief.prediction(round_index)
        mean, variance = prediction.mean, prediction.variance
        if round_index + 1 >= self._setup.rounds or len(mean) == 1:
            return mean
        wait = _wait(self._setup, round_index + 1)
        kept = float(belief.time_kernel.at_distance(wait))
        return two_steps(mean, variance, kept, self._setup.problem.noise_variance)


def two_steps(
    mean: FloatArray, variance: FloatArray, kept: float, noise_variance: float
) -> FloatArray:
    """μ + a(m + E(μ − m + uZ)₊) at every point, along the last axis.

    >>> two_steps(np.array([0.0, 0.0]), np.array([1.0, 0.0]), 1.0, 0.0).round(4).tolist()
    [0.3989, 0.0]
    """
    order = np.sort(mean, axis=-1)
    others = np.where(mean == order[..., -1:], order[..., -2:-1], order[..., -1:])
    moved = np.maximum(variance, 0.0) / np.sqrt(np.maximum(variance + noise_variance, 1e-300))
    moved = np.maximum(moved, 1e-300)
    z = np.clip((mean - others) / moved, -38.0, 1e150)
    gain = np.where(z > 38.0, mean - others, (mean - others) * special.ndtr(z))
    gain = gain + moved * np.exp(-0.5 * np.minimum(z, 38.0) ** 2) / sqrt(2.0 * pi)
    return np.asarray(mean + kept * (others + gain))


class PredictiveSampling(ModelPolicy):
    """The best point of a draw of what looks in all later rounds would say (arXiv 2205.01970).

    Looks at a point in every later round are worth one look of precision F at its value now; of a
    posterior draw the share √(σ²F/(1 + σ²F)) of the deviation is kept. What is soon forgotten is
    not explored for.
    """

    name = "predictive"
    title = "Predictive sampling"
    source = "Liu, Kuang and Van Roy 2022"
    summary = "plays the best point of a draw of what later looks would say"
    has_weight = False
    holds_the_problem = True
    draws = True
    on_box = False
    colour = "#bf812d"
    dashes = (6, 1.5)

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        kernel = self._belief.time_kernel
        waits = np.array([_wait(setup, i) for i in range(setup.rounds)])
        noise = setup.problem.noise_variance
        if kernel.is_markov:
            kept, lost = kernel.at_distance(waits), kernel.deficit(waits)
            self._later = later_precisions(np.asarray(kept), np.asarray(lost), noise)
        else:
            self._later = later_precisions_by_matrix(kernel, waits, noise)

    def choose(self, round_index: int) -> Point:
        belief = cast(FiniteBelief, self._belief)
        prediction = belief.prediction(round_index)
        ratio = prediction.variance * self._later[round_index]
        share = np.sqrt(ratio / (1.0 + ratio))
        return first_largest(prediction.mean + share * (belief.draw(round_index) - prediction.mean))


def later_precisions(kept: FloatArray, lost: FloatArray, noise_variance: float) -> FloatArray:
    """(n,) what looks in all rounds behind a round are worth as one look at the value in it.

    kept, lost : a and 1 − a² of the wait before each round

    >>> later_precisions(np.array([1.0, 1.0, 1.0]), np.zeros(3), 0.5).tolist()
    [4.0, 2.0, 0.0]
    """
    precisions = np.zeros(len(kept))
    for i in range(len(kept) - 2, -1, -1):
        precision = 1.0 / noise_variance + precisions[i + 1]
        precisions[i] = kept[i + 1] ** 2 / (lost[i + 1] + 1.0 / precision)
    return precisions


def precision_of_all_later(forgotten: float, noise_variance: float) -> float:
    """The limit of `later_precisions` before endlessly many looks at equal waits, a = e^−forgotten.

    The root F ≥ 0 of F(1 − a² + σ²/(1 + σ²F)) = a²; infinite where nothing is forgotten.

    >>> waits = np.full(400, 0.1)
    >>> long = later_precisions(np.exp(-waits), -np.expm1(-2.0 * waits), 0.5)[0]
    >>> round(float(long), 9) == round(precision_of_all_later(0.1, 0.5), 9)
    True
    """
    lost = -float(np.expm1(-2.0 * forgotten))
    if not lost > 0.0:
        return float("inf")
    linear = (1.0 + noise_variance) * lost
    root = sqrt(linear**2 + 4.0 * lost * noise_variance * (1.0 - lost))
    return 2.0 * (1.0 - lost) / (root + linear)


def later_precisions_by_matrix(
    kernel: Kernel, waits: FloatArray, noise_variance: float
) -> FloatArray:
    """The same for any time kernel, as if nothing were known before, of the next 100 looks.

    >>> from bounds.kernels import Forgetting
    >>> later_precisions_by_matrix(Forgetting(0.0), np.ones(3), 0.5).round(9).tolist()
    [4.0, 2.0, 0.0]
    """
    precisions, instants = np.zeros(len(waits)), np.cumsum(waits)
    for i in range(len(waits) - 1):
        later = instants[i + 1 : i + 1 + _LATER_LOOKS]
        gram = kernel.at_distance(np.abs(np.subtract.outer(later, later)))
        cross = np.asarray(kernel.at_distance(later - instants[i]))
        solved = np.linalg.solve(gram + noise_variance * np.eye(len(later)), cross)
        explained = min(max(float(cross @ solved), 0.0), 1.0 - 1e-12)
        precisions[i] = explained / (1.0 - explained)
    return precisions


def _wait(setup: PolicySetup, round_index: int) -> float:
    """The duration of a round, its mean over the points where it is t(x)."""
    return float(np.mean(setup.evaluation_time.of_round(round_index)))
