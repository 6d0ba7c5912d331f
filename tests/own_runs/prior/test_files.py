"""Priors written and read again, for the same log, a longer one and another; bad files."""

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.fit_coverage import Setting, simulated_trace
from bounds.errors import InvalidInput
from bounds.noise import noise_of_rows
from own_runs.logs.observations import Observations
from own_runs.prior import files
from own_runs.prior.files import FORMAT, log_digest, read_hyperprior, read_prior
from own_runs.prior.fit import WIDE, data_of, fit
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior, LogNormal
from simulation.prior.warp import Warp

LAW = {"center": 0.0, "spread": 1.0, "shape": 2.0, "scale": 2.0}
MEMBER = {"kernel": "se", "epsilon": 0.1, "lengthscale": [0.3, 0.3], "noise_variance": 0.01}


def first(log: Observations, n: int) -> Observations:
    return replace(log, points=log.points[:n], values=log.values[:n], times=log.times[:n])


@pytest.fixture(scope="module")
def log():
    return simulated_trace(Setting(rounds=30, steps=6), seed=1)[0]


@pytest.fixture(scope="module")
def written(log, tmp_path_factory):
    short = first(log, 25)
    found = fit(short, draws=60)
    fitted = {"rows": 25, "digest": log_digest(short, 25)}
    path = tmp_path_factory.mktemp("prior") / "prior.json"
    path.write_text(json.dumps({"format": FORMAT, **found.to_dict(), "fitted": fitted}))
    return path, found


def test_the_same_log_gives_the_same_set(log, written):
    path, found = written
    again = read_prior(path).candidates(first(log, 25))
    assert again.weights == pytest.approx(found.candidates.weights)
    assert again.posterior.rows == pytest.approx(found.candidates.posterior.rows)
    assert not again.exact
    short = first(log, 25)
    hours = replace(short, times=short.times / 3600.0, unit="h")
    again = read_prior(path).candidates(hours)
    assert again.weights == pytest.approx(found.candidates.weights) and not again.exact


def test_a_longer_log_counts_every_row_once(log, written):
    path, found = written
    again = read_prior(path).candidates(log)
    evidence = data_of(log).log_evidence(again.members, again.mean_and_scale)
    logs = np.log(found.candidates.weights) + evidence - found.candidates.log_evidence
    expected = np.exp(logs - logs.max())
    assert again.weights == pytest.approx(expected / expected.sum(), rel=1e-6)


def test_for_another_log_it_is_a_hyperprior_fixed_before(log, written):
    path, found = written
    other = simulated_trace(Setting(rounds=20, steps=6), seed=2)[0]
    again = read_prior(path).candidates(other)
    evidence = data_of(other).log_evidence(again.members, again.mean_and_scale)
    expected = found.candidates.weights * np.exp(evidence - evidence.max())
    assert again.exact
    assert again.weights == pytest.approx(expected / expected.sum(), rel=1e-6)
    hours = replace(other, unit="h", times=other.times / 3600.0)
    assert read_prior(path).candidates(hours).weights == pytest.approx(again.weights, rel=1e-6)


def test_the_heaviest_members_alone(log, written):
    path, found = written
    whole = read_prior(path)
    few = whole.heaviest(5)
    assert sorted(few.weights) == pytest.approx(sorted(found.candidates.weights)[-5:])
    kept = [i for i, weight in enumerate(whole.weights) if weight >= min(few.weights)]
    assert few.members == tuple(whole.members[i] for i in kept) and len(few.members) == 5
    assert np.array_equal(few.log_evidence, whole.log_evidence[kept])
    assert np.array_equal(few.posterior.rows, whole.posterior.rows[kept])
    assert (few.inputs, few.rows, few.digest) == (whole.inputs, 25, whole.digest)
    with pytest.raises(InvalidInput, match="--domain"):
        read_prior(path).candidates(replace(log, axes=log.axes[:1], points=log.points[:, :1]))


def hyperprior_of(tmp_path, content):
    path = tmp_path / "h.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_hyperprior(path, "s")


