"""docs/theory.md#tails and #repeated-point: constants of Assumption 1 (III), end of the road."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

_P = "(eps*(s-1) + sqrt(eps**2*(s-1)**2 + 4*s*eps))/2"
_EPSILON = Real("eps", 0, 1, low_open=True, high_open=True)
_NOISE = Real("s", 0, low_open=True)
_CHAIN = "sum(2**(-k)*sqrt(k) for k in range(1, 60))"

CLAIMS = (
    Claim(
        id="theory-ab-square",
        label="Constants a and b, from the tail at L - m to the tail at L",
        where="docs/theory.md#tails",
        kind="theory",
        statement=(
            "For κ > 1, m >= 0 and all L: (L-m)^2 >= L^2/κ - m^2/(κ-1), so Borell–TIS gives "
            "b = sqrt(2κs_2) and the factor exp(m^2/(2s_2(κ-1))) of a."
        ),
        parameters=(
            Real("kappa", 1, low_open=True, search=(None, 10)),
            Real("m", 0, search=(None, 100)),
            Real("L", 0, search=(None, 100)),
        ),
        formula="L**2/kappa - m**2/(kappa-1) <= (L-m)**2",
        rests_on=("borell-tis", "union-bound"),
        expected=Verdict.OUTLINE,
        because="A complete square. Below L = m the bound exceeds 1 and holds anyway.",
    ),
    Claim(
        id="theory-ab-small-level",
        label="Constants a and b, levels below the mean",
        where="docs/theory.md#tails",
        kind="theory",
        statement="For κ > 1 and 0 <= L <= m: L^2/κ <= m^2/(κ-1).",
        reading="So a exp(-L^2/b^2) >= 2q^d > 1 there.",
        parameters=(
            Real("kappa", 1, low_open=True, search=(None, 10)),
            Real("m", 0, search=(None, 100)),
            Real("L", 0, "m"),
        ),
        formula="L**2/kappa <= m**2/(kappa-1)",
        expected=Verdict.PROVED,
        because="L <= m and κ - 1 < κ.",
    ),
    Claim(
        id="theory-ab-increment-se",
        label="Constants a and b, increments of the gradient, squared exponential",
        where="docs/theory.md#tails",
        kind="theory",
        statement="For y >= 0: 2(1-(1-2y)e^-y) <= 6y.",
        reading=(
            "y = u^2/(2ℓ^2): ℓ^2 Var(f'(u)-f'(0)) is the left side, so the variance is at most "
            "3u^2/ℓ^4."
        ),
        parameters=(Real("y", 0),),
        formula="2*(1-(1-2*y)*exp(-y)) <= 6*y",
        expected=Verdict.PROVED,
        because="(6-4y)e^-y <= 6.",
    ),
    Claim(
        id="theory-ab-increment-matern52",
        label="Constants a and b, increments of the gradient, Matérn-5/2",
        where="docs/theory.md#tails",
        kind="theory",
        statement="For a >= 0: 1-(1+a-a^2)e^-a <= 3a^2/2.",
        reading=(
            "a = sqrt(5)u/ℓ: Var(f'(u)-f'(0)) is (10/(3ℓ^2)) times the left side, so at most "
            "5a^2/ℓ^2 = (5u/ℓ^2)^2."
        ),
        parameters=(Real("a", 0),),
        formula="1 - (1+a-a**2)*exp(-a) <= 3*a**2/2",
        expected=Verdict.PROVED,
        because="(3a-a²)e^-a <= 3a.",
    ),
    Claim(
        id="theory-ab-variance",
        label="Constants a and b, s_2 for Matérn",
        where="docs/theory.md#tails",
        kind="theory",
        statement=(
            "ν/(ν-1) at ν = 5/2 and 3/2: 5/3 and 3, the second derivatives of (1+a+a^2/3)e^-a, "
            "a = sqrt(5)u, and (1+a)e^-a, a = sqrt(3)u, at 0 with the sign changed."
        ),
        formula="abs((5/2)/(3/2) - 5/3) + abs((3/2)/(1/2) - 3) <= 0",
        rests_on=("theory-box-first-order-matern52", "theory-box-first-order-matern32"),
        expected=Verdict.OUTLINE,
        because="Arithmetic.",
    ),
    Claim(
        id="theory-ab-se",
        label="Constant a for the squared exponential kernel",
        where="docs/theory.md#tails, numbers",
        kind="theory",
        statement="ℓ = 0.2, r = 1, d = 2, κ = 1.1, q = 28 cells per axis: a <= 4010.",
        let=(("m", "5*sqrt(2/pi)*((1+sqrt(3)*5/28)*(1+5/28) - 1)"),),
        formula="2*28**2*exp(m**2/(2*25*0.1)) <= 4010",
        expected=Verdict.PROVED,
        because="4009.52.",
    ),
    Claim(
        id="theory-ab-matern52",
        label="Constant a for Matérn-5/2",
        where="docs/theory.md#tails, numbers",
        kind="theory",
        statement=(
            "ℓ = 0.2, r = 1, d = 2, κ = 1.1, q = 69: a <= 2.57e4, the chaining sum to k = 59 with "
            "10^-9 for its tail."
        ),
        let=(("m", f"125*(sqrt(2)/69/2)*sqrt(4*log(2))*({_CHAIN} + 1/10**9)"),),
        formula="2*69**2*exp(m**2/(2*(125/3)*0.1)) <= 25700",
        expected=Verdict.PROVED,
        because="25650.6.",
    ),
    Claim(
        id="theory-ab-b",
        label="Constants b, rounded outward",
        where="docs/theory.md#tails, numbers",
        kind="theory",
        statement=(
            "κ = 1.1, ℓ = 0.2: sqrt(2κs_2) <= 7.417, 9.575, 12.846 for the squared exponential, "
            "Matérn-5/2 and Matérn-3/2 kernels."
        ),
        formula=("max(sqrt(2.2*25) - 7.417, sqrt(2.2*25*5/3) - 9.575, sqrt(2.2*75) - 12.846) <= 0"),
        expected=Verdict.PROVED,
        because="7.4162, 9.5743, 12.8452.",
        remark="To nearest they are 7.416, 9.574, 12.845, a little below.",
    ),
    Claim(
        id="theory-end-fixed-point",
        label="The end of the road, the steady state",
        where="docs/theory.md#repeated-point",
        kind="theory",
        statement=(
            "For ε in (0, 1) and s > 0: p = [ε(s-1)+sqrt(ε^2(s-1)^2+4sε)]/2 solves p(1+p) = "
            "(1-ε)p + sε(1+p), which is p = (1-ε)p/(1+p) + sε."
        ),
        reading="One point repeated at unit steps, p = s times the predictive variance.",
        parameters=(_EPSILON, _NOISE),
        let=(("p", _P),),
        formula="p*(1+p) == (1-eps)*p + s*eps*(1+p)",
        expected=Verdict.PROVED,
        because="p² + ε(1-s)p = sε.",
    ),
    Claim(
        id="theory-end-gain",
        label="The end of the road, the gain is at least n/2 log(1+p)",
        where="docs/theory.md#repeated-point",
        kind="theory",
        statement=(
            "The map x -> (1-ε)x/(1+x) + sε increases, so from the start x = s >= p every "
            "predictive x stays at least p: for x >= p >= 0: (1-ε)p/(1+p) <= (1-ε)x/(1+x)."
        ),
        parameters=(_EPSILON, Real("p", 0), Real("x", "p")),
        formula="(1-eps)*p/(1+p) <= (1-eps)*x/(1+x)",
        rests_on=("theory-end-fixed-point", "theory-end-start", "posterior-chain-rule"),
        expected=Verdict.OUTLINE,
        because="x/(1+x) increases; gains are log(1+x)/2 per round.",
    ),
    Claim(
        id="theory-end-start",
        label="The end of the road, p <= s",
        where="docs/theory.md#repeated-point",
        kind="theory",
        statement="For ε in (0, 1) and s > 0 the p of theory-end-fixed-point is at most s.",
        reading="The prior variance is 1.",
        parameters=(_EPSILON, _NOISE),
        let=(("p", _P),),
        formula="p <= s",
        expected=Verdict.PROVED,
        because="(2s-ε(s-1))² - ε²(s-1)² - 4sε = 4s²(1-ε) >= 0.",
    ),
    Claim(
        id="theory-end-rate",
        label="The end of the road, Ω(n sqrt(sε))",
        where="docs/theory.md#repeated-point",
        kind="theory",
        statement="For s >= 1 and ε in (0, 1): p >= sqrt(sε).",
        parameters=(_EPSILON, Real("s", 1)),
        formula=f"sqrt(s*eps) <= {_P}",
        rests_on=("theory-end-gain",),
        expected=Verdict.OUTLINE,
        because="Drop non-negative terms.",
        remark="For s < 1 it fails at fixed ε (s = ε = 1/2: 0.390 < 1/2), see the next claim.",
    ),
    Claim(
        id="theory-end-rate-any-noise",
        label="The end of the road, every noise",
        where="docs/theory.md#repeated-point",
        kind="theory",
        statement=(
            "For s in (0, 1], ε in (0, 1) the p of theory-end-fixed-point is at least s sqrt(ε)."
        ),
        parameters=(_EPSILON, Real("s", 0, 1, low_open=True)),
        formula=f"s*sqrt(eps) <= {_P}",
        expected=Verdict.PROVED,
        because="p² = ε(s - (1-s)p) >= ε(s - (1-s)s) = εs², as p <= s.",
    ),
)
