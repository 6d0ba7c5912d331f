"""Acquisition on the box: against many digits, finite differences, and the grid."""

import mpmath
import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.box_posterior import BoxPosterior
from simulation.model.covariance import GridCovariance
from simulation.model.time_model import TimeHyperparameters, condition
from simulation.policies import suggestion
from simulation.policies.box_acquisition import (
    BoxAcquisition,
    constant_time,
    known_time,
    known_waits,
    log_normal_waits,
    mean_waits,
)
from simulation.policies.policy import PolicySetup, make_policy, suggest
from simulation.policies.readings import Readings
from simulation.policies.suggestion import (
    BOX_POLICIES,
    BoxModel,
    _Data,
    _time_model,
    _waits,
    box_acquisition,
    candidates,
    maximise,
)
from simulation.world.evaluation_time import PointDurations

RNG = np.random.default_rng(8)
POINTS = RNG.random((6, 2))
DURATIONS = np.exp(RNG.standard_normal(6) * 0.4 + 0.5)
VALUES = RNG.standard_normal(6)
TARGETS = RNG.random((3, 2))
HYPER = TimeHyperparameters(0.3, 0.6, 0.35, 0.03)
READINGS = Readings(time_prior=HYPER, time_nodes=5)
SPACE = {"se": SquaredExponential(0.25), "matern": Matern(2.5, 0.3), "odd": Matern(1.7, 0.3)}


def slow_time(points):
    """t(x) = 1 + x₁² + x₂ with its gradient."""
    return 1 + points[:, 0] ** 2 + points[:, 1], np.stack(
        [2 * points[:, 0], np.ones(len(points))], axis=1
    )


def built(policy, acquisition, space, time_kernel=None, readings=READINGS):
    model = BoxModel(space_kernel=space, time_kernel=time_kernel or Forgetting(0.1))
    seen = _Data.checked(POINTS, DURATIONS, VALUES, 1.0)
    known = slow_time if policy == "ctv-fixed" else None
    waits = _waits(policy, known, _time_model(seen, readings, needed=True), readings)
    return box_acquisition(
        POINTS,
        DURATIONS,
        VALUES,
        policy=policy,
        model=model,
        acquisition=acquisition,
        exploration="sqrt-beta",
        waits=waits,
        readings=readings,
    )


def kernel_in_digits(kernel, r):
    if isinstance(kernel, Forgetting):
        return mpmath.exp(r * mpmath.log(1 - mpmath.mpf(kernel.epsilon)) / 2)
    if isinstance(kernel, SquaredExponential):
        return mpmath.exp(-((r / mpmath.mpf(kernel.lengthscale)) ** 2) / 2)
    nu = mpmath.mpf(kernel.nu)
    z = mpmath.sqrt(2 * nu) * r / mpmath.mpf(kernel.lengthscale)
    return mpmath.mpf(2) ** (1 - nu) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu, z) if z else 1


