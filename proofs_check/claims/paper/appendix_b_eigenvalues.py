"""Appendix B, Lemmas 13 and 14, first half: eigenvalues move no further than the time kernel does.

One block of M rounds: K the space Gram matrix, J that of the time kernel, K∘J the joint one, Δ_k
the difference of their k-th largest eigenvalues. The recalled definitions interchange the names of
the space and the joint matrix; the lines that follow use them the right way round.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real

_EPSILON = Real("eps", 0, 1, low_open=True, high_open=True)
_U = "((u11+u22) + sqrt((u11-u22)**2 + 4*u12*u21))/2"
_V = "((v11+v22) + sqrt((v11-v22)**2 + 4*v12*v21))/2"
_ENTRIES = tuple(
    Real(f"{name}{j}{k}", search=(-5, 5)) for name in "uv" for j in (1, 2) for k in (1, 2)
)

CLAIMS = (
    Claim(
        id="lemma-14",
        label="Lemma 14 (Mirsky), for any matrices",
        where="appendix B, Lemma 14",
        statement=(
            "For all 2x2 matrices U, V with real eigenvalues in descending order: the sum of "
            "squared differences of eigenvalues is at most the squared Frobenius norm of U - V."
        ),
        reading=(
            "'Choose any matrices', with eigenvalues in descending order: matrices whose "
            "eigenvalues are real. The Frobenius norm, which is unitarily invariant."
        ),
        parameters=_ENTRIES,
        let=(
            ("a", _U),
            ("b", _U.replace("+ sqrt", "- sqrt")),
            ("c", _V),
            ("e", _V.replace("+ sqrt", "- sqrt")),
        ),
        hypotheses=("(u11-u22)**2 + 4*u12*u21 >= 0", "(v11-v22)**2 + 4*v12*v21 >= 0"),
        formula=(
            "(a-c)**2 + (b-e)**2 <= (u11-v11)**2 + (u12-v12)**2 + (u21-v21)**2 + (u22-v22)**2"
        ),
        witnesses=(
            {"u11": 0, "u12": 1, "u21": 1, "u22": 0, "v11": 0, "v12": 1, "v21": 0, "v22": 0},
        ),
        expected=Verdict.REFUTED,
        because=(
            "[[0,1],[1,0]] has the eigenvalues 1, -1, [[0,1],[0,0]] has 0, 0: a change of one "
            "entry by 1 moves the eigenvalues by sqrt 2. True for symmetric matrices, or for "
            "singular values."
        ),
        finding="missing hypothesis",
        repairs=("hoffman-wielandt", "lemma-14-symmetric"),
        remark="It is applied to symmetric matrices only.",
    ),
    Claim(
        id="lemma-14-symmetric",
        label="Lemma 14 for symmetric 2x2 matrices",
        where="appendix B, Lemma 14",
        kind="repair",
        statement=(
            "For symmetric 2x2 matrices with traces t, w and half-gaps g, h >= 0 of eigenvalues: "
            "in the basis of U, V = w/2 + h(cos, sin; sin, -cos), the distance of eigenvalues, "
            "(t-w)^2/2 + 2(g-h)^2, is at most (t-w)^2/2 + 2((g - h x)^2 + h^2 y^2), x^2+y^2 = 1."
        ),
        parameters=(
            Real("t", search=(-10, 10)),
            Real("w", search=(-10, 10)),
            Real("g", 0, search=(None, 10)),
            Real("h", 0, search=(None, 10)),
            Real("x", -1, 1),
        ),
        let=(("y", "sqrt(1-x**2)"),),
        formula="(t-w)**2/2 + 2*(g-h)**2 <= (t-w)**2/2 + 2*((g-h*x)**2 + h**2*y**2)",
        expected=Verdict.PROVED,
        because="2gh(1-x) >= 0. For every size: Hoffman and Wielandt.",
    ),
    Claim(
        id="lemma-13-difference",
        label="Lemma 13, the matrix A",
        where="appendix B, proof of Lemma 13, display 1",
        kind="step",
        statement="Entry by entry: k j - k = k (j - 1), the joint minus the space Gram matrix.",
        reading=(
            "K the space, K̃ the joint matrix, as in the main text; the recalled definitions have "
            "them the other way round (a slip), and the index i of the blocks runs to N, not n."
        ),
        parameters=(Real("k", -1, 1), Real("j", -1, 1)),
        formula="k*j - k == k*(j-1)",
        expected=Verdict.PROVED,
        because=(
            "The definitions recalled there have K and K̃ the other way round, and the index "
            "of the blocks runs to n, not N. The line holds: the Hadamard product is taken "
            "entry by entry."
        ),
        finding="slip",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-eigenvalue-distance",
        label="Lemma 13, display 2, lines 1 to 3",
        where="appendix B, proof of Lemma 13, display 2, inequality 1",
        kind="step",
        statement=(
            "For positive semidefinite K and J of size n <= 2: the sum of squared differences of "
            "the eigenvalues of K∘J and K is at most the squared Frobenius norm of K∘J - K."
        ),
        reading="The last eigenvalue has the index M_i, printed i.",
        parameters=(
            Integer("n", 1, 2),
            PositiveSemidefinite("K", "n", bound=True),
            PositiveSemidefinite("J", "n", unit=True),
        ),
        let=(
            (
                "L",
                "sum((eigenvalues(hadamard(K, J))[k] - eigenvalues(K)[k])**2 for k in range(n))",
            ),
            ("F", "sum((K[j][k]*J[j][k] - K[j][k])**2 for j in range(n) for k in range(n))"),
        ),
        formula="L <= F",
        expected=Verdict.SUPPORTED,
        because="Hoffman–Wielandt; both matrices are symmetric, their difference is indefinite.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-entries",
        label="Lemma 13, display 2, inequality 2",
        where="appendix B, proof of Lemma 13, display 2, inequality 2",
        kind="step",
        statement="For |k| <= 1 and all j: (k(j-1))^2 <= (j-1)^2.",
        reading=(
            "|k_space(x,x')| <= 1 follows from k_space(x,x) <= 1; 'smaller than 1' is '<= 1'."
        ),
        parameters=(Real("k", -1, 1), Real("j")),
        formula="(k*(j-1))**2 <= (j-1)**2",
        expected=Verdict.PROVED,
        because="k² <= 1.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-kernel-line",
        label="Lemma 13, display 2, line 6: the forgetting kernel for any kernel",
        where="appendix B, proof of Lemma 13, display 2, line 6",
        statement=(
            "For every value k in [0, 1] of a time kernel at the gap g with 1-k <= εg: "
            "(1-k)^2 <= (1-(1-ε)^(g/2))^2."
        ),
        reading="The lemma is for every time kernel with 1-k_time <= ε|τ-τ'|, and so is the line.",
        parameters=(_EPSILON, Real("g", 0, search=(None, 100)), Real("k", 0, 1)),
        hypotheses=("1-k <= eps*g",),
        formula="(1-k)**2 <= (1-(1-eps)**(g/2))**2",
        witnesses=({"eps": "3/4", "g": 1, "k": "1/4"},),
        expected=Verdict.REFUTED,
        because=(
            "The triangular kernel max(0, 1-ε|τ-τ'|) satisfies the hypothesis with equality and "
            "falls below the forgetting kernel, which the line inserts."
        ),
        finding="missing hypothesis",
        printed_proof="false",
        repairs=("lemma-13-direct-line",),
        remark="The next line follows from the hypothesis directly; this one is not needed.",
    ),
    Claim(
        id="lemma-13-direct-line",
        label="Lemma 13, display 2, from line 5 to line 7 directly",
        where="appendix B, proof of Lemma 13, display 2",
        kind="repair",
        statement=(
            "For ε >= 0, g >= 0 and 0 <= k <= 1 with 1-k <= εg: (1-k)^2 <= min(1, ε^2 g^2)."
        ),
        parameters=(Real("eps", 0), Real("g", 0, search=(None, 100)), Real("k", 0, 1)),
        hypotheses=("1-k <= eps*g",),
        formula="(1-k)**2 <= min(1, eps**2*g**2)",
        expected=Verdict.PROVED,
        because="0 <= 1-k <= min(1, εg).",
    ),
    Claim(
        id="lemma-13-forgetting-line",
        label="Lemma 13, display 2, line 7",
        where="appendix B, proof of Lemma 13, display 2, line 7",
        statement=("For all ε in (0, 1) and gaps g >= 0: (1-(1-ε)^(g/2))^2 <= min(1, ε^2 g^2)."),
        parameters=(_EPSILON, Real("g", 0, search=(None, 100))),
        formula="(1-(1-eps)**(g/2))**2 <= min(1, eps**2*g**2)",
        witnesses=({"eps": "15/16", "g": "1/2"},),
        expected=Verdict.REFUTED,
        because=(
            "Near g = 0 the left side is (θg)² with θ = -log(1-ε)/2, and θ > ε from ε = 0.797 on. "
            "At ε = 15/16, g = 1/2: 1/4 against (15/32)² = 0.2197."
        ),
        finding="missing hypothesis",
        place_of="assumption-1-II",
        printed_proof="gap",
        repairs=(
            "lemma-13-forgetting-line-slope",
            "assumption-1-II-gaps",
            "assumption-1-II-small",
        ),
        remark="True with θ for ε, or for gaps of at least 1, or for ε <= 0.79.",
    ),
    Claim(
        id="lemma-13-forgetting-line-slope",
        label="Lemma 13, display 2, line 7 with the slope θ",
        where="appendix B, proof of Lemma 13, display 2, line 7",
        kind="repair",
        statement="With y = θg >= 0, θ = -log(1-ε)/2: (1-exp(-y))^2 <= min(1, y^2).",
        parameters=(Real("y", 0, search=(None, 1000)),),
        formula="(1-exp(-y))**2 <= min(1, y**2)",
        expected=Verdict.PROVED,
        because="0 <= 1-exp(-y) <= min(1, y).",
    ),
    Claim(
        id="lemma-13-set-of-times",
        label="Lemma 13, display 2, line 8: from rounds to times",
        where="appendix B, proof of Lemma 13, display 2, line 8",
        statement=(
            "For m rounds at time 0 and one at time g >= 0: the sum over pairs of rounds, 2m g^2, "
            "equals the sum over pairs of distinct times, 2g^2 (no cap)."
        ),
        reading="Literal: T_i as a set of times, in which equal times are one element.",
        parameters=(Integer("m", 1), Real("g", 0, low_open=True, search=(None, 10))),
        formula="2*m*g**2 == 2*g**2",
        expected=Verdict.REFUTED,
        because="Equal times count once in a set, but each round has its own row in the matrix.",
        finding="slip",
        place_of="uniformity-as-a-set",
        printed_proof="sound",
        repairs=("appendix-c-biased-classes",),
        remark=(
            "Read the sums of C over rounds, as Lemma 2 does. Over a set not only this line fails "
            "but the lemma (uniformity-as-a-set)."
        ),
    ),
    Claim(
        id="lemma-13-uniformity-line",
        label="Lemma 13, display 2, last line",
        where="appendix B, proof of Lemma 13, display 2, line 9",
        kind="step",
        statement="For ε in (0, 1] and g >= 0: min(1, ε^2 g^2) = ε^2 min(1/ε^2, g^2).",
        reading="ε > 0; at ε = 0 there is no cap and both sides are read as 0.",
        parameters=(Real("eps", 0, 1, low_open=True), Real("g", 0, search=(None, 100))),
        formula="min(1, eps**2*g**2) == eps**2*min(1/eps**2, g**2)",
        expected=Verdict.PROVED,
        because="Multiply the minimum by ε².",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-unit-time-kernel",
        label="Lemma 13 without k_time(τ,τ) = 1",
        where="appendix B, Lemma 13, hypotheses",
        statement=(
            "For a time kernel with k_time(τ,τ) = v >= 1 (all that 1-k_time <= ε|τ-τ'| says at "
            "τ = τ') and one round at a point with k_space = 1: log(1+sv) <= log(1+s) + φ(0)."
        ),
        reading="φ(0) = 0. Neither the lemma nor Assumption 1 bounds k_time from above.",
        parameters=(Real("s", 0, low_open=True), Real("v", 1)),
        formula="log(1+s*v) <= log(1+s)",
        expected=Verdict.REFUTED,
        because="A constant time kernel 2 satisfies (II) with ε = 0 and doubles every variance.",
        finding="missing hypothesis",
        printed_proof="gap",
        repairs=("lemma-13-direct-line",),
        remark="Unit variance, k_time <= 1, makes every line with 1-k_time right.",
    ),
)
