"""Appendix B, Lemma 12: the cumulative regret."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector

_NOISE = Real("s", 0, low_open=True)
_BETA = Real("b", 0, search=(None, 1000))
CLAIMS = (
    Claim(
        id="lemma-12",
        label="Lemma 12",
        where="appendix B, Lemma 12, and the first inequality of Theorem 1",
        statement=(
            "On the confidence event, for every n: R_n <= sqrt(C B n γ̃) + 2, γ̃ the joint gain "
            "of the points played, which no maximum is below; C = 8/log(1+s), B at least every "
            "β_i."
        ),
        reading=(
            "The confidence event (for its probability: lemma-8 and lemma-10), the policy μ + "
            "sqrt(β_i) σ and fixed times are hypotheses; the posterior mean may be any "
            "function; β_i >= 0. n under the root for the printed τ_n; k(x,x) <= 1. The search "
            "tries two rounds, variances u and v and covariance k, every regret at its largest."
        ),
        parameters=(_NOISE, _BETA, Real("u", 0, 1), Real("v", 0, 1), Real("k", -1, 1)),
        hypotheses=("k**2 <= u*v",),
        formula=(
            "2*sqrt(b)*(sqrt(u) + sqrt(v - s*k**2/(1+s*u))) + 1 + 1/4 <= "
            "sqrt(8/log(1+s)*b*2*log((1+s*u)*(1+s*v) - s**2*k**2)/2) + 2"
        ),
        expected=Verdict.PROVED,
        because=(
            "It needs k(x,x) <= 1 and n under the root for τ_n. Then Cauchy–Schwarz and the "
            "chord of the logarithm give it."
        ),
        finding="missing hypothesis",
        place_of="theorem-1-normalisation",
        printed_proof="gap",
        repairs=("lemma-12-repaired", "lemma-12-line-4-repaired"),
    ),
    Claim(
        id="lemma-12-line-1",
        label="Lemma 12, line 1: σ_i for σ_{i-1}",
        where="appendix B, proof of Lemma 12, inequality 1",
        statement=(
            "For a posterior variance v before and v/(1+sv) after the observation: what Lemma 11 "
            "bounds by, v, is at most what the line has, v/(1+sv)."
        ),
        reading="Literal: the deviation after the round's own observation.",
        parameters=(Real("v", 0, 1), _NOISE),
        formula="v <= v/(1+s*v)",
        expected=Verdict.REFUTED,
        because="An observation lowers the variance. The next line has σ_{i-1} again.",
        finding="slip",
        printed_proof="gap",
        repairs=("lemma-11-round-index-repaired",),
    ),
    Claim(
        id="lemma-12-line-2",
        label="Lemma 12, line 2: the sum of 1/i²",
        where="appendix B, proof of Lemma 12, inequality 2",
        kind="step",
        statement="For n >= 1: the sum of 1/i^2 over i = 1..n is at most 2.",
        parameters=(Integer("n", 1, reach=60),),
        let=(("S", "sum(1/k**2 for k in range(1, n+1))"),),
        formula="S <= 2",
        expected=Verdict.PROVED,
        because="It is at most 2 - 1/n; its limit is π²/6.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-12-line-2-reason",
        label="Lemma 12, line 2: the reason given",
        where="appendix B, after the display of Lemma 12",
        statement="For n >= 10: the sum of 1/i^2 over i = 1..n equals π^2/6.",
        reading="Literal: the sum ends at n.",
        parameters=(Integer("n", 10),),
        formula="sum(1/k**2 for k in range(1, n+1)) == pi**2/6",
        expected=Verdict.REFUTED,
        because="Only the infinite sum is π²/6; finite ones are smaller, which is enough.",
        finding="slip",
        printed_proof="sound",
        repairs=("lemma-12-line-2",),
    ),
    Claim(
        id="lemma-12-line-3",
        label="Lemma 12, line 3: Cauchy–Schwarz",
        where="appendix B, proof of Lemma 12, inequality 3",
        kind="step",
        statement=(
            "For all numbers v_i: (sum of v_i)^2 <= n sum v_i^2, used with v_i = 2 sqrt(β) σ_{i-1}."
        ),
        parameters=(Integer("n", 1), Vector("v", "n", search=(-100, 100))),
        let=(
            ("L", "sum(v[k] for k in range(n))"),
            ("Q", "sum(v[k]**2 for k in range(n))"),
        ),
        formula="L**2 <= n*Q",
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-12-line-4",
        label="Lemma 12, line 4: the concavity of the logarithm",
        where="appendix B, proof of Lemma 12, inequality 4",
        statement=(
            "For s = 1/σ^2 > 0 and a posterior variance v >= 0: s v <= s/log(1+s) log(1+sv)."
        ),
        reading=(
            "Neither Lemma 12 nor Theorem 1 bounds k(x,x); the bound k_space <= 1 enters with "
            "Lemma 13 only. Printed for sv in [0, s]."
        ),
        parameters=(_NOISE, Real("v", 0)),
        formula="s*v <= s/log(1+s)*log(1+s*v)",
        expected=Verdict.REFUTED,
        because="Above v = 1 the chord lies above the curve: unit prior variance is needed.",
        finding="missing hypothesis",
        place_of="theorem-1-normalisation",
        printed_proof="gap",
        repairs=("lemma-12-line-4-repaired",),
    ),
    Claim(
        id="lemma-12-line-4-repaired",
        label="Lemma 12, line 4 with k(x,x) <= 1",
        where="appendix B, proof of Lemma 12, inequality 4",
        kind="repair",
        statement="For s > 0 and 0 <= v <= 1: s v <= s/log(1+s) log(1+sv).",
        parameters=(_NOISE, Real("v", 0, 1)),
        formula="s*v <= s/log(1+s)*log(1+s*v)",
        expected=Verdict.PROVED,
        because="The chord over [0, 1].",
    ),
    Claim(
        id="lemma-12-constant",
        label="Lemma 12, the constant C",
        where="appendix B, proof of Lemma 12, line after inequality 4",
        kind="step",
        statement="For s, b > 0: 4 b (1/s) s/log(1+s) = (C/2) b, C = 8/log(1+s).",
        parameters=(_NOISE, _BETA),
        formula="4*b*(1/s)*(s/log(1+s)) == (8/log(1+s))/2*b",
        expected=Verdict.PROVED,
        because="Cancel.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-12-beta-grows",
        label="Lemma 12, β_{i-1} <= β_n",
        where="appendix B, proof of Lemma 12, line after inequality 4",
        kind="step",
        statement=(
            "For 1 <= m <= n, d >= 1, A > 1, c > 0 and g >= 2: 2 log(A m^2) + 2d log(c m^2 "
            "sqrt(log(g m^2))) is at most the same with n."
        ),
        reading=(
            "n >= 1, as β_0 does not exist; A = 2π²/(3δ), c = dbr and g = 2π²ad/(3δ), which is "
            "above 6."
        ),
        parameters=(
            Integer("m", 1),
            Integer("n", "m"),
            Integer("d", 1, reach=4),
            Real("A", 1, low_open=True),
            Real("c", 0, low_open=True),
            Real("g", 2),
        ),
        formula=(
            "2*log(A*m**2) + 2*d*log(c*m**2*sqrt(log(g*m**2))) <= "
            "2*log(A*n**2) + 2*d*log(c*n**2*sqrt(log(g*n**2)))"
        ),
        expected=Verdict.PROVED,
        because="Every factor grows with n.",
    ),
    Claim(
        id="lemma-12-beta-any-weights",
        label="Lemma 12, β_{i-1} <= β_n for any weights π_n",
        where="appendix B, proof of Lemma 12, line after inequality 4",
        statement=(
            "For weights p = π_1 and q = π_2 with 1/p + 1/q < 1, δ, d, a >= 1 and c = d b r > 0: "
            "β_1 <= β_2, β_n = 2 log(4π_n/δ) + 2d log(c n^2 sqrt(log(4π_n a d/δ)))."
        ),
        reading="Lemmas 8 to 12 ask of π_n only that it is positive and its inverses sum to 1.",
        parameters=(
            Real("p", 1),
            Real("q", 1),
            Integer("d", 1, reach=4),
            Real("delta", 0, 1, low_open=True, high_open=True),
            Real("a", 1),
            Real("c", 0, low_open=True),
        ),
        hypotheses=("1/p + 1/q < 1",),
        formula=(
            "2*log(4*p/delta) + 2*d*log(c*sqrt(log(4*p*a*d/delta))) <= "
            "2*log(4*q/delta) + 2*d*log(4*c*sqrt(log(4*q*a*d/delta)))"
        ),
        witnesses=({"p": 10, "q": 2, "d": 1, "delta": "1/2", "a": 1, "c": 1},),
        expected=Verdict.REFUTED,
        because="Weights need not grow: a first round that gets little of δ has a large β.",
        finding="missing hypothesis",
        printed_proof="gap",
        repairs=("lemma-12-beta-grows", "lemma-12-beta-growing-weights"),
        remark="Theorem 1's own weights, π²n²/6, grow.",
    ),
    Claim(
        id="lemma-12-beta-growing-weights",
        label="Lemma 12, β_{i-1} <= β_n for growing weights",
        where="appendix B, proof of Lemma 12, line after inequality 4",
        kind="repair",
        statement=(
            "For 1 <= p <= q, 1 <= m <= n, δ in (0, 1), d, a >= 1 and c > 0: the same β_m, with p, "
            "is at most β_n, with q."
        ),
        parameters=(
            Real("p", 1),
            Real("q", "p"),
            Integer("m", 1),
            Integer("n", "m"),
            Integer("d", 1, reach=4),
            Real("delta", 0, 1, low_open=True, high_open=True),
            Real("a", 1),
            Real("c", 0, low_open=True),
        ),
        formula=(
            "2*log(4*p/delta) + 2*d*log(c*m**2*sqrt(log(4*p*a*d/delta))) <= "
            "2*log(4*q/delta) + 2*d*log(c*n**2*sqrt(log(4*q*a*d/delta)))"
        ),
        expected=Verdict.PROVED,
        because="Every factor grows.",
    ),
    Claim(
        id="lemma-12-last-line",
        label="Lemma 12, last line: equality with the maximum gain",
        where="appendix B, proof of Lemma 12, equality 5",
        statement=(
            "On a domain with two independent points, both rounds at one of them: "
            "log det of the rounds played, log(1+2s), equals the maximum, 2 log(1+s)."
        ),
        reading="Literal: '=' between the rounds played and the maximum over all rounds.",
        parameters=(_NOISE,),
        formula="log(1+2*s) == 2*log(1+s)",
        expected=Verdict.REFUTED,
        because="The rounds played need not be the most informative; '<=' is meant and enough.",
        finding="slip",
        printed_proof="gap",
        repairs=("lemma-12-last-line-repaired",),
    ),
    Claim(
        id="lemma-12-last-line-repaired",
        label="Lemma 12, last line with <=",
        where="appendix B, proof of Lemma 12",
        kind="repair",
        statement=(
            "For every number of rounds: half the sum of log(1 + s v_i), v_i the posterior "
            "variances before the rounds, is the gain of the points played. So it is at most "
            "the maximum."
        ),
        reading="The search tries two rounds with variances a, b and covariance k.",
        parameters=(_NOISE, Real("a", 0, 1), Real("b", 0, 1), Real("k", -1, 1)),
        hypotheses=("k**2 <= a*b",),
        formula="log((1+s*a)*(1+s*(b - s*k**2/(1+s*a)))) == log((1+s*a)*(1+s*b) - s**2*k**2)",
        expected=Verdict.PROVED,
        because="The chain rule; equality, so at most the maximum.",
    ),
    Claim(
        id="lemma-12-elapsed-time",
        label="Lemma 12 as stated, with τ_n under the root",
        where="appendix B, Lemma 12, statement",
        statement=(
            "With probability at least 1-δ: R_n <= sqrt(Cβ_n τ_n γ̃_n) + 2. At τ_n = 0 and n = 1, "
            "on a domain with two independent points: Pr(r_1 > 2) <= δ for every δ."
        ),
        reading="Literal: τ_n, the time elapsed, where Theorem 1 and the proof have n.",
        parameters=(Real("delta", 0, 1, low_open=True, high_open=True),),
        formula="normal_cdf(-2/sqrt(2)) <= delta",
        witnesses=({"delta": "1/20"},),
        expected=Verdict.REFUTED,
        because=(
            "All evaluations instant: the root vanishes, and the regret 2 is exceeded with "
            "probability Φ(-sqrt 2) = 0.079 by a first point that knows nothing."
        ),
        finding="slip",
        printed_proof="sound",
        repairs=("lemma-12-repaired",),
        remark="Unit steps have τ_n = n.",
    ),
    Claim(
        id="lemma-12-repaired",
        label="Lemma 12 with n under the root",
        where="appendix B, Lemma 12",
        kind="repair",
        statement=(
            "On the confidence event, for every n and any noise 1/t >= 1/s: R_n <= "
            "sqrt(8/log(1+t) B n γ̃(t)) + 2, γ̃(t) the gain of the points played at the noise "
            "1/t."
        ),
        reading=(
            "The confidence event (for its probability: lemma-8 and lemma-10), the policy μ + "
            "sqrt(β_i) σ and fixed times are hypotheses; the posterior mean may be any "
            "function; β_i >= 0. k(x,x) <= 1, B at least every β_i. The search tries t = s and "
            "independent points of variances v_i, every regret at its largest."
        ),
        parameters=(Integer("n", 1), _NOISE, _BETA, Vector("v", "n", 0, 1)),
        let=(
            ("L", "sum(sqrt(v[k]) for k in range(n))"),
            ("S", "sum(1/k**2 for k in range(1, n+1))"),
            ("G", "sum(log(1+s*v[k]) for k in range(n))/2"),
        ),
        formula="2*sqrt(b)*L + S <= sqrt(8/log(1+s)*b*n*G) + 2",
        expected=Verdict.PROVED,
        because="Cauchy–Schwarz, then the chord of the logarithm.",
    ),
)
