"""The checker under test: planted false claims are caught, true ones pass."""

import re
from dataclasses import replace

import pytest

from proofs_check.enclosures.subdivision import enclose
from proofs_check.language.claim import BadClaim, Claim, Verdict
from proofs_check.language.parameters import (
    Integer,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Times,
    Vector,
)
from proofs_check.records import verify as verifying
from proofs_check.records.verify import verify
from proofs_check.search.cases import admits
from tests.proofs_check.planted import claim as planted_claim


def claim(formula: str, *parameters: object, expected: Verdict = Verdict.REFUTED, **more) -> Claim:
    more.setdefault("finding", "false" if expected is Verdict.REFUTED else "none")
    return planted_claim(formula, *parameters, expected=expected, **more)


def row(planted: Claim):
    return verify(claims=[planted]).rows[0]


HALF_LINE = Real("x", 0)
UNIT_CUBE = (Real("x", 0, 1), Real("y", 0, 1), Real("z", 0, 1))
FALSE = {
    "off by a constant": claim("log(1+x) + 1/1000 <= x", HALF_LINE),
    "off by a constant factor": claim("x**2/2 <= exp(x) - 1 - 2*x", Real("x", 0, 3)),
    "off by 1e-13": claim("(x+1/10**13)**2 <= x**2 + 2*x/10**13", Real("x", 0, 5)),
    "off by 1e-12 against equality everywhere": claim(
        "exp(x)*exp(-x) <= 1 - 1/10**12", Real("x", 0, 20)
    ),
    "false only at the closed boundary": claim("x*(1-x) > 0", Real("x", 0, 1, low_open=True)),
    "false only at the corner": claim(
        "x + y + x*y/10**6 <= 2 + 1/10**7", Real("x", 0, 1), Real("y", 0, 1)
    ),
    "false only for non-integers": claim("floor(x) == x", Real("x", 0, 9)),
    "false only for n = 1": claim("n**2 >= 2*n - 1 + (1 if n == 1 else 0)", Integer("n", 1)),
    "false only for ties": claim(
        "prod(t[k+1]-t[k] for k in range(n-1)) != 0", Integer("n", 2, 5), Times("t", "n")
    ),
    "true but for large n": claim("n <= 10", Integer("n", 0)),
    "false for indefinite matrices": claim("det(A) <= A[0][0]*A[1][1] - 1", Symmetric("A", 2)),
    "false identity": claim("(x+y)**3 == x**3 + y**3", Real("x"), Real("y")),
    "strict at a tie": claim("x**2 > 0", Real("x", -1, 1)),
    "true at all but the middle of a simplex": claim("x*y*z*(1-x-y-z) <= 0.99/256", *UNIT_CUBE),
    "off by 1e-12 at a third": claim("x*y*(1-x-y) <= 1/27 - 1/10**12", *UNIT_CUBE[:2]),
    "off by 1e-12 at an irrational number": claim(
        "2*x - sqrt(2)*x**2 <= 1/sqrt(2) - 1/10**12", HALF_LINE
    ),
    "a parabola that dips at seven digits": claim(
        "1/10**6 <= 1000*(x-3.1415926)**2 + 1/10**6 - 1/10**9", Real("x")
    ),
    "false just below 1": claim(
        "floor(x)**2 + floor(x) <= x**2 + x - 2.1021*(x-floor(x))**3", HALF_LINE
    ),
    "true up to n = 73": claim("(1+1/n)**n <= 2.7", Integer("n", 1)),
    "true up to n = 8103": claim("log(n) < 9", Integer("n", 1, 123_455)),
    "true up to n = 8103, by a hypothesis": claim(
        "log(n) < 9", Integer("n", 1), hypotheses=("n < 123456",)
    ),
    "off by 1e-9 where all entries agree": claim(
        "sum(v[k] for k in range(3))**2 <= (3-1/10**9)*sum(v[k]**2 for k in range(3))",
        Vector("v", 3, 0, 1),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_planted_false_claims_are_refuted(name: str) -> None:
    found = row(FALSE[name])
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert admits(FALSE[name], found.counterexample.case)


TRUE = {
    "a textbook inequality": claim("log(1+x) <= x", HALF_LINE, expected=Verdict.SUPPORTED),
    "equality everywhere, noise in floats": claim(
        "sqrt(x)**2 + (x/3)*3 <= 2*x", HALF_LINE, expected=Verdict.SUPPORTED
    ),
    "cancellation in floats": claim(
        "(x+1)**2 - x**2 - 2*x <= 1", Real("x", 0, 10**4), expected=Verdict.SUPPORTED
    ),
    "Hadamard": claim(
        "det(A) <= prod(A[k][k] for k in range(n))",
        Integer("n", 1, 4),
        PositiveSemidefinite("A", "n"),
        expected=Verdict.SUPPORTED,
    ),
    "enclosed": claim(
        "exp(x) - 1 - x - x**2/2 <= x**3 + 1/100",
        Real("x", 0, 1),
        box="all",
        expected=Verdict.PROVED,
    ),
    "enclosed on a part": claim(
        "exp(-x) <= 1/2 + 1/1000",
        Real("x", "69/100"),
        box={"x": ("7/10", "3")},
        expected=Verdict.PROVED_ON_BOX,
        hypotheses=("x >= 7/10",),
        reading="x >= 7/10.",
    ),
    "up to a size": claim(
        "2**n >= n + 1", Integer("n", 0), box={"n": ("0", "40")}, expected=Verdict.PROVED_UP_TO
    ),
    "all integers of a range": claim(
        "2**n >= n + 1", Integer("n", 0, 40), box="all", expected=Verdict.PROVED
    ),
    "no parameters": claim("pi**2/6 < 2", expected=Verdict.PROVED),
}


@pytest.mark.parametrize("name", TRUE)
def test_planted_true_claims_pass(name: str) -> None:
    found = row(TRUE[name])
    assert found.verdict is TRUE[name].expected, found.engines


def test_a_vacuous_domain_is_neither_proved_nor_supported() -> None:
    empty = claim("x >= 5", Real("x", 0, 1), hypotheses=("x > 2",), expected=Verdict.UNDECIDED)
    for planted in (empty, replace(empty, box="all")):
        assert row(planted).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("formula", ["0*sqrt(x-1) <= 1", "0*(x-1)**(1/2) <= 1", "0*(x-1)**y <= 1"])
def test_a_box_that_closes_says_that_there_is_a_value(formula: str) -> None:
    planted = claim(
        formula, Real("x", 0, 1), Real("y", "1/3", "1/2"), box="all", expected=Verdict.UNDECIDED
    )
    assert enclose(planted, 4_000).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("seed", range(3))
def test_small_violations_are_found_whatever_the_seed(seed: int) -> None:
    for name in ("off by 1e-12 at a third", "false just below 1", "true up to n = 73"):
        assert verify(claims=[FALSE[name]], seed=seed).rows[0].verdict is Verdict.REFUTED, name


def test_the_search_says_how_far_it_looked() -> None:
    near = claim("n + x >= 0", Integer("n", 0), Real("x", 0, 1), expected=Verdict.SUPPORTED)
    sentence = row(near).engines[0].sentence
    largest = int(re.search(r"n 0 … (\d+)", sentence)[1])
    assert largest > 10**4
    assert "x 0 … 1" in sentence


def test_floating_point_noise_is_not_a_refutation() -> None:
    """Equal sides whose floats differ by about 1e-12: no counterexample, and no proof."""
    noisy = claim(
        "sum((1/3)*k for k in range(200))*3 <= 19900",
        HALF_LINE,
        expected=Verdict.SUPPORTED,
    )
    assert row(noisy).verdict is Verdict.SUPPORTED
    tie = claim("exp(x)*exp(-x) <= 1", Real("x", 0, 20), expected=Verdict.SUPPORTED)
    assert row(tie).verdict is not Verdict.REFUTED


def test_an_unconfirmed_violation_is_undecided() -> None:
    """Floats lose all digits, and no enclosure of an exact tie can decide it."""
    planted = claim(
        "(exp(x+40) - exp(40)*exp(x))*10**3 <= 0", Real("x", 1, 2), expected=Verdict.UNDECIDED
    )
    assert row(planted).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    "fault",
    [
        {"formula": "x + z <= 1"},
        {"formula": "x"},
        {"finding": "none"},
        {"kind": "repair"},
    ],
)
def test_claims_that_contradict_themselves(fault: dict[str, object]) -> None:
    sound = claim("x <= 1", Real("x", 0))
    with pytest.raises((BadClaim, ValueError)):
        replace(sound, **fault)


def test_the_simplest_counterexample_is_small() -> None:
    found = row(claim("(x-7)**2 + y**2 >= 1", Real("x", 0, 100), Real("y", 0, 100)))
    assert found.counterexample is not None
    assert found.counterexample.case == {"x": 7, "y": 0}


def test_sizes_shrink_with_everything_of_that_size() -> None:
    planted = claim(
        "det(A) >= 0",
        Integer("n", 1, 4),
        Symmetric("A", "n"),
        Vector("t", "n", 0),
    )
    found = row(planted)
    assert found.counterexample is not None
    assert found.counterexample.case["n"] == 1
    assert len(found.counterexample.case["t"]) == 1


@pytest.mark.parametrize(
    "formula",
    [
        "len(outer([k/3 for k in range(100000)], [k/7 for k in range(100000)])) >= x",
        "len([3**600000 + k for k in range(200000)]) >= x",
    ],
)
def test_a_hostile_formula_is_undecided_within_its_limits(formula, monkeypatch) -> None:
    monkeypatch.setattr("proofs_check.records.limits.MEMORY", 1 << 28)
    fast = (*verifying.BUDGETS["fast"][:2], 1)
    monkeypatch.setitem(verifying.BUDGETS, "fast", fast)
    honest = claim("log(1+x) <= x", HALF_LINE, expected=Verdict.SUPPORTED)
    hostile = claim(formula, HALF_LINE, expected=Verdict.UNDECIDED)
    found = verify(claims=[hostile, replace(honest, id="honest")])
    assert [one.verdict for one in found.rows] == [Verdict.UNDECIDED, Verdict.SUPPORTED]
    assert found.as_expected
