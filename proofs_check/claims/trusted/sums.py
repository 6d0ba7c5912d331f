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
            "For every function m of the lag with m(0) = 0 and all i: the sum of m(|k-l|) over all "
            "k, l = 1..i is twice the sum over l = 1..i-1 of (i-l) m(l). Tested with the capped "
            "squares m(l) = min(x^2, l^2) that the paper uses."
        ),
        parameters=(Integer("i", 1), Real("x", 0)),
        formula=(
            "sum(min(x**2, (k-l)**2) for k in range(i) for l in range(i)) == "
            "2*sum((i-l)*min(x**2, l**2) for l in range(1, i))"
        ),
        expected=Verdict.PROVED,
        because="i-l ordered pairs on each side of the diagonal have the lag l.",
    ),
    Claim(
        id="pairs-across-a-jump",
        label="A sum over pairs of a sequence with one jump",
        where="textbook",
        kind="trusted",
        statement=(
            "Of a sequence that is 0 before place m and T from there on, i terms from place k+1: "
            "the capped squared differences sum to those of the pairs across the jump, in both "
            "orders, where the terms reach both sides or end there, and to 0 elsewhere."
        ),
        parameters=(
            Integer("i", 1),
            Integer("k", 0),
            Integer("m", 1),
            Real("T", 0),
            Real("c", 0),
        ),
        let=(("t", "[T if k + j >= m else 0 for j in range(1, i+1)]"),),
        formula=(
            "sum(min(c, (t[j]-t[l])**2) for j in range(i) for l in range(i)) == "
            "(sum(min(c, T**2) for j in range(m-k-1) for l in range(k+i-m+1)) + "
            "sum(min(c, T**2) for j in range(k+i-m+1) for l in range(m-k-1)) "
            "if (m-k-1)*(k+i-m) >= 0 else 0)"
        ),
        expected=Verdict.PROVED,
        because="A finite sum splits; equal terms differ by 0.",
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
    Claim(
        id="chain-rule-scalar",
        label="The chain rule",
        where="textbook",
        kind="trusted",
        statement=(
            "A composition of differentiable functions has the derivative of the composition of "
            "their linear parts. Tested on exp(a x): the secant over [0, h] is between the slopes."
        ),
        parameters=(Real("a", 0, search=(None, 5)), Real("h", 0, 1, low_open=True)),
        formula="abs((exp(a*h)-1)/h - a) <= a**2*h*exp(a*h)",
        expected=Verdict.SUPPORTED,
        because="Textbook analysis.",
    ),
)
