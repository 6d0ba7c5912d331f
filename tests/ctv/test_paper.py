"""The paper's experiments from the command line: tables, verdicts, figures, refusals."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bounds.errors import InvalidInput
from ctv.options import ModelOptions, TimesOptions
from ctv.paper import REGRET_FIGURES, draw_figure
from ctv.pipeline import unwatched
from ctv.study_options import StudyOptions
from simulation.experiments import FIGURES

FEW = ("--grid", "6", "--initial", "4", "--rounds", "6")
VERDICTS = {"supported", "not supported", "contradicted"}


def stored_regret(folder: Path, policy: str, seeds: range) -> np.ndarray:
    """R_n/n of each seed from the files of a study, by definition."""
    found = []
    for seed in seeds:
        with np.load(folder / f"{policy}-{seed}.npz") as cell:
            found.append(np.mean(cell["best_values"] - cell["values"]))
    return np.array(found)


def test_experiment_statistics_from_the_stored_files(ctv, tmp_path: Path) -> None:
    words = ("simulate", "--experiment", "figure-1", *FEW, "--seeds", "4", "--seed", "3")
    found = ctv(*words, "--out", tmp_path, "--json").json
    (one,) = found["experiments"]
    assert (one["experiment"], one["exploration"], one["model_kernel"]) == (
        "figure-1", "beta", "matern52",
    )  # fmt: skip
    assert list(one["studies"]) == ["se-uniform", "se-biased", "matern-uniform", "matern-biased"]
    for name, study in one["studies"].items():
        folder = tmp_path / "figure-1" / "matern52-beta" / name
        for policy, shown in study["policies"].items():
            regret = stored_regret(folder, policy, range(3, 7))
            assert shown["regret_per_round"] == pytest.approx(regret.mean(), rel=1e-12)
            assert shown["sd"] == pytest.approx(regret.std(ddof=1), rel=1e-9)
            assert shown["seeds"] == 4
    assert (found["seed"], found["resumed"], found["out"]) == (3, 0, str(tmp_path))
    again = ctv(*words, "--out", tmp_path, "--workers", "2", "--json").json
    assert again["resumed"] == 4 * 4 * 5
    assert again["experiments"] == found["experiments"]


def test_every_sentence_of_an_experiment_has_a_verdict(ctv) -> None:
    words = ("simulate", "--experiment", "figure-2", *FEW, "--seeds", "6")
    words = (*words, "--exploration", "beta,sqrt-beta", "--model-kernel", "matern52,objective")
    found = ctv(*words, "--json").json["experiments"]
    variants = [(one["exploration"], one["model_kernel"]) for one in found]
    assert variants == list(product(("beta", "sqrt-beta"), ("matern52", "objective")))
    for one in found:
        assert len(one["sentences"]) == 6
        for sentence in one["sentences"]:
            verdicts = {part["verdict"] for part in sentence["comparisons"]}
            assert sentence["verdict"] in VERDICTS
            assert (sentence["verdict"] == "supported") == (verdicts == {"supported"})
            for part in sentence["comparisons"]:
                study, policy = part["left"]
                shown = one["studies"][study]["policies"][policy]
                key = "regret_per_round" if part["statistic"] == "mean" else "sd"
                assert part["left_value"] == pytest.approx(shown[key])


def test_tables_of_experiments_fit(ctv, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    words = ("simulate", "--experiment", "figure-2", *FEW, "--seeds", "6")
    alone = ctv(*words)
    several = ctv(*words, "--exploration", "beta,sqrt-beta")
    for outcome in (alone, several):
        assert (outcome.code, outcome.stderr) == (0, "")
        assert max(map(len, outcome.stdout.splitlines())) <= 100
    assert "by the comparison" in alone.stdout
    assert "sqrt-beta" in several.stdout
    one_seed = ctv(*words[:-1], "1")
    assert one_seed.code == 0
    assert "no verdict" in one_seed.stdout


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--experiment", "figure-3"], ["experiment = figure-3", "figure-1"]),
        (["--experiment", ""], ["experiment"]),
        (["--experiment", "figure-1", "--kernel", "matern52"], ["kernel = matern52", "drop it"]),
        (["--experiment", "figure-1", "--policies", "ctv"], ["policies = ctv", "drop it"]),
        (["--experiment", "figure-1", "--setting", "biased"], ["setting = biased", "drop it"]),
        (["--experiment", "figure-1", "--acquisition", "ei"], ["acquisition = ei", "drop it"]),
        (["--experiment", "figure-1", "--epsilon", "0.1"], ["epsilon = 0.1", "drop it"]),
        (["--experiment", "figure-1", "--times", "a.csv"], ["times = a.csv", "drop it"]),
        (["--experiment", "figure-1", "--exploration", "beta,x"], ["exploration = x"]),
        (["--experiment", "figure-1", "--model-kernel", "matern52,x"], ["kernel = x"]),
        (["--experiment", "figure-1", "--workers", "0"], ["workers = 0"]),
        (["--experiment", "figure-1", "--seeds", "0"], ["seeds = 0"]),
        (["--exploration", "beta,sqrt-beta"], ["exploration = beta,sqrt-beta"]),
    ],
)
def test_experiment_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("simulate", *FEW, *words).is_one_line_about(*named)


def test_folder_of_another_study_is_left_alone(ctv, tmp_path: Path) -> None:
    words = ("figure", "regret-uniform", *FEW, "--runs", "2", "--study", tmp_path / "runs")
    picture = tmp_path / "a.png"
    first = ctv(*words, "--out", picture, "--json").json
    assert (first["resumed"], first["study"]) == (0, str(tmp_path / "runs"))
    assert ctv(*words, "--out", tmp_path / "b.png", "--json").json["resumed"] == 20
    assert (tmp_path / "b.png").read_bytes() == picture.read_bytes()
    before = {p: p.read_bytes() for p in (tmp_path / "runs").rglob("*") if p.is_file()}
    other = ctv(*words[:2], "--grid", "5", *words[4:], "--out", tmp_path / "c.png")
    assert other.is_one_line_about("out", "another study", "domain")
    assert {p: p.read_bytes() for p in (tmp_path / "runs").rglob("*") if p.is_file()} == before
    assert not (tmp_path / "c.png").exists()
    # The table reads the same runs.
    table = ("simulate", "--experiment", "figure-1", *FEW, "--seeds", "2")
    found = ctv(*table, "--out", tmp_path / "runs", "--json").json
    assert found["resumed"] == 20
    json.dumps(found)


@pytest.mark.parametrize("name", REGRET_FIGURES)
def test_figure_shows_every_policy_of_every_study(name: str) -> None:
    options = StudyOptions(seeds=2, initial=3, rounds=4)
    figure, studies = draw_figure(name, TimesOptions(), ModelOptions(grid=4), options, unwatched)
    curves = [axes for axes in figure.axes if axes.get_xlabel() == "round $m$"]
    assert len(curves) == len(studies) == len(REGRET_FIGURES[name].titles)
    for axes, study in zip(curves, studies, strict=True):
        labels = " ".join(text.get_text() for text in axes.texts)
        for runs in study.trajectories.values():
            regret = np.mean([run.cumulative_regret[-1] for run in runs]) / 7
            assert f"{regret:.2f}" in labels


def test_figure_of_one_run_has_no_differences() -> None:
    options = StudyOptions(seeds=1, initial=3, rounds=4)
    model = ModelOptions(grid=4)
    figure, _ = draw_figure("length", TimesOptions(), model, options, unwatched)
    assert len(figure.axes) == 2


def test_titles_name_studies_that_exist() -> None:
    for shown in REGRET_FIGURES.values():
        assert set(shown.titles) <= set(FIGURES[shown.experiment](None))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["length", "--sequence", "bursts"], ["sequence = bursts", "drop it"]),
        (["length", "--kernel", "matern52"], ["kernel = matern52", "drop it"]),
        (["length", "--runs", "0"], ["runs = 0"]),
        (["length", "--exploration", "none"], ["exploration = none"]),
        (["length", "--model-kernel", "rbf"], ["kernel = rbf"]),
        (["length", "--workers", "0"], ["workers = 0"]),
        (["gain", "--study", "x"], ["study = x", "drop it"]),
        (["partition", "--rounds", "3"], ["rounds = 3", "drop it"]),
    ],
)
def test_figure_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("figure", *words, "--grid", "4").is_one_line_about(*named)


def test_an_unknown_figure_of_the_paper_is_no_experiment() -> None:
    with pytest.raises(InvalidInput, match="drop it"):
        draw_figure("length", TimesOptions(n=3), ModelOptions(grid=4), StudyOptions(), unwatched)
