"""Intervals in doubles contain what Arb finds at 300 bits; a false neighbour is seen."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import flint
import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.enclosure import doubles
from bounds.enclosure.doubles import (
    Doubles,
    Whitened,
    log_product,
    product_residual,
    require_doubles,
    sum_up,
)
from bounds.enclosure.normal import chi_tail, mean_excess_up
from bounds.errors import NumericalFailure
from bounds.numerics.threads import one_blas_thread

SEEDS = range(30)


@pytest.fixture(autouse=True)
def bits() -> Iterator[None]:
    with flint.ctx.workprec(300):
        yield


def drawn(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Doubles, np.ndarray]:
    """Doubles of many sizes, radii from none to a percent, and a number of each interval."""
    mid = rng.standard_normal(shape) * 10.0 ** rng.uniform(-8, 8)
    rad = np.abs(mid) * 10.0 ** rng.uniform(-18, -2) * (rng.random() < 0.8)
    if rng.random() < 0.2:
        mid = mid * 10.0 ** rng.uniform(-140, 140)
        rad = rad * np.abs(mid)
    place = rng.choice([-1.0, -0.3, 0.0, 1.0], size=shape)
    truth = np.empty(shape, dtype=object)
    for at in np.ndindex(shape):
        truth[at] = flint.arb(mid[at]) + flint.arb(rad[at]) * flint.arb(place[at])
    return Doubles(mid, rad), truth


def contains(found: Doubles, truth: np.ndarray) -> bool:
    """Whether every entry that is finite contains the number it stands for."""
    return all(
        not np.isfinite(found.rad[at])
        or flint.arb(float(found.mid[at]), float(found.rad[at])).contains(truth[at])
        for at in np.ndindex(truth.shape)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_operations_contain_what_arb_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    (a, x), (b, y), (c, z) = drawn(rng, (3, n)), drawn(rng, (n, 4)), drawn(rng, (3, n))
    pairs = [(a @ b, x @ y), (a + c, x + z), (a - c, x - z), (a * c, x * z)]
    pairs += [(a.T, x.T), (a.squares(), x * x), (a.scaled(0.25), x * flint.arb(0.25))]
    assert all(contains(found, truth) for found, truth in pairs)
    quotient = a / c
    finite = np.isfinite(quotient.rad)
    assert all(
        flint.arb(quotient.mid[at], quotient.rad[at]).contains(x[at] / z[at])
        for at in np.argwhere(finite).tolist()
        for at in [tuple(at)]
    )
    total = a.sum(axis=1)
    assert contains(total, np.array([sum(row, flint.arb(0)) for row in x], dtype=object))
    low, high = a.lower(), a.upper()
    assert all(
        flint.arb(float(low[at])) <= x[at] <= flint.arb(float(high[at]))
        for at in np.ndindex(x.shape)
    )


@given(st.lists(st.tuples(*[st.floats(-1e90, 1e90)] * 2), min_size=1, max_size=6))
@example([(5e-324, 5e-324), (1e-170, 1e-170)])
@example([(0.1, 0.2), (1e90, 1e-90)])
@settings(max_examples=100, deadline=None)
def test_what_underflows_is_inside_too(pairs: list[tuple[float, float]]) -> None:
    """Against fractions, as Arb's exponents have no end."""
    a, b = (Doubles.exact(np.array(side)) for side in zip(*pairs, strict=True))
    for found, exact in (
        ((a + b) * b, lambda x, y: (x + y) * y),
        (a * b * a - b, lambda x, y: x * y * x - y),
    ):
        for mid, rad, (x, y) in zip(found.mid, found.rad, pairs, strict=True):
            assert abs(Fraction(mid) - exact(Fraction(x), Fraction(y))) <= Fraction(rad)
    sizes = (a * b).magnitudes()
    for size, (x, y) in zip(sizes, pairs, strict=True):
        assert Fraction(size) >= abs(Fraction(x) * Fraction(y))


def test_a_product_without_its_radius_is_no_enclosure() -> None:
    """The planted neighbour: rounding alone puts most middles off."""
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 20, 20))
    found = Doubles.exact(a) @ Doubles.exact(b)
    exact = np.vectorize(flint.arb, otypes=[object])
    truth = exact(a) @ exact(b)
    assert contains(found, truth)
    assert not contains(replace(found, rad=np.zeros_like(found.rad)), truth)


def arb_matrix(A: np.ndarray) -> Any:
    return flint.arb_mat(A.shape[0], A.shape[1], A.ravel().tolist())


