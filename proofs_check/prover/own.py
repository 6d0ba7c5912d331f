"""Proofs of claims that are not shipped: compiled one at a time, remembered in the user's cache.

What the kernel accepted lies under the digest of all that it depends on: the claim's statement,
tree and script, the scripts that this cites, the theories, the files of this package. Scripts that
the usual tactics make for claims without one lie there too. The package itself is never written to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim, Evidence, Verdict
from proofs_check.prover.alone import ScriptFailed, proved_alone, proved_together
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import ProverFailed
from proofs_check.prover.readable import statement_of
from proofs_check.prover.receipt import folder as cache
from proofs_check.prover.receipt import keep, sources_digest
from proofs_check.prover.record import reachable, recorded, sources
from proofs_check.prover.runner import (
    cited,
    coq_version,
    digest,
    ordered,
    refutation,
    refutation_of,
    theorem_of,
)
from proofs_check.prover.scripts import found_scripts
from proofs_check.prover.written import original, part_of, shipped

_WORTH_ONE_START = 2


def theorem_name(claim: Claim) -> str:
    """The name of the theorem that the script of a claim proves."""
    return (refutation_of if part_of(claim) == "negation" else theorem_of)(claim.id)


def proposition_of(claim: Claim) -> str:
    """What the script of a claim proves, as a person reads it; raises `NotExported`."""
    part = part_of(claim)
    if part == "negation":
        return refutation(claim)
    return statement_of(claim) if part == "statement" else f"means\n  {tree_of(claim)}"


def entry(claim: Claim, known: Mapping[str, Claim]) -> dict[str, Any]:
    """What the proof of a claim depends on, as digests; raises `NotExported` without a tree."""
    scripts = _scripts_behind(claim, known)
    through = [
        [name, statement_of(known[name]), scripts[name]]
        for name in ordered({**known, claim.id: claim}, scripts, [claim.id])
        if name != claim.id
    ]
    return {
        "theorem": theorem_name(claim),
        "statement": digest(proposition_of(claim)),
        "tree": digest(tree_of(claim)),
        "script": digest(claim.proof),
        "cites": digest(json.dumps([sources(), through], sort_keys=True)),
        "proof": "",
        "uses": list(cited(claim.proof)),
    }


def _scripts_behind(claim: Claim, known: Mapping[str, Claim]) -> dict[str, str]:
    """The script of a claim and those of statements that it cites, and that these cite, by id."""
    named = {theorem_of(name): name for name in known}

    def behind(script: str) -> list[str]:
        names = [named[theorem] for theorem in cited(script) if theorem in named]
        return [n for n in names if known[n].proof and part_of(known[n]) == "statement"]

    names = reachable(behind(claim.proof), lambda name: behind(known[name].proof))
    return {**{name: known[name].proof for name in names}, claim.id: claim.proof}


def certified(claim: Claim, known: Mapping[str, Claim]) -> dict[str, Any] | None:
    """What a certificate says of a theorem that the kernel accepted for a claim.

    Of a shipped claim this is the entry of the record, of another one the entry of a run here.
    """
    if original(claim).id in shipped():
        theorem = recorded().theorems.get(original(claim).id)
        return None if theorem is None else {**theorem, "prover": recorded().prover}
    made = entry(claim, known)
    return {**made, "prover": _remembered(made) or coq_version()}


def _remembered(entry: Mapping[str, Any]) -> str:
    """The version of the assistant that accepted an entry here; empty where none is known to."""
    try:
        body = json.loads(_place(entry).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(body.get("prover", "")) if isinstance(body, dict) else ""


def evidence(claim: Claim, known: Mapping[str, Claim], *, anew: bool = False) -> Evidence | None:
    """What the kernel says of the proof of a claim: as remembered, or asked now (also `anew`).

    None for a claim without a proof. A refused or missing assistant leaves the claim UNDECIDED.
    """
    if not claim.proof:
        return None
    try:
        made = entry(claim, known)
    except NotExported as reason:
        return _undecided(f"a proof, but no tree: {reason}")
    except ProverFailed as failure:
        return _undecided(str(failure))
    version = "" if anew else _remembered(made)
    if not version:
        try:
            judged = proved_alone(claim, claim.proof, known)
        except ScriptFailed as failure:
            line = f"line {failure.line} of the proof: " if failure.line else ""
            return _undecided(f"Coq refuses {line}{' '.join(str(failure).split())[:300]}")
        except (ProverFailed, InvalidInput) as failure:
            return _undecided(f"the proof was not compiled: {failure}")
        version = coq_version()
        _remember(made, version, judged.propositions)
    verdict = Verdict.REFUTED if part_of(claim) == "negation" else Verdict.PROVED
    theorems = {theorem_of(name): name for name in known}
    return Evidence(
        "prover",
        verdict,
        f"Coq {version} accepts {made['theorem']}",
        theorem=made["theorem"],
        uses=tuple(theorems[name] for name in made["uses"] if name in theorems),
    )


def asked_together(
    claims: Sequence[Claim], known: Mapping[str, Claim], *, anew: bool
) -> frozenset[str]:
    """Ask the assistant once for the proofs that are not remembered, or all; those it accepted.

    Where it refuses one of them nothing is remembered: `evidence` then asks for each by itself.
    """
    wanted: dict[str, tuple[Claim, dict[str, Any]]] = {}
    for claim in claims:
        with suppress(NotExported, ProverFailed):
            made = entry(claim, known)
            if part_of(claim) != "theorem" and (anew or not _remembered(made)):
                wanted[claim.id] = claim, made
    if len(wanted) < _WORTH_ONE_START:
        return frozenset()
    try:
        judged = proved_together([claim for claim, _ in wanted.values()], known)
    except (NotExported, ProverFailed, InvalidInput):
        return frozenset()
    for _, made in wanted.values():
        _remember(made, coq_version(), judged.propositions)
    return frozenset(wanted)


def _remember(entry: Mapping[str, Any], version: str, propositions: Sequence[str]) -> None:
    """Keep what was accepted; where the cache cannot be written, it is asked again next time."""
    place = _place(entry)
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps({"prover": version}) + "\n", encoding="utf-8")
        keep(propositions)


def scripted(known: Mapping[str, Claim], look_for: Sequence[str] = ()) -> dict[str, Claim]:
    """The claims, those that are not shipped and have no script with the one that was found.

    A claim that is expected to be PROVED gets the script that the usual tactics made for it here,
    where they did: now for those of `look_for`, seconds each, else as remembered.
    """
    open_claims = {
        claim.id: place
        for claim in known.values()
        if not claim.proof
        and original(claim).id not in shipped()
        and part_of(claim) in ("statement", "tree")
        and claim.expected is Verdict.PROVED
        and (place := _script_place(claim)) is not None
    }
    wanted = [name for name in look_for if name in open_claims]
    if wanted:
        with suppress(ProverFailed, InvalidInput):
            for name, script in found_scripts(known, wanted).items():
                with suppress(OSError):
                    open_claims[name].parent.mkdir(parents=True, exist_ok=True)
                    open_claims[name].write_text(script, encoding="utf-8")
    claims = dict(known)
    for name, place in open_claims.items():
        with suppress(OSError, UnicodeDecodeError):
            claims[name] = replace(known[name], proof=place.read_text(encoding="utf-8"))
    return claims


def _script_place(claim: Claim) -> Path | None:
    """Where the script that was found for a claim lies; None for a claim without a tree."""
    try:
        key = digest(json.dumps([sources(), proposition_of(claim)], sort_keys=True))
    except (NotExported, ProverFailed):
        return None
    return cache() / "scripts" / f"{key}.v"


def _undecided(sentence: str) -> Evidence:
    return Evidence("prover", Verdict.UNDECIDED, sentence)


def _place(entry: Mapping[str, Any]) -> Path:
    key = digest(json.dumps([sources_digest(), entry], sort_keys=True))
    return cache() / "claims" / f"{key}.json"


def cites(claim: Claim) -> tuple[str, ...]:
    """The ids of the claims whose theorems a script names, as ids are spelt with hyphens."""
    names = cited(claim.proof)
    return tuple(re.sub("_", "-", name.removeprefix("claim_")) for name in names)
