"""Certificates under a weighted set of priors against dense algebra, and their bookkeeping."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchmarks.fit_coverage import Setting, simulated_trace
from bounds.errors import InvalidInput
from bounds.kernels import parse_kernel
from bounds.noise import noise_of_rows
from own_runs.certificates.mixture import LogPosterior, certify_log, spared, worst_case
from own_runs.certificates.search_space import LINE_SITES, SearchSpace
from own_runs.logs.axes import Axis
from own_runs.prior.fit import data_of, finite_candidates, fit
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.hyperprior import FiniteHyperprior
from simulation.prior.nonstationary import Nonstationarity
from simulation.prior.warp import Warp
from tests.simulation.model.test_sampling import law_of
from tests.simulation.prior.test_evidence import BY_HAND, bent_by_hand

AXES = {
    "even": (Axis("a", 0.0, 1.0), Axis("b", 1e-3, 1.0, log=True)),
    "one": (Axis("a", 0.0, 1.0),),
    "integers": (Axis("a", 0.0, 1.0), Axis("b", 1, 4, integer=True)),
    "uneven": (Axis("a", 1, 64, log=True, integer=True), Axis("b", 0.0, 1.0)),
    "many": tuple(Axis(f"x{i}", 0.0, 1.0) for i in range(6)),
}
KNOWN = MeanAndScale(0.0, 0.0, 1e9, 1e9)


def member_for(axes, kernel="matern52", **kwargs):
    lengths = tuple(0.3 + 0.1 * i for i in range(len(axes)))
    return Member(kernel, kwargs.pop("rate", 0.01), lengths, 0.05, **kwargs)


@pytest.mark.parametrize("kernel", ["se", "matern32", "matern52"])
@pytest.mark.parametrize("name", sorted(AXES))
def test_factors_give_the_covariance_of_all_sites(name, kernel):
    axes = AXES[name]
    points = np.random.default_rng(0).random((7, len(axes)))
    points[3] = points[0]
    space = SearchSpace.of(axes, points, 64)
    member = member_for(axes, kernel)
    factor = space.factor(member, space.rows(member))
    root = factor.apply(np.eye(factor.rank)).T
    unit = parse_kernel(kernel, 1.0)
    scaled = space.sites / np.array(member.lengthscales)
    # Singular covariances are completed to 1e-12 in variance, 1e-6 in each entry.
    assert root @ root.T == pytest.approx(unit.gram(scaled), abs=3e-6)
    assert space.sites[space.played] == pytest.approx(points)
    values = root @ np.arange(1.0, factor.rank + 1) / factor.rank
    assert root @ factor.whiten(values) == pytest.approx(values, abs=1e-3)


@pytest.mark.parametrize("kernel", ["se", "matern52"])
def test_factors_of_words_without_an_order(kernel):
    """Two words at different places are at distance 1, beside a line of numbers."""
    axes = (Axis.of_words("a", ["x", "y", "z"]), Axis("b", 0.0, 1.0))
    rng = np.random.default_rng(0)
    points = np.column_stack([rng.integers(0, 3, 7) / 2.0, rng.random(7)])
    space = SearchSpace.of(axes, points, 40)
    member = member_for(axes, kernel, unordered=(0,))
    factor = space.factor(member, space.rows(member))
    root = factor.apply(np.eye(factor.rank)).T
    apart = np.not_equal.outer(space.sites[:, 0], space.sites[:, 0]) / 0.3
    along = np.subtract.outer(space.sites[:, 1], space.sites[:, 1]) / 0.4
    expected = parse_kernel(kernel, 1.0).at_distance(np.hypot(apart, along))
    assert root @ root.T == pytest.approx(expected, abs=3e-6)
    assert set(space.sites[:, 0]) == {0.0, 0.5, 1.0}


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(["real", "few", "many"]), min_size=1, max_size=5),
    st.integers(10, 2500),
)
def test_search_spaces_are_within_what_was_asked(kinds, most):
    made = {"real": (0.0, 1.0, False), "few": (0, 2, True), "many": (0, 500, True)}
    axes = [
        Axis(f"x{i}", lo, hi, integer=whole)
        for i, (lo, hi, whole) in enumerate(made[kind] for kind in kinds)
    ]
    space = SearchSpace.of(axes, np.empty((0, len(axes))), most)
    assert 1 <= len(space.sites) <= max(most, 2 ** len(axes))
    assert np.all((space.sites >= 0) & (space.sites <= 1))


@pytest.mark.parametrize(
    ("kernel", "share"), [("se", 2e-4), ("matern52", 5e-4), ("matern32", 3e-3)]
)
def test_one_axis_has_places_enough(kernel, share):
    axes, nothing = AXES["one"], np.empty((0, 1))
    fine = SearchSpace.of(axes, nothing, 3 * (LINE_SITES - 1) + 1)
    coarse = SearchSpace.of(axes, nothing).sites
    assert coarse == pytest.approx(fine.sites[::3])
    member = Member(kernel, 0.0, (0.05,), 0.05)
    factor = fine.factor(member, fine.rows(member))
    paths = factor.apply(np.random.default_rng(0).standard_normal((200, factor.rank)))
    best = paths.max(axis=1)
    lost = best - paths[:, ::3].max(axis=1)
    assert 0.0 < lost.mean() < share * (best - paths[:, len(coarse)]).mean()


def test_one_axis_of_whole_numbers_keeps_them_all():
    axis = Axis("a", 1, 1000, integer=True)
    sites = SearchSpace.of((axis,), np.empty((0, 1))).sites
    assert axis.from_unit(sites[:, 0]) == pytest.approx(np.arange(1, 1001))


def dense_law(posterior: LogPosterior, member: Member, mean, scale):
    """Mean and covariance of f over all sites and rounds, a level beside."""
    data, space = posterior.data, posterior.space
    unit = parse_kernel(member.kernel, 1.0)
    sites = np.array([bent_by_hand(site, member.nonstationary.bends) for site in space.sites])
    gram = unit.gram(sites / np.array(member.lengthscales))
    gaps = np.abs(np.subtract.outer(data.times, data.times))
    decay = BY_HAND[member.memory](gaps / member.half_life)
    if member.nonstationary.change is not None:
        later = data.times > member.nonstationary.change
        decay = decay * np.equal.outer(later, later)
    full = np.kron(decay, gram)
    size, n = len(space.sites), data.n
    at = np.arange(n) * size + space.played
    errors = np.eye(n) if data.noise is None else data.noise.matrix
    wild = np.where(np.isin(np.arange(n), member.outliers), 10.0, 1.0)
    wild *= np.exp(0.5 * (data.points - 0.5) @ np.array(member.nonstationary.slopes or (0.0, 0.0)))
    errors = errors * np.outer(wild, wild)
    noisy = full[np.ix_(at, at)] + member.level * decay + member.noise_variance * errors
    gain = full[:, at] @ np.linalg.inv(noisy)
    center = gain @ (data.values - mean) / scale
    return center, full - gain @ full[at]


UNLIKE = noise_of_rows(np.diag(np.geomspace(0.2, 60.0, 9)) + 0.15)


class Stream:
    """Stands for the seed of a generator, and for the generator: its normals are those given."""

    def __init__(self, normals):
        self.normals = normals

    def standard_normal(self, shape):
        return self.normals.standard_normal(shape)


@pytest.mark.parametrize(
    ("member", "noise"),
    [
        (Member("se", 0.02, (0.4, 0.3), 0.05), None),
        (Member("matern52", 0.02, (0.4, 0.3), 0.05, level=0.7), None),
        (Member("matern52", 0.02, (0.4, 0.3), 0.05, level=0.7), UNLIKE),
        (Member("matern52", 0.0, (0.4, 0.3), 0.05, level=0.7), None),
        (Member("matern52", 0.02, (0.4, 0.3), 0.05, 0.7, "rational-quadratic"), UNLIKE),
        (Member("se", 0.2, (0.4, 0.3), 0.05, 0.7, "sinusoid"), None),
        (Member("se", 0.02, (0.4, 0.3), 0.05, outliers=(2, 5)), None),
        (Member("se", 0.02, (0.4, 0.3), 0.05, outliers=(2,)), UNLIKE),
        (
            Member("se", 0.02, (0.4, 0.3), 0.05, 0.7, nonstationary=Nonstationarity(change=9.0)),
            UNLIKE,
        ),
        (
            Member("matern52", 0.0, (0.4, 0.3), 0.05, nonstationary=Nonstationarity(change=9.0)),
            None,
        ),
        (
            Member("se", 0.02, (0.4, 0.3), 0.05, nonstationary=Nonstationarity(None, (3.0, -1.5))),
            None,
        ),
        (
            Member(
                "matern52", 0.0, (0.4, 0.3), 0.05, nonstationary=Nonstationarity(None, (3.0, 0.0))
            ),
            None,
        ),
        (
            Member("se", 0.2, (0.4, 0.3), 0.05, nonstationary=Nonstationarity(slopes=(4.0, 0.0))),
            UNLIKE,
        ),
    ],
)
def test_paths_have_the_law_of_the_dense_posterior(member, noise, monkeypatch):
    """Exactly: they are linear in their normals."""
    log = replace(
        simulated_trace(Setting(rounds=9, steps=3, policy="random"), seed=1)[0], noise=noise
    )
    candidates = finite_candidates(data_of(log), FiniteHyperprior((member,), (1.0,), KNOWN))
    monkeypatch.setattr(type(candidates.posterior), "draw", lambda law, index, rng: (0.4, 2.0))
    monkeypatch.setattr(np.random, "default_rng", lambda stream: stream)
    posterior = LogPosterior(log, candidates, sites=9)

    def drawn(normals):
        (path,) = posterior.paths(0, [Stream(normals)])
        assert (path.mean, path.scale) == (0.4, 2.0) and path.rng.normals is normals
        assert np.shape(path.factor.apply(np.zeros((1, path.factor.rank)))) == (1, sites)
        return np.ravel(path.values)

    sites = len(posterior.space.sites)
    center, covariance = law_of(drawn)
    expected, left = dense_law(posterior, member, 0.4, 2.0)
    if member.still:  # one row for all rounds
        assert len(center) == sites
        center, covariance = np.tile(center, 9), np.tile(covariance, (9, 9))
    np.testing.assert_allclose(center, expected, atol=1e-6)
    np.testing.assert_allclose(covariance, left, atol=1e-6)
    monkeypatch.undo()
    monkeypatch.setattr(type(candidates.posterior), "draw", lambda law, index, rng: (0.4, 2.0))
    streams = np.random.SeedSequence(4).spawn(2)
    wide = LogPosterior(log, candidates, sites=9, tolerance=0.5)
    paths = [one.values for one in wide.paths(0, streams)]
    for found, path in zip(wide._under(0, streams, 4), paths, strict=True):
        path = np.broadcast_to(path, (9, sites))
        regrets = 2.0 * (path.max(axis=1) - path[np.arange(9), wide.space.played])
        simple = 2.0 * (path[-1].max() - path[-1, wide.space.played[4]])
        lenient = np.sum(np.maximum(regrets - 0.5, 0.0))
        assert found == pytest.approx([regrets.sum(), simple, lenient])


@pytest.mark.parametrize("memory", ["forgetting", "periodic"])
def test_a_path_on_a_scale_of_y_and_after_the_log(memory, monkeypatch):
    """Its mean, level and later times against one big matrix; regrets are those of y."""
    log = simulated_trace(Setting(rounds=9, steps=3, policy="random"), seed=1)[0]
    warp = Warp.of(log.values, 0.0)
    member = Member("se", 0.05, (0.4, 0.3), 0.05, 0.7, memory, warp)
    candidates = finite_candidates(data_of(log), FiniteHyperprior((member,), (1.0,), KNOWN))
    monkeypatch.setattr(type(candidates.posterior), "draw", lambda law, index, rng: (0.4, 2.0))
    posterior = LogPosterior(log, candidates, sites=9)
    played, ahead = posterior.space.played, log.times[-1] + np.array([0.0, 7.0, 30.0])
    times = np.concatenate([log.times, ahead])
    decay = BY_HAND[memory](np.abs(np.subtract.outer(times, log.times)) / member.half_life)
    space = parse_kernel("se", 1.0).gram(posterior.space.sites / np.array([0.4, 0.3]))
    noisy = (space[np.ix_(played, played)] + 0.7) * decay[:9] + 0.05 * np.eye(9)
    changed = warp.shift + warp.factor * stats.yeojohnson(
        (log.values - warp.middle) / warp.spread, 0.0
    )
    weights = np.linalg.solve(noisy, (changed - 0.4) / 2.0)
    with monkeypatch.context() as zeros:  # the mean is the path of no noise
        zeros.setattr(np.random, "default_rng", lambda stream: stream)
        (path,) = posterior.paths(0, [Stream(Zeros())], ahead)
    np.testing.assert_allclose(path.values, (decay * weights) @ space[played], atol=1e-6)
    np.testing.assert_allclose(path.level, 0.7 * decay @ weights, atol=1e-9)
    values, unit = path.comparable()
    assert unit == 1.0
    inside = 0.4 + 2.0 * (path.values + path.level[:, None])
    back = stats.yeojohnson((values - warp.middle) / warp.spread, 0.0)
    np.testing.assert_allclose(warp.shift + warp.factor * back, inside)
    assert posterior._mean_at_end(0).shape == (9,)
    stream = np.random.SeedSequence(4)
    (drawn,) = posterior.paths(0, [stream])
    (found,) = posterior._under(0, [stream], 4)
    y, _ = drawn.comparable()
    assert found[0] == pytest.approx(np.sum(y.max(axis=1) - y[np.arange(9), played]))
    assert found[1] == pytest.approx(y[-1].max() - y[-1, played[4]])


class Zeros:
    """Normals that are all zero."""

    def standard_normal(self, shape):
        return np.zeros(shape)


@pytest.mark.parametrize("rate", [0.0, 0.02])
def test_the_recommended_row_has_the_largest_mean_at_the_end(rate):
    """By the weights, in units of y."""
    log = simulated_trace(Setting(rounds=9, steps=4, policy="random"), seed=3)[0]
    members = tuple(Member(k, rate, (0.4, 0.3), v) for k, v in (("se", 0.05), ("matern52", 1.0)))
    law = MeanAndScale(0.3, 1.0, 2.0, 3.0)
    candidates = finite_candidates(data_of(log), FiniteHyperprior(members, (0.9, 0.1), law))
    posterior, total = LogPosterior(log, candidates, sites=16), np.zeros(9)
    for i, member in enumerate(members):
        mean, scale = candidates.posterior.center[i], np.sqrt(candidates.posterior.scale[i])
        center, _ = dense_law(posterior, member, mean, scale)
        end = scale * center.reshape(9, -1)[-1, posterior.space.played]
        assert posterior._mean_at_end(i) == pytest.approx(end, abs=1e-9)
        total += candidates.weights[i] * end
    assert posterior.recommended() == int(np.argmax(total))
    # Weights turn the order round.
    low, high = (int(np.argmax(posterior._mean_at_end(i))) for i in (0, 1))
    for weights in ((1.0, 0.0), (0.0, 1.0)):
        chosen = LogPosterior(log, replace(candidates, weights=np.array(weights)), sites=16)
        assert chosen.recommended() == (low, high)[int(weights[1])]


def test_certificates_say_what_their_draws_do():
    log = simulated_trace(Setting(rounds=9, steps=4), seed=2)[0]
    log = replace(log, rows=tuple(range(11, 20)))
    exact = finite_candidates(data_of(log), set_of(log))
    posterior = LogPosterior(log, exact, sites=16, tolerance=0.3)
    asked = {"paths": 19, "delta": 0.2, "seed": 3, "sites": 16}
    found = certify_log(log, exact, **asked, tolerance=0.3, stop_below=1e9)
    # The draws that decide are others than those that are reported.
    draws, first = posterior.draws(19, 3), posterior.draws(19, 3, purpose=8)
    assert not np.any(draws.cumulative == first.cumulative)
    assert found.stop.stop and found.stop.threshold == 1e9
    assert found.stop.bound == np.sort(first.simple)[15]
    assert found.recommended == 11 + posterior.recommended() == 11 + draws.recommended
    assert found.sites == len(posterior.space.sites) and found.kept is None
    assert found.warnings == ()
    for one in found.certificates:
        values = draws.of(one.quantity)
        assert (one.value, one.level, one.rank, one.paths) == (np.sort(values)[15], 0.8, 16, 19)
        assert one.mean == pytest.approx(np.mean(values))
        assert one.mean_error == pytest.approx(stats.sem(values))
        assert (one.exact, one.sampling_error, one.name) == (True, 0.0, "rank-mixture")
    never = certify_log(log, exact, **asked, stop_below=1e-9)
    assert never.certificates == () and not never.stop.stop
    assert (never.stop.bound, never.stop.threshold) == (found.stop.bound, 1e-9)
    assert (never.recommended, never.sites, never.kept) == (found.recommended, found.sites, None)
    assert never.warnings == ()
    edge = certify_log(log, exact, **asked, stop_below=found.stop.bound)
    assert edge.stop.stop
    assert [one.quantity for one in edge.certificates] == ["cumulative", "simple"]
    assert certify_log(log, exact, **asked).stop is None
    single = certify_log(log, replace(exact.alone(1), exact=False), paths=1, delta=0.5, sites=16)
    assert np.isnan(single.certificates[0].mean_error)
    assert single.certificates[0].sampling_error == 0.0 and len(single.warnings) == 1
    with pytest.raises(InvalidInput, match="give at least 9"):
        certify_log(log, exact, paths=8, sites=16)


def test_streams_of_paths_are_their_own():
    """Members from the last stream; each path from its own, whatever the others are."""
    log = simulated_trace(Setting(rounds=9, steps=4), seed=2)[0]
    exact = finite_candidates(data_of(log), set_of(log))
    posterior = LogPosterior(log, exact, sites=16)
    root = np.random.SeedSequence([3, 9], spawn_key=(7,)).spawn(6)
    draws = posterior.draws(5, 3)
    shares = np.random.default_rng(root[-1]).random(5)
    assert draws.members.tolist() == np.searchsorted(np.cumsum(exact.weights), shares).tolist()
    for i, member in enumerate(draws.members):
        alone = posterior._under(int(member), [root[i]], draws.recommended)[0]
        assert [draws.cumulative[i], draws.simple[i], draws.lenient[i]] == alone.tolist()
    under = posterior.draws_under(2, 5, 3)
    assert under.members.tolist() == [2] * 5
    assert under.cumulative[1] == posterior._under(2, [root[1]], 0)[0, 0]


def set_of(log, rates=(0.0, 0.005, 0.05)):
    members = tuple(Member("se", rate, (0.25, 0.25), 0.01) for rate in rates)
    share = 1.0 / len(members)
    return FiniteHyperprior(members, (share,) * len(members), MeanAndScale(0.0, 1.0, 2.0, 2.0))


def test_levels_say_what_holds():
    log = simulated_trace(Setting(rounds=20, steps=6), seed=2)[0]
    exact = finite_candidates(data_of(log), set_of(log))
    found = certify_log(log, exact, paths=19, sites=36, tolerance=0.5)
    assert [one.quantity for one in found.certificates] == ["cumulative", "simple", "lenient"]
    assert {one.level for one in found.certificates} == {18 / 20}
    assert all(one.exact and one.sampling_error == 0 for one in found.certificates)
    sampled = certify_log(log, replace(exact, exact=False), paths=19, sites=36)
    one = sampled.certificates[0]
    assert not one.exact and one.level == pytest.approx(0.9 - one.sampling_error)
    assert one.sampling_error == pytest.approx(np.sqrt(0.0475 / exact.effective_size))
    alone = certify_log(log, exact.alone(0), paths=19, sites=36)
    assert alone.certificates[0].name == "rank-plugged-in"
    assert any("does not hold" in warning for warning in alone.warnings)


def test_the_same_draws_whatever_the_threads(monkeypatch):
    log = simulated_trace(Setting(rounds=15, steps=6), seed=2)[0]
    exact = finite_candidates(data_of(log), set_of(log))
    posterior = LogPosterior(log, exact, sites=36)
    two = posterior.draws(19, 3)
    monkeypatch.setattr("own_runs.certificates.mixture._THREADS", 1)
    assert np.array_equal(posterior.draws(19, 3).cumulative, two.cumulative)


def test_the_worst_case_is_above_each_member_kept():
    log = simulated_trace(Setting(rounds=25, steps=6), seed=4)[0]
    hyperprior = set_of(log)
    found = worst_case(log, hyperprior, paths=39, delta=0.1, sites=36)
    candidates = finite_candidates(data_of(log), hyperprior)
    evidence = candidates.log_evidence
    average = np.log(np.mean(np.exp(evidence - evidence.max()))) + evidence.max()
    kept = [i for i in range(3) if average - evidence[i] < np.log(20)]
    assert found.kept == len(kept) >= 1
    posterior = LogPosterior(log, candidates, sites=36)
    for one, quantity in zip(found.certificates, ("cumulative", "simple"), strict=True):
        each = [np.sort(posterior.draws_under(i, 39, 0).of(quantity))[37] for i in kept]
        assert (one.quantity, one.value, one.name) == (quantity, max(each), "rank-worst-case")
        assert (one.rank, one.paths, one.level) == (38, 39, pytest.approx(0.9))
    assert found.recommended == posterior.recommended() + 1
    assert (found.sites, found.stop, found.warnings) == (len(posterior.space.sites), None, ())
    lenient = worst_case(log, hyperprior, delta=0.5, tolerance=0.2, seed=1, sites=36)
    posterior = LogPosterior(log, candidates, sites=36, tolerance=0.2)
    # The members that an average of the likelihoods, of weights a third, does not exclude.
    kept = [i for i in range(3) if average - evidence[i] < np.log(4)]
    each = [np.sort(posterior.draws_under(i, 19, 1).lenient)[14] for i in kept]
    assert lenient.certificates[2].value == max(each) and lenient.kept == len(kept)
    assert lenient.certificates[2].level == pytest.approx(0.5)
    with pytest.raises(InvalidInput, match="paths = 9"):
        worst_case(log, hyperprior, paths=9, delta=0.1)


def test_inputs_that_are_refused():
    log = simulated_trace(Setting(rounds=15, steps=6), seed=2)[0]
    exact = finite_candidates(data_of(log), set_of(log))
    for options, message in (
        ({"paths": 5}, "paths"),
        ({"seed": -1}, "seed"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"stop_below": 0.0}, "stop-below"),
        ({"sites": 1}, "sites"),
    ):
        with pytest.raises(InvalidInput, match=message):
            certify_log(log, exact, **options)
    narrow = replace(log, axes=log.axes[:1], points=log.points[:, :1])
    with pytest.raises(InvalidInput, match="the log has 1"):
        certify_log(narrow, exact)


@pytest.mark.slow
def test_mixtures_cover_at_their_level_over_a_finite_hyperprior():
    """Truths drawn from the hyperprior: 0.9 exactly, 300 runs; a fitted set is not far below."""
    rng = np.random.default_rng(0)
    members = tuple(
        Member("se", rate, (length,) * 2, 0.01) for rate in (5e-4, 0.05) for length in (0.2, 0.6)
    )
    hyperprior = FiniteHyperprior(members, (0.25,) * 4, KNOWN)
    covered = 0
    for seed in range(300):
        truth = members[rng.integers(4)]
        epsilon = float(-np.expm1(-2 * truth.rate))
        setting = Setting("se", epsilon, truth.lengthscales[0], 0.01, 30, "ucb", 6)
        log, regret, _ = simulated_trace(setting, seed)
        found = certify_log(
            log, finite_candidates(data_of(log), hyperprior), paths=9, seed=seed, sites=36
        )
        covered += regret <= found.certificates[0].value
    assert stats.binomtest(covered, 300, 0.9).pvalue > 1e-3


def test_half_of_delta_is_left_where_the_family_was_fitted():
    log = simulated_trace(Setting(rounds=12, steps=4), seed=2)[0]
    fitted = fit(log, draws=60).candidates
    exact = finite_candidates(data_of(log), set_of(log))
    assert spared(exact, 0.1) == spared(fitted.alone(0), 0.1) == 0.0
    assert spared(fitted, 0.1) == pytest.approx(0.05)
    for one in certify_log(log, fitted, paths=39, sites=16).certificates:
        assert one.rank == 38 and one.level == pytest.approx(0.9 - one.sampling_error)
    with pytest.raises(InvalidInput, match="give at least 19"):
        certify_log(log, fitted, paths=18, sites=16)
