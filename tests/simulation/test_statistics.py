import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.statistics import estimate, resampled, summarize
from simulation.study import StudySpec, run_study

PROBLEM = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 8))
STUDY = run_study(StudySpec(PROBLEM, seeds=8, initial=5, rounds=15))


def test_an_estimate_is_the_textbook_one():
    values = np.random.default_rng(0).standard_normal(40) + 3.0
    found = estimate(values)
    assert found.mean == pytest.approx(values.mean())
    assert found.sd == pytest.approx(values.std(ddof=1))
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    assert found.ci_low == pytest.approx(theirs.low, abs=0.02)
    assert found.ci_high == pytest.approx(theirs.high, abs=0.02)


def test_the_interval_covers_about_as_often_as_it_says():
    """30 normal values, 200 trials; a percentile interval of 95 % covers 0.93 there. Level 1e-4."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        found = estimate(rng.standard_normal(30))
        covered += found.ci_low <= 0.0 <= found.ci_high
    assert stats.binom.ppf(1e-4, 200, 0.93) <= covered


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
        assert found.regret_per_round == pytest.approx(per_seed.mean())
        assert found.sd == pytest.approx(per_seed.std(ddof=1))
        assert found.ci_low < found.regret_per_round < found.ci_high
        assert found.own_rounds.mean == pytest.approx(row[:, 5:].mean())
    (pair,) = summary.paired
    difference = regrets[0].mean(axis=1) - regrets[1].mean(axis=1)
    assert (pair.first, pair.second) == ("ctv-fixed", "random")
    assert pair.difference.mean == pytest.approx(difference.mean())
    assert pair.first_better == np.mean(difference < 0)
    assert pair.decided == (pair.difference.ci_high < 0 or pair.difference.ci_low > 0)


def test_a_level_is_a_probability():
    with pytest.raises(InvalidInput, match="level = 95"):
        summarize(STUDY, level=95)
    wide, narrow = (summarize(STUDY, level=v).policies["random"] for v in (0.99, 0.5))
    assert wide.ci_low < narrow.ci_low < narrow.ci_high < wide.ci_high
