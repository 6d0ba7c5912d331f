"""What the proof assistant said, kept beside the sources: verdicts without the assistant.

record.json holds, for each claim with a theorem, the digests of its statement, its script, all that
this cites, and the compiled file with the proof. A digest records and does not prove: where a
source differs, the record is stale and its verdict an error, until `make proofs-record` has
compiled everything again; and a verdict stands «as recorded» until the assistant has run here.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim, Evidence, Verdict
from proofs_check.ledgers import CLAIMS
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import COQ, ROOT, ProverFailed, named
from proofs_check.prover.readable import statement_of
from proofs_check.prover.receipt import accepted, keep
from proofs_check.prover.runner import (
    LISTS,
    NEWER,
    SCALAR,
    Accepted,
    Theorem,
    cited,
    code,
    coq_version,
    digest,
    ordered,
    proved,
    refutation,
    refutation_of,
    theorem_of,
    theories,
)
from proofs_check.prover.written import (
    bridges,
    index,
    original,
    part_of,
    refutations,
    scripts,
    shipped,
    stated,
)

_LOG = logging.getLogger(__name__)
RECORD, _AXIOMS = ROOT / "record.json", ROOT / "axioms.json"
FORMAT = 3
_MACHINE = re.compile(r"(.*\.(?:PrimInt63|Uint63|Sint63|PrimFloat|FloatAxioms))\.\w+")
_PARTS = {"theorem", "statement", "tree", "script", "cites", "proof", "uses"}


@dataclass(frozen=True)
class Record:
    """What was compiled: the assistant's version, digests of the sources, theorems by claim.

    `axioms` are those of Coq's real numbers and machine arithmetic that some theorem stands on; no
    theorem assumes anything beside them. `statements` are the theorems of the theories as the
    assistant prints them, each with an instance, and `definitions` what their words mean.
    """

    prover: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    axioms: Sequence[str] = ()
    theorems: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    statements: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=1)
def sources() -> dict[str, str]:
    """Digests of the theories, without their comments, and of the list of axioms."""
    texts = {path.name: code(path.read_text(encoding="utf-8")) for path in theories()}
    texts |= {
        f"{NEWER}/{path.name}": code(path.read_text("utf-8")) for path in COQ.glob(f"{NEWER}/*")
    }
    texts[_AXIOMS.name] = _AXIOMS.read_text(encoding="utf-8")
    return {name: digest(text) for name, text in texts.items()}


@lru_cache(maxsize=1)
def recorded() -> Record:
    """The record as it stands; an empty one where there is none."""
    if not RECORD.exists():
        return Record()
    try:
        body = json.loads(RECORD.read_text(encoding="utf-8"))
        if body.pop("format") != FORMAT:
            raise ValueError
        return Record(**body)
    except (ValueError, TypeError, AttributeError, KeyError):
        remedy = "is damaged or of another format: make proofs-record"
        raise InvalidInput("record", RECORD.name, remedy) from None


def compiled_record(
    claims: Mapping[str, Claim], ids: Sequence[str] = ()
) -> tuple[Record, tuple[str, ...]]:
    """Compile all, or what the named claims need, from nothing; raises `ProverFailed`.

    Returns the record and the digests of the propositions that the kernel accepted.
    """
    version = coq_version()
    sources()  # as they are now: what changes while the assistant runs was not compiled
    chosen = {name: script for name, script in scripts().items() if name in claims}
    if ids:
        needed = ordered(claims, chosen, ids)
        chosen = {name: chosen[name] for name in needed}
    false = {
        name: script
        for name, script in refutations().items()
        if name in claims and (not ids or name in ids)
    }
    scalar = bool(ids) and not index().keys() & set(ids)
    tied = {} if scalar else {name: text for name, text in bridges().items() if name in claims}
    proofs = proved(claims, chosen, false, tied, scalar=scalar)
    stating = (
        {}
        if scalar
        else {
            name: replace(proofs.stated[of], tree=proofs.tied.get(name, ""))
            for name, of in index().items()
        }
    )
    alone = {name: proofs.exported[name] for name in proofs.exported if name not in index()}
    of_claims = {**alone, **stating, **proofs.refuted}
    theorems = {
        name: _entry(claims, name, of_claims[name], proofs) for name in claims if name in of_claims
    }
    axioms = sorted({_MACHINE.sub(r"\1", axiom) for axiom in proofs.axioms})
    statements = {
        name: {
            "statement": theorem.statement,
            "instance": proofs.instances[name],
            "uses": list(theorem.uses),
        }
        for name, theorem in proofs.stated.items()
    }
    made = Record(version, sources(), axioms, theorems, statements, proofs.definitions)
    return made, proofs.propositions


def _entry(
    claims: Mapping[str, Claim], name: str, theorem: Theorem, proofs: Accepted
) -> dict[str, Any]:
    script = _script(name, theorem.name)
    tied = ("tied",) if theorem.tree and theorem.file == "statements" else ()
    return {
        "theorem": theorem.name,
        "statement": digest(theorem.statement),
        "tree": digest(theorem.tree) if theorem.tree else "",
        "script": digest(script) if script else "",
        "cites": _cites(claims, name, theorem.name),
        "proof": digest(" ".join(proofs.files.get(file, "") for file in (theorem.file, *tied))),
        "uses": list(theorem.uses),
    }


def _cites(claims: Mapping[str, Claim], name: str, theorem: str) -> str:
    """The digest of all that a proof may go through, sources of theories and cited theorems.

    A theorem of the theories may go through all of them; that of a claim through those on which
    such theorems rest, and through the statements and scripts of those that it names, and so on.
    """
    if theorem not in (theorem_of(name), refutation_of(name)):
        return digest(json.dumps(sources(), sort_keys=True))
    by_theorem = {theorem_of(other): other for other in scripts() if other in claims}
    start = cited(scripts().get(name, "")) if theorem == theorem_of(name) else ()
    reached = reachable(start, lambda other: cited(scripts().get(by_theorem.get(other, ""), "")))
    through = [
        [other, statement_of(claims[by_theorem[other]]), scripts()[by_theorem[other]]]
        for other in sorted(reached)
        if other in by_theorem
    ]
    held = sources()
    return digest(json.dumps([[held.get(f"{file}.v") for file in _ground(claims[name])], through]))


def _ground(claim: Claim) -> tuple[str, ...]:
    """The theories on which the theorem of a claim's script rests."""
    return LISTS if part_of(claim) == "tree" else SCALAR


