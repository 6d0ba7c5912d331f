"""Theorem 1 (section 4), its two inequalities: what they need of the kernels and of the noise.

Half of the differences of eigenvalues counts, so the drift term may be halved; that is what saves
the printed one where its hypotheses fail by a factor of up to 2.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real

_PHI = "min(x, log(x)+1/x)"

CLAIMS = (
    Claim(
        id="theorem-1-normalisation",
        label="Theorem 1 without a bound on k_space(x,x)",
        where="section 4, Theorem 1, second inequality",
        statement=(
            "For all signal variances v > 0, noise, ε in (0, 1) and gaps h: two rounds on a "
            "one-point domain have gain at most γ_2 plus the printed drift term, with s = 1/σ^2, "
            "x = s ε sqrt(C/2) and the time kernel max(0, 1-ε|τ-τ'|), which satisfies (II)."
        ),
        reading="Assumption 1 does not bound k_space; only a lemma in Appendix B does.",
        parameters=(
            Real("v", 0, low_open=True),
            Real("s", 0, low_open=True),
            Real("eps", 0, 1, low_open=True, high_open=True),
            Real("h", 0, low_open=True),
        ),
        let=(("rho", "max(0, 1-eps*h)"), ("x", "s*min(1, eps*h)")),
        formula=(f"log((1+s*v)**2 - (s*v*rho)**2)/2 <= log(1+2*s*v)/2 + {_PHI}"),
        witnesses=({"v": 3, "s": 2, "eps": "1/10", "h": 1},),
        expected=Verdict.REFUTED,
        because=(
            "The drift term is not scaled by v. This inequality holds for k_space(x,x) <= 2, as "
            "half of the differences counts; the step with C = 8/log(1+1/σ^2) needs <= 1."
        ),
        finding="missing hypothesis",
        repairs=("theorem-1-two-rounds", "theorem-1-two-rounds-halved", "theorem-1-constant"),
    ),
    Claim(
        id="theorem-1-two-rounds",
        label="Theorem 1 for two rounds, normalised",
        where="section 4, Theorem 1, second inequality",
        kind="repair",
        statement=(
            "For all v in [0, 1], s >= 0 and 0 <= 1-k_time = e <= m <= 1: two rounds at one "
            "point with prior variance v have a gain of at most γ_2 + log(1+sm), ½ log((1+sv)^2 "
            "- (sv(1-e))^2) <= ½ log(1+2sv) + log(1+sm)."
        ),
        reading="m = min(1, εh); log(1+sm) <= φ(sm) by phi-above-log.",
        parameters=(Real("v", 0, 1), Real("s", 0), Real("m", 0, 1), Real("e", 0, "m")),
        formula="log((1+s*v)**2 - (s*v*(1-e))**2)/2 <= log(1+2*s*v)/2 + log(1+s*m)",
        expected=Verdict.PROVED,
        because="s^2 v^2 e <= s^2 v e, and 1+2se <= (1+sm)^2.",
    ),
    Claim(
        id="theorem-1-two-rounds-halved",
        label="Theorem 1 for two rounds, signal variance up to 2",
        where="section 4, Theorem 1, second inequality",
        kind="repair",
        statement=(
            "For all a = sv >= 0 and 0 <= 1-k_time = e <= 1: two rounds at one point have a "
            "gain of at most γ_2 + log(1+sve/2), ½ log((1+a)^2 - (a(1-e))^2) <= ½ log(1+2a) + "
            "log(1+ae/2)."
        ),
        reading="For v <= 2 that is at most γ_2 + φ(se), by phi-above-log.",
        parameters=(Real("a", 0), Real("e", 0, 1)),
        formula="log((1+a)**2 - (a*(1-e))**2)/2 <= log(1+2*a)/2 + log(1+a*e/2)",
        expected=Verdict.PROVED,
        because="The difference is ae + 5a²e²/4 + a³e²/2.",
    ),
    Claim(
        id="theorem-1-constant",
        label="The constant C = 8/log(1+1/σ^2)",
        where="section 4, Theorem 1, first inequality",
        kind="step",
        statement=(
            "For all s = 1/σ^2 > 0 and posterior variances v in [0, 1]: v log(1+s) <= log(1+sv)."
        ),
        reading=(
            "So 4 σ_{i-1}^2 <= (C/2) log(1+sσ_{i-1}^2). Normalised, k(x,x) <= 1; without it the "
            "inequality turns round."
        ),
        parameters=(Real("s", 0, low_open=True), Real("v", 0, 1)),
        formula="v*log(1+s) <= log(1+s*v)",
        expected=Verdict.PROVED,
        because="Equality at s = 0, and the right side grows faster for v <= 1.",
        printed_proof="sound",
    ),
    Claim(
        id="theorem-1-block",
        label="Theorem 1, one block with matrices",
        where="section 4, Theorem 1, second inequality",
        kind="step",
        statement=(
            "For every n, K positive semidefinite with diagonal at most 1, J positive "
            "semidefinite with unit diagonal, s >= 0: log det(I + s K∘J) is at most log det(I + "
            "sK) + n log(1 + s sqrt(D/n)), D the sum of (1-J_jk)^2."
        ),
        parameters=(
            Integer("n", 1, 4),
            PositiveSemidefinite("K", "n", bound=True),
            PositiveSemidefinite("J", "n", unit=True),
            Real("s", 0, low_open=True, search=(None, 1000)),
        ),
        let=(("D", "sum((1-J[j][k])**2 for j in range(n) for k in range(n))"),),
        formula=(
            "log(det(add(identity(n), scale(s, hadamard(K, J))))) <= "
            "log(det(add(identity(n), scale(s, K)))) + n*log(1 + s*sqrt(D/n))"
        ),
        expected=Verdict.PROVED,
        because="The repaired chain of Appendix B, with |Δ_k| for Δ_k.",
        printed_proof="gap",
    ),
    Claim(
        id="theorem-1-block-halved",
        label="Theorem 1, one block with matrices, half the drift",
        where="section 4, Theorem 1, second inequality",
        kind="repair",
        statement=(
            "For K positive semidefinite with diagonal at most 1, J positive semidefinite with "
            "unit diagonal, s > 0: log det(I + s K∘J) is at most log det(I + sK) + n log(1 + ½ "
            "s sqrt(D/n)), D the sum of (1-J_jk)^2."
        ),
        reading=(
            "So Theorem 1 holds with φ(½ sε sqrt(C/M)), for any number of rounds; sizes up to 4 "
            "are tried."
        ),
        parameters=(
            Integer("n", 1, 4),
            PositiveSemidefinite("K", "n", bound=True),
            PositiveSemidefinite("J", "n", unit=True),
            Real("s", 0, low_open=True, search=(None, 1000)),
        ),
        let=(("D", "sum((1-J[j][k])**2 for j in range(n) for k in range(n))"),),
        formula=(
            "log(det(add(identity(n), scale(s, hadamard(K, J))))) <= "
            "log(det(add(identity(n), scale(s, K)))) + n*log(1 + s*sqrt(D/n)/2)"
        ),
        expected=Verdict.SUPPORTED,
        because="The links: lemma-13-block-halved.",
    ),
    Claim(
        id="theorem-1-forgetting-kernel",
        label="Theorem 1 applied to the forgetting kernel",
        where="section 4, Theorem 1 with eq. (time kernel), as Theorem 2 does",
        statement=(
            "For all ε in [0, 1), gaps h >= 0 and noise: with the forgetting kernel, two rounds "
            "on a one-point domain have gain at most γ_2 plus the printed drift term with ε."
        ),
        parameters=(
            Real("s", 0, low_open=True),
            Real("eps", 0, 1, low_open=True, high_open=True),
            Real("h", 0, low_open=True),
        ),
        let=(("rho", "(1-eps)**(h/2)"), ("x", "s*min(1, eps*h)")),
        formula=f"log((1+s)**2 - (s*rho)**2)/2 <= log(1+2*s)/2 + {_PHI}",
        witnesses=({"s": 10, "eps": "999/1000", "h": "1/100"},),
        expected=Verdict.REFUTED,
        because=(
            "(II) fails for ε above 0.797 and small gaps. Up to 0.98, where θ <= 2ε, the "
            "conclusion survives, as half of the differences counts; near 1 it fails."
        ),
        finding="missing hypothesis",
        place_of="assumption-1-II",
        repairs=(
            "assumption-1-II-gaps",
            "assumption-1-II-small",
            "forgetting-kernel-slope",
            "theorem-1-forgetting-kernel-halved",
        ),
        remark="With θ = -log(1-ε)/2 for ε, also in C, the theorem holds at every gap.",
    ),
    Claim(
        id="theorem-1-forgetting-kernel-halved",
        label="Theorem 1 applied to the forgetting kernel, ε up to 0.98",
        where="section 4, Theorem 1 with eq. (time kernel), as Theorem 2 does",
        kind="repair",
        statement=(
            "For all ε in [1/2, 49/50]: the slope θ = -log(1-ε)/2 is at most 2ε. So ½ min(1, θh) "
            "<= min(1, εh) at every gap h, and the printed drift term with ε bounds the halved one."
        ),
        reading="For smaller ε it is at most ε: assumption-1-II-small.",
        parameters=(Real("eps", "1/2", "49/50"),),
        formula="-log(1-eps)/2 <= 2*eps",
        box="all",
        rests_on=("forgetting-kernel-slope", "assumption-1-II-small", "lemma-13-block-halved"),
        expected=Verdict.OUTLINE,
        because="-log(1-ε) - 4ε is convex and negative at both ends.",
    ),
)
