"""The simulation certificate: order statistics, empirical Bernstein, reproducibility."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.after_run.simulated import (
    bernstein_bound,
    check_simulations,
    simulated_regrets,
    simulation_certificate,
)
from simulation.study.study import StudySpec

PROBLEM = Problem(EvaluationTimes.from_durations([3.0]), epsilon=0.05, domain=Grid(2, 1.0, 5))
SPEC = StudySpec(PROBLEM, initial=2, rounds=6, exploration="theory", policies=("ctv-fixed",))


def test_order_statistic_and_its_levels() -> None:
    found = simulation_certificate(SPEC, "ctv-fixed", runs=59, delta=0.1)
    assert found.value == np.sort(found.regrets)[53]
    assert found.level == 54 / 60
    # The level of one threshold is Beta(54, 6).
    assert stats.beta(54, 6).cdf(found.reused_level) == pytest.approx(0.05)
    assert found.simulated


@pytest.mark.parametrize(
    ("delta", "least"), [(0.1, 9), (0.03, 33), (0.3, 3), (0.9, 1), (1e-3, 999)]
)
def test_so_many_runs_reach_the_level_and_one_fewer_does_not(delta: float, least: int) -> None:
    """k/(S+1) ≥ 1 − δ for some k ≤ S takes S ≥ 1/δ − 1, of δ as it is written."""
    check_simulations(None, delta)
    for enough in (least, least + 1, 10_000):
        check_simulations(enough, delta)
    for wrong in (least - 1, -1, 10**12):
        with pytest.raises(InvalidInput, match="simulations"):
            check_simulations(wrong, delta)


def test_covers_other_runs() -> None:
    found = simulation_certificate(SPEC, "ctv-fixed", runs=199, delta=0.2)
    others = simulated_regrets(SPEC, "ctv-fixed", 200, seed=1)
    assert not np.intersect1d(found.regrets, others).size
    level = np.mean(others <= found.value)
    assert 0.65 <= level <= 0.95
    assert found.expectation is not None
    assert found.expectation >= others.mean() - 4.0 * others.std() / np.sqrt(200)


def test_bernstein_bound_fails_rarely() -> None:
    rng = np.random.default_rng(0)
    laws = ((0.5, lambda: rng.random(40)), (0.1, lambda: (rng.random(40) < 0.1).astype(float)))
    for mean, law in laws:
        below = sum(bernstein_bound(law(), 1.0, 0.2) < mean for _ in range(400))
        assert below <= 80
    # By hand: mean ½, V = ⅓, log(2/0.5) = 1.386.
    by_hand = 0.5 + np.sqrt(2 / 3 * np.log(4) / 4) + 7 * np.log(4) / 9
    assert bernstein_bound([0.0, 0.0, 1.0, 1.0], 1.0, 0.5) == pytest.approx(by_hand)


def test_times_that_depend_on_the_point_have_no_expectation() -> None:
    found = simulation_certificate(replace(SPEC, setting="biased"), "ctv-fixed", runs=9)
    assert found.expectation is None and found.cut is None
    assert found.level == 0.9


def test_the_same_whatever_the_workers() -> None:
    one, two = (simulated_regrets(SPEC, "random", 45, workers=w) for w in (1, 2))
    assert np.array_equal(one, two)
    own = simulated_regrets(SPEC, "random", 45, rounds=slice(2, None))
    assert np.all(own <= one)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"runs": 8}, "at least 9"),
        ({"runs": 9, "alpha": 0.0}, "alpha"),
        ({"runs": 9, "seed": -1}, "seed"),
        ({"runs": 9, "workers": 0}, "workers"),
        ({"runs": 9, "delta": 1.0}, "delta"),
    ],
)
def test_bad_input(options, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        simulation_certificate(SPEC, "ctv-fixed", **options)


def test_bad_samples() -> None:
    with pytest.raises(InvalidInput, match="runs"):
        bernstein_bound([1.0], 1.0, 0.1)
    with pytest.raises(InvalidInput, match="values"):
        bernstein_bound([1.0, 2.0], 1.0, 0.1)
