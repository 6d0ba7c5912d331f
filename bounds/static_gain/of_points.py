"""The information gain of points that are given, each observed once, from both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Lower, Upper, matrices
from bounds.errors import InvalidInput, NoEnclosure
from bounds.problem import Problem
from bounds.static_gain.certified import MOST_POINTS


@dataclass(frozen=True)
class GainOfPoints:
    """½ log det(I + K/σ²) of some points, in nats.

    Attributes
    ----------
    points : how many
    lower, upper : its sides, equal where it is not certified
    certified : whether they were rounded outward
    """

    points: int
    lower: float
    upper: float
    certified: bool


def gain_of_points(problem: Problem, *, certify: bool = True) -> GainOfPoints:
    """Both sides of the gain of all points of the domain, each observed once without drift.

    The determinant of I + K/σ² is enclosed in balls at enough bits for its condition. O(N³).
    Raises InvalidInput for more points than `MOST_POINTS`.

    >>> from bounds.domain import Points
    >>> problem = Problem([1.0], domain=Points([[0.0]]), noise_variance=1.0)
    >>> gain = gain_of_points(problem)
    >>> gain.lower <= 0.34657359027997264 <= gain.upper, gain.upper - gain.lower < 1e-15
    (True, True)
    """
    size, noise = problem.domain.size, problem.noise_variance
    if size > MOST_POINTS:
        remedy = f"give at most {MOST_POINTS} points"
        raise InvalidInput("X", f"{size} points", remedy)
    if not noise > 0.0:
        raise InvalidInput("noise-variance", noise, "give a positive number")
    layout = problem.domain.restricted(problem.space_kernel)
    every = np.arange(size)
    if certify:
        try:
            with enclosure.precision(2 * matrices.WORKING_BITS):
                variance = enclosure.ball(enclosure.exact_double(noise))
                K = matrices.ball_matrix(layout.enclosed_gram(every, every) / variance)
                determinant = (K + matrices.identity(size, 1.0)).det()
                if determinant > 0:
                    gain = determinant.log() / 2
                    low, high = Lower(matrices.downward(gain)), Upper(matrices.upward(gain))
                    return GainOfPoints(size, max(0.0, float(low)), float(high), True)
        except NoEnclosure:
            return _in_doubles(layout.gram(every, every) / noise)
    return _in_doubles(layout.gram(every, every) / noise)


def _in_doubles(ratio: FloatArray) -> GainOfPoints:
    """½ log det(I + ratio), not certified."""
    sign, log = np.linalg.slogdet(np.eye(len(ratio)) + ratio)
    value = 0.5 * float(log) if sign > 0 else float("nan")
    return GainOfPoints(len(ratio), value, value, False)
