"""Every claim of the ledger: its verdict is the expected one and can be derived again."""

from pathlib import Path

import pytest

from ctv.verification import MARKDOWN_HEAD
from proofs_check import certificate as files
from proofs_check.claim import Claim, Verdict
from proofs_check.claims import CLAIMS, _template
from proofs_check.ledger import Ledger
from proofs_check.recheck import recheck
from proofs_check.verify import index, verify

# In one process: the ledger is computed once.
pytestmark = pytest.mark.xdist_group("ledger")

ROOT = Path(__file__).resolve().parent.parent.parent
LEDGER = ROOT / "LEDGER.md"
BY_ID = index(CLAIMS)


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return verify(workers=2)


def test_every_verdict_is_the_expected_one(ledger: Ledger) -> None:
    surprises = {
        row.claim.id: (str(row.verdict), row.reason) for row in ledger.rows if not row.as_expected
    }
    assert surprises == {}


def test_the_template_works() -> None:
    assert verify(claims=_template.CLAIMS).as_expected


def test_every_verdict_is_derived_again(ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    files.write(path, ledger, "test")
    results = [result for result in recheck(path) if result.derived or not result.accepted]
    decided = (Verdict.PROVED, Verdict.PROVED_ON_BOX, Verdict.REFUTED)
    assert len(results) == sum(row.verdict in decided for row in ledger.rows)
    assert {r.id: r.reason for r in results if not r.accepted} == {}


def test_the_markdown_ledger_is_current(ledger: Ledger) -> None:
    written = LEDGER.read_text(encoding="utf-8")
    assert written == MARKDOWN_HEAD + ledger.markdown(), "run ctv verify --markdown LEDGER.md"


def test_counterexamples_are_stored_and_short(ledger: Ledger) -> None:
    for row in ledger.rows:
        if row.verdict is Verdict.REFUTED:
            assert row.counterexample is not None
            assert len(str(row.counterexample)) < 400, row.claim.id


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_is_complete(claim: Claim) -> None:
    assert claim.statement.endswith((".", ".)")) and claim.because and claim.where and claim.label
    if claim.expected is Verdict.REFUTED:
        assert claim.repairs, "a refuted claim names what repairs it"
    for name in claim.repairs:
        repair = BY_ID[name]
        assert repair.expected in (Verdict.PROVED, Verdict.PROVED_ON_BOX, Verdict.SUPPORTED)
    if claim.printed_proof == "sound":
        assert claim.expected is not Verdict.REFUTED or claim.finding == "slip"
    if claim.finding != "none":
        assert claim.kind != "trusted"
