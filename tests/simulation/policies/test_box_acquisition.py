"""Acquisition on the box: against many digits, finite differences, and the grid."""

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.box_posterior import BoxPosterior
from simulation.model.covariance import GridCovariance
from simulation.model.time_model import TimeHyperparameters, condition, fit_time_model
from simulation.policies.base import PolicySetup
from simulation.policies.finite import FiniteSet
from simulation.policies.on_box.acquisition import (
    BoxAcquisition,
    known_waits,
    log_normal_waits,
    mean_waits,
)
from simulation.policies.on_box.policies import BoxSet, candidates, maximise
from simulation.policies.readings import Readings
from simulation.policies.tuned import make_policy
from simulation.world.evaluation_time import PointDurations, constant_time

RNG = np.random.default_rng(8)
POINTS = RNG.random((6, 2))
DURATIONS = np.exp(RNG.standard_normal(6) * 0.4 + 0.5)
VALUES = RNG.standard_normal(6)
TARGETS = RNG.random((3, 2))
HYPER = TimeHyperparameters(0.3, 0.6, 0.35, 0.03)
READINGS = Readings(time_prior=HYPER, time_nodes=5)
GRID, DRIFT = Grid(2, 1.0, 5), Forgetting(0.1)
SPACE = {"se": SquaredExponential(0.25), "matern": Matern(2.5, 0.3), "odd": Matern(1.7, 0.3)}


def slow_time(points):
    """t(x) = 1 + x₁² + x₂ + … with its gradient."""
    gradient = np.ones_like(points)
    gradient[:, 0] = 2 * points[:, 0]
    return 1 + points[:, 0] ** 2 + points[:, 1:].sum(axis=1), gradient


MODELLED = ("gp-ucb", "tv", "ctv", "ctv-simple", "ctv-fixed")


def fed(
    policy,
    acquisition="ucb",
    space=SPACE["matern"],
    time_kernel=DRIFT,
    readings=READINGS,
    data=(POINTS, DURATIONS, VALUES),
    **options,
):
    """A policy on the unit box that has seen these data."""
    grid = options.pop("grid", GRID)
    problem = Problem(
        EvaluationTimes.from_durations([1.0]),
        time_kernel=time_kernel,
        space_kernel=space,
        noise_variance=options.pop("noise_variance", 0.01),
        domain=grid,
    )
    time = PointDurations(slow_time(grid.points)[0], "given t(x)", slow_time)
    made = make_policy(
        policy,
        PolicySetup(
            problem,
            GridCovariance(space, grid),
            time,
            40,
            acquisition,
            options.pop("exploration", "sqrt-beta"),
            np.random.default_rng(0),
            readings,
            options.pop("decisions", None) or BoxSet(grid, time.anywhere, 12),
        ),
    )
    for x, t, y in zip(*data, strict=True):
        made.observe(x, float(t), float(y))
    return made


def built(policy, acquisition, space, time_kernel=DRIFT, readings=READINGS):
    made = fed(policy, acquisition, space, time_kernel, readings)
    return made.belief.acquisition(made.criterion(6))


@pytest.mark.parametrize("space", sorted(SPACE))
@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", MODELLED)
def test_gradients_against_finite_differences(policy, acquisition, space):
    for time_kernel in (Forgetting(0.2), Matern(1.5, 4.0), SquaredExponential(3.0)):
        function = built(policy, acquisition, SPACE[space], time_kernel)
        _, gradients = function(TARGETS)
        for x, gradient in zip(TARGETS, gradients, strict=True):
            for axis in range(2):
                step = 1e-5 * np.eye(2)[axis]
                low, high = function(np.stack([x - step, x + step]))[0]
                assert gradient[axis] == pytest.approx((high - low) / 2e-5, rel=2e-5, abs=2e-5)


def test_derivatives_at_distance_zero():
    zero = np.zeros(1)
    assert Matern(2.5, 0.4).derivative(zero)[0] == 0.0
    assert Matern(0.5, 0.4).derivative(zero)[0] == pytest.approx(-2.5)
    assert Matern(0.8, 0.4).derivative_over_distance(zero)[0] == 0.0
    near = Matern(2.5, 0.4).derivative_over_distance(np.array([0.0, 1e-9]))
    assert near[0] == pytest.approx(near[1]) == pytest.approx(-5 / 3 / 0.16)
    with pytest.raises(InvalidInput, match="gradients need"):
        Forgetting(0.1).derivative_over_distance(zero)


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", MODELLED)
def test_the_box_agrees_with_the_grid_on_its_points(policy, acquisition):
    indices = RNG.integers(GRID.size, size=6)
    data = (indices, DURATIONS, VALUES)
    on_grid = fed(policy, acquisition, data=data, decisions=FiniteSet())
    in_box = fed(policy, acquisition, data=(GRID.points[indices], DURATIONS, VALUES))
    found = in_box.belief.acquisition(in_box.criterion(6))(GRID.points)[0]
    expected = on_grid.belief.values(on_grid.criterion(6))
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", MODELLED)
def test_the_choice_is_no_worse_than_a_fine_lattice(policy, acquisition):
    function = built(policy, acquisition, SPACE["matern"])
    chosen = fed(policy, acquisition).choose(6)
    assert np.all((chosen >= 0.0) & (chosen <= 1.0))
    value, gradient = function(chosen[None])
    assert value[0] >= function(Grid(2, 1.0, 60).points)[0].max() - 1e-9
    inside = (chosen > 0) & (chosen < 1)
    slope = gradient[0][inside] * (np.exp(value[0]) if acquisition == "ei" else 1.0)
    assert np.abs(slope).max(initial=0.0) < 1e-3


