"""The recheck's instants, centres and uniformity, against their definitions in fractions."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.times import (
    exact_center,
    exact_instants,
    in_ticks,
    instants_digest,
    uniformity,
)

durations = st.lists(st.fractions(0, 3, max_denominator=6), min_size=1, max_size=9)


@settings(max_examples=60, deadline=None)
@given(durations, st.fractions(Fraction(1, 9), 2, max_denominator=9))
@example([Fraction(1)] * 9, Fraction(1, 3))
@example([Fraction(0), Fraction(0), Fraction(2), Fraction(0)], Fraction(1, 2))
def test_uniformity_is_the_double_sum(given_durations, rate) -> None:
    tau = list(accumulate(given_durations))
    expected = sum(min(Fraction(1), (rate * (a - b)) ** 2) for a in tau for b in tau)
    found = uniformity(tau, enclosure.exact(rate))
    assert enclosure.to_fraction(found) == expected
    with enclosure.precision(128):
        low, high = enclosure.endpoints(uniformity(tau, enclosure.ball(enclosure.exact(rate))))
        assert low <= expected <= high and high - low < Fraction(1, 10**20)


def test_durations_add_up_to_instants_and_instants_stay() -> None:
    numbers = [0.1, 0.0, 2.5]
    exactly = [Fraction(number) for number in numbers]
    assert exact_instants({"times": numbers, "given": "durations"}) == list(accumulate(exactly))
    ordered = sorted(numbers)
    assert exact_instants({"times": ordered, "given": "times"}) == sorted(exactly)
    for times, said in (([1.0, -0.5], "durations"), ([1.0, 0.5], "times"), ([1.0], "other")):
        with pytest.raises(Refused):
            exact_instants({"times": times, "given": said})
    assert instants_digest(exactly[:1]) != instants_digest(exactly)
    spelled = hashlib.sha256(b"1/2 3 7/4").hexdigest()
    assert instants_digest([Fraction(1, 2), Fraction(3), Fraction(7, 4)]) == spelled
    assert exact_instants({"times": [2.0, 2.0], "given": "times"}) == [2, 2]
    assert in_ticks([Fraction(1, 2), Fraction(3), Fraction(7, 3)]) == (6, [3, 18, 14])


def test_a_centre_is_counted_from_the_instant_of_a_round() -> None:
    tau = [Fraction(1), Fraction(5, 2)]
    assert [exact_center((k, 0.25), tau) for k in (0, 1)] == [Fraction(5, 4), Fraction(11, 4)]
    for place in (-1, 2, 0.0, True):
        with pytest.raises(Refused):
            exact_center((place, 0.0), tau)
