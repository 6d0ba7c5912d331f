"""Priors written and read again, for the same log, a longer one and another; bad files."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bounds.errors import InvalidInput
from simulation.after_run.fit_coverage import Setting, simulated_log
from simulation.logs.observations import Observations
from simulation.prior.files import FORMAT, log_digest, read_hyperprior, read_prior
from simulation.prior.fit import data_of, fit
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior

LAW = {"center": 0.0, "spread": 1.0, "shape": 2.0, "scale": 2.0}
MEMBER = {"kernel": "se", "epsilon": 0.1, "lengthscale": [0.3, 0.3], "noise_variance": 0.01}


def first(log: Observations, n: int) -> Observations:
    return replace(log, points=log.points[:n], values=log.values[:n], times=log.times[:n])


@pytest.fixture(scope="module")
def log():
    return simulated_log(Setting(rounds=30, steps=6), seed=1)[0]


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
    other = simulated_log(Setting(rounds=20, steps=6), seed=2)[0]
    again = read_prior(path).candidates(other)
    evidence = data_of(other).log_evidence(again.members, again.mean_and_scale)
    expected = found.candidates.weights * np.exp(evidence - evidence.max())
    assert again.exact
    assert again.weights == pytest.approx(expected / expected.sum(), rel=1e-6)
    hours = replace(other, unit="h", times=other.times / 3600.0)
    assert read_prior(path).candidates(hours).weights == pytest.approx(again.weights, rel=1e-6)


def test_the_heaviest_members_alone(log, written):
    path, found = written
    few = read_prior(path).heaviest(5)
    assert sorted(few.weights) == pytest.approx(sorted(found.candidates.weights)[-5:])
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
        ({"members": [], "mean_and_scale": LAW}, "hyperprior members = 0: give 1 to"),
        ({"members": 3, "mean_and_scale": LAW}, "hyperprior members = 3: give 1 to"),
        ({"members": [MEMBER, 1]}, r"hyperprior members\[1\] = 1: give an object"),
        ({"members": [MEMBER]}, "mean_and_scale"),
        ({"members": [MEMBER | {"kernel": "cubic"}], "mean_and_scale": LAW}, "kernel"),
        ({"members": [MEMBER | {"epsilon": 1.0}], "mean_and_scale": LAW}, "epsilon"),
        ({"members": [MEMBER | {"theta": 1.0}], "mean_and_scale": LAW}, "one of epsilon"),
        ({"members": [MEMBER | {"lengthscale": 0}], "mean_and_scale": LAW}, "lengthscale"),
        ({"members": [MEMBER | {"noise_variance": 0}], "mean_and_scale": LAW}, "noise_variance"),
        ({"members": [MEMBER | {"weight": 0}], "mean_and_scale": LAW}, "weight"),
        ({"members": [MEMBER | {"weight": True}], "mean_and_scale": LAW}, "weight"),
        ({"members": [MEMBER, MEMBER | {"lengthscale": 1}], "mean_and_scale": LAW}, "member 1"),
        ({"members": [MEMBER], "mean_and_scale": LAW | {"scale": -1}}, "scale"),
        ({"unit": "eons", "members": [MEMBER], "mean_and_scale": LAW}, "unit"),
        ({"ranges": {"speed": {}}}, "speed"),
        ({"ranges": {"level": {"median": 1}}}, "factor"),
        ({"ranges": {"level": {"median": 1, "factor": 1}}}, "factor"),
        ({"kernels": "se"}, "list of names"),
        ({"kernels": ["cubic"]}, "kernel"),
        ({"drift": 2}, "drift"),
        ({"anything": 2}, "anything"),
    ],
)
def test_bad_hyperpriors_are_one_line(tmp_path, content, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        hyperprior_of(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_bad_prior_files(tmp_path):
    path = tmp_path / "p.json"
    with pytest.raises(InvalidInput, match="no such file"):
        read_prior(path)
    path.write_text("{}")
    with pytest.raises(InvalidInput, match="ctv fit --out"):
        read_prior(path)
