"""docs/theory.md#theorem-c: its weights and its constant, and the box.

Scale sqrt(β) = 1; r = sqrt(1-q^2), A, σ (sd) as in theory_c.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_SPENT = "m*exp(-(2*log(2*m*p/delta))/2) + 2*exp(1)*m*W*exp(-(2*log(4*exp(1)*m*p*W/delta))/2)"
_TIGHT = "min(1, r*A+q) - max(-1, A-2*sd) <= 3.064*sd"

CLAIMS = (
    Claim(
        id="theory-c-without-E2",
        label="Theorem C, the weights 2 and 4e of its two events",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement=(
            "For m points, W windows, π_n = p and δ: m exp(-β/2) at β = 2 log(2mp/δ), the "
            "failures of E1, and 2emW exp(-β/2) at β = 2 log(4e m p W/δ), those of E3, sum to "
            "δ/p."
        ),
        reading=(
            "Half of δ for each event: theory-c-regret uses E1 and E3 only. E2 is for the box."
        ),
        parameters=(
            Integer("m", 1, reach=50),
            Integer("W", 1, reach=50),
            Real("p", 1),
            Real("delta", 0, 1, low_open=True, high_open=True),
        ),
        formula=f"{_SPENT} == delta/p",
        expected=Verdict.PROVED,
        because="Half of δ/p each.",
    ),
    Claim(
        id="theory-c-regret-tight",
        label="Theorem C, regret of one round with 3.064",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement=(
            "For 0 <= q <= σ <= 1, r = sqrt(1-q^2) and all A: "
            "min(1, rA+q) - max(-1, A-2σ) <= 3.064σ."
        ),
        parameters=(Real("sd", 0, 1), Real("q", 0, "sd"), Real("A", search=(-100, 100))),
        let=(("r", "sqrt(1-q**2)"),),
        formula=_TIGHT,
        expected=Verdict.PROVED,
        because="As with 3.067, which is rounded up.",
    ),
    Claim(
        id="theory-c-factor-tight",
        label="Theorem C, the factor 2.348 of C",
        where="docs/theory.md#theorem-c",
        kind="theory",
        statement="(3.064/2)^2 <= 2.348.",
        formula="(3.064/2)**2 <= 2.348",
        expected=Verdict.PROVED,
        because="Arithmetic.",
    ),
    Claim(
        id="theory-c-box-level",
        label="Theorem C on the box, the level A",
        where="docs/theory.md#theorem-c-box",
        kind="theory",
        statement="For ρ, c in [0, 1] and μ with μ + sqrt(1-c) >= -1: ρμ + sqrt(1-cρ^2) >= -1.",
        reading="f >= -1 at τ_{n-1} (E2) gives the hypothesis, and A >= -1 follows.",
        parameters=(Real("rho", 0, 1), Real("c", 0, 1), Real("mu", search=(-100, 100))),
        hypotheses=("mu + sqrt(1-c) >= -1",),
        formula="rho*mu + sqrt(1-c*rho**2) >= -1",
        expected=Verdict.PROVED,
        because="A concave function of ρ that is 1 at 0 and at least -1 at 1.",
    ),
    Claim(
        id="theory-c-box",
        label="Theorem C on the box, the factor 4",
        where="docs/theory.md#theorem-c-box",
        kind="theory",
        statement=(
            "For 0 <= q <= σ <= 1, r = sqrt(1-q^2) and A >= -1: min(1, rA+q) - (A-2σ) <= 4σ. The "
            "chosen point is off the grid, so f >= -1 is not used for it."
        ),
        parameters=(Real("sd", 0, 1), Real("q", 0, "sd"), Real("A", -1, search=(None, 100))),
        let=(("r", "sqrt(1-q**2)"),),
        formula="min(1, r*A+q) - (A-2*sd) <= 4*sd",
        rests_on=("theory-c-shift", "theory-c-box-level"),
        expected=Verdict.OUTLINE,
        because="q - (1-r)A <= q + (1-r) <= 2q <= 2σ.",
        remark="1/n^2 is added for the distance from the competitor to the best point.",
    ),
)
