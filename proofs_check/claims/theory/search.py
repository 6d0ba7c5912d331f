"""docs/theory.md#lemma-m and #pruning: superadditivity, pruning, and why the cost is not Monge."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Times

_SUM = "sum(min(c, (t[j]-t[k])**2) for j in range({}) for k in range({}))"
_A = _SUM.format("a", "a")
_B = _SUM.format("a, a+b", "a, a+b")
_BOTH = _SUM.format("a+b", "a+b")

CLAIMS = (
    Claim(
        id="theory-m",
        label="Lemma M, on sequences of times",
        where="docs/theory.md#lemma-m",
        kind="theory",
        statement=(
            "For sorted times, a block of a rounds and the next one of b rounds, D(g) = min(c, g^2)"
            ": the mean C/(a+b) of both is at least C/a and at least C/b."
        ),
        reading="Ties allowed; C sums over ordered pairs of rounds.",
        parameters=(
            Integer("a", 1, 4),
            Integer("b", 1, 4),
            Times("t", "a+b"),
            Real("c", 0, search=(None, 1000)),
        ),
        formula=f"max(({_A})/a, ({_B})/b) <= ({_BOTH})/(a+b)",
        expected=Verdict.PROVED,
        because="theory-m-proof shows it for every non-decreasing D >= 0.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-m-triangle",
        label="Lemma M, first inequality of the proof",
        where="docs/theory.md#lemma-m, proof",
        kind="theory",
        statement=(
            "For times x <= y <= z (z the last of the block) and D(g) = min(c, g^2): "
            "D(y-x) <= D(z-x) + D(z-y)."
        ),
        parameters=(Real("x", 0), Real("y", "x"), Real("z", "y"), Real("c", 0)),
        formula="min(c, (y-x)**2) <= min(c, (z-x)**2) + min(c, (z-y)**2)",
        expected=Verdict.PROVED,
        because="D grows with the gap and is not negative.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-m-proof",
        label="Lemma M, the end of the proof",
        where="docs/theory.md#lemma-m, proof",
        kind="theory",
        statement=(
            "With A = C of the first block, B = C of the second, S = sum of D to the last round of "
            "the first, X = the cross sum: A <= 2aS and X >= bS give (A+B+2X)/(a+b) >= A/a."
        ),
        parameters=(
            Real("a", 1),
            Real("b", 1),
            Real("A", 0, search=(None, 1000)),
            Real("B", 0, search=(None, 1000)),
            Real("S", 0, search=(None, 1000)),
            Real("X", 0, search=(None, 1000)),
        ),
        hypotheses=("A <= 2*a*S", "X >= b*S"),
        formula="A/a <= (A+B+2*X)/(a+b)",
        witnesses=({"a": 1, "b": 1, "A": 2, "B": 0, "S": 1, "X": 1},),
        rests_on=("theory-m-triangle",),
        expected=Verdict.OUTLINE,
        because="2X >= 2bS >= (b/a)A. The other half is the mirror image.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-superadditive",
        label="Superadditivity of the drift",
        where="docs/theory.md#pruning",
        kind="theory",
        statement=(
            "For w = M g(C/M), g non-decreasing: if g at the union is at least g at both blocks "
            "then w(union) >= w(first) + w(second)."
        ),
        reading="Such are log(1+s√x) and φ(s√x), as φ never decreases (phi-non-decreasing).",
        parameters=(
            Real("a", 1),
            Real("b", 1),
            Real("gA", search=(-100, 100)),
            Real("gB", search=(-100, 100)),
            Real("gU", "max(gA, gB)"),
        ),
        formula="a*gA + b*gB <= (a+b)*gU",
        rests_on=("theory-m-proof",),
        expected=Verdict.PROVED,
        because="Each block's g is at most the union's.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-pruning",
        label="Pruning is exact",
        where="docs/theory.md#pruning",
        kind="theory",
        statement=(
            "If F(j) + w(j,e) >= F(e), w(j,x) >= w(j,e) + w(e,x) for an end x beyond e, and the "
            "prices satisfy p_e = γ_(x-e) <= p_j = γ_(x-j): F(j) + p_j + w(j,x) >= F(e) + p_e + "
            "w(e,x), so start j is never needed beyond e."
        ),
        reading=(
            "Any price that never decreases with the length of a block, as j < e; without prices "
            "or with a constant one they cancel. F contains the prices of earlier blocks, the "
            "condition on j none. A length cap that admits start j admits e."
        ),
        parameters=(
            *(
                Real(name, 0, search=(None, 100))
                for name in ("Fj", "Fe", "wje", "wjx", "wex", "p_e")
            ),
            Real("p_j", "p_e", search=(None, 200)),
        ),
        hypotheses=("Fj + wje >= Fe", "wjx >= wje + wex"),
        formula="Fe + p_e + wex <= Fj + p_j + wjx",
        rests_on=("theory-superadditive",),
        expected=Verdict.PROVED,
        because="Add the three.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-monge",
        label="The cost of a block is not Monge",
        where="docs/theory.md#pruning",
        kind="theory",
        statement=(
            "Blocks of equal times cost γ = 0, 1, 1.5, 1.75: for starts 0 <= 1 and ends 2 <= 3 the "
            "quadrangle inequality fails, γ_2 + γ_2 > γ_3 + γ_1."
        ),
        reading="SMAWK and Knuth's speed-up need cost(p,r)+cost(q,u) <= cost(p,u)+cost(q,r).",
        formula="3/2 + 3/2 > 7/4 + 1",
        expected=Verdict.PROVED,
        because="Concave gains go the other way.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-monge-inverse",
        label="Nor is it inverse Monge",
        where="docs/theory.md#pruning",
        kind="theory",
        statement=(
            "For unit gaps, γ = 0 and s = ε = 1 without cap, the drift of blocks of 1, 2 and 3 "
            "rounds: w(2) + w(2) < w(3) + w(1), the strict opposite order."
        ),
        formula="2*(2*log(1+sqrt(2/2))) < 3*log(1+sqrt(12/3))",
        expected=Verdict.PROVED,
        because="4 log 2 = 2.77 < 3 log 3 = 3.30: the drift is superadditive, so neither holds.",
    ),
    Claim(
        id="theory-cap-of-slope",
        label="θ with the cap 1/ε² is no majorant",
        where="docs/theory.md#additive",
        kind="theory",
        statement=(
            "Forgetting kernel, ε = 3/4, θ = log(4)/2 = 0.693, gap 8: (1-k_time)^2 > θ^2 min(1/ε^2,"
            " 64). With the cap 1/θ^2 it holds (lemma-13-forgetting-line-slope)."
        ),
        formula="(1-(1/4)**4)**2 > (log(4)/2)**2*min(16/9, 64)",
        expected=Verdict.PROVED,
        because="Below ε = 0.797, θ < ε: θ²/ε² is below 1, which 1-k_time approaches.",
        printed_proof="absent",
        remark="Above 0.797, θ > ε, and θ sqrt(C_ε) is a majorant, only a larger one.",
    ),
)
