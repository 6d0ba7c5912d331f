"""Certificates under a weighted set of priors against dense algebra, and their bookkeeping."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bounds.errors import InvalidInput
from bounds.kernels import parse_kernel
from simulation.after_run import fit_coverage as fit_coverage_room
from simulation.after_run.fit_coverage import (
    METHODS,
    Setting,
    fit_coverage,
    simulated_log,
)
from simulation.after_run.mixture import LogPosterior, certify_log, worst_case
from simulation.after_run.search_space import LINE_SITES, SearchSpace
from simulation.logs.axes import Axis
from simulation.model.noise import NoiseMatrix
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.fit import data_of, finite_candidates, fit
from simulation.prior.hyperprior import FiniteHyperprior

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


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["real", "few", "many"]), min_size=1, max_size=5),
       st.integers(10, 2500))  # fmt: skip
def test_search_spaces_are_within_what_was_asked(kinds, most):
    made = {"real": (0.0, 1.0, False), "few": (0, 2, True), "many": (0, 500, True)}
    axes = [Axis(f"x{i}", lo, hi, integer=whole) for i, (lo, hi, whole) in
            enumerate(made[kind] for kind in kinds)]  # fmt: skip
    space = SearchSpace.of(axes, np.empty((0, len(axes))), most)
    assert 1 <= len(space.sites) <= max(most, 2 ** len(axes))
    assert np.all((space.sites >= 0) & (space.sites <= 1))


@pytest.mark.parametrize(
    ("kernel", "share"), [("se", 2e-4), ("matern52", 5e-4), ("matern32", 3e-3)]
)
def test_one_axis_has_places_enough(kernel, share):
    axes, nothing = AXES["one"], np.empty((0, 1))
    fine = SearchSpace.of(axes, nothing, 6 * (LINE_SITES - 1) + 1)
    coarse = SearchSpace.of(axes, nothing).sites
    assert coarse == pytest.approx(fine.sites[::6])
    member = Member(kernel, 0.0, (0.05,), 0.05)
    factor = fine.factor(member, fine.rows(member))
    paths = factor.apply(np.random.default_rng(0).standard_normal((200, factor.rank)))
    best = paths.max(axis=1)
    lost = best - paths[:, ::6].max(axis=1)
    assert 0.0 < lost.mean() < share * (best - paths[:, len(coarse)]).mean()


def test_one_axis_of_whole_numbers_keeps_them_all():
    axis = Axis("a", 1, 1000, integer=True)
    sites = SearchSpace.of((axis,), np.empty((0, 1))).sites
    assert axis.from_unit(sites[:, 0]) == pytest.approx(np.arange(1, 1001))


def dense_draws(posterior: LogPosterior, member: Member, mean, scale, paths, rng):
    """Cumulative regrets by one dense Gaussian over all sites and rounds, and a level."""
    data, space = posterior.data, posterior.space
    unit = parse_kernel(member.kernel, 1.0)
    gram = unit.gram(space.sites / np.array(member.lengthscales))
    decay = np.exp(-member.rate * np.abs(np.subtract.outer(data.times, data.times)))
    full = np.kron(decay, gram)
    size, n = len(space.sites), data.n
    at = np.arange(n) * size + space.played
    errors = np.eye(n) if data.noise is None else data.noise.matrix
    noisy = full[np.ix_(at, at)] + member.level * decay + member.noise_variance * errors
    gain = full[:, at] @ np.linalg.inv(noisy)
    center = gain @ (data.values - mean) / scale
    covariance = full - gain @ full[at]
    values, vectors = np.linalg.eigh(0.5 * (covariance + covariance.T))
    root = vectors * np.sqrt(np.maximum(values, 0))
    f = center + rng.standard_normal((paths, len(values))) @ root.T
    f = f.reshape(paths, n, size)
    chosen = f[:, np.arange(n), space.played]
    return scale * (f.max(axis=2) - chosen).sum(axis=1)


UNLIKE = NoiseMatrix.of(np.diag(np.geomspace(0.2, 60.0, 9)) + 0.15)


@pytest.mark.parametrize(("member", "noise"), [
    (Member("se", 0.02, (0.4, 0.3), 0.05), None),
    (Member("matern52", 0.02, (0.4, 0.3), 0.05, level=0.7), None),
    (Member("matern52", 0.0, (0.4, 0.3), 0.05), None),
    (Member("matern52", 0.02, (0.4, 0.3), 0.05, level=0.7), UNLIKE),
])  # fmt: skip
def test_regrets_are_those_of_the_dense_posterior(member, noise):
    log = simulated_log(Setting(rounds=9, steps=5, policy="random"), seed=1)[0]
    log = replace(log, noise=noise)
    prior = MeanAndScale(0.4, 0.0, 1e9, 4e9)  # m = 0.4 and s = 2, as good as known
    candidates = finite_candidates(data_of(log), FiniteHyperprior((member,), (1.0,), prior))
    posterior = LogPosterior(log, candidates, sites=25)
    drawn = posterior.draws(600, 5)
    dense = dense_draws(posterior, member, 0.4, 2.0, 3000, np.random.default_rng(2))
    assert stats.ks_2samp(drawn.cumulative, dense).pvalue > 1e-3
    assert np.all(drawn.simple >= 0) and np.all(drawn.lenient <= drawn.cumulative + 1e-9)


def set_of(log, rates=(0.0, 0.005, 0.05)):
    members = tuple(Member("se", rate, (0.25, 0.25), 0.01) for rate in rates)
    share = 1.0 / len(members)
    return FiniteHyperprior(members, (share,) * len(members), MeanAndScale(0.0, 1.0, 2.0, 2.0))


def test_members_are_drawn_by_their_weights_and_levels_say_what_holds():
    log = simulated_log(Setting(rounds=20, steps=6), seed=2)[0]
    exact = finite_candidates(data_of(log), set_of(log))
    draws = LogPosterior(log, exact, sites=36).draws(400, 0)
    counts = np.bincount(draws.members, minlength=3)
    assert stats.chisquare(counts + 1e-9, 400 * exact.weights + 1e-9).pvalue > 1e-3
    found = certify_log(log, exact, paths=19, sites=36, tolerance=0.5)
    assert [one.quantity for one in found.certificates] == ["cumulative", "simple", "lenient"]
    assert {one.level for one in found.certificates} == {18 / 20}
    assert all(one.exact and one.sampling_error == 0 for one in found.certificates)
    sampled = certify_log(log, replace(exact, exact=False), paths=19, sites=36)
    one = sampled.certificates[0]
    assert not one.exact and one.level == pytest.approx(0.9 - one.sampling_error)
    assert one.sampling_error == pytest.approx(np.sqrt(0.09 / exact.effective_size))
    alone = certify_log(log, exact.alone(0), paths=19, sites=36)
    assert alone.certificates[0].name == "rank-plugged-in"
    assert any("does not hold" in warning for warning in alone.warnings)


def test_the_same_draws_whatever_the_threads_and_others_for_another_purpose(monkeypatch):
    log = simulated_log(Setting(rounds=15, steps=6), seed=2)[0]
    exact = finite_candidates(data_of(log), set_of(log))
    posterior = LogPosterior(log, exact, sites=36)
    two = posterior.draws(19, 3)
    monkeypatch.setattr("simulation.after_run.mixture._THREADS", 1)
    assert np.array_equal(posterior.draws(19, 3).cumulative, two.cumulative)
    assert not np.any(posterior.draws(19, 3, purpose=8).cumulative == two.cumulative)


def test_stopping_decides_by_other_draws_than_it_reports():
    log = simulated_log(Setting(rounds=20, steps=6), seed=2)[0]
    exact = finite_candidates(data_of(log), set_of(log))
    plain = certify_log(log, exact, paths=19, sites=36)
    never = certify_log(log, exact, paths=19, sites=36, stop_below=1e-9)
    assert never.certificates == () and not never.stop.stop
    always = certify_log(log, exact, paths=19, sites=36, stop_below=1e9)
    assert always.stop.stop
    assert [c.value for c in always.certificates] == [c.value for c in plain.certificates]
    assert always.stop.bound != plain.certificates[1].value


def test_the_upper_confidence_policy_plays_where_mean_and_deviation_say():
    rng = np.random.default_rng(3)
    axis = np.linspace(0.0, 1.0, 6)
    sites = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    for n in (1, 4, 12):
        played, times = rng.integers(0, 36, n), np.cumsum(rng.exponential(size=n))
        values = rng.normal(2.0, 1.0, n)
        model = fit_coverage_room._ASSUMED
        age = np.exp(-model.rate * (times[-1] - times))
        cross = model.between(sites[played], sites) * age[:, None]
        solved = np.linalg.solve(
            model.observed(sites[played], times), np.column_stack([values - values.mean(), cross])
        )
        variance = 1.0 - np.sum(cross * solved[:, 1:], axis=0)
        score = cross.T @ solved[:, 0] + 1.5 * np.sqrt(variance)
        found = fit_coverage_room._upper_confidence(sites, played, values, times)
        assert score[found] == pytest.approx(score.max(), rel=1e-12)


def test_the_worst_case_is_above_each_member_kept():
    log = simulated_log(Setting(rounds=25, steps=6), seed=4)[0]
    hyperprior = set_of(log)
    found = worst_case(log, hyperprior, paths=39, delta=0.1, sites=36)
    candidates = finite_candidates(data_of(log), hyperprior)
    evidence = candidates.log_evidence
    average = np.log(np.mean(np.exp(evidence - evidence.max()))) + evidence.max()
    kept = [i for i in range(3) if average - evidence[i] < np.log(20)]
    assert found.kept == len(kept) >= 1
    posterior = LogPosterior(log, candidates, sites=36)
    each = [np.sort(posterior.draws_under(i, 39, 0).cumulative)[37] for i in kept]
    assert found.certificates[0].value == max(each)
    assert {one.name for one in found.certificates} == {"rank-worst-case"}
    assert found.certificates[0].level == pytest.approx(0.9)
    with pytest.raises(InvalidInput, match="paths = 9"):
        worst_case(log, hyperprior, paths=9, delta=0.1)


def test_inputs_that_are_refused():
    log = simulated_log(Setting(rounds=15, steps=6), seed=2)[0]
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


def test_a_fitted_set_certifies_and_the_study_counts():
    rows = fit_coverage([Setting(rounds=20, steps=5)], 2)
    assert [row.method for row in rows] == [*METHODS, *METHODS]
    assert rows[2].width == 1.0 and all(0 <= row.covered <= row.runs == 2 for row in rows)


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
        log, regret = simulated_log(setting, seed)
        found = certify_log(
            log, finite_candidates(data_of(log), hyperprior), paths=9, seed=seed, sites=36
        )
        covered += regret <= found.certificates[0].value
    assert stats.binomtest(covered, 300, 0.9).pvalue > 1e-3


def test_fit_then_certify_on_many_inputs():
    rng = np.random.default_rng(0)
    log = simulated_log(Setting(rounds=20, steps=5), seed=1)[0]
    axes = AXES["many"]
    wide = replace(log, axes=axes, points=rng.random((20, 6)))
    found = certify_log(wide, fit(wide, draws=60).candidates, paths=9, sites=64)
    assert found.certificates[0].value > 0 and found.sites == 64 + 20
