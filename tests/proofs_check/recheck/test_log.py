"""The certificate of a finished run, derived again by dense linear algebra; forged: test_plants."""

import copy
import json
from dataclasses import replace
from math import nextafter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential, kernel_data
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from proofs_check.recheck import log
from proofs_check.recheck.grid import float_kernel
from proofs_check.recheck.log import certified_run, posterior_regrets, rank_again, recheck_log
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.reading import digest, kind_of
from proofs_check.recheck.sampling import PADDING, own_generator
from proofs_check.records.log_certificate import log_certificate
from simulation.after_run.observed import Observed
from simulation.after_run.rank import posterior_regrets as finder_regrets
from simulation.after_run.rank import rank_certificate

pytestmark = pytest.mark.xdist_group("recheck_log")  # its fixtures take seconds


def observed() -> Observed:
    rng = np.random.default_rng(5)
    points = rng.uniform(size=(12, 2))
    points[:4] = [[0.0, 0.0], [1.0, 1.0], [0.25, 0.5], [0.25, 0.5]]
    problem = Problem(
        EvaluationTimes.from_durations([1.0, 0.5, 2.0, 0.0, 3.0, 1.0] * 2),
        time_kernel=Forgetting(0.05),
        space_kernel=SquaredExponential(0.3),
        noise_variance=0.05,
        domain=Grid(2, 1.0, 5),
        delta=0.2,
    )
    return Observed.of_data(problem, points, rng.standard_normal(12))


@pytest.fixture(scope="module")
def honest() -> dict[str, Any]:
    run = observed()
    found = rank_certificate(run, paths=199, seed=3)
    return json.loads(json.dumps(log_certificate(run, found, "1.0")))


def checked(body: dict[str, Any], folder: Path) -> tuple[bool, str]:
    body = {**body, "digest": digest(body)}
    path = folder / "log.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    assert kind_of(path) == "log"
    (found,) = recheck_log(path)
    return found.accepted, found.reason


def test_an_honest_certificate_is_derived_again(honest: dict[str, Any], tmp_path: Path) -> None:
    accepted, reason = checked(honest, tmp_path)
    assert accepted and reason == "at level 0.8 again, by 3,999 draws of its own"
    found = certified_run(tmp_path / "log.json")
    assert found["rounds"] == 12 and found["total_time"] == 15.0 and found["noise_variance"] == 0.05
    other = {**honest, "observations": [y + 1e-9 for y in honest["observations"]]}
    checked(other, tmp_path)
    assert certified_run(tmp_path / "log.json")["data"] != found["data"]


def test_the_claim_is_the_larger_of_two_certificates(honest: dict[str, Any]) -> None:
    """Both at the level asked for: the finder's, and a hair above the recheck's."""
    again, level, draws = rank_again(honest)
    assert level == 0.8 and draws == 3_999
    run = observed()
    for value in (0.0, 10.0 * again):
        found = replace(rank_certificate(run, paths=199, seed=3), value=value)
        (claim,) = log_certificate(run, found, "1.0")["claims"]
        assert claim["id"] == "rank"
        assert claim["value"] == pytest.approx(max(value, again * (1.0 + PADDING)), rel=1e-12)


@pytest.mark.parametrize("factor", [0.5, 0.9, 0.99, 0.9999])
def test_no_claim_below_the_certificate_made_again(factor, honest, tmp_path: Path) -> None:
    """Whatever the file says of draws, ranks and seeds: it has no such keys."""
    body = copy.deepcopy(honest)
    body["claims"][0]["value"] = factor * rank_again(honest)[0]
    accepted, reason = checked(body, tmp_path)
    assert not accepted and "comes out at level 0.8" in reason


def same_rows() -> Observed:
    """Eight rounds at one point with one large value: it is the best one in most draws."""
    problem = Problem(
        EvaluationTimes.from_durations([1.0] * 8),
        time_kernel=Forgetting(0.3),
        space_kernel=SquaredExponential(0.2),
        noise_variance=0.01,
        domain=Grid(2, 1.0, 3),
    )
    return Observed.of_data(problem, np.tile([0.1, 0.2], (8, 1)), np.full(8, 3.0))


