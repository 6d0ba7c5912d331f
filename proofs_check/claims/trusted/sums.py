"""Textbook facts on which proofs of the main text rest: the trusted base."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

CLAIMS = (
    Claim(
        id="sum-by-lags",
        label="Counting pairs by lag",
        where="textbook",
        kind="trusted",
        statement=(
            "For every function m of the lag with m(0) = 0 and all i: the sum of m(|k-l|) over "
            "all k, l = 1..i is twice the sum over l = 1..i-1 of (i-l) m(l)."
        ),
        reading=("The search tries the capped squares m(l) = min(x^2, l^2) that the paper uses."),
        parameters=(Integer("i", 1), Real("x", 0)),
        formula=(
            "sum(min(x**2, (k-l)**2) for k in range(i) for l in range(i)) == "
            "2*sum((i-l)*min(x**2, l**2) for l in range(1, i))"
        ),
        expected=Verdict.PROVED,
        because="i-l ordered pairs on each side of the diagonal have the lag l.",
    ),
    Claim(
        id="log-below-line",
        label="log(1+x) <= x",
        where="textbook",
        kind="trusted",
        statement="For all x >= 0: log(1+x) <= x.",
        parameters=(Real("x", 0),),
        formula="log(1+x) <= x",
        expected=Verdict.PROVED,
        because="Equality at 0, and the difference grows.",
    ),
    Claim(
        id="exp-above-line",
        label="exp(-y) >= 1-y",
        where="textbook",
        kind="trusted",
        statement="For all y >= 0: 1 - exp(-y) <= y.",
        parameters=(Real("y", 0),),
        formula="1 - exp(-y) <= y",
        expected=Verdict.PROVED,
        because="Equality at 0, and the difference grows.",
    ),
    Claim(
        id="exp-above-tangent",
        label="exp(y) >= 1+y",
        where="textbook",
        kind="trusted",
        statement="For all y >= 0: exp(-y) (1+y) <= 1.",
        parameters=(Real("y", 0),),
        formula="exp(-y)*(1+y) <= 1",
        expected=Verdict.PROVED,
        because="Equality at 0, and the difference grows.",
    ),
    Claim(
        id="bernoulli",
        label="Bernoulli's inequality and monotone powers",
        where="textbook",
        kind="trusted",
        statement=(
            "For all e in [0, 1) and a >= 0: (1-e)^a >= 1-ae where a >= 1, and (1-e)^a >= 1-e "
            "where a <= 1."
        ),
        parameters=(Real("e", 0, 1, high_open=True), Real("a", 0)),
        formula="(1-e)**a >= (1 - a*e if a >= 1 else 1-e)",
        expected=Verdict.PROVED,
        because="x^a is convex for a >= 1; powers of a number in [0, 1] decrease in a.",
    ),
    Claim(
        id="log-product",
        label="The logarithm of a product",
        where="textbook",
        kind="trusted",
        statement="For all x, y > 0: log(xy) = log(x) + log(y).",
        parameters=(Real("x", 0, low_open=True), Real("y", 0, low_open=True)),
        formula="log(x*y) == log(x) + log(y)",
        expected=Verdict.PROVED,
        because="The functional equation of the logarithm.",
    ),
)
