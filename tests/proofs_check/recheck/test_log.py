"""The certificate of a finished run: derived again by dense linear algebra, forgeries refused."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from proofs_check.recheck.grid import float_kernel
from proofs_check.recheck.log import posterior_regrets, recheck_log
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


def test_two_codes_draw_from_one_posterior(honest: dict[str, Any]) -> None:
    """Means of thousands of draws agree within four standard errors."""
    ours = posterior_regrets(honest)
    theirs = finder_regrets(observed(), 3000, 11).sum(axis=1)
    error = np.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    assert abs(ours.mean() - theirs.mean()) < 4 * error
    assert abs(np.log(ours.std() / theirs.std())) < 0.1


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


@pytest.mark.parametrize(
    "kernel", [Forgetting(0.2), SquaredExponential(0.3), Matern(0.5, 0.2), Matern(2.5, 0.7)]
)
def test_the_kernel_in_doubles(kernel: Any) -> None:
    from bounds.kernels import kernel_data

    distances = np.array([[0.0, 1e-12, 0.1], [0.5, 2.0, 40.0]])
    ours = float_kernel(kernel_data(kernel), distances)
    assert np.allclose(ours, kernel.at_distance(distances), atol=1e-8)
