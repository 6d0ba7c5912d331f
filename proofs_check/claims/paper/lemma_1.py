"""Lemma 1 (section 4): the uniformity C of i consecutive rounds in the uniform setting t_k = T/n.

As printed: (T/n)^2 i^2 (i^2-1)/6 where i <= n/(εT), and a second polynomial where i >= n/(εT).
Its first case is right; its second only where n/(εT) is an integer, which the lemma does not say
(its proof does, "for simplicity").

Throughout x = n/(εT) is the lag at which the cap begins, and C is in units of (T/n)^2, so that
1/ε^2 becomes x^2. The start k_0 of the block drops out: only differences of times enter.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_DIRECT = "sum(min(1/eps**2, (T*k/n - T*l/n)**2) for k in range(1,i+1) for l in range(1,i+1))"
_SECOND = "T/(eps*n)*((n/(T*eps))**3/2 - 4*i*(n/(T*eps))**2/3 + (i**2 - 1/2)*n/(T*eps) + i/3)"
_LAGS = "sum(min(x**2, (k-l)**2) for k in range(i) for l in range(i))"
_EXACT = "i*K*(K+1)*(2*K+1)/3 - K**2*(K+1)**2/2 + x**2*(i-1-K)*(i-K)"
_READING = "The block counts rounds (indices), not distinct time points; T > 0 and ε in (0, 1]."
_SETTING = (
    Integer("n", 1),
    Integer("i", 1, "n"),
    Real("T", 0, low_open=True),
    Real("eps", 0, 1, low_open=True),
)

CLAIMS = (
    Claim(
        id="lemma-1-uncapped",
        label="Lemma 1, first case",
        where="section 4, Lemma 1",
        statement=(
            "For all i >= 1 and T, n > 0 with i <= n/(εT): C of i consecutive rounds is "
            "(1/6)(T/n)^2 i^2 (i^2-1)."
        ),
        reading=(
            "The block counts rounds; h = T/n, x = n/(εT), and C is h^2 times the capped "
            "squares of lags."
        ),
        parameters=(Integer("i", 1), Real("x", "i"), Real("h", 0, low_open=True)),
        formula=f"h**2*{_LAGS} == h**2*i**2*(i**2-1)/6",
        expected=Verdict.PROVED,
        because="All lags are at most i-1 < n/(εT), so every minimum is the square.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-1-capped",
        label="Lemma 1, second case",
        where="section 4, Lemma 1",
        statement=(
            "For all n, 2 <= i <= n, T > 0 and ε in (0, 1/2] with 1 <= n/(εT) <= i: C of i "
            "consecutive rounds is the printed second polynomial."
        ),
        reading=(
            "The block counts rounds (indices), not distinct time points. Asked well inside the "
            "lemma's range, n/(εT) >= 1 and ε <= 1/2; below 1 it fails too "
            "(appendix-d-case-4-single-rounds)."
        ),
        parameters=(Integer("n", 4), Integer("i", 2, "n"), *_SETTING[2:]),
        hypotheses=(
            "i*eps*T >= n",
            "n >= eps*T",
            "eps <= 1/2",
        ),
        formula=f"{_DIRECT} == {_SECOND}",
        witnesses=({"n": 6, "i": 4, "T": 8, "eps": "1/2"},),
        expected=Verdict.REFUTED,
        because=(
            "True only where n/(εT) is an integer: between integers the printed polynomial is not "
            "the sum. The proof assumes an integer 'for simplicity'; the lemma does not."
        ),
        finding="missing hypothesis",
        printed_proof="gap",
        repairs=("lemma-1-capped-integer", "lemma-1-exact", "appendix-d-second-formula-above"),
    ),
    Claim(
        id="lemma-1-capped-integer",
        label="Lemma 1, second case, with its missing hypothesis",
        where="section 4, Lemma 1",
        kind="repair",
        statement=(
            "For all i >= x >= 1 where x = n/(εT) is an integer: C of i consecutive rounds is "
            "(T/n)^2 x (x^3/2 - 4 i x^2/3 + (i^2 - 1/2) x + i/3)."
        ),
        reading="The block counts rounds; the search tries T/n = 1.",
        parameters=(Integer("i", 1), Integer("x", 1, "i")),
        formula=f"{_LAGS} == x*(x**3/2 - 4*i*x**2/3 + (i**2-1/2)*x + i/3)",
        expected=Verdict.PROVED,
        because="The exact form at K = x.",
    ),
    Claim(
        id="lemma-1-exact",
        label="Lemma 1, for every real n/(εT)",
        where="section 4, Lemma 1",
        kind="repair",
        statement=(
            "For all i >= 1 and real x = n/(εT) > 0 with K = min(i-1, integer part of x): C of "
            "i consecutive rounds is (T/n)^2 times i K(K+1)(2K+1)/3 - K^2(K+1)^2/2 + x^2 "
            "(i-1-K)(i-K)."
        ),
        reading="The block counts rounds; the search tries T/n = 1.",
        parameters=(
            Integer("i", 1),
            Integer("K", 0, "i-1"),
            Real("x", "K"),
        ),
        hypotheses=("(x-K-1)*(i-1-K) <= 0",),
        formula=f"{_LAGS} == {_EXACT}",
        expected=Verdict.PROVED,
        because="Count pairs by lag, split at the cap, sum powers.",
    ),
)
