"""Evaluation times: families, bad input, digits kept far from the origin."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings

from bounds.errors import InvalidInput
from bounds.times import FAMILIES, EvaluationTimes, Family, sequence
from tests.oracles import exact_times
from tests.strategies import durations


@given(durations())
@example([1e12, 1e-9, 1e-9])
@example([0.1] * 9)
@settings(deadline=None, max_examples=100)
def test_instants_are_the_exact_sums(values):
    times = EvaluationTimes.from_durations(values)
    for high, low, exact in zip(times.times, times.remainders, exact_times(values), strict=True):
        error = abs(Fraction(float(high)) + Fraction(float(low)) - exact)
        assert error <= exact * Fraction(1, 10**30)


@given(durations(min_size=2))
@example([1e12, 1e-9, 1e-9])
@example([0.001, 1e12, 1e-9])
@settings(deadline=None, max_examples=100)
def test_differences_lose_nothing_far_from_the_origin(values):
    times = EvaluationTimes.from_durations(values)
    exact = exact_times(values)
    gaps = times.distances(slice(None), slice(None))
    for j in range(times.n):
        for k in range(times.n):
            true = abs(exact[j] - exact[k])
            error = abs(Fraction(float(gaps[j, k])) - true)
            assert error <= true * Fraction(1, 10**14) + exact[-1] * Fraction(1, 10**31)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("n", [1, 2, 17])
def test_families_have_n_rounds_and_total_time(name, n):
    family = Family(n=n, total=12.5, period=min(2, n), rng=np.random.default_rng(0))
    times = sequence(name, family)
    assert times.n == n
    assert times.total_time == pytest.approx(12.5, rel=1e-12)
    assert np.all(times.durations >= 0)


def test_each_family_has_its_shape():
    def t(name, **parameters):
        return sequence(name, Family(**parameters)).durations

    assert np.all(t("uniform", n=4, total=2.0) == 0.5)
    assert list(t("biased", n=5, total=2.0)) == [0, 0, 2.0, 0, 0]
    assert list(t("biased", n=5, total=2.0, n0=5)) == [0, 0, 0, 0, 2.0]
    geometric = t("geometric", n=6, total=1.0, ratio=2.0)
    assert np.allclose(geometric[1:] / geometric[:-1], 2.0)
    power = t("power", n=6, total=1.0, power=-2.0)
    assert np.allclose(power / power[0], np.arange(1, 7) ** -2.0)
    bursts = t("bursts", n=7, total=10.0, bursts=2, gap=0.5)
    assert list(np.flatnonzero(bursts > 0.5)) == [0, 3]
    periodic = t("periodic", n=6, total=9.0, period=3, gap=0.25)
    assert list(periodic) == [0.25, 0.25, 4.0, 0.25, 0.25, 4.0]


def test_extreme_parameters_do_not_overflow():
    for ratio in (1e-30, 1e30):
        assert np.all(np.isfinite(sequence("geometric", Family(n=500, ratio=ratio)).times))
    pareto = sequence("pareto", Family(n=500, tail=1e-3, rng=np.random.default_rng(1)))
    assert pareto.total_time == pytest.approx(390.0)


def test_from_times_keeps_ties_and_first_instant():
    times = EvaluationTimes.from_times([2.0, 2.0, 5.0])
    assert list(times.durations) == [2.0, 0.0, 3.0]
    assert times.span == 3.0


def test_block_keeps_its_instants():
    times = EvaluationTimes.from_durations([1.0, 2.0, 3.0, 4.0])
    block = times.block(1, 3)
    assert list(block.times) == [3.0, 6.0]
    assert list(block.durations) == [3.0, 3.0]
    with pytest.raises(InvalidInput, match="block"):
        times.block(2, 2)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, -2.0], "duration in row 2 = -2.0"),
        ([1.0, float("nan")], "duration in row 2 = nan"),
        ([float("inf")], "duration in row 1 = inf"),
        ([], "at least one row"),
        (["a"], "list of numbers"),
        ([1e308, 1e308], "overflows"),
    ],
)
def test_bad_durations_name_the_row(values, message):
    with pytest.raises(InvalidInput, match=message):
        EvaluationTimes.from_durations(values)


def test_bad_instants_name_the_row():
    with pytest.raises(InvalidInput, match=r"tau in row 3 = 1\.0"):
        EvaluationTimes.from_times([0.0, 2.0, 1.0])
    with pytest.raises(InvalidInput, match=r"tau in row 1 = -1\.0"):
        EvaluationTimes.from_times([-1.0, 2.0])


@pytest.mark.parametrize(
    ("name", "parameters", "field"),
    [
        ("uniform", {"n": 0}, "n"),
        ("uniform", {"total": -1.0}, "total"),
        ("biased", {"n0": 0}, "n0"),
        ("geometric", {"ratio": 0.0}, "ratio"),
        ("power", {"power": float("nan")}, "power"),
        ("bursts", {"bursts": 131}, "bursts"),
        ("bursts", {"gap": 100.0}, "gap"),
        ("periodic", {"period": 0}, "period"),
        ("pareto", {"tail": 0.0, "rng": np.random.default_rng(0)}, "tail"),
        ("exponential", {}, "rng"),
        ("zigzag", {}, "sequence"),
    ],
)
def test_bad_family_parameters_are_named(name, parameters, field):
    with pytest.raises(InvalidInput) as caught:
        sequence(name, Family(**parameters))
    assert caught.value.field == field
