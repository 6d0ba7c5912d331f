"""The windows of Theorems I and Q+, and what they are charged (docs/theory.md#charging).

A class is a v = 2^{−j}, j ≥ 1, above 8σ²/(σ²+n−1). Its windows cut the rounds: each goes on while
the drift Σd since its first round is at most v/2. Those that hold a round of p_i ≤ v/8 count. A
window of class v costs (v+σ²) times constants; the sum over all is at most 24Π + 4J_σ·D_n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import fsum

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.numerics.compiled import compiled


@dataclass(frozen=True)
class Window:
    """A window of class v that holds a round of p_i ≤ v/8.

    Attributes
    ----------
    start, end : its rounds are start+1 … end
    v : the class, a power of ½
    least : p_W, the least p_i in it
    """

    start: int
    end: int
    v: float
    least: float


def lowest_class(n: int, noise_variance: float) -> float:
    """8σ²/(σ²+n−1): classes lie above it, as every p_i is at least an eighth of it."""
    return 8.0 * noise_variance / (noise_variance + n - 1)


def windows(shares: FloatArray, drifts: FloatArray, noise_variance: float) -> Iterator[Window]:
    """The windows that count, class by class from v = ½ down. Cost O(n) a class.

    >>> counted = windows(np.array([1.0, 0.05, 0.05]), np.array([0.0, 0.0, 0.3]), 0.01)
    >>> [(w.start, w.end, w.v) for w in counted if w.v == 0.5]
    [(0, 2, 0.5), (2, 3, 0.5)]
    """
    v = 0.5
    while v > lowest_class(len(shares), noise_variance):
        ends, least = _cut.of_size(64 * len(shares))(shares, drifts, v)
        start = 0
        for end, p in zip(ends.tolist(), least.tolist(), strict=True):
            if p <= v / 8.0:
                yield Window(start, end, v, p)
            start = end
        v *= 0.5


def charged(counted: Iterable[Window], noise_variance: float) -> float:
    """A = Σ(v + σ²) over these windows."""
    return fsum(window.v + noise_variance for window in counted)


@compiled()
def _cut(
    shares: FloatArray, drifts: FloatArray, v: float
) -> tuple[IntArray, FloatArray]:  # pragma: no cover
    """The ends of all windows of class v, and the least share in each."""
    n = len(shares)
    ends, least = np.empty(n, dtype=np.int64), np.empty(n)
    count, gone, p = 0, 0.0, shares[0]
    for i in range(1, n):
        gone += drifts[i]
        if gone > 0.5 * v:
            ends[count], least[count] = i, p
            count += 1
            gone, p = 0.0, shares[i]
        p = min(p, shares[i])
    ends[count], least[count] = n, p
    return ends[: count + 1], least[: count + 1]
