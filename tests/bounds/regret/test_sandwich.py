"""m* and what any policy can and must lose, against simulation and dense algebra."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from bounds.domain import Arms, Grid, Points
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients import ranges as module
from bounds.regret.ingredients.exploration import Exploration
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.ranges import (
    excess_above,
    explained_shares,
    range_variance,
)
from bounds.regret.maximum import maximum, slepian
from bounds.regret.maximum.maximum import gram_of, least_maximum
from bounds.regret.maximum.slepian import (
    ExpectedMaximum,
    expected_maximum,
    normal_maximum,
)
from bounds.regret.rows import regret_rows
from bounds.times import EvaluationTimes
from tests.bounds.gain.test_negative_kernels import Cosine
from tests.bounds.regret.correlated import correlated
from tests.strategies import durations

TIMES = EvaluationTimes.from_durations([3.0, 0.0, 1.0, 20.0, 2.0])
SMALL = Problem(TIMES, epsilon=0.1, domain=Grid(2, 1.0, 5))


def root_of(gram) -> np.ndarray:
    values, vectors = np.linalg.eigh(gram)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def values_of(problem: Problem, maximum: ExpectedMaximum | None = None) -> dict[str, float]:
    """Both sides and the tail, by the names of their rows."""
    given_ = Ingredients(problem, maximum=maximum, explored=Exploration(1.0, None))
    return {row.name: row.value for row in regret_rows(given_)}


def drawn(problem: Problem, count: int, seed: int = 0) -> np.ndarray:
    """(count, n, N) draws of f at the problem's times."""
    space = root_of(problem.space_kernel.gram(problem.domain.points))
    every = slice(None)
    time = root_of(problem.time_kernel.at_distance(problem.times.distances(every, every)))
    normals = np.random.default_rng(seed).standard_normal((count, problem.n, problem.domain.size))
    return np.einsum("ij,sjx,yx->siy", time, normals, space)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.5)], ids=repr)
@pytest.mark.parametrize("grid", [Grid(1, 1.0, 30), Grid(2, 1.0, 12)], ids=repr)
def test_bracket_of_the_expected_maximum(grid: Grid, kernel) -> None:
    found = expected_maximum(grid, kernel)
    root = root_of(kernel.gram(grid.points))
    maxima = (root @ np.random.default_rng(1).standard_normal((grid.size, 4_000))).max(axis=0)
    error = 4.0 * maxima.std() / np.sqrt(len(maxima))
    assert found.lower - error <= maxima.mean() <= found.upper + error
    assert found.upper <= 1.35 * maxima.mean()


@pytest.mark.parametrize(("count", "value"), [(1, 0.0), (2, 0.5641896), (3, 0.8462844)])
def test_maximum_of_independent_normals(count: int, value: float) -> None:
    assert normal_maximum(count) == pytest.approx(value, abs=1e-6)


