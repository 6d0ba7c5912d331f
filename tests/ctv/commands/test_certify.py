"""`ctv certify`: studies, files of them, one's own data, and everything that can be wrong."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from ctv.commands import certify as certify_command
from simulation.study.stored import stored_runs, stored_spec

pytestmark = pytest.mark.xdist_group("certify")  # its fixtures take seconds

SMALL = ("--grid", "6", "--initial", "2", "--rounds", "4")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two policies and two seeds."""
    from ctv.cli import main

    folder = tmp_path_factory.mktemp("certify") / "study"
    with pytest.raises(SystemExit) as left:
        main(
            [
                "simulate",
                *SMALL,
                "--runs",
                "2",
                "--exploration",
                "theory",
                "--out",
                str(folder),
                "--json",
            ]
        )
    assert not left.value.code
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    path.write_text("x1,x2,duration,y\n0.1,0.2,1,0.3\n0.4,0.5,2,1\n0.8,0.8,0,-0.3\n")
    return path


def test_study(ctv, study: Path) -> None:
    outcome = ctv("certify", study, "--json", "--draws", "9")
    rows = outcome.json["certificates"]
    assert {row["run"] for row in rows} == {"ctv-fixed-0", "ctv-fixed-1", "random-0", "random-1"}
    regrets = {run["run"]: run["regret"] for run in outcome.json["runs"]}
    for row in rows:
        assert {"name", "kind", "value", "level", "ratio", "seconds"} <= set(row)
        assert (row["level"] is None) == (row["kind"] == "mean")
        assert row["ratio"] == pytest.approx(row["value"] / regrets[row["run"]])
    assert outcome.json["problem"]["grid"] == 6
    assert outcome.json["seed"] == 0


def test_one_run_own_rounds_and_simulations(ctv, study: Path) -> None:
    bounds = "rank,expected-forward,probability-forward,simulation:19"
    words = f"certify {study}/ctv-fixed-1.npz --rounds own --json --bound {bounds}"
    found = ctv(words).json
    assert [run["rounds"] for run in found["runs"]] == [4]
    names = [row["name"] for row in found["certificates"]]
    assert names == [
        "rank",
        "expected-forward",
        "probability-forward",
        "simulation",
        "simulation-expectation",
    ]


def test_the_random_rounds_that_are_bounded_are_told_apart(ctv, study: Path) -> None:
    runs = stored_runs(study).runs
    cost = sum(float(run.regrets[:2].sum()) for run in runs) / len(runs)
    said = " ".join(ctv("certify", study, "--draws", "9").stdout.split())
    shown = re.search(r"The first 2 rounds are random and account for ([\d.]+) of the true", said)
    assert shown is not None and float(shown[1]) == pytest.approx(cost, rel=1e-3)
    own = ctv("certify", study, "--draws", "9", "--rounds", "own").stdout
    assert "rounds are random" not in own


def test_tables(ctv, study: Path) -> None:
    single = ctv("certify", study, "--runs", "1", "--draws", "9").stdout
    assert "ctv-fixed-0" in single and "ctv-fixed-1" not in single
    bounds = "rank,expected,probability,expected-forward,simulation:9"
    many = ctv(f"certify {study} --draws 9 --bound {bounds}")
    assert "mean at" in many.stdout and "9 simulated" in many.stdout
    assert max(map(len, many.stdout.splitlines())) <= 100


def test_own_data(ctv, table: Path) -> None:
    found = ctv("certify", table, "--grid", "6", "--json").json
    assert [row["ratio"] for row in found["certificates"]] == [None] * 3
    assert found["runs"][0]["rounds"] == 3 and found["runs"][0]["regret"] is None
    assert "data.csv" in ctv("certify", table, "--grid", "6").stdout


