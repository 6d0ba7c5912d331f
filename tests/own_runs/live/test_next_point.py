"""Suggestions for a log against dense posteriors, and the laws that they obey."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.fit_coverage import Setting, simulated_trace
from bounds.errors import InvalidInput
from bounds.kernels import parse_kernel
from own_runs.live.kept_fit import KeptFit
from own_runs.live.next_point import LOG_POLICIES, _Search, next_points
from own_runs.logs.axes import Axis
from own_runs.prior.fit import data_of, finite_candidates
from simulation.policies.registry import policy_named
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.hyperprior import FiniteHyperprior
from simulation.prior.nonstationary import Nonstationarity
from simulation.prior.warp import Warp

KNOWN = MeanAndScale(0.0, 0.0, 1e9, 1e9)


@pytest.fixture(scope="module")
def log():
    return simulated_trace(Setting(rounds=20, steps=6, policy="random"), seed=1)[0]


def candidates_of(log, *members, law=KNOWN):
    share = 1.0 / len(members)
    hyperprior = FiniteHyperprior(members, (share,) * len(members), law)
    return finite_candidates(data_of(log), hyperprior)


MEMBER = Member("matern52", 0.01, (0.3, 0.4), 0.02, level=0.3)


def forgotten(gaps):
    return np.exp(-0.01 * np.abs(gaps))


def dense(log, x, t, values=None, over_time=forgotten):
    """Mean and covariance of f at (x, t), and the mean of the level when the log ends."""
    values, n = log.values if values is None else values, log.n
    where, when = np.concatenate([log.points, x]), np.concatenate([log.times, t])
    decay = over_time(np.subtract.outer(when, when))
    joint = parse_kernel("matern52", 1.0).gram(where / np.array(MEMBER.lengthscales)) * decay
    noisy = joint[:n, :n] + 0.3 * decay[:n, :n] + 0.02 * np.eye(n)
    solved = np.linalg.solve(noisy, np.column_stack([joint[:n, n:], values]))
    last = 0.3 * decay[n - 1, :n] @ solved[:, -1]
    return solved[:, :-1].T @ values, joint[n:, n:] - joint[n:, :n] @ solved[:, :-1], last


def test_mean_and_deviation_are_those_of_the_dense_posterior(log):
    found = next_points(log, candidates_of(log, MEMBER), policy="tv", now=log.times[-1] + 5.0)
    point = found.points[0]
    x = np.array([[point.inputs["x1"], point.inputs["x2"]]])
    mean, covariance, _ = dense(log, x, [log.times[-1] + 5.0 + point.expected_duration])
    assert [point.mean] == pytest.approx(mean, abs=1e-6)
    assert point.sd**2 == pytest.approx(covariance[0, 0], abs=1e-6)


@pytest.mark.parametrize("waits", [(0.0, 0.0, 0.0), (1.0, 4.0, 2.5)])
def test_moments_of_another_memory_and_another_scale(log, waits):
    """Against one big matrix, and T⁻¹ of a normal law by many draws."""
    warp = Warp.of(log.values, 0.5)
    member = replace(MEMBER, memory="periodic", warp=warp, rate=0.1)
    search = _Search(log, candidates_of(log, member), log.times[-1] + 2.0)
    places, waits = np.array([0, 7, 19]), np.array(waits)

    def periodic(gaps):
        return np.exp(-2 * np.sin(np.pi * gaps * 0.1 / np.log(2) / 4.990965572) ** 2)

    ends, observed = log.times[-1] + 2.0 + waits, warp.forward(log.values)
    mean, covariance, last = dense(log, search.points[places], ends, observed, periodic)
    deviation = np.sqrt(np.diagonal(covariance))
    normals = np.random.default_rng(0).standard_normal((40_000, 3))
    draws = warp.inverse(mean + last + deviation * normals)
    found_mean, found_deviation = search._mixture(waits, np.empty((0, 2)), places)
    assert found_mean == pytest.approx(draws.mean(axis=0), abs=0.03)
    assert found_deviation == pytest.approx(draws.std(axis=0), rel=0.03)


@pytest.mark.parametrize("policy", LOG_POLICIES)
def test_every_policy_takes_every_member(log, policy):
    members = (
        replace(MEMBER, memory="sinusoid", rate=0.1),
        replace(MEMBER, warp=Warp.of(log.values, 0.0)),
        replace(MEMBER, kernel="two-scales", outliers=(3,)),
        replace(
            MEMBER,
            rate=0.0,
            nonstationary=Nonstationarity(float(log.times[9]), (3.0, 0.0), (0.0, 2.0)),
        ),
    )
    for member in members:
        (point,) = next_points(log, candidates_of(log, member), policy=policy).points
        assert np.isfinite([point.mean, point.sd, point.acquisition]).all() and point.sd > 0


def test_without_drift_and_level_all_policies_that_explore_alike_agree(log):
    still = candidates_of(log, replace(MEMBER, rate=0.0, level=0.0))
    chosen = {
        policy: next_points(log, still, policy=policy).points[0].inputs
        for policy in LOG_POLICIES
        if policy not in ("ts", "flat-ucb", "predictive")
    }
    assert len({tuple(inputs.values()) for inputs in chosen.values()}) == 1


def test_predictive_sampling_draws_what_later_looks_would_say(log):
    """The mean where f is forgotten at once; a draw of f where nothing is forgotten."""
    nowhere = np.empty((0, 2))

    def chosen(rate):
        search = _Search(log, candidates_of(log, replace(MEMBER, rate=rate)), log.times[-1])
        streams = [np.random.SeedSequence(i) for i in range(12)]
        policies = (policy_named("predictive"), policy_named("ctv"))
        by = [[search.drawn_jointly(p, 2.0, nowhere, s) for s in streams] for p in policies]
        places = np.arange(len(search.points))
        return by, search._mixture(search._waits(places), nowhere, places)[0]

    (said, drawn), _ = chosen(0.0)
    assert said == drawn and len({place for place, _ in said}) > 1
    (said, _), mean = chosen(1e4)  # a precision of 0
    assert len({place for place, _ in said}) == 1
    (said, drawn), mean = chosen(2.0 / log.times[-1] * log.n)
    # What is forgotten at once is not explored for: draws hardly leave the mean.
    away = [np.std([v - mean[place] for place, v in one]) for one in (said, drawn)]
    assert away[0] < 0.5 * away[1]
    assert np.mean([mean[p] for p, _ in said]) > np.mean([mean[p] for p, _ in drawn])


def test_a_weight_of_ones_own(log):
    """Of weight 0 the largest mean is played, of a large one the largest deviation."""
    candidates = candidates_of(log, MEMBER)
    points = [next_points(log, candidates, policy=f"ctv:{w}").points[0] for w in (0, 1.25, 1e6)]
    means, deviations = zip(*((p.mean, p.sd) for p in points), strict=True)
    assert means[0] >= means[1] >= means[2] and deviations[0] <= deviations[1] <= deviations[2]
    one, same = (
        next_points(log, candidates, policy=p).points[0] for p in ("flat-ucb", "flat-ucb:1")
    )
    assert one == same
    for policy, said in (("ts:2", "draws"), ("ctv:-1", "at least 0"), ("ctx:1", "use gp-ucb")):
        with pytest.raises(InvalidInput, match=said):
            next_points(log, candidates, policy=policy)


def test_minimising_the_mirror_is_the_same(log):
    mirrored = replace(log, values=-log.values, direction="minimize")
    for policy in LOG_POLICIES:
        one = next_points(log, candidates_of(log, MEMBER), policy=policy).points[0]
        other = next_points(mirrored, candidates_of(mirrored, MEMBER), policy=policy).points[0]
        assert one.inputs == other.inputs
        assert one.mean == pytest.approx(-other.mean)


def test_pending_points_lower_the_deviation_and_leave_the_mean(log):
    candidates = candidates_of(log, MEMBER)
    plain = next_points(log, candidates, policy="tv").points[0]
    there = np.array([[plain.inputs["x1"], plain.inputs["x2"]]])
    waiting = next_points(log, candidates, policy="tv", pending=there).points[0]
    assert waiting.inputs != plain.inputs


@pytest.mark.parametrize("policy", ["ctv", "tv", "ts"])
def test_six_at_once_differ(log, policy):
    candidates = candidates_of(log, MEMBER, replace(MEMBER, rate=0.1))
    found = next_points(log, candidates, policy=policy, count=6, seed=4).points
    assert len({tuple(point.inputs.values()) for point in found}) == 6
    again = next_points(log, candidates, policy=policy, count=6, seed=4).points
    assert [point.inputs for point in again] == [point.inputs for point in found]


def test_points_drawn_jointly_have_the_dense_posterior(log):
    """Mean and covariance of several points that end at different times, against one big matrix."""
    search = _Search(log, candidates_of(log, MEMBER), log.times[-1] + 2.0)
    places, waits = np.array([0, 7, 19, 30]), np.array([0.0, 1.0, 4.0, 2.5])
    mean, covariance = search._joint(0, places, waits)
    by_hand, expected, _ = dense(log, search.points[places], log.times[-1] + 2.0 + waits)
    assert mean == pytest.approx(by_hand, abs=1e-6)
    assert covariance == pytest.approx(expected, abs=1e-6)


def test_points_under_way_are_not_asked_for_again(log):
    """Where whole numbers leave few places, every one is asked for once before any is twice."""
    axes = (Axis("a", 0, 2, integer=True), Axis("b", 0, 1, integer=True))
    values = np.rint(log.points * [2, 1]) / [2, 1]
    small = replace(log, axes=axes, points=values)
    found = next_points(small, candidates_of(small, MEMBER), count=7, seed=1).points
    assert len({tuple(point.inputs.values()) for point in found[:6]}) == 6


def test_a_kept_fit_is_the_weights_of_the_longer_log(log):
    first = replace(
        log,
        points=log.points[:15],
        values=log.values[:15],
        times=log.times[:15],
        starts=log.starts[:15],
        durations=log.durations[:15],
        rows=log.rows[:15],
    )
    members = (MEMBER, replace(MEMBER, rate=0.1), replace(MEMBER, lengthscales=(0.5, 0.2)))
    hyperprior = FiniteHyperprior(members, (0.5, 0.2, 0.3), KNOWN)
    kept = KeptFit(hyperprior=hyperprior)
    kept.candidates(first)
    found = kept.candidates(log)
    assert kept.fits == 1
    whole = finite_candidates(data_of(log), hyperprior)
    assert found.weights == pytest.approx(whole.weights, rel=1e-9)
    assert found.posterior.rows == pytest.approx(whole.posterior.rows, rel=1e-9)
    kept.candidates(replace(log, axes=(Axis("x1", 0.0, 2.0), log.axes[1])))
    assert kept.fits == 2  # other inputs


def test_seeds_of_thompson_sampling(log):
    candidates = candidates_of(log, MEMBER, replace(MEMBER, rate=0.1))
    drawn = [next_points(log, candidates, policy="ts", seed=s).points[0].inputs for s in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    many = {
        tuple(next_points(log, candidates, policy="ts", seed=s).points[0].inputs.values())
        for s in range(6)
    }
    assert len(many) > 1


def test_a_log_without_durations_waits_for_nothing(log):
    nothing = replace(log, durations=np.full(log.n, np.nan))
    for policy in LOG_POLICIES:
        found = next_points(nothing, candidates_of(log, MEMBER), policy=policy)
        assert np.isnan(found.points[0].expected_duration)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "best"}, "policy"),
        ({"count": 0}, "count"),
        ({"seed": -1}, "seed"),
        ({"now": 0.0}, "now"),
        ({"now": float("nan")}, "now"),
        ({"exploration": "theory"}, "exploration"),
        ({"pending": np.array([[0.1]])}, "pending"),
        ({"pending": np.array([[0.1, 2.0]])}, "pending"),
    ],
)
def test_refused(log, options, message):
    with pytest.raises(InvalidInput, match=message):
        next_points(log, candidates_of(log, MEMBER), **options)


def test_the_flat_index_by_hand(log):
    """One prior with drift and no level: μ + σ√log(1+(σ²/p)²), p by one solve."""
    member = replace(MEMBER, level=0.0)
    at_once = replace(log, durations=np.full(log.n, np.nan))
    candidates = candidates_of(at_once, member)
    now = log.times[-1] + 5.0
    point = next_points(at_once, candidates, policy="flat-ucb", now=now).points[0]
    ages = log.times[-1] - log.times
    gram = np.exp(-member.rate * np.abs(np.subtract.outer(ages, ages)))
    gram += member.noise_variance * np.eye(log.n)
    cross = np.exp(-member.rate * (ages + 5.0))
    least = 1.0 - cross @ np.linalg.solve(gram, cross)
    height = point.acquisition - point.mean
    assert height == pytest.approx(point.sd * np.sqrt(np.log1p((point.sd**2 / least) ** 2)))
