"""The posterior mean and a small step aside: precision is bought with curvature.

Beside a smooth maximum a look tells how the maximum moves, in proportion to the square of its
distance, which is also its cost. With q the variance of the slope along an axis that a filter has
left when looks at a step h, in units of the slope's deviation, are all that tells it,

    q_{i+1} = (1−d_{i+1})·q_iσ²/(σ²+q_ih²) + d_{i+1},    h² = q/2,

the steps cost about what they leave: at unit steps q settles at (2σ²ε)^{1/3}, where q + h² is
least. See docs/theory.md#control-form. Nothing is proved of this policy; its order is measured.
"""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np

from simulation.policies.base import Criterion, ModelPolicy, Point, PolicySetup


class Dithered(ModelPolicy):
    """The maximiser of the posterior mean, moved by h/√Var ∂f along an axis, one way and the other.

    A round takes the axis that is known least. The nearest point of the domain is played; where
    paths have no derivative, as of arms, there is no step and the maximiser itself is played.
    """

    name = "dithered"
    title = "Dithered mean"
    source = "control form of Theorem I3"
    summary = "plays beside the largest posterior mean, as far as it pays to learn where it moves"
    has_weight = False
    on_box = False
    colour = "#7a5195"
    dashes = (4, 1, 1, 1)

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        points = setup.problem.domain.points
        variance = setup.problem.space_kernel.derivative_variance
        known = variance is not None and isfinite(variance) and variance > 0.0
        self._unit = 1.0 / sqrt(variance) if known and variance is not None else 0.0
        self._left = np.ones(points.shape[1])
        self._signs = np.ones(points.shape[1])
        self._looked: tuple[int, float] | None = None

    def criterion(self, round_index: int) -> Criterion:
        return Criterion(round_index)

    def choose(self, round_index: int) -> Point:
        center = super().choose(round_index)
        if not self._unit:
            return center
        axis = int(np.argmax(self._left))
        step = sqrt(0.5 * self._left[axis])
        points = self._setup.problem.domain.points
        target = points[center].copy()
        target[axis] += self._signs[axis] * step * self._unit
        chosen = int(np.argmin(np.sum((points - target) ** 2, axis=1)))
        # What is learnt depends on the step that the domain allowed.
        self._looked = axis, abs(float(points[chosen, axis] - points[center, axis])) / self._unit
        self._signs[axis] *= -1.0
        return chosen

    def observe(self, point: Point, duration: float, value: float) -> float | None:
        elapsed = self._belief.elapsed(duration)
        kept = 1.0 - float(self._belief.time_kernel.deficit(np.array([elapsed]))[0])
        self._left = kept * self._left + (1.0 - kept)
        if self._looked is not None:
            axis, step = self._looked
            noise, left = self._setup.problem.noise_variance, self._left[axis]
            self._left[axis] = left * noise / (noise + left * step * step)
            self._looked = None
        return super().observe(point, duration, value)
