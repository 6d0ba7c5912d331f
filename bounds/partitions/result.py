"""The value of a partition bound at one partition, and the list of gains that it is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.partitions.partition import Partition

if TYPE_CHECKING:
    from bounds.partitions.drift import Center

ROUNDING = 1e-9
"""Share by which a lower bound and a value may differ: both are sums of up to n rounded terms."""

CLOSE = 1e-3
"""Share to which a search over cells of rounds need come near the optimum."""


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The value of one objective at one partition; an upper bound on γ̃_n where γ is one.

    Attributes
    ----------
    objective : its name in `bounds.partitions.objectives`
    value, gain, drift : value = gain + drift, the γ part and the drift part, in nats
    partition : Partition
    centers : (N,) centre time of each block, for `refined`, as doubles; None for the others
    anchors : the same centres exactly, as what comes after which round
    exact : whether no partition (and no choice of centres) has a smaller value
    gap : proved upper bound on (value − optimum)/value; 0 where exact, NaN where nothing was
        searched (`evaluate`)
    """

    objective: str
    value: float
    gain: float
    drift: float
    partition: Partition
    centers: FloatArray | None
    exact: bool
    gap: float
    anchors: tuple[Center, ...] | None = None


def checked_gains(gamma: ArrayLike, n: int) -> FloatArray:
    """γ_0..γ_n as an array; raises InvalidInput where they are short, decreasing or not numbers."""
    try:
        values = np.array(gamma, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput("gamma", str(gamma), "give a list of numbers") from None
    if values.ndim != 1 or len(values) < n + 1:
        raise InvalidInput(
            "gamma", f"{values.size} values", f"give gamma_0..gamma_n, at least {n + 1} values"
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InvalidInput(f"gamma_{bad[0]}", float(values[bad[0]]), "give a finite number")
    if values[0] != 0:
        raise InvalidInput("gamma_0", float(values[0]), "the list starts with gamma_0 = 0")
    falls = np.flatnonzero(np.diff(values) < 0)
    if len(falls):
        m = int(falls[0]) + 1
        raise InvalidInput(
            f"gamma_{m}", float(values[m]), f"gains do not decrease (gamma_{m - 1} is larger)"
        )
    return values
