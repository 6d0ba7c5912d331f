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

from math import sqrt
from types import MappingProxyType

from bounds.pattern.waits import Waits

WIDTHS = MappingProxyType({"index": 2.0, "elimination": 4.0, "ts": 4.0})
"""c of each policy: its regret in a good round is at most c·λ√w at the point played."""


def bracket(waits: Waits, policy: str) -> float:
    """16c²Π + 5c(c+2√2)A of a key of `WIDTHS`, what κλ² is multiplied by; floating point.

    >>> import numpy as np
    >>> waits = Waits(np.array([1.0, 0.75]), np.array([0.0, 0.5]), 1.0)
    >>> bracket(waits, "index")  # no window: 64Π
    112.0
    """
    c = WIDTHS[policy]
    return 16.0 * c * c * waits.total + 5.0 * c * (c + 2.0 * sqrt(2.0)) * waits.charged
