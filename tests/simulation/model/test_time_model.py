import numpy as np
import pytest
from scipy import integrate, optimize, stats
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Matern
from simulation.model.time_model import TimeHyperparameters, condition, fit_time_model

RNG = np.random.default_rng(1)
INPUTS = RNG.random((25, 2))
DURATIONS = np.exp(0.5 + np.sin(4 * INPUTS[:, 0]) + 0.1 * RNG.standard_normal(25))
TARGETS = RNG.random((7, 2))


def test_the_posterior_of_log_t_is_that_of_scikit_learn():
    hyper = TimeHyperparameters(mean=0.4, variance=2.0, lengthscale=0.3, noise_variance=0.02)
    theirs = GaussianProcessRegressor(
        sk.ConstantKernel(2.0) * sk.Matern(0.3, nu=2.5), alpha=0.02, optimizer=None
    ).fit(INPUTS, np.log(DURATIONS) - 0.4)
    mean, deviation = theirs.predict(TARGETS, return_std=True)
    found_mean, found_variance = condition(hyper, INPUTS, DURATIONS).log_posterior(TARGETS)
    np.testing.assert_allclose(found_mean, mean + 0.4, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found_variance, deviation**2, rtol=0, atol=1e-10)


def test_the_mean_duration_is_the_integral_over_the_log_normal():
    model = condition(TimeHyperparameters(), INPUTS, DURATIONS)
    mean, variance = model.log_posterior(TARGETS[:1])
    for with_noise, extra in ((True, 0.01), (False, 0.0)):
        law = stats.norm(mean[0], np.sqrt(variance[0] + extra))
        integral, _ = integrate.quad(lambda g, law=law: np.exp(g) * law.pdf(g), -10, 10)
        found = model.mean_duration(TARGETS[:1], with_noise=with_noise)
        assert found[0] == pytest.approx(integral, rel=1e-6)


def profile_likelihood(points, logs, lengthscale, ratio):
    """Up to a constant, at the best mean and variance: dense algebra."""
    n, one = len(logs), np.ones(len(logs))
    gram = Matern(2.5, lengthscale).gram(points) + ratio * np.eye(n)
    precision = np.linalg.inv(gram)
    mean = one @ precision @ logs / (one @ precision @ one)
    variance = (logs - mean) @ precision @ (logs - mean) / n
    return -0.5 * (n * np.log(variance) + np.linalg.slogdet(gram)[1]), mean, variance


@pytest.mark.parametrize("seed", range(4))
def test_the_fitted_likelihood_is_the_largest_nearby(seed):
    """Of lengthscale and noise ratio together, from where the search ends."""
    rng = np.random.default_rng(seed)
    points = 7.0 * rng.random((12, 2))
    logs = 0.5 + np.sin((0.5 + 0.3 * seed) * points[:, 0]) + 0.3 * rng.standard_normal(12)
    fitted = fit_time_model(points, np.exp(logs)).hyperparameters
    found = np.log([fitted.lengthscale, fitted.noise_variance / fitted.variance])
    value, mean, variance = profile_likelihood(points, logs, *np.exp(found))
    assert (fitted.mean, fitted.variance) == pytest.approx((mean, variance))
    # The last lattices have steps of 1.5 and 1 per cent.
    best = optimize.minimize(
        lambda x: -profile_likelihood(points, logs, *np.exp(x))[0],
        found,
        method="Nelder-Mead",
        bounds=[(None, None), (np.log(1e-8), None)],
    )
    assert -best.fun - 3e-4 <= value


@pytest.mark.parametrize("offset", [0.0, 50.0])
def test_noise_alone_gets_the_shortest_lengthscale_of_the_search(offset):
    points = np.column_stack([np.linspace(0.0, 3.0, 9), np.full(9, offset)])
    fitted = fit_time_model(points, np.exp([1, -1, 1, -1, 1, -1, 1, -1, 1])).hyperparameters
    assert fitted.lengthscale == pytest.approx(0.02 * 3.0)
    assert fitted.mean == pytest.approx(1 / 9)
    assert fitted.variance + fitted.noise_variance == pytest.approx(1 - 1 / 81, rel=1e-3)
    assert fitted.noise_variance > 1e3 * fitted.variance


def test_a_smooth_law_gets_the_least_noise_of_the_search():
    points = np.linspace(0.0, 3.0, 9)[:, None]
    fitted = fit_time_model(points, np.exp(np.sin(2 * points[:, 0]))).hyperparameters
    assert fitted.noise_variance == pytest.approx(1e-8 * fitted.variance, rel=1e-12)
    steep = fit_time_model(points, np.exp(points[:, 0])).hyperparameters
    assert 0.06 <= steep.lengthscale <= 60.0


