"""What an entry of a certificate of claims holds: its statement, and the other keys by type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from types import UnionType
from typing import Any

from proofs_check.language.claim import Claim, Verdict

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


def statement(claim: Claim, rests_on: Sequence[str]) -> dict[str, Any]:
    """What a claim says, how it is decided and what it rests on, as plain data."""
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
        "rests_on": list(rests_on),
        "box": json.loads(json.dumps(claim.box)),
        "statement": claim.statement,
        "reading": claim.reading,
    }


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


def _number(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
