"""The information gain of points that are given, each observed once, from both sides."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.domain import FiniteKernel
from bounds.enclosure import Lower, Number, Upper, matrices
from bounds.enclosure.doubles import Doubles, Whitened, require_doubles
from bounds.errors import InvalidInput, NoEnclosure
from bounds.problem import Problem
from bounds.static_gain.certified import MOST_IN_DOUBLES, MOST_POINTS

_FEW = 100
"""Points up to which balls are asked first: they are closer."""

_CLOSE = 1e-7
"""Radius of a gain, as a share of it, up to which intervals in doubles will do."""


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

    The determinant of I + K/σ² is enclosed: of a few points in balls at enough bits for its
    condition, of more by intervals in doubles, and in balls where these are too wide. O(N³).
    Raises InvalidInput for more points than `MOST_IN_DOUBLES`.

    >>> from bounds.domain import Points
    >>> problem = Problem([1.0], domain=Points([[0.0]]), noise_variance=1.0)
    >>> gain = gain_of_points(problem)
    >>> gain.lower <= 0.34657359027997264 <= gain.upper, gain.upper - gain.lower < 1e-15
    (True, True)
    """
    size, noise = problem.domain.size, problem.noise_variance
    if size > MOST_IN_DOUBLES:
        raise InvalidInput("X", f"{size} points", f"give at most {MOST_IN_DOUBLES} points")
    layout = problem.domain.restricted(problem.space_kernel)
    every = np.arange(size)
    if certify:
        roads = (_of_balls, _of_doubles) if size <= _FEW else (_of_doubles, _of_balls)
        with suppress(NoEnclosure):
            for road in roads:
                gain = road(layout, noise)
                if gain is not None:
                    low, high = Lower(matrices.downward(gain)), Upper(matrices.upward(gain))
                    return GainOfPoints(size, max(0.0, float(low)), float(high), True)
    return _in_floats(layout.gram(every, every) / noise)


def _of_doubles(layout: FiniteKernel, noise: float) -> Number | None:
    """None where rounding is too much for the condition of the matrix."""
    require_doubles()
    every = np.arange(layout.size)
    ratio = layout.enclosed_doubles(every, every) / Doubles.exact(noise)
    found = Whitened.of(ratio + Doubles.exact(np.eye(layout.size)))
    if found is None:
        return None
    gain = found.log_determinant / 2
    return gain if float(gain.rad()) <= _CLOSE * float(gain.mid()) else None


def _of_balls(layout: FiniteKernel, noise: float) -> Number | None:
    """None for too many points, or a determinant that is not certainly positive."""
    if layout.size > MOST_POINTS:
        return None
    every = np.arange(layout.size)
    with enclosure.precision(2 * matrices.WORKING_BITS):
        variance = enclosure.ball(enclosure.exact_double(noise))
        K = matrices.ball_matrix(layout.enclosed_gram(every, every) / variance)
        determinant = (K + matrices.identity(layout.size, 1.0)).det()
        return determinant.log() / 2 if determinant > 0 else None


def _in_floats(ratio: FloatArray) -> GainOfPoints:
    """½ log det(I + ratio), not certified."""
    sign, log = np.linalg.slogdet(np.eye(len(ratio)) + ratio)
    value = 0.5 * float(log) if sign > 0 else float("nan")
    return GainOfPoints(len(ratio), value, value, False)
