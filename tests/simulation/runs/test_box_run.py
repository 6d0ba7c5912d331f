"""The objective off the grid, and runs on the box."""

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.model.box_posterior import BoxPosterior
from simulation.model.covariance import GridCovariance
from simulation.policies.readings import Hyperparameters, Readings
from simulation.policies.registry import policies
from simulation.runs.run import simulate
from simulation.world import environment
from simulation.world.box_objective import BoxObjective
from simulation.world.environment import Seeds, SequentialPath
from simulation.world.evaluation_time import (
    FixedDurations,
    PointDurations,
    biased,
    biased_time,
    constant,
    in_order,
    regressed,
)
from tests.simulation.model.test_sampling import law_of

GRID = Grid(2, 1.0, 3)
TIMES = EvaluationTimes.from_durations([1.0])


def problem(kernel, grid=GRID):
    return Problem(TIMES, time_kernel=Forgetting(0.2), space_kernel=kernel, domain=grid)


def objective(case, seed):
    factor = GridCovariance(case.space_kernel, case.domain).factor()
    children = np.random.SeedSequence(seed).spawn(2)
    path = SequentialPath(factor, case.time_kernel, children[0])
    return BoxObjective(case, path, factor, np.random.default_rng(children[1]))


@pytest.mark.parametrize("kernel", [Matern(2.5, 0.4), SquaredExponential(0.5)], ids=repr)
def test_the_objective_off_the_grid_has_the_law_it_claims(kernel, monkeypatch):
    """Exactly: five points and instants and two grid points are linear in their normals."""
    case = problem(kernel)
    points = np.array([[0.1, 0.2], [0.15, 0.2], [0.1, 0.2], [0.8, 0.33], [0.6, 0.9]])
    gaps = np.array([1.0, 0.5, 0.0, 2.0, 0.7])
    factor = GridCovariance(kernel, GRID).factor()

    def drawn(rng) -> np.ndarray:
        rows = [factor.apply(rng.standard_normal((1, factor.rank)))[0] for _ in range(6)]
        monkeypatch.setattr(environment, "Innovations", lambda factor, seed: rows)
        one = BoxObjective(case, SequentialPath(factor, case.time_kernel, None), factor, rng)
        values = []
        for x, gap in zip(points, gaps, strict=True):
            one.after(gap)
            values.append(one.at(x))
        return np.array([*values, one.on_grid[0], one.on_grid[4]])

    center, covariance = law_of(drawn)
    everywhere = np.concatenate([points, GRID.points[[0, 4]]])
    times = np.concatenate([np.cumsum(gaps), np.full(2, gaps.sum())])
    expected = kernel.gram(everywhere) * case.time_kernel.at_distance(
        np.abs(np.subtract.outer(times, times))
    )
    np.testing.assert_array_equal(center, 0.0)
    np.testing.assert_allclose(covariance, expected, atol=1e-6)


@pytest.mark.parametrize("kernel", [Matern(2.5, 0.3), SquaredExponential(0.3)], ids=repr)
def test_on_grid_points_and_asked_twice_it_is_the_same_function(kernel):
    case = problem(kernel, Grid(2, 1.0, 9))
    one = objective(case, 3)
    for gap in (1.0, 0.4):
        one.after(gap)
        for index in (0, 17, 80):
            found = one.at(case.domain.points[index])
            assert found == pytest.approx(one.on_grid[index], abs=1e-6)
        between = one.at(np.array([0.31, 0.47]))
        assert one.at(np.array([0.31, 0.47])) == pytest.approx(between, abs=1e-6)


def test_the_biased_time_is_that_of_the_grid_and_has_its_gradient():
    grid = Grid(2, 1.0, 7)
    t, gradient = biased_time(grid.points)
    np.testing.assert_allclose(t, biased(grid).durations, rtol=1e-14)
    for axis in range(2):
        step = 1e-6 * np.eye(2)[axis]
        numeric = (biased_time(grid.points + step)[0] - biased_time(grid.points - step)[0]) / 2e-6
        np.testing.assert_allclose(gradient[1:, axis], numeric[1:], rtol=1e-6, atol=1e-6)
    assert gradient[0].tolist() == [0.0, 0.0]


ON_BOX = [name for name, policy in policies().items() if policy.on_box]


def play(case, policy="ctv-fixed", times=None, **options):
    options = {"initial": 4, "rounds": 3, "starts": 2} | options
    times = biased(case.domain) if times is None else times
    return simulate(case, times, policy, box=True, **options)


@pytest.mark.parametrize("policy", ON_BOX)
def test_a_run_on_the_box_is_consistent(policy):
    case = problem(Matern(2.5, 0.3), Grid(2, 2.0, 6))
    run, again, other = play(case, policy, seed=1), play(case, policy, seed=1), play(case, seed=2)
    assert run.points.shape == (7, 2) and np.all((run.points >= 0) & (run.points <= 2))
    np.testing.assert_allclose(run.durations, biased_time(run.points)[0])
    np.testing.assert_allclose(run.times, np.cumsum(run.durations))
    assert np.all(run.regrets >= 0)
    np.testing.assert_array_equal(run.points, again.points)
    np.testing.assert_array_equal(run.observations, again.observations)
    assert not np.array_equal(run.points, other.points)
    # The policy changes neither the objective, nor the noise, nor the random rounds.
    one = play(case, "gp-ucb", seed=1)
    np.testing.assert_array_equal(run.observations[:4], one.observations[:4])


