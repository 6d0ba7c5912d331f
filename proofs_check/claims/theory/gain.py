"""docs/theory.md#additive and #weak-duality: what brackets the gain, and what lies between."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real

_NOISE = Real("s", 0, low_open=True, search=(None, 1000))
_DET = "det(add(identity({0}), scale(s, {1})))"
_BLOCK = _DET.format(2, "hadamard(K, J)")

CLAIMS = (
    Claim(
        id="theory-gain-above-static",
        label="The joint gain is at least the static one",
        where="docs/theory.md#determinants",
        kind="theory",
        statement=(
            "For every n, K positive semidefinite and any unit-diagonal positive semidefinite "
            "J: log det(I+sK) <= log det(I+sK∘J), s > 0."
        ),
        reading="So γ_n <= γ̃_n for every sequence of times.",
        parameters=(
            Integer("n", 1, 3),
            _NOISE,
            PositiveSemidefinite("K", "n"),
            PositiveSemidefinite("J", "n", unit=True),
        ),
        let=(("L", _DET.format("n", "K")), ("R", _DET.format("n", "hadamard(K, J)"))),
        formula="log(L) <= log(R)",
        expected=Verdict.PROVED,
        because="Oppenheim: det(A∘J) >= det A times the product of J's diagonal, A = I+sK.",
        remark="Equality where all times are equal. No time kernel lowers the gain of a design.",
    ),
    Claim(
        id="theory-additive",
        label="The additive form, Σ γ_{M_i} for N γ_M",
        where="docs/theory.md#additive",
        kind="theory",
        statement="For block prices f, g, h, each at most m = γ_M: f + g + h <= 3m.",
        parameters=tuple(Real(name, 0, search=(None, 100)) for name in "fghm"),
        hypotheses=("f <= m", "g <= m", "h <= m"),
        formula="f + g + h <= 3*m",
        rests_on=("gain-grows-with-points",),
        expected=Verdict.OUTLINE,
        because="γ does not decrease.",
    ),
    Claim(
        id="theory-block-cap",
        label="The cap of a block, (M/2) log(1+s)",
        where="docs/theory.md#additive",
        kind="theory",
        statement=(
            "For n rounds, K positive semidefinite with diagonal at most 1 and unit-diagonal J: "
            "log det(I+sK∘J) <= n log(1+s)."
        ),
        parameters=(
            Integer("n", 1, 3),
            _NOISE,
            PositiveSemidefinite("K", "n", bound=True),
            PositiveSemidefinite("J", "n", unit=True),
        ),
        formula=f"log({_DET.format('n', 'hadamard(K, J)')}) <= n*log(1+s)",
        expected=Verdict.PROVED,
        because="Hadamard.",
    ),
    Claim(
        id="theory-cap-interval",
        label="A search with the cap b and the price γ_a",
        where="docs/theory.md#pruning",
        kind="theory",
        statement=(
            "For partitions whose longest block M is in [a, b], with N blocks and drift w, and v "
            "the least Nγ_a + drift among partitions with blocks of at most b: v <= N γ_M + w."
        ),
        parameters=(
            Integer("N", 1),
            Real("low", 0, search=(None, 100)),
            Real("high", "low", search=(None, 200)),
            Real("w", 0, search=(None, 100)),
            Real("v", 0, "N*low + w"),
        ),
        formula="v <= N*high + w",
        rests_on=("gain-grows-with-points",),
        expected=Verdict.OUTLINE,
        because="γ_a <= γ_M, and the partition itself is among those of cap b.",
    ),
    Claim(
        id="theory-every-sequence-blocks",
        label="Any sequence, the number of blocks",
        where="docs/theory.md#every-sequence",
        kind="theory",
        statement=(
            "N = 3 equal cells of time hold x_i L rounds, L = n/N, the x_i summing to N. Cut into "
            "c_i <= x_i + 1 blocks of at most L rounds each, they are at most 2N blocks."
        ),
        parameters=tuple(Real(name, 0, 3) for name in "xyz")
        + tuple(Real(name, 0, f"{other}+1") for name, other in zip("uvw", "xyz", strict=True)),
        hypotheses=("x + y + z == 3",),
        formula="u + v + w <= 2*3",
        witnesses=({"x": 1, "y": 1, "z": 1, "u": 1, "v": 1, "w": 1},),
        expected=Verdict.OUTLINE,
        because="Each cell wastes less than one block.",
    ),
    Claim(
        id="theory-every-sequence-drift",
        label="Any sequence, the drift of a block",
        where="docs/theory.md#every-sequence",
        kind="theory",
        statement="M rounds within a span g of time, any cap: sqrt(C/M) <= sqrt(M) g.",
        reading=(
            "With M <= n/N and g = T/N that is, up to a constant, what uniform times have. The "
            "search tries any C of at most M(M-1) g^2."
        ),
        parameters=(
            Integer("M", 1),
            Real("g", 0, search=(None, 100)),
            Real("C", 0, "M*(M-1)*g**2"),
        ),
        formula="sqrt(C/M) <= sqrt(M)*g",
        expected=Verdict.PROVED,
        because="M(M-1) ordered pairs of distinct rounds, each at most g^2.",
    ),
    Claim(
        id="theory-monotone-curve",
        label="The curve γ̂_m made non-decreasing",
        where="docs/theory.md#gain-certificate",
        kind="theory",
        statement=(
            "If γ_l <= γ_m for l <= m and u, v bound γ_l, γ_m from above: γ_l <= min(u, v)."
        ),
        parameters=(
            Real("m", 0, search=(None, 100)),
            Real("l", 0, "m"),
            Real("u", "l", search=(None, 200)),
            Real("v", "m", search=(None, 200)),
        ),
        formula="l <= min(u, v)",
        rests_on=("gain-grows-with-points",),
        expected=Verdict.OUTLINE,
        because="γ_l <= γ_m <= v.",
    ),
    Claim(
        id="theory-weak-duality",
        label="The plain dual",
        where="docs/theory.md#weak-duality",
        kind="theory",
        statement=(
            "For every kernel, reference points z with weights W, A = I + W'K_zz W of size p and "
            "V at least every k(x,x) - c(x)'A^-1 c(x) of the n points played, c(x) = W'k_z(x): "
            "twice their gain is at most log det A + tr A^-1 - p + snV."
        ),
        reading=(
            "With W the diagonal matrix of sqrt(snw) that is the value at the design w and the "
            "largest derivative less the mean one, ⟨∇h, w⟩. The search tries two points of "
            "covariance c, n = 2, p = 1 and weights (p, q)."
        ),
        parameters=(
            Real("s", 0, low_open=True, search=(None, 100)),
            Real("c", -1, 1),
            Real("p", search=(-10, 10)),
            Real("q", search=(-10, 10)),
        ),
        let=(
            ("H", "p**2 + 2*c*p*q + q**2"),
            ("V", "max(1 - (p+c*q)**2/(1+H), 1 - (c*p+q)**2/(1+H))"),
        ),
        formula=("max(log(1+2*s), log((1+s)**2-s**2*c**2)) <= log(1+H) + 1/(1+H) - 1 + 2*s*V"),
        expected=Verdict.PROVED,
        because="The certificate at α = 1; ψ(1) = 0.",
    ),
    Claim(
        id="theory-joint-certificate",
        label="The certificate for the joint gain",
        where="docs/theory.md#joint-dual",
        kind="theory",
        statement=(
            "Induction over rounds: L = 2γ̃_n <= S + s(T+t) (Lemma R at the best points, S the sum "
            "of ψ(a_i), T and t those of ψ'A^-1ψ over the first rounds and in the next). T <= M, "
            "the sum of their maxima over the points, and t <= m: L <= S + s(M+m)."
        ),
        parameters=(
            _NOISE,
            *(Real(name, 0, search=(None, 100)) for name in ("S", "M", "m")),
            Real("T", 0, "M"),
            Real("t", 0, "m"),
            Real("L", 0, "S + s*(T+t)"),
        ),
        formula="L <= S + s*(M+m)",
        rests_on=("theory-r-proof",),
        expected=Verdict.OUTLINE,
        because="Lemma R with joint features; the times are fixed, the points are free.",
    ),
    Claim(
        id="theory-certificate-line",
        label="The certificate is a straight line in n",
        where="docs/theory.md#gain-certificate",
        kind="theory",
        statement=(
            "For fixed c = log det(αI+H) + tr(αI+H)^-1 - k, p = ψ(α), v = sV/α: the values of "
            "c + (n-k)p + nv at n, n+1, n+2 are in arithmetic progression."
        ),
        parameters=(*(Real(name, search=(-100, 100)) for name in "cpvk"), Integer("n")),
        formula=(
            "(c + (n+2-k)*p + (n+2)*v) - (c + (n+1-k)*p + (n+1)*v) == "
            "(c + (n+1-k)*p + (n+1)*v) - (c + (n-k)*p + n*v)"
        ),
        expected=Verdict.PROVED,
        because="n enters linearly; Lemma R asks k <= n.",
    ),
    Claim(
        id="theory-gain-relaxed",
        label="What the relaxation of γ can not do",
        where="docs/theory.md#gain-close",
        kind="theory",
        statement=(
            "Two independent arms, three rounds, s = 100: the relaxation has log(1+3s/2), more "
            "than 1.01 times γ_3 = (log(1+s) + log(1+2s))/2."
        ),
        reading="Three rounds on two arms are 1+2 or 0+3; weights of 1/2 have eigenvalues 3s/2.",
        formula="101/100*(log(101) + log(201))/2 < log(151)",
        expected=Verdict.PROVED,
        because="1.0117: half a round at each arm is no round.",
    ),
    Claim(
        id="theory-gain-relaxed-exact",
        label="The relaxation of γ as its value",
        where="docs/theory.md#gain-close",
        kind="theory",
        statement="The relaxation of two arms and three rounds is γ_3, for every s >= 0.",
        parameters=(Real("s", 0, search=(None, 1000)),),
        formula="log(1+3*s/2) <= (log(1+s) + log(1+2*s))/2",
        expected=Verdict.REFUTED,
        because="(1+3s/2)² exceeds (1+s)(1+2s) by s²/4.",
        repairs=("theory-gain-relaxed",),
    ),
)
