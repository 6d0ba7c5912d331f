"""Every command on real input: the keys of its JSON, the numbers by a second road, its tables."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len

from bounds.confidence.schedules import finite_domain_beta, regret_constant
from ctv.commands.shared.paper import REGRET_FIGURES
from ctv.gallery.problem import FIGURES
from ctv.inputs import bundled_times
from proofs_check.records.bound_certificate import CLAIMED

SMALL = ("--n", "12", "--total", "30", "--grid", "6")
ORIGIN = {"problem", "version"}


def columns(text: str) -> int:
    return max(map(cell_len, text.splitlines()))


def test_version(ctv) -> None:
    outcome = ctv("--version")
    assert (outcome.code, outcome.stdout.split()[0]) == (0, "ctv")


def test_help_names_every_figure(ctv) -> None:
    # Borders and line ends may fall into a sentence, but not into a name.
    words = set(re.findall(r"[a-z][a-z-]+", ctv("figure", "--help").stdout))
    assert {*FIGURES, *REGRET_FIGURES} <= words


def test_bound(ctv, computed_once) -> None:
    found = ctv("bound", *SMALL, "--json").json
    keys = {"n", "total_time", "epsilon", "slope", "gain", "partition", "beta", "regret"}
    assert keys | ORIGIN | {"theorem1_valid", "rivals"} <= set(found)
    gain, regret = found["gain"], found["regret"]
    names = (
        "trivial",
        "theorem1",
        "additive",
        "refined",
        "any_pattern",
        "knots",
        "joint_dual",
    )
    assert {"lower", "best", "best_name", *names} == set(gain)
    assert gain["best"] == gain[gain["best_name"]] == min(gain[name] for name in names)
    assert gain["lower"] <= gain["best"]
    assert gain["trivial"] == pytest.approx(6 * np.log(101))
    assert found["beta"] == pytest.approx(2 * np.log(36 * np.pi**2 * 144 / 6 / 0.1))
    for name in (*names, "best"):
        assert regret[name] == pytest.approx(
            np.sqrt(regret_constant(0.01) * found["beta"] * 12 * gain[name])
        )
    for cuts in found["partition"].values():
        assert cuts[0] == 0
        assert cuts[-1] == 12
        assert cuts == sorted(set(cuts))
    assert found["theorem1_valid"] is True
    assert found["certified"] == dict.fromkeys(("lower", *names), True)
    quick = ctv("bound", *SMALL, "--budget", "fast", "--json").json
    assert quick["certified"] == dict.fromkeys(("lower", *names), False)
    assert quick["gain"]["best"] == pytest.approx(gain["best"], rel=1e-6)
    assert (found["seed"], "seed" in quick) == (0, False)  # of the simulated schedule


def test_bound_where_theorem1_does_not_hold(ctv, computed_once) -> None:
    words = (*SMALL, "--time-kernel", "se:lengthscale=1", "--epsilon", "0.1")
    found = ctv("bound", *words, "--json").json
    assert found["theorem1_valid"] is False
    assert "1 - k_time" in found["reason"]
    assert found["gain"]["best_name"] != "theorem1"
    assert found["gain"]["theorem1"] > 0
    shown = ctv("bound", *words).stdout
    assert "does not hold here" in shown


def test_bound_without_drift(ctv, computed_once) -> None:
    found = ctv("bound", *SMALL, "--epsilon", "0", "--json").json
    still = ctv("gain", "--rounds", "12", "--grid", "6", "--json").json
    assert found["slope"] == 0
    for name in ("refined", "additive", "theorem1"):
        # `gain` searches longer for the same bound: the price of no drift is γ_n, a little above.
        assert 1.0 <= found["gain"][name] / still["upper"][0] <= 1.001
    assert found["partition"]["refined"] == [0, 12]


def test_seed_of_a_random_sequence_is_echoed_and_matters(ctv) -> None:
    words = ("uniformity", "--sequence", "pareto", "--n", "20", "--json")
    first, again, other = (ctv(*words, "--seed", seed).json for seed in (3, 3, 4))
    assert first["seed"] == 3
    assert first == again
    assert first["uniformity"] != other["uniformity"]


@pytest.mark.parametrize("objective", ["theorem1", "additive", "refined"])
def test_partition(ctv, objective: str) -> None:
    words = ("partition", "--bound", objective, *SMALL, "--compare", "equal:5,best", "--json")
    found = ctv(*words).json
    assert {"objective", "value", "partition", "exact", "gap", "rows"} | ORIGIN <= set(found)
    assert (found["objective"], found["exact"], found["gap"]) == (objective, True, 0)
    equal, best = found["rows"]
    assert (equal["name"], best["name"]) == ("equal:5", "best")
    assert set(equal) == {"name", "value", "gain", "drift", "blocks"}
    assert (equal["blocks"], best["blocks"]) == (3, len(found["partition"]) - 1)
    assert best["value"] == found["value"] <= equal["value"]
    for row in (equal, best):
        assert row["value"] == pytest.approx(row["gain"] + row["drift"])


def test_partition_with_gamma_of_ones_own(ctv, tmp_path: Path) -> None:
    path = tmp_path / "gamma.json"
    words = ("partition", "--n", "4", "--epsilon", "0", "--gamma", path)
    path.write_text("[0, 1, 1.5, 1.75, 1.9, 2.0]")
    assert ctv(*words, "--json").json["value"] == 1.9
    for text, named in (
        ("[0, 1, 1.5]", ["gamma", "5 values"]),
        ("[0, 1, 0.5, 2, 3]", ["gamma_2", "decrease"]),
        ("[1, 1, 1, 2, 3]", ["gamma_0"]),
        ("[0, 1, Infinity, 2, 3]", ["gamma", "no number"]),
        ("[0, 1, -1, 2, 3]", ["gamma_2"]),
        ("oops", ["gamma", "JSON"]),
    ):
        path.write_text(text)
        assert ctv(*words).is_one_line_about(*named)
    assert ctv(*words[:-1], tmp_path).is_one_line_about("gamma", "folder")
    assert ctv(*words[:-1], tmp_path / "none.json").is_one_line_about("gamma", "no such file")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--bound", "best"], ["bound = best", "refined"]),
        (["--compare", "equal"], ["compare", "equal"]),
        (["--compare", "equal:0"], ["compare = equal:0"]),
        (["--compare", "equal:x"], ["compare = equal:x"]),
        (["--compare", ""], ["compare"]),
    ],
)
def test_partition_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("partition", *SMALL, *words).is_one_line_about(*named)


def test_uniformity_against_its_definition(ctv) -> None:
    words = ("--sequence", "geometric:ratio=1.7", "--n", "9", "--total", "500")
    t = 1.7 ** np.arange(9)
    tau = np.cumsum(t / t.sum() * 500)
    squared = np.subtract.outer(tau, tau) ** 2
    for epsilon, cap in (("0.01", 1e4), ("0", np.inf)):
        for block, chosen in (([], slice(None)), (["--rounds", "3-7"], slice(2, 7))):
            found = ctv("uniformity", *words, "--epsilon", epsilon, *block, "--json").json
            by_definition = np.minimum(cap, squared[chosen, chosen]).sum()
            assert found["uniformity"] == pytest.approx(by_definition, rel=1e-12)
    assert found["cap"] is None
    assert found["rounds"] == [3, 7]


def test_gain(ctv) -> None:
    found = ctv("gain", "--rounds", "1,5,30", "--grid", "6", "--json").json
    assert found["m"] == [1, 5, 30]
    lists = [found[key] for key in ("lower", "upper", "upper_name", "certified")]
    assert [len(values) for values in lists] == [3, 3, 3, 3]
    for low, high, cap in zip(found["lower"], found["upper"], found["cap"], strict=True):
        assert 0 < low <= high * (1 + 1e-12) <= cap * (1 + 1e-9)
    assert found["lower"][0] == pytest.approx(0.5 * np.log(101))


@pytest.mark.parametrize("m", ["0", "-1", "x", "1,,2", "1.5", "1e12"])
def test_gain_refuses(ctv, m: str) -> None:
    assert ctv("gain", f"--rounds={m}").is_one_line_about("rounds = ")


@pytest.mark.parametrize(
    "words",
    [
        ["bound", *SMALL],
        ["partition", *SMALL, "--compare", "equal:5,best"],
        ["uniformity", *SMALL],
        ["gain", "--rounds", "1,300", "--grid", "4"],
        ["simulate", "--rounds", "5", "--initial", "3", "--runs", "2", "--grid", "6"],
    ],
    ids=lambda words: words[0],
)
def test_tables_fit_and_say_what_they_are(
    ctv, computed_once, monkeypatch, words: list[str]
) -> None:
    for width in ("60", "100", "200"):
        monkeypatch.setenv("COLUMNS", width)
        outcome = ctv(*words)
        assert (outcome.code, outcome.stderr) == (0, "")
        assert columns(outcome.stdout) <= min(int(width), 100)
    if words[0] == "partition":
        assert "not certified" in " ".join(outcome.stdout.split())
    elif words[0] in ("bound", "gain"):
        assert "not certified" in " ".join(ctv(*words, "--budget", "fast").stdout.split())
        assert "ertified" in outcome.stdout


def test_simulate(ctv, tmp_path: Path) -> None:
    words = ("simulate", "--rounds", "6", "--initial", "4", "--runs", "3", "--seed", "5")
    words = (*words, "--grid", "5", "--exploration", "theory", "--out", tmp_path / "study")
    found = ctv(*words, "--json").json
    assert {"policies", "paired", "gain_within_bound", "regret_within_bound", "out"} <= set(found)
    assert ORIGIN | {"seed"} <= set(found)
    for policy in ("ctv-fixed", "random"):
        assert set(found["policies"][policy]) >= {
            "regret_per_round",
            "sd",
            "seeds",
            "ci_low",
            "ci_high",
        }
        assert found["policies"][policy]["seeds"] == 3
        assert found["gain_within_bound"][policy] is True
    assert found["regret_within_bound"]["ctv-fixed"] is True
    assert found["counts_against_delta"] == {"ctv-fixed": True, "random": False}
    assert (found["seed"], found["resumed"], found["out"]) == (5, 0, str(tmp_path / "study"))
    resumed = ctv(*words, "--json").json
    assert resumed["resumed"] == 6
    assert resumed["policies"] == found["policies"]
    other = ctv(*words, "--noise-variance", "0.02")
    assert other.is_one_line_about("out", "another study")


def test_simulate_with_one_seed_has_no_interval(ctv) -> None:
    words = ("simulate", "--rounds", "3", "--initial", "2", "--runs", "1", "--grid", "4")
    found = ctv(*words, "--policy", "random", "--json").json
    assert found["policies"]["random"]["sd"] is None
    assert found["paired"] == []


@pytest.mark.parametrize(
    ("words", "counted"),
    [
        (["--exploration", "theory"], True),
        (["--exploration", "beta"], False),
        (["--exploration", "ei"], False),
        (["--exploration", "theory", "--model-kernel", "matern52"], False),
        (["--exploration", "theory", "--model-kernel", "se"], True),
        (["--exploration", "theory", "--setting", "biased"], True),  # by Theorem C
        (["--exploration", "theory", "--readings", "time_noise_variance=0.01"], False),
        (["--exploration", "theory", "--setting", "csv", "--times", bundled_times()], True),
    ],
)
def test_what_counts_against_delta(ctv, words: list, counted: bool) -> None:
    few = ("--rounds", "3", "--initial", "2", "--runs", "2", "--grid", "4")
    found = ctv("simulate", *few, "--policy", "ctv-fixed", *words, "--json").json
    assert found["counts_against_delta"] == {"ctv-fixed": counted}
    assert found["gain_within_bound"] == {"ctv-fixed": True}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--setting", "random"], ["setting = random", "biased"]),
        (["--setting", "csv"], ["times = nothing", "--times"]),
        (["--times", bundled_times(), "--setting", "biased"], ["times", "--setting csv"]),
        (["--x", "a,b"], ["x = a,b", "--setting csv"]),
        (["--setting", "uniform:-1"], ["= -1"]),
        (["--setting", "csv", "--times", bundled_times(), "--rounds", "300"], ["rounds = 301"]),
        (["--policy", "best"], ["policy = best", "ctv-fixed"]),
        (["--policy", ""], ["policies"]),
        (["--policy", "random,random"], ["policy = ", "once"]),
        (["--runs", "0"], ["runs = 0"]),
        (["--runs", "10000000000"], ["runs = 10000000000", "at most 1000000"]),
        (["--seed", "-1"], ["seed = -1"]),
        (["--initial", "0", "--rounds", "0"], ["rounds"]),
        (["--rounds", "-1"], ["rounds = -1"]),
        (["--exploration", "none"], ["exploration = none"]),
        (["--workers", "0"], ["workers = 0"]),
        (["--model-kernel", "cubic"], ["ctv: model-kernel = cubic"]),
    ],
)
def test_simulate_refuses(ctv, words: list, named: list[str]) -> None:
    assert ctv("simulate", "--grid", "4", *words).is_one_line_about(*named)


def test_simulate_with_times_by_regression(ctv) -> None:
    words = ("--setting", "csv", "--times", bundled_times(), "--x")
    few = ("--rounds", "2", "--initial", "2", "--runs", "1", "--grid", "4")
    found = ctv("simulate", *few, *words, "x1_log_n_estimators,x2_max_depth", "--json").json
    assert found["gain_within_bound"]["ctv-fixed"] is True
    assert ctv("simulate", *few, *words, "x9").is_one_line_about("x = x9")
    assert ctv("simulate", *few, *words, "test_accuracy").is_one_line_about("inputs")


@pytest.mark.parametrize(
    ("name", "suffix"), [("bound-vs-regret", ".png"), ("partition", ".pdf"), ("gain", ".svg")]
)
def test_figure(ctv, tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / "new" / f"figure{suffix}"
    found = ctv("figure", name, *SMALL, "--runs", "2", "--out", path, "--json").json
    assert found["path"] == str(path)
    starts = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}
    assert path.read_bytes().startswith(starts[suffix])


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], ["name = nothing"]),
        (["pie"], ["figure = pie", "partition"]),
        (["gain", "--out", "x.jpg"], ["out = x.jpg", ".png"]),
        (["gain", "--out", "/dev/null/x.png"], ["out = /dev/null", "folder"]),
        (["bound-vs-regret", "--runs", "0"], ["runs = 0"]),
        (["bound-vs-regret", "--exploration", "none"], ["exploration = none"]),
    ],
)
def test_figure_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("figure", *words, *SMALL).is_one_line_about(*named)


def test_report(ctv, tmp_path: Path) -> None:
    table = tmp_path / "<b>&.csv"
    table.write_text("duration\n" + "1\n2\n" * 6)
    words = ("report", "--times", table, "--grid", "3", "--runs", "1", "--out", tmp_path / "out")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").write_text("an old page")
    found = ctv(*words, "--json").json
    page = Path(found["path"]).read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;.csv" in page
    assert page.count("data:image/svg+xml;base64,") >= 5  # wide, narrow and printed ones
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["report.html"]


def test_report_refuses(ctv, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    assert ctv("report", *SMALL, "--out", taken).is_one_line_about("out", "folder")
    assert ctv("report", *SMALL, "--out", taken / "below").is_one_line_about("out")


def test_module_and_script_are_the_same_program() -> None:
    import subprocess
    import sys

    script = Path(sys.executable).parent / "ctv"
    outputs = [
        subprocess.run([*start, "uniformity", "--json"], capture_output=True, check=True).stdout
        for start in ([script], [sys.executable, "-m", "ctv"])
    ]
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["problem"]["n"] == 130


def test_bundled_times_give_the_reported_beta(ctv, computed_once) -> None:
    found = ctv("bound", "--times", bundled_times(), "--grid", "6", "--json").json
    assert found["n"] == 240
    assert found["beta"] == pytest.approx(float(finite_domain_beta(240, 36, 0.1)))


def test_bounds_are_certified_and_checked_again(ctv, tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    assert ctv("bound", *SMALL, "--certificate", path).code == 0
    found = ctv("verify", path, "--json").json
    assert found["summary"]["checked"] == found["summary"]["accepted"] == 26
    assert {claim["id"] for claim in found["recheck"]} == {*CLAIMED} - {
        "row.envelope",
        "floor.prices",  # of independent arms alone
    }
    assert found["problem"]["delta"] == 0.1
    shown = ctv("verify", path).stdout
    assert "gain.lower >= " in shown
    assert "δ = 0.1" in shown
    for extra in (("lemma-13",), ("--show", "refuted"), ("--budget", "deep"), ("--seed", "1")):
        outcome = ctv("verify", path, *extra)
        assert (outcome.code, len(outcome.stderr.splitlines())) == (2, 1)
    text = path.read_text()
    path.write_text(text.replace('"delta": 0.1', '"delta": 0.2', 1))
    outcome = ctv("verify", path)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "digest" in outcome.stderr
    outcome = ctv("bound", *SMALL, "--budget", "fast", "--certificate", path)
    assert (outcome.code, len(outcome.stderr.splitlines())) == (2, 1)
    assert "--budget", "fast" in outcome.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--total", "6", "--time-kernel", "matern:0.3"),
        ("--total", "1e30", "--epsilon", "0.999999"),
        ("--total", "1e150", "--epsilon", "0.999999"),
        ("--total", "6", "--noise-variance", "1e-100"),
        ("--total", "1e-200", "--time-kernel", "se:lengthscale=1e-3"),
    ],
    ids=" ".join,
)
def test_extreme_numbers_are_bounded_all_the_same(ctv, words: tuple[str, ...]) -> None:
    found = ctv("bound", "--n", "3", "--grid", "3", *words, "--json").json
    assert found["gain"]["lower"] <= found["gain"]["best"] <= found["gain"]["trivial"]
    assert found["regret"]["best"] > 0


def test_extreme_numbers_are_refused(ctv) -> None:
    noise = ctv("bound", "--n", "6", "--grid", "3", "--noise-variance", "1e-300")
    assert noise.is_one_line_about("noise-variance", "1e-300", "1e-100")
