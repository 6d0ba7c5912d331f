"""Both sides of γ_m: brute force between them at every m, and how near they come."""

from __future__ import annotations

import itertools
from math import log1p
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid, Points, sobol_points
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.static_gain import designs, relaxation
from bounds.static_gain.designs import gain_of_counts, round_weights, space_gain_lower
from bounds.static_gain.dual import GainCertificate
from bounds.static_gain.exchange import ExchangeableDesign
from bounds.static_gain.relaxation import nodes, split_rank
from bounds.static_gain.upper_curve import GainCurve, combine, space_gain_upper
from tests.oracles import largest_gain, log_det_gain

kernels = st.one_of(
    st.sampled_from([0.05, 0.2, 1.0, 30.0]).map(SquaredExponential),
    st.builds(
        Matern, st.sampled_from([0.3, 0.5, 1.5, 2.2, 2.5]), st.sampled_from([0.02, 0.2, 1.0, 30.0])
    ),
)
noises = st.sampled_from([1e-6, 1e-3, 0.01, 0.5, 1.0, 1e3])
tiny_grids = st.sampled_from(
    [
        Grid(1, 1.0, 1),
        Grid(2, 1.0, 1),
        Grid(1, 1.0, 2),
        Grid(1, 2.0, 5),
        Grid(2, 1.0, 2),
        Grid(2, 1.0, 3),
        Grid(3, 1.0, 2),
    ]
)


@given(kernels, tiny_grids, noises)
@example(SquaredExponential(30.0), Grid(2, 1.0, 3), 1e-6)
@example(Matern(0.3, 0.02), Grid(1, 1.0, 2), 1e3)
@settings(max_examples=40, deadline=None)
def test_the_best_of_all_designs_lies_between_the_sides(kernel, grid, noise):
    n = 4 if grid.size > 4 else 6
    upper = space_gain_upper(kernel, grid, noise, n)
    lower = space_gain_lower(kernel, grid, noise, n)
    near = space_gain_lower(kernel, grid, noise, n, at=[2, n])
    close = space_gain_upper(kernel, grid, noise, n, at=[2, n])
    for m in range(n + 1):
        best = largest_gain(kernel.gram(grid.points), noise, m) if m else 0.0
        assert max(lower.values[m], near.values[m]) <= best * (1 + 1e-9) + 1e-12
        assert best <= min(upper.values[m], close.values[m]) * (1 + 1e-12)


@given(
    kernels,
    st.sampled_from([Grid(1, 1.0, 9), Grid(2, 1.0, 4), Grid(3, 1.0, 3)]),
    noises,
    st.integers(1, 40),
)
@settings(max_examples=15, deadline=None)
def test_curves_are_monotone_below_the_cap_and_keep_their_designs(kernel, grid, noise, n):
    upper = space_gain_upper(kernel, grid, noise, n)
    lower = space_gain_lower(kernel, grid, noise, n)
    cap = 0.5 * np.arange(n + 1) * log1p(1.0 / noise)
    for values in (upper.values, lower.values):
        assert len(values) == n + 1 and values[0] == 0.0
        assert np.all(np.diff(values) >= 0.0)
        assert np.all(values <= cap * (1 + 1e-9))
    assert np.all(lower.values <= upper.values * (1 + 1e-12))
    assert not upper.certified
    assert lower.sequence_of[1] >= 0
    for m in range(1, n + 1):
        if lower.sequence_of[m] >= 0:
            design = lower.sequences[lower.sequence_of[m]][:m]
            assert len(design) == m
            gram = kernel.gram(grid.points[design])
            assert log_det_gain(gram, noise) == pytest.approx(lower.values[m], rel=1e-6)


