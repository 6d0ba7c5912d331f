"""Axes map their ranges onto [0, 1] and back, and say which row does not fit."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from own_runs.logs.axes import Axis, observed_axes, parse_domain


@st.composite
def axes(draw):
    log, integer = draw(st.booleans()), draw(st.booleans())
    low = draw(st.integers(1, 100)) if integer else draw(st.floats(1e-6, 1e3))
    high = low + draw(st.integers(1, 1000)) if integer else low * draw(st.floats(1.01, 1e6))
    return Axis("a", low, high, log=log, integer=integer)


@given(axes(), st.lists(st.floats(0.0, 1.0), min_size=1, max_size=5))
def test_back_and_forth(axis, shares):
    values = axis.from_unit(np.array(shares))
    axis.check(values)
    again = axis.from_unit(axis.to_unit(values))
    assert again == pytest.approx(values, rel=1e-9)
    if not axis.integer:
        assert axis.to_unit(values) == pytest.approx(shares, abs=1e-9)


@given(axes())
def test_written_and_read_again(axis):
    (found,) = parse_domain(str(axis))
    assert (found.log, found.integer) == (axis.log, axis.integer)
    assert found.low == pytest.approx(axis.low, rel=1e-5)


@given(st.lists(st.text("abcXYZ019 _-", min_size=1).map(str.strip), min_size=2, unique=True))
def test_words_written_and_read_again(labels):
    assume(all(labels))
    for ordered in (False, True):
        axis = Axis.of_words("a", labels, ordered=ordered)
        assert parse_domain(str(axis)) == (axis,)
        assert axis.unordered is not ordered and axis.levels(100) == pytest.approx(
            np.linspace(0.0, 1.0, len(labels))
        )
        for place, label in zip(axis.levels(100), labels, strict=True):
            assert axis.value(float(place)) == label
            assert axis.to_unit(np.array([axis.code(label)])) == pytest.approx([place])
    assert axis.code("another") is None


@given(axes(), st.integers(2, 60))
def test_levels_are_few_and_inside(axis, most):
    levels = axis.levels(most)
    assert 2 <= len(levels) <= most
    assert np.all(np.diff(levels) > 0) and levels[0] == 0.0 and levels[-1] == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lr",
        "lr=1",
        "lr=2..1",
        "lr=0..1 log",
        "d=1.5..3 int",
        "lr=a..b",
        "lr=0..1 cubic",
        "lr=0..1, lr=0..2",
        "lr=0..inf",
        "lr=nan..1",
        "kernel=rbf|rbf",
        "kernel=|rbf",
        "kernel=rbf|linear, kernel=1..2",
    ],
)
def test_bad_domains_are_one_line(text):
    with pytest.raises(InvalidInput, match="domain"):
        parse_domain(text)


def test_rows_outside_are_named():
    with pytest.raises(
        InvalidInput, match=r"lr = 0.5 in row 1 to 3 in row 2: outside 0\.\.1: give lr=0\.\.3"
    ):
        Axis("lr", 0.0, 1.0).check(np.array([0.5, 3.0]))
    with pytest.raises(InvalidInput, match=r"d in row 1 = 1\.5: no whole number"):
        Axis("d", 1.0, 4.0, integer=True).check(np.array([1.5]))


def test_an_input_that_never_changes_is_refused():
    with pytest.raises(InvalidInput, match="lr = 2 in every row"):
        observed_axes(["lr"], np.full((3, 1), 2.0))
