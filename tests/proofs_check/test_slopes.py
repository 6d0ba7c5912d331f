"""Inequalities that touch: proved where they hold, in two ways, and never where they fail."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import enclosure
from proofs_check.enclosures.slopes import simplest
from proofs_check.enclosures.subdivision import enclose
from proofs_check.enclosures.taylor import ORDER, Taylor, words
from proofs_check.language import formula
from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.domains import parameters
from proofs_check.recheck.independent import evaluate
from proofs_check.recheck.ledger import recheck
from proofs_check.recheck.slopes import derivative, follows
from proofs_check.records.certificate import certificate
from proofs_check.records.verify import verify
from tests.proofs_check.planted import claim

TRUE = {
    "log(1+x) >= x/2": "x in [0, 1]",
    "x <= 1": "x in [0, 1]",
    "exp(x) >= 1 + x": "x in [-1, 1]",
    "x - x**2/2 <= log(1+x)": "x in [0, 3]",
    "9*x**2 - 6*x + 1 >= 0": "x in [0, 1]",
    "2*x*(1-x) <= 1/2": "x in [0, 1]",
    "1 - normal_cdf(x) <= exp(-x**2/2)/2": "x in [0, 6]",
    "sqrt(1+x) <= 1 + x/2": "x in [0, 4]",
    "x*y <= x": "x in [0, 1]; y in [0, 1]",
    "x**3 <= x**2": "x in [0, 1]",
    "(x if x >= -1 else 1) <= exp(x) - 1": "x in [0, 1]",
    "(x if y >= 1/3 else x/2) <= exp(x) - 1": "x in [0, 1]; y in [1/2, 1]",
}
# Neighbours that fail, some of them next to the point where the sides touch.
FALSE = {
    "log(1+x) >= 7*x/10": "x in [0, 1]",
    "x <= 999999999999/1000000000000": "x in [0, 1]",
    "exp(x) >= 1 + 1000001*x/1000000": "x in [0, 1]",
    "x**2 >= x/1000000000": "x in [0, 1]",
    "9*x**2 - 6*x + 1 >= 1/100000000000000": "x in [0, 1]",
    "x**3 >= 0": "x in [-1, 1]",
    "2*x*(1-x) < 1/2": "x in [0, 1]",
    "x*y >= y": "x in [0, 1]; y in [0, 1]",
    # Branches of one slope that jump between them, and numbers that no double is.
    "x + (0 if x <= 1/3 else -1/3 - 1/10**9) >= 0": "x in [0, 1]",
    "x + (0 if x*x <= 1/7 else 0 - sqrt(1/7) - 1/10**12) >= 0": "x in [0, 1]",
    "(x if x <= 1/3 else x - 1/3 - 1/10**9) >= 0": "x in [0, 1]",
    "(0 if exp(x) != 3/2 else -1) >= 0": "x in [0, 1]",
    "x >= 1e-400": "x in [0, 1]",
    "x**2 + 0.1 >= 0.1000000000000000000000000000001": "x in [0, 1]",
}


def of(text: str, domain: str) -> Claim:
    words = f"For x, y in {domain}: {text}."
    proved = Verdict.PROVED
    return claim(text, *parameters(domain), statement=words, expected=proved, box="all")


@pytest.mark.parametrize(("text", "domain"), TRUE.items())
def test_what_touches_is_proved_and_derived_again(text, domain, tmp_path: Path) -> None:
    one = of(text, domain)
    ledger = verify(claims=[one])
    (row,) = ledger.rows
    assert row.verdict is Verdict.PROVED and row.by == "enclosure"
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(certificate(ledger, "1")), encoding="utf-8")
    (found,) = recheck(path, [one])
    assert found.accepted and "boxes" in found.reason


@pytest.mark.parametrize(("text", "domain"), FALSE.items())
def test_what_fails_is_never_proved(text: str, domain: str) -> None:
    assert enclose(of(text, domain), 600).verdict is Verdict.UNDECIDED
    box = {p.name: (Fraction(p.low), Fraction(p.high)) for p in parameters(domain)}  # type: ignore[attr-defined]
    assert not follows(text, [], box)


def test_a_definition_is_what_is_written_too() -> None:
    box = {"x": (Fraction(0), Fraction(1))}
    assert follows("y <= x", [["y", "x - 1e-400*(1 - x)"]], box)
    assert not follows("y <= x", [["y", "x + 1e-400*(1 - x)"]], box)


def test_where_two_meet_neither_slope_is_that_of_the_larger() -> None:
    """At 0 the larger of 0 and x is 0, and of no slope; so is |x|."""
    for text in ("max(0, x)", "max(x, 0)", "min(x, 2*x)", "abs(x)", "max([x, 0, 0-1])"):
        with pytest.raises(enclosure.Undecided, match="a kink"):
            formula.evaluate(text, words(), {"x": Taylor((0, 1))})
        assert formula.evaluate(text, words(), {"x": Taylor((1, 1))})[0] == 1
    with pytest.raises(enclosure.Undecided, match="a branch"):
        values = {"x": Taylor((enclosure.interval(Fraction(0), Fraction(1)), 1))}
        formula.evaluate("(0 if x <= 1/2 else 1)", words(), values)


def test_a_root_or_a_pole_inside_is_no_value() -> None:
    """f grows in x all over the box and is 0 at its lower end, but the other root has no value."""
    assert enclose(of("0*sqrt(y) <= x", "x in [0, 1]; y in [-1, 1]"), 400).verdict != "PROVED"
    assert enclose(of("0/y <= x", "x in [0, 1]; y in [-1, 1]"), 400).verdict != "PROVED"


WORDS = ("log(2+x)", "exp(x/2)", "sqrt(2+x)", "sin(3*x)", "erf(x)", "normal_cdf(x)", "1/(2+x)",
         "(2+x)**(1/3)", "x**3", "(2+x)**-2", "(1+x)*exp(-x)", "(2+x)**x")  # fmt: skip


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("at", [Fraction(0), Fraction(-2, 7)])
def test_both_derivatives_are_those_of_the_function(text: str, at: Fraction) -> None:
    """Of the polynomials and of the formulas, against mpmath's own differences."""
    with enclosure.precision(200), mpmath.workdps(30):
        x = enclosure.exact(at)
        found = formula.evaluate(text, words(), {"x": Taylor((x, 1))})
        plain = {"normal_cdf": mpmath.ncdf, "power": mpmath.power, "divide": mpmath.fdiv}
        plain |= {w: getattr(mpmath, w) for w in ("log", "exp", "sqrt", "sin", "erf")}

        def f(z):
            return formula.evaluate(text, plain, {"x": z})

        point = mpmath.mpf(at.numerator) / at.denominator
        slope = text
        for order in range(ORDER + 1):
            wanted = mpmath.diff(f, point, order)
            for one in (found[order], evaluate(slope, {"x": x})):
                low, high = enclosure.endpoints(one)
                assert float(low) - 1e-9 <= float(wanted) <= float(high) + 1e-9
            slope = derivative(slope, "x")


@given(st.fractions(-5, 5, max_denominator=300), st.fractions(0, 2, max_denominator=300))
def test_the_simplest_fraction_lies_inside(low: Fraction, width: Fraction) -> None:
    found = simplest(low, low + width)
    assert low <= found <= low + width
    smaller = range(1, found.denominator)
    assert not any(-(-low * q // 1) <= (low + width) * q // 1 for q in smaller)
