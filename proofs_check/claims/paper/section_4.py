"""Section 4, before the lemmas: information gain and the evaluation time uniformity."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times

CLAIMS = (
    Claim(
        id="gain-is-log-det",
        label="Information gain as a log determinant",
        where="section 4",
        statement=(
            "For every n, matrix K and noise σ^2 > 0: det(K + σ^2 I) = σ^(2n) det(I + K/σ^2). "
            "So the entropy of y minus that of the noise, ½ log det 2πe(K+σ^2 I) - ½ log det "
            "2πe σ^2 I, is ½ log det(I + K/σ^2)."
        ),
        reading="The entropies of Gaussian vectors are as the paper gives them.",
        parameters=(
            Integer("n", 1, 4),
            PositiveSemidefinite("K", "n"),
            Real("noise", 0, low_open=True),
        ),
        formula=(
            "det(add(K, scale(noise, identity(n)))) == "
            "noise**n*det(add(identity(n), scale(1/noise, K)))"
        ),
        expected=Verdict.PROVED,
        because="The determinant is homogeneous of degree n.",
    ),
    Claim(
        id="uniformity-as-a-set",
        label="C is defined over a set of times",
        where="section 4, definition of C",
        statement=(
            "With C over the *set* of times of a block the gain bound of Theorem 1 holds: for all "
            "m >= 1, s = 1/σ^2 > 0 and h = εT > 0, m rounds at time 0 and m at time T, one point, "
            "k_time = max(0, 1-ε|.|), the gain is at most γ_2m + m φ(s min(1, h)/sqrt(m))."
        ),
        reading=(
            "As printed, the sums run over a set, here of two times: ε^2 C = 2 min(1, h^2); one "
            "block, M_1 = 2m. The kernel is a covariance with 1-k_time <= ε|.|, so (II) holds."
        ),
        parameters=(
            Integer("m", 1, reach=80),
            Real("s", 0, low_open=True),
            Real("h", 0, low_open=True),
        ),
        let=(("rho", "max(0, 1-h)"), ("x", "s*min(1, h)/sqrt(m)")),
        formula=("log((1+m*s)**2 - (m*s*rho)**2)/2 <= log(1+2*m*s)/2 + m*min(x, log(x)+1/x)"),
        witnesses=({"m": 64, "s": "1/64", "h": 1},),
        expected=Verdict.REFUTED,
        because=(
            "Tied times are one point of a set, but each round has its own row in the matrix. At "
            "m = 64, s = 1/64, h = 1 the gain is log 2, more than ½ log 3 + 1/8, as 4/3 > e^(1/4)."
        ),
        finding="slip",
        repairs=(
            "appendix-c-biased-sum",
            "lemma-13-block",
        ),
        remark=(
            "Everywhere else in this ledger C sums over rounds, as Lemma 2 and the proofs do; "
            "lemma-13-set-of-times is the line of the proof that fails."
        ),
    ),
    Claim(
        id="uniformity-over-rounds",
        label="C over rounds",
        where="section 4, definition of C",
        kind="repair",
        statement=(
            "For all times and ε in (0, 1]: the sum over pairs of rounds of min(1/ε^2, gap^2) is "
            "between 0 and n(n-1)/ε^2, ties adding 0."
        ),
        parameters=(Integer("n", 1, 8), Times("t", "n"), Real("eps", 0, 1, low_open=True)),
        formula=(
            "sum(min(1/eps**2, (t[j]-t[k])**2) for j in range(n) for k in range(n)) <= "
            "n*(n-1)/eps**2"
        ),
        expected=Verdict.PROVED,
        because="n(n-1) pairs, each at most 1/ε^2.",
    ),
    Claim(
        id="uniformity-epsilon-zero",
        label="C at ε = 0",
        where="section 4, definition of C, against Theorem 1",
        statement=(
            "For all ε in [0, 1] that Theorem 1 allows, the cap 1/ε^2 of C is defined: ε^2 > 0."
        ),
        parameters=(Real("eps", 0, 1),),
        formula="eps**2 > 0",
        witnesses=({"eps": 0},),
        expected=Verdict.REFUTED,
        because="C is defined for ε > 0 only, while Theorem 1 and its remark use ε = 0.",
        finding="slip",
        repairs=("uniformity-epsilon-zero-limit",),
        remark="Read: no cap at ε = 0, and the drift term is φ(0) = 0.",
    ),
    Claim(
        id="uniformity-epsilon-zero-limit",
        label="The drift term at ε = 0",
        where="section 4",
        kind="repair",
        statement="For all ε > 0 and gaps h >= 0: ε^2 min(1/ε^2, h^2) = min(1, (εh)^2).",
        reading=("The right side is 0 at ε = 0: the product ε^2 C extends to ε = 0 without a cap."),
        parameters=(Real("eps", 0, low_open=True), Real("h", 0)),
        formula="eps**2*min(1/eps**2, h**2) == min(1, (eps*h)**2)",
        expected=Verdict.PROVED,
        because="Multiply inside the minimum.",
    ),
    Claim(
        id="uniform-times",
        label="The uniform setting",
        where="section 4",
        kind="step",
        statement="For all n >= i >= 1 and T > 0: t_k = T/n gives τ_i = iT/n and τ_n = T.",
        reading="The theorem: n equal terms a sum to na.",
        parameters=(Integer("n", 1), Integer("i", 1, "n"), Real("T", 0, low_open=True)),
        formula="sum(T/n for k in range(i)) == T*i/n",
        expected=Verdict.PROVED,
        because="A sum of equal terms.",
        printed_proof="sound",
    ),
)
