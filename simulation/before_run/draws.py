"""Draws of GP(0, K) over a domain, in chunks, from one seed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bounds.errors import InvalidInput
from bounds.problem import Problem
from simulation.model.covariance import Factor, GridCovariance

MOST_NUMBERS, IN_CACHE = 4_000_000, 80_000
"""Numbers that are drawn at a time: at most, and so few that the processor's cache holds them."""


def space_factor(problem: Problem) -> Factor:
    """A root of K over the problem's domain."""
    return GridCovariance(problem.space_kernel, problem.domain).factor()


def generator(seed: int) -> np.random.Generator:
    """The generator of a seed. Raises InvalidInput for a negative one."""
    if seed < 0:
        raise InvalidInput("seed", seed, "give a whole number of at least 0")
    return np.random.default_rng(seed)


def require_draws(draws: int) -> None:
    """Raise InvalidInput for fewer than two."""
    if draws < 2:
        raise InvalidInput("draws", draws, "give at least 2")


def require_delta(delta: float) -> None:
    """Raise InvalidInput outside (0, 1)."""
    if not 0.0 < delta < 1.0:
        raise InvalidInput("delta", delta, "give a probability in (0, 1)")


def in_chunks(count: int, size: int, most: int = MOST_NUMBERS) -> Iterator[int]:
    """Numbers of draws that add up to `count`, each of them of `size` numbers: at most `most`."""
    step = max(1, most // max(size, 1))
    for first in range(0, count, step):
        yield min(step, count - first)