def test_data_of_a_run_give_the_certificates_of_the_run(ctv, study: Path, tmp_path: Path) -> None:
    stored = stored_runs(study)
    run = stored.runs[0]
    points = stored.problem.domain.points[run.points]
    rows = [
        f"{a!r},{b!r},{t!r},{y!r}"
        for (a, b), t, y in zip(
            points.tolist(), run.durations.tolist(), run.observations.tolist(), strict=True
        )
    ]
    path = tmp_path / "run.csv"
    path.write_text("\n".join(["a,b,t,value", *rows]))
    words = ("--x", "a,b", "--y", "value", "--grid", "6", "--json")
    own = ctv("certify", path, *words).json["certificates"]
    same = ctv("certify", study / "ctv-fixed-0.npz", "--json").json["certificates"]
    assert [r["value"] for r in own] == pytest.approx([r["value"] for r in same], rel=1e-6)


def test_warning_where_the_observations_do_not_fit(ctv, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("x,duration,y\n0.1,1,9\n0.9,1,-9\n")
    outcome = ctv("certify", path, "--dimension", "1", "--grid", "6", "--json")
    assert outcome.json["runs"][0]["doubtful"] is True
    assert "do not fit the prior" in outcome.stderr
    assert outcome.json["warnings"][0].startswith("the observations of odd.csv")


def test_study_again(study: Path) -> None:
    stored = stored_runs(study)
    spec = stored_spec(stored, stored.runs[0])
    of_all = {name: stored.identity[name] for name in ("policies", "seeds")}
    assert {**spec.identity(), **of_all} == stored.identity


KNOWN = ("DATA", "--grid", "6")
"""A log whose prior an option of the model says."""


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], ["RUN_OR_STUDY = nothing"]),
        (["nowhere", "--maximize"], ["RUN_OR_STUDY = nowhere", "no such file or folder"]),
        (["STUDY", "DATA"], ["argument = ", "drop it"]),
        (["STUDY", "--epsilon", "0.2"], ["epsilon = 0.2", "drop it"]),
        (["STUDY", "--epsilon", "0.01"], ["epsilon = 0.01", "drop it"]),
        (["STUDY", "--noise-variance", "0.01"], ["noise-variance = 0.01", "drop it"]),
        (["STUDY", "--x", "x1"], ["x = x1", "drop it"]),
        (["STUDY", "--y", "y"], ["y = y", "drop it"]),
        (["STUDY", "--workers", "1"], ["workers = 1", "drop it", "simulation:RUNS"]),
        (["STUDY", "--draws", "8"], ["draws = 8", "at least 9"]),
        (["STUDY", "--draws", "9", "--bound", "expected"], ["draws = 9", "drop it"]),
        (["STUDY", "--draws", "1e8"], ["draws = 100000000", "at most 1000000"]),
        (["STUDY", "--delta", "1e-9"], ["delta = 1e-09", "at least 1e-06"]),
        ([*KNOWN, "--draws", "1e8"], ["draws = 100000000", "at most 1000000"]),
        (["HUGE", "--grid", "6"], ["y in row 2 = 1e+308", "at most 1e+08"]),
        (["STUDY", "--draws", "9", "--delta", "0.01"], ["draws = 9", "at least 99"]),
        (["STUDY", "--delta", "2"], ["delta = 2"]),
        (["STUDY", "--runs", "0"], ["runs = 0"]),
        (["STUDY", "--bound", "rank,simulation:8"], ["bound = 8", "at least 9"]),
        (["STUDY", "--bound", "simulation:9"], ["bound = simulation:9", "list rank"]),
        (
            ["STUDY", "--bound", "rank,simulation:1e10"],
            ["bound = 10000000000", "at most 1000000"],
        ),
        (["STUDY", "--seed", "-1"], ["seed = -1"]),
        (["STUDY", "--bound", "rank,magic"], ["bound = magic", "expected"]),
        (["STUDY", "--bound", "rank,rank"], ["bound = rank,rank"]),
        (["STUDY/no-run.npz"], ["RUN_OR_STUDY", "no such file or folder"]),
        ([*KNOWN, "--rounds", "own"], ["rounds = own", "drop it"]),
        ([*KNOWN, "--runs", "0"], ["runs = 0", "drop it"]),
        ([*KNOWN, "--workers", "5"], ["workers = 5", "drop it"]),
        ([*KNOWN, "--workers", "1"], ["workers = 1", "drop it"]),
        (["DATA", "--noise-variance", "0"], ["noise-variance = 0", "rows 2 and 3"]),
        (["DATA", "--side", "0.5"], ["x in row 3"]),
        ([*KNOWN, "--x", "x1"], ["x = x1", "name 2"]),
        ([*KNOWN, "--x", "x1,x3"], ["x = x3", "name it with --x"]),
        ([*KNOWN, "--y", "z"], ["y = z", "--y"]),
        ([*KNOWN, "--draws", "3"], ["draws = 3", "at least 9"]),
        (["ONE", "--grid", "6"], ["data = 1 row", "at least two"]),
        (["missing.csv"], ["missing.csv"]),
    ],
)
def test_refuses(ctv, study: Path, table: Path, words: list[str], named: list[str]) -> None:
    one = table.with_name("one.csv")
    one.write_text("x1,x2,duration,y\n0.1,0.2,1,0.3\n")
    huge = table.with_name("huge.csv")
    huge.write_text("x1,x2,duration,y\n0.1,0.2,1,0.3\n0.4,0.5,2,1e308\n")
    known = {"STUDY": str(study), "DATA": str(table), "ONE": str(one), "HUGE": str(huge)}
    filled = [known.get(w, w.replace("STUDY", str(study))) for w in words]
    assert ctv("certify", *filled).is_one_line_about(*named)


