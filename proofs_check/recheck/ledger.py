"""Check a certificate again by other code than that which made it.

Counterexamples, points of the domain and boxes are evaluated by a reader of formulas of its own
(`independent`); a theorem is compared with what the proof assistant accepted, which `prover` asks
anew. The installed claims serve only to refuse a file that states something else under a known id.
A right digest does not help a forger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bounds import enclosure
from bounds.errors import InvalidInput
from bounds.progress import Stage
from bounds.reading import Text, read_text
from proofs_check.language.claim import Claim, Verdict
from proofs_check.ledgers import CLAIMS
from proofs_check.prover import own
from proofs_check.prover.record import compared, recorded, stale, supports
from proofs_check.prover.written import original, shipped
from proofs_check.recheck import reading as files
from proofs_check.recheck.cases import certain, check_box, check_counterexample, check_witness
from proofs_check.recheck.entry import fault, statement
from proofs_check.recheck.outcome import Rechecked, Refused, each

_BITS = 1024
_DERIVED = ("PROVED", "PROVED_ON_BOX", "PROVED_UP_TO", "OUTLINE", "REFUTED")
_KEYS = {"format", "version", "digest", "budget", "seed", "claims"}


def recheck(
    path: Path | Text,
    claims: Sequence[Claim] = CLAIMS,
    progress: Stage | None = None,
    *,
    prover: bool = False,
) -> tuple[Rechecked, ...]:
    """Derive every PROVED and REFUTED of a certificate again.

    An entry is refused where it is not whole, is not what the claim of its id says, has another
    verdict than the claim is known to have, or does not hold up. `progress` is called before each
    with its id and the share that is done. With `prover` the assistant is asked for the theorems
    anew, minutes; without it they are compared with what it said. Raises `InvalidInput` where the
    file is damaged.
    """
    file = read_text(path, "recheck")
    body = files.read(file)
    if set(body) != _KEYS:
        odd = min(set(body) ^ _KEYS)
        raise InvalidInput("recheck", file.name, f"lacks the key {odd}, or has it too many")
    known = {claim.id: claim for claim in claims}
    entries = {entry["id"]: entry for entry in body["claims"]}
    counts = Counter(entry["id"] for entry in body["claims"])
    asked = _asked_again(body["claims"]) if prover else None

    def check(entry: Mapping[str, Any]) -> str:
        if counts[entry["id"]] > 1:
            raise Refused("stands in the file more than once")
        _require_whole(entry, known)
        if entry["verdict"] not in _DERIVED:
            return "nothing to derive"
        with enclosure.precision(_BITS):
            return _check(entry, known, asked)

    results = each(body["claims"], check, progress)
    return _without_what_rests_on_refused(
        [replace(result, derived=result.verdict in _DERIVED) for result in results], entries
    )


def _without_what_rests_on_refused(
    results: Sequence[Rechecked], entries: Mapping[str, Any]
) -> tuple[Rechecked, ...]:
    """A proof is no better than what it rests on: refusals spread to all that use them."""
    kept = list(results)
    while True:
        refused = {result.id for result in kept if not result.accepted}
        behind = {
            place: next((name for name in entries[result.id]["rests_on"] if name in refused), "")
            for place, result in enumerate(kept)
            if result.accepted and result.verdict != "REFUTED"
        }
        if not any(behind.values()):
            return tuple(kept)
        for place, name in behind.items():
            if name:
                reason = f"rests on {name}, which is refused"
                kept[place] = replace(kept[place], accepted=False, reason=reason)


def _require_whole(entry: Mapping[str, Any], known: Mapping[str, Claim]) -> None:
    """The entry has all its keys, says what its claim says, and has the verdict of that claim."""
    claim = known.get(entry["id"])
    wrong = "no claim has this id" if claim is None else ""
    if claim is not None:
        wrong = fault(entry, statement(claim, supports(claim)))
    if wrong or claim is None:
        raise Refused(wrong)
    if entry["verdict"] != str(claim.expected):
        raise Refused(f"is {entry['verdict']} here, where its table expects {claim.expected}")


def _check(
    entry: Mapping[str, Any], known: Mapping[str, Claim], asked: frozenset[str] | None
) -> str:
    if entry.get("sentence"):
        raise Refused("is about runs, which neither prove nor refute")
    if entry["by"] != _road(entry):
        raise Refused(f"is by {_road(entry)}, and not by what the file says")
    if entry["verdict"] == "REFUTED":
        sentence = check_counterexample(entry)
        if entry["theorem"] is None:
            return sentence
        return f"{sentence}; {_check_theorem(entry, known, asked)}"
    check_witness(entry)
    if entry["theorem"] is not None:
        return _check_theorem(entry, known, asked)
    if entry["box"] is not None:
        return check_box(entry)
    if entry["parameters"]:
        raise Refused("has neither a theorem nor a box")
    if certain(entry, entry["formula"], {}) is not True:
        raise Refused("the two sides, evaluated, do not satisfy it")
    return "both sides evaluated"


def _road(entry: Mapping[str, Any]) -> str:
    """By what an entry with this evidence has its verdict."""
    if entry["verdict"] == "OUTLINE":
        return "outline"
    if entry["theorem"] is not None:
        return "prover"
    if entry["verdict"] == "REFUTED":
        return "search"
    return "exact" if entry["box"] is None else "enclosure"


def _asked_again(entries: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """What differs from the record, by name, where the assistant compiles the theorems anew."""
    named = {entry["id"] for entry in entries if entry.get("theorem") is not None}
    ids = [name for name in recorded().theorems if name in named]
    return frozenset(compared(ids)["differing"]) - {"prover"} if ids else frozenset()


def _check_theorem(
    entry: Mapping[str, Any], known: Mapping[str, Claim], asked: frozenset[str] | None
) -> str:
    """The theorem is the recorded one, and the sources are those that were compiled."""
    claim = original(known[entry["id"]])
    if claim.id not in shipped():
        return _check_own(entry, claim, known, anew=asked is not None)
    record = recorded()
    held = record.theorems.get(claim.id)
    if held is None or entry["theorem"] != {**held, "prover": record.prover}:
        raise Refused("its theorem is not the recorded one")
    changed = stale(claim, record)
    if changed:
        raise Refused(f"the record of the prover is stale: {changed} differs")
    if asked is None:
        return f"{held['theorem']}, as recorded of Coq {record.prover}"
    for name in (claim.id, "sources", "statements", "definitions"):
        if name in asked:
            raise Refused(f"the prover, asked anew, has another {name}")
    return f"{held['theorem']}, which Coq accepted again"


def _check_own(
    entry: Mapping[str, Any], claim: Claim, known: Mapping[str, Claim], *, anew: bool
) -> str:
    """The theorem of a claim that is not shipped is the one that the kernel accepted here."""
    said = own.evidence(claim, known, anew=anew)
    if said is None or said.verdict is Verdict.UNDECIDED:
        raise Refused("has no proof" if said is None else said.sentence)
    written = {name: part for name, part in entry["theorem"].items() if name != "prover"}
    if written != own.entry(claim, known):
        raise Refused("its theorem is not the one that was accepted here")
    return said.sentence


def missing(path: Path | Text, claims: Sequence[Claim] = CLAIMS) -> tuple[str, ...]:
    """The claims of the ledger that a certificate leaves out, in paper order."""
    held = {entry["id"] for entry in files.read(path)["claims"]}
    return tuple(claim.id for claim in claims if claim.id not in held)
