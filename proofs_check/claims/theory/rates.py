"""Every regime of the exponent maps of Theorem 1 and of Theorem A, as derived by `bounds.rates`.

θT = n^κ, γ_m = n^(uc) for blocks of n^u rounds. Each regime is an equality at its block length;
that no block length does better is theory-exponent-1 and theory-exponent-a.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Parameter, Real

_C = Real("c", 0, 1, high_open=True)
_DRIFT = {"theorem-1": "kappa-1+3*u/2", "theorem-a": "kappa-1+u"}
_BEST = {"theorem-1": "theory-exponent-1", "theorem-a": "theory-exponent-a"}


def _regime(
    theorem: str, name: str, kappa: Parameter, block: str, value: str, words: str, because: str
) -> Claim:
    exponent = f"1 + max(-(1-c)*u, min(0, {_DRIFT[theorem]}))/2"
    formula = f"{exponent} == {value}"
    return Claim(
        id=f"{theorem}-regime-{name}",
        label=f"{theorem.replace('-', ' ').title()}: the {name} regime of the derived table",
        where="docs/theory.md#rates",
        kind="theory",
        statement=(
            f"For all c in [0, 1) and {words}: at u = {block} the exponent of {_BEST[theorem]} is "
            f"{value}."
        ),
        reading="Up to logarithms; u is the exponent of the block length, in [0, 1].",
        parameters=(_C, kappa),
        let=(("u", block),),
        formula=formula,
        expected=Verdict.PROVED,
        because=f"{because} Nothing below it: {_BEST[theorem]}.",
    )


CLAIMS = (
    _regime("theorem-1", "static", Real("kappa", None, "c-3/2"), "1", "(1+c)/2",
            "κ <= c-3/2", "One block; the drift is below the gain."),
    _regime("theorem-1", "balanced", Real("kappa", "c-3/2", 1), "2*(1-kappa)/(5-2*c)",
            "1 - (1-c)*(1-kappa)/(5-2*c)", "κ in [c-3/2, 1]", "Gain and drift balance."),
    _regime("theorem-1", "fresh", Real("kappa", 1), "0", "1",
            "κ >= 1", "Single rounds; the trivial rate."),
    _regime("theorem-a", "static", Real("kappa", None, "c-1"), "1", "(1+c)/2",
            "κ <= c-1", "One block; the drift is below the gain."),
    _regime("theorem-a", "balanced", Real("kappa", "c-1", 1), "(1-kappa)/(2-c)",
            "1 - (1-c)*(1-kappa)/(2*(2-c))", "κ in [c-1, 1]", "Gain and drift balance."),
    _regime("theorem-a", "fresh", Real("kappa", 1), "0", "1",
            "κ >= 1", "Single rounds; the trivial rate."),
)  # fmt: skip
