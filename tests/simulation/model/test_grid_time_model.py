"""The model of log t over a grid, round by round, against the model that has all its data."""

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from simulation.model.grid_time_model import GridTimeModel
from simulation.model.time_model import TimeHyperparameters, condition, fit_time_model

GRID = Grid(2, 1.0, 4)
PLACES = np.array([0, 5, 5, 15, 9, 3])
DURATIONS = np.array([1.0, 2.0, 2.2, 0.3, 5.0, 1.5])
PRIORS = [
    TimeHyperparameters(),
    TimeHyperparameters(mean=0.7, variance=2.0, lengthscale=0.5, noise_variance=0.1),
]


def seen(model: GridTimeModel, rounds: slice) -> None:
    for place, duration in zip(PLACES[rounds], DURATIONS[rounds], strict=True):
        model.observe(int(place), float(duration))


@pytest.mark.parametrize("prior", PRIORS, ids=["average", "given"])
@pytest.mark.parametrize("before", [0, 3, 6])
def test_it_is_the_model_of_all_its_data(prior, before: int) -> None:
    """Whether asked first without data, with half of them or with all: the mean is settled then."""
    model = GridTimeModel(GRID, prior, 6)
    seen(model, slice(0, before))
    model.log_posterior()
    hyper = prior.with_mean_of(np.log(DURATIONS[:before]))
    assert model.hyperparameters == hyper
    seen(model, slice(before, None))
    assert model.hyperparameters == hyper
    whole = condition(hyper, GRID.points[PLACES], DURATIONS)
    mean, variance = whole.log_posterior(GRID.points)
    found = model.log_posterior()
    np.testing.assert_allclose(found[0], mean, atol=1e-9)
    np.testing.assert_allclose(found[1], variance, atol=1e-9)
    for with_noise in (False, True):
        np.testing.assert_allclose(
            model.mean_duration(with_noise=with_noise),
            whole.mean_duration(GRID.points, with_noise=with_noise),
            rtol=1e-9,
        )


def test_fitted_hyperparameters_are_those_of_the_data_at_the_first_question() -> None:
    model = GridTimeModel(GRID, "ml", 6)
    seen(model, slice(0, 5))
    expected = fit_time_model(GRID.points[PLACES[:5]], DURATIONS[:5]).hyperparameters
    assert model.hyperparameters == expected
    seen(model, slice(5, None))
    assert model.hyperparameters == expected
    assert GridTimeModel(GRID, "ml", 6).hyperparameters == TimeHyperparameters(mean=0.0)


@pytest.mark.parametrize("duration", [0.0, -1.0, float("inf"), float("nan")])
def test_a_duration_without_a_logarithm_is_refused(duration: float) -> None:
    with pytest.raises(InvalidInput, match="duration"):
        GridTimeModel(GRID, PRIORS[0], 6).observe(0, duration)


def test_without_noise_two_durations_of_one_place_are_averaged() -> None:
    """The least noise is 1e-10 of the variance."""
    model = GridTimeModel(GRID, TimeHyperparameters(mean=1.0, variance=4.0, noise_variance=0.0), 9)
    for duration in (1.0, np.e):
        model.observe(5, duration)
    whole = condition(
        TimeHyperparameters(mean=1.0, variance=4.0, noise_variance=4e-10),
        GRID.points[[5, 5]],
        [1.0, np.e],
    )
    mean, variance = whole.log_posterior(GRID.points)
    np.testing.assert_allclose(model.log_posterior()[0], mean, atol=1e-5)
    np.testing.assert_allclose(model.log_posterior()[1], variance, atol=1e-5)
    # In units of the noise the variance of the average of two is a half.
    assert model.log_posterior()[1][5] == pytest.approx(2e-10, rel=1e-3)


def test_a_duration_beyond_doubles_is_infinite_with_and_without_noise() -> None:
    prior = TimeHyperparameters(mean=0.0, variance=1.5e3, noise_variance=1e-3)
    model = GridTimeModel(GRID, prior, 1)
    assert np.all(model.mean_duration(with_noise=False) == np.inf)
