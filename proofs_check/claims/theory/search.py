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
            "For every D >= 0 non-decreasing in the distance and sorted times: a block of a >= "
            "1 rounds and the next one of b >= 1 rounds have a mean pair sum C/(a+b) of at "
            "least C/a and C/b of either."
        ),
        reading=(
            "C sums D over ordered pairs of rounds; ties allowed. The search tries D(g) = "
            "min(c, g^2)."
        ),
        parameters=(
            Integer("a", 1, 4),
            Integer("b", 1, 4),
            Times("t", "a+b"),
            Real("c", 0, search=(None, 1000)),
        ),
        formula=f"max(({_A})/a, ({_B})/b) <= ({_BOTH})/(a+b)",
        expected=Verdict.PROVED,
        because="theory-m-proof.",
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
    ),
    Claim(
        id="theory-superadditive",
        label="Superadditivity of the drift",
        where="docs/theory.md#pruning",
        kind="theory",
        statement=(
            "For D as in theory-m and every non-decreasing g: a g(A/a) + b g(B/b) <= (a+b) "
            "g(C/(a+b)), A, B and C the pair sums of two adjacent blocks of a and b rounds and "
            "of their union."
        ),
        reading=(
            "Such g are log(1+s√x) and φ(s√x), as φ never decreases (phi-non-decreasing). The "
            "search tries D(h) = min(c, h^2) and g = log(1+.)."
        ),
        parameters=(
            Integer("a", 1, 4),
            Integer("b", 1, 4),
            Times("t", "a+b"),
            Real("c", 0, search=(None, 1000)),
        ),
        formula=f"a*log(1+({_A})/a) + b*log(1+({_B})/b) <= (a+b)*log(1+({_BOTH})/(a+b))",
        expected=Verdict.PROVED,
        because="By theory-m each block's g is at most the union's.",
    ),
    Claim(
        id="theory-pruning",
        label="Pruning is exact",
        where="docs/theory.md#pruning",
        kind="theory",
        statement=(
            "Least costs F(x) over partitions into blocks of at most L rounds, with a price "
            "that never decreases in the length and a drift w superadditive over adjacent "
            "blocks: for every x some start j that has not been pruned before x attains F(x), a "
            "start j being pruned before x where F(e) <= F(j) + w(j, e) at some end e between "
            "them."
        ),
        reading=(
            "The search tries x = 3 without a cap: prices p <= q <= r of 1, 2 and 3 rounds, "
            "w_je the drift from j to e."
        ),
        parameters=(
            Real("p", search=(-100, 100)),
            Real("q", "p", search=(None, 200)),
            Real("r", "q", search=(None, 300)),
            *(
                Real(name, search=(-100, 100))
                for name in ("w01", "w02", "w03", "w12", "w13", "w23")
            ),
        ),
        let=(
            ("F1", "p + w01"),
            ("F2", "min(q + w02, F1 + p + w12)"),
            ("c0", "r + w03"),
            ("c1", "F1 + q + w13"),
            ("c2", "F2 + p + w23"),
        ),
        hypotheses=(
            "w02 >= w01 + w12",
            "w03 >= w01 + w13",
            "w03 >= w02 + w23",
            "w13 >= w12 + w23",
        ),
        formula=(
            "min((c0 if min(F1 - w01, F2 - w02) > 0 else c2), (c1 if F2 > F1 + w12 else c2), "
            "c2) == min(c0, c1, c2)"
        ),
        expected=Verdict.PROVED,
        because="A pruned start loses to the end that pruned it, which is a later start.",
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
        remark="Above 0.797, θ > ε, and θ sqrt(C_ε) is a majorant, only a larger one.",
    ),
)