def _readable(claim: Claim) -> str:
    """What the script of a claim proves, for its tree where it is about lists."""
    return f"means\n  {tree_of(claim)}" if part_of(claim) == "tree" else statement_of(claim)


def expected_theorem(claim_id: str) -> str:
    """The theorem that a claim has by its table: a refutation, one that it names, or by a script.

    Empty where there is neither a script nor a theorem of the theories.
    """
    if claim_id in refutations():
        return refutation_of(claim_id)
    return index().get(claim_id) or (theorem_of(claim_id) if claim_id in scripts() else "")


def _script(name: str, theorem: str) -> str:
    """The script behind a theorem of a claim: of it, of its refutation, or from the theories."""
    written = {theorem_of(name): scripts, refutation_of(name): refutations}
    return written.get(theorem, bridges)().get(name, "")


def _of_theories(name: str, entry: Mapping[str, Any]) -> bool:
    """Whether a theorem of statements.v states the claim."""
    return entry["theorem"] not in (theorem_of(name), refutation_of(name))


def stale(claim: Claim, record: Record | None = None) -> str:
    """In what the sources of a claim's theorem differ from the record; nothing where in nothing."""
    record = record or recorded()
    entry, now = record.theorems[claim.id], sources()
    if set(entry) != _PARTS or entry["theorem"] != expected_theorem(claim.id):
        return "the theorem"
    stated = _of_theories(claim.id, entry)
    needed = [f"{file}.v" for file in _ground(claim)]
    for name in sorted({*record.sources, *now}) if stated else needed:
        if record.sources.get(name) != now.get(name):
            return name
    script = _script(claim.id, entry["theorem"])
    if stated and claim.formula and not script:
        return "the tree"
    said: dict[str, Any] = {
        "script": digest(script) if script else "",
        "cites": _cites(shipped(), claim.id, entry["theorem"]),
    }
    try:
        said["tree"] = digest(tree_of(claim)) if script else ""
        if stated:
            held = record.statements.get(entry["theorem"], {})
            said |= {"statement": digest(held.get("statement", "")), "uses": held.get("uses")}
        else:
            refutes = _refutes(claim.id, entry)
            said["statement"] = digest(refutation(claim) if refutes else _readable(claim))
            said["uses"] = [] if refutes else list(cited(script))
    except NotExported:
        return "the tree"
    return next((f"the {part}" for part, now in said.items() if now != entry[part]), "")


