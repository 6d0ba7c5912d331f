"""Appendix C: the proofs of Lemmas 1 and 2 (uniformity of uniform and of biased times).

x = n/(εT) is the lag at which the cap begins, sums are in units of (T/n)². The statements of the
lemmas are claims of their own (`lemma_1`, `lemma_2`).
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_PAIRS = "sum(min(x**2, (k-l)**2) for k in range(i) for l in range(i))"
_POLYNOMIAL = "x*(i**2*x - 4*i*x**2/3 + x**3/2 + i/3 - x/2)"
_LINE = "sum(l**2*(i-l) for l in range(1, x+1)) + x**2*sum(l for l in range(i-x))"
_INTEGERS = (Integer("i", 1), Integer("x", 1, "i"))
_TIMES = "sum(min(c, ((0 if j < a else T) - (0 if k < a else T))**2)"
_BIASED = f"{_TIMES} for j in range(a+b) for k in range(a+b))"

CLAIMS = (
    Claim(
        id="appendix-c-scaling",
        label="Lemma 1, proof, display 1, line 3",
        where="appendix C, proof of Lemma 1, display 1",
        kind="step",
        statement=(
            "With q = (T/n)^2 > 0, a = (n/(εT))^2, b = (k-l)^2, so that qa = 1/ε^2: "
            "min(qa, qb) = q min(a, b)."
        ),
        parameters=(Real("q", 0, low_open=True), Real("a", 0), Real("b", 0)),
        formula="min(q*a, q*b) == q*min(a, b)",
        expected=Verdict.PROVED,
        because="Take h² out of the minimum.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-no-cap",
        label="Lemma 1, proof, case 1",
        where="appendix C, proof of Lemma 1, display 2, line 1",
        kind="step",
        statement="For a lag m with |m| <= i-1 and x >= i: min(x^2, m^2) = m^2.",
        parameters=(Integer("i", 1), Real("x", "i"), Real("m", "1-i", "i-1")),
        formula="min(x**2, m**2) == m**2",
        expected=Verdict.PROVED,
        because="|m| < i <= x.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-squares",
        label="Lemma 1, proof, case 1, the sum of squares",
        where="appendix C, proof of Lemma 1, display 2, line 2",
        kind="step",
        statement="For i >= 1: the sum of (k-l)^2 over k, l = 1..i is i^2(i^2-1)/6.",
        parameters=(Integer("i", 1),),
        formula="sum((k-l)**2 for k in range(1,i+1) for l in range(1,i+1)) == i**2*(i**2-1)/6",
        expected=Verdict.PROVED,
        because="Sums of powers.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-split",
        label="Lemma 1, proof, case 2, line 2",
        where="appendix C, proof of Lemma 1, display 3, line 2",
        kind="step",
        statement="For every x > 0 and lag m: min(x^2, m^2) is m^2 where |m| <= x, else x^2.",
        parameters=(Real("x", 0, low_open=True), Real("m", search=(-100, 100))),
        formula="min(x**2, m**2) == (m**2 if abs(m) <= x else x**2)",
        expected=Verdict.PROVED,
        because="The definition of the minimum.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-lags",
        label="Lemma 1, proof, case 2, line 3",
        where="appendix C, proof of Lemma 1, display 3, line 3",
        statement=(
            "For integers 1 <= x <= i: the sum of min(x^2, (k-l)^2) over k, l = 1..i equals the "
            "sum of l^2(i-l) over l = 1..x plus x^2 times the sum of l over l = 1..i-x-1."
        ),
        reading="x an integer, as the proof assumes.",
        parameters=_INTEGERS,
        formula=f"{_PAIRS} == {_LINE}",
        expected=Verdict.REFUTED,
        because=(
            "Every lag l > 0 occurs in 2(i-l) ordered pairs: a factor 2 is missing. At i = 2, "
            "x = 1 the sum is 2, the line 1."
        ),
        finding="false",
        printed_proof="false",
        repairs=("appendix-c-lags-doubled",),
        remark="The factor reappears on the next line, so the result does not suffer.",
    ),
    Claim(
        id="appendix-c-polynomial",
        label="Lemma 1, proof, case 2, line 4",
        where="appendix C, proof of Lemma 1, display 3, line 4",
        statement=(
            "For integers 1 <= x <= i: the sum of l^2(i-l) over l = 1..x plus x^2 times the sum of "
            "l over l = 1..i-x-1 equals x(i^2 x - 4ix^2/3 + x^3/2 + i/3 - x/2)."
        ),
        parameters=_INTEGERS,
        formula=f"{_LINE} == {_POLYNOMIAL}",
        expected=Verdict.REFUTED,
        because="The polynomial is twice line 3: the missing factor 2 returns here.",
        finding="false",
        place_of="appendix-c-lags",
        printed_proof="false",
        repairs=("appendix-c-lags-doubled",),
    ),
    Claim(
        id="appendix-c-lags-doubled",
        label="Lemma 1, proof, case 2, lines 3 and 4 with the factor 2",
        where="appendix C, proof of Lemma 1, display 3, lines 3 and 4",
        kind="repair",
        statement=(
            "For integers 1 <= x <= i: twice the line equals x(i^2 x - 4ix^2/3 + x^3/2 + i/3 "
            "- x/2)."
        ),
        reading="At x = i the second sum is empty; its closed form (i-x-1)(i-x)/2 is 0 there.",
        parameters=_INTEGERS,
        formula=f"2*({_LINE}) == {_POLYNOMIAL}",
        expected=Verdict.PROVED,
        because="Sums of powers.",
    ),
    Claim(
        id="appendix-c-last-line",
        label="Lemma 1, proof, case 2, last line",
        where="appendix C, proof of Lemma 1, display 3, line 5",
        kind="step",
        statement=(
            "With x = n/(Tε): (T/n)^2 x (i^2 x - 4ix^2/3 + x^3/2 + i/3 - x/2) is the second "
            "polynomial of Lemma 1."
        ),
        parameters=(
            Real("T", 0, low_open=True),
            Real("n", 0, low_open=True),
            Real("eps", 0, 1, low_open=True),
            Real("i", 1),
        ),
        let=(("x", "n/(T*eps)"),),
        formula=f"(T/n)**2*{_POLYNOMIAL} == T/(eps*n)*(x**3/2 - 4*i*x**2/3 + (i**2-1/2)*x + i/3)",
        expected=Verdict.PROVED,
        because="(T/n)² x = T/(εn).",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-integer-lag",
        label="Lemma 1, proof, case 2: n/(εT) an integer 'for simplicity'",
        where="appendix C, proof of Lemma 1, before display 3",
        statement=(
            "For all i >= 3 and real x in [1, i]: the sum over pairs is x(x^3/2 - 4ix^2/3 + …)."
        ),
        reading=(
            "The lemma is stated for all n, ε, T; the proof for integers x only. Asked where 1 "
            "<= n/(εT) <= i."
        ),
        parameters=(Integer("i", 3), Real("x", 1, "i")),
        formula=f"{_PAIRS} == {_POLYNOMIAL}",
        witnesses=({"i": 4, "x": "5/2"},),
        expected=Verdict.REFUTED,
        because=(
            "Between integers the sum is a quadratic in x, not a quartic. Below 1, where appendix "
            "D uses it (Case 4), it is never right: a single round has C = 0."
        ),
        finding="missing hypothesis",
        place_of="lemma-1-capped",
        printed_proof="gap",
        repairs=("lemma-1-exact", "lemma-1-capped-integer"),
        remark="It is no generality lost 'for simplicity'.",
    ),
    Claim(
        id="appendix-c-boundary",
        label="Lemma 1, the two cases at i = n/(εT)",
        where="appendix C, proof of Lemma 1",
        kind="step",
        statement="At x = i both formulas agree: i(i^3 - 4i^3/3 + i^3/2 + i/3 - i/2).",
        parameters=(Integer("i", 1),),
        formula="i*(i**2*i - 4*i*i**2/3 + i**3/2 + i/3 - i/2) == i**2*(i**2-1)/6",
        expected=Verdict.PROVED,
        because="Both cases contain i = n/(εT).",
    ),
    Claim(
        id="appendix-c-biased-outside",
        label="Lemma 2, proof, the block without round n_0",
        where="appendix C, proof of Lemma 2, display 2",
        kind="step",
        statement="All times of the block are equal, to t: every term (t-t)^2 is 0.",
        reading="Membership of the round n_0 in the block, not of the value τ_{n_0}.",
        parameters=(Real("t", 0, search=(None, 100)),),
        formula="(t-t)**2 == 0",
        expected=Verdict.PROVED,
        because="No jump inside the block.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-biased-counts",
        label="Lemma 2, proof, lines 2 and 3: how many rounds on either side",
        where="appendix C, proof of Lemma 2, display 3, lines 2 and 3",
        kind="step",
        statement=(
            "Of the indices l = 1..i of a block after k_0 those with k_0 + l < n_0 are n_0-k_0-1, "
            "the others k_0+i-n_0+1."
        ),
        reading=(
            "τ_{l_0+k} on line 2 stands for τ_{k_0+k}. n_0 is a round of the block. The search "
            "tries the sum of both."
        ),
        parameters=(
            Integer("k0", 0),
            Integer("i", 1),
            Integer("n0", "k0+1", "k0+i"),
        ),
        formula="i - (n0-k0-1) == k0+i-n0+1",
        expected=Verdict.PROVED,
        because=("τ_{l_0+k} on line 2 stands for τ_{k_0+k}. The counts hold."),
        finding="slip",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-biased-sum",
        label="Lemma 2, proof, lines 4 and 5",
        where="appendix C, proof of Lemma 2, display 3, lines 4 and 5",
        kind="step",
        statement=(
            "For a rounds at time 0 and b at time T, cap c: the sum over ordered pairs is "
            "2ab min(c, T^2)."
        ),
        parameters=(
            Integer("a", 0, 6),
            Integer("b", 0, 6),
            Real("c", 0, search=(None, 1000)),
            Real("T", 0, search=(None, 100)),
        ),
        formula=f"{_BIASED} == 2*a*b*min(c, T**2)",
        expected=Verdict.PROVED,
        because="Only pairs across the jump count, in both orders.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-c-biased-classes",
        label="Lemma 2, proof, lines 4 and 5, pair by pair",
        where="appendix C, proof of Lemma 2, display 3, lines 4 and 5",
        kind="step",
        statement=(
            "a^2 pairs differ by 0, b^2 by T - T, 2ab by T: the capped squares sum to 2ab min(c, "
            "T^2)."
        ),
        parameters=(Real("a", 0), Real("b", 0), Real("c", 0), Real("T", 0)),
        formula=(
            "a**2*min(c, 0) + b**2*min(c, (T-T)**2) + 2*a*b*min(c, T**2) == 2*a*b*min(c, T**2)"
        ),
        expected=Verdict.PROVED,
        because="Only pairs across the jump count.",
        printed_proof="sound",
    ),
)
