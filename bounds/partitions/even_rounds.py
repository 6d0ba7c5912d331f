"""Rounds of one spacing, and what blocks of them drift by, for arrays of block lengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray, IntArray
from bounds.kernels import Kernel
from bounds.partitions.drift import round_drift


def scaled_uniformity_of_uniform(lengths: ArrayLike, step: float) -> FloatArray:
    """Σ_j Σ_k min(1, (j−k)²·step²) over blocks of these lengths; `step` is rate × spacing.

    rate²·C with cap 1/rate², the vector form of `uniformity_of_uniform`; `step` may be infinite.
    """
    i = np.asarray(lengths, dtype=float)
    if step == 0.0:
        return np.zeros_like(i)
    lags = np.minimum(i - 1.0, np.floor(1.0 / step))
    pairs = i * lags * (lags + 1.0) * (2.0 * lags + 1.0) / 6.0 - (lags * (lags + 1.0) / 2.0) ** 2
    near = np.where(lags > 0.0, 2.0 * pairs, 0.0) * (step**2 if np.isfinite(step) else 0.0)
    return np.asarray(near + (i - 1.0 - lags) * (i - lags))


class EvenRounds:
    """n rounds `spacing` apart, at one time kernel and noise variance.

    Cost O(n) for the sums over distances, once, and O(1) for each length.
    """

    def __init__(
        self, n: int, spacing: float, epsilon: float, time_kernel: Kernel, noise_variance: float
    ) -> None:
        self.epsilon, self.slope = epsilon, time_kernel.slope
        self._spacing, self._noise_variance = spacing, noise_variance
        # Sums of the drift over distances h, 2h, … and h/2, 3h/2, … from the centre.
        whole = np.arange(n // 2 + 1) * spacing
        self._from_round = np.cumsum(round_drift(whole, time_kernel, noise_variance))
        middle = (np.arange(n // 2) + 0.5) * spacing
        self._from_middle = np.concatenate(
            ([0.0], np.cumsum(round_drift(middle, time_kernel, noise_variance)))
        )

    def spread(self, lengths: IntArray, rate: float) -> FloatArray:
        """s·rate·√(C/M) of blocks of these lengths, C with cap 1/rate²."""
        step = rate * self._spacing if self._spacing > 0.0 else 0.0
        scaled = scaled_uniformity_of_uniform(lengths, step)
        return np.asarray(np.sqrt(scaled / lengths) / self._noise_variance)

    def centred(self, lengths: IntArray) -> FloatArray:
        """½Σ log(1 + s(1 − k_time²)) over the distances from the best centre of a block."""
        # The middle round is the best of the block's own times; a block of even length has
        # a midpoint between two rounds, which is better for smooth time kernels.
        own = self._from_round[(lengths - 1) // 2] + self._from_round[lengths // 2]
        between = 2.0 * self._from_middle[lengths // 2]
        return np.where(lengths % 2 == 0, np.minimum(own, between), own)
