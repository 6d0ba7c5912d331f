"""Vakili et al. 2021, Iwazaki 2025: bounds on the gain by eigenvalues (docs/theory.md#rivals).

Every claim that has a noise runs over all noise variances v in (0, oo); s = 1/v in the statements.
Constants are those of docs/theory.md#rivals.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Vector

_NOISE = Real("v", 0, low_open=True, also=("1/100000000", "100000000"))
_LOGDET = "log(det(add(identity(n), scale(1/v, {}))))"
_VAKILI = "docs/theory.md#rivals; arXiv 2009.06966, Theorem 3"
_IWAZAKI = "docs/theory.md#rivals; arXiv 2506.01393"

CLAIMS = (
    Claim(
        id="rival-vakili",
        label="Vakili et al. 2021, Theorem 3, with matrices",
        where=_VAKILI,
        kind="theory",
        statement=(
            "For every noise, n <= 3, K = A + B, A of rank m <= 2 and B with diagonal at most δ: "
            "log det(I+sK) <= m log(1+snk/m) + snδ, k the largest variance."
        ),
        reading="A is the part of m eigenfunctions, B the rest; factors 1/2 left out.",
        parameters=(
            Integer("n", 1, 3),
            Integer("m", 1, 2),
            _NOISE,
            Vector("x", "n", -1, 1),
            Vector("y", "n", -1, 1),
            PositiveSemidefinite("B", "n", bound=True),
        ),
        let=(
            ("A", "add(outer(x, x), scale(m-1, outer(y, y)))"),
            ("k", "max(A[j][j] + B[j][j] for j in range(n))"),
            ("delta", "max(B[j][j] for j in range(n))"),
            ("G", _LOGDET.format("add(A, B)")),
            ("head", _LOGDET.format("A")),
            ("tail", _LOGDET.format("B")),
            ("t", "log(1+n*k/(v*m))"),
        ),
        formula="G <= m*t + n*delta/v",
        expected=Verdict.SUPPORTED,
        because="m eigenvalues of A share a trace of at most nk; those of B are below the line.",
    ),
    Claim(
        id="rival-vakili-tail",
        label="Vakili et al. 2021, Theorem 3, the rest of the variance",
        where=_VAKILI,
        kind="theory",
        statement="For λ >= 0 and an eigenfunction with |φ| <= ψ: λφ^2 <= λψ^2, term by term.",
        reading="Eigenfunctions bounded by ψ is an assumption of the theorem.",
        parameters=(Real("lam", 0), Real("psi", 0), Real("phi", "-psi", "psi")),
        formula="lam*phi**2 <= lam*psi**2",
        expected=Verdict.PROVED,
        because="On a grid the sum itself is computed, which needs no ψ.",
    ),
    Claim(
        id="rival-iwazaki-lift",
        label="Iwazaki 2025, from the ball to the sphere",
        where=_IWAZAKI,
        kind="theory",
        statement=(
            "For every noise, n <= 3 and H of unit diagonal: det(I+sK) <= det(I+sK∘H). On the "
            "sphere over the ball the squared exponential kernel is K∘H, H that of the heights."
        ),
        reading="(I+sK)∘H = I+sK∘H, as the diagonal of H is 1.",
        parameters=(
            Integer("n", 1, 3),
            _NOISE,
            PositiveSemidefinite("K", "n", bound=True),
            PositiveSemidefinite("H", "n", unit=True),
        ),
        let=(
            ("flat", "det(add(identity(n), scale(1/v, K)))"),
            ("lifted", "det(add(identity(n), scale(1/v, hadamard(K, H))))"),
        ),
        formula="flat <= lifted",
        rests_on=("rival-iwazaki-heights",),
        expected=Verdict.SUPPORTED,
        because="Oppenheim's inequality.",
    ),
    Claim(
        id="rival-iwazaki-heights",
        label="Iwazaki 2025, the kernel on the sphere is a product",
        where=_IWAZAKI,
        kind="theory",
        statement=(
            "A squared distance x in the ball and h of the heights: exp(-(x+h)/2) is the product "
            "of exp(-x/2) and exp(-h/2)."
        ),
        parameters=(Real("x", 0), Real("h", 0)),
        formula="exp(-(x+h)/2) == exp(-x/2)*exp(-h/2)",
        expected=Verdict.PROVED,
        because="The exponential of a sum.",
    ),
    Claim(
        id="rival-iwazaki-degree",
        label="Iwazaki 2025, the harmonics of one degree",
        where=_IWAZAKI,
        kind="theory",
        statement=(
            "N functions with squares q_j summed over the rounds, sum q_j = Q: the sum of "
            "log(1+sλq_j) is at most N log(1+sλQ/N); Q/N = n/|S^d| by the addition theorem."
        ),
        parameters=(
            Integer("N", 1, 6),
            _NOISE,
            Real("lam", 0, search=(None, 10)),
            Vector("q", "N", 0, search=(None, 100)),
        ),
        let=(
            ("L", "sum(log(1+lam*q[k]/v) for k in range(N))"),
            ("M", "N*log(1+lam*sum(q[k] for k in range(N))/(v*N))"),
        ),
        formula="L <= M",
        rests_on=("hadamard-inequality",),
        expected=Verdict.SUPPORTED,
        because="Hadamard's inequality over the functions, Jensen's within a degree.",
    ),
    Claim(
        id="rival-iwazaki-circle",
        label="Iwazaki 2025, on the circle, with matrices",
        where=_IWAZAKI,
        kind="theory",
        statement=(
            "Points (cos a, sin a), kernel 1-p + p cos(a-b), n <= 4, every noise: log det(I+sK) <= "
            "log(1+sn(1-p)) + 2 log(1+snp/2)."
        ),
        reading="Degrees 0 and 1: N = 1 and 2. A point is given by the tangent of half its angle.",
        parameters=(
            Integer("n", 1, 4),
            _NOISE,
            Real("p", 0, 1),
            Vector("u", "n", search=(-100, 100)),
        ),
        let=(
            ("x", "[(1-u[j]**2)/(1+u[j]**2) for j in range(n)]"),
            ("y", "[2*u[j]/(1+u[j]**2) for j in range(n)]"),
            ("C", "add(scale(p, outer(x, x)), scale(p, outer(y, y)))"),
        ),
        formula=(
            f"{_LOGDET.format('add(scale(1-p, ones(n)), C)')} <= "
            "log(1+n*(1-p)/v) + 2*log(1+n*p/(2*v))"
        ),
        expected=Verdict.SUPPORTED,
        because="The sum over degrees of rival-iwazaki-degree.",
        rests_on=("rival-iwazaki-degree",),
    ),
)
