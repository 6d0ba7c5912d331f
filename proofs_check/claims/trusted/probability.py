"""Textbook facts of probability and analysis on which the proofs rest: the trusted base.

Where a fact speaks of processes (reflection, Borell–TIS), the claim tests its simplest case that
can be evaluated: a fair random walk, the absolute value of one normal variable.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Vector

_WALK = "sum(2*(floor(p/2**j) - 2*floor(p/2**(j+1))) - 1 for j in range(k))"  # S_k of walk number p
_END = _WALK.replace("range(k)", "range(m)")
_WALKS = "range(floor(2**m))"

CLAIMS = (
    Claim(
        id="gaussian-tail",
        label="Gaussian tail",
        where="textbook",
        kind="trusted",
        statement="For a standard normal X and c >= 0: Pr(|X| > c) <= exp(-c^2/2).",
        parameters=(Real("c", 0),),
        formula="2*normal_cdf(-c) <= exp(-c**2/2)",
        expected=Verdict.PROVED,
        because="Equality at 0; beyond, the ratio of the tails falls.",
    ),
    Claim(
        id="union-bound",
        label="Union bound",
        where="textbook",
        kind="trusted",
        statement=(
            "The probability that one of n events happens is at most the sum of their "
            "probabilities, in every space with a measure."
        ),
        reading="The search tries independent events.",
        parameters=(Integer("n", 1, 6), Vector("p", "n", 0, 1)),
        formula="1 - prod(1 - p[k] for k in range(n)) <= sum(p[k] for k in range(n))",
        expected=Verdict.PROVED,
        because="Countable subadditivity.",
    ),
    Claim(
        id="basel",
        label="The sum of inverse squares is π²/6",
        where="textbook (Euler)",
        kind="trusted",
        statement="For all n >= 1: the sum of 1/k^2 over k = 1..n is below π^2/6, its limit.",
        parameters=(Integer("n", 1, reach=200),),
        formula="sum(1/k**2 for k in range(1, n+1)) < pi**2/6",
        expected=Verdict.PROVED,
        because="Euler.",
    ),
    Claim(
        id="cauchy-schwarz",
        label="Cauchy–Schwarz",
        where="textbook",
        kind="trusted",
        statement="For real numbers v_1..v_n: (sum v)^2 <= n sum v^2.",
        parameters=(Integer("n", 1), Vector("v", "n", search=(-100, 100))),
        formula=("sum(v[k] for k in range(n))**2 <= n*sum(v[k]**2 for k in range(n))"),
        expected=Verdict.PROVED,
        because="Jensen for the square.",
    ),
    Claim(
        id="jensen-log",
        label="Jensen for the logarithm",
        where="textbook",
        kind="trusted",
        statement="For v_k >= 0: the mean of log(1+v_k) is at most log(1 + the mean of v_k).",
        parameters=(Integer("n", 1, reach=6), Vector("v", "n", 0)),
        formula=("sum(log(1+v[k]) for k in range(n)) <= n*log(1 + sum(v[k] for k in range(n))/n)"),
        expected=Verdict.PROVED,
        because="The logarithm is concave.",
    ),
    Claim(
        id="log-increasing",
        label="The logarithm increases",
        where="textbook",
        kind="trusted",
        statement="For 0 < x <= y: log x <= log y.",
        parameters=(Real("x", 0, low_open=True), Real("y", "x")),
        formula="log(x) <= log(y)",
        expected=Verdict.PROVED,
        because="Its derivative is positive.",
    ),
    Claim(
        id="power-increasing",
        label="Powers increase",
        where="textbook",
        kind="trusted",
        statement="For 0 < x <= y and real e >= 0: x^e <= y^e.",
        parameters=(
            Real("x", 0, low_open=True),
            Real("y", "x"),
            Real("e", 0),
        ),
        formula="x**e <= y**e",
        expected=Verdict.PROVED,
        because="The logarithm increases.",
    ),
    Claim(
        id="log-chord",
        label="The chord of log(1+sx) over [0, 1]",
        where="textbook",
        kind="trusted",
        statement="For s > 0 and 0 <= v <= 1: v log(1+s) <= log(1+sv).",
        parameters=(Real("s", 0, low_open=True), Real("v", 0, 1)),
        formula="v*log(1+s) <= log(1+s*v)",
        expected=Verdict.PROVED,
        because="A concave function lies above its chord; equality at 0 and 1.",
    ),
    Claim(
        id="exp-at-most-one",
        label="exp(-y) <= 1",
        where="textbook",
        kind="trusted",
        statement="For y >= 0: exp(-y) <= 1.",
        parameters=(Real("y", 0),),
        formula="exp(-y) <= 1",
        expected=Verdict.PROVED,
        because="The exponential increases.",
    ),
    Claim(
        id="log-det-tangent",
        label="The tangent of log det",
        where="textbook",
        kind="trusted",
        statement=(
            "For positive semidefinite B and a diagonal A = diag(a): "
            "log det(I+B) <= sum of log a_k + (1+B_kk)/a_k - 1, for a_k >= 1."
        ),
        parameters=(
            Integer("n", 1, 3),
            PositiveSemidefinite("B", "n"),
            Vector("a", "n", 1, search=(None, 100)),
        ),
        formula=(
            "log(det(add(identity(n), B))) <= "
            "sum(log(a[k]) + (1+B[k][k])/a[k] - 1 for k in range(n))"
        ),
        expected=Verdict.PROVED,
        because="log det is concave; its gradient at A is the inverse of A.",
    ),
    Claim(
        id="posterior-chain-rule",
        label="Chain rule for the information gain (Srinivas et al., Lemma 5.3)",
        where="Cover and Thomas, chapter 8",
        kind="trusted",
        statement=(
            "For every number of rounds: log det(I+sK) is the sum over the rounds of log(1 + s "
            "v), v the posterior variance before the round; each v is between 0 and the prior "
            "variance."
        ),
        reading="The search tries three rounds, the variance as a ratio of determinants.",
        parameters=(Real("s", 0, low_open=True, search=(None, 100)), PositiveSemidefinite("K", 3)),
        formula=(
            "det(add(identity(3), scale(s, K))) == (1 + s*K[0][0])"
            "*(1 + s*(K[1][1] - s*K[0][1]**2/(1+s*K[0][0])))"
            "*(1 + s*det([[1/s+K[0][0], K[0][1], K[0][2]], [K[0][1], 1/s+K[1][1], K[1][2]],"
            " [K[0][2], K[1][2], K[2][2]]])"
            "/det([[1/s+K[0][0], K[0][1]], [K[0][1], 1/s+K[1][1]]]))"
        ),
        expected=Verdict.PROVED,
        because="Schur complements.",
    ),
    Claim(
        id="reflection-principle",
        label="Reflection principle",
        where="textbook",
        kind="trusted",
        statement=(
            "Brownian motion: Pr(sup over [0,T] of B > u) = 2 Pr(B_T > u). Tested in its discrete "
            "form: of the 2^m fair walks, those with maximum >= u are as many as those with "
            "S_m >= u plus those with S_m > u."
        ),
        parameters=(Integer("m", 1, 5), Integer("u", 1, "m")),
        formula=(
            f"sum(1 if max({_WALK} for k in range(1, m+1)) >= u else 0 for p in {_WALKS}) == "
            f"sum(1 if {_END} >= u else 0 for p in {_WALKS}) + "
            f"sum(1 if {_END} > u else 0 for p in {_WALKS})"
        ),
        expected=Verdict.SUPPORTED,
        because="Reflect the walk after its first visit to u.",
    ),
    Claim(
        id="borell-tis",
        label="Borell–TIS inequality",
        where="Adler and Taylor, Random Fields and Geometry, theorem 2.1.1",
        kind="trusted",
        statement=(
            "For a centred Gaussian process with variances at most 1 and m = E sup: "
            "Pr(sup > m + x) <= exp(-x^2/2). Tested with the process (X, -X)."
        ),
        parameters=(Real("x", 0),),
        formula="2*normal_cdf(-(sqrt(2/pi) + x)) <= exp(-x**2/2)",
        expected=Verdict.SUPPORTED,
        because="The case tested has room to spare; the theorem is a textbook's.",
    ),
)
