from math import ceil, e, log, pi

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.confidence.point_times import CONSTANT_FACTOR, point_times_beta
from bounds.confidence.schedules import finite_domain_beta
from bounds.errors import InvalidInput


def both_conditions(n, size, delta, slope, longest):
    """The two right sides of Theorem C as functions of β, written out again."""
    weight = pi**2 * n**2 / 6

    def needed(beta):
        windows = max(1, ceil(slope * n * longest * beta))
        return max(
            2 * log(2 * size * weight / delta),
            2 * log(4 * e * size * weight * windows / delta),
        )

    return needed


@given(
    st.integers(1, 10**6),
    st.integers(1, 10**4),
    st.floats(1e-6, 0.99),
    st.sampled_from([0.0, 1e-6, 0.005, 3.0]),
    st.sampled_from([0.0, 1.0, 6.0, 1e5]),
)
@example(107840, 5049, 0.4468943624398825, 3.0, 6.0)
@settings(max_examples=150, deadline=None)
def test_the_least_beta_meets_both_conditions_and_no_smaller_one_does(
    n, size, delta, slope, longest
):
    needed = both_conditions(n, size, delta, slope, longest)
    beta = float(point_times_beta(n, size, delta, slope=slope, longest=longest))
    assert beta >= needed(beta)
    smaller = np.linspace(needed(0.0), beta * (1 - 1e-6), 50)
    assert all(b < needed(b) for b in smaller if b < beta * (1 - 1e-6))


def test_it_grows_with_the_rounds_and_exceeds_that_of_fixed_times():
    n = np.arange(1, 2_000)
    beta = point_times_beta(n, 2500, 0.1, slope=0.005, longest=6.0)
    assert np.all(np.diff(beta) >= 0)
    assert np.all(beta > finite_domain_beta(n, 2500, 0.1))
    assert pytest.approx(2.352, abs=1e-3) == CONSTANT_FACTOR


@pytest.mark.parametrize(
    "bad", [{"delta": 1.0}, {"domain_size": 0}, {"slope": -1.0}, {"longest": float("inf")}]
)
def test_bad_input(bad):
    options = {"domain_size": 9, "delta": 0.1, "slope": 0.1, "longest": 1.0} | bad
    with pytest.raises(InvalidInput):
        point_times_beta(3, options.pop("domain_size"), options.pop("delta"), **options)