def test_certificates_whose_draws_are_mostly_zero_are_derived_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the seed of the finder; a claim below what the checker draws is refused."""
    monkeypatch.setattr(log, "_MOST_DRAWS", 500)
    run = same_rows()
    for seed in range(10):
        body = log_certificate(run, rank_certificate(run, paths=99, seed=seed), "1.0")
        accepted, reason = checked(body, tmp_path)
        assert accepted, (seed, reason)
    for value in (0.0, 0.9 * rank_again(body)[0]):
        body["claims"][0]["value"] = value
        accepted, reason = checked(body, tmp_path)
        assert not accepted and "comes out at level" in reason, reason


def test_two_codes_draw_from_one_posterior(honest: dict[str, Any]) -> None:
    """Means of thousands of draws agree within four standard errors."""
    ours = posterior_regrets(honest, 4)
    theirs = finder_regrets(observed(), 3000, 11).sum(axis=1)
    error = np.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    assert abs(ours.mean() - theirs.mean()) < 4 * error
    assert abs(np.log(ours.std() / theirs.std())) < 0.1


def test_as_many_draws_as_the_work_allows(honest, monkeypatch: pytest.MonkeyPatch) -> None:
    """n·M² a draw: 12 rounds over 25 sites of the grid and 12 evaluated ones."""
    each = 12 * (25 + 12) ** 2
    for fewest, most, work, expected in (
        (2, 9, 5.5 * each, 5),
        (2, 9, 50 * each, 9),
        (2, 9, each, 2),
        (5, 5, 0.0, 5),
    ):
        monkeypatch.setattr(log, "_FEWEST_DRAWS", fewest)
        monkeypatch.setattr(log, "_MOST_DRAWS", most)
        monkeypatch.setattr(log, "_MOST_WORK", work)
        assert len(posterior_regrets(honest, 1)) == expected


def test_what_is_too_large_to_be_checked_densely(honest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_MOST_DRAWS", 1)
    for name, enough in (("_LARGEST", 37), ("_MOST_ROUNDS", 12)):
        monkeypatch.setattr(log, name, enough)
        assert len(posterior_regrets(honest, 1)) == 1
        monkeypatch.setattr(log, name, enough - 1)
        with pytest.raises(Refused, match="at most"):
            posterior_regrets(honest, 1)
        monkeypatch.setattr(log, name, enough)


def test_a_level_that_so_many_draws_cannot_have(honest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three draws and δ = 1/5 nothing but infinity is a certificate, and none is written."""
    monkeypatch.setattr(log, "_MOST_DRAWS", 3)
    assert rank_again(honest) == (np.inf, 1.0, 3)
    with pytest.raises(Refused, match="but inf comes out"):
        log._check(honest, {"id": "rank", "value": 1e300})
    with pytest.raises(InvalidInput, match="its level takes more draws"):
        log_certificate(observed(), rank_certificate(observed(), paths=9), "1.0")


@pytest.mark.parametrize(
    ("delta", "count", "rank", "level"),
    [
        (0.2, 199, 160, 0.8),
        (0.1, 9, 9, 0.9),
        (0.03, 33, 33, 33 / 34),
        (0.1, 99, 90, 0.9),
        (0.99, 99, 1, 0.01),
        (0.15, 99, 85, 0.85),
    ],
)
def test_the_rank_is_the_least_at_the_level(delta, count, rank, level, honest, monkeypatch) -> None:
    """k/(S + 1) of δ as it is written: 0.1 is a tenth."""
    drawn = np.random.default_rng(0).permutation(np.arange(1.0, count + 1.0))
    asked: list[int] = []
    monkeypatch.setattr(log, "posterior_regrets", lambda body, least: asked.append(least) or drawn)
    body = {**honest, "problem": {**honest["problem"], "delta": delta}}
    assert rank_again(body) == (float(rank), pytest.approx(level), count)
    assert asked == [{0.2: 4, 0.1: 9, 0.03: 33, 0.99: 1, 0.15: 6}[delta]]
    for value, said in ((float(rank), ""), (nextafter(rank, 0.0), "comes out")):
        claim = {"id": "rank", "value": value}
        if said:
            with pytest.raises(Refused, match=said):
                log._check(body, claim)
        else:
            assert log._check(body, claim).endswith(f"again, by {count} draws of its own")


