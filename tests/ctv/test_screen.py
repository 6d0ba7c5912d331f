"""Numbers and lists as people read them; progress only where someone watches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctv.screen import _shortened_list, digits, progress


@given(st.floats(1e-4, 1e8) | st.floats(-1e8, -1e-4))
def test_digits_keep_the_value(value: float) -> None:
    assert float(digits(value).replace(",", "")) == pytest.approx(value, rel=5.1e-4)


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
    assert _shortened_list([1, 2, 3]) == "1 2 3"
    shown = _shortened_list(range(1000))
    assert shown.startswith("0 1 2")
    assert shown.endswith("998 999")
    assert "(976 more)" in shown


def test_progress_is_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("work") as advance:
        advance("stage", 0.5)
    assert capsys.readouterr() == ("", "")
