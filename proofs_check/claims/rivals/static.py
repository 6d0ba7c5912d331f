"""Srinivas et al. 2010: bounds on the gain of an objective that stands still.

Proof and statement: docs/theory.md#rivals.

Every claim that has a noise runs over all noise variances v in (0, oo); s = 1/v in the statements.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real

_NOISE = Real("v", 0, low_open=True, also=("1/100000000", "100000000"))
_PAIR = "log((1+K[j][j]/v)*(1+K[k][k]/v) - (K[j][k]/v)**2)"
_FIRST_PAIR = "log((1+K[0][0]/v)*(1+K[k][k]/v) - (K[0][k]/v)**2)"
_DESIGN = "log(det(add(identity(3), scale(1/v, matmul(K, diagonal([a, b, c]))))))"
_ALLOCATED = "log(1+i*lam[0]/v) + log(1+j*lam[1]/v) + log(1+(a+b+c-i-j)*lam[2]/v)"
_MATRIX = "[[a, d, e], [d, b, f], [e, f, c]]"
_MINORS = "det([[a, d], [d, b]])*det([[a, e], [e, c]])"
_SRINIVAS = "docs/theory.md#rivals; arXiv 0912.3995"

CLAIMS = (
    Claim(
        id="rival-srinivas-greedy",
        label="Srinivas et al. 2010, greedy designs, two rounds with matrices",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "For every noise, three points, the first of the largest variance: two greedy rounds "
            "gain at least 1-1/e of what any two rounds gain, repeats allowed."
        ),
        parameters=(_NOISE, PositiveSemidefinite("K", 3, bound=True)),
        hypotheses=("K[0][0] >= max(K[1][1], K[2][2])",),
        formula=(
            f"(1-exp(-1))*max({_PAIR} for j in range(3) for k in range(3)) <= "
            f"max({_FIRST_PAIR} for k in range(3))"
        ),
        witnesses=({"v": 1, "K": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},),
        expected=Verdict.SUPPORTED,
        because="rival-srinivas-greedy-step and -factor prove it for any number of rounds.",
    ),
    Claim(
        id="rival-srinivas-submodular",
        label="Srinivas et al. 2010, the gain is submodular",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "A symmetric 3×3 matrix A = I+sK: det A · A_11 <= det A_{12} det A_{13}: after a "
            "second point a third one gains no more than without it."
        ),
        reading="Gains are log det/2; the three points may stand for sets, by Schur complements.",
        parameters=tuple(Real(name) for name in "abcdef"),
        formula=f"det({_MATRIX})*a <= {_MINORS}",
        expected=Verdict.PROVED,
        because="The difference is a square (Desnanot and Jacobi).",
    ),
    Claim(
        id="rival-srinivas-greedy-step",
        label="Srinivas et al. 2010, one greedy round",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "Optimum O of n rounds, gains G before and H after a greedy round. Submodularity gives "
            "O <= G + n(H-G); so O-H <= (1-1/n)(O-G)."
        ),
        parameters=(Integer("n", 1), Real("O", 0), Real("G", 0, "O"), Real("H", "G")),
        hypotheses=("O <= G + n*(H-G)",),
        formula="O-H <= (1-1/n)*(O-G)",
        rests_on=("rival-srinivas-submodular", "gain-grows-with-points"),
        expected=Verdict.OUTLINE,
        because="Divide by n.",
    ),
    Claim(
        id="rival-srinivas-greedy-factor",
        label="Srinivas et al. 2010, the factor of n greedy rounds",
        where=_SRINIVAS,
        kind="theory",
        statement="For n >= 2: n log(1-1/n) <= -1, so (1-1/n)^n <= 1/e.",
        reading="n = 1: greedy is optimal.",
        parameters=(Integer("n", 2),),
        formula="n*log(1-1/n) <= -1",
        rests_on=("rival-srinivas-greedy-step",),
        expected=Verdict.OUTLINE,
        because="log y <= y - 1.",
    ),
    Claim(
        id="rival-srinivas-spectral",
        label="Srinivas et al. 2010, the spectral bound",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "For every noise, a domain of three points observed a, b, c times, a+b+c = n <= 9: "
            "log det(I+sK diag(a,b,c)) <= e/(e-1) times the largest sum of log(1+s m_t λ_t), "
            "whole m_t >= 0 of sum n, λ the eigenvalues of K."
        ),
        parameters=(
            Integer("a", 0, 3),
            Integer("b", 0, 3),
            Integer("c", 0, 3),
            _NOISE,
            PositiveSemidefinite("K", 3, bound=True),
        ),
        let=(("lam", "eigenvalues(K)"),),
        formula=(
            f"{_DESIGN} <= max({_ALLOCATED} for i in range(a+b+c+1) "
            "for j in range(a+b+c+1-i))/(1-exp(-1))"
        ),
        expected=Verdict.SUPPORTED,
        because="Greedy over all directions observes eigenvectors; then the greedy factor.",
        rests_on=("rival-srinivas-greedy-factor",),
    ),
    Claim(
        id="rival-srinivas-spectral-sharp",
        label="Srinivas et al. 2010, the spectral bound without its factor",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "For counts a >= b >= c and v >= 10^-4: log det(I+sK diag(a,b,c)) <= the sum of "
            "log(1+s m_t λ_t) with m = (a,b,c) and λ in descending order."
        ),
        reading="λ >= 0; eigenvalues that rounding makes negative are cut at 0.",
        parameters=(
            Integer("a", 0, 5),
            Integer("b", 0, "a"),
            Integer("c", 0, "b"),
            Real("v", "1/10000"),
            PositiveSemidefinite("K", 3, bound=True),
        ),
        let=(("lam", "eigenvalues(K)"),),
        formula=(
            f"{_DESIGN} <= log(1+a*max(0, lam[0])/v) + log(1+b*max(0, lam[1])/v) + "
            "log(1+c*max(0, lam[2])/v)"
        ),
        expected=Verdict.SUPPORTED,
        because=(
            "Eigenvalues of a product of two such matrices are log-majorised by the products of "
            "their sorted eigenvalues, and log(1+e^x) is convex: e/(e-1) is not needed."
        ),
        rests_on=("rival-srinivas-spectral-dual",),
        remark=(
            "The bound computed lets m_t be real; rival-srinivas-spectral-dual proves that one, at "
            "every noise."
        ),
    ),
    Claim(
        id="rival-srinivas-spectral-dual",
        label="Srinivas et al. 2010, the spectral bound without its factor, the proof",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "a_t = max(1, λ_t/μ) at the level μ of the best real m_t, Q the sum of 1-1/a_t = sμn, "
            "A that of log a_t: the tangent of log det, G <= A - Q + t with a trace t <= sμn, "
            "gives G <= A, the largest sum of log(1+s m_t λ_t)."
        ),
        reading=(
            "The tangent is at the matrix of eigenvectors of K and eigenvalues a_t; a point adds "
            "to t at most s times a mean of λ_t/a_t (rival-srinivas-spectral-level)."
        ),
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in ("A", "Q", "t", "G")),
        hypotheses=("G <= A - Q + t", "t <= Q"),
        formula="G <= A",
        witnesses=({"A": 2, "Q": 1, "t": 1, "G": 2},),
        rests_on=("log-det-tangent", "rival-srinivas-spectral-level"),
        expected=Verdict.OUTLINE,
        because="1 + s m_t λ_t = a_t, and m_t = (1-1/a_t)/(sμ) sums to n.",
    ),
    Claim(
        id="rival-srinivas-spectral-level",
        label="Srinivas et al. 2010, the spectral bound without its factor, one direction",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "For λ >= 0, μ > 0 and a = max(1, λ/μ): λ/a <= μ, and where a > 1 the share m = "
            "(1-1/a)/(sμ) has 1 + s m λ = a."
        ),
        parameters=(Real("lam", 0), Real("mu", 0, low_open=True)),
        let=(("a", "max(1, lam/mu)"),),
        formula="lam/a + abs(1 + (1-1/a)/mu*lam - a) <= mu",
        expected=Verdict.PROVED,
        because="λ/μ - 1 = (1-μ/λ)λ/μ.",
    ),
    Claim(
        id="rival-srinivas-spectral-two",
        label="Srinivas et al. 2010, the spectral bound without its factor, two points",
        where=_SRINIVAS,
        kind="theory",
        statement=(
            "Two points of variance 1 and correlation r in [0, 1], eigenvalues 1+r and 1-r, "
            "counts a >= b: det(I+sK diag(a,b)) <= (1+sa(1+r))(1+sb(1-r))."
        ),
        reading="A negative correlation is the same up to the sign of one point.",
        parameters=(Real("s", 0), Real("r", 0, 1), Real("b", 0), Real("a", "b")),
        formula="det([[1+s*a, s*b*r], [s*a*r, 1+s*b]]) <= (1+s*a*(1+r))*(1+s*b*(1-r))",
        expected=Verdict.PROVED,
        because="The difference is sr(a-b).",
    ),
)
