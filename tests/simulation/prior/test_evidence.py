"""Evidence against dense Student densities, its slopes against differences, m and s in full."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import parse_kernel
from bounds.noise import noise_of_rows
from simulation.prior import evidence
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Data, Member
from simulation.prior.memory import MEMORIES, PERIODS
from simulation.prior.nonstationary import Nonstationarity
from simulation.prior.shapes import SHAPES
from simulation.prior.warp import Warp


def data_of(n=14, d=2, seed=0, noise=None) -> Data:
    rng = np.random.default_rng(seed)
    times = np.sort(np.round(rng.random(n) * 20, 1))
    points, values = rng.random((n, d)), 3.0 + 2.0 * rng.standard_normal(n)
    mixed = np.eye(n) + 0.2 * rng.standard_normal((n, n))
    given = {"own": rng.random(n) + 0.1, "correlated": mixed @ mixed.T + 0.1 * np.eye(n)}
    return Data(points, times, values, None if noise is None else noise_of_rows(given[noise]))


def covariance(data: Data, member: Member) -> np.ndarray:
    """A of the module, entry by entry, with the kernels of `bounds` and memories by hand."""
    n = data.n
    found = np.empty((n, n))
    places = [bent_by_hand(point, member.nonstationary.bends) for point in data.points]
    for i in range(n):
        for j in range(n):
            apart = places[i] - places[j]
            apart[list(member.unordered)] = apart[list(member.unordered)] != 0.0
            r = np.linalg.norm(apart / np.array(member.lengthscales))
            gap = abs(data.times[i] - data.times[j])
            decay = BY_HAND[member.memory](gap / member.half_life) if member.rate else 1.0
            change = member.nonstationary.change
            if change is not None and (data.times[i] <= change) != (data.times[j] <= change):
                decay = 0.0
            found[i, j] = (space_at(member.kernel, r) + member.level) * decay
            own = float(i == j) if data.noise is None else data.noise.matrix[i, j]
            wild = 10.0 ** ((i in member.outliers) + (j in member.outliers))
            along = sum(
                slope * (data.points[i, a] + data.points[j, a] - 1.0) / 2.0
                for a, slope in enumerate(member.nonstationary.slopes)
            )
            found[i, j] += member.noise_variance * own * wild * np.exp(along)
    return found


def bent_by_hand(point, bends):
    """∫₀ˣ of a density in proportion to e^{az}, by the trapezoidal rule."""
    moved = np.array(point, dtype=float)
    for axis, bend in enumerate(bends):
        z = np.linspace(0.0, 1.0, 20_001)
        mass = integrate.cumulative_trapezoid(np.exp(bend * z), z, initial=0.0)
        moved[axis] = np.interp(point[axis], z, mass / mass[-1])
    return moved


BY_HAND = {
    "forgetting": lambda u: 0.5**u,
    "matern32": lambda u: (1 + 1.6783469900166605 * u) * np.exp(-1.6783469900166605 * u),
    "smooth": lambda u: 0.5 ** (u * u),
    "rational-quadratic": lambda u: (1 + 3 * u * u) ** -0.5,
    "periodic": lambda u: np.exp(-2 * np.sin(np.pi * u / 4.990965572057504) ** 2),
    "sinusoid": lambda u: 0.5 + 0.5 * np.cos(0.5 * np.pi * u),
}


def space_at(name: str, r: float) -> float:
    if name == "two-scales":
        return float(0.7 * np.exp(-(r**2) / 2) + 0.3 * np.exp(-8 * r**2))
    return float(parse_kernel(name, 1.0).at_distance(r))


def test_memories_are_those_of_half_lives():
    assert set(MEMORIES) == set(BY_HAND)
    u = np.linspace(0.0, 7.0, 40)
    for name, memory in MEMORIES.items():
        assert memory.value(np.array([0.0, 1.0])) == pytest.approx([1.0, 0.5], abs=1e-12)
        assert memory.value(u) == pytest.approx(BY_HAND[name](u), abs=1e-12)
        value, slope = memory.value_and_slope(u)
        step = 1e-5  # u falls as the half-life rises
        expected = (memory.value(u * np.exp(-step)) - memory.value(u * np.exp(step))) / (2 * step)
        assert value == pytest.approx(memory.value(u)) and slope == pytest.approx(
            expected, abs=1e-7
        )
    for name, period in PERIODS.items():
        assert MEMORIES[name].value(np.array([period])) == pytest.approx([1.0])


positive = st.floats(0.05, 3.0)
members = st.builds(
    Member,
    st.sampled_from(sorted(SHAPES)),
    st.sampled_from([0.0, 0.01, 0.3]),
    st.tuples(positive, positive),
    st.floats(1e-4, 1.0),
    st.sampled_from([0.0, 0.5, 3.0]),
    st.sampled_from(sorted(MEMORIES)),
)
wide_members = st.builds(
    replace,
    members,
    warp=st.sampled_from([None, Warp(0.0, 3.0, 1.5, 2.0, 1.3), Warp(1.5, 2.0, 0.7, 3.0, 0.4)]),
    outliers=st.sampled_from([(), (3,), (0, 13)]),
    nonstationary=st.sampled_from(
        [
            Nonstationarity(),
            Nonstationarity(change=8.05),
            Nonstationarity(bends=(-3.0, 1.5)),
            Nonstationarity(slopes=(4.0, -2.0)),
            Nonstationarity(8.05, (0.0, 5.0), (0.0, 6.0)),
        ]
    ),
)
noises = st.sampled_from([None, "own", "correlated"])
priors = st.builds(
    MeanAndScale, st.floats(-5, 5), st.sampled_from([0.0, 1.0, 4.0]), st.floats(0.5, 5), positive
)


def scaled(member, y):
    """T(y) by scipy's transform."""
    if (warp := member.warp) is None:
        return y
    z = (y - warp.middle) / warp.spread
    return warp.shift + warp.factor * stats.yeojohnson(z, warp.power)


