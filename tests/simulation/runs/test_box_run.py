from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.upper.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.model.box_posterior import BoxPosterior
from simulation.model.covariance import GridCovariance
from simulation.model.time_model import TimeHyperparameters, fit_time_model
from simulation.policies.box_acquisition import constant_time, known_waits
from simulation.policies.box_choices import POLICIES_BY_POSTERIOR, BoxChooser
from simulation.policies.readings import Readings
from simulation.policies.suggestion import BOX_POLICIES, BoxModel, suggest
from simulation.runs import box_run
from simulation.runs.box_run import BoxObjective, _durations, biased_time, simulate_on_box
from simulation.world import environment
from simulation.world.environment import Seeds, SequentialPath
from simulation.world.evaluation_time import FixedDurations, PointDurations, biased
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


@pytest.mark.parametrize("policy", BOX_POLICIES)
def test_a_run_on_the_box_is_consistent(policy):
    case = problem(Matern(2.5, 0.3), Grid(2, 1.0, 8))
    run = simulate_on_box(case, biased_time, policy, seed=1, initial=5, rounds=4, starts=2)
    np.testing.assert_allclose(run.durations, biased_time(run.points)[0])
    np.testing.assert_allclose(run.times, np.cumsum(run.durations))
    assert np.all(run.regrets >= 0)
    assert np.all((run.points >= 0) & (run.points <= 1))
    again = simulate_on_box(case, biased_time, policy, seed=1, initial=5, rounds=4, starts=2)
    np.testing.assert_array_equal(run.points, again.points)
    other = simulate_on_box(case, biased_time, "gp-ucb", seed=1, initial=5, rounds=4, starts=2)
    np.testing.assert_array_equal(run.observations[:5], other.observations[:5])


@pytest.mark.parametrize("prior", [TimeHyperparameters(), "ml"], ids=["fixed", "ml"])
@pytest.mark.parametrize("policy", ["ctv", "ctv-simple"])
def test_the_prior_of_log_t_is_settled_at_the_first_own_round(policy, prior):
    """As on the grid; once it was settled anew in every round."""
    case = problem(Matern(2.5, 0.3), Grid(2, 1.0, 8))
    options = {"readings": Readings(time_prior=prior), "starts": 2}
    run = simulate_on_box(case, biased_time, policy, initial=6, rounds=3, **options)
    start = run.durations[:6]
    settled = TimeHyperparameters(mean=float(np.mean(np.log(start))))
    if prior == "ml":
        settled = fit_time_model(run.points[:6], start).hyperparameters
    model = BoxModel(case.space_kernel, case.time_kernel, case.noise_variance)
    for i in (6, 7, 8):
        seen = (run.points[:i], run.durations[:i], run.observations[:i])
        readings = Readings(time_prior=settled)
        found = suggest(*seen, policy=policy, model=model, readings=readings, starts=2, seed=i)
        np.testing.assert_array_equal(found.point, run.points[i])


def test_a_model_beats_chance_on_the_box():
    case = Problem(TIMES, space_kernel=SquaredExponential(0.3), domain=Grid(2, 1.0, 8))
    own, start = [], []
    for seed in range(3):
        run = simulate_on_box(
            case, 2.0, seed=seed, initial=10, rounds=15, starts=3, exploration="sqrt-beta"
        )
        start.append(run.regrets[:10].mean())
        own.append(run.regrets[10:].mean())
    assert np.mean(own) < 0.7 * np.mean(start)


class Heights:
    """Stands for an objective: at x the sum of its coordinates and of the time; 1 on the grid."""

    def __init__(self, problem, path, factor, rng) -> None:
        self.now, self.on_grid = 0.0, np.zeros(problem.domain.size)

    def after(self, gap: float) -> None:
        self.now += gap
        self.on_grid[:] = 1.0

    def at(self, point) -> float:
        return float(point.sum())


