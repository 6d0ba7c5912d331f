"""Appendix B, Lemma 13: the blocks, the lemma as a whole, and Theorem 1 from it."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times

_NOISE = Real("s", 0, low_open=True, search=(None, 1000))
# Rounds at one point, the forgetting kernel, two blocks: the first m rounds and the others.
_ROUNDS = (
    Integer("n", 2, 4),
    Integer("m", 1, "n-1"),
    Times("t", "n"),
    Real("eps", 0, 1, low_open=True, high_open=True),
    _NOISE,
)
_SQUARES = "sum(min(1, (theta*(t[j]-t[k]))**2) for j in range({0}) for k in range({0}))"
_TWO_BLOCKS = (
    ("J", "[[(1-eps)**(abs(t[j]-t[k])/2) for k in range(n)] for j in range(n)]"),
    ("G", "log(det(add(identity(n), scale(s, J))))/2"),
    ("theta", "-log(1-eps)/2"),
    ("x", f"s*sqrt({_SQUARES.format('m')}/m)"),
    ("y", f"s*sqrt({_SQUARES.format('m, n')}/(n-m))"),
    ("p", "(0 if x <= 0 else min(x, log(x)+1/x))"),
    ("q", "(0 if y <= 0 else min(y, log(y)+1/y))"),
)

CLAIMS = (
    Claim(
        id="lemma-13-chain-rule",
        label="Lemma 13, display 4: the gain of all rounds is the sum over blocks",
        where="appendix B, proof of Lemma 13, display 4",
        statement=(
            "For two rounds in two blocks, K the joint Gram matrix: det(I+sK) = (1+sK_11)(1+sK_22)."
        ),
        reading="'=' between the information of all rounds and the sum over blocks.",
        parameters=(_NOISE, PositiveSemidefinite("K", 2, bound=True)),
        formula="det(add(identity(2), scale(s, K))) == (1+s*K[0][0])*(1+s*K[1][1])",
        witnesses=({"s": 1, "K": [[1, 1], [1, 1]]},),
        expected=Verdict.REFUTED,
        because=(
            "Blocks share information: the same point twice gives log 3, not 2 log 2. The chain "
            "rule conditions on earlier blocks; conditioning lowers entropy, so '<=' holds."
        ),
        finding="false",
        printed_proof="false",
        repairs=("lemma-13-block-subadditivity",),
        remark="Only '<=' is used afterwards.",
    ),
    Claim(
        id="lemma-13-block-subadditivity",
        label="Lemma 13, displays 4 and 5 with <=",
        where="appendix B, proof of Lemma 13, displays 4 and 5",
        kind="repair",
        statement=(
            "For n rounds cut after m: log det(I+sK) is at most the sum of those of both blocks."
        ),
        reading="Repeated, any number of blocks.",
        parameters=(
            Integer("n", 2, 3),
            Integer("m", 1, "n-1"),
            _NOISE,
            PositiveSemidefinite("K", "n"),
        ),
        let=(
            ("A", "add(identity(n), scale(s, K))"),
            ("L", "det(A)"),
            ("R", "det(block(A, 0, m))*det(block(A, m, n))"),
        ),
        formula="log(L) <= log(R)",
        expected=Verdict.PROVED,
        because="Fischer's inequality; then maximise block by block.",
    ),
    Claim(
        id="lemma-13-block-length",
        label="Lemma 13, γ of a block is at most γ_M",
        where="appendix B, proof of Lemma 13, display 8",
        kind="step",
        statement="For m <= n: log det(I+sK) of the first m points is at most that of all n.",
        parameters=(
            Integer("n", 1, 3),
            Integer("m", 1, "n"),
            _NOISE,
            PositiveSemidefinite("K", "n"),
        ),
        let=(
            ("L", "det(add(identity(m), scale(s, block(K, 0, m))))"),
            ("R", "det(add(identity(n), scale(s, K)))"),
        ),
        formula="log(L) <= log(R)",
        expected=Verdict.PROVED,
        because="More observations, more information.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-block",
        label="Lemma 13, sharper: the sum of γ over the blocks, and the logarithm",
        where="appendix B, Lemma 13",
        kind="repair",
        statement=(
            "For every n, partition of the n rounds into blocks of M_i rounds, times and "
            "points: the joint gain is at most Σ (γ_{M_i} + ½ M_i log(1 + sθ sqrt(C_i/M_i)))."
        ),
        reading=(
            "As in lemma-13. Without eigenvalues: theorem-1-block and theory-a-below-theorem-1."
        ),
        parameters=_ROUNDS,
        let=_TWO_BLOCKS,
        formula="G <= (log(1+m*s) + log(1+(n-m)*s) + m*log(1+x) + (n-m)*log(1+y))/2",
        expected=Verdict.PROVED,
        because="Theorem 1's block bound, block by block.",
    ),
    Claim(
        id="lemma-13-block-halved",
        label="Lemma 13 for one block, with half the drift",
        where="appendix B, Lemma 13",
        kind="repair",
        statement=(
            "For G = log det(I+sK∘J), g = log det(I+sK), S = sum of log(1+s max(Δ_k,0)), R = M "
            "log(1 + ½s mean |Δ_k|), D = M log(1 + ½sε sqrt(C/M)): G <= g+S, S <= R, R <= D give "
            "G <= g + D. As k_time(τ,τ) = 1 the Δ_k sum to 0, and only the positive ones count."
        ),
        reading="The pieces are the claims it rests on; theorem-1-block-halved tries matrices.",
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in "GgSRD"),
        hypotheses=("G <= g + S", "S <= R", "R <= D"),
        formula="G <= g + D",
        witnesses=({"G": 3, "g": 1, "S": 2, "R": 2, "D": 2}, dict.fromkeys("GgSRD", 0)),
        rests_on=(
            "lemma-13-gain-by-eigenvalues",
            "lemma-13-delta-sum",
            "lemma-13-positive-split",
            "lemma-13-positive-half",
            "lemma-13-jensen",
            "lemma-13-root-mean-square",
            "lemma-13-insert-uniformity",
            "lemma-13-eigenvalue-distance",
            "lemma-13-entries",
            "lemma-13-direct-line",
            "lemma-13-uniformity-line",
        ),
        expected=Verdict.OUTLINE,
        because="Each link is a claim of its own.",
        remark="Theorem 1 holds with ½σ^-2 in the place of σ^-2 in its drift term.",
    ),
    Claim(
        id="lemma-13",
        label="Lemma 13",
        where="appendix B, Lemma 13",
        statement=(
            "For every n, partition of the n rounds into N blocks of M_i rounds (the longest of "
            "M), times and points: the joint gain is at most N γ_M + ½ Σ M_i φ(sθ "
            "sqrt(C_i/M_i))."
        ),
        reading=(
            "k_space(x,x) <= 1, k_time(τ,τ) = 1, k_time >= 0, 1-k_time <= θ|τ-τ'|; C_i over "
            "rounds with the cap 1/θ^2 (none at θ = 0); φ(0) = 0; γ_m is at least the gain of "
            "every m points. The search tries one point, the forgetting kernel and two blocks."
        ),
        parameters=_ROUNDS,
        let=_TWO_BLOCKS,
        formula="G <= log(1+s*max(m, n-m)) + (m*p + (n-m)*q)/2",
        expected=Verdict.PROVED,
        because="The statement survives, with |Δ_k| for Δ_k and '<=' in the chain rule.",
        finding="gap",
        place_of="lemma-13-log-split",
        printed_proof="false",
        repairs=("lemma-13-block", "lemma-13-block-subadditivity"),
        remark=(
            "Theorem 1's second inequality rests on it. Without the hypothesis 1-k_time <= "
            "ε|τ-τ'| it fails: theorem-1-forgetting-kernel."
        ),
    ),
    Claim(
        id="lemma-13-phi-small",
        label="Lemma 13, the case of small drift",
        where="appendix B, proof of Lemma 13, display 10",
        kind="step",
        statement="For x > 0: log(1+x) <= x (needed for x <= 1 only).",
        reading="The root has C/M_i, printed C/i.",
        parameters=(Real("x", 0),),
        formula="log(1+x) <= x",
        expected=Verdict.PROVED,
        because=("The root is printed with C/i for C/M_i. The line holds: the tangent at 0."),
        finding="slip",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-phi-large",
        label="Lemma 13, the case of large drift",
        where="appendix B, proof of Lemma 13, display 11",
        kind="step",
        statement="For x >= 1: log(1+x) = log x + log(1+1/x) <= log x + 1/x.",
        parameters=(Real("x", 1),),
        formula="log(1+x) <= log(x) + 1/x",
        expected=Verdict.PROVED,
        because="log(1+1/x) <= 1/x.",
        printed_proof="sound",
    ),
    Claim(
        id="phi-non-decreasing",
        label="φ never decreases",
        where="appendix D, proof of Lemma 15, display 6 and Cases 3-2 and 4, where it is not said",
        kind="step",
        statement="For all 0 < x <= y: φ(x) <= φ(y), φ(x) = min(x, log x + 1/x).",
        reading="And φ(0) = 0 <= φ(y), as log y + 1/y >= 1.",
        parameters=(Real("x", 0, low_open=True), Real("y", "x")),
        formula="min(x, log(x)+1/x) <= min(y, log(y)+1/y)",
        expected=Verdict.PROVED,
        because="log y + 1/y grows from y = 1 on and is never below 1; min(x, 1) <= x <= y.",
        remark=(
            "Needed wherever the argument of φ is replaced by a larger one: C by an upper bound, "
            "σ^-2 < 1 by 1, a block's mean drift by that of a longer block (theory-superadditive)."
        ),
    ),
    Claim(
        id="theorem-1-from-lemmas",
        label="Theorem 1 from Lemmas 12 and 13",
        where="appendix B, last sentence",
        statement=(
            "On the confidence event, for every n and partition: R_n <= sqrt(CBn g) + 2 (Lemma "
            "12) and g <= P = Nγ_M + ½ Σ M_i φ(…) (Lemma 13), g the joint gain of the points "
            "played, give R_n <= sqrt(CBn P) + 2, B at least every β_i."
        ),
        reading=(
            "Lemmas 12 and 13 as read there; the theorem is theorem-1. The search tries the last "
            "step, B for CBn."
        ),
        parameters=(
            Real("B", 0, search=(None, 1000)),
            Real("P", 0, search=(None, 1000)),
            Real("g", 0, "P"),
            Real("R"),
        ),
        hypotheses=("R <= sqrt(B*g) + 2",),
        formula="R <= sqrt(B*P) + 2",
        expected=Verdict.PROVED,
        because=(
            "Lemmas 12 and 13 hold under hypotheses that are not stated there (see the "
            "remark); with them the root increases."
        ),
        finding="gap",
        place_of="theorem-1",
        printed_proof="gap",
        repairs=("lemma-12", "lemma-13"),
        remark=(
            "Theorem 1 holds for k_space(x,x) <= 1, 0 <= k_time <= 1 with 1-k_time <= ε|τ-τ'|, "
            "n >= 1, ξ_n >= 1, D the box, times independent of x, and the weight sqrt(β_n) with "
            "the index of the round."
        ),
    ),
)
