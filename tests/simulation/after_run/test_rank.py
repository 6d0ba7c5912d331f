"""The rank certificate against dense algebra, its level against ranks, and bad input."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Matern, SquaredExponential
from bounds.noise import noise_of_rows
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.after_run import rank as regret_certificate
from simulation.after_run.observed import Observed
from simulation.after_run.rank import posterior_regrets, rank_certificate, rank_of
from simulation.runs.run import simulate
from simulation.world.evaluation_time import biased, constant
from tests.oracles import dense_posterior
from tests.simulation.model.test_sampling import Unit

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


UNLIKE = noise_of_rows(
    np.diag([1.0, 50.0, 5.0, 0.2] * 2) + 0.9 * np.kron(np.eye(4), [[0, 1], [1, 0]])
)


@pytest.mark.parametrize(
    ("problem", "noise"),
    [(SE, None), (MATERN, None), (SMOOTH, None), (SE, UNLIKE)],
    ids=["se", "matern", "smooth time", "noise matrix"],
)
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
)
def test_noise_that_is_no_covariance_is_refused(given, message) -> None:
    two = replace(SE, times=EvaluationTimes.from_times([1.0, 2.0]))
    with pytest.raises(InvalidInput, match=message):
        Observed.of_data(two, [[0.1, 0.1], [0.9, 0.9]], [0.0, 1.0], noise=given)


@pytest.mark.parametrize("problem", [SE, SMOOTH], ids=["markov", "smooth"])
def test_prior_paths_and_their_correction_by_dense_algebra(problem, monkeypatch) -> None:
    """Paths are linear in their normals: an instant's stream gives those of its row."""
    gaps = EvaluationTimes.from_durations([1.0, 0.0, 2.5, 4.0])
    few = replace(problem, times=gaps, domain=Grid(2, 1.0, 2))
    observed = Observed.of_data(few, [[0.0, 1.0], [0.5, 0.5], [1.0, 1.0], [0.5, 0.5]], [0.0] * 4)
    factor, n, size = regret_certificate._factor(observed), 4, 5
    assert observed.size == size
    monkeypatch.setattr(np.random, "default_rng", lambda stream: stream)
    columns = []
    for place in range(n * factor.rank):
        streams = [Unit(place - i * factor.rank) for i in range(n)]
        path = regret_certificate._prior_paths(observed, factor, streams, 1)
        columns.append(path.reshape(n * size))
    root = np.array(columns).T
    assert root @ root.T == pytest.approx(joint(observed)[0], abs=1e-9)
    if problem is SE:
        weights = np.random.RandomState(0).standard_normal((n, 2))
        paths = np.ones((n, 2, size))
        regret_certificate._correct_markov(observed, paths, weights)
        added = np.einsum("ij,jc,jm->icm", observed.time_gram, weights, observed.space_rows)
        assert paths == pytest.approx(1.0 + added)


def test_paths_and_rows_of_a_certificate() -> None:
    observed = Observed.of_run(SE, run_of(SE))
    found = rank_certificate(observed)
    regrets = posterior_regrets(observed, 99, 0)
    assert np.array_equal(found.regrets, regrets.sum(axis=1))
    assert (found.rank, found.level) == (90, 0.9) and found.value == np.sort(found.regrets)[89]
    assert found.mean == pytest.approx(regrets.sum(axis=1).mean())
    factor = regret_certificate._factor(observed)
    own = rank_certificate(observed, paths=9, delta=0.5, factor=factor)
    assert own.value == np.sort(posterior_regrets(observed, 9, 0).sum(axis=1))[4]
    for wrong in (-1, -5):
        with pytest.raises(InvalidInput, match="seed"):
            rank_certificate(observed, paths=9, seed=wrong)
    # Streams of the rounds' children, the last of them for the noise.
    streams = np.random.SeedSequence([3, observed.n], spawn_key=(5,))
    batch = regret_certificate._batch(observed, factor, streams, 4)
    assert np.array_equal(posterior_regrets(observed, 4, 3), batch)


