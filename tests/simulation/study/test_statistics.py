from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.study.statistics import (
    estimate,
    fewest_seeds,
    interval,
    jackknife_error,
    reference_policy,
    resampled,
    resampling,
    summarize,
)
from simulation.study.study import Study, StudySpec, run_study

PROBLEM = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 8))
STUDY = run_study(StudySpec(PROBLEM, seeds=8, initial=5, rounds=15))


@pytest.mark.parametrize("level", [0.95, 1 - 0.05 / 12])
def test_an_interval_is_the_wider_of_two_textbook_ones(level):
    rng = np.random.default_rng(0)
    for values in (
        rng.standard_normal(40) + 3.0,
        rng.exponential(size=25) ** 3,
        rng.normal(size=4),
    ):
        found = estimate(values, level)
        assert found.mean == pytest.approx(values.mean())
        assert found.sd == pytest.approx(values.std(ddof=1))
        student = stats.ttest_1samp(values, 0.0).confidence_interval(level)
        percentile = stats.bootstrap(
            (values,),
            np.mean,
            n_resamples=10_000,
            method="percentile",
            confidence_level=level,
            rng=np.random.default_rng(1),
        ).confidence_interval
        near = 0.05 * found.sd
        assert found.ci_low == pytest.approx(min(student.low, percentile.low), abs=near)
        assert found.ci_high == pytest.approx(max(student.high, percentile.high), abs=near)
        assert found.ci_low <= student.low + 1e-9 and student.high - 1e-9 <= found.ci_high


DRAWS = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "exponential": lambda rng, n: rng.exponential(size=n) - 1.0,
    "zeros, normal": lambda rng, n: rng.standard_normal(n) * (rng.random(n) < 0.25),
    "zeros, exp - 1": lambda rng, n: (rng.exponential(size=n) - 1.0) * (rng.random(n) < 0.25),
    "zeros, exponential": lambda rng, n: rng.exponential(size=n) * (rng.random(n) < 0.25) - 0.25,
}
COVERED = {
    "normal": (94.8, 95.1, 95.1, 95.0, 99.7, 99.6, 99.6, 99.5),
    "exponential": (88.7, 88.9, 90.2, 92.8, 98.3, 96.7, 96.8, 98.2),
    "zeros, normal": (99.9, 99.9, 99.5, 96.6, 100, 100, 100, 99.9),
    "zeros, exp - 1": (99.8, 99.7, 98.5, 91.5, 100, 100, 100, 99.6),
    "zeros, exponential": (52.0, 67.5, 75.2, 87.0, 56.1, 73.6, 81.8, 93.7),
}
"""The table in `interval`, in %: 3, 6, 10 and 30 values at 95 %, then at 95 % over 12."""


@pytest.mark.parametrize(("place", "count"), list(enumerate((3, 6, 10, 30))))
def test_intervals_cover_as_often_as_is_documented(place, count):
    """150 trials for normal values, 50 for others; false-alarm level 1e-5 in each of 40 cells."""
    rng = np.random.default_rng(5)
    drawn = (resampling(count)[:, :, None] == np.arange(count)).mean(axis=1)
    for name, draw in DRAWS.items():
        trials = 150 if name == "normal" else 50
        tries = [(values, drawn @ values) for values in (draw(rng, count) for _ in range(trials))]
        for column, level in ((place, 0.95), (place + 4, 1 - 0.05 / 12)):
            ends = [
                interval(samples, float(values.mean()), stats.sem(values), count, level)
                for values, samples in tries
            ]
            covered = sum(low <= 1e-12 and high >= -1e-12 for low, high in ends)
            stated = COVERED[name][column] / 100
            assert stats.binom.ppf(0.5e-5, trials, stated - 0.001) <= covered
            assert covered <= stats.binom.ppf(1 - 0.5e-5, trials, min(stated + 0.001, 1.0))
    values = DRAWS["exponential"](rng, count)
    whole = interval(drawn @ values, float(values.mean()), stats.sem(values), count, 0.95)
    assert whole == pytest.approx((estimate(values).ci_low, estimate(values).ci_high))


def test_the_table_of_coverage_is_the_documented_one():
    rows = {
        "normal": "normal",
        "exponential": "exponential",
        "¾ zeros, normal": "zeros, normal",
        "¾ zeros, exp. − 1": "zeros, exp - 1",
        "¾ zeros, exponential": "zeros, exponential",
    }
    for line in (interval.__doc__ or "").splitlines():
        for start, name in rows.items():
            if line.strip().startswith(start + "  "):
                numbers = [float(word) for word in line.strip()[len(start) :].split()]
                assert numbers[:8] == list(COVERED.pop(name))
    assert not COVERED