def test_study_without_observations(ctv, study: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "study.json").write_text((study / "study.json").read_text())
    assert ctv("certify", empty).is_one_line_about("study", "no run with its observations")
    with np.load(study / "random-0.npz", allow_pickle=False) as held:
        kept = {name: held[name] for name in held.files if name != "observations"}
    np.savez(empty / "random-0.npz", **kept)
    assert ctv("certify", empty).is_one_line_about("no run with its observations")


def of_two_policies(ctv, folder: Path, *words: str) -> Path:
    """The folder of a study of two policies and three seeds."""
    assert ctv("simulate", *SMALL, "--runs", "3", *words, "--out", folder, "--json").code == 0
    return folder


def test_runs_that_are_missing_or_damaged_are_named(ctv, tmp_path: Path) -> None:
    folder = of_two_policies(ctv, tmp_path / "study")
    words = ("certify", folder, "--draws", "9", "--json")
    whole = ctv(*words)
    assert not any("missing" in warning for warning in whole.json["warnings"])
    for name in ("random-0", "random-2"):
        (folder / f"{name}.npz").unlink()
    for name in ("ctv-fixed-0", "ctv-fixed-1"):
        (folder / f"{name}.npz").write_bytes((folder / f"{name}.npz").read_bytes()[:100])
    outcome = ctv(*words)
    assert [run["run"] for run in outcome.json["runs"]] == ["ctv-fixed-2", "random-1"]
    warning = outcome.json["warnings"][0]
    assert warning.startswith("4 of 6 runs are missing or damaged (ctv-fixed-0, ctv-fixed-1, ran")
    assert "…" in warning and "same ctv simulate --out DIR" in warning
    assert f"ctv: warning: {warning}" in outcome.stderr.splitlines()
    # What the warning advises.
    of_two_policies(ctv, folder)
    again = ctv(*words).json
    bounds = [[row["value"] for row in found["certificates"]] for found in (whole.json, again)]
    assert bounds[0] == bounds[1] and again["warnings"] == whole.json["warnings"]
    # Of a policy that cannot be certified nothing is missed.
    both = of_two_policies(ctv, tmp_path / "both", "--policy", "clairvoyant,random")
    (both / "clairvoyant-1.npz").unlink()
    assert not any("missing" in w for w in ctv("certify", both, "--json").json["warnings"])


def test_an_explicit_delta_counts_at_its_default_too(ctv, tmp_path: Path) -> None:
    folder = of_two_policies(ctv, tmp_path / "study", "--epsilon", "0.5", "--delta", "0.05")

    def levels(*words: str) -> set[float | None]:
        rows = ctv("certify", folder, "--runs", "1", *words, "--json").json["certificates"]
        return {row["level"] for row in rows}

    assert levels() == {0.95, None}
    assert levels("--delta", "0.1") == {0.9, None}
    outcome = ctv("certify", folder, "--epsilon", "0.01", "--delta", "0.1")
    assert outcome.is_one_line_about("epsilon = 0.01", "drop it")


