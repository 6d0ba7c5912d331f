"""`ctv simulate` from outside: what it prints, keeps, resumes and refuses."""

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ctv as ctv_bounds
from bounds.domain import Grid
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv.commands.simulate import counted
from ctv.values.study import Simulated
from simulation.policies.registry import names
from simulation.study.comparison import compare_with_bounds
from simulation.study.statistics import summarize
from simulation.study.study import StudySpec, run_study

FEW = ("--grid", "5", "--initial", "4", "--rounds", "6", "--runs", "3")


def files_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_policy_beside_the_bounds(ctv, tmp_path: Path) -> None:
    known = list(names())
    words = ("simulate", *FEW, "--exploration", "theory", "--policy", ",".join(known))
    found = ctv(*words, "--out", tmp_path, "--json").json
    assert list(found["policies"]) == known
    assert len(found["paired"]) == len(known) * (len(known) - 1) // 2
    theory = found["theory"]
    assert theory["setting"] == "fixed times"
    assert len(theory["runs"]) == 3 * len(known)
    for run in theory["runs"]:
        with np.load(tmp_path / f"{run['policy']}-{run['seed']}.npz") as cell:
            regret = np.sum((cell["best_values"] - cell["values"])[4:])
            gain = 0.5 * np.sum(np.log1p(cell["deviations"] ** 2 / 0.01))
        assert run["regret"] == pytest.approx(regret, rel=1e-12)
        assert run["gain"] == pytest.approx(gain, rel=1e-12)
    above = {(run["policy"], run["of"]) for run in theory["above"]}
    for policy in known:
        assert found["gain_within_bound"][policy] is ((policy, "gain") not in above) is True
        assert found["regret_within_bound"][policy] is ((policy, "regret") not in above)
        assert found["counts_against_delta"][policy] is (policy == "ctv-fixed")
        assert (policy in theory["observation"]) is (policy != "ctv-fixed")
    assert max(theory["share_above"]["ctv-fixed"].values()) <= found["problem"]["delta"]


def test_settings_of_theorem_and_experiments_are_kept_apart(ctv) -> None:
    words = ("simulate", *FEW, "--exploration", "theory", "--policy", "ctv-fixed")
    fixed, moving = (
        ctv(*words, "--setting", setting, "--json").json["theory"]
        for setting in ("uniform", "biased")
    )
    assert (fixed["setting"], moving["setting"]) == ("fixed times", "t(x)")
    assert fixed["beta"] < moving["beta"]
    # Theorem C: regret per deviation 3.067 where the theorem has 2.
    for theory, factor in ((fixed, 2.0), (moving, 3.067)):
        run = theory["runs"][0]
        least = run["regret_bounds"]["deviations"] / (factor * np.sqrt(theory["beta"]))
        assert 0 < least <= 6 * (1 + 1e-9)


def test_tv_told_the_length_of_a_round_is_ctv_fixed(ctv) -> None:
    words = ("simulate", *FEW, "--policy", "tv,ctv-fixed", "--json")
    told = ctv(*words, "--readings", "round_length=3").json
    assert told["problem"]["readings"] == {"round_length": 3.0}
    (pair,) = told["paired"]
    assert (pair["difference"], pair["ci_low"], pair["ci_high"]) == (0.0, 0.0, 0.0)
    assert ctv(*words).json["problem"]["readings"] == {}


