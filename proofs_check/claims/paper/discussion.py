"""What sections 1, 4 and 6 say about the rates and their range."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_C = Real("c", 0, 1, high_open=True)
_UNIFORM = "(4-c)/(5-2*c) + kappa*(1-c)/(5-2*c)"
_MIDDLE_RANGE = (_C, Real("kappa", "c-3/2", 1))

CLAIMS = (
    Claim(
        id="remark-unit-times",
        label="Unit times give Õ(n)",
        where="section 4, after Theorem 1",
        statement=(
            "With t_i = 1 and ε fixed (κ = 1) the bound has exponent 1, for every block length "
            "n^u: as in Bogunovic et al. (c = 0)."
        ),
        parameters=(Real("u", 0, 1),),
        formula="1 + max(-u, min(0, 3*u/2))/2 == 1",
        outline="that these are the exponents of Theorem 1's bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because="The drift of n^u rounds of a fixed ε is of order n. (Õ(n) is also trivial.)",
    ),
    Claim(
        id="remark-no-drift",
        label="Without drift Theorem 1 is the static bound",
        where="section 4, after Theorem 1",
        kind="printed",
        statement=(
            "For every n, s, γ_n and evaluation times with ε = 0 or all times equal: with one "
            "block Theorem 1's bound of the gain, Nγ_M + (n/2) φ(s ε sqrt(C/n)), is γ_n."
        ),
        reading=(
            "φ(0) = 0 (phi-defined). The search tries γ_n + (n/2) s sqrt(n) min(1, εg), g the "
            "longest gap."
        ),
        parameters=(
            Integer("n", 1),
            Real("gamma_n", 0),
            Real("s", 0),
            Real("eps", 0, 1),
            Real("g", 0),
        ),
        hypotheses=("eps*g == 0",),
        formula="gamma_n + n*s*sqrt(n)*min(1, eps*g)/2 == gamma_n",
        witnesses=({"n": 1, "gamma_n": 1, "s": 1, "eps": 0, "g": 1},),
        expected=Verdict.PROVED,
        because="N = 1 and no drift.",
        remark=(
            "One block is meant: N blocks have Nγ_M, which is more than γ_n where γ is concave, "
            "and blocks of single rounds have C = 0 whatever the drift."
        ),
    ),
    Claim(
        id="remark-epsilon-range",
        label="The range of ε in which ε^(1/5) holds",
        where="section 4, after Theorem 2",
        statement=(
            "For all ε = n^e with T = n: ε is in the printed range n^(-3/2) <= ε <= n exactly if "
            "the middle case n^(-3/2) <= εT <= n applies. (εT = n^(e+1).)"
        ),
        parameters=(Real("e", -4, 2),),
        formula=("(1 if (e+3/2)*(1-e) >= 0 else 0) == (1 if (e+1+3/2)*(1-(e+1)) >= 0 else 0)"),
        witnesses=({"e": 1}, {"e": -2}),
        expected=Verdict.REFUTED,
        because=(
            "With T = n the case is n^(-5/2) <= ε <= 1: the printed range forgets T = n, "
            "leaves out ε < n^(-3/2), and allows ε > 1, which no forgetting rate is."
        ),
        finding="slip",
        repairs=("remark-epsilon-range-repaired",),
    ),
    Claim(
        id="remark-epsilon-range-repaired",
        label="The range of ε, repaired",
        where="section 4, after Theorem 2",
        kind="repair",
        statement=(
            "For all e and c in [0, 1), with T = n and ε = n^e: n^(c-5/2) <= ε <= 1 exactly if "
            "the middle case n^(c-3/2) <= εT <= n applies; c = 0 for the squared exponential."
        ),
        parameters=(_C, Real("e", None)),
        formula=("(1 if (e+5/2-c)*(0-e) >= 0 else 0) == (1 if (e+1+3/2-c)*(1-(e+1)) >= 0 else 0)"),
        expected=Verdict.PROVED,
        because="κ = e+1.",
    ),
    Claim(
        id="remark-epsilon-exponent",
        label="The exponents of ε",
        where="section 4, after Theorem 2",
        statement=(
            "For all c in [0, 1) with T = n, ε = n^e: the middle case is n·ε^((1-c)/(5-2c)), "
            "ε^(1/5) for the squared exponential."
        ),
        parameters=(_C, Real("e", "-5/2", 0)),
        formula="(4-c)/(5-2*c) + (1+e)*(1-c)/(5-2*c) == 1 + e*(1-c)/(5-2*c)",
        expected=Verdict.PROVED,
        because="(4-c) + (1-c) = 5-2c.",
    ),
    Claim(
        id="remark-improves-bogunovic",
        label="The improvement over Bogunovic et al.",
        where="section 4, after Theorem 2",
        statement=(
            "For all c in [0, 1): (1-c)/(5-2c) > (1-c)/(6-2c), a smaller regret for every ε < 1; "
            "1/5 against 1/6 at c = 0."
        ),
        reading="The earlier exponents are those of blocks with (n/N+1)(γ_N + N^3 ε), c as there.",
        parameters=(_C,),
        formula="(1-c)/(5-2*c) > (1-c)/(6-2*c)",
        expected=Verdict.PROVED,
        because="A smaller denominator.",
    ),
    Claim(
        id="remark-bogunovic-exponent",
        label="The earlier exponents",
        where="section 4, after Theorem 2",
        kind="step",
        statement=(
            "For all c in [0, 1) and e <= 0: blocks of N = ε^(-1/(3-c)) balance N^c and N^3 ε and "
            "give n ε^((1-c)/(6-2c))."
        ),
        parameters=(_C, Real("e", None, 0)),
        formula="1 + max(-(1-c)*(-e/(3-c)), 2*(-e/(3-c)) + e)/2 == 1 + e*(1-c)/(6-2*c)",
        outline="that these are the exponents of the earlier bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because="-(1-c)/(3-c) and 2/(3-c) - 1 are the same number.",
    ),
    Claim(
        id="remark-epsilon-to-zero",
        label="ε -> 0 at fixed n",
        where="section 4, after Theorem 2",
        statement="For all c: below the first threshold the rate is n^((1+c)/2), at c = 0 sqrt(n).",
        reading="As the limit of the bound; T = n.",
        parameters=(_C, Real("kappa", None, "-3/2")),
        formula="1 + max(-(1-c), min(0, kappa+1/2))/2 == (1+c)/2",
        outline="that these are the exponents of Theorem 1's bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because="The drift term vanishes before γ_n does.",
    ),
    Claim(
        id="remark-n-to-infinity",
        label="n -> oo at fixed ε",
        where="section 4, after Theorem 2",
        statement="For all c in [0, 1): with T = n and ε fixed (κ = 1) the middle case is Õ(n).",
        parameters=(_C,),
        formula="(4-c)/(5-2*c) + (1-c)/(5-2*c) == 1",
        expected=Verdict.PROVED,
        because="(4-c) + (1-c) = 5-2c.",
    ),
    Claim(
        id="remark-sublinear",
        label="Sublinear regret in the extremely biased setting",
        where="section 4, after Theorem 2, and section 6",
        statement="For all c in [0, 1): the exponent (1+c)/2 is below 1, the static one.",
        parameters=(_C,),
        formula="(1+c)/2 < 1",
        rests_on=("theorem-2-II-b",),
        expected=Verdict.OUTLINE,
        because="One jump costs one more block.",
        remark="What the text concludes from it is remark-sublinear-unlike-uniform.",
    ),
    Claim(
        id="remark-sublinear-unlike-uniform",
        label="Sublinear regret, unlike with uniform times",
        where="section 4, after Theorem 2, and section 6",
        statement=(
            "A sublinear bound is what tells the biased setting from the uniform one: for all c in "
            "[0, 1) and κ in [c-3/2, 1] (εT = n^κ) the uniform exponent is not below 1, "
            "(4-c)/(5-2c) + κ(1-c)/(5-2c) >= 1."
        ),
        reading="Uniform times as Theorem 2 (I) has them, every T; where its middle case is right.",
        parameters=_MIDDLE_RANGE,
        formula=f"{_UNIFORM} >= 1",
        witnesses=({"c": 0, "kappa": 0},),
        expected=Verdict.REFUTED,
        because=(
            "At fixed T and ε (κ = 0) Theorem 2 (I)(a) itself gives n^(4/5). Uniform times are "
            "sublinear wherever εT = o(n)."
        ),
        finding="missing hypothesis",
        repairs=("remark-sublinear-unlike-uniform-repaired",),
        remark=(
            "True against T = n. So with section 6's contrast to Bogunovic et al.: their linear "
            "rate is that of unit times and a fixed ε."
        ),
    ),
    Claim(
        id="remark-sublinear-unlike-uniform-repaired",
        label="Sublinear regret, unlike with uniform times at T = n",
        where="section 4, after Theorem 2, and section 6",
        kind="repair",
        statement=(
            "For all c in [0, 1), with T = n and ε fixed (κ = 1): the uniform exponent is 1, above "
            "the biased (1+c)/2."
        ),
        parameters=(_C, Real("kappa", 1, 1)),
        formula=f"(1+c)/2 < {_UNIFORM}",
        expected=Verdict.PROVED,
        because="(4-c) + (1-c) = 5-2c.",
    ),
    Claim(
        id="introduction-deviation",
        label="The difficulty comes from how the evaluation times deviate",
        where="section 1, contributions",
        statement=(
            "For all c in [0, 1) and κ in [c-3/2, 1], the exponent of extremely biased times is "
            "at most that of uniform ones as Theorem 2 prints them: (1+c)/2 <= (4-c)/(5-2c) + "
            "κ(1-c)/(5-2c)."
        ),
        reading=(
            "Deviation as the uniformity C measures it; difficulty as the bound measures it, as "
            "no lower bound is given. Rates as Theorem 2 has them."
        ),
        parameters=_MIDDLE_RANGE,
        formula=f"(1+c)/2 <= {_UNIFORM}",
        expected=Verdict.PROVED,
        because="The difference is (1-c)(κ - c + 3/2)/(5-2c).",
        remark=(
            "Not so with deviation as the spread of the t_i: uniform times have none and the "
            "larger bound, 4/5 against 1/2 at c = 0, κ = 0."
        ),
    ),
)