def test_hyperpriors_are_read(tmp_path):
    members = [MEMBER, {**MEMBER, "weight": 3.0}]
    finite = hyperprior_of(tmp_path, {"unit": "min", "members": members, "mean_and_scale": LAW})
    assert isinstance(finite, FiniteHyperprior)
    assert finite.chances == (0.25, 0.75)
    assert finite.members[0].rate == pytest.approx(-0.5 * np.log(0.9) / 60.0)
    life = {"half_life": {"median": 2.0, "factor": 3.0}}
    wide = hyperprior_of(tmp_path, {"ranges": life, "kernels": ["se"], "drift": 1})
    assert isinstance(wide, Hyperprior)
    assert (wide.half_life.median, wide.kernels, wide.drift) == (2.0, ("se",), 1.0)
    assert wide.lengthscale == Hyperprior().lengthscale


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]", "JSON object"),
        ("{", "no JSON"),
        ({"members": [], "mean_and_scale": LAW}, "prior members = 0: give 1 to"),
        ({"members": [MEMBER]}, "mean_and_scale"),
        ({"members": [MEMBER | {"kernel": "cubic"}], "mean_and_scale": LAW}, "kernel"),
        ({"members": [MEMBER | {"epsilon": 1.0}], "mean_and_scale": LAW}, "epsilon"),
        ({"members": [MEMBER | {"theta": 1.0}], "mean_and_scale": LAW}, "one of epsilon"),
        ({"members": [MEMBER | {"weight": 0}], "mean_and_scale": LAW}, "weight"),
        ({"members": [MEMBER, MEMBER | {"lengthscale": 1}], "mean_and_scale": LAW}, "member 1"),
        ({"members": [MEMBER], "mean_and_scale": LAW | {"scale": -1}}, "scale"),
        ({"unit": "eons", "members": [MEMBER], "mean_and_scale": LAW}, "unit"),
        ({"ranges": {"speed": {}}}, "speed"),
        ({"ranges": {"level": {"median": 1}}}, "factor"),
        ({"ranges": {"level": {"median": 1, "factor": 1}}}, "factor"),
        ({"kernels": "se"}, "give a list"),
        ({"kernels": ["cubic"]}, "kernel"),
        ({"drift": 2}, "drift"),
        ({"anything": 2}, "anything"),
    ],
)
def test_bad_hyperpriors_are_one_line(tmp_path, content, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        hyperprior_of(tmp_path, content)
    assert "\n" not in str(caught.value)


CANDIDATE = {
    "kernel": "matern52",
    "theta": 0.5,
    "lengthscale": [0.3, 0.4],
    "noise_variance": 0.01,
    "level": 0.25,
    "weight": 0.5,
    "log_evidence": -3.0,
    "mean_and_scale": {**LAW, "center": 7.0},
}
CONTENT = {
    "format": FORMAT,
    "candidates": [CANDIDATE, {**CANDIDATE, "weight": 1.0, "theta": 0}],
    "fitted": {"rows": 25, "digest": "abc"},
    "inputs": ["a=0..1", "b=0..1"],
    "unit": "min",
    "exact": True,
    "mean_and_scale": LAW,
}


def prior_of(tmp_path, **changes):
    path = tmp_path / "p.json"
    path.write_text(json.dumps({**CONTENT, **changes}))
    return read_prior(path)


def test_a_prior_file_is_read_key_by_key(tmp_path):
    found = prior_of(tmp_path)
    assert found.members == (
        Member("matern52", 0.5, (0.3, 0.4), 0.01, 0.25),
        Member("matern52", 0.0, (0.3, 0.4), 0.01, 0.25),
    )
    assert found.weights.tolist() == [0.5, 1.0] and found.log_evidence.tolist() == [-3.0, -3.0]
    assert found.mean_and_scale == MeanAndScale(0.0, 1.0, 2.0, 2.0)
    assert found.posterior.rows.tolist() == [[7.0, 1.0, 2.0, 2.0]] * 2
    assert (found.exact, found.unit, found.rows, found.digest) == (True, "min", 25, "abc")
    assert found.inputs == ("a=0..1", "b=0..1")
    warp = {"power": 0.5, "middle": 1.0, "spread": 2.0, "shift": -1.0, "factor": 3.0}
    wide = {**CANDIDATE, "memory": "smooth", "warp": warp, "outliers": [3, 25]}
    (member,) = prior_of(tmp_path, candidates=[wide]).members
    assert member.memory == "smooth" and member.outliers == (2, 24)
    assert member.warp == Warp(0.5, 1.0, 2.0, -1.0, 3.0)
    for wrong, said in (
        ({"change": "noon"}, 'change = "noon": give a finite number'),
        ({"bends": [1.0]}, r"bends = \[1.0\]: give 2 numbers, one for each input, or none"),
        ({"slopes": [1.0, None]}, "slopes = null: give a finite number"),
        ({"slopes": [1.0, 21]}, "slopes = 21: give a number from -20 to 20"),
        ({"unordered": [2]}, r"unordered = \[2\]: give numbers of inputs, from 0 to 1"),
        ({"memory": "long"}, 'memory = "long": use forgetting'),
        ({"outliers": [0]}, r"outliers = \[0\]: give rows"),
        ({"outliers": 3}, "outliers = 3: give rows"),
        ({"warp": 2}, "warp = 2: give an object"),
        ({"warp": {**warp, "power": 3}}, "warp power = 3: give a number from 0 to 2"),
        ({"warp": {**warp, "spread": 0}}, "warp spread = 0"),
    ):
        with pytest.raises(InvalidInput, match=said):
            prior_of(tmp_path, candidates=[{**wide, **wrong}])
    path, old = tmp_path / "p.json", {**CONTENT, "format": 1, "exact": 1, "inputs": ["a"]}
    del old["unit"]
    old["candidates"] = [{**CANDIDATE, "lengthscale": 0.2}]
    del old["candidates"][0]["level"]
    path.write_text(json.dumps(old))
    again = read_prior(path)
    assert not again.exact and again.unit == "s"
    assert (again.members[0].level, again.members[0].lengthscales) == (0.0, (0.2,))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "p.json: give a file that ctv fit --out wrote"),
        ({"candidates": []}, "prior candidates = 0: give 1 to 20000 objects"),
        ({"candidates": {}}, "prior candidates = {}: give 1 to"),
        ({"candidates": [CANDIDATE, [1]]}, r"prior candidates\[1\] = \[1\]: give an object"),
        ({"candidates": [{**CANDIDATE, "weight": 1.5}]}, "weight = 1.5: give a number from 0 to"),
        ({"candidates": [{**CANDIDATE, "weight": -0.5}]}, r"candidates\[0\] weight = -0.5"),
        ({"candidates": [{**CANDIDATE, "weight": 0}]}, "weight = 0 in every candidate: give posi"),
        ({"candidates": [{**CANDIDATE, "theta": -1}]}, "theta = -1: give a number of at least 0"),
        ({"candidates": [{**CANDIDATE, "theta": None}]}, "theta = null: give a finite number"),
        ({"candidates": [{**CANDIDATE, "log_evidence": "1"}]}, 'log_evidence = "1": give a finite'),
        ({"candidates": [{**CANDIDATE, "log_evidence": True}]}, "log_evidence = true: give a fin"),
        ({"candidates": [{**CANDIDATE, "level": -1}]}, "level = -1"),
        ({"candidates": [{**CANDIDATE, "noise_variance": 9e-13}]}, "noise_variance = 9e-13"),
        ({"candidates": [{**CANDIDATE, "mean_and_scale": 3}]}, "mean_and_scale = 3: give an obj"),
        ({"candidates": [{**CANDIDATE, "lengthscale": []}]}, r"lengthscale = \[\]: give positive"),
        ({"candidates": [{**CANDIDATE, "lengthscale": [0.3, -1]}]}, r"= \[0.3, -1\]: give"),
        (
            {"candidates": [CANDIDATE, {**CANDIDATE, "lengthscale": 1}]},
            "prior member 1 = 1 lengthscales: the first has 2: give one for each input",
        ),
        ({"inputs": ["a=0..1"]}, r'prior inputs = \["a=0..1"\]: name each input and its range'),
        ({"inputs": "ab"}, 'prior inputs = "ab"'),
        ({"unit": "eons"}, 'prior unit = "eons": use us, ms, s'),
        ({"fitted": {"rows": 0, "digest": ""}}, "prior fitted rows = 0: give a number of at least"),
        ({"fitted": 3}, "prior fitted = 3: give an object"),
        ({"mean_and_scale": {**LAW, "scale": None}}, "prior mean_and_scale scale = null"),
    ],
)
def test_bad_keys_of_a_prior_file_are_named(tmp_path, changes, message):
    with pytest.raises(InvalidInput, match=message):
        prior_of(tmp_path, **changes)


