"""docs/theory.md#elimination: Theorem Q, its constants, its counting, and what holds on a path."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_Q = "docs/theory.md#elimination"
_C = "40*{0}*({0} + 2*sqrt(2)) + {0}**2"
_EPS = Real("eps", 0, "1/2", low_open=True)
_V = Real("v", 0, low_open=True, search=(None, 9))
_NOISE = Real("s", 0, low_open=True, search=(None, 9))

# Two points: x is played, y is the best. Means m, n; halves of the bands a, b.
_TWO = (
    Real("f", search=(-9, 9)),
    Real("m", search=(-9, 9)),
    Real("a", 0, search=(None, 9)),
    Real("g", "f", search=(None, 9)),
    Real("n", search=(-9, 9)),
    Real("b", 0, search=(None, 9)),
)
_GOOD = ("abs(f-m) <= a", "abs(g-n) <= b")

CLAIMS = (
    Claim(
        id="theory-q-constants",
        label="Theorem Q, its two constants",
        where=_Q,
        kind="theory",
        statement="40c(c+2√2) + c² is at most 391 for c = 2 and at most 1110 for c = 4.",
        formula=f"max({_C.format(2)} - 391, {_C.format(4)} - 1110) <= 0",
        expected=Verdict.PROVED,
        because="They are 390.27 and 1108.5.",
    ),
    Claim(
        id="theory-q-constants-smaller",
        label="Theorem Q, with 390 for the index",
        where=_Q,
        kind="theory",
        statement="40c(c+2√2) + c² is at most 390 for c = 2.",
        formula=f"{_C.format(2)} <= 390",
        expected=Verdict.REFUTED,
        because="It is 390.27.",
        repairs=("theory-q-constants",),
    ),
    Claim(
        id="theory-q-index",
        label="Theorem Q, a good round of the index",
        where=_Q,
        kind="theory",
        statement=(
            "Where every value is within its band and x has the largest upper end, the best value "
            "is above that of x by at most twice the half band of x."
        ),
        reading="x and one rival y: f, g values, m, n means, a, b halves of the bands.",
        parameters=_TWO,
        hypotheses=(*_GOOD, "n + b <= m + a"),
        formula="g - f <= 2*a",
        witnesses=({"f": 0, "m": 0, "a": 1, "g": 1, "n": 0, "b": 1},),
        expected=Verdict.PROVED,
        because="g <= n+b <= m+a <= f+2a.",
    ),
    Claim(
        id="theory-q-candidate",
        label="Theorem Q, the best point is a candidate",
        where=_Q,
        kind="theory",
        statement=(
            "Where every value is within its band, the upper end of the best point's band is at "
            "least the lower end of every band."
        ),
        reading="The best point g in n ± b, any other f in m ± a.",
        parameters=_TWO,
        hypotheses=_GOOD,
        formula="m - a <= n + b",
        witnesses=({"f": 0, "m": 0, "a": 1, "g": 1, "n": 0, "b": 1},),
        expected=Verdict.PROVED,
        because="m-a <= f <= g <= n+b.",
    ),
    Claim(
        id="theory-q-elimination",
        label="Theorem Q, a good round of elimination",
        where=_Q,
        kind="theory",
        statement=(
            "Where every value is within its band and the candidate x with the widest band is "
            "played, the best value is above that of x by at most four times the half band of x."
        ),
        reading="Both bands overlap, b <= a.",
        parameters=_TWO,
        hypotheses=(*_GOOD, "n - b <= m + a", "b <= a"),
        formula="g - f <= 4*a",
        witnesses=({"f": 0, "m": 0, "a": 1, "g": 1, "n": 0, "b": 1},),
        expected=Verdict.PROVED,
        because="g <= n+b <= (m+a+b)+b <= f+2a+2b.",
    ),
    Claim(
        id="theory-q-elimination-any",
        label="Theorem Q, elimination that plays any candidate",
        where=_Q,
        kind="theory",
        statement="The same holds for every candidate that is played.",
        reading="As theory-q-elimination, without b <= a.",
        parameters=_TWO,
        hypotheses=(*_GOOD, "n - b <= m + a"),
        formula="g - f <= 4*a",
        expected=Verdict.REFUTED,
        because="A candidate known well loses to one with a wide band, and its own is no measure.",
        repairs=("theory-q-elimination",),
    ),
    Claim(
        id="theory-q-exchange",
        label="Theorem Q, Thompson sampling: the draw and the truth",
        where=_Q,
        kind="theory",
        statement=(
            "x maximises the draw d and y the objective f, both within their bands, that of y no "
            "wider: r = f(y)-f(x) <= r + (d(x)-d(y)) <= 4a, a the half band of x."
        ),
        reading="f, g are f(x), f(y); d, e are d(x), d(y).",
        parameters=(*_TWO, Real("e", search=(-9, 9)), Real("d", "e", search=(None, 9))),
        hypotheses=(*_GOOD, "abs(d-m) <= a", "abs(e-n) <= b", "b <= a"),
        formula="max(g - f - (g - f + d - e), g - f + d - e - 4*a) <= 0",
        witnesses=({"f": 0, "m": 0, "a": 1, "g": 1, "n": 0, "b": 1, "d": 1, "e": 0},),
        expected=Verdict.PROVED,
        because="(f-d)(y) <= 2b and (d-f)(x) <= 2a.",
    ),
    Claim(
        id="theory-q-exchange-wider",
        label="Theorem Q, Thompson sampling without the exchange",
        where=_Q,
        kind="theory",
        statement="The same holds where the band of the best point is the wider one.",
        reading="As theory-q-exchange, with a <= b.",
        parameters=(*_TWO, Real("e", search=(-9, 9)), Real("d", "e", search=(None, 9))),
        hypotheses=(*_GOOD, "abs(d-m) <= a", "abs(e-n) <= b", "a <= b"),
        formula="g - f + d - e <= 4*a",
        witnesses=({"f": 0, "m": 0, "a": 0, "g": 1, "n": 0, "b": 1, "e": -1, "d": 0},),
        expected=Verdict.REFUTED,
        because="a = 0 < b: the exchange of draw and truth is what covers these rounds.",
        repairs=("theory-q-exchange",),
    ),
    Claim(
        id="theory-q-bad",
        label="Theorem Q, how often a round is bad",
        where=_Q,
        kind="theory",
        statement="With λ² = 2 log(N/ε²): N e^(-λ²/2) = ε² for every N >= 2 and 0 < ε <= 1/2.",
        reading="2Φ(-λ) <= e^(-λ²/2) is gaussian-tail; a union over the N points.",
        parameters=(Real("N", 2, search=(None, 1000)), _EPS),
        formula="N*exp(-(2*log(N/eps**2))/2) == eps**2",
        expected=Verdict.PROVED,
        because="The exponential undoes the logarithm.",
    ),
    Claim(
        id="theory-q-density",
        label="Theorem Q, the density of a gap",
        where=_Q,
        kind="theory",
        statement=(
            "A normal variable of variance 2(1-K) has a density of at most 1/√(2π·2(1-K)) = "
            "½(π(1-K))^(-1/2), K the correlation, -1 <= K < 1."
        ),
        reading="h = 1-K. An interval [-η, η] then has probability at most η(πh)^(-1/2).",
        parameters=(Real("h", 0, 2, low_open=True),),
        formula="1/sqrt(2*pi*(2*h)) == 1/sqrt(pi*h)/2",
        expected=Verdict.PROVED,
        because="√4 = 2.",
    ),
    Claim(
        id="theory-q-growth",
        label="Theorem Q, growth of a variance between two rounds",
        where=_Q,
        kind="theory",
        statement="At unit steps a variance w in [0,1] becomes 1-(1-ε)(1-w), in [w, w+ε], >= ε.",
        parameters=(_EPS, Real("w", 0, 1)),
        let=(("u", "1 - (1-eps)*(1-w)"),),
        formula="max(max(w - u, u - w - eps), eps - u) <= 0",
        expected=Verdict.PROVED,
        because="The growth is ε(1-w).",
    ),
    Claim(
        id="theory-q-look",
        label="Theorem Q, what a look takes",
        where=_Q,
        kind="theory",
        statement="A look at variance w > v >= 0 takes w²/(w+σ²) >= v²/(v+σ²) of it.",
        parameters=(Real("v", 0, search=(None, 9)), Real("w", "v", search=(None, 9)), _NOISE),
        formula="v**2/(v+s) <= w**2/(w+s)",
        expected=Verdict.PROVED,
        because="w²/(w+σ²) grows with w.",
    ),
    Claim(
        id="theory-q-looks",
        label="Theorem Q, how many looks in one window, for sure",
        where=_Q,
        kind="theory",
        statement=(
            "In a window of T rounds with Tε <= v/2 at most (5/2)(1+σ²/v) rounds look at a point "
            "whose variance is in (v, 2v], as each takes v²/(v+σ²) and a round adds at most ε."
        ),
        reading="The formula: L looks at what starts at most at 2v and gains at most v/2.",
        parameters=(Real("L", 0, search=(None, 99)), _V, _NOISE),
        hypotheses=("L*(v**2/(v+s)) <= 2*v + v/2",),
        formula="L <= 5/2*(1 + s/v)",
        witnesses=({"L": 2, "v": 1, "s": 1},),
        expected=Verdict.PROVED,
        because="Divide.",
    ),
    Claim(
        id="theory-q-windows",
        label="Theorem Q, the length of a window",
        where=_Q,
        kind="theory",
        statement="T = max(1, ⌊x⌋) is at least x/2 for every x > 0.",
        reading="x = v/(2ε): n rounds have at most n/T + 1 <= 4nε/v + 1 windows.",
        parameters=(Real("x", 0, low_open=True, search=(None, 99)),),
        formula="x/2 <= max(1, floor(x))",
        expected=Verdict.PROVED,
        because="Up to 2 the 1 does; beyond, x - 1 >= x/2.",
    ),
    Claim(
        id="theory-q-windows-floor",
        label="Theorem Q, windows of ⌊v/(2ε)⌋ rounds",
        where=_Q,
        kind="theory",
        statement="⌊x⌋ >= x/2 for every x > 0.",
        reading="Without the maximum with 1.",
        parameters=(Real("x", 0, low_open=True, search=(None, 99)),),
        formula="x/2 <= floor(x)",
        expected=Verdict.REFUTED,
        because="Below 1 it is 0: a window has at least one round.",
        repairs=("theory-q-windows",),
    ),
    Claim(
        id="theory-q-move",
        label="Theorem Q, how far a value moves within a window",
        where=_Q,
        kind="theory",
        statement=(
            "The variance 2(1-(1-ε)^(k/2)) of a move over k >= 1 unit steps is at most 2εk."
        ),
        reading="With k <= T-1 and εT <= v/2 it is at most v.",
        parameters=(_EPS, Real("k", 1, search=(None, 50))),
        formula="2*(1 - (1-eps)**(k/2)) <= 2*eps*k",
        expected=Verdict.PROVED,
        because="Bernoulli's inequality from k = 2 on; below, (1-ε)^(k/2) >= 1-ε.",
    ),
    Claim(
        id="theory-q-classes",
        label="Theorem Q, the classes of variances sum up",
        where=_Q,
        kind="theory",
        statement="Σ 1/2^k over the classes k = 0..n-1 is at most 2, for every n.",
        parameters=(Integer("n", 0, reach=60),),
        formula="sum(1/2**k for k in range(n)) <= 2",
        expected=Verdict.PROVED,
        because="A geometric series.",
    ),
    Claim(
        id="theory-q",
        label="Theorem Q, the leading part",
        where=_Q,
        kind="theory",
        statement=(
            "With p0 = σ√ε: the near ties, n c²κλ²p0, and twice the leading part of the first "
            "class, 20c(c+2√2) nεκλ² σ²/p0, add up to (40c(c+2√2) + c²) κλ² nσ√ε."
        ),
        reading="d = σ, e = √ε, A = nκλ².",
        parameters=(
            Real("A", 0, search=(None, 99)),
            Real("c", 0, search=(None, 9)),
            Real("d", 0, low_open=True, search=(None, 9)),
            Real("e", 0, 1, low_open=True),
        ),
        formula=(
            "A*c**2*(d*e) + 2*(20*c*(c + 2*sqrt(2))*A*e**2*d**2/(d*e)) == "
            "(40*c*(c + 2*sqrt(2)) + c**2)*A*(d*e)"
        ),
        outline=(
            "that near ties are as rare as densities say, and that windows start at fixed times, "
            "is a person's argument"
        ),
        rests_on=(
            "theory-q-index",
            "theory-q-candidate",
            "theory-q-elimination",
            "theory-q-exchange",
            "theory-q-bad",
            "theory-q-density",
            "theory-q-looks",
            "theory-q-windows",
            "theory-q-move",
            "theory-q-classes",
        ),
        expected=Verdict.OUTLINE,
        because="ε σ²/(σ√ε) = σ√ε.",
    ),
)