def alpha_in_digits(policy, acquisition, space, x):
    """The definition of the acquisition, with nothing of the code under test."""
    mp = mpmath.mpf
    time_kernel = Forgetting(0.0 if policy == "gp-ucb" else 0.1)
    steps = {"gp-ucb": [0.0] * 6, "tv": [1.0] * 6}.get(policy, list(DURATIONS))
    instants = [sum((mp(t) for t in steps[: i + 1]), mp(0)) for i in range(6)]
    rows = [tuple(map(mp, p)) for p in POINTS]

    def apart(a, b):
        return mpmath.sqrt(sum((u - v) ** 2 for u, v in zip(a, b, strict=True)))

    def solve(covariances, cross, observed, noise, prior):
        gram = mpmath.matrix(6, 6)
        for i in range(6):
            for j in range(6):
                gram[i, j] = covariances[i][j] + (mp(noise) if i == j else 0)
        column = mpmath.matrix(cross)
        weights = mpmath.lu_solve(gram, column)
        mean = sum(weights[i] * observed[i] for i in range(6))
        return mean, prior - sum(weights[i] * column[i] for i in range(6))

    def at(t):
        def k(a, s, b, u):
            return kernel_in_digits(space, apart(a, b)) * kernel_in_digits(time_kernel, abs(s - u))

        gram = [
            [k(a, s, b, u) for b, u in zip(rows, instants, strict=True)]
            for a, s in zip(rows, instants, strict=True)
        ]
        cross = [k(a, s, x, instants[-1] + t) for a, s in zip(rows, instants, strict=True)]
        mean, variance = solve(gram, cross, [mp(v) for v in VALUES], 0.01, 1)
        deviation = mpmath.sqrt(variance)
        if acquisition == "ucb":
            return mean + mpmath.sqrt(mp("0.8") * mpmath.log(4 * 7)) * deviation
        z = (mean - mp(max(VALUES))) / deviation
        return deviation * (z * mpmath.ncdf(z) + mpmath.npdf(z))

    if policy in ("gp-ucb", "tv"):
        return at(mp(0 if policy == "gp-ucb" else 1))
    if policy == "ctv-fixed":
        return at(1 + x[0] ** 2 + x[1])
    kernel = Matern(2.5, HYPER.lengthscale)
    v = mp(HYPER.variance)
    gram = [[v * kernel_in_digits(kernel, apart(a, b)) for b in rows] for a in rows]
    cross = [v * kernel_in_digits(kernel, apart(a, x)) for a in rows]
    logs = [mpmath.log(mp(t)) - mp(HYPER.mean) for t in DURATIONS]
    mean, variance = solve(gram, cross, logs, HYPER.noise_variance, v)
    mean += mp(HYPER.mean)
    if policy == "ctv-simple":
        return at(mpmath.exp(mean + (variance + mp(HYPER.noise_variance)) / 2))
    nodes, weights = np.polynomial.hermite.hermgauss(5)
    total = sum(
        mp(w) * at(mpmath.exp(mean + mpmath.sqrt(2 * variance) * mp(s)))
        for s, w in zip(nodes, weights, strict=True)
    )
    return total / sum(mp(w) for w in weights)


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", BOX_POLICIES)
def test_values_and_gradients_in_forty_digits(policy, acquisition):
    function = built(policy, acquisition, SPACE["matern"])
    x = TARGETS[0]
    value, gradient = function(x[None])
    with mpmath.workdps(40):
        start = tuple(map(mpmath.mpf, x))

        def alpha(*point):
            found = alpha_in_digits(policy, acquisition, SPACE["matern"], point)
            return mpmath.log(found) if acquisition == "ei" else found

        assert value[0] == pytest.approx(float(alpha(*start)), rel=1e-10)
        for axis in range(2):
            order = tuple(int(axis == i) for i in range(2))
            exact = float(mpmath.diff(alpha, start, order))
            assert gradient[0, axis] == pytest.approx(exact, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("space", sorted(SPACE))
@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", BOX_POLICIES)
def test_gradients_against_finite_differences(policy, acquisition, space):
    for time_kernel in (Forgetting(0.2), Matern(1.5, 4.0), SquaredExponential(3.0)):
        function = built(policy, acquisition, SPACE[space], time_kernel)
        _, gradients = function(TARGETS)
        for x, gradient in zip(TARGETS, gradients, strict=True):
            for axis in range(2):
                step = 1e-5 * np.eye(2)[axis]
                low, high = function(np.stack([x - step, x + step]))[0]
                assert gradient[axis] == pytest.approx((high - low) / 2e-5, rel=2e-5, abs=2e-5)


@pytest.mark.parametrize(
    "kernel",
    [SquaredExponential(0.4), Forgetting(0.3)]
    + [Matern(nu, 0.4) for nu in (0.5, 0.8, 1.0, 1.2, 1.5, 2.5, 3.3)],
    ids=repr,
)
def test_derivatives_of_kernels_in_digits(kernel):
    for r in (1e-3, 0.2, 1.0, 3.0):
        with mpmath.workdps(40):
            exact = float(mpmath.diff(lambda u: kernel_in_digits(kernel, u), mpmath.mpf(r)))
        assert float(kernel.derivative(np.array(r))) == pytest.approx(exact, rel=1e-9)
        if not isinstance(kernel, Forgetting):
            found = float(kernel.derivative_over_distance(np.array(r)))
            assert found == pytest.approx(exact / r, rel=1e-9)


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
@pytest.mark.parametrize("policy", BOX_POLICIES)
def test_the_box_agrees_with_the_grid_on_its_points(policy, acquisition):
    grid = Grid(2, 1.0, 5)
    indices = RNG.integers(grid.size, size=6)
    t = PointDurations(slow_time(grid.points)[0], "slow")
    problem = Problem(
        EvaluationTimes.from_durations([1.0]),
        epsilon=0.1,
        space_kernel=SPACE["matern"],
        domain=grid,
    )
    setup = PolicySetup(
        problem,
        GridCovariance(SPACE["matern"], grid),
        t,
        20,
        acquisition,
        "beta",
        np.random.default_rng(0),
        READINGS,
    )
    on_grid = make_policy(policy, setup)
    for x, duration, y in zip(indices, DURATIONS, VALUES, strict=True):
        on_grid.observe(int(x), float(duration), float(y))
    seen = _Data.checked(grid.points[indices], DURATIONS, VALUES, 1.0)
    known = slow_time if policy == "ctv-fixed" else None
    waits = _waits(policy, known, _time_model(seen, READINGS, needed=True), READINGS)
    function = box_acquisition(
        seen.points,
        DURATIONS,
        VALUES,
        policy=policy,
        model=BoxModel(SPACE["matern"], Forgetting(0.1)),
        acquisition=acquisition,
        exploration="beta",
        waits=waits,
        readings=READINGS,
    )
    found = function(grid.points)[0]
    np.testing.assert_allclose(found, on_grid.acquisition(6), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", BOX_POLICIES)
def test_the_suggestion_is_no_worse_than_a_fine_lattice(policy, acquisition):
    model = BoxModel(SPACE["matern"], Forgetting(0.1))
    known = slow_time if policy == "ctv-fixed" else None
    found = suggest(
        POINTS,
        DURATIONS,
        VALUES,
        policy=policy,
        model=model,
        acquisition=acquisition,
        exploration="sqrt-beta",
        evaluation_time=known,
        readings=READINGS,
    )
    function = built(policy, acquisition, SPACE["matern"])
    lattice = function(Grid(2, 1.0, 60).points)[0]
    best = np.exp(lattice.max()) if acquisition == "ei" else lattice.max()
    assert found.acquisition >= best - 1e-9
    value, gradient = function(found.point[None])
    mine = np.exp(value[0]) if acquisition == "ei" else value[0]
    assert found.acquisition == pytest.approx(mine, rel=1e-12)
    inside = (found.point > 0) & (found.point < 1)
    assert np.abs(gradient[0][inside]).max(initial=0.0) < 1e-3
    assert found.duration > 0
    assert len(found.maxima) == 12


def test_the_predicted_duration_is_that_of_the_policy():
    options = {"readings": READINGS, "exploration": "sqrt-beta"}
    fixed = suggest(
        POINTS, DURATIONS, VALUES, policy="ctv-fixed", evaluation_time=slow_time, **options
    )
    assert fixed.duration == pytest.approx(float(slow_time(fixed.point[None])[0][0]))
    number = suggest(POINTS, DURATIONS, VALUES, policy="ctv-fixed", evaluation_time=2.5, **options)
    assert number.duration == 2.5
    zero = DURATIONS.copy()
    zero[2] = 0.0
    assert np.isnan(suggest(POINTS, zero, VALUES, policy="tv", **options).duration)


def test_fitted_times_and_the_moving_incumbent_are_options():
    fitted = suggest(POINTS, DURATIONS, VALUES, readings=Readings(time_prior="ml"))
    assert np.all((fitted.point >= 0) & (fitted.point <= 1))
    stale = np.array([5.0, *VALUES[1:]])
    durations = np.array([1.0, 500.0, *DURATIONS[2:]])
    now, ever = (
        suggest(POINTS, durations, stale, acquisition="ei", readings=Readings(incumbent=reading))
        for reading in ("mean", "observed")
    )
    assert now.acquisition > 100 * ever.acquisition


def test_a_still_box_forgets_nothing():
    posterior = BoxPosterior(
        POINTS, np.zeros(6), VALUES, SPACE["se"], Forgetting(0.5), noise_variance=0.01
    )
    mean, variance = posterior.at(POINTS, np.zeros(6))
    gram = SPACE["se"].gram(POINTS)
    solved = np.linalg.solve(gram + 0.01 * np.eye(6), gram)
    np.testing.assert_allclose(mean.value, VALUES @ solved, atol=1e-10)
    np.testing.assert_allclose(variance.value, 1 - np.diag(gram @ solved), atol=1e-10)


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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policy": "ctv-fxed"}, "policy = ctv-fxed"),
        ({"acquisition": "pi"}, "acquisition = pi"),
        ({"exploration": "theory"}, "exploration = theory: use beta or sqrt-beta"),
        ({"starts": 0}, "starts = 0"),
        ({"starts": 2.5}, "starts = 2.5: give a whole number"),
        ({"seed": -1}, "seed = -1: give a whole number"),
        ({"seed": 1.5}, "seed = 1.5: give a whole number"),
        ({"points": [[0.1], [0.1, 0.2]]}, "points = ragged: give rows of one length"),
        ({"points": [["a", "b"]]}, "points = of type <U1: give real numbers"),
        ({"points": POINTS + 0j}, "points = of type complex128: give real numbers"),
        ({"values": None}, "values = of type object: give real numbers"),
        ({"policy": "ctv-fixed"}, "ctv-fixed needs it"),
        ({"evaluation_time": 3.0}, "only ctv-fixed knows it"),
        ({"points": [[0.5, 2.0]] * 6}, "inside the box"),
        ({"points": [0.5]}, "one row per observation"),
        ({"values": [1.0]}, "give 6, one per point"),
        ({"values": [np.nan] * 6}, "values in row 1 = not finite"),
        ({"durations": [-1.0] * 6}, "durations in row 1 = -1.0"),
        ({"durations": [0.0] * 6}, "needs positive times"),
    ],
)
def test_bad_input_is_named(changes, message):
    data = {"points": POINTS, "durations": DURATIONS, "values": VALUES}
    options = data | changes
    with pytest.raises(InvalidInput, match=message):
        suggest(options.pop("points"), options.pop("durations"), options.pop("values"), **options)


