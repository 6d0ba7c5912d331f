"""docs/theory.md#floor-times: floors for times t(x), and floors that hold with probability."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector

_G = "(exp(-({0})**2/2)/sqrt(2*pi) - ({0})*normal_cdf(-({0})))"
_TIMES = "docs/theory.md#floor-times"
_LEVEL = "docs/theory.md#floor-level"
_V = Real("v", 0, low_open=True, search=(None, 4))
_S = Real("S", 0, low_open=True, search=(None, 1000))
_L = Real("l", 0, search=(None, 100))

CLAIMS = (
    Claim(
        id="theory-f-chosen-round",
        label="Theorem F for times t(x), one round",
        where=_TIMES,
        kind="theory",
        statement=(
            "Where t = t(x): E r_3 >= (1-√(1-p)) m* for p = ν/(ν+2), the least share over all "
            "possible times, of the policy below."
        ),
        reading=(
            "Points 1, 2 with f(2) = -f(1), at no time, and copies of them that take so long that "
            "f is new. Look at 1; where the mean is below c, look at a copy of it; then play the "
            "larger mean. E r_3 is at most the right side, m* = √(2/π)."
        ),
        parameters=(
            Real("nu", 0, 1, low_open=True),
            Real("c", 0, search=(None, 3)),
        ),
        let=(("p", "nu/(1+nu)"),),
        formula=(
            "(1 - sqrt(1 - nu/(nu+2)))*sqrt(2/pi) <= "
            "(1 - 2*normal_cdf(-c/sqrt(1-p)))*(1 - sqrt(1-p))*sqrt(2/pi) + "
            f"2*normal_cdf(-c/sqrt(1-p))*2*sqrt(p)*{_G.format('c/sqrt(p)')}"
        ),
        witnesses=({"nu": "1/100", "c": "3/10"},),
        expected=Verdict.REFUTED,
        because="The policy waits for a time without a near tie.",
        repairs=("theory-f-lattice", "theory-f"),
    ),
    Claim(
        id="theory-f-chosen-times",
        label="Theorem F for times t(x), the sum",
        where=_TIMES,
        kind="theory",
        statement=(
            "Where t = t(x): E R_n/m* >= Σ(1-√(1-ν/(ν+i-1))), the sum with the least share of each "
            "round over all possible times, for the policy below and ν = 1."
        ),
        reading=(
            "As theory-f-chosen-round. Epochs: a fresh look and m-1 more, the larger mean played; "
            "where the mean ends below c, a new epoch; else its sign for ever. Its regret is at "
            "most the right side; the left side is below the sum (theory-f-still)."
        ),
        parameters=(
            Integer("m", 1, 60),
            Integer("n", 1),
            Real("c", 0, search=(None, 3)),
        ),
        let=(("p", "1/(1+m)"),),
        formula=(
            "1 + log((n+1)/2)/2 <= sum(1 - sqrt(1 - 1/(1+k)) for k in range(m))/"
            "(2*normal_cdf(-c/sqrt(1-p))) + "
            f"n*2*sqrt(p)*{_G.format('c/sqrt(p)')}/sqrt(2/pi)"
        ),
        witnesses=({"m": 32, "n": 1_000_000_000, "c": 1},),
        expected=Verdict.REFUTED,
        because=(
            "The policy's regret stays bounded, up to a share of n that falls like exp(-c²m/2), "
            "where the sum grows like ½ log n."
        ),
        repairs=("theory-f-lattice", "theory-f"),
    ),
    Claim(
        id="theory-f-lattice",
        label="The floor for times t(x) on a lattice",
        where=_TIMES,
        kind="theory",
        statement=(
            "For n rounds at multiples J_1 < J_2 < … with gaps of at most L and losses ρ >= 0 of "
            "every multiple: Σρ(J_i) is at least the sum of the least ρ of each of the first ⌊n/L⌋ "
            "windows of L multiples, for every n and L."
        ),
        reading="The formula: three rounds; gaps g and window L.",
        parameters=(
            Integer("L", 1, 3),
            *(Integer(f"g{i}", 1, "L") for i in range(3)),
            Vector("rho", "3*L", 0, search=(None, 9)),
        ),
        formula=(
            "sum(min([rho[k*L+j] for j in range(L)]) for k in range(floor(3/L))) <= "
            "rho[g0-1] + rho[g0+g1-1] + rho[g0+g1+g2-1]"
        ),
        expected=Verdict.PROVED,
        because="No gap jumps over a window, and the last round lies at n or beyond.",
    ),
    Claim(
        id="theory-f-lattice-rounds",
        label="The lattice's floor with the least loss of every round's window",
        where=_TIMES,
        kind="theory",
        statement="Σρ(J_i) is at least the sum over n rounds of the least ρ in the i-th window.",
        reading="n windows for n rounds in place of ⌊n/L⌋; two rounds, L = 2.",
        parameters=(
            Integer("g0", 1, 2),
            Integer("g1", 1, 2),
            Vector("rho", 4, 0, search=(None, 9)),
        ),
        formula=("sum(min(rho[2*k], rho[2*k+1]) for k in range(2)) <= rho[g0-1] + rho[g0+g1-1]"),
        expected=Verdict.REFUTED,
        because="Two short rounds lie in one window.",
        repairs=("theory-f-lattice",),
    ),
    Claim(
        id="theory-f-level",
        label="The floor with probability, from the moment generating function to δ",
        where=_LEVEL,
        kind="theory",
        statement=(
            "With log E exp(λ(Σ(Er_i - r_i))) <= λ²vS/2 for all λ > 0, S = Σp⁰_i: the exponent "
            "-λu + λ²vS/2 at λ = u/(vS) is -log(1/δ) for u = √(2vS log(1/δ)), l = log(1/δ)."
        ),
        parameters=(_V, _S, _L),
        formula="(2*v*S*l)/(v*S) - (2*v*S*l)/(v*S)**2*(v*S)/2 == l",
        rests_on=("borell-tis",),
        expected=Verdict.OUTLINE,
        because="u²/(vS) - u²/(2vS).",
    ),
    Claim(
        id="theory-f-level-useful",
        label="The floor with probability, where it says something",
        where=_LEVEL,
        kind="theory",
        statement=("Where Σρ⁰ >= ½m*S and S > 8v log(1/δ)/m*²: Σρ⁰ > √(2v log(1/δ) S)."),
        reading="v = 2(κ - min k_space); S = Σp⁰_i, about nε for unit steps.",
        parameters=(
            _V,
            _S,
            _L,
            Real("m", 0, low_open=True, search=(None, 5)),
            Real("R", 0, search=(None, 1000)),
        ),
        hypotheses=("R >= m*S/2", "S*m**2 > 8*v*l"),
        formula="sqrt(2*v*l*S) < R",
        witnesses=({"v": 1, "S": 10, "l": 1, "m": 1, "R": 5},),
        expected=Verdict.PROVED,
        because="Square both sides.",
        remark="Σρ⁰ is not seen: its mean is at least ½m*S, so the threshold is a guide.",
    ),
    Claim(
        id="theory-f-level-noise",
        label="The floor with probability at the rate σ√ε",
        where=_LEVEL,
        kind="theory",
        statement=(
            "With noise the same martingale argument gives Σ(1-√(1-p_i))m* - √(2vS log(1/δ)) with "
            "S = Σp_i: the variance of Σ(r_i - E[r_i|F]) were at most the sum of the variances."
        ),
        reading=(
            "ε = 0, two independent points, always the first: r = (g-f)₊ in all m rounds, the "
            "deviations are equal, of variance V = 1 - (√3/2+π/3)/π each given the data."
        ),
        parameters=(Integer("m", 1, 1000),),
        formula="m**2*(1 - (sqrt(3)/2+pi/3)/pi) <= m*(1 - (sqrt(3)/2+pi/3)/pi)",
        expected=Verdict.REFUTED,
        because="With noise a regret is not adapted to the data; open at this rate.",
        repairs=("theory-f-level", "theory-regret-martingale-correlated"),
    ),
)