def test_cells_with_impossible_numbers_are_damaged(ctv, tmp_path: Path) -> None:
    folder = of_two_policies(ctv, tmp_path / "study")
    for name, entry, value in (
        ("random-0", "seed", np.array([0, 1])),
        ("random-1", "points", np.full(6, 36)),
    ):
        with np.load(folder / f"{name}.npz", allow_pickle=False) as held:
            np.savez(folder / f"{name}.npz", **{**held, entry: value})
    outcome = ctv("certify", folder, "--draws", "9", "--json")
    assert "2 of 6 runs are missing or damaged (random-0, random-1)" in outcome.json["warnings"][0]
    alone = ctv("certify", folder / "random-0.npz")
    assert alone.is_one_line_about("no run with its observations")
    of_two_policies(ctv, folder)
    assert "damaged" not in ctv("certify", folder, "--draws", "9").stderr


def test_a_changed_manifest_is_refused_and_restored_by_simulate(ctv, tmp_path: Path) -> None:
    folder = of_two_policies(ctv, tmp_path / "study")
    manifest = folder / "study.json"
    held = json.loads(manifest.read_text())
    for name, value in (("policies", "tv"), ("epsilon", 0.3), ("seeds", [1])):
        manifest.write_text(json.dumps({**held, "study": {**held["study"], name: value}}))
        for command in ("certify", "ladder"):
            assert ctv(command, folder).is_one_line_about("study.json was changed", "restores it")
    of_two_policies(ctv, folder)
    assert json.loads(manifest.read_text()) == held
    assert ctv("certify", folder, "--draws", "9").code == 0


def test_too_little_noise_has_a_remedy(ctv, tmp_path: Path) -> None:
    path = tmp_path / "close.csv"
    path.write_text("x1,x2,duration,y\n" + "0.1,0.2,1,0.3\n" * 3)
    words = ("--grid", "5", "--noise-variance", "1e-18", "--epsilon", "0")
    outcome = ctv("certify", path, *words)
    assert (outcome.code, outcome.stdout) == (1, "")
    (line,) = outcome.stderr.splitlines()
    assert line.startswith("ctv: noise-variance = 1e-18: ") and line.endswith("give a larger one")


def test_a_policy_that_saw_the_objective_is_left_out(ctv, tmp_path: Path) -> None:
    for policies, folder in (("clairvoyant,random", "both"), ("clairvoyant", "alone")):
        words = ("simulate", *SMALL, "--runs", "1", "--policy", policies, "--json")
        assert ctv(*words, "--out", tmp_path / folder).code == 0
    found = ctv("certify", tmp_path / "both", "--draws", "9", "--json").json
    assert [run["run"] for run in found["runs"]] == ["random-0"]
    outcome = ctv("certify", tmp_path / "alone")
    assert outcome.is_one_line_about("policy = clairvoyant", "saw f itself")


def test_options_are_those_that_exist() -> None:
    from simulation.after_run.certificates import DEFAULT_CERTIFICATES

    defaults = certify_command.CertifyOptions().bound.split(",")
    assert tuple(defaults) == DEFAULT_CERTIFICATES


def test_a_certificate_of_ones_own_run_is_derived_again(ctv, table: Path, tmp_path) -> None:
    file = tmp_path / "log.json"
    written = ctv("certify", table, "--grid", 8, "--certificate", file, "--json")
    value = next(row["value"] for row in written.json["certificates"] if row["name"] == "rank")
    (claim,) = json.loads(file.read_text())["claims"]
    assert claim["id"] == "rank" and claim["value"] >= value
    again = ctv("verify", file, "--json")
    assert [one["accepted"] for one in again.json["recheck"]] == [True]
    shown = " ".join(ctv("verify", file).stdout.split())
    assert "rank was drawn again, not proved: at level 0.9 again, by" in shown
    assert f"SHA-256 of points and observations: {again.json['problem']['data']}" in shown
    words = ("--bound", "expected", "--certificate", file)
    refused = ctv("certify", table, "--grid", 8, *words)
    assert refused.is_one_line_about("certificate = ")
