"""False claims planted on purpose: each is refuted, or at least never proved.

What the search must find (integers far from their low end, sized objects beyond n = 13, needles,
constants, small sizes) is REFUTED; what has no value or speaks of nothing is never proved.
"""

import pytest

from proofs_check.language.claim import Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times, Vector
from proofs_check.records.ledger import Row
from proofs_check.records.verify import verify
from tests.proofs_check.planted import claim

UNIT, OTHER, LINE, HALF = Real("x", 0, 1), Real("y", 0, 1), Real("x"), Real("x", 0)
COUNT, BEYOND = Integer("n", 1), Integer("m", 1)
UNIT_MATRIX = PositiveSemidefinite("A", "n", unit=True)
ENTRIES = Vector("v", "n", 0, 1)

REFUTED = [
    # late integers
    ("n*(n+1) != 9900", (COUNT,)),
    ("(n-137)**2 > 0", (COUNT,)),
    ("n**2 + n + 41 != 1681", (Integer("n", 0),)),
    ("abs(n - 99999) >= 1", (COUNT,)),
    ("n <= 1000*log(n) + 100", (COUNT,)),
    ("2**(-n) >= 1e-150", (COUNT,)),
    ("n + m <= 200000", (COUNT, BEYOND)),
    ("(n-50)**2 + (m-60)**2 >= 1", (COUNT, BEYOND)),
    ("sum(1/k for k in range(1, n+1)) <= 6", (COUNT,)),
    ("sum(1/k**2 for k in range(1, n+1)) <= 1.64", (COUNT,)),
    ("sum(1 for k in range(n)) <= 150", (COUNT,)),
    ("prod(1 - 1/(k+2) for k in range(n)) >= 1/300", (COUNT,)),
    ("n*x <= 12345", (COUNT, UNIT)),
    ("(n - 40000)**2 >= 1", (COUNT,)),
    ("n**2 <= 10**11", (COUNT,)),
    ("n - 7*floor(n/7) <= 5", (COUNT,)),
    ("n**2 - n + 11 != 121", (COUNT,)),
    ("sqrt(n + 10**6) >= sqrt(n) + 1/10", (COUNT,)),
    ("abs(sin(n)) >= 1/1000", (COUNT,)),
    ("m <= n + 500", (COUNT, Integer("m", 1, "2*n"))),
    # sized objects
    ("det(A) >= 1/10**9", (COUNT, UNIT_MATRIX)),
    ("log(det(add(identity(n), A))) <= 14*log(2)", (COUNT, UNIT_MATRIX)),
    ("sum(v[k] for k in range(n)) <= 20", (COUNT, ENTRIES)),
    ("trace(A) <= 20", (COUNT, PositiveSemidefinite("A", "n", bound=True))),
    (
        "t[n-1] - t[0] <= 13*max(t[k+1]-t[k] for k in range(n-1))",
        (Integer("n", 2), Times("t", "n")),
    ),
    (
        "sum(min(1, (t[j]-t[k])**2) for j in range(n) for k in range(n)) <= 200",
        (COUNT, Times("t", "n")),
    ),
    ("sum(v[k] for k in range(n))**2 <= 15*sum(v[k]**2 for k in range(n))", (COUNT, ENTRIES)),
    ("det(A) <= A[0][0]*A[n-1][n-1]", (COUNT, PositiveSemidefinite("A", "n"))),
    ("det(A) <= 10**12", (COUNT, PositiveSemidefinite("A", "n"))),
    ("v[0] <= 10**9", (Vector("v", 1, 0),)),
    # needles
    ("(x-22/7)**2 + (y-1/3)**2 > 0", (LINE, OTHER)),
    ("abs(x-1/1000) + abs(y-999/1000) >= 1/10**8", (UNIT, OTHER)),
    ("x**2*exp(-x) <= 4*exp(-2) - 1/10**10", (HALF,)),
    ("x*log(x) >= -exp(-1) + 1/10**11", (Real("x", 0, 1, low_open=True),)),
    ("sin(x) <= 1 - 1/10**10", (LINE,)),
    ("(1+1/x)**x <= 2.718281", (Real("x", 1),)),
    ("log(1+x) <= 25", (HALF,)),
    ("x/(1+x) <= 1 - 1/10**8", (HALF,)),
    ("exp(-x) >= 1/10**40", (HALF,)),
    ("x**2 >= 1/10**16", (Real("x", 0, 1, low_open=True),)),
    ("floor(x) != 100", (Real("x", 0, 150),)),
    ("abs(x-y) > 0", (UNIT, OTHER)),
    ("max(x, y) - min(x, y) < 1", (UNIT, OTHER)),
    ("(x-y)**2 + (x*y-1/2)**2 >= 1e-12", (UNIT, OTHER)),
    ("1/10**7 <= abs(exp(x) - 3)", (Real("x", 1, 2),)),
    ("1e-300*x < x", (HALF,)),
    # constants
    ("exp(pi) - pi >= 20", ()),
    ("pi**4 + pi**5 >= exp(6)", ()),
    ("sqrt(2) + sqrt(3) >= 3.14626437", ()),
    ("1e-999 <= 0", ()),
    ("0.1 + 0.2 > 0.3", ()),
    # small sizes
    ("n*log(n) > 0", (COUNT,)),
    ("sum(k for k in range(n)) > 0", (COUNT,)),
    ("(n-1)*(n-2)*(n-3) >= 0", (Integer("n", 0),)),
    ("2**n >= n**2", (COUNT,)),
    ("(1+1/n)**(n+1) < 4", (COUNT,)),
    ("sqrt(n+2) - floor(sqrt(n+2)) > 0", (COUNT,)),
    ("sum(k**3 for k in range(1, n+1)) > 1", (COUNT,)),
    ("det(A) < prod(A[k][k] for k in range(n))", (COUNT, PositiveSemidefinite("A", "n"))),
]
NEVER_PROVED = [
    ("floor(n/1000)*1000 < n", (Integer("n", 1, 5000),)),
    # without a value somewhere
    ("sqrt(1000 - n) >= 0", (COUNT,)),
    ("1/(n-20) != 7", (COUNT,)),
    ("log(2 - x) <= 1", (HALF,)),
    ("v[n] >= 0", (COUNT, ENTRIES)),
    ("max(v[k] for k in range(n-1)) >= 0", (COUNT, ENTRIES)),
    ("x**x >= 0", (LINE,)),
    ("sum(1/(x-k) for k in range(3))**2 >= 0", (Real("x", 0, 2),)),
    ("1/(exp(x)-1) >= 0", (UNIT,)),
    ("sqrt(sin(x)) >= 0", (Real("x", 0, 4),)),
    ("log(log(1+x)) <= x", (HALF,)),
    ("[1/k for k in range(n)][n-1] > 0", (COUNT,)),
    ("(-1)**x <= 1", (Real("x", 0, 2),)),
    ("x*log(x) <= 0", (UNIT,)),
    ("min(v[k] for k in range(n)) <= v[0]", (Integer("n", 0), ENTRIES)),
    ("x**(n-3)*x**3 == x**n", (LINE, COUNT)),
    # false at an irrational number alone
    ("(x**2-2)**2 > 0", (Real("x", 1, 2),)),
    ("abs(sin(x)) > 0", (Real("x", 3, 4),)),
    ("exp(x) != 2", (UNIT,)),
    # of nothing
    ("n == n + 1", (Integer("n", 3, 2),)),
    ("x == x + 1", (Real("x", 1, 1, low_open=True),)),
]


