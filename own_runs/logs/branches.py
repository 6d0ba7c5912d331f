"""Which input decides, in a log of a conditional space, whether another one is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bounds.arrays import BoolArray, FloatArray
from own_runs.logs.axes import Axis

MOST_VALUES = 50
"""Different values of an input that may decide."""
_LEAST_ROWS = 2
"""Rows that every value has at which an input is missing: one alone may be a loss."""


def deciders(inputs: FloatArray, words: Sequence[bool]) -> dict[int, tuple[int, tuple[float, ...]]]:
    """Column ↦ the column that decides whether it is there, and the values at which it is.

    Parameters
    ----------
    inputs : (n, d) of complete rows, NaN where a row has no such input
    words : (d,) whether the numbers of a column stand for words, which go before whole numbers

    A column decides where each of its values, at most `MOST_VALUES`, always has the input or never,
    and never in two rows or more; the one of fewest values is taken. It is there in more rows than
    the input, and in all that have it. Columns of which no other decides are not in the result.

    >>> linear, rbf = [0.0, np.nan], [1.0, 0.5]
    >>> deciders(np.array([linear, rbf, linear, rbf]), [True, False])
    {1: (0, (1.0,))}
    """
    there = np.isfinite(inputs)
    branches: dict[int, tuple[int, tuple[float, ...]]] = {}
    for i in range(inputs.shape[1]):
        if np.all(there[:, i]) or not np.any(there[:, i]):
            continue
        options = []
        for j in range(inputs.shape[1]):
            values = _deciding(inputs[:, j], there[:, i]) if j != i else None
            if values is not None:
                options.append((not words[j], len(np.unique(inputs[there[:, j], j])), j, values))
        if options:
            *_, j, values = min(options)
            branches[i] = (j, values)
    return branches


def conditions(
    axes: Sequence[Axis], branches: Mapping[int, tuple[int, tuple[float, ...]]]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What `deciders` found, as `own_runs.logs.axes.conditioned` takes it."""
    said = {}
    for i, (j, values) in branches.items():
        labels = axes[j].labels
        words = (labels[int(value)] if labels else f"{value:.0f}" for value in values)
        said[axes[i].name] = (axes[j].name, tuple(words))
    return said


def _deciding(column: FloatArray, has: BoolArray) -> tuple[float, ...] | None:
    """The values at which rows have an input, where they decide it; else None."""
    known = np.isfinite(column)
    values = np.unique(column[known])
    if np.any(has[~known]) or not np.sum(known) > np.sum(has):
        return None
    if len(values) > MOST_VALUES or np.any(values != np.rint(values)):
        return None
    at = []
    for value in values:
        own = has[column == value]
        if np.all(own):
            at.append(float(value))
        elif np.any(own) or len(own) < _LEAST_ROWS:
            return None
    return tuple(at)