@pytest.mark.parametrize("noise", [1e-6, 0.01, 1e3])
def test_one_point_is_known_in_closed_form(noise, monkeypatch):
    """A grid of one point: γ_m = ½ log(1 + m/σ²), where points are exchanged, added and rounded."""
    monkeypatch.setattr(designs, "LONGEST_EXCHANGE", 40)
    monkeypatch.setattr(designs, "LONGEST_GROWTH", 150)
    n = 500
    m = np.arange(n + 1)
    exact = 0.5 * np.log1p(m / noise)
    upper = space_gain_upper(SquaredExponential(0.2), Grid(2, 1.0, 1), noise, n)
    lower = space_gain_lower(SquaredExponential(0.2), Grid(2, 1.0, 1), noise, n)
    assert np.all(upper.values >= exact * (1 - 1e-12))
    assert np.all(lower.values <= exact * (1 + 1e-9))
    assert np.max(upper.values[1:] / exact[1:]) < 1.05
    assert np.min(lower.values[1:] / exact[1:]) > 0.95
    assert lower.values[n] == pytest.approx(exact[n], rel=1e-9)


def test_independent_points_gain_the_cap_until_they_run_out():
    grid, noise = Grid(2, 1.0, 4), 0.01
    upper = space_gain_upper(SquaredExponential(1e-3), grid, noise, 64)
    lower = space_gain_lower(SquaredExponential(1e-3), grid, noise, 64)
    rounds = np.arange(65)
    exact = 0.5 * (
        (rounds % 16) * np.log1p((rounds // 16 + 1) / noise)
        + (16 - rounds % 16) * np.log1p((rounds // 16) / noise)
    )
    assert lower.values == pytest.approx(exact, rel=1e-9)
    assert np.all(upper.values >= exact * (1 - 1e-12))
    assert upper.values[:17] == pytest.approx(exact[:17], rel=1e-6)
    assert upper.upper_name(5) == "cap"


def test_far_beyond_the_size_of_the_grid(monkeypatch):
    monkeypatch.setattr(designs, "LONGEST_EXCHANGE", 60)
    monkeypatch.setattr(designs, "LONGEST_GROWTH", 200)
    kernel, grid, n = Matern(1.5, 0.3), Grid(2, 1.0, 5), 100_000
    upper = space_gain_upper(kernel, grid, 0.01, n)
    lower = space_gain_lower(kernel, grid, 0.01, n)
    assert upper.upper_name(n) == "rank-aware dual"
    ratio = upper.values[1:] / lower.values[1:]
    assert ratio.min() >= 1.0
    assert ratio.max() < 1.06
    assert ratio[-1] < 1.005


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "target"), [(SquaredExponential(0.2), 1.02), (Matern(2.5, 0.2), 1.03)]
)
def test_both_sides_meet_on_the_example_of_the_paper(kernel, target):
    upper = space_gain_upper(kernel, Grid(2, 1.0, 50), 0.01, 250)
    lower = space_gain_lower(kernel, Grid(2, 1.0, 50), 0.01, 250)
    ratio = upper.values[1:] / lower.values[1:]
    assert ratio.min() >= 1.0 and ratio.max() <= target


def test_given_lists_are_checked():
    curve = GainCurve.given([0.0, 1.0, 1.0, 1.5], 2)
    assert curve.values.tolist() == [0.0, 1.0, 1.0]
    assert curve.upper_name(2) == "given"
    for bad in ([0.0, 1.0], [0.5, 1.0, 2.0], [0.0, 2.0, 1.0], [0.0, np.nan, 1.0]):
        with pytest.raises(InvalidInput):
            GainCurve.given(bad, 2)


@pytest.mark.parametrize("function", [space_gain_upper, space_gain_lower])
def test_no_rounds_is_refused(function):
    with pytest.raises(InvalidInput, match="n = 0"):
        function(SquaredExponential(0.2), Grid(1, 1.0, 3), 0.01, 0)


@given(st.lists(st.floats(1e-3, 1.0), min_size=1, max_size=20), st.integers(1, 500))
@settings(max_examples=50, deadline=None)
def test_rounding_keeps_the_total_and_every_run(weights, rounds):
    w = np.array(weights)
    counts = round_weights(w, rounds)
    assert counts.sum() == rounds and counts.min() >= 0
    share = np.cumsum(w) / w.sum() * rounds
    assert np.all(np.abs(np.cumsum(counts) - share) <= 0.5 + 1e-9)


@given(st.integers(1, 6), st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_gain_of_counts_is_that_of_the_repeated_design(m, seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, size=m)
    points = rng.uniform(size=(m, 2))
    kernel = Matern(2.5, 0.4)
    repeated = np.repeat(points, counts, axis=0)
    assert gain_of_counts(kernel.gram(points), counts, 0.1) == pytest.approx(
        log_det_gain(kernel.gram(repeated), 0.1), rel=1e-9
    )


def test_exchange_tracks_the_design_it_changes():
    """After moves and exchanges, the precision and the variances are those of the design."""
    grid_kernel = Grid(2, 1.0, 7).restricted(SquaredExponential(0.3))
    grown = ExchangeableDesign(grid_kernel, 0.01, 12)
    grown.grow(8)
    first = grown.points
    design = grown.moved(np.arange(8), np.array([3, 3, 20, 48, 24, 24, 7, 11]))
    assert np.array_equal(grown.points, first)
    assert design.points.tolist() == [3, 3, 20, 48, 24, 24, 7, 11]
    everything = np.arange(grid_kernel.size)

    def gain_now():
        return log_det_gain(grid_kernel.gram(design.points, design.points), 0.01)

    before = gain_now()
    assert design.improve(1000) > 0
    assert gain_now() > before
    S = design.points
    C = np.linalg.inv(grid_kernel.gram(S, S) + 0.01 * np.eye(len(S)))
    cross = grid_kernel.gram(S, everything)
    variance = 1.0 - np.einsum("ix,ij,jx->x", cross, C, cross)
    design.grow(9)
    assert variance[design.points[-1]] == pytest.approx(variance.max(), abs=1e-9)
    # No single exchange is left that multiplies the determinant by more than 1 + 1e-3.
    design = ExchangeableDesign(grid_kernel, 0.01, 12)
    design.grow(6)
    design.improve(1000)
    settled = gain_now()
    for position, point in itertools.product(range(6), everything):
        S = design.points
        S[position] = point
        other = log_det_gain(grid_kernel.gram(S, S), 0.01)
        assert other <= settled + 0.5 * np.log1p(1.1e-3)


def test_dropping_keeps_the_points():
    grid_kernel = Grid(2, 1.0, 5).restricted(Matern(2.5, 0.3))
    design = ExchangeableDesign(grid_kernel, 0.01, 8)
    design.grow(8)
    order = design.drop_order(3)
    assert sorted(order) == sorted(design.points)
    # The last one is the one whose loss costs least.
    gains = [
        log_det_gain(grid_kernel.gram(np.delete(order, i), np.delete(order, i)), 0.01)
        for i in range(8)
    ]
    assert gains[-1] == pytest.approx(max(gains), rel=1e-9)


def test_nodes_grow_by_their_ratio_and_end_at_n():
    for n in (1, 2, 17, 400, 401, 10**6):
        found = nodes(n)
        assert found[-1] == n and found[0] == 1 and found == sorted(set(found))
        assert all(b <= max(a + 1, 2.01 * a) for a, b in itertools.pairwise(found))


@pytest.mark.parametrize(
    ("kernel", "domain", "noise", "reached"),
    [
        (
            SquaredExponential(0.3),
            Grid(2, 1.0, 6),
            0.02,
            {
                5: (9.829564081810819, 9.829564081810819, 9.812457633912972, 9.812457633912972),
                17: (27.990390578578207, 27.969680200504804, 27.291316698516308, 27.29131669851631),
                40: (38.91585730796088, 38.91585730796088, 38.75861790831569, 38.75861790831572),
            },
        ),
    ],
    ids=["plane"],
)
def test_the_searches_reach_what_they_reached(kernel, domain, noise, reached) -> None:
    """Every line and every design is a bound: that a change makes them worse is seen here alone."""
    upper = space_gain_upper(kernel, domain, noise, 40)
    lower = space_gain_lower(kernel, domain, noise, 40)
    close = space_gain_upper(kernel, domain, noise, 40, at=list(reached))
    near = space_gain_lower(kernel, domain, noise, 40, at=list(reached))
    for m, values in reached.items():
        found = (upper.values[m], close.values[m], lower.values[m], near.values[m])
        assert found == pytest.approx(values, rel=1e-6)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_rank_split_by_trying_every_rank(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(20):
        spectrum = np.sort(rng.gamma(0.5, size=7))[::-1] * rng.choice([0.1, 5.0])
        total = float(spectrum.sum() * rng.uniform(1.0, 1.5))
        k, t = split_rank(spectrum, total, n)
        ranks = [(j, (total - spectrum[:j].sum()) / (n - j)) for j in range(min(7, n - 1) + 1)]
        first = next(
            (j, tail)
            for j, tail in ranks
            if j == ranks[-1][0] or (spectrum[j] if j < 7 else 0.0) <= tail
        )
        assert (k, t) == (first[0], pytest.approx(first[1], rel=1e-12))


def test_rounds_that_relaxed_designs_serve() -> None:
    """Each that is asked about is served once, by the least design above it, however far apart."""
    path = [SimpleNamespace(n=n, weights=np.ones(100)) for n in (1500, 1000, 400)]
    for support, count in ((100, 12), (101, 3)):
        relaxed = SimpleNamespace(n=1000, weights=np.ones(support))
        served = [m for _, m in designs._to_be_rounded([relaxed], None, 9)]
        assert served == [round(1000 * 0.5 ** (i / count)) for i in range(count)]
    served = designs._to_be_rounded(path, [1400, 1001, 1000, 600, 401, 350, 300], 300)
    assert [(relaxed.n, m) for relaxed, m in served] == [
        *((1500, m) for m in (1500, 1400, 1001)),
        *((1000, m) for m in (1000, 600, 401)),
        *((400, m) for m in (400, 350)),
    ]


def test_lines_and_the_cap_together() -> None:
    """The least of those that hold at m or at more rounds, each a little above itself."""
    none = np.zeros(0, dtype=np.int64)

    def line(intercept: float, slope: float, rank: int) -> GainCertificate:
        factors = (np.zeros((0, rank)),)
        return GainCertificate(none, factors, 2.0, 1.0, 0.1, intercept, slope, (0.0, 0.0))

    low, late, negative = line(2.0, 0.1, 0), line(1.0, 0.0, 5), line(-9.0, 1.0, 2)
    found = combine((low, late, negative), 0.6, 9, certified=True)
    lines = [(0.6, 0.0, 0), (0.1, 2.0, 1), (0.0, 1.0, 5), (1.0, -9.0, 2)]
    for m in range(10):
        least = min(
            slope * j + intercept
            for j in range(m, 10)
            for slope, intercept, rank in lines
            if j >= rank or (slope, j) == (0.6, 0)
        )
        assert found.values[m] == pytest.approx(max(least, 0.0), rel=1e-11, abs=1e-11)
        assert found.values[m] >= max(least, 0.0)
    assert found.certified and found.certificates == (low, late, negative)
    assert found.n == 9 and found.sources.dtype == np.int64
    plain = combine((low,), 0.6, 9, certified=False)
    assert plain.sources.tolist() == [0, 0, 0, 0, 0, *[1] * 5]
    assert [plain.upper_name(m) for m in (1, 9)] == ["cap", "rank-aware dual"]
    assert GainCurve.given([0.0, 1.0], 1).upper_name(1) == "given"


def test_the_heaviest_points_share_the_rounds(monkeypatch) -> None:
    monkeypatch.setattr(designs, "_LARGEST_SUPPORT", 2)
    line = Points(Grid(1, 1.0, 6).points).restricted(Matern(1.5, 0.4))
    relaxed = SimpleNamespace(weights=np.array([0.1, 0.05, 0.3, 0.05, 0.4, 0.1]))
    points, counts = designs.rounded_design(line, relaxed, 10)
    assert (points.tolist(), counts.tolist()) == ([2, 4], [4, 6])


def test_where_steps_are_dear_fewer_of_them_give_nearly_the_same(monkeypatch) -> None:
    kernel, points, at = SquaredExponential(0.5), sobol_points(150, 4), [10, 20, 30, 40, 50, 60]
    close = space_gain_upper(kernel, points, 0.01, 60, at=at)
    for name, least in (("_DEAR", 0.0), ("_MOST_WORK", 1e6)):
        monkeypatch.setattr(relaxation, name, least)
        fast = space_gain_upper(kernel, points, 0.01, 60, at=at)
        assert len(fast.certificates) < len(close.certificates)
        assert np.all(fast.values[at] <= 1.05 * close.values[at])
    lower = space_gain_lower(kernel, points, 0.01, 60).values
    assert np.all(lower <= fast.values * (1.0 + 1e-9))
