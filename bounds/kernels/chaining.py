"""Dudley's chaining over a cube: a bound on E sup of g less its value at the centre.

From the centre to ever finer midpoints: at level k there are 2^{kd} of them, each √d·h·2^{−k−1}
from its parent, so that with √E(g(x) − g(y))² ≤ c·|x − y|^p

    E sup (g − g(centre)) ≤ c Σ_{k≥1} (√d·h·2^{−k−1})^p √(2kd log 2).
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray

if TYPE_CHECKING:
    from bounds.enclosure import Number

_TERMS = 120


def chained(factor: float, power: float, dimension: int, sides: FloatArray) -> FloatArray:
    """The bound for cubes of these sides h, c = `factor`, p = `power`."""
    k = np.arange(1.0, 400.0)
    steps = (sqrt(dimension) * 2.0 ** (-k - 1.0)) ** power
    total = float(np.sum(steps * np.sqrt(2.0 * k * dimension * log(2.0))))
    return np.asarray(factor * total * sides**power)


def enclosed_chained(dimension: int, root: int) -> Number:
    """Σ_{k≥1} (√d·2^{−k−1})^{1/root} √(2kd log 2): 120 terms, and the rest with √k ≤ k."""
    d = dimension
    step = enclosure.ball(2) ** -1 if root == 1 else enclosure.sqrt(enclosure.ball(2)) ** -1
    diagonal = enclosure.sqrt(enclosure.ball(d))
    first = diagonal / 2 if root == 1 else enclosure.sqrt(diagonal / 2)
    spread = enclosure.sqrt(2 * d * enclosure.log(2))
    total, power = enclosure.ball(0), enclosure.ball(1)
    for k in range(1, _TERMS + 1):
        power = power * step
        total = total + power * enclosure.sqrt(enclosure.ball(k))
    K = _TERMS
    rest = power * step * (K + 1 - K * step) / ((1 - step) * (1 - step))
    return first * spread * (total + rest)
