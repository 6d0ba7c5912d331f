"""docs/theory.md#theorem-t and #theorem-x: ceilings before a run, and how m* is simulated."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector

_T = "docs/theory.md#theorem-t"
_X = "docs/theory.md#theorem-x"
_PHI = "exp(-({0})**2/2)/sqrt(2*pi)"
_Z, _A = _PHI.format("z"), _PHI.format("a")
_MILLS = f"({_Z}/normal_cdf(z))"
_REAL = Real("z", search=(-8, 8))

CLAIMS = (
    Claim(
        id="theory-t-tangent",
        label="Theorem T, the isoperimetric function lies below its tangents",
        where=_T,
        kind="theory",
        statement=(
            "I(p) = ϕ(Φ⁻¹(p)) lies below the line with the slope -a that touches it at p = Φ(a): "
            "ϕ(z) <= ϕ(a) - a(Φ(z) - Φ(a)) for all real z and a."
        ),
        reading="So I is concave, and decreases beyond ½.",
        parameters=(_REAL, Real("a", search=(-8, 8))),
        formula=f"{_Z} <= {_A} - a*(normal_cdf(z) - normal_cdf(a))",
        expected=Verdict.PROVED,
        because="The difference has the derivative (z-a)ϕ(z) in z.",
    ),
    Claim(
        id="theory-t-excess",
        label="Theorem T, the mean excess is not negative",
        where=_T,
        kind="theory",
        statement="For every a: ϕ(a) + aΦ(a) >= 0.",
        reading="It is E(Z + a)₊ for a standard normal Z.",
        parameters=(Real("a", search=(-8, 8)),),
        formula=f"{_A} + a*normal_cdf(a) >= 0",
        expected=Verdict.PROVED,
        because="It grows with a, its slope being Φ(a), and falls to 0 far to the left.",
    ),
    Claim(
        id="theory-t-bathtub",
        label="Theorem T, the largest mean on an event",
        where=_T,
        kind="theory",
        statement="For a share A in [0,1] of a case and any threshold a: ZA <= (Z-a)₊ + aA.",
        reading=(
            "In the mean, by hand: E ZA <= E(Z-a)₊ + a E A for all a, which is I(p) at Φ(-a) = p "
            "= E A. With z(u) for Z and σ for A: the rearrangement of the random weight."
        ),
        parameters=(
            Real("Z", search=(-9, 9)),
            Real("A", 0, 1),
            Real("a", search=(-9, 9)),
        ),
        formula="Z*A <= max(Z-a, 0) + a*A",
        expected=Verdict.PROVED,
        because="(Z-a)A <= (Z-a)₊.",
    ),
    Claim(
        id="theory-t",
        label="Theorem T, Thompson sampling",
        where=_T,
        kind="theory",
        statement=(
            "For chances P_ix of N >= 2 points in n rounds, deviations σ_ix <= 1 and (1/n)ΣΣPσ <= "
            "S <= 1: ΣΣ σ_ix I(P_ix) <= n N I(S/N), for every n and N."
        ),
        reading=(
            "E[r_i|F] <= Σσ_i(x)I(P_i(x)) is theory-t-bathtub. The formula: one round, two points "
            "of chances Φ(z), 1-Φ(z); a <= 0 with Φ(a) at least half the mean deviation."
        ),
        parameters=(
            _REAL,
            Real("s", 0, 1),
            Real("t", 0, 1),
            Real("a", None, 0, search=(-8, None)),
        ),
        hypotheses=("2*normal_cdf(a) >= s*normal_cdf(z) + t*(1-normal_cdf(z))",),
        formula=f"(s+t)*{_Z} <= 2*{_A} + 1/10**30",
        witnesses=({"z": 0, "s": "1/2", "t": "1/2", "a": 0},),
        expected=Verdict.PROVED,
        because="The tangent at S/N for every point and round, and the mean excess.",
        remark="The theorem has no 1/10³⁰: balls need it at equality.",
    ),
    Claim(
        id="theory-t-unclipped",
        label="Theorem T, with a mean deviation above 1",
        where=_T,
        kind="theory",
        statement="Theorem T's number |D| I(S/|D|) holds with any S >= the mean deviation.",
        reading=(
            "S is not clipped at 1: one round, two independent arms, regret 1/√π whatever is "
            "played; S = 2Φ(z) in [1, 2]."
        ),
        parameters=(Real("z", 0, search=(None, 8)),),
        formula=f"1/sqrt(pi) <= 2*{_Z}",
        expected=Verdict.REFUTED,
        because="I decreases beyond ½: larger S give smaller numbers.",
        repairs=("theory-t",),
    ),
    Claim(
        id="theory-t-second",
        label="Theorem T, second form with the logarithm",
        where=_T,
        kind="theory",
        statement="I(p)² <= 2p² log(1/p) for every p = Φ(z).",
        reading="So ΣI(P)²/P <= 2 log|D|.",
        parameters=(_REAL,),
        formula=f"({_Z})**2 <= -2*normal_cdf(z)**2*log(normal_cdf(z))",
        expected=Verdict.PROVED,
        because="The mean on an event is at most √(2 log(1/p)).",
    ),
    Claim(
        id="theory-t-second-tangents",
        label="Theorem T, second form: a tangent of I²/p for every p",
        where=_T,
        kind="theory",
        statement=(
            "g(p) = I(p)²/p lies below its tangent at every p: at Φ(z), with m = ϕ/Φ, the tangent "
            "m²Φ - (2zm+m²)(p-Φ) is at p = 1 at least g(1) = 0."
        ),
        parameters=(_REAL,),
        formula=(
            f"{_MILLS}**2*normal_cdf(z) - (2*z*{_MILLS} + {_MILLS}**2)*(1-normal_cdf(z)) >= 0"
        ),
        witnesses=({"z": 1},),
        expected=Verdict.REFUTED,
        because="It fails at every p > ½; up to ½ it holds.",
        repairs=("theory-t-second-half",),
    ),
    Claim(
        id="theory-t-second-half",
        label="Theorem T, second form: a tangent of I²/p up to ½",
        where=_T,
        kind="theory",
        statement=(
            "For p0 = Φ(z) <= ½ and every p = Φ(y): I(p)²/p <= m²Φ(z) - (2zm+m²)(p-Φ(z)), "
            "m = ϕ(z)/Φ(z)."
        ),
        reading="So ΣI(P)²/P <= |D| g(1/|D|) for |D| >= 2.",
        parameters=(Real("z", None, 0, search=(-8, None)), Real("y", search=(-8, 8))),
        formula=(
            f"({_PHI.format('y')})**2/normal_cdf(y) <= {_MILLS}**2*normal_cdf(z) - "
            f"(2*z*{_MILLS} + {_MILLS}**2)*(normal_cdf(y)-normal_cdf(z))"
        ),
        expected=Verdict.PROVED,
        because=(
            "g'' = 2m((z+m)²-1)/ϕ and z+m increases: concave, then convex; the tangent's value at "
            "1 falls to 0 at p0 = ½."
        ),
    ),
    Claim(
        id="theory-t-factor",
        label="Theorem T, the factor for two arms",
        where=_T,
        kind="theory",
        statement="|D|I(1/|D|) = 2ϕ(0) = √(2/π) = 0.798 < √(2 log 2) = 1.177 at |D| = 2.",
        formula="max(abs(sqrt(2/pi) - 0.798) - 0.0005, sqrt(2/pi) - sqrt(2*log(2))) <= 0",
        expected=Verdict.PROVED,
        because="Arithmetic.",
    ),
    Claim(
        id="theory-t-mean-policy",
        label="n·m* for Thompson sampling and the posterior-mean policy",
        where=_T,
        kind="theory",
        statement=(
            "For fields μ and z over N points, z with finitely many cases and mean 0 at every "
            "point: E max(μ+z) is at least max μ and at most max μ + E max z."
        ),
        reading=(
            "So, in words alone: E r_i <= E max N(0,P_i) for both policies, f being μ+z given the "
            "data, and with K = P + Q, E max N(0,P) <= E max N(0,K) = m*. The search tries the "
            "second inequality in one case."
        ),
        parameters=(
            Integer("N", 1),
            Vector("mu", "N", search=(-9, 9)),
            Vector("z", "N", search=(-9, 9)),
        ),
        formula=(
            "max([mu[k]+z[k] for k in range(N)]) <= max([mu[k] for k in range(N)]) + "
            "max([z[k] for k in range(N)])"
        ),
        expected=Verdict.PROVED,
        because="P ⪯ K is theory-f-gram.",
    ),
    Claim(
        id="theory-t-exploration",
        label="Thompson sampling has the number of constant exploration, at every b",
        where=_T,
        kind="theory",
        statement=(
            "For every weight q = √b >= 0 and every point y, the best one too: f(y) - μ(y) <= "
            "q σ(y) + max (f-μ-qσ)₊, every number of points."
        ),
        reading=(
            "So E r_i <= q E σ(x*) + E max (f-μ-qσ)₊, as x_i has the law of x* given the data. "
            "The search tries two points, y the first, a and b the values f-μ."
        ),
        parameters=(
            *(Real(name, search=(-9, 9)) for name in ("a", "b")),
            *(Real(name, 0, 1) for name in ("s", "t")),
            Real("q", 0, search=(None, 9)),
        ),
        formula="a <= q*s + max(0, max(a - q*s, b - q*t))",
        expected=Verdict.PROVED,
        because="No confidence bound is played: the weight is free, and need not be known.",
    ),
    Claim(
        id="theory-t-exploration-played",
        label="Constant exploration at every b for the policy that plays one",
        where=_T,
        kind="theory",
        statement=(
            "A policy that maximises μ + qσ has r <= wσ(x) + max (f-μ-wσ)₊ for every weight w "
            "too, x the point played."
        ),
        reading="Two points, f = μ at both; x, of deviation s, is played for the weight q.",
        parameters=(
            *(Real(name, search=(-9, 9)) for name in ("m", "n")),
            *(Real(name, 0, 1) for name in ("s", "t")),
            *(Real(name, 0, search=(None, 9)) for name in ("q", "w")),
        ),
        hypotheses=("n + q*t <= m + q*s",),
        formula="n - m <= w*s",
        expected=Verdict.REFUTED,
        because="At w = 0 it says that exploration is free.",
        repairs=("theory-regret-exploration-optimism", "theory-t-exploration"),
    ),
    Claim(
        id="theory-x-jensen",
        label="Theorem X is Jensen",
        where=_X,
        kind="theory",
        statement=(
            "Means given the scheduled data are averages of the means given all data, so the mean "
            "of their largest value is at most that of all data's; every number of cases, points."
        ),
        reading="The formula: two further cases of weights u, 1-u; two points.",
        parameters=(
            Real("u", 0, 1),
            Vector("a", 2, search=(-9, 9)),
            Vector("b", 2, search=(-9, 9)),
        ),
        formula=(
            "max(u*a[0] + (1-u)*b[0], u*a[1] + (1-u)*b[1]) <= "
            "u*max(a[0], a[1]) + (1-u)*max(b[0], b[1])"
        ),
        expected=Verdict.PROVED,
        because="A maximum is convex.",
    ),
    Claim(
        id="theory-x-covariance",
        label="Theorem X, the law of the scheduled mean",
        where=_X,
        kind="theory",
        statement=(
            "The posterior means of any two quantities have the prior covariance less the "
            "posterior one, K - P, for every number of scheduled observations."
        ),
        reading="The formula: one observation of variance 1+ν, covariances a and b.",
        parameters=(
            Real("a", -1, 1),
            Real("b", -1, 1),
            Real("nu", 0, low_open=True, search=(None, 9)),
            Real("k", -1, 1),
        ),
        formula="(a/(1+nu))*(b/(1+nu))*(1+nu) == k - (k - a*b/(1+nu))",
        expected=Verdict.PROVED,
        because="The weights solve the normal equations.",
    ),
    Claim(
        id="theory-x",
        label="Theorem X, the sum",
        where=_X,
        kind="theory",
        statement=(
            "Scheduled rounds cost m*, the others m* - E max μ^all <= m* - E max μ^sch: E R_n <= "
            "|E|m* + Σ(m* - E max N(0, K-P_i))."
        ),
        reading="One round of either kind.",
        parameters=(
            Real("m", 0, search=(None, 9)),
            Real("all", search=(-9, 9)),
            Real("sch", search=(-9, 9)),
            Real("r", search=(-9, 30)),
            Integer("e", 0),
            Integer("q", 0),
        ),
        hypotheses=("sch <= all", "r == e*m + q*(m - all)"),
        formula="r <= e*m + q*(m - sch)",
        witnesses=({"m": 1, "all": 0, "sch": 0, "r": 2, "e": 1, "q": 1},),
        outline="that the schedule is no function of the data is a person's argument",
        rests_on=("theory-x-jensen", "theory-x-covariance"),
        expected=Verdict.OUTLINE,
        because="Addition.",
    ),
    Claim(
        id="theory-x-lipschitz",
        label="Theorem X by simulation, gradients of two rounds",
        where=_X,
        kind="theory",
        statement=(
            "Two vectors u and v of any length with |u|, |v| <= ℓ, and a >= 0: the product of u "
            "and a v is at most a ℓ² in size."
        ),
        reading=(
            "Gradients of two rounds i < j over the innovations known at i, for a Markov kernel: "
            "E[μ_j | data of i] = a μ_i with a = k_time(τ_j-τ_i) >= 0, so u and v are half "
            "differences of two points at round i, ℓ the constant of its half range. That is said "
            "in words alone."
        ),
        parameters=(
            Integer("n", 1),
            Vector("u", "n", search=(-9, 9)),
            Vector("v", "n", search=(-9, 9)),
            Real("a", 0, 1),
        ),
        formula=(
            "abs(sum(u[k]*a*v[k] for k in range(n))) <= "
            "a*max(sum(u[k]**2 for k in range(n)), sum(v[k]**2 for k in range(n)))"
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz.",
    ),
    Claim(
        id="theory-x-adaptive",
        label="Theorem X with rounds of E chosen by the data",
        where=_X,
        kind="theory",
        statement=(
            "Where the data decide whether a round is scheduled, a round that is not costs at most "
            "m* - E max N(0, K-P) on average: two independent arms, the first seen without noise, "
            "y; the next round is not scheduled where y <= c."
        ),
        reading=(
            "Both sides times P(y <= c): m*Φ(c) - E[y₊; y <= c] against (m* - E y₊)Φ(c), m* = 1/√π."
        ),
        parameters=(Real("c", 0, search=(None, 5)),),
        formula=(
            "normal_cdf(c)/sqrt(pi) - (1 - exp(-c**2/2))/sqrt(2*pi) <= "
            "normal_cdf(c)*(1/sqrt(pi) - 1/sqrt(2*pi))"
        ),
        expected=Verdict.REFUTED,
        because="Choosing when to exploit biases the mean of what is exploited.",
        repairs=("theory-x",),
    ),
    Claim(
        id="theory-maximum-lipschitz",
        label="m* by simulation: the maximum is √κ-Lipschitz",
        where="docs/theory.md#maximum",
        kind="theory",
        statement=(
            "g = Fw with |F_x|² <= κ: |max g(w) - max g(u)| <= √κ |w-u|, every number of points "
            "and normals."
        ),
        reading="The formula: three points, two normals, squared where positive; κ = Σ of |F_x|².",
        parameters=(
            Vector("F", 6, search=(-3, 3)),
            Vector("w", 2, search=(-3, 3)),
            Vector("u", 2, search=(-3, 3)),
        ),
        let=(("kappa", "max([F[2*x]**2 + F[2*x+1]**2 for x in range(3)])"),),
        formula=(
            "max([F[2*x]*w[0] + F[2*x+1]*w[1] for x in range(3)]) - "
            "max([F[2*y]*u[0] + F[2*y+1]*u[1] for y in range(3)]) <= "
            "sqrt(kappa*((w[0]-u[0])**2 + (w[1]-u[1])**2)) + 1/10**20"
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz at the point of the larger maximum.",
    ),
    Claim(
        id="theory-half-range",
        label="m* by simulation: half the range moves less",
        where="docs/theory.md#maximum",
        kind="theory",
        statement=(
            "(max g - min g)/2 is √v-Lipschitz in the normals of g, for every v >= "
            "Var(g(x)-g(y))/4, every number of points and normals."
        ),
        reading=(
            "It has the mean m*, as -g has the law of g; v = (κ - min k_space)/2 for unit "
            "variances, half of κ where k_space >= 0. The search tries two points, g = F w, v = "
            "|F_0-F_1|²/4."
        ),
        parameters=(
            Vector("F", 4, search=(-3, 3)),
            Vector("w", 2, search=(-3, 3)),
            Vector("u", 2, search=(-3, 3)),
        ),
        let=(
            ("a", "(F[0]-F[2])*w[0] + (F[1]-F[3])*w[1]"),
            ("b", "(F[0]-F[2])*u[0] + (F[1]-F[3])*u[1]"),
        ),
        formula=(
            "abs(a)/2 - abs(b)/2 <= sqrt(((F[0]-F[2])**2 + (F[1]-F[3])**2)/4*"
            "((w[0]-u[0])**2 + (w[1]-u[1])**2)) + 1/10**20"
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz at the ends of the larger range.",
    ),
    Claim(
        id="theory-half-range-negative",
        label="Half the range with negative kernels",
        where="docs/theory.md#maximum",
        kind="theory",
        statement="Var(g(x)-g(y))/4 <= 1/2 for unit variances and any correlation r.",
        reading="Half of the maximum's constant, without k_space >= 0.",
        parameters=(Real("r", -1, 1),),
        formula="(2-2*r)/4 <= 1/2",
        expected=Verdict.REFUTED,
        because="(1-r)/2 reaches 1 at r = -1: then the two constants agree.",
        repairs=("theory-half-range",),
    ),
)
