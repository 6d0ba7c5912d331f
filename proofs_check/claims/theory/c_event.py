"""docs/theory.md#theorem-c: the event E3, its need, and why smooth kernels are excluded.

E3 bounds |f| by sqrt(β_n) at all times up to T_n; λ = -log(1-ε)/2.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

CLAIMS = (
    Claim(
        id="theory-c-window",
        label="Theorem C, event E3, one window",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement="For u > 0: u^2 exp(-2/u^2)/2 >= u^2/2 - 1.",
        reading=(
            "The left side is half the square of u exp(-1/u^2). With y = 2/u^2: exp(-y) >= 1 - y, "
            "times u^2/2. A window has the length 1/(λu^2)."
        ),
        parameters=(Real("u", 0, low_open=True, search=(None, 100)),),
        formula="u**2*exp(-2/u**2)/2 >= u**2/2 - 1",
        expected=Verdict.PROVED,
        because="exp(-y) >= 1-y.",
    ),
    Claim(
        id="theory-c-event",
        label="Theorem C, event E3, probability of a window",
        where="docs/theory.md#theorem-c, proof",
        kind="theory",
        statement=(
            "For u > 0 and w = u exp(-1/u^2): 4 Pr(N > w) <= 2e exp(-u^2/2). So an "
            "Ornstein-Uhlenbeck process exp(-λτ)B(exp(2λτ)) exceeds u in absolute value on a "
            "window of length 1/(λu^2) with at most that probability."
        ),
        parameters=(Real("u", 0, low_open=True, search=(None, 30)),),
        let=(("w", "u*exp(-1/u**2)"),),
        formula="4*normal_cdf(-w) <= 2*exp(1)*exp(-u**2/2)",
        rests_on=(
            "reflection-principle",
            "union-bound",
        ),
        expected=Verdict.OUTLINE,
        because="Reflection on each window, both signs; the union counts ceil(λTu²) windows.",
    ),
    Claim(
        id="theory-c-event-weight",
        label="Theorem C, event E3, its share of δ",
        where="docs/theory.md#theorem-c, second condition on β_n",
        kind="theory",
        statement=(
            "For D points, W windows, weight p and δ, β = 2 log(4e D p W/δ): "
            "2e D W exp(-β/2) = δ/(2p)."
        ),
        parameters=(
            Real("D", 1),
            Real("W", 1),
            Real("p", 1),
            Real("delta", 0, 1, low_open=True, high_open=True),
        ),
        formula="2*exp(1)*D*W*exp(-log(4*exp(1)*D*p*W/delta)) == delta/(2*p)",
        expected=Verdict.PROVED,
        because="The condition on β_n was made so.",
    ),
    Claim(
        id="theory-c-needs-E3",
        label="Theorem C needs the event E3",
        where="docs/theory.md#theorem-c, what it needs",
        kind="theory",
        statement=(
            "Two points known exactly (scale sqrt(β) = 1): x > 1 without evaluation time, z > x "
            "with correlation 0 over its own. The first wins, 1 <= x, with σ = 0, and regret "
            "z - x > 3.067·0."
        ),
        reading="The acquisition of the slow point is 0·z + sqrt(1-0) = 1.",
        parameters=(
            Real("x", 1, low_open=True, search=(None, 3)),
            Real("z", "x", low_open=True, search=(None, 4)),
        ),
        formula="z - x > 3.067*0",
        expected=Verdict.OUTLINE,
        because="For instance z = 1.5, x = 1.2; every confidence bound is exact.",
    ),
    Claim(
        id="theory-c-with-E3",
        label="Theorem C's example with E3",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement="With |z| <= 1: ρz + sqrt(1-ρ^2) <= x implies z <= x.",
        parameters=(Real("rho", 0, 1, high_open=True), Real("z", -1, 1), Real("x", search=(-3, 3))),
        hypotheses=("rho*z + sqrt(1-rho**2) <= x",),
        formula="z - x <= 0",
        expected=Verdict.PROVED,
        because="ρz + sqrt(1-ρ²) >= ρz + 1-ρ >= z for z <= 1.",
    ),
    Claim(
        id="theory-c-smooth-kernel",
        label="Theorem C's step fails for smooth time kernels",
        where="docs/theory.md#theorem-c, what it needs",
        kind="theory",
        statement=(
            "For every correlation k = exp(-h^2/2) in (0,1) of the squared exponential kernel "
            "over one step: the posterior variance at the next step, given exact values at two "
            "earlier times one step apart, 1 - (k^2 - 2k^6 + k^8)/(1-k^2), is below 1-k^2."
        ),
        reading="So q <= σ fails.",
        parameters=(Real("k", 0, 1, low_open=True, high_open=True),),
        formula="1 - (k**2 - 2*k*k**4*k + k**8)/(1-k**2) < 1 - k**2",
        expected=Verdict.PROVED,
        because=(
            "A smooth path can be extrapolated from two values; only for the Ornstein-Uhlenbeck "
            "process does the last one say everything."
        ),
    ),
    Claim(
        id="theory-c-markov-kernel",
        label="Theorem C's step for the forgetting kernel",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement=(
            "For the forgetting kernel with correlation k over one step, exact values at two "
            "earlier times: the posterior variance at the next step is exactly 1-k^2."
        ),
        parameters=(Real("k", 0, 1, low_open=True, high_open=True),),
        formula="1 - (k**2 - 2*k*k**2*k + k**4)/(1-k**2) == 1 - k**2",
        expected=Verdict.PROVED,
        because="The Markov property.",
    ),
)
