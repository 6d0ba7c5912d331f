"""`ctv ladder`: of a sequence, a study and one of its files; figure, JSON, bad input."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import pairwise
from math import prod
from pathlib import Path

import pytest

from ctv import ladder
from tests.command_line import described

# Its fixtures take seconds.
pytestmark = [pytest.mark.xdist_group("ladder"), pytest.mark.usefixtures("computed_once")]

SMALL = ("--n", "10", "--total", "10", "--grid", "5", "--epsilon", "0.01")


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    from ctv.cli import main

    folder = tmp_path_factory.mktemp("ladder") / "study"
    words = f"simulate --rounds 6 --initial 3 --runs 2 --grid 5 --policy ctv-fixed,random \
        --exploration theory --out {folder} --json"
    with pytest.raises(SystemExit):
        main(words.split())
    return folder


def test_of_a_sequence(ctv) -> None:
    found = ctv("ladder", *SMALL, "--json").json
    names = [step["name"] for step in found["steps"]]
    assert (names[0], names[-1]) == ("gain_upper", "trivial")
    floor = found["lower_bound"]
    assert (floor["covers"], floor["kind"], floor["direction"]) == ("any policy", "mean", "lower")
    first = found["steps"][0]
    assert found["gain_lower"]["gain"] <= first["gain"]
    other = found["other_method"]
    assert other is None or (other["kind"], other["value"] < first["value"]) == (
        "probability",
        True,
    )
    factors = [step["factor"] for step in found["steps"][1:]]
    assert first["factor"] is None and prod(factors) == pytest.approx(found["total"])
    assert max(factors) == factors[names.index(found["loosest"]) - 1]
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
    shown = ctv("ladder", *SMALL, "--budget", "fast").stdout
    assert "×" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_of_a_study_and_of_one_run(ctv, study: Path) -> None:
    found = ctv("ladder", study, "--json").json
    assert (found["runs"], found["covered"], found["times"]) == (2, True, "fixed times")
    names = [s["name"] for s in found["steps"][:4]]
    assert names == ["regret", "deviations", "realised_gain", "gain_upper"]
    values = [s["value"] for s in found["steps"]]
    assert all(b >= a * (1 - 1e-9) for a, b in pairwise(values))
    assert found["steps"][1]["factor"] == pytest.approx(values[1] / values[0])
    assert found["total"] == pytest.approx(values[-1] / values[0])
    assert found["lower_bound"]["value"] > 0.0
    one = ctv("ladder", study / "ctv-fixed-0.npz", "--json").json
    assert one["runs"] == 1
    other = ctv("ladder", study, "--policy", "random", "--budget", "fast").stdout
    assert "observation" in other


def test_missing_runs_of_the_policy_are_named(ctv, study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(study, folder)
    (folder / "ctv-fixed-0.npz").write_bytes(b"")
    outcome = ctv("ladder", folder, "--budget", "fast", "--json")
    (warning,) = outcome.json["warnings"]
    assert warning.startswith("1 of 2 runs are missing or damaged (ctv-fixed-0)")
    assert outcome.stderr == f"ctv: warning: {warning}\n"
    others = ctv(f"ladder {folder} --policy random --budget fast --json").json
    assert others["warnings"] == []


def test_bad_input_is_one_line(ctv, study: Path, tmp_path: Path) -> None:
    for words, named in (
        (("ladder", study, "--policy", "gp-ucb"), "policy"),
        (("ladder", study, "--n", "5"), "drop it"),
        (("ladder", study, "--epsilon", "0.01"), "epsilon = 0.01: drop it"),
        (("ladder", study, "--delta", "0.1"), "delta = 0.1: drop it"),
        (("ladder", study, "--seed", "0"), "seed = 0: drop it"),
        (("ladder", study, "--runs", "0"), "runs"),
        (("ladder", "--policy", "tv"), "policy = tv: drop it"),
        (("ladder", study / "ctv-fixed-0.npz", "--runs", "2"), "runs = 2: drop it"),
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
    rows = tuple(replace(row, inflated=(0.02, object())) for row in found.other_bounds)
    assert rows
    described(replace(found, other_bounds=rows).to_dict())


def test_simulated_runs_stand_beside(ctv) -> None:
    few = ("--n", "5", "--total", "5", "--grid", "2", "--epsilon", "0.01")
    for command in ("bound", "ladder"):
        rows = ctv(command, *few, "--runs", "9", "--json").json["beside"]
        levels = {row["name"]: row["level"] for row in rows}
        assert levels["simulation"] == 0.9
        assert levels["simulation_mean"] is None
        outcome = ctv(command, *few, "--runs", "8")
        assert (outcome.code, outcome.stdout) == (2, "")
        assert "at least 9" in outcome.stderr


def test_the_floor_of_a_study_is_that_of_its_own_rounds(ctv, study: Path) -> None:
    """Between the floor of all rounds less that of the initial ones alone, and that of all.

    The part that all points have in common is chosen for the own rounds alone, so it is no less.
    """
    floor = ctv("ladder", study, "--budget", "fast", "--json").json["lower_bound"]["value"]
    of = ("--total", "27", "--grid", "5", "--budget", "fast", "--json")
    whole = ctv("bound", "--n", "9", *of).json["answer"]["floors"]
    first = ctv("bound", "--n", "3", "--total", "9", *of[2:]).json["answer"]["floors"]
    values = [{row["name"]: row["value"] for row in rows}["rank"] for rows in (whole, first)]
    # The observation of the first round alone is worth less where no covariance is negative.
    assert (values[0] - values[1]) * (1 - 1e-6) <= floor < values[0]


def test_every_face_says_the_same(ctv, study: Path) -> None:
    """First line, table, JSON and figure of a ladder have its total and its loosest step."""
    import ctv as api
    from bounds.gain.ladder import TITLES
    from ctv.figures.canvas import caption_of
    from ctv.show.rounding import digits

    for value in (
        api.ladder(n=10, total=10.0, grid=5, budget="fast"),
        api.ladder(study, budget="fast"),
        api.ladder(study / "ctv-fixed-0.npz", budget="fast"),
    ):
        found = value.to_dict()
        first = str(value.screen().first[0])
        total, loosest = digits(found["total"]), TITLES[found["loosest"]]
        factors = {step["name"]: step["factor"] for step in found["steps"]}
        for said in (first, caption_of(value.plot()), value.headline()):
            assert f"a factor {total} in all" in said
            assert f"«{loosest}», {digits(factors[found['loosest']])}." in said
        marked = [row.cells for row in value.table().rows if row.emphasised]
        assert [(cells[0], cells[3]) for cells in marked] == [
            (f"{loosest} ◂", digits(factors[found["loosest"]]))
        ]
        names = [TITLES[step["name"]] for step in found["steps"]]
        assert [row.cells[0].removesuffix(" ◂") for row in value.table().rows] == names


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
    found = ctv("ladder", *words, "--budget", "fast", "--json").json
    values = [s["value"] for s in found["steps"]]
    assert all(b >= a * (1 - 1e-9) for a, b in pairwise(values))
    assert found["lower_bound"] is not None
