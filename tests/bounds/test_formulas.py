"""Formulas written once: their three readings agree, for every one of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import enclosure, formulas
from bounds.arithmetic import BALLS, DOUBLES, SYMBOLS, Letters
from bounds.enclosure import matrices
from bounds.gain.bound import FormulaBound, Quantities
from bounds.gain.registry import GAIN_BOUNDS

ORACLES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "gain_cap": (formulas.gain_cap, lambda x, y, z: sympy.log(1 + 1 / x) / 2),
    "phi": (formulas.phi, lambda x, y, z: x if x <= 1 else sympy.log(x) + 1 / x),
    "log_growth": (formulas.log_growth, lambda x, y, z: sympy.log(1 + x)),
    "round_drift": (formulas.round_drift, lambda x, y, z: sympy.log(1 + x / y) / 2),
    "spread": (
        lambda a, x, y, z: formulas.spread(a, formulas.log_growth, x, y, z),
        lambda x, y, z: x / 2 * sympy.log(1 + sympy.sqrt(y / x) / z),
    ),
    "tail_mean": (
        formulas.tail_mean,
        lambda x, y, z: (
            sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)
            - x * sympy.erfc(x / sympy.sqrt(2)) / 2
        ),
    ),
    "finite_domain_beta": (
        formulas.finite_domain_beta,
        lambda x, y, z: 2 * sympy.log(y * sympy.pi**2 * x**2 / (6 * z)),
    ),
    "regret_from_gain": (
        lambda a, x, y, z: formulas.regret_from_gain(a, 7, x, y, z),
        lambda x, y, z: sympy.sqrt(8 / sympy.log(1 + 1 / z) * 7 * x * y),
    ),
}
"""A formula of one to three positive numbers, and the same by another hand."""

TAKES = {"gain_cap": 1, "phi": 1, "log_growth": 1, "tail_mean": 1, "round_drift": 2}

positive = st.floats(1e-6, 1e6)


def read(formula: Callable[..., Any], numbers: list[float], takes: int) -> tuple[Any, Any, Any]:
    """The value in doubles, the ball, and the term of sympy at these numbers."""
    exact = [Fraction(number) for number in numbers[:takes]]
    symbols = sympy.symbols("x y z", positive=True)[:takes]
    term = formula(SYMBOLS, *symbols)
    rational = [sympy.Rational(q.numerator, q.denominator) for q in exact]
    with enclosure.precision(matrices.WORKING_BITS):
        ball = formula(BALLS, *(enclosure.exact(q) for q in exact))
    at = term.subs(dict(zip(symbols, rational, strict=True)))
    return formula(DOUBLES, *numbers[:takes]), ball, at


@pytest.mark.parametrize("name", ORACLES)
@given(st.lists(positive, min_size=3, max_size=3))
@settings(deadline=None, max_examples=25)
def test_each_reading_is_the_formula_by_another_hand(name: str, numbers: list[float]) -> None:
    formula, oracle = ORACLES[name]
    double, ball, term = read(formula, numbers, TAKES.get(name, 3))
    exact = [
        sympy.Rational(Fraction(number).numerator, Fraction(number).denominator)
        for number in numbers
    ]
    truth = sympy.N(oracle(*exact), 40)
    scale = max(1.0, abs(float(truth)))
    assert abs(double - float(truth)) <= 1e-12 * scale
    assert abs(sympy.N(term, 40) - truth) <= sympy.Float("1e-30") * scale
    low, high = matrices.downward(ball), matrices.upward(ball)
    assert low <= float(truth) <= high and high - low <= 1e-14 * scale


@given(st.floats(0.0, 1e6))
@settings(deadline=None)
def test_phi_is_continuous_where_its_two_sides_meet(step: float) -> None:
    """Of a ball around 1, whose side is not decided, both values are enclosed."""
    around = enclosure.ball(1).union(enclosure.ball(1) + BALLS.number(step) / 10**9)
    found = formulas.phi(BALLS, around)
    assert enclosure.certainly_le(found, 1) is not True or step == 0.0
    assert enclosure.certainly_lt(found, formulas.phi(BALLS, enclosure.ball(1))) is not True


def test_terms_of_sums_keep_their_cases() -> None:
    k, n = sympy.symbols("k n", integer=True, positive=True)
    total = sympy.Sum(k, (k, 1, n))
    found = formulas.phi(SYMBOLS, total)
    assert found.subs(n, 3).doit() == sympy.log(6) + sympy.Rational(1, 6)
    assert formulas.phi(SYMBOLS, sympy.Integer(0)) == 0


@pytest.mark.parametrize(
    "bound", [b for b in GAIN_BOUNDS.all() if isinstance(b, FormulaBound)], ids=lambda b: b.name
)
@given(st.lists(positive, min_size=4, max_size=4), st.integers(1, 500))
@settings(deadline=None, max_examples=20)
def test_every_bound_without_a_partition_has_one_formula(
    bound: FormulaBound, numbers: list[float], n: int
) -> None:
    double = bound.formula(DOUBLES, Quantities(n, *numbers))
    letters = Letters(noise="sigma2", gamma="gamma_n", span="T")
    symbols = Quantities(letters.n, letters.noise, letters.gamma, letters.theta, letters.span)
    term = bound.formula(SYMBOLS, symbols)
    values = dict(zip(symbols, (n, *map(Fraction, numbers)), strict=True))
    at = term.subs({s: sympy.Rational(Fraction(v)) for s, v in values.items()})
    assert double == pytest.approx(float(sympy.N(at, 30)), rel=1e-12)
    with enclosure.precision(matrices.WORKING_BITS):
        exact = (enclosure.exact(Fraction(number)) for number in numbers)
        ball = bound.formula(BALLS, Quantities(n, *exact))
    assert matrices.downward(ball) <= float(sympy.N(at, 30)) <= matrices.upward(ball)
