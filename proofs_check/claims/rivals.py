"""Published rivals (theory notes 9): their printed inequalities, and corrected forms."""

from proofs_check.claim import Claim, Follows, Identity, Inequality, Verdict
from proofs_check.parameters import Integer, PositiveSemidefinite, Real

_NOISE = Real("s", 0, low_open=True)
_EPSILON = Real("eps", 0, 1, high_open=True)
_JOINT = "[[v**abs(j-k) for k in range(n)] for j in range(n)]"
_LOGDET = "log(det(add(identity(n), scale(s, {}))))"

CLAIMS = (
    Claim(
        id="rival-bogunovic-printed",
        label="Bogunovic et al. 2016, Theorem 4.3, the bound on the joint gain as printed",
        where="theory notes 9; arXiv 1601.06650, Theorem 4.3, one block of all n rounds",
        kind="theory",
        statement=(
            "For every noise, n rounds at unit steps and a domain of one point, where γ_n = "
            "log(1+sn)/2: log det(I + sJ)/2 <= (n/n + 1)(γ_n + n^3 ε), J_jk = (1-ε)^(|j-k|/2), "
            "v = sqrt(1-ε)."
        ),
        reading="The printed bound holds for each block length; here it is n.",
        parameters=(Integer("n", 1, 4), _NOISE, Real("v", 0, 1, low_open=True)),
        formula=f"{_LOGDET.format(_JOINT)} <= 2*log(1+s*n) + 4*n**3*(1-v**2)",
        witnesses=({"n": 4, "s": 20000, "v": "99/100"},),
        expected=Verdict.REFUTED,
        because=(
            "The drift term lacks the noise: at small noise every round gains at least "
            "log(1+sε)/2, which grows with s, while n^3 ε does not."
        ),
        finding="missing hypothesis",
        printed_proof="false",
        repairs=("rival-bogunovic-large-noise", "rival-bogunovic-corrected"),
    ),
    Claim(
        id="rival-bogunovic-large-noise",
        label="Bogunovic et al. 2016, Theorem 4.3, at noise variance 1/2 and above",
        where="theory notes 9; arXiv 1601.06650, Theorem 4.3",
        kind="repair",
        statement="For 0 < s <= 2, M >= 1, ε in [0, 1): (M/2) log(1+sM^2 ε) <= M^3 ε.",
        parameters=(Real("s", 0, 2, low_open=True), Real("M", 1), _EPSILON),
        let=(("w", "log(1+s*M**2*eps)"),),
        formula="M*w/2 <= M**3*eps",
        proof=(
            Follows("w <= s*M**2*eps", given=(("w <= s*M**2*eps", "log-below-line"),)),
            Inequality("s*M**2*eps <= 2*M**2*eps"),
            Follows("w <= 2*M**2*eps", given=("w <= s*M**2*eps", "s*M**2*eps <= 2*M**2*eps")),
            Follows("M*w/2 <= M**3*eps", given=("w <= 2*M**2*eps",)),
        ),
        rests_on=("log-below-line",),
        expected=Verdict.PROVED,
        because="log(1+x) <= x; with the corrected form the printed one follows.",
    ),
    Claim(
        id="rival-bogunovic-corrected",
        label="Bogunovic et al. 2016, Theorem 4.3, corrected, for every noise",
        where="theory notes 9; arXiv 1601.06650, Theorem 4.3",
        kind="repair",
        statement=(
            "M >= 1, s > 0: in a block each round within M steps of its centre has "
            "1-(1-ε)^d = q <= dε <= Mε (Theorem A), and s q <= sM^2 ε: the term log(1+sq) is at "
            "most log(1+sM^2 ε)."
        ),
        parameters=(_NOISE, Real("M", 1), _EPSILON, Real("q", 0)),
        hypotheses=("q <= M*eps",),
        formula="1 + s*q <= 1 + s*M**2*eps",
        proof=(
            Inequality("M*eps <= M**2*eps"),
            Follows("1 + s*q <= 1 + s*M**2*eps", given=("q <= M*eps", "M*eps <= M**2*eps")),
        ),
        rests_on=("theory-a", "bernoulli"),
        expected=Verdict.PROVED,
        because="Theorem A has M ε where the corrected form has M^2 ε.",
    ),
    Claim(
        id="rival-mandl-kekkonen-lags",
        label="Mandl and Kekkonen 2026, the sum over lags",
        where="theory notes 9; arXiv 2608.18863",
        kind="theory",
        statement="The squared distances of M unit steps sum to M^2 (M^2-1)/6, over ordered pairs.",
        parameters=(Integer("M", 1),),
        formula="sum(2*(M-m)*m**2 for m in range(1, M)) == M**2*(M**2-1)/6",
        proof=(Identity("sum(2*(M-m)*m**2 for m in range(1, M)) == M**2*(M**2-1)/6"),),
        expected=Verdict.PROVED,
        because="So ε sqrt(C γ/2) is ε M sqrt(M^2-1)/(2 sqrt(3)) sqrt(γ).",
        printed_proof="sound",
    ),
    Claim(
        id="rival-mandl-kekkonen-block",
        label="Mandl and Kekkonen 2026, one block with matrices",
        where="theory notes 9; arXiv 2608.18863, unit steps",
        kind="theory",
        statement=(
            "For n <= 3, every noise, K with diagonal at most 1, g = log det(I+sK)/2: "
            "log det(I+sK∘J)/2 <= g + sε n sqrt(n^2-1)/(2 sqrt(3)) sqrt(g), v = sqrt(1-ε)."
        ),
        parameters=(
            Integer("n", 1, 3),
            Real("s", 0, 10000, low_open=True),
            Real("v", 0, 1, low_open=True),
            PositiveSemidefinite("K", "n", bound=True),
        ),
        formula=(
            f"{_LOGDET.format(f'hadamard(K, {_JOINT})')}/2 <= {_LOGDET.format('K')}/2 + "
            f"s*(1-v**2)*n*sqrt(n**2-1)/(2*sqrt(3))*sqrt({_LOGDET.format('K')}/2)"
        ),
        expected=Verdict.SUPPORTED,
        because="The tangent of log det at I+sK; ‖sK(I+sK)^-1‖_F^2 <= 2g.",
        printed_proof="sound",
    ),
)
