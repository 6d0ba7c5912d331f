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
            "For α_base differentiable at (x, τ_n + t(x)) with the slopes p in x_i and q in τ, "
            "and t with the slope r in x_i: the derivative of α_base(x, τ_n + t(x)) in x_i is p "
            "+ q r."
        ),
        reading=(
            "The theorem is the chain rule; the search tries a + p x + q (τ_n + b + r x) "
            "between z and z+h."
        ),
        parameters=(*_FREE, *(Real(name, None) for name in ("a", "b", "tau", "z", "h"))),
        formula=(
            "(a + p*(z+h) + q*(tau + b + r*(z+h))) - (a + p*z + q*(tau + b + r*z)) == (p + q*r)*h"
        ),
        expected=Verdict.PROVED,
        because="The chain rule.",
    ),
    Claim(
        id="appendix-a-fixed-constant",
        label="Gradient lemma 1 where t does not depend on x",
        where="Appendix A, first lemma",
        kind="repair",
        statement="For all p, q and r = 0: p + q r = p.",
        reading="The printed x-components are right where t does not depend on x.",
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
            "For σ and μ with the slopes v and m in x_i, every s: the derivative of t = "
            "exp(sqrt(2) σ s + μ) is t (sqrt(2) v s + m)."
        ),
        reading=(
            "'∂σ/x_i' is ∂σ/∂x_i. The search tries log t, whose slope is the bracket, with "
            "linear σ and μ."
        ),
        parameters=tuple(Real(name, None) for name in ("sigma", "mu", "m", "v", "s", "x", "h")),
        formula=(
            "(sqrt(2)*(sigma+v*(x+h))*s + mu + m*(x+h)) - (sqrt(2)*(sigma+v*x)*s + mu + m*x) == "
            "(sqrt(2)*v*s + m)*h"
        ),
        expected=Verdict.PROVED,
        because="'∂σ/x_i' is printed for ∂σ/∂x_i, twice. What is meant holds: the chain rule.",
        finding="slip",
        printed_proof="gap",
        remark="The partial-derivative sign is missing in two denominators.",
    ),
    Claim(
        id="appendix-a-integral-gradient",
        label="Gradient lemma 2 (CTV), the gradient",
        where="Appendix A, second lemma, first and last display",
        statement=(
            "For α_base differentiable at (x, τ_n + t(x, s)) with the slopes p in x_i and q in "
            "τ, and t(., s) with the slope r: the integrand has the derivative (p + q r) "
            "exp(-s^2)/sqrt(π), whose integral over s is the gradient."
        ),
        reading="The theorem is the chain rule, at every s; the search tries linear parts.",
        parameters=(*_FREE, *(Real(name, None) for name in ("a", "b", "s", "z", "h"))),
        formula=(
            "((a + p*(z+h) + q*(b + r*(z+h))) - (a + p*z + q*(b + r*z)))*exp(-s**2)/sqrt(pi) == "
            "(p + q*r)*exp(-s**2)/sqrt(pi)*h"
        ),
        outline=(
            "that differentiation and integral may be exchanged is assumed, as the paper does"
        ),
        rests_on=(
            "appendix-a-fixed-repaired",
            "lognormal-density",
            "appendix-a-exchange-repaired",
        ),
        expected=Verdict.OUTLINE,
        because=(
            "The chain rule under the integral; the exchange needs a hypothesis "
            "(appendix-a-exchange)."
        ),
        printed_proof="gap",
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
        statement="For every a >= 0, w >= 0 and s: a w s - s^2 <= (a w)^2/2 - s^2/2.",
        reading=(
            "So exp(a w s) exp(-s^2) has the integrable majorant exp((a w)^2/2) exp(-s^2/2), "
            "which does not depend on x where σ^g is bounded: dominated convergence for powers "
            "a of t."
        ),
        parameters=(Real("a", 0), Real("w", 0), Real("s", None)),
        formula="a*w*s - s**2 <= (a*w)**2/2 - s**2/2",
        expected=Verdict.PROVED,
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
        statement="For all h in (0, 1], thus near 0: 1 - exp(-h^2) >= h^2/2.",
        reading="So σ(h)/h >= 0.7 on one side and <= -0.7 on the other: σ has no slope at 0.",
        parameters=(Real("h", 0, 1, low_open=True),),
        formula="1 - exp(-h**2) >= h**2/2",
        expected=Verdict.PROVED,
        because="exp(-y) <= 1/(1+y) <= 1 - y/2 for y = h^2 in [0, 1].",
    ),
    Claim(
        id="appendix-a-deviation-repaired",
        label="Gradient lemmas 2 and 3 with noise in the times",
        where="Appendix A, second and third lemma",
        kind="repair",
        statement=(
            "For all noise variances w > 0 and numbers m >= 1 of observations: 1 - m/(m+w) > 0."
        ),
        reading=(
            "The variance left where all observations are at the point itself, which leaves "
            "least; so σ is as smooth as σ^2."
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
            "For σ and μ with the slopes v and m in x_i, every w: the derivative of t = "
            "exp(½(σ^2 + w) + μ) is t (σ v + m)."
        ),
        reading=(
            "'∂σ/x_i' is ∂σ/∂x_i. The search tries the exponent with linear σ and μ, remainder "
            "v^2 h^2/2."
        ),
        parameters=tuple(Real(name, None) for name in ("sigma", "mu", "m", "v", "w", "h")),
        formula=(
            "(((sigma+v*h)**2 + w)/2 + mu + m*h) - ((sigma**2 + w)/2 + mu) == "
            "(sigma*v + m)*h + v**2*h**2/2"
        ),
        expected=Verdict.PROVED,
        because="d(σ^2/2) = σ dσ.",
        printed_proof="sound",
        remark=(
            "The text before it announces an exchange of differentiation and integration: there "
            "is no integral in it. Where σ = 0 see appendix-a-deviation."
        ),
    ),
    Claim(
        id="appendix-a-simple-gradient",
        label="Gradient lemma 3 (CTV-simple), the gradient",
        where="Appendix A, third lemma, first display and its proof",
        statement=(
            "For α_base differentiable at (x, τ_n + t(x)) with the slopes p in x_i and q in τ, "
            "and t with the slope r: the derivative of the acquisition of CTV-simple, α_base(x, "
            "τ_n + t(x)), is p + q r."
        ),
        reading="The theorem is the chain rule; the search tries linear parts.",
        parameters=(*_FREE, *(Real(name, None) for name in ("a", "b", "z", "h"))),
        formula="(a + p*(z+h) + q*(b + r*(z+h))) - (a + p*z + q*(b + r*z)) == (p + q*r)*h",
        expected=Verdict.PROVED,
        because="The chain rule.",
        printed_proof="sound",
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
