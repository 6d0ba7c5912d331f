"""Textbook facts about matrices: the trusted base of appendix B and of Theorems A, B, R.

Each is searched on small matrices with rational entries; those in `_THEOREMS` the proof assistant
has for every size. The books: Horn and Johnson, *Matrix Analysis* (second edition), by chapter.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import (
    Integer,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Vector,
)

_SIZE = Integer("n", 1, 3)
_NOISE = Real("s", 0, low_open=True)
_DET = "det(add(identity(n), scale(s, {})))"


# Those that the proof assistant has for every size.
_THEOREMS = {
    *("schur-product", "hadamard-inequality", "fischer-inequality", "det-subadditivity"),
    *("det-monotone", "det-contraction", "det-at-least-one", "gain-grows-with-points"),
    "inverse-compression",
}


def _fact(
    claim_id: str,
    label: str,
    where: str,
    statement: str,
    formula: str,
    because: str,
    *parameters: Parameter,
) -> Claim:
    return Claim(
        id=claim_id,
        label=label,
        where=where,
        kind="trusted",
        statement=statement,
        parameters=parameters,
        formula=formula,
        expected=Verdict.PROVED if claim_id in _THEOREMS else Verdict.SUPPORTED,
        because=because,
    )


CLAIMS = (
    _fact(
        "schur-product",
        "Schur product theorem",
        "Horn and Johnson, 7.5",
        "The entrywise product of two positive semidefinite matrices of any size is positive "
        "semidefinite.",
        "1 + eigenvalues(hadamard(A, B))[n-1] >= 1",
        "A product of covariances is the covariance of a product of independent processes.",
        _SIZE,
        PositiveSemidefinite("A", "n"),
        PositiveSemidefinite("B", "n"),
    ),
    _fact(
        "hadamard-inequality",
        "Hadamard's inequality",
        "Horn and Johnson, 7.8",
        "The determinant of a positive semidefinite matrix is at most the product of its diagonal.",
        "det(A) <= prod(A[j][j] for j in range(n))",
        "Entropy is subadditive.",
        _SIZE,
        PositiveSemidefinite("A", "n"),
    ),
    _fact(
        "fischer-inequality",
        "Fischer's inequality",
        "Horn and Johnson, 7.8",
        "The determinant of a positive semidefinite matrix is at most the product of the "
        "determinants of its leading block, of any size, and of the block of the other rows.",
        "det(A) <= det(block(A, 0, m))*det(block(A, m, n))",
        "Entropy is subadditive over blocks.",
        Integer("n", 2, 3),
        Integer("m", 1, "n-1"),
        PositiveSemidefinite("A", "n"),
    ),
    _fact(
        "hoffman-wielandt",
        "Hoffman–Wielandt inequality (Mirsky's theorem for the Frobenius norm)",
        "Horn and Johnson, 6.3 and 7.4",
        "For symmetric U, V with eigenvalues in descending order, the sum of squared differences "
        "of eigenvalues is at most the squared Frobenius norm of U - V.",
        "sum((eigenvalues(U)[k] - eigenvalues(V)[k])**2 for k in range(n)) <= "
        "sum((U[j][k] - V[j][k])**2 for j in range(n) for k in range(n))",
        "True for symmetric (normal) matrices; the paper's Lemma 14 omits symmetry.",
        Integer("n", 1, 2),
        Symmetric("U", "n"),
        Symmetric("V", "n"),
    ),
    _fact(
        "det-subadditivity",
        "log det is subadditive",
        "Horn and Johnson, 7.8",
        "For positive semidefinite A, B: log det(I+A+B) <= log det(I+A) + log det(I+B).",
        "log(det(add(identity(n), add(A, B)))) <= "
        "log(det(add(identity(n), A))) + log(det(add(identity(n), B)))",
        "(I+A)^(-1/2) B (I+A)^(-1/2) has eigenvalues at most those of B.",
        _SIZE,
        PositiveSemidefinite("A", "n"),
        PositiveSemidefinite("B", "n"),
    ),
    _fact(
        "det-monotone",
        "det(I+A) grows with A",
        "Horn and Johnson, 7.7",
        "For positive semidefinite A, B: log det(I+A) <= log det(I+A+B).",
        "log(det(add(identity(n), A))) <= log(det(add(identity(n), add(A, B))))",
        "Weyl: every eigenvalue grows.",
        _SIZE,
        PositiveSemidefinite("A", "n"),
        PositiveSemidefinite("B", "n"),
    ),
    _fact(
        "det-contraction",
        "Shrinking the rows and columns of a covariance",
        "Horn and Johnson, 7.8",
        "For positive semidefinite K and |v_k| <= 1: log det(I + s diag(v) K diag(v)) <= "
        "log det(I + sK).",
        f"log({_DET.format('hadamard(K, outer(v, v))')}) <= log({_DET.format('K')})",
        "By Sylvester it is det(I + s K^(1/2) diag(v^2) K^(1/2)), monotone in v^2.",
        _SIZE,
        _NOISE,
        PositiveSemidefinite("K", "n"),
        Vector("v", "n", -1, 1),
    ),
    _fact(
        "det-at-least-one",
        "det(I+A) >= 1",
        "Horn and Johnson, 7.7",
        "For positive semidefinite A: det(I+A) >= 1. So log det(I+A) exists and is not negative.",
        "det(add(identity(n), A)) >= 1",
        "Every eigenvalue of I+A is at least 1.",
        _SIZE,
        PositiveSemidefinite("A", "n"),
    ),
    _fact(
        "gain-grows-with-points",
        "More points, more information",
        "Cover and Thomas, chapter 2",
        "For positive semidefinite K of size n and its leading block: "
        "log det(I + s block) <= log det(I + sK). So γ_m never decreases in m.",
        f"log(det(add(identity(m), scale(s, block(K, 0, m))))) <= log({_DET.format('K')})",
        "A further observation multiplies by 1 + s times a posterior variance.",
        _SIZE,
        Integer("m", 1, "n"),
        _NOISE,
        PositiveSemidefinite("K", "n"),
    ),
    _fact(
        "interlacing",
        "Cauchy interlacing",
        "Horn and Johnson, 4.3",
        "The k-th largest eigenvalue of a principal submatrix is at most that of the matrix.",
        "eigenvalues(block(A, 0, n-1))[k] <= eigenvalues(A)[k]",
        "Courant–Fischer.",
        Integer("n", 2, 3),
        Integer("k", 0, "n-2"),
        Symmetric("A", "n"),
    ),
    _fact(
        "inverse-compression",
        "The inverse of a block is below the block of the inverse",
        "Horn and Johnson, 7.7",
        "For positive definite A = I + B: 1/A_11 <= (A^-1)_11, in determinants: "
        "the minor of the first row and column times A_11 is at least det A.",
        "det(add(identity(n), B)) <= (1 + B[0][0])*det(add(identity(n-1), block(B, 1, n)))",
        "Schur complements.",
        Integer("n", 2, 3),
        PositiveSemidefinite("B", "n"),
    ),
)
