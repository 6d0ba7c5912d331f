"""Certified gains: below no design, above no maximum, and not moved by errors of the finder."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from bounds import enclosure
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.static_gain import certified
from bounds.static_gain.box_gain import box_line
from bounds.static_gain.certified import (
    GridBalls,
    certified_curve,
    certified_design_gains,
    certified_gain_of_counts,
    certified_gains,
    certified_gains_in_doubles,
    certified_line,
)
from bounds.static_gain.designs import GainDesigns, space_gain_lower
from bounds.static_gain.dual import GainCertificate, certify
from bounds.static_gain.information import gain
from bounds.static_gain.upper_curve import GainCurve, space_gain_upper
from tests.oracles import largest_gain

SMALL = Grid(2, 1.0, 3)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.5), Matern(1.5, 0.3)])
@pytest.mark.parametrize("noise_variance", [0.01, 1.0, 20.0])
def test_the_curve_contains_the_maximum_over_all_designs(kernel, noise_variance: float) -> None:
    curve = certified_curve(kernel, SMALL, space_gain_upper(kernel, SMALL, noise_variance, 4))
    designs = space_gain_lower(kernel, SMALL, noise_variance, 4)
    rounds = np.arange(1, 5)
    lower = certified_design_gains(kernel, SMALL, noise_variance, designs, rounds)
    assert curve.certified
    for m in rounds:
        truth = largest_gain(kernel.gram(SMALL.points), noise_variance, int(m))
        assert lower[m - 1] <= truth * (1 + 1e-12)
        assert truth <= curve.values[m] * (1 + 1e-12)
        assert lower[m - 1] == pytest.approx(designs.values[m], rel=1e-9)


def exact_line(certificate: GainCertificate, kernel, grid: Grid) -> tuple[float, float]:
    """Intercept and slope by dense algebra over all points with 50 digits, without parities."""
    with mp.workdps(50):
        layout = grid.restricted(kernel)
        q, s = grid.points_per_axis, 1 / mp.mpf(certificate.noise_variance)

        def k(x, y):
            squared = sum(int(a - b) ** 2 for a, b in zip(x, y, strict=True))
            r2 = mp.mpf(squared) * (mp.mpf(grid.side) / (q - 1)) ** 2
            return mp.exp(-r2 / (2 * mp.mpf(kernel.lengthscale) ** 2))

        columns, support = [], []
        for signs, R in zip(layout.characters, certificate.factors, strict=True):
            for vector in R.T:
                # A function of parity e, spread over the images of the points.
                columns.append((signs / len(signs), vector))
        images = [image[certificate.points] for image in layout.reflections]
        support = np.concatenate(images)
        R = mp.matrix(len(support), len(columns))
        for j, (signs, vector) in enumerate(columns):
            spread = np.concatenate([sign * vector for sign in signs])
            for i, value in enumerate(spread):
                R[i, j] = mp.mpf(float(value))
        at = layout.coordinates
        K = mp.matrix([[k(at[a], at[b]) for b in support] for a in support])
        cross = mp.matrix([[k(at[a], at[x]) for x in range(grid.size)] for a in support])
        alpha, rank = mp.mpf(certificate.alpha), len(columns)
        A = R.T * K * R + alpha * mp.eye(rank)
        inverse = A**-1
        b = R.T * cross
        worst = max(1 - (b[:, x].T * inverse * b[:, x])[0] for x in range(grid.size))
        psi = mp.log(alpha) + 1 / alpha - 1
        logs = mp.log(mp.det(A)) + sum(inverse[i, i] for i in range(rank)) - rank
        return float((logs - rank * psi) / 2), float((psi + s * worst / alpha) / 2)


def test_a_line_against_dense_algebra_with_fifty_digits() -> None:
    kernel, grid = SquaredExponential(0.6), Grid(2, 1.0, 4)
    curve = space_gain_upper(kernel, grid, 0.1, 12)
    certificate = max(curve.certificates, key=lambda c: c.rank)
    assert certificate.rank >= 3
    line = certified_line(GridBalls(kernel, grid), certificate)
    intercept, slope = exact_line(certificate, kernel, grid)
    assert line.intercept == pytest.approx(intercept, rel=1e-12)
    assert line.slope == pytest.approx(slope, rel=1e-12)
    assert line.intercept >= intercept - 1e-14
    assert line.slope >= slope - 1e-15


@settings(max_examples=15, deadline=None)
@given(data=st.data(), alpha=st.floats(1.0, 50.0))
def test_any_factors_give_a_bound(data: st.DataObject, alpha: float) -> None:
    """Nothing need be right about points, factors and α for the line to lie above γ."""
    kernel, noise_variance = SquaredExponential(0.4), 0.1
    balls = GridBalls(kernel, SMALL)
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    factors = tuple(rng.normal(size=(2, k)) for k in (1, 0, 1, 0))
    points = balls.layout.orthant[[0, 3]]
    rough = certify(balls.layout, points, factors, alpha, noise_variance)
    line = certified_line(balls, rough)
    for m in (2, 3):
        assert line.bound(m) >= largest_gain(kernel.gram(SMALL.points), noise_variance, m) - 1e-12
    wrong = replace(rough, supremum=0.0, slope=0.0, intercept=0.0)
    again = certified_line(balls, wrong)
    assert (again.slope, again.intercept, again.supremum) == (
        line.slope,
        line.intercept,
        line.supremum,
    )
    assert again.margin == (0.0, 0.0) and again.certified and not rough.certified
    assert again.intercept == pytest.approx(rough.intercept, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("noise", [0.01, 30.0])
def test_prefix_gains_are_lower_bounds_for_every_prefix(noise: float) -> None:
    kernel, grid = Matern(2.5, 0.3), Grid(2, 1.0, 5)
    points = np.array([0, 24, 12, 3, 3, 7])
    balls, gram = GridBalls(kernel, grid), kernel.gram(grid.points[points])
    close = certified_gains_in_doubles(balls.doubles.gram(points, points), noise)
    for lower in (certified_gains(balls.gram(points, points), noise), close):
        for m in range(1, 7):
            truth = gain(gram[:m, :m], noise)
            assert lower[m] <= truth * (1 + 1e-13)
            assert lower[m] == pytest.approx(truth, rel=1e-9)


def test_what_cannot_be_certified_says_so() -> None:
    kernel = SquaredExponential(0.5)
    with pytest.raises(InvalidInput, match="without certificates"):
        certified_curve(kernel, SMALL, GainCurve.given([0.0, 1.0], 1))
    indefinite = np.array([[GridBalls(kernel, SMALL).gram(np.array([0]), np.array([0]))[0, 0]] * 2])
    table = np.vstack([indefinite, indefinite]).copy()
    table[0, 1] = table[1, 0] = 3 * table[0, 0]
    with pytest.raises(InvalidInput, match="not positive definite"):
        certified_gains(table, 0.01)


def test_points_that_are_repeated_gain_what_their_design_does() -> None:
    kernel, balls = Matern(2.5, 0.3), GridBalls(Matern(2.5, 0.3), Grid(2, 1.0, 3))
    points, counts = np.array([0, 4, 8]), np.array([3, 1, 2])
    chosen = np.repeat(points, counts)
    truth = gain(kernel.gram(SMALL.points[chosen]), 0.1)
    found = certified_gain_of_counts(balls, points, counts, 0.1)
    assert truth * (1 - 1e-11) <= found <= truth


def test_designs_that_are_not_kept_follow_from_those_that_are(monkeypatch) -> None:
    """γ_m ≥ γ_m' for m' < m, and (m/m')·γ_m' for m' > m; long ones by their counts."""
    kernel, noise = Matern(2.5, 0.3), 0.1
    sequence = np.array([0, 8, 4, 2, 6, 0])
    designs = GainDesigns(np.arange(8.0), (sequence,), np.array([-1, -1, 0, -1, -1, 0, -1, -1]))
    gram = kernel.gram(SMALL.points[sequence])
    two, five = gain(gram[:2, :2], noise), gain(gram[:5, :5], noise)
    expected = [two / 2, two, max(two, 0.6 * five), max(two, 0.8 * five), five, five, five]
    rounds = np.arange(1, 8)
    heard: list[float] = []
    for longest in (400, 5, 4, 1):
        monkeypatch.setattr(certified, "_LONGEST_PREFIX", longest)
        found = certified_design_gains(kernel, SMALL, noise, designs, rounds, heard.append)
        np.testing.assert_allclose(found, expected, rtol=1e-11)
        assert np.all(found < np.array(expected))
    assert heard[:7] == [i / 7 for i in range(7)]
    monkeypatch.setattr(certified, "MOST_IN_DOUBLES", 4)
    found = certified_design_gains(kernel, SMALL, noise, designs, rounds)
    np.testing.assert_allclose(found, [two / 2, *[two] * 3, *[np.nan] * 3], rtol=1e-11)
    monkeypatch.setattr(certified, "MOST_IN_DOUBLES", 1)
    assert np.all(np.isnan(certified_design_gains(kernel, SMALL, noise, designs, rounds)))
    monkeypatch.setattr(certified, "MOST_POINTS", 1)
    table = GridBalls(kernel, SMALL).gram(sequence[:2], sequence[:2])
    with pytest.raises(InvalidInput) as caught:
        certified_gains(table, noise)
    assert str(caught.value) == "n = 2: a gain is certified for at most 1 rounds"


@pytest.mark.parametrize(
    ("explained", "supremum"), [(0.25, 0.75), (-0.5, 1.0), (2.0, 0.0), (float("nan"), 1.0)]
)
def test_a_supremum_is_a_variance(explained: float, supremum: float, monkeypatch) -> None:
    kernel = SquaredExponential(0.4)
    balls = GridBalls(kernel, SMALL)
    points = balls.layout.orthant[[0, 3]]
    factors = (np.ones((2, 1)), *[np.zeros((2, 0))] * 3)
    rough = certify(balls.layout, points, factors, 2.0, 0.1)

    def terms(R, K, k_zx, alpha):
        return enclosure.ball(0.5), np.full(k_zx.shape[1], enclosure.ball(explained), dtype=object)

    monkeypatch.setattr(certified, "_parity_terms", terms)
    line = certified_line(balls, rough)
    assert line.supremum == supremum
    psi = np.log(2.0) - 0.5
    assert line.intercept == pytest.approx((0.5 - psi) / 2, rel=1e-12)
    assert line.slope == pytest.approx((psi + supremum / 0.2) / 2, rel=1e-12)


def test_without_points_a_line_is_the_cap() -> None:
    kernel = SquaredExponential(0.4)
    balls, none = GridBalls(kernel, SMALL), np.zeros(0, dtype=np.int64)
    rough = certify(balls.layout, none, (np.zeros((0, 0)),) * 4, 11.0, 0.1)
    for line in (certified_line(balls, rough), box_line(balls, rough)):
        assert (line.supremum, line.intercept, line.certified) == (1.0, 0.0, True)
        assert line.slope == pytest.approx(0.5 * np.log(11.0), rel=1e-14)
        assert line.slope >= 0.5 * np.log(11.0)
    outside = replace(
        rough, points=np.array([8]), factors=(np.ones((1, 1)), *[np.zeros((1, 0))] * 3)
    )
    with pytest.raises(
        InvalidInput, match="points = outside: take them from one orthant of the grid"
    ):
        certified_line(balls, outside)


def test_parities_without_factors_are_passed_over() -> None:
    kernel = SquaredExponential(0.4)
    balls, rng = GridBalls(kernel, SMALL), np.random.default_rng(7)
    factors = tuple(rng.normal(size=(2, k)) for k in (1, 0, 2, 1))
    rough = certify(balls.layout, balls.layout.orthant[[0, 3]], factors, 3.0, 0.1)
    grid, box = certified_line(balls, rough), box_line(balls, rough)
    assert box.intercept == pytest.approx(grid.intercept, rel=1e-12)
    assert grid.intercept == pytest.approx(rough.intercept, rel=1e-9)
    assert grid.supremum <= box.supremum <= 1.1


def test_a_design_of_too_many_points_leaves_the_next_one(monkeypatch) -> None:
    kernel, noise = Matern(2.5, 0.3), 0.1
    designs = GainDesigns(
        np.arange(6.0), (np.array([0, 8]), np.full(5, 4)), np.array([-1, -1, 0, -1, -1, 1])
    )
    monkeypatch.setattr(certified, "_LONGEST_PREFIX", 1)
    monkeypatch.setattr(certified, "MOST_IN_DOUBLES", 1)
    found = certified_design_gains(kernel, SMALL, noise, designs, np.array([3]))
    assert found[0] == pytest.approx(0.6 * 0.5 * np.log1p(50.0), rel=1e-11)