def added(member, y) -> float:
    """log of the slopes of T, by differences, and of the chance of the outliers."""
    total = 0.0
    if member.outliers:
        total = stats.binom(1, 0.02).logpmf(np.isin(np.arange(len(y)), member.outliers)).sum()
    if member.warp is None:
        return total
    slopes = (scaled(member, y + 1e-6) - scaled(member, y - 1e-6)) / 2e-6
    return total + float(np.sum(np.log(slopes)))


@settings(max_examples=20, deadline=None)
@given(wide_members, priors, st.integers(0, 5), noises)
def test_evidence_is_the_student_density(member, prior, seed, noise):
    data = data_of(seed=seed, noise=noise)
    shape = prior.scale / prior.shape * (covariance(data, member) + prior.spread)
    law = stats.multivariate_t(np.full(data.n, prior.center), shape, df=2 * prior.shape)
    expected = law.logpdf(scaled(member, data.values)) + added(member, data.values)
    close = 1e-6 if member.nonstationary.bends else 1e-9
    assert data.log_evidence([member], prior)[0] == pytest.approx(expected, rel=close, abs=1e-6)
    value, _ = data.log_evidence_and_slopes(member, prior)
    assert value == pytest.approx(data.log_evidence([member], prior)[0], rel=1e-9)


