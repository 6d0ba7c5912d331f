import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

from bounds.errors import InvalidInput
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


def test_the_fitted_likelihood_is_at_least_that_of_scikit_learn():
    """The same model with hyperparameters by their optimiser: ours must not be worse."""
    fitted = fit_time_model(INPUTS, DURATIONS).hyperparameters
    logs = np.log(DURATIONS) - fitted.mean
    kernel = sk.ConstantKernel(1.0) * sk.Matern(0.5, nu=2.5) + sk.WhiteKernel(0.1)
    theirs = GaussianProcessRegressor(kernel, alpha=0.0, n_restarts_optimizer=2, random_state=0)
    theirs.fit(INPUTS, logs)
    ours = theirs.log_marginal_likelihood(
        np.log([fitted.variance, fitted.lengthscale, fitted.noise_variance])
    )
    assert ours >= theirs.log_marginal_likelihood(theirs.kernel_.theta) - 1e-3


def test_little_data_keeps_the_defaults():
    one = fit_time_model([[0.5]], [2.0]).hyperparameters
    assert one.mean == pytest.approx(np.log(2.0))
    assert one.lengthscale == TimeHyperparameters().lengthscale
    equal = fit_time_model(INPUTS, np.full(25, 3.0))
    np.testing.assert_allclose(equal.log_posterior(TARGETS)[0], np.log(3.0), rtol=1e-12)


def test_repeated_inputs_and_outliers_do_no_harm():
    inputs = np.repeat(INPUTS[:5], 4, axis=0)
    durations = np.exp(np.random.default_rng(0).standard_normal(20))
    durations[3] = 1e6
    model = fit_time_model(inputs, durations)
    assert np.all(np.isfinite(model.mean_duration(TARGETS)))


def test_bad_hyperparameters_are_refused():
    with pytest.raises(InvalidInput, match="lengthscale"):
        TimeHyperparameters(lengthscale=0.0)
    with pytest.raises(InvalidInput, match="noise_variance"):
        TimeHyperparameters(noise_variance=-1.0)
