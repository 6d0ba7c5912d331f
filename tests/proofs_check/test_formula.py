"""The language of claims: what it admits, and that all its arithmetics agree."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import enclosure
from proofs_check.language import formula
from proofs_check.language.formula import BadFormula
from proofs_check.recheck import independent

NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=20)
LEAVES = st.sampled_from(["x", "y", "2", "0.5", "1/3"])
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds("({}) + ({})".format, inner, inner),
        st.builds("({}) - ({})".format, inner, inner),
        st.builds("({}) * ({})".format, inner, inner),
        st.builds("({})**2".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("min({}, {})".format, inner, inner),
        st.builds("({} if x <= y else {})".format, inner, inner),
        st.builds("sum(({})*k for k in range(3))".format, inner),
        st.builds("exp(-abs({}))".format, inner),
        st.builds("det([[{}, 1], [x, {}]])".format, inner, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(text=FORMULAS, x=NUMBERS, y=NUMBERS)
def test_three_arithmetics_agree(text: str, x: Fraction, y: Fraction) -> None:
    exact = formula.evaluate(
        text, formula.rigorous(), {"x": formula.as_exact(x), "y": formula.as_exact(y)}
    )
    low, high = enclosure.endpoints(exact)
    other = independent.evaluate(text, {"x": independent.lifted(x), "y": independent.lifted(y)})
    assert other.low <= high and low <= other.high
    if enclosure.is_exact(exact):
        assert other.low == other.high == low
    in_floats = formula.evaluate(text, formula.floats(), {"x": float(x), "y": float(y)})
    assert abs(in_floats - float(low)) <= 1e-6 * max(1.0, abs(in_floats))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "x.real",
        "lambda: 1",
        "'text'",
        "1 < x < 2",
        "_x",
        "x +",
        "[k for k in y][0](1)",
        "True",
        "(x := 2)",
    ],
)
def test_what_is_not_a_formula(text: str) -> None:
    with pytest.raises(BadFormula):
        formula.parse(text)


def test_a_statement_needs_two_sides() -> None:
    with pytest.raises(BadFormula):
        formula.relation("x + 1")


def test_names_leave_out_indices_and_functions() -> None:
    assert formula.names("sum(t[k]*exp(x) for k in range(n)) <= pi") == {"t", "x", "n"}


def test_definitions_are_written_out_last_first() -> None:
    written = formula.expand("z", [("y", "x+1"), ("z", "y*y")])
    assert formula.normal(written) == formula.normal("(x+1)*(x+1)")
