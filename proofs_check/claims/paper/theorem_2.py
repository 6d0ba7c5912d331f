"""Theorem 2 (section 4): the regret rates in the uniform and in the extremely biased setting.

Rates are exponents of n up to logarithms: εT = n^κ, γ_m = n^(uc) for blocks of m = n^u rounds, and
Theorem 1 gives R_n the exponent 1 + max(-(1-c)u, min(0, κ-1+3u/2))/2, u in [0, 1] free. The
squared exponential kernel is c = 0; the paper's Matérn exponent is c = d(d+1)/(2ν+d(d+1)).
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_RATE = "1 + max(-(1-c)*u, min(0, kappa-1+3*u/2))/2"
_SE_RATE = "1 + max(-u, min(0, kappa-1+3*u/2))/2"
_BEST_SE = "1 + max(-min(1, 2*(1-kappa)/5), min(0, kappa-1+3*min(1, 2*(1-kappa)/5)/2))/2"
_BLOCK = "min(1, 2*(1-kappa)/(5-2*c))"
_BEST = f"1 + max(-(1-c)*{_BLOCK}, min(0, kappa-1+3*{_BLOCK}/2))/2"
_BALANCED = "(2*(1-kappa)/(5-2*c))"
_TWO_RATES = (
    f"(max(k-1, kappa+1/2) if kappa <= c-3/2 else max(-(1-c)*{_BALANCED}, kappa-1+3*{_BALANCED}/2))"
)
_MIDDLE = "(4-c)/(5-2*c) + kappa*(1-c)/(5-2*c)"
_C = Real("c", 0, 1, high_open=True)
_READING = "ε bounded away from 1, so that θ <= const·ε; ν > 1; 'high probability' is 1-δ, δ fixed."
_UNIFORM = (
    "The rate of γ_m for m up to 2n, with logarithms in G, the event, the policy and a k_time >= 0 "
    "of unit diagonal and slope θ are hypotheses; θ <= const·ε where ε stays away from 1. The "
    "search tries the exponents of Theorem 1's bound with blocks of n^u rounds."
)
_ARRAY = " t_i = T/n is another sequence for each n (unless T/n is fixed); R_n is that of its own."
TWO_TIMES = (
    Integer("a", 0),
    Integer("b", 1),
    Real("s", 0, low_open=True),
    Real("r", 0, 1),
)
TWICE = "log((1+a*s)*(1+b*s) - a*b*s**2*r**2)/2 <= log(1+(a+b)*s)"

CLAIMS = (
    Claim(
        id="theorem-2-epsilon-near-one",
        label="Theorem 2 (I), all ε that the paper allows",
        where="section 4, Theorem 2 (I)(a), first two cases",
        statement=(
            "For all κ < 1 the printed exponent of R_n is at least that of a lower bound at ε = 1: "
            "there all rounds at distinct times are independent, so for a two-point domain of "
            "independent values E r_i >= 1/sqrt(π) whatever is done, and the exponent is 1."
        ),
        reading="Literal: the time kernel of section 2.2 with any ε in [0, 1], T free.",
        parameters=(Real("kappa", -3, 1, high_open=True),),
        formula="1 <= (1/2 if kappa < -3/2 else (4+kappa)/5)",
        witnesses=({"kappa": "-2"}, {"kappa": 0}),
        expected=Verdict.REFUTED,
        because=(
            "With T = n^κ and ε = 1 the objective is new in every round, however small T: the "
            "regret is linear. (II) of Assumption 1 fails, which Theorem 2 does not ask for."
        ),
        finding="missing hypothesis",
        place_of="forgetting-kernel-epsilon-one",
        repairs=("theorem-2-I-a-first", "theorem-2-I-a-middle", "assumption-1-II-small"),
        remark="Either ε stays below some ε_0 < 1, or θ = -log(1-ε)/2 replaces ε.",
    ),
    Claim(
        id="theorem-2-epsilon-near-one-matern",
        label="Theorem 2 (I)(b), all ε that the paper allows",
        where="section 4, Theorem 2 (I)(b), first two cases",
        statement=(
            "For all κ < 1 and c in (0, 1) the printed exponent of R_n is at least 1, that of a "
            "lower bound at ε = 1: two points of correlation k < 1 give E r_i >= sqrt((1-k)/π) in "
            "every round, whatever is done (fresh-objective-regret)."
        ),
        reading="Literal: the time kernel of section 2.2 with any ε in [0, 1], T free.",
        parameters=(
            Real("c", 0, 1, low_open=True, high_open=True),
            Real("kappa", -3, 1, high_open=True),
        ),
        formula=f"1 <= ((1+c)/2 if kappa < -3/2 else {_MIDDLE})",
        witnesses=({"c": "1/2", "kappa": -2}, {"c": "1/2", "kappa": 0}),
        expected=Verdict.REFUTED,
        because=(
            "As in (I)(a): at ε = 1 every round's objective is new and the regret is linear, while "
            "(1+c)/2 < 1 and 1 - (1-κ)(1-c)/(5-2c) < 1. At c = 1/2: 3/4 and, at κ = 0, 7/8."
        ),
        finding="missing hypothesis",
        place_of="forgetting-kernel-epsilon-one",
        repairs=(
            "theorem-2-I-b-first",
            "theorem-2-I-b-middle-threshold",
            "assumption-1-II-small",
        ),
        remark="Either ε stays below some ε_0 < 1, or θ = -log(1-ε)/2 replaces ε.",
    ),
    Claim(
        id="fresh-objective-regret",
        label="Regret when the objective is new in every round",
        where="section 4, Theorem 2 (I)",
        kind="repair",
        statement=(
            "For two points with correlation k < 1 and a policy that knows nothing of the current "
            "objective: E r = E max(g_1, g_2) = sqrt((1-k)/π) > 0 in every round."
        ),
        parameters=(Real("k", -1, 1, high_open=True),),
        formula="(1-k)/pi > 0",
        outline="that E max of two normal variables is sqrt((1-k)/π) is a textbook integral",
        expected=Verdict.OUTLINE,
        because="max(a,b) = (a+b)/2 + |a-b|/2 and E|N(0, v)| = sqrt(2v/π).",
    ),
    Claim(
        id="theorem-2-I-a-first",
        label="Theorem 2 (I)(a), first case",
        where="section 4, Theorem 2 (I)(a)",
        statement=(
            "On the confidence event, uniform times with θT <= n^κ, κ <= -3/2, and γ_m <= G, as "
            "for the squared exponential up to logarithms: R_n <= F sqrt(n) + 2 with F = "
            "sqrt(CB(4G + 6s)), C = 8/log(1+s), B at least every β_i."
        ),
        reading=_UNIFORM + _ARRAY,
        parameters=(Real("kappa", None, "-3/2"), Real("u", 1, 1)),
        formula=f"{_SE_RATE} <= 1/2",
        expected=Verdict.PROVED,
        because="One block: the drift term n·n^(κ+1/2) is at most 1.",
        printed_proof="sound",
    ),
    Claim(
        id="theorem-2-I-a-middle",
        label="Theorem 2 (I)(a), middle case",
        where="section 4, Theorem 2 (I)(a)",
        statement=(
            "On the confidence event, uniform times with θT <= n^κ, κ in [-3/2, 1], and γ_m <= "
            "G: R_n <= F n^((4+κ)/5) + 2 with F = sqrt(CB(4G + 6s)), C = 8/log(1+s), B at least "
            "every β_i."
        ),
        reading=_UNIFORM + _ARRAY,
        parameters=(Real("kappa", "-3/2", 1),),
        formula=f"{_BEST_SE} <= (4+kappa)/5",
        expected=Verdict.PROVED,
        because="Both terms of the bound balance at that block length.",
        printed_proof="gap",
    ),
    Claim(
        id="theorem-2-I-a-optimal",
        label="Theorem 2 (I)(a), the block length is the best",
        where="section 4, before Theorem 2",
        kind="step",
        statement="For all κ in [-3/2, 1] and u in [0, 1]: no block length gives below (4+κ)/5.",
        reading="'Appropriately choosing the partition', among equal blocks.",
        parameters=(Real("kappa", "-3/2", 1), Real("u", 0, 1)),
        formula=f"{_SE_RATE} >= (4+kappa)/5",
        outline="that these are the exponents of Theorem 1's bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because="The first term falls and the second grows in u.",
    ),
    Claim(
        id="theorem-2-I-a-last",
        label="Theorem 2 (I)(a), last case",
        where="section 4, Theorem 2 (I)(a)",
        statement=(
            "For all κ >= 1 (εT >= n): R_n is at most n(1 + (εT/n)^(1/2)) up to logarithms, "
            "exponent 1 + (κ-1)/2. Compared with the exponent 1 that always holds."
        ),
        reading="R_n <= 2 sqrt(β_n) n + 2 on the confidence event, from σ <= 1.",
        parameters=(Real("kappa", 1),),
        formula="1 <= 1 + (kappa-1)/2",
        outline="that these are the exponents of Theorem 1's bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because=(
            "True but says less than nothing: the trivial bound Õ(n), which Theorem 1 with single "
            "rounds gives as well, is smaller for every εT > n."
        ),
        finding="vacuous",
        printed_proof="false",
        repairs=("theorem-2-I-last-repaired",),
    ),
    Claim(
        id="theorem-2-I-last-repaired",
        label="Theorem 2 (I), last case, sharpened to Õ(n)",
        where="section 4, Theorem 2 (I)",
        kind="repair",
        statement=(
            "On the confidence event, with k(x,x) <= 1, for all times: R_n <= 2 sqrt(B) n + 2, "
            "B at least every β_i. So Õ(n) also for εT >= n."
        ),
        reading=(
            "The theorem is that of theory-trivial-regret; the event and the policy are "
            "hypotheses. The search tries the exponent of Theorem 1's bound with blocks of one "
            "round, u = 0."
        ),
        parameters=(Real("kappa", 1), _C, Real("u", 0, 0)),
        formula=f"{_RATE} <= 1",
        expected=Verdict.PROVED,
        because="σ <= 1.",
    ),
    Claim(
        id="theorem-2-I-b-first",
        label="Theorem 2 (I)(b), first case",
        where="section 4, Theorem 2 (I)(b)",
        statement=(
            "On the confidence event, uniform times with θT <= n^κ, κ <= -3/2, and γ_m <= G "
            "m^c, c in [0, 1): R_n <= F n^((1+c)/2) + 2 with F = sqrt(CB(4G + 6s)), C = "
            "8/log(1+s), B at least every β_i."
        ),
        reading=_UNIFORM,
        parameters=(Real("kappa", None, "-3/2"), _C, Real("u", 1, 1)),
        formula=f"{_RATE} <= (1+c)/2",
        expected=Verdict.PROVED,
        because="One block: the drift term is at most 1, below γ_n = n^c.",
    ),
    Claim(
        id="theorem-2-I-b-middle",
        label="Theorem 2 (I)(b), middle case",
        where="section 4, Theorem 2 (I)(b)",
        statement=(
            "For all ν > 1, d >= 1, the paper's c and κ in [-3/2, 1]: R_n has at most the exponent "
            "(4-c)/(5-2c) + κ(1-c)/(5-2c)."
        ),
        reading=_READING
        + " Below κ = c-3/2 with γ_n = Õ(n^k), k = d/(2ν+d), of Vakili et al., as given.",
        parameters=(
            Real("d", 1),
            Real("nu", 1, low_open=True),
            _C,
            Real("k", 0, 1),
            Real("kappa", "-3/2", 1),
        ),
        hypotheses=("c*(2*nu + d*(d+1)) == d*(d+1)", "k*(2*nu+d) == d"),
        formula=f"(1 + {_TWO_RATES}/2)*(5-2*c) <= (4-c) + kappa*(1-c)",
        witnesses=({"d": 2, "nu": "5/2", "c": "6/11", "k": "2/7", "kappa": "-3/2"},),
        outline="that these are the exponents of Theorem 1's bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because=(
            "True, but not by the argument given, which yields it from εT = n^(c-3/2) on only "
            "(theorem-2-I-b-middle-derived). Below, one block and a later γ-rate give it."
        ),
        finding="wrong reason",
        printed_proof="false",
        repairs=("theorem-2-I-b-middle-threshold",),
    ),
    Claim(
        id="theorem-2-I-b-middle-derived",
        label="Theorem 2 (I)(b), middle case, as a consequence of Theorem 1",
        where="section 4, Theorem 2 (I)(b)",
        kind="step",
        statement=(
            "For all κ in [-3/2, 1] and c in [0, 1): the best block length gives R_n the exponent "
            "(4-c)/(5-2c) + κ(1-c)/(5-2c)."
        ),
        reading=_READING + " γ_m = n^c with the paper's c, the rate that it cites.",
        parameters=(_C, Real("kappa", "-3/2", 1)),
        formula=f"{_BEST} <= {_MIDDLE}",
        witnesses=({"c": "1/2", "kappa": "-3/2"},),
        expected=Verdict.REFUTED,
        because=(
            "The regime begins at εT = n^(c-3/2), not n^(-3/2): between the two the balancing "
            "block is longer than n, and the bound stays at n^((1+c)/2), above the printed rate."
        ),
        finding="false",
        printed_proof="false",
        repairs=("theorem-2-I-b-middle-threshold", "theorem-2-I-b-middle"),
        remark="The proof is 'almost the same' as for c = 0, where the two thresholds agree.",
    ),
    Claim(
        id="theorem-2-I-b-optimal",
        label="Theorem 2 (I)(b), nothing better follows below the right threshold",
        where="section 4, Theorem 2 (I)(b)",
        kind="repair",
        statement="For all c in [0, 1), κ <= c-3/2, u in [0, 1]: the exponent is >= (1+c)/2.",
        parameters=(_C, Real("kappa", None, "c-3/2"), Real("u", 0, 1)),
        formula=f"{_RATE} >= (1+c)/2",
        outline="that these are the exponents of Theorem 1's bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because="γ_n alone is n^c.",
    ),
    Claim(
        id="theorem-2-I-b-middle-threshold",
        label="Theorem 2 (I)(b), middle case, with the right threshold",
        where="section 4, Theorem 2 (I)(b)",
        kind="repair",
        statement=(
            "On the confidence event, uniform times with θT <= n^κ, γ_m <= G m^c, c in [0, 1), "
            "and κ in [c-3/2, 1]: R_n <= F n^((4-c+κ(1-c))/(5-2c)) + 2; and R_n <= F "
            "n^((1+c)/2) + 2 for κ <= c-3/2; with F = sqrt(CB(4G + 6s)), C = 8/log(1+s), B at "
            "least every β_i."
        ),
        reading=_UNIFORM,
        parameters=(_C, Real("kappa", "c-3/2", 1)),
        formula=f"{_BEST} <= {_MIDDLE}",
        expected=Verdict.PROVED,
        because="There the balancing block fits into n rounds.",
    ),
    Claim(
        id="theorem-2-I-b-last",
        label="Theorem 2 (I)(b), last case",
        where="section 4, Theorem 2 (I)(b)",
        statement="For all κ >= 1: exponent 1 + (κ-1)/2, compared with the 1 that always holds.",
        reading="As in (I)(a).",
        parameters=(Real("kappa", 1),),
        formula="1 <= 1 + (kappa-1)/2",
        outline="that these are the exponents of Theorem 1's bound is read off it by hand",
        expected=Verdict.OUTLINE,
        because="True but says less than the trivial bound Õ(n).",
        finding="vacuous",
        place_of="theorem-2-I-a-last",
        repairs=("theorem-2-I-last-repaired",),
    ),
    Claim(
        id="theorem-2-boundaries",
        label="Theorem 2 (I)(a), where its cases meet",
        where="section 4, Theorem 2 (I)(a)",
        kind="step",
        statement="At κ = -3/2 and κ = 1 neighbouring cases agree: squared exponential.",
        parameters=(),
        formula="abs((4 - 3/2)/5 - 1/2) + abs((4+1)/5 - 1) == 0",
        expected=Verdict.PROVED,
        because="1/2 and 1. (With c > 0 they disagree at -3/2: see theorem-2-I-b-middle-derived.)",
        printed_proof="sound",
    ),
    Claim(
        id="theorem-2-II-partition",
        label="Theorem 2 (II), a partition for every n_0",
        where="section 4, Theorem 2 (II)",
        kind="repair",
        statement=(
            "Extremely biased times, any n_0 in 1..n, any T and time kernel of unit diagonal: the "
            "blocks before round n_0 and from it on have equal times each, and the joint gain is "
            "at most 2γ_n."
        ),
        reading=(
            "γ_n is at least the gain of every n points. The search tries one point: a rounds at "
            "0 and b at T, correlation r."
        ),
        parameters=TWO_TIMES,
        formula=TWICE,
        expected=Verdict.PROVED,
        because="Nothing of a block that begins with the jump lies before it.",
    ),
    Claim(
        id="theorem-2-II-a",
        label="Theorem 2 (II)(a)",
        where="section 4, Theorem 2 (II)(a)",
        statement=(
            "On the confidence event, for extremely biased times with any n_0 in 1..n and T, and "
            "γ_n <= G, as for the squared exponential up to logarithms: R_n <= sqrt(2CBGn) + 2, C "
            "= 8/log(1+s), B at least every β_i."
        ),
        reading=(
            "n_0 in 1..n, also at the ends. The theorem is that of lemma-18 at c = 0; the event, "
            "the policy and the rate of γ_n, with logarithms in G, are hypotheses. The search "
            "tries its step, a gain of at most 2γ_n."
        ),
        parameters=TWO_TIMES,
        formula=TWICE,
        expected=Verdict.PROVED,
        because=(
            "The printed partition needs n_0 away from the ends. Two blocks of equal times do"
            " without."
        ),
        finding="gap",
        place_of="appendix-d-biased-room",
        printed_proof="gap",
        repairs=("theorem-2-II-partition",),
    ),
    Claim(
        id="theorem-2-II-b",
        label="Theorem 2 (II)(b)",
        where="section 4, Theorem 2 (II)(b)",
        statement=(
            "On the confidence event, for extremely biased times with any n_0 in 1..n and T, and "
            "γ_n <= G n^c: R_n <= sqrt(2CBG) n^((1+c)/2) + 2, C = 8/log(1+s), B at least every "
            "β_i; sublinear for c < 1."
        ),
        reading=(
            "ν > 1. The theorem is that of lemma-18; the event, the policy and the rate of γ_n, "
            "with logarithms in G, are hypotheses. The search tries its step, a gain of at most "
            "2γ_n."
        ),
        parameters=TWO_TIMES,
        formula=TWICE,
        expected=Verdict.PROVED,
        because=(
            "The printed partition needs n_0 away from the ends. Two blocks of equal times do"
            " without: gain at most 2γ_n."
        ),
        finding="gap",
        place_of="appendix-d-biased-room",
        printed_proof="gap",
        repairs=("theorem-2-II-partition",),
    ),
)
