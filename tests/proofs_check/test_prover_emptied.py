"""Scripts that prove anything: found for empty theorems, and none of the shipped ones is."""

from dataclasses import replace

import pytest

from proofs_check.language.claim import Verdict
from proofs_check.language.parameters import Real
from proofs_check.ledgers import opened
from proofs_check.prover.emptied import emptied, passing
from tests.proofs_check.test_prover import ALL, claim, needs_coq

LINE = Real("x")


def test_a_claim_is_emptied_and_negated() -> None:
    honest = claim("(x if x > 0 else 0) >= x", LINE)
    formulas = [one.formula for one in emptied(honest).values()]
    assert formulas == ["1 <= 0", "(x if x > 0 else 0) < (x)"]
    false = replace(
        claim("x == 0", LINE), expected=Verdict.REFUTED, finding="false", proof="fails H."
    )
    assert [one.formula for one in emptied(false).values()] == ["0 <= 1", "(x) != (0)"]


@needs_coq
@pytest.mark.slow
def test_a_script_of_an_empty_theorem_is_found() -> None:
    """Hypotheses that contradict each other prove all; an honest script proves its claim alone."""
    claims = {
        "empty": claim("x <= 7", LINE, hypotheses=("x >= 1", "x <= 0")),
        "honest": claim("x**2 >= 0", LINE),
    }
    scripts = {"empty": "intros. lra.", "honest": "intros. nra."}
    assert set(passing(claims, scripts)) == {"empty"}


@needs_coq
@pytest.mark.slow
def test_no_script_of_a_refutation_is_of_an_empty_theorem() -> None:
    """All scripts are tried by `python -m proofs_check.prover.emptied`; here a small part."""
    some = ("lemma-2-membership-by-value", "matern-smoothness", "tv-reset-lag")
    claims = {**ALL, **opened(["docs/ledgers/bogunovic2016"]).known}
    scripts = {name: one.proof for name, one in claims.items() if one.proof}
    assert passing(claims, scripts, some) == {}
