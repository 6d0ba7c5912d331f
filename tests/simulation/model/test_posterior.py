import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

from bounds.domain import Grid
from bounds.kernels import Forgetting, Matern, SquaredExponential
from simulation.model.covariance import GridCovariance, KroneckerFactor
from simulation.model.posterior import (
    DensePosterior,
    FeaturePosterior,
    GridPosterior,
    IncrementalPosterior,
    kept_features,
    make_posterior,
)
from tests import strategies
from tests.oracles import dense_posterior, exact_times

GRID = Grid(2, 1.0, 6)
SPACE = {
    "se": SquaredExponential(0.2),
    "smooth": SquaredExponential(1.0),
    "matern": Matern(2.5, 0.2),
}
TIME = {
    "still": Forgetting(0.0),
    "slow": Forgetting(0.01),
    "fast": Forgetting(0.6),
    "exponential": Matern(0.5, 3.0),
    "smooth": SquaredExponential(4.0),
    "not Markov": Matern(2.5, 4.0),
}
FARAWAY = 1e9


def every_posterior(space, time_kernel, noise, rounds):
    covariance = GridCovariance(space, GRID)
    made = {"dense": DensePosterior(covariance, time_kernel, noise, rounds)}
    if not time_kernel.is_markov:
        assert isinstance(make_posterior(covariance, time_kernel, noise, rounds), DensePosterior)
        return made
    made["incremental"] = IncrementalPosterior(covariance, time_kernel, noise, rounds)
    made["grid"] = GridPosterior(covariance, time_kernel, noise)
    if isinstance(space, SquaredExponential):
        features = KroneckerFactor((covariance.axis_factor(),) * GRID.dimension)
        made["feature"] = FeaturePosterior(covariance, time_kernel, noise, features)
    return made


@st.composite
def histories(draw):
    gaps = draw(strategies.durations(max_size=12))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    return gaps, rng.integers(GRID.size, size=len(gaps)), rng.standard_normal(len(gaps)), rng


@given(
    histories(),
    st.sampled_from(sorted(SPACE)),
    st.sampled_from(sorted(TIME)),
    st.sampled_from([0.01, 1.0, 1e-4]),
)
@settings(max_examples=60, deadline=None)
def test_every_posterior_is_plain_regression(history, space_name, time_name, noise):
    gaps, points, values, rng = history
    space, time_kernel = SPACE[space_name], TIME[time_name]
    times = exact_times(gaps)
    waits = rng.choice([0.0, 0.5, 3.0], size=GRID.size)
    lags = np.array([[float(times[-1] - t) for t in times]]).T + waits
    distances = np.array([[float(abs(a - b)) for a in times] for b in times])
    gram = space.gram(GRID.points[points]) * time_kernel.at_distance(distances)
    cross = space.gram(GRID.points[points], GRID.points) * time_kernel.at_distance(lags)
    mean, variance = dense_posterior(gram, cross, np.ones(GRID.size), values, noise)
    for name, posterior in every_posterior(space, time_kernel, noise, len(gaps)).items():
        before = [
            posterior.observe(int(x), gap, y)
            for x, gap, y in zip(points, gaps, values, strict=True)
        ]
        found = posterior.predict(waits)
        tolerance = 1e-8
        assert np.abs(found.mean - mean).max() <= tolerance, name
        assert np.abs(found.variance - variance).max() <= tolerance, name
        diagonal = np.diag(np.linalg.cholesky(gram + noise * np.eye(len(gaps)))) ** 2 - noise
        np.testing.assert_allclose(before, diagonal, rtol=0, atol=tolerance, err_msg=name)
        uniform = posterior.predict(2.0)
        np.testing.assert_allclose(
            uniform.mean, posterior.predict(np.full(GRID.size, 2.0)).mean, rtol=0, atol=1e-13
        )
        np.testing.assert_allclose(found.deviation**2, found.variance, rtol=1e-12, atol=0)


