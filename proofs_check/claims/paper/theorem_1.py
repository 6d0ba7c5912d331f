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
        label="β_n of Theorem 1 is positive",
        where="section 4, Theorem 1",
        kind="theory",
        statement=(
            "For all n, d >= 1, δ in (0, 1), a >= 1 and b, r > 0 that Assumption 1 (III) allows: "
            "β_n > 0, so that sqrt(β_n) exists."
        ),
        parameters=_BETA_SETTING,
        formula=f"{_BETA} > 0",
        witnesses=({"n": 1, "d": 1, "delta": "1/2", "a": 1, "b": 1, "r": "1/100"},),
        expected=Verdict.REFUTED,
        because=(
            "On a small domain (or for a smooth prior) the logarithm of the grid size "
            "d n^2 b r sqrt(log …) is very negative, and so is β_n."
        ),
        repairs=("theorem-1-beta-positive-repaired",),
        remark=(
            "No hypothesis of the theorem is missing: where the grid has less than one point, or "
            "at least d per axis, its regret bound stands."
        ),
    ),
    Claim(
        id="theorem-1-beta-positive-repaired",
        label="β_n with at least one grid point",
        where="section 4, Theorem 1",
        kind="repair",
        statement=(
            "For all A > 1 (the first logarithm's argument, at least 2π^2/3 > 6), d >= 1 and grid "
            "sizes B >= 1, i.e. with max(1, ξ) in place of ξ: β = 2 log A + 2d log B > 0."
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
        statement="For all x in (0, 1], with y = 1/x: x <= log x + 1/x; so φ(x) = x -> 0 at 0.",
        parameters=(Real("y", 1),),
        formula="1/y <= y - log(y)",
        expected=Verdict.PROVED,
        because="Equality at y = 1, and the difference grows.",
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
        label="Theorem 1, both inequalities",
        where="section 4, Theorem 1",
        statement=(
            "For all n >= 1 and β, C > 0: from R <= sqrt(Cβn γ̃) + 2 (Lemma 12) and γ̃ <= B, "
            "B = Nγ_M + ½ Σ M_i φ(…) (Lemma 13), R <= sqrt(CβnB) + 2 with probability 1-δ."
        ),
        reading=(
            "Fixed times, acquisition μ + sqrt(β_n) σ, k(x,x) <= 1, k_time(τ,τ) = 1, n >= 1, "
            "φ(0) = 0, β_n counting from n = 1 and a grid of cell centres."
        ),
        parameters=(
            Real("R"),
            Real("C", 0, low_open=True),
            Real("beta", 0, low_open=True),
            Real("n", 1),
            Real("gain", 0),
            Real("B", 0),
        ),
        hypotheses=("R <= sqrt(C*beta*n*gain) + 2", "gain <= B"),
        formula="R <= sqrt(C*beta*n*B) + 2",
        rests_on=("lemma-12-repaired", "lemma-13", "lemma-11-round-index-repaired"),
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
