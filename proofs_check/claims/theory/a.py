"""docs/theory.md#theorem-a: Theorem A (centres) and the best centre of a block."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times

_NOISE = Real("s", 0, low_open=True, search=(None, 100))
_EPSILON = Real("eps", 0, 1, low_open=True, high_open=True)
_LOGDET = "log(det(add(identity(n), scale(s, {}))))"
_DEFICIT = "1-(1-eps)**abs({})"
_CHAIN = ("H <= S", "G <= H + G1", "G1 <= A1 + R1", "A1 <= g1", "R1 <= H1")
_PIECES = ("G", "H", "S", "G1", "A1", "R1", "g1", "H1")

CLAIMS = (
    Claim(
        id="theory-a-block",
        label="Theorem A, one block with matrices",
        where="docs/theory.md#theorem-a",
        kind="theory",
        statement=(
            "For every n, a centre (the last index of J, unit diagonal, size n+1), v_k = J_kc, "
            "and K positive semidefinite with diagonal at most 1: log det(I+sK∘J) <= log "
            "det(I+sK) + sum of log(1+s(1-v_k^2))."
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
        expected=Verdict.PROVED,
        because="Schur, contraction, subadditivity and Hadamard (theory-a-outline).",
    ),
    Claim(
        id="theory-a",
        label="Theorem A",
        where="docs/theory.md#theorem-a",
        kind="theory",
        statement=(
            "For every partition of the rounds into blocks of M_i rounds, all real centres c_i, "
            "every sequence of points and every time kernel with unit diagonal, k_space(x,x) <= "
            "1: the joint gain is at most Σ_i γ_{M_i} + ½ Σ_k log(1 + s(1 - k_time(τ_k, "
            "c_i)^2)), k over the rounds of block i."
        ),
        reading=(
            "γ_m is at least the gain of every m points; the points are any, so a maximum over "
            "them is covered. The search tries one point and two blocks, the first m rounds and "
            "the others, the centres being the last two indices of J."
        ),
        parameters=(
            Integer("n", 2, 4),
            Integer("m", 1, "n-1"),
            _NOISE,
            PositiveSemidefinite("J", "n+2", unit=True),
        ),
        formula=(
            f"{_LOGDET.format('block(J, 0, n)')} <= log(1+m*s) + log(1+(n-m)*s) + "
            "sum(log(1+s*(1-J[k][n]**2)) for k in range(m)) + "
            "sum(log(1+s*(1-J[k][n+1]**2)) for k in range(m, n))"
        ),
        expected=Verdict.PROVED,
        because="Every link is a theorem of its own; nothing of the time kernel's slope is used.",
    ),
    Claim(
        id="theory-a-outline",
        label="Theorem A, the argument in scalars",
        where="docs/theory.md#theorem-a",
        kind="theory",
        statement=(
            "Induction over blocks: the first ones have H <= S, the sum of their terms. With the "
            "next, G <= H+G_1 (subadditivity), G_1 <= A_1+R_1 (det subadditivity of K∘vv' and "
            "K∘(J-vv')), A_1 <= g_1 (contraction, |v| <= 1), R_1 <= H_1 (Hadamard): "
            "G <= S+g_1+H_1."
        ),
        reading=(
            "J - vv' is the covariance given the value at the centre, positive semidefinite with "
            "diagonal 1-v²; both Hadamard products are, by Schur."
        ),
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in _PIECES),
        hypotheses=_CHAIN,
        formula="G <= S + g1 + H1",
        witnesses=(
            {**dict.fromkeys(_PIECES, 1), "G": 3, "G1": 2},
            dict.fromkeys(_PIECES, 0),
        ),
        rests_on=(
            "fischer-inequality",
            "schur-product",
            "det-subadditivity",
            "det-contraction",
            "hadamard-inequality",
            "gain-grows-with-points",
        ),
        expected=Verdict.OUTLINE,
        because="Every link is a textbook fact; nothing about the time kernel's slope is used.",
    ),
    Claim(
        id="theory-a-remainder",
        label="Theorem A, the remainder is positive semidefinite (two rounds)",
        where="docs/theory.md#theorem-a, proof",
        kind="theory",
        statement=(
            "For times correlated r, and v, w with the centre: det of J - vv' = "
            "(1-v^2)(1-w^2) - (r-vw)^2, the determinant of the three-point matrix."
        ),
        parameters=(Real("r", -1, 1), Real("v", -1, 1), Real("w", -1, 1)),
        formula="det([[1, r, v], [r, 1, w], [v, w, 1]]) == (1-v**2)*(1-w**2) - (r-v*w)**2",
        expected=Verdict.PROVED,
        because="A Schur complement.",
    ),
    Claim(
        id="theory-a-concave",
        label="Theorem A, the term of a round is concave in its distance",
        where="docs/theory.md#theorem-a, best centre",
        kind="theory",
        statement=(
            "Forgetting kernel, u^2 and w^2 the values (1-ε)^d at two distances, uw the one at "
            "their mean: (1+s-su^2)(1+s-sw^2) <= (1+s-suw)^2."
        ),
        parameters=(Real("s", 0), Real("u", 0, 1), Real("w", 0, 1)),
        formula="(1+s-s*u**2)*(1+s-s*w**2) <= (1+s-s*u*w)**2",
        expected=Verdict.PROVED,
        because=(
            "The difference is (1+s)s(u-w)². So the logarithms, which are continuous, are "
            "concave in the distance."
        ),
    ),
    Claim(
        id="theory-a-own-time",
        label="Theorem A, the best centre is one of the block's times",
        where="docs/theory.md#theorem-a, best centre",
        kind="theory",
        statement=(
            "Forgetting kernel, n sorted times, any real centre c: some own time has a sum of "
            "log(1+s(1-(1-ε)^|τ_k-c|)) no larger."
        ),
        parameters=(
            Integer("n", 1, 5),
            Times("t", "n"),
            Real("c", 0, search=(None, 100)),
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
    ),
    Claim(
        id="theory-a-own-time-two",
        label="Theorem A, an own time beats a centre between two rounds",
        where="docs/theory.md#theorem-a, best centre",
        kind="theory",
        statement=(
            "Two rounds at distances with (1-ε)^x = p, (1-ε)^y = q from a centre between them: "
            "1+s(1-pq) <= (1+s(1-p))(1+s(1-q))."
        ),
        parameters=(Real("s", 0), Real("p", 0, 1), Real("q", 0, 1)),
        formula="1 + s*(1-p*q) <= (1+s*(1-p))*(1+s*(1-q))",
        expected=Verdict.PROVED,
        because="1-pq = (1-p)+(1-q)-(1-p)(1-q).",
    ),
    Claim(
        id="theory-a-own-time-interval",
        label="Theorem A, between neighbouring times an end wins",
        where="docs/theory.md#theorem-a, best centre",
        kind="theory",
        statement=(
            "A concave sum S on [u, w] lies above its chord, S(c) >= (1-l)S(u) + l S(w), so "
            "min(S(u), S(w)) <= S(c); beyond the first or last time every term grows."
        ),
        parameters=(
            Real("l", 0, 1),
            Real("Su", 0, search=(None, 100)),
            Real("Sw", 0, search=(None, 100)),
            Real("Sc", 0, search=(None, 100)),
        ),
        hypotheses=("Sc >= (1-l)*Su + l*Sw",),
        formula="min(Su, Sw) <= Sc",
        rests_on=("theory-a-concave",),
        expected=Verdict.OUTLINE,
        because="A mean is at least the smaller of the two.",
    ),
    Claim(
        id="theory-a-own-time-smooth",
        label="Theorem A, the midpoint wins for smooth time kernels",
        where="docs/theory.md#theorem-a, best centre",
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
        expected=Verdict.PROVED,
        because="Near g = 0 deficits grow like g²: two quarters are half of one whole.",
    ),
    Claim(
        id="theory-a-superadditive",
        label="Theorem A, its block term is superadditive",
        where="docs/theory.md#theorem-a, best centre",
        kind="theory",
        statement=(
            "Two blocks, two candidate centres with sums a_1, a_2 over the first and b_1, b_2 over "
            "the second: min(a_1,a_2) + min(b_1,b_2) <= min(a_1+b_1, a_2+b_2)."
        ),
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in ("a1", "a2", "b1", "b2")),
        formula="min(a1,a2) + min(b1,b2) <= min(a1+b1, a2+b2)",
        expected=Verdict.PROVED,
        because="A common centre is a restriction.",
    ),
)