def in_one_direction(points):
    return np.ones(len(points))


def of_one_point(points):
    return 1.0, 0.0


def below_zero_somewhere(points):
    return points[:, 0] - 0.01, np.ones_like(points)


def steep_somewhere(points):
    return np.ones(len(points)), np.where(points < 0.01, np.inf, 0.0)


@pytest.mark.parametrize(
    ("evaluation_time", "message"),
    [
        (-3.0, "evaluation_time = -3.0: give a finite time"),
        (np.nan, "evaluation_time = nan: give a finite time"),
        (np.inf, "evaluation_time = inf: give a finite time"),
        ("3", "evaluation_time = 3: give a finite time"),
        (np.ones(2), r"evaluation_time = array\(.*: give a finite time"),
        (in_one_direction, r"evaluation_time = a function to no pair: return t \(1030,\)"),
        (of_one_point, r"evaluation_time = a function to \[\(\), \(\)\]: return t \(1030,\)"),
        (below_zero_somewhere, r"evaluation_time at \[.*: t is at least 0"),
        (steep_somewhere, r"evaluation_time at \[.*: .* gradient are finite"),
    ],
)
def test_times_that_are_none_are_refused(evaluation_time, message):
    with pytest.raises(InvalidInput, match=message):
        suggest(POINTS, DURATIONS, VALUES, policy="ctv-fixed", evaluation_time=evaluation_time)


