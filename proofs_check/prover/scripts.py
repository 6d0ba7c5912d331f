"""The script of a claim's theorem: its steps as assertions, each closed by a tactic.

What closes a step is looked for once (`python -m proofs_check.prover.scripts`) and kept in
scripts.json. Nothing here has to be believed: the assistant's kernel checks the proof that a script
makes, and a step that nothing closes is left out.
"""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_check.claims import CLAIMS, _template
from proofs_check.language import formula
from proofs_check.language.claim import Claim, Step
from proofs_check.prover.export import Exported, NotExported, Reader, Term, text_of
from proofs_check.prover.record import SCRIPTS, scripts
from proofs_check.prover.runner import (
    HEAD,
    compiled_theories,
    ordered,
    require_tactics,
    theorem_of,
)

_LOG = logging.getLogger(__name__)
# Tactics with the seconds that a search for one may spend on each.
_CLOSERS = (
    ("lra", 3), ("left; lra", 2), ("fields", 3), ("nra", 4), ("interval", 3), ("functions", 4),
    ("cases; lra", 3),
    ("cases; nra", 5), ("roots", 5), ("cancels; first [fields | known; plain]", 5),
    ("known; lra", 5), ("known; nra", 7), ("multiplied; plain", 4),
    ("multiplied; known; plain", 6), ("cases; known; plain", 7),
)  # fmt: skip
_MARK = "@@"
_MINUTES = 25
Assertion = tuple[str, str, list[tuple[str, int]]]


def assertions(claim: Claim, claims: Mapping[str, Claim]) -> Iterator[Assertion]:
    """The steps of a script: a label, the assertion ("" for the goal), what may close it."""
    exported = Exported(claim)
    reader = Reader()
    for number, step in enumerate(claim.proof, start=1):
        for place, citation in enumerate(step.given, start=1):
            fact = theorem_of(citation[1])
            try:
                text = reader.statement(claim.expanded(citation[0]), exported.values)
            except NotExported:
                continue
            cited = [(f"apply {fact}; small", 5), (f"eapply proj1; apply {fact}; small", 5)]
            yield f"C{number}_{place}", f"assert {text}", [*cited, *_CLOSERS]
        try:
            text = reader.statement(claim.expanded(step.formula), exported.values)
            tactics = [*_own(claim, exported, step), *_CLOSERS]
        except NotExported:
            continue
        if number < len(claim.proof) or step.growth:
            yield f"S{number}", f"assert {text}", tactics
    last = claim.proof[-1].by if claim.proof else ""
    yield "goal", "", [*([(last, 60)] if last else []), *_CLOSERS]


def _own(claim: Claim, exported: Exported, step: Step) -> list[tuple[str, int]]:
    """What a step itself says that closes it: its tactic, or that a derivative is not negative."""
    found = [(step.by, 60)] if step.by else []
    if not step.growth or step.growth[0] not in exported.values:
        return found
    variable, start, derivative = step.growth
    sides = formula.relation(claim.expanded(step.formula))
    words = Reader().vocabulary()
    inside = {**exported.values, variable: Term("t")}
    rise = text_of(formula.evaluate(f"({sides.right}) - ({sides.left})", words, inside))
    slope = text_of(formula.evaluate(claim.expanded(derivative), words, inside))
    begin = text_of(formula.evaluate(start, words, exported.values))
    end = exported.values[variable].text
    return [*found, (f"grows (fun t : R => {rise}) (fun t : R => {slope}) {begin} {end}", 20)]


def found_scripts(claims: Mapping[str, Claim], wanted: Sequence[str]) -> dict[str, str]:
    """Scripts for the claims that the tactics reach, by one pass of the assistant's toplevel."""
    known = scripts()
    text = [HEAD]
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        compiled_theories(folder)
        plans = {}
        for name in wanted:
            try:
                plans[name] = list(assertions(claims[name], claims))
            except NotExported as reason:
                _LOG.info(f"{name}: {reason}")
        cited = {c for name in plans for c in claims[name].cites if c in known and c not in plans}
        for name in ordered(claims, {c: known[c] for c in cited}):
            text.append(_theorem(claims[name], known[name]))
        for name in sorted(plans, key=lambda n: (len(claims[n].cites) > 0, list(claims).index(n))):
            text.append(_searching(claims[name], plans[name]))
        done = subprocess.run(
            ["coqtop", "-w", "none", "-quiet", "-Q", str(folder), "CTV"], input="".join(text),
            capture_output=True, text=True, timeout=60 * _MINUTES, check=False,
        )  # fmt: skip
    said = done.stdout + done.stderr
    chosen: dict[tuple[str, str], list[int]] = {}
    for name, label, number in re.findall(_MARK + r"(\S+) (\w+) (\d+)$", said, re.M):
        chosen.setdefault((name, label), []).append(int(number))
    found = {}
    for name, plan in plans.items():
        unfinished = re.search(rf"\(in proof {theorem_of(name)}\): Attempt to save", said)
        if unfinished or (name, "goal") not in chosen:
            continue
        lines = ["intros."]
        for label, prefix, tactics in plan:
            # In the order of the goals: each says what closed it, and nothing else is tried again.
            closers = [tactics[number][0] for number in chosen.get((name, label), ())]
            if prefix and closers:
                lines.append(f"{prefix} by (powers; {closers[-1]}).")
            elif not prefix:
                joined = " | ".join(f"solve [{closer}]" for closer in closers)
                lines.append(f"powers; rsplit; intros; [{joined}].")
        found[name] = "\n".join(lines)
        require_tactics(name, found[name])
    return found


def _theorem(claim: Claim, script: str) -> str:
    statement = Exported(claim).statement
    return f"Theorem {theorem_of(claim.id)} : {statement}.\nProof.\n{script}\nQed.\n"


def _searching(claim: Claim, plan: Sequence[Assertion]) -> str:
    lines = ["intros."]
    for label, prefix, tactics in plan:
        tried = " | ".join(
            f'(timeout {seconds} (solve [{tactic}]); idtac "{_MARK}{claim.id} {label} {number}")'
            for number, (tactic, seconds) in enumerate(tactics)
        )
        if prefix:
            lines.append(f"try ({prefix} by (powers; first [{tried}])).")
        else:
            lines.append(f"powers; rsplit; intros; first [{tried}].")
    return _theorem(claim, "\n".join(lines)) + "Abort All.\n"


def main(names: Sequence[str]) -> int:
    """Look for scripts of the named claims (none: all that have none) and keep what is found."""
    claims = {claim.id: claim for claim in (*CLAIMS, *_template.CLAIMS)}
    known = {name: script for name, script in scripts().items() if name in claims}
    wanted = list(names) or [name for name in claims if name not in known]
    found = found_scripts(claims, wanted)
    kept = {**known, **found}
    body = {name: kept[name].splitlines() for name in claims if name in kept}
    SCRIPTS.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    missing = [name for name in wanted if name not in found]
    _LOG.info(f"{len(found)} of {len(wanted)} found; without: {' '.join(missing)}")
    return 0


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    raise SystemExit(main(sys.argv[1:]))