def test_what_a_run_on_the_box_is_made_of():
    """Streams of the seed: the starts, the noise, and the own randomness of the policy."""
    case, seeds = problem(Matern(2.5, 0.4), Grid(2, 2.0, 3)), Seeds.of(5)
    run = play(case, "random", constant(1.0, 6), seed=5, initial=3, rounds=3)
    starts = 2.0 * np.random.default_rng(seeds.initial).random((3, 2))
    own = np.random.default_rng(Seeds.of(5).policy.spawn(1)[0])
    np.testing.assert_array_equal(run.points, [*starts, *(2.0 * own.random(2) for _ in range(3))])
    noise = 0.1 * np.random.default_rng(seeds.noise).standard_normal(6)
    np.testing.assert_array_equal(run.observations, run.values + noise)
    assert run.times.tolist() == [1, 2, 3, 4, 5, 6]


def test_the_gain_is_the_log_determinant_at_the_points_played():
    case = problem(Matern(2.5, 0.4))
    run = play(case, "ts", seed=3)
    gram = case.space_kernel.gram(run.points) * case.time_kernel.at_distance(
        np.abs(np.subtract.outer(run.times, run.times))
    )
    expected = 0.5 * np.linalg.slogdet(np.eye(7) + gram / case.noise_variance)[1]
    assert run.cumulative_gain[-1] == pytest.approx(expected, rel=1e-9)


def test_a_model_beats_chance_on_the_box():
    case = Problem(TIMES, space_kernel=SquaredExponential(0.3), domain=Grid(2, 1.0, 8))
    options = {"initial": 10, "rounds": 15, "starts": 3, "exploration": "sqrt-beta"}
    runs = [play(case, times=constant(2.0, 25), seed=seed, **options) for seed in range(3)]
    own, start = ([run.regrets[part].mean() for run in runs] for part in (slice(10, 25), range(10)))
    assert np.mean(own) < 0.7 * np.mean(start)


def test_a_schedule_is_played_on_the_box_and_the_largest_mean_elsewhere():
    case, plan = problem(Matern(2.5, 0.4)), Schedule((3, 5), (8, 2))
    readings, times = Readings(schedule=plan), constant(1.0, 6)
    run = play(case, "scheduled", times, initial=3, starts=6, readings=readings)
    assert np.array_equal(run.points[[3, 5]], GRID.points[[8, 2]])
    posterior = BoxPosterior(
        run.points[:4],
        run.durations[:4],
        run.observations[:4],
        case.space_kernel,
        case.time_kernel,
        case.noise_variance,
    )
    scattered = np.random.default_rng(0).random((4_000, 2))
    means = posterior.at(scattered, np.ones(4_000))[0].value
    assert posterior.at(run.points[[4]], np.ones(1))[0].value[0] >= means.max() - 1e-3


def test_times_of_ones_own_are_known_anywhere():
    def slow(points):
        return 1.0 + points[:, 0], np.stack([np.ones(len(points)), np.zeros(len(points))], axis=1)

    times = PointDurations(slow(GRID.points)[0], "given t(x)", slow)
    run = play(problem(Matern(2.5, 0.4)), times=times)
    np.testing.assert_allclose(run.durations, 1.0 + run.points[:, 0])
    given = FixedDurations(np.array([1.0, 0.0, 3.0, 0.5, 2.0, 2.0, 1.0]), "given")
    assert play(problem(Matern(2.5, 0.4)), times=given).durations.tolist() == [*given.durations]


def test_hyperparameters_and_noisy_times_are_told_to_policies_on_the_box_too():
    case = problem(Matern(2.5, 0.4))
    usual = play(case, seed=2, rounds=4)
    for readings in (
        Readings(assumed=Hyperparameters(0.05, 0.5, 1.0)),
        Readings(time_noise_variance=4.0),
    ):
        run = play(case, seed=2, rounds=4, readings=readings)
        assert np.array_equal(run.points[:4], usual.points[:4])
        assert not np.array_equal(run.points, usual.points)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policy": "clairvoyant"}, "policies = clairvoyant: leave it out"),
        ({"initial": 0}, "initial = 0: give at least 1 on the box"),
        ({"rounds": -1}, "rounds = -1"),
        ({"seed": -1}, "seed = -1"),
        ({"starts": 0}, "starts = 0"),
        ({"readings": Readings(tune="likelihood")}, "tune = likelihood: drop it"),
        (
            {"times": regressed(GRID, [[0.1, 0.2], [0.5, 0.5]], [1.0, 2.0])},
            "evaluation-time = regression on the inputs: on the box times are fixed",
        ),
        (
            {"policy": "ctv", "times": in_order(EvaluationTimes.from_durations([0.0] * 7), 7)},
            "evaluation times above 0",
        ),
    ],
)
def test_bad_input_is_named(changes, message):
    with pytest.raises(InvalidInput, match=message):
        play(problem(Matern(2.5, 0.3)), **changes)
