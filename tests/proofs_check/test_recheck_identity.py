"""Identities of certificates: what the laws prove, what they must not, and exact arithmetic."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from proofs_check.recheck.cases import Refused
from proofs_check.recheck.field import Field, Polynomial, Quotient, number
from proofs_check.recheck.identity import check_identity
from proofs_check.recheck.rational_interval import NotDecided

Ends = tuple[int | str | None, int | str | None]


def decided(text: str, integers: str = "", **reals: Ends) -> bool:
    """Whether an identity is accepted over reals between two ends and positive integers."""
    parameters: list[dict[str, Any]] = [
        {"type": "Real", "name": name, "low": low, "high": high}
        for name, (low, high) in reals.items()
    ]
    parameters += [
        {"type": "Integer", "name": name, "low": 1, "high": None} for name in integers.split()
    ]
    domain = [f"{p['name']} >= {p['low']}" for p in parameters if p["low"] is not None]
    domain += [f"{p['name']} <= {p['high']}" for p in parameters if p["high"] is not None]
    try:
        check_identity({"parameters": parameters}, text, domain)
    except (Refused, NotDecided):
        return False
    return True


EVERYWHERE, SIGNED, POSITIVE, FROM_ZERO = (None, None), (-1, 1), (1, 2), (0, None)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("(x + 1)**3 == x**3 + 3*x**2 + 3*x + 1", EVERYWHERE),
        ("sqrt(x**2) == x", FROM_ZERO),
        ("sqrt(x)**2 == x", FROM_ZERO),
        ("sqrt(1 - x**2)**2 == 1 - x**2", SIGNED),
        ("sqrt(sqrt(x)) == x**(1/4)", FROM_ZERO),
        ("x**(1/3)*x**(2/3) == x", FROM_ZERO),
        ("x/x == 1", POSITIVE),
        ("x**(-1/2)*x == x**(1/2)", POSITIVE),
        ("1/sqrt(1 + x**2) == sqrt(1 + x**2)/(1 + x**2)", EVERYWHERE),
        ("sqrt(8) == 2*sqrt(2)", EVERYWHERE),
        ("sqrt(2)*sqrt(3) == sqrt(6)", EVERYWHERE),
        ("log(8)/log(2) == 3", EVERYWHERE),
        ("exp(log(x)) == x", POSITIVE),
        ("log(x**2) == 2*log(x)", POSITIVE),
        ("log(1/x) == -log(x)", POSITIVE),
        ("log(exp(x)) == x", EVERYWHERE),
        ("exp(x)*exp(-x) == 1", EVERYWHERE),
        ("exp(x)**(1/2) == exp(x/2)", EVERYWHERE),
        ("2**x == exp(x*log(2))", EVERYWHERE),
        ("abs(x + x) == abs(2*x)", EVERYWHERE),
        ("det([[x, 1], [1, x]]) == (x - 1)*(x + 1)", EVERYWHERE),
    ],
)
def test_laws_that_hold(text: str, ends: Ends) -> None:
    assert decided(text, x=ends)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("log(1+x) == log(1+x) + 1/10**100", FROM_ZERO),
        ("exp(x) == exp(x) + 1/10**200", EVERYWHERE),
        ("exp(x) == exp(x)*(1 + 1/10**200)", EVERYWHERE),
        ("sqrt(x**2) == x", EVERYWHERE),
        ("(x**2)**(1/2) == x", (None, -1)),
        ("sqrt(2) + sqrt(3) == sqrt(5)", EVERYWHERE),
        ("sqrt(x)**2 == x", SIGNED),
        ("x/x == 1", SIGNED),
        ("0*(1/x) == 0", SIGNED),
        ("0*log(x) == 0", FROM_ZERO),
        ("0*sqrt(x) == 0", SIGNED),
        ("0*x**(-1) == 0", SIGNED),
        ("0*x**(1/2) == 0", SIGNED),
        ("0*x**x == 0", SIGNED),
        ("exp(log(x)) == x", SIGNED),
        ("log(x**2) == 2*log(x)", (None, -1)),
        ("x**(-1/2)*x == x**(1/2)", FROM_ZERO),
        ("sin(x)**2 == 1", EVERYWHERE),
        ("abs(x) == x", EVERYWHERE),
        ("y == y", EVERYWHERE),
        ("x <= x", EVERYWHERE),
        ("det([[x, 1], [1, x]]) == (x - 1)*(x + 1) + 1/10**99", EVERYWHERE),
    ],
)
def test_what_is_false_or_undefined_is_refused(text: str, ends: Ends) -> None:
    assert not decided(text, x=ends)


def test_powers_of_what_may_be_0() -> None:
    """0^0 = 1 and 0^x = 0: exponents add where none is negative."""
    assert decided("x**(y+z) == x**y*x**z", x=(0, 1), y=FROM_ZERO, z=FROM_ZERO)
    assert not decided("x**(y+z) == x**y*x**z", x=(0, 1), y=EVERYWHERE, z=FROM_ZERO)
    assert decided("log(x*y) == log(x) + log(y)", x=POSITIVE, y=POSITIVE)
    assert not decided("log(x*y) == log(x) + log(y)", x=(None, -1), y=(None, -1))


def test_sums_over_ranges() -> None:
    assert decided("sum(k**2 for k in range(n)) == n*(n-1)*(2*n-1)/6", "n")
    assert decided("sum((j-k)**2 for j in range(n) for k in range(j)) == n**2*(n**2-1)/12", "n")
    assert decided("sum(1/(k+1) for k in range(3)) == 11/6")
    assert not decided("sum(k**2 for k in range(n)) == n*(n-1)*(2*n-1)/6 + 1/10**80", "n")
    # The range may end before it begins; its end may be no integer; a term may be undefined.
    assert not decided("sum(k for k in range(n-5)) == (n-5)*(n-6)/2", "n")
    assert not decided("sum(k for k in range(x)) == x*(x-1)/2", x=FROM_ZERO)
    assert not decided("sum(0/k for k in range(n)) == 0", "n")
    assert not decided("sum(exp(k) for k in range(n)) == n*exp(n)", "n")


WHOLE = st.integers(-5, 5)
POINT = {"x": Fraction(3, 7), "y": Fraction(-5, 2)}


def value(poly: Polynomial) -> Fraction:
    total = Fraction(0)
    for monomial, c in poly.items():
        for name, e in monomial:
            c *= POINT[name] ** int(e)
        total += c
    return total


STEPS = st.tuples(st.sampled_from(["add", "subtract", "multiply", "divide"]), WHOLE, WHOLE, WHOLE)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=6))
@example([("divide", 1, 1, 0), ("divide", 1, 0, 0), ("add", 0, 1, 1)])
def test_the_field_is_the_arithmetic_of_fractions(steps: list[tuple[str, int, int, int]]) -> None:
    field = Field()
    found, expected = number(1), Fraction(1)
    for word, a, b, c in steps:
        linear = field.add(field.scale(field.atom("x"), a), field.scale(field.atom("y"), b))
        other: Quotient = field.add(linear, number(c))
        size = a * POINT["x"] + b * POINT["y"] + c
        if word == "divide" and size == 0:
            continue
        found = getattr(field, word)(found, other)
        expected = {
            "add": expected + size,
            "subtract": expected - size,
            "multiply": expected * size,
            "divide": expected / size if size else expected,
        }[word]
    assert value(found.top) == expected * value(found.bottom)
    assert field.subtract(found, found).top == {}
