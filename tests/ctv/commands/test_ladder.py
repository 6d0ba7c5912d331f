"""`ctv ladder`: of a sequence, a study and one of its files; figure, JSON, bad input."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from ctv import ladder
from tests.ctv.conftest import described

pytestmark = pytest.mark.xdist_group("ladder")  # its fixtures take seconds

SMALL = ("--n", "10", "--total", "10", "--grid", "5", "--epsilon", "0.01")


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    from ctv.cli import main

    folder = tmp_path_factory.mktemp("ladder") / "study"
    words = f"simulate --rounds 6 --initial 3 --seeds 2 --grid 5 --policies ctv-fixed,random \
        --exploration theory --out {folder} --json"
    with pytest.raises(SystemExit):
        main(words.split())
    return folder


def test_of_a_sequence(ctv) -> None:
    found = ctv("ladder", *SMALL, "--json").json
    names = [step["name"] for step in found["steps"]]
    assert names[0] == "floor"
    assert "gain_lower" in names
    assert names[-1] == "trivial"
    floor = found["steps"][0]
    assert (floor["covers"], floor["kind"], floor["factor"]) == ("any policy", "mean", None)
    assert all({"name", "value", "gain", "factor"} <= set(step) for step in found["steps"])
    values = [step["value"] for step in found["steps"]]
    assert values == sorted(values) or max(
        b / a for a, b in zip(values[1:], values, strict=False)
    ) == pytest.approx(1.0)
    assert found["loosest"] in names
    assert {"cap", "sandwich_upper", "constant_exploration"} <= {
        row["name"] for row in found["beside"]
    }
    bound = ctv("bound", *SMALL, "--json").json
    assert floor["value"] == bound["answer"]["floor"]["value"]
    by_name = {step["name"]: step for step in found["steps"]}
    for rung in ("refined", "additive", "theorem1", "trivial"):
        assert by_name[rung]["gain"] == pytest.approx(bound["gain"][rung])
    assert {row["name"]: row["value"] for row in bound["beside"]}["cap"] == pytest.approx(
        found["steps"][-1]["value"]
    )
    shown = ctv("ladder", *SMALL, "--quick").stdout
    assert "×" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_of_a_study_and_of_one_run(ctv, study: Path) -> None:
    found = ctv("ladder", study, "--json").json
    assert (found["runs"], found["covered"], found["times"]) == (2, True, "fixed times")
    names = [s["name"] for s in found["steps"][:4]]
    assert names == ["floor", "regret", "deviations", "realised_gain"]
    values = [s["value"] for s in found["steps"]]
    assert all(b >= a * (1 - 1e-9) for a, b in pairwise(values))
    assert found["steps"][1]["factor"] == pytest.approx(values[1] / values[0])
    one = ctv("ladder", study / "ctv-fixed-0.npz", "--json").json
    assert one["runs"] == 1
    other = ctv("ladder", study, "--policy", "random", "--quick").stdout
    assert "observation" in other


def test_missing_runs_of_the_policy_are_named(ctv, study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(study, folder)
    (folder / "ctv-fixed-0.npz").write_bytes(b"")
    outcome = ctv("ladder", folder, "--quick", "--json")
    (warning,) = outcome.json["warnings"]
    assert warning.startswith("1 of 2 runs are missing or damaged (ctv-fixed-0)")
    assert outcome.stderr == f"ctv: warning: {warning}\n"
    assert ctv("ladder", folder, "--policy", "random", "--quick", "--json").json["warnings"] == []


def test_bad_input_is_one_line(ctv, study: Path, tmp_path: Path) -> None:
    for words, named in (
        (("ladder", study, "--policy", "gp-ucb"), "policy"),
        (("ladder", study, "--n", "5"), "drop it"),
        (("ladder", study, "--epsilon", "0.01"), "epsilon = 0.01: drop it"),
        (("ladder", study, "--delta", "0.1"), "delta = 0.1: drop it"),
        (("ladder", study, "--seed", "0"), "seed = 0: drop it"),
        (("ladder", study, "--runs", "0"), "runs"),
        (("ladder", "--policy", "tv"), "policy = tv: drop it"),
        (("ladder", "--runs", "2"), "runs = 2: drop it"),
        (("ladder", study / "ctv-fixed-0.npz", "--policy", "random"), "policy = random: drop it"),
        (("ladder", tmp_path), "study"),
        (("ladder", "--epsilon", "2"), "epsilon"),
    ):
        outcome = ctv(*words)
        assert (outcome.code, outcome.stdout) == (2, "")
        assert len(outcome.stderr.splitlines()) == 1
        assert named in outcome.stderr


def test_figure(ctv, tmp_path: Path) -> None:
    path = tmp_path / "ladder.png"
    assert ctv("figure", "ladder", *SMALL, "--runs", "2", "--out", path).code == 0
    assert path.stat().st_size > 20_000


def test_what_a_row_rests_on_is_no_part_of_the_json() -> None:
    """A certified envelope holds the joint dual of a larger noise, which has no plain form."""
    found = ladder(n=10, total=10.0, grid=5, epsilon=0.01)
    rows = tuple(replace(row, inflated=(0.02, object())) for row in found.beside)
    assert rows
    described(replace(found, beside=rows).to_dict())


def test_simulated_runs_stand_beside(ctv) -> None:
    few = ("--n", "5", "--total", "5", "--grid", "2", "--epsilon", "0.01")
    for command in ("bound", "ladder"):
        rows = ctv(command, *few, "--simulations", "9", "--json").json["beside"]
        levels = {row["name"]: row["level"] for row in rows}
        assert levels["simulation"] == 0.9
        assert levels["simulation_mean"] is None
        outcome = ctv(command, *few, "--simulations", "8")
        assert (outcome.code, outcome.stdout) == (2, "")
        assert "at least 9" in outcome.stderr


def test_the_floor_of_a_study_is_that_of_its_own_rounds(ctv, study: Path) -> None:
    """Against the floor of all rounds less that of the initial ones alone."""
    floor = ctv("ladder", study, "--quick", "--json").json["steps"][0]["value"]
    of = ("--total", "27", "--grid", "5", "--quick", "--json")
    whole = ctv("bound", "--n", "9", *of).json["answer"]["floors"]
    first = ctv("bound", "--n", "3", "--total", "9", *of[2:]).json["answer"]["floors"]
    values = [{row["name"]: row["value"] for row in rows}["rank"] for rows in (whole, first)]
    # The observation of the first round alone is worth less where no covariance is negative.
    assert floor == pytest.approx(values[0] - values[1], rel=1e-6)


def test_a_floor_above_the_next_rung_is_left_out_with_the_reason(ctv) -> None:
    from dataclasses import replace

    from bounds.domain import Grid
    from bounds.problem import Problem
    from bounds.promises.bounds import bounds_of
    from bounds.promises.ladder import ladder, on_floor
    from bounds.times import EvaluationTimes

    problem = Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Grid(1, 1.0, 4))
    found = bounds_of(problem, certify=False)
    rungs, floor = ladder(found.report, found.curve.values), found.answer.floor
    assert floor is not None
    assert on_floor(rungs, None) is rungs
    assert on_floor(rungs, floor).steps[1].factor == pytest.approx(
        rungs.steps[0].value / floor.value
    )
    above = on_floor(rungs, replace(floor, value=1e9))
    assert above.steps == rungs.steps
    assert "above" in above.left_out["floor"]
    moving = on_floor(replace(rungs, times="t(x)"), floor)
    assert "fixed beforehand" in moving.left_out["floor"]


@pytest.mark.parametrize(
    "words",
    [
        ("--n", "1", "--total", "1", "--grid", "4"),
        ("--n", "5", "--total", "0", "--grid", "4"),
        ("--n", "5", "--total", "5", "--grid", "4", "--epsilon", "0"),
        ("--n", "5", "--total", "5", "--grid", "4", "--epsilon", "0.999999"),
        ("--n", "5", "--total", "5", "--grid", "4", "--noise-variance", "1e-12"),
        ("--n", "5", "--total", "5", "--grid", "4", "--noise-variance", "1e12"),
        ("--n", "5", "--total", "5", "--grid", "1"),
    ],
)
def test_steps_never_decrease_on_hard_problems(ctv, words: tuple[str, ...]) -> None:
    found = ctv("ladder", *words, "--quick", "--json").json
    values = [s["value"] for s in found["steps"]]
    assert all(b >= a * (1 - 1e-9) for a, b in pairwise(values))
    assert "floor" in {*found["left_out"], found["steps"][0]["name"]}
