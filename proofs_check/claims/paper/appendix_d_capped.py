"""Appendix D, Lemma 15, Cases 3 and 4: εT >= 1, where the cap of the uniformity matters.

e = εT, x = n/e; ε²C is the block's sum of min(1, ε²(τ_j-τ_k)²), at most i(i-1) whatever the times.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_LAG = Real("x", 0, low_open=True)
_REST = "2*K*m + 4*K/3 - f**2/2 + f*(4*m/3 - 2*K/3 + 5/6) + m/3 + 1/3"
_SURPLUS = (
    "x*(i**2*x - 4*i*x**2/3 + x**3/2 + i/3 - x/2) - "
    "(i*K*(K+1)*(2*K+1)/3 - K**2*(K+1)**2/2 + x**2*(i-1-K)*(i-K))"
)
_SECOND = "(x**3/2 - 4*i*x**2/3 + (i**2-1/2)*x + i/3)/(x*i)"

CLAIMS = (
    Claim(
        id="appendix-d-i0-exists",
        label="Lemma 15, Case 3, the block length i_0",
        where="appendix D, proof of Lemma 15, Case 3, definition of i_0",
        statement="For all n >= 10 and 1 <= e <= n: i_0 = floor(n/e) + 1 <= n.",
        parameters=(Integer("n", 10), Real("e", 1, "n")),
        formula="floor(n/e) + 1 <= n",
        expected=Verdict.REFUTED,
        because="At εT = 1, which belongs to Case 3, i_0 = n+1 is no block length.",
        finding="slip",
        printed_proof="gap",
        repairs=("appendix-d-i0-repaired",),
        remark="There Case 3-1 reaches all i <= n, and nothing is lost.",
    ),
    Claim(
        id="appendix-d-i0-repaired",
        label="Lemma 15, Case 3, i_0 for εT > 1",
        where="appendix D, proof of Lemma 15, Case 3",
        kind="repair",
        statement=(
            "For all n >= 2, x in [1, n) and K its integer part: i_0 = K + 1 is at most n and "
            "at least x."
        ),
        reading="x = n/(εT), 1 < εT <= n.",
        parameters=(
            Integer("n", 2),
            Integer("K", 1, "n"),
            Real("x", "K", "min(K+1, n)", high_open=True),
        ),
        hypotheses=("(n-K-1)*(n-K) >= 0",),
        formula="max(K + 1 - n, x - K - 1) <= 0",
        expected=Verdict.PROVED,
        because="x < n, so its integer part is at most n-1.",
        remark="The hypothesis says no more than that n and K are integers.",
    ),
    Claim(
        id="appendix-d-i0-case-4",
        label="Lemma 15, Case 3, that there is no i_0 in Case 4",
        where="appendix D, proof of Lemma 15, Case 3, after the definition of i_0",
        statement=("For all n >= 10 and e = εT > n (Case 4): i_0 = floor(n/e) + 1 is not in [n]."),
        reading="The text defers to Case 4 the case where such an i_0 does not exist.",
        parameters=(Integer("n", 10), Real("e", "n", low_open=True)),
        formula="floor(n/e) + 1 > n",
        witnesses=({"n": 20, "e": 50},),
        expected=Verdict.REFUTED,
        because=(
            "In Case 4 i_0 = 1, which is in [n]; i_0 is missing at εT = 1 instead "
            "(appendix-d-i0-exists)."
        ),
        finding="slip",
        printed_proof="gap",
        repairs=("appendix-d-i0-case-4-repaired",),
    ),
    Claim(
        id="appendix-d-i0-case-4-repaired",
        label="Lemma 15, i_0 in Case 4",
        where="appendix D, proof of Lemma 15, Case 3, after the definition of i_0",
        kind="repair",
        statement=(
            "For all n >= 1 and x = n/(εT) in (0, 1): x < 1 <= x + 1 and 1 <= n, so i_0 = 1."
        ),
        parameters=(Integer("n", 1), Real("x", 0, 1, low_open=True, high_open=True)),
        formula="max(x - 1, 1 - (x+1), 1 - n) <= 0",
        expected=Verdict.PROVED,
        because="The integer part of x is 0.",
    ),
    Claim(
        id="appendix-d-uncapped-at-i0",
        label="Lemma 15, Case 3-1, the uncapped formula at i = i_0",
        where="appendix D, proof of Lemma 15, Case 3-1",
        kind="step",
        statement=(
            "For lags m in [0, K], K = floor(x), i_0 = K+1: min(x^2, m^2) = m^2, although i_0 > x."
        ),
        parameters=(Real("K", 0), Real("x", "K", "K+1"), Real("m", 0, "K")),
        formula="min(x**2, m**2) == m**2",
        expected=Verdict.PROVED,
        because=(
            "Lags inside a block of i_0 rounds end at i_0 - 1 <= x. Lemma 1, which the case cites, "
            "says so for i <= n/(εT) only, and i_0 lies beyond."
        ),
        finding="wrong reason",
        printed_proof="gap",
        repairs=("lemma-1-exact",),
        remark="Lemma 1's first formula holds for all i <= n/(εT) + 1.",
    ),
    Claim(
        id="appendix-d-case-3-1-order",
        label="Lemma 15, Case 3-1, powers of n/(εT)",
        where="appendix D, proof of Lemma 15, Case 3-1",
        kind="step",
        statement="For t = log(n/(εT)) >= 0: 0 <= 2t/5 <= 2t/3 <= t.",
        parameters=(Real("t", 0),),
        formula="max(-2*t/5, 2*t/5-2*t/3, 2*t/3-t) <= 0",
        expected=Verdict.PROVED,
        because="n/(εT) >= 1.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-case-3-2-uniformity",
        label="Lemma 15, Case 3-2, the uniformity of a block",
        where="appendix D, proof of Lemma 15, Case 3-2, display 1",
        statement=(
            "For all i >= 2 and real x = n/(εT) in [1, i]: the capped squares of i rounds sum to "
            "the second formula, x(x^3/2 - 4ix^2/3 + (i^2-1/2)x + i/3)."
        ),
        reading="Units (T/n)^2. The display takes Lemma 1's second formula for every n, ε and T.",
        parameters=(Integer("i", 2), Real("x", 1, "i")),
        formula=(
            "sum(min(x**2, (k-l)**2) for k in range(1, i+1) for l in range(1, i+1)) == "
            "x*(x**3/2 - 4*i*x**2/3 + (i**2-1/2)*x + i/3)"
        ),
        witnesses=({"i": 2, "x": "3/2"},),
        expected=Verdict.REFUTED,
        because="Between integers the formula is too large: at i = 2, x = 3/2 the sum is 2.",
        finding="missing hypothesis",
        place_of="lemma-1-capped",
        printed_proof="gap",
        repairs=("appendix-d-second-formula-above", "lemma-1-exact"),
        remark="An upper bound is all that the case needs, and that it is.",
    ),
    Claim(
        id="appendix-d-case-3-2-argument",
        label="Lemma 15, Case 3-2, the argument of φ",
        where="appendix D, proof of Lemma 15, definition of ψ",
        kind="step",
        statement=(
            "For i, x >= 1: ε^2 C/i by the second formula, "
            "(x^3/2 - 4ix^2/3 + (i^2-1/2)x + i/3)/(xi), is at most i + x^2/i + 1/x."
        ),
        parameters=(Integer("i", 1), Real("x", 0, low_open=True)),
        formula=f"{_SECOND} <= i + x**2/i + 1/x",
        rests_on=("appendix-d-second-formula-above",),
        expected=Verdict.OUTLINE,
        because="Drop the negative terms.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-second-formula-difference",
        label="Lemma 15, Cases 3-2 and 4, the second formula between integers, by how much",
        where="appendix D, proof of Lemma 15, Cases 3-2 and 4",
        kind="repair",
        statement=(
            "For K = floor(x), f = x-K in [0, 1], i = K+1+m, m >= 0: the second formula minus the "
            "exact uniformity is f(1-f)(2Km + 4K/3 - f^2/2 + f(4m/3-2K/3+5/6) + m/3 + 1/3)."
        ),
        reading="Units (T/n)^2; lemma-1-exact is the exact form.",
        parameters=(Integer("K", 0), Integer("m", 0), Real("f", 0, 1)),
        let=(("x", "K+f"), ("i", "K+1+m")),
        formula=f"{_SURPLUS} == f*(1-f)*({_REST})",
        rests_on=("lemma-1-exact",),
        expected=Verdict.OUTLINE,
        because="Expand.",
    ),
    Claim(
        id="appendix-d-second-formula-above",
        label="Lemma 15, Cases 3-2 and 4, the second formula is an upper bound",
        where="appendix D, proof of Lemma 15, Cases 3-2 and 4",
        kind="repair",
        statement=(
            "For i consecutive uniform times and every real n/(εT) <= i: C is at most Lemma 1's "
            "second formula, which is wrong between integers."
        ),
        reading=(
            "So is φ there: phi-non-decreasing. The search tries the surplus, K, m >= 0 and f in "
            "[0, 1] as in appendix-d-second-formula-difference."
        ),
        parameters=(Real("K", 0), Real("m", 0), Real("f", 0, 1)),
        formula=f"f*(1-f)*({_REST}) >= 0",
        expected=Verdict.PROVED,
        because="Equality at both integers; between them the quartic lies above the quadratic.",
    ),
    Claim(
        id="appendix-d-cap",
        label="Lemma 15, Cases 3-2 and 4 without any formula for C",
        where="appendix D, proof of Lemma 15, Cases 3-2 and 4",
        kind="repair",
        statement="For any ε in [0, 1] and gap g >= 0: min(1, (εg)^2) <= 1.",
        reading=(
            "So ε^2 C/i <= i whatever the times, φ(sqrt(i)/σ^2) is a logarithm, ψ(i) is Õ(1) "
            "and the regret Õ(n)."
        ),
        parameters=(Real("eps", 0, 1), Real("g", 0, search=(None, 1000))),
        formula="min(1, (eps*g)**2) <= 1",
        expected=Verdict.PROVED,
        because="The cap.",
    ),
    Claim(
        id="appendix-d-arithmetic-geometric",
        label="Lemma 15, Case 3-2, i + x²/i >= 2x",
        where="appendix D, proof of Lemma 15, Case 3-2",
        kind="step",
        statement="For i > 0 and x >= 0: i + x^2/i >= 2x.",
        parameters=(Real("i", 0, low_open=True), Real("x", 0)),
        formula="i + x**2/i >= 2*x",
        expected=Verdict.PROVED,
        because="Arithmetic and geometric mean.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-psi-branch",
        label="Lemma 15, Cases 3-2 and 4, which branch φ takes in ψ",
        where="appendix D, proof of Lemma 15, Cases 3-2 and 4, definition of ψ",
        kind="step",
        statement="For i >= 1 and x = n/(εT) > 0: i + x^2/i + 1/x >= 1.",
        reading=(
            "So its root is at least 1, and φ is the branch with the logarithm: "
            "appendix-d-phi-branch."
        ),
        parameters=(Integer("i", 1), _LAG),
        formula="i + x**2/i + 1/x >= 1",
        expected=Verdict.PROVED,
        because="i >= 1.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-twice-lag",
        label="Lemma 15, Case 3-2, 2n/(εT) >= i_0 >= 1",
        where="appendix D, proof of Lemma 15, Case 3-2",
        kind="step",
        statement="For x >= 1: 2x >= floor(x) + 1.",
        reading="So the argument of φ is at least 1 up to the constant 1/σ².",
        parameters=(Real("x", 1),),
        formula="2*x >= floor(x) + 1",
        expected=Verdict.PROVED,
        because="x >= K and x >= 1.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-psi-i0",
        label="Lemma 15, Case 3-2, the bound on ψ(i_0)",
        where="appendix D, proof of Lemma 15, Case 3-2, last line before Case 3 is closed",
        kind="step",
        statement=("For x >= 1: ½ log(2x + 1/x) <= 1 + sqrt(x), the size that the lines allow it."),
        reading="The logarithm alone is Õ(1).",
        parameters=(Real("x", 1),),
        formula="log(2*x + 1/x)/2 <= 1 + sqrt(x)",
        expected=Verdict.PROVED,
        because="log(1+y) <= y, wastefully used: the case ends above the trivial n.",
        finding="vacuous",
        printed_proof="sound",
        remark=(
            "Case 3-2 ends with n(1 + (n/(εT))^(1/4)), more than the trivial n; only Case 3-1 "
            "matters."
        ),
    ),
    Claim(
        id="appendix-d-psi-i0-argument",
        label="Lemma 15, Case 3-2, the argument of ψ at i_0",
        where="appendix D, proof of Lemma 15, Case 3-2, ψ(i_0), lines 1 and 2",
        kind="step",
        statement=(
            "For x = n/(εT) >= 1 with integer part K and i = i_0 = K+1: 2x + 1/x <= i + x^2/i + "
            "1/x <= 2(2x + 1/x), and 1/i <= 1/x."
        ),
        reading=(
            "So ψ(i_0) is, up to constants, the line with n/(εT) + (εT/n)(n/(εT))^2 + εT/n for "
            "the root's argument."
        ),
        parameters=(Integer("K", 1), Real("x", "K", "K+1", high_open=True)),
        let=(("i", "K+1"), ("y", "i + x**2/i + 1/x")),
        formula="max(2*x + 1/x - y, y - 2*(2*x + 1/x), 1/i - 1/x) <= 0",
        expected=Verdict.PROVED,
        because="x < i <= 2x, and the mean of i and x²/i is at least x.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-psi-i0-bound",
        label="Lemma 15, Case 3-2, ψ(i_0), lines 3 to the end",
        where=(
            "appendix D, proof of Lemma 15, Case 3-2, ψ(i_0), lines 3 and 4 and the display "
            "after them"
        ),
        kind="step",
        statement=(
            "For x = n/(εT) >= 1, v = 2x + 1/x: 1/x + ½ log v + 1/sqrt(v) <= 1/x + (1 + "
            "sqrt(x)) + 1/sqrt(x) <= 3(1 + sqrt(x))."
        ),
        reading="εT/n = 1/x <= 1 in Case 3; the terms of the printed line, in its order.",
        parameters=(Real("x", 1),),
        let=(("v", "2*x + 1/x"), ("w", "1/x + (1 + sqrt(x)) + 1/sqrt(x)")),
        formula="max(1/x + log(v)/2 + 1/sqrt(v) - w, w - 3*(1 + sqrt(x))) <= 0",
        expected=Verdict.PROVED,
        because="appendix-d-psi-i0, v >= x, and 1/x <= 1/sqrt(x) <= 1.",
        finding="vacuous",
        place_of="appendix-d-psi-i0",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-case-3-combined",
        label="Lemma 15, Case 3, the minimum of both parts",
        where="appendix D, proof of Lemma 15, end of Case 3",
        kind="step",
        statement="For κ <= 1: 4/5 + κ/5 <= 1.",
        parameters=(Real("kappa", None, 1, search=(-10, None)),),
        formula="4/5 + kappa/5 <= 1",
        expected=Verdict.PROVED,
        because="εT <= n.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-case-3-cited",
        label="Lemma 15, end of Case 3, the equation cited for Case 3-1",
        where="appendix D, proof of Lemma 15, end of Case 3",
        statement=(
            "For all κ in [0, 1) and u in [0, 1-κ]: the right side of the equation that is "
            "cited for Case 3-1, at i = n^u, has the exponent 4/5 + κ/5 that is concluded from "
            "it."
        ),
        reading=(
            "Cited is the bound for any i <= i_0, before it is minimised; the minimum has no "
            "number."
        ),
        parameters=(Real("kappa", 0, 1, high_open=True), Real("u", 0, "1-kappa")),
        formula="1 + max(-u, min(0, kappa-1+3*u/2))/2 <= (4+kappa)/5",
        witnesses=({"kappa": "1/2", "u": "1/20"},),
        expected=Verdict.REFUTED,
        because=(
            "Only the balanced i gives it: i = 1 gives n. The display after it, without a "
            "number, is meant."
        ),
        finding="slip",
        printed_proof="sound",
        repairs=("appendix-d-case-2-value",),
    ),
    Claim(
        id="appendix-d-root-of-a-sum",
        label="Lemma 15, Cases 3-2 and 4, the root of a sum",
        where="appendix D, proof of Lemma 15, ends of Cases 3-2 and 4",
        kind="step",
        statement="For y >= 0: sqrt(1+y) <= 1 + sqrt(y).",
        parameters=(Real("y", 0),),
        formula="sqrt(1+y) <= 1 + sqrt(y)",
        expected=Verdict.PROVED,
        because="Square both sides.",
        printed_proof="sound",
    ),
    Claim(
        id="appendix-d-case-4-single-rounds",
        label="Lemma 15, Case 4, the uniformity of a single round",
        where="appendix D, proof of Lemma 15, Case 4, ψ(1)",
        statement=(
            "For i = 1 and x = n/(εT) in (0, 1): C = 0 equals the second formula, "
            "x(x^3/2 - 4x^2/3 + x/2 + 1/3)."
        ),
        reading="Case 4 takes the second formula at i = 1, where n/(εT) is never an integer.",
        parameters=(Real("x", 0, 1, low_open=True, high_open=True),),
        formula="0 == x*(x**3/2 - 4*x**2/3 + x/2 + 1/3)",
        expected=Verdict.REFUTED,
        because=(
            "A block of one round has no drift at all. The formula, valid for integers, invents "
            "1/(3x) of it, and from there comes the (εT/n)^(1/2) of the last regime."
        ),
        finding="missing hypothesis",
        place_of="lemma-1-capped",
        printed_proof="false",
        repairs=("theorem-2-I-last-repaired", "appendix-d-case-4-upper"),
        remark="With C = 0 the regime is Õ(n).",
    ),
    Claim(
        id="appendix-d-case-4-upper",
        label="Lemma 15, Case 4, what is left of the bound",
        where="appendix D, proof of Lemma 15, Case 4",
        kind="repair",
        statement=(
            "For i >= 1 consecutive uniform times and x = n/(εT) <= 1: C is at most Lemma 1's "
            "second formula. So the printed bound is true, and too large."
        ),
        reading=(
            "The theorem is that of appendix-d-second-formula-above. The search tries ε^2 C/i, "
            "which is i-1 by lemma-1-exact, against the formula."
        ),
        parameters=(Integer("i", 1), Real("x", 0, 1, low_open=True)),
        formula="i - 1 <= x**2/(2*i) - 4*x/3 + i - 1/(2*i) + 1/(3*x)",
        expected=Verdict.PROVED,
        because="1 - 4x/3 + 1/(3x) - (1-x²)/2 falls to 0 at x = 1.",
    ),
    Claim(
        id="appendix-d-psi-one",
        label="Lemma 15, Case 4, ψ(1)",
        where="appendix D, proof of Lemma 15, Case 4, ψ(1)",
        kind="step",
        statement=(
            "For y = εT/n > 1, v = 1 + 1/y^2 + y: 1 + ½ log v + 1/sqrt(v) <= 3(1 + y), which is "
            "at most 3(1 + y + 1/sqrt(y)) <= 6(1 + y)."
        ),
        reading="The printed lines up to constants; v is the root's argument at i = 1.",
        parameters=(Real("y", 1, low_open=True),),
        let=(("v", "1 + 1/y**2 + y"),),
        formula=("max(1 + log(v)/2 + 1/sqrt(v) - 3*(1+y), 3*(1 + y + 1/sqrt(y)) - 6*(1+y)) <= 0"),
        expected=Verdict.PROVED,
        because="log v <= v - 1 <= 1 + y; wasteful, as the logarithm alone is Õ(1).",
        finding="vacuous",
        place_of="theorem-2-I-a-last",
        printed_proof="sound",
        repairs=("theorem-2-I-last-repaired",),
    ),
    Claim(
        id="appendix-d-case-4-vacuous",
        label="Lemma 15, Case 4, the rate",
        where="appendix D, proof of Lemma 15, end of Case 4",
        kind="step",
        statement="For y = εT/n >= 1: 1 + sqrt(y) >= 1.",
        reading="So the rate says less than Õ(n).",
        parameters=(Real("y", 1),),
        formula="1 + sqrt(y) >= 1",
        expected=Verdict.PROVED,
        because="Every policy has regret at most 2 sqrt(β_n) n on the confidence event.",
        finding="vacuous",
        place_of="theorem-2-I-a-last",
        printed_proof="gap",
        repairs=("theorem-2-I-last-repaired",),
    ),
)
