"""The least value on an interval, beside SciPy's."""

from math import cos

from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from bounds.numerics.least import least_between

COEFFICIENTS = st.floats(-3.0, 3.0)


@given(
    st.tuples(*[COEFFICIENTS] * 4),
    st.floats(-10.0, 10.0),
    st.floats(1e-3, 10.0),
    st.integers(2, 60),
    st.booleans(),
)
def test_takes_the_steps_of_scipy(
    of: tuple[float, ...], low: float, width: float, looks: int, flat: bool
) -> None:
    a, b, c, d = of

    def value(x: float) -> float:
        found = a * (x - b) ** 2 + c * cos(d * x)
        return float(round(found)) if flat else found

    ends = (low, low + width)
    theirs = optimize.minimize_scalar(
        value, bounds=ends, method="bounded", options={"xatol": 1e-6, "maxiter": looks}
    )
    assert least_between(value, *ends, 1e-6, looks) == (float(theirs.x), float(theirs.fun))