def test_points_off_the_grid_have_a_factor_of_their_own(monkeypatch) -> None:
    """One of the grid alone, where it is at hand, does not know them."""
    two = replace(SE, times=EvaluationTimes.from_times([1.0, 2.0]), domain=Grid(2, 1.0, 3))
    observed = Observed.of_data(two, [[0.1, 0.1], [0.5, 0.5]], [0.0, 1.0])
    factor = regret_certificate._factor(replace(observed, extra=observed.extra[:0]))
    found = posterior_regrets(observed, 3, 0, factor=factor)
    assert np.array_equal(found, posterior_regrets(observed, 3, 0))
    monkeypatch.setattr(regret_certificate, "LARGEST_DENSE_SITES", 10)
    posterior_regrets(observed, 1, 0)
    monkeypatch.setattr(regret_certificate, "LARGEST_DENSE_SITES", 9)
    with pytest.raises(InvalidInput, match="grid = 10 sites: with points off the grid give at"):
        posterior_regrets(observed, 1, 0)
    on_grid = Observed.of_data(two, [[0.0, 0.5], [0.5, 0.5]], [0.0, 1.0])
    assert posterior_regrets(on_grid, 1, 0).shape == (1, 2)


@pytest.mark.parametrize("rounds", [slice(None), slice(1, 6, 2)])
@pytest.mark.parametrize("noise", [None, UNLIKE])
def test_what_the_data_say_by_dense_algebra(rounds, noise) -> None:
    observed = replace(Observed.of_run(SE, run_of(SE, rounds=4)), noise=noise)
    full, at, noisy = joint(observed)
    solved = np.linalg.solve(noisy, full[at])
    some = at[rounds]
    mean, variance = observed.played_sum(rounds)
    assert mean == pytest.approx(np.sum(observed.observations @ solved[:, some]))
    left = full[np.ix_(some, some)] - full[np.ix_(some, at)] @ solved[:, some]
    assert variance == pytest.approx(left.sum(), abs=1e-9)
    distance = observed.observations @ np.linalg.solve(noisy, observed.observations)
    law = stats.chi2(observed.n)
    assert observed.prior_fit() == pytest.approx(2 * min(law.cdf(distance), law.sf(distance)))
    assert np.array_equal(
        observed.noise_gram, SE.noise_variance * (np.eye(8) if noise is None else noise.matrix)
    )
    for i, found in zip((1, 5), observed.hindsight(range(1, 6, 4)), strict=True):
        block = slice(i * observed.size, (i + 1) * observed.size)
        assert found.mean == pytest.approx(observed.observations @ solved[:, block], abs=1e-9)
        whole = full[block, block] - full[block, at] @ solved[:, block]
        explained = found.explained @ found.explained.T
        assert full[block, block] - explained == pytest.approx(whole, abs=1e-9)


def test_a_run_is_observed_at_its_own_times() -> None:
    run = run_of(SE, 3, rounds=2, duration=biased(GRID))
    observed = Observed.of_run(SE, run)
    assert observed.problem.times.durations.tolist() == run.durations.tolist()
    assert observed.problem.times.source == f"{run.policy}-3"
    assert (observed.n, observed.size, observed.extra.shape) == (6, 25, (0, 2))
    assert observed.played.tolist() == run.points.tolist() and observed.noise is None
    assert observed.problem.domain is GRID and observed.observations is run.observations


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
    _, _, noisy = joint(observed)
    assert observed.factor @ observed.factor.T == pytest.approx(noisy, abs=1e-12)


def test_prior_fit_speaks_against_a_wrong_prior_only() -> None:
    runs = [run_of(SE, seed) for seed in range(60)]
    right = [Observed.of_run(SE, run).prior_fit() for run in runs]
    assert stats.kstest(right, "uniform").pvalue > 1e-3
    wrong = replace(SE, space_kernel=SquaredExponential(1.5))
    assert np.mean([Observed.of_run(wrong, run).prior_fit() < 0.01 for run in runs]) > 0.8


