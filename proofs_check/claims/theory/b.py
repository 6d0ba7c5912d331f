"""docs/theory.md#theorem-b and #rates: Theorem B (any pattern of times) and the exponent maps."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Times

_C = Real("c", 0, 1, high_open=True)
_KAPPA = Real("kappa", search=(-10, 10))
_U = Real("u", 0, 1)
_ONE = "1 + max(-(1-c)*u, min(0, kappa-1+3*u/2))/2"
_A = "1 + max(-(1-c)*u, min(0, kappa-1+u))/2"
_A_CLOSED = "min(1, max((1+c)/2, 1 - (1-c)*(1-kappa)/(2*(2-c))))"
_ONE_CLOSED = "min(1, max((1+c)/2, 1 - (1-c)*(1-kappa)/(5-2*c)))"

CLAIMS = (
    Claim(
        id="theory-b",
        label="Theorem B",
        where="docs/theory.md#theorem-b",
        kind="theory",
        statement=(
            "For every non-decreasing sequence of n times within an interval of length T, every "
            "sequence of points, k_space(x,x) <= 1 and 1-k_time <= θ|τ-τ'|: the joint gain is "
            "at most γ_n + sqrt(2sγ_n nθT)."
        ),
        reading=(
            "k_time has a unit diagonal; γ_n is at least the gain of every n points. The search "
            "tries one point and the forgetting kernel."
        ),
        parameters=(
            Integer("n", 1, 4),
            Times("t", "n"),
            Real("eps", 0, 1, low_open=True, high_open=True),
            Real("s", 0, low_open=True, search=(None, 1000)),
        ),
        let=(
            ("J", "[[(1-eps)**(abs(t[j]-t[k])/2) for k in range(n)] for j in range(n)]"),
            ("theta", "-log(1-eps)/2"),
            ("g", "log(1+n*s)/2"),
        ),
        formula=(
            "log(det(add(identity(n), scale(s, J))))/2 <= g + sqrt(2*s*g*n*theta*(t[n-1]-t[0]))"
        ),
        expected=Verdict.PROVED,
        because="Theorem A with cells of equal width and their middles: theory-b-round.",
    ),
    Claim(
        id="theory-b-round",
        label="Theorem B, the term of a round",
        where="docs/theory.md#theorem-b, proof",
        kind="theory",
        statement="For s >= 0, m in [0, 1] and v in [1-m, 1]: log(1+s(1-v^2))/2 <= s m.",
        reading=(
            "A round within w = T/(2N) of its centre has 0 <= 1-v <= θw = m; n rounds cost at "
            "most nsθT/(2N)."
        ),
        parameters=(Real("s", 0), Real("m", 0, 1), Real("v", "1-m", 1)),
        formula="log(1+s*(1-v**2))/2 <= s*m",
        expected=Verdict.PROVED,
        because="log(1+x) <= x and 1-v² <= 2(1-v).",
    ),
    Claim(
        id="theory-exponent-1",
        label="Exponent map of Theorem 1",
        where="docs/theory.md#rates",
        kind="theory",
        statement=(
            "For c in [0, 1), κ and every u in [0, 1]: E(u) = 1 + ½ max(-(1-c)u, min(0, "
            "κ-1+3u/2)) is at least min{1, max{(1+c)/2, 1-(1-c)(1-κ)/(5-2c)}}."
        ),
        reading=(
            "E is the exponent of n in the bound on the regret with blocks of n^u rounds, up to "
            "logarithms: that is read off it by hand. θT = n^κ, γ_m = m^c."
        ),
        parameters=(_C, _KAPPA, _U),
        formula=f"{_ONE_CLOSED} <= {_ONE}",
        expected=Verdict.PROVED,
        because="One term falls in u, the other grows: they cross at u = 2(1-κ)/(5-2c).",
    ),
    Claim(
        id="theory-exponent-1-attained",
        label="Exponent map of Theorem 1, attained",
        where="docs/theory.md#rates",
        kind="theory",
        statement="Equality in theory-exponent-1 at u = 2(1-κ)/(5-2c), cut to [0, 1].",
        parameters=(_C, _KAPPA),
        let=(("u", "min(1, max(0, 2*(1-kappa)/(5-2*c)))"),),
        formula=f"{_ONE} == {_ONE_CLOSED}",
        expected=Verdict.PROVED,
        because="Three cases of the cut.",
    ),
    Claim(
        id="theory-exponent-a",
        label="Exponent map of Theorem A",
        where="docs/theory.md#rates",
        kind="theory",
        statement=(
            "For c in [0, 1), κ and u in [0, 1]: E(u) = 1 + ½ max(-(1-c)u, min(0, κ-1+u)) is at "
            "least min{1, max{(1+c)/2, 1-(1-c)(1-κ)/(2(2-c))}}."
        ),
        reading=(
            "E is the exponent of n in the bound on the regret with blocks of n^u rounds, up to "
            "logarithms: that is read off it by hand."
        ),
        parameters=(_C, _KAPPA, _U),
        formula=f"{_A_CLOSED} <= {_A}",
        expected=Verdict.PROVED,
        because="The terms cross at u = (1-κ)/(2-c).",
    ),
    Claim(
        id="theory-exponent-a-attained",
        label="Exponent map of Theorem A, attained",
        where="docs/theory.md#rates",
        kind="theory",
        statement="Equality in theory-exponent-a at u = (1-κ)/(2-c), cut to [0, 1].",
        parameters=(_C, _KAPPA),
        let=(("u", "min(1, max(0, (1-kappa)/(2-c)))"),),
        formula=f"{_A} == {_A_CLOSED}",
        expected=Verdict.PROVED,
        because="Three cases of the cut.",
    ),
    Claim(
        id="theory-exponent-a-below-1",
        label="Theorem A's exponent is never above Theorem 1's",
        where="docs/theory.md#rates",
        kind="theory",
        statement=(
            "For all c in [0, 1) and κ the least exponent of theory-exponent-a is at most that of "
            "theory-exponent-1."
        ),
        parameters=(_C, _KAPPA),
        formula=f"{_A_CLOSED} <= {_ONE_CLOSED}",
        expected=Verdict.PROVED,
        because="2(2-c) <= 5-2c.",
    ),
    Claim(
        id="theory-exponent-epsilon",
        label="The exponents of ε at unit steps",
        where="docs/theory.md#rates",
        kind="theory",
        statement=(
            "At c = 0 and κ in [0, 1] the least exponent of theory-exponent-a is 1 + (κ-1)/4, "
            "that of theory-exponent-1 is 1 + (κ-1)/5."
        ),
        reading="T = n, ε = n^(κ-1): n ε^(1/4) and n ε^(1/5).",
        parameters=(Real("kappa", 0, 1), Real("c", 0, 0)),
        formula=f"abs({_A_CLOSED} - 1 - (kappa-1)/4) + abs({_ONE_CLOSED} - 1 - (kappa-1)/5) <= 0",
        expected=Verdict.PROVED,
        because="Insert c = 0.",
    ),
    Claim(
        id="theory-exponent-matern",
        label="The Matérn exponents of ε",
        where="docs/theory.md#rates",
        kind="theory",
        statement=("For c in [0, 1): (1-c)/(4-c) (Mandl and Kekkonen, as cited) <= (1-c)/(4-2c)."),
        reading="Theorem A's exponent of ε, the larger the better as ε < 1.",
        parameters=(_C,),
        formula="(1-c)/(4-c) <= (1-c)/(4-2*c)",
        expected=Verdict.PROVED,
        because="4-2c <= 4-c.",
    ),
)