def test_an_evaluation_may_take_no_time():
    t, gradient = known_time(0.0)(TARGETS)
    assert t.tolist() == [0.0] * 3 and not gradient.any() and gradient.shape == (3, 2)

    def still(points):
        return np.zeros(len(points)), np.zeros_like(points)

    assert known_time(still)(TARGETS)[0].tolist() == [0.0] * 3


def test_numbers_of_numpy_are_numbers():
    options = {"policy": "ctv-fixed", "seed": np.int64(1), "starts": np.int32(2)}
    found = suggest(POINTS, DURATIONS, VALUES, evaluation_time=np.float32(3.0), **options)
    assert found.duration == 3.0


def test_too_little_noise_for_repeated_points_is_named():
    repeated = np.repeat(POINTS[:1], 6, axis=0)
    with pytest.raises(NumericalFailure, match=r"noise-variance = 1e-20: K \+ σ²I is singular"):
        suggest(repeated, np.ones(6), VALUES, policy="gp-ucb", model=BoxModel(noise_variance=1e-20))
    prior = TimeHyperparameters(variance=1e12, noise_variance=0.0)
    with pytest.raises(NumericalFailure, match=r"time model noise_variance = 0: .* use a larger"):
        suggest(repeated, DURATIONS, VALUES, readings=Readings(time_prior=prior))


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", ["ctv", "ctv-simple"])
def test_times_that_overflow_are_times_after_which_all_is_forgotten(policy, acquisition):
    """A prior variance of 10⁶ for log t: most nodes are 0 or beyond every double."""
    readings = Readings(time_prior=TimeHyperparameters(variance=1e6))
    found = suggest(
        POINTS, DURATIONS, VALUES, policy=policy, acquisition=acquisition, readings=readings
    )
    assert np.all((found.point >= 0) & (found.point <= 1))
    assert np.isfinite(found.acquisition)
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
        model = BoxModel(noise_variance=noise_variance)
        options = {"policy": "gp-ucb", "acquisition": "ei", "model": model}
        found = suggest(points, np.ones(30), scale * values, **options)
        assert 0.0 <= found.acquisition < np.inf


