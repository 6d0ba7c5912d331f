"""Certificates: what is needed to check the verdicts again, as one JSON file with a digest.

Every claim is written with its statement (formula, definitions, parameters, hypotheses) and what
decides it: the counterexample with both sides, the proof's steps, or the box. Numbers are integers
or exact fractions as text. The digest guards against damage, not against lies: `recheck` reads the
mathematics again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from bounds.errors import InvalidInput
from proofs_check.claim import Claim, Follows, Verdict
from proofs_check.ledger import Ledger, Row, plain

FORMAT = "ctv-bounds certificate 1"
_REMEDY = "write it anew with the --certificate option of ctv verify or ctv bound"


def certificate(ledger: Ledger, version: str) -> dict[str, Any]:
    """The certificate of a ledger as plain data."""
    body = {
        "format": FORMAT,
        "version": version,
        "budget": ledger.budget,
        "seed": ledger.seed,
        "claims": [_entry(row) for row in (*ledger.behind, *ledger.rows)],
    }
    return {**body, "digest": digest(body)}


def statement(claim: Claim) -> dict[str, Any]:
    """What a claim says, what its proof reaches and which instances of other claims it may use."""
    return {
        "id": claim.id,
        "kind": claim.kind,
        **({"sentence": claim.sentence} if claim.sentence else {}),
        "formula": claim.formula,
        "definitions": [list(pair) for pair in claim.let],
        "parameters": [
            {"type": type(p).__name__, **{f.name: _number(getattr(p, f.name)) for f in fields(p)}}
            for p in claim.parameters
        ],
        "hypotheses": list(claim.hypotheses),
        "covers": claim.covers,
        "rests_on": list(claim.rests_on),
        "citations": [
            list(given)
            for step in claim.proof
            if isinstance(step, Follows)
            for given in step.given
            if isinstance(given, tuple)
        ],
    }


def digest(body: dict[str, Any]) -> str:
    """SHA-256 of everything but the digest itself, in one canonical spelling."""
    rest = {key: value for key, value in body.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def write(path: Path, ledger: Ledger, version: str) -> None:
    """Write the certificate of a ledger; raises `InvalidInput` where the path cannot be written."""
    text = json.dumps(certificate(ledger, version), ensure_ascii=False, indent=1)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidInput("certificate", str(path), str(error.strerror).lower()) from None


def read(path: Path, expected: str = FORMAT) -> dict[str, Any]:
    """Read a certificate of a format; raises `InvalidInput` naming the file where it is damaged."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput("recheck", str(path), str(error.strerror).lower()) from None
    except (ValueError, RecursionError):  # no UTF-8, no JSON, too long a number, too deep
        raise InvalidInput("recheck", str(path), f"is not JSON: {_REMEDY}") from None
    if not isinstance(body, dict) or body.get("format") != expected:
        raise InvalidInput("recheck", str(path), f"is not a certificate: {_REMEDY}")
    try:
        whole = body.get("digest") == digest(body)
    except (ValueError, RecursionError):  # characters that UTF-8 has no code for
        whole = False
    if not whole:
        raise InvalidInput("recheck", str(path), f"is damaged, its digest is wrong: {_REMEDY}")
    claims = body.get("claims")
    if not isinstance(claims, list) or not claims or not all(map(_is_claim, claims)):
        raise InvalidInput("recheck", str(path), f"has no list of claims: {_REMEDY}")
    return body


def _is_claim(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("id"), str)


def _entry(row: Row) -> dict[str, Any]:
    claim = row.claim
    entry = {
        **statement(claim),
        "verdict": str(row.verdict),
    }
    if row.counterexample:
        entry["counterexample"] = {
            "case": {name: plain(value) for name, value in row.counterexample.case.items()},
            "left": list(row.counterexample.left),
            "right": list(row.counterexample.right),
        }
    if row.verdict in (Verdict.PROVED, Verdict.PROVED_ON_BOX):
        by = next(e for e in row.engines if e.verdict in (Verdict.PROVED, Verdict.PROVED_ON_BOX))
        if by.engine == "enclosure":
            entry["box"] = claim.box if claim.box == "all" else {
                name: list(ends) for name, ends in dict(claim.box or {}).items()
            }  # fmt: skip
        else:
            entry["proof"] = [
                {"step": type(step).__name__, **json.loads(json.dumps(asdict(step)))}
                for step in claim.proof
            ]
    return entry


def _number(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
