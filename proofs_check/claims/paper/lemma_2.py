"""Lemma 2 (section 4): the uniformity C where only round n_0 takes time (t_{n_0} = T).

A block holds the rounds k_0+1 … k_0+i. Where it contains round n_0, before = n_0-k_0-1 of its
rounds lie at time 0 and after = k_0+i-n_0+1 at time T.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_TIMES = "[T if k_0 + j >= n_0 else 0 for j in range(1, i+1)]"
_DIRECT = "sum(min(1/eps**2, (tau[j]-tau[k])**2) for j in range(i) for k in range(i))"
_PRINTED = "2*(n_0-k_0-1)*(k_0+i-n_0+1)*min(1/eps**2, T**2)"
_INSIDE = "(n_0-k_0-1)*(k_0+i-n_0) >= 0"
_SETTING = (
    Integer("n", 1),
    Integer("n_0", 1, "n"),
    Integer("i", 1, "n"),
    Integer("k_0", 0, "n-i"),
    Real("T", 0),
    Real("eps", 0, 1, low_open=True),
)

CLAIMS = (
    Claim(
        id="lemma-2",
        label="Lemma 2",
        where="section 4, Lemma 2",
        statement=(
            "For all n, n_0 in 1..n, i, k_0 <= n-i, T >= 0 and ε in (0, 1]: where the block "
            "contains round n_0, C is 2(n_0-k_0-1)(k_0+i-n_0+1) min(1/ε^2, T^2); otherwise 0."
        ),
        reading="'τ_{n_0} in the block' means that round n_0 is one of its rounds.",
        parameters=_SETTING,
        let=(("tau", _TIMES),),
        formula=f"{_DIRECT} == ({_PRINTED} if {_INSIDE} else 0)",
        expected=Verdict.PROVED,
        because="Only pairs across the jump differ; each counts twice.",
        printed_proof="gap",
        repairs=("lemma-2-counted",),
        remark="The proof has l_0 for k_0 in one line.",
    ),
    Claim(
        id="lemma-2-counted",
        label="Lemma 2, the count",
        where="section 4, Lemma 2",
        kind="repair",
        statement=(
            "For all a, b >= 0 (rounds before and after the jump) and m = min(1/ε^2, T^2): the "
            "two rectangles of pairs across the jump sum to 2abm, boundaries included."
        ),
        parameters=(Integer("a", 0), Integer("b", 0), Real("m", 0)),
        formula="sum(m for j in range(a) for k in range(b)) + "
        "sum(m for j in range(b) for k in range(a)) == 2*a*b*m",
        expected=Verdict.PROVED,
        because="A sum of ab equal terms, twice; pairs on one side of the jump add 0.",
    ),
    Claim(
        id="lemma-2-membership-by-value",
        label="Lemma 2, with the membership read literally",
        where="section 4, Lemma 2",
        statement=(
            "The same, where 'τ_{n_0} in the block' is a statement about the value T: it is also "
            "true of every later block, all of whose times equal τ_{n_0} = T."
        ),
        reading="Literal: T is one of the time points of the block.",
        parameters=_SETTING,
        let=(("tau", _TIMES),),
        hypotheses=("k_0 + i >= n_0", "T > 0"),
        formula=f"{_DIRECT} == {_PRINTED}",
        witnesses=({"n": 2, "n_0": 1, "i": 1, "k_0": 1, "T": 1, "eps": 1},),
        expected=Verdict.REFUTED,
        because="A block after the jump has C = 0, but the printed product is negative there.",
        finding="slip",
        repairs=("lemma-2-counted", "lemma-2"),
        printed_proof="gap",
    ),
)