def test_few_values_and_undefined_samples():
    ends = interval(np.array([1.0, np.nan, 3.0]), 2.0, 0.5, 3, 0.95)
    assert ends == pytest.approx(stats.t(2, 2.0, 0.5).interval(0.95))
    assert np.isnan(interval(np.full(3, np.nan), 2.0, 0.5, 3, 0.95)).all()
    assert np.isnan(interval(np.ones(3), 2.0, float("nan"), 3, 0.95)).all()
    assert interval(np.zeros(9), 0.0, 0.0, 3, 0.95) == (0.0, 0.0)


def test_the_jackknife_knows_means_and_spreads():
    values = np.random.default_rng(2).standard_normal(12)
    kept = [np.delete(values, i) for i in range(12)]
    mean = jackknife_error(np.array([v.mean() for v in kept]))
    assert mean == pytest.approx(stats.sem(values))
    # Of log sd, nearly normal data: √(1/(2(n−1))), here within a factor 2.
    spread = jackknife_error(np.array([np.log(v.std(ddof=1)) for v in kept]))
    assert 0.5 < spread / np.sqrt(1 / 22) < 2.0


def test_the_sign_test_says_how_many_seeds_are_needed():
    for level in (0.5, 0.9, 0.95, 0.99, 1 - 0.05 / 24):
        m = fewest_seeds(level)
        assert stats.binomtest(m, m).pvalue <= 1 - level < stats.binomtest(m - 1, m - 1).pvalue


def test_others_are_set_against_a_policy_that_no_run_chose():
    assert reference_policy(["random", "ctv-fixed", "tv"]) == "ctv-fixed"
    assert reference_policy(("tv", "random")) == "tv"


@pytest.mark.parametrize("seeds", [2, 5, 6])
def test_too_few_seeds_decide_nothing(seeds):
    """However much better CTV-fixed is than random choice."""
    few = Study(
        replace(STUDY.spec, seeds=seeds),
        {policy: runs[:seeds] for policy, runs in STUDY.trajectories.items()},
    )
    (pair,) = summarize(few, 0.5).paired
    assert pair.unequal == seeds
    assert pair.difference.ci_high < 0 and pair.decided
    (pair,) = summarize(few, 0.95).paired
    assert pair.decided == (seeds >= 6 and pair.difference.ci_high < 0)


def test_one_seed_has_neither_spread_nor_interval():
    found = estimate(np.array([2.0]))
    assert found.mean == 2.0
    assert np.isnan([found.sd, found.ci_low, found.ci_high]).all()


def test_resampling_is_the_same_always():
    np.testing.assert_array_equal(resampled(np.arange(5.0)), resampled(np.arange(5.0)))
    assert resampled(np.arange(5.0)).shape == (10_000, 5)


def test_a_summary_follows_from_the_stored_arrays():
    summary = summarize(STUDY)
    regrets = STUDY.array("regrets")
    for row, (name, found) in zip(regrets, summary.policies.items(), strict=True):
        per_seed = row.mean(axis=1)
        assert found.policy == name and found.seeds == 8
        every = found.all_rounds
        assert every.mean == pytest.approx(per_seed.mean())
        assert every.sd == pytest.approx(per_seed.std(ddof=1))
        assert every.ci_low < every.mean < every.ci_high
        assert found.own_rounds.mean == pytest.approx(row[:, 5:].mean())
    (pair,) = summary.paired
    difference = regrets[0].mean(axis=1) - regrets[1].mean(axis=1)
    assert (pair.first, pair.second) == ("ctv-fixed", "random")
    assert pair.difference.mean == pytest.approx(difference.mean())
    assert pair.first_better == np.mean(difference < 0)
    assert (pair.unequal, pair.level) == (8, 0.95)
    assert pair.decided == (pair.difference.ci_high < 0 or pair.difference.ci_low > 0)


def test_a_level_is_a_probability():
    with pytest.raises(InvalidInput, match="level = 95"):
        summarize(STUDY, level=95)
    wide, narrow = (summarize(STUDY, level=v).policies["random"].all_rounds for v in (0.99, 0.5))
    assert wide.ci_low < narrow.ci_low < narrow.ci_high < wide.ci_high
