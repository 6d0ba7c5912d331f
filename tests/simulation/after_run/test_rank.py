"""The rank certificate against dense algebra, its level against ranks, and bad input."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.after_run import rank as regret_certificate
from simulation.after_run.observed import Observed
from simulation.after_run.rank import posterior_regrets, rank_certificate, rank_of
from simulation.model.noise import NoiseMatrix
from simulation.runs.run import simulate
from simulation.world.evaluation_time import biased, constant
from tests.oracles import dense_posterior

GRID = Grid(2, 1.0, 5)
TIMES = EvaluationTimes.from_durations([3.0])
SE = Problem(TIMES, epsilon=0.05, domain=GRID)
MATERN = replace(SE, space_kernel=Matern(2.5, 0.3))
SMOOTH = replace(SE, time_kernel=SquaredExponential(4.0))


def run_of(problem: Problem, seed: int = 0, rounds: int = 12, duration=None):
    times = duration or constant(3.0, rounds + 4)
    return simulate(problem, times, seed=seed, initial=4, rounds=rounds, exploration="theory")


def joint(observed: Observed) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Prior covariance of f at all (x, τ_i), row of (x_i, τ_i) in it, K̃ + σ²I."""
    problem = observed.problem
    space = problem.space_kernel.gram(observed.sites)
    full = np.kron(observed.time_gram, space)
    at = np.arange(observed.n) * observed.size + observed.played
    matrix = np.eye(observed.n) if observed.noise is None else observed.noise.matrix
    return full, at, full[np.ix_(at, at)] + problem.noise_variance * matrix


UNLIKE = NoiseMatrix.of(
    np.diag([1.0, 50.0, 5.0, 0.2] * 2) + 0.9 * np.kron(np.eye(4), [[0, 1], [1, 0]])
)


@pytest.mark.parametrize(
    ("problem", "noise"), [(SE, None), (MATERN, None), (SMOOTH, None), (SE, UNLIKE)],
    ids=["se", "matern", "smooth time", "noise matrix"],
)  # fmt: skip
def test_regrets_of_paths_have_the_law_of_the_dense_posterior(problem, noise) -> None:
    observed = replace(Observed.of_run(problem, run_of(problem, rounds=4)), noise=noise)
    full, at, noisy = joint(observed)
    solved = np.linalg.solve(noisy, np.column_stack([observed.observations, full[at]]))
    mean, covariance = full[at].T @ solved[:, 0], full - full[at].T @ solved[:, 1:]
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws = mean + np.random.default_rng(1).standard_normal((4_000, len(mean))) @ root.T
    slow = draws.reshape(4_000, observed.n, -1).max(axis=2) - draws[:, at]
    fast = posterior_regrets(observed, 4_000, seed=2)
    assert fast.min() >= 0.0
    for column in range(observed.n):
        assert stats.ks_2samp(fast[:, column], slow[:, column]).pvalue > 1e-4
    assert stats.ks_2samp(fast.sum(axis=1), slow.sum(axis=1)).pvalue > 1e-3


def test_repeats_are_one_observation_of_less_noise() -> None:
    """Four at one point and instant tell of f what their average tells, at a quarter of σ²."""
    times, points = [1.0, 1.0, 1.0, 1.0, 3.0], [[0.2, 0.4]] * 4 + [[0.8, 0.8]]
    values = np.array([1.0, 0.4, 0.7, 1.1, -0.3])
    each = replace(SE, times=EvaluationTimes.from_times(times))
    once = replace(SE, times=EvaluationTimes.from_times([1.0, 3.0]))
    every = Observed.of_data(each, points, values)
    averages = [values[:4].mean(), values[4]]
    alone = Observed.of_data(once, points[3:], averages, noise=[0.25, 1.0])
    *_, long = every.hindsight(range(5))
    *_, short = alone.hindsight(range(2))
    assert short.mean == pytest.approx(long.mean, abs=1e-9)
    left = [1.0 - np.sum(one.explained**2, axis=1) for one in (short, long)]
    assert left[0] == pytest.approx(left[1], abs=1e-9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1.0], "noise = 1 rows: give 2"),
        ([1.0, 0.0], "noise of row 2 = 0"),
        ([1.0, np.inf], "not finite"),
        ([[1.0, 0.5], [0.4, 1.0]], "not symmetric"),
        ([[1.0, 1.0], [1.0, 1.0]], "not positive definite"),
        ([[1.0, 0.5]], "shape"),
    ],
)  # fmt: skip
def test_noise_that_is_no_covariance_is_refused(given, message) -> None:
    two = replace(SE, times=EvaluationTimes.from_times([1.0, 2.0]))
    with pytest.raises(InvalidInput, match=message):
        Observed.of_data(two, [[0.1, 0.1], [0.9, 0.9]], [0.0, 1.0], noise=given)


