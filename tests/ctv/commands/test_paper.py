"""The paper's experiments from the command line: tables, verdicts, figures, refusals."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.errors import InvalidInput
from bounds.progress import unstaged
from ctv.commands.shared.paper import REGRET_FIGURES, draw_figure
from ctv.options.problem import ModelOptions, TimesOptions
from ctv.options.study import StudyOptions
from simulation.paper.experiments import FIGURES
from simulation.study.statistics import fewest_seeds

pytestmark = pytest.mark.usefixtures("computed_once")

FEW = ("--grid", "6", "--initial", "4", "--rounds", "6")
VARIANTS = ("--exploration", "beta,sqrt-beta", "--model-kernel", "matern52,objective")
VERDICTS = {"supported", "not supported", "contradicted"}


def stored_regret(folder: Path, policy: str, seeds: range) -> np.ndarray:
    """R_n/n of each seed from the files of a study, by definition."""
    found = []
    for seed in seeds:
        with np.load(folder / f"{policy}-{seed}.npz") as cell:
            found.append(np.mean(cell["best_values"] - cell["values"]))
    return np.array(found)


def test_experiment_statistics_from_the_stored_files(ctv, tmp_path: Path) -> None:
    words = ("simulate", "--experiment", "figure-1", *FEW, "--runs", "4", "--seed", "3")
    found = ctv(*words, "--out", tmp_path, "--json").json
    (one,) = found["experiments"]
    assert (one["experiment"], one["exploration"], one["model_kernel"]) == (
        "figure-1",
        "beta",
        "matern52",
    )
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
    words = ("simulate", "--experiment", "figure-2", *FEW, "--runs", "7", *VARIANTS)
    found = ctv(*words, "--json").json["experiments"]
    variants = [(one["exploration"], one["model_kernel"]) for one in found]
    assert variants == list(product(("beta", "sqrt-beta"), ("matern52", "objective")))
    for one in found:
        assert len(one["sentences"]) == 5
        for sentence in one["sentences"]:
            verdicts = {part["verdict"] for part in sentence["comparisons"]}
            assert sentence["verdict"] in VERDICTS
            assert (sentence["verdict"] == "supported") == (verdicts == {"supported"})
            for part in sentence["comparisons"]:
                study, policy = part["left"]
                shown = one["studies"][study]["policies"][policy]
                key = "regret_per_round" if part["statistic"] == "mean" else "sd"
                assert part["left_value"] == pytest.approx(shown[key])


def test_every_verdict_follows_from_its_json(ctv) -> None:
    """By the relations as they are documented, from both intervals, the margin and the seeds."""
    words = ("simulate", "--experiment", "figure-1,figure-2", *FEW, "--runs", "7", "--json")
    seen = set()
    for one in ctv(*words).json["experiments"]:
        for sentence in one["sentences"]:
            parts = sentence["comparisons"]
            corrected = [part["corrected"] for part in parts]
            level = 1 - 0.05 / len(parts)
            assert {c["level"] for c in corrected} == {level}
            assert sentence["seeds"] == 7
            assert sentence["fewest_to_contradict"] == fewest_seeds(level)
            for part in parts:
                for found, at in ((part, 0.95), (part["corrected"], level)):
                    assert found["verdict"] == by_hand(part, found, at)
                    assert found["ci_low"] <= part["difference"] <= found["ci_high"]
            if all(part["verdict"] == "supported" for part in parts):
                verdict = "supported"
            elif any(c["verdict"] == "contradicted" for c in corrected):
                verdict = "contradicted"
            else:
                verdict = "not supported"
            assert sentence["verdict"] == verdict
            seen.add((verdict, sentence["seeds"] < sentence["fewest_to_contradict"]))
    assert len(seen) >= 3


def by_hand(part: dict[str, Any], found: dict[str, Any], level: float) -> str:
    low, high, margin = found["ci_low"], found["ci_high"], part["margin"]
    inside, outside = -margin <= low and high <= margin, low > margin or high < -margin
    supported, contradicted = {
        "below": (high < 0, low > 0),
        "not-below": (low >= -margin, high < -margin),
        "alike": (inside, outside),
        "apart": (outside, inside),
    }[part["relation"]]
    tied = part["relation"] == "not-below" and supported
    if (7 if tied else part["telling_seeds"]) < fewest_seeds(level):
        return "not supported"
    return "supported" if supported else "contradicted" if contradicted else "not supported"


def test_every_run_of_an_experiment_stands_beside_the_bounds(ctv) -> None:
    few = ("simulate", "--experiment", "figure-1,figure-2", "--grid", "4", "--initial", "3")
    words = (*few, "--rounds", "3", "--runs", "2", "--model-kernel", "objective")
    found = ctv(*words, "--exploration", "theory", "--json").json
    for one in found["experiments"]:
        for name, study in one["studies"].items():
            moving = name.endswith("biased")
            theory = study["theory"]
            assert theory["setting"] == ("t(x)" if moving else "fixed times")
            assert len(theory["runs"]) == 2 * len(study["policies"])
            for policy in study["policies"]:
                assert study["gain_within_bound"][policy] is True
                assert study["regret_within_bound"][policy] is True
                covered = policy == "ctv-fixed" and not name.endswith("noisy")
                assert study["counts_against_delta"][policy] is covered
            for run in theory["runs"]:
                assert run["gain"] <= min(run["gain_bounds"].values())
    # The same as the study gives alone.
    words = "simulate --rounds 3 --runs 2 --exploration theory --json"
    alone = ctv(words, *few[3:], "--policy", "gp-ucb,tv,ctv,ctv-simple,ctv-fixed").json
    ours = found["experiments"][0]["studies"]["se-uniform"]
    assert ours["policies"] == alone["policies"]
    for ran, other in zip(ours["theory"]["runs"], alone["theory"]["runs"], strict=True):
        assert ran["gain_bounds"] == pytest.approx(other["gain_bounds"])
        assert ran["regret_bounds"] == pytest.approx(other["regret_bounds"])


def test_expected_improvement_has_no_exploration_weight(ctv, tmp_path: Path) -> None:
    few = ("--grid", "4", "--initial", "3", "--rounds", "2", "--runs", "2")
    words = ("simulate", *few, "--out", tmp_path)
    both = (*words, "--experiment", "figure-2,figure-ei", "--exploration", "sqrt-beta,beta")
    found = ctv(*both, "--json").json["experiments"]
    ran = [(one["experiment"], one["exploration"]) for one in found]
    assert ran == [("figure-2", "sqrt-beta"), ("figure-2", "beta"), ("figure-ei", None)]
    assert [path.name for path in (tmp_path / "figure-ei").iterdir()] == ["matern52"]
    alone = ctv(*words, "--experiment", "figure-ei")
    assert "figure-ei, model kernel matern52: " in alone.stdout
    drawn = (f"figure ei --runs 2 --study {tmp_path} --out {tmp_path}/a.png", *few[:-2])
    shown = ctv(*drawn, "--json").json
    assert (shown["resumed"], shown["problem"]["exploration"]) == (40, None)
    for refused in ((*words, "--experiment", "figure-ei"), drawn):
        outcome = ctv(*refused, "--exploration", "theory")
        assert outcome.is_one_line_about("exploration = theory", "expected improvement")


def test_too_few_seeds_for_a_contradiction_are_named(ctv, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    words = ("simulate", "--experiment", "figure-2", *FEW, "--runs")
    shown = " ".join(ctv(*words, "7", "--all").stdout.split())
    assert "(8 " in shown and "seeds needed)" in shown  # the words wrap in their column
    assert "7 seeds are too few to contradict" in shown
    assert "too few" not in ctv(*words, "8", "--all").stdout


def test_tables_of_experiments_fit(ctv, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    words = ("simulate", "--experiment", "figure-2", *FEW, "--runs", "7")
    alone = ctv(*words, "--all")
    several = ctv(*words, "--all", *VARIANTS)
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
        (["--experiment", "figure-1", "--policy", "ctv"], ["policy = ctv", "drop it"]),
        (["--experiment", "figure-1", "--setting", "biased"], ["setting = biased", "drop it"]),
        (["--experiment", "figure-1", "--exploration", "ei"], ["exploration = ei", "use beta"]),
        (["--experiment", "figure-1", "--domain", "box"], ["domain = box", "drop it"]),
        (["--experiment", "figure-1", "--epsilon", "0.1"], ["epsilon = 0.1", "drop it"]),
        (["--experiment", "figure-1", "--times", "a.csv"], ["times = a.csv", "drop it"]),
        (["--experiment", "figure-1", "--exploration", "beta,x"], ["exploration = x"]),
        (["--experiment", "figure-1", "--model-kernel", "matern52,x"], ["ctv: model-kernel = x"]),
        (["--experiment", "figure-1", "--workers", "0"], ["workers = 0"]),
        (["--experiment", "figure-1", "--runs", "0"], ["runs = 0"]),
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
    table = ("simulate", "--experiment", "figure-1", *FEW, "--runs", "2")
    found = ctv(*table, "--out", tmp_path / "runs", "--json").json
    assert found["resumed"] == 20
    json.dumps(found)


@pytest.mark.parametrize("name", REGRET_FIGURES)
def test_figure_shows_every_policy_of_every_study(name: str, tmp_path: Path) -> None:
    options = StudyOptions(runs=2, initial=3, rounds=4, out=tmp_path)
    figure, _ = draw_figure(name, TimesOptions(), ModelOptions(grid=4), options, unstaged)
    curves = [axes for axes in figure.axes if axes.get_xlabel() == "round $m$"]
    studies = REGRET_FIGURES[name].titles
    assert len(curves) == len(studies)
    for axes, study in zip(curves, studies, strict=True):
        labels = " ".join(text.get_text() for text in axes.texts)
        (folder,) = (path for path in tmp_path.rglob(study) if path.is_dir())
        policies = {path.stem.rpartition("-")[0] for path in folder.glob("*.npz")}
        assert policies
        for policy in policies:
            assert f"{stored_regret(folder, policy, range(2)).mean():.2f}" in labels


def test_figure_of_one_run_has_no_differences() -> None:
    options = StudyOptions(runs=1, initial=3, rounds=4)
    model = ModelOptions(grid=4)
    figure, _ = draw_figure("length", TimesOptions(), model, options, unstaged)
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
        (["length", "--model-kernel", "cubic"], ["ctv: model-kernel = cubic"]),
        (["regret-biased", "--initial", "0", "--rounds", "1"], ["rounds = 1", "give 2 or more"]),
        (["regret-biased", "--rounds", "0"], ["rounds = 0", "give 1 or more"]),
        (["length", "--workers", "0"], ["workers = 0"]),
        (["gain", "--study", "x"], ["study = x", "drop it"]),
        (["partition", "--rounds", "3"], ["rounds = 3", "drop it"]),
    ],
)
def test_figure_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("figure", *words, "--grid", "4").is_one_line_about(*named)


def test_an_unknown_figure_of_the_paper_is_no_experiment() -> None:
    with pytest.raises(InvalidInput, match="drop it"):
        draw_figure("length", TimesOptions(n=3), ModelOptions(grid=4), StudyOptions(), unstaged)
