from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bounds.numerics.rounding import at_least, at_most


@given(st.floats(1e-12, 1e12) | st.floats(-1e12, -1e-12), st.integers(2, 6))
@example(0.23919, 3)
@example(9.9999, 4)
@example(1e-9, 4)
def test_what_is_read_is_on_the_side_of_what_was_computed(value: float, significant: int) -> None:
    exact = Decimal(repr(value))
    above, below = Decimal(at_most(value, significant)), Decimal(at_least(value, significant))
    assert below <= exact <= above
    assert above - below <= Decimal(10) ** (1 - significant) * abs(exact)


@pytest.mark.parametrize("rounded", [at_most, at_least])
def test_zero_and_infinity_stay(rounded) -> None:
    assert [rounded(x) for x in (0.0, float("inf"))] == ["0", "inf"]
