"""Times read from a certificate of bounds and their uniformity, for `recheck_bound`."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
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


def stated(problem: Mapping[str, Any], instants: Sequence[Fraction]) -> dict[str, Any]:
    """A problem with its times as their number, the last instant and the digest of all."""
    rest = {name: value for name, value in problem.items() if name != "times"}
    last = float(instants[-1])
    digest = instants_digest(instants)
    return {"rounds": len(instants), "total_time": last, "instants": digest, **rest}


def exact_center(pair: Sequence[float], instants: Sequence[Fraction]) -> Fraction:
    """The instant that comes so long after that of a round."""
    place, offset = pair
    if type(place) is not int or not 0 <= place < len(instants):
        raise Refused("a centre after a round that there is not")
    return instants[place] + Fraction(offset)


def in_ticks(instants: Sequence[Fraction]) -> tuple[int, list[int]]:
    """(u, whole numbers k_i) with τ_i = k_i/u: their differences cost little and lose nothing."""
    unit = lcm(*(instant.denominator for instant in instants))
    return unit, [int(instant * unit) for instant in instants]


def uniformity(block: Sequence[Fraction], rate: Number) -> Number:
    """Σ_j Σ_k min(1, (rate·|τ_j−τ_k|)²), pair by pair up to the first that counts as 1."""
    unit, ticks = in_ticks(block)
    per_tick = enclosure.divide(rate, unit)
    total: Number = 0
    for k, later in enumerate(ticks):
        for j in reversed(range(k)):
            gap = per_tick * (later - ticks[j])
            if enclosure.certainly_le(1, gap):
                total += j + 1  # all earlier ones are as far at least
                break
            total += gap * gap
    return 2 * total
