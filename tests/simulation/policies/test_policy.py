"""Every policy against textbook regression refitted each round, and the limits between them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

from bounds.confidence.point_times import point_times_beta
from bounds.confidence.schedules import finite_domain_beta
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.model.grid_time_model import GridTimeModel
from simulation.model.time_model import TimeHyperparameters
from simulation.policies.readings import Hyperparameters, Readings
from simulation.policies.tuned import check_policy, make_policy
from simulation.runs.run import simulate
from simulation.world.evaluation_time import FixedDurations, biased, constant
from tests.simulation.policies.test_randomised import setup_for

GRID = Grid(2, 1.0, 8)
INITIAL, ROUNDS = 8, 10
N = INITIAL + ROUNDS
FARAWAY = 1e9
EPSILON = 0.02
PROBLEM = Problem(
    EvaluationTimes.from_durations(np.ones(N)),
    epsilon=EPSILON,
    space_kernel=Matern(2.5, 0.2),
    domain=GRID,
)
TIMES = {"constant": constant(3.0, N), "biased": biased(GRID)}
LEARNING = ("ctv", "ctv-simple")
MODELLED = ("gp-ucb", "tv", "ctv-fixed", *LEARNING)
HYPER = TimeHyperparameters(None, 0.5, 0.3, 0.02)


def theirs(run, i, instants):
    """scikit-learn's posterior of f from the first i rounds, placed at these instants."""
    over_time = sk.Matern([FARAWAY, FARAWAY, 1 / Forgetting(EPSILON).slope], nu=0.5)
    kernel = sk.Matern([0.2, 0.2, FARAWAY], nu=2.5) * over_time
    model = GaussianProcessRegressor(kernel, alpha=0.01, optimizer=None)
    model.fit(np.column_stack([GRID.points[run.points[:i]], instants]), run.observations[:i])

    def predict(arrival):
        targets = np.column_stack([GRID.points, np.broadcast_to(arrival, GRID.size)])
        return model.predict(targets, return_std=True)

    return predict


def log_times(run, i):
    """scikit-learn's posterior of log t from the first i rounds."""
    logs = np.log(run.durations[:i])
    mean = np.log(run.durations[:INITIAL]).mean()
    kernel = sk.ConstantKernel(HYPER.variance) * sk.Matern(HYPER.lengthscale, nu=2.5)
    model = GaussianProcessRegressor(kernel, alpha=HYPER.noise_variance, optimizer=None)
    model.fit(GRID.points[run.points[:i]], logs - mean)
    mu, deviation = model.predict(GRID.points, return_std=True)
    return mu + mean, deviation


def base(acquisition, weight, best):
    def ucb(mean, deviation):
        return mean + weight * deviation

    def improvement(mean, deviation):
        z = (mean - best) / deviation
        return deviation * (z * stats.norm.cdf(z) + stats.norm.pdf(z))

    return ucb if acquisition == "ucb" else improvement


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
@pytest.mark.parametrize("policy", MODELLED)
def test_choices_are_those_of_scikit_learn_refitted_each_round(policy, acquisition):
    time = TIMES["biased"]
    run = simulate(
        PROBLEM,
        time,
        policy,
        seed=3,
        initial=INITIAL,
        rounds=ROUNDS,
        acquisition=acquisition,
        readings=Readings(time_prior=HYPER),
    )
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    for i in range(INITIAL, N):
        alpha = base(acquisition, 0.8 * np.log(4 * (i + 1)), run.observations[:i].max())
        if policy == "gp-ucb":
            values = alpha(*theirs_without_time(run, i))
        elif policy == "tv":
            values = alpha(*theirs(run, i, np.arange(1, i + 1))(i + 1))
        else:
            predict, now = theirs(run, i, run.times[:i]), run.times[i - 1]
            if policy == "ctv-fixed":
                values = alpha(*predict(now + time.of_round(i)))
            else:
                mu, deviation = log_times(run, i)
                if policy == "ctv-simple":
                    noisy = deviation**2 + HYPER.noise_variance
                    values = alpha(*predict(now + np.exp(mu + noisy / 2)))
                else:
                    at_nodes = [alpha(*predict(now + np.exp(mu + s * deviation))) for s in nodes]
                    values = weights @ np.array(at_nodes) / weights.sum()
        # Where two points are equal but for rounding, either is right.
        assert values[run.points[i]] >= values.max() - 1e-8 * max(1.0, abs(values.max()))


def theirs_without_time(run, i):
    model = GaussianProcessRegressor(sk.Matern(0.2, nu=2.5), alpha=0.01, optimizer=None)
    model.fit(GRID.points[run.points[:i]], run.observations[:i])
    return model.predict(GRID.points, return_std=True)


