"""Mandl and Kekkonen 2026, Krause and Ong 2011: bounds on the joint gain (docs/theory.md#rivals).

Every claim runs over all noise variances v in (0, oo); s = 1/v in the statements. Constants are
those of docs/theory.md#rivals. Unit steps, J_jk = (1-ε)^(|j-k|/2) = w^|j-k|, unless times appear.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times

_NOISE = Real("v", 0, low_open=True, also=("1/100000000", "100000000"))
_EPSILON = Real("eps", 0, 1, high_open=True)
_ROOT = Real("w", 0, 1, low_open=True)
_SPACE = PositiveSemidefinite("K", "n", bound=True)
_JOINT = "[[w**abs(j-k) for k in range(n)] for j in range(n)]"
_DET = "det(add(identity(n), scale(1/v, {})))"
_LOGDET = f"log({_DET})"
_ANY_TIMES = "[[(1-eps)**(abs(t[j]-t[k])/2) for k in range(n)] for j in range(n)]"
_UNIFORMITY = "sum(min(1, theta*abs(t[j]-t[k]))**2 for j in range(n) for k in range(n))"
# Two bursts, the first of m rounds: correlation r between them, 1 within each.
_BURSTS = (
    "[[(1 if k < m else r) if j < m else (r if k < m else 1) for k in range(n)] for j in range(n)]"
)
_FIRST = "[1 if j < m else r for j in range(n)]"
_SECOND = "[0 if j < m else sqrt(1-r**2) for j in range(n)]"
_MANDL_KEKKONEN = "docs/theory.md#rivals; arXiv 2608.18863"
_KRAUSE_ONG = "docs/theory.md#rivals; Krause and Ong 2011, product kernels"

CLAIMS = (
    Claim(
        id="rival-mandl-kekkonen-lags",
        label="Mandl and Kekkonen 2026, the sum over lags",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement="The squared distances of M unit steps sum to M^2 (M^2-1)/6, over ordered pairs.",
        parameters=(Integer("M", 1),),
        formula="sum(2*(M-m)*m**2 for m in range(1, M)) == M**2*(M**2-1)/6",
        expected=Verdict.PROVED,
        because="So ε sqrt(C γ/2) is ε M sqrt(M^2-1)/(2 sqrt(3)) sqrt(γ).",
    ),
    Claim(
        id="rival-mandl-kekkonen-lag",
        label="Mandl and Kekkonen 2026, one lag at unit steps",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement="For ε in [0, 1) and every lag m >= 1: 1-(1-ε)^(m/2) <= mε.",
        parameters=(Integer("m", 1), _EPSILON),
        formula="1-(1-eps)**(m/2) <= m*eps",
        expected=Verdict.PROVED,
        because="Bernoulli; at m = 1 the square root of a number below 1 is above it.",
    ),
    Claim(
        id="rival-mandl-kekkonen-trace",
        label="Mandl and Kekkonen 2026, the weight of the perturbation",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement="For x >= 0: (x/(1+x))^2 <= log(1+x).",
        reading=(
            "x an eigenvalue of sK, x/(1+x) that of sK(I+sK)^-1; summed, ‖sK(I+sK)^-1‖_F^2 <= "
            "log det(I+sK) = 2g."
        ),
        parameters=(Real("x", 0),),
        formula="(x/(1+x))**2 <= log(1+x)",
        expected=Verdict.PROVED,
        because="p <= 1 and log y >= 1 - 1/y.",
    ),
    Claim(
        id="rival-mandl-kekkonen-assembled",
        label="Mandl and Kekkonen 2026, one block, the proof",
        where=f"{_MANDL_KEKKONEN}, unit steps",
        kind="theory",
        statement=(
            "The tangent of log det gives G <= g + s p F/2, p^2 <= 2g and F^2 <= ε^2 M^2 (M^2-1)/6 "
            "the squared norms of sK(I+sK)^-1 and J-11': G <= g + sεM sqrt(M^2-1)/(2 sqrt(3)) "
            "sqrt(g)."
        ),
        reading=(
            "The trace of (I+sK)^-1 (K∘(J-11')) has no diagonal part; off it (I+sK)^-1 is minus "
            "the first matrix, and |K_jk| <= 1: Cauchy–Schwarz."
        ),
        parameters=(
            _NOISE,
            _EPSILON,
            Real("M", 1),
            Real("g", 0),
            Real("p", 0),
            Real("F", 0),
            Real("G", 0, "g + p*F/(2*v)"),
        ),
        let=(("a", "sqrt(M**2-1)"), ("b", "sqrt(g)"), ("c", "sqrt(3)")),
        hypotheses=("p**2 <= 2*g", "6*F**2 <= eps**2*M**2*(M**2-1)"),
        formula="G <= g + eps*M*a/(2*c*v)*b",
        witnesses=({"v": 1, "eps": "1/2", "M": 2, "g": 2, "p": 1, "F": "1/2", "G": 2},),
        rests_on=(
            "log-det-tangent",
            "cauchy-schwarz",
            "rival-mandl-kekkonen-trace",
            "rival-mandl-kekkonen-lag",
            "rival-mandl-kekkonen-lags",
        ),
        expected=Verdict.OUTLINE,
        because="Squares of the two sides.",
    ),
    Claim(
        id="rival-mandl-kekkonen-block",
        label="Mandl and Kekkonen 2026, one block with matrices",
        where=f"{_MANDL_KEKKONEN}, unit steps",
        kind="theory",
        statement=(
            "For n <= 3, every noise, K with diagonal at most 1, g = log det(I+sK)/2: "
            "log det(I+sK∘J)/2 <= g + sε n sqrt(n^2-1)/(2 sqrt(3)) sqrt(g), w = sqrt(1-ε)."
        ),
        parameters=(Integer("n", 1, 3), _NOISE, _ROOT, _SPACE),
        formula=(
            f"{_LOGDET.format(f'hadamard(K, {_JOINT})')}/2 <= {_LOGDET.format('K')}/2 + "
            f"1/v*(1-w**2)*n*sqrt(n**2-1)/(2*sqrt(3))*sqrt({_LOGDET.format('K')}/2)"
        ),
        expected=Verdict.SUPPORTED,
        because="rival-mandl-kekkonen-assembled proves it for every size; γ_n >= g.",
    ),
    Claim(
        id="rival-mandl-kekkonen-any-times",
        label="Mandl and Kekkonen 2026, one block, any times (an extension)",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement=(
            "For n <= 3, every noise, any times, ε in (0, 1), θ = -log(1-ε)/2, C' the sum of "
            "min(1, θ|τ_j-τ_k|)^2: log det(I+sK∘J)/2 <= g + s sqrt(C' g/2), g = log det(I+sK)/2."
        ),
        parameters=(
            Integer("n", 1, 3),
            _NOISE,
            Real("eps", 0, 1, low_open=True, high_open=True),
            Times("t", "n"),
            _SPACE,
        ),
        let=(("theta", "-log(1-eps)/2"), ("C", _UNIFORMITY)),
        formula=(
            f"{_LOGDET.format(f'hadamard(K, {_ANY_TIMES})')}/2 <= {_LOGDET.format('K')}/2 + "
            f"1/v*sqrt(C*{_LOGDET.format('K')}/4)"
        ),
        expected=Verdict.SUPPORTED,
        because="The proof of the block at unit steps needs of J only ‖J-11'‖_F.",
        rests_on=("rival-mandl-kekkonen-any-lag",),
    ),
    Claim(
        id="rival-mandl-kekkonen-any-lag",
        label="Mandl and Kekkonen 2026, one lag at any times",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement="With y = θ|τ-τ'| >= 0: 1-exp(-y) <= min(1, y).",
        parameters=(Real("y", 0),),
        formula="1-exp(-y) <= min(1, y)",
        expected=Verdict.PROVED,
        because="exp(-y) is positive and at least 1-y.",
    ),
    Claim(
        id="rival-krause-ong",
        label="Krause and Ong 2011, a time kernel of finite rank",
        where=_KRAUSE_ONG,
        kind="theory",
        statement=(
            "For n <= 3, every noise, two bursts (rank B = 2), K with diagonal at most 1: "
            "log det(I+sK∘J)/2 <= 2 log det(I+sK)/2 + 2 log n."
        ),
        reading="Both kernels have variances at most 1; γ_n >= the gain of the K of the rounds.",
        parameters=(
            Integer("n", 1, 3),
            Integer("m", 0, "n"),
            Real("r", -1, 1),
            _NOISE,
            _SPACE,
        ),
        let=(
            ("G", _LOGDET.format(f"hadamard(K, {_BURSTS})")),
            ("g", _LOGDET.format("K")),
        ),
        formula="G/2 <= 2*g/2 + 2*log(n)",
        expected=Verdict.SUPPORTED,
        because="rival-krause-ong-sharp, and log n >= 0.",
    ),
    Claim(
        id="rival-krause-ong-sharp",
        label="Krause and Ong 2011 without the logarithm",
        where=_KRAUSE_ONG,
        kind="theory",
        statement=(
            "For n <= 3, every noise, two bursts, J = aa' + bb' with entries of a, b in [-1, 1]: "
            "log det(I+sK∘J) <= 2 log det(I+sK). In general a rank B costs a factor B and no more."
        ),
        reading="J of rank B and unit diagonal is a sum of B such products.",
        parameters=(
            Integer("n", 1, 3),
            Integer("m", 0, "n"),
            Real("r", -1, 1),
            _NOISE,
            _SPACE,
        ),
        let=(
            ("G", _LOGDET.format(f"hadamard(K, {_BURSTS})")),
            ("g", _LOGDET.format("K")),
            ("g1", _LOGDET.format(f"hadamard(K, outer({_FIRST}, {_FIRST}))")),
            ("g2", _LOGDET.format(f"hadamard(K, outer({_SECOND}, {_SECOND}))")),
        ),
        formula="G <= 2*g",
        rests_on=("schur-product",),
        expected=Verdict.SUPPORTED,
        because="Subadditivity over the B products, then contraction: B log n is not needed.",
        remark="Bursts of one time each make no drift: Theorem A has the sum of their γ.",
    ),
)
