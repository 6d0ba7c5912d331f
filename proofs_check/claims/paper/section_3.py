"""Sections 2.3 and 3: the acquisition, its weight, and the log-normal model of evaluation times."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

_MEAN = "exp(mu + v/2)"

# Two observations: M = [[a, c], [c, b]], covariances u and v with the point.
_OBSERVED = tuple(Real(name, None) for name in "abcuv")
_WEIGHTS = (("w", "(u*b - v*c)/(a*b - c**2)"), ("z", "(v*a - u*c)/(a*b - c**2)"))

CLAIMS = (
    Claim(
        id="acquisition-weight",
        label="UCB with the weight β_n, as defined",
        where="sections 2.3 and 3, against Theorem 1",
        statement=(
            "For the acquisition μ + β σ with the β = β_n of Theorem 1: on the confidence event "
            "|f - μ| <= sqrt(β) σ the regret of a round is at most 2 sqrt(β) σ, the step that "
            "Theorem 1 rests on. The chosen point has at least the best point's μ + βσ."
        ),
        reading="Taken literally; best point: mean m, deviation q; chosen point: mean 0, σ = 1.",
        parameters=(
            Real("beta", 1, search=(None, 100)),
            Real("q", 0, 1),
            Real("m", search=(-100, 100)),
            Real("up", -1, 1),
            Real("down", -1, 1),
        ),
        hypotheses=("beta >= m + beta*q",),
        formula="(m + up*sqrt(beta)*q) - down*sqrt(beta) <= 2*sqrt(beta)",
        witnesses=({"beta": 16, "q": 0, "m": 16, "up": 0, "down": 0},),
        expected=Verdict.REFUTED,
        because=(
            "The definition weighs σ by β_n, the theorem's proof by sqrt(β_n). With the weight β "
            "the regret of a round can reach (β + sqrt(β)) σ."
        ),
        finding="slip",
        repairs=("acquisition-weight-sqrt", "acquisition-weight-beta"),
        remark="The algorithm that Theorem 1 covers is μ + sqrt(β_n) σ.",
    ),
    Claim(
        id="acquisition-weight-sqrt",
        label="UCB with the weight sqrt(β_n)",
        where="sections 2.3 and 3",
        kind="repair",
        statement=(
            "For the acquisition μ + w σ with w = sqrt(β): on the event |f - μ| <= w σ at the best "
            "and at the chosen point, f* - f <= 2 w σ at the chosen point."
        ),
        parameters=(
            Real("w", 0),
            Real("sigma", 0),
            Real("q", 0),
            Real("mu", None),
            Real("m", None),
            Real("best", None),
            Real("got", None),
        ),
        hypotheses=("best <= m + w*q", "got >= mu - w*sigma", "m + w*q <= mu + w*sigma"),
        formula="best - got <= 2*w*sigma",
        expected=Verdict.PROVED,
        because="f* <= UCB(x*) <= UCB(x_n) = μ + wσ <= f + 2wσ.",
    ),
    Claim(
        id="acquisition-weight-beta",
        label="UCB with the weight β_n, with the constant it has",
        where="sections 2.3 and 3",
        kind="repair",
        statement=(
            "For the acquisition μ + w σ with any w >= r = sqrt(β): on the event |f - μ| <= r σ "
            "at both points, f* - f <= (w + r) σ at the chosen point."
        ),
        parameters=(
            Real("r", 0),
            Real("w", "r"),
            Real("sigma", 0),
            Real("q", 0),
            Real("mu", None),
            Real("m", None),
            Real("best", None),
            Real("got", None),
        ),
        hypotheses=("best <= m + r*q", "got >= mu - r*sigma", "m + w*q <= mu + w*sigma"),
        formula="best - got <= (w + r)*sigma",
        expected=Verdict.PROVED,
        because="f* <= m + rq <= m + wq <= μ + wσ. Below r the first step fails.",
    ),
    Claim(
        id="evaluation-time-positive",
        label="The parametrisation of the evaluation time",
        where="section 3",
        statement="For every real g: t = exp(g) > 0.",
        parameters=(Real("g", search=(-100, 100)),),
        formula="exp(g) > 0",
        expected=Verdict.PROVED,
        because="The exponential is positive.",
        printed_proof="sound",
        remark=(
            "The instant evaluations of section 4, t_i = 0, are no value of exp(g) and have no "
            "logarithm: CTV and CTV-simple, which model log t, cannot be run on them, as CTV-fixed "
            "can."
        ),
    ),
    Claim(
        id="lognormal-density",
        label="The density of t = exp(g)",
        where="section 3 and Appendix A, second lemma",
        statement=(
            "For all real μ, u and s > 0: with t = exp(sqrt(2) s u + μ) the derivative dt/du is "
            "sqrt(2) s t, and it turns the log-normal density 1/(sqrt(2π) s t) exp(-(log t - "
            "μ)^2/(2 s^2)) into exp(-u^2)/sqrt(π)."
        ),
        reading="The search tries the density.",
        parameters=(Real("u", None), Real("s", 0, low_open=True), Real("mu", None)),
        let=(("t", "exp(sqrt(2)*s*u + mu)"),),
        formula=(
            "1/(sqrt(2*pi)*s*t)*exp(-(log(t)-mu)**2/(2*s**2))*(sqrt(2)*s*t) == exp(-u**2)/sqrt(pi)"
        ),
        expected=Verdict.PROVED,
        because="Change of variable; μ cancels.",
        printed_proof="sound",
    ),
    Claim(
        id="lognormal-mean",
        label="The mean prediction E[t | x, data]",
        where="section 3, after eq. (acq point)",
        statement=(
            "For all μ, posterior variance v >= 0 and observation noise w >= 0: the mean of the "
            "stated posterior, log-normal with parameters μ and v, is exp(μ + (v+w)/2)."
        ),
        reading=(
            "The posterior is the one printed two displays earlier, Λ(μ, v), for t = exp(g(x)); "
            "E[exp(X)] = exp(μ + v/2) for X ~ N(μ, v)."
        ),
        parameters=(Real("mu", None), Real("v", 0), Real("w", 0)),
        formula=f"{_MEAN} == exp(mu + (v + w)/2)",
        expected=Verdict.REFUTED,
        because=(
            "The mean of Λ(μ, v) is exp(μ + v/2). The printed value is the mean of a *noisy* "
            "measurement exp(g + ξ), whose law is Λ(μ, v + σ_g^2): the two sentences contradict."
        ),
        finding="false",
        repairs=("lognormal-mean-noise-free", "lognormal-mean-observed"),
        remark="CTV integrates without the noise, CTV-simple plugs in a mean with it.",
    ),
    Claim(
        id="lognormal-mean-noise-free",
        label="E[exp(g)] of the noise-free evaluation time",
        where="section 3",
        kind="repair",
        statement=(
            "For all x, μ and v > 0: exp(x) times the density of N(μ, v) is exp(μ + v/2) times "
            "that of N(μ + v, v), told on the exponents; so E[exp(X)] = exp(μ + v/2)."
        ),
        parameters=(Real("x", None), Real("mu", None), Real("v", 0, low_open=True)),
        formula="x - (x-mu)**2/(2*v) == mu + v/2 - (x-mu-v)**2/(2*v)",
        outline="that a density integrates to 1 is textbook",
        expected=Verdict.OUTLINE,
        because="Complete the square; a density integrates to 1.",
    ),
    Claim(
        id="lognormal-mean-observed",
        label="E of the measured evaluation time",
        where="section 3",
        kind="repair",
        statement=(
            "For all μ, v, w >= 0: with noise, exp(g + ξ) is log-normal with parameters μ and v+w, "
            "and its mean is exp(μ + v/2) exp(w/2) = exp(μ + (v+w)/2)."
        ),
        parameters=(Real("mu", None), Real("v", 0), Real("w", 0)),
        formula=f"{_MEAN}*exp(w/2) == exp(mu + (v + w)/2)",
        rests_on=("lognormal-mean-noise-free",),
        expected=Verdict.OUTLINE,
        because="Independent factors: E exp(g) E exp(ξ).",
    ),
    Claim(
        id="gp-posterior",
        label="The posterior of g, its weights",
        where="section 3, first display on g",
        statement=(
            "For any number of observations y with the covariance matrix M = K^g + σ_g^2 I and "
            "the covariances k with g(x), det M and v not 0: with the printed weights w = M^-1 k "
            "and v = K^g(x, x) - w k the joint density of g(x) and y is that of y times the normal "
            "one of mean w y and variance v: its form is y M^-1 y + (g - w y)^2/v, its determinant "
            "v det M."
        ),
        reading=(
            "y is log t - μ. The search tries the weights of two observations, M = [[a, c], [c, "
            "b]] and k = (u, v)."
        ),
        parameters=_OBSERVED,
        let=_WEIGHTS,
        hypotheses=("a*b > c**2",),
        formula="abs(w*a + z*c - u) + abs(w*c + z*b - v) == 0",
        expected=Verdict.PROVED,
        because="A Schur complement.",
    ),
    Claim(
        id="gp-posterior-covariance",
        label="The posterior of g, its covariance",
        where="section 3, first display on g",
        statement=(
            "For any number of observations with the covariance matrix M = K^g + σ_g^2 I and two "
            "values g(x), g(x') of covariance k, which have the covariances a and b with the "
            "observations: with the weights M^-1 a and M^-1 b the covariance of the two residuals "
            "is the printed k - a M^-1 b."
        ),
        reading=(
            "The search tries two observations: (u, v) and (p, q) for a and b, w, z and W, Z the "
            "weights."
        ),
        parameters=(*_OBSERVED, *(Real(name, None) for name in "kpq")),
        let=(*_WEIGHTS, ("W", "(p*b - q*c)/(a*b - c**2)"), ("Z", "(q*a - p*c)/(a*b - c**2)")),
        hypotheses=("a*b > c**2",),
        formula="k - w*p - z*q - W*u - Z*v + w*W*a + (w*Z + z*W)*c + z*Z*b == k - (w*p + z*q)",
        expected=Verdict.PROVED,
        because="The residuals are uncorrelated with the observations.",
    ),
    Claim(
        id="simple-and-integral",
        label="CTV-simple is not CTV",
        where="section 3, eqs. (acq integral) and (acq point)",
        kind="step",
        statement=(
            "For a base acquisition that is linear in τ, the acquisition at the mean of t is "
            "the mean of the acquisition: a + b E[t] = E[a + b t], for any two-point law of t "
            ">= 0."
        ),
        parameters=(
            Real("a", None),
            Real("b", None),
            Real("p", 0, 1),
            Real("t0", 0),
            Real("t1", 0),
        ),
        formula="a + b*(p*t0 + (1-p)*t1) == p*(a + b*t0) + (1-p)*(a + b*t1)",
        expected=Verdict.PROVED,
        because="Linearity of the mean.",
        remark="Otherwise they differ by the curvature in τ.",
    ),
)