def points_of(policy, problem=PROBLEM, time=TIMES["biased"], **options):
    options = {"seed": 4, "initial": INITIAL, "rounds": ROUNDS} | options
    return simulate(problem, time, policy, **options).points


@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
def test_vanishing_time_uncertainty_makes_the_three_ctv_agree(acquisition):
    certain = Readings(time_prior=TimeHyperparameters(None, 1e-14, 0.2, 1e-14))
    three = [
        points_of(p, time=TIMES["constant"], acquisition=acquisition, readings=certain)
        for p in ("ctv", "ctv-simple", "ctv-fixed")
    ]
    np.testing.assert_array_equal(three[0], three[2])
    np.testing.assert_array_equal(three[1], three[2])


def test_maximum_likelihood_learns_that_equal_times_are_equal():
    fitted = Readings(time_prior="ml")
    found = points_of("ctv", time=TIMES["constant"], readings=fitted)
    np.testing.assert_array_equal(found, points_of("ctv-fixed", time=TIMES["constant"]))


def setup(policy_time=TIMES["biased"], **options):
    return replace(setup_for(PROBLEM, 0, policy_time), **options)


def test_theory_weighs_by_the_theorem_of_the_setting():
    numbers = np.arange(1, N + 1)
    fixed = setup(TIMES["constant"], exploration="theory").weights()
    np.testing.assert_allclose(fixed**2, finite_domain_beta(numbers, GRID.size, 0.1))
    moving = setup(exploration="theory").weights()
    slope, longest = Forgetting(EPSILON).slope, TIMES["biased"].durations.max()
    np.testing.assert_allclose(
        moving**2, point_times_beta(numbers, GRID.size, 0.1, slope=slope, longest=longest)
    )
    assert np.all(moving > fixed)


@pytest.mark.parametrize("integral_noise", [False, True])
@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
def test_the_integral_of_ctv_is_a_quadrature_of_its_definition(acquisition, integral_noise):
    readings = Readings(time_prior=HYPER, integral_noise=integral_noise)
    policy = make_policy("ctv", setup(acquisition=acquisition, readings=readings))
    rng = np.random.default_rng(2)
    model = GridTimeModel(GRID, HYPER, N)
    reference = make_policy("ctv-fixed", setup(acquisition=acquisition))
    for _ in range(6):
        seen = int(rng.integers(GRID.size)), float(rng.exponential(3.0)), float(rng.normal())
        for one in (policy, reference):
            one.observe(*seen)
        model.observe(*seen[:2])
    found = policy.belief.values(policy.criterion(6))
    mean, variance = model.log_posterior()
    variance = variance + (HYPER.noise_variance if integral_noise else 0.0)
    for x in (0, 17, 40):
        law = stats.norm(mean[x], np.sqrt(variance[x]))

        def integrand(g, x=x, law=law):
            at = reference.belief._posterior.predict(np.exp(g))
            alpha = base(acquisition, reference.criterion(6).weight, reference._incumbent())
            return law.pdf(g) * alpha(at.mean, at.deviation)[x]

        spread = 9 * law.std()
        exact, _ = integrate.quad(integrand, law.mean() - spread, law.mean() + spread)
        mine = np.exp(found[x]) if acquisition == "ei" else found[x]
        assert mine == pytest.approx(exact, rel=1e-6)


def test_the_noise_in_the_mean_time_is_an_option():
    options = {"time": TIMES["biased"], "seed": 1}
    noisy = replace(HYPER, noise_variance=0.5)
    one = points_of("ctv-simple", readings=Readings(time_prior=noisy), **options)
    reading = Readings(time_prior=noisy, mean_time_noise=False)
    assert not np.array_equal(one, points_of("ctv-simple", readings=reading, **options))


def test_measured_times_may_be_noisy_while_the_objective_is_not():
    noisy = Readings(time_noise_variance=0.04)
    run = simulate(
        PROBLEM, TIMES["constant"], "ctv-fixed", seed=1, readings=noisy, initial=8, rounds=10
    )
    exact = simulate(PROBLEM, TIMES["constant"], "ctv-fixed", seed=1, initial=8, rounds=10)
    np.testing.assert_array_equal(run.durations, exact.durations)
    np.testing.assert_array_equal(run.best_values, exact.best_values)
    np.testing.assert_array_equal(exact.measured_durations, exact.durations)
    logs = np.log(run.measured_durations / run.durations)
    assert 0.1 < logs.std() < 0.35
    # The variances recorded are those under the true times.
    same = run.points == exact.points
    np.testing.assert_allclose(run.deviations[:8], exact.deviations[:8], atol=1e-9)
    assert same[:8].all()


