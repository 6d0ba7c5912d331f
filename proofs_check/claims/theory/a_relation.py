"""docs/theory.md#theorem-a-relation: Theorem A against Theorem 1, knots, and other valid steps."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times, Vector

_NOISE = Real("s", 0, low_open=True, search=(None, 100))
_EPSILON = Real("eps", 0, 1, low_open=True, high_open=True)
_LOGDET = "log(det(add(identity(n), scale(s, {}))))"
_DEFICIT = "1-(1-eps)**abs({})"

CLAIMS = (
    Claim(
        id="theory-a-deficit",
        label="Theorem A against Theorem 1, 1-v² by the slope",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement="For v in [0, 1] with 1-v <= m: 1-v^2 <= 2m.",
        parameters=(Real("m", 0, 1), Real("v", "1-m", 1)),
        formula="1 - v**2 <= 2*m",
        expected=Verdict.PROVED,
        because="1-v² = (1-v)(1+v).",
    ),
    Claim(
        id="theory-a-exponent-small",
        label="Theorem A against Theorem 1, (1+2x/√m)^m <= (1+x)^(m+1), m <= 3",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement="For m = 1, 2, 3 and x >= 0: (1+2x/sqrt(m))^m <= (1+x)^(m+1).",
        parameters=(Real("x", 0),),
        formula=(
            "max((1+2*x) - (1+x)**2, (1+sqrt(2)*x)**2 - (1+x)**3, "
            "(1+2*sqrt(3)*x/3)**3 - (1+x)**4) <= 0"
        ),
        expected=Verdict.PROVED,
        because="Compare coefficients.",
    ),
    Claim(
        id="theory-a-exponent-large",
        label="Theorem A against Theorem 1, (1+2x/√m)^m <= (1+x)^(m+1), m >= 4",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement="For m >= 4 and x >= 0: 1 + 2x/sqrt(m) <= 1 + x, hence the powers.",
        parameters=(Real("m", 4), Real("x", 0)),
        formula="1 + 2*x/sqrt(m) <= 1 + x",
        rests_on=("power-increasing",),
        expected=Verdict.OUTLINE,
        because="sqrt(m) >= 2.",
    ),
    Claim(
        id="theory-a-below-theorem-1",
        label="Theorem A is never above Theorem 1, block by block",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement=(
            "A time kernel k >= 0 with unit diagonal and 1-k <= θ|τ-τ'|, a block of n >= 1 "
            "rounds: for some own time τ_j the sum of log(1+s(1-k(τ_i, τ_j)^2)) is at most n "
            "log(1+sθ sqrt(C/n)), C with the cap 1/θ^2."
        ),
        reading=(
            "The search tries the forgetting kernel, θ^2 C = Q the sum of min(1, θ^2 (τ_j-τ_k)^2)."
        ),
        parameters=(Integer("n", 1, 5), Times("t", "n"), _EPSILON, _NOISE),
        let=(
            ("theta", "-log(1-eps)/2"),
            ("Q", "sum(min(1, (theta*(t[j]-t[k]))**2) for j in range(n) for k in range(n))"),
        ),
        formula=(
            f"min(sum(log(1+s*({_DEFICIT.format('t[k]-t[j]')})) for k in range(n)) "
            "for j in range(n)) <= n*log(1+s*sqrt(Q/n))"
        ),
        expected=Verdict.PROVED,
        because="Average over the centres, Jensen twice, then the two power inequalities.",
    ),
    Claim(
        id="theory-a-above-halved",
        label="Theorem A can be above Theorem 1 with half the drift",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement=(
            "Two rounds, s = 1, k = k_time = 1/2: the drift ½log(1+s(1-k^2)) of Theorem A is above "
            "log(1+s(1-k)/2), that of Theorem 1 with half the drift."
        ),
        reading="So block by block the smaller of the two is a bound; k may be anything here.",
        parameters=(Real("k", "1/2", "1/2"),),
        formula="1 + (1-k**2) > (1 + (1-k)/2)**2",
        rests_on=("lemma-13-block-halved",),
        expected=Verdict.OUTLINE,
        because="7/4 > 25/16. On short blocks only: both are of one order in k.",
    ),
    Claim(
        id="theory-a-below-theorem-1-proof",
        label="Theorem A against Theorem 1, the proof",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement=(
            "B the best own-time sum, A the average over centres, J = m log(1 + 2s mean) (Jensen, "
            "m = n-1 others), P = m log(1+2x/sqrt(m)) (root mean square, x = s sqrt(Q/n)), D = "
            "n log(1+x): B <= A <= J <= P <= D."
        ),
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in "BAJPD"),
        hypotheses=("B <= A", "A <= J", "J <= P", "P <= D"),
        formula="B <= D",
        witnesses=(dict.fromkeys("BAJPD", 1),),
        rests_on=(
            "theory-a-own-time-interval",
            "jensen-log",
            "theory-a-deficit",
            "cauchy-schwarz",
            "theory-a-exponent-small",
            "theory-a-exponent-large",
        ),
        expected=Verdict.OUTLINE,
        because="Each link is a claim of its own.",
    ),
    Claim(
        id="theory-a-below-theorem-1-two",
        label="Theorem A against Theorem 1, two rounds",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement=(
            "For two rounds with 1-k <= m <= 1, k = k_time >= 0: 1+s(1-k^2) <= (1+sm)^2; here Q = "
            "2m^2, so the right side is (1+s sqrt(Q/2))^2."
        ),
        parameters=(Real("s", 0), Real("m", 0, 1), Real("k", "1-m", 1)),
        formula="1 + s*(1-k**2) <= (1+s*m)**2",
        expected=Verdict.PROVED,
        because="1-k² <= 2m.",
    ),
    Claim(
        id="theory-knots",
        label="Knots in time",
        where="docs/theory.md#knots",
        kind="theory",
        statement=(
            "For any q knots in time, weights, points and times: the joint gain is at most q "
            "γ_n + ½ Σ_k log(1 + s r_k), r_k the variance of g(τ_k) less its prediction from "
            "the values at the knots with these weights, g ~ GP(0, k_time)."
        ),
        reading=(
            "The posterior weights have the smallest r_k, Var[g(τ_k) | knots]. k_space(x,x) <= "
            "1, k_time(τ,τ) = 1; γ_n is at least the gain of every n points. The search tries "
            "one point, two knots (the last two indices of J) and the posterior weights."
        ),
        parameters=(Integer("n", 1, 2), _NOISE, PositiveSemidefinite("J", "n+2", unit=True)),
        hypotheses=("J[n][n+1]**2 < 1",),
        formula=(
            f"{_LOGDET.format('block(J, 0, n)')} <= 2*log(1+n*s) + "
            "sum(log(1+s*(1 - (J[k][n]**2 - 2*J[n][n+1]*J[k][n]*J[k][n+1] + J[k][n+1]**2)"
            "/(1-J[n][n+1]**2))) for k in range(n))"
        ),
        expected=Verdict.PROVED,
        because=(
            "The part of J explained by the knots is a sum of |S| rank-one terms vv' with "
            "|v_k| <= 1; each costs at most γ_n."
        ),
    ),
    Claim(
        id="theory-knots-proof",
        label="Knots in time, the proof",
        where="docs/theory.md#knots",
        kind="theory",
        statement=(
            "Two knots: G <= A_1 + A_2 + R (det subadditivity over the rank-one terms and the "
            "rest), A_i <= g (contraction, |v_k| <= 1), R <= H (Hadamard): G <= 2g + H."
        ),
        parameters=tuple(
            Real(name, 0, search=(None, 100)) for name in ("G", "A1", "A2", "R", "g", "H")
        ),
        hypotheses=("G <= A1 + A2 + R", "A1 <= g", "A2 <= g", "R <= H"),
        formula="G <= 2*g + H",
        witnesses=({"G": 3, "A1": 1, "A2": 1, "R": 1, "g": 1, "H": 1},),
        rests_on=("schur-product", "det-subadditivity", "det-contraction", "hadamard-inequality"),
        expected=Verdict.OUTLINE,
        because="As Theorem A, with |S| rank-one terms.",
    ),
    Claim(
        id="theory-trivial-regret",
        label="The trivial cap of the regret",
        where="docs/theory.md#confidence",
        kind="theory",
        statement=(
            "On the confidence event, with k(x,x) <= 1: R_n <= 2 sqrt(B) n + 2, B at least "
            "every β_i."
        ),
        reading=(
            "The event and the policy are hypotheses. The search tries regrets 2 sqrt(β_i) σ + "
            "1/i^2, σ <= 1."
        ),
        parameters=(
            Integer("n", 1, reach=6),
            Real("root", 0, search=(None, 100)),
            Vector("v", "n", 0, 1),
        ),
        formula="sum(2*root*v[k] + 1/(k+1)**2 for k in range(n)) <= 2*root*n + 2",
        expected=Verdict.PROVED,
        because="σ <= 1; the 1/i² sum to less than 2.",
    ),
    Claim(
        id="theory-sum-of-betas",
        label="The sum of β_i for nβ_n",
        where="docs/theory.md#confidence",
        kind="theory",
        statement=(
            "For deviations p_i with weights b_i, b_i^2 <= B, in n rounds: (Σ b_i p_i)^2 <= Σ "
            "b_i^2 Σ p_i^2 <= n B Σ p_i^2."
        ),
        reading="b_i = sqrt(β_i). The search tries the first inequality for two rounds.",
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in ("b", "c", "p", "q")),
        formula="(b*p + c*q)**2 <= (b**2+c**2)*(p**2+q**2)",
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz with the weights kept apart.",
    ),
)
