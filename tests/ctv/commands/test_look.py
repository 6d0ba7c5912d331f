"""`ctv FILE`: durations are recognised, four numbers stand in order, bad files are one line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ctv
from bounds.times import EvaluationTimes
from tests.command_line import described

FEW = ("--grid", "4", "--epsilon", "0.01")


@pytest.fixture
def durations(tmp_path: Path) -> Path:
    path = tmp_path / "durations.csv"
    path.write_text("duration\n" + "".join(f"{1 + i % 3}\n" for i in range(12)))
    return path


@pytest.mark.usefixtures("without_pictures")
def test_a_file_alone_is_looked_at(durations: Path, tmp_path: Path) -> None:
    """From the four numbers to the page: what the command line prints and what JSON holds."""
    found = ctv.look(durations, grid=4, epsilon=0.01, out=tmp_path)
    line = found.to_dict()["line"]
    assert line["lower"] <= line["achieved"] <= line["proven"] <= line["printed"]
    assert found.to_dict()["achieved_by"] == "simulation"
    described(found.to_dict())
    assert "8 simulated runs" in found.news().html()
    assert found.path == tmp_path / "report.html"
    page = found.path.read_text()
    assert page.startswith("<!doctype html>")
    first = page.index('<section class="line"')
    assert first < page.index('<section class="abstract"')
    assert f'aria-label="{found.line.sentence}"' in page
    assert page.count('<b class="', first) == len(found.line.marks) == 4


def test_the_numbers_are_those_of_bound(ctv, durations: Path) -> None:
    said = ctv(str(durations), *FEW, "--out", "none").stdout
    assert "12 evaluations in total time 24" in said
    line = next(line for line in said.splitlines() if line.startswith("lower bound"))
    assert [line.count(word) for word in ("≤", "proven", "printed")] == [2, 1, 1]
    found = ctv(str(durations), *FEW, "--out", "none", "--json").json
    bound = ctv("bound", "--times", str(durations), *FEW, "--json").json
    line, answer = found["line"], bound["answer"]
    best = [r for r in answer["regret"] if r["kind"] == "probability" and r["certified"]]
    covering = [r for r in best if r["policy"] in ("any", "ctv-fixed")]
    assert line["proven"] == min(r["value"] for r in covering)
    assert line["lower"] == max(r["value"] for r in answer["floors"] if r["certified"])
    assert line["printed"] == bound["regret"]["theorem1"]
    assert (found["path"], found["fit"], line["achieved"]) == (None, None, None)


def test_a_drift_without_forgetting_has_no_half_life(ctv, durations: Path) -> None:
    kernel = ("--time-kernel", "se:lengthscale=600")
    said = " ".join(ctv(str(durations), *FEW, *kernel, "--out", "none").stdout.split())
    assert "The drift is as given: se time kernel, ℓ = 600." in said
    assert "half-life" not in said


def test_the_drift_is_assumed_and_said_so(ctv, durations: Path) -> None:
    said = " ".join(ctv(str(durations), "--grid", "4", "--out", "none").stdout.split())
    assert "the drift is not fitted but assumed: ε = 0.01" in said
    found = ctv(str(durations), "--grid", "4", "--out", "none", "--json").json
    assert found["assumed_half_life"] == pytest.approx(137.935, rel=1e-5)
    given = ctv(str(durations), *FEW, "--out", "none", "--json").json
    assert given["assumed_half_life"] is None


def test_standard_input_is_a_file(durations: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ctv", "-", *FEW, "--out", "none", "--json"],
        input=durations.read_text(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["problem"]["n"] == 12


def test_a_file_named_like_a_command(ctv, durations: Path, tmp_path, monkeypatch) -> None:
    """The word alone is the command; with its folder it is the file."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(durations, "gain")
    assert ctv(
        "gain", "--n", "5", "--grid", "3", "--budget", "fast", "--rounds", "2", "--json"
    ).json["m"] == [2]
    for words in (("./gain",), ("look", "gain")):
        assert ctv(*words, *FEW, "--out", "none", "--json").json["problem"]["times"] == "gain"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("missing.csv", "FILE = missing.csv: there is no such file"),
        (".", "FILE = .: this is a folder"),
        ("/dev/null", "FILE = /dev/null: this is a device"),
        ("boundd", "command = boundd: did you mean bound?"),
    ],
)
def test_what_is_no_file_is_one_line(ctv, word: str, said: str) -> None:
    outcome = ctv(word)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"ctv: {said}")
    assert len(outcome.stderr.splitlines()) == 1