@pytest.mark.parametrize("seed", SEEDS[:12])
def test_whitened_matrices_contain_determinant_trace_and_forms(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, m = int(rng.integers(1, 25)), int(rng.integers(1, 5))
    P = rng.standard_normal((k, k)) * 10.0 ** rng.uniform(-2, 2)
    A = P @ P.T + np.eye(k) * 10.0 ** rng.uniform(-4, 2)
    A = (A + A.T) / 2
    found = Whitened.of(Doubles.exact(A))
    assert found is not None
    truth = arb_matrix(A)
    inverse = truth.inv()
    assert found.log_determinant.contains(truth.det().log())
    B = rng.standard_normal((k, m))
    q = arb_matrix(B).transpose() * inverse * arb_matrix(B)
    low, high = found.quadratic(Doubles.exact(B))
    assert all(flint.arb(float(low[j])) <= q[j, j] <= flint.arb(float(high[j])) for j in range(m))
    L = np.linalg.cholesky(A)
    R = truth - arb_matrix(L) * arb_matrix(L).transpose()
    E = product_residual(Doubles.exact(A), L)
    assert all(
        flint.arb(float(E.mid[i, j]), float(E.rad[i, j])).contains(R[i, j])
        for i in range(k)
        for j in range(k)
    )


def test_what_is_not_positive_definite_is_not_whitened() -> None:
    assert Whitened.of(Doubles.exact(np.array([[1.0, 2.0], [2.0, 1.0]]))) is None
    wide = Doubles(np.eye(2), np.full((2, 2), 0.6))
    assert Whitened.of(wide) is None


def test_logarithms_of_products_and_sums() -> None:
    values = 10.0 ** np.random.default_rng(2).uniform(-200, 200, 700)
    assert log_product(values).contains(sum((flint.arb(v).log() for v in values), flint.arb(0)))
    assert flint.arb(float(sum_up(values))) >= sum(map(flint.arb, values.tolist()), flint.arb(0))


def test_mean_excess_is_bounded_from_above_and_closely() -> None:
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.uniform(-15, 15, 200), rng.standard_normal(40) * 10.0 ** np.arange(40)])
    for v, u in zip(x.tolist(), mean_excess_up(x).tolist(), strict=True):
        X = flint.arb(v)
        g = X * (-X / flint.arb(2).sqrt()).erfc() / 2
        g += (-X * X / 2).exp() / (2 * flint.arb.pi()).sqrt()
        assert flint.arb(u) >= g
        if v > -6.0:
            assert flint.arb(u) <= g * (1 + flint.arb(2) ** -48)


def test_what_breaks_the_assumptions_is_refused(monkeypatch) -> None:
    require_doubles()
    require_doubles.cache_clear()

    usual = np.array_equal
    monkeypatch.setattr(
        doubles.np,
        "array_equal",
        lambda one, other: usual(one, other) and np.ndim(one) < 2,
    )
    with pytest.raises(NumericalFailure, match="not multiplied in doubles"):
        require_doubles()
    monkeypatch.setattr(doubles.np, "array_equal", lambda one, other: False)
    with pytest.raises(NumericalFailure, match="not rounded to nearest"):
        require_doubles()
    monkeypatch.undo()
    require_doubles.cache_clear()
    require_doubles()


def test_one_thread_inside_the_block() -> None:
    from threadpoolctl import threadpool_info

    with one_blas_thread():
        inside = [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]
    assert set(inside) <= {1}


@pytest.mark.parametrize("middle", [0.0, 1.0, -2e7, 1e-9, 4e39, 1e-290])
@pytest.mark.parametrize("radius", [0.0, 1e-12, 0.25])
def test_a_ball_is_held_closely_and_given_back_whole(middle: float, radius: float) -> None:
    third = flint.arb(middle) / 3
    given = flint.arb(third.mid(), radius)
    held = Doubles.of_balls([given])
    assert held[0].ball().contains(given)
    assert held.rad[0] <= radius * (1 + 1e-8) + 1e-15 * abs(middle) + 1e-290
    mid, rad = flint.arb(float(held.mid[0])), flint.arb(0.999 * float(held.rad[0]))
    alone = held[0].ball()
    assert alone.contains(mid + rad) and alone.contains(mid - rad)


@pytest.mark.parametrize("freedom", [1, 2, 3, 8])
@pytest.mark.parametrize("x", [0.0, 0.25, 1.0, 6.0])
def test_the_tail_of_a_length(freedom: int, x: float) -> None:
    """Of so many normals, against mpmath's incomplete gamma function."""
    found = chi_tail(freedom, flint.arb(x))
    truth = mpmath.gammainc(mpmath.mpf(freedom) / 2, mpmath.mpf(x) ** 2 / 2, regularized=True)
    assert abs(float(found.mid()) - float(truth)) <= 1e-13 * float(truth)
    assert float(found.rad()) <= 1e-60


@pytest.mark.parametrize("seed", SEEDS)
def test_roots_of_what_may_reach_zero_contain_the_root(seed: int) -> None:
    rng = np.random.default_rng(seed)
    given, truth = drawn(rng, (40,))
    given = Doubles(np.abs(given.mid), given.rad)
    given.mid[:2] = 0.0
    place = rng.uniform(0.0, 1.0, 40)
    truth = [
        flint.arb(m) + flint.arb(r) * flint.arb(p)
        for m, r, p in zip(given.mid, given.rad, place, strict=True)
    ]
    assert contains(given.roots(), np.array([one.sqrt() for one in truth], dtype=object))
    below = [
        (flint.arb(m) - flint.arb(r) * flint.arb(p))
        for m, r, p in zip(given.mid, given.rad, place, strict=True)
    ]
    reached = np.array([one.nonnegative_part().sqrt() for one in below], dtype=object)
    assert contains(given.roots(), reached)