def _refutes(claim_id: str, entry: Mapping[str, Any]) -> bool:
    return bool(entry["theorem"] == refutation_of(claim_id))


def stated_in(claim: Claim) -> str:
    """The theorem of the theories that states a claim, `NAME : …`; empty where none does."""
    name = claim.cites or claim.id
    entry = recorded().theorems.get(name)
    if entry is None or not _of_theories(name, entry):
        return ""
    held = recorded().statements.get(entry["theorem"], {})
    statement = str(held.get("statement", "")).partition(" : ")[2]
    return named(f"statements.{entry['theorem']}", statement) if statement else ""


def evidence(claim: Claim, record: Record | None = None) -> Evidence | None:
    """What the record says of a claim: PROVED or REFUTED, ERROR where it is stale, or None.

    A theorem of the theories is a proof of the ledger's claim, not of another one of that id. Of a
    claim that cites another one it says what it says of that, which the claim then goes through.
    """
    if claim.cites:
        answer = evidence(original(claim), record)
        return None if answer is None else replace(answer, uses=(claim.cites,))
    record = record or recorded()
    entry = record.theorems.get(claim.id)
    if entry is None or (_of_theories(claim.id, entry) and claim not in CLAIMS):
        return None
    fault = stale(claim, record)
    if fault:
        sentence = f"the record is stale, {fault} differs: make proofs-record"
        return Evidence("prover", Verdict.ERROR, sentence)
    sentence = f"Coq {record.prover} accepts {entry['theorem']}"
    if _of_theories(claim.id, entry):
        sentence += ", and what the formula means" if entry["tree"] else ", which is the claim"
    verdict = Verdict.REFUTED if _refutes(claim.id, entry) else Verdict.PROVED
    return Evidence(
        "prover", verdict, sentence, theorem=str(entry["theorem"]), uses=used(claim.id, record)
    )


def used(claim_id: str, record: Record | None = None) -> tuple[str, ...]:
    """The claims whose theorems that of a claim goes through; none where it has no theorem.

    A theorem that states no claim gives way to those that it uses; one that states several, to the
    first of them.
    """
    record = record or recorded()
    if claim_id not in record.theorems:
        return ()
    first: dict[str, str] = {}
    for name in (*index(), *record.theorems):
        if name in record.theorems:
            first.setdefault(str(record.theorems[name]["theorem"]), name)

    def beyond(theorem: str) -> Sequence[str]:
        return () if theorem in first else record.statements.get(theorem, {}).get("uses", ())

    reached = reachable(record.theorems[claim_id]["uses"], beyond)
    return tuple(dict.fromkeys(first[theorem] for theorem in reached if theorem in first))


def reachable(start: Iterable[str], beyond: Callable[[str], Iterable[str]]) -> list[str]:
    """The names of `start` and all that lie beyond them, the nearest first."""
    reached = dict.fromkeys(start)
    front = list(reached)
    while front:
        front = [name for near in front for name in beyond(near) if name not in reached]
        reached |= dict.fromkeys(front)
    return list(reached)


def supports(claim: Claim) -> tuple[str, ...]:
    """What a claim rests on: what its theorem uses, and what a person's argument names."""
    cited = (claim.cites,) if claim.cites else used(claim.id)
    return tuple(dict.fromkeys((*cited, *claim.rests_on)))