def test_the_moving_incumbent_is_an_option():
    data = (POINTS, np.array([1.0, 500.0, *DURATIONS[2:]]), np.array([5.0, *VALUES[1:]]))
    now, ever = (
        fed("ctv", "ei", data=data, readings=Readings(incumbent=reading)).criterion(6).incumbent
        for reading in ("mean", "observed")
    )
    assert now < 1.0 and ever == 5.0


@pytest.mark.parametrize("gap", [1.0, -1.0])
def test_improvement_without_uncertainty_is_the_mean_above_the_incumbent(gap):
    """No noise and no drift: at an evaluated point σ is 0 but for rounding, and EI (μ − best)₊."""
    certain = BoxPosterior(
        POINTS, np.zeros(6), VALUES, SPACE["se"], Forgetting(0.0), noise_variance=1e-300
    )
    waits = known_waits(constant_time(0.0))
    value, gradient = BoxAcquisition(certain, waits, 0.0, VALUES[0] - gap)(POINTS[:1])
    if gap > 0:
        assert value[0] == pytest.approx(0.0, abs=1e-5)
        assert np.isfinite(gradient).all()
    else:
        assert value[0] < -100


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", ["ctv", "ctv-simple"])
def test_times_that_overflow_are_times_after_which_all_is_forgotten(policy, acquisition):
    """A prior variance of 10⁶ for log t: most nodes are 0 or beyond every double."""
    readings = Readings(time_prior=TimeHyperparameters(variance=1e6))
    made = fed(policy, acquisition, readings=readings)
    chosen = made.choose(6)
    assert np.all((chosen >= 0) & (chosen <= 1))
    assert np.isfinite(made.belief.acquisition(made.criterion(6))(chosen[None])[0])
    model = condition(readings.time_prior, POINTS, DURATIONS)
    for waits in (log_normal_waits(model, 5, with_noise=False), mean_waits(model, with_noise=True)):
        at = waits(TARGETS)
        assert at.times.max() == pytest.approx(np.exp(200.0))
        assert np.all(at.gradients[at.times == at.times.max()] == 0.0)
        assert np.all(np.isfinite(at.gradients))


def test_improvement_far_from_what_is_seen_overflows_nowhere():
    """The gradient's branch for σ = 0 was evaluated for every point."""
    points = np.random.default_rng(0).random((30, 1))
    values = 2.0 * np.sin(9.0 * points[:, 0])
    for scale, noise_variance in ((1.0, 1e-4), (1.0, 1e-6), (1e200, 1e-2)):
        made = fed(
            "gp-ucb",
            "ei",
            data=(points, np.ones(30), scale * values),
            grid=Grid(1, 1.0, 5),
            noise_variance=noise_variance,
        )
        chosen = made.choose(30)
        value = made.belief.acquisition(made.criterion(30))(chosen[None])[0]
        assert value < np.inf and not np.isnan(value)


class Hill:
    """Two maxima of the box [0, 2]²: 3 at (0.5, 0.5) and 2.9 at (1.5, 1.5), both quadratic."""

    def __call__(self, points):
        tops = np.array([[0.5, 0.5], [1.5, 1.5]])
        steps = points[:, None, :] - tops
        heights = np.array([3.0, 2.9]) - np.sum(steps**2, axis=2)
        best = np.argmax(heights, axis=1)
        every = np.arange(len(points))
        return heights[every, best], -2.0 * steps[every, best]


def test_searches_end_in_maxima_the_best_first():
    seen = np.array([[0.5, 0.5], [1.9, 1.9]])
    begun = candidates(seen, 2.0, 7)
    assert begun.shape == (1_026, 2) and np.array_equal(begun[1_024:], seen)
    assert np.array_equal(begun[:1_024], 2.0 * np.random.default_rng(7).random((1_024, 2)))
    ends, best = maximise(Hill(), seen, 2.0, 150, 7)
    assert ends.shape == (150, 2) and best == pytest.approx(3.0)
    values = Hill()(ends)[0]
    assert np.all(np.diff(values) <= 1e-12) and values[-1] == pytest.approx(2.9)
    alone, value = maximise(Hill(), seen, 2.0, 1, 7)
    # The best candidate is the maximum itself, where no search finds anything better.
    assert alone.tolist() == [[0.5, 0.5]] and value == 3.0