@pytest.fixture(scope="module")
def rows() -> tuple[Row, ...]:
    """What becomes of each, all in one ledger: for every ledger a process is started."""
    every = enumerate((*REFUTED, *NEVER_PROVED))
    return verify(claims=[claim(text, *of, id=f"planted-{k}") for k, (text, of) in every]).rows


@pytest.mark.parametrize("number", range(len(REFUTED)), ids=[text for text, _ in REFUTED])
def test_it_is_refuted(number: int, rows: tuple[Row, ...]) -> None:
    found = rows[number]
    assert found.verdict is Verdict.REFUTED, found.reason


@pytest.mark.parametrize("number", range(len(NEVER_PROVED)), ids=[text for text, _ in NEVER_PROVED])
def test_it_is_not_proved(number: int, rows: tuple[Row, ...]) -> None:
    found = rows[len(REFUTED) + number]
    assert found.verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED), found.reason


@pytest.mark.parametrize("hypothesis", ["x**2 + 1 <= 0", "2*x == 2*x + 1", "sin(x) >= 2"])
def test_nothing_is_said_of_nothing(hypothesis: str) -> None:
    empty = claim("x == x + 1", UNIT, hypotheses=(hypothesis,), box="all")
    assert verify(claims=[empty]).rows[0].verdict is Verdict.UNDECIDED


PAIR = (Vector("p", "n", 0, 1), Real("q", 0))


@pytest.mark.parametrize(
    ("formula", "hypothesis", "verdict"),
    [
        ("p[0] <= 1/2", "sum(p[k] for k in range(n)) == 1", Verdict.REFUTED),
        ("p[0] <= 1", "sum(p[k] for k in range(n)) == 1", Verdict.SUPPORTED),
        ("q <= n", "2*q + 1 == sum(p[k] for k in range(n))", Verdict.SUPPORTED),
        ("q <= 3", "2*q == 1 + 5*p[0]", Verdict.SUPPORTED),
        ("q <= 29/10", "2*q == 1 + 5*p[0]", Verdict.REFUTED),
    ],
)
def test_the_search_meets_hypotheses_that_are_equations(formula, hypothesis, verdict) -> None:
    """Nobody draws numbers that sum to 1: one is solved for, or all are scaled."""
    one = claim(formula, COUNT, *PAIR, hypotheses=(hypothesis,))
    assert verify(claims=[one]).rows[0].verdict is verdict