@pytest.mark.parametrize("space_name", ["se", "matern"])
def test_posteriors_agree_with_scikit_learn(space_name):
    noise, epsilon = 0.01, 0.05
    lengthscale = [0.2, 0.2, FARAWAY]
    shape = sk.RBF(lengthscale) if space_name == "se" else sk.Matern(lengthscale, nu=2.5)
    over_time = sk.Matern([FARAWAY, FARAWAY, 1.0 / Forgetting(epsilon).slope], nu=0.5)
    rng = np.random.default_rng(11)
    gaps = np.append(rng.exponential(2.0, size=24), 0.0)
    times = np.cumsum(gaps)
    points = rng.integers(GRID.size, size=25)
    values = rng.standard_normal(25)
    theirs = GaussianProcessRegressor(shape * over_time, alpha=noise, optimizer=None)
    theirs.fit(np.column_stack([GRID.points[points], times]), values)
    wait = 1.7
    targets = np.column_stack([GRID.points, np.full(GRID.size, times[-1] + wait)])
    mean, deviation = theirs.predict(targets, return_std=True)
    for posterior in every_posterior(SPACE[space_name], Forgetting(epsilon), noise, 25).values():
        for x, gap, y in zip(points, gaps, values, strict=True):
            posterior.observe(int(x), float(gap), float(y))
        found = posterior.predict(wait)
        np.testing.assert_allclose(found.mean, mean, rtol=0, atol=1e-8)
        np.testing.assert_allclose(found.deviation, deviation, rtol=0, atol=1e-8)


def test_long_runs_do_not_drift_apart():
    """3,000 rounds, far beyond the grid's 36 points: filters against rows of V = L⁻¹K."""
    rng = np.random.default_rng(2)
    n = 3_000
    gaps = np.where(rng.random(n) < 0.3, 0.0, rng.exponential(3.0, size=n))
    points = rng.integers(GRID.size, size=n)
    values = rng.standard_normal(n)
    made = every_posterior(SPACE["se"], Forgetting(0.01), 0.01, n)
    del made["dense"]
    for x, gap, y in zip(points, gaps, values, strict=True):
        for posterior in made.values():
            posterior.observe(int(x), float(gap), float(y))
    reference = made.pop("incremental").predict(1.0)
    for posterior in made.values():
        found = posterior.predict(1.0)
        np.testing.assert_allclose(found.mean, reference.mean, rtol=0, atol=1e-8)
        np.testing.assert_allclose(found.variance, reference.variance, rtol=0, atol=1e-8)


def test_the_cheapest_posterior_is_chosen():
    fifty = Grid(2, 1.0, 50)
    smooth, rough = (GridCovariance(k, fifty) for k in (SPACE["se"], SPACE["matern"]))
    kind = {
        (name, n): type(make_posterior(c, Forgetting(0.01), 0.01, n))
        for name, c in (("se", smooth), ("matern", rough))
        for n in (130, 1_300)
    }
    assert kind["se", 130] is IncrementalPosterior
    assert kind["matern", 130] is IncrementalPosterior
    assert kind["se", 1_300] is FeaturePosterior
    assert kind["matern", 1_300] is GridPosterior
    for n in (130, 1_300):
        for covariance in (smooth, rough):
            made = make_posterior(covariance, Forgetting(0.01), 0.05, n)
            assert made.observe(3, 1.0, 2.0) == pytest.approx(1.0)
            found = made.predict(5.0)
            a = Forgetting(0.01).at_distance(5.0)
            assert found.mean[3] == pytest.approx(a * 2.0 / 1.05, rel=1e-9)
            assert found.variance[3] == pytest.approx(1.0 - a * a / 1.05, rel=1e-9)
    small = GridCovariance(SPACE["matern"], GRID)
    for covariance, longest in ((rough, 1_250), (small, 1_000)):
        for n, expected in ((longest, IncrementalPosterior), (longest + 1, GridPosterior)):
            assert type(make_posterior(covariance, Forgetting(0.01), 0.01, n)) is expected
    features = KroneckerFactor((smooth.axis_factor(),) * 2)
    rank = len(kept_features(features))
    assert 50 < rank < features.rank
    root = features.apply(np.eye(features.rank))
    norms = np.sum(root**2, axis=1)
    assert norms[kept_features(features)].min() > 1e-14 * norms.max()
    assert np.delete(norms, kept_features(features)).max() <= 1e-14 * norms.max()
    for n, expected in ((2 * rank, IncrementalPosterior), (2 * rank + 1, FeaturePosterior)):
        assert type(make_posterior(smooth, Forgetting(0.01), 0.01, n)) is expected
    # As many features as half the sites: rows are as cheap.
    wide = GridCovariance(SquaredExponential(0.2), GRID)
    assert type(make_posterior(wide, Forgetting(0.01), 0.01, 900)) is IncrementalPosterior


def test_a_scale_that_would_vanish_is_folded_in():
    """Gaps so long that the weight of the past underflows leave the prior, not NaN."""
    for name, posterior in every_posterior(SPACE["se"], Forgetting(0.9), 0.01, 4).items():
        for _ in range(4):
            posterior.observe(3, 1e4, 1.0)
        found = posterior.predict(1e4)
        np.testing.assert_array_equal(found.mean, 0.0, err_msg=name)
        np.testing.assert_array_equal(found.variance, 1.0, err_msg=name)
