"""Certificates: what is needed to check the verdicts again, as one JSON file with a digest.

Every claim is written with its statement in words and in symbols (formula, definitions, parameters,
hypotheses), its verdict, a point of its domain, and what decides it: the counterexample with both
sides, the box, or the theorem of the proof assistant with its digests. Numbers are integers or
exact fractions as text. The digest guards against damage, not against lies: `recheck` reads the
mathematics again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.language.arithmetics import entrywise
from proofs_check.language.claim import Claim, Verdict
from proofs_check.prover.own import certified
from proofs_check.prover.record import supports
from proofs_check.prover.written import shipped
from proofs_check.recheck.entry import statement
from proofs_check.recheck.reading import FORMAT, digest
from proofs_check.records.ledger import Ledger, Row


def certificate(ledger: Ledger, version: str) -> dict[str, Any]:
    """The certificate of a ledger as plain data."""
    rows = (*ledger.behind, *ledger.rows)
    known = {**shipped(), **{row.claim.id: row.claim for row in rows}}
    body = {
        "format": FORMAT,
        "version": version,
        "budget": ledger.budget,
        "seed": ledger.seed,
        "claims": [_entry(row, known) for row in rows],
    }
    return {**body, "digest": digest(body)}


def _entry(row: Row, known: Mapping[str, Claim]) -> dict[str, Any]:
    entry = {
        **statement(row.claim, supports(row.claim)),
        "verdict": str(row.verdict),
        "by": row.by,
        "witness": entrywise(str, row.witness),
        "theorem": certified(row.claim, known) if row.theorem else None,
    }
    if row.counterexample and row.verdict is Verdict.REFUTED:
        entry["counterexample"] = {
            "case": entrywise(str, row.counterexample.case),
            "left": list(row.counterexample.left),
            "right": list(row.counterexample.right),
        }
    return entry
