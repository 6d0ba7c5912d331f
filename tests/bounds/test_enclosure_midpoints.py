"""Intervals of midpoints and radii contain the exact results, whatever was rounded."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.enclosure.midpoints import Intervals
from bounds.errors import NumericalFailure

finite = st.floats(-1e90, 1e90, allow_subnormal=True)
small = st.lists(finite, min_size=1, max_size=6)


def holds(found: Intervals, exact: list[Fraction]) -> bool:
    """Whether every entry contains its exact value."""
    return all(
        abs(Fraction(m) - value) <= Fraction(r)
        for m, r, value in zip(found.middle.ravel(), found.radius.ravel(), exact, strict=True)
    )


@given(st.lists(st.tuples(finite, finite), min_size=1, max_size=6), finite)
@example([(5e-324, 5e-324), (1e-170, 1e-170)], 1e-200)
@example([(0.1, 0.2), (1e90, 1e-90)], 3.0)
@settings(max_examples=200, deadline=None)
def test_entries(pairs: list[tuple[float, float]], factor: float) -> None:
    a, b = (Intervals.exact(np.array(side)) for side in zip(*pairs, strict=True))
    exact = [(Fraction(x), Fraction(y)) for x, y in pairs]
    assert holds(a + b, [x + y for x, y in exact])
    assert holds(a - b, [x - y for x, y in exact])
    assert holds(a * b, [x * y for x, y in exact])
    assert holds((a + b) * b, [(x + y) * y for x, y in exact])
    assert holds(((a * b) * a).scaled(0.1), [x * y * x * Fraction(0.1) for x, y in exact])
    products = a * b
    tops = products.upper()
    assert all(Fraction(top) >= x * y for top, (x, y) in zip(tops, exact, strict=True))
    sizes = products.magnitude()
    assert all(Fraction(top) >= abs(x * y) for top, (x, y) in zip(sizes, exact, strict=True))


@given(st.integers(0, 10_000), st.integers(1, 12), st.floats(0.0, 20.0))
@settings(max_examples=60, deadline=None)
def test_products_of_matrices(seed: int, terms: int, spread: float) -> None:
    rng = np.random.default_rng(seed)

    def entries(rows: int, columns: int) -> np.ndarray:
        size = np.exp(rng.uniform(-spread, spread, (rows, columns)))
        return rng.choice([-1.0, 1.0], (rows, columns)) * size

    A, B, C = entries(3, terms), entries(terms, 4), entries(2, 3)
    exact_b = np.vectorize(Fraction, otypes=[object])(B)
    inner = np.vectorize(Fraction, otypes=[object])(A) @ exact_b
    outer = np.vectorize(Fraction, otypes=[object])(C) @ inner
    product = Intervals.exact(A) @ Intervals.exact(B)
    assert holds(product, inner.ravel().tolist())
    assert holds(Intervals.exact(C) @ product, outer.ravel().tolist())
    assert holds(Intervals.exact(B).column_sums(), exact_b.sum(axis=0).ravel().tolist())
    assert np.all(product.radius <= 1e-13 * (np.abs(A) @ np.abs(B)) + 1e-290)


def test_radii_are_carried_along() -> None:
    third = Intervals.of_balls(np.full((2, 2), flint.arb(1) / 3, dtype=object))
    exact = [Fraction(2, 9)] * 4
    assert holds(third, [Fraction(1, 3)] * 4)
    assert holds(third @ third, exact)
    wide = Intervals(np.ones((2, 2)), np.full((2, 2), 0.5))
    assert np.all((wide @ wide).upper() >= 2 * 1.5**2)
    assert np.all((wide * wide).upper() >= 1.5**2)
    assert np.all(((wide - wide).magnitude() >= 1.0) & ((wide + wide).upper() >= 3.0))


def test_what_cannot_be_bounded_is_said() -> None:
    with pytest.raises(NumericalFailure, match="infinite"):
        Intervals.exact(np.array([np.inf])).upper()
    with pytest.raises(NumericalFailure, match="5000 terms"):
        Intervals.exact(np.ones((1, 5000))) @ Intervals.exact(np.ones((5000, 1)))
    with pytest.raises(NumericalFailure, match="5000 terms"):
        Intervals.exact(np.ones((5000, 1))).column_sums()


@given(st.floats(-9, 9), st.floats(0, 3), st.floats(-8, 8))
def test_a_factor_scales_the_radius_too(middle: float, radius: float, factor: float) -> None:
    found = Intervals(np.array([middle]), np.array([radius])).scaled(factor)
    for end in (middle - radius, middle + radius):
        assert abs(end * factor - found.middle[0]) <= found.radius[0] * (1 + 1e-12) + 1e-12
    assert found.radius[0] <= radius * abs(factor) * (1 + 1e-11) + 1e-12
