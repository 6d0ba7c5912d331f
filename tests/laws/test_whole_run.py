"""The statements about many runs: the p-values are exact, and what is false is found."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from bounds.domain import Arms
from bounds.problem import Problem
from bounds.regret.rows import floors
from simulation.laws.case import one_run, play
from simulation.laws.confidence_laws import event_holds
from simulation.laws.whole_run import FALSE_ALARM, ManyRuns, square_of_regret, standard_normals


def test_the_binomial_tail_is_the_sum_of_its_terms() -> None:
    runs = ManyRuns()
    for seed in range(12):
        runs.event(0.1, seed, failed=seed < 3)
        runs.event(0.1, seed, failed=True)  # a seed counts once
    terms = [comb(12, k) * 0.1**k * 0.9 ** (12 - k) for k in range(3, 13)]
    assert runs.event_p_values()[0.1] == pytest.approx(sum(terms))
    runs.require()


def test_an_event_that_fails_too_often_is_found() -> None:
    runs = ManyRuns()
    for seed in range(60):
        runs.event(0.1, seed, failed=seed % 2 == 0)
    with pytest.raises(AssertionError, match=r"confidence event at delta = 0.1 fails too often"):
        runs.require()


def test_the_event_of_real_runs_and_of_a_beta_that_is_too_small(monkeypatch) -> None:
    cases = [one_run(Arms(3), (1.0, 2.0), 0, 2, delta=0.5, seed=seed) for seed in range(120)]
    played = [play(case) for case in cases]
    honest, careless = ManyRuns(), ManyRuns()
    for one in played:
        honest.event(0.5, one.run.seed, failed=not event_holds(one))
    honest.require()
    from simulation.laws import confidence_laws

    monkeypatch.setattr(confidence_laws, "betas", lambda one: np.full(one.run.n, 0.5))
    for one in played:
        careless.event(0.5, one.run.seed, failed=not event_holds(one))
    with pytest.raises(AssertionError, match="fails too often"):
        careless.require()


def test_a_floor_that_is_too_high_is_found_and_the_true_one_is_not() -> None:
    problem = Problem([1.0] * 4, epsilon=0.3, domain=Arms(2), noise_variance=1.0)
    row = max(floors(problem), key=lambda row: row.value)
    runs, wrong = ManyRuns(), ManyRuns()
    for seed in range(400):
        case = one_run(
            Arms(2),
            (1.0,) * 4,
            0,
            4,
            epsilon=0.3,
            noise_variance=1.0,
            seed=seed,
            policy="gp-ucb",
            exploration="sqrt-beta",
        )
        regret = float(play(case).run.regrets.sum())
        runs.floor(row.name, seed, row.value, regret, square_of_regret(4, 2))
        wrong.floor(row.name, seed, 4.0 * row.value, regret, square_of_regret(4, 2))
    runs.require()
    with pytest.raises(AssertionError, match="regret is below the floor"):
        wrong.require()


def test_the_p_value_of_a_floor_is_above_the_exact_one() -> None:
    """Regrets that are 0 or 2 with probability ½ each and a floor of 1: binomial."""
    n, zeros = 40, 30
    runs = ManyRuns()
    for seed in range(n):
        runs.floor("coin", seed, 1.0, 0.0 if seed < zeros else 2.0, 2.0)
    exact = sum(comb(n, k) for k in range(zeros, n + 1)) / 2**n
    assert exact < runs.floor_p_values()["coin"] < 1.0
    assert FALSE_ALARM < 1e-3


def test_a_ceiling_that_is_too_low_is_found_and_the_true_one_is_not() -> None:
    """All is forgotten from round to round: the mean regret is the mean of the maximum."""
    runs = {factor: ManyRuns() for factor in (1.0, 0.5, 0.0)}
    mean = 3 * 3 / (2.0 * np.sqrt(np.pi))  # three rounds, three independent arms
    for seed in range(150):
        case = one_run(Arms(3), (1e6,) * 3, 0, 3, epsilon=0.5, seed=seed, policy="ts")
        regret = float(play(case).run.regrets.sum())
        for factor, found in runs.items():
            found.ceiling("of three arms", seed, factor * mean, regret)
    runs[1.0].require()
    for factor in (0.5, 0.0):
        with pytest.raises(AssertionError, match="mean regret is above the ceiling of three arms"):
            runs[factor].require()


def test_the_p_value_of_a_ceiling_is_above_the_exact_one() -> None:
    """Regrets that are 0 or 4 with probability ¾ and ¼ and a ceiling of 1: binomial."""
    n, large = 40, 25
    runs = ManyRuns()
    for seed in range(n):
        runs.ceiling("coin", seed, 1.0, 4.0 if seed < large else 0.0)
    exact = sum(comb(n, k) * 0.25**k * 0.75 ** (n - k) for k in range(large, n + 1))
    assert exact < runs.ceiling_p_values()["coin"] < 1e-3


def test_noise_and_drift_of_another_size_are_found() -> None:
    runs, wrong = ManyRuns(), ManyRuns()
    for seed in range(60):
        played = play(one_run(Arms(2), (1.0, 2.0) * 4, 0, 8, epsilon=0.3, seed=seed))
        for name, normals in standard_normals(played):
            runs.normal(name, seed, normals)
            wrong.normal(name, seed, 1.3 * normals)
    assert set(runs.normals) == {"noise", "objective at first", "drift of the objective"}
    runs.require()
    with pytest.raises(AssertionError, match="not as large as it is said to be"):
        wrong.require()


def test_runs_of_two_processes_count_once() -> None:
    one, other = ManyRuns(), ManyRuns()
    for seed in range(4):
        one.event(0.5, seed, failed=False)
        one.normal("noise", seed, np.ones(3))
        other.event(0.5, seed + 2, failed=True)
        other.normal("noise", seed + 2, np.zeros(3))
    one.take(other)
    assert one.failed[0.5] == {0: False, 1: False, 2: False, 3: False, 4: True, 5: True}
    assert sum(count for _, count in one.normals["noise"].values()) == 18


def test_the_second_moment_is_above_that_of_simulated_ranges() -> None:
    rng = np.random.default_rng(0)
    for count in (1, 2, 5, 60):
        fields = rng.standard_normal((4000, count))
        assert np.mean(np.ptp(fields, axis=1) ** 2) <= square_of_regret(1, count)
