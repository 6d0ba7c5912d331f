from math import log, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from bounds.confidence import finite_domain_beta
from bounds.errors import InvalidInput
from simulation.acquisition import (
    expected_improvement,
    exploration_weight,
    log_expected_improvement,
    upper_confidence,
)


def log_improvement_by_mpmath(z):
    with mpmath.workdps(60):
        z = mpmath.mpf(z)
        density = mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)
        return float(mpmath.log(z * mpmath.erfc(-z / mpmath.sqrt(2)) / 2 + density))


@pytest.mark.parametrize(
    "z", [-1e5, -200.0, -60.5, -59.5, -20.0, -5.0, -1.01, -0.99, 0.0, 3.0, 50.0]
)
def test_log_expected_improvement_in_many_digits(z):
    with mpmath.workdps(30_000 if abs(z) > 1e3 else 60):
        expected = (
            log_improvement_by_mpmath(z)
            if abs(z) < 1e3
            else -z * z / 2 - log(sqrt(2 * np.pi)) - 2 * log(-z)
        )
    assert float(log_expected_improvement(z, 1.0, 0.0)) == pytest.approx(expected, rel=1e-11)


@given(st.floats(-3, 3), st.floats(1e-3, 3), st.floats(-3, 3))
@settings(max_examples=30, deadline=None)
def test_expected_improvement_is_an_integral(mean, deviation, best):
    law = stats.norm(mean, deviation)
    top = max(best, mean + 12 * deviation)
    integral, _ = integrate.quad(lambda f: (f - best) * law.pdf(f), best, top, limit=200)
    found = float(expected_improvement(mean, deviation, best))
    assert found == pytest.approx(integral, rel=1e-6, abs=1e-9)


def test_without_uncertainty_the_improvement_is_certain():
    found = expected_improvement([1.0, 0.0, -1.0], 0.0, 0.0)
    np.testing.assert_array_equal(found, [1.0, 0.0, 0.0])


def test_the_argmax_survives_underflow():
    mean = np.array([-50.0, -45.0, -48.0])
    assert np.all(expected_improvement(mean, 1.0, 0.0) == 0.0)
    assert np.argmax(log_expected_improvement(mean, 1.0, 0.0)) == 1


def test_exploration_weights():
    options = {"domain_size": 2500, "delta": 0.1}
    for n in (1, 31, 130):
        assert exploration_weight("beta", n, **options) == pytest.approx(0.8 * log(4 * n))
        assert exploration_weight("sqrt-beta", n, **options) == pytest.approx(
            sqrt(0.8 * log(4 * n))
        )
        theory = exploration_weight("theory", n, **options)
        assert theory**2 == pytest.approx(float(finite_domain_beta(n, 2500, 0.1)))
    with pytest.raises(InvalidInput, match="exploration = bold"):
        exploration_weight("bold", 1, **options)


def test_upper_confidence_is_mean_plus_weighted_deviation():
    np.testing.assert_array_equal(upper_confidence([1.0, 2.0], [0.5, 0.0], 2.0), [2.0, 2.0])
