"""docs/theory.md#lemma-r: Lemma R and the certificate in kernel form."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector

_POINTS = (
    Real("s", 0, low_open=True, search=(None, 100)),
    Real("c", -1, 1),
    Real("p", search=(-10, 10)),
    Real("q", search=(-10, 10)),
    Real("alpha", 1, search=(None, 100)),
)

CLAIMS = (
    Claim(
        id="theory-r",
        label="Lemma R",
        where="docs/theory.md#lemma-r",
        kind="theory",
        statement=(
            "A = diag(a), a_1 >= a_2 >= … >= 1, X a sum of n rank-one matrices in at least n "
            "dimensions: log det(I+X) <= ψ(a_1) + … + ψ(a_n) + tr(A^-1 X), ψ(a) = log a + 1/a - "
            "1."
        ),
        reading=(
            "A diagonal without loss of generality (rotate). The search tries rank 2 in "
            "dimension 3."
        ),
        parameters=(
            Real("z", 1, search=(None, 20)),
            Real("y", "z", search=(None, 20)),
            Real("x", "y", search=(None, 20)),
            Vector("v", 3, search=(-5, 5)),
            Vector("w", 3, search=(-5, 5)),
        ),
        let=(("a", "[x, y, z]"),),
        formula=(
            "log(det(add(identity(3), add(outer(v, v), outer(w, w))))) <= "
            "log(x) + 1/x - 1 + log(y) + 1/y - 1 + sum((v[k]**2+w[k]**2)/a[k] for k in range(3))"
        ),
        expected=Verdict.PROVED,
        because="theory-r-proof.",
    ),
    Claim(
        id="theory-r-psi",
        label="Lemma R, ψ increases",
        where="docs/theory.md#lemma-r, proof",
        kind="theory",
        statement="For a >= 1 and t >= 1: 1/a <= log t + 1/(at), which is ψ(a) <= ψ(at).",
        parameters=(Real("a", 1), Real("t", 1)),
        formula="1/a <= log(t) + 1/(a*t)",
        expected=Verdict.PROVED,
        because="The derivative of ψ is 1/a - 1/a² >= 0.",
    ),
    Claim(
        id="theory-r-rank-one",
        label="Lemma R for rank one",
        where="docs/theory.md#lemma-r",
        kind="theory",
        statement=("For a >= b >= 1: log(1+v^2+w^2) <= log a + 1/a - 1 + v^2/a + w^2/b."),
        parameters=(
            Real("b", 1),
            Real("a", "b"),
            Real("v", 0, search=(None, 100)),
            Real("w", 0, search=(None, 100)),
        ),
        formula="log(1+v**2+w**2) <= log(a) + 1/a - 1 + v**2/a + w**2/b",
        expected=Verdict.PROVED,
        because="The tangent of log, and the largest eigenvalue in front.",
    ),
    Claim(
        id="theory-r-proof",
        label="Lemma R, the proof",
        where="docs/theory.md#lemma-r",
        kind="theory",
        statement=(
            "L = log det(I+X) = log det(I+Q'XQ) <= P + t (tangent at Q'AQ, P the sum of ψ over its "
            "eigenvalues), P <= S (interlacing, ψ increasing), t <= T = tr(A^-1 X): L <= S + T."
        ),
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in "LPtST"),
        hypotheses=("L <= P + t", "P <= S", "t <= T"),
        formula="L <= S + T",
        witnesses=({"L": 2, "P": 1, "t": 1, "S": 1, "T": 1}, dict.fromkeys("LPtST", 0)),
        rests_on=("log-det-tangent", "interlacing", "inverse-compression", "theory-r-psi"),
        expected=Verdict.OUTLINE,
        because="Three textbook facts in a row.",
    ),
    Claim(
        id="theory-certificate-cap",
        label="The cap as a certificate",
        where="docs/theory.md#gain-certificate",
        kind="theory",
        statement="k = 0, α = 1+s, V = 1: n ψ(1+s) + sn/(1+s) = n log(1+s).",
        parameters=(Integer("n", 1), Real("s", 0)),
        formula="n*(log(1+s) + 1/(1+s) - 1) + s*n/(1+s) == n*log(1+s)",
        expected=Verdict.PROVED,
        because="1/(1+s) + s/(1+s) = 1.",
    ),
    Claim(
        id="theory-certificate-plain-dual",
        label="The plain dual as a certificate",
        where="docs/theory.md#gain-certificate",
        kind="theory",
        statement="At α = 1: ψ(1) = 0, so no term (n-k)ψ(α) is left.",
        formula="log(1) + 1/1 - 1 == 0",
        expected=Verdict.PROVED,
        because="log 1 = 0.",
    ),
    Claim(
        id="theory-certificate-woodbury",
        label="The certificate, from features to the kernel",
        where="docs/theory.md#gain-certificate",
        kind="theory",
        statement=(
            "In two features, A = αI + rr', x = (x_1, x_2): det(A) x'A^-1 x times α, written out, "
            "is |x|^2(α+|r|^2) - (x·r)^2 times α: x'A^-1x = v(x)/α with "
            "v = |x|^2 - (x·r)^2/(α+|r|^2)."
        ),
        parameters=(*(Real(n, search=(-9, 9)) for n in ("x1", "x2", "r1", "r2")), Real("alpha", 1)),
        formula=(
            "(x1**2*(alpha+r2**2) - 2*x1*x2*r1*r2 + x2**2*(alpha+r1**2))"
            "/((alpha+r1**2)*(alpha+r2**2) - (r1*r2)**2) == "
            "(x1**2+x2**2 - (x1*r1+x2*r2)**2/(alpha+r1**2+r2**2))/alpha"
        ),
        expected=Verdict.PROVED,
        because="Woodbury's identity.",
    ),
    Claim(
        id="theory-certificate",
        label="The certificate, from Lemma R",
        where="docs/theory.md#gain-certificate",
        kind="theory",
        statement=(
            "For every kernel, reference points z with weights W, α >= 1, S = αI + W'K_zz W of "
            "size p and V at least every k(x,x) - c(x)'S^-1 c(x) of the n points played, c(x) = "
            "W'k_z(x): twice their gain is at most log det S + tr S^-1 - p + (n-p)ψ(α) + snV/α."
        ),
        reading=("The search tries two points of covariance c, n = 2, p = 1 and weights (p, q)."),
        parameters=_POINTS,
        let=(
            ("H", "p**2 + 2*c*p*q + q**2"),
            ("V", "max(1 - (p+c*q)**2/(alpha+H), 1 - (c*p+q)**2/(alpha+H))"),
        ),
        formula=(
            "max(log(1+2*s), log((1+s)**2-s**2*c**2)) <= log(alpha+H) + 1/(alpha+H) - 1 + "
            "log(alpha) + 1/alpha - 1 + 2*s/alpha*V"
        ),
        expected=Verdict.PROVED,
        because="Lemma R; the eigenvalues of A = αI + ΦRR'Φ' are those of S and else α.",
    ),
)