@pytest.mark.parametrize(
    "words",
    [
        ["mean_time_noise=no"],
        ["integral_noise=yes"],
        ["time_prior=ml"],
        ["log_time_mean=0,log-time-variance=2,log_time_lengthscale=0.5"],
        ["log_time_noise=0.1"],
        ["time_noise_variance=0.5"],
        ["incumbent=mean", "--exploration", "ei"],
        ["c1=0.2, c2=8"],
        ["time_nodes=3"],
    ],
    ids=lambda words: words[0],
)
def test_every_choice_is_part_of_the_study(ctv, tmp_path: Path, words: list[str]) -> None:
    few = ("--grid", "5", "--initial", "3", "--rounds", "2", "--runs", "1")
    start = ("simulate", *few, "--setting", "biased", "--policy", "ctv,ctv-simple")
    found = ctv(*start, "--readings", *words, "--out", tmp_path, "--json").json
    named = {part.partition("=")[0].strip().replace("-", "_") for part in words[0].split(",")}
    assert set(found["problem"]["readings"]) == named
    assert ctv(*start, "--out", tmp_path).is_one_line_about("out", "another study")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--policy", "ctv-simpel"], ["policy = ctv-simpel", "did you mean ctv-simple?"]),
        (["--policy", "tv-gp-ucb"], ["policy = tv-gp-ucb", "did you mean tv?"]),
        (["--policy", "gpucb"], ["policy = gpucb", "did you mean gp-ucb?"]),
        (["--workers", "threads:2"], ["workers = threads:2", "whole number"]),
        (["--scheduler", "tcp://localhost:1"], ["--scheduler", "--workers dask:ADDRESS"]),
        (["--setting", "biased:2"], ["setting = biased:2", "uniform:5"]),
        (["--setting", "uniform:"], ["setting", "give a number"]),
        (["--workers", "dask:0"], ["workers = 0"]),
        (["--incumbent", "best"], ["option = --incumbent", "--readings incumbent="]),
        (["--readings", "colour=red"], ["readings = colour", "use mean_time_noise"]),
        (["--readings", "integral_noise=maybe"], ["integral_noise = maybe", "yes or no"]),
        (["--readings", "incumbent=best"], ["incumbent = best"]),
        (["--readings", "time_prior=flat"], ["time_prior = flat", "fixed, ml"]),
        (["--readings", "time_prior=ml,log_time_noise=0.1"], ["log_time_noise = 0.1", "drop it"]),
        (["--readings", "log_time_variance=0"], ["ctv: log_time_variance = 0"]),
        (["--readings", "log_time_lengthscale=0"], ["ctv: log_time_lengthscale = 0"]),
        (["--readings", "log_time_noise=-1"], ["ctv: log_time_noise = -1"]),
        (["--readings", "time_nodes=0"], ["ctv: time_nodes = 0"]),
        (["--readings", "time_noise_variance=-1"], ["ctv: time_noise_variance = -1"]),
        (["--model-kernel", "cubic"], ["ctv: model-kernel = cubic", "use se, matern12"]),
        (["--readings", "c1=-1"], ["c1 = -1"]),
        (["--readings", "c1=inf"], ["c1 = inf"]),
        (["--readings", "c1=1e308,c2=1e308"], ["c1 = 1e+308"]),
        (["--readings", "log_time_mean=nan"], ["ctv: log_time_mean = nan"]),
        (["--readings", "log_time_mean=inf"], ["ctv: log_time_mean = inf"]),
        (["--readings", "round_length=-1"], ["ctv: round_length = -1"]),
    ],
)
def test_simulate_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("simulate", *FEW, *words).is_one_line_about(*named)


def test_the_evaluation_time_of_a_study_is_the_one_that_was_used(ctv) -> None:
    words = ("simulate", *FEW, "--json")
    assert ctv(*words).json["problem"]["evaluation_time"] == 3.0
    assert ctv(*words, "--setting", "uniform:2").json["problem"]["evaluation_time"] == 2.0
    assert ctv(*words, "--setting", "biased").json["problem"]["evaluation_time"] is None


def test_measured_times_beyond_all_doubles_name_the_noise(ctv) -> None:
    words = ("simulate", "--policy", "ctv-simple", "--readings", "time_noise_variance=1e6", *FEW)
    outcome = ctv(*words)
    assert outcome.is_one_line_about("ctv: time_noise_variance = 1000000.0", "give a smaller one")
    assert ctv(*words, "--policy", "tv").code == 0


