"""Assumption 1 (section 4), parts I to III, against the kernels that the paper uses."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_SLOPE = "-log(1-eps)/2"

CLAIMS = (
    Claim(
        id="assumption-1-I-joint",
        label="Assumption 1 (I), differentiability in time as well",
        where="section 4, Assumption 1 (I)",
        statement=(
            "With the forgetting kernel, the sample paths are continuously differentiable in "
            "(x, τ): there is a bound L on 2(1-k_time(h))/h^2, the mean square of the difference "
            "quotient in τ. Asked at ε = 3/4 of every L >= 1, at the gap h = 1/(L+1)."
        ),
        reading="Literal: f is differentiable as a function of both arguments.",
        parameters=(Real("L", 1),),
        let=(("h", "1/(L+1)"),),
        formula="2*(1-(1/4)**(h/2))/h**2 <= L",
        expected=Verdict.REFUTED,
        because=(
            "The forgetting kernel has a kink at equal times (an Ornstein-Uhlenbeck process): the "
            "quotient grows like 2θ/h. Only differentiability in x, at fixed τ, can be meant."
        ),
        finding="slip",
        repairs=("assumption-1-I-joint-never", "assumption-1-I-space-repaired"),
        remark="The proofs only use ∂f/∂x^(j) at fixed τ, so (III) suffices.",
    ),
    Claim(
        id="assumption-1-I-joint-never",
        label="Assumption 1 (I) fails in time for every ε and every bound",
        where="section 4, Assumption 1 (I)",
        kind="repair",
        statement=(
            "For every θ > 0, L >= 0 and gap h > 0 with y = θh <= 1/2 and L h^2 < y: "
            "2(1-exp(-y)) > L h^2."
        ),
        reading=(
            "Divided by h^2 the left side is the mean square of the quotient; such h exist for "
            "every L."
        ),
        parameters=(Real("y", 0, low_open=True), Real("h", 0, low_open=True), Real("L", 0)),
        hypotheses=("y <= 1/2", "L*h**2 < y"),
        formula="2*(1-exp(-y)) > L*h**2",
        expected=Verdict.PROVED,
        because="1-exp(-y) >= y/2 for y <= 1/2.",
    ),
    Claim(
        id="assumption-1-I-space",
        label="Assumption 1 (I) for the Matérn kernels of the paper",
        where="section 4, Assumption 1 (I), against section 2.2 and Theorem 2 (b)",
        statement=(
            "For every ν > 0 the samples of the space kernel Matérn(ν), which has ceil(ν)-1 "
            "derivatives, are continuously differentiable: ceil(ν)-1 >= 1."
        ),
        reading=(
            "Section 2.2 lists the exponential kernel among those used; Theorem 2 (b) says "
            "'the Matérn kernel with parameter ν' without a condition on ν."
        ),
        parameters=(Real("nu", 0, low_open=True),),
        formula="ceil(nu) - 1 >= 1",
        expected=Verdict.REFUTED,
        because="It needs ν > 1: the exponential kernel (ν = 1/2) has no derivative.",
        finding="missing hypothesis",
        repairs=("assumption-1-I-space-repaired",),
    ),
    Claim(
        id="assumption-1-I-space-repaired",
        label="Assumption 1 (I) for ν > 1",
        where="section 4, Assumption 1 (I)",
        kind="repair",
        statement=(
            "For all ν > 1, with m = ceil(ν): m-1 >= 1. The squared exponential has every "
            "derivative; Matérn(5/2), used in the experiments, has two."
        ),
        parameters=(Integer("m", 1), Real("nu", "m-1", "m", low_open=True)),
        hypotheses=("nu > 1", "(m-1)*(m-2) >= 0"),
        formula="m - 1 >= 1",
        expected=Verdict.OUTLINE,
        because="m >= ν > 1 and m is an integer.",
        rests_on=("matern-smoothness-repaired",),
        remark="The second hypothesis says no more than that m is an integer.",
    ),
    Claim(
        id="assumption-1-II",
        label="Assumption 1 (II) for the forgetting kernel",
        where="section 4, Assumption 1 (II)",
        statement=(
            "For all ε in [0, 1) and gaps h = |τ-τ'| >= 0: 1 - (1-ε)^(h/2) <= εh, so that the "
            "kernel of section 2.2 satisfies (II) with its own ε, as Theorem 2 uses it."
        ),
        reading="ε < 1; for ε = 1 see forgetting-kernel-epsilon-one.",
        parameters=(Real("eps", 0, 1, high_open=True), Real("h", 0)),
        formula="1 - (1-eps)**(h/2) <= eps*h",
        witnesses=({"eps": "15/16", "h": "1/2"},),
        expected=Verdict.REFUTED,
        because=(
            "The slope at 0 is θ = -log(1-ε)/2, above ε for ε > 0.797: gaps below 1 break it. "
            "With whole gaps, as in earlier work, it holds."
        ),
        finding="missing hypothesis",
        repairs=("assumption-1-II-gaps", "assumption-1-II-small", "forgetting-kernel-slope"),
    ),
    Claim(
        id="assumption-1-II-gaps",
        label="Assumption 1 (II) for gaps of at least 1",
        where="section 4, Assumption 1 (II)",
        kind="repair",
        statement="For all ε in [0, 1) and gaps h >= 1: 1 - (1-ε)^(h/2) <= εh.",
        parameters=(Real("eps", 0, 1, high_open=True), Real("h", 1)),
        formula="1 - (1-eps)**(h/2) <= eps*h",
        expected=Verdict.PROVED,
        because="Bernoulli from h = 2 on; below, (1-ε)^(h/2) >= 1-ε and h >= 1.",
    ),
    Claim(
        id="assumption-1-II-small",
        label="Assumption 1 (II) for ε up to 0.79",
        where="section 4, Assumption 1 (II)",
        kind="repair",
        statement="For all ε in [0, 79/100] and gaps h >= 0: 1 - (1-ε)^(h/2) <= εh.",
        parameters=(Real("eps", 0, "79/100"), Real("h", 0)),
        formula="1 - (1-eps)**(h/2) <= eps*h",
        expected=Verdict.PROVED,
        because="θ = -log(1-ε)/2 <= ε there; the root of θ = ε is 0.7968.",
    ),
    Claim(
        id="assumption-1-III-pointwise",
        label="Assumption 1 (III), necessary form",
        where="section 4, Assumption 1 (III)",
        statement=(
            "For all L >= 0: a standard normal X satisfies Pr(|X| > L) = 2Φ(-L) <= exp(-L^2/2), "
            "the form of (III) for a derivative at one point, with a = 1 and b^2 = 2 Var."
        ),
        reading="The supremum over the domain needs the larger a of docs/theory.md#tails.",
        parameters=(Real("L", 0),),
        formula="2*normal_cdf(-L) <= exp(-L**2/2)",
        expected=Verdict.PROVED,
        because="The Gaussian tail; equality at L = 0, so a >= 1 always.",
    ),
)
