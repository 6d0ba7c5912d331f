"""Theorem 1 (section 4): the regret bound of CTV-fixed for a fixed sequence of times.

The statements here are about the theorem as printed: its hypotheses, β_n, φ and the two
inequalities. The lemmas that prove it are the claims of Appendix B.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_LEFT = "2*pi**2*n**2/(3*delta)"
_GRID = "d*n**2*b*r*sqrt(log(2*pi**2*n**2*a*d/(3*delta)))"
_BETA = f"2*log({_LEFT}) + 2*d*log({_GRID})"
_PHI = "min(x, log(x)+1/x)"
_BETA_SETTING = (
    Integer("n", 1),
    Integer("d", 1, reach=4),
    Real("delta", 0, 1, low_open=True, high_open=True),
    Real("a", 1),
    Real("b", 0, low_open=True),
    Real("r", 0, low_open=True),
)

CLAIMS = (
    Claim(
        id="theorem-1-beta",
        label="β_n of Theorem 1 is that of its lemmas",
        where="section 4, Theorem 1, against Appendix B",
        statement="With π_n = π^2 n^2/6: 4π_n/δ = 2π^2 n^2/(3δ), for all n >= 1 and δ in (0, 1).",
        parameters=(Integer("n", 1), Real("delta", 0, 1, low_open=True, high_open=True)),
        formula="4*(pi**2*n**2/6)/delta == 2*pi**2*n**2/(3*delta)",
        expected=Verdict.PROVED,
        because="Arithmetic.",
        printed_proof="sound",
    ),
    Claim(
        id="theorem-1-beta-positive",
        label="Theorem 1 where the grid has less than one point",
        where="section 4, Theorem 1",
        kind="step",
        statement=(
            "Where ξ_n = d n^2 r L <= 1 and f has the Lipschitz constant L in the l1 norm over "
            "the box [0, r]^d (as slopes of at most L give it, lemma-10-lipschitz): f differs by "
            "at most d r L <= 1/n^2 over the box. So a round's regret is at most 1/n^2 whatever "
            "is played and whatever the sign of β_n."
        ),
        reading=(
            "L is the b sqrt(log(…)) of the gradients' event. The search tries the second "
            "inequality."
        ),
        parameters=(
            Integer("n", 1),
            Integer("d", 1, reach=4),
            Real("r", 0, low_open=True),
            Real("L", 0),
        ),
        hypotheses=("d*n**2*r*L <= 1",),
        formula="d*r*L <= 1/n**2",
        expected=Verdict.PROVED,
        because="Divide by n².",
        remark=(
            "So Theorem 1 needs no hypothesis on the sign of β_n; sqrt(β_n) is read as 0 below "
            "0. Lemma 10, which is about posterior means, does (lemma-10-small-grid)."
        ),
    ),
    Claim(
        id="theorem-1-beta-positive-repaired",
        label="β_n with at least one grid point",
        where="section 4, Theorem 1",
        kind="repair",
        statement="For all A > 1, d >= 1 and grid sizes B >= 1: 2 log A + 2d log B > 0.",
        reading=(
            "A, the first logarithm's argument, is at least 2π^2/3 > 6; B is max(1, ξ) in place "
            "of ξ."
        ),
        parameters=(Real("A", 1, low_open=True), Real("B", 1), Integer("d", 1)),
        formula="2*log(A) + 2*d*log(B) > 0",
        expected=Verdict.PROVED,
        because="Both logarithms have arguments of at least 1.",
    ),
    Claim(
        id="theorem-1-n-zero",
        label="Theorem 1 for n = 0",
        where="section 4, Theorem 1",
        statement="For all n >= 0 and δ in (0, 1): β_n's first logarithm is defined.",
        reading="Literal: 'for any n >= 0'.",
        parameters=(Integer("n", 0), Real("delta", 0, 1, low_open=True, high_open=True)),
        formula=f"{_LEFT} > 0",
        expected=Verdict.REFUTED,
        because="β_0 is the logarithm of 0. The statement is about n >= 1.",
        finding="slip",
        repairs=("theorem-1-n-positive",),
    ),
    Claim(
        id="theorem-1-n-positive",
        label="Theorem 1 for n >= 1",
        where="section 4, Theorem 1",
        kind="repair",
        statement="For all n >= 1 and δ in (0, 1): n^2/δ > 0.",
        parameters=(Integer("n", 1), Real("delta", 0, 1, low_open=True, high_open=True)),
        formula="n**2/delta > 0",
        expected=Verdict.PROVED,
        because="A positive quotient.",
    ),
    Claim(
        id="phi-defined",
        label="φ on the whole line",
        where="section 4, Theorem 1, and Appendix B",
        statement=(
            "For all x >= 0 that can occur (0 where ε = 0 or the block's times are equal): "
            "log x + 1/x is defined, so x > 0."
        ),
        reading="Appendix B says 'for any x in R'.",
        parameters=(Real("x", 0),),
        formula="x > 0",
        expected=Verdict.REFUTED,
        because="φ(0) is needed (equal times, ε = 0, single rounds) and is not defined as printed.",
        finding="slip",
        repairs=("phi-is-x-below-one",),
        remark="Read φ(0) = 0, its limit.",
    ),
    Claim(
        id="phi-is-x-below-one",
        label="φ(x) = x up to 1",
        where="section 4, Theorem 1",
        kind="repair",
        statement="For all x in (0, 1]: φ(x) = min(x, log x + 1/x) = x.",
        reading="So φ has the limit 0 at 0.",
        parameters=(Real("x", 0, 1, low_open=True),),
        formula=f"{_PHI} == x",
        expected=Verdict.PROVED,
        because="x - log x - 1/x grows to 0 at x = 1.",
    ),
    Claim(
        id="phi-above-log",
        label="φ majorises log(1+x)",
        where="section 4, Theorem 1",
        kind="step",
        statement="For all x > 0: log(1+x) <= φ(x) = min(x, log x + 1/x).",
        parameters=(Real("x", 0, low_open=True),),
        formula=f"log(1+x) <= {_PHI}",
        expected=Verdict.PROVED,
        because="log(1+x) <= x, and log(1+x) = log x + log(1+1/x).",
        printed_proof="sound",
    ),
    Claim(
        id="theorem-1",
        label="Theorem 1, both inequalities, on its confidence event",
        where="section 4, Theorem 1",
        statement=(
            "On the confidence event, for every n and every partition of the n rounds into N "
            "blocks of M_i rounds, the longest of M: R_n <= sqrt(CBn γ̃) + 2, γ̃ the joint gain "
            "of the points played, and this is at most sqrt(CBn (Nγ_M + ½ Σ M_i φ(sθ "
            "sqrt(C_i/M_i)))) + 2; s = 1/σ^2, C = 8/log(1+s), B at least every β_i."
        ),
        reading=(
            "The confidence event (for its probability: lemma-8 and lemma-10), the policy μ + "
            "sqrt(β_i) σ and fixed times are hypotheses; the posterior mean may be any "
            "function; β_i >= 0. k_space(x,x) <= 1, k_time(τ,τ) = 1, k_time >= 0, 1-k_time <= "
            "θ|τ-τ'|; "
            "C_i over rounds with the cap 1/θ^2; φ(0) = 0; γ_m is at least the gain of every m "
            "points. The search tries two rounds at one point, 1-k_time = e <= m = min(1, θ "
            "gap), every regret at its largest."
        ),
        parameters=(
            Real("s", 0, low_open=True),
            Real("m", 0, 1, low_open=True),
            Real("e", 0, "m"),
            Real("b", 0),
        ),
        let=(("x", "s*m"),),
        formula=(
            "2*sqrt(b)*(1 + sqrt(1 - s*(1-e)**2/(1+s))) + 1 + 1/4 <= "
            f"sqrt(8/log(1+s)*b*2*(log(1+2*s)/2 + {_PHI})) + 2"
        ),
        expected=Verdict.PROVED,
        because=(
            "The statement survives under the stated reading; the printed chain does not: its grid "
            "is too small a count, and its splitting of the logarithm is false."
        ),
        finding="gap",
        printed_proof="false",
        repairs=(
            "lemma-8-weights-from-one",
            "lemma-10-beta-counts-centres",
            "lemma-11-round-index-repaired",
            "lemma-13-block",
            "theorem-1-constant",
        ),
    ),
)
