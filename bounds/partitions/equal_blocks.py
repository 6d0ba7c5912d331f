"""Equally spaced times cut into equal blocks: the partition bounds in closed form.

The uniform setting of the paper, t_i = h. Blocks of M rounds, the last one shorter where M does
not divide n. Every M costs O(1) once the sums over distances are known, so whole curves over M,
and diagrams over (n, ε), are cheap. For equal spacing no other partition is better by more than a
constant factor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bounds.arithmetic import DOUBLES
from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.formulas import spread
from bounds.kernels import Kernel
from bounds.partitions.drift import round_drift
from bounds.partitions.objectives import OBJECTIVES, Objective
from bounds.partitions.objectives.uniform import UniformityObjective
from bounds.partitions.result import checked_gains
from bounds.partitions.uniformity import uniformity_of_uniform

_EVERY_LENGTH_UP_TO = 256
_LENGTH_RATIO = 1.01


@dataclass(frozen=True, eq=False)
class EqualBlocks:
    """The partition bounds for each of several block lengths.

    Attributes
    ----------
    lengths : (m,) int, the block lengths M tried, increasing
    gains : by objective, (m,) upper bounds on γ̃_n in nats (as far as γ is an upper bound)
    """

    lengths: IntArray
    gains: Mapping[str, FloatArray]

    @property
    def valid(self) -> tuple[str, ...]:
        """Objectives by centres, which bound γ̃_n for every unit-variance time kernel."""
        return tuple(name for name in self.gains if OBJECTIVES[name].centred)

    def best(self, objective: str) -> tuple[float, int]:
        """(value, block length) of the smallest bound; the shortest of equally good blocks."""
        values = self.gains[objective]
        i = int(np.argmin(values))
        return float(values[i]), int(self.lengths[i])


def block_lengths(n: int, every_up_to: int = _EVERY_LENGTH_UP_TO) -> IntArray:
    """Every length up to `every_up_to`, then lengths 1 % apart, and n itself.

    >>> block_lengths(5).tolist()
    [1, 2, 3, 4, 5]
    """
    if n < 1:
        raise InvalidInput("n", n, "give at least 1 round")
    short = np.arange(1, min(n, every_up_to) + 1)
    if n <= every_up_to:
        return short
    count = int(np.log(n / every_up_to) / np.log(_LENGTH_RATIO)) + 1
    long = np.geomspace(every_up_to, n, count + 1).round().astype(np.int64)
    return np.unique(np.concatenate((short, long, [n])))


def equal_block_gains(
    n: int,
    spacing: float,
    *,
    epsilon: float,
    time_kernel: Kernel,
    noise_variance: float,
    gamma: ArrayLike,
    lengths: IntArray | None = None,
) -> EqualBlocks:
    """`theorem1`, `additive` and `refined` for n rounds `spacing` apart, blocks of equal length.

    Parameters
    ----------
    n : number of rounds ≥ 1
    spacing : float ≥ 0, the time between rounds
    epsilon : the ε of Theorem 1, in [0, 1)
    gamma : (≥ n+1,) non-decreasing γ_0 = 0, γ_1, …
    lengths : block lengths to try; `block_lengths(n)` by default

    Cost O(n) for the sums over distances, once, and O(1) for each length.

    >>> from bounds.kernels import Forgetting
    >>> table = equal_block_gains(4, 1.0, epsilon=0.0, time_kernel=Forgetting(0.0),
    ...                           noise_variance=1.0, gamma=[0, 1, 1, 1, 1])
    >>> table.best("additive")
    (1.0, 4)
    """
    prices = checked_gains(gamma, n)
    if not spacing >= 0:
        raise InvalidInput("spacing", spacing, "give a time of at least 0")
    tried = block_lengths(n) if lengths is None else np.asarray(lengths, dtype=np.int64)
    full = (n - 1) // tried
    last = n - full * tried
    # Sums of the drift over distances h, 2h, … and h/2, 3h/2, … from the centre.
    places = np.arange(n // 2 + 1)
    from_round, from_middle = (
        np.cumsum(round_drift(distances, time_kernel, noise_variance))
        for distances in (places * spacing, (places[:-1] + 0.5) * spacing)
    )
    from_middle = np.append(0.0, from_middle)

    def drift(objective: Objective, lengths: IntArray) -> FloatArray:
        """That of one block, for each of some lengths."""
        if not isinstance(objective, UniformityObjective):
            # The middle round is the best of the block's own times; a block of even length has
            # a midpoint between two rounds, which is better for smooth time kernels.
            own = from_round[(lengths - 1) // 2] + from_round[lengths // 2]
            between = 2.0 * from_middle[lengths // 2]
            return np.where(lengths % 2 == 0, np.minimum(own, between), own)
        rate = objective.rate(epsilon, time_kernel)
        step = rate * spacing if spacing > 0.0 else 0.0  # the rate may be infinite
        scaled = uniformity_of_uniform(lengths, step, 1.0)
        return np.asarray(spread(DOUBLES, objective.growth, lengths, scaled, noise_variance))

    # The γ part: full blocks of M and one of `last` rounds.
    sums, longest = full * prices[tried] + prices[last], (full + 1) * prices[tried]
    return EqualBlocks(
        tried,
        {
            name: (longest if objective.by_longest else sums)
            + full * drift(objective, tried)
            + drift(objective, last)
            for name, objective in OBJECTIVES.items()
        },
    )