@pytest.mark.parametrize(
    ("inputs", "named"),
    [
        ("x1,x2", ["inputs in row 3 = 0.5, 2.5", "inside the domain [0, 1]^d"]),
        ("x1,x1", ["x = x1", "once"]),
    ],
)
def test_inputs_are_points_of_the_domain(ctv, tmp_path: Path, inputs: str, named) -> None:
    """Once both were taken: t(x) from a point outside, or of one coordinate twice."""
    path = tmp_path / "times.csv"
    path.write_text("x1,x2,duration\n0.1,0.2,1\n0.9,0.4,2\n0.5,2.5,3\n0.6,0.1,2\n")
    words = ("simulate", *FEW, "--setting", "csv", "--times", path, "--x", inputs)
    assert ctv(*words).is_one_line_about(*named)
    if inputs == "x1,x2":
        assert ctv(*words, "--side", "3").code == 0


def test_a_folder_that_is_no_study_is_left_alone(ctv, tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    before = files_of(tmp_path)
    assert ctv("simulate", *FEW, "--out", tmp_path).is_one_line_about("out", "no study")
    assert files_of(tmp_path) == before
    place = tmp_path / "letters.txt"
    assert ctv("simulate", *FEW, "--out", place).is_one_line_about("out")
    assert files_of(tmp_path) == before


def test_a_full_disk_leaves_earlier_cells_as_they_are(ctv, tmp_path: Path) -> None:
    study = tmp_path / "study"
    words = ["simulate", *FEW, "--out", str(study), "--json"]
    whole = ctv(*words).json
    (study / "random-2.npz").unlink()
    (study / "random-1.npz").write_bytes(b"PK damaged")
    before = files_of(study)

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    stopped = subprocess.run(
        [sys.executable, "-m", "ctv", *words],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=no_room,
        env={"NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=Path(__file__).resolve().parents[3],
    )
    assert (stopped.returncode, stopped.stdout) == (2, "")
    assert "cannot be written" in stopped.stderr
    assert "earlier cells are intact" in stopped.stderr
    assert len(stopped.stderr.splitlines()) == 1
    assert files_of(study) == before
    again = ctv(*words).json
    assert (again["resumed"], again["repaired"]) == (4, ["random-1.npz"])
    assert again["policies"] == whole["policies"]


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_study(ctv, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    words = ("simulate", *FEW, "--json")
    here = ctv(*words).json
    there = ctv(*words, "--workers", "dask:2", "--out", tmp_path).json
    assert there["policies"] == here["policies"]
    assert there["theory"] == here["theory"]


def test_progress_counts_over_several_studies() -> None:
    seen: list[tuple[str, float]] = []
    watch = counted(lambda stage, share: seen.append((stage, share)), before=10, in_all=40)
    watch(5, 20, "tv seed 0")
    assert seen == [("15 of 40, tv seed 0", 0.375)]


def test_every_policy_is_above_the_floor_of_its_own_rounds(ctv) -> None:
    words = ("--rounds", "8", "--initial", "2", "--runs", "3", "--grid", "5")
    names = "ts,random-weight-ucb,scheduled,ctv-fixed,random,clairvoyant"
    found = ctv("simulate", *words, "--policy", names, "--json").json
    assert set(found["policies"]) == set(names.split(","))
    covered = dict(found["above_floor"])
    assert covered.pop("clairvoyant") is None
    assert covered == dict.fromkeys(covered, True)
    floor = found["floor"]
    assert (floor["policy"], floor["kind"], floor["direction"]) == ("any", "mean", "lower")
    regret = {name: 8 * one["own_regret_per_round"] for name, one in found["policies"].items()}
    assert all(regret[name] >= floor["value"] for name in covered)
    assert "Every policy has expected regret ≥" in ctv("simulate", *words, "--policy", "ts").stdout


def test_no_floor_where_durations_depend_on_the_point(ctv) -> None:
    words = ("--setting", "biased", "--rounds", "4", "--initial", "2", "--runs", "2")
    found = ctv("simulate", *words, "--grid", "5", "--policy", "ts", "--json").json
    assert found["floor"] is None
    assert found["above_floor"] == {"ts": None}


def test_below_the_floor_by_more_than_chance_is_said() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Grid(1, 1.0, 4))
    spec = StudySpec(problem, setting="csv", policies=("ts",), seeds=4, initial=0, rounds=4)
    study = run_study(spec)
    beside = compare_with_bounds(study)
    assert beside.floor is not None
    wrong = replace(beside, floor=replace(beside.floor, value=1e3))
    assert wrong.above_floor("ts") is False
    shown = Simulated(study, summarize(study), wrong, {}).screen().first
    assert "BELOW IT BY MORE THAN CHANCE: ts" in str(shown[-1])
    alone = replace(wrong, runs=wrong.runs[:1])
    assert alone.above_floor("ts") is None


@pytest.mark.parametrize(
    "words",
    [
        ("--domain", "arms:1"),
        ("--domain", "arms:3", "--epsilon", "0"),
        ("--domain", "arms:3", "--epsilon", "0.999999"),
        ("--domain", "arms:3", "--noise-variance", "1e-12"),
        ("--domain", "arms:3", "--noise-variance", "1e12"),
        ("--domain", "arms:3", "--setting", "uniform:0"),
        ("--domain", "arms:3", "--rounds", "1", "--initial", "0"),
    ],
)
def test_policies_without_beta_on_hard_problems(ctv, words: tuple[str, ...]) -> None:
    few = () if "--rounds" in words else ("--rounds", "3", "--initial", "1")
    names = "ts,random-weight-ucb,scheduled"
    found = ctv("simulate", *few, *words, "--runs", "2", "--policy", names, "--json").json
    assert None not in found["above_floor"].values()


BOX = ("simulate --domain box", "--grid", "5", "--initial", "2", "--rounds", "2", "--runs", "3")


def test_on_the_box_the_same_keys_and_no_bounds(ctv) -> None:
    names = "ts,random-weight-ucb,scheduled,ctv-fixed,random"
    found = ctv(*BOX, "--policy", names, "--setting", "biased", "--json").json
    on_grid = ctv("simulate", *BOX[1:], "--policy", names, "--setting", "biased", "--json").json
    assert set(found) == set(on_grid)
    assert set(found["problem"]) == set(on_grid["problem"])
    assert (found["problem"]["box"], on_grid["problem"]["box"]) == (True, False)
    assert list(found["policies"]) == names.split(",")
    assert len(found["paired"]) == 10
    assert found["theory"] is found["floor"] is found["out"] is None
    assert found["policies"]["ts"]["regret_per_round"] > 0
    shown = ctv(*BOX, "--policy", "ts").stdout
    assert "No bound stands beside these" in shown
    assert "box [0, 1]^2" in " ".join(shown.split())


def test_the_box_from_python_is_that_of_the_command_line(ctv) -> None:
    value = ctv_bounds.simulate(
        domain="box", grid=5, initial=2, rounds=2, runs=3, policy="ts,ctv-fixed", workers=2
    )
    assert isinstance(value, Simulated) and value.comparison is None
    printed = ctv(*BOX, "--policy", "ts,ctv-fixed", "--json").json
    assert value.to_dict()["policies"] == printed["policies"]
    assert value.to_dict()["paired"] == printed["paired"]
    assert "on the box" in value.headline()
    assert value.plot().axes


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--out", "runs"], ["out = runs", "runs on the box are not kept"]),
        (["--readings", "tune=likelihood", "--policy", "tv"], ["tune = likelihood", "drop it"]),
        (["--policy", "clairvoyant"], ["policy = clairvoyant", "on the box"]),
        (["--exploration", "theory"], ["exploration = theory", "beta or sqrt-beta"]),
        (["--initial", "0"], ["initial = 0", "at least 1"]),
        (["--workers", "0"], ["workers = 0"]),
        (["--experiment", "tuned"], ["drop it"]),
    ],
)
def test_what_the_box_has_not_is_one_line(ctv, words: list[str], named: list[str]) -> None:
    assert ctv(*BOX, *words).is_one_line_about(*named)
    assert not Path("runs").exists()


def test_one_point_alone_has_no_regret(ctv) -> None:
    said = ctv("simulate", "--grid", "1", "--initial", "1", "--rounds", "4", "--runs", "2").stdout
    assert "With its 1 random round every policy has ≥ 0 in all" in said
    assert "times that" not in said
