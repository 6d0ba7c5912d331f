"""Every claim of the ledger: its verdict is the expected one and can be derived again."""

import json
from pathlib import Path

import pytest

from ctv.pages.ledger_text import ledger_markdown
from proofs_check.language.claim import Claim, Verdict
from proofs_check.ledgers import CLAIMS, TEMPLATE
from proofs_check.recheck.ledger import recheck
from proofs_check.records import certificate as files
from proofs_check.records.ledger import Ledger
from proofs_check.records.verify import index, verify

ROOT = Path(__file__).resolve().parent.parent.parent
LEDGER = ROOT / "LEDGER.md"
BY_ID = index(CLAIMS)


@pytest.mark.xdist_group("ledger")
def test_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    """Verdicts, certificate, LEDGER.md."""
    surprises = {
        row.claim.id: (str(row.verdict), row.reason) for row in ledger.rows if not row.as_expected
    }
    assert surprises == {}
    for row in ledger.rows:
        if row.verdict is Verdict.REFUTED:
            assert row.counterexample is not None
            assert len(str(row.counterexample)) < 400, row.claim.id
    _require_derived_again(ledger, tmp_path / "certificate.json")
    written = LEDGER.read_text(encoding="utf-8")
    assert written == ledger_markdown(ledger), "run ctv verify --out LEDGER.md"


def _require_derived_again(ledger: Ledger, path: Path) -> None:
    path.write_text(json.dumps(files.certificate(ledger, "test")), encoding="utf-8")
    results = recheck(path)
    decided = (
        Verdict.PROVED,
        Verdict.PROVED_ON_BOX,
        Verdict.PROVED_UP_TO,
        Verdict.OUTLINE,
        Verdict.REFUTED,
    )
    derived = sum(result.derived for result in results)
    assert derived == sum(row.verdict in decided for row in ledger.rows)
    assert {r.id: r.reason for r in results if not r.accepted} == {}


def test_the_template_works() -> None:
    assert verify(claims=TEMPLATE).as_expected


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_is_complete(claim: Claim) -> None:
    assert claim.statement.endswith((".", ".)")) and claim.because and claim.where and claim.label
    if claim.expected is Verdict.REFUTED:
        assert claim.repairs, "a refuted claim names what repairs it"
    for name in claim.repairs:
        repair = BY_ID[name]
        assert repair.expected not in (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.ERROR)
    if claim.printed_proof == "sound":
        assert claim.expected is not Verdict.REFUTED or claim.finding == "slip"
    if claim.finding != "none":
        assert claim.kind != "trusted"