def test_the_largest_set_that_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST_SET", 2)
    assert len(prior_of(tmp_path).members) == 2
    with pytest.raises(InvalidInput, match="prior candidates = 3: give 1 to 2 objects"):
        prior_of(tmp_path, candidates=[CANDIDATE] * 3)


def test_files_that_are_none(tmp_path):
    for read in (read_prior, lambda path: read_hyperprior(path, "s")):
        with pytest.raises(InvalidInput, match=r"^prior = .*no such file"):
            read(tmp_path / "none.json")
    path = tmp_path / "p.json"
    path.write_text("{}")
    with pytest.raises(InvalidInput, match="ctv fit --out"):
        read_prior(path)


def test_rates_of_drift_in_three_ways(tmp_path):
    def rate(**given):
        member = {key: value for key, value in MEMBER.items() if key != "epsilon"} | given
        found = hyperprior_of(tmp_path, {"members": [member], "mean_and_scale": LAW})
        return found.members[0].rate

    assert rate(theta=0.25) == 0.25 and rate(theta=0) == 0.0 == rate(epsilon=0)
    assert rate(half_life=4.0) == pytest.approx(np.log(2) / 4)
    assert rate(epsilon=0.19) == pytest.approx(-0.5 * np.log(0.81))
    for wrong, said in (
        ({}, r"members\[0\] = no rate of drift: give one of"),
        ({"half_life": 0}, "half_life = 0"),
        ({"epsilon": -0.1}, "epsilon = -0.1"),
        ({"epsilon": 1.0}, "epsilon = 1.0: give a number"),
        ({"theta": 1, "half_life": 1}, "theta, half_life: give one of"),
    ):
        with pytest.raises(InvalidInput, match=said):
            rate(**wrong)


