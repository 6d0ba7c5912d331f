"""The statements about many runs: the p-values are exact, and what is false is found."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from bounds.domain import Arms
from bounds.problem import Problem
from bounds.regret_itself.floors.floors import floors
from simulation.laws.case import Case
from simulation.laws.confidence_laws import event_holds
from simulation.laws.whole_run import FALSE_ALARM, ManyRuns, square_of_regret


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
    cases = [Case(Arms(3), (1.0, 2.0), 0, 2, delta=0.5, seed=seed) for seed in range(120)]
    played = [case.play() for case in cases]
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
        case = Case(
            Arms(2), (1.0,) * 4, 0, 4, epsilon=0.3, noise_variance=1.0, seed=seed,
            policy="gp-ucb", exploration="sqrt-beta",
        )  # fmt: skip
        regret = float(case.play().run.regrets.sum())
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


def test_the_second_moment_is_above_that_of_simulated_ranges() -> None:
    rng = np.random.default_rng(0)
    for count in (1, 2, 5, 60):
        fields = rng.standard_normal((4000, count))
        assert np.mean(np.ptp(fields, axis=1) ** 2) <= square_of_regret(1, count)
