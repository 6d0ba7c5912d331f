"""Certificates: what is needed to check the verdicts again, as one JSON file with a digest.

Every claim is written with its statement in words and in symbols (formula, definitions, parameters,
hypotheses), its verdict, a point of its domain, and what decides it: the counterexample with both
sides, the box, or the theorem of the proof assistant with its digests. Numbers are integers or
exact fractions as text. The digest guards against damage, not against lies: `recheck` reads the
mathematics again.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim, Verdict
from proofs_check.prover.record import recorded
from proofs_check.recheck.reading import FORMAT, digest
from proofs_check.records.ledger import Ledger, Row, plain

_SHAPE: dict[str, type | UnionType] = {
    "id": str,
    "kind": str,
    "formula": str,
    "definitions": list,
    "parameters": list,
    "hypotheses": list,
    "outline": str,
    "rests_on": list,
    "box": dict | str | None,
    "statement": str,
    "reading": str,
    "verdict": str,
    "by": str,
    "witness": dict | None,
    "theorem": dict | None,
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
    """What a claim says and how it is decided, in words and in symbols, as plain data."""
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
        "outline": claim.outline,
        "rests_on": list(claim.rests_on),
        "box": json.loads(json.dumps(claim.box)),
        "statement": claim.statement,
        "reading": claim.reading,
    }


def write(path: Path, ledger: Ledger, version: str) -> None:
    """Write the certificate of a ledger; raises `InvalidInput` where the path cannot be written."""
    text = json.dumps(certificate(ledger, version), ensure_ascii=False, indent=1)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidInput("certificate", str(path), str(error.strerror).lower()) from None


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
    theorem = recorded().theorems.get(row.claim.id) if row.theorem else None
    entry = {
        **statement(row.claim),
        "verdict": str(row.verdict),
        "by": row.by,
        "witness": None if row.witness is None else plain(row.witness),
        "theorem": None if theorem is None else {**theorem, "prover": recorded().version},
    }
    if row.counterexample and row.verdict is Verdict.REFUTED:
        entry["counterexample"] = {
            "case": plain(row.counterexample.case),
            "left": list(row.counterexample.left),
            "right": list(row.counterexample.right),
        }
    return entry


def _number(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
