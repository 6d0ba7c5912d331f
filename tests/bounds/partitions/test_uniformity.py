"""C against exact rational sums, closed forms, and the printed Lemmas 1 and 2."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.partitions.uniformity import (
    cap_of,
    scaled_uniformity,
    uniformity,
    uniformity_lemma1,
    uniformity_of_uniform,
)
from bounds.times import EvaluationTimes, Family, sequence
from tests.oracles import exact_uniformity
from tests.strategies import durations

caps = st.sampled_from([0.0, 1e-6, 1.0, 4.0, 1e4, 1e8, inf])


def relative_error(value: float, exact: Fraction) -> float:
    return float(abs(Fraction(value) - exact) / exact) if exact else float(value != 0.0)


@given(durations(max_size=14), caps)
@example([1e12, 1e-9, 1e-9], 1.0)
@example([0.0, 0.0, 0.0], inf)
@example([1e6, 0.0, 0.0, 1e-3], 1e-6)
@settings(deadline=None, max_examples=200)
def test_every_road_agrees_with_exact_rational_sums(values, cap):
    times = EvaluationTimes.from_durations(values)
    exact = exact_uniformity(values, cap)
    assert relative_error(uniformity(times, cap), exact) < 1e-13


def test_equal_times_far_away_give_exactly_zero():
    times = EvaluationTimes.from_durations([1e15 / 3, *[0.0] * 999])
    assert uniformity(times, inf) == uniformity(times, 4.0) == 0.0
    assert scaled_uniformity(times, inf) == 0.0


@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_a_long_sequence_agrees_with_the_closed_form(shift):
    times = EvaluationTimes.from_times(shift + 0.5 * np.arange(30_000))
    assert uniformity(times, 1e6) == pytest.approx(
        uniformity_of_uniform(30_000, 0.5, 1e6), rel=1e-11
    )


@given(st.integers(1, 30), st.sampled_from([0.0, 0.1, 1.0, 3.0]), caps)
@settings(deadline=None, max_examples=100)
def test_closed_form_of_uniform_times(length, spacing, cap):
    # Spacings that are not dyadic: the exact sum must see the same instants k·h.
    grid = [Fraction(k) * Fraction(spacing) for k in range(length)]
    limit = None if cap == inf else Fraction(cap)
    squares = [(a - b) ** 2 for a in grid for b in grid]
    exact = sum((q if limit is None else min(limit, q) for q in squares), Fraction(0))
    found = uniformity_of_uniform([length, 1], spacing, cap).tolist()
    assert relative_error(found[0], exact) < 1e-12 and found[1] == 0.0
    if 0.0 < cap < inf:
        scaled = cap * float(uniformity_of_uniform(length, spacing / np.sqrt(cap), 1.0))
        assert relative_error(scaled, exact) < 1e-12


@pytest.mark.parametrize("length", range(1, 40))
def test_lemma1_is_right_where_the_reach_is_an_integer(length):
    n, total = 64, 64.0
    for reach in (1, 4, 16):
        epsilon = 1 / reach
        exact = uniformity_of_uniform(length, total / n, cap_of(epsilon))
        assert uniformity_lemma1(n, total, epsilon, length) == pytest.approx(exact, rel=1e-12)


def test_lemma1_is_wrong_where_the_reach_is_not_an_integer():
    # n/(εT) = 3/2 and three rounds one second apart: C = 4·1 + 2·9/4 = 17/2.
    assert uniformity_of_uniform(3, 1.0, 2.25) == 8.5
    # At infinite steps every ordered pair of different rounds counts.
    assert uniformity_of_uniform([1, 2, 5], inf, 1.0).tolist() == [0.0, 2.0, 20.0]
    assert abs(uniformity_lemma1(3, 3.0, 2 / 3, 3) - 8.5) > 0.01


@given(st.integers(1, 12), st.data(), st.sampled_from([0.0, 0.5, 3.0]), caps)
@settings(deadline=None, max_examples=100)
def test_lemma2_in_every_position(n, data, total, cap):
    n0 = data.draw(st.integers(1, n))
    start = data.draw(st.integers(0, n - 1))
    length = data.draw(st.integers(1, n - start))
    times = sequence("biased", Family(n=n, total=total, n0=n0))
    before, after = n0 - start - 1, start + length - n0 + 1
    stated = 2.0 * before * after * min(cap, total**2) if before >= 0 and after > 0 else 0.0
    assert uniformity(times.block(start, start + length), cap) == pytest.approx(stated, rel=1e-14)


@given(durations(), st.sampled_from([0.0, 1e-3, 0.5, 2.0, inf]))
@settings(deadline=None, max_examples=100)
def test_scaled_uniformity_is_a_sum_of_capped_squares(values, rate):
    times = EvaluationTimes.from_durations(values)
    distance = times.distances(slice(None), slice(None))
    with np.errstate(invalid="ignore"):
        capped = np.where(distance > 0, np.minimum(1.0, (rate * distance) ** 2), 0.0)
    assert scaled_uniformity(times, rate) == pytest.approx(capped.sum(), rel=1e-12, abs=1e-300)


def test_bad_input():
    times = EvaluationTimes.from_durations([1.0])
    with pytest.raises(InvalidInput, match="cap"):
        uniformity(times, -1.0)
    with pytest.raises(InvalidInput, match="rate"):
        cap_of(float("nan"))
    with pytest.raises(InvalidInput, match="length"):
        uniformity_of_uniform([1, 0], 1.0, 1.0)
