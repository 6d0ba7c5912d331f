"""docs/theory.md#theorem-f: the floor. What noisy looks leave of a variance, what that costs."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Vector

_NU = Real("nu", 0, low_open=True, search=(None, 100))
_J = PositiveSemidefinite("J", 3, unit=True)
# p after two looks: the determinant of the looks bordered by the instant, over that of the looks.
_LOOKS = "det([[1+nu, J[0][1]], [J[1][0], 1+nu]])"
_SHARE = (
    "det([[1+nu, J[0][1], J[0][2]], [J[1][0], 1+nu, J[1][2]], [J[2][0], J[2][1], 1]])/" + _LOOKS
)
_SEEN = "(K[{0}][{1}]*J[{0}][{1}])"
_B = "(J[{0}][2]*(c[0]*K[{0}][2] + c[1]*K[{0}][3]))"
_Q = "(c[0]**2*K[2][2] + 2*c[0]*c[1]*K[2][3] + c[1]**2*K[3][3])"
_TWO = [[_SEEN.format(i, j) + (" + nu" if i == j else "") for j in range(2)] for i in range(2)]
_THREE = [
    [*_TWO[0], _B.format(0)],
    [*_TWO[1], _B.format(1)],
    [_B.format(0), _B.format(1), _Q],
]


def _det(rows: list[list[str]]) -> str:
    return "det([" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "])"


_WHERE = "docs/theory.md#theorem-f"
_STEADY = "(eps*(1-nu) + sqrt(eps**2*(1-nu)**2 + 4*eps*nu))/2"
_LOSS = "(1 - sqrt(1-p))"

CLAIMS = (
    Claim(
        id="theory-f-gram",
        label="Theorem F, the posterior covariance keeps the share p of the prior",
        where=_WHERE,
        kind="theory",
        statement=(
            "For all kernels with k_space(x,x) <= κ and k_time(t,t) = 1, all points, times and "
            "numbers of looks: p K ⪯ P ⪯ K for the posterior covariance P at t, p the share that "
            "looks at g(τ) with noise σ²/κ leave."
        ),
        reading="The formula: two looks, two points with weights c, κ = 1, ν = σ².",
        parameters=(
            PositiveSemidefinite("K", 4, bound=True),
            _J,
            _NU,
            Vector("c", 2, search=(-3, 3)),
        ),
        let=(("p", _SHARE), ("P", f"{_det(_THREE)}/{_det(_TWO)}")),
        formula=f"max(p*{_Q} - P, P - {_Q}) <= 0",
        expected=Verdict.PROVED,
        because="Project the points on the direction of Σ c k(z, ·) and predict g(t) alone.",
    ),
    Claim(
        id="theory-f-player",
        label="Theorem F, one set of weights for every point",
        where=_WHERE,
        kind="theory",
        statement=(
            "With c = (J + νI)⁻¹j the mean Σ c_j z_j(x) of whole noisy pictures z has the weights "
            "c at every x: its error is not correlated with any picture, and the covariance of the "
            "mean is (1-p) k_space, also where K is singular."
        ),
        reading="The formula: two pictures, the covariance of the mean at one point of variance k.",
        parameters=(_J, _NU, Real("k", 0, 1)),
        let=(
            ("c0", f"(J[0][2]*(1+nu) - J[1][2]*J[0][1])/{_LOOKS}"),
            ("c1", f"(J[1][2]*(1+nu) - J[0][2]*J[0][1])/{_LOOKS}"),
        ),
        formula=(f"k*(c0**2*(1+nu) + 2*c0*c1*J[0][1] + c1**2*(1+nu)) == k*(1 - {_SHARE})"),
        expected=Verdict.PROVED,
        because="The covariance of the pictures is a product, so the normal equations are.",
    ),
    Claim(
        id="theory-f-noise",
        label="Theorem F, the picture's error and fresh noise make the policy's noise",
        where=_WHERE,
        kind="theory",
        statement=(
            "An error of variance (σ²/κ)k(x,x) and independent noise of variance σ²(1-k(x,x)/κ) "
            "add to σ² at every x, and neither variance is negative."
        ),
        parameters=(
            Real("s", 0, search=(None, 100)),
            Real("kappa", 0, low_open=True, search=(None, 10)),
            Real("k", 0, "kappa"),
        ),
        formula="max(abs(s/kappa*k + s*(1-k/kappa) - s), -s/kappa*k, -s*(1-k/kappa)) <= 0",
        expected=Verdict.PROVED,
        because="The sum is s, and k <= κ.",
    ),
    Claim(
        id="theory-f-step",
        label="Theorem F, whatever is played has at most the largest mean",
        where=_WHERE,
        kind="theory",
        statement=(
            "For finitely many cases with weights w_i and values μ_i(x): Σ w_i μ_i(x_i) <= "
            "Σ w_i max_x μ_i(x), whatever x_i is played in case i."
        ),
        reading="The formula: three cases, two points; case i plays point 0 with a chance u_i.",
        parameters=(
            Vector("w", 3, 0, search=(None, 5)),
            Vector("m", 6, search=(-9, 9)),
            Vector("u", 3, 0, 1),
        ),
        formula=(
            "sum(w[i]*(u[i]*m[2*i] + (1-u[i])*m[2*i+1]) for i in range(3)) <= "
            "sum(w[i]*max(m[2*i], m[2*i+1]) for i in range(3))"
        ),
        expected=Verdict.PROVED,
        because="Term by term; ties and randomisation play no part.",
    ),
    Claim(
        id="theory-f",
        label="Theorem F, the regret of a round",
        where=_WHERE,
        kind="theory",
        statement=(
            "For every policy and fixed times: E r_i >= (1 - √(1-p_i)) m*, as r_i = top - played, "
            "E top = m*, E played <= E max μ_i and E max μ_i = √(1-p_i) m*."
        ),
        reading="Expectations are numbers; that the pictures simulate the policy is in words.",
        parameters=(
            Real("m", 0, search=(None, 10)),
            Real("p", 0, 1),
            Real("played", search=(-20, 20)),
            Real("r", search=(-20, 20)),
        ),
        hypotheses=("played <= sqrt(1-p)*m", "r == m - played"),
        formula="r >= (1 - sqrt(1-p))*m",
        witnesses=({"m": 1, "p": 0, "played": 1, "r": 0},),
        outline=(
            "that the full-information player can play every policy, and that a maximum scales "
            "with its field, is a person's argument"
        ),
        rests_on=("theory-f-player", "theory-f-noise", "theory-f-step"),
        expected=Verdict.OUTLINE,
        because="Addition.",
    ),
    Claim(
        id="theory-f-fewer",
        label="Delays and workers: fewer observations leave more",
        where=_WHERE,
        kind="theory",
        statement=(
            "p given some of the observations is at least p given all of them, for every choice of "
            "some and every semidefinite covariance."
        ),
        reading="The formula: the first of two looks alone.",
        parameters=(_J, _NU),
        formula=f"{_SHARE} <= 1 - J[0][2]**2/(1+nu)",
        expected=Verdict.PROVED,
        because="A prediction from some is a prediction from all, with weights 0.",
    ),
    Claim(
        id="theory-f-certificate",
        label="The share by residuals, without a factorisation",
        where=_WHERE,
        kind="theory",
        statement=(
            "For any numbers c, with A = J + νI and r = j - Ac: p >= 1 - jᵀc - cᵀr - |r|²/ν, for "
            "every n and every time kernel."
        ),
        reading="The formula: two looks.",
        parameters=(_J, _NU, Vector("c", 2, search=(-3, 3))),
        let=(
            ("r0", "J[0][2] - (1+nu)*c[0] - J[0][1]*c[1]"),
            ("r1", "J[1][2] - J[0][1]*c[0] - (1+nu)*c[1]"),
        ),
        formula=(
            "1 - J[0][2]*c[0] - J[1][2]*c[1] - c[0]*r0 - c[1]*r1 - (r0**2 + r1**2)/nu <= " + _SHARE
        ),
        expected=Verdict.PROVED,
        because="jᵀA⁻¹j = jᵀc + cᵀr + rᵀA⁻¹r and A ⪰ νI.",
    ),
    Claim(
        id="theory-f-certificate-unsafe",
        label="The share by residuals, with the residual's square left out",
        where=_WHERE,
        kind="theory",
        statement="For any numbers c: p >= 1 - jᵀc - cᵀr.",
        reading="As theory-f-certificate; what a factor solved in floating point seems to give.",
        parameters=(_J, _NU, Vector("c", 2, search=(-3, 3))),
        let=(
            ("r0", "J[0][2] - (1+nu)*c[0] - J[0][1]*c[1]"),
            ("r1", "J[1][2] - J[0][1]*c[0] - (1+nu)*c[1]"),
        ),
        formula=("1 - J[0][2]*c[0] - J[1][2]*c[1] - c[0]*r0 - c[1]*r1 <= " + _SHARE),
        expected=Verdict.REFUTED,
        because="rᵀA⁻¹r is missing; c = 0 gives p >= 1.",
        repairs=("theory-f-certificate",),
    ),
    Claim(
        id="theory-f-at-least",
        label="n looks leave at least ν/(ν+n)",
        where=_WHERE,
        kind="theory",
        statement="For every unit-diagonal time kernel, all times and n looks: p >= ν/(ν+n).",
        reading="The formula: two looks. Equality where all times are equal.",
        parameters=(_J, _NU),
        formula=f"nu/(nu+2) <= {_SHARE}",
        expected=Verdict.PROVED,
        because="J ⪰ jjᵀ and |j|² <= n.",
    ),
    Claim(
        id="theory-f-recursion",
        label="The recursion for Markov kernels",
        where=_WHERE,
        kind="theory",
        statement=(
            "For sorted times and k_time(u,w) = k_time(u,v) k_time(v,w), u <= v <= w: p_1 = 1, "
            "p_(i+1) = 1 - a²(1 - p_i ν/(p_i+ν)), a = k_time(τ_i, τ_(i+1)), for every round."
        ),
        reading="The formula: the third round, correlations a and b of the two gaps.",
        parameters=(_NU, Real("a", 0, 1), Real("b", 0, 1)),
        let=(("q", "1 - a**2*(1 - nu/(1+nu))"),),
        formula=(
            "det([[1+nu, a, a*b], [a, 1+nu, b], [a*b, b, 1]])/det([[1+nu, a], [a, 1+nu]]) == "
            "1 - b**2*(1 - q*nu/(q+nu))"
        ),
        expected=Verdict.PROVED,
        because="A look turns p into pν/(p+ν), a gap turns 1-p into a²(1-p).",
    ),
    Claim(
        id="theory-f-recursion-smooth",
        label="The recursion for smooth time kernels",
        where=_WHERE,
        kind="theory",
        statement="The recursion of theory-f-recursion holds for every unit-diagonal time kernel.",
        reading="The third round of three instants with any correlations.",
        parameters=(_J, _NU),
        let=(("q", "1 - J[0][1]**2*(1 - nu/(1+nu))"),),
        formula=f"1 - J[1][2]**2*(1 - q*nu/(q+nu)) <= {_SHARE}",
        expected=Verdict.REFUTED,
        because="Without the Markov property older looks tell more: smooth kernels extrapolate.",
        repairs=("theory-f-recursion", "theory-f-certificate"),
    ),
    Claim(
        id="theory-f-monotone",
        label="Rounding the recursion down",
        where=_WHERE,
        kind="theory",
        statement=(
            "p_i rounded down in any rounds, ν rounded down and a² rounded up give at most the "
            "recursion's p_j in every round, from any start in [0, 1] that is rounded down too."
        ),
        reading="The formula: one step, p = 0 included as ν > 0.",
        parameters=(
            Real("p", 0, 1),
            Real("q", "p", 1),
            _NU,
            Real("mu", "nu", search=(None, 200)),
            Real("b", 0, 1),
            Real("a", 0, "b"),
        ),
        formula="1 - b*(1 - p*nu/(p+nu)) <= 1 - a*(1 - q*mu/(q+mu))",
        expected=Verdict.PROVED,
        because="pν/(p+ν) grows with both.",
    ),
    Claim(
        id="theory-f-above-sandwich",
        label="The floor is never below the sandwich's lower side",
        where="docs/theory.md#sandwich",
        kind="theory",
        statement="p_(i+1) >= 1 - a², what is left of f seen without noise, in every round.",
        parameters=(Real("p", 0, 1), _NU, Real("a", 0, 1)),
        formula="1 - a**2 <= 1 - a**2*(1 - p*nu/(p+nu))",
        expected=Verdict.PROVED,
        because="Noise leaves more.",
    ),
    Claim(
        id="theory-f-loss",
        label="The loss 1-√(1-p) is between p/2 and p",
        where=_WHERE,
        kind="theory",
        statement="For p in [0,1]: p/2 <= 1 - √(1-p) <= p.",
        parameters=(Real("p", 0, 1),),
        formula=f"max(p/2 - {_LOSS}, {_LOSS} - p) <= 0",
        expected=Verdict.PROVED,
        because="p = (1-√(1-p))(1+√(1-p)).",
    ),
    Claim(
        id="theory-f-thompson",
        label="Thompson sampling in the full-information game",
        where=_WHERE,
        kind="theory",
        statement=(
            "Thompson sampling costs p m* a round where the least is (1-√(1-p)) m*: 1+√(1-p) "
            "times as much, at most twice."
        ),
        reading="The mean is (1-p) times the sample and an independent part.",
        parameters=(Real("p", 0, 1), Real("m", 0, search=(None, 10))),
        formula=f"max(abs(p*m - (1+sqrt(1-p))*{_LOSS}*m), p*m - 2*{_LOSS}*m) <= 0",
        outline="that the regrets are p m* and (1-√(1-p)) m* is a person's argument",
        expected=Verdict.OUTLINE,
        because="p = (1-√(1-p))(1+√(1-p)).",
    ),
    Claim(
        id="theory-f-steady",
        label="Unit steps: the share falls to its fixed point",
        where=_WHERE,
        kind="theory",
        statement=(
            "With a² = 1-ε at every step, p_i falls and stays at or above p = ½[ε(1-ν) + "
            "√(ε²(1-ν)²+4εν)], which solves p = 1-(1-ε)(1-pν/(p+ν)), for every n."
        ),
        reading="The formula: a share h above p stays above p at the next step.",
        parameters=(Real("eps", 0, 1), _NU, Real("h", 0, 1)),
        let=(("p", _STEADY),),
        hypotheses=(f"{_STEADY} + h <= 1",),
        formula="p <= 1 - (1-eps)*(1 - (p+h)*nu/(p+h+nu)) + 1/10**30",
        witnesses=({"eps": "1/2", "nu": 1, "h": "1/8"},),
        expected=Verdict.PROVED,
        because="The map grows with p.",
        remark="The theorem has no 1/10³⁰: it is there because balls cannot decide an equality.",
    ),
    Claim(
        id="theory-f-rate",
        label="Unit steps: the share is at least √(εν)",
        where="docs/theory.md#rates",
        kind="theory",
        statement="For ν <= 1 and 0 <= ε <= 1 the fixed point p is at least √(εν).",
        reading="So the floor is at least ½m*σ√ε a round, where the old one has ½m*ε.",
        parameters=(Real("eps", 0, 1), Real("nu", 0, 1, low_open=True)),
        formula=f"sqrt(eps*nu) <= {_STEADY}",
        expected=Verdict.PROVED,
        because="ε(1-ν) >= 0 and √(x²+4εν) >= 2√(εν).",
    ),
    Claim(
        id="theory-f-rate-loud",
        label="Unit steps: the share is at least √(εν) for any noise",
        where="docs/theory.md#rates",
        kind="theory",
        statement="For every ν > 0 the fixed point p is at least √(εν).",
        reading="p is a share of a variance: it never exceeds 1.",
        parameters=(Real("eps", 0, 1), _NU),
        formula=f"sqrt(eps*nu) <= {_STEADY}",
        expected=Verdict.REFUTED,
        because="For ν > 1/ε the left side exceeds 1.",
        repairs=("theory-f-rate",),
    ),
    Claim(
        id="theory-f-still",
        label="No drift: the losses sum to a logarithm",
        where=_WHERE,
        kind="theory",
        statement=(
            "Without drift p_i = ν/(ν+i-1), and Σ(1-√(1-p_i)) >= 1 + ½ν log((n+ν)/(1+ν)) for "
            "every n."
        ),
        parameters=(Integer("n", 1, reach=60), _NU),
        formula=("1 + nu/2*log((n+nu)/(1+nu)) <= sum(1 - sqrt(1 - nu/(nu+k)) for k in range(n))"),
        expected=Verdict.PROVED,
        because="1-√(1-p) >= p/2, and a sum of 1/(ν+k) is above its integral.",
    ),
    Claim(
        id="theory-f-determinant",
        label="The floor from one determinant",
        where=_WHERE,
        kind="theory",
        statement=(
            "With g = ½ log det(I+J/ν), the gain of n looks at one point: "
            "n(1-√(1-ν(e^(2g/n)-1))) <= Σ(1-√(1-p_i)), for every time kernel and n."
        ),
        reading="The formula: 2g = Σ log(1+p_i/ν) by the chain rule, any shares p_i in [0,1].",
        parameters=(Integer("n", 1), Vector("p", "n", 0, 1), _NU),
        let=(("q", "nu*(exp(sum(log(1+p[k]/nu) for k in range(n))/n) - 1)"),),
        formula="n*(1 - sqrt(max(0, 1-q))) <= sum(1 - sqrt(1-p[k]) for k in range(n)) + 1/10**20",
        expected=Verdict.PROVED,
        because="Jensen for the logarithm and for the root.",
        remark="The theorem has neither the maximum nor 1/10²⁰: balls need them at equality.",
    ),
    Claim(
        id="theory-f-common-part",
        label="What all points have in common",
        where="docs/theory.md#common-part",
        kind="theory",
        statement=(
            "K - c 11ᵀ ⪰ 0 exactly for c <= 1/(1ᵀK⁻¹1), for every number of points; also for a "
            "singular K with 1 in its range."
        ),
        reading="The formula: three points, both sides times det K (1ᵀK⁻¹1).",
        parameters=(PositiveSemidefinite("K", 3), Vector("v", 3, search=(-5, 5))),
        formula=(
            "det(K)*sum(v[k] for k in range(3))**2 <= (det(add(K, ones(3))) - det(K))*"
            "sum(v[j]*v[k]*K[j][k] for j in range(3) for k in range(3))"
        ),
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz in the inner product of K.",
    ),
    Claim(
        id="theory-f-common-noise",
        label="The common part removed: the noise may be σ²/(κ-c)",
        where="docs/theory.md#common-part",
        kind="theory",
        statement=(
            "The error covariance σ²(K-c11ᵀ)/(κ-c) has variances of at most σ² where k(x,x) <= κ, "
            "and is worth σ²/(κ-c) >= σ²/κ for Theorem F; |D| independent arms: σ²|D|/(|D|-1)."
        ),
        parameters=(
            Real("s", 0, search=(None, 10)),
            Real("kappa", 0, 1, low_open=True),
            Real("c", 0, "kappa", high_open=True),
            Real("k", "c", "kappa"),
        ),
        formula="max(s*(k-c)/(kappa-c) - s, s/kappa - s/(kappa-c)) <= 0",
        rests_on=("theory-f-common-part",),
        expected=Verdict.OUTLINE,
        because="k - c <= κ - c <= κ.",
    ),
    Claim(
        id="theory-f-known-mean",
        label="A known mean: a pair of draws never counts below 0",
        where=_WHERE,
        kind="theory",
        statement=(
            "For every mean m and draw g over any number of points the largest m+tg and the "
            "largest m-tg together do not fall with t >= 0."
        ),
        reading=(
            "So the pairs' mean estimates Ψ(1)-Ψ(√(1-p)) by numbers >= 0. The search tries two "
            "points, 0 <= t <= u."
        ),
        parameters=(
            *(Real(name, search=(-9, 9)) for name in ("m", "k", "g", "h")),
            Real("t", 0, 1),
            Real("u", "t", search=(None, 3)),
        ),
        formula=("max(m+t*g, k+t*h) + max(m-t*g, k-t*h) <= max(m+u*g, k+u*h) + max(m-u*g, k-u*h)"),
        expected=Verdict.PROVED,
        because="Convex and even in t.",
    ),
    Claim(
        id="theory-f-known-mean-less",
        label="A known mean leaves no more to lose",
        where=_WHERE,
        kind="theory",
        statement=(
            "For every mean m and draw g over any number of points: max(m+g) - max(m+tg) <= (1-t) "
            "max g for t <= 1."
        ),
        reading=(
            "So Ψ(1)-Ψ(√(1-p)) <= (1-√(1-p)) m*, the floor without a mean. The search tries two "
            "points, t >= 0."
        ),
        parameters=(
            *(Real(name, search=(-9, 9)) for name in ("m", "k", "g", "h")),
            Real("t", 0, 1),
        ),
        formula="max(m+g, k+h) - max(m+t*g, k+t*h) <= (1-t)*max(g, h)",
        expected=Verdict.PROVED,
        because="m+g = (m+tg) + (1-t)g.",
    ),
    Claim(
        id="theory-f-known-mean-same",
        label="A known mean changes nothing",
        where=_WHERE,
        kind="theory",
        statement="With any known mean m the floor of a round is still (1-√(1-p)) m*.",
        reading=(
            "Two points, their difference d known in the mean, both values ±1 of one draw with "
            "chance 1/2: m* = 1, Ψ(t) = (|d/2+t| + |d/2-t|)/2 but for a constant."
        ),
        parameters=(Real("d", 0, search=(None, 9)), Real("t", 0, 1)),
        formula="1 - t <= (abs(d/2+1) + abs(d/2-1))/2 - (abs(d/2+t) + abs(d/2-t))/2",
        expected=Verdict.REFUTED,
        because="Where d is large the better point is known beforehand, and nothing is lost.",
        repairs=("theory-f-known-mean-less",),
    ),
    Claim(
        id="theory-f-hidden",
        label="The rest known, a part hidden: the covariance of what is known",
        where="docs/theory.md#common-part",
        kind="theory",
        statement=(
            "K = K_r + K_c, both semidefinite; a player who knows the part K_r for ever, and of "
            "the part K_c what Theorem F's pictures tell, has a mean of covariance K - pK_c ⪰ 0."
        ),
        reading="One direction: b and r are the quadratic forms of K_c and K_r.",
        parameters=(
            Real("b", 0, search=(None, 9)),
            Real("r", 0, search=(None, 9)),
            Real("p", 0, 1),
        ),
        formula="max(abs(r + (1-p)*b - ((r+b) - p*b)), p*b - (r+b)) <= 0",
        outline="that the two parts are independent processes is a person's argument",
        rests_on=("theory-f-player",),
        expected=Verdict.OUTLINE,
        because="Both are r + (1-p)b.",
    ),
    Claim(
        id="theory-f-hidden-whole",
        label="All of f hidden, with the noise of a part",
        where="docs/theory.md#common-part",
        kind="theory",
        statement="P ⪰ pK also for p at the noise σ²/max K_c of a part 0 ⪯ K_c ⪯ K.",
        reading="One point of variance 1, one look; K_c = b, p = ν/(ν+b).",
        parameters=(Real("b", 0, 1, low_open=True), _NU),
        formula="nu/(nu+b) <= nu/(nu+1)",
        expected=Verdict.REFUTED,
        because="For its size the part has the larger noise: p may multiply the part only.",
        repairs=("theory-f-hidden",),
    ),
    Claim(
        id="theory-f-delay",
        label="Late results are as good as timely ones",
        where=_WHERE,
        kind="theory",
        statement="With the last result late, its share is at most 1-b²(1-qν/(q+ν)).",
        reading=(
            "Three instants of a Markov kernel, the second look not known at the third: a ceiling "
            "on what the full-information player loses, were it true."
        ),
        parameters=(_NU, Real("a", 0, 1), Real("b", 0, 1)),
        let=(("q", "1 - a**2*(1 - nu/(1+nu))"),),
        formula="1 - (a*b)**2/(1+nu) <= 1 - b**2*(1 - q*nu/(q+nu))",
        expected=Verdict.REFUTED,
        because="The late look is missing: theory-f-fewer says by which side.",
        repairs=("theory-f-fewer",),
    ),
)
