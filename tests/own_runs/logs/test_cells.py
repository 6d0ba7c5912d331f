"""Numbers, durations and instants as tools write them, read back to what was written."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.time_text import seconds
from own_runs.logs.cells import Numerals, durations, instants

POINT, COMMA = Numerals(comma=False), Numerals(comma=True)
numbers = st.floats(allow_nan=False, allow_infinity=False)
whole_microseconds = st.integers(0, 10**13)


@given(numbers)
def test_numbers_are_read_as_they_were_written(value):
    assert POINT.number(repr(value)) == value
    assert COMMA.number(repr(value).replace(".", ",")) == value


@pytest.mark.parametrize(("text", "value"), [("1.234,5", 1234.5), ("0,5", 0.5), ("1e-3", 1e-3)])
def test_decimal_commas(text, value):
    assert COMMA.number(text) == value


@pytest.mark.parametrize("text", ["1,5", "1.2.3", "abc", "--", "0x10", "1,2,3", "1_000"])
def test_what_is_no_number_with_a_point(text):
    assert POINT.number(text) is None


def test_points_beside_commas_are_refused():
    with pytest.raises(InvalidInput, match=r"y in row 2 = 1,5: row 1 has 1\.5"):
        COMMA.numbers(["1.5", "1,5"], "y", "--y")


@given(whole_microseconds)
@example(2_960_000)
@example(0)
def test_durations_in_every_spelling(count):
    delta = timedelta(microseconds=count)
    whole, rest = divmod(count, 10**6)
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    clock = f"{hours}:{minute:02d}:{second:02d}.{rest:06d}"
    days = f"{delta.days} days {hours - 24 * delta.days:02d}:{minute:02d}:{second:02d}.{rest:06d}"
    for text in (clock, days, str(delta), f"{count}us", repr(delta.total_seconds())):
        found = seconds(text, 1.0, POINT.number)
        assert found == pytest.approx(delta.total_seconds(), rel=1e-12, abs=1e-12), text


@pytest.mark.parametrize(
    ("text", "value"), [("2.5min", 150.0), ("3 h", 10800.0), ("1:30", 5400.0), ("7", 420.0)]
)
def test_durations_with_units(text, value):
    assert seconds(text, 60.0, POINT.number) == value


@pytest.mark.parametrize("text", ["-1", "-0:00:01", "-1 days +23:59:58"])
def test_negative_durations_are_refused_by_row(text):
    with pytest.raises(InvalidInput, match=r"took in row 2 = .*at least 0"):
        durations(["1", text], "took", 1.0, POINT)


@pytest.mark.parametrize("text", ["soon", "1:2:3:4", "5 lightyears", ":"])
def test_what_is_no_duration(text):
    with pytest.raises(InvalidInput, match="no duration"):
        durations([text], "took", 1.0, POINT)


dates = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1))


@given(st.lists(dates, min_size=1, max_size=6))
def test_dates_and_epochs_in_every_unit_agree(moments):
    moments = [moment.replace(tzinfo=UTC) for moment in moments]
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    micro = [(moment - epoch) // timedelta(microseconds=1) for moment in moments]
    exact = np.array([(one - min(micro)) / 1e6 for one in micro])
    spellings = {
        "date": [moment.isoformat() for moment in moments],
        "zulu": [moment.isoformat().replace("+00:00", "Z") for moment in moments],
        "us": [str(one) for one in micro],
        "ms": [repr(one / 1e3) for one in micro],
        "s": [repr(one / 1e6) for one in micro],
    }
    for name, cells in spellings.items():
        found = instants(cells, "end", 1.0, POINT, "--end")
        assert found.since(min(micro) / 1e6) == pytest.approx(exact, abs=2e-3), name


def test_elapsed_times_are_in_the_unit():
    assert instants(["1", "2.5"], "end", 60.0, POINT, "--end").seconds.tolist() == [60.0, 150.0]


def test_mixed_zones_are_refused_by_row():
    cells = ["2024-05-01T12:00:00+02:00", "2024-05-01T12:00:00"]
    with pytest.raises(InvalidInput, match="end in row 2 = 2024-05-01T12:00:00: its zone"):
        instants(cells, "end", 1.0, POINT, "--end")


def test_seconds_among_milliseconds_are_refused_by_row():
    with pytest.raises(InvalidInput, match="end in row 2"):
        instants(["1714560000000", "1714560001"], "end", 1.0, POINT, "--end")
