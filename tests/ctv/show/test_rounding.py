"""Numbers and lists as people read them; progress only where someone watches."""

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctv.show.progress import progress
from ctv.show.rounding import at_least, at_most, digits, shortened_list


@given(st.floats(1e-4, 1e8) | st.floats(-1e8, -1e-4))
def test_digits_keep_the_value(value: float) -> None:
    assert float(digits(value).replace(",", "")) == pytest.approx(value, rel=5.1e-4)


@example(9.99951, 4)
@example(99999.5, 4)
@example(1e-9, 4)
@example(123456789.5, 4)
@example(999999999.5, 4)
@example(-1.0000000000000002e-12, 6)
@given(st.floats(1e-12, 1e12) | st.floats(-1e12, -1e-12), st.integers(2, 6))
def test_bounds_are_printed_outward(value: float, significant: int) -> None:
    """What is printed bounds what was computed, and is the nearest such number of that length."""
    exact = Decimal(repr(value))
    above = Decimal(at_most(value, significant).replace(",", ""))
    below = Decimal(at_least(value, significant).replace(",", ""))
    assert below <= exact <= above
    assert above - below <= Decimal(10) ** (1 - significant) * abs(exact)
    assert Decimal(digits(value, significant).replace(",", "")) in (below, above)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (float("inf"), "∞"),
        (float("nan"), "–"),
        (1e-9, "1.000e-09"),
        (2.5e12, "2.500e+12"),
    ],
)
def test_digits_at_the_ends(value: float, shown: str) -> None:
    assert digits(value) == shown


def test_long_lists_are_shortened_and_say_so() -> None:
    assert shortened_list([1, 2, 3]) == "1 2 3"
    shown = shortened_list(range(1000))
    assert shown.startswith("0 1 2")
    assert shown.endswith("998 999")
    assert "(976 more)" in shown


def test_progress_is_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("work") as advance:
        advance("stage", 0.5)
    assert capsys.readouterr() == ("", "")
