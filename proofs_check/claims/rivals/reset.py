"""Bogunovic et al. 2016, Theorem 4.2: the policy that resets every N rounds.

Proof and statement: docs/theory.md#rivals.

It computes with the static kernel; ψ pays for that: 2 sqrt(β)|Δσ| + 2|Δμ| a round, the differences
to the posterior of the drifting objective. v is the noise variance, s = 1/v; n = N-1 observations
since the reset at most, unit steps, J_jk = w^|j-k|, ε = 1-w^2. Constants are those of theory
notes 9.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Vector

_WHERE = "docs/theory.md#rivals; arXiv 1601.06650, Theorem 4.2"
_NOISE = Real("v", 0, low_open=True, also=("1/100000000", "100000000"))
_ROOT = Real("w", 0, 1, low_open=True)
_BEFORE = Integer("n", 1, 2)
_SPACE = PositiveSemidefinite("K", "n+1", bound=True)
_DRIFTING = "[[K[j][k]*w**abs(j-k) for k in range(n+1)] for j in range(n+1)]"
# Schur complements: det [[I+K/v, k/v], [k', κ]] / det(I+K/v) is the posterior variance of the last
# point, det [[I+K/v, y/v], [k', 0]] / det(I+K/v) minus its posterior mean.
_GRAM = "det(add(identity(n), scale(1/v, block({0}, 0, n))))"
_VARIANCE = (
    "det(add(diagonal([1 if j < n else 0 for j in range(n+1)]), "
    "[[({0}[j][k]/v if j < n else {0}[j][k]) for k in range(n+1)] for j in range(n+1)]))"
)
_MEAN = (
    "det([[(({0}[j][k]/v + (1 if j == k else 0)) if j < n else {0}[n][k]) if k < n else "
    "(y[j]/v if j < n else 0) for k in range(n+1)] for j in range(n+1)])"
)

CLAIMS = (
    Claim(
        id="rival-reset-variance",
        label="Theorem 4.2, the two posterior variances, with matrices",
        where=_WHERE,
        kind="theory",
        statement=(
            "For n <= 2 observations since the reset, N = n+1, every noise: 4|Δσ^2| <= "
            "(3s+s^2) N^3 ε. So 2 sqrt(β)|Δσ| <= sqrt(β(3s+s^2)N^3 ε)."
        ),
        parameters=(_BEFORE, _NOISE, _ROOT, _SPACE),
        let=(("F", _DRIFTING),),
        formula=(
            f"4*abs({_VARIANCE.format('K')}/{_GRAM.format('K')} - "
            f"{_VARIANCE.format('F')}/{_GRAM.format('F')}) <= "
            "(3/v + 1/v**2)*(n+1)**3*(1-w**2)"
        ),
        expected=Verdict.SUPPORTED,
        because="rival-reset-psi-variance proves it for every N.",
        rests_on=("rival-reset-psi-variance",),
    ),
    Claim(
        id="rival-reset-mean",
        label="Theorem 4.2, the two posterior means, with matrices",
        where=_WHERE,
        kind="theory",
        statement=(
            "For n <= 2 observations in [-1, 1] since the reset, N = n+1, every noise: 2|Δμ| <= "
            "(s+s^2) N^3 ε."
        ),
        parameters=(_BEFORE, _NOISE, _ROOT, _SPACE, Vector("y", "n", -1, 1)),
        let=(("F", _DRIFTING),),
        formula=(
            f"2*abs({_MEAN.format('K')}/{_GRAM.format('K')} - "
            f"{_MEAN.format('F')}/{_GRAM.format('F')}) <= (1/v + 1/v**2)*(n+1)**3*(1-w**2)"
        ),
        expected=Verdict.SUPPORTED,
        because="rival-reset-psi-mean proves it for every N.",
        rests_on=("rival-reset-psi-mean",),
    ),
    Claim(
        id="rival-reset-one-observation",
        label="Theorem 4.2, the two posterior variances after one observation",
        where=_WHERE,
        kind="theory",
        statement=(
            "N = 2, variances 1, correlation c: σ^2 = 1-sc^2/(1+s) and with drift 1-s(1-ε)c^2/(1+s)"
            "; 4 times their difference is at most 8(3s+s^2)ε."
        ),
        parameters=(Real("s", 0), Real("c", -1, 1), Real("eps", 0, 1)),
        formula="4*(s*c**2/(1+s) - s*(1-eps)*c**2/(1+s)) <= 8*(3*s+s**2)*eps",
        expected=Verdict.PROVED,
        because="The difference is sεc²/(1+s).",
    ),
    Claim(
        id="rival-reset-lag",
        label="Theorem 4.2, one lag",
        where=_WHERE,
        kind="theory",
        statement=(
            "For ε in [0, 1) and every lag m >= 1: 1-(1-ε)^(m/2) <= (m/2)ε where m >= 2, and <= ε "
            "where m = 1."
        ),
        parameters=(Integer("m", 1), Real("eps", 0, 1, high_open=True)),
        formula="1-(1-eps)**(m/2) <= (m/2*eps if m >= 2 else eps)",
        expected=Verdict.PROVED,
        because="Bernoulli.",
    ),
    Claim(
        id="rival-reset-lag-sums",
        label="Theorem 4.2, the sums over lags",
        where=_WHERE,
        kind="theory",
        statement=(
            "n observations, lags to the present 1..n: with (m/2)ε, and ε for the lag 1, the "
            "squares sum to (ε/2)^2 (n(n+1)(2n+1)/6 + 3); those of the pairs to (ε/2)^2 "
            "(n^2 (n^2-1)/6 + 6(n-1))."
        ),
        reading=(
            "n >= 1. A lag 1 counts ε² where (ε/2)² is in the sum: 3 more, or 3 for 2(n-1) pairs. "
            "The search tries the sums of m^2."
        ),
        parameters=(Integer("n", 1),),
        formula=(
            "sum(m**2 for m in range(1, n+1)) + sum(2*(n-m)*m**2 for m in range(1, n)) == "
            "n*(n+1)*(2*n+1)/6 + n**2*(n**2-1)/6"
        ),
        expected=Verdict.PROVED,
        because="Sums of powers.",
    ),
    Claim(
        id="rival-reset-psi-variance",
        label="Theorem 4.2, the first term of ψ, the proof",
        where=_WHERE,
        kind="theory",
        statement=(
            "x = ‖k-k̃‖, z = ‖K-K̃‖ after n observations, ‖k‖, ‖k̃‖ <= sqrt(n): |Δσ^2| <= "
            "2s sqrt(n) x + s^2 n z (resolvents) is at most (3s+s^2)(n+1)^3 ε/4."
        ),
        reading="r = sqrt(n). ‖(K+vI)^-1‖ <= s, and the inverses differ by at most s²‖K-K̃‖.",
        parameters=(
            Real("s", 0),
            Real("eps", 0, 1),
            Integer("n", 1),
            Real("r", 0),
            Real("x", 0),
            Real("z", 0),
        ),
        hypotheses=(
            "r**2 <= n",
            "4*x**2 <= eps**2*(n*(n+1)*(2*n+1)/6 + 3)",
            "4*z**2 <= eps**2*(n**2*(n**2-1)/6 + 6*(n-1))",
        ),
        formula="2*s*r*x + s**2*n*z <= (3*s + s**2)*(n+1)**3*eps/4",
        witnesses=({"s": 1, "eps": "1/2", "n": 2, "r": 1, "x": "1/2", "z": "1/2"},),
        rests_on=("rival-reset-lag-sums", "cauchy-schwarz"),
        expected=Verdict.OUTLINE,
        because="Two polynomials in n.",
    ),
    Claim(
        id="rival-reset-psi-mean",
        label="Theorem 4.2, the second term of ψ, the proof",
        where=_WHERE,
        kind="theory",
        statement=(
            "Observations at most 1 in size, so ‖y‖ <= r <= sqrt(n): 2|Δμ| <= 2 r (s x + s^2 r z) "
            "is at most (s+s^2)(n+1)^3 ε, where 4rx and 4nz are at most ε(n+1)^3."
        ),
        parameters=(
            Real("s", 0),
            Real("eps", 0, 1),
            Integer("n", 1),
            Real("r", 0),
            Real("x", 0),
            Real("z", 0),
        ),
        hypotheses=("r**2 <= n", "4*r*x <= eps*(n+1)**3", "4*n*z <= eps*(n+1)**3"),
        formula="2*r*(s*x + s**2*r*z) <= (s + s**2)*(n+1)**3*eps",
        rests_on=("rival-reset-psi-variance",),
        expected=Verdict.OUTLINE,
        because="The proof of the first term.",
    ),
    Claim(
        id="rival-reset-round",
        label="Theorem 4.2, the regret of a round",
        where=_WHERE,
        kind="theory",
        statement=(
            "b = sqrt(β); true posterior m, t at the best and the played point, static M, T, the "
            "latter's index the larger; means differ by at most e, deviations by at most h: "
            "r <= 2bT + 2bh + 2e."
        ),
        reading="f lies within b t of m at both points.",
        parameters=(
            Real("b", 0),
            Real("e", 0),
            Real("h", 0),
            Real("M0", search=(-9, 9)),
            Real("T0", 0, search=(None, 9)),
            Real("T1", 0, search=(None, 9)),
            Real("M1", "M0 + b*T0 - b*T1"),
            Real("f0", None, "M0 + e + b*(T0+h)"),
            Real("f1", "M1 - e - b*(T1+h)"),
        ),
        formula="f0 - f1 <= 2*b*T1 + 2*b*h + 2*e",
        rests_on=(
            "rival-reset-psi-variance",
            "rival-reset-psi-mean",
            "rival-regret-sum",
            "rival-bogunovic-corrected-sum",
        ),
        expected=Verdict.OUTLINE,
        because="Optimism in the static index.",
    ),
)
