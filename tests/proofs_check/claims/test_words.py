"""Words, formula and theorem of a claim say the same thing; findings are counted once."""

import re

import pytest

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real
from proofs_check.ledgers import CLAIMS
from proofs_check.prover.runner import index
from proofs_check.records.ledger import is_linear

BY_ID = {claim.id: claim for claim in CLAIMS}
STATED = index()


@pytest.mark.parametrize("name", ["theory-a", "theory-b", "theory-c", "theory-m", "theorem-1"])
def test_the_main_theorems_are_themselves(name: str) -> None:
    assert STATED[name] == name.replace("-", "_")


@pytest.mark.parametrize("name", STATED)
def test_a_theorem_for_every_size_stands_beside_no_syllogism(name: str) -> None:
    """Beside it the search has a case with matrices, sums or functions, not names for its parts."""
    claim = BY_ID[name]
    assert not re.search(r"\b(size|sizes|n|m) <= \d", claim.statement)
    texts = (claim.formula, *claim.hypotheses)
    assert not claim.hypotheses or not all(map(is_linear, texts))


def is_proved(claim: Claim) -> bool:
    return claim.expected in (Verdict.PROVED, Verdict.OUTLINE) and claim.id not in STATED


@pytest.mark.parametrize("claim", [*filter(is_proved, CLAIMS)], ids=lambda claim: claim.id)
def test_a_domain_has_no_limit_that_words_lack(claim: Claim) -> None:
    """How far a search looks is no part of the domain: bounds are those of the statement."""
    for parameter in claim.parameters:
        if isinstance(parameter, Real | Integer):
            for bound in (parameter.low, parameter.high):
                numbers = re.findall(r"(?<![\w.])\d+(?![\w.])", str(bound))
                assert all(int(number) < 10 for number in numbers if "/" not in str(bound)), bound


def test_one_finding_has_one_root() -> None:
    for claim in CLAIMS:
        if claim.place_of:
            root = BY_ID[claim.place_of]
            assert claim.finding != "none" and root.finding != "none", claim.id


def test_what_is_never_a_finding() -> None:
    """Statements of docs/theory.md and readings that nobody has are no defects."""
    for claim in CLAIMS:
        of_a_paper = claim.kind in ("printed", "step") or claim.id.startswith("rival-")
        assert claim.finding == "none" or of_a_paper, claim.id
    for name in ("remark-no-drift", "lemma-10-subset-domain", "theorem-1-beta-positive",
                 "lemma-11-own-times", "rival-box-small-grid"):  # fmt: skip
        assert BY_ID[name].finding == "none"


def test_experiments_are_never_false() -> None:
    for claim in CLAIMS:
        if claim.sentence:
            assert claim.finding in ("none", "not reproduced", "vacuous"), claim.id
