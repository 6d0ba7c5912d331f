"""Numbers on one axis: their order, their places, any width."""

from hypothesis import given
from hypothesis import strategies as st

from ctv.show.axis import NARROWEST, WIDEST, Mark, NumberLine

VALUES = st.floats(1e-9, 1e12)


def line_of(values: list[float]) -> NumberLine:
    return NumberLine(tuple(Mark(f"m{i}", v, f"{v:.3g}") for i, v in enumerate(values)), "")


@given(st.lists(VALUES, min_size=2, max_size=5), st.integers(NARROWEST, 200))
def test_marks_stand_in_the_order_of_their_values(values: list[float], width: int) -> None:
    values = sorted(values)
    lines = line_of(values).lines(width)
    axis = next(line for line in lines[1:] if "●" in line or "├" in line)
    assert all(len(one) <= min(width, WIDEST) for one in lines[1:])
    assert 1 <= axis.count("●") <= len(values)
    names = "".join(lines[lines.index(axis) + 1 :])
    assert all(f"m{i}" in names for i in range(len(values)))


@given(VALUES, VALUES)
def test_a_sign_stands_only_where_it_is_true(one: float, other: float) -> None:
    assert ("≤" in line_of([one, other]).sentence) == (one <= other)


def test_what_has_no_logarithm_stands_in_the_sentence_alone() -> None:
    line = line_of([0.0, 3.0, 30.0])
    assert "m0 0" in line.sentence
    assert line.text(60).count("●") == 2
    assert line_of([0.0, 3.0]).lines(60) == [line_of([0.0, 3.0]).sentence]
