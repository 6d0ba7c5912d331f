"""The certificate of a finished run: derived again by dense linear algebra, forgeries refused."""

import copy
import json
from math import nextafter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential, kernel_data
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from proofs_check.recheck import log
from proofs_check.recheck.grid import float_kernel
from proofs_check.recheck.log import posterior_regrets, recheck_log
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.reading import digest, kind_of
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
        time_kernel=Forgetting(0.05), space_kernel=SquaredExponential(0.3), noise_variance=0.05,
        domain=Grid(2, 1.0, 5), delta=0.2,
    )  # fmt: skip
    return Observed.of_data(problem, points, rng.standard_normal(12))


@pytest.fixture(scope="module")
def honest() -> dict[str, Any]:
    run = observed()
    found = rank_certificate(run, paths=199, seed=3)
    return json.loads(json.dumps(log_certificate(run, found, 3, "1.0")))


def checked(body: dict[str, Any], folder: Path) -> tuple[bool, str]:
    body = {**body, "digest": digest(body)}
    path = folder / "log.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    assert kind_of(path) == "log"
    (found,) = recheck_log(path)
    return found.accepted, found.reason


def test_an_honest_certificate_is_derived_again(honest: dict[str, Any], tmp_path: Path) -> None:
    accepted, reason = checked(honest, tmp_path)
    assert accepted, reason


def same_rows() -> Observed:
    """Eight rounds at one point with one large value: it is the best one in most draws."""
    problem = Problem(
        EvaluationTimes.from_durations([1.0] * 8), time_kernel=Forgetting(0.3),
        space_kernel=SquaredExponential(0.2), noise_variance=0.01, domain=Grid(2, 1.0, 3),
    )  # fmt: skip
    return Observed.of_data(problem, np.tile([0.1, 0.2], (8, 1)), np.full(8, 3.0))


def test_certificates_whose_draws_are_mostly_zero_are_derived_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the seed; each p-value is below α with probability at most α."""
    monkeypatch.setattr(log, "_MOST_DRAWS", 500)
    run, alike = same_rows(), []
    for seed in range(30):
        found = rank_certificate(run, paths=99, seed=seed)
        accepted, reason = checked(log_certificate(run, found, seed, "1.0"), tmp_path)
        assert accepted, (seed, reason)
        alike.append(float(reason.split("p = ")[1].rstrip(")")))
    assert binom.sf(np.sum(np.array(alike) <= 0.1) - 1, len(alike), 0.1) > 1e-6


@pytest.mark.parametrize(
    "forge",
    [
        lambda draws: [0.0] * len(draws),
        lambda draws: [max(draw, 0.01) for draw in draws],
        lambda draws: [0.0 if draw < sorted(draws)[95] else draw for draw in draws],
    ],
)
def test_forged_draws_beside_an_atom_are_refused(forge, tmp_path: Path) -> None:
    run = same_rows()
    body = log_certificate(run, rank_certificate(run, paths=99, seed=1), 1, "1.0")
    body["draws"] = forge(body["draws"])
    body["claims"][0]["value"] = sorted(body["draws"])[body["rank"] - 1]
    accepted, reason = checked(body, tmp_path)
    assert not accepted and "not of this posterior" in reason, reason


def test_two_codes_draw_from_one_posterior(honest: dict[str, Any]) -> None:
    """Means of thousands of draws agree within four standard errors."""
    ours = posterior_regrets(honest)
    theirs = finder_regrets(observed(), 3000, 11).sum(axis=1)
    error = np.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    assert abs(ours.mean() - theirs.mean()) < 4 * error
    assert abs(np.log(ours.std() / theirs.std())) < 0.1


def test_as_many_draws_as_the_work_allows(honest, monkeypatch: pytest.MonkeyPatch) -> None:
    """n·M² a draw: 12 rounds over 25 sites of the grid and 12 evaluated ones."""
    each = 12 * (25 + 12) ** 2
    for fewest, most, work, expected in (
        (2, 9, 5.5 * each, 5), (2, 9, 50 * each, 9), (2, 9, each, 2), (5, 5, 0.0, 5),
    ):  # fmt: skip
        monkeypatch.setattr(log, "_FEWEST_DRAWS", fewest)
        monkeypatch.setattr(log, "_MOST_DRAWS", most)
        monkeypatch.setattr(log, "_MOST_WORK", work)
        assert len(posterior_regrets(honest)) == expected


def test_what_is_too_large_to_be_checked_densely(honest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_MOST_DRAWS", 1)
    for name, enough, said in (("_LARGEST", 37, "more than 36 points"),
                               ("_MOST_ROUNDS", 12, "or too many")):  # fmt: skip
        monkeypatch.setattr(log, name, enough)
        assert len(posterior_regrets(honest)) == 1
        monkeypatch.setattr(log, name, enough - 1)
        with pytest.raises(Refused, match=said):
            posterior_regrets(honest)
        monkeypatch.setattr(log, name, enough)


def test_draws_at_the_edge_of_what_is_refused(honest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The level is k/(S + 1) of δ as it is written, and the claim may be the draw itself."""
    again = np.array(honest["draws"])
    monkeypatch.setattr(log, "posterior_regrets", lambda body: again)
    body = copy.deepcopy(honest)
    draws = sorted(body["draws"])
    body["problem"]["delta"] = 0.2
    for rank, value, said in (
        (160, draws[159], ""), (160, 2.0 * draws[159], ""), (199, draws[198], ""),
        (159, draws[158], "does not reach"), (160, nextafter(draws[159], 0.0), "is below draw"),
        (0, draws[0], "no draw has"), (200, draws[198], "no draw has"), (160.0, 9e9, "no draw"),
        (True, 9e9, "no draw has"), (160, "1", "no claim of this kind"), (160, None, "no claim"),
    ):  # fmt: skip
        body["rank"] = rank
        claim = {"id": "rank", "value": value}
        if said:
            with pytest.raises(Refused, match=said):
                log._check(body, claim)
        else:
            assert log._check(body, claim).startswith(f"draw {rank} of 199; 199 fresh ones agree")
    body["rank"] = 160
    monkeypatch.setattr(log, "posterior_regrets", lambda body: 1.6 * again)
    with pytest.raises(Refused, match=f"their mean is {again.mean():.4g}, that of 199 fresh"):
        log._check(body, {"id": "rank", "value": draws[159]})


