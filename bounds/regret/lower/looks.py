"""What a look at an arm leaves unknown: exact looks, or the player's own noisy ones.

The belief about an arm after a look is normal, with a mean and a variance that the instants of the
looks alone decide. With σ² the noise, a look after a wait with k = k_time at a variance q before
finds p = 1 − k²(1 − q) and leaves pσ²/(p + σ²). A variance may be rounded down to q' by telling the
player more: the mean then moves by a normal of variance p − q' in all, and his value can only
grow. So a few levels of the variance are enough, and each is a lower bound of what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.arrays import FloatArray, IntArray

_DOWN, _UP = 1.0 - 2.0**-45, 1.0 + 2.0**-45


@dataclass(frozen=True, eq=False)
class Looks:
    """The variances that a look may leave, and the noise of a look.

    Attributes
    ----------
    levels : (R,) increasing, the first at most what any look leaves; (0,) for exact looks
    noise_variance : σ² ≥ 0 of a look; 0 for exact looks
    """

    levels: FloatArray
    noise_variance: float = 0.0

    @classmethod
    def exact(cls) -> Looks:
        """The player sees the value of f itself: valid for every noise."""
        return cls(np.zeros(1))

    @classmethod
    def noisy(cls, noise_variance: float, least_deficit: float, count: int = 4) -> Looks:
        """Levels for looks with noise, at least a wait with 1 − k² = `least_deficit` apart.

        The least is left by looking in every round; with waits of 0 it is 0.

        >>> Looks.noisy(0.1, 0.19, 3).levels.round(4).tolist()
        [0.0712, 0.0805, 0.0909]
        """
        nu, lost = noise_variance, least_deficit * _DOWN
        most = nu / (1.0 + nu) * _DOWN
        low = most
        for _ in range(100_000):
            p = lost + (1.0 - lost) * low
            after = p * (nu / (p + nu)) * _DOWN
            if after >= low:
                break
            low = after
        if lost == 0.0 or low <= most * 1e-6:
            rest = np.geomspace(most * 1e-3, most, max(count - 1, 1))
            return cls(np.concatenate([[0.0], rest]), nu)
        levels = np.geomspace(low, most, count) if count > 1 else np.array([low])
        # The ends of the progression are rounded to nearest.
        levels[0], levels[-1] = low * _DOWN, (most if count > 1 else low) * _DOWN
        return cls(levels, nu)

    def moves(self, deficits: FloatArray) -> tuple[FloatArray, IntArray]:
        """Of waits with 1 − k² (D,): by how much the mean moves (R, D), and to which level (R, D).

        The spreads are rounded up, the levels lie below what is left. From the first level the
        least that a look leaves is not below itself, so that every wait has a level.
        """
        before = self.levels[:, None]
        p = deficits + (1.0 - deficits) * before
        left = np.zeros_like(p)
        if self.noise_variance > 0.0:
            left = p * (self.noise_variance / (p + self.noise_variance)) * _DOWN
        level = np.clip(np.searchsorted(self.levels, left, side="right") - 1, 0, None)
        # Where rounding has left less than the first level, the mean moves as if it were exact.
        variance = np.maximum(p * _UP - np.minimum(self.levels[level], left), 0.0)
        return np.sqrt(variance) * _UP, level.astype(np.int64)
