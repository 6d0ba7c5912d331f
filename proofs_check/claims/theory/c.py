"""docs/theory.md#theorem-c: regret where the evaluation time depends on the chosen point.

Forgetting kernel, finite domain, scale sqrt(β_n) = 1. For a point z: mean μ and 1 - variance = c at
the last time, correlation ρ over its own evaluation time, h(ρ) = ρμ + sqrt(1-cρ²) its acquisition.
For the chosen point: correlation r, q = sqrt(1-r²), deviation σ >= q at the new time, A = h(r).
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

CLAIMS = (
    Claim(
        id="theory-c-shift",
        label="Theorem C, the step from h(1) to h(r)",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement="For c, r in [0, 1]: sqrt(1-cr^2) - r sqrt(1-c) <= sqrt(1-r^2).",
        parameters=(Real("c", 0, 1), Real("r", 0, 1)),
        formula="sqrt(1-c*r**2) - r*sqrt(1-c) <= sqrt(1-r**2)",
        expected=Verdict.PROVED,
        because="1-cr² = (1-r²) + r²(1-c), and a root of a sum is at most the sum of roots.",
    ),
    Claim(
        id="theory-c-concave",
        label="Theorem C, the acquisition is concave in ρ",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement="For X, Y and D in [0, 1]: X + Y <= sqrt(2(X^2+Y^2) + D).",
        reading=(
            "X^2 = 1-cx^2, Y^2 = 1-cy^2 and D = c(x-y)^2; by theory-c-midpoint the right side "
            "is 2W, W at the midpoint: sqrt(1-cρ^2), and ρμ + sqrt(1-cρ^2), is concave in ρ."
        ),
        parameters=(Real("X", 0, 1), Real("Y", 0, 1), Real("D", 0, 1)),
        formula="X + Y <= sqrt(2*(X**2+Y**2) + D)",
        expected=Verdict.PROVED,
        because="An ellipse is convex.",
    ),
    Claim(
        id="theory-c-midpoint",
        label="Theorem C, the acquisition at a midpoint",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement="4(1-c((x+y)/2)^2) = 2((1-cx^2) + (1-cy^2)) + c(x-y)^2.",
        parameters=(Real("c", 0, 1), Real("x", 0, 1), Real("y", 0, 1)),
        formula="4*(1-c*((x+y)/2)**2) == 2*((1-c*x**2) + (1-c*y**2)) + c*(x-y)**2",
        expected=Verdict.PROVED,
        because="Expand.",
    ),
    Claim(
        id="theory-c-concave-cases",
        label="Theorem C, what concavity gives",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement=(
            "Values h0 = 1, hz = h(ρ), hr = h(r), h1 = h(1) of a concave h with r < ρ <= 1, "
            "hz <= A < hr: h1 <= A."
        ),
        parameters=(
            Real("r", 0, 1, high_open=True),
            Real("rho", "r", 1, low_open=True),
            Real("A", search=(-100, 100)),
            Real("hz", search=(-100, 100)),
            Real("hr", search=(-100, 100)),
            Real("h1", search=(-100, 100)),
        ),
        hypotheses=("hz <= A", "A < hr", "hz*(1-r) >= hr*(1-rho) + h1*(rho-r)"),
        formula="h1 <= A",
        witnesses=({"r": 0, "rho": "1/2", "A": 0, "hz": 0, "hr": 1, "h1": -1},),
        rests_on=("theory-c-concave",),
        expected=Verdict.OUTLINE,
        because="Beyond its maximum a concave function falls.",
    ),
    Claim(
        id="theory-c-worst-A",
        label="Theorem C, the worst acquisition value",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement=(
            "For r in [0, 1], q >= 0, σ >= 0 and all A: min(1, rA+q) - max(-1, A-2σ) <= "
            "1 + min(1, q + r(2σ-1))."
        ),
        parameters=(
            Real("r", 0, 1),
            Real("q", 0),
            Real("sd", 0),
            Real("A", search=(-100, 100)),
        ),
        formula="min(1, r*A+q) - max(-1, A-2*sd) <= 1 + min(1, q + r*(2*sd-1))",
        expected=Verdict.PROVED,
        because="The difference grows up to A = 2σ-1 and falls beyond.",
    ),
    Claim(
        id="theory-c-large-deviation",
        label="Theorem C, σ >= 1/2",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement="For 0 <= q <= σ, 1/2 <= σ <= 1, r in [0, 1]: 1 + min(1, q + r(2σ-1)) <= 3σ.",
        parameters=(Real("sd", "1/2", 1), Real("q", 0, "sd"), Real("r", 0, 1)),
        formula="1 + min(1, q + r*(2*sd-1)) <= 3*sd",
        expected=Verdict.PROVED,
        because="q <= σ and r(2σ-1) <= 2σ-1.",
    ),
    Claim(
        id="theory-c-small-deviation",
        label="Theorem C, σ < 1/2, monotone in q",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement=("For 0 <= q <= σ <= 1/2: q - (1-2σ)sqrt(1-q^2) <= σ - (1-2σ)sqrt(1-σ^2)."),
        parameters=(Real("sd", 0, "1/2"), Real("q", 0, "sd")),
        formula="q - (1-2*sd)*sqrt(1-q**2) <= sd - (1-2*sd)*sqrt(1-sd**2)",
        expected=Verdict.PROVED,
        because="Both terms grow with q.",
    ),
    Claim(
        id="theory-c-constant",
        label="Theorem C, the constant 3.067",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement="For σ in [0, 1/2]: 3σ + (1-2σ)(1-sqrt(1-σ^2)) <= 3.067 σ.",
        parameters=(Real("sd", 0, "1/2"),),
        formula="3*sd + (1-2*sd)*(1-sqrt(1-sd**2)) <= 3.067*sd",
        expected=Verdict.PROVED,
        because="The supremum of the ratio is 3.0636, at σ = 0.254; 3.067 is rounded generously.",
        remark="3.064 would do: the factor of C is then 2.348.",
    ),
    Claim(
        id="theory-c-constant-tight",
        label="Theorem C, a smaller constant",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement="For σ in [0, 1/2]: 3σ + (1-2σ)(1-sqrt(1-σ^2)) <= 3.064 σ.",
        parameters=(Real("sd", 0, "1/2"),),
        formula="3*sd + (1-2*sd)*(1-sqrt(1-sd**2)) <= 3.064*sd",
        expected=Verdict.PROVED,
        because="The supremum is 3.06353 at σ = 0.2542.",
    ),
    Claim(
        id="theory-c-factor",
        label="Theorem C, the factor 2.352 of C",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement="(3.067/2)^2 <= 2.352.",
        formula="(3.067/2)**2 <= 2.352",
        expected=Verdict.PROVED,
        because="Arithmetic; Lemma 12 has 2 where Theorem C has 3.067, squared in C.",
    ),
    Claim(
        id="theory-c-regret",
        label="Theorem C, regret of one round",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement=(
            "For 0 <= q <= σ <= 1, r = sqrt(1-q^2) and all A: "
            "min(1, rA+q) - max(-1, A-2σ) <= 3.067σ."
        ),
        parameters=(Real("sd", 0, 1), Real("q", 0, "sd"), Real("A", search=(-100, 100))),
        let=(("r", "sqrt(1-q**2)"),),
        formula="min(1, r*A+q) - max(-1, A-2*sd) <= 3.067*sd",
        expected=Verdict.PROVED,
        because="The worst A, then two cases of σ.",
        remark=(
            "E1 for all points at τ_n, and E3, suffice: the event E2 (f <= μ + sqrt(β)σ at "
            "τ_{n-1}) is for the box."
        ),
    ),
    Claim(
        id="theory-c",
        label="Theorem C, on its events",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement=(
            "Forgetting kernel, evaluation times t(z) >= 0 that depend on the point, "
            "k_space(x,x) = 1, each round playing the point whose upper confidence value at its "
            "own time is largest: on the events E1 and E3 every round's regret against every "
            "point is at most 3.064 sqrt(β_i) σ_{i-1}(x_i, τ_i), and R_n <= sqrt(2.348 C B n "
            "γ̃), B at least every β_i, γ̃ the gain at the realised points and times."
        ),
        reading=(
            "The events (theory-c-event for the probability of E3) and the policy are "
            "hypotheses; E2 is not needed. The search tries a round with two points, scale "
            "sqrt(β) = 1: means m and u and 1 - variances c and a at the last time, "
            "correlations r and q over their own evaluations; the first is chosen."
        ),
        parameters=(
            Real("m", search=(-5, 5)),
            Real("u", search=(-5, 5)),
            Real("f", -1, 1),
            Real("g", -1, 1),
            *(Real(name, 0, 1) for name in "acqr"),
        ),
        let=(("S", "sqrt(1-c*r**2)"), ("W", "sqrt(1-a*r**2)")),
        hypotheses=(
            "q*u + sqrt(1-a*q**2) <= r*m + S",
            "abs(f - r*m) <= S",
            "abs(g - r*u) <= W",
        ),
        formula="g - f <= 3.064*S",
        expected=Verdict.PROVED,
        because=("The core in scalars (theory-c-regret-tight), then Cauchy–Schwarz and the chord."),
    ),
)
