"""docs/theory.md#noise-inflation: noise inflation, its envelope, and constant exploration."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

_LEFT = (
    "K[2][2] - det([[{n}+K[0][0], K[0][1], K[0][2]], [K[0][1], {n}+K[1][1], K[1][2]], "
    "[K[0][2], K[1][2], 0]])*(-1)/det([[{n}+K[0][0], K[0][1]], [K[0][1], {n}+K[1][1]]])"
)
_MID = "(1 + ((a1+a2)/2)**2)**2"
_PROD = "(1+a1**2)*(1+a2**2)"

CLAIMS = (
    Claim(
        id="theory-regret-noise-one",
        label="Noise inflation, the variances",
        where="docs/theory.md#noise-inflation",
        kind="theory",
        statement=(
            "Given any number of observations, the posterior variance of a point grows with "
            "their noise, from that at u to that at w >= u > 0."
        ),
        reading="The search tries one observation of covariance k.",
        parameters=(
            Real("u", 0, low_open=True, search=(None, 100)),
            Real("w", "u", search=(None, 100)),
            Real("k", -1, 1),
        ),
        formula="1 - k**2/(1+u) <= 1 - k**2/(1+w)",
        expected=Verdict.PROVED,
        because="1/(1+u) falls in u.",
    ),
    Claim(
        id="theory-regret-noise-chain",
        label="Noise inflation, the chain",
        where="docs/theory.md#noise-inflation",
        kind="theory",
        statement=(
            "For posterior variances v_i before the rounds at the noise 1/s and any larger "
            "noise 1/t: ½ Σ log(1 + t v_i) is at most the gain of the design at the noise 1/t."
        ),
        reading="The search tries two rounds with variances a, b and covariance k.",
        parameters=(
            Real("s", 0, low_open=True, search=(None, 1000)),
            Real("t", 0, "s", low_open=True),
            Real("a", 0, 1),
            Real("b", 0, 1),
            Real("k", -1, 1),
        ),
        hypotheses=("k**2 <= a*b",),
        formula=(
            "log(1+t*a)/2 + log(1+t*(b - s*k**2/(1+s*a)))/2 <= log((1+t*a)*(1+t*b) - t**2*k**2)/2"
        ),
        expected=Verdict.PROVED,
        because="Variances grow with noise; the chain rule at the larger one.",
    ),
    Claim(
        id="theory-regret-envelope-concave",
        label="Envelope, the curve is concave where e^(2u) <= 2",
        where="docs/theory.md#noise-inflation, envelope",
        kind="theory",
        statement="For a_1, a_2 in [0, 1]: (1+((a1+a2)/2)²)² <= (1+a1²)(1+a2²).",
        reading=(
            "h = sqrt(e^(2u)-1) with e^(2u_i) = 1+a_i²: at the middle it is "
            "sqrt(sqrt((1+a1²)(1+a2²))-1) >= (a1+a2)/2, midpoint concavity."
        ),
        parameters=(Real("a1", 0, 1), Real("a2", 0, 1)),
        formula=f"{_MID} <= {_PROD}",
        expected=Verdict.PROVED,
        because="The mean of a1 and a2 is at most 1.",
    ),
    Claim(
        id="theory-regret-envelope-convex",
        label="Envelope, the curve is convex where e^(2u) >= 2 (nearby points)",
        where="docs/theory.md#noise-inflation, envelope",
        kind="theory",
        statement=(
            "For a_i >= 1 with ((a1-a2)/2)² <= 2((a1+a2)/2)² - 2: (1+a1²)(1+a2²) <= "
            "(1+((a1+a2)/2)²)²."
        ),
        reading="Midpoint convexity of h for nearby points; so h needs its chord there.",
        parameters=(Real("a1", 1, search=(None, 100)), Real("a2", 1, search=(None, 100))),
        hypotheses=("((a1-a2)/2)**2 <= 2*((a1+a2)/2)**2 - 2",),
        formula=f"{_PROD} <= {_MID}",
        witnesses=({"a1": 2, "a2": 2},),
        expected=Verdict.PROVED,
        because="The same identity with the other sign; points near each other decide convexity.",
    ),
    Claim(
        id="theory-regret-envelope-below",
        label="Envelope, never above Cauchy–Schwarz",
        where="docs/theory.md#noise-inflation, envelope",
        kind="theory",
        statement="For v in [0, 1] and s > 0: v log(1+s) <= log(1+sv).",
        reading=(
            "So sqrt(v) is at most the concave function sqrt(2u/log(1+s)) of u = log(1+sv)/2, "
            "and with it its envelope."
        ),
        parameters=(Real("s", 0, low_open=True), Real("v", 0, 1)),
        formula="v*log(1+s) <= log(1+s*v)",
        expected=Verdict.PROVED,
        because="The least concave majorant is below every other; theorem-1-constant.",
    ),
    Claim(
        id="theory-regret-exploration-optimism",
        label="Constant exploration, optimism",
        where="docs/theory.md#constant-exploration",
        kind="theory",
        statement=(
            "For every number of points, U the largest upper confidence value u: max f <= U + max "
            "(f-u)₊."
        ),
        reading="The search tries two points.",
        parameters=tuple(Real(name, search=(-100, 100)) for name in ("f1", "f2", "u1", "u2", "U")),
        hypotheses=("u1 <= U", "u2 <= U"),
        formula="max(f1, f2) <= U + max(max(f1-u1, f2-u2), 0)",
        expected=Verdict.PROVED,
        because="f = u + (f-u) <= U + (f-u)₊.",
    ),
    Claim(
        id="theory-regret-exploration-increment",
        label="Constant exploration, the increment",
        where="docs/theory.md#constant-exploration",
        kind="theory",
        statement="(X - Y₊)₊ = min(X, X-Y)₊; (pX - (qY)₊)₊ = p (X - (rY)₊)₊ for q = rp, p >= 0.",
        parameters=(
            Real("X", search=(-100, 100)),
            Real("Y", search=(-100, 100)),
            Real("p", 0),
            Real("r", 0, search=(None, 10)),
        ),
        formula=(
            "abs(max(X - max(Y, 0), 0) - max(min(X, X-Y), 0)) + "
            "abs(max(p*X - max(r*p*Y, 0), 0) - p*max(X - max(r*Y, 0), 0)) == 0"
        ),
        expected=Verdict.PROVED,
        because="T is homogeneous of degree 1 in (p, q, d).",
        remark=(
            "The supremum need not be at p = 1. A search of 192 pairs (b, d) "
            "found it at p = 1 every time, with ties (q = p - d) where b is small; it is searched "
            "in full all the same."
        ),
    ),
    Claim(
        id="theory-regret-exploration-correlation",
        label="Constant exploration, the correlation of the worst neighbour",
        where="docs/theory.md#constant-exploration",
        kind="theory",
        statement=(
            "Var(X-Y) = d² means ρ = (p²+q²-d²)/(2pq), which falls as p falls at fixed r = q/p: "
            "for p0 <= p: (1+r²-(d/p0)²)/(2r) <= (1+r²-(d/p)²)/(2r)."
        ),
        parameters=(
            Real("p0", 0, 1, low_open=True),
            Real("p", "p0", 1),
            Real("r", 0, low_open=True, search=(None, 10)),
            Real("d", 0, 2),
        ),
        formula="(1+r**2-(d/p0)**2)/(2*r) <= (1+r**2-(d/p)**2)/(2*r)",
        expected=Verdict.PROVED,
        because="d/p falls in p.",
    ),
)
