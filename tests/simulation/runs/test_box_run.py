import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.ceilings.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.model.box_posterior import BoxPosterior
from simulation.model.covariance import GridCovariance
from simulation.model.time_model import TimeHyperparameters, fit_time_model
from simulation.policies.box_acquisition import constant_time, known_waits
from simulation.policies.box_choices import POLICIES_BY_POSTERIOR, BoxChooser
from simulation.policies.readings import Readings
from simulation.policies.suggestion import BOX_POLICIES, BoxModel, suggest
from simulation.runs.box_run import BoxObjective, _durations, biased_time, simulate_on_box
from simulation.world.environment import SequentialPath
from simulation.world.evaluation_time import FixedDurations, PointDurations, biased

GRID = Grid(2, 1.0, 3)
TIMES = EvaluationTimes.from_durations([1.0])
LEVEL = 1e-6


def problem(kernel, grid=GRID):
    return Problem(TIMES, time_kernel=Forgetting(0.2), space_kernel=kernel, domain=grid)


def objective(case, seed):
    factor = GridCovariance(case.space_kernel, case.domain).factor()
    children = np.random.SeedSequence(seed).spawn(2)
    path = SequentialPath(factor, case.time_kernel, children[0])
    return BoxObjective(case, path, factor, np.random.default_rng(children[1]))


@pytest.mark.parametrize("kernel", [Matern(2.5, 0.4), SquaredExponential(0.5)], ids=repr)
def test_the_objective_off_the_grid_has_the_law_it_claims(kernel):
    """400 draws at 5 points and instants and at 2 grid points, whitened by the true covariance,
    are independent standard normals. Sums of squares and of products, false-alarm level 1e-6.
    """
    case = problem(kernel)
    points = np.array([[0.1, 0.2], [0.15, 0.2], [0.1, 0.2], [0.8, 0.33], [0.6, 0.9]])
    gaps = np.array([1.0, 0.5, 0.0, 2.0, 0.7])
    draws = np.empty((400, 7))
    for s in range(len(draws)):
        one = objective(case, s)
        values = []
        for x, gap in zip(points, gaps, strict=True):
            one.after(gap)
            values.append(one.at(x))
        draws[s] = [*values, one.on_grid[0], one.on_grid[4]]
    everywhere = np.concatenate([points, GRID.points[[0, 4]]])
    times = np.concatenate([np.cumsum(gaps), np.full(2, gaps.sum())])
    covariance = kernel.gram(everywhere) * case.time_kernel.at_distance(
        np.abs(np.subtract.outer(times, times))
    )
    white = np.linalg.solve(np.linalg.cholesky(covariance), draws.T)
    low, high = stats.chi2.ppf([LEVEL / 2, 1 - LEVEL / 2], white.size)
    assert low < np.sum(white**2) < high
    products = (white @ white.T)[np.triu_indices(7, 1)] / np.sqrt(len(draws))
    assert np.abs(products).max() < stats.norm.isf(LEVEL / 42) * 1.1


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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policy": "clairvoyant"}, "policy = clairvoyant"),
        ({"initial": 0}, "at least 1 and 0"),
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


@pytest.mark.parametrize("time_kernel", [Forgetting(0.3), SquaredExponential(2.0)], ids=repr)
def test_a_draw_on_the_box_has_the_law_of_the_posterior(time_kernel):
    """2,000 draws at points with waits of their own, whitened by a dense solve; level 1e-6."""
    kernel = Matern(2.5, 0.4)
    points = np.array([[0.1, 0.2], [0.12, 0.2], [0.9, 0.1], [0.5, 0.5]])
    waits = np.array([0.0, 1.0, 3.0, 0.4])
    taus = np.concatenate([np.cumsum(DURATIONS), DURATIONS.sum() + waits])
    every = np.concatenate([SEEN, points])
    prior = kernel.gram(every) * time_kernel.at_distance(np.abs(np.subtract.outer(taus, taus)))
    weights = np.linalg.solve(prior[:3, :3] + 0.1 * np.eye(3), prior[:3, 3:])
    left = prior[3:, 3:] - prior[3:, :3] @ weights
    posterior, rng = seen_posterior(kernel, time_kernel), np.random.default_rng(5)
    draws = np.array([posterior.draw(points, waits, rng) for _ in range(2_000)])
    white = np.linalg.solve(np.linalg.cholesky(left), (draws - VALUES @ weights).T)
    low, high = stats.chi2.ppf([LEVEL / 2, 1 - LEVEL / 2], white.size)
    assert low < np.sum(white**2) < high
    off = (white @ white.T)[np.triu_indices(4, 1)] / np.sqrt(len(draws))
    assert np.abs(off).max() < 1.1 * stats.norm.isf(LEVEL / 12)
    assert np.abs(white.mean(axis=1)).max() * np.sqrt(len(draws)) < stats.norm.isf(LEVEL / 8)


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
        run.points[:4], run.durations[:4], run.observations[:4], case.space_kernel,
        case.time_kernel, case.noise_variance,
    )  # fmt: skip
    scattered = np.random.default_rng(0).random((4_000, 2))
    means = posterior.at(scattered, np.ones(4_000))[0].value
    assert posterior.at(run.points[[4]], np.ones(1))[0].value[0] >= means.max() - 1e-3
    with pytest.raises(InvalidInput, match="schedule"):
        late = Readings(schedule=Schedule((9,), (0,)))
        simulate_on_box(case, 1.0, "scheduled", initial=3, rounds=3, readings=late)


def test_a_random_weight_on_the_box_is_that_of_the_grid():
    case, posterior = problem(Matern(2.5, 0.4)), seen_posterior(Matern(2.5, 0.4), Forgetting(0.2))
    chooser = BoxChooser(
        "random-weight-ucb", case, np.ones(9), schedule=None,
        rng=np.random.default_rng(3), starts=6,
    )  # fmt: skip
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
