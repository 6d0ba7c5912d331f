"""Times read from a certificate of bounds and their uniformity, for `recheck_bound`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bounds import enclosure
from bounds.enclosure import Number


def exact_instant(pair: Sequence[float]) -> Fraction:
    """The time that a high and a low double stand for."""
    high, low = pair
    return Fraction(high) + Fraction(low)


def uniformity(block: Sequence[Fraction], rate: Number) -> Number:
    """Σ_j Σ_k min(1, (rate·|τ_j−τ_k|)²) from the mean and scatter of the earlier times in reach."""
    far, squares, window = 0, Fraction(0), 0
    count, mean, scatter = 0, Fraction(0), Fraction(0)
    for time in block:
        while count and enclosure.certainly_le(1, enclosure.product((rate, time - block[window]))):
            # Take the earliest time out of the mean and the scatter.
            leaving, count = block[window], count - 1
            rest = (mean * (count + 1) - leaving) / count if count else Fraction(0)
            scatter -= (leaving - rest) * (leaving - mean) if count else scatter
            mean, window = rest, window + 1
        far += window
        squares += scatter + count * (time - mean) ** 2
        count += 1
        shift = time - mean
        mean += shift / count
        scatter += shift * (time - mean)
    step = enclosure.product((rate, rate))
    return 2 * (far + enclosure.product((squares, step)))
