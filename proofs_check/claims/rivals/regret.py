"""Published bounds on regret (docs/theory.md#rivals): the sum, and the loss outside of the event.

The sum, R <= sqrt(C βnγ) (+2), is Lemma 12 of the paper and the same in all of them. Constants are
those of docs/theory.md#rivals.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_DELTA = Real("delta", 0, 1, low_open=True, high_open=True)
_POINTS = Integer("N", 1)
_MANDL_KEKKONEN = "docs/theory.md#rivals; arXiv 2608.18863"

CLAIMS = (
    Claim(
        id="rival-regret-sum",
        label="Srinivas et al. 2010 and after: from the gain to the regret",
        where="docs/theory.md#regret-root",
        kind="theory",
        statement=(
            "Deviations summed and weighted, Y >= 0 with Y^2 <= C β n γ = X (lemma-12-repaired, "
            "at every noise), R <= Y + Z with Z <= 2 the sum of 1/k^2: R <= sqrt(X) + Z."
        ),
        reading="On a finite domain Z = 0.",
        parameters=(
            Real("X", 0, search=(None, 1000)),
            Real("Y", 0, "X + 1"),
            Real("Z", 0, 2),
            Real("R", 0, "Y + Z"),
        ),
        hypotheses=("Y**2 <= X",),
        formula="R <= sqrt(X) + Z",
        witnesses=({"X": 4, "Y": 2, "Z": 2, "R": 4},),
        rests_on=("lemma-12-repaired", "lemma-12-line-2"),
        expected=Verdict.OUTLINE,
        because="Cauchy–Schwarz and the chord of the logarithm; β does not decrease.",
    ),
    Claim(
        id="rival-mandl-kekkonen-beta",
        label="Mandl and Kekkonen 2026: the constant β",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement=(
            "β = 2(log(6/δ) + log N) for a grid of N <= τ^d points, slopes beyond b sqrt(log(3ad/"
            "δ)): the tails of a round, (N+1) exp(-β/2) and those of the slopes, sum to at most δ."
        ),
        reading="The bound is in expectation: each round has its own event, no union over rounds.",
        parameters=(_POINTS, Integer("d", 1, reach=4), Real("a", 1, search=(None, 10000)), _DELTA),
        let=(
            ("beta", "2*(log(6/delta) + log(N))"),
            ("slopes", "d*a*exp(-log(3*a*d/delta))"),
        ),
        formula="(N+1)*exp(-beta/2) + slopes <= delta",
        rests_on=("gaussian-tail", "union-bound", "rival-regret-sum"),
        expected=Verdict.OUTLINE,
        because="exp(-β/2) = δ/(6N); the grid, the point played and the slope take 2δ/3.",
    ),
    Claim(
        id="rival-mandl-kekkonen-rare-loss",
        label="Mandl and Kekkonen 2026: the loss outside of the event",
        where=f"{_MANDL_KEKKONEN}, the term nδC₃",
        kind="theory",
        statement=(
            "W with Pr(W > μ + σx) <= exp(-x^2/2), an event of probability δ = exp(-u^2/2): "
            "E (W-μ) on it is at most σ(δu + sqrt(2π)Φ(-u)) <= 2σδ sqrt(u^2+2) = "
            "2σδ sqrt(2 log(e/δ))."
        ),
        parameters=(Real("u", 0, search=(None, 30)),),
        let=(("q", "exp(-u**2/2)"),),
        formula="u*q + sqrt(2*pi)*normal_cdf(-u) <= 2*sqrt(u**2+2)*q",
        rests_on=("borell-tis",),
        expected=Verdict.OUTLINE,
        because="The tail above level u integrates to sqrt(2π)Φ(-u) <= sqrt(π/2) exp(-u²/2).",
    ),
    Claim(
        id="rival-mandl-kekkonen-finite",
        label="Mandl and Kekkonen 2026 on a finite domain (an extension)",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement="N points, β = 2 log(N/δ): N tails exp(-β/2) sum to δ, in one round.",
        parameters=(_POINTS, _DELTA),
        let=(("beta", "2*log(N/delta)"),),
        formula="N*exp(-beta/2) == delta",
        rests_on=("gaussian-tail", "union-bound", "rival-regret-sum"),
        expected=Verdict.OUTLINE,
        because="exp(-β/2) = δ/N.",
    ),
    Claim(
        id="rival-expected-maximum",
        label="Mandl and Kekkonen 2026: μ_w on a finite domain",
        where=_MANDL_KEKKONEN,
        kind="theory",
        statement=(
            "N variables of variance at most 1, L = log N > 0: E max <= L/t + t/2 for t > 0, which "
            "at t = sqrt(2L) is sqrt(2L). So μ_w = E(max - min) <= 2 sqrt(2 log N)."
        ),
        reading="exp(t E max) <= E exp(t max) <= N exp(t^2/2), by Jensen.",
        parameters=(Real("L", 0, low_open=True),),
        let=(("t", "sqrt(2*L)"),),
        formula="L/t + t/2 == t",
        outline="that E max <= L/t + t/2 is Jensen's inequality for exp, by hand",
        expected=Verdict.OUTLINE,
        because="L = t²/2.",
    ),
)
