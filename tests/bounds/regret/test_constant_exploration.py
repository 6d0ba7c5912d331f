"""Constant exploration: the supremum against draws, brute force, and simulated runs."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.arithmetic import DOUBLES
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.formulas import tail_mean
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients import exploration as module
from bounds.regret.ingredients.exploration import (
    Exploration,
    _Chords,
    best_exploration,
    increment_supremum,
    neighbour_distance,
)
from bounds.times import EvaluationTimes


def increment_value(p: float, q: float, b: float, distance: float) -> float:
    """E(X − Y₊)₊ at one (p, q), Var(X − Y) = min(d², (p+q)²), in floating point."""
    r = np.array([q / p])
    return float(p * module._heights(r, module._correlation(r, distance / p), np.sqrt(b))[0])


def bound_of(problem: Problem, mean: float, b: float | None = None) -> float:
    """n(√b·S̄ + G(√b) + (|D| − 1)·T(b))."""
    found, size = best_exploration(problem, mean, b), problem.domain.size
    root, rest = np.sqrt(found.b), 0.0 if size == 1 else (size - 1) * found.supremum.upper
    return problem.n * (root * mean + float(tail_mean(DOUBLES, root)) + rest)


@given(st.floats(0.05, 1.0), st.floats(-1.0, 1.0), st.floats(0.0, 6.0), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_value_is_the_mean_of_draws(p: float, tilt: float, b: float, seed: int) -> None:
    d = 0.4
    q = min(max(p + 0.95 * d * tilt, 0.0), 1.0)
    variance = min(d * d, (p + q) ** 2)
    covariance = 0.5 * (p * p + q * q - variance)
    z = np.random.default_rng(seed).standard_normal((2, 200_000))
    x = p * z[0]
    y = covariance / p * z[0] + np.sqrt(max(q * q - (covariance / p) ** 2, 0.0)) * z[1]
    root = np.sqrt(b)
    gains = np.maximum(x - root * p - np.maximum(y - root * q, 0.0), 0.0)
    found = increment_value(p, q, b, d)
    assert abs(found - gains.mean()) <= 6.0 * gains.std() / np.sqrt(2e5) + 1e-6


@pytest.mark.parametrize(("b", "d"), [(0.0, 0.3), (4.0, 0.5), (9.0, 0.1), (2.0, 1.4)])
def test_supremum_is_above_a_fine_mesh(b: float, d: float) -> None:
    found = increment_supremum(b, d, tolerance=0.5)
    assert found.certified and found.upper <= 1.5 * found.found * (1.0 + 1e-12)
    rng = np.random.default_rng(0)
    for _ in range(300):
        p = rng.random()
        q = np.clip(p + d * rng.uniform(-1.0, 1.0), 0.0, 1.0)
        assert increment_value(p, q, b, d) <= found.upper
    assert increment_value(found.p, found.q, b, d) == pytest.approx(found.found, rel=1e-6)


def test_tighter_with_smaller_tolerance() -> None:
    loose, tight = (increment_supremum(4.0, 0.5, tolerance=t) for t in (0.4, 0.1))
    assert tight.found <= tight.upper <= loose.upper
    assert tight.boxes > loose.boxes


@pytest.mark.parametrize("p", [0.3, 0.5, 0.8, 1.0])
def test_with_little_exploration_the_supremum_is_met_by_many_pairs(p: float) -> None:
    # q = p - d leaves X - Y = d(Z - √b), which is below X wherever X is positive.
    b, d = 0.01, 0.3
    assert increment_value(p, p - d, b, d) == pytest.approx(d * tail_mean(DOUBLES, 0.1), rel=1e-6)
    assert increment_supremum(b, d, tolerance=0.5).found == pytest.approx(
        d * tail_mean(DOUBLES, 0.1)
    )


def test_regret_of_constant_exploration_stays_below() -> None:
    grid, n, b = Grid(1, 1.0, 12), 12, 4.0
    problem = Problem(EvaluationTimes.from_durations([3.0] * n), epsilon=0.05, domain=grid)
    kernel, noise = SquaredExponential(0.2), problem.noise_variance
    gram = kernel.gram(grid.points)
    values, vectors = np.linalg.eigh(gram)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    a = float(Forgetting(0.05).at_distance(3.0))
    rng = np.random.default_rng(4)
    regrets, deviations = [], []
    for _ in range(300):
        f = root @ rng.standard_normal(grid.size)
        mean, covariance, lost, spread = np.zeros(grid.size), gram.copy(), 0.0, 0.0
        for _ in range(n):
            f = a * f + np.sqrt(1 - a * a) * (root @ rng.standard_normal(grid.size))
            mean, covariance = a * mean, a * a * covariance + (1 - a * a) * gram
            sigma = np.sqrt(np.maximum(np.diag(covariance), 0.0))
            x = int(np.argmax(mean + np.sqrt(b) * sigma))
            lost, spread = lost + f.max() - f[x], spread + sigma[x]
            column = covariance[:, x] / (covariance[x, x] + noise)
            y = f[x] + np.sqrt(noise) * rng.standard_normal()
            mean, covariance = (
                mean + column * (y - mean[x]),
                covariance - np.outer(column, covariance[x]),
            )
        regrets.append(lost)
        deviations.append(spread / n)
    assert np.mean(regrets) <= bound_of(problem, min(max(deviations), 1.0), b)


def test_best_weight_is_no_worse() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 10), domain=Grid(1, 1.0, 20))
    assert bound_of(problem, 0.8) <= 1.02 * min(bound_of(problem, 0.8, b) for b in (1.0, 4.0, 9.0))


@given(st.floats(0.0, 40.0), st.floats(0.3, 1.99))
@example(25.0, 1.414)  # 40 nodes are 15 % above T for ρ near −1
@settings(max_examples=8, deadline=None)
def test_found_is_never_above_the_bound(b: float, d: float) -> None:
    found = increment_supremum(b, d, tolerance=0.5)
    assert found.found <= found.upper


@pytest.mark.parametrize("d", [1e-2, 1e-5, 1e-8, 1e-12])
def test_bound_shrinks_with_the_distance(d: float) -> None:
    found = increment_supremum(0.0, d)
    # At b = 0 the supremum is d/√(2π), met by every p above d with q = p − d.
    assert d * tail_mean(DOUBLES, 0.0) <= found.upper <= d * tail_mean(DOUBLES, 0.0) * (1.0 + 1e-9)


def test_correlations_are_rounded_by_a_part_of_their_distance_from_one() -> None:
    with enclosure.precision(120):
        for d in (1e-2, 1e-5, 1e-8, 1e-12):
            height = _Chords(1.0).bound((0.999, 1.0, 1.0 - 0.5 * d, 1.0), d)
            assert height <= d * tail_mean(DOUBLES, -1.0) * 1.1


def test_search_ends_where_the_supremum_no_longer_matters() -> None:
    grid = Grid(2, 1.0, 20)
    problem = Problem(
        EvaluationTimes.from_durations([1.0] * 10),
        domain=grid,
        space_kernel=SquaredExponential(1e4),
    )
    found = best_exploration(problem, 0.3)
    assert found.supremum is not None and found.supremum.boxes < 50
    assert found.supremum.upper * 399 * 10 <= 0.02 * bound_of(problem, 0.3, found.b)


def test_corners() -> None:
    one = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 1))
    assert neighbour_distance(one) == 0.0
    assert best_exploration(one, 1.0, 0.0) == Exploration(0.0, None)


def test_distance_and_refusals() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 6), domain=Grid(1, 1.0, 3))
    found = best_exploration(problem, 0.5, 2.25)
    assert found.b == 2.25
    d = np.sqrt(2 * (1 - float(SquaredExponential(0.2).at_distance(0.5))))
    assert found.supremum.distance == neighbour_distance(problem) == pytest.approx(d, rel=1e-11)
    assert neighbour_distance(problem) > d and found.supremum.b == 2.25
    best_exploration(replace(problem, domain=Grid(1, 1.0, 1)), 1.0, 144.0)
    for call, said in (
        (
            lambda: best_exploration(problem, 1.01),
            "mean deviation = 1.01: give a number in [0, 1]",
        ),
        (
            lambda: best_exploration(problem, -0.01),
            "mean deviation = -0.01: give a number in [0, 1]",
        ),
        (lambda: best_exploration(problem, 0.5, 144.1), "b = 144.1: give a number in [0, 144]"),
        (
            lambda: increment_supremum(1.0, 0.5, 0.0),
            "distance, tolerance = (0.5, 0.0): give positive numbers",
        ),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert str(caught.value) == said


@pytest.mark.parametrize("d", [0.05, 0.4, 1.5])
def test_the_least_correlation_of_a_box_is_below_all_of_it(d: float) -> None:
    """ρ from Var(X − Y) = min(d², (p+q)²) at draws of p and q/p, and close to the least of them."""
    rng, chords = np.random.default_rng(1), _Chords(1.0)
    for _ in range(60):
        p0 = float(rng.uniform(0.05, 1.0))
        p1, r0 = min(1.0, p0 * 1.01), max(0.0, float(rng.uniform(1 - d / p0, 1.0)))
        r1 = min(r0 + 0.02, 1 + d / p0)
        p, r = rng.uniform(p0, p1, 500), np.r_[r0, r1, rng.uniform(r0, r1, 498)]
        variance = np.minimum(d * d, (p + p * r) ** 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            rho = np.where(r > 0, (1 + r * r - variance / p**2) / (2 * np.maximum(r, 1e-300)), -1)
        least = float(chords._least_correlation(*map(Fraction, (p0, r0, r1, d))))
        assert -1.0 <= least <= np.maximum(rho, -1.0).min() + 1e-12
        if r0 > 0 and p0 * (1 + r0) > d:
            at_p0 = [(1 + x * x - (d / p0) ** 2) / (2 * x) for x in np.linspace(r0, r1, 2001)]
            assert least >= max(-1.0, min(at_p0)) - 1e-6 * max(1.0, (d / p0) ** 2)
        found = module._correlation(r, d / p)
        inside = np.abs(1 - r) <= d / p
        np.testing.assert_allclose(found[inside], np.clip(rho, -1, 1)[inside], atol=1e-9)
    assert chords.bound((0.5, 0.6, 0.0, 0.1), 0.2) == -1.0  # no pair is so far apart
    assert chords.bound((0.5, 0.6, 1.5, 1.6), 0.2) == -1.0
    assert chords.bound((0.5, 0.6, 1.3, 1.35), 0.2) >= 0.0


def test_heights_are_integrals_and_their_largest_is_found() -> None:
    """H = E(A − rB₊)₊ for A = Z₁ − β, B = Z₂ − β with correlation ρ, by a mean over draws."""
    z = np.random.default_rng(2).standard_normal((2, 400_000))
    for r, rho, beta in ((0.7, 0.5, 1.0), (0.2, -0.3, 0.0), (1.2, 0.9, 2.0), (0.9, -1.0, 0.5)):
        other = rho * z[0] + np.sqrt(1 - rho * rho) * z[1]
        gains = np.maximum(z[0] - beta - r * np.maximum(other - beta, 0.0), 0.0)
        found = float(module._heights(np.array([r]), np.array([rho]), beta)[0])
        assert abs(found - gains.mean()) <= 5 * gains.std() / np.sqrt(4e5) + 1e-7
        if rho > -1.0:
            with enclosure.precision(64):
                chords = _Chords(beta)
                bound = chords._height(*map(Fraction, (r, rho)))
            assert found <= bound <= found * 1.01 + 1e-6
    chords = _Chords(1.5)
    with enclosure.precision(64):
        for found, z, scale in ((chords.alone(), 1.5, 1.0), (chords.difference(0.3), -1.5, 0.3)):
            exact = scale * (mpmath.npdf(z) - z * mpmath.ncdf(-z))
            assert exact * (1 - 1e-15) <= found <= exact * (1 + 1e-12)
    value, p, q = module._largest(1.0, 0.3, (12, 24))
    assert value == pytest.approx(increment_value(p, q, 1.0, 0.3), rel=1e-9)
    mesh = [
        increment_value(a, a * (low + (high - low) * share), 1.0, 0.3)
        for a in np.geomspace(0.075, 1.0, 12)
        for low, high in [(max(1 - 0.3 / a, 0), min(1 + 0.3 / a, 1 / a))]
        for share in np.linspace(0, 1, 24)
    ]
    assert value == pytest.approx(max(mesh), rel=1e-9)