@given(durations(min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_shares_by_dense_algebra(steps) -> None:
    drawn = EvaluationTimes.from_durations(steps)
    for times, kernel in ((drawn, Forgetting(0.2)), (TIMES, SquaredExponential(3.0))):
        shares = explained_shares(times, kernel)
        gram = kernel.at_distance(times.distances(slice(None), slice(None)))
        for i in range(1, times.n):
            weights = np.linalg.lstsq(gram[:i, :i], gram[:i, i], rcond=1e-13)[0]
            assert shares[i] ** 2 == pytest.approx(gram[:i, i] @ weights, abs=1e-6)
        assert shares[0] == 0.0


def test_clairvoyant_meets_the_lower_side_and_the_worst_the_upper() -> None:
    f = drawn(SMALL, 20_000)
    shares = explained_shares(SMALL.times, SMALL.time_kernel)
    known = np.concatenate([np.zeros_like(f[:, :1]), f[:, :-1]], axis=1)
    best = np.take_along_axis(f, known.argmax(axis=2)[..., None], axis=2)[..., 0]
    worst = np.take_along_axis(f, known.argmin(axis=2)[..., None], axis=2)[..., 0]
    top = f.max(axis=2)
    centre = float(f.max(axis=2).mean())
    for chosen, sign in ((best, -1.0), (worst, 1.0)):
        regret = (top - chosen).sum(axis=1)
        expected = centre * float(np.sum(1.0 + sign * shares))
        assert abs(regret.mean() - expected) <= 5.0 * regret.std() / np.sqrt(len(regret))
    found = values_of(SMALL)
    assert found["sandwich"] <= (top - best).sum(axis=1).mean()
    assert found["sandwich_upper"] >= (top - worst).sum(axis=1).mean()


def test_tail_covers_the_whole_range() -> None:
    f = drawn(SMALL, 5_000)
    widths = (f.max(axis=2) - f.min(axis=2)).sum(axis=1)
    bracket = expected_maximum(SMALL.domain, SMALL.space_kernel)
    for delta in (0.5, 0.1):
        assert np.mean(widths > values_of(replace(SMALL, delta=delta))["tail"]) <= delta
    for level in (0.0, 15.0, 25.0):
        bound = excess_above(SMALL, bracket, level)
        assert np.mean(np.maximum(widths - level, 0.0)) <= bound


def test_corners() -> None:
    one = replace(SMALL, domain=Grid(2, 1.0, 1))
    assert values_of(one)["sandwich_upper"] == 0.0
    still = replace(SMALL, epsilon=0.0, time_kernel=Forgetting(0.0))
    found = values_of(still, ExpectedMaximum(1.0, 1.0))
    least = least_maximum(still).value  # nothing but the first round has to be lost
    assert found["sandwich"] == pytest.approx(least)
    assert found["sandwich_upper"] == pytest.approx(2.0 * 5 - 1)
    with pytest.raises(InvalidInput, match="negative"):
        range_variance(TIMES, SMALL.time_kernel, negative=2.0)


def test_shares_of_times_that_are_almost_the_same() -> None:
    """Their matrix has no Cholesky factor in doubles without its jitter."""
    times = EvaluationTimes.from_durations(np.full(200, 1e-3))
    shares = explained_shares(times, SquaredExponential(30.0))
    assert shares[0] == 0.0 and np.all(shares[2:] >= 1.0 - 1e-9)
    assert np.all(shares <= 1.0)


def test_tails_are_their_formulas() -> None:
    bracket, n = ExpectedMaximum(0.5, 0.75), 5
    gram = SMALL.time_kernel.at_distance(TIMES.distances(slice(None), slice(None)))
    signed = replace(SMALL, space_kernel=Cosine(3.0))
    for problem, factor in ((SMALL, 1.0), (signed, 2.0)):
        variance = 2.0 * factor * gram.sum()
        for delta in (None, 0.3):
            by_hand = 2 * 0.75 * n + np.sqrt(2 * variance * np.log(1 / (delta or problem.delta)))
            at = replace(problem, delta=delta or problem.delta)
            assert values_of(at, bracket)["tail"] == pytest.approx(by_hand, rel=1e-12)
        for level in (0.0, 7.5, 30.0):
            u, root = level - 7.5, np.sqrt(variance)
            by_hand = np.sqrt(2 * np.pi) * root * stats.norm.sf(max(u, 0.0) / root) + max(-u, 0.0)
            assert excess_above(problem, bracket, level) == pytest.approx(by_hand, rel=1e-12)
    kernel = Cosine(3.0)  # of which the sizes are added, whatever the signs
    sizes = np.abs(kernel.at_distance(TIMES.distances(slice(None), slice(None))))
    assert range_variance(TIMES, kernel, negative=1.0) == pytest.approx(4.0 * sizes.sum())
    assert range_variance(TIMES, kernel) == pytest.approx(2.0 * sizes.sum())


def test_too_many_rounds_for_a_factor(monkeypatch) -> None:
    monkeypatch.setattr(module, "LARGEST_DENSE", 5)
    assert len(explained_shares(TIMES, SquaredExponential(3.0))) == 5
    monkeypatch.setattr(module, "LARGEST_DENSE", 4)
    with pytest.raises(InvalidInput) as caught:
        explained_shares(TIMES, SquaredExponential(3.0))
    assert str(caught.value) == "n = 5: give at most 4 with this time kernel"
    assert len(explained_shares(TIMES, Forgetting(0.1))) == 5


def test_correlations_of_a_kernel_that_may_rise_are_looked_up(monkeypatch) -> None:
    kernel, domain = Cosine(1.3), Points(np.random.default_rng(2).random((9, 1)) * 4)
    found = list(slepian._correlated(domain, kernel))
    assert [count for count, _ in found] == [2, 4, 8]
    for count, largest in found:
        chosen = domain.points[domain.spread(count)]
        apart = np.abs(chosen - chosen.T)[~np.eye(count, dtype=bool)]
        assert largest == pytest.approx(np.cos(2 * np.pi * apart / 1.3).max())
    by_hand = [np.sqrt(max(1 - rho, 0)) * normal_maximum(count) for count, rho in found]
    assert slepian._slepian_lower(domain, kernel) == pytest.approx(max(0.0, *by_hand))
    monkeypatch.setattr(slepian, "_MOST_CORRELATED", 4)
    assert [count for count, _ in slepian._correlated(domain, kernel)] == [2, 4]
    grid, smooth = Grid(1, 1.0, 5), Matern(1.5, 0.2)
    gaps = [(count, float(smooth.at_distance(gap))) for count, gap in grid.separated()]
    assert list(slepian._correlated(grid, smooth)) == gaps
    by_hand = [np.sqrt(1 - rho) * normal_maximum(count) for count, rho in gaps]
    assert expected_maximum(grid, smooth).lower == pytest.approx(max(by_hand), rel=1e-12)
    with pytest.raises(InvalidInput, match="count = 0: give at least 1"):
        normal_maximum(0)
    # ∫ (1 − Φ^m − Φ(−x)^m): for 40 normals by quadrature of the density of their largest.
    x = np.linspace(-8, 9, 20_001)
    density = 40 * stats.norm.pdf(x) * stats.norm.cdf(x) ** 39
    assert normal_maximum(40) == pytest.approx(np.trapezoid(x * density, x), rel=1e-9)


def test_the_least_maximum_of_a_few_points() -> None:
    gram = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 1.0]])
    problem = replace(SMALL, **correlated(gram))
    upper = expected_maximum(problem.domain, problem.space_kernel).upper
    assert upper <= np.sqrt(1.2) * 1.5 / np.sqrt(np.pi) * (1 + 2e-9)
    least = least_maximum(problem)
    # Of a pair of them, or of all three.
    two, three = np.sqrt(0.5 / np.pi), np.sqrt(0.5) * 1.5 / np.sqrt(np.pi)
    assert min(two, three) * (1 - 3e-9) <= least.value <= upper and least.certified
    assert (least.level, least.source) == (None, "Slepian on a subset")
    apart = least_maximum(replace(SMALL, domain=Arms(3)))
    assert len(apart.points) == 3
    assert apart.value == pytest.approx(1.5 / np.sqrt(np.pi), rel=3e-9)
    one = least_maximum(replace(SMALL, domain=Arms(1)))
    assert (one.value, one.points, one.certified) == (0.0, (0,), True)
    rough = least_maximum(replace(SMALL, space_kernel=Cosine(9.0)))
    assert not rough.certified and rough.value > 0.0


def test_sizes_of_subsets(monkeypatch) -> None:
    assert maximum._counts(Grid(2, 1.0, 20)) == [k * k for k in range(2, 15)]
    assert maximum._counts(Grid(9, 1.0, 2)) == [512]
    few = maximum._counts(Points(np.arange(12.0)))
    assert few[0] == 2 and few[-1] == 12 and sorted(set(few)) == few
    assert maximum._counts(Points([1.0])) == [] and max(maximum._counts(Arms(900))) == 200
    assert gram_of(SMALL).shape == (25, 25)
    monkeypatch.setattr(maximum, "LARGEST_GRAM", 24)
    with pytest.raises(InvalidInput) as caught:
        gram_of(SMALL)
    assert str(caught.value) == "domain = 25 points: use a domain of at most 24 points here"
