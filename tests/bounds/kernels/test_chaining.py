"""Dudley's sum over a cube, in floats and in balls, against its definition and against a field."""

from __future__ import annotations

from itertools import product
from math import log, sqrt

import mpmath
import numpy as np
import pytest

from bounds import enclosure
from bounds.enclosure import matrices
from bounds.kernels import chaining
from bounds.kernels.chaining import chained, enclosed_chained


@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("root", [1, 2])
def test_both_are_the_sum_of_the_definition(dimension: int, root: int) -> None:
    with mpmath.workdps(30):
        d = mpmath.mpf(dimension)
        truth = mpmath.nsum(
            lambda k: (
                (mpmath.sqrt(d) * mpmath.mpf(2) ** (-k - 1)) ** (mpmath.mpf(1) / root)
                * mpmath.sqrt(2 * k * d * mpmath.log(2))
            ),
            [1, mpmath.inf],
        )
    with enclosure.precision(matrices.WORKING_BITS):
        ball = enclosure.ball(enclosed_chained(dimension, root))
        low, high = matrices.downward(ball), matrices.upward(ball)
    assert float(truth) * (1 - 1e-13) <= low <= high <= float(truth) * (1 + 1e-13)
    sides = np.array([0.25, 2.0])
    found = chained(3.0, 1.0 / root, dimension, sides)
    np.testing.assert_allclose(found, 3.0 * float(truth) * sides ** (1.0 / root), rtol=1e-12)


def test_a_field_with_these_increments_stays_below() -> None:
    """g(x) = c·aᵀ(x − centre) for a normal a: its increments are c·|x − y|, its supremum known."""
    corners = np.array(list(product((-0.5, 0.5), repeat=2)))
    slopes = np.random.default_rng(0).standard_normal((4_000, 2))
    supremum = (slopes @ corners.T).max(axis=1).mean()
    assert supremum == pytest.approx(2 * 0.5 * sqrt(2 / np.pi), abs=0.05)
    assert supremum <= chained(1.0, 1.0, 2, np.array([1.0]))[0] <= 10 * log(10) * supremum


@pytest.mark.parametrize("root", [1, 2])
def test_the_rest_of_the_sum_is_above_it(root: int, monkeypatch) -> None:
    """Few terms, and the others with k for √k: Σ_{k>K} k·x^k, x = 2^{−1/root}."""
    monkeypatch.setattr(chaining, "_TERMS", 3)
    with enclosure.precision(matrices.WORKING_BITS):
        ball = enclosure.ball(enclosed_chained(2, root))
        found = [matrices.downward(ball), matrices.upward(ball)]
    with mpmath.workdps(30):
        x, first = mpmath.mpf(2) ** (-mpmath.mpf(1) / root), mpmath.sqrt(2) / 2
        total = sum(mpmath.sqrt(k) * x**k for k in (1, 2, 3))
        total += mpmath.nsum(lambda k: k * x**k, [4, mpmath.inf])
        truth = first ** (mpmath.mpf(1) / root) * mpmath.sqrt(4 * mpmath.log(2)) * total
    assert found == pytest.approx([float(truth)] * 2, rel=1e-13)