@pytest.mark.parametrize("problem", [SE, SMOOTH], ids=["markov", "smooth"])
def test_posteriors_before_each_round(problem: Problem) -> None:
    run = run_of(problem)
    observed = Observed.of_run(problem, run)
    full, at, noisy = joint(observed)
    for i, found in enumerate(observed.posteriors()):
        block = slice(i * observed.size, (i + 1) * observed.size)
        gram = noisy[:i, :i] - problem.noise_variance * np.eye(i)
        cross = full[at[:i], block]
        mean, variance = dense_posterior(
            gram, cross, np.ones(observed.size), run.observations[:i], problem.noise_variance
        )
        assert found.mean == pytest.approx(mean, abs=1e-8)
        left = 1.0 - np.sum(found.explained**2, axis=1)
        assert left == pytest.approx(variance, abs=1e-8)
        assert np.sqrt(max(left[run.points[i]], 0.0)) == pytest.approx(run.deviations[i], abs=1e-6)


@pytest.mark.parametrize("setting", ["fixed", "t(x)"])
def test_rank_of_the_truth_is_uniform(setting: str) -> None:
    problem = replace(SE, domain=Grid(2, 1.0, 4))
    duration = biased(problem.domain) if setting == "t(x)" else None
    counts = np.zeros(5, dtype=int)
    for seed in range(300):
        run = run_of(problem, seed, rounds=6, duration=duration)
        found = rank_certificate(Observed.of_run(problem, run), paths=4, delta=0.2, seed=seed)
        counts[int(np.sum(found.regrets < run.cumulative_regret[-1]))] += 1
    # The level of this test is 0.001.
    assert stats.chisquare(counts).pvalue > 1e-3


def test_points_off_the_grid_are_sites_of_their_own() -> None:
    times = EvaluationTimes.from_durations([1.0, 2.0, 0.0])
    problem = replace(SE, times=times)
    points = [[0.1, 0.2], [0.25, 0.5], [0.1, 0.2]]
    observed = Observed.of_data(problem, points, [1.0, 0.0, 1.1])
    assert observed.size == GRID.size + 1
    assert observed.sites[observed.played] == pytest.approx(np.array(points))
    assert observed.played[1] < GRID.size  # a grid point stays one
    full, at, noisy = joint(observed)
    assert observed.factor @ observed.factor.T == pytest.approx(noisy, abs=1e-12)
    mean = full[at].T @ np.linalg.solve(noisy, observed.observations)
    best = mean.reshape(3, -1).max(axis=1) - mean[at]
    found = posterior_regrets(observed, 2_000, 0)
    assert np.all(found.mean(axis=0) >= best - 0.05)  # Jensen


def test_prior_fit_speaks_against_a_wrong_prior_only() -> None:
    runs = [run_of(SE, seed) for seed in range(60)]
    right = [Observed.of_run(SE, run).prior_fit() for run in runs]
    assert stats.kstest(right, "uniform").pvalue > 1e-3
    wrong = replace(SE, space_kernel=SquaredExponential(1.5))
    assert np.mean([Observed.of_run(wrong, run).prior_fit() < 0.01 for run in runs]) > 0.8


@pytest.mark.parametrize(
    ("paths", "delta", "rank"),
    [(9, 0.1, 9), (99, 0.1, 90), (10, 0.1, 10), (1, 0.5, 1), (19, 0.05, 19)],
)
def test_rank(paths: int, delta: float, rank: int) -> None:
    assert rank_of(paths, delta) == rank
    assert rank / (paths + 1) >= 1.0 - delta - 1e-12


