"""Reads the file of a certificate: one JSON object of a known format with its right digest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from bounds.errors import InvalidInput
from bounds.reading import Text, json_of, read_text

FORMAT = "ctv-bounds certificate 3"
BOUND_FORMAT = "ctv-bounds bound certificate 3"
LOG_FORMAT = "ctv-bounds log certificate 2"
_REMEDY = "write it anew with the --certificate option of ctv verify, ctv bound or ctv certify"


def kind_of(path: Path | Text) -> str:
    """What a file says that it certifies: "bound", "log" or "claims", which stands for the rest.

    Damage is for the reading of that kind to find.
    """
    try:
        body = json_of(read_text(path, "recheck").text)
    except ValueError:
        return "claims"
    named = body.get("format") if isinstance(body, dict) else None
    for kind, known in (("bound", BOUND_FORMAT), ("log", LOG_FORMAT)):
        if isinstance(named, str) and named.rpartition(" ")[0] == known.rpartition(" ")[0]:
            return kind
    return "claims"


def digest(body: dict[str, Any]) -> str:
    """SHA-256 of everything but the digest itself, in one canonical spelling."""
    rest = {key: value for key, value in body.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read(path: Path | Text, expected: str = FORMAT) -> dict[str, Any]:
    """Read a certificate of a format; raises `InvalidInput` naming the file where it is damaged."""
    file = read_text(path, "recheck")
    try:
        body = json_of(file.text)
    except ValueError as error:
        raise InvalidInput("recheck", file.name, f"is not JSON ({error}): {_REMEDY}") from None
    if not isinstance(body, dict) or body.get("format") != expected:
        raise InvalidInput(
            "recheck", file.name, f"this is not a certificate of format {expected!r}: {_REMEDY}"
        )
    try:
        whole = body.get("digest") == digest(body)
    except ValueError:  # characters that UTF-8 has no code for
        whole = False
    if not whole:
        raise InvalidInput("recheck", file.name, f"is damaged, its digest is wrong: {_REMEDY}")
    claims = body.get("claims")
    if not isinstance(claims, list) or not claims or not all(map(_is_claim, claims)):
        raise InvalidInput("recheck", file.name, f"has no list of claims: {_REMEDY}")
    return body


def _is_claim(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("id"), str)
