"""What every policy loses at least, in whole numbers: points that are far apart, and levels.

The mean of the largest value is at least √d times that of so many independent normal values, where
the covariance of some points is at least d times the identity; independent values are counted in
steps. Which points they are is found here and believed nowhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp, pi, sqrt

import numpy as np

from bounds.arrays import FloatArray
from proofs_check.checker.stated import INDEPENDENT, SCALE, Stated

LOWEST, WIDTH = -6.0, 2.0**-9
"""Levels begin at −6: the mean of a largest value is below by half a width, and a little."""
_STEPS = 6_144  # at most: to 6
_GREEDY = 40  # points at most that are chosen one after another
_ARMS = 200  # and of points that have nothing in common
_SIDE = 8  # of a grid inside a grid


def far_apart(stated: Stated) -> tuple[list[int], float, FloatArray]:
    """Points, d and a root L over the scale, with a covariance of at least d·1 + L·Lᵀ.

    Of some sets (greedily those with most variance left, and coarser grids) the one that proves
    most; nothing of a single point.
    """
    best: tuple[float, list[int], float, FloatArray] = (0.0, [], 0.0, np.zeros((0, 0)))
    for points in _candidates(stated):
        at = [stated.places[i] for i in points]
        covariance = stated.over_space(at, at)
        own = float(np.linalg.eigvalsh(covariance)[0]) * (1 - 1e-6)
        if own <= 0 or sqrt(own) * largest_of(len(points)) <= best[0]:
            continue
        left = covariance - own * np.eye(len(points))
        root = np.linalg.cholesky(left + 1e-7 * own * np.eye(len(points)))
        root = np.rint(root * SCALE) / SCALE
        rest = covariance - root @ root.T
        others = np.abs(rest).sum(1) - np.abs(np.diag(rest))
        # Less than the widths of the enclosures, a thousandth of a millionth.
        own = np.floor((float(np.min(np.diag(rest) - others)) - 1e-11) * SCALE) / SCALE
        if own > 0:
            best = (sqrt(own) * largest_of(len(points)), list(points), own, root)
    return best[1:]


def largest_of(count: int) -> float:
    """The mean of the largest of so many independent normal values that the levels prove."""
    above = _above(count)
    start = 0.5 * exp(-(LOWEST**2) / 2)
    return float(LOWEST + WIDTH * np.sum(above) - len(above) * WIDTH * start ** (count - 1))


def levels(count: int) -> int:
    """How many levels prove something of so many values."""
    return len(_above(count))


@lru_cache(maxsize=256)
def _above(count: int) -> FloatArray:
    """At least the probability that the largest is above each level, while it is positive."""
    middles = LOWEST + (np.arange(_STEPS) + 0.5) * WIDTH
    heights = np.exp(-(middles**2) / 2 * (1 - (WIDTH / 2) ** 2)) / sqrt(2 * pi)
    chances = 1 - (0.5 * exp(-(LOWEST**2) / 2) + np.cumsum(WIDTH * heights)) ** count
    return np.asarray(chances[chances > 0])


def shares(stated: Stated, delay: int = 0) -> tuple[FloatArray, FloatArray | None]:
    """The shares p_i of the variance over time that all known rounds leave, and their weights.

    Without weights for a clock that forgets, where a recursion has them and results may be known
    `delay` rounds late; for other clocks as if each were known at once, which leaves no more.
    """
    lags = stated.over_time()
    noise = 1 / float(stated.ratio)
    if not stated.forgets:
        weights, left = stated.weights(lags)
        return left, weights
    at_once, delayed = [1.0], []
    for i in range(len(lags)):
        if i:
            at_once.append(_carried(at_once[-1], lags[i - 1, i], noise))
        last = i - delay - 1
        delayed.append(_carried(at_once[last], lags[last, i], noise) if last >= 0 else 1.0)
    return np.array(delayed), None


def _carried(share: float, correlation: float, noise: float) -> float:
    return float(1 - correlation**2 * (1 - share * noise / (share + noise)))


def _candidates(stated: Stated) -> Iterator[Sequence[int]]:
    if stated.space[0] == INDEPENDENT:
        yield range(min(len(stated.places), _ARMS))
        return
    order = _greedy(stated)
    yield from (order[:count] for count in range(2, len(order) + 1))
    if len(stated.shape) > 1 or stated.shape[0] > _GREEDY:
        for side in range(2, _SIDE + 1):
            axes = [
                sorted({round(i * (q - 1) / (side - 1)) for i in range(side)}) for q in stated.shape
            ]
            if np.prod([len(axis) for axis in axes]) <= _SIDE**2:
                yield [
                    int(np.ravel_multi_index(at, stated.shape)) for at in itertools.product(*axes)
                ]


def _greedy(stated: Stated) -> list[int]:
    """Points one after another, each where most variance is left after those before."""
    left = np.ones(len(stated.places))
    columns = np.zeros((len(stated.places), 0))
    points = [0]
    while len(points) < min(_GREEDY, len(left)):
        at = points[-1]
        row = stated.over_space(stated.places, [stated.places[at]])[:, 0] - columns @ columns[at]
        column = row / sqrt(left[at])
        columns = np.column_stack([columns, column])
        left = left - column**2
        if left.max() < 1e-6:
            break
        points.append(int(left.argmax()))
    return points