def test_every_range_and_share_of_a_hyperprior_is_read(tmp_path):
    ranges = {
        key: {"median": 0.1 * i, "factor": 1.0 + i}
        for i, key in enumerate(("lengthscale", "half_life", "noise_variance", "level"), 1)
    }
    found = hyperprior_of(
        tmp_path,
        {
            "format": "any",
            "ranges": ranges,
            "kernels": ["matern32"],
            "drift": 0.1,
            "level_share": 0.2,
            "per_input": 1,
            "memories": ["smooth", "periodic"],
            "powers": [1, 0.5],
            "wild": 0.25,
            "change": 0.1,
            "bent": 0.0,
            "uneven": 0.75,
        },
    )
    laws = (LogNormal(row["median"], row["factor"]) for row in ranges.values())
    kinds = (("matern32",), 0.1, 0.2, 1.0, ("smooth", "periodic"), (1, 0.5))
    assert found == Hyperprior(*laws, *kinds, 0.25, 0.1, 0.0, 0.75)
    assert hyperprior_of(tmp_path, {}) == WIDE
    many = {"members": [MEMBER, {**MEMBER, "weight": 0.5}], "mean_and_scale": LAW}
    assert hyperprior_of(tmp_path, many).chances == (2 / 3, 1 / 3)
    for wrong, said in (
        ({"speed": 1}, "prior = |prior speed = |use members, ranges, kernels, memories"),
        ({"ranges": {"speed": {}}}, "ranges = speed: use lengthscale, half_life, noise_variance"),
        ({"ranges": {"level": 3}}, "prior ranges level = 3: give an object"),
        ({"ranges": 3}, "prior ranges = 3: give an object"),
        ({"drift": -0.1}, "prior drift = -0.1: give a number from 0 to 1"),
    ):
        with pytest.raises(InvalidInput, match=said):
            hyperprior_of(tmp_path, wrong)


def test_a_fingerprint_is_of_points_values_times_and_noise(log):
    assert log_digest(log, 10) == log_digest(first(log, 10), 10) != log_digest(log, 11)
    for changed in (
        replace(log, points=log.points + 2e-9),
        replace(log, values=log.values + 2e-9),
        replace(log, times=log.times + 2e-6),
        replace(log, direction="minimize"),
        replace(log, unit="min"),
        replace(log, noise=noise_of_rows(np.ones(log.n))),
    ):
        assert log_digest(changed, 10) != log_digest(log, 10)
    for same in (
        replace(log, points=log.points + 1e-12),
        replace(log, times=log.times + 1e-9),
        replace(log, times=log.times / 60.0, unit="min"),
        replace(log, values=-log.values, direction="minimize"),
    ):
        assert log_digest(same, 10) == log_digest(log, 10)
    one, two = (replace(log, noise=noise_of_rows(np.full(log.n, v))) for v in (1.0, 2.0))
    assert log_digest(one, 10) != log_digest(two, 10)


def test_members_without_weight_stay_without_in_a_longer_log(log, written):
    path, _ = written
    some = read_prior(path)
    weights = some.weights.copy()
    weights[0] = 0.0
    again = replace(some, weights=weights).candidates(log)
    assert again.weights[0] == 0.0 and again.weights.sum() == pytest.approx(1.0)
    hours = replace(log, times=log.times / 3600.0, unit="h")
    assert some.candidates(hours).members[0].rate == pytest.approx(3600.0 * some.members[0].rate)
