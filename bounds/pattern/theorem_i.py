"""Theorem I: on a finite domain evaluation times enter the least regret through Π = Σp_i.

|D| ≥ 2 points of variance 1, no two perfectly correlated, a Markov time kernel, times fixed
beforehand, σ > 0. With λ² = 2log(|D|n²), κ = Σ_{x<y}(π(1−K_xy))^{−1/2} and A ≤ 24Π + 4J_σ·D_n the
charging sum of the windows,

    ½m*·Π ≤ m*·Σ(1−√(1−p_i)) ≤ inf E R_n ≤ κλ²[16c²Π + 5c(c+2√2)A] + ϱ,

c = 2 for the index μ + λ√w, c = 4 for Thompson sampling and for elimination. So every sequence of
times has its order of regret, up to one logarithm, from Π alone (where σ is held fixed). See
docs/theory.md#theorem-i. The constants are of no use as numbers: the right side is above n·m* in
every problem that was computed. It is a rate, and no bound to report beside others.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from types import MappingProxyType

from bounds.errors import InvalidInput
from bounds.pattern.waits import Waits

WIDTHS = MappingProxyType({"index": 2.0, "elimination": 4.0, "ts": 4.0})
"""c of each policy: its regret in a good round is at most c·λ√w at the point played."""


@dataclass(frozen=True)
class Constants:
    """c₁ = 16c² + 120c(c+2√2) and c₂ = 20c(c+2√2) of a policy with the width c."""

    c: float

    @property
    def near(self) -> float:
        """16c², of rounds whose variance is of the order of p_i."""
        return 16.0 * self.c * self.c

    @property
    def window(self) -> float:
        """5c(c+2√2), of a window for each unit of v+σ²."""
        return 5.0 * self.c * (self.c + 2.0 * sqrt(2.0))

    @property
    def of_total(self) -> float:
        """c₁: what Π is multiplied by when A is replaced by its bound."""
        return self.near + 24.0 * self.window

    @property
    def of_drift(self) -> float:
        """c₂: what J_σ·D_n is multiplied by."""
        return 4.0 * self.window


def constants(policy: str) -> Constants:
    """Raises InvalidInput for a policy of which the theorem does not speak.

    >>> [round(constants("ts").of_total, 1), round(constants("index").of_drift, 1)]
    [3533.6, 193.1]
    """
    if policy not in WIDTHS:
        raise InvalidInput("policy", policy, f"use {', '.join(WIDTHS)}")
    return Constants(WIDTHS[policy])


def upper_rate(waits: Waits, size: int, density: float, policy: str = "ts") -> float:
    """The right side of Theorem I, in floating point.

    Parameters
    ----------
    waits : of the n rounds
    size : |D| ≥ 2
    density : κ (`bounds.regret.upper.in_expectation.every_sequence.density_of_gaps`)
    policy : a key of `WIDTHS`

    >>> import numpy as np
    >>> waits = Waits(np.ones(4), np.array([0.0, 1.0, 1.0, 1.0]), 1.0)
    >>> upper_rate(waits, 2, 0.56) > 4.0
    True
    """
    if size < 2:
        raise InvalidInput("points", size, "give at least two")
    found, n = constants(policy), waits.n
    weight = 2.0 * log(size) + 4.0 * log(n)
    deviation, width = sqrt(waits.noise_variance), sqrt(weight)
    rest = 8.0 * sqrt(1.0 + log(size))
    rest += 9.0 * found.c * width * size * (1.0 / n + deviation / sqrt(n))
    return density * weight * (found.near * waits.total + found.window * waits.charged) + rest
