"""Points of one's own and independent arms through the commands, and what is refused of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bounds.domain import sobol_points, usual_grid

TIMES = ("--n", "8", "--total", "8")


@pytest.fixture
def points(tmp_path: Path) -> Path:
    path = tmp_path / "points.csv"
    path.write_text("a,b\n0,0\n0.3,1\n2,2\n0.5,0.1\n1,1\n")
    return path


@pytest.fixture(params=["points", "arms"])
def domain(request, points: Path) -> tuple[str, ...]:
    return ("--domain", str(points)) if request.param == "points" else ("--domain", "arms:5")


def test_every_side_of_the_gain_is_certified(ctv, domain) -> None:
    found = ctv("gain", *domain, "--rounds", "2,5", "--json").json
    assert found["certified"] == [True, True]
    assert all(low <= high for low, high in zip(found["lower"], found["upper"], strict=True))


def test_arms_have_the_gain_of_equal_shares(ctv) -> None:
    found = ctv("gain", "--domain", "arms:4", "--rounds", "4,10", "--json").json
    shares = [np.log1p(1 / 0.01) * 2, (2 * np.log1p(3 / 0.01) + 2 * np.log1p(2 / 0.01)) / 2]
    for low, high, truth in zip(found["lower"], found["upper"], shares, strict=True):
        assert low <= truth * (1 + 1e-12) and high >= truth * (1 - 1e-12)
        assert high <= truth * 1.05


def test_bounds_are_certified_and_accepted_when_derived_again(ctv, domain, tmp_path) -> None:
    path = tmp_path / "bound.json"
    found = ctv("bound", *TIMES, *domain, "--certificate", path, "--json").json
    assert 0.0 < found["gain"]["lower"] <= found["gain"]["best"]
    assert found["problem"]["domain"]["type"] == (
        "Arms" if str(domain[1]).startswith("arms") else "Points"
    )
    again = ctv("verify", path)
    assert again.code == 0, again.stdout
    assert "refused" not in again.stdout


def test_a_study_is_stored_resumed_and_certified(ctv, domain, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    words = (
        f"simulate --out {folder} --runs 2 --initial 2 --rounds 4 --policy ctv-fixed,random",
        *domain,
        "--json",
    )
    first = ctv(*words).json
    (folder / "random-1.npz").unlink()
    assert ctv(*words).json["policies"] == first["policies"]
    assert all(
        row["value"] >= 0
        for row in ctv("certify", folder, "--draws", "19", "--json").json["certificates"]
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,2\n3\n", "row 2"),
        ("1,2\n3,nan\n", "finite"),
        ("1\n2\n1\n", "row 1 is the same"),
        ("", "at least one point"),
        ("x\n1\nb\n", "give a number"),
        ("1,2\n1e99,0\n", "finite"),
    ],
)
def test_bad_points_are_one_line(ctv, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert ctv("gain", "--domain", path).is_one_line_about(said)


def test_two_domains_are_one_line(ctv, points: Path) -> None:
    assert ctv("gain", "--domain", points, "--grid", "4").is_one_line_about("grid", "drop it")
    assert ctv("gain", "--domain", "arms:4", "--side", "2").is_one_line_about("side", "drop it")
    assert ctv("gain", "--domain", "arms:0").is_one_line_about("domain = 0", "whole number")
    assert ctv("gain", "--domain", points.with_name("none.csv")).is_one_line_about(
        "domain", "no such file"
    )


def test_ranges_are_those_of_a_log(ctv) -> None:
    said = ctv("partition", "--domain", "x=0..1")
    assert said.is_one_line_about("domain = x=0..1", "ranges are for a log")


def test_the_sobol_sequence_is_a_domain_of_many_axes(ctv, tmp_path: Path) -> None:
    """The same answer as for a file of the same points."""
    rows = sobol_points(40, 5, 2.0).points
    path = tmp_path / "points.csv"
    path.write_text("\n".join(",".join(map(repr, row)) for row in rows.tolist()))
    asked = ("gain", "--rounds", "3,9", "--json")
    drawn = ctv(*asked, "--domain", "sobol:40", "--dimension", "5", "--side", "2").json
    read = ctv(*asked, "--domain", path).json
    assert [drawn[side] for side in ("lower", "upper")] == [
        read[side] for side in ("lower", "upper")
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sobol:x",), ("domain", "whole number")),
        (("sobol:0",), ("domain", "give 1 to 10,000")),
        (("sobol:10001",), ("domain", "give 1 to 10,000")),
        (("sobol:4", "--grid", "3"), ("grid", "drop it")),
        (("sobol:4", "--dimension", "65"), ("dimension", "1 to 64")),
        (("sobol:4", "--side", "-1"), ("side",)),
    ],
)
def test_bad_counts_of_sobol_points_are_one_line(ctv, words, said) -> None:
    assert ctv("gain", "--domain", *words).is_one_line_about(*said)


def test_a_grid_of_many_axes_is_as_fine_as_there_is_room_for(ctv) -> None:
    """Without --grid: as with the one that is told, and the plane as it always was."""
    assert [usual_grid(d) for d in (1, 2, 3, 4, 5, 6, 7, 11, 12)] == [50, 50, 13, 7, 4, 3, 3, 2, 2]
    for dimension, per_axis in (("2", "50"), ("6", "3")):
        found = [
            ctv(f"gain --dimension {dimension} --rounds 2 --budget fast", *more, "--json").json
            for more in ((), ("--grid", per_axis))
        ]
        assert found[0]["upper"] == found[1]["upper"]
    assert ctv("gain", "--dimension", "15").is_one_line_about("grid", "at most 20,000")
