"""Times read from a certificate of bounds and their uniformity, for `recheck_bound`."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from bounds import enclosure
from bounds.enclosure import Number
from proofs_check.recheck.outcome import Refused


def exact_instants(problem: Mapping[str, Any]) -> list[Fraction]:
    """τ_1 ≤ … ≤ τ_n: the instants as they are written, or the running sums of the durations."""
    numbers = [Fraction(number) for number in problem["times"]]
    if problem["given"] == "durations":
        if min(numbers) < 0:
            raise Refused("a duration is negative")
        return list(itertools.accumulate(numbers))
    if problem["given"] != "times":
        raise Refused("the times are neither durations nor instants")
    if any(later < time for time, later in itertools.pairwise(numbers)):
        raise Refused("the instants decrease")
    return numbers


def instants_digest(instants: Sequence[Fraction]) -> str:
    """SHA-256 of the instants as fractions, one after the other, separated by spaces."""
    return hashlib.sha256(" ".join(map(str, instants)).encode()).hexdigest()


def exact_center(pair: Sequence[float], instants: Sequence[Fraction]) -> Fraction:
    """The instant that comes so long after that of a round."""
    place, offset = pair
    if type(place) is not int or not 0 <= place < len(instants):
        raise Refused("a centre after a round that there is not")
    return instants[place] + Fraction(offset)


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
