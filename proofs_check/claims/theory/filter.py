"""docs/theory.md#filtering: exact filtering and drawing under the forgetting kernel.

a = (1-ε)^(t/2) is the correlation over a gap t. Because it factors over gaps (the process is
Markov in time), nothing but the posterior at the last time is needed.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

_FREE = {name: Real(name, search=(-100, 100)) for name in "acekpquv"}
# c'M^-1 c for the covariances (c, e) with two observations, M = [[p, u], [u, q]], times det M.
_EXPLAINED = "(({0})**2*q - 2*({0})*({1})*u + ({1})**2*p)"

CLAIMS = (
    Claim(
        id="theory-filter-factor",
        label="Filtering, the kernel factors over gaps",
        where="docs/theory.md#filtering",
        kind="theory",
        statement=(
            "For ε in [0, 1) and gaps u (from an observation to the last time) and t: "
            "(1-ε)^((u+t)/2) = (1-ε)^(t/2) (1-ε)^(u/2)."
        ),
        parameters=(Real("eps", 0, 1, high_open=True), Real("t", 0), Real("u", 0)),
        formula="(1-eps)**((u+t)/2) == (1-eps)**(t/2)*(1-eps)**(u/2)",
        expected=Verdict.PROVED,
        because="Powers of one base.",
        remark="False for smooth time kernels, exp(-h^2) above all.",
    ),
    Claim(
        id="theory-filter-mean",
        label="Filtering, the mean after a gap",
        where="docs/theory.md#filtering",
        kind="theory",
        statement=(
            "Two observations with weights p, q = (K̃+σ^2 I)^-1 y and covariances c, e with the "
            "point: after a gap of correlation a the covariances are ac, ae and the mean a μ_n."
        ),
        parameters=tuple(_FREE[name] for name in "acepq"),
        formula="a*c*p + a*e*q == a*(c*p + e*q)",
        rests_on=("theory-filter-factor",),
        expected=Verdict.OUTLINE,
        because="The mean is linear in the covariances.",
    ),
    Claim(
        id="theory-filter-variance",
        label="Filtering, the variance after a gap",
        where="docs/theory.md#filtering",
        kind="theory",
        statement=(
            "Forgetting kernel: from a time after all earlier rounds to a later one, a the "
            "correlation between the two, the posterior variance v of a point of unit prior "
            "variance becomes 1 - a^2 (1 - v)."
        ),
        reading=(
            "The search tries two observations with M = [[p, u], [u, q]] and covariances c, e "
            "with the point, written times det M."
        ),
        parameters=(*(_FREE[name] for name in "acepqu"), Real("k", 1, 1)),
        let=(
            ("before", f"k*(p*q-u**2) - {_EXPLAINED.format('c', 'e')}"),
            ("after", f"k*(p*q-u**2) - {_EXPLAINED.format('a*c', 'a*e')}"),
        ),
        formula="after == k*(p*q-u**2) - a**2*(k*(p*q-u**2) - before)",
        expected=Verdict.PROVED,
        because="What the data explain is quadratic in the covariances.",
    ),
    Claim(
        id="theory-filter-covariance",
        label="Filtering, the covariance over the domain",
        where="docs/theory.md#filtering",
        kind="theory",
        statement=(
            "Entry by entry, K = k the prior, v the part that the data explain, P = k - v: after "
            "the gap P is k - a^2 v = a^2 P + (1-a^2) K."
        ),
        parameters=tuple(_FREE[name] for name in "akv"),
        formula="k - a**2*v == a**2*(k-v) + (1-a**2)*k",
        rests_on=("theory-filter-variance",),
        expected=Verdict.OUTLINE,
        because="The explained part shrinks by a^2; so a round costs the same at every n.",
    ),
    Claim(
        id="theory-filter-draw",
        label="Drawing the objective at any times",
        where="docs/theory.md#filtering",
        kind="theory",
        statement=(
            "f' = a f + sqrt(1-a^2) η, η independent with the covariance k of f: f' has the "
            "covariance k again, and b k a with the value before f where f had b k: "
            "a^2 k + (1-a^2) k = k."
        ),
        parameters=(Real("a", 0, 1), Real("k", search=(-100, 100))),
        formula="a**2*k + sqrt(1-a**2)**2*k == k",
        rests_on=("theory-filter-factor",),
        expected=Verdict.OUTLINE,
        because="The squares of the two weights sum to 1; correlations multiply over gaps.",
    ),
)
