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
            "For all n_0 >= 1, k_0 >= 0, i >= 1, T >= 0 and ε in (0, 1]: where the block of "
            "rounds k_0+1..k_0+i contains round n_0, C is 2(n_0-k_0-1)(k_0+i-n_0+1) min(1/ε^2, "
            "T^2); otherwise 0."
        ),
        reading="'τ_{n_0} in the block' means that round n_0 is one of its rounds.",
        parameters=_SETTING,
        let=(("tau", _TIMES),),
        formula=f"{_DIRECT} == ({_PRINTED} if {_INSIDE} else 0)",
        expected=Verdict.PROVED,
        because="Only pairs across the jump differ; each counts twice.",
        printed_proof="gap",
        repairs=("appendix-c-biased-sum",),
        remark="The proof has l_0 for k_0 in one line.",
    ),
    Claim(
        id="lemma-2-membership-by-value",
        label="Lemma 2, with the membership read literally",
        where="section 4, Lemma 2",
        statement=(
            "The same for blocks of at least two rounds after the jump (k_0 >= n_0), where "
            "'τ_{n_0} in the block' is true as a statement about the value T: all times of such "
            "a block equal τ_{n_0} = T."
        ),
        reading="Literal: T is one of the time points of the block.",
        parameters=(
            Integer("n", 6),
            Integer("n_0", 2, "n"),
            Integer("i", 2, "n"),
            Integer("k_0", 0, "n-i"),
            Real("T", 0),
            Real("eps", 0, "1/2", low_open=True),
        ),
        let=(("tau", _TIMES),),
        hypotheses=(
            "k_0 >= n_0",
            "k_0 + i >= n_0",
            "T > 0",
        ),
        formula=f"{_DIRECT} == {_PRINTED}",
        witnesses=({"n": 6, "n_0": 2, "i": 2, "k_0": 2, "T": 1, "eps": "1/2"},),
        expected=Verdict.REFUTED,
        because="A block after the jump has C = 0, but the printed product is negative there.",
        finding="slip",
        place_of="uniformity-as-a-set",
        printed_proof="gap",
        repairs=("lemma-2",),
    ),
)
