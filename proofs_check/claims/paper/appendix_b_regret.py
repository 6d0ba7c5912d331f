"""Appendix B, Lemma 11: the regret of one round."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_ROUND = (
    Integer("n", 1),
    Real("w", 0, search=(None, 100)),
    *(Real(name, search=(-100, 100)) for name in ("mc", "m", "best", "f")),
    *(Real(name, 0, search=(None, 1)) for name in ("sc", "s")),
)
_EVENTS = ("abs(best - mc) <= w*sc + 1/n**2", "abs(f - m) <= w*s", "mc + w*sc <= m + w*s")

CLAIMS = (
    Claim(
        id="lemma-11",
        label="Lemma 11",
        where="appendix B, Lemma 11",
        statement=(
            "On the events of Lemmas 8 and 10, of δ/2 each: in every round n >= 1, r_n <= 2 "
            "sqrt(β_n) σ_{n-1}(x_n, τ_n) + 1/n^2."
        ),
        reading=(
            "The events, the policy μ + sqrt(β_n) σ and times that do not depend on x are "
            "hypotheses; β_n, D_n and 1/n^2 are those of round n. m and s are mean and "
            "deviation at the chosen point, mc and sc at the grid point next to the best."
        ),
        parameters=_ROUND,
        hypotheses=_EVENTS,
        formula="best - f <= 2*w*s + 1/n**2",
        expected=Verdict.PROVED,
        because="The three displayed lines, once the indices are those of one round.",
        finding="gap",
        printed_proof="gap",
        repairs=("lemma-11-round-index-repaired",),
    ),
    Claim(
        id="lemma-11-round-index",
        label="Lemma 11, the indices of the round",
        where="appendix B, Lemma 11, display 3, line 2: Lemma 10 used with n-1",
        statement=(
            "For n >= 2: Lemma 10 after n-1 observations has the accuracy 1/(n-1)^2, and "
            "1/(n-1)^2 <= 1/n^2, which is what the line adds."
        ),
        reading=(
            "Lemma 10 at index n-1, its β_{n-1} and its accuracy together; n = 1 would even "
            "divide by 0."
        ),
        parameters=(Integer("n", 2),),
        formula="1/(n-1)**2 <= 1/n**2",
        expected=Verdict.REFUTED,
        because=(
            "An offset by one: with β_{n-1} goes the accuracy 1/(n-1)², and the first round has "
            "neither (β_0 is undefined). The lemma's 'for any n >= 0' has no round 0."
        ),
        finding="gap",
        place_of="lemma-11",
        printed_proof="gap",
        repairs=("lemma-11-round-index-repaired", "lemma-8-weights-from-one"),
        remark="Give round n, chosen after n-1 observations, the weight β_n, grid D_n and 1/n².",
    ),
    Claim(
        id="lemma-11-round-index-repaired",
        label="Lemma 11 with β_n in round n",
        where="appendix B, Lemma 11",
        kind="repair",
        statement=(
            "If |f* - m_c| <= w s_c + 1/n^2 (at the grid point next to the best), |f - m| <= ws "
            "and m_c + w s_c <= m + ws (the chosen point maximises), all with w = sqrt(β_n): f* "
            "- f <= 2ws + 1/n^2, for n >= 1."
        ),
        parameters=_ROUND,
        hypotheses=_EVENTS,
        formula="best - f <= 2*w*s + 1/n**2",
        witnesses=({"n": 2, "w": 2, "mc": 1, "sc": 0, "m": 0, "s": 1, "best": 1, "f": -2},),
        expected=Verdict.PROVED,
        because="Three lines of the printed proof, one index.",
    ),
    Claim(
        id="lemma-11-weight",
        label="Lemma 11, the weight of the acquisition",
        where="appendix B, Lemma 11, display 3, line 3, against sections 2.3 and 3",
        statement=(
            "With w = sqrt(β), β >= 1, and the point chosen by m + β s as sections 2.3 and 3 say: "
            "f* - f <= 2ws, where f* <= m_c + w s_c and m - ws <= f."
        ),
        reading="Literal: the exploration weight of the acquisition is β_n, not its root.",
        parameters=(Real("w", 1, search=(None, 100)), *_ROUND[2:]),
        hypotheses=("best <= mc + w*sc", "mc + w**2*sc <= m + w**2*s", "m - w*s <= f"),
        formula="best - f <= 2*w*s",
        witnesses=({"w": 2, "mc": 4, "sc": 0, "m": 0, "s": 1, "best": 4, "f": -2},),
        expected=Verdict.REFUTED,
        because=(
            "A point with a large deviation wins by more than the confidence event pays back. The "
            "proof silently takes the weight sqrt(β_n)."
        ),
        finding="slip",
        place_of="acquisition-weight",
        printed_proof="sound",
        repairs=("lemma-11-round-index-repaired", "lemma-11-weight-repaired"),
    ),
    Claim(
        id="lemma-11-weight-repaired",
        label="Lemma 11 for the weight β",
        where="appendix B, Lemma 11",
        kind="repair",
        statement=(
            "For the point chosen by m + w^2 s, w = sqrt(β) >= 1: f* - f <= (w^2 + w) s on the "
            "same event."
        ),
        parameters=(Real("w", 1, search=(None, 100)), *_ROUND[2:]),
        hypotheses=("best <= mc + w*sc", "mc + w**2*sc <= m + w**2*s", "m - w*s <= f"),
        formula="best - f <= (w**2 + w)*s",
        witnesses=({"w": 2, "mc": 4, "sc": 0, "m": 0, "s": 1, "best": 4, "f": -2},),
        expected=Verdict.PROVED,
        because="w <= w², so the competitor's acquisition covers f*.",
    ),
    Claim(
        id="lemma-11-own-times",
        label="Times of the point: the step of Lemma 11 does not carry over",
        where="docs/theory.md#theorem-c, what it needs",
        kind="theory",
        statement=(
            "Two points known exactly at the last time, values x (chosen, correlation r over its "
            "evaluation) and z (no evaluation time), scale sqrt(β) = 1, q = sqrt(1-r^2) the "
            "deviation: if r x + q >= z then f(z) - f(x) <= 2q at the new time, where "
            "f(z) <= rz + q and f(x) >= rx - q."
        ),
        reading=(
            "CTV-fixed as section 3 defines it; Theorem 1 fixes the sequence instead, and there "
            "the line is right."
        ),
        parameters=(
            Real("r", 0, 1, low_open=True, high_open=True),
            Real("x", -1, 1),
            Real("z", -1, 1),
        ),
        let=(("q", "sqrt(1-r**2)"),),
        hypotheses=("r*x + q >= z",),
        formula="(r*z + q) - (r*x - q) <= 2*q",
        witnesses=({"r": "3/5", "x": 0, "z": "4/5"},),
        expected=Verdict.REFUTED,
        because=(
            "The acquisition compares the points at different times; the regret compares them at "
            "the time of the chosen one."
        ),
        repairs=("theory-c-regret",),
        remark=(
            "Theorem 1 fixes the times, and there the line is right: this says only why Theorem "
            "C is another theorem."
        ),
    ),
)