def test_a_run_keeps_what_it_asked_and_was_told(monkeypatch):
    """By default 30 initial rounds and 100 of the policy, which is told all before each."""
    case, asked = problem(Matern(2.5, 0.4), Grid(2, 2.0, 3)), []

    def suggested(points, durations, observations, **options):
        asked.append((points.copy(), durations.copy(), observations.copy(), options))
        return SimpleNamespace(point=np.array([1.5, 0.25]))

    monkeypatch.setattr(box_run, "BoxObjective", Heights)
    monkeypatch.setattr(box_run, "suggest", suggested)
    run = simulate_on_box(case, 1.0)
    seeds = Seeds.of(0)
    starts = 2.0 * np.random.default_rng(seeds.initial).random((30, 2))
    noise = 0.1 * np.random.default_rng(seeds.noise).standard_normal(130)
    assert (run.policy, run.seed, run.initial) == ("ctv-fixed", 0, 30)
    assert np.array_equal(run.points, [*starts, *[[1.5, 0.25]] * 100])
    assert np.array_equal(run.durations, np.ones(130))
    assert np.array_equal(run.times, np.arange(1, 131))
    assert np.array_equal(run.values, run.points.sum(axis=1))
    assert np.array_equal(run.observations, run.values + noise)
    assert np.array_equal(run.best_values, np.maximum(run.values, 1.0))
    for i, (points, durations, observations, options) in zip(range(30, 130), asked, strict=True):
        assert np.array_equal(points, run.points[:i])
        assert np.array_equal(durations, run.durations[:i])
        assert np.array_equal(observations, run.observations[:i])
        time = options.pop("evaluation_time")
        assert time(points)[0].tolist() == [1.0] * i
        settled = Readings(time_prior=TimeHyperparameters(mean=0.0))
        assert options == {
            "policy": "ctv-fixed",
            "acquisition": "ucb",
            "exploration": "beta",
            "starts": 8,
            "seed": i,
            "readings": settled,
            "model": BoxModel(case.space_kernel, case.time_kernel, case.noise_variance, 2.0),
        }
    asked.clear()
    own, far = Matern(0.5, 0.3), Readings(c1=2.0)
    other = simulate_on_box(
        case,
        FixedDurations(np.array([1.0, 0.0, 3.0]), "given"),
        "tv",
        seed=5,
        initial=2,
        rounds=1,
        acquisition="ei",
        exploration="sqrt-beta",
        model_kernel=own,
        readings=far,
        starts=3,
    )
    (points, durations, _, options) = asked[0]
    assert durations.tolist() == [1.0, 0.0] and other.durations.tolist() == [1.0, 0.0, 3.0]
    assert np.array_equal(points, 2.0 * np.random.default_rng(Seeds.of(5).initial).random((2, 2)))
    assert options == {
        "policy": "tv",
        "acquisition": "ei",
        "exploration": "sqrt-beta",
        "starts": 3,
        "seed": 2,
        "evaluation_time": None,
        "readings": far,
        "model": BoxModel(own, case.time_kernel, case.noise_variance, 2.0),
    }
    none = simulate_on_box(case, biased_time, "random", seed=5, initial=1, rounds=0)
    assert none.points.shape == (1, 2) and np.isnan(none.own_regret_per_round)
    rng = np.random.default_rng(Seeds.of(5).policy.spawn(1)[0])
    drawn = simulate_on_box(case, biased_time, "random", seed=5, initial=1, rounds=3)
    assert np.array_equal(drawn.points[1:], 2.0 * rng.random((3, 2)))


@pytest.mark.parametrize("policy", ["ts", "scheduled"])
def test_policies_by_the_posterior_are_told_the_times_of_their_rounds(policy, monkeypatch):
    made, asked = [], []

    class Chooser:
        def __init__(self, *given, **options) -> None:
            made.append((given, options))

        def choose(self, i, posterior, points, waits):
            asked.append((i, posterior, points, waits(points).times.tolist()))
            return np.array([0.5, 0.5])

    monkeypatch.setattr(box_run, "BoxChooser", Chooser)
    monkeypatch.setattr(box_run, "BoxPosterior", lambda *given: given)
    case, own = problem(Matern(2.5, 0.4)), Matern(0.5, 0.3)
    plan = Schedule((3,), (1,))
    times = FixedDurations(np.array([1.0, 2.0, 3.0, 4.0]), "given")
    run = simulate_on_box(
        case,
        times,
        policy,
        seed=5,
        initial=2,
        rounds=2,
        starts=3,
        model_kernel=own,
        readings=Readings(schedule=plan),
    )
    ((given, options),) = made
    assert given[:2] == (policy, case) and given[2].tolist() == [1.0, 2.0, 3.0, 4.0]
    rng = options.pop("rng")
    assert options == {"schedule": plan, "starts": 3}
    assert rng.random() == np.random.default_rng(Seeds.of(5).policy.spawn(1)[0]).random()
    for i, (number, posterior, points, waits) in zip((2, 3), asked, strict=True):
        assert number == i and np.array_equal(points, run.points[:i])
        seen = (run.points[:i], run.durations[:i], run.observations[:i])
        assert all(np.array_equal(a, b) for a, b in zip(posterior, seen, strict=False))
        assert posterior[3:] == (own, case.time_kernel, case.noise_variance)
        assert waits == [[i + 1.0] * i]


