"""docs/theory.md#rivals, Bogunovic et al. 2016 on the joint gain: printed and corrected.

Every claim runs over all noise variances v in (0, oo); s = 1/v in the statements. Constants are
those of docs/theory.md#rivals. Unit steps: J_jk = (1-ε)^(|j-k|/2) = w^|j-k|.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real

_NOISE = Real("v", 0, low_open=True, also=("1/100000000", "100000000"))
_EPSILON = Real("eps", 0, 1, high_open=True)
_ROOT = Real("w", 0, 1, low_open=True)
_SPACE = PositiveSemidefinite("K", "n", bound=True)
_JOINT = "[[w**abs(j-k) for k in range(n)] for j in range(n)]"
_LOGDET = "log(det(add(identity(n), scale(1/v, {}))))"
_BOGUNOVIC = "docs/theory.md#rivals; arXiv 1601.06650, Theorem 4.3"

CLAIMS = (
    Claim(
        id="rival-bogunovic-printed",
        label="Bogunovic et al. 2016, Theorem 4.3, the bound on the joint gain as printed",
        where=f"{_BOGUNOVIC}, at each block length",
        kind="theory",
        statement=(
            "For every noise, n rounds at unit steps, every block length N <= n and a domain of "
            "one point, where γ_N = log(1+sN)/2: log det(I + sJ)/2 <= (n/N + 1)(γ_N + N^3 ε), "
            "ε = 1-w^2."
        ),
        reading="The printed bound holds for each block length, not for the best one only.",
        parameters=(Integer("n", 1, 5), Integer("N", 1, "n"), _NOISE, _ROOT),
        formula=f"{_LOGDET.format(_JOINT)}/2 <= (n/N+1)*(log(1+N/v)/2 + N**3*(1-w**2))",
        witnesses=(
            {"n": 3, "N": 3, "v": "1/1000000", "w": "99/100"},
            {"n": 4, "N": 4, "v": "1/20000", "w": "99/100"},
        ),
        expected=Verdict.REFUTED,
        because=(
            "The drift term lacks the noise: at small noise every round gains at least "
            "log(1+sε)/2, which grows with s, while N^3 ε does not."
        ),
        finding="missing hypothesis",
        printed_proof="false",
        repairs=(
            "rival-bogunovic-large-noise",
            "rival-bogunovic-corrected",
            "rival-bogunovic-corrected-sum",
        ),
        remark=("N = 1 is sound (rival-bogunovic-single). N = 2 fails at n = 3 too, at v = 10^-9."),
    ),
    Claim(
        id="rival-bogunovic-single",
        label="Bogunovic et al. 2016, Theorem 4.3, blocks of one round",
        where=_BOGUNOVIC,
        kind="theory",
        statement="N = 1: a gain G <= n γ_1 is at most (n+1)(γ_1 + ε), at every noise.",
        parameters=(Integer("n", 1), _NOISE, _EPSILON, Real("G", 0, search=(None, 1000000))),
        hypotheses=("G <= n*log(1+1/v)/2",),
        formula="G <= (n+1)*(log(1+1/v)/2 + eps)",
        rests_on=("fischer-inequality",),
        expected=Verdict.OUTLINE,
        because="It is above the trivial cap.",
    ),
    Claim(
        id="rival-bogunovic-large-noise",
        label="Bogunovic et al. 2016, Theorem 4.3, at noise variance 1/2 and above",
        where=_BOGUNOVIC,
        kind="repair",
        statement="For v >= 1/2, M >= 1, ε in [0, 1): (M/2) log(1+sM^2 ε) <= M^3 ε.",
        parameters=(Real("v", "1/2"), Real("M", 1), _EPSILON),
        let=(("x", "log(1+M**2*eps/v)"),),
        formula="M*x/2 <= M**3*eps",
        expected=Verdict.PROVED,
        because="log(1+x) <= x; with the corrected form the printed one follows.",
    ),
    Claim(
        id="rival-bogunovic-corrected",
        label="Bogunovic et al. 2016, Theorem 4.3, corrected, for every noise",
        where=_BOGUNOVIC,
        kind="repair",
        statement=(
            "M >= 1, s > 0: in a block each round within M steps of its centre has "
            "1-(1-ε)^d = q <= dε <= Mε (Theorem A), and s q <= sM^2 ε: the term log(1+sq) is at "
            "most log(1+sM^2 ε)."
        ),
        parameters=(_NOISE, Real("M", 1), _EPSILON, Real("q", 0)),
        hypotheses=("q <= M*eps",),
        formula="1 + q/v <= 1 + M**2*eps/v",
        rests_on=("theory-a", "bernoulli"),
        expected=Verdict.OUTLINE,
        because="Theorem A has M ε where the corrected form has M^2 ε.",
    ),
    Claim(
        id="rival-bogunovic-corrected-block",
        label="Bogunovic et al. 2016, Theorem 4.3, corrected, one block with matrices",
        where=_BOGUNOVIC,
        kind="repair",
        statement=(
            "For n <= 3, every noise, K with diagonal at most 1: log det(I+sK∘J) <= "
            "log det(I+sK) + n log(1+sn^2 ε), ε = 1-w^2."
        ),
        parameters=(Integer("n", 1, 3), _NOISE, _ROOT, _SPACE),
        formula=(
            f"{_LOGDET.format(f'hadamard(K, {_JOINT})')} <= {_LOGDET.format('K')} + "
            "n*log(1 + n**2*(1-w**2)/v)"
        ),
        expected=Verdict.SUPPORTED,
        because="rival-bogunovic-corrected proves it for every size.",
    ),
    Claim(
        id="rival-bogunovic-corrected-sum",
        label="Bogunovic et al. 2016, Theorem 4.3, corrected, all blocks",
        where=_BOGUNOVIC,
        kind="repair",
        statement=(
            "B = ceil(n/N) blocks of at most N rounds, (B-1)N <= n-1, each at most γ_N + h, give "
            "B(γ_N + h) <= (n/N + 1)(γ_N + h)."
        ),
        reading="Gains add up over blocks; γ_M and h do not decrease in the block length.",
        parameters=(
            Integer("n", 1),
            Integer("N", 1, "n"),
            Integer("B", 1, "n"),
            Real("g", 0),
            Real("h", 0),
        ),
        hypotheses=("(B-1)*N <= n-1",),
        formula="B*(g+h) <= (n/N + 1)*(g+h)",
        rests_on=("fischer-inequality", "gain-grows-with-points"),
        expected=Verdict.OUTLINE,
        because="ceil(n/N) < n/N + 1.",
    ),
)
