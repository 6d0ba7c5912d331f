"""Points of one's own and independent arms through the commands, and what is refused of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

TIMES = ("--n", "8", "--total", "8")


@pytest.fixture
def points(tmp_path: Path) -> Path:
    path = tmp_path / "points.csv"
    path.write_text("a,b\n0,0\n0.3,1\n2,2\n0.5,0.1\n1,1\n")
    return path


@pytest.fixture(params=["points", "arms"])
def domain(request, points: Path) -> tuple[str, ...]:
    return ("--points", str(points)) if request.param == "points" else ("--arms", "5")


def test_every_side_of_the_gain_is_certified(ctv, domain) -> None:
    found = ctv("gain", *domain, "--m", "2,5", "--json").json
    assert found["certified"] == [True, True]
    assert all(low <= high for low, high in zip(found["lower"], found["upper"], strict=True))


def test_arms_have_the_gain_of_equal_shares(ctv) -> None:
    found = ctv("gain", "--arms", "4", "--m", "4,10", "--json").json
    shares = [np.log1p(1 / 0.01) * 2, (2 * np.log1p(3 / 0.01) + 2 * np.log1p(2 / 0.01)) / 2]
    for low, high, truth in zip(found["lower"], found["upper"], shares, strict=True):
        assert low <= truth * (1 + 1e-12) and high >= truth * (1 - 1e-12)
        assert high <= truth * 1.05


def test_bounds_are_certified_and_accepted_when_derived_again(ctv, domain, tmp_path) -> None:
    path = tmp_path / "bound.json"
    found = ctv("bound", *TIMES, *domain, "--certificate", path, "--json").json
    assert 0.0 < found["gain"]["lower"] <= found["gain"]["best"]
    assert found["problem"]["domain"]["type"] == ("Arms" if domain[0] == "--arms" else "Points")
    again = ctv("verify", "--recheck", path)
    assert again.code == 0, again.stdout
    assert "refused" not in again.stdout


def test_a_study_is_stored_resumed_and_certified(ctv, domain, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    words = (
        "simulate",
        "--out",
        folder,
        "--seeds",
        "2",
        "--initial",
        "2",
        "--rounds",
        "4",
        "--policies",
        "ctv-fixed,random",
        *domain,
        "--json",
    )
    first = ctv(*words).json
    (folder / "random-1.npz").unlink()
    assert ctv(*words).json["policies"] == first["policies"]
    assert all(
        row["value"] >= 0
        for row in ctv("certify", folder, "--paths", "19", "--json").json["certificates"]
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
    assert ctv("gain", "--points", path).is_one_line_about(said)


def test_two_domains_are_one_line(ctv, points: Path) -> None:
    assert ctv("gain", "--points", points, "--grid", "4").is_one_line_about("grid", "drop it")
    assert ctv("gain", "--points", points, "--arms", "4").is_one_line_about("arms", "drop it")
    assert ctv("gain", "--arms", "4", "--side", "2").is_one_line_about("side", "drop it")
    assert ctv("gain", "--arms", "0").is_one_line_about("arms", "whole number from 1")
    assert ctv("gain", "--points", points.with_name("none.csv")).is_one_line_about(
        "points", "no such file"
    )