@pytest.mark.parametrize(
    ("paths", "delta", "words"),
    [(8, 0.1, "at least 9"), (0, 0.5, "at least 1"), (9, 0.0, "delta"), (9, 1.0, "delta"),
     (98, 0.01, "at least 99"), (1_000_001, 0.1, "at most 1000000"), (99, 1e-9, "delta")],
)  # fmt: skip
def test_too_few_paths_or_too_many(paths: int, delta: float, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        rank_of(paths, delta)


def test_corners() -> None:
    one = replace(SE, domain=Grid(2, 1.0, 1), epsilon=0.0)
    run = simulate(one, constant(0.0, 1), seed=0, initial=1, rounds=0)
    found = rank_certificate(Observed.of_run(one, run), paths=9)
    assert found.value == 0.0 and found.level == 0.9  # one point: no regret, an atom
    still = replace(SE, epsilon=0.0)
    equal = simulate(still, constant(0.0, 8), seed=0, initial=4, rounds=4)
    regrets = posterior_regrets(Observed.of_run(still, equal), 50, 0)
    # At one instant the maximum is the same in every round.
    same = equal.points == equal.points[0]
    assert np.ptp(regrets[:, same], axis=1) == pytest.approx(0.0, abs=1e-9)
    loud = replace(SE, noise_variance=1e6)
    assert rank_certificate(Observed.of_run(loud, run_of(loud)), paths=9).value > 0.0


def test_batches_fill_the_sums_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    observed = Observed.of_run(SE, run_of(SE))
    # Four of ten paths at once, then four, then two.
    monkeypatch.setattr(regret_certificate, "_BATCH_BYTES", 4 * 8 * observed.n * observed.size)
    whole = posterior_regrets(observed, 10, 3)
    for rounds in (slice(None), slice(4, None)):
        sums = rank_certificate(observed, paths=10, seed=3, rounds=rounds).regrets
        assert np.array_equal(sums, whole[:, rounds].sum(axis=1))
    assert len(np.unique(whole[:, -1])) > 5


def test_reproducible_and_apart_from_the_run() -> None:
    run = run_of(SE)
    observed = Observed.of_run(SE, run)
    first, second = (rank_certificate(observed, paths=9, seed=1) for _ in range(2))
    assert np.array_equal(first.regrets, second.regrets)
    assert not np.array_equal(first.regrets, rank_certificate(observed, paths=9, seed=2).regrets)
    own = rank_certificate(observed, paths=9, seed=1, rounds=slice(4, None))
    assert np.all(own.regrets < first.regrets)


@pytest.mark.parametrize(
    ("points", "values", "words"),
    [
        ([[0.1, 0.1]], [1.0], "at least two"),
        ([[0.1, 0.1], [0.2, 1.2]], [1.0, 2.0], "x in row 2"),
        ([[0.1, 0.1], [0.2, float("nan")]], [1.0, 2.0], "x in row 2"),
        ([[0.1, 0.1], [0.2, 0.2]], [1.0, float("inf")], "y in row 2"),
        ([[0.1, 0.1], [0.2, 0.2]], [1.0, -1.01e8], "y in row 2 = -1.01e.08: give at most"),
        ([[0.1], [0.2]], [1.0, 2.0], "points"),
        ([[0.1, 0.1], [0.2, 0.2]], [1.0], "data"),
    ],
)
def test_bad_data(points, values, words: str) -> None:
    problem = replace(SE, times=EvaluationTimes.from_durations([1.0] * len(points)))
    with pytest.raises(InvalidInput, match=words):
        Observed.of_data(problem, points, values)


def test_noise_too_small_for_repeated_points() -> None:
    problem = replace(SE, times=EvaluationTimes.from_durations([1.0, 0.0]), noise_variance=1e-100)
    observed = Observed.of_data(problem, [[0.5, 0.5], [0.5, 0.5]], [1.0, 1.0])
    with pytest.raises(NumericalFailure, match=r"noise-variance = 1e-100: .* give a larger one"):
        rank_certificate(observed, paths=9)
