"""Check a certificate again by other code than that which made it.

Counterexamples and boxes are evaluated by rational intervals (`independent`), identities at random
rational points and all small integers, comparisons over the reals by cvc5 where the engine used z3.
The file alone is read; the installed claims serve only to refuse a file that states something else
under a known id. A right digest does not help a forger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from proofs_check import certificate as files
from proofs_check.claim import Claim
from proofs_check.rational_interval import NotDecided
from proofs_check.recheck_cases import Refused, certain, check_box, check_counterexample
from proofs_check.recheck_proof import check_proof

Progress = Callable[[str, float], None]
_PROVED = ("PROVED", "PROVED_ON_BOX")


@dataclass(frozen=True)
class Rechecked:
    """One entry of a certificate: whether its verdict was derived again, and by what."""

    id: str
    verdict: str
    accepted: bool
    reason: str
    seconds: float


def recheck(
    path: Path, claims: Sequence[Claim] | None = None, progress: Progress | None = None
) -> tuple[Rechecked, ...]:
    """Derive every PROVED and REFUTED of a certificate again.

    `progress` is called before each with its id and the share that is done. Raises `InvalidInput`
    where the file is damaged. Entries of other verdicts are not listed: they claim nothing that
    could be checked.
    """
    if claims is None:
        from proofs_check.claims import CLAIMS  # claims import this package

        claims = CLAIMS
    body = files.read(path)
    known = {claim.id: files.statement(claim) for claim in claims}
    entries = {entry["id"]: entry for entry in body["claims"]}
    results: list[Rechecked] = []
    listed = [entry for entry in body["claims"] if entry["verdict"] in (*_PROVED, "REFUTED")]
    for done, entry in enumerate(listed):
        if progress is not None:
            progress(str(entry["id"]), done / len(listed))
        start = perf_counter()
        try:
            _require_statement(entry, known)
            reason = _check(entry, entries, known)
            accepted = True
        except Refused as refused:
            accepted, reason = False, str(refused)
        except (NotDecided, KeyError, IndexError, TypeError, ValueError, ZeroDivisionError) as e:
            accepted, reason = False, f"cannot be evaluated: {e}"
        results.append(
            Rechecked(entry["id"], entry["verdict"], accepted, reason, perf_counter() - start)
        )
    return _without_what_rests_on_refused(results, entries)


def _without_what_rests_on_refused(
    results: Sequence[Rechecked], entries: Mapping[str, Any]
) -> tuple[Rechecked, ...]:
    """A proof is no better than what it rests on: refusals spread to all that use them."""
    refused = {result.id for result in results if not result.accepted}
    kept = list(results)
    spreading = True
    while spreading:
        spreading = False
        for place, result in enumerate(kept):
            if not result.accepted or result.verdict == "REFUTED":
                continue
            behind = [name for name in entries[result.id]["rests_on"] if name in refused]
            if behind:
                reason = f"rests on {behind[0]}, which is refused"
                kept[place] = replace(result, accepted=False, reason=reason)
                refused.add(result.id)
                spreading = True
    return tuple(kept)


def _require_statement(entry: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    name = entry["id"]
    if name not in known:
        raise Refused("no claim has this id")
    for key, value in known[name].items():
        if entry.get(key) != value:
            raise Refused(f"{name}: states another {key} than the claim")


def _check(entry: Mapping[str, Any], entries: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    if entry.get("sentence"):
        raise Refused("is about runs, which neither prove nor refute")
    if entry["verdict"] == "REFUTED":
        return check_counterexample(entry)
    for name in entry["rests_on"]:
        support = entries.get(name)
        if support is None:
            raise Refused(f"rests on {name}, which the file leaves out")
        _require_statement(support, known)
        if support["verdict"] == "PROVED_ON_BOX" and entry["verdict"] == "PROVED":
            raise Refused(f"rests on {name}, which is proved on a box only")
        if support["verdict"] not in _PROVED and support["kind"] != "trusted":
            raise Refused(f"rests on {name}, which is {support['verdict']}")
        if support["verdict"] in ("REFUTED", "ERROR"):
            raise Refused(f"rests on {name}, which is {support['verdict']}")
    if "box" in entry:
        return check_box(entry)
    if not entry["proof"]:
        if certain(entry, entry["formula"], {}) is not True:
            raise Refused("the two sides, evaluated, do not satisfy it")
        return "both sides evaluated"
    return check_proof(entry, entries)
