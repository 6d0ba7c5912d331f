"""Matrices of balls: each entry contains the truth, whatever was rounded on the way.

A `BallMatrix` is python-flint's `arb_mat`; arrays of balls are numpy arrays of objects, which
numpy adds and multiplies entry by entry. Everything that leaves as a float is rounded outward.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import flint
import numpy as np

from bounds.arrays import BallArray, FloatArray
from bounds.enclosure.sides import Lower, LowerArray, Upper, UpperArray

BallMatrix = Any  # flint ships no usable types

WORKING_BITS = 96
"""Precision at which matrices are worked with: some 30 bits of room beyond a double's 53."""


@contextmanager
def working_precision(bits: int = WORKING_BITS) -> Iterator[None]:
    """Work with at least that many bits inside the block; a higher precision stays in force."""
    with flint.ctx.workprec(max(bits, flint.ctx.prec)):
        yield


def ball_matrix(entries: FloatArray | BallArray) -> BallMatrix:
    """The matrix with these entries: doubles are taken as the exact numbers that they are."""
    rows, columns = entries.shape
    return flint.arb_mat(rows, columns, entries.ravel().tolist())


def entries(matrix: BallMatrix) -> BallArray:
    """The entries of a matrix as an array of balls."""
    return np.array(matrix.entries(), dtype=object).reshape(matrix.nrows(), matrix.ncols())


def exact_entries(values: FloatArray) -> BallArray:
    """An array of balls, each the exact number that a double is."""
    balls = [flint.arb(value) for value in values.ravel().tolist()]
    return np.array(balls, dtype=object).reshape(values.shape)


def squares(balls: BallArray) -> BallArray:
    """Each entry times itself; the power of a ball around 0 would be no number."""
    return np.asarray(balls * balls)


def identity(size: int, factor: float) -> BallMatrix:
    """factor·I."""
    return ball_matrix(np.diag(np.full(size, factor)))


def upward(value: Any) -> Upper:
    """The least double, or the one above it, that is ≥ every number in a ball.

    >>> upward(flint.arb(1) / 3) >= 1 / 3
    True
    """
    bound = (value if isinstance(value, flint.arb) else flint.arb(value)).upper()
    nearest = float(bound)
    if flint.arb(nearest) >= bound:
        return Upper(nearest)
    return Upper(np.nextafter(nearest, np.inf))


def downward(value: Any) -> Lower:
    """The largest double, or the one below it, that is ≤ every number in a ball."""
    return -upward(-flint.arb(value))


def most_upward(balls: BallArray) -> Upper:
    """The largest `upward` of the entries, at least one.

    >>> most_upward(np.array([flint.arb(1) / 3, flint.arb(-1)])) == upward(flint.arb(1) / 3)
    True
    """
    nearest = [float(ball.upper()) for ball in balls.ravel().tolist()]
    most = max(nearest)
    return max(upward(balls.flat[i]) for i, end in enumerate(nearest) if end == most)


def upward_array(balls: BallArray) -> UpperArray:
    """`upward` of each entry."""
    ends = np.array([upward(ball) for ball in balls.ravel()], dtype=float)
    return UpperArray.of(ends.reshape(balls.shape))


def downward_array(balls: BallArray) -> LowerArray:
    """`downward` of each entry."""
    return LowerArray.of(-np.asarray(upward_array(-balls)))


def magnitudes(balls: BallArray) -> UpperArray:
    """Doubles ≥ the absolute value of each entry."""
    return upward_array(np.abs(balls))


def inverse_sum(values: FloatArray | BallArray) -> Any | None:
    """1ᵀK⁻¹1 enclosed; None where K is not certainly invertible.

    >>> inverse_sum(np.eye(2)) == 2
    True
    """
    size = len(values)
    ones = flint.arb_mat(size, 1, [1] * size)
    try:
        solved = ball_matrix(values).solve(ones)
    except ZeroDivisionError:
        return None
    return sum(solved.entries(), flint.arb(0))
