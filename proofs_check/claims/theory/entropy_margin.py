"""docs/theory.md#theorem-m and #margin: the entropy of the optimum's path, and the margin."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector

_M = "docs/theory.md#theorem-m"
_MARGIN = "docs/theory.md#margin"
_TRACE = "sum(M[k*n+k] for k in range(n))"
_SQUARES = "sum(M[k]**2 for k in range(n*n))"

CLAIMS = (
    Claim(
        id="theory-entropy-trace",
        label="Theorem M, trace and rank",
        where=_M,
        kind="theory",
        statement="(tr M)² <= rank(M) ‖M‖²_F for every real square matrix.",
        reading="The formula: M = a bᵀ of rank 1.",
        parameters=(
            Integer("n", 1),
            Vector("a", "n", search=(-9, 9)),
            Vector("b", "n", search=(-9, 9)),
        ),
        formula=(
            "sum(a[k]*b[k] for k in range(n))**2 <= "
            "sum((a[j]*b[k])**2 for j in range(n) for k in range(n))"
        ),
        expected=Verdict.PROVED,
        because="tr M = ⟨Π, M⟩ for the projector Π on the range, ‖Π‖² = rank M.",
    ),
    Claim(
        id="theory-entropy-trace-rankless",
        label="Theorem M, without the rank",
        where=_M,
        kind="theory",
        statement="(tr M)² <= ‖M‖²_F for every real square matrix.",
        reading="n × n; M row by row.",
        parameters=(Integer("n", 1, 4), Vector("M", "n*n", search=(-9, 9))),
        formula=f"({_TRACE})**2 <= {_SQUARES}",
        expected=Verdict.REFUTED,
        because="The identity of two points: 4 > 2. The factor is what makes the bound large.",
        repairs=("theory-entropy-trace",),
    ),
    Claim(
        id="theory-entropy-variational",
        label="Theorem M, the mean under another law",
        where=_M,
        kind="theory",
        statement=(
            "If λd - λ²v/2 <= K for every λ, in particular λ = d/v, then d² <= 2vK: d the change "
            "of a Gaussian mean of variance v, K the divergence."
        ),
        parameters=(
            Real("d", search=(-9, 9)),
            Real("v", 0, low_open=True, search=(None, 9)),
            Real("K", 0, search=(None, 50)),
        ),
        hypotheses=("d/v*d - (d/v)**2*v/2 <= K",),
        formula="d**2 <= 2*v*K",
        witnesses=({"d": 1, "v": 1, "K": 1},),
        outline="the variational formula of Donsker and Varadhan is a textbook's",
        expected=Verdict.OUTLINE,
        because="The best λ.",
    ),
    Claim(
        id="theory-entropy-sum",
        label="Theorem M, the sum over rounds",
        where=_M,
        kind="theory",
        statement=(
            "If r_i <= √(a I_i), a = 2(1+σ²) rank K, and ΣI_i <= I, then Σr_i <= √(a n I), for "
            "every n."
        ),
        reading="The formula: r_i = √(a I_i), I = ΣI_i.",
        parameters=(
            Integer("n", 1),
            Vector("b", "n", 0, search=(None, 9)),
            Real("a", 0, search=(None, 9)),
        ),
        formula=(
            "sum(sqrt(a*b[k]) for k in range(n)) <= sqrt(a*n*sum(b[k] for k in range(n))) + "
            "1/10**20"
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz.",
        remark="The theorem has no 1/10²⁰: balls need it at equality.",
    ),
    Claim(
        id="theory-entropy-code",
        label="Theorem M, the entropy is at most the length of a code",
        where=_M,
        kind="theory",
        statement="For Σq <= Σp, p >= 0, q > 0: -Σ p log p <= -Σ p log q, every number of cases.",
        reading="The formula: p > 0; q = p u with Σpu <= Σp.",
        parameters=(
            Integer("n", 1),
            Vector("p", "n", 0, 1),
            Vector("u", "n", 0, 3),
        ),
        let=(
            ("P", "[p[k] + 1/1000 for k in range(n)]"),
            ("Q", "[u[k] + 1/1000 for k in range(n)]"),
        ),
        formula=(
            "sum((P[k])*log((Q[k])/(P[k])) for k in range(n)) <= "
            "sum(Q[k] for k in range(n)) - sum(P[k] for k in range(n)) + 1/10**20"
        ),
        expected=Verdict.PROVED,
        because="log x <= x - 1.",
        remark="The theorem has neither the shift by 1/1000 nor 1/10²⁰.",
    ),
    Claim(
        id="theory-entropy-crossing",
        label="Theorem M, where it would be below n·m*",
        where=_M,
        kind="theory",
        statement=(
            "√(2(1+σ²) r n I) < n m* exactly where the information per round h = I/n has "
            "2(1+σ²) r h < m*²."
        ),
        reading="a = 2(1+σ²) r.",
        parameters=(
            Real("a", 0, search=(None, 500)),
            Real("h", 0, search=(None, 9)),
            Real("m", 0, low_open=True, search=(None, 9)),
            Real("n", 1, search=(None, 1000)),
        ),
        formula="(1 if sqrt(a*n*(n*h)) < n*m else 0) == (1 if a*h < m**2 else 0)",
        witnesses=({"a": 1, "h": 1, "m": 2, "n": 1},),
        expected=Verdict.PROVED,
        because="Square both sides.",
    ),
    Claim(
        id="theory-margin-sum",
        label="Margin, on every path",
        where=_MARGIN,
        kind="theory",
        statement=(
            "Regrets that are 0 or at least the gap g_i: Σr_i <= η #{g_i <= η} + Σr_i²/η for every "
            "η > 0 and n."
        ),
        reading="The formula: r_i = 0 or g_i + h_i.",
        parameters=(
            Integer("n", 1),
            Vector("g", "n", 0, search=(None, 9)),
            Vector("h", "n", -1, search=(None, 9)),
            Real("eta", 0, low_open=True, search=(None, 9)),
        ),
        let=(("r", "[(g[k]+h[k] if h[k] >= 0 else 0) for k in range(n)]"),),
        formula=(
            "sum(r[k] for k in range(n)) <= eta*sum((1 if g[k] <= eta else 0) for k in range(n)) + "
            "sum(r[k]**2 for k in range(n))/eta"
        ),
        expected=Verdict.PROVED,
        because="Above η a regret is at most its square over η.",
    ),
    Claim(
        id="theory-margin-ties",
        label="Margin with the second largest value, ties included",
        where=_MARGIN,
        kind="theory",
        statement=(
            "With M'(η) the probability that the two largest of |D| values, ties included, differ "
            "by at most η: M'(η) <= κη for some κ and every law of two arms of correlation r."
        ),
        reading="η = 0: P(gap <= 0) is 0 for r < 1 and 1 for r = 1, where the claim asks for 0.",
        parameters=(Real("r", -1, 1),),
        formula="(1 if r >= 1 else 0) <= 0",
        expected=Verdict.REFUTED,
        because="Equal arms: the difference is 0 with certainty, and M(0) = 1.",
        repairs=("theory-margin-sum",),
    ),
    Claim(
        id="theory-margin-density",
        label="Margin, its probability from densities",
        where=_MARGIN,
        kind="theory",
        statement=(
            "Given the rest, f(x) lies in an interval of length h with probability at most "
            "h/√(2πc): Φ(a+h) - Φ(a) <= h/√(2π), h in units of √c."
        ),
        reading="So M(η) <= κη, κ = Σ_x 1/√(2πc_x).",
        parameters=(Real("a", search=(-9, 9)), Real("h", 0, search=(None, 9))),
        formula="normal_cdf(a+h) - normal_cdf(a) <= h/sqrt(2*pi)",
        expected=Verdict.PROVED,
        because="The density is at most 1/√(2π).",
    ),
    Claim(
        id="theory-margin-best",
        label="Margin, the best η",
        where=_MARGIN,
        kind="theory",
        statement="nκη² + A/η, A = 2nκx³, is at least 3nκx², its value at η = x.",
        reading="k = nκ. The value is (3/2^(2/3)) (nκ)^(1/3) A^(2/3), 3/2^(2/3) = 1.8899.",
        parameters=(
            Real("k", 0, search=(None, 50)),
            Real("x", 0, low_open=True, search=(None, 9)),
            Real("eta", 0, low_open=True, search=(None, 9)),
        ),
        formula="3*k*x**2 <= k*eta**2 + 2*k*x**3/eta",
        expected=Verdict.PROVED,
        because="The difference is k(η-x)²(η+2x)/η.",
    ),
    Claim(
        id="theory-margin-failed",
        label="Margin, where the event fails",
        where=_MARGIN,
        kind="theory",
        statement=(
            "δ√(log(1/δ)) grows with δ up to e^(-1/2): with δ = e^-l, e^-b √b <= e^-a √a for "
            "1/2 <= a <= b."
        ),
        reading="So the bound of the last term may take δ for the probability that it fails.",
        parameters=(Real("a", "1/2", search=(None, 9)), Real("b", "a", search=(None, 20))),
        formula="exp(-b)*sqrt(b) <= exp(-a)*sqrt(a)",
        expected=Verdict.PROVED,
        because="The derivative of e^-l √l is not positive from 1/2 on.",
    ),
    Claim(
        id="theory-margin-failed-any",
        label="Margin, where the event fails with any δ",
        where=_MARGIN,
        kind="theory",
        statement="δ√(log(1/δ)) grows with δ on all of (0, 1].",
        reading="δ = e^-l as in theory-margin-failed, without a >= 1/2.",
        parameters=(Real("a", 0, search=(None, 9)), Real("b", "a", search=(None, 20))),
        formula="exp(-b)*sqrt(b) <= exp(-a)*sqrt(a)",
        expected=Verdict.REFUTED,
        because="At δ = 1 it is 0: a δ above 0.606 is no bound for a smaller probability.",
        repairs=("theory-margin-failed",),
    ),
    Claim(
        id="theory-floor-gap",
        label="The exponents' gap at unit steps",
        where="docs/theory.md#rates",
        kind="theory",
        statement=(
            "θT = n^κ, κ in [-1, 1]: the floor's exponent (1+κ)/2 is at most the margin's "
            "(2+κ)/3 and this at most Cauchy–Schwarz's (3+κ)/4."
        ),
        reading="Per round ε^(1/2), ε^(1/3), ε^(1/4) with ε = n^(κ-1); finite domains.",
        parameters=(Real("kappa", -1, 1),),
        formula="max((1+kappa)/2 - (2+kappa)/3, (2+kappa)/3 - (3+kappa)/4) <= 0",
        expected=Verdict.PROVED,
        because="Each difference is a multiple of κ - 1.",
    ),
)
