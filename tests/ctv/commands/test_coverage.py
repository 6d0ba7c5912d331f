"""`ctv coverage`, its file, and the warning and the figure that come of the bundled one."""

from dataclasses import replace
from pathlib import Path

import pytest

from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv.commands import coverage
from ctv.figures.canvas import caption_of, rendered
from ctv.figures.runs import coverage as figure
from ctv.inputs import bundled_coverage, read_coverage
from ctv.show.sheet import Sheet
from simulation.after_run import coverage as simulated
from simulation.after_run.coverage import PRIORS

SMALL = "coverage --runs 4 --rounds 4 --setting uniform --policy random --bound rank"
PRIORS_OF_IT = ("--prior", "true,noise x 4")


def test_command_and_file(ctv, tmp_path: Path) -> None:
    path = tmp_path / "coverage.json"
    found = ctv(SMALL, *PRIORS_OF_IT, "--json", "--out", path).json
    assert [row["prior"] for row in found["coverage"]] == ["true", "noise x 4"]
    assert [row["p_value"] < found["broken_below"] for row in found["coverage"]] == [
        row["broken"] for row in found["coverage"]
    ]
    rows = read_coverage(path)
    assert [row.covered for row in rows] == [row["covered"] for row in found["coverage"]]
    shown = ctv(SMALL, *PRIORS_OF_IT)
    assert shown.code == 0 and "keep their level" in " ".join(shown.stdout.split())
    assert max(map(len, shown.stdout.splitlines())) <= 100


def test_bundled_studies_are_tables_of_what_is_stored(ctv) -> None:
    from own_runs.certificates.studies import bundled_audit, covered_of

    fitted = ctv("coverage", "--study", "fitted", "--json").json["coverage"]
    counted = [
        r
        for r in fitted
        if r["setting"] is None and r["method"] == "plugged in"
        if r["quantity"] == "cumulative"
    ]
    assert tuple(sum(r[k] for r in counted) for k in ("covered", "runs")) == covered_of(
        "cumulative", "plugged in"
    )
    rows = ctv("coverage", "--study", "stopping", "--json").json["stopping"]
    assert [row["covered"] for row in rows] == [row.covered for row in bundled_audit()]
    shown = ctv("coverage", "--study", "stopping").stdout
    worst = min(rows, key=lambda row: row["covered"])
    assert f"{worst['covered']} of {worst['runs']}" in shown
    assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--runs", "1"], ["runs = 1"]),
        (["--runs", "1e10"], ["runs = 10000000000", "at most 1000000"]),
        (["--rounds", "0"], ["rounds = 0"]),
        (["--kernel", "rbf"], ["kernel = rbf"]),
        (["--delta", "1"], ["delta = 1"]),
        (["--seed", "-1"], ["seed = -1"]),
        (["--bound", "expected"], ["bound = expected"]),
        (["--policy", "nobody"], ["policy = nobody"]),
        (["--delta", "1e-9"], ["delta = 1e-09", "at least 1e-06"]),
        (["--prior", "flat"], ["prior = flat"]),
        (["--prior", "true,true"], ["prior = true,true", "once"]),
        (["--setting", "foo"], ["setting = foo", "use uniform, biased"]),
        (["--setting", "csv"], ["setting = csv", "use uniform, biased"]),
        (["--setting", "uniform,uniform"], ["setting = uniform,uniform", "once"]),
        (["--policy", "random,clairvoyant"], ["policy = clairvoyant", "sees f itself"]),
        (["--bound", ""], ["bound = ''"]),
        (["--study", "all"], ["study = all", "fitted, stopping"]),
        (["--study", "fitted", "--runs", "9"], ["runs = 9", "drop --study"]),
    ],
)
def test_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("coverage", *words).is_one_line_about(*named)


def test_bundled_study_is_whole_and_breaks_under_wrong_priors_only() -> None:
    rows = bundled_coverage()
    kinds = {(row.setting, row.policy, row.prior, row.certificate) for row in rows}
    assert len(kinds) == len(rows) == 2 * 3 * len(PRIORS) * 4
    assert not any(row.broken for row in rows if row.prior == "true")
    assert any(row.broken for row in rows)


def test_a_chance_of_a_few_percent_is_no_failure(ctv, monkeypatch: pytest.MonkeyPatch) -> None:
    # Seen with an exact certificate: its interval ends at 0.782, its p-value is 0.003.
    unlucky = simulated.Coverage(
        "biased", "ctv-fixed theory", "true", "rank", 0.8, 182, 250, 0.668, 0.782, 1.1, 0.0
    )
    for covered, code in ((182, 0), (150, 1)):
        rows = simulated.judged([replace(unlucky, covered=covered)])
        monkeypatch.setattr(coverage, "run", lambda options, advance, rows=rows: rows)
        assert ctv("coverage").code == code


def test_a_certificate_that_fails_is_found(ctv, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = simulated.simulated_regrets
    monkeypatch.setattr(simulated, "simulated_regrets", lambda *a, **k: 0.5 * honest(*a, **k))
    words = "coverage --bound simulation --prior true --runs 30 --rounds 4 --policy random"
    assert ctv(f"{words} --setting uniform").code == 1


def test_marks_stay_in_their_rows() -> None:
    rows = bundled_coverage()
    screen = coverage.CoverageStudy(rows, {}).screen()
    # The first sheet shows the first rows of the next one.
    body = [row.cells for block in screen.rest if isinstance(block, Sheet) for row in block.rows]
    assert len(body) == len(rows)
    for cells, row in zip(body, rows, strict=True):
        line = " ".join(cells)
        assert row.certificate in line and f"{row.low:.2f} … {row.high:.2f}" in line
        assert ("◂" in line) == row.broken


def test_warning_names_the_worst_prior() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]))
    text = coverage.prior_warning(("rank",), problem)
    worst = min(
        (row for row in bundled_coverage() if row.certificate == "rank" and row.prior != "true"),
        key=lambda row: row.covered / row.runs,
    )
    assert worst.prior in text and f"{100 * worst.covered / worst.runs:.0f} %" in text
    assert coverage.prior_warning(("expected",), problem) == ""


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text("{}")
    with pytest.raises(coverage.InvalidInput, match="study"):
        read_coverage(path)


def test_figure() -> None:
    drawn = figure.draw(bundled_coverage())
    assert rendered(drawn, ".svg") and "circle: uniform, ctv-fixed theory; " in caption_of(drawn)


def test_a_level_that_takes_hours_is_refused() -> None:
    options = coverage.CoverageOptions(delta=9e-5)
    with pytest.raises(coverage.InvalidInput, match=r"delta = 9e-05: give at least 0\.0001"):
        coverage.run(options, lambda stage, share: None)
