"""A ledger that nobody tuned anything to: every planted error is found, no true claim refuted.

`unseen` has statements that Russo and Van Roy (2014), Valko et al. (2013) and Auer et al. (2002)
use, in the order in which a reader would write them down, and false neighbours whose label says so.
All expect PROVED.
"""

from pathlib import Path

import pytest

from proofs_check.language.claim import Verdict
from proofs_check.ledgers import opened
from proofs_check.records.verify import verify
from tests.proofs_check.planted import needs_coq

UNSEEN = opened([Path(__file__).parent / "unseen"])
PLANTED = {one.id for one in UNSEEN.claims if one.label.startswith("Planted")}
PROVED = {
    *("r-positive-part", "r-beta", "r-beta-sum-right", "r-variances", "r-cauchy-schwarz"),
    *("e-count", "e-sum-of-roots", "k-width", "k-effective-dimension"),
    *("u-hoeffding-width", "u-ceiling", "u-basel-twice", "u-decomposition", "u-assembled"),
    *("u-gap-free", "u-roots", "u-epochs", "u-harmonic-below", "u-harmonic-above"),
    *("u-bernstein", "u-min-of-two"),
}
"""What the usual tactics prove by themselves."""


@pytest.fixture
def verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path))

    def examined(**how: bool) -> dict[str, Verdict]:
        names = [one.id for one in UNSEEN.claims]
        ledger = verify(names, claims=tuple(UNSEEN.known.values()), **how)
        return {row.claim.id: row.verdict for row in ledger.rows}

    return examined


def test_every_planted_error_is_found_and_no_true_claim_refuted(verdicts) -> None:
    assert len(UNSEEN.claims) == 56 and len(PLANTED) == 20
    refuted = {name for name, found in verdicts().items() if found is Verdict.REFUTED}
    assert refuted == PLANTED


@needs_coq
@pytest.mark.slow
def test_the_usual_tactics_prove_most_of_the_others(verdicts) -> None:
    found = verdicts(anew=True)
    assert {name for name, one in found.items() if one is Verdict.PROVED} >= PROVED
    assert {name for name, one in found.items() if one is Verdict.REFUTED} == PLANTED
