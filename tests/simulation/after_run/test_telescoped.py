"""Telescoped certificates against posterior draws, and over many runs against the truth."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.maximum.telescoping import (
    level_with_excess,
    maximum_bound,
    telescope,
)
from bounds.times import EvaluationTimes
from simulation.after_run.observed import Observed
from simulation.after_run.rank import posterior_regrets
from simulation.after_run.telescoped import (
    _beside,
    expected_certificate,
    forward_probability_certificate,
    planned_excess,
    probability_certificate,
    relative_certificate,
)
from simulation.runs.run import simulate
from simulation.world.evaluation_time import biased, constant

GRID = Grid(2, 1.0, 5)
PROBLEM = Problem(EvaluationTimes.from_durations([3.0]), epsilon=0.05, domain=GRID)
SMOOTH = replace(PROBLEM, time_kernel=SquaredExponential(5.0))


def run_of(problem: Problem, seed: int, rounds: int = 8, duration=None):
    times = duration or constant(3.0, rounds + 3)
    return simulate(problem, times, seed=seed, initial=3, rounds=rounds)


@pytest.mark.parametrize("problem", [PROBLEM, SMOOTH], ids=["markov", "smooth"])
@pytest.mark.parametrize("rounds", [slice(None), slice(3, None)], ids=["all", "own"])
def test_expectation_in_hindsight_is_above_the_mean_of_paths(problem, rounds) -> None:
    observed = Observed.of_run(problem, run_of(problem, 1))
    found = expected_certificate(observed, rounds=rounds)
    sums = posterior_regrets(observed, 1_500, 3)[:, rounds].sum(axis=1)
    error = 4.0 * sums.std() / np.sqrt(len(sums))
    assert sums.mean() - error <= found <= 1.5 * sums.mean()
    high = probability_certificate(observed, rounds=rounds)
    assert np.mean(sums > high) <= 0.1
    assert high > found


def test_over_runs() -> None:
    """Mean over runs at fixed times and at t(x), and coverage at a tenth; level below 1e-4."""
    few = replace(PROBLEM, domain=Grid(2, 1.0, 3))
    times = (None, biased(few.domain))
    runs = [run_of(few, seed, 3, times[seed % 2]) for seed in range(12)]
    truth = np.array([run.cumulative_regret[-1] for run in runs])
    seen = [Observed.of_run(few, run) for run in runs]
    for hindsight in (True, False):
        values = np.array([expected_certificate(o, hindsight=hindsight) for o in seen])
        gaps = values - truth
        assert gaps.mean() >= -4.0 * gaps.std() / np.sqrt(len(gaps))
    for certificate in (
        probability_certificate,
        relative_certificate,
        forward_probability_certificate,
    ):
        below = sum(certificate(o) >= r for o, r in zip(seen, truth, strict=True))
        assert below >= 12 - 6  # P(Bin(12, 0.1) > 6) < 1e-4


def flat(lengthscale: float, noise: float = 0.01) -> Problem:
    kernel = SquaredExponential(lengthscale)
    return replace(PROBLEM, space_kernel=kernel, noise_variance=noise)


@pytest.mark.parametrize(
    ("problem", "most"),
    [(flat(1e3), 5.0), (flat(1e5), 5.0), (flat(10.0), 4.0), (flat(0.2, 1e3), 3)],
)
def test_a_common_level_of_f_costs_nothing(problem: Problem, most: float) -> None:
    observed = Observed.of_run(problem, run_of(problem, 1))
    sums = posterior_regrets(observed, 1_500, 3).sum(axis=1)
    found = probability_certificate(observed)
    assert np.quantile(sums, 0.9) <= found <= most * sums.mean()
    assert found == relative_certificate(observed)


@pytest.mark.parametrize("problem", [PROBLEM, flat(50.0)], ids=["rough", "flat"])
def test_differences_have_the_covariances_of_dense_algebra(problem: Problem) -> None:
    observed = Observed.of_run(problem, run_of(problem, 1))
    order = telescope(GRID, problem.space_kernel)
    prior = problem.space_kernel.gram(GRID.points, GRID.points)
    for i, posterior in zip((2, 9), observed.hindsight(range(2, 10, 7)), strict=True):
        p = int(observed.played[i])
        beside, seen, unit = _beside(order, posterior, observed.space_rows[i], p)
        whole = prior - posterior.explained @ posterior.explained.T
        dense = whole - whole[p] - whole[:, [p]] + whole[p, p]
        left = seen.explained @ seen.explained.T
        size = 1e-9 + 1e-14 / unit**2
        assert np.diag(dense) / unit**2 == pytest.approx(1.0 - np.diag(left), abs=size)
        assert seen.mean * unit == pytest.approx(posterior.mean - posterior.mean[p])
        for k, near in enumerate(order.neighbours):
            kept = near[near >= 0]
            own = beside.own[k, : len(kept)] - left[k, kept]
            mutual = beside.mutual[k, : len(kept), : len(kept)] - left[np.ix_(kept, kept)]
            assert own * unit**2 == pytest.approx(dense[k, kept], abs=size)
            assert mutual * unit**2 == pytest.approx(dense[np.ix_(kept, kept)], abs=size)


@pytest.mark.parametrize("lengthscale", [0.3, 100.0])
def test_relative_bound_of_two_points_is_a_mean_of_the_tail(lengthscale: float) -> None:
    """c + E(g − c)₊/δ is least at the quantile of g, and then the mean of its upper tenth."""
    two = replace(flat(lengthscale), domain=Grid(1, 1.0, 2))
    observed = Observed.of_run(two, run_of(two, 2))
    density = float(stats.norm.pdf(stats.norm.ppf(0.9)))
    for i, posterior in enumerate(observed.hindsight(range(observed.n))):
        p = int(observed.played[i])
        whole = two.space_kernel.gram(two.domain.points, two.domain.points)
        whole = whole - posterior.explained @ posterior.explained.T
        mean = posterior.mean[1 - p] - posterior.mean[p]
        deviation = np.sqrt(whole[0, 0] + whole[1, 1] - 2.0 * whole[0, 1])
        bound = relative_certificate(observed, rounds=slice(i, i + 1))
        tail = mean + deviation * density / 0.1
        assert bound >= max(tail, 0.0) - 1e-6 * deviation
        if mean + deviation * stats.norm.ppf(0.9) > 0.0:
            assert bound == pytest.approx(tail, rel=0.02)


@pytest.mark.parametrize("rounds", [slice(None), slice(3, 9, 2)], ids=["all", "some"])
def test_values_are_what_the_bounds_of_rounds_add_up_to(rounds: slice) -> None:
    """Each bound from its own start, up to what the searches leave; δ = 0.2, a tenth for Σf."""
    problem = replace(PROBLEM, delta=0.2)
    observed = Observed.of_run(problem, run_of(problem, 1))
    some, order = range(11)[rounds], telescope(GRID, PROBLEM.space_kernel)
    mean, variance = observed.played_sum(rounds)
    z, count = stats.norm.ppf(0.98), len(some)

    def total(bound, posteriors) -> float:
        return sum(bound(one.mean, one.explained) for one in posteriors)

    def most(*seen, weight=1.0) -> float:
        return maximum_bound(order, *seen, None, weight=weight).value

    behind, before = list(observed.hindsight(some)), [*observed.posteriors()][rounds]
    assert expected_certificate(observed, rounds=rounds) == pytest.approx(
        total(most, behind) - mean, rel=1e-3
    )
    played = sum(one.mean[observed.played[i]] for i, one in zip(some, before, strict=True))
    assert expected_certificate(observed, hindsight=False, rounds=rounds) == pytest.approx(
        total(most, before) - played, rel=1e-3
    )
    surely = total(partial(most, weight=1 / 0.18), behind) - mean + np.sqrt(variance) * z
    assert probability_certificate(observed, rounds=rounds) == pytest.approx(surely, rel=3e-3)
    eta = planned_excess(order, 0.18)
    levels = total(lambda *seen: level_with_excess(order, *seen, eta, None).level, before)
    ahead = levels - observed.observations[rounds].sum() + count * eta / 0.18
    assert forward_probability_certificate(observed, rounds=rounds) == pytest.approx(
        ahead + 0.1 * np.sqrt(count) * z, rel=3e-3
    )
    each = [relative_certificate(observed, rounds=slice(i, i + 1)) for i in some]
    assert relative_certificate(observed, rounds=rounds) == pytest.approx(sum(each), rel=1e-2)


def test_the_excess_that_is_planned_is_best_for_the_prior() -> None:
    order = telescope(GRID, PROBLEM.space_kernel)
    nothing = np.zeros((25, 0))
    best = maximum_bound(order, np.zeros(25), nothing, None, weight=1 / 0.09)
    eta = planned_excess(order, 0.09)
    assert best.level + best.excess / 0.09 == pytest.approx(
        level_with_excess(order, np.zeros(25), nothing, eta, None).level + eta / 0.09, rel=1e-2
    )
    assert planned_excess(telescope(Grid(2, 1.0, 1), PROBLEM.space_kernel), 1.0) >= 1e-9


def test_corners() -> None:
    one = replace(PROBLEM, domain=Grid(2, 1.0, 1))
    alone = Observed.of_run(one, run_of(one, 0))
    assert expected_certificate(alone) == pytest.approx(0.0, abs=1e-9)
    assert 0.0 <= probability_certificate(alone) < 3.0
    assert forward_probability_certificate(alone) >= 0.0
    still = replace(PROBLEM, epsilon=0.0, space_kernel=Matern(0.5, 0.2))
    first = simulate(still, constant(0.0, 1), seed=0, initial=1, rounds=0)
    assert expected_certificate(Observed.of_run(still, first), hindsight=False) > 0.0
    for noise in (1e-8, 1e6):
        odd = replace(PROBLEM, noise_variance=noise)
        observed = Observed.of_run(odd, run_of(odd, 1, 3))
        assert np.isfinite(expected_certificate(observed))
        assert np.isfinite(probability_certificate(observed))
