"""Whether two samples can be of one law, atoms or none: the largest gap of their shares, exactly.

The test of Kolmogorov and Smirnov given the pooled values, as Schröer and Trenkler count it
(Computational Statistics and Data Analysis 20, 1995): under one law every order of the two samples
within the pooled values is as likely, and between equal values no gap is looked at.
"""

from __future__ import annotations

import numpy as np

from bounds.arrays import FloatArray


def agreement(first: FloatArray, second: FloatArray, resolution: float) -> float:
    """The probability, given the pooled values, of a gap at least as large as the one found.

    If both samples are drawn independently from one law, it is at most α with probability at most
    α, for every α and every law. O((n + m)·min(n, m)).

    Parameters
    ----------
    first, second : (n,) and (m,) values
    resolution : values that follow each other within so much are one: what rounding has parted

    >>> agreement(np.array([0.0, 0.0, 0.0]), np.array([0.0, 1e-16]), 1e-9)
    1.0
    """
    few, many = sorted((first, second), key=len)
    pooled = np.concatenate([few, many])
    order = np.argsort(pooled, kind="stable")
    of_few = np.cumsum(order < len(few))
    seen = np.arange(1, len(pooled) + 1)
    ends = np.append(np.diff(pooled[order]) > resolution, True)
    gaps = np.abs(of_few * len(many) - (seen - of_few) * len(few))
    return _probability(len(few), len(many), ends, int(gaps[ends].max()))


def _probability(few: int, many: int, ends: FloatArray, gap: int) -> float:
    """That |i·m − j·n| reaches the gap at an end, i of the n and j of the m being seen there."""
    from_few = np.arange(few + 1)
    chance = np.zeros(few + 1)  # of i = 0 … n where the gap was never reached
    chance[0], reached = 1.0, 0.0
    for seen in range(few + many):
        left = few + many - seen
        taken = chance * ((few - from_few) / left)
        chance *= np.clip(left - (few - from_few), 0, None) / left
        chance[1:] += taken[:-1]
        if ends[seen]:
            far = np.abs(from_few * many - (seen + 1 - from_few) * few) >= gap
            reached += float(chance[far].sum())
            chance[far] = 0.0
    return min(reached, 1.0)