def test_the_incumbent_of_ei_is_an_option():
    first = points_of("ctv-fixed", acquisition="ei", rounds=10)
    second = points_of("ctv-fixed", acquisition="ei", readings=Readings(incumbent="mean"))
    assert not np.array_equal(first, second)


def test_the_clairvoyant_takes_the_best_conditional_mean():
    policy = make_policy("clairvoyant", setup())
    objective = np.random.default_rng(0).standard_normal(GRID.size)
    policy.reveal(objective)
    decay = Forgetting(EPSILON).at_distance(TIMES["biased"].durations)
    assert policy.choose(5) == np.argmax(decay * objective)


def test_times_of_zero_have_no_logarithm():
    zero = FixedDurations(np.array([1.0] * (N - 1) + [0.0]), "with a tie")
    for policy in LEARNING:
        with pytest.raises(InvalidInput, match="evaluation times above 0"):
            simulate(PROBLEM, zero, policy, initial=8, rounds=10)
    assert simulate(PROBLEM, zero, "ctv-fixed", initial=8, rounds=10).n == N


def test_unknown_policies_hear_the_nearest_name():
    for wrong, near in (("ctv-simpel", "ctv-simple"), ("gpucb", "gp-ucb"), ("TV", "tv")):
        with pytest.raises(InvalidInput, match="policies") as caught:
            check_policy(wrong, TIMES["biased"])
        assert f"did you mean {near}? the policies are gp-ucb, tv" in str(caught.value)
    with pytest.raises(InvalidInput, match="tv-gp-ucbs: did you mean tv"):
        check_policy("tv-gp-ucbs", TIMES["biased"])
    with pytest.raises(InvalidInput, match="policies = zzzzzzzz: the policies are gp-ucb"):
        check_policy("zzzzzzzz", TIMES["biased"])


@pytest.mark.parametrize(
    "bad",
    [
        {"time_prior": "guess"},
        {"incumbent": "best"},
        {"round_length": -1.0},
        {"time_noise_variance": float("nan")},
        {"time_nodes": 0},
        {"time_nodes": 129},
        {"refit_every": 0},
        {"tune": "guess"},
        {"round_length": float("inf")},
        {"time_noise_variance": -1e-9},
        {"flat_weight": 0.0},
    ],
)
def test_bad_readings_are_refused(bad):
    with pytest.raises(InvalidInput, match=next(iter(bad)).replace("refit_every", "refit-every")):
        Readings(**bad)


def test_readings_at_the_edge_and_which_of_them_hold_the_truth():
    Readings(round_length=0.0, time_nodes=1, refit_every=1)
    Readings(time_nodes=128, time_prior="ml", incumbent="mean")
    assert Readings(round_length=2.0, time_prior="ml").hold_the_truth
    for other in (
        {"tune": "posterior"},
        {"time_noise_variance": 0.1},
        {"assumed": Hyperparameters(0.1, 0.0, 1.0)},
    ):
        assert not Readings(**other).hold_the_truth
    shown = repr(Readings(schedule=Schedule((), ())))
    assert shown.startswith("Readings(mean_time_noise=True, integral_noise=False, round_length=1.0")
    assert shown.endswith("time_nodes=16, schedule=Schedule(rounds=(), points=()))")


def test_a_policy_that_models_time_refuses_a_noisy_one_without_a_logarithm():
    for wrong in (0.0, np.inf, np.nan):
        for policy in LEARNING:
            noisy = make_policy(policy, setup(readings=Readings(time_noise_variance=9.0)))
            with pytest.raises(InvalidInput, match=r"time_noise_variance = 9.0: a measured time"):
                noisy.observe(0, wrong, 1.0)
            still = make_policy(policy, setup())
            with pytest.raises(InvalidInput, match="duration"):
                still.observe(0, wrong, 1.0)


def test_the_incumbent_is_0_before_the_first_observation_and_then_the_best():
    waits = TIMES["biased"].durations
    for incumbent in ("observed", "mean"):
        policy = make_policy(
            "ctv-fixed", setup(acquisition="ei", readings=Readings(incumbent=incumbent))
        )
        assert policy._incumbent() == 0.0
        for x, value in ((3, -1.0), (40, -3.0), (3, -1.4)):
            policy.observe(x, 2.0, value)
        now = policy.belief._posterior.predict(0.0).mean
        best = -1.0 if incumbent == "observed" else max(now[3], now[40])
        assert policy._incumbent() == pytest.approx(best)
        at = policy.belief._posterior.predict(waits)
        alpha = base("ei", 0.0, best)(at.mean, at.deviation)
        np.testing.assert_allclose(
            np.exp(policy.belief.values(policy.criterion(3))), alpha, rtol=1e-6
        )


def test_the_clairvoyant_begins_with_nothing():
    assert make_policy("clairvoyant", setup()).choose(0) == 0
