"""docs/theory.md#theorem-a-relation: Theorem A against Theorem 1, knots, and other valid steps."""

from proofs_check.language.claim import Claim, Step, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times

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
        proof=(Step("1 - v**2 <= 2*m"),),
        expected=Verdict.PROVED,
        because="1-v² = (1-v)(1+v).",
        printed_proof="sound",
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
        proof=(
            Step("sqrt(2)*2 <= 3"),
            Step("sqrt(3) <= 7/4"),
            Step("(1+2*x) - (1+x)**2 <= 0"),
            Step("(1+sqrt(2)*x)**2 - (1+x)**3 <= 0"),
            Step("(1+2*sqrt(3)*x/3)**3 - (1+x)**4 <= 0"),
            Step(
                "max((1+2*x) - (1+x)**2, (1+sqrt(2)*x)**2 - (1+x)**3, "
                "(1+2*sqrt(3)*x/3)**3 - (1+x)**4) <= 0"
            ),
        ),
        expected=Verdict.SUPPORTED,
        because="Compare coefficients.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-exponent-large",
        label="Theorem A against Theorem 1, (1+2x/√m)^m <= (1+x)^(m+1), m >= 4",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement="For m >= 4 and x >= 0: 1 + 2x/sqrt(m) <= 1 + x, hence the powers.",
        parameters=(Real("m", 4), Real("x", 0)),
        formula="1 + 2*x/sqrt(m) <= 1 + x",
        proof=(
            Step("sqrt(m) >= 2"),
            Step("x >= 0"),
            Step("1 + 2*x/sqrt(m) <= 1 + x"),
        ),
        rests_on=("power-increasing",),
        expected=Verdict.OUTLINE,
        because="sqrt(m) >= 2.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-below-theorem-1",
        label="Theorem A is never above Theorem 1, block by block",
        where="docs/theory.md#theorem-a-relation",
        kind="theory",
        statement=(
            "Forgetting kernel, n >= 2 sorted times, θ = -log(1-ε)/2, Q = sum of min(1, θ^2 "
            "(τ_j-τ_k)^2): the best own-time sum of log(1+s(1-(1-ε)^|τ_k-τ_j|)) is at most "
            "n log(1+s sqrt(Q/n))."
        ),
        parameters=(Integer("n", 2, 5), Times("t", "n"), _EPSILON, _NOISE),
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
        rests_on=("theory-a-exponent-small", "theory-a-exponent-large", "theory-a-deficit"),
        printed_proof="sound",
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
        proof=(Step("1 + (1-k**2) > (1 + (1-k)/2)**2"),),
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
        proof=(Step("B <= D"),),
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
        printed_proof="sound",
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
        proof=(Step("1 + s*(1-k**2) <= (1+s*m)**2"),),
        expected=Verdict.SUPPORTED,
        because="1-k² <= 2m.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-knots",
        label="Knots in time",
        where="docs/theory.md#knots",
        kind="theory",
        statement=(
            "n <= 2 rounds, two knots (the last two indices of J, unit diagonal, correlation r < "
            "1): log det(I+sK∘J) <= 2 log det(I+sK) + sum of log(1+s Var[g(τ_k) | knots])."
        ),
        parameters=(
            Integer("n", 1, 2),
            _NOISE,
            PositiveSemidefinite("K", "n", bound=True),
            PositiveSemidefinite("J", "n+2", unit=True),
        ),
        hypotheses=("J[n][n+1]**2 < 1",),
        formula=(
            f"{_LOGDET.format('hadamard(K, block(J, 0, n))')} <= 2*{_LOGDET.format('K')} + "
            "sum(log(1+s*(1 - (J[k][n]**2 - 2*J[n][n+1]*J[k][n]*J[k][n+1] + J[k][n+1]**2)"
            "/(1-J[n][n+1]**2))) for k in range(n))"
        ),
        expected=Verdict.PROVED,
        because=(
            "The part of J explained by the knots is a sum of |S| rank-one terms vv' with "
            "|v_k| <= 1; each costs at most γ_n."
        ),
        printed_proof="absent",
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
        proof=(Step("G <= 2*g + H"),),
        rests_on=("schur-product", "det-subadditivity", "det-contraction", "hadamard-inequality"),
        expected=Verdict.OUTLINE,
        because="As Theorem A, with |S| rank-one terms.",
        printed_proof="absent",
    ),
    Claim(
        id="theory-trivial-regret",
        label="The trivial cap of the regret",
        where="docs/theory.md#confidence",
        kind="theory",
        statement=(
            "On the confidence event, with k <= 1: a round's regret 2 sqrt(β_i) σ + 1/i^2 is at "
            "most 2 sqrt(β_n) + 1/i^2, for σ <= 1 and β_i <= β_n."
        ),
        parameters=(
            Real("sd", 0, 1),
            Real("root", 0, search=(None, 100)),
            Real("last", "root"),
        ),
        formula="2*root*sd <= 2*last",
        proof=(Step("2*root*sd <= 2*last"),),
        rests_on=("lemma-11-round-index-repaired", "basel"),
        expected=Verdict.PROVED,
        because="σ <= 1; the 1/i² sum to less than π²/6.",
        printed_proof="absent",
    ),
    Claim(
        id="theory-sum-of-betas",
        label="The sum of β_i for nβ_n",
        where="docs/theory.md#confidence",
        kind="theory",
        statement=(
            "For deviations p, q and weights b, c of two rounds: (b p + c q)^2 <= "
            "(b^2+c^2)(p^2+q^2) <= 2 max(b,c)^2 (p^2+q^2)."
        ),
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in ("b", "c", "p", "q")),
        formula="(b*p + c*q)**2 <= (b**2+c**2)*(p**2+q**2)",
        proof=(
            Step("(b**2+c**2)*(p**2+q**2) - (b*p + c*q)**2 == (b*q - c*p)**2"),
            Step("(b*q - c*p)**2 >= 0"),
            Step("(b*p + c*q)**2 <= (b**2+c**2)*(p**2+q**2)"),
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz with the weights kept apart.",
        printed_proof="absent",
    ),
)