@pytest.mark.parametrize("time_kernel", [Forgetting(0.05), Matern(1.5, 4.0)], ids=repr)
def test_paths_of_the_recheck_have_the_law_of_the_posterior(honest, time_kernel, monkeypatch):
    """Exactly, up to the maximum: of two sites it is the one that is not played, or 0."""
    problem = {
        **honest["problem"], "dimension": 1, "times": [1.0, 2.0], "side": 1.0, "grid": 1,
        "time_kernel": kernel_data(time_kernel), "noise_variance": 0.3,
    }  # fmt: skip
    body = {"problem": problem, "points": [[0.1], [0.9]], "observations": [0.3, -1.0], "seed": 4}
    monkeypatch.setattr(log, "_MOST_DRAWS", 1)
    seen = []
    root = np.linalg.cholesky
    monkeypatch.setattr(log, "_root", lambda gram: seen.append(gram) or root(gram))
    (regret,) = posterior_regrets(body)
    K, J = seen
    sites, times = np.array([[0.5], [0.1], [0.9]]), np.array([1.0, 3.0])
    assert pytest.approx(SquaredExponential(0.3).gram(sites)) == K
    assert pytest.approx(time_kernel.at_distance(np.abs(np.subtract.outer(times, times)))) == J
    rng = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(77,)))
    path = root(J) @ rng.standard_normal((2, 3)) @ root(K).T
    noise = np.sqrt(0.3) * rng.standard_normal(2)
    gram = K[np.ix_([1, 2], [1, 2])] * J
    missed = np.array([0.3, -1.0]) - path[[0, 1], [1, 2]] - noise
    weights = np.linalg.solve(gram + 0.3 * np.eye(2), missed)
    for i in range(2):
        path[i] += sum(J[i, j] * weights[j] * K[1 + j] for j in range(2))
    expected = path.max(axis=1).sum() - path[0, 1] - path[1, 2]
    assert regret == pytest.approx(expected)


def lower_value(body: dict[str, Any]) -> None:
    body["claims"][0]["value"] *= 0.9


def lower_rank(body: dict[str, Any]) -> None:
    body["rank"] -= 1


def rank_beyond(body: dict[str, Any]) -> None:
    body["rank"] = 400


def lower_draws(body: dict[str, Any]) -> None:
    body["draws"] = [0.7 * draw for draw in body["draws"]]
    body["claims"][0]["value"] *= 0.7


def other_data(body: dict[str, Any]) -> None:
    body["observations"] = [y + 3.0 * (-1) ** k for k, y in enumerate(body["observations"])]


def more_noise(body: dict[str, Any]) -> None:
    body["problem"]["noise_variance"] = 20.0


def sharper_level(body: dict[str, Any]) -> None:
    body["problem"]["delta"] = 0.01


def no_draws(body: dict[str, Any]) -> None:
    body["draws"] = []


def other_claim(body: dict[str, Any]) -> None:
    body["claims"][0]["id"] = "simple"


def fewer_points(body: dict[str, Any]) -> None:
    del body["points"][0]


def points_at_infinity(body: dict[str, Any]) -> None:
    body["points"][0] = ["inf", 0.0]


def huge_grid(body: dict[str, Any]) -> None:
    body["problem"]["grid"] = 900


def unknown_kernel(body: dict[str, Any]) -> None:
    body["problem"]["space_kernel"]["type"] = "Oracle"


def text_for_a_number(body: dict[str, Any]) -> None:
    body["draws"][0] = "0"


@pytest.mark.parametrize(
    "forge",
    [
        lower_value, lower_rank, rank_beyond, lower_draws, other_data, more_noise, sharper_level,
        no_draws, other_claim, fewer_points, points_at_infinity, huge_grid, unknown_kernel,
        text_for_a_number,
    ],
)  # fmt: skip
def test_a_forgery_with_a_right_digest_is_refused(
    forge: Any, honest: dict[str, Any], tmp_path: Path
) -> None:
    body = copy.deepcopy(honest)
    forge(body)
    accepted, reason = checked(body, tmp_path)
    assert not accepted
    assert reason and "\n" not in reason


def test_a_damaged_file_is_named(honest: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**honest, "seed": 4}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="damaged"):
        recheck_log(path)


def test_roots_are_of_the_numerical_rank() -> None:
    gram = np.ones((3, 3)) + np.diag([0.0, 0.5, 0.0])
    root = log._root(gram)
    assert root.shape == (3, 2)
    np.testing.assert_allclose(root @ root.T, gram, atol=1e-12)
    assert log._root(np.diag([2e-12, 1.0])).shape == (2, 2)
    assert log._root(np.diag([5e-13, 1.0])).shape == (2, 1)


@pytest.mark.parametrize(
    "kernel", [Forgetting(0.2), SquaredExponential(0.3), Matern(0.5, 0.2), Matern(2.5, 0.7)]
)
def test_the_kernel_in_doubles(kernel: Any) -> None:
    distances = np.array([[0.0, 1e-12, 0.1], [0.5, 2.0, 40.0]])
    ours = float_kernel(kernel_data(kernel), distances)
    assert np.allclose(ours, kernel.at_distance(distances), atol=1e-8)
