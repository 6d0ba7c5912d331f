"""Appendix B, the first two lemmas (Lemmas 8 and 9): confidence at the rounds and on a finite set.

Statements are counted as in the paper, where theorems and lemmas share one counter. Throughout
Lemmas 8 to 11, y without noise, the posterior of f, π_n > 0 with sum of 1/π_n equal to 1.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_DELTA = Real("delta", 0, 1, low_open=True, high_open=True)
_WEIGHT = Real("p", 1, low_open=True)

CLAIMS = (
    Claim(
        id="lemma-8-weights",
        label="Lemmas 8 to 11 with the weights of Theorem 1",
        where="appendix B, Lemmas 8-11: sums from n = 0, used with π_n = π²n²/6",
        statement="For all n >= 0: π_n = π^2 n^2/6 > 0, as the lemmas ask of their weights.",
        reading="Rounds of the lemmas count from 0; Theorem 1 inserts π_n = π²n²/6 (4π_n/δ).",
        parameters=(Integer("n", 0),),
        formula="pi**2*n**2/6 > 0",
        expected=Verdict.REFUTED,
        because=(
            "π_0 = 0: the sum of 1/π_n from n = 0 is infinite, β_0 is the logarithm of 0, and the "
            "first point would be chosen with an undefined weight."
        ),
        finding="slip",
        place_of="theorem-1-n-zero",
        printed_proof="gap",
        repairs=("lemma-8-weights-from-one",),
        remark="Count from 1: β_n serves round n, chosen after n-1 observations.",
    ),
    Claim(
        id="lemma-8-weights-from-one",
        label="Lemmas 8 to 11, weights counted from 1",
        where="appendix B, Lemmas 8-11",
        kind="repair",
        statement="For all n >= 1: π_n = π^2 n^2/6 > 1, and (basel) the sum of 1/π_n is 1.",
        parameters=(Integer("n", 1),),
        formula="pi**2*n**2/6 > 1",
        rests_on=("basel",),
        expected=Verdict.OUTLINE,
        because="π² > 6.",
    ),
    Claim(
        id="lemma-8-noisy-observation",
        label="Lemma 8, the symbol y",
        where="appendix B, Lemma 8",
        statement=(
            "For a prior variance 1, noise variance v, weight p > 1 and δ: the first noisy "
            "observation leaves sqrt(β) times the posterior deviation of f with probability at "
            "most δ/p, where β = 2 log(p/δ)."
        ),
        reading="Literal: y_n is the noisy observation of section 2.",
        parameters=(_WEIGHT, _DELTA, Real("v", 0)),
        formula="2*normal_cdf(-sqrt(2*log(p/delta)/(1+v))) <= delta/p",
        witnesses=({"p": 2, "delta": "1/2", "v": 3},),
        expected=Verdict.REFUTED,
        because=(
            "A noisy observation has the variance σ_n² + σ²; the lemma is about f. Its proof says "
            "so (it sets y equal to f)."
        ),
        finding="slip",
        printed_proof="sound",
        repairs=("lemma-8-one-round",),
    ),
    Claim(
        id="lemma-8-tail-shift",
        label="Lemma 8, display 1, lines 2 and 3",
        where="appendix B, proof of Lemma 8, display 1",
        kind="step",
        statement="For all x and c: exp(-(x+c)^2/2) = exp(-c^2/2) exp(-x^2/2) exp(-cx).",
        parameters=(Real("x", search=(-9, 9)), Real("c", search=(-9, 9))),
        formula="exp(-(x+c)**2/2) == exp(-c**2/2)*exp(-x**2/2)*exp(-c*x)",
        expected=Verdict.PROVED,
        because="Expand the square.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-8-tail-factor",
        label="Lemma 8, display 1, line 4",
        where="appendix B, proof of Lemma 8, display 1",
        kind="step",
        statement="For all c, x >= 0: exp(-cx) <= 1.",
        parameters=(Real("c", 0), Real("x", 0)),
        formula="exp(-c*x) <= 1",
        expected=Verdict.PROVED,
        because="The exponent is not positive.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-8-tail-half",
        label="Lemma 8, display 1, line 6",
        where="appendix B, proof of Lemma 8, display 1",
        kind="step",
        statement="For a standard normal X: Pr(X > 0) = 1 - Φ(0) = 1/2.",
        parameters=(),
        formula="1 - normal_cdf(0) == 1/2",
        expected=Verdict.PROVED,
        because="Symmetry.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-8-tail-result",
        label="Lemma 8, display 1, last line",
        where="appendix B, proof of Lemma 8, display 1",
        kind="step",
        statement="For a standard normal X and c >= 0: Pr(X > c) <= exp(-c^2/2)/2.",
        parameters=(Real("c", 0),),
        formula="normal_cdf(-c) <= exp(-c**2/2)/2",
        expected=Verdict.PROVED,
        because="The four lines above it.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-8-two-sides",
        label="Lemma 8, display 2",
        where="appendix B, proof of Lemma 8, display 2",
        kind="step",
        statement="For c >= 0: Pr(X > c) + Pr(-X > c) <= exp(-c^2/2).",
        reading="Where the posterior variance is 0, f equals its mean and nothing is to prove.",
        parameters=(Real("c", 0),),
        formula="normal_cdf(-c) + normal_cdf(-c) <= exp(-c**2/2)",
        expected=Verdict.PROVED,
        because="Symmetry.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-8-standardised",
        label="Lemma 8, display 3",
        where="appendix B, proof of Lemma 8, display 3",
        kind="step",
        statement="For b = β_n >= 0: a standard normal X has Pr(|X| > sqrt(b)) <= exp(-b/2).",
        reading="X = (y - μ_n)/σ_n with y read as f; where σ_n = 0 nothing is to prove.",
        parameters=(Real("b", 0),),
        formula="2*normal_cdf(-sqrt(b)) <= exp(-b/2)",
        expected=Verdict.PROVED,
        because="Display 2 at c = sqrt(b).",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-8-weight-of-a-round",
        label="Lemma 8, display 4, the equality exp(-β_n/2) = δ/π_n",
        where="appendix B, proof of Lemma 8, last display",
        kind="step",
        statement="For p = π_n > 0 and δ in (0, 1), β = 2 log(p/δ): exp(-β/2) = δ/p.",
        parameters=(Real("p", 0, low_open=True), _DELTA),
        formula="exp(-(2*log(p/delta))/2) == delta/p",
        expected=Verdict.PROVED,
        because="The definition of β_n.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-8-one-round",
        label="Lemma 8, one round",
        where="appendix B, Lemma 8",
        kind="repair",
        statement=(
            "For p = π_n > 1, δ in (0, 1): a standard normal variable exceeds sqrt(2 log(p/δ)) in "
            "absolute value with probability at most δ/p."
        ),
        reading="y is f; x_{n+1} and τ_{n+1} are fixed by the data of n rounds.",
        parameters=(_WEIGHT, _DELTA),
        let=(("c", "sqrt(2*log(p/delta))"),),
        formula="2*normal_cdf(-c) <= delta/p",
        expected=Verdict.PROVED,
        because="Gaussian tails at sqrt(β_n).",
    ),
    Claim(
        id="lemma-8",
        label="Lemma 8",
        where="appendix B, Lemma 8, and the last display of its proof",
        statement=(
            "For δ > 0 and any number of rounds n: with π_k = π²k²/6 the failure probabilities "
            "δ/π_k sum to less than δ, and so do those of one of n events that have at most "
            "these; one of infinitely many such events has at most δ."
        ),
        reading=(
            "y is f, rounds count from 1, each point and time is fixed by the data before it; the "
            "event of a round is lemma-8-one-round. (The sum in the lemma runs over i, its terms "
            "over n.)"
        ),
        parameters=(Integer("n", 1, reach=60), _DELTA),
        let=(("S", "sum(1/k**2 for k in range(1, n+1))"),),
        formula="delta*6/pi**2*S < delta",
        expected=Verdict.PROVED,
        because=(
            "The sum runs over i, its terms over n. What is meant holds: the sum of 1/k² is "
            "below π²/6."
        ),
        finding="slip",
        printed_proof="sound",
        repairs=("lemma-8-weights-from-one", "lemma-8-one-round"),
    ),
    Claim(
        id="lemma-9",
        label="Lemma 9",
        where="appendix B, Lemma 9",
        statement=(
            "For a set of m points, weight p and δ: m times the tail at sqrt(2 log(mp/δ)) is at "
            "most δ/p."
        ),
        reading="One fixed time τ for each round, one finite set for each round, chosen before.",
        parameters=(Integer("m", 1, reach=50), _WEIGHT, _DELTA),
        let=(("c", "sqrt(2*log(m*p/delta))"),),
        formula="m*2*normal_cdf(-c) <= delta/p",
        rests_on=("union-bound",),
        expected=Verdict.OUTLINE,
        because="Gaussian tails and a union over the points.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-9-all-times",
        label="Lemmas 9 and 10, from each time to all times",
        where="appendix B, Lemmas 9 and 10 ('for any τ, with probability …') as used in Lemma 11",
        statement=(
            "For m >= 1 times: if at each time the event has probability 1-δ, then with "
            "probability at least 1-δ it holds at all of them; tested with independent events."
        ),
        reading="Lemma 11 uses the events of Lemma 10, stated for a fixed τ, at every τ_n at once.",
        parameters=(Integer("m", 1, 8), _DELTA),
        formula="(1-delta)**m >= 1-delta",
        expected=Verdict.REFUTED,
        because=(
            "Two independent events of probability 1-δ hold together with probability (1-δ)². The "
            "quantifiers are exchanged silently."
        ),
        finding="gap",
        printed_proof="gap",
        repairs=("lemma-9-along-the-times",),
        remark=(
            "Harmless for a fixed sequence of times: the n-th part of the event is needed at τ_n "
            "only, and the union over n pays for it. It is not harmless for t = t(x)."
        ),
    ),
    Claim(
        id="lemma-9-along-the-times",
        label="Lemma 9 along the sequence of times",
        where="appendix B, Lemma 9",
        kind="repair",
        statement=(
            "For fixed times, each with its own share δ_k = 6δ/(π²k²): the failures at "
            "(round k, time τ_k), k = 1..n, sum to less than δ."
        ),
        parameters=(Integer("n", 1, reach=60), _DELTA),
        let=(("S", "sum(1/k**2 for k in range(1, n+1))"),),
        formula="delta*6/pi**2*S < delta",
        expected=Verdict.PROVED,
        reading="The event of a round is lemma-9.",
        because="The union runs over rounds; each brings its own time.",
    ),
)
