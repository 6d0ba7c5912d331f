"""Textbook facts on which proofs of the main text rest: the trusted base."""

from proofs_check.claim import Claim, Growth, Verdict
from proofs_check.parameters import Integer, Real

CLAIMS = (
    Claim(
        id="sum-by-lags",
        label="Counting pairs by lag",
        where="textbook",
        kind="trusted",
        statement=(
            "For every function m of the lag with m(0) = 0 and all i: the sum of m(|k-l|) over all "
            "k, l = 1..i is twice the sum over l = 1..i-1 of (i-l) m(l). Tested with the capped "
            "squares m(l) = min(x^2, l^2) that the paper uses."
        ),
        parameters=(Integer("i", 1), Real("x", 0)),
        formula=(
            "sum(min(x**2, (k-l)**2) for k in range(i) for l in range(i)) == "
            "2*sum((i-l)*min(x**2, l**2) for l in range(1, i))"
        ),
        expected=Verdict.SUPPORTED,
        because="i-l ordered pairs on each side of the diagonal have the lag l.",
    ),
    Claim(
        id="sum-split",
        label="Splitting a finite sum",
        where="textbook",
        kind="trusted",
        statement=(
            "A finite sum splits at any index, and terms may be replaced by equal ones. Tested "
            "with capped squares split at K, the integer part of x."
        ),
        parameters=(Integer("i", 1), Integer("K", 0, "i-1"), Real("x", "K")),
        hypotheses=("(x-K-1)*(i-1-K) <= 0",),
        formula=(
            "sum((i-l)*min(x**2, l**2) for l in range(1, i)) == "
            "sum((i-l)*l**2 for l in range(1, K+1)) + sum((i-l)*x**2 for l in range(K+1, i))"
        ),
        expected=Verdict.SUPPORTED,
        because="Associativity of addition.",
    ),
    Claim(
        id="log-below-line",
        label="log(1+x) <= x",
        where="textbook",
        kind="trusted",
        statement="For all x >= 0: log(1+x) <= x.",
        parameters=(Real("x", 0),),
        formula="log(1+x) <= x",
        proof=(Growth("log(1+x) <= x", variable="x", start="0", derivative="1 - 1/(1+x)"),),
        expected=Verdict.PROVED,
        because="Equality at 0, and the difference grows.",
    ),
)