@pytest.mark.parametrize(
    ("paths", "delta", "rank"),
    [
        (9, 0.1, 9),
        (99, 0.1, 90),
        (10, 0.1, 10),
        (1, 0.5, 1),
        (19, 0.05, 19),
        (1, 0.999, 1),
        (1_000_000, 0.1, 900_001),
        (999_999, 1e-6, 999_999),
    ],
)
def test_rank(paths: int, delta: float, rank: int) -> None:
    assert rank_of(paths, delta) == rank
    assert rank / (paths + 1) >= 1.0 - delta - 1e-12


@pytest.mark.parametrize(
    ("paths", "delta", "words"),
    [
        (8, 0.1, "at least 9"),
        (0, 0.5, "at least 1"),
        (9, 0.0, "delta"),
        (9, 1.0, "delta"),
        (98, 0.01, "at least 99"),
        (9, float("nan"), "delta"),
        (10**6, 9e-7, "delta = 9e-07: give at"),
        (1_000_001, 0.1, "at most 1000000"),
        (99, 1e-9, "delta"),
    ],
)
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
        ([[0.1], [0.2]], [1.0, 2.0], r"points = shape \(2, 1\): give 2 columns"),
        ([0.1, 0.2], [1.0, 2.0], "points"),
        ([[1.2, 0.1], [0.2, 0.2]], [1.0, 2.0], "x in row 1 = 1.2, 0.1: "),
        ([[float("inf"), 0.1], [0.2, 0.2]], [1.0, 2.0], "x in row 1 = not finite"),
        ([[0.1, 0.1], [0.2, 0.2]], [2e8, -1.0], "y in row 1 = 2e.08: give at most 1e.08 in size"),
        ([[0.1, 0.1], [0.2, 0.2]], [[1.0], [2.0]], "data"),
        ([[0.1, 0.1], [0.2, 0.2]], [1.0], "data"),
    ],
)
def test_bad_data(points, values, words: str) -> None:
    problem = replace(SE, times=EvaluationTimes.from_durations([1.0] * len(points)))
    with pytest.raises(InvalidInput, match=words):
        Observed.of_data(problem, points, values)


def test_data_at_the_edge_of_what_is_refused() -> None:
    two = replace(SE, times=EvaluationTimes.from_times([1.0, 2.0]))
    assert Observed.of_data(two, [[0.1, 0.1], [0.2, 1.0]], [1e8, -1e8]).n == 2
    for points, values in (([[0.1, 0.1]], [1.0]), ([[0.1, 0.1]] * 3, [1.0] * 3)):
        with pytest.raises(InvalidInput, match="data"):
            Observed.of_data(two, points, values)
    off = [[0.1, 0.1], [0.9, 0.2], [0.1, 0.1], [0.5, 0.5]]
    four = replace(SE, times=EvaluationTimes.from_times([1.0, 2.0, 3.0, 4.0]))
    observed = Observed.of_data(four, off, [0.0] * 4, noise=[1.0, 2.0, 3.0, 4.0])
    assert observed.extra.tolist() == [[0.1, 0.1], [0.9, 0.2]]
    assert observed.played.tolist() == [25, 26, 25, 12] and observed.played.dtype == np.int64
    assert np.array_equal(observed.noise.matrix, np.diag([1.0, 2.0, 3.0, 4.0]))


def test_noise_too_small_for_repeated_points() -> None:
    problem = replace(SE, times=EvaluationTimes.from_durations([1.0, 0.0]), noise_variance=1e-100)
    observed = Observed.of_data(problem, [[0.5, 0.5], [0.5, 0.5]], [1.0, 1.0])
    with pytest.raises(NumericalFailure, match=r"noise-variance = 1e-100: .* give a larger one"):
        rank_certificate(observed, paths=9)
