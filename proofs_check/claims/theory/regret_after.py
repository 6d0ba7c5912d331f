"""docs/theory.md#rank-certificate: after a run. Ranks, ordered telescoping, the martingale."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector

_BELOW = "sum(1 if v[j] < v[i] else 0 for j in range({size}))"
_RANKED = f"sum(1 if {_BELOW} < k else 0 for i in range({{size}}))"
_THREE = (
    "(1 if (1 if b < a else 0) + (1 if c < a else 0) < {k} else 0) + "
    "(1 if (1 if a < b else 0) + (1 if c < b else 0) < {k} else 0) + "
    "(1 if (1 if a < c else 0) + (1 if b < c else 0) < {k} else 0)"
)
_V = "(1 - (sqrt(3)/2 + pi/3)/pi)"  # E Var((g - f)₊ | f), f and g independent standard normal
_TELESCOPED = (
    "c + max(f0 - c, 0) + max(f1 - max(c, f0), 0) + max(f2 - max(c, f1), 0) "
    "+ max(f3 - max(c, max(f0, f2)), 0)"
)
_PIECES = ("R", "top", "played", "level", "over", "limit", "y", "noise", "z")
_CHAIN = (
    "R == top - played",
    "top <= level + over",
    "over <= limit",
    "y == played + noise",
    "noise <= z",
)

CLAIMS = (
    Claim(
        id="theory-regret-rank",
        label="Rank certificate, the level",
        where="docs/theory.md#rank-certificate",
        kind="theory",
        statement=(
            "Of any S+1 numbers, with ties or without, at least k have fewer than k of the others "
            "below them, 1 <= k <= S."
        ),
        reading=(
            "v_i is at most the k-th smallest other iff fewer than k others are below it. So "
            "P(R_n <= R^((k))) >= k/(S+1) for exchangeable numbers, which have every rank with "
            "one chance: that is said in words alone."
        ),
        parameters=(Integer("S", 1, 7), Integer("k", 1, "S"), Vector("v", "S+1", -3, 3)),
        formula=f"{_RANKED.format(size='S+1')} >= k",
        expected=Verdict.PROVED,
        because="The k smallest, in any order of ties, have fewer than k below them.",
    ),
    Claim(
        id="theory-regret-rank-three",
        label="Rank certificate, the level for two paths, proved",
        where="docs/theory.md#rank-certificate",
        kind="theory",
        statement="S = 2, k = 2: of any three real numbers at least two have fewer than 2 below.",
        parameters=tuple(Real(name, search=(-100, 100)) for name in ("a", "b", "c")),
        formula=f"{_THREE.format(k=2)} >= 2",
        expected=Verdict.PROVED,
        because="Only the largest can have two below it.",
    ),
    Claim(
        id="theory-regret-rank-atoms",
        label="Rank certificate, atoms make it cover more often",
        where="docs/theory.md#rank-certificate",
        kind="theory",
        statement=(
            "S = 2, k = 1, three equal numbers: all three, not one, have fewer than 1 below "
            "them, so equality k/(S+1) fails there."
        ),
        parameters=(Real("a", search=(-100, 100)), Real("b", "a", "a"), Real("c", "a", "a")),
        formula=f"{_THREE.format(k=1)} == 3",
        expected=Verdict.PROVED,
        because="None is below another; equality asks for laws without atoms.",
    ),
    Claim(
        id="theory-regret-telescoping-step",
        label="Ordered telescoping, one step",
        where="docs/theory.md#telescoping",
        kind="theory",
        statement=(
            "N_{k-1} >= max(c, m), m the maximum over pred(k): "
            "max(N_{k-1}, f) - N_{k-1} <= (f - max(c, m))₊."
        ),
        parameters=tuple(Real(name, search=(-100, 100)) for name in ("N", "f", "c", "m")),
        hypotheses=("N >= max(c, m)",),
        formula="max(N, f) - N <= max(f - max(c, m), 0)",
        expected=Verdict.PROVED,
        because="(f - N)₊ falls in N.",
    ),
    Claim(
        id="theory-regret-telescoping",
        label="Ordered telescoping",
        where="docs/theory.md#telescoping",
        kind="theory",
        statement=(
            "Pathwise, before expectations, for any number of values f_k in any order and any "
            "sets of earlier ones: each, and so the largest, is at most c + Σ (f_k - max(c, "
            "largest of its earlier ones))₊."
        ),
        reading="The search tries four values with no, one, one and two earlier ones.",
        parameters=tuple(Real(name, search=(-100, 100)) for name in ("c", "f0", "f1", "f2", "f3")),
        formula=f"max(max(f0, f1), max(f2, f3)) <= {_TELESCOPED}",
        expected=Verdict.PROVED,
        because="N_N >= max f, and the sum of the steps is N_N - c.",
    ),
    Claim(
        id="theory-regret-two-predecessors",
        label="Ordered telescoping, two predecessors by mean and difference",
        where="docs/theory.md#telescoping",
        kind="theory",
        statement="(f - max(c, a, b))₊ = min(f - (a+b)/2 - |a-b|/2, f - c)₊.",
        parameters=tuple(Real(name, search=(-100, 100)) for name in ("f", "a", "b", "c")),
        formula=("max(f - max(c, max(a, b)), 0) == max(min(f - (a+b)/2 - abs(a-b)/2, f - c), 0)"),
        expected=Verdict.PROVED,
        because="max(a, b) = (a+b)/2 + |a-b|/2.",
    ),
    Claim(
        id="markov-inequality",
        label="Markov's inequality",
        where="textbook",
        kind="trusted",
        statement="P(X >= t) <= E X/t for X >= 0 of finitely many values and t > 0.",
        reading="The search tries n equally likely values.",
        parameters=(
            Integer("n", 1, 6),
            Vector("x", "n", 0, search=(None, 100)),
            Real("t", 0, low_open=True, search=(None, 100)),
        ),
        formula="t*sum(1 if x[i] >= t else 0 for i in range(n)) <= sum(x[i] for i in range(n))",
        expected=Verdict.PROVED,
        because="t 1(x >= t) <= x.",
    ),
    Claim(
        id="theory-regret-probability",
        label="Ordered telescoping, with probability 1-δ",
        where="docs/theory.md#telescoping",
        kind="theory",
        statement=(
            "With R = top - played, top <= level + over, over <= limit (Markov, 1-δ_1), y = played "
            "+ noise, noise <= z (1-δ_3): R <= level - y + limit + z. Sums over rounds."
        ),
        parameters=tuple(Real(name, search=(-1000, 1000)) for name in _PIECES),
        hypotheses=_CHAIN,
        formula="R <= level - y + limit + z",
        witnesses=(dict.fromkeys(_PIECES, 0),),
        rests_on=("markov-inequality", "union-bound", "theory-regret-telescoping"),
        expected=Verdict.OUTLINE,
        because="Addition; the two events fail with probability at most δ_1 + δ_3.",
        remark=(
            "Given all data D the same holds for D-measurable c_i, η_i and n, with the posterior "
            "law of the sum of played values for the noise: nothing is fixed in advance."
        ),
    ),
    Claim(
        id="theory-regret-martingale",
        label="r_i - E[r_i|F] is not a martingale difference",
        where="docs/theory.md#telescoping, with probability",
        kind="theory",
        statement=(
            "If r_i - E[r_i|F] were martingale differences of variance v, the variance of the sum "
            "over m rounds were m v. It can be m^2 v > m v, for every m >= 2."
        ),
        reading=(
            "ε = 0, two independent points, always the first, whose value f is seen exactly: r = "
            "(g-f)₊ in every round, r - E[r|f] the same in rounds 2..n, of variance v = "
            "E Var(r|f) = 1 - (√3/2+π/3)/π; their sum has variance m²v, m = n-1."
        ),
        parameters=(Integer("m", 2, reach=50),),
        formula=f"m**2*{_V} > m*{_V}",
        outline="that E r² and E[E(r|f)²] have these values is a textbook integral",
        expected=Verdict.OUTLINE,
        because="Differences are equal, not orthogonal: the deviation of the sum is of order n.",
    ),
    Claim(
        id="theory-regret-martingale-correlated",
        label="The martingale argument, the differences are correlated",
        where="docs/theory.md#telescoping, with probability",
        kind="theory",
        statement=(
            "E d_1 d_2 = E Var(r|f) = E r² - E[E(r|f)²] = 1 - (√3/2+π/3)/π > 39/100, where "
            "martingale differences have 0."
        ),
        reading=(
            "E r² = Var(g-f)/2 = 1; E[E(r|f)²] = E(g-f)₊(h-f)₊ with correlation 1/2: "
            "2(√(1-ρ²)+ρ(π-arccos ρ))/(2π)."
        ),
        formula=f"{_V} > 39/100",
        outline="that E r² and E[E(r|f)²] have these values is a textbook integral",
        expected=Verdict.OUTLINE,
        because="0.3910.",
    ),
)
