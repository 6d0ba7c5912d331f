"""Theory notes 3: Theorem A (centres), its centres, its relation to Theorem 1, knots."""

from proofs_check.claim import Claim, Follows, Identity, Inequality, Verdict
from proofs_check.parameters import Integer, PositiveSemidefinite, Real, Times

_NOISE = Real("s", 0, 100, low_open=True)
_EPSILON = Real("eps", 0, 1, low_open=True, high_open=True)
_LOGDET = "log(det(add(identity(n), scale(s, {}))))"
_DEFICIT = "1-(1-eps)**abs({})"
_CHAIN = ("G <= G1 + G2", "G1 <= A1 + R1", "A1 <= g1", "R1 <= H1",
          "G2 <= A2 + R2", "A2 <= g2", "R2 <= H2")  # fmt: skip
_PIECES = ("G", "G1", "A1", "R1", "g1", "H1", "G2", "A2", "R2", "g2", "H2")

CLAIMS = (
    Claim(
        id="theory-a-block",
        label="Theorem A, one block with matrices",
        where="theory notes 3, Theorem A",
        kind="theory",
        statement=(
            "For n <= 3 rounds and a centre (the last index of J, unit diagonal, size n+1), "
            "v_k = J_kc, K with diagonal at most 1: log det(I+sK∘J) <= log det(I+sK) + sum of "
            "log(1+s(1-v_k^2))."
        ),
        parameters=(
            Integer("n", 1, 3),
            _NOISE,
            PositiveSemidefinite("K", "n", bound=True),
            PositiveSemidefinite("J", "n+1", unit=True),
        ),
        formula=(
            f"{_LOGDET.format('hadamard(K, block(J, 0, n))')} <= {_LOGDET.format('K')} + "
            "sum(log(1+s*(1-J[k][n]**2)) for k in range(n))"
        ),
        expected=Verdict.SUPPORTED,
        because="theory-a proves it for every size from the trusted base.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a",
        label="Theorem A, the proof",
        where="theory notes 3, Theorem A",
        kind="theory",
        statement=(
            "Two blocks: G <= G_1+G_2 (subadditivity), G_i <= A_i+R_i (det subadditivity of K∘vv' "
            "and K∘(J-vv')), A_i <= g_i (contraction, |v| <= 1), R_i <= H_i (Hadamard) give "
            "G <= g_1+H_1+g_2+H_2."
        ),
        reading=(
            "J - vv' is the covariance given the value at the centre, positive semidefinite with "
            "diagonal 1-v²; both Hadamard products are, by Schur."
        ),
        parameters=tuple(Real(name, 0, 100) for name in _PIECES),
        hypotheses=_CHAIN,
        formula="G <= g1 + H1 + g2 + H2",
        witnesses=(
            {**dict.fromkeys(_PIECES, 1), "G": 4, "G1": 2, "G2": 2},
            dict.fromkeys(_PIECES, 0),
        ),
        proof=(Follows("G <= g1 + H1 + g2 + H2", given=_CHAIN),),
        rests_on=(
            "fischer-inequality",
            "schur-product",
            "det-subadditivity",
            "det-contraction",
            "hadamard-inequality",
            "gain-grows-with-points",
        ),
        expected=Verdict.PROVED,
        because="Every link is a textbook fact; nothing about the time kernel's slope is used.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-remainder",
        label="Theorem A, the remainder is positive semidefinite (two rounds)",
        where="theory notes 3, proof of Theorem A",
        kind="theory",
        statement=(
            "For times correlated r, and v, w with the centre: det of J - vv' = "
            "(1-v^2)(1-w^2) - (r-vw)^2, the determinant of the three-point matrix."
        ),
        parameters=(Real("r", -1, 1), Real("v", -1, 1), Real("w", -1, 1)),
        formula="det([[1, r, v], [r, 1, w], [v, w, 1]]) == (1-v**2)*(1-w**2) - (r-v*w)**2",
        proof=(
            Identity("det([[1, r, v], [r, 1, w], [v, w, 1]]) == (1-v**2)*(1-w**2) - (r-v*w)**2"),
        ),
        expected=Verdict.PROVED,
        because="A Schur complement.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-concave",
        label="Theorem A, the term of a round is concave in its distance",
        where="theory notes 3, after Theorem A",
        kind="theory",
        statement=(
            "Forgetting kernel, a = 1+s, u^2 and w^2 the values (1-ε)^d at two distances, uw the "
            "one at their mean: (a-su^2)(a-sw^2) <= (a-suw)^2."
        ),
        parameters=(Real("s", 0), Real("u", 0, 1), Real("w", 0, 1)),
        formula="(1+s-s*u**2)*(1+s-s*w**2) <= (1+s-s*u*w)**2",
        proof=(
            Identity("(1+s-s*u*w)**2 - (1+s-s*u**2)*(1+s-s*w**2) == (1+s)*s*(u-w)**2"),
            Inequality("(1+s)*s*(u-w)**2 >= 0"),
            Follows(
                "(1+s-s*u**2)*(1+s-s*w**2) <= (1+s-s*u*w)**2",
                given=(
                    "(1+s-s*u*w)**2 - (1+s-s*u**2)*(1+s-s*w**2) == (1+s)*s*(u-w)**2",
                    "(1+s)*s*(u-w)**2 >= 0",
                ),
            ),
        ),
        expected=Verdict.PROVED,
        because="The difference is (1+s)s(u-w)²: midpoint concavity of a continuous function.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-own-time",
        label="Theorem A, the best centre is one of the block's times",
        where="theory notes 3, after Theorem A",
        kind="theory",
        statement=(
            "Forgetting kernel, n sorted times, any real centre c: some own time has a sum of "
            "log(1+s(1-(1-ε)^|τ_k-c|)) no larger."
        ),
        parameters=(
            Integer("n", 1, 5),
            Times("t", "n"),
            Real("c", 0, 100),
            _EPSILON,
            _NOISE,
        ),
        formula=(
            f"min(sum(log(1+s*({_DEFICIT.format('t[k]-t[j]')})) for k in range(n)) "
            f"for j in range(n)) <= sum(log(1+s*({_DEFICIT.format('t[k]-c')})) for k in range(n))"
        ),
        expected=Verdict.SUPPORTED,
        because=(
            "Between neighbouring times the sum is concave (theory-a-concave), so an end wins; "
            "outside it grows with the distance."
        ),
        rests_on=("theory-a-concave",),
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-own-time-two",
        label="Theorem A, an own time beats a centre between two rounds",
        where="theory notes 3, after Theorem A",
        kind="theory",
        statement=(
            "Two rounds at distances with (1-ε)^x = p, (1-ε)^y = q from a centre between them: "
            "1+s(1-pq) <= (1+s(1-p))(1+s(1-q))."
        ),
        parameters=(Real("s", 0), Real("p", 0, 1), Real("q", 0, 1)),
        formula="1 + s*(1-p*q) <= (1+s*(1-p))*(1+s*(1-q))",
        proof=(Inequality("1 + s*(1-p*q) <= (1+s*(1-p))*(1+s*(1-q))"),),
        expected=Verdict.PROVED,
        because="1-pq = (1-p)+(1-q)-(1-p)(1-q).",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-own-time-smooth",
        label="Theorem A, the midpoint wins for smooth time kernels",
        where="theory notes 3, after Theorem A",
        kind="theory",
        statement=(
            "Squared exponential time kernel, two rounds at distance g with q = exp(-g^2/4) in "
            "[3/4, 1), s <= 1: an own time costs more than the midpoint, 1+s(1-q^4) > "
            "(1+s(1-q))^2."
        ),
        reading="1 - k² is 1-exp(-g²) = 1-q⁴ at an own time and 1-exp(-g²/4) = 1-q at the middle.",
        parameters=(
            Real("s", 0, 1, low_open=True),
            Real("q", "3/4", 1, high_open=True),
        ),
        formula="1 + s*(1-q**4) > (1+s*(1-q))**2",
        proof=(Inequality("1 + s*(1-q**4) > (1+s*(1-q))**2"),),
        expected=Verdict.PROVED,
        because="Near g = 0 deficits grow like g²: two quarters are half of one whole.",
        printed_proof="absent",
    ),
    Claim(
        id="theory-a-superadditive",
        label="Theorem A, its block term is superadditive",
        where="theory notes 3, after Theorem A",
        kind="theory",
        statement=(
            "Two blocks, two candidate centres with sums a_1, a_2 over the first and b_1, b_2 over "
            "the second: min(a_1,a_2) + min(b_1,b_2) <= min(a_1+b_1, a_2+b_2)."
        ),
        parameters=tuple(Real(name, 0, 100) for name in ("a1", "a2", "b1", "b2")),
        formula="min(a1,a2) + min(b1,b2) <= min(a1+b1, a2+b2)",
        proof=(Inequality("min(a1,a2) + min(b1,b2) <= min(a1+b1, a2+b2)"),),
        expected=Verdict.PROVED,
        because="A common centre is a restriction.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-deficit",
        label="Theorem A against Theorem 1, 1-v² by the slope",
        where="theory notes 3, relation to Theorem 1",
        kind="theory",
        statement="For v in [0, 1] with 1-v <= m: 1-v^2 <= 2m.",
        parameters=(Real("m", 0, 1), Real("v", "1-m", 1)),
        formula="1 - v**2 <= 2*m",
        proof=(Inequality("1 - v**2 <= 2*m"),),
        expected=Verdict.PROVED,
        because="1-v² = (1-v)(1+v).",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-exponent-small",
        label="Theorem A against Theorem 1, (1+2x/√m)^m <= (1+x)^(m+1), m <= 3",
        where="theory notes 3, relation to Theorem 1",
        kind="theory",
        statement="For m = 1, 2, 3 and x >= 0: (1+2x/sqrt(m))^m <= (1+x)^(m+1).",
        parameters=(Real("x", 0),),
        formula=(
            "max((1+2*x) - (1+x)**2, (1+sqrt(2)*x)**2 - (1+x)**3, "
            "(1+2*sqrt(3)*x/3)**3 - (1+x)**4) <= 0"
        ),
        proof=(
            Inequality("sqrt(2)*2 <= 3"),
            Inequality("sqrt(3) <= 7/4"),
            Inequality("(1+2*x) - (1+x)**2 <= 0"),
            Inequality("(1+sqrt(2)*x)**2 - (1+x)**3 <= 0"),
            Inequality("(1+2*sqrt(3)*x/3)**3 - (1+x)**4 <= 0"),
            Follows(
                "max((1+2*x) - (1+x)**2, (1+sqrt(2)*x)**2 - (1+x)**3, "
                "(1+2*sqrt(3)*x/3)**3 - (1+x)**4) <= 0",
                given=(
                    "(1+2*x) - (1+x)**2 <= 0",
                    "(1+sqrt(2)*x)**2 - (1+x)**3 <= 0",
                    "(1+2*sqrt(3)*x/3)**3 - (1+x)**4 <= 0",
                ),
            ),
        ),
        expected=Verdict.PROVED,
        because="Compare coefficients.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-exponent-large",
        label="Theorem A against Theorem 1, (1+2x/√m)^m <= (1+x)^(m+1), m >= 4",
        where="theory notes 3, relation to Theorem 1",
        kind="theory",
        statement="For m >= 4 and x >= 0: 1 + 2x/sqrt(m) <= 1 + x, hence the powers.",
        parameters=(Real("m", 4), Real("x", 0)),
        formula="1 + 2*x/sqrt(m) <= 1 + x",
        proof=(
            Inequality("sqrt(m) >= 2"),
            Inequality("x >= 0"),
            Follows("1 + 2*x/sqrt(m) <= 1 + x", given=("sqrt(m) >= 2", "x >= 0")),
        ),
        rests_on=("power-increasing",),
        expected=Verdict.PROVED,
        because="sqrt(m) >= 2.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-below-theorem-1",
        label="Theorem A is never above Theorem 1, block by block",
        where="theory notes 3, relation to Theorem 1",
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
        expected=Verdict.SUPPORTED,
        because="Average over the centres, Jensen twice, then the two power inequalities.",
        rests_on=("theory-a-exponent-small", "theory-a-exponent-large", "theory-a-deficit"),
        printed_proof="sound",
    ),
    Claim(
        id="theory-a-below-theorem-1-two",
        label="Theorem A against Theorem 1, two rounds",
        where="theory notes 3, relation to Theorem 1",
        kind="theory",
        statement=(
            "For two rounds with 1-k <= m <= 1, k = k_time >= 0: 1+s(1-k^2) <= (1+sm)^2; here Q = "
            "2m^2, so the right side is (1+s sqrt(Q/2))^2."
        ),
        parameters=(Real("s", 0), Real("m", 0, 1), Real("k", "1-m", 1)),
        formula="1 + s*(1-k**2) <= (1+s*m)**2",
        proof=(Inequality("1 + s*(1-k**2) <= (1+s*m)**2"),),
        expected=Verdict.PROVED,
        because="1-k² <= 2m.",
        printed_proof="sound",
    ),
    Claim(
        id="theory-knots",
        label="Knots in time",
        where="theory notes 3, other valid steps",
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
        expected=Verdict.SUPPORTED,
        because=(
            "The part of J explained by the knots is a sum of |S| rank-one terms vv' with "
            "|v_k| <= 1; each costs at most γ_n."
        ),
        printed_proof="absent",
    ),
    Claim(
        id="theory-trivial-regret",
        label="The trivial cap of the regret",
        where="theory notes 3, other valid steps",
        kind="theory",
        statement=(
            "On the confidence event, with k <= 1: a round's regret 2 sqrt(β_i) σ + 1/i^2 is at "
            "most 2 sqrt(β_n) + 1/i^2, for σ <= 1 and β_i <= β_n."
        ),
        parameters=(
            Real("sd", 0, 1),
            Real("root", 0, 100),
            Real("last", "root"),
        ),
        formula="2*root*sd <= 2*last",
        proof=(Inequality("2*root*sd <= 2*last"),),
        rests_on=("lemma-11-round-index-repaired", "basel"),
        expected=Verdict.PROVED,
        because="σ <= 1; the 1/i² sum to less than π²/6.",
        printed_proof="absent",
    ),
    Claim(
        id="theory-sum-of-betas",
        label="The sum of β_i for nβ_n",
        where="theory notes 3, other valid steps",
        kind="theory",
        statement=(
            "For deviations p, q and weights b, c of two rounds: (b p + c q)^2 <= "
            "(b^2+c^2)(p^2+q^2) <= 2 max(b,c)^2 (p^2+q^2)."
        ),
        parameters=tuple(Real(name, 0, 100) for name in ("b", "c", "p", "q")),
        formula="(b*p + c*q)**2 <= (b**2+c**2)*(p**2+q**2)",
        proof=(
            Identity("(b**2+c**2)*(p**2+q**2) - (b*p + c*q)**2 == (b*q - c*p)**2"),
            Inequality("(b*q - c*p)**2 >= 0"),
            Follows(
                "(b*p + c*q)**2 <= (b**2+c**2)*(p**2+q**2)",
                given=(
                    "(b**2+c**2)*(p**2+q**2) - (b*p + c*q)**2 == (b*q - c*p)**2",
                    "(b*q - c*p)**2 >= 0",
                ),
            ),
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz with the weights kept apart.",
        printed_proof="absent",
    ),
)