def test_times_on_the_box_are_a_function_or_rounds_in_order():
    time, known = box_run._times(biased_time, GRID, 4)
    assert time(0) is time(3) and isinstance(known, PointDurations)
    assert known.durations == pytest.approx(biased(GRID).durations) and known.name == "on the box"
    time, known = box_run._times(2.5, GRID, 4)
    assert isinstance(known, FixedDurations) and known.durations.tolist() == [2.5] * 4
    assert known.name == "constant" and time(3)(GRID.points)[0].tolist() == [2.5] * 9
    given = FixedDurations(np.array([1.0, 7.0]), "given")
    time, known = box_run._times(given, GRID, 2)
    assert known is given and time(1)(GRID.points)[0].tolist() == [7.0] * 9


def test_hyperparameters_are_settled_by_positive_times_alone():
    fitted = Readings(time_prior="ml")
    for zero in ([0.0, 1.0], [0.0, 0.0]):
        assert box_run._settled(fitted, SEEN[:2], np.array(zero)) is fitted
    found = box_run._settled(fitted, SEEN, DURATIONS)
    assert found == Readings(time_prior=fit_time_model(SEEN, DURATIONS).hyperparameters)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policy": "clairvoyant"}, "policy = clairvoyant"),
        ({"initial": 0}, "at least 1 and 0"),
        ({"rounds": -1}, r"initial, rounds = \(2, -1\)"),
        ({"exploration": "theory"}, "exploration = theory"),
        ({"readings": Readings(time_noise_variance=0.1)}, "exact here"),
        ({"seed": -1}, "seed = -1"),
        ({"evaluation_time": -1.0}, "evaluation_time = -1.0: give a finite time"),
    ],
)
def test_bad_input_is_named(changes, message):
    options = {"initial": 2, "rounds": 1, "evaluation_time": 2.0} | changes
    with pytest.raises(InvalidInput, match=message):
        simulate_on_box(problem(Matern(2.5, 0.3)), **options)


SEEN = np.array([[0.1, 0.2], [0.7, 0.6], [0.4, 0.9]])
DURATIONS, VALUES = np.array([1.0, 0.5, 2.0]), np.array([0.3, -1.0, 0.8])


def seen_posterior(kernel, time_kernel, noise=0.1):
    return BoxPosterior(SEEN, DURATIONS, VALUES, kernel, time_kernel, noise)


@pytest.mark.parametrize("policy", POLICIES_BY_POSTERIOR)
def test_policies_by_the_posterior_share_the_objective_and_repeat(policy):
    case = problem(Matern(2.5, 0.4))
    runs = [
        simulate_on_box(case, biased_time, one, seed=s, initial=3, rounds=3, starts=2)
        for one, s in ((policy, 4), (policy, 4), ("gp-ucb", 4), (policy, 5))
    ]
    assert np.array_equal(runs[0].points, runs[1].points)
    assert np.array_equal(runs[0].observations, runs[1].observations)
    assert np.array_equal(runs[0].points[:3], runs[2].points[:3])
    assert runs[0].values[0] == runs[2].values[0]
    assert not np.array_equal(runs[0].points, runs[3].points)
    assert np.all((runs[0].points >= 0) & (runs[0].points <= 1)) and np.all(runs[0].regrets >= 0)


def test_a_schedule_is_played_on_the_box_and_the_largest_mean_elsewhere():
    case, plan = problem(Matern(2.5, 0.4)), Schedule((3, 5), (8, 2))
    run = simulate_on_box(
        case, 1.0, "scheduled", initial=3, rounds=3, starts=6, readings=Readings(schedule=plan)
    )
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
    with pytest.raises(InvalidInput, match="schedule"):
        late = Readings(schedule=Schedule((9,), (0,)))
        simulate_on_box(case, 1.0, "scheduled", initial=3, rounds=3, readings=late)


def test_a_random_weight_on_the_box_is_that_of_the_grid():
    case, posterior = problem(Matern(2.5, 0.4)), seen_posterior(Matern(2.5, 0.4), Forgetting(0.2))
    chooser = BoxChooser(
        "random-weight-ucb",
        case,
        np.ones(9),
        schedule=None,
        rng=np.random.default_rng(3),
        starts=6,
    )
    rng = np.random.default_rng(3)
    rng.integers(2**62)
    weight = stats.norm.isf(rng.random() / GRID.size)

    def upper(points):
        mean, variance = posterior.at(points, np.ones(len(points)))
        return mean.value + weight * np.sqrt(variance.value)

    found = chooser.choose(4, posterior, SEEN, known_waits(constant_time(1.0)))
    assert upper(found[None])[0] >= upper(np.random.default_rng(0).random((4_000, 2))).max() - 1e-3


def test_a_schedule_is_planned_for_the_times_of_its_rounds() -> None:
    fixed = FixedDurations(np.array([1.0, 5.0, 2.0]), "in order")
    assert _durations(fixed, 3).tolist() == [1.0, 5.0, 2.0]
    assert _durations(PointDurations(np.array([1.0, 4.0]), "two points"), 3).tolist() == [2.5] * 3
