"""Points in a list: their file, their order, and their kernel in balls."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

from bounds import enclosure
from bounds.domain import Points
from bounds.domain import points as module
from bounds.domain.points import read_points, sobol_points
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential

ROWS = [[0.1, 0.0], [0.7, -2.0], [0.3, 0.25]]


@pytest.mark.parametrize(
    "text",
    [
        "0.1,0\n0.7,-2\n0.3,0.25\n",
        "x,y\n0.1,0\n\n0.7,-2\n , \n0.3,2.5e-1",
        '"0.1","0"\n.7,-2\n.3,.25',
        "a,b\r0.1,0\r0.7,-2\r\n0.3,.25\r",
    ],
)
def test_a_file_has_one_point_a_row(text: str, tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text(text)
    found = read_points(path)
    assert found.points.tolist() == ROWS and found.source == "points.csv"
    assert Points(ROWS).source == "given"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "points = none"),
        ("a,b\n", "points = none"),
        ("1,2\n1,2\n", "points"),
        ("1,2\n3,x\n", "x: give a number in row 2"),
        ("1,2\n3\n", "points"),
        ("1,2\n,4\n", "'': give a number in row 2"),
        ("1,inf\n", "points"),
    ],
)
def test_a_file_that_holds_no_points_is_one_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=said) as caught:
        read_points(path)
    assert "\n" not in str(caught.value)


def test_what_a_file_has_too_much_of(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    with pytest.raises(InvalidInput) as caught:
        read_points(path)
    assert caught.value.field == "points"
    path.write_text("x\n" + "\n".join(map(str, range(10_000))))
    assert read_points(path).size == 10_000
    for last, said in (("10000", "give at most 10000"), ("x" * 140_000, "not a CSV file")):
        path.write_text("\n".join(map(str, range(10_000))) + "\n" + last)
        with pytest.raises(InvalidInput, match=said):
            read_points(path)


def test_the_kernel_is_enclosed_at_the_exact_points() -> None:
    kernel = SquaredExponential(0.6)
    every = np.arange(3)
    with enclosure.precision(matrices.WORKING_BITS):
        found = Points(ROWS).restricted(kernel).enclosed_gram(every, every[:2])
    assert found.shape == (3, 2)
    with mpmath.workdps(50):
        for j, k in np.ndindex(3, 2):
            square = sum(
                (Fraction(a) - Fraction(b)) ** 2 for a, b in zip(ROWS[j], ROWS[k], strict=True)
            )
            r2 = mpmath.mpf(square.numerator) / square.denominator
            truth = mpmath.exp(-r2 / (2 * mpmath.mpf(0.6) ** 2))
            ends = enclosure.endpoints(found[j, k])
            low, high = (mpmath.mpf(end.numerator) / end.denominator for end in ends)
            assert low <= truth <= high and high - low < 1e-15


@pytest.mark.parametrize("kernel", [SquaredExponential(0.5), Matern(2.5, 0.3), Matern(1.7, 0.3)])
def test_many_values_are_enclosed_in_doubles_as_in_balls(kernel, monkeypatch) -> None:
    """Differences of these points are rounded: their balls come from fractions."""
    points = Points(sobol_points(12, 4).points / 3.0)
    layout, some = points.restricted(kernel), np.arange(12)
    balls = layout.enclosed_doubles(some[:7], some)
    monkeypatch.setattr(module, "_FEW", 0)
    monkeypatch.setattr(module, "_ROWS", 5)
    found = layout.enclosed_doubles(some[:7], some)
    assert found.shape == (7, 12) and np.all(found.rad < 1e-14)
    assert np.all(np.abs(found.mid - balls.mid) <= found.rad + balls.rad)
    whole = points.restricted(kernel).gram(some, some)
    assert np.all(np.abs(whole[:7] - found.mid) < 1e-14)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 9, 17])
def test_the_sobol_sequence_begins_as_a_longer_one(count: int) -> None:
    """Its first 2^k points have one in each of 2^k intervals of each axis."""
    rows, more = (sobol_points(n, 3).points for n in (count, 32))
    assert np.array_equal(rows, more[:count])
    for axis in more.T:
        assert sorted((32 * axis).astype(int).tolist()) == list(range(32))


def test_as_many_points_as_a_domain_may_have(monkeypatch) -> None:
    monkeypatch.setattr(module, "LARGEST_POINTS", 4)
    assert sobol_points(4, 2).size == 4
    with pytest.raises(InvalidInput, match="give 1 to 4 points"):
        sobol_points(5, 2)
