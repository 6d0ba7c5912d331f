"""The simulation certificate: order statistics, empirical Bernstein, reproducibility."""

from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.regret.ingredients.ranges import excess_above, range_variance
from bounds.regret.maximum.slepian import expected_maximum
from bounds.regret.regret_bound import PRIOR
from bounds.times import EvaluationTimes
from simulation.after_run.simulated import (
    bernstein_bound,
    check_simulations,
    simulated_regrets,
    simulated_rows,
    simulation_certificate,
)
from simulation.runs.run import simulate
from simulation.study.study import StudySpec

PROBLEM = Problem(EvaluationTimes.from_durations([3.0]), epsilon=0.05, domain=Grid(2, 1.0, 5))
SPEC = StudySpec(PROBLEM, initial=2, rounds=6, exploration="theory", policies=("ctv-fixed",))


def test_order_statistic_and_its_levels() -> None:
    begun = perf_counter()
    found = simulation_certificate(SPEC, "ctv-fixed", runs=59, delta=0.1)
    assert 0.0 < found.seconds <= perf_counter() - begun
    assert found.value == np.sort(found.regrets)[53]
    assert found.level == 54 / 60
    # The level of one threshold is Beta(54, 6).
    assert stats.beta(54, 6).cdf(found.reused_level) == pytest.approx(0.05)


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


@pytest.mark.parametrize("rounds", [slice(None), slice(2, 6)])
def test_the_expectation_is_a_cut_mean_and_a_tail(rounds: slice) -> None:
    """Both by hand, the cut where its price per unit is that of the tail."""
    durations = SPEC.durations.durations[: SPEC.total_rounds]
    instants = np.cumsum(durations)[rounds]
    fixed = replace(PROBLEM, times=EvaluationTimes.from_times(instants))
    maximum = expected_maximum(PROBLEM.domain, PROBLEM.space_kernel)
    runs, alpha = 29, 0.1
    found = simulation_certificate(
        SPEC, "random", runs=runs, delta=0.2, alpha=alpha, seed=3, rounds=rounds
    )
    regrets = simulated_regrets(SPEC, "random", runs, seed=3, rounds=rounds)
    assert np.array_equal(found.regrets, regrets)
    assert found.value == np.sort(regrets)[23] and found.alpha == alpha
    price = 7 * np.log(2 / alpha) / (3 * (runs - 1))
    deviation = np.sqrt(range_variance(fixed.times, fixed.time_kernel))
    above = -deviation * min(stats.norm.ppf(min(price / np.sqrt(2 * np.pi), 0.5)), 0.0)
    cut = 2 * maximum.upper * len(instants) + above
    mean = bernstein_bound(np.minimum(regrets, cut), cut, alpha)
    assert found.expectation == pytest.approx(mean + excess_above(fixed, maximum, cut))


def test_without_rounds_or_with_one_run_there_is_no_expectation() -> None:
    none = simulation_certificate(SPEC, "random", runs=9, rounds=slice(0, 0))
    assert none.expectation is None and none.value == 0.0
    one = simulation_certificate(SPEC, "random", runs=1, delta=0.5)
    assert one.expectation is None and one.level == 0.5
    assert simulation_certificate(SPEC, "random", runs=2, delta=0.5).expectation is not None


def test_runs_are_those_of_their_seeds_and_of_the_study() -> None:
    spec = replace(SPEC, initial=1, rounds=3, exploration="sqrt-beta")
    found = simulated_regrets(spec, "ctv-fixed", 3, seed=2)
    for i, regret in enumerate(found):
        run = simulate(
            PROBLEM,
            spec.durations,
            "ctv-fixed",
            seed=3_000_000_000 + i,
            initial=1,
            rounds=3,
            exploration="sqrt-beta",
        )
        assert regret == run.regrets.sum()
    first = simulate(PROBLEM, spec.durations, "random", seed=10**9, initial=1, rounds=3)
    assert simulated_regrets(spec, "random", 1)[0] == first.regrets.sum()


def test_times_that_depend_on_the_point_have_no_expectation() -> None:
    found = simulation_certificate(replace(SPEC, setting="biased"), "ctv-fixed", runs=9)
    assert found.expectation is None
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
        ({"runs": 9, "alpha": 1.0}, "alpha"),
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
    for outside in ([1.0, 2.0], [-0.1, 0.5]):
        with pytest.raises(InvalidInput, match="values"):
            bernstein_bound(outside, 1.0, 0.1)
    assert bernstein_bound([0.0, 0.0], 0.0, 0.1) == 0.0


TIMES = EvaluationTimes.from_durations([1.0, 0.0, 4.0, 2.0])
FEW = Problem(TIMES, domain=Grid(2, 1.0, 4))


def test_rows_cover_runs_at_these_times() -> None:
    order, mean = simulated_rows(FEW, runs=39)
    assert order.policy == mean.policy == "ctv-fixed"
    assert (order.name, mean.name) == ("simulation", "simulation_mean")
    for row in (order, mean):
        assert (row.direction, row.rounds, row.exploration) == ("upper", "one n", "theory")
        assert row.simulated and not row.certified and row.inflated is None
        assert row.hypotheses.startswith(f"{PRIOR}; simulated")
        assert " 39 simulated runs" in row.source and row.times == "fixed"
    assert mean.hypotheses.endswith("; k_space, k_time >= 0") and "0.95 over them" in mean.source
    spec = StudySpec(
        FEW,
        setting="csv",
        policies=("ctv-fixed",),
        seeds=1,
        initial=0,
        rounds=4,
        exploration="theory",
    )
    own = simulation_certificate(spec, "ctv-fixed", runs=39, seed=2)
    again, other = simulated_rows(FEW, runs=39, seed=2)
    assert (again.value, other.value) == (own.value, own.expectation)
    assert f"level {own.reused_level:.3f} with probability 0.95" in again.source
    (alone,) = simulated_rows(replace(FEW, delta=0.5), runs=1)
    assert alone.name == "simulation" and alone.level == 0.5
    assert simulated_rows(FEW, runs=39, seed=0)[0].value == order.value != again.value
    assert (order.kind, mean.kind) == ("probability", "mean")
    assert order.level == pytest.approx(0.9) and mean.level is None
    assert mean.value > own.regrets.mean()


def test_too_few_runs_for_rows() -> None:
    with pytest.raises(InvalidInput, match="at least 9"):
        simulated_rows(FEW, runs=5)