def test_one_place_has_no_spread():
    fitted = fit_time_model(np.ones((3, 1)), [1.0, 2.0, 4.0]).hyperparameters
    assert fitted.lengthscale == pytest.approx(0.02)
    assert fitted.mean == pytest.approx(np.log(2.0))


def test_little_data_keeps_the_defaults():
    one = fit_time_model([[0.5]], [2.0]).hyperparameters
    assert one.mean == pytest.approx(np.log(2.0))
    assert one.lengthscale == TimeHyperparameters().lengthscale
    assert (one.variance, one.noise_variance) == (1e-8, 1e-8)
    equal = fit_time_model(INPUTS, np.full(25, 3.0))
    np.testing.assert_allclose(equal.log_posterior(TARGETS)[0], np.log(3.0), rtol=1e-12)
    assert TimeHyperparameters().with_mean_of(np.empty(0)).mean == 0.0
    given = TimeHyperparameters(mean=0.0)
    assert given.with_mean_of(np.ones(2)) is given
    assert TimeHyperparameters().with_mean_of(np.array([1.0, 2.0])).mean == 1.5


def test_repeated_inputs_and_outliers_do_no_harm():
    inputs = np.repeat(INPUTS[:5], 4, axis=0)
    durations = np.exp(np.random.default_rng(0).standard_normal(20))
    durations[3] = 1e6
    model = fit_time_model(inputs, durations)
    assert np.all(np.isfinite(model.mean_duration(TARGETS)))


def test_bad_hyperparameters_are_refused():
    nan, inf = float("nan"), float("inf")
    for name in ("variance", "lengthscale"):
        for value in (0.0, -1.0, nan, inf):
            with pytest.raises(InvalidInput, match=f"time model {name} = "):
                TimeHyperparameters(**{name: value})
    for value in (-1e-9, nan, inf):
        with pytest.raises(InvalidInput, match="time model noise_variance = "):
            TimeHyperparameters(noise_variance=value)
    for value in (nan, inf, -inf):
        with pytest.raises(InvalidInput, match="time model mean = "):
            TimeHyperparameters(mean=value)
    assert TimeHyperparameters(noise_variance=0.0).noise_variance == 0.0


@pytest.mark.parametrize(
    ("inputs", "durations", "said"),
    [
        ([0.0, 1.0], [1.0, 1.0], "inputs"),
        ([[0.0], [1.0]], [1.0], "inputs"),
        (np.empty((0, 1)), [], "inputs"),
        ([[0.0], [1.0]], [[1.0], [1.0]], "inputs"),
        ([[0.0], [np.inf]], [1.0, 1.0], "inputs"),
        ([[0.0], [np.nan]], [1.0, 1.0], "inputs"),
        ([[0.0], [1.0]], [1.0, 0.0], "duration in row 2 = 0.0"),
        ([[0.0], [1.0]], [np.inf, 1.0], "duration in row 1 = inf"),
        ([[0.0], [1.0], [2.0]], [1.0, -1.0, -2.0], "duration in row 2 = -1.0"),
    ],
)
def test_observations_that_have_no_model_are_refused(inputs, durations, said):
    for made in (lambda x, t: condition(TimeHyperparameters(), x, t), fit_time_model):
        with pytest.raises(InvalidInput, match=said):
            made(inputs, durations)


def test_noise_below_rounding_is_raised_to_it():
    hyper = TimeHyperparameters(mean=0.0, noise_variance=0.0)
    twice = condition(hyper, [[0.0], [0.0]], [1.0, np.e])
    np.testing.assert_allclose(twice.lower @ twice.lower.T, 1.0 + 1e-10 * np.eye(2), rtol=1e-13)
    assert twice.lower[0, 1] == 0.0
    assert twice.log_posterior(np.zeros((1, 1)))[0] == pytest.approx([0.5], abs=1e-6)
    with pytest.raises(NumericalFailure, match="noise_variance = 0: beside a variance of 1e"):
        condition(TimeHyperparameters(0.0, 1e9, noise_variance=0.0), [[0.0], [0.0]], [1.0, 2.0])


def test_a_mean_beyond_doubles_is_infinite():
    model = condition(TimeHyperparameters(mean=0.0, variance=1e4), [[0.0]], [1.0])
    with np.errstate(over="raise"):
        assert model.mean_duration(np.array([[9.0]])).tolist() == [np.inf]
