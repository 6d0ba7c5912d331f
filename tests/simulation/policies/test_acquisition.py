from math import log, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from bounds.errors import InvalidInput
from simulation.policies.acquisition import (
    exploration_weight,
    log_expected_improvement,
    log_mean_improvement,
    upper_confidence,
)


def log_improvement_by_mpmath(z):
    with mpmath.workdps(60):
        z = mpmath.mpf(z)
        density = mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)
        return float(mpmath.log(z * mpmath.erfc(-z / mpmath.sqrt(2)) / 2 + density))


@pytest.mark.parametrize(
    "z", [-1e5, -200.0, -60.5, -20.0, -5.01, -4.99, -1.01, -0.99, 0.0, 3.0, 50.0]
)
def test_log_expected_improvement_in_many_digits(z):
    far = abs(z) > 1e3
    expected = (
        -z * z / 2 - log(sqrt(2 * np.pi)) - 2 * log(-z) if far else log_improvement_by_mpmath(z)
    )
    assert float(log_expected_improvement(z, 1.0, 0.0)) == pytest.approx(expected, rel=1e-11)


@given(st.floats(-3, 3), st.floats(1e-3, 3), st.floats(-3, 3))
@example(3.0, 0.001, 0.0)
@settings(max_examples=30, deadline=None)
def test_expected_improvement_is_an_integral(mean, deviation, best):
    law = stats.norm(mean, deviation)
    low, top = max(best, mean - 12 * deviation), max(best, mean + 12 * deviation)
    integral, _ = integrate.quad(lambda f: (f - best) * law.pdf(f), low, top, limit=200)
    found = float(np.exp(log_expected_improvement(mean, deviation, best)))
    assert found == pytest.approx(integral, rel=1e-6, abs=1e-9)


def test_without_uncertainty_the_improvement_is_certain():
    found = log_expected_improvement([1.0, 0.0, -1.0], 0.0, 0.0)
    np.testing.assert_array_equal(found, [0.0, -np.inf, -np.inf])


def test_the_argmax_survives_underflow():
    mean = np.array([-50.0, -45.0, -48.0])
    assert np.all(np.exp(log_expected_improvement(mean, 1.0, 0.0)) == 0.0)
    assert np.argmax(log_expected_improvement(mean, 1.0, 0.0)) == 1


def test_exploration_weights():
    rounds = np.array([1, 31, 130])
    np.testing.assert_allclose(exploration_weight("beta", rounds), 0.8 * np.log(4 * rounds))
    np.testing.assert_allclose(
        exploration_weight("sqrt-beta", rounds), np.sqrt(0.8 * np.log(4 * rounds))
    )
    assert float(exploration_weight("beta", 3, c1=2.0, c2=5.0)) == pytest.approx(2 * log(15))
    with pytest.raises(InvalidInput, match="exploration = bold"):
        exploration_weight("bold", 1)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_a_mean_of_improvements_that_underflow_counts_each(order):
    """Of values near e^−850, rising or falling from node to node, none may be lost."""
    mean = np.array([[-41.00], [-40.98], [-40.95]])[order]
    weights = np.array([0.2, 0.5, 0.3])[order]
    each = log_expected_improvement(mean[:, 0], 1.0, 0.0)
    top = each.max()
    assert top < -745  # below the logarithm of every double
    expected = top + np.log(np.sum(weights * np.exp(each - top)))
    found = log_mean_improvement(mean, np.ones((3, 1)), weights, 0.0)
    assert found[0] == pytest.approx(expected, abs=1e-11)


def test_the_mean_improvement_is_the_mean_of_improvements():
    """In logarithms throughout, by another library; some values underflow, some are certain."""
    rng = np.random.default_rng(3)
    mean = rng.normal(0.0, 2.0, (4, 60)) - np.linspace(0, 300, 60)
    deviation = rng.uniform(0.05, 2.0, (4, 60))
    deviation[:, ::7], deviation[1, 1::7] = 0.0, 0.0
    mean[2, ::14] = 1.5
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    found = log_mean_improvement(mean, deviation, weights, 0.7)
    logs = log_expected_improvement(mean, deviation, 0.7)
    expected = special.logsumexp(logs, axis=0, b=weights[:, None])
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert np.isneginf(found[7])
    assert found.min(where=np.isfinite(found), initial=0.0) < -750


def test_upper_confidence_is_mean_plus_weighted_deviation():
    np.testing.assert_array_equal(upper_confidence([1.0, 2.0], [0.5, 0.0], 2.0), [2.0, 2.0])
