"""What an entry of a certificate of claims holds: its statement, and the other keys by type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import UnionType
from typing import Any

from proofs_check.language.claim import Claim, Verdict

_ABSENT = object()
_BESIDE: dict[str, type | UnionType] = {
    "box": dict | str | None,
    "verdict": str,
    "by": str,
    "witness": dict | None,
    "theorem": dict | None,
}


def statement(claim: Claim, rests_on: Sequence[str]) -> dict[str, Any]:
    """What a claim says, how it is decided and what it rests on, as plain data."""
    said = {
        "id": claim.id,
        "kind": claim.kind,
        **({"sentence": claim.sentence} if claim.sentence else {}),
        "formula": claim.formula,
        **({"case": claim.case} if claim.case else {}),
        "definitions": claim.let,
        "parameters": [{"type": type(p).__name__, **asdict(p)} for p in claim.parameters],
        "hypotheses": claim.hypotheses,
        "outline": claim.outline,
        "rests_on": rests_on,
        "box": claim.box,
        "statement": claim.statement,
        "reading": claim.reading,
    }
    return dict(json.loads(_spelled(said)))


def fault(entry: Mapping[str, Any], stated: Mapping[str, Any]) -> str:
    """What is wrong with the entry of what is stated, in one line; nothing where it is whole."""
    verdict = entry.get("verdict")
    wanted = {key: type(value) for key, value in stated.items()} | _BESIDE
    if verdict == Verdict.REFUTED:
        wanted["counterexample"] = dict
    for key, kind in wanted.items():
        if not isinstance(entry.get(key, _ABSENT), kind):
            return f"has no {key}" if key not in entry else f"its {key} is a {type(entry[key])!r}"
    more = sorted(set(entry) - set(wanted))
    if more:
        return f"has a key too many: {more[0]}"
    if verdict == Verdict.REFUTED and set(entry["counterexample"]) != {"case", "left", "right"}:
        return "its counterexample is not a case and its two sides"
    # Written out, since 1, 1.0 and true are equal but not the same.
    other = [key for key in stated if _spelled(entry[key]) != _spelled(stated[key])]
    return f"states another {other[0]} than the claim" if other else ""


def _spelled(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
