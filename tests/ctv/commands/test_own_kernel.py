"""A time kernel added as one file: this one. It goes through every command, uncertified."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from bounds.errors import InvalidInput
from bounds.kernels import (
    Kernel,
    forget,
    kernel_data,
    kernel_from_data,
    parse_time_kernel,
    register,
)
from bounds.laws import check_kernel_laws
from simulation.study.stored import stored_runs, stored_spec
from simulation.study.study import StudySpec, run_study


@dataclass(frozen=True)
class RationalQuadratic(Kernel):
    """k(r) = 1/(1 + (r/ℓ)²/2): drift at many speeds at once."""

    lengthscale: float

    time_names = ("rq",)
    name = "rq"

    def at_distance(self, distance):
        return 1.0 / (1.0 + 0.5 * (np.asarray(distance, dtype=float) / self.lengthscale) ** 2)


@dataclass(frozen=True)
class DampedWave(Kernel):
    """k(r) = e^{−r/ℓ} cos(r/ℓ), which is negative for some r."""

    lengthscale: float

    time_names = ("wave",)
    name = "wave"
    slope = 2.0

    def at_distance(self, distance):
        u = np.asarray(distance, dtype=float) / self.lengthscale
        return np.exp(-u) * np.cos(u)


SMALL = ("--n", "8", "--total", "8", "--dimension", "1", "--grid", "5")


@pytest.fixture(autouse=True)
def registered():
    for family in (RationalQuadratic, DampedWave):
        register(family)
    yield
    for family in (RationalQuadratic, DampedWave):
        forget(family)


@pytest.mark.parametrize("family", [RationalQuadratic, DampedWave])
def test_it_keeps_the_laws(family) -> None:
    check_kernel_laws(family(3.0), examples=10)


@dataclass(frozen=True)
class Careless(Kernel):
    """A family whose text is read without care, as that of a stranger may be."""

    lengthscale: float

    time_names = ("careless:A",)
    name = "careless"

    def at_distance(self, distance):
        return np.exp(-np.asarray(distance, dtype=float) / self.lengthscale)

    @classmethod
    def from_time_text(cls, text, epsilon, lengthscale):
        return cls(1.0 / float(text.split(":")[1]))


@pytest.mark.parametrize("text", ["careless:abc", "careless:", "careless:0"])
def test_a_text_that_a_family_cannot_read_is_one_line(ctv, text: str) -> None:
    register(Careless)
    try:
        outcome = ctv("bound", *SMALL, "--budget", "fast", "--time-kernel", text)
        assert outcome.is_one_line_about(f"time-kernel = {text}: careless does not read it")
        assert (
            ctv(
                "bound",
                *SMALL,
                "--budget",
                "fast",
                "--time-kernel",
                "careless:0.2,lengthscale=6",
                "--json",
            ).code
            == 0
        )
    finally:
        forget(Careless)


def test_it_is_read_from_a_text_and_from_its_data() -> None:
    kernel = parse_time_kernel("rq", 0.01, 6.0)
    assert kernel == RationalQuadratic(6.0) == kernel_from_data(kernel_data(kernel))
    assert kernel_data(kernel) == {"type": "RationalQuadratic", "lengthscale": 6.0}


@pytest.mark.parametrize("name", ["rq", "wave"])
@pytest.mark.parametrize("command", ["bound", "partition", "gain", "ladder"])
def test_it_works_in_every_command(ctv, command: str, name: str) -> None:
    outcome = ctv(command, *SMALL, "--time-kernel", f"{name}:lengthscale=6", "--json")
    assert outcome.code == 0, outcome.stderr
    assert outcome.json["problem"]["time_kernel"] == name


@pytest.mark.parametrize("name", ["rq", "wave"])
def test_its_bounds_bracket_the_gain_and_are_uncertified(ctv, name: str) -> None:
    found = ctv("bound", *SMALL, "--time-kernel", f"{name}:lengthscale=6", "--json").json
    assert 0.0 < found["gain"]["lower"] <= found["gain"]["best"] <= found["gain"]["trivial"]
    assert found["gain"]["refined"] >= found["gain"]["lower"] - 1e-9
    assert found["certified"]["refined"] is False


def test_a_study_of_it_is_stored_resumed_and_certified(ctv, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    words = (
        f"simulate --out {folder} --runs 2 --initial 2 --rounds 4 --policy ctv-fixed,random",
        *("--time-kernel", "rq:lengthscale=6", *SMALL[4:]),
    )
    first = ctv(*words, "--json")
    assert first.code == 0, first.stderr
    (folder / "random-1.npz").unlink()
    again = ctv(*words, "--json")
    assert again.json["policies"] == first.json["policies"]
    stored = stored_runs(folder)
    assert stored.problem.time_kernel == RationalQuadratic(6.0)
    spec = stored_spec(stored, stored.runs[0])
    assert isinstance(spec, StudySpec) and spec.problem.time_kernel == RationalQuadratic(6.0)
    certified = ctv("certify", folder, "--draws", "19", "--json")
    assert certified.code == 0, certified.stderr
    assert all(row["value"] >= 0 for row in certified.json["certificates"])


def test_a_certificate_of_it_claims_what_needs_no_kernel(ctv, tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    made = ctv("bound", *SMALL, "--time-kernel", "rq:lengthscale=6", "--certificate", path)
    assert made.code == 0, made.stderr
    held = json.loads(path.read_text())
    assert held["problem"]["time_kernel"] == {"type": "RationalQuadratic", "lengthscale": 6.0}
    claimed = {claim["id"] for claim in held["claims"]}
    assert {"beta", "gamma", "gain.trivial"} <= claimed
    assert not {"gain.refined", "gain.knots", "gain.joint_dual", "gain.lower"} & claimed
    assert ctv("verify", path).code == 0


def test_what_cannot_be_read_again_is_refused_when_it_is_written(tmp_path: Path) -> None:
    forget(RationalQuadratic)
    with pytest.raises(InvalidInput, match="register"):
        kernel_data(RationalQuadratic(6.0))
    problem = _problem(RationalQuadratic(6.0))
    with pytest.raises(InvalidInput, match="register"):
        run_study(StudySpec(problem, seeds=1, initial=1, rounds=1), tmp_path / "study")
    assert not (tmp_path / "study").exists()
    run = run_study(StudySpec(problem, seeds=1, initial=1, rounds=1))  # in memory it needs no name
    assert np.all(np.isfinite(run.array("cumulative_regret")))


def _problem(kernel: Kernel):
    from bounds.domain import Grid
    from bounds.problem import Problem
    from bounds.times import EvaluationTimes

    times = EvaluationTimes.from_durations([1.0] * 4)
    return replace(Problem(times, domain=Grid(1, 1.0, 4)), time_kernel=kernel)