@pytest.mark.parametrize("text", ["", "\n", "word\n", "duration\nfast\n", "duration\n-1\n", "{}"])
def test_a_bad_file_is_one_line(ctv, tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    outcome = ctv(str(path))
    assert (outcome.code, outcome.stdout) == (2, "")
    assert len(outcome.stderr.splitlines()) == 1


def test_from_python_durations_are_enough() -> None:
    found = ctv.look([1.0, 2.0, 3.0], epsilon=0.01, grid=4, out="none")
    assert found.lower <= found.proven <= found.printed
    assert "lower bound" in repr(found)
    times = EvaluationTimes.from_durations([1.0, 2.0, 3.0])
    assert ctv.look(times, epsilon=0.01, grid=4, out="none").proven == found.proven


def test_the_example_needs_no_file(ctv) -> None:
    found = ctv("example", "--grid", "3", "--out", "none", "--json").json
    assert (found["problem"]["n"], found["problem"]["epsilon"]) == (207, 0.04)


def test_the_example_says_its_own_defaults(ctv) -> None:
    """Help shows the model of the example; what stands in place of a part of it takes that part."""
    text = " ".join(ctv("example", "--help").stdout.replace("│", " ").split())
    for words in ("[0, 1). [default: 0.04]", "one observation. [default: 0.1]", "[default: 1.0]"):
        assert words in text or words.replace("1.0", "1") in text
    told = ctv(
        "example", "--domain", "arms:3", "--half-life", "30min", "--out", "none", "--json"
    ).json
    assert told["problem"]["epsilon"] == pytest.approx(1.0 - 0.25 ** (1.0 / 1800.0), rel=1e-3)


def test_its_first_screen_fits(ctv, durations: Path, monkeypatch) -> None:
    for columns in (80, 30):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = ctv(str(durations), *FEW, "--out", "none").stdout.splitlines()
        assert max(map(len, lines)) <= columns
        assert columns < 80 or len(lines) <= 25


def test_what_to_do_next_is_about_the_same_problem(ctv, durations: Path) -> None:
    """The commands that the first screen names have the options that its numbers are for."""
    words = (str(durations), "--duration", "duration", *FEW, "--out", "none")
    said = " ".join(ctv(*words).stdout.split())
    own = f"--times {durations} --duration duration --grid 4"
    assert f"ctv bound {own} --all shows" in said
    assert f"ctv partition {own} shows" in said
    model = "--epsilon 0.04 --noise-variance 0.1 --lengthscale 1.0 --dimension 1 --grid 3 --all"
    assert model in " ".join(ctv("example", "--grid", "3", "--out", "none").stdout.split())


def test_one_evaluation_is_one(ctv, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("duration\n5\n")
    assert "1 evaluation in total time 5" in ctv(str(path), *FEW, "--out", "none").stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--unit", "parsec"), "unit = parsec: drop it: no inputs"),
        (("--domain", "lr=0..1", "--epsilon", "0.1"), "domain = lr=0..1: drop it, or drop --eps"),
        (("--y", "loss", "--epsilon", "0.1"), "y = loss: drop it, or drop --epsilon"),
    ],
)
def test_no_option_of_a_log_is_ignored(ctv, durations: Path, options, said: str) -> None:
    outcome = ctv(str(durations), *options, "--out", "none")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"ctv: {said}")
    assert len(outcome.stderr.splitlines()) == 1


def test_a_domain_alone_says_that_a_file_is_a_log(ctv, durations: Path) -> None:
    """The range of an input is no option of the model, whose domain is a grid."""
    outcome = ctv(str(durations), "--domain", "lr=0..1", "--out", "none")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("ctv: x = unknown: name the columns of the inputs")


def test_a_file_without_its_option_and_help_without_dashes_are_understood(ctv) -> None:
    assert ctv("bound", "d.csv").stderr == "ctv: argument = d.csv: write --times before it\n"
    assert ctv("help", "bound").stdout == ctv("bound", "--help").stdout
    assert ctv("help").stdout == ctv("--help").stdout


def test_a_log_without_times_and_known_names_is_told_how_it_is_read(ctv, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    rows = [f"{0.1 * i},{0.5 + 0.01 * i}" for i in range(1, 8)]
    path.write_text("\n".join(["lr,accuracy", *rows]) + "\n", encoding="utf-8")
    assert ctv(path, "--out", "none").is_one_line_about("--x A,B --y NAME, and --duration equal")
    told = ctv(
        path, "--x", "lr", "--y", "accuracy", "--duration", "equal", "--maximize", "--out", "none"
    )
    assert told.code == 0 and "a log of 7 trials over lr" in told.stdout
