"""Appendix A: the three lemmas on gradients of the acquisition functions.

A gradient at a point depends on the first derivatives there only. So p = ∂α_base/∂x_i,
q = ∂α_base/∂τ, and m, v are ∂μ^g/∂x_i and ∂σ^g/∂x_i; the chain rule is a textbook fact.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_FREE = tuple(Real(name, None) for name in ("p", "q", "r"))

CLAIMS = (
    Claim(
        id="appendix-a-fixed",
        label="Gradient lemma 1 (CTV-fixed)",
        where="Appendix A, first lemma",
        statement=(
            "For all p = ∂α_base/∂x_i, q = ∂α_base/∂τ and r = ∂t/∂x_i: the derivative of "
            "α_base(x, τ_n + t(x)) in x_i, which is p + q r, is p."
        ),
        reading=(
            "The x-components of the printed gradient: as printed it also has one component too "
            "many, d+1 instead of d. Section 3 says that t is determined by x."
        ),
        parameters=_FREE,
        formula="p + q*r == p",
        witnesses=({"p": 0, "q": 1, "r": 1},),
        expected=Verdict.REFUTED,
        because="The chain rule's term ∂α_base/∂τ · ∂t/∂x_i is missing: take α_base = τ and t = x.",
        finding="false",
        printed_proof="false",
        repairs=("appendix-a-fixed-repaired", "appendix-a-fixed-constant"),
    ),
    Claim(
        id="appendix-a-fixed-repaired",
        label="Gradient lemma 1, repaired",
        where="Appendix A, first lemma",
        kind="repair",
        statement=(
            "For all first-order data: the x-derivative of α_base(x, τ_n + t(x)) at x = z is "
            "p + q r. Told on a + p x + q (τ_n + b + r x): slope between z and z+h, all h."
        ),
        parameters=(*_FREE, *(Real(name, None) for name in ("a", "b", "tau", "z", "h"))),
        formula=(
            "(a + p*(z+h) + q*(tau + b + r*(z+h))) - (a + p*z + q*(tau + b + r*z)) == (p + q*r)*h"
        ),
        rests_on=("chain-rule-scalar",),
        expected=Verdict.OUTLINE,
        because="The chain rule.",
    ),
    Claim(
        id="appendix-a-fixed-constant",
        label="Gradient lemma 1 where t does not depend on x",
        where="Appendix A, first lemma",
        kind="repair",
        statement="For all p, q and r = 0: p + q r = p; its x-components are right then.",
        parameters=(Real("p", None), Real("q", None), Real("r", 0, 0)),
        formula="p + q*0 == p",
        expected=Verdict.PROVED,
        because="No dependence of τ on x.",
    ),
    Claim(
        id="appendix-a-integral",
        label="Gradient lemma 2 (CTV)",
        where="Appendix A, second lemma",
        statement=(
            "For all μ, σ, s and slopes m, v: the derivative of t = exp(sqrt(2) σ s + μ), with "
            "σ = σ_0 + v x and μ = μ_0 + m x, is t (sqrt(2) v s + m). Told on log t, whose slope "
            "is that bracket, times t."
        ),
        reading="'∂σ/x_i' is ∂σ/∂x_i. Differentiation under the integral is assumed there.",
        parameters=tuple(Real(name, None) for name in ("sigma", "mu", "m", "v", "s", "x", "h")),
        formula=(
            "(sqrt(2)*(sigma+v*(x+h))*s + mu + m*(x+h)) - (sqrt(2)*(sigma+v*x)*s + mu + m*x) == "
            "(sqrt(2)*v*s + m)*h"
        ),
        rests_on=("chain-rule-scalar", "lognormal-density"),
        expected=Verdict.OUTLINE,
        because=(
            "'∂σ/x_i' is printed for ∂σ/∂x_i, twice. What is meant holds: the chain rule "
            "after the change of variable of lognormal-density."
        ),
        finding="slip",
        printed_proof="gap",
        remark=(
            "The partial-derivative sign is missing in two denominators. The exchange of limit and "
            "integral needs a hypothesis: see appendix-a-exchange."
        ),
    ),
    Claim(
        id="appendix-a-exchange",
        label="Gradient lemma 2, the integral exists",
        where="Appendix A, second lemma, and eq. (acq integral)",
        statement=(
            "For every base acquisition the integral of α_base(τ_n + t) over the log-normal law "
            "exists. Asked of α_base = exp(τ) with μ = 0, 2σ^2 = 1: its integrand "
            "exp(exp(s) - s^2)/sqrt(π) is bounded by some B >= 1, at the point s = 1+B."
        ),
        reading="'Arbitrary acquisition function' of section 3, smooth.",
        parameters=(Real("B", 1),),
        let=(("s", "1 + B"),),
        formula="exp(exp(s) - s**2)/sqrt(pi) <= B",
        witnesses=({"B": 1},),
        expected=Verdict.REFUTED,
        because=(
            "The log-normal has no exponential moments. The base acquisition (and its gradient) "
            "must grow at most polynomially in τ, as UCB and EI do, being bounded in τ."
        ),
        finding="missing hypothesis",
        printed_proof="gap",
        repairs=("appendix-a-exchange-repaired",),
    ),
    Claim(
        id="appendix-a-exchange-repaired",
        label="Gradient lemma 2 for base acquisitions of polynomial growth",
        where="Appendix A, second lemma",
        kind="repair",
        statement=(
            "For every power a and w > 0: exp(a w s) exp(-s^2) <= exp((a w)^2/2) exp(-s^2/2), an "
            "integrable majorant that does not depend on x where σ^g is bounded (dominated "
            "convergence): a w s - s^2 <= (a w)^2/2 - s^2/2."
        ),
        parameters=(Real("a", 0), Real("w", 0), Real("s", None)),
        formula="a*w*s - s**2 <= (a*w)**2/2 - s**2/2",
        expected=Verdict.SUPPORTED,
        because="(aw - s)^2 >= 0.",
    ),
    Claim(
        id="appendix-a-deviation",
        label="Gradient lemmas 2 and 3, the slope of the deviation",
        where="Appendix A, second and third lemma",
        statement=(
            "The posterior deviation σ of g has a slope everywhere. Asked of one observed point "
            "without noise, σ(h)^2 = 1 - exp(-h^2) at the distance h in (0, 1]: σ is smallest "
            "there, so its slope would be 0 and σ(h) fall below h/2."
        ),
        reading="σ_g = 0, times measured without noise, is allowed; g of unit variance.",
        parameters=(Real("h", 0, 1, low_open=True),),
        formula="1 - exp(-h**2) < (h/2)**2",
        witnesses=({"h": 1},),
        expected=Verdict.REFUTED,
        because=(
            "At a point observed without noise σ grows like the distance, however small that is "
            "(appendix-a-deviation-linear), and the density in the second lemma divides by σ = 0."
        ),
        finding="missing hypothesis",
        printed_proof="gap",
        repairs=("appendix-a-deviation-repaired", "appendix-a-deviation-linear"),
        remark="The third lemma could do with the slope of σ^2, which exists.",
    ),
    Claim(
        id="appendix-a-deviation-linear",
        label="Gradient lemmas 2 and 3, no slope without noise",
        where="Appendix A, second and third lemma",
        kind="repair",
        statement=(
            "For all h in (0, 1], thus near 0: 1 - exp(-h^2) >= h^2/2. So σ(h)/h >= 0.7 on one "
            "side and <= -0.7 on the other: σ has no slope at 0."
        ),
        parameters=(Real("h", 0, 1, low_open=True),),
        formula="1 - exp(-h**2) >= h**2/2",
        expected=Verdict.SUPPORTED,
        because="exp(-y) <= 1/(1+y) <= 1 - y/2 for y = h^2 in [0, 1].",
    ),
    Claim(
        id="appendix-a-deviation-repaired",
        label="Gradient lemmas 2 and 3 with noise in the times",
        where="Appendix A, second and third lemma",
        kind="repair",
        statement=(
            "For all noise variances w > 0 and numbers m >= 1 of observations, all at the point "
            "itself, which leaves least: σ^2 = 1 - m/(m+w) > 0, so σ is as smooth as σ^2."
        ),
        parameters=(Integer("m", 1), Real("w", 0, low_open=True)),
        formula="1 - m/(m+w) > 0",
        expected=Verdict.PROVED,
        because="Noise leaves a variance of w/(m+w).",
    ),
    Claim(
        id="appendix-a-simple",
        label="Gradient lemma 3 (CTV-simple), the derivative",
        where="Appendix A, third lemma",
        statement=(
            "For all data: the derivative of ½(σ^2 + w) + μ in x_i, with slopes v of σ and m of μ, "
            "is σ v + m. Told on the quadratic: its slope at h -> 0, remainder v^2 h^2/2."
        ),
        reading="'∂σ/x_i' is ∂σ/∂x_i.",
        parameters=tuple(Real(name, None) for name in ("sigma", "mu", "m", "v", "w", "h")),
        formula=(
            "(((sigma+v*h)**2 + w)/2 + mu + m*h) - ((sigma**2 + w)/2 + mu) == "
            "(sigma*v + m)*h + v**2*h**2/2"
        ),
        rests_on=("chain-rule-scalar",),
        expected=Verdict.OUTLINE,
        because="d(σ^2/2) = σ dσ.",
        printed_proof="sound",
        remark=(
            "The text before it announces an exchange of differentiation and integration: there "
            "is no integral in it. Where σ = 0 see appendix-a-deviation."
        ),
    ),
    Claim(
        id="appendix-a-simple-noise",
        label="Gradient lemma 3, which noise",
        where="Appendix A, third lemma, against section 3",
        statement=(
            "For all noise variances w of y and g of log t, with μ, σ^g: t(x) as the lemma has it, "
            "exp(½(σ^g^2 + w) + μ), is the t of section 3, exp(μ + (σ^g^2 + g)/2)."
        ),
        parameters=(Real("v", 0), Real("w", 0), Real("g", 0)),
        formula="(v + w)/2 == (v + g)/2",
        expected=Verdict.REFUTED,
        because=(
            "The lemma writes σ^2, the noise of y, for σ_g^2; its proof also drops the superscript "
            "g of μ_n and σ_n. The gradient's form is not touched: the noise is constant in x."
        ),
        finding="slip",
        printed_proof="gap",
        repairs=("appendix-a-simple",),
    ),
)