def test_a_box_has_a_side_and_noise():
    for name in ("side", "noise_variance"):
        for wrong in (0.0, -1.0, np.nan, np.inf):
            with pytest.raises(InvalidInput, match=f"{name} = .*: give a positive finite number"):
                BoxModel(**{name: wrong})
    usual = (Matern(2.5, 0.2), Forgetting(0.01), 0.01, 1.0)
    assert BoxModel() == BoxModel(*usual)


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


def test_by_default_ctv_and_twelve_searches(monkeypatch):
    asked = []

    def searched(function, seen, side, starts, seed):
        asked.append((function, seen, side, starts, seed))
        return np.array([[0.25, 0.5], [0.0, 0.0]]), -2.0

    monkeypatch.setattr(suggestion, "maximise", searched)
    found = suggest(POINTS, DURATIONS, VALUES)
    ((function, seen, side, starts, seed),) = asked
    assert np.array_equal(seen, POINTS) and (side, starts, seed) == (1.0, 12, 0)
    assert function.weight == pytest.approx(0.8 * np.log(4 * 7)) and function.incumbent is None
    model = condition(TimeHyperparameters(), POINTS, DURATIONS)
    expected = log_normal_waits(model, 16, with_noise=False)(TARGETS)
    np.testing.assert_allclose(function.waits(TARGETS).times, expected.times)
    assert found.point.tolist() == [0.25, 0.5] and found.acquisition == -2.0
    assert found.duration == pytest.approx(model.mean_duration(found.point[None])[0])
    assert found.maxima.tolist() == [[0.25, 0.5], [0.0, 0.0]]
    ei = suggest(
        POINTS,
        DURATIONS,
        VALUES,
        acquisition="ei",
        starts=3,
        seed=5,
        readings=Readings(incumbent="mean"),
        model=BoxModel(side=2.0),
    )
    function, seen, *rest = asked[1]
    assert rest == [2.0, 3, 5] and ei.acquisition == pytest.approx(np.exp(-2.0))
    own = function.posterior.at(POINTS, np.zeros(6))[0].value
    assert (function.weight, function.incumbent) == (0.0, pytest.approx(own.max()))
    suggest(POINTS, DURATIONS, VALUES, acquisition="ei")
    assert asked[2][0].incumbent == VALUES.max()
    beta = Readings(c1=2.0, c2=5.0)
    suggest(POINTS, DURATIONS, VALUES, exploration="sqrt-beta", readings=beta, policy="tv")
    assert asked[3][0].weight == pytest.approx(np.sqrt(2.0 * np.log(35)))


