"""Appendix B, Lemma 13, second half: from eigenvalues to the gain. The proof breaks here.

Δ_k, the differences of eigenvalues, sum to 0 and so are partly negative; the printed chain treats
them as non-negative. Followed to the end it would prove that drift adds nothing to the gain. With
|Δ_k| for Δ_k every line is right and the lemma stands.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Vector

_NOISE = Real("s", 0, low_open=True, search=(None, 1000))
_SPACE = PositiveSemidefinite("K", "n", bound=True)
_TIME = PositiveSemidefinite("J", "n", unit=True)
_GAIN = "log(det(add(identity(n), scale(s, {}))))"
_JOINT = _GAIN.format("hadamard(K, J)")
_ALONE = _GAIN.format("K")
# One point played twice: K has the eigenvalues 2, 0 and K∘J 1+r, 1-r, r the time correlation.
_PAIR = "(1+s*(1+r))*(1+s*(1-r))"

_TRACES = " + ".join(f"K[{k}][{k}]*J[{k}][{k}]" for k in range(3)) + (
    " == K[0][0] + K[1][1] + K[2][2]"
)

CLAIMS = (
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
        expected=Verdict.SUPPORTED,
        because="Textbook.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-13-delta-line",
        label="Lemma 13, display 9, line 6",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma1",
        kind="step",
        statement="With Δ = b - a: 1 + sb = 1 + sa + sΔ (printed with '<=').",
        parameters=(_NOISE, Real("a", 0, search=(None, 100)), Real("b", 0, search=(None, 100))),
        formula="1 + s*b <= 1 + s*a + s*(b-a)",
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
            "For a time kernel with unit diagonal, any size: trace(K∘J) = trace K, so the Δ_k "
            "sum to 0 and some are negative unless all vanish."
        ),
        reading="The search tries three rounds.",
        parameters=(
            PositiveSemidefinite("K", 3, bound=True),
            PositiveSemidefinite("J", 3, unit=True),
        ),
        formula=_TRACES,
        expected=Verdict.PROVED,
        because="J_kk = 1.",
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
        id="lemma-13-maximum-split",
        label="Lemma 13, display 9, line 7: the drift outside the maximum",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        statement=(
            "For two choices of points with gains a, b and drift terms u, v: "
            "max(a+u, b+v) <= max(a, b) + u, the drift term taken at one choice."
        ),
        reading="Literal: Δ_k, which depends on the points, stands outside the maximum over them.",
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in "abuv"),
        formula="max(a+u, b+v) <= max(a, b) + u",
        expected=Verdict.REFUTED,
        because="The other choice may have the larger drift; a maximum over it is meant.",
        finding="slip",
        printed_proof="gap",
        repairs=("lemma-13-maximum-split-repaired",),
        remark="The bound of display 2 is the same for all points, so nothing is lost.",
    ),
    Claim(
        id="lemma-13-maximum-split-repaired",
        label="Lemma 13, display 9, line 7: two maxima",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        kind="repair",
        statement="For all a, b, u, v: max(a+u, b+v) <= max(a, b) + max(u, v).",
        parameters=tuple(Real(name, search=(-100, 100)) for name in "abuv"),
        formula="max(a+u, b+v) <= max(a, b) + max(u, v)",
        expected=Verdict.PROVED,
        because="Term by term.",
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
        place_of="lemma-13-log-split",
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
        place_of="lemma-13-log-split",
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
        place_of="lemma-13-log-split",
        printed_proof="false",
        repairs=("lemma-13-block", "lemma-13-delta-sum"),
    ),
    Claim(
        id="lemma-13-absolute-split",
        label="Lemma 13, display 9, line 7 with |Δ_k|",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        kind="repair",
        statement="For a >= 0 and every real b: 1+a+b <= (1+a)(1+|b|).",
        parameters=(Real("a", 0), Real("b", search=(-100, 100))),
        formula="1 + a + b <= (1+a)*(1+abs(b))",
        expected=Verdict.PROVED,
        because="b <= |b|, and a|b| >= 0.",
    ),
    Claim(
        id="lemma-13-positive-split",
        label="Lemma 13, display 9, line 7 with the positive part of Δ_k",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma2",
        kind="repair",
        statement="For a >= 0 and every real b: 1+a+b <= (1+a)(1+max(b,0)).",
        parameters=(Real("a", 0), Real("b", search=(-100, 100))),
        formula="1 + a + b <= (1+a)*(1+max(b,0))",
        expected=Verdict.PROVED,
        because="b <= max(b,0), and a max(b,0) >= 0. Sharper than with |b|.",
    ),
    Claim(
        id="lemma-13-positive-half",
        label="Lemma 13, the positive parts are half of the absolute values",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma4",
        kind="repair",
        statement=(
            "For three numbers that sum to 0, as Δ_k do: the sum of max(Δ_k,0) is half the sum of "
            "|Δ_k|."
        ),
        reading="Number by number max(x,0) = (x+|x|)/2, so for any number of them.",
        parameters=(Real("x", search=(-100, 100)), Real("y", search=(-100, 100))),
        formula="max(x,0) + max(y,0) + max(-x-y,0) == (abs(x) + abs(y) + abs(-x-y))/2",
        rests_on=("lemma-13-delta-sum",),
        expected=Verdict.OUTLINE,
        because="The sum itself is 0.",
    ),
    Claim(
        id="lemma-13-jensen",
        label="Lemma 13, display 9, line 9 with |Δ_k|",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma4",
        kind="repair",
        statement=(
            "For v_k = s|Δ_k| >= 0: the sum of log(1+v_k) is at most n log(1 + mean of v_k)."
        ),
        parameters=(Integer("n", 1, reach=6), Vector("v", "n", 0, search=(None, 1000))),
        let=(
            ("L", "sum(log(1+v[k]) for k in range(n))"),
            ("R", "n*log(1 + sum(v[k] for k in range(n))/n)"),
        ),
        formula="L <= R",
        expected=Verdict.PROVED,
        because="The logarithm is concave.",
    ),
    Claim(
        id="lemma-13-root-mean-square",
        label="Lemma 13, display 9, line 10",
        where="appendix B, proof of Lemma 13, display 9, inequality gamma5",
        kind="step",
        statement="The mean of |Δ_k| (or of Δ_k) is at most the root of the mean of Δ_k^2.",
        parameters=(Integer("n", 1, reach=6), Vector("v", "n", search=(-100, 100))),
        let=(
            ("S", "sum(v[k] for k in range(n))"),
            ("Q", "sum(v[k]**2 for k in range(n))"),
        ),
        formula="S/n <= sqrt(Q/n)",
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
            "If Q <= ε^2 C then s sqrt(Q/M) <= sε sqrt(C/M), and so are the logarithms of 1 + "
            "these."
        ),
        parameters=(
            _NOISE,
            Real("eps", 0, 1),
            Integer("M", 1),
            Real("C", 0, search=(None, 1000)),
            Real("Q", 0, "eps**2*C"),
        ),
        formula="log(1 + s*sqrt(Q/M)) <= log(1 + s*eps*sqrt(C/M))",
        expected=Verdict.PROVED,
        because="Display 2.",
        printed_proof="sound",
    ),
)
