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
from types import UnionType
from typing import Any

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim, Verdict
from proofs_check.records.ledger import Ledger, Row, plain

FORMAT = "ctv-bounds certificate 2"
_REMEDY = "write it anew with the --certificate option of ctv verify or ctv bound"
_SHAPE: dict[str, type | UnionType] = {
    "id": str,
    "kind": str,
    "formula": str,
    "definitions": list,
    "parameters": list,
    "hypotheses": list,
    "covers": str,
    "rests_on": list,
    "proof": list,
    "box": dict | str | None,
    "verdict": str,
}


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
    """What a claim says and how it is decided: its domain, proof and box, as plain data."""
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
        "proof": [
            {"step": type(step).__name__, **json.loads(json.dumps(asdict(step)))}
            for step in claim.proof
        ],
        "box": json.loads(json.dumps(claim.box)),
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


def fault(entry: dict[str, Any]) -> str:
    """What is wrong with the keys of an entry, in one line; nothing where they are whole."""
    verdict = entry.get("verdict")
    if not isinstance(verdict, str) or verdict not in [str(member) for member in Verdict]:
        return "has no verdict" if "verdict" not in entry else f"{verdict!r} is no verdict"
    wanted = dict(_SHAPE)
    if verdict == Verdict.REFUTED:
        wanted["counterexample"] = dict
    for key, kind in wanted.items():
        if key not in entry:
            return f"has no {key}"
        if not isinstance(entry[key], kind):
            return f"its {key} is a {type(entry[key]).__name__}"
    more = sorted(set(entry) - set(wanted) - {"sentence"})
    if more:
        return f"has a key too many: {more[0]}"
    if verdict == Verdict.REFUTED and set(entry["counterexample"]) != {"case", "left", "right"}:
        return "its counterexample is not a case and its two sides"
    return ""


def _entry(row: Row) -> dict[str, Any]:
    entry = {**statement(row.claim), "verdict": str(row.verdict)}
    if row.counterexample and row.verdict is Verdict.REFUTED:
        entry["counterexample"] = {
            "case": {name: plain(value) for name, value in row.counterexample.case.items()},
            "left": list(row.counterexample.left),
            "right": list(row.counterexample.right),
        }
    return entry


def _number(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