@pytest.mark.parametrize("noise", [False, True])
def test_waits_of_a_policy_are_those_of_its_readings(noise):
    readings = Readings(
        time_prior=HYPER,
        time_nodes=3,
        mean_time_noise=noise,
        integral_noise=noise,
        round_length=2.5,
    )
    model = condition(HYPER, POINTS, DURATIONS)
    ctv, simple = (_waits(p, None, model, readings)(TARGETS) for p in ("ctv", "ctv-simple"))
    mean, variance = model.log_posterior(TARGETS)
    extra = HYPER.noise_variance if noise else 0.0
    np.testing.assert_allclose(simple.times, [np.exp(mean + 0.5 * (variance + extra))])
    assert simple.weights.tolist() == [1.0]
    # Three nodes of the Hermite polynomials: 0 and ±√3 in deviations, of weights ⅔ and ⅙.
    nodes = np.array([-np.sqrt(3), 0.0, np.sqrt(3)])[:, None]
    np.testing.assert_allclose(ctv.times, np.exp(mean + nodes * np.sqrt(variance + extra)))
    np.testing.assert_allclose(ctv.weights, [1 / 6, 2 / 3, 1 / 6])
    for policy, wait in (("gp-ucb", 0.0), ("tv", 2.5)):
        at = _waits(policy, None, None, readings)(TARGETS)
        assert at.times.tolist() == [[wait] * 3] and not at.gradients.any()
        assert at.gradients.shape == (1, 3, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"points": np.empty((0, 2))}, "points = shape"),
        ({"points": np.empty((6, 0))}, "points"),
        ({"values": VALUES[:, None]}, r"values = shape \(6, 1\): give 6"),
        ({"durations": DURATIONS[:5]}, r"durations = shape \(5,\): give 6, one per point"),
        ({"durations": [1, 1, np.inf, 1, 1, 1]}, "durations in row 3 = not finite"),
        ({"points": [[0.5, 0.5]] * 3 + [[0.5, np.nan]] + [[np.inf, 0.5]] * 2}, "points in row 4 ="),
        ({"durations": [1, 0, 1, -2, 1, -1]}, r"durations in row 4 = -2.0"),
        ({"points": [[0.5, 0.5]] * 4 + [[-0.1, 0.5]] * 2}, r"points in row 5 = .*\[0, 1\]\^d"),
        ({"points": [[0.5, 0.5]] * 5 + [[1.1, 0.5]]}, r"points in row 6 ="),
    ],
)
def test_the_first_row_that_is_wrong_is_named(changes, message):
    data = {"points": POINTS, "durations": DURATIONS, "values": VALUES} | changes
    with pytest.raises(InvalidInput, match=message):
        suggest(data["points"], data["durations"], data["values"], policy="tv")


def test_data_at_the_edge_of_the_box_are_inside():
    found = _Data.checked([[0.0, 2.0], [True, 0]], [0, 1], [1, -1], 2.0)
    assert found.points.tolist() == [[0.0, 2.0], [1.0, 0.0]] and found.points.dtype == float
    assert found.durations.tolist() == [0.0, 1.0] and found.values.tolist() == [1.0, -1.0]
    assert _time_model(found, READINGS, needed=False) is None
    with pytest.raises(InvalidInput, match="duration in row 1"):
        _time_model(found, READINGS, needed=True)