@pytest.mark.parametrize("time_kernel", [Forgetting(0.05), Matern(1.5, 4.0)], ids=repr)
def test_paths_of_the_recheck_have_the_law_of_the_posterior(honest, time_kernel, monkeypatch):
    """Exactly, up to the maximum: of two sites it is the one that is not played, or 0."""
    problem = {
        **honest["problem"],
        "dimension": 1,
        "times": [1.0, 2.0],
        "side": 1.0,
        "grid": 1,
        "time_kernel": kernel_data(time_kernel),
        "noise_variance": 0.3,
    }
    body = {"problem": problem, "points": [[0.1], [0.9]], "observations": [0.3, -1.0]}
    monkeypatch.setattr(log, "_MOST_DRAWS", 1)
    seen = []
    root = np.linalg.cholesky
    monkeypatch.setattr(log, "symmetric_root", lambda gram: seen.append(gram) or root(gram).T)
    (regret,) = posterior_regrets(body, 1)
    K, J = seen
    sites, times = np.array([[0.5], [0.1], [0.9]]), np.array([1.0, 3.0])
    assert pytest.approx(SquaredExponential(0.3).gram(sites)) == K
    assert pytest.approx(time_kernel.at_distance(np.abs(np.subtract.outer(times, times)))) == J
    rng = own_generator("rank", problem, body["points"], body["observations"])
    path = root(J).T @ rng.standard_normal((2, 3)) @ root(K).T
    noise = np.sqrt(0.3) * rng.standard_normal(2)
    gram = K[np.ix_([1, 2], [1, 2])] * J
    missed = np.array([0.3, -1.0]) - path[[0, 1], [1, 2]] - noise
    weights = np.linalg.solve(gram + 0.3 * np.eye(2), missed)
    for i in range(2):
        path[i] += sum(J[i, j] * weights[j] * K[1 + j] for j in range(2))
    expected = path.max(axis=1).sum() - path[0, 1] - path[1, 2]
    assert regret == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda b: b.update(seed=3), "the file has a key too many: seed"),
        (lambda b: b.update(draws=[0.0] * 99, rank=99), "the file has a key too many: draws"),
        (lambda b: b["problem"].update(delay=2), "its problem has a key too many: delay"),
        (lambda b: b["problem"]["space_kernel"].update(nu=0.5), "too many: nu"),
        (lambda b: b["problem"]["space_kernel"].update(type="Oracle"), "too many: lengthscale"),
        (lambda b: b["points"].__setitem__(0, ["inf", 0.0]), r"points\[0\]\[0\] has something"),
        (lambda b: b["observations"].__setitem__(0, "0"), r"observations\[0\] has some"),
        (lambda b: b["claims"][0].pop("value"), r"claims\[0\] has no value"),
    ],
)
def test_a_file_of_another_shape_is_named(change, said, honest, tmp_path: Path) -> None:
    body = copy.deepcopy(honest)
    change(body)
    with pytest.raises(InvalidInput, match=said):
        checked(body, tmp_path)


def test_a_damaged_file_is_named(honest: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**honest, "version": "4"}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="damaged"):
        recheck_log(path)


@pytest.mark.parametrize(
    "kernel", [Forgetting(0.2), SquaredExponential(0.3), Matern(0.5, 0.2), Matern(2.5, 0.7)]
)
def test_the_kernel_in_doubles(kernel: Any) -> None:
    distances = np.array([[0.0, 1e-12, 0.1], [0.5, 2.0, 40.0]])
    ours = float_kernel(kernel_data(kernel), distances)
    assert np.allclose(ours, kernel.at_distance(distances), atol=1e-8)
