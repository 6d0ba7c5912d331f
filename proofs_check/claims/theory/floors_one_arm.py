"""docs/theory.md#rank-floor, docs/theory.md#theorem-g: points are looked at one by one."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector

_RIVAL = "max([(f[y] if y != x else min([f[z] for z in range(N)])) for y in range(N)])"
_LOST = f"max(0, {_RIVAL} - f[x])"
_WON = f"max(0, f[x] - {_RIVAL})"
_COST = "(1-w)*min({}, h)"
_FALLING = "({0} if {0} <= h else 0)"
_PRICES = (
    f"sum(({_LOST} - {_COST.format(_LOST)} if x == a else {_COST.format(_WON)}) for x in range(N))"
)
_CELL = "max(0, W[{0}+1]-W[{0}])*max(0, P[{0}]-d) - max(0, W[{0}]-W[{0}+1])*(P[{0}]+d)"

CLAIMS = (
    Claim(
        id="theory-rank-step",
        label="Rank floor, k observations span k directions",
        where="docs/theory.md#rank-floor",
        kind="theory",
        statement=(
            "For weights with Σc_j² <= (1-p)κ and any innovations w: Σ c_j w_j <= "
            "√(1-p) √κ √(Σ w_j²), for every number k of observations."
        ),
        reading="The formula: (1-p)κ = Σ c_j² + h.",
        parameters=(
            Integer("k", 1),
            Vector("c", "k", search=(-9, 9)),
            Vector("w", "k", search=(-9, 9)),
            Real("h", 0, search=(None, 9)),
        ),
        formula=(
            "sum(c[j]*w[j] for j in range(k)) <= sqrt((sum(c[j]**2 for j in range(k)) + h)*"
            "sum(w[j]**2 for j in range(k))) + 1/10**20"
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz; that Σc_j(x)² <= (1-p)k(x,x) is the diagonal of theory-f-gram.",
        remark="The theorem has no 1/10²⁰: balls need it at equality.",
    ),
    Claim(
        id="theory-rank-length",
        label="Rank floor, the mean length for one observation",
        where="docs/theory.md#rank-floor",
        kind="theory",
        statement="√2 Γ(1)/Γ(1/2) is at least √(2/π) = E|w| up to 10⁻³⁰, and √(2/π) < 0.7979.",
        formula=(
            "max(sqrt(2/pi) - sqrt(2)*gamma(1)/gamma(1/2) - 1/10**30, sqrt(2/pi) - 0.7979) <= 0"
        ),
        expected=Verdict.PROVED,
        because="Γ(1/2) = √π.",
    ),
    Claim(
        id="theory-rank-second",
        label="Rank floor, the second round of non-negative kernels",
        where="docs/theory.md#rank-floor",
        kind="theory",
        statement="For 0 <= c(x) <= C and any w: max(c(x)w, c(y)w) <= C max(w, 0).",
        reading="E w₊ = 1/√(2π): half of E|w|.",
        parameters=(
            Real("C", 0, search=(None, 9)),
            Real("c", 0, "C"),
            Real("e", 0, "C"),
            Real("w", search=(-9, 9)),
        ),
        formula="max(c*w, e*w) <= C*max(w, 0)",
        expected=Verdict.PROVED,
        because="A non-negative weight keeps the sign of w.",
    ),
    Claim(
        id="theory-rank-second-negative",
        label="Rank floor, its second round with negative kernels",
        where="docs/theory.md#rank-floor",
        kind="theory",
        statement=(
            "Two arms of correlation r, the first seen once: E max(w, rw) = (1-r)/√(2π) <= 1/√(2π)."
        ),
        reading="The rule of theory-rank-second without k_space >= 0.",
        parameters=(Real("r", -1, 1),),
        formula="(1-r)/sqrt(2*pi) <= 1/sqrt(2*pi)",
        expected=Verdict.REFUTED,
        because="A bad look at one arm is good news of the other.",
        repairs=("theory-rank-second",),
    ),
    Claim(
        id="theory-g-pathwise",
        label="Theorem G, on every path",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement=(
            "For N >= 2 values f, a point a played, ψ non-decreasing with 0 <= ψ(u) <= u: the sum "
            "over the arms of u-ψ(u) at u = (rival - f)₊ for a, and of ψ((f - rival)₊) for the "
            "others, is at most max f - f(a)."
        ),
        reading="Ties allowed. The formula: ψ(u) = (1-w) min(u, h).",
        parameters=(
            Integer("N", 2, 7),
            Vector("f", "N", search=(-9, 9)),
            Integer("a", 0, "N-1"),
            Real("w", 0, 1),
            Real("h", 0, low_open=True, search=(None, 9)),
        ),
        formula=f"{_PRICES} <= max([f[x] for x in range(N)]) - f[a]",
        expected=Verdict.PROVED,
        because="At most one other arm is above its rival, and by no more than the regret.",
    ),
    Claim(
        id="theory-g-falling",
        label="Theorem G, with a charge for passing that falls",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement="The same holds for ψ(u) = u up to h and 0 beyond.",
        reading="0 <= ψ(u) <= u, but ψ falls at h.",
        parameters=(
            Integer("N", 2, 7),
            Vector("f", "N", search=(-9, 9)),
            Integer("a", 0, "N-1"),
            Real("h", 0, low_open=True, search=(None, 9)),
        ),
        formula=(
            f"sum(({_LOST} - {_FALLING.format(_LOST)} if x == a else {_FALLING.format(_WON)}) "
            "for x in range(N)) <= max([f[x] for x in range(N)]) - f[a]"
        ),
        witnesses=({"N": 3, "f": [0, 2, "3/2"], "a": 0, "h": 1},),
        expected=Verdict.REFUTED,
        because="The best arm's lead is charged although the loss at hand is not.",
        repairs=("theory-g-pathwise",),
    ),
    Claim(
        id="theory-g-block",
        label="Theorem G, a block: the first play, or none",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement=(
            "A block of a game with prices >= 0 costs what passing all of it costs, or at least "
            "what passing up to some round and playing there costs; every length."
        ),
        reading="The formula: two rounds; a round is played where z >= 1/2.",
        parameters=(
            Vector("play", 2, 0, search=(None, 9)),
            Vector("pas", 2, 0, search=(None, 9)),
            Vector("z", 2, 0, 1),
        ),
        formula=(
            "min(pas[0]+pas[1], play[0], pas[0]+play[1]) <= "
            "sum((play[k] if z[k] >= 1/2 else pas[k]) for k in range(2))"
        ),
        expected=Verdict.PROVED,
        because="What comes after the first play costs something.",
    ),
    Claim(
        id="theory-g-block-played",
        label="Theorem G, blocks without «none»",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement=(
            "One round, two independent arms, ψ(u) = (1-w)u: the sum over the arms of the prices "
            "of playing, 2w/√π, is a floor under the regret 1/√π of every policy."
        ),
        reading="The block's minimum over the first play alone: Σ_x w E(B_x - ξ_x)₊, E = 1/√π.",
        parameters=(Real("w", 0, 1),),
        formula="2*w/sqrt(pi) <= 1/sqrt(pi)",
        expected=Verdict.REFUTED,
        because="An arm need not be played: passing costs (1-w)E(ξ-B)₊ instead.",
        repairs=("theory-g-block", "theory-g-one-round"),
    ),
    Claim(
        id="theory-g-one-round",
        label="Theorem G, one round of two arms",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement="One round, two independent arms: 2 min(w, 1-w)/√π is at most 1/√π.",
        reading=(
            "The floor with «none» gives no more than the left side, and every policy has the "
            "regret 1/√π."
        ),
        parameters=(Real("w", 0, 1),),
        formula="2*min(w, 1-w)/sqrt(pi) <= 1/sqrt(pi)",
        expected=Verdict.PROVED,
        because="min(w, 1-w) <= 1/2.",
    ),
    Claim(
        id="theory-g-cells",
        label="Theorem G, rigorous cells",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement=(
            "The mean of a step function on cells is at least its first value, its rises weighed "
            "by lower bounds and its falls by upper bounds of the chances to be beyond their "
            "edges; any number of cells."
        ),
        reading="The formula: three cells, chances P within d.",
        parameters=(
            Vector("W", 3, search=(-9, 9)),
            Real("p", 0, 1),
            Real("q", 0, "p"),
            Real("d", 0, 1),
        ),
        let=(("P", "[p, q]"),),
        formula=(
            f"W[0] + sum({_CELL.format('k')} for k in range(2)) <= W[0]*(1-p) + W[1]*(p-q) + W[2]*q"
        ),
        expected=Verdict.PROVED,
        because="Summation by parts.",
    ),
    Claim(
        id="theory-g-limit-block",
        label="Theorem G in the limit, a block",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement=(
            "A block of any number of rounds with prices >= 0 costs at least the smaller of all "
            "passes of its first j rounds and the least price of playing in one of these, "
            "whatever is played."
        ),
        reading=(
            "The search tries S, the passes of the first rounds: played among them at price u "
            "after passes A; later at price q after S and B more; never, with T more."
        ),
        parameters=tuple(Real(name, 0, search=(None, 9)) for name in "SABTuq"),
        formula="min(S, u) <= min(min(A + u, S + B + q), S + T)",
        expected=Verdict.PROVED,
        because="No price is negative.",
    ),
    Claim(
        id="theory-g-limit-rate",
        label="Theorem G in the limit against Theorem F",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement="N ε >= σ √ε for ε >= (σ/N)²: until then, linear in ε wins over √ε.",
        reading="e = √ε.",
        parameters=(
            Real("N", 1, search=(None, 99)),
            Real("d", 0, search=(None, 9)),
            Real("e", 0, 1),
        ),
        hypotheses=("d/N <= e",),
        formula="d*e <= N*e**2",
        witnesses=({"N": 2, "d": 1, "e": 1},),
        expected=Verdict.PROVED,
        because="Multiply by N e.",
    ),
    Claim(
        id="theory-g-limit-always",
        label="Theorem G in the limit, above Theorem F at every drift",
        where="docs/theory.md#theorem-g",
        kind="theory",
        statement="N ε >= σ √ε for every ε in (0, 1].",
        parameters=(
            Real("N", 1, search=(None, 99)),
            Real("d", 0, search=(None, 9)),
            Real("e", 0, 1),
        ),
        formula="d*e <= N*e**2",
        expected=Verdict.REFUTED,
        because="Below ε = (σ/N)² Theorem F is the larger.",
        repairs=("theory-g-limit-rate",),
    ),
)