def test_a_search_stays_in_the_box_and_keeps_a_start_that_nothing_betters():
    def slope(points):
        return points.sum(axis=1), np.ones_like(points)

    ends, best = maximise(slope, np.zeros((1, 2)), 2.0, 3, 0)
    assert ends.tolist() == [[2.0, 2.0]] * 3 and best == 4.0

    def misleading(points):  # its gradient points away from what is better
        return -np.sum((points - 1.0) ** 2, axis=1), 2.0 * (points - 1.0)

    begun = candidates(np.ones((1, 2)), 2.0, 0)
    order = np.argsort(np.sum((begun - 1.0) ** 2, axis=1))
    ends, best = maximise(misleading, np.ones((1, 2)), 2.0, 3, 0)
    np.testing.assert_array_equal(ends, begun[order[:3]])
    assert best == 0.0


@pytest.mark.parametrize("noise", [False, True])
def test_waits_of_a_policy_are_those_of_its_readings(noise):
    readings = Readings(
        time_prior=HYPER,
        time_nodes=3,
        mean_time_noise=noise,
        integral_noise=noise,
        round_length=2.5,
    )

    def waits(policy):
        made = fed(policy, readings=readings)
        return made.belief.acquisition(made.criterion(6)).waits(TARGETS)

    model = condition(HYPER, POINTS, DURATIONS)
    ctv, simple = waits("ctv"), waits("ctv-simple")
    mean, variance = model.log_posterior(TARGETS)
    extra = HYPER.noise_variance if noise else 0.0
    np.testing.assert_allclose(simple.times, [np.exp(mean + 0.5 * (variance + extra))])
    assert simple.weights.tolist() == [1.0]
    # Three nodes of the Hermite polynomials: 0 and ±√3 in deviations, of weights ⅔ and ⅙.
    nodes = np.array([-np.sqrt(3), 0.0, np.sqrt(3)])[:, None]
    np.testing.assert_allclose(ctv.times, np.exp(mean + nodes * np.sqrt(variance + extra)))
    np.testing.assert_allclose(ctv.weights, [1 / 6, 2 / 3, 1 / 6])
    for policy, wait in (("gp-ucb", 0.0), ("tv", 2.5)):
        at = waits(policy)
        assert at.times.tolist() == [[wait] * 3] and not at.gradients.any()
        assert at.gradients.shape == (1, 3, 2)


@pytest.mark.parametrize("prior", [TimeHyperparameters(), "ml"], ids=["fixed", "ml"])
@pytest.mark.parametrize("policy", ["ctv", "ctv-simple"])
def test_the_prior_of_log_t_is_settled_at_the_first_own_round(policy, prior):
    """As on the grid; once it was settled anew in every round."""
    made = fed(policy, readings=Readings(time_prior=prior))
    made.choose(6)
    made.observe(np.array([0.9, 0.1]), 50.0, 0.0)
    settled = TimeHyperparameters(mean=float(np.mean(np.log(DURATIONS))))
    if prior == "ml":
        settled = fit_time_model(POINTS, DURATIONS).hyperparameters
    same = fed(policy, readings=Readings(time_prior=settled))
    same.observe(np.array([0.9, 0.1]), 50.0, 0.0)
    np.testing.assert_array_equal(made.choose(7), same.choose(7))


def test_a_random_weight_on_the_box_is_that_of_the_grid():
    made = fed("random-weight-ucb")
    weight = stats.norm.isf(np.random.default_rng(0).random() / GRID.size)
    assert made.criterion(6).weight == pytest.approx(weight)
    other = fed("irgp-ucb")
    square = 2.0 * np.log(GRID.size / 2.0) + np.random.default_rng(0).chisquare(2.0)
    assert other.criterion(6).weight == pytest.approx(np.sqrt(square))


def test_thompson_sampling_plays_the_best_of_a_draw() -> None:
    """Where nearly all is known every draw has its maximum where the mean has."""
    axis = np.linspace(0.0, 1.0, 7)
    seen = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    values = -4.0 * np.sum((seen - [0.65, 0.3]) ** 2, axis=1)
    data = (seen, np.ones(len(seen)), values)
    still = {"space": SPACE["se"], "time_kernel": Forgetting(0.0), "noise_variance": 1e-4}
    first, second = (fed("ts", data=data, **still).choose(i) for i in (49, 50))
    for found in (first, second):
        assert np.linalg.norm(found - [0.65, 0.3]) < 0.2
    assert not np.array_equal(first, second)
    assert np.array_equal(first, fed("ts", data=data, **still).choose(49))
