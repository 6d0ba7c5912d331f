"""docs/theory.md#sandwich: before a run. Simulation, the cap, and why fixed times matter."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real

_CHOOSE = "gamma(N+1)/(gamma({j}+1)*gamma(N-{j}+1))"
_FAILS = "(1 if p > j/N + sqrt(2*j*(N-j)/(N*(N-1))*log(2/d)/N) + 7*log(2/d)/(3*(N-1)) else 0)"
_CELL = "J[i][j]*(K[i][j] + K[i+2][j+2] - K[i][j+2] - K[i+2][j])"
_SUM = "sum({} for i in range(2) for j in range(2))"
_WAIT = (
    "(1-normal_cdf(z)**m)*sqrt(2)*exp(-z**2/2)/sqrt(2*pi)/(1-normal_cdf(z)) "
    "+ normal_cdf(z)**m/sqrt(pi)"
)

CLAIMS = (
    Claim(
        id="theory-regret-order-statistic",
        label="Simulation certificate, the mean level is k/(N+1)",
        where="docs/theory.md#simulation-certificate",
        kind="theory",
        statement=(
            "The level U_(k) of the k-th smallest of N has P(U_(k) <= u) = sum over j >= k of "
            "C(N,j)u^j(1-u)^(N-j), a Beta(k, N+1-k) law; its mean is k/(N+1), from Beta integrals "
            "B(j+1, N-j+1) = j!(N-j)!/(N+1)!."
        ),
        parameters=(Integer("N", 1, 20), Integer("k", 1, "N")),
        formula=(
            f"abs(1 - sum({_CHOOSE.format(j='j')}*gamma(j+1)*gamma(N-j+1)/gamma(N+2) "
            "for j in range(k, N+1)) - k/(N+1)) <= 1/10**9"
        ),
        expected=Verdict.SUPPORTED,
        because="Each term is 1/(N+1), and there are N+1-k of them.",
    ),
    Claim(
        id="empirical-bernstein",
        label="Empirical Bernstein inequality",
        where="Maurer and Pontil 2009, theorem 4",
        kind="trusted",
        statement=(
            "For N independent values in [0, 1]: the mean exceeds its estimate by more than "
            "sqrt(2V log(2/d)/N) + 7 log(2/d)/(3(N-1)) with probability at most d. Tested with "
            "coins, whose law is enumerated."
        ),
        parameters=(
            Integer("N", 2, 12),
            Real("p", 0, 1),
            Real("d", 0, 1, low_open=True, high_open=True),
        ),
        formula=(
            f"sum({_CHOOSE.format(j='j')}*p**j*(1-p)**(N-j)*{_FAILS} for j in range(N+1)) <= d"
        ),
        expected=Verdict.SUPPORTED,
        because="The theorem is a textbook's.",
    ),
    Claim(
        id="theory-regret-cut",
        label="Simulation certificate, what the cut leaves out",
        where="docs/theory.md#simulation-certificate",
        kind="theory",
        statement="For R, B >= 0: R = min(R, B) + (R - B)₊.",
        reading="So E R <= E min(R, B) + E (R-B)₊.",
        parameters=(Real("R", 0, search=(None, 1000)), Real("B", 0, search=(None, 1000))),
        formula="R == min(R, B) + max(R - B, 0)",
        expected=Verdict.PROVED,
        because="One of the two is R, the other is 0 or B.",
    ),
    Claim(
        id="theory-regret-share",
        label="Sandwich, the share for the forgetting kernel",
        where="docs/theory.md#sandwich",
        kind="theory",
        statement=(
            "For correlations a, b, ab of three successive instants: det J_3 = (1-a^2)(1-b^2)."
        ),
        reading=(
            "det J_2 = 1-a^2: the variance left at the last instant is 1-b^2, that of the last "
            "gap alone."
        ),
        parameters=(Real("a", -1, 1, low_open=True, high_open=True), Real("b", -1, 1)),
        formula="det([[1, a, a*b], [a, 1, b], [a*b, b, 1]]) == (1-a**2)*(1-b**2)",
        expected=Verdict.PROVED,
        because="The Markov property.",
    ),
    Claim(
        id="theory-regret-sandwich",
        label="Sandwich, both sides",
        where="docs/theory.md#sandwich",
        kind="theory",
        statement=(
            "r = top - played, E top = m, -a m <= E played <= a m with 0 <= a <= 1: "
            "(1-a) m <= E r <= (1+a) m <= 2m."
        ),
        reading=(
            "E played = E h(x), h ~ GP(0, a² k_space) the mean given f at earlier times, the rest "
            "being independent of x; E max h = a m."
        ),
        parameters=(
            Real("m", 0, search=(None, 100)),
            Real("a", 0, 1),
            Real("played", search=(-100, 100)),
            Real("r", search=(-1000, 1000)),
        ),
        hypotheses=("played <= a*m", "played >= -a*m", "r == m - played"),
        formula="max((1-a)*m - r, r - (1+a)*m, (1+a)*m - 2*m) <= 0",
        witnesses=({"m": 1, "a": 1, "played": 0, "r": 1},),
        outline="that E played is at most a m in size is a person's argument",
        expected=Verdict.OUTLINE,
        because="Addition.",
    ),
    Claim(
        id="theory-regret-range-variance",
        label="High-probability cap, the variance",
        where="docs/theory.md#sandwich",
        kind="theory",
        statement=(
            "Two rounds, J >= 0, K over z_1, z_2, z'_1, z'_2 with entries in [0, 1]: the variance "
            "of the sum of f(z_i) - f(z'_i) is at most 2·1'J1."
        ),
        parameters=(
            PositiveSemidefinite("K", 4, bound=True),
            PositiveSemidefinite("J", 2, unit=True),
        ),
        hypotheses=(
            "min(K[i][j] for i in range(4) for j in range(4)) >= 0",
            "max(K[i][j] for i in range(4) for j in range(4)) <= 1",
            "J[0][1] >= 0",
        ),
        formula=f"{_SUM.format(_CELL)} <= 2*{_SUM.format('J[i][j]')}",
        expected=Verdict.SUPPORTED,
        because="Each bracket is at most 2 (theory-regret-range-cell).",
    ),
    Claim(
        id="theory-regret-range-cell",
        label="High-probability cap, one pair of rounds",
        where="docs/theory.md#sandwich",
        kind="theory",
        statement=(
            "k_space in [-κ, 1], 0 <= κ <= 1, |J| <= 1: J(k_1 + k_2 - k_3 - k_4) <= 2(1+κ)|J|."
        ),
        parameters=(
            Real("kappa", 0, 1),
            Real("J", -1, 1),
            *(Real(name, "-kappa", 1) for name in ("k1", "k2", "k3", "k4")),
        ),
        formula="J*(k1 + k2 - k3 - k4) <= 2*(1+kappa)*abs(J)",
        rests_on=("borell-tis",),
        expected=Verdict.OUTLINE,
        because="Two terms at most 1, two at least -κ, and the mirror image where J < 0.",
    ),
    Claim(
        id="theory-regret-cap-level",
        label="High-probability cap, from the tail to δ",
        where="docs/theory.md#sandwich",
        kind="theory",
        statement=(
            "Variance at most 2S, S = 1'J1: exp(-u²/(2·2S)) = δ at u² = 4S log(1/δ), l = log(1/δ)."
        ),
        parameters=(
            Real("S", 0, low_open=True, search=(None, 1000)),
            Real("l", 0, search=(None, 100)),
        ),
        formula="(4*S*l)/(2*2*S) == l",
        rests_on=("borell-tis",),
        expected=Verdict.OUTLINE,
        because="Arithmetic.",
    ),
    Claim(
        id="theory-regret-tail-mean",
        label="Simulation certificate, the tail beyond the cut",
        where="docs/theory.md#simulation-certificate",
        kind="theory",
        statement=(
            "For x >= 0: sqrt(2π)(1-Φ(x)) <= sqrt(π/2) exp(-x²/2), the integral of exp(-u²/2) "
            "over [x, oo)."
        ),
        parameters=(Real("x", 0, search=(None, 30)),),
        formula="sqrt(2*pi)*normal_cdf(-x) <= sqrt(pi/2)*exp(-x**2/2)",
        expected=Verdict.PROVED,
        because="The Gaussian tail.",
    ),
    Claim(
        id="theory-regret-point-times",
        label="Sandwich, its failure where times depend on x",
        where="docs/theory.md#sandwich",
        kind="theory",
        statement=(
            "Where t depends on x there is a policy with E r_i > 2m*: two independent points, t(1) "
            "= 0, t(2) so long that f is new, values seen exactly; it moves on while the gap g-f "
            "is below sqrt(2)z and then plays the first point for ever."
        ),
        reading=(
            "After m tries E r = (1-Φ(z)^m)√2ϕ(z)/(1-Φ(z)) + Φ(z)^m/√π, and m* = 1/√π; here z = "
            "1/2 and m = 3: 1.267 > 1.128."
        ),
        let=(("z", "1/2"), ("m", "3")),
        formula=f"{_WAIT} > 2/sqrt(pi)",
        outline="that the policy has this regret is a person's argument",
        expected=Verdict.OUTLINE,
        because="It waits for a time at which its own choice is bad; the sandwich excludes t(x).",
    ),
)
