"""Appendix B, Lemma 13, second half: from eigenvalues to the gain. The proof breaks here.

Δ_k, the differences of eigenvalues, sum to 0 and so are partly negative; the printed chain treats
them as non-negative. Followed to the end it would prove that drift adds nothing to the gain. With
|Δ_k| for Δ_k every line is right and the lemma stands.
"""

from proofs_check.claim import Claim, Follows, Inequality, Verdict
from proofs_check.parameters import Integer, PositiveSemidefinite, Real, Vector

_NOISE = Real("s", 0, 1000, low_open=True)
_SPACE = PositiveSemidefinite("K", "n", bound=True)
_TIME = PositiveSemidefinite("J", "n", unit=True)
_GAIN = "log(det(add(identity(n), scale(s, {}))))"
_JOINT = _GAIN.format("hadamard(K, J)")
_ALONE = _GAIN.format("K")
# One point played twice: K has the eigenvalues 2, 0 and K∘J 1+r, 1-r, r the time correlation.
_PAIR = "(1+s*(1+r))*(1+s*(1-r))"
_PIECES = ("G", "G1", "G2", "g1", "g2", "g", "D1", "D2", "P1", "P2")
_LINKS = (
    "G <= G1 + G2",
    "G1 <= g1 + D1",
    "G2 <= g2 + D2",
    "g1 <= g",
    "g2 <= g",
    "D1 <= P1",
    "D2 <= P2",
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
            "For n <= 3 rounds cut after m: det(I+sK) is at most the product over both blocks."
        ),
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
        formula="L <= R",
        proof=(Follows("L <= R", given=(("L <= R", "fischer-inequality"),)),),
        rests_on=("fischer-inequality",),
        expected=Verdict.PROVED,
        because="Fischer's inequality; repeated for N blocks, then maximised block by block.",
    ),
    Claim(
        id="lemma-13-block-length",
        label="Lemma 13, γ of a block is at most γ_M",
        where="appendix B, proof of Lemma 13, display 8",
        kind="step",
        statement="For m <= n <= 3: the gain of the first m points is at most that of all n.",
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
        formula="L <= R",
        proof=(Follows("L <= R", given=(("L <= R", "gain-grows-with-points"),)),),
        rests_on=("gain-grows-with-points",),
        expected=Verdict.PROVED,
        because="More observations, more information.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-gain-by-eigenvalues",
        label="Lemma 13, display 9, lines 1 to 5",
        where="appendix B, proof of Lemma 13, display 9, lines 1 to 5",
        kind="step",
        statement="For n <= 2: det(I+sK) is the product of 1 + s times the eigenvalues.",
        parameters=(Integer("n", 1, 2), _NOISE, PositiveSemidefinite("K", "n")),
        let=(
            ("L", "det(add(identity(n), scale(s, K)))"),
            ("R", "prod(1 + s*eigenvalues(K)[k] for k in range(n))"),
        ),
        formula="L == R",
        proof=(Follows("L == R", given=(("L == R", "det-eigenvalues"),)),),
        rests_on=("det-eigenvalues",),
        expected=Verdict.PROVED,
        because="Textbook.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-delta-line",
        label="Lemma 13, display 9, line 6",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma1",
        kind="step",
        statement="With Δ = b - a: 1 + sb = 1 + sa + sΔ (printed with '<=').",
        parameters=(_NOISE, Real("a", 0, 100), Real("b", 0, 100)),
        formula="1 + s*b <= 1 + s*a + s*(b-a)",
        proof=(Inequality("1 + s*b <= 1 + s*a + s*(b-a)"),),
        expected=Verdict.PROVED,
        because="The definition of Δ.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-delta-sum",
        label="Lemma 13, the differences sum to zero",
        where="appendix B, proof of Lemma 13",
        kind="repair",
        statement=(
            "For a time kernel with unit diagonal, n = 3: trace(K∘J) - trace K = 0, so the Δ_k sum "
            "to 0 and some are negative unless all vanish."
        ),
        parameters=(Integer("n", 1, 3), _SPACE, _TIME),
        formula="trace(hadamard(K, J)) - trace(K) == 0",
        expected=Verdict.SUPPORTED,
        because="J_kk = 1; exact on every case tried.",
    ),
    Claim(
        id="lemma-13-log-split",
        label="Lemma 13, display 9, line 7 (the reason given)",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        statement=(
            "For a >= 0 and b > -1 with a+b > -1 (a = sλ_k, b = sΔ_k): "
            "log(1+a+b) <= log(1+a) + log(1+b)."
        ),
        reading="The reason given is for a, b > 0; Δ_k may have either sign.",
        parameters=(Real("a", 0), Real("b", -1, low_open=True)),
        hypotheses=("a + b > -1",),
        formula="log(1+a+b) <= log(1+a) + log(1+b)",
        expected=Verdict.REFUTED,
        because="(1+a)(1+b) - (1+a+b) = ab, negative for b < 0 < a: the inequality reverses.",
        finding="false",
        printed_proof="false",
        repairs=("lemma-13-absolute-split",),
    ),
    Claim(
        id="lemma-13-sum-split",
        label="Lemma 13, display 9, line 7 (the line itself)",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        statement=(
            "One point played twice, time correlation r in [0, 1), s(1-r) < 1, so that every "
            "logarithm exists: (1+s(1+r))(1+s(1-r)) <= (1+2s)(1+s(1-r))(1-s(1-r))."
        ),
        reading=(
            "On a one-point domain there is nothing to maximise. (Δ_k depends on the points too; "
            "printed outside the maximum, a slip.)"
        ),
        parameters=(_NOISE, Real("r", 0, 1, high_open=True)),
        hypotheses=("s*(1-r) < 1",),
        formula=f"{_PAIR} <= (1+2*s)*(1+s*(1-r))*(1-s*(1-r))",
        witnesses=({"s": 1, "r": "1/2"},),
        expected=Verdict.REFUTED,
        because=(
            "Δ = -(1-r), 1-r: the sum of both logarithms is log(1 - s²(1-r)²) < 0, while the gain "
            "has grown. The line fails for every r < 1."
        ),
        finding="false",
        printed_proof="false",
        repairs=("lemma-13-absolute-split", "lemma-13-block"),
    ),
    Claim(
        id="lemma-13-log-undefined",
        label="Lemma 13, display 9, line 7: the logarithms exist",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        statement="One point played twice: 1 + sΔ_1 = 1 - s(1-r) > 0 for all s > 0, r in [0, 1].",
        parameters=(_NOISE, Real("r", 0, 1)),
        formula="1 - s*(1-r) > 0",
        expected=Verdict.REFUTED,
        because="With little noise the argument of log(1 + Δ_1/σ²) is negative.",
        finding="false",
        printed_proof="false",
        repairs=("lemma-13-absolute-split",),
    ),
    Claim(
        id="lemma-13-jensen-line",
        label="Lemma 13, display 9, line 9: what it would prove",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma4",
        statement=(
            "The bound of line 9, γ_M + (M/2) log(1 + s mean Δ), is γ_M as the Δ_k sum to 0; so "
            "det(I + s K∘J) <= det(I + sK), for K with diagonal at most 1 and unit-diagonal J."
        ),
        reading="At the maximising points, or on a domain of one point.",
        parameters=(Integer("n", 1, 3), _NOISE, _SPACE, _TIME),
        formula=f"{_JOINT} <= {_ALONE}",
        witnesses=({"n": 2, "s": 1, "K": [[1, 1], [1, 1]], "J": [[1, 0], [0, 1]]},),
        expected=Verdict.REFUTED,
        because=(
            "Drift makes rounds more independent and raises the gain (log 4 against log 3). The "
            "chain proves too much: that the drift term is 0."
        ),
        finding="false",
        printed_proof="false",
        repairs=("lemma-13-block", "lemma-13-delta-sum"),
    ),
    Claim(
        id="lemma-13-absolute-split",
        label="Lemma 13, display 9, line 7 with |Δ_k|",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        kind="repair",
        statement="For a >= 0 and every real b: 1+a+b <= (1+a)(1+|b|).",
        parameters=(Real("a", 0), Real("b", -100, 100)),
        formula="1 + a + b <= (1+a)*(1+abs(b))",
        proof=(Inequality("1 + a + b <= (1+a)*(1+abs(b))"),),
        expected=Verdict.PROVED,
        because="b <= |b|, and a|b| >= 0.",
    ),
    Claim(
        id="lemma-13-jensen",
        label="Lemma 13, display 9, line 9 with |Δ_k|",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma4",
        kind="repair",
        statement=(
            "For v_k = s|Δ_k| >= 0: the sum of log(1+v_k) is at most n log(1 + mean of v_k)."
        ),
        parameters=(Integer("n", 1, 6), Vector("v", "n", 0, 1000)),
        let=(
            ("L", "sum(log(1+v[k]) for k in range(n))"),
            ("R", "n*log(1 + sum(v[k] for k in range(n))/n)"),
        ),
        formula="L <= R",
        proof=(Follows("L <= R", given=(("L <= R", "jensen-log"),)),),
        rests_on=("jensen-log",),
        expected=Verdict.PROVED,
        because="The logarithm is concave.",
    ),
    Claim(
        id="lemma-13-root-mean-square",
        label="Lemma 13, display 9, line 10",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma5",
        kind="step",
        statement="The mean of |Δ_k| (or of Δ_k) is at most the root of the mean of Δ_k^2.",
        parameters=(Integer("n", 1, 6), Vector("v", "n", -100, 100)),
        let=(
            ("S", "sum(v[k] for k in range(n))"),
            ("Q", "sum(v[k]**2 for k in range(n))"),
        ),
        formula="S/n <= sqrt(Q/n)",
        proof=(
            Inequality("n >= 1"),
            Follows("S/n <= sqrt(Q/n)", given=("n >= 1", ("S**2 <= n*Q", "cauchy-schwarz"))),
        ),
        rests_on=("cauchy-schwarz",),
        expected=Verdict.PROVED,
        because="Jensen for the square.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-insert-uniformity",
        label="Lemma 13, display 9, line 11",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma6",
        kind="step",
        statement=(
            "If Q <= ε^2 C then log(1 + s sqrt(Q/M)) <= log(1 + sε sqrt(C/M)); arguments compared."
        ),
        parameters=(
            _NOISE,
            Real("eps", 0, 1),
            Integer("M", 1),
            Real("C", 0, 1000),
            Real("Q", 0, "eps**2*C"),
        ),
        formula="s*sqrt(Q/M) <= s*eps*sqrt(C/M)",
        proof=(
            Inequality("M >= 1"),
            Inequality("sqrt(C/M) >= 0"),
            Inequality("Q/M <= eps**2*(C/M)"),
            Inequality("sqrt(Q/M) <= eps*sqrt(C/M)"),
            Follows("s*sqrt(Q/M) <= s*eps*sqrt(C/M)", given=("sqrt(Q/M) <= eps*sqrt(C/M)",)),
        ),
        rests_on=("log-increasing",),
        expected=Verdict.PROVED,
        because="Display 2.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-block",
        label="Lemma 13 for one block, the repaired chain",
        where="appendix B, Lemma 13",
        kind="repair",
        statement=(
            "For G = log det(I+sK∘J), g = log det(I+sK), S = sum of log(1+s|Δ_k|), R = M log(1 + s "
            "mean |Δ_k|), D = M log(1 + sε sqrt(C/M)): G <= g+S, S <= R, R <= D give G <= g + D."
        ),
        reading="The pieces are the claims it rests on; theorem-1-block tries matrices.",
        parameters=tuple(Real(name, 0, 100) for name in "GgSRD"),
        hypotheses=("G <= g + S", "S <= R", "R <= D"),
        formula="G <= g + D",
        witnesses=({"G": 3, "g": 1, "S": 2, "R": 2, "D": 2}, dict.fromkeys("GgSRD", 0)),
        proof=(Follows("G <= g + D", given=("G <= g + S", "S <= R", "R <= D")),),
        rests_on=(
            "lemma-13-gain-by-eigenvalues",
            "lemma-13-absolute-split",
            "lemma-13-jensen",
            "lemma-13-root-mean-square",
            "lemma-13-insert-uniformity",
            "lemma-13-eigenvalue-distance",
            "lemma-13-entries",
            "lemma-13-direct-line",
            "lemma-13-uniformity-line",
        ),
        expected=Verdict.PROVED,
        because="Each link is a claim of its own.",
    ),
    Claim(
        id="lemma-13",
        label="Lemma 13",
        where="appendix B, Lemma 13",
        statement=(
            "For block gains G_1, G_2 and joint gain G: G <= G_1+G_2, G_i <= g_i + D_i, g_i <= g "
            "(γ_M) and D_i <= P_i (M_i φ/2) give G <= 2g + P_1 + P_2; here N = 2."
        ),
        reading=(
            "Sums over rounds, φ(0) = 0, no cap at ε = 0; k_time has unit variance and values in "
            "[0, 1]."
        ),
        parameters=tuple(Real(name, 0, 100) for name in _PIECES),
        hypotheses=_LINKS,
        formula="G <= 2*g + P1 + P2",
        witnesses=(
            {**dict.fromkeys(_PIECES, 1), "G": 4, "G1": 2, "G2": 2},
            dict.fromkeys(_PIECES, 0),
        ),
        proof=(
            Follows(
                "G <= 2*g + P1 + P2",
                given=_LINKS,
            ),
        ),
        rests_on=(
            "lemma-13-block-subadditivity",
            "lemma-13-block",
            "lemma-13-block-length",
            "phi-above-log",
        ),
        expected=Verdict.PROVED,
        because="The statement survives, with |Δ_k| for Δ_k and '<=' in the chain rule.",
        finding="gap",
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
        proof=(Follows("log(1+x) <= x", given=(("log(1+x) <= x", "log-below-line"),)),),
        rests_on=("log-below-line",),
        expected=Verdict.PROVED,
        because="The tangent at 0.",
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
        proof=(
            Inequality("1/x > 0"),
            Follows(
                "log(1+x) <= log(x) + 1/x",
                given=(
                    "1/x > 0",
                    ("log(1+x) == log(x) + log(1+1/x)", "log-product"),
                    ("log(1+1/x) <= 1/x", "log-below-line"),
                ),
            ),
        ),
        rests_on=("log-product", "log-below-line"),
        expected=Verdict.PROVED,
        because="log(1+1/x) <= 1/x.",
        printed_proof="sound",
    ),
    Claim(
        id="theorem-1-from-lemmas",
        label="Theorem 1 from Lemmas 12 and 13",
        where="appendix B, last sentence",
        statement="R <= sqrt(B g) + 2 and g <= P give R <= sqrt(B P) + 2, B = C β_n n.",
        reading="Lemmas 12 and 13 as read there.",
        parameters=(
            Real("B", 0, 1000),
            Real("P", 0, 1000),
            Real("g", 0, "P"),
            Real("R", 0, 10**6),
        ),
        hypotheses=("R <= sqrt(B*g) + 2",),
        formula="R <= sqrt(B*P) + 2",
        proof=(
            Inequality("B*g <= B*P"),
            Inequality("sqrt(B*g) <= sqrt(B*P)", where=("B*g <= B*P",)),
            Follows(
                "R <= sqrt(B*P) + 2",
                given=("R <= sqrt(B*g) + 2", "sqrt(B*g) <= sqrt(B*P)"),
            ),
        ),
        rests_on=("lemma-12", "lemma-13"),
        expected=Verdict.PROVED,
        because="The root increases.",
        finding="gap",
        printed_proof="gap",
        repairs=("lemma-12", "lemma-13"),
        remark=(
            "Theorem 1 holds for k_space(x,x) <= 1, 0 <= k_time <= 1 with 1-k_time <= ε|τ-τ'|, "
            "n >= 1, ξ_n >= 1, D the box, times independent of x, and the weight sqrt(β_n) with "
            "the index of the round."
        ),
    ),
)
