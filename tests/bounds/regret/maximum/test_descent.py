"""Brent's method between two ends: the same steps as SciPy's, and a minimum that is one."""

from math import cos, exp

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from bounds.errors import InvalidInput
from bounds.regret.maximum.descent import least_between

NUMBERS = st.floats(-50.0, 50.0)


@given(
    st.tuples(NUMBERS, NUMBERS).map(sorted),
    NUMBERS,
    st.sampled_from([1e-8, 1e-3, 0.3]),
    st.integers(2, 60),
    st.sampled_from(["square", "kink", "wave", "flat"]),
)
def test_takes_the_steps_of_scipy(ends, centre, near, most, kind) -> None:
    """Another program for the same published method, to the last digit."""

    def value(x: float) -> float:
        return {
            "square": (x - centre) ** 2,
            "kink": abs(x - centre) + exp(-abs(x)),
            "wave": cos(x) + 0.1 * (x - centre) ** 2,
            "flat": 1.0,
        }[kind]

    options = {"xatol": near, "maxiter": most}
    other = optimize.minimize_scalar(value, bounds=ends, method="bounded", options=options)
    assert least_between(value, tuple(ends), near, most) == (other.x, other.fun)


def test_the_minimum_of_a_convex_function_is_near() -> None:
    found, least = least_between(lambda x: exp(x) - 2.0 * x, (-1.0, 3.0), 1e-9)
    assert found == pytest.approx(0.6931471805599453, abs=1e-7)
    assert least == pytest.approx(2.0 - 2.0 * 0.6931471805599453, abs=1e-14)


@pytest.mark.parametrize("ends", [(1.0, 0.0), (0.0, float("inf")), (float("nan"), 1.0)])
def test_ends_are_finite_and_in_order(ends) -> None:
    with pytest.raises(InvalidInput, match="ends"):
        least_between(abs, ends, 1e-3)
