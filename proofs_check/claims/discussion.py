"""Section 4: the remarks after Theorems 1 and 2 that state a rate or a range; section 5's times."""

from proofs_check.claim import Claim, Identity, Inequality, Verdict
from proofs_check.parameters import Integer, Real

_C = Real("c", 0, 1, high_open=True)

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
        proof=(Inequality("1 + max(-u, min(0, 3*u/2))/2 == 1"),),
        expected=Verdict.PROVED,
        because="The drift of n^u rounds of a fixed ε is of order n. (Õ(n) is also trivial.)",
        printed_proof="absent",
    ),
    Claim(
        id="remark-no-drift",
        label="Without drift Theorem 1 is the static bound",
        where="section 4, after Theorem 1",
        statement=("For all γ_n, n: with ε = 0 or C = 0 and one block, Nγ_M + ½ Σ M_i φ(0) = γ_n."),
        reading="φ(0) = 0, which the definition of φ leaves out (see phi-defined).",
        parameters=(Real("gamma_n", 0), Integer("n", 1)),
        formula="1*gamma_n + n*0/2 == gamma_n",
        proof=(Identity("1*gamma_n + n*0/2 == gamma_n"),),
        expected=Verdict.PROVED,
        because="N = 1 and no drift.",
        printed_proof="absent",
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
            "For all e: n^(-5/2) <= ε <= 1 exactly if the middle case applies (squared "
            "exponential); n^(c-5/2) <= ε <= 1 for Matérn."
        ),
        parameters=(Real("e", None),),
        formula=("(1 if (e+5/2)*(0-e) >= 0 else 0) == (1 if (e+1+3/2)*(1-(e+1)) >= 0 else 0)"),
        proof=(
            Inequality(
                "(1 if (e+5/2)*(0-e) >= 0 else 0) == (1 if (e+1+3/2)*(1-(e+1)) >= 0 else 0)"
            ),
        ),
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
        proof=(Identity("(4-c)/(5-2*c) + (1+e)*(1-c)/(5-2*c) == 1 + e*(1-c)/(5-2*c)"),),
        expected=Verdict.PROVED,
        because="(4-c) + (1-c) = 5-2c.",
        printed_proof="absent",
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
        proof=(Inequality("(1-c)/(5-2*c) > (1-c)/(6-2*c)"),),
        expected=Verdict.PROVED,
        because="A smaller denominator.",
        printed_proof="absent",
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
        proof=(
            Inequality("1 + max(-(1-c)*(-e/(3-c)), 2*(-e/(3-c)) + e)/2 == 1 + e*(1-c)/(6-2*c)"),
        ),
        expected=Verdict.PROVED,
        because="-(1-c)/(3-c) and 2/(3-c) - 1 are the same number.",
        printed_proof="absent",
    ),
    Claim(
        id="remark-epsilon-to-zero",
        label="ε -> 0 at fixed n",
        where="section 4, after Theorem 2",
        statement="For all c: below the first threshold the rate is n^((1+c)/2), at c = 0 sqrt(n).",
        reading="As the limit of the bound; T = n.",
        parameters=(_C, Real("kappa", None, "-3/2")),
        formula="1 + max(-(1-c), min(0, kappa+1/2))/2 == (1+c)/2",
        proof=(Inequality("1 + max(-(1-c), min(0, kappa+1/2))/2 == (1+c)/2"),),
        expected=Verdict.PROVED,
        because="The drift term vanishes before γ_n does.",
        printed_proof="absent",
    ),
    Claim(
        id="remark-n-to-infinity",
        label="n -> oo at fixed ε",
        where="section 4, after Theorem 2",
        statement="For all c in [0, 1): with T = n and ε fixed (κ = 1) the middle case is Õ(n).",
        parameters=(_C,),
        formula="(4-c)/(5-2*c) + (1-c)/(5-2*c) == 1",
        proof=(Identity("(4-c)/(5-2*c) + (1-c)/(5-2*c) == 1"),),
        expected=Verdict.PROVED,
        because="(4-c) + (1-c) = 5-2c.",
        printed_proof="absent",
    ),
    Claim(
        id="remark-sublinear",
        label="Sublinear regret in the extremely biased setting",
        where="section 4, after Theorem 2, and section 6",
        statement="For all c in [0, 1): the exponent (1+c)/2 is below 1, the static one.",
        parameters=(_C,),
        formula="(1+c)/2 < 1",
        proof=(Inequality("(1+c)/2 < 1"),),
        rests_on=("theorem-2-II-b",),
        expected=Verdict.PROVED,
        because="One jump costs one more block.",
        printed_proof="absent",
    ),
    Claim(
        id="setting-biased-times",
        label="The evaluation times of the biased experiment",
        where="section 5.1",
        kind="step",
        statement=(
            "For all points of the unit square, with w = sin(sqrt(2) π |x|) in [-1, 1]: "
            "t = 2(w+2) is between 2 and 6, so gaps are at least 1 and (II) holds with ε = 0.01."
        ),
        parameters=(Real("w", -1, 1),),
        formula="abs(2*(w+2) - 4) <= 2",
        proof=(Inequality("abs(2*(w+2) - 4) <= 2"),),
        rests_on=("assumption-1-II-gaps",),
        expected=Verdict.PROVED,
        because="The sine is between -1 and 1.",
    ),
)