@settings(max_examples=20, deadline=None)
@given(wide_members, priors, st.integers(0, 5))
def test_words_without_an_order_are_at_distance_one(member, prior, seed):
    """Hamming distance on an axis of three words; renaming them changes nothing."""
    data = data_of(seed=seed)
    words = np.random.default_rng(seed).integers(0, 3, data.n)
    points = np.column_stack([words / 2.0, data.points[:, 1]])
    nonstationary = replace(member.nonstationary, bends=(), slopes=())
    member = replace(member, unordered=(0,), nonstationary=nonstationary)
    data = replace(data, points=points, unordered=(0,))
    shape = prior.scale / prior.shape * (covariance(data, member) + prior.spread)
    law = stats.multivariate_t(np.full(data.n, prior.center), shape, df=2 * prior.shape)
    expected = law.logpdf(scaled(member, data.values)) + added(member, data.values)
    assert data.log_evidence([member], prior)[0] == pytest.approx(expected, rel=1e-9)
    assert data.log_evidence_and_slopes(member, prior)[0] == pytest.approx(expected, rel=1e-9)
    between = member.observed(points, data.times)
    assert between == pytest.approx(covariance(data, member), abs=1e-12)
    renamed = replace(data, points=np.column_stack([(2 - words) / 2.0, points[:, 1]]))
    again = renamed.log_evidence([member], prior)[0]
    assert again == pytest.approx(data.log_evidence([member], prior)[0], rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(wide_members, priors, noises)
def test_slopes_are_those_of_differences(member, prior, noise):
    data = data_of(noise=noise)
    rate = member.rate

    def at(logs):
        lengths, noise, half, level = np.exp(logs[:2]), *np.exp(logs[2:])
        changed = replace(
            member,
            rate=np.log(2) / half if rate else 0.0,
            lengthscales=tuple(lengths),
            noise_variance=noise,
            level=level if member.level else 0.0,
        )
        return data.log_evidence([changed], prior)[0]

    here = np.log(
        [
            *member.lengthscales,
            member.noise_variance,
            np.log(2) / rate if rate else 1.0,
            member.level or 1.0,
        ]
    )
    _, slopes = data.log_evidence_and_slopes(member, prior)
    step = 1e-5
    expected = [(at(here + step * e) - at(here - step * e)) / (2 * step) for e in np.eye(5)]
    assert slopes == pytest.approx(expected, rel=1e-4, abs=1e-4)


@settings(max_examples=10, deadline=None)
@given(members, priors)
def test_one_step_ahead_is_the_chain_rule(member, prior):
    """Σ log of the one-step densities is the evidence, whatever the parameters."""
    data = data_of()
    batch = data.factored([member], prior.center)
    errors, degrees = prior.one_step_ahead(batch.ones, batch.whitened)
    total = 0.0
    for i in range(data.n):
        rows = Data(data.points[: i + 1], data.times[: i + 1], data.values[: i + 1])
        before = Data(data.points[:i], data.times[:i], data.values[:i])
        step = rows.log_evidence([member], prior)[0]
        step -= before.log_evidence([member], prior)[0] if i else 0.0
        total += step
        # The density of t_i at its value, times dt_i/dy_i, found from two values of y_i.
        moved = Data(data.points, data.times, data.values + np.eye(data.n)[i])
        other = moved.factored([member], prior.center)
        slope = prior.one_step_ahead(other.ones, other.whitened)[0][0, i] - errors[0, i]
        density = stats.t(degrees[0, i]).logpdf(errors[0, i]) + np.log(slope)
        assert density == pytest.approx(step, rel=1e-6, abs=1e-6)
    assert total == pytest.approx(data.log_evidence([member], prior)[0], rel=1e-9)


@settings(max_examples=20, deadline=None)
@given(members, priors)
def test_a_common_level_is_a_noise_matrix(member, prior):
    """(K + c)∘J + σ²I = K∘J + σ²N with N = I + (c/σ²)J: two ways to say one law."""
    data = data_of()
    gaps = np.abs(np.subtract.outer(data.times, data.times))
    decay = BY_HAND[member.memory](gaps / member.half_life)
    matrix = np.eye(data.n) + member.level / member.noise_variance * decay
    noisy = replace(data, noise=noise_of_rows(matrix))
    flat = replace(member, level=0.0)
    expected = data.log_evidence([member], prior)
    assert noisy.log_evidence([flat], prior) == pytest.approx(expected, rel=1e-7)


def test_mean_and_scale_given_the_data_by_quadrature():
    data, member = data_of(n=6), Member("se", 0.05, (0.4, 0.4), 0.1)
    prior = MeanAndScale(2.0, 1.5, 2.0, 3.0)
    a = covariance(data, member)
    m, v = np.meshgrid(np.linspace(-30, 34, 801), np.exp(np.linspace(-5, 7, 801)), indexing="ij")
    log = stats.invgamma(prior.shape, scale=prior.scale).logpdf(v) + np.log(v)
    log += stats.norm(prior.center, np.sqrt(prior.spread * v)).logpdf(m)
    solved = np.linalg.inv(a)
    ones = np.ones(data.n)
    square = data.values @ solved @ data.values - 2 * m * (ones @ solved @ data.values)
    square = square + m**2 * (ones @ solved @ ones)
    log += -0.5 * square / v - 0.5 * data.n * np.log(v)
    weights = np.exp(log - log.max())
    weights /= weights.sum()
    _, law = data.judged([member], prior)
    assert float(law.center[0]) == pytest.approx(float((weights * m).sum()), abs=1e-3)
    mean_variance = float((weights * v).sum())
    assert float(law.scale[0] / (law.shape[0] - 1)) == pytest.approx(mean_variance, rel=1e-3)
    rng = np.random.default_rng(0)
    drawn = np.array([law.draw(0, rng) for _ in range(4000)])
    assert drawn[:, 0].mean() == pytest.approx(float(law.center[0]), abs=0.15)
    assert (drawn[:, 1] ** 2).mean() == pytest.approx(mean_variance, rel=0.1)


@pytest.mark.parametrize("noise", [None, "own", "correlated"])
def test_the_covariance_of_observations(noise):
    data, member = data_of(noise=noise), Member("matern52", 0.05, (0.4, 0.9), 0.1, 0.7)
    matrix = None if data.noise is None else data.noise.matrix
    found = member.observed(data.points, data.times, matrix)
    np.testing.assert_allclose(found, covariance(data, member), atol=1e-12)
    assert member.half_life == pytest.approx(np.log(2) / 0.05)
    assert replace(member, rate=0.0).half_life == np.inf
    assert np.exp(-member.rate * member.half_life) == pytest.approx(0.5)
    assert data.n == 14 and Member("se", 0.1, (1.0,), 0.1).level == 0.0


@pytest.mark.parametrize("batch", [1, 2 * 8 * 16**2, 3 * 8 * 16**2])
def test_candidates_of_all_kernels_are_factored_in_batches(batch, monkeypatch):
    """In the order in which they are asked for, one, two or three at once."""
    monkeypatch.setattr(evidence, "_BATCH_BYTES", batch)
    data, rng = data_of(noise="own"), np.random.default_rng(1)
    chosen = [
        Member(k, r, tuple(rng.random(2) + 0.1), 0.1, c)
        for k, r, c in (
            ("se", 0.1, 0.0),
            ("matern52", 0.0, 0.5),
            ("se", 0.0, 0.0),
            ("matern32", 0.2, 1.0),
            ("se", 0.3, 0.2),
        )
    ]
    found = data.factored(chosen, 1.5)
    for i, member in enumerate(chosen):
        root = np.linalg.cholesky(covariance(data, member))
        np.testing.assert_allclose(found.diagonal[i], np.diag(root))
        np.testing.assert_allclose(found.ones[i], np.linalg.solve(root, np.ones(14)))
        np.testing.assert_allclose(found.whitened[i], np.linalg.solve(root, data.values - 1.5))


def test_singular_covariances_are_refused_or_of_no_evidence():
    still = Data(np.zeros((3, 2)), np.zeros(3), np.arange(3.0))
    member = Member("se", 0.0, (1.0, 1.0), 1e-20)
    with pytest.raises(NumericalFailure, match="give a hyperprior with more noise"):
        still.factored([member], 0.0)
    value, slopes = still.log_evidence_and_slopes(member, MeanAndScale(0.0, 0.0, 1.0, 1.0))
    assert np.isneginf(value) and slopes.tolist() == [0.0] * 5


def test_the_law_of_one_row_is_that_of_many():
    law, rng = MeanAndScale(0.5, 1.5, 2.0, 3.0), np.random.default_rng(0)
    ones, whitened = rng.random((2, 3, 4)), rng.random((2, 3, 4))
    many = law.posterior(ones, whitened)
    for i, j in np.ndindex(2, 3):
        one = law.posterior(ones[i, j], whitened[i, j])
        for name in ("center", "spread", "shape", "scale"):
            assert getattr(many, name)[i, j] == pytest.approx(float(getattr(one, name)))
    assert np.all(many.shape == 4.0) and many.shape.shape == (2, 3)


def test_draws_of_mean_and_scale_take_a_gamma_and_a_normal():
    law = Posterior(*(np.array([9.9, value]) for value in (1.0, 0.5, 3.0, 8.0)))
    rng = np.random.default_rng(4)
    variance = 8.0 / rng.gamma(3.0)
    mean = 1.0 + np.sqrt(0.5 * variance) * rng.standard_normal()
    assert law.draw(1, np.random.default_rng(4)) == pytest.approx((mean, np.sqrt(variance)))
    assert law.rows.tolist() == [[9.9] * 4, [1.0, 0.5, 3.0, 8.0]]
    assert Posterior.of_rows(law.rows).rows.tolist() == law.rows.tolist()


def test_a_constant_y_is_refused():
    for same in (np.full(4, 2.0), np.array([1e12, 1e12 + 1.0]), np.array([5.0])):
        what = "the same in every row" if np.ptp(same) == 0.0 else "1e.12 up to 1: its changes"
        with pytest.raises(InvalidInput, match=f"y = {what}"):
            MeanAndScale.around(same)
    for values in (np.array([1.0, 3.0]), np.array([-1e-6, 1e-6]), 1e9 + np.array([0.0, 1.0])):
        found = MeanAndScale.around(values)
        assert found == MeanAndScale(values.mean(), 4.0, 1.0, np.var(values))


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0, 0.0])
def test_laws_of_mean_and_scale_that_are_none(value):
    for name, sound in (
        ("center", np.isfinite(value)),
        ("spread", value == 0.0),
        ("shape", False),
        ("scale", False),
    ):
        given = {"center": 0.0, "spread": 1.0, "shape": 1.0, "scale": 1.0, name: value}
        if sound:
            assert getattr(MeanAndScale(**given), name) == value
        else:
            said = "mean" if name == "center" else name
            with pytest.raises(InvalidInput, match=f"hyperprior {said} = "):
                MeanAndScale(**given)
