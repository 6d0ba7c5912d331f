"""`ctv certify`: studies, files of them, one's own data, and everything that can be wrong."""

from pathlib import Path

import numpy as np
import pytest

from ctv import certify_command
from simulation.stored_study import stored_runs, stored_spec

SMALL = ("--grid", "6", "--initial", "2", "--rounds", "4")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two policies and two seeds."""
    from ctv.cli import main

    folder = tmp_path_factory.mktemp("certify") / "study"
    with pytest.raises(SystemExit) as left:
        main(["simulate", *SMALL, "--seeds", "2", "--exploration", "theory", "--out", str(folder),
              "--json"])  # fmt: skip
    assert not left.value.code
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    path.write_text("x1,x2,duration,y\n0.1,0.2,1,0.3\n0.4,0.5,2,1\n0.8,0.8,0,-0.3\n")
    return path


def test_study(ctv, study: Path) -> None:
    outcome = ctv("certify", study, "--json", "--paths", "9")
    rows = outcome.json["certificates"]
    assert {row["run"] for row in rows} == {"ctv-fixed-0", "ctv-fixed-1", "random-0", "random-1"}
    regrets = {run["run"]: run["regret"] for run in outcome.json["runs"]}
    for row in rows:
        assert {"name", "kind", "value", "level", "ratio", "seconds"} <= set(row)
        assert (row["level"] is None) == (row["kind"] == "expectation")
        assert row["ratio"] == pytest.approx(row["value"] / regrets[row["run"]])
    assert outcome.json["problem"]["grid"] == 6
    assert outcome.json["seed"] == 0


def test_one_run_own_rounds_and_simulations(ctv, study: Path) -> None:
    words = ("certify", study / "ctv-fixed-1.npz", "--own", "--simulations", "19", "--json",
             "--certificates", "rank,expected-forward,probability-forward")  # fmt: skip
    found = ctv(*words).json
    assert [run["rounds"] for run in found["runs"]] == [4]
    names = [row["name"] for row in found["certificates"]]
    assert names == ["rank", "expected-forward", "probability-forward", "simulation",
                     "simulation-expectation"]  # fmt: skip


def test_tables(ctv, study: Path) -> None:
    single = ctv("certify", study, "--runs", "1", "--paths", "9").stdout
    assert "ctv-fixed-0" in single and "ctv-fixed-1" not in single
    many = ctv("certify", study, "--paths", "9", "--simulations", "9",
               "--certificates", "rank,expected,probability,expected-forward")  # fmt: skip
    assert "mean regret" in many.stdout and "9 simulated" in many.stdout
    assert max(map(len, many.stdout.splitlines())) <= 100


def test_own_data(ctv, table: Path) -> None:
    found = ctv("certify", "--data", table, "--grid", "6", "--json").json
    assert [row["ratio"] for row in found["certificates"]] == [None] * 3
    assert found["runs"][0]["rounds"] == 3 and found["runs"][0]["regret"] is None
    assert "data.csv" in ctv("certify", "--data", table, "--grid", "6").stdout


def test_data_of_a_run_give_the_certificates_of_the_run(ctv, study: Path, tmp_path: Path) -> None:
    problem, _, runs = stored_runs(study)
    run = runs[0]
    points = problem.domain.points[run.points]
    rows = [
        f"{a!r},{b!r},{t!r},{y!r}"
        for (a, b), t, y in zip(
            points.tolist(), run.durations.tolist(), run.observations.tolist(), strict=True
        )
    ]
    path = tmp_path / "run.csv"
    path.write_text("\n".join(["a,b,t,value", *rows]))
    words = ("--inputs", "a,b", "--y-column", "value", "--grid", "6", "--json")
    own = ctv("certify", "--data", path, *words).json["certificates"]
    stored = ctv("certify", study / "ctv-fixed-0.npz", "--json").json["certificates"]
    assert [r["value"] for r in own] == pytest.approx([r["value"] for r in stored], rel=1e-6)


def test_warning_where_the_observations_do_not_fit(ctv, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("x,duration,y\n0.1,1,9\n0.9,1,-9\n")
    outcome = ctv("certify", "--data", path, "--dimension", "1", "--grid", "6", "--json")
    assert outcome.json["runs"][0]["doubtful"] is True
    assert "do not fit the prior" in outcome.stderr
    assert outcome.json["warnings"][0].startswith("the observations of odd.csv")


def test_study_again(study: Path) -> None:
    problem, identity, runs = stored_runs(study)
    spec = stored_spec(problem, identity, runs[0])
    again = {**spec.identity(), "policies": identity["policies"], "seeds": identity["seeds"]}
    assert again == identity


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], ["RUN_OR_STUDY = nothing"]),
        (["nowhere"], ["study = nowhere"]),
        (["STUDY", "--data", "DATA"], ["RUN_OR_STUDY", "--data"]),
        (["STUDY", "--epsilon", "0.2"], ["epsilon = 0.2", "drop it"]),
        (["STUDY", "--inputs", "x1"], ["inputs = x1", "drop it"]),
        (["STUDY", "--paths", "8"], ["paths = 8", "at least 9"]),
        (["STUDY", "--paths", "9", "--delta", "0.01"], ["paths = 9", "at least 99"]),
        (["STUDY", "--delta", "2"], ["delta = 2"]),
        (["STUDY", "--runs", "0"], ["runs = 0"]),
        (["STUDY", "--simulations", "8"], ["at least 9"]),
        (["STUDY", "--seed", "-1"], ["seed = -1"]),
        (["STUDY", "--certificates", "rank,magic"], ["certificates = magic", "expected"]),
        (["STUDY", "--certificates", "rank,rank"], ["certificates = rank,rank"]),
        (["STUDY/no-run.npz"], ["run"]),
        (["--data", "DATA", "--own"], ["own", "drop it"]),
        (["--data", "DATA", "--noise-variance", "0"], ["noise-variance = 0", "rows 2 and 3"]),
        (["--data", "DATA", "--side", "0.5"], ["x in row 3"]),
        (["--data", "DATA", "--inputs", "x1"], ["inputs = x1", "name 2"]),
        (["--data", "DATA", "--inputs", "x1,x3"], ["column = x3"]),
        (["--data", "DATA", "--y-column", "z"], ["column = z"]),
        (["--data", "DATA", "--paths", "3"], ["paths = 3", "at least 9"]),
        (["--data", "ONE"], ["data = 1 row", "at least two"]),
        (["--data", "missing.csv"], ["missing.csv"]),
    ],
)  # fmt: skip
def test_refuses(ctv, study: Path, table: Path, words: list[str], named: list[str]) -> None:
    one = table.with_name("one.csv")
    one.write_text("x1,x2,duration,y\n0.1,0.2,1,0.3\n")
    known = {"STUDY": str(study), "DATA": str(table), "ONE": str(one)}
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


def test_a_policy_that_saw_the_objective_is_left_out(ctv, tmp_path: Path) -> None:
    for policies, folder in (("clairvoyant,random", "both"), ("clairvoyant", "alone")):
        words = ("simulate", *SMALL, "--seeds", "1", "--policies", policies, "--json")
        assert ctv(*words, "--out", tmp_path / folder).code == 0
    found = ctv("certify", tmp_path / "both", "--paths", "9", "--json").json
    assert [run["run"] for run in found["runs"]] == ["random-0"]
    outcome = ctv("certify", tmp_path / "alone")
    assert outcome.is_one_line_about("policies = clairvoyant", "saw f itself")


def test_options_are_those_that_exist() -> None:
    from simulation.certificates import DEFAULT_CERTIFICATES

    defaults = certify_command.CertifyOptions().certificates.split(",")
    assert tuple(defaults) == DEFAULT_CERTIFICATES