def formal(claim: Claim) -> dict[str, Any] | None:
    """The theorem of a claim as the assistant has it, with all that a reader needs beside it.

    `words` and `differs` say what it states and where it departs from the words of the claim,
    `instance` is a case that meets all of its hypotheses, `definitions` are those that it uses.
    """
    record, claim = recorded(), original(claim)
    entry = record.theorems.get(claim.id)
    if entry is None:
        return None
    name = str(entry["theorem"])
    exported = not _of_theories(claim.id, entry)
    if exported:
        shown = refutation(claim) if _refutes(claim.id, entry) else _readable(claim)
        shown = re.sub(r"^((?:~ )?means)\n.*", r"\1 (the tree of the formula)", shown, flags=re.S)
        statement, held, said = f"{name}\n     : {shown}", {}, {}
    else:
        held, said = dict(record.statements[name]), stated()[name]
        statement = held["statement"]
    meanings = {} if exported else record.definitions

    def words(text: str) -> list[str]:
        mentioned = set(re.findall(r"\w+", text))
        return [word for word in meanings if word in mentioned]

    needed = reachable(words(statement), lambda word: words(meanings[word]))
    return {
        "theorem": statement,
        "words": said.get("words", ""),
        "differs": said.get("differs", ""),
        "instance": held.get("instance", ""),
        "definitions": {word: meanings[word] for word in needed},
    }


def state() -> dict[str, Any]:
    """The version that was asked, a digest of all sources, whether they differ, a run here."""
    now = sources()
    text = json.dumps([now, scripts(), refutations(), bridges()], sort_keys=True)
    changed = sorted(
        name
        for name in {**now, **recorded().sources}
        if now.get(name) != recorded().sources.get(name)
    )
    return {
        "version": recorded().prover,
        "digest": digest(text),
        "stale": changed,
        "run_here": bool(accepted()),
    }


def compared(ids: Sequence[str] = ()) -> dict[str, Any]:
    """Compile everything from nothing, or what some claims need, and compare with the record."""
    claims = shipped()
    for name in ids:
        if name not in claims:
            raise InvalidInput("claim", name, "run ctv verify for all ids")
        if name not in recorded().theorems:
            raise InvalidInput("prover", name, "has no theorem: name another claim")
    made, propositions = compiled_record(claims, ids)
    content = asdict(made)
    known, new = asdict(recorded()), content["theorems"]
    old = known["theorems"]
    differing = [
        name
        for name in {**({} if ids else old), **new}
        if _sources_of(old, name) != _sources_of(new, name)
    ]
    whole = ("statements", "definitions") if content["statements"] else ()
    for name in ("prover", "sources", *whole, *(() if ids else ("axioms",))):
        if known[name] != content[name]:
            differing.append(name)
    receipt = "" if differing else _kept(propositions)
    return {
        "version": content["prover"],
        "accepted": len(new),
        "differing": differing,
        "same_files": None if ids else _proofs(old) == _proofs(new),
        "receipt": receipt,
    }


def _sources_of(theorems: Mapping[str, Mapping[str, Any]], name: str) -> dict[str, Any]:
    """An entry but for the digest of what was compiled, which changes with Coq's libraries."""
    return {part: held for part, held in theorems.get(name, {}).items() if part != "proof"}


def _proofs(theorems: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {name: entry.get("proof") for name, entry in theorems.items()}


def _kept(propositions: Sequence[str]) -> str:
    """Where the receipt of a run lies; empty where nothing can be written there."""
    try:
        return str(keep(propositions))
    except OSError:
        return ""


def main(action: str) -> int:
    """`compare` compiles everything and compares with the record; `write` writes it anew."""
    try:
        if action == "write":
            made, propositions = compiled_record(shipped())
            body = {"format": FORMAT, **asdict(made)}
            text = json.dumps(body, indent=1, ensure_ascii=False)
            RECORD.write_text(text + "\n", encoding="utf-8")
            _kept(propositions)
            _LOG.info(f"{len(body['theorems'])} theorems recorded")
            return 0
        comparison = compared()
    except (ProverFailed, InvalidInput) as failure:
        _LOG.info(f"{failure}")
        return 1
    for name in comparison["differing"]:
        _LOG.info(f"differs from the record: {name}")
    if not comparison["same_files"]:
        _LOG.info("the compiled files are not those of the record, byte for byte")
    _LOG.info(f"Coq {comparison['version']} accepts {comparison['accepted']} theorems of claims")
    _LOG.info(f"receipt: {comparison['receipt'] or 'none was written'}")
    return 1 if comparison["differing"] else 0


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    raise SystemExit(main(sys.argv[1]))
