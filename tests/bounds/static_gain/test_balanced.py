"""γ_m of independent arms against every way to share out the looks."""

from itertools import combinations_with_replacement
from math import log

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms
from bounds.kernels import SquaredExponential
from bounds.problem import Problem
from bounds.static_gain.balanced import balanced_gains, balanced_lines
from bounds.static_gain.both_sides import certified_gains_at
from bounds.static_gain.certified import certified_curve
from bounds.static_gain.upper_curve import BALANCED, space_gain_upper
from bounds.times import EvaluationTimes


def best_of_all_designs(arms: int, noise: float, m: int) -> mpmath.mpf:
    """The largest ½ log det(I + K/σ²) over the multisets of m arms, in 40 digits."""
    found = []
    for design in combinations_with_replacement(range(arms), m):
        gram = mpmath.matrix(m)
        for i, x in enumerate(design):
            for j, y in enumerate(design):
                gram[i, j] = (x == y) / mpmath.mpf(noise) + (i == j)
        found.append(mpmath.log(mpmath.det(gram)) / 2)
    return max(found)


@pytest.mark.parametrize("noise", [0.01, 0.7, 30.0])
@pytest.mark.parametrize(("arms", "most"), [(1, 5), (2, 6), (3, 5), (5, 4)])
def test_no_design_has_more_and_one_has_as_much(arms, most, noise) -> None:
    low, high = balanced_gains(arms, noise, most)
    with mpmath.workdps(40):
        for m in range(1, most + 1):
            truth = best_of_all_designs(arms, noise, m)
            assert low[m] <= truth <= high[m]
            assert high[m] - low[m] <= 1e-14 * high[m]
    assert (low[0], high[0]) == (0.0, 0.0)


@settings(max_examples=60, deadline=None)
@given(
    arms=st.integers(1, 40),
    n=st.integers(1, 300),
    noise=st.floats(1e-12, 1e12),
    shares=st.lists(st.integers(0, 10), min_size=1, max_size=40),
)
@example(3, 240, 0.01, [1, 2, 3])
def test_the_curve_is_above_every_design_and_below_its_lines(arms, n, noise, shares) -> None:
    curve = space_gain_upper(SquaredExponential(0.2), Arms(arms), noise, n)
    assert curve.certified and set(curve.sources.tolist()) == {-2}
    assert curve.upper_name(n) == BALANCED
    assert np.all(np.diff(curve.values) >= 0)
    m = np.arange(1, n + 1)
    cap = 0.5 * m * np.log1p(1.0 / noise)
    assert np.all(curve.values[1:] <= cap * (1 + 1e-12))
    lines = np.min([a + b * m for a, b, _ in balanced_lines(arms, noise, n)], axis=0)
    np.testing.assert_allclose(lines, curve.values[1:], rtol=1e-6)
    looks = np.array(shares[:arms])
    if 0 < looks.sum() <= n:
        own = 0.5 * float(np.sum(np.log1p(looks / noise)))
        assert own <= curve.values[looks.sum()] * (1 + 1e-12)


def test_both_sides_meet() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]), noise_variance=0.5, domain=Arms(3))
    found = certified_gains_at(problem, [1, 3, 7])
    assert all(found.certified) and set(found.upper_names) == {BALANCED}
    truth = 0.5 * (2 * log(1 + 2 * 2) + log(1 + 2 * 3))
    assert found.lower[2] <= truth * (1 + 1e-15) and truth * (1 - 1e-15) <= found.upper[2]
    np.testing.assert_allclose(found.lower, found.upper, rtol=1e-14)


def test_a_curve_that_is_certified_stays_as_it_is() -> None:
    kernel, domain = SquaredExponential(0.2), Arms(4)
    curve = space_gain_upper(kernel, domain, 0.1, 9)
    assert certified_curve(kernel, domain, curve) is curve
