"""`ctv explore`: where the page goes, what it starts with, what is refused."""

import json
from pathlib import Path

import pytest

import ctv as library
from bounds.domain import Grid
from bounds.kernels import Matern
from bounds.problem import Problem


def data_of(page: Path) -> dict:
    """What the page's module reads."""
    text = page.read_text(encoding="utf-8")
    return dict(json.loads(text.split('<script type="application/json">')[1].split("</script>")[0]))


SMALL = ("--dimension", 1, "--grid", 5)


@pytest.mark.usefixtures("without_pictures")
def test_it_starts_with_bursts(ctv, tmp_path) -> None:
    done = ctv("explore", *SMALL, "--out", tmp_path)
    page = tmp_path / "report.html"
    assert done.stdout == f"Wrote {page}\nIts partitions: {page.as_uri()}#explorer\n"
    found = data_of(tmp_path / "report.html")
    assert (found["n"], found["epsilon"]) == (400, 1e-3)
    own = found["presets"][0]
    assert own["label"] == "8 bursts"
    assert sorted(set(own["durations"])) == [0.05, 497.55]
    assert len(found["curves"]) == 9
    assert {len(one["durations"]) for one in found["presets"]} == {400}
    assert found["model"] == {"dimension": 1, "grid": 5}


@pytest.mark.slow
def test_the_first_page_has_a_block_for_each_burst(ctv, tmp_path) -> None:
    assert ctv("explore", "--out", tmp_path).code == 0
    page = tmp_path / "report.html"
    assert data_of(page)["cuts"] == [50, 100, 150, 200, 250, 300, 350]
    assert "by 8 blocks (exact search)" in page.read_text(encoding="utf-8")
    assert page.stat().st_size < 3_000_000


@pytest.mark.usefixtures("without_pictures")
def test_times_of_ones_own(ctv, tmp_path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("duration\n1\n2\n90\n1\n")
    found = ctv("explore", "--times", file, "--epsilon", 0.02, *SMALL, "--out", tmp_path, "--json")
    assert found.json["path"] == str(tmp_path / "report.html")
    assert found.json["problem"]["n"] == 4
    data = data_of(tmp_path / "report.html")
    assert data["presets"][0]["options"] == {"times": str(file)}
    assert data["presets"][0]["durations"] == [1.0, 2.0, 90.0, 1.0]
    assert data["epsilon"] == 0.02


@pytest.mark.usefixtures("without_pictures")
def test_from_python(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = library.explore([1.0, 2.0, 90.0, 1.0], dimension=1, grid=5)
    assert repr(shown) == "<Explorer: out/report.html>"
    assert shown._repr_html_().startswith("<iframe srcdoc=")
    data = data_of(shown.path)
    assert data["presets"][0]["options"] is None
    problem = Problem(
        [1.0, 2.0], space_kernel=Matern(2.5, 0.3), epsilon=0.04, domain=Grid(1, 1.0, 5)
    )
    data = data_of(library.explore(problem).path)
    assert data["model"] is None
    assert [curve["lengthscale"] for curve in data["curves"]][::3] == [0.15, 0.3, 0.6]
    assert data["epsilon"] == 0.04


def test_bad_input(ctv, tmp_path) -> None:
    assert ctv("explore", "--times", tmp_path / "none.csv").is_one_line_about("no such file")
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    assert ctv("explore", "--times", empty).is_one_line_about("times")
    other = tmp_path / "other.csv"
    other.write_text("name\nx\n")
    assert ctv("explore", "--times", other).is_one_line_about("times = name", "--duration")
    taken = tmp_path / "taken"
    taken.write_text("")
    assert ctv("explore", *SMALL, "--out", taken).is_one_line_about("out", "file")
    assert ctv("explore", "--epsilon", 2).is_one_line_about("epsilon", "2")
    assert ctv("explore", "--n", 20, "--times", other).is_one_line_about("n = 20")
